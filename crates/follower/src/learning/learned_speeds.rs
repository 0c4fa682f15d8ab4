//! The factors of a path, and what a lap changes in them.

use super::evidence::slips;
use super::options::{LearningError, LearningOptions, RememberedSpeeds};
use super::places::Places;
use super::profile::Profile;
use crate::command::Command;
use crate::options::validate_vehicle;
use crate::path::Path;
use crate::stuck::StuckState;
use crate::vehicle::{VehicleGeometry, VehicleState};
use raceline_numerics::math;

/// A lap that was learned from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearnedLap {
    /// Lap time, s; `None` where the lap began slower than planned, as from standstill, or was not driven
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
///
/// ```
/// use raceline_follower::{LearnedSpeeds, LearningOptions, Path, VehicleGeometry, Waypoint};
///
/// let at = |x, y| Waypoint { position_m: [x, y, 0.0], speed_mps: 20.0, ..Waypoint::default() };
/// let path = Path::new(vec![at(0.0, 0.0), at(90.0, 0.0), at(90.0, 90.0), at(0.0, 90.0)], true)?;
/// let mut learned = LearnedSpeeds::new(&path, VehicleGeometry::default(), LearningOptions::default())?;
/// // After every step: if learned.observe(&path, &state, &command, dt).is_some() { learned.apply(&mut path)?; }
/// assert_eq!((learned.factor(10.0), learned.laps()), (1.0, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LearnedSpeeds {
    options: LearningOptions,
    vehicle: VehicleGeometry,
    profile: Profile,
    length_m: f64,
    closed: bool,
    places: Places,
    exploring: bool,
    laps: u32,
    best: Option<Best>,
    run: Option<Run>,
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
    /// Time, s, and distance, m, since the start line; both negative infinity before the first crossing.
    time_s: f64,
    distance_m: f64,
    /// Whether it began at about the planned speed and had no break, and whether it had one.
    timed: bool,
    broken: bool,
    frames_out: u32,
    /// Number of faults that the game reported.
    faults: u32,
}

/// A lap is timed if it begins at this fraction of the target speed at least, 0 to 1. A larger one
/// times fewer laps, a smaller one compares laps with others that had a slow start.
const FLYING: f64 = 0.9;
/// A lap that covers less than this fraction of the length is none.
const WHOLE: f64 = 0.9;
/// A lap is the best if it takes less than this fraction of the best so far, below 1: the same
/// factors give laps that differ by some of it. A smaller one ignores small gains.
const BETTER: f64 = 1.0 - 3e-4;
/// The body beyond the corridor by this fraction of `wide_m` counts as wide; by all of it, as out.
const OUT: f64 = 0.5;
/// Largest difference of two lengths of the same line, metres.
const SAME_LENGTH_M: f64 = 1e-3;
/// Smallest number of places of a line.
const MIN_PLACES: usize = 4;

