//! The forward-backward passes, in a workspace that is reused from line to line.

use super::{SpeedError, SpeedProfile};
use crate::vehicle::{GgDiagram, Vehicle};

/// Lowest speed of a profile, m/s. Curvature without bound would stop the vehicle and the lap would never end; at this
/// speed such a point costs much time, as it should, and a lap time remains comparable.
pub const SPEED_FLOOR_MPS: f64 = 0.01;

/// A closed course has converged when a round of passes lowers its first point by less than this share.
const TOLERANCE: f64 = 1e-9;

/// Most rounds of passes. A lap with a corner takes one or two. Many are needed only where neither a corner nor the
/// maximum speed is ever reached and the drag is small, so that the speed settles over many laps.
const MAX_PASSES: usize = 200;

/// The trapezoidal rule counts as solved when a step of the iteration moves w by less than this share. The iteration
/// converges faster than linearly, so the error is some orders of magnitude smaller, and the next step would cost an
/// evaluation of the g-g diagram more.
const STEP_TOLERANCE: f64 = 1e-6;

/// Most steps of the iteration; it takes one where the acceleration changes little over the step, up to ten where the
/// friction ellipse is steep.
const MAX_REFINEMENTS: usize = 20;

/// Whether a course leads back to its first point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Course {
    /// A lap that repeats itself: the last step leads back to the first point.
    Closed,
    /// From the first point to the last, whose speed is free.
    Open {
        /// Speed at the first point, m/s; the profile begins slower where cornering or braking demands it.
        start_speed_mps: f64,
    },
}

/// How the search for a profile ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A further round of passes would change nothing by more than 1e-9 of w.
    Converged,
    /// The rounds of passes were used up; the profile is a little too fast.
    PassLimit,
}

/// Speed profiles of one vehicle on one kind of course. It owns its working memory: after the first line of a length,
/// [`Self::lap_time`] doesn't allocate. Clone it for each thread.
#[derive(Clone, Debug)]
pub struct SpeedSolver {
    diagram: GgDiagram,
    course: Course,
    /// Highest w anywhere, m²/s²: maximum speed, and on a closed course the terminal speed.
    ceiling: f64,
    /// w = v² at each point, m²/s².
    speed_squared: Vec<f64>,
}

impl SpeedSolver {
    /// Compiles `vehicle` for `course`.
    ///
    /// # Errors
    /// An invalid vehicle or start speed.
    pub fn new(vehicle: &Vehicle, course: Course) -> Result<Self, SpeedError> {
        let diagram = GgDiagram::new(vehicle)?;
        let ceiling = match course {
            Course::Closed => diagram.terminal_speed_squared(),
            Course::Open { start_speed_mps } if start_speed_mps.is_finite() && start_speed_mps >= 0.0 => {
                diagram.cornering_speed_squared(0.0)
            }
            Course::Open { start_speed_mps } => return Err(SpeedError::StartSpeed { value: start_speed_mps }),
        };
        Ok(Self { diagram, course, ceiling, speed_squared: Vec::new() })
    }

    /// Time of the course, s, for a line given as for [`super::profile`]. For hot loops that compare lines: there is no
    /// error, and a line that can't be driven (lengths that don't fit, a number that isn't finite, a step that isn't
    /// positive) takes infinitely long.
    pub fn lap_time(&mut self, curvature: &[f64], step_lengths: &[f64]) -> f64 {
        if self.check(curvature, step_lengths).is_err() {
            return f64::INFINITY;
        }
        self.solve(curvature, step_lengths);
        let mut time = 0.0;
        let mut speed = self.speed_squared[0].sqrt();
        let first_speed = speed;
        for (i, &step) in step_lengths.iter().enumerate() {
            let next_speed = self.speed_squared.get(i + 1).map_or(first_speed, |w| w.sqrt());
            time += 2.0 * step / (speed + next_speed);
            speed = next_speed;
        }
        time
    }

    /// The speed profile of a line given as for [`super::profile`].
    ///
    /// # Errors
    /// As for [`super::profile`].
    pub fn profile(&mut self, curvature: &[f64], step_lengths: &[f64]) -> Result<SpeedProfile, SpeedError> {
        self.check(curvature, step_lengths)?;
        let (status, passes) = self.solve(curvature, step_lengths);
        let n = curvature.len();
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
        if step_lengths.len() < n {
            time_s.push(time);
            accel_mps2.extend(accel_mps2.last().copied());
        }
        Ok(SpeedProfile { speed_mps, accel_mps2, time_s, lap_time_s: time, status, passes })
    }

