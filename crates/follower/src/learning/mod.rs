//! Learning over laps: factors of the profile's speed by place, faster where grip was left over and
//! slower where the vehicle slid, ran wide or missed the planned speed.
//!
//! **What a factor means.** The square of a factor is a factor of the grip at its place. The profile
//! of a path is made of places that limit the speed, of braking and of acceleration; a factor f
//! multiplies what limits there: the square of the speed where the profile is slowest or steady, the
//! deceleration where it brakes, the acceleration where it accelerates, each by f². The profile is
//! then computed anew, backwards and forwards ([`profile`]), so that braking for a bend that is
//! driven faster begins later, and for one that is driven slower sooner. The control at the limit is
//! told the same f² as the grip of the place.
//!
//! **What is observed.** Each step of a follower is filed under its place on the path: the distance
//! from the path towards the outside, whether the body is in the corridor, the slip of the axles by
//! that of their peak, and the speed by the target speed ([`evidence`]).
//!
//! **How it is learned.** Once a lap every factor takes a step up where grip was left over, down
//! within the last second before a fault, and none elsewhere. The size of the step is that of Rprop
//! (Riedmiller and Braun 1993): 1.2 times as large after a step to the same side, half after one to
//! the other. A step that made the seconds about its place slower is taken back, so that a gain in
//! one bend does not depend on the luck in another; but for one down before the body left the
//! corridor, whatever that costs.
//!
//! **What is kept.** The factors of the fastest of the laps with the fewest faults that the game told
//! of ([`LearnedSpeeds::fault`]), and no longer beyond the corridor than the first: to them
//! [`LearnedSpeeds::settle`] returns, and they are what a file remembers. The first timed lap is
//! driven as the path is, so that nothing slower than the path itself is ever kept.

mod evidence;
mod options;
mod profile;

use crate::command::Command;
use crate::options::validate_vehicle;
use crate::path::Path;
use crate::stuck::StuckState;
use crate::vehicle::{VehicleGeometry, VehicleState};
use evidence::{Cell, Verdict, slips};
use profile::Profile;

pub use options::{LearningError, LearningOptions, RememberedSpeeds};

/// A lap that was learned from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearnedLap {
    /// Its time, s; `None` where it began slower than planned, as from standstill, or was not driven
    /// without a break.
    pub time_s: Option<f64>,
    /// Whether it is the best so far: its factors are kept.
    pub kept: bool,
    /// Whether the body left the corridor or the vehicle was stuck.
    pub clean: bool,
    /// Number of factors that were raised for the next lap.
    pub raised: usize,
    /// Number that were lowered.
    pub lowered: usize,
}

/// Factors of the planned speed by place along a path, learned lap by lap.
///
/// Its construction allocates; observing and applying do not. The host calls [`Self::observe`] after
/// each step of the follower and, when that returns a lap, [`Self::apply`].
#[derive(Clone, Debug)]
pub struct LearnedSpeeds {
    options: LearningOptions,
    vehicle: VehicleGeometry,
    profile: Profile,
    length_m: f64,
    closed: bool,
    places: Vec<Place>,
    cells: Vec<Cell>,
    exploring: bool,
    laps: u32,
    best: Option<Best>,
    run: Option<Run>,
}

/// A place that has a factor.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    factor: f64,
    /// In the fastest lap.
    best: f64,
    /// The last factor that was not worse than the one before, and the time at this place with it,
    /// s; NaN where it is not known.
    proven: f64,
    time_s: f64,
    step: f64,
    /// The side of the last step, 0 before the first.
    side: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Best {
    time_s: f64,
    faults: u32,
    /// The most frames beyond the corridor that a lap may have: those of the first.
    frames_out: u32,
}

/// The lap that is being driven.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Run {
    s: f64,
    steering: f64,
    /// Time and way since the start line; both negative infinity before the first crossing.
    time_s: f64,
    way_m: f64,
    /// Whether it began at about the planned speed and had no break, and whether it had one.
    timed: bool,
    broken: bool,
    frames_out: u32,
    /// That the game told of.
    faults: u32,
}

