//! The task network of a race.

use super::parameters::{Race, Situation};
use crate::planning::{Domain, Expansion};

/// What there is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// The rest of the race: compound.
    Race,
    /// Loads fuel for a number of laps more.
    Fuel(u32),
    /// Drives a number of laps.
    Drive(u32),
    /// Drives into the pit lane at the end of the lap.
    Stop { change: bool, repair: bool },
}

/// The vehicle, and what the search knows of its race.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct State {
    pub(super) lap: u32,
    pub(super) fuel_laps: u32,
    pub(super) tyre_laps: u32,
    pub(super) is_damaged: bool,
    /// Whether fuel can be loaded: before the start, and at a stop.
    pub(super) is_at_box: bool,
    /// Stops that are left, where their number is given.
    pub(super) stops_left: Option<u32>,
}

impl State {
    pub(super) fn situation(&self) -> Situation {
        Situation { lap: self.lap, fuel_laps: self.fuel_laps, tyre_laps: self.tyre_laps, is_damaged: self.is_damaged }
    }
}

/// Costs nearer than this are equal, s: sums of the same losses in another order differ by less.
const SAME_S: f64 = 1e-7;

pub(super) struct RaceDomain<'a> {
    race: &'a Race,
    /// Costs that no plan is below, by lap and age of the tyres: those from the box on with no more fuel
    /// than for each stint, no damage, and stops at which only a change of tyres takes time.
    relaxed_s: Vec<f64>,
    /// Number of ages for each lap. Where a change takes no time, every stint begins with new tyres.
    ages: usize,
}

impl<'a> RaceDomain<'a> {
    pub(super) fn new(race: &'a Race) -> Self {
        let laps = race.laps as usize;
        let ages = if race.change_loss_s > 0.0 { laps + 1 } else { 1 };
        let mut domain = Self { race, relaxed_s: vec![0.0; (laps + 1) * ages], ages };
        for lap in (0..race.laps).rev() {
            for age in 0..ages.min(lap as usize + 1) {
                let tyre_laps = age as u32;
                let stints = 1..=domain.longest_stint(tyre_laps, race.laps - lap);
                let from = |fuel_laps| Situation { lap, fuel_laps, tyre_laps, is_damaged: false };
                let costs = stints.map(|laps| {
                    let after = Situation { lap: lap + laps, tyre_laps: tyre_laps + laps, ..from(0) };
                    domain.stint_s(&from(laps), laps) + domain.after_stint_s(&after)
                });
                let best_s = costs.fold(f64::INFINITY, f64::min);
                domain.relaxed_s[lap as usize * ages + age] = best_s;
            }
        }
        domain
    }

    /// The relaxed cost from the box on.
    fn relaxed_s(&self, lap: u32, tyre_laps: u32) -> f64 {
        self.relaxed_s[lap as usize * self.ages + (tyre_laps.min(lap) as usize).min(self.ages - 1)]
    }

    /// The relaxed cost from the end of a stint on, with the stop there.
    fn after_stint_s(&self, at: &Situation) -> f64 {
        if at.lap == self.race.laps {
            return 0.0;
        }
        let changed = self.relaxed_s(at.lap, 0) + self.race.change_loss_s;
        let kept = if self.ages > 1 { self.relaxed_s(at.lap, at.tyre_laps) } else { f64::INFINITY };
        self.race.stop_loss_s(at.lap) + changed.min(kept)
    }

    /// Time that must pass for loading fuel.
    fn loading_s(&self, state: &State) -> f64 {
        let left = self.race.laps - state.lap;
        let is_free = state.lap == 0 && state.is_at_box;
        let had = if is_free { self.race.tank_laps() } else { state.fuel_laps };
        f64::from(left.saturating_sub(had)) * self.race.fuel_per_lap_kg * self.race.refuel_s_per_kg
    }

    /// Loss of `laps` laps.
    fn stint_s(&self, from: &Situation, laps: u32) -> f64 {
        let Some(car) = self.race.safety_car else { return self.laps_s(from, 0, laps) };
        // Numbers of laps before the first one behind the safety car, and up to the last one.
        let before = car.first_lap.saturating_sub(from.lap + 1).min(laps);
        let slow = car.last_lap.saturating_sub(from.lap).clamp(before, laps);
        self.laps_s(from, 0, before) + self.laps_s(from, slow, laps)
    }

    /// Loss of the laps `begin` to `end` of a stint: a sum of what grows evenly from lap to lap.
    fn laps_s(&self, from: &Situation, begin: u32, end: u32) -> f64 {
        let (count, middle) = (f64::from(end - begin), f64::from(begin + end) / 2.0);
        let fuel_kg = (f64::from(from.fuel_laps) - middle) * self.race.fuel_per_lap_kg;
        let tyre_laps = f64::from(from.tyre_laps) + middle - 0.5;
        let damage_s = if from.is_damaged { self.race.damage_s_per_lap } else { 0.0 };
        count * (self.race.lap_s_per_kg * fuel_kg + self.race.wear_s_per_lap * tyre_laps + damage_s)
    }

    /// Axiom: the longest stint, up to `left` laps, that tyres of an age and the full tank last.
    fn longest_stint(&self, tyre_laps: u32, left: u32) -> u32 {
        let tyres = self.race.tyre_life_laps.map_or(left, |life| life.saturating_sub(tyre_laps));
        left.min(tyres).min(self.race.tank_laps())
    }