    fn step_count(&self, points: usize) -> usize {
        match self.course {
            Course::Closed => points,
            Course::Open { .. } => points - 1,
        }
    }

    fn check(&self, curvature: &[f64], step_lengths: &[f64]) -> Result<(), SpeedError> {
        let points = curvature.len();
        if points < 2 {
            return Err(SpeedError::TooFewPoints { points });
        }
        let expected = self.step_count(points);
        if step_lengths.len() != expected {
            return Err(SpeedError::StepCount { points, steps: step_lengths.len(), expected });
        }
        if let Some(index) = step_lengths.iter().position(|step| !(step.is_finite() && *step > 0.0)) {
            return Err(SpeedError::Step { index, value: step_lengths[index] });
        }
        if let Some(index) = curvature.iter().position(|kappa| !kappa.is_finite()) {
            return Err(SpeedError::Curvature { index, value: curvature[index] });
        }
        Ok(())
    }

    /// Fills `speed_squared` with the greatest profile that keeps all three relations of the module's text.
    fn solve(&mut self, curvature: &[f64], step_lengths: &[f64]) -> (Status, usize) {
        let slowest = self.limit_by_cornering(curvature);
        let begin = match self.course {
            Course::Closed => slowest,
            Course::Open { start_speed_mps } => {
                let start = start_speed_mps.max(SPEED_FLOOR_MPS);
                self.speed_squared[0] = self.speed_squared[0].min(start * start);
                0
            }
        };
        for pass in 1..=MAX_PASSES {
            let before = self.speed_squared[begin];
            // The passes only ever lower a point, so after the first round a point that stands ends the pass.
            self.limit_by_driving(curvature, step_lengths, begin, pass > 1);
            self.limit_by_braking(curvature, step_lengths, begin, pass > 1);
            // Backwards after forwards leaves every relation in force but, on a closed course, those past `begin`.
            let settled = before - self.speed_squared[begin] <= TOLERANCE * before;
            if settled || self.course != Course::Closed {
                return (Status::Converged, pass);
            }
        }
        (Status::PassLimit, MAX_PASSES)
    }

    /// Sets each point to what cornering, maximum speed and terminal speed allow; returns the slowest. Among equals it is
    /// one that a faster point leads to, the entry of a corner: there the profile does touch the limit, while within an
    /// arc drag may keep it below.
    fn limit_by_cornering(&mut self, curvature: &[f64]) -> usize {
        let floor = SPEED_FLOOR_MPS * SPEED_FLOOR_MPS;
        let mut slowest = 0;
        let mut lowest = f64::INFINITY;
        let mut lowest_is_entry = false;
        let mut previous = f64::NEG_INFINITY;
        self.speed_squared.clear();
        for (i, kappa) in curvature.iter().enumerate() {
            let limit = self.diagram.cornering_speed_squared(kappa.abs()).min(self.ceiling).max(floor);
            self.speed_squared.push(limit);
            let is_entry = previous > limit;
            if limit < lowest || (limit == lowest && is_entry && !lowest_is_entry) {
                (slowest, lowest, lowest_is_entry) = (i, limit, is_entry);
            }
            previous = limit;
        }
        slowest
    }

    /// Goes forwards from `begin` and lowers what the vehicle can't reach by driving.
    fn limit_by_driving(&mut self, curvature: &[f64], step_lengths: &[f64], begin: usize, stop_where_settled: bool) {
        let n = curvature.len();
        let diagram = &self.diagram;
        let mut i = begin;
        let mut w = self.speed_squared[begin];
        // At point i, where the step before has left it.
        let mut known_slope: Option<Slope> = None;
        for _ in 0..step_lengths.len() {
            let next = if i + 1 == n { 0 } else { i + 1 };
            let (step, limit) = (step_lengths[i], self.speed_squared[next]);
            // Coasting alone reaches a limit this low; no need to see how fast driving would be.
            let reached = if limit <= w - 2.0 * step * diagram.resistance(w) {
                None
            } else {
                let slope = known_slope.unwrap_or_else(|| Slope::fresh(diagram.acceleration(w, curvature[i].abs())));
                trapezoid_step(w, slope, step, limit, |w| diagram.acceleration(w, curvature[next].abs()))
            };
            match reached {
                Some(end) => {
                    w = end.speed_squared;
                    known_slope = Some(end.slope);
                    self.speed_squared[next] = w;
                }
                None if stop_where_settled => return,
                None => (w, known_slope) = (limit, None),
            }
            i = next;
        }
    }