/// A lap is timed if it begins at this fraction of the target speed at least.
const FLYING: f64 = 0.9;
/// A lap that covers less than this fraction of the length is none.
const WHOLE: f64 = 0.9;
/// Rprop's factors of the step, and its bounds as fractions of the first step.
const LONGER: f64 = 1.2;
const SHORTER: f64 = 0.5;
const LEAST_STEP: f64 = 0.1;
const MOST_STEP: f64 = 1.5;
/// A lap is the best if it takes less than this fraction of the best so far: the same factors give
/// laps that differ by some of it.
const BETTER: f64 = 1.0 - 3e-4;
/// The seconds about a place, before and behind it, and the fraction and the time by which they may
/// be slower: laps vary by so much without cause.
const BEFORE_S: f64 = 0.5;
const BEHIND_S: f64 = 3.0;
const AS_FAST: f64 = 1e-3;
const AS_FAST_S: f64 = 2e-3;
/// The body beyond the corridor by this fraction of `wide_m` counts as wide; by all of it, as out.
const OUT: f64 = 0.5;
/// Largest difference of two lengths of the same line, metres.
const SAME_LENGTH_M: f64 = 1e-3;
/// Fewest places of a line.
const LEAST_PLACES: usize = 4;

impl LearnedSpeeds {
    /// Nothing learned yet, on `path` with a vehicle of this geometry.
    ///
    /// # Errors
    /// [`LearningError::Options`] for options or a vehicle out of range, and
    /// [`LearningError::NoProfile`] for a path without a speed at every waypoint.
    pub fn new(path: &Path, vehicle: VehicleGeometry, options: LearningOptions) -> Result<Self, LearningError> {
        options.validate()?;
        validate_vehicle(&vehicle)?;
        let profile = Profile::new(path)?;
        let count = ((path.length_m() / options.spacing_m).round() as usize).max(LEAST_PLACES);
        let place = Place::new(1.0, options.step);
        Ok(Self {
            options,
            vehicle,
            profile,
            length_m: path.length_m(),
            closed: path.closed(),
            places: vec![place; count],
            cells: vec![Cell::default(); count],
            exploring: true,
            laps: 0,
            best: None,
            run: None,
        })
    }

    /// The same with what an earlier drive on this line remembered.
    ///
    /// # Errors
    /// [`LearningError`] for factors of another line, of another spacing or out of range.
    pub fn restore(&mut self, remembered: &RememberedSpeeds) -> Result<(), LearningError> {
        let (expected, given) = ((self.profile.len(), self.length_m), (remembered.points, remembered.length_m));
        let same = expected.0 == given.0 && (expected.1 - given.1).abs() <= SAME_LENGTH_M;
        if !same {
            return Err(LearningError::OtherLine { expected, given });
        }
        let (expected, given) = (self.places.len(), remembered.factors.len());
        if expected != given {
            return Err(LearningError::Places { expected, given });
        }
        if let Some((place, &value)) =
            remembered.factors.iter().enumerate().find(|(_, factor)| !(0.5..=1.5).contains(*factor))
        {
            return Err(LearningError::BadFactor { place, value });
        }
        let bounds = [self.options.lowest, self.options.highest];
        for (place, factor) in self.places.iter_mut().zip(&remembered.factors) {
            let factor = factor.clamp(bounds[0], bounds[1]);
            *place = Place::new(factor, SHORTER * self.options.step);
        }
        self.laps = remembered.laps;
        // Cleaner than any lap: how that lap was driven is not known.
        self.best = remembered.best_lap_s.map(|time_s| Best { time_s, faults: 0, frames_out: 0 });
        Ok(())
    }

    /// What to keep in a file: the factors of the fastest lap.
    pub fn remembered(&self) -> RememberedSpeeds {
        let known = |place: &Place| if self.best.is_some() { place.best } else { place.factor.min(1.0) };
        RememberedSpeeds {
            points: self.profile.len(),
            length_m: self.length_m,
            laps: self.laps,
            best_lap_s: self.best_lap_s(),
            factors: self.places.iter().map(known).collect(),
        }
    }

    /// Returns to the factors of the fastest lap and stops exploring: for the laps that count.
    /// Without a timed lap, factors above 1 return to 1.
    pub fn settle(&mut self) {
        for place in &mut self.places {
            place.factor = if self.best.is_some() { place.best } else { place.factor.min(1.0) };
        }
        self.exploring = false;
        // The lap of now is not driven with these factors.
        self.run = None;
    }

