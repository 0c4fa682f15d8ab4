//! Rounds of passes until the profile has converged, with working memory that is reused for each
//! line.

use super::SpeedError;
use super::course::Course;
use super::drive_step::DriveStep;
use super::ground::Ground;
use super::leaning::{LEANING_ROUNDS, Leaning};
use super::passes::{Burden, CoursePasses, EvenGrip, FLOOR, Grip, NoBurden, Passes, PointBurden};
use super::spatial_passes::SpatialPasses;
use super::speed_profile::{SpeedProfile, Status};
use super::turning::TurningLine;
use super::tyres::{AnyTyres, PlainTyres, Tyres};
use raceline_car::{GgDiagram, Turning, Vehicle};

/// A closed course has converged when a round of passes lowers its first point by less than this
/// fraction.
const TOLERANCE: f64 = 1e-9;

/// Maximum number of rounds of passes. A lap with a corner takes one or two. More are needed only
/// where neither a corner nor the maximum speed is reached and the drag is small: the speed then
/// converges over many laps.
const MAX_PASSES: usize = 200;

/// The speed profile of a line. `curvature` is the signed curvature at each of n points, 1/m.
/// `step_lengths` are the distances from each point to the next, m: n for a closed line, n - 1 for
/// an open one. An open course begins at standstill and has a free end; for other ends, use
/// [`SpeedSolver`] with [`Course::Open`].
///
/// # Errors
/// [`SpeedError`] when the lengths of the two slices do not match, a number is not finite, a step
/// is not positive, or the vehicle is invalid.
pub fn profile(
    curvature: &[f64],
    step_lengths: &[f64],
    closed: bool,
    vehicle: &Vehicle,
) -> Result<SpeedProfile, SpeedError> {
    let course = if closed { Course::Closed } else { Course::FROM_STANDSTILL };
    SpeedSolver::new(vehicle, course)?.profile(curvature, step_lengths, None)
}

/// Computes speed profiles of one vehicle on one kind of course. It owns its working memory: after
/// the first line of a length, [`Self::lap_time`] does not allocate. Clone it for each thread.
///
/// ```
/// use raceline_car::preset;
/// use raceline_solve::speed::{Course, SpeedSolver};
///
/// // A circle of radius 30 m, in 60 steps: the speed is the same everywhere.
/// let vehicle = preset("kart")?;
/// let mut solver = SpeedSolver::new(&vehicle, Course::Closed)?;
/// let step_m = std::f64::consts::TAU * 30.0 / 60.0;
/// let profile = solver.profile(&[1.0 / 30.0; 60], &[step_m; 60], None)?;
/// let expected_mps = (30.0 * vehicle.lateral_limit_mps2).sqrt();
/// assert!(profile.speed_mps.iter().all(|speed| (speed / expected_mps - 1.0).abs() < 0.01));
/// assert!((solver.lap_time(&[1.0 / 30.0; 60], &[step_m; 60], None) - profile.lap_time_s).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SpeedSolver {
    diagram: GgDiagram,
    course: Course,
    /// Highest w anywhere, m²/s²: maximum speed, and on a closed course the terminal speed.
    ceiling: f64,
    /// w = v² at each point, m²/s².
    speed_squared: Vec<f64>,
    /// v at each point, m/s, for the sum of the step times.
    speed: Vec<f64>,
    /// Upper bound on w at each point, m²/s²; empty without one.
    caps_squared: Vec<f64>,
}

