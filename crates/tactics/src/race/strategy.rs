//! The plan of a race, from its task network.

use super::domain::{RaceDomain, State, Task};
use super::parameters::{Race, RaceError, Situation};
use crate::planning::{self, Domain, Expansion, Goal};

/// Largest number of tasks that a search expands.
const MAX_EXPANDED: usize = 2_000_000;

/// A stop of a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// The lap at whose end the vehicle stops, from 1.
    pub lap: u32,
    /// Fuel that is loaded, kg.
    pub fuel_kg: f64,
    /// Whether the tyres are changed.
    pub change: bool,
    /// Whether the damage is repaired.
    pub repair: bool,
}

/// The plan of a race, or of the rest of it.
#[derive(Clone, Debug, PartialEq)]
pub struct RacePlan {
    /// Fuel that is loaded before the first lap of the plan, kg; 0 where the race has begun.
    pub start_fuel_kg: f64,
    /// Stops in their order.
    pub stops: Vec<Stop>,
    /// Time of the laps of the plan with its stops, s.
    pub time_s: f64,
    /// The vehicle after each lap of the plan, before a stop there.
    pub laps: Vec<Situation>,
    /// Number of tasks that the search expanded.
    pub expanded: usize,
    /// Whether no plan is cheaper by more than 0.1 µs; otherwise the search came to its limit.
    pub is_cheapest: bool,
}

impl RacePlan {
    /// The vehicle at the end of `lap`, before a stop there.
    #[must_use]
    pub fn at(&self, lap: u32) -> Option<Situation> {
        self.laps.iter().copied().find(|situation| situation.lap == lap)
    }
}

/// The cheapest plan from the start, or from where the vehicle is in the race.
///
/// # Errors
/// Numbers out of their range, and a race whose end no plan reaches.
///
/// ```
/// use raceline_tactics::race::{Race, plan};
///
/// let race = Race {
///     laps: 50,
///     lap_time_s: 90.0,
///     fuel_per_lap_kg: 2.0,
///     tank_kg: 60.0,
///     lap_s_per_kg: 0.03,
///     wear_s_per_lap: 0.06,
///     tyre_life_laps: None,
///     pit_loss_s: 25.0,
///     change_loss_s: 0.0,
///     refuel_s_per_kg: 0.0,
///     damage_s_per_lap: 0.0,
///     repair_loss_s: None,
///     safety_car: None,
/// };
/// let plan = plan(&race, None)?;
/// assert_eq!(plan.stops.iter().map(|stop| stop.lap).collect::<Vec<_>>(), [25]);
/// assert_eq!((plan.start_fuel_kg, plan.stops[0].fuel_kg), (50.0, 50.0));
/// # Ok::<(), raceline_tactics::race::RaceError>(())
/// ```
pub fn plan(race: &Race, now: Option<&Situation>) -> Result<RacePlan, RaceError> {
    search(race, now, None)
}

/// As [`plan`], with exactly this number of stops.
///
/// # Errors
/// Those of [`plan`].
pub fn plan_with_stops(race: &Race, now: Option<&Situation>, stops: u32) -> Result<RacePlan, RaceError> {
    search(race, now, Some(stops))
}

fn search(race: &Race, now: Option<&Situation>, stops: Option<u32>) -> Result<RacePlan, RaceError> {
    race.validate()?;
    let begin = now.copied().unwrap_or_default();
    for (name, value, limit, must) in [
        ("lap", begin.lap, race.laps, "at most the number of laps of the race"),
        ("fuel_laps", begin.fuel_laps, race.tank_laps(), "at most what the tank holds"),
    ] {
        if value > limit {
            return Err(RaceError::Range { name, value: f64::from(value), must });
        }
    }
    let domain = RaceDomain::new(race);
    let state = State {
        lap: begin.lap,
        fuel_laps: begin.fuel_laps,
        tyre_laps: begin.tyre_laps,
        is_damaged: begin.is_damaged,
        is_at_box: now.is_none(),
        stops_left: stops,
    };
    let found = planning::plan(&domain, state, &[Task::Race], Goal::Cheapest, MAX_EXPANDED);
    let Some((tasks, loss_s)) = found.plan else { return Err(RaceError::NoPlan { stops }) };
    let mut plan = RacePlan {
        start_fuel_kg: 0.0,
        stops: Vec::new(),
        time_s: f64::from(race.laps - begin.lap) * race.lap_time_s + loss_s,
        laps: Vec::new(),
        expanded: found.expanded,
        is_cheapest: found.is_complete,
    };
    let mut state = state;
    for task in &tasks {
        match *task {
            Task::Fuel(laps) => {
                let fuel_kg = f64::from(laps) * race.fuel_per_lap_kg;
                match plan.stops.last_mut() {
                    Some(stop) => stop.fuel_kg = fuel_kg,
                    None => plan.start_fuel_kg = fuel_kg,
                }
            }
            Task::Drive(laps) => {
                let from = state.situation();
                plan.laps.extend((1..=laps).map(|lap| Situation {
                    lap: from.lap + lap,
                    fuel_laps: from.fuel_laps - lap,
                    tyre_laps: from.tyre_laps + lap,
                    ..from
                }));
            }
            Task::Stop { change, repair } => plan.stops.push(Stop { lap: state.lap, fuel_kg: 0.0, change, repair }),
            Task::Race => {}
        }
        if let Expansion::Operator(after, _) = domain.expand(&state, task) {
            state = after;
        }
    }
    Ok(plan)
}