    /// Time of the fastest lap that counts, s.
    pub fn best_lap_s(&self) -> Option<f64> {
        self.best.map(|best| best.time_s)
    }

    /// Laps that were learned from.
    pub fn laps(&self) -> u32 {
        self.laps
    }

    /// The factor of the planned speed at arc length `s_m`: linear between the middles of the
    /// places, each of which is averaged with its neighbours.
    pub fn factor(&self, s_m: f64) -> f64 {
        let count = self.places.len();
        let place = s_m / self.length_m * count as f64 - 0.5;
        let place = if place.is_finite() { place } else { 0.0 };
        let (low, share) = (place.floor(), place - place.floor());
        let at = |index: isize| {
            let index = if self.closed { index.rem_euclid(count as isize) } else { index.clamp(0, count as isize - 1) };
            self.places[index as usize].factor
        };
        let smooth = |index: isize| 0.25 * (at(index - 1) + at(index + 1)) + 0.5 * at(index);
        let low = low as isize;
        (1.0 - share) * smooth(low) + share * smooth(low + 1)
    }

    /// Writes the learned profile into `path`, which is the one of [`Self::new`] or a copy. A
    /// follower does not notice a change of the path: it goes on. Waypoints keep their speeds.
    ///
    /// # Errors
    /// [`LearningError::OtherLine`] for another path, which is not changed.
    pub fn apply(&mut self, path: &mut Path) -> Result<(), LearningError> {
        let (expected, given) = ((self.profile.len(), self.length_m), (path.waypoints().len(), path.length_m()));
        if !self.fits(path) {
            return Err(LearningError::OtherLine { expected, given });
        }
        let mut profile = std::mem::take(&mut self.profile);
        profile.write(path, |s| self.factor(s));
        self.profile = profile;
        Ok(())
    }

    fn fits(&self, path: &Path) -> bool {
        path.waypoints().len() == self.profile.len()
            && path.closed() == self.closed
            && (path.length_m() - self.length_m).abs() <= SAME_LENGTH_M
    }

    /// Learns from a step: `command` is what the follower returned for `state`, the last frame was
    /// `dt_s` seconds ago. Returns the lap that it ended: then the factors have changed. On an open
    /// path a lap ends where it has arrived. Frames in traffic tell nothing about the line: leave
    /// them out, and call [`Self::interrupt`].
    pub fn observe(&mut self, path: &Path, state: &VehicleState, command: &Command, dt_s: f64) -> Option<LearnedLap> {
        if !(self.fits(path) && command.s_m.is_finite() && state.speed_mps.is_finite()) {
            self.run = None;
            return None;
        }
        let s = command.s_m.clamp(0.0, self.length_m);
        let fast = state.speed_mps > FLYING * command.target_speed_mps;
        let Some(mut run) = self.run else {
            // An open line is timed from its start, a closed one from the first crossing.
            let at_start = !self.closed && s < WHOLE.mul_add(-self.length_m, self.length_m);
            let begun = if at_start { 0.0 } else { f64::NEG_INFINITY };
            let run = Run {
                s,
                steering: command.steering_rad,
                time_s: begun,
                way_m: begun,
                timed: fast,
                broken: false,
                frames_out: 0,
                faults: 0,
            };
            self.cells.fill(Cell::default());
            self.run = Some(run);
            return None;
        };
        let dt = if dt_s > 0.0 { dt_s.min(0.25) } else { 0.0 };
        let advance = path.way(run.s, s);
        let broken = command.state != StuckState::Driving
            || command.event.is_some()
            || advance.abs() > 4.0 + 4.0 * state.speed_mps.abs() * dt;
        if broken {
            (run.timed, run.broken) = (false, true);
        }
        run.frames_out += u32::from(self.file(path, state, command, &run, dt, broken));
        self.share_time(run.s, advance, dt);
        run.steering = command.steering_rad;
        (run.time_s, run.way_m) = (run.time_s + dt, run.way_m + advance);
        let crossed = if self.closed {
            advance > 0.0 && run.s > 0.5 * self.length_m && s < 0.5 * self.length_m
        } else {
            command.arrived || s >= self.length_m
        };
        run.s = s;
        self.run = Some(run);
        if !crossed {
            return None;
        }
        // The part of the frame beyond the line belongs to the next lap.
        let beyond = if self.closed && advance > 0.0 { (s / advance).clamp(0.0, 1.0) * dt } else { 0.0 };
        let whole = run.way_m > WHOLE * self.length_m;
        let lap = whole.then(|| self.end_lap(&run, beyond));
        self.cells.fill(Cell::default());
        self.run = self.closed.then_some(Run {
            time_s: beyond,
            way_m: s,
            timed: fast,
            broken: false,
            frames_out: 0,
            faults: 0,
            ..run
        });
        lap
    }