impl SpeedSolver {
    /// Compiles `vehicle` for `course`.
    ///
    /// [`SpeedError`] for an invalid vehicle or an invalid speed at an end.
    /// An invalid vehicle or start speed.
    pub fn new(vehicle: &Vehicle, course: Course) -> Result<Self, SpeedError> {
        let diagram = GgDiagram::new(vehicle)?;
        let ceiling = match course {
            Course::Closed => diagram.terminal_speed_squared(),
            Course::Open { start_speed_mps, end_speed_mps } => {
                for (place, speed) in [("start", start_speed_mps), ("end", end_speed_mps)] {
                    if let Some(value) = speed.filter(|speed| !(speed.is_finite() && *speed >= 0.0)) {
                        return Err(SpeedError::EndSpeed { place, value });
                    }
                }
                diagram.max_speed_squared()
            }
        };
        Ok(Self { diagram, course, ceiling, speed_squared: Vec::new(), speed: Vec::new(), caps_squared: Vec::new() })
    }

    /// The solver for lines with these maximum speeds at their points, m/s; infinite where there is
    /// none.
    ///
    /// # Errors
    /// [`SpeedError::Cap`] for a speed that is not positive.
    pub fn with_caps(mut self, caps_mps: Option<&[f64]>) -> Result<Self, SpeedError> {
        let caps_mps = caps_mps.unwrap_or_default();
        if let Some(index) = caps_mps.iter().position(|&cap| cap.is_nan() || cap <= 0.0) {
            return Err(SpeedError::Cap { index, value: caps_mps[index] });
        }
        self.caps_squared = caps_mps.iter().map(|cap| (cap * cap).max(FLOOR)).collect();
        Ok(self)
    }

    /// Time of the course, s, for a line specified as for [`Self::profile`]. It is for hot loops
    /// that compare lines and returns no error: the time is infinite for a line that
    /// [`Self::profile`] rejects.
    pub fn lap_time(&mut self, curvature: &[f64], step_lengths: &[f64], grip: Option<&[f64]>) -> f64 {
        if self.check(curvature, step_lengths, grip).is_err() {
            return f64::INFINITY;
        }
        self.solve(curvature, step_lengths, grip);
        self.speed.clear();
        self.speed.extend(self.speed_squared.iter().map(|w| w.sqrt()));
        total_time(&self.speed, step_lengths)
    }

    /// The speed profile of a line specified as for [`super::profile`]. `grip` contains a positive
    /// factor on both tyre limits for each point; `None` is a factor of 1 everywhere.
    ///
    /// # Errors
    /// As for [`super::profile`]; [`SpeedError::GripCount`] for a wrong number of factors and
    /// [`SpeedError::Grip`] for factors that are not finite or not positive.
    pub fn profile(
        &mut self,
        curvature: &[f64],
        step_lengths: &[f64],
        grip: Option<&[f64]>,
    ) -> Result<SpeedProfile, SpeedError> {
        self.check(curvature, step_lengths, grip)?;
        let ended = self.solve(curvature, step_lengths, grip);
        Ok(self.solved(step_lengths, ended))
    }

    /// The speed profile of a body for which turning costs something.
    ///
    /// # Errors
    /// As for [`Self::profile`].
    pub(super) fn turning_profile(
        &mut self,
        curvature: &[f64],
        step_lengths: &[f64],
        grip: Option<&[f64]>,
        turning: &Turning,
    ) -> Result<SpeedProfile, SpeedError> {
        self.check(curvature, step_lengths, grip)?;
        let even = vec![1.0; if grip.is_some() { 0 } else { curvature.len() }];
        let grip = grip.unwrap_or(&even);
        let mut road = TurningLine::new(curvature, step_lengths, grip, turning);
        let leaning = Leaning::new(curvature, step_lengths, turning);
        if let Some(leaning) = &leaning {
            road.ceiling = leaning.ceilings(&self.diagram, grip);
        }
        let mut ended = self.solve_burdened(&road, grip, step_lengths);
        for _ in 0..LEANING_ROUNDS {
            if !leaning.as_ref().is_some_and(|leaning| leaning.lower(&self.speed_squared, &mut road.ceiling)) {
                break;
            }
            ended = self.solve_burdened(&road, grip, step_lengths);
        }
        Ok(self.solved(step_lengths, ended))
    }