/// How wide a vehicle runs, wide from 1 on: by its distance from the path to the outside, or by that of its
/// body beyond the corridor, m, each beside what counts as wide there, m.
fn wideness([outside, wide_m]: [f64; 2], [beyond, out_m]: [f64; 2]) -> f64 {
    (outside / wide_m).max(beyond / (OUT * out_m))
}

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
        let count = ((path.length_m() / options.spacing_m).round() as usize).max(MIN_PLACES);
        Ok(Self {
            options,
            vehicle,
            profile,
            length_m: path.length_m(),
            closed: path.closed(),
            places: Places::new(count, path.length_m(), path.closed(), options.step),
            exploring: true,
            laps: 0,
            best: None,
            run: None,
        })
    }

    /// Takes over what an earlier drive on this line remembered.
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
        self.places.restore(&remembered.factors, &self.options);
        self.laps = remembered.laps;
        // Cleaner than any lap: how that lap was driven is not known.
        self.best = remembered.best_lap_s.map(|time_s| Best { time_s, faults: 0, frames_out: 0 });
        Ok(())
    }

    /// What to keep in a file: the factors of the fastest lap.
    pub fn remembered(&self) -> RememberedSpeeds {
        RememberedSpeeds {
            points: self.profile.len(),
            length_m: self.length_m,
            laps: self.laps,
            best_lap_s: self.best_lap_s(),
            factors: self.places.known(self.best.is_some()).collect(),
        }
    }

    /// Returns to the factors of the fastest lap and stops exploring: for the laps that count.
    /// Without a timed lap, factors above 1 return to 1. Where the host reports faults
    /// ([`LearningOptions::host_reports_faults`]), one still lowers the factors before its place.
    pub fn settle(&mut self) {
        self.places.settle(self.best.is_some());
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
        self.places.factor(s_m)
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
        profile.write(path, |s| self.places.factor(s));
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
    /// path a lap ends where it has arrived. Nothing can be learned about the line from frames in
    /// traffic: leave them out, and call [`Self::interrupt`].
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
                distance_m: begun,
                timed: fast,
                broken: false,
                frames_out: 0,
                faults: 0,
            };
            self.places.clear();
            self.run = Some(run);
            return None;
        };
        let dt = if dt_s > 0.0 { dt_s.min(0.25) } else { 0.0 };
        let advance = path.signed_distance(run.s, s);
        let broken = command.state != StuckState::Driving
            || command.event.is_some()
            || advance.abs() > 4.0 + 4.0 * state.speed_mps.abs() * dt;
        if broken {
            (run.timed, run.broken) = (false, true);
        }
        run.frames_out += u32::from(self.file(path, state, command, &run, dt, broken));
        self.places.spread_time(run.s, advance, dt);
        run.steering = command.steering_rad;
        (run.time_s, run.distance_m) = (run.time_s + dt, run.distance_m + advance);
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
        let whole = run.distance_m > WHOLE * self.length_m;
        let lap = whole.then(|| self.end_lap(&run, beyond));
        self.places.clear();
        self.run = self.closed.then_some(Run {
            time_s: beyond,
            distance_m: s,
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
            self.places.cell_at(run.s).out = true;
        }
    }

    /// The lap that is being driven is not timed, and nothing is learned from its rest.
    pub fn interrupt(&mut self) {
        self.run = None;
    }

    /// Files the evidence of a frame under its place; whether the body was beyond the corridor.
    fn file(&mut self, path: &Path, state: &VehicleState, command: &Command, run: &Run, dt: f64, broken: bool) -> bool {
        let s = command.s_m.clamp(0.0, self.length_m);
        let here = path.sample(s);
        let error = command.cross_track_error_m;
        let half = 0.5 * self.vehicle.width_m;
        let room = if error > 0.0 { here.left_m } else { here.right_m } - half;
        // Where there is much room, running wide a little may be faster.
        let wide_m = self.options.wide_m * (1.0 + (0.25 * room / self.options.wide_m).clamp(0.0, 1.0));
        // Where the line itself is nearer to the edge than half a width, it may be; and it is not
        // followed to the centimetre.
        let reported = self.options.host_reports_faults;
        let beyond = if reported { f64::NEG_INFINITY } else { error.abs() - room.max(0.0) };
        let out = beyond > self.options.wide_m;
        let outside = if here.curvature_radpm.abs() * math::powi(state.speed_mps, 2) > 1.0 {
            -error * here.curvature_radpm.signum()
        } else {
            error.abs()
        };
        let slips = slips(path, state, &self.vehicle, run.steering);
        let outside = wideness([outside, wide_m], [beyond, self.options.wide_m]);
        self.places.cell_at(s).add(dt, outside, slips, state.speed_mps, command, out || broken);
        out
    }

    /// Ends a lap: what was driven is kept or not, and every factor takes its step.
    fn end_lap(&mut self, run: &Run, beyond_s: f64) -> LearnedLap {
        let (time_s, frames_out) = (run.timed.then_some(run.time_s - beyond_s), run.frames_out);
        let faults = run.faults;
        // Of a lap that counts nothing is learned.
        self.laps = self.laps.saturating_add(u32::from(self.exploring));
        let clean = self.places.are_clean();
        let first = self.best.is_none();
        let improved = |best: Best, time: f64| {
            let faster = time < best.time_s * BETTER && frames_out <= best.frames_out;
            faults < best.faults || (faults == best.faults && faster)
        };
        let kept = time_s.is_some_and(|time| self.best.is_none_or(|best| improved(best, time)));
        if let Some(time_s) = time_s.filter(|_| kept) {
            let frames_out = self.best.map_or(frames_out, |best| best.frames_out.max(frames_out));
            self.best = Some(Best { time_s, faults, frames_out });
            self.places.keep();
        }
        // The path as it is must have been driven in time first, unless it cannot be.
        let known = !first || kept;
        let (raised, lowered) = if self.exploring && (known || run.broken) {
            self.places.step(known, &self.options)
        } else if self.options.host_reports_faults && faults > 0 {
            (0, self.places.retreat(&self.options))
        } else {
            (0, 0)
        };
        LearnedLap { time_s, kept, clean, raised, lowered }
    }
}

#[cfg(test)]
mod tests;