    /// What the game counts as a fault just happened, as a wall touched or a corner cut: slower here,
    /// and the lap is not clean.
    pub fn fault(&mut self) {
        if let Some(run) = &mut self.run {
            run.faults += 1;
            let count = self.cells.len();
            let index = (run.s / self.length_m * count as f64) as usize;
            self.cells[index.min(count - 1)].out = true;
        }
    }

    /// The lap that is being driven is not timed, and nothing is learned from its rest.
    pub fn interrupt(&mut self) {
        self.run = None;
    }

    /// Files the evidence of a frame under its place; whether the body was beyond the corridor.
    fn file(&mut self, path: &Path, state: &VehicleState, command: &Command, run: &Run, dt: f64, broken: bool) -> bool {
        let s = command.s_m.clamp(0.0, self.length_m);
        let count = self.cells.len();
        let index = ((s / self.length_m * count as f64) as usize).min(count - 1);
        let here = path.sample(s);
        let error = command.cross_track_error_m;
        let half = 0.5 * self.vehicle.width_m;
        let room = if error > 0.0 { here.left_m } else { here.right_m } - half;
        // Where there is much room, running wide a little may be the faster way.
        let wide_m = self.options.wide_m * (1.0 + (0.25 * room / self.options.wide_m).clamp(0.0, 1.0));
        // Where the line itself is nearer to the edge than half a width, it may be; and it is not
        // followed to the centimetre.
        let beyond = error.abs() - room.max(0.0);
        let out = beyond > self.options.wide_m;
        let outside = if here.curvature_radpm.abs() * state.speed_mps.powi(2) > 1.0 {
            -error * here.curvature_radpm.signum()
        } else {
            error.abs()
        };
        let slips = slips(path, state, &self.vehicle, run.steering);
        let outside = (outside / wide_m).max(beyond / (OUT * self.options.wide_m));
        self.cells[index].add(dt, outside, slips, state.speed_mps, command, out || broken);
        out
    }

    /// Shares the time of a frame among the places that it passed.
    fn share_time(&mut self, from: f64, advance: f64, dt: f64) {
        let count = self.cells.len();
        let width = self.length_m / count as f64;
        let (low, high) = (from / width, (from + advance) / width);
        let pieces = (high.floor() - low.floor()).abs() as usize;
        if advance <= 0.0 || pieces == 0 || pieces > count {
            self.cells[(low as usize).min(count - 1)].time_s += dt;
            return;
        }
        for piece in 0..=pieces {
            let start = low.max(low.floor() + piece as f64);
            let end = high.min(low.floor() + piece as f64 + 1.0);
            let index = low as usize + piece;
            if self.closed || index < count {
                self.cells[index % count].time_s += dt * ((end - start) / (high - low)).max(0.0);
            }
        }
    }