    /// The speed profile on a road in three dimensions; `step_lengths` are those in the plane.
    ///
    /// # Errors
    /// As for [`Self::profile`].
    pub(crate) fn spatial_profile(
        &mut self,
        curvature: &[f64],
        step_lengths: &[f64],
        grip: Option<&[f64]>,
        turning: &Turning,
        grounds: &[Ground],
    ) -> Result<SpeedProfile, SpeedError> {
        self.check(curvature, step_lengths, grip)?;
        let (steps, ended) = self.solve_spatial(curvature, step_lengths, grip, turning, grounds);
        Ok(self.solved(&steps, ended))
    }

    /// Time of the course, s, on a road in three dimensions; infinite for a line that
    /// [`Self::profile`] rejects.
    pub(crate) fn spatial_lap_time(
        &mut self,
        curvature: &[f64],
        step_lengths: &[f64],
        grip: Option<&[f64]>,
        turning: &Turning,
        grounds: &[Ground],
    ) -> f64 {
        if self.check(curvature, step_lengths, grip).is_err() {
            return f64::INFINITY;
        }
        let (steps, _) = self.solve_spatial(curvature, step_lengths, grip, turning, grounds);
        self.speed.clear();
        self.speed.extend(self.speed_squared.iter().map(|w| w.sqrt()));
        total_time(&self.speed, &steps)
    }

    /// Computes the profile, and returns the lengths of the steps in space, m.
    fn solve_spatial(
        &mut self,
        curvature: &[f64],
        step_lengths: &[f64],
        grip: Option<&[f64]>,
        turning: &Turning,
        grounds: &[Ground],
    ) -> (Vec<f64>, (Status, usize)) {
        let n = curvature.len();
        let even = vec![1.0; if grip.is_some() { 0 } else { n }];
        let steps: Vec<f64> = (step_lengths.iter().enumerate())
            .map(|(i, step)| step * 0.5 * (grounds[i].stretch + grounds[(i + 1) % n].stretch))
            .collect();
        let geodesic: Vec<f64> = curvature.iter().zip(grounds).map(|(&kappa, ground)| ground.geodesic(kappa)).collect();
        let leaning = Leaning::new(&geodesic, &steps, turning);
        let (axles, mut ceilings) = TurningLine::axles(geodesic, &steps, turning);
        if let Some(leaning) = &leaning {
            ceilings = leaning.ceilings(&self.diagram, grip.unwrap_or(&even));
        }
        let mut passes = SpatialPasses {
            diagram: &self.diagram,
            axles,
            ceilings,
            turning: *turning,
            step_lengths: steps,
            grip: grip.unwrap_or(&even),
            grounds,
        };
        // Downhill a vehicle is faster than its terminal speed on a level road.
        let mut speed_squared = std::mem::take(&mut self.speed_squared);
        let highest = self.diagram.max_speed_squared();
        let mut ended = self.run(&mut passes, highest, &mut speed_squared);
        for _ in 0..LEANING_ROUNDS {
            if !leaning.as_ref().is_some_and(|leaning| leaning.lower(&speed_squared, &mut passes.ceilings)) {
                break;
            }
            ended = self.run(&mut passes, highest, &mut speed_squared);
        }
        let steps = std::mem::take(&mut passes.step_lengths);
        self.speed_squared = speed_squared;
        (steps, ended)
    }