    /// The methods of the rest of the race.
    fn methods(&self, state: &State) -> Vec<Vec<Task>> {
        let left = self.race.laps - state.lap;
        if left == 0 {
            return if state.stops_left.unwrap_or(0) == 0 { vec![Vec::new()] } else { Vec::new() };
        }
        let mut longest = self.longest_stint(state.tyre_laps, left);
        if !state.is_at_box {
            longest = longest.min(state.fuel_laps);
        }
        let mut methods = Vec::new();
        // What looks cheapest comes first, so that the first plan is nearly the best; of equal ones the
        // longest stint. On the road, the vehicle may stop at the end of the lap that it is in.
        let shortest = u32::from(state.is_at_box);
        let stints = (shortest..=longest).rev().map(|laps| (self.promised_s(state, laps), laps));
        let mut stints: Vec<(f64, u32)> = stints.collect();
        stints.sort_by(|one, other| one.0.total_cmp(&other.0));
        for (_, laps) in stints {
            // Fuel beyond the stint pays only where loading it later takes time, which before the start it
            // does not.
            let carries = state.lap == 0 && state.is_at_box && self.race.refuel_s_per_kg > 0.0;
            let last = if carries { self.race.tank_laps().min(left).max(laps) } else { laps };
            for fuel in laps..=last {
                let mut begun = Vec::with_capacity(4);
                if fuel > state.fuel_laps {
                    begun.push(Task::Fuel(fuel - state.fuel_laps));
                }
                if laps > 0 {
                    begun.push(Task::Drive(laps));
                }
                if laps == left {
                    if state.stops_left.unwrap_or(0) == 0 {
                        methods.push(begun);
                    }
                } else if state.stops_left != Some(0) {
                    self.stops(state, &begun, &mut methods);
                }
            }
        }
        methods
    }

    /// The relaxed cost of a stint and all that follows.
    fn promised_s(&self, state: &State, laps: u32) -> f64 {
        let from = Situation { fuel_laps: state.fuel_laps.max(laps), ..state.situation() };
        let after = Situation { lap: from.lap + laps, tyre_laps: from.tyre_laps + laps, ..from };
        self.stint_s(&from, laps) + self.after_stint_s(&after)
    }

    /// Appends the methods that go on with a stop after what is `begun`.
    fn stops(&self, state: &State, begun: &[Task], methods: &mut Vec<Vec<Task>>) {
        let can_repair = state.is_damaged && self.race.repair_loss_s.is_some();
        for repair in [can_repair, false].into_iter().take(if can_repair { 2 } else { 1 }) {
            // A change that takes no time is never worse than none.
            let changes = if self.race.change_loss_s > 0.0 { &[true, false][..] } else { &[true] };
            for &change in changes {
                methods.push([begun, &[Task::Stop { change, repair }, Task::Race]].concat());
            }
        }
    }
}

impl Domain for RaceDomain<'_> {
    type State = State;
    type Task = Task;
    type Key = State;

    fn expand(&self, state: &State, task: &Task) -> Expansion<State, Task> {
        let race = self.race;
        match *task {
            Task::Race => Expansion::Methods(self.methods(state)),
            Task::Fuel(laps) => {
                let fuel_laps = state.fuel_laps + laps;
                if !state.is_at_box || fuel_laps > race.tank_laps() {
                    return Expansion::Impossible;
                }
                let is_start = state.lap == 0;
                let loss_s = if is_start { 0.0 } else { race.refuel_s_per_kg * f64::from(laps) * race.fuel_per_lap_kg };
                Expansion::Operator(State { fuel_laps, ..*state }, loss_s)
            }
            Task::Drive(laps) => {
                let age = state.tyre_laps + laps.saturating_sub(1);
                if state.fuel_laps < laps || !race.tyres_last(age) {
                    return Expansion::Impossible;
                }
                let after = State {
                    lap: state.lap + laps,
                    fuel_laps: state.fuel_laps - laps,
                    tyre_laps: state.tyre_laps + laps,
                    is_at_box: false,
                    ..*state
                };
                Expansion::Operator(after, self.stint_s(&state.situation(), laps))
            }
            Task::Stop { change, repair } => {
                let repair_s = if repair { race.repair_loss_s.unwrap_or(0.0) } else { 0.0 };
                let change_s = if change { race.change_loss_s } else { 0.0 };
                let after = State {
                    tyre_laps: if change { 0 } else { state.tyre_laps },
                    is_damaged: state.is_damaged && !repair,
                    is_at_box: true,
                    stops_left: state.stops_left.map(|stops| stops.saturating_sub(1)),
                    ..*state
                };
                Expansion::Operator(after, race.stop_loss_s(state.lap) + change_s + repair_s)
            }
        }
    }

    fn bound(&self, state: &State, tasks: &[Task]) -> f64 {
        match tasks {
            [Task::Race] => self.relaxed_s(state.lap, state.tyre_laps) + self.loading_s(state) + SAME_S,
            _ => 0.0,
        }
    }

    fn key(&self, state: &State, tasks: &[Task]) -> Option<State> {
        (tasks == [Task::Race]).then_some(*state)
    }
}