    /// Ends a lap: what was driven is kept or not, and every factor takes its step.
    fn end_lap(&mut self, run: &Run, beyond_s: f64) -> LearnedLap {
        let (time_s, frames_out) = (run.timed.then_some(run.time_s - beyond_s), run.frames_out);
        let faults = run.faults;
        self.laps = self.laps.saturating_add(1);
        let clean = !self.cells.iter().any(|cell| cell.out);
        let first = self.best.is_none();
        let improved = |best: Best, time: f64| {
            let faster = time < best.time_s * BETTER && frames_out <= best.frames_out;
            faults < best.faults || (faults == best.faults && faster)
        };
        let kept = time_s.is_some_and(|time| self.best.is_none_or(|best| improved(best, time)));
        if let Some(time_s) = time_s.filter(|_| kept) {
            let frames_out = self.best.map_or(frames_out, |best| best.frames_out.max(frames_out));
            self.best = Some(Best { time_s, faults, frames_out });
            for place in &mut self.places {
                place.best = place.factor;
            }
        }
        let (mut raised, mut lowered) = (0, 0);
        // The path as it is must have been driven in time first, unless it cannot be.
        let known = !first || kept;
        if self.exploring && (known || run.broken) {
            self.judge();
            for index in 0..self.places.len() {
                let slower = self.is_slower_about(index);
                let (place, cell) = (&mut self.places[index], &mut self.cells[index]);
                let verdict = cell.verdict;
                if verdict == Verdict::Slower {
                    if place.factor > self.options.lowest {
                        place.turn(-1.0, &self.options);
                        // Not proven any more, but no higher than what was.
                        let lower = (place.factor - place.step).min(if place.factor > place.proven {
                            place.proven
                        } else {
                            f64::INFINITY
                        });
                        place.factor = lower.max(self.options.lowest);
                        lowered += 1;
                    }
                    (place.proven, place.time_s) = (place.factor, f64::NAN);
                    continue;
                }
                if slower && place.factor != place.proven {
                    place.turn(-1.0, &self.options);
                    (place.factor, place.side) = (place.proven, 0.0);
                    continue;
                }
                (place.proven, cell.proven) = (place.factor, true);
                if verdict == Verdict::Tamer && place.factor > self.options.lowest {
                    place.turn(-1.0, &self.options);
                    place.factor = (place.factor - place.step).max(self.options.lowest);
                    lowered += 1;
                }
                if verdict == Verdict::Faster && known && place.factor < self.options.highest {
                    place.turn(1.0, &self.options);
                    place.factor = (place.factor + place.step).min(self.options.highest);
                    raised += 1;
                }
            }
            for (place, cell) in self.places.iter_mut().zip(&self.cells) {
                // Where the step was taken back, the time stays that of the proven factor.
                if cell.verdict != Verdict::Slower && cell.proven {
                    place.time_s = cell.time_s;
                }
            }
        }
        LearnedLap { time_s, kept, clean, raised, lowered }
    }

    /// Whether the seconds about a place took longer than with the proven factors.
    fn is_slower_about(&self, index: usize) -> bool {
        let count = self.places.len();
        let (mut now, mut then) = (0.0, 0.0);
        let mut add = |index: usize| {
            let (place, cell) = (&self.places[index], &self.cells[index]);
            if place.time_s.is_finite() {
                (now, then) = (now + cell.time_s, then + place.time_s);
            }
            cell.time_s
        };
        let (mut before, mut behind) = (0.0, add(index));
        for step in 1..count {
            if before < BEFORE_S && (self.closed || step <= index) {
                before += add((index + count - step) % count);
            }
            if behind < BEHIND_S && (self.closed || index + step < count) {
                behind += add((index + step) % count);
            } else if before >= BEFORE_S {
                break;
            }
        }
        now > then * (1.0 + AS_FAST) + AS_FAST_S
    }

    /// The verdict of each place: its own, and lower where a fault follows within the time of blame.
    fn judge(&mut self) {
        let count = self.cells.len();
        for cell in &mut self.cells {
            cell.verdict = cell.own_verdict();
        }
        let mut since_fault = [f64::INFINITY; 2];
        // Twice around, so that a fault behind the start line counts before it.
        let rounds = if self.closed { 2 } else { 1 };
        for _ in 0..rounds {
            for index in (0..count).rev() {
                let cell = &mut self.cells[index];
                for (since, fault) in since_fault.iter_mut().zip([Verdict::Tamer, Verdict::Slower]) {
                    if cell.own_verdict() == fault {
                        *since = 0.0;
                    } else {
                        *since += cell.seconds;
                    }
                    if *since <= self.options.blame_s && cell.verdict != Verdict::Slower {
                        cell.verdict = fault;
                    }
                }
            }
        }
    }
}

impl Place {
    fn new(factor: f64, step: f64) -> Self {
        Self { factor, best: factor, proven: factor, time_s: f64::NAN, step, side: 0.0 }
    }

    /// The step after one to `side`.
    fn turn(&mut self, side: f64, options: &LearningOptions) {
        if self.side != 0.0 {
            let factor = if self.side == side { LONGER } else { SHORTER };
            self.step = (self.step * factor).clamp(LEAST_STEP * options.step, MOST_STEP * options.step);
        }
        self.side = side;
    }
}