    /// The profile of the speeds that were computed last.
    fn solved(&self, step_lengths: &[f64], (status, passes): (Status, usize)) -> SpeedProfile {
        let n = self.speed_squared.len();
        let speed_mps: Vec<f64> = self.speed_squared.iter().map(|w| w.sqrt()).collect();
        let mut accel_mps2 = Vec::with_capacity(n);
        let mut time_s = Vec::with_capacity(n);
        let mut time = 0.0;
        for (i, &step) in step_lengths.iter().enumerate() {
            let next = (i + 1) % n;
            time_s.push(time);
            accel_mps2.push((self.speed_squared[next] - self.speed_squared[i]) / (2.0 * step));
            time += 2.0 * step / (speed_mps[i] + speed_mps[next]);
        }
        // The same sum as in hot loops, to the last bit; the last entry of `time` differs from it
        // by rounding.
        let lap_time_s = total_time(&speed_mps, step_lengths);
        if step_lengths.len() < n {
            time_s.push(lap_time_s);
            accel_mps2.extend(accel_mps2.last().copied());
        }
        SpeedProfile { speed_mps, accel_mps2, time_s, lap_time_s, status, passes }
    }

    fn step_count(&self, points: usize) -> usize {
        match self.course {
            Course::Closed => points,
            Course::Open { .. } => points - 1,
        }
    }

    fn check(&self, curvature: &[f64], step_lengths: &[f64], grip: Option<&[f64]>) -> Result<(), SpeedError> {
        let points = curvature.len();
        if points < 2 {
            return Err(SpeedError::TooFewPoints { points });
        }
        let expected = self.step_count(points);
        if step_lengths.len() != expected {
            return Err(SpeedError::StepCount { points, steps: step_lengths.len(), expected });
        }
        let is_positive = |value: f64| value.is_finite() && value > 0.0;
        // Checked in one expression first, which compiles to a loop without branches.
        if !step_lengths.iter().fold(true, |all, &step| all & is_positive(step))
            && let Some(index) = step_lengths.iter().position(|&step| !is_positive(step))
        {
            return Err(SpeedError::Step { index, value: step_lengths[index] });
        }
        if !curvature.iter().fold(true, |all, kappa| all & kappa.is_finite())
            && let Some(index) = curvature.iter().position(|kappa| !kappa.is_finite())
        {
            return Err(SpeedError::Curvature { index, value: curvature[index] });
        }
        let caps = self.caps_squared.len();
        if caps != 0 && caps != points {
            return Err(SpeedError::CapCount { points, caps });
        }
        let Some(grip) = grip else { return Ok(()) };
        if grip.len() != points {
            return Err(SpeedError::GripCount { points, factors: grip.len() });
        }
        match grip.iter().position(|&factor| !is_positive(factor)) {
            Some(index) => Err(SpeedError::Grip { index, value: grip[index] }),
            None => Ok(()),
        }
    }

    /// Computes the greatest profile that satisfies all three relations in the module's
    /// documentation.
    fn solve(&mut self, curvature: &[f64], step_lengths: &[f64], grip: Option<&[f64]>) -> (Status, usize) {
        // Moved out of the solver so that the passes can borrow the rest; moved back below.
        let mut speed_squared = std::mem::take(&mut self.speed_squared);
        let speeds = &mut speed_squared;
        // Instances of the same passes, each without the features that it does not need.
        let (diagram, free) = (&self.diagram, NoBurden);
        let any = || AnyTyres::both(diagram);
        let result = match (PlainTyres::of(diagram), grip) {
            (Some(tyres), None) => self.solve_with([tyres; 2], EvenGrip, free, curvature, step_lengths, speeds),
            (Some(tyres), Some(grip)) => self.solve_with([tyres; 2], grip, free, curvature, step_lengths, speeds),
            (None, None) => self.solve_with(any(), EvenGrip, free, curvature, step_lengths, speeds),
            (None, Some(grip)) => self.solve_with(any(), grip, free, curvature, step_lengths, speeds),
        };
        self.speed_squared = speed_squared;
        result
    }