    /// Goes backwards from `begin` (an open course: from its end) and lowers what the vehicle can't brake down from.
    fn limit_by_braking(&mut self, curvature: &[f64], step_lengths: &[f64], begin: usize, stop_where_settled: bool) {
        let n = curvature.len();
        let diagram = &self.diagram;
        let mut i = if step_lengths.len() < n { n - 1 } else { begin };
        let mut w = self.speed_squared[i];
        let mut known_slope: Option<Slope> = None;
        for _ in 0..step_lengths.len() {
            let previous = if i == 0 { n - 1 } else { i - 1 };
            let (step, limit) = (step_lengths[previous], self.speed_squared[previous]);
            // Nothing to brake for.
            let allowed = if limit <= w {
                None
            } else {
                let slope = known_slope.unwrap_or_else(|| Slope::fresh(diagram.deceleration(w, curvature[i].abs())));
                trapezoid_step(w, slope, step, limit, |w| diagram.deceleration(w, curvature[previous].abs()))
            };
            match allowed {
                Some(end) => {
                    w = end.speed_squared;
                    known_slope = Some(end.slope);
                    self.speed_squared[previous] = w;
                }
                None if stop_where_settled => return,
                None => (w, known_slope) = (limit, None),
            }
            i = previous;
        }
    }
}

/// The acceleration at a point.
#[derive(Clone, Copy)]
struct Slope {
    /// a, m/s².
    acceleration: f64,
    /// How it changed over the step that led here, m/s² per m.
    rate: f64,
}

impl Slope {
    /// The slope where no step led to.
    fn fresh(acceleration: f64) -> Self {
        Self { acceleration, rate: 0.0 }
    }
}

/// Where a step ends.
#[derive(Clone, Copy)]
struct StepEnd {
    /// w', m²/s².
    speed_squared: f64,
    /// a' there; a of the next step.
    slope: Slope,
}

/// One step of length `step` of the trapezoidal rule for dw/ds = 2a, from `w`, where a is `slope`:
///
/// ```text
/// w' = w + step (a(w) + a'(w'))
/// ```
///
/// with a' = `slope_there` falling in its argument, so that there is one solution. A predictor, with a' extrapolated from
/// the step before, and its corrector enclose it, and the Illinois method finds it between them. `None` where w' is not
/// below `limit`, and then found out as early as can be.
#[inline]
fn trapezoid_step(w: f64, slope: Slope, step: f64, limit: f64, slope_there: impl Fn(f64) -> f64) -> Option<StepEnd> {
    let floor = SPEED_FLOOR_MPS * SPEED_FLOOR_MPS;
    let known = w + step * slope.acceleration;
    let iterate = |w: f64| known + step * slope_there(w);
    let end = |w: f64| {
        let speed_squared = w.max(floor);
        // By the rule itself, which spares an evaluation.
        let acceleration = (speed_squared - known) / step;
        let rate = (acceleration - slope.acceleration) / step;
        (speed_squared < limit).then_some(StepEnd { speed_squared, slope: Slope { acceleration, rate } })
    };
    let predictor = (known + step * (slope.acceleration + slope.rate * step)).max(floor);
    let corrector = iterate(predictor).max(floor);
    if corrector.min(predictor) >= limit {
        return None;
    }
    if (corrector - predictor).abs() <= STEP_TOLERANCE * corrector {
        return end(corrector);
    }
    // (w', residual) on either side of the solution; `new` is the latest.
    let mut old = (predictor, predictor - corrector);
    let mut new = (corrector, corrector - iterate(corrector));
    for _ in 0..MAX_REFINEMENTS {
        if new.1 == old.1 {
            break;
        }
        let w = new.0 - new.1 * (new.0 - old.0) / (new.1 - old.1);
        if (w - new.0).abs() <= STEP_TOLERANCE * w {
            return end(w);
        }
        let residual = w - iterate(w);
        // The Illinois method: an end that stays twice in a row counts half, or it would stay for ever.
        old = if residual * new.1 < 0.0 { new } else { (old.0, old.1 / 2.0) };
        new = (w, residual);
    }
    end(new.0)
}