    /// Solves with what turning costs.
    fn solve_burdened(&mut self, road: &TurningLine, grip: &[f64], step_lengths: &[f64]) -> (Status, usize) {
        let mut speed_squared = std::mem::take(&mut self.speed_squared);
        let burden = PointBurden { slip_drag: &road.slip_drag, ceiling: &road.ceiling };
        let (diagram, speeds) = (&self.diagram, &mut speed_squared);
        let result = match PlainTyres::of(diagram) {
            Some(tyres) => self.solve_with([tyres; 2], grip, burden, &road.curvature, step_lengths, speeds),
            None => self.solve_with(AnyTyres::both(diagram), grip, burden, &road.curvature, step_lengths, speeds),
        };
        self.speed_squared = speed_squared;
        result
    }

    fn solve_with<T: Tyres, G: Grip, B: Burden>(
        &self,
        [tyres, driving]: [T; 2],
        grip: G,
        burden: B,
        curvature: &[f64],
        step_lengths: &[f64],
        speed_squared: &mut Vec<f64>,
    ) -> (Status, usize) {
        let drive = DriveStep::new(self.diagram.drive());
        let mut passes =
            Passes { diagram: &self.diagram, tyres, driving, drive, curvature, step_lengths, grip, burden };
        self.run(&mut passes, self.ceiling, speed_squared)
    }

    /// Rounds of passes until the profile has converged.
    fn run(&self, passes: &mut impl CoursePasses, ceiling: f64, speed_squared: &mut Vec<f64>) -> (Status, usize) {
        passes.limit_by_cornering(ceiling, speed_squared);
        for (w, cap) in speed_squared.iter_mut().zip(&self.caps_squared) {
            *w = w.min(*cap);
        }
        let begin = match self.course {
            Course::Closed => slowest(speed_squared),
            Course::Open { start_speed_mps, end_speed_mps } => {
                let last = speed_squared.len() - 1;
                for (end, speed) in [(0, start_speed_mps), (last, end_speed_mps)] {
                    if let Some(speed) = speed {
                        speed_squared[end] = speed_squared[end].min((speed * speed).max(FLOOR));
                    }
                }
                0
            }
        };
        for pass in 1..=MAX_PASSES {
            let before = speed_squared[begin];
            // The passes never raise a point, so after the first round an unchanged point ends the
            // pass.
            passes.limit_by_driving(begin, pass > 1, speed_squared);
            passes.limit_by_braking(begin, pass > 1, speed_squared);
            // After the backward pass all relations hold except, on a closed course, those past
            // `begin`.
            let settled = before - speed_squared[begin] <= TOLERANCE * before;
            if settled || self.course != Course::Closed {
                return (Status::Converged, pass);
            }
        }
        (Status::PassLimit, MAX_PASSES)
    }
}

/// Sum of the step times. The last step leads back to the first point if there are as many steps as
/// points. Four partial sums avoid a chain of dependent additions.
fn total_time(speed: &[f64], step_lengths: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let next = &speed[1..];
    let inner = next.len();
    let quadruples = inner / 4 * 4;
    let rows = step_lengths[..quadruples].chunks_exact(4).zip(speed.chunks_exact(4)).zip(next.chunks_exact(4));
    for ((steps, from), to) in rows {
        for (k, sum) in sums.iter_mut().enumerate() {
            *sum += steps[k] / (from[k] + to[k]);
        }
    }
    let mut sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for i in quadruples..step_lengths.len() {
        let to = if i < inner { next[i] } else { speed[0] };
        sum += step_lengths[i] / (speed[i] + to);
    }
    2.0 * sum
}

/// The slowest point. Among equals it is one with a faster point before it, the entry of a corner:
/// there the profile touches the limit, whereas within an arc drag may keep it below.
fn slowest(speed_squared: &[f64]) -> usize {
    let lowest = speed_squared.iter().fold(f64::INFINITY, |low, &w| if w < low { w } else { low });
    let is_entry = |pair: &[f64]| pair[0] > lowest && pair[1] == lowest;
    let entry = speed_squared.windows(2).position(is_entry).map(|before| before + 1);
    entry.or_else(|| speed_squared.iter().position(|&w| w == lowest)).unwrap_or(0)
}

#[cfg(test)]
mod tests;
