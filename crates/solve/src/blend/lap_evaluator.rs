//! Lap time of a mixture, without allocation: the function that the searches call thousands of
//! times.
//!
//! With the derivatives of the spline by its parameter, c the chord between two neighbouring points
//! and κ_a, κ_b their curvatures,
//!
//! ```text
//! κ = (x' y'' - y' x'') / (x'² + y'²)^1.5                                                    (1)
//! d = c (1 + c² (κ_a² + κ_a κ_b + κ_b²) / 72)                                                (2)
//! t = 2 d / (v_a + v_b)                                                                      (3)
//! ```
//!
//! are curvature, length and time of a step. In (2) an arc of curvature κ is longer than its chord
//! by c³ κ² / 24, with the mean of κ² where κ is linear between both points.

use std::sync::Arc;

use super::segments::Segments;
use crate::speed::{Ground, Lap, SpeedError, SpeedProfile, SpeedSolver};
use crate::{Corridor, SolveError};
use raceline_car::Turning;
use raceline_road::geometry::{CurvePoint, Point, SplineCurve, SplineKnots};
use raceline_road::track::CrossSection;

/// Simulates laps of mixtures of two parent lines. Clone it for each thread: clones refer to the
/// same parents and have their own working memory.
///
/// The line is the cubic spline through its points on the sections, with the knots of the
/// minimum-curvature line. Curvature does not depend on the parametrisation, so these knots are
/// factorised once for all mixtures.
///
/// ```
/// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// use raceline_car::preset;
/// use raceline_solve::blend::{LapEvaluator, Segments};
/// use raceline_solve::{Corridor, EdgeDistance, SolveOptions};
///
/// // On a ring, the inner bound and the middle do not cross: they are one segment.
/// let corridor = Corridor::new(&track, &EdgeDistance::new(&track), 1.5)?;
/// let segments = Segments::between(&corridor, &corridor.high, &corridor.middle(), &SolveOptions::default());
/// let mut laps = LapEvaluator::new(&corridor, &corridor.high, &corridor.middle(), &preset("kart")?)?;
/// let [middle_s, half_s, inside_s] = [0.0, 0.5, 1.0].map(|factor| laps.lap_time(&segments, &[factor]));
/// assert!(segments.count() == 1 && inside_s < half_s && half_s < middle_s);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LapEvaluator {
    parents: Arc<Parents>,
    solver: SpeedSolver,
    x: Vec<f64>,
    y: Vec<f64>,
    x_second: Vec<f64>,
    y_second: Vec<f64>,
    x_first: Vec<f64>,
    y_first: Vec<f64>,
    curvature: Vec<f64>,
    steps: Vec<f64>,
}

/// Points of both parents, one vector per coordinate.
#[derive(Debug)]
struct Parents {
    shortest: [Vec<f64>; 2],
    curved: [Vec<f64>; 2],
    knots: SplineKnots,
    /// Factor on both tyre limits on each section; `None` where it is 1 everywhere.
    grip: Option<Vec<f64>>,
    /// The road under the minimum-curvature line on each section; `None` for a level road.
    grounds: Option<Vec<Ground>>,
}

impl LapEvaluator {
    /// Prepares the mixtures of two lines through `corridor`.
    ///
    /// # Errors
    /// [`SolveError::Degenerate`] when two points of the minimum-curvature line coincide,
    /// [`SolveError::Speed`] for a vehicle that cannot be simulated.
    pub fn new<'a>(
        corridor: &Corridor,
        shortest: &[f64],
        curvature: &[f64],
        lap: impl Into<Lap<'a>>,
    ) -> Result<Self, SolveError> {
        let lap = lap.into();
        let n = corridor.len();
        let coordinates = |alpha: &[f64]| {
            let points = corridor.points(alpha);
            [points.iter().map(|p| p.x).collect(), points.iter().map(|p| p.y).collect()]
        };
        let lengths = corridor.step_lengths(&corridor.points(curvature));
        let knots = SplineKnots::new(lengths, corridor.closed).ok_or(SolveError::Degenerate)?;
        let middles: Vec<Point> = corridor.sections.iter().map(CrossSection::middle).collect();
        let grip = lap.grip.map(|grip| grip.along(&middles));
        let caps = lap.caps.map(|caps| caps.along(&middles));
        let steps = knots.intervals().to_vec();
        let grounds = lap.relief.map(|relief| {
            let curve = SplineCurve::on_knots(&corridor.points(curvature), knots.clone());
            let line: Vec<CurvePoint> = curve.positions()[..n].iter().map(|&s| curve.at(s)).collect();
            relief.along(&line)
        });
        Ok(Self {
            parents: Arc::new(Parents {
                shortest: coordinates(shortest),
                curved: coordinates(curvature),
                knots,
                grip,
                grounds,
            }),
            solver: SpeedSolver::new(lap.vehicle, lap.speeds.course(corridor.closed))?.with_caps(caps.as_deref())?,
            x: vec![0.0; n],
            y: vec![0.0; n],
            x_second: vec![0.0; n],
            y_second: vec![0.0; n],
            x_first: vec![0.0; n],
            y_first: vec![0.0; n],
            curvature: vec![0.0; n],
            steps,
        })
    }

    /// Lap time of the mixture with one factor per segment, s; infinite for a line that cannot be
    /// driven.
    pub fn lap_time(&mut self, segments: &Segments, genes: &[f64]) -> f64 {
        self.lay_line(segments, genes);
        let grip = self.parents.grip.as_deref();
        match &self.parents.grounds {
            Some(grounds) => {
                self.solver.spatial_lap_time(&self.curvature, &self.steps, grip, &Turning::default(), grounds)
            }
            None => self.solver.lap_time(&self.curvature, &self.steps, grip),
        }
    }

    fn profile(&mut self) -> Result<SpeedProfile, SpeedError> {
        let grip = self.parents.grip.as_deref();
        match &self.parents.grounds {
            Some(grounds) => {
                self.solver.spatial_profile(&self.curvature, &self.steps, grip, &Turning::default(), grounds)
            }
            None => self.solver.profile(&self.curvature, &self.steps, grip),
        }
    }

    /// Time in each segment for the mixture of the last [`Self::lap_time`], s; infinite for a line
    /// that cannot be driven.
    pub(super) fn segment_times(&mut self, segments: &Segments) -> Vec<f64> {
        let mut times = vec![0.0; segments.count()];
        let Ok(profile) = self.profile() else {
            times.fill(f64::INFINITY);
            return times;
        };
        let n = profile.speed_mps.len();
        for (i, &step) in self.steps.iter().enumerate() {
            // Equation (3).
            times[segments.segment_of(i)] += 2.0 * step / (profile.speed_mps[i] + profile.speed_mps[(i + 1) % n]);
        }
        times
    }

    /// Computes curvature and step lengths of a mixture.
    fn lay_line(&mut self, segments: &Segments, genes: &[f64]) {
        let parents = &*self.parents;
        let n = self.x.len();
        let [xs, ys] = &parents.shortest;
        let [xc, yc] = &parents.curved;
        for i in 0..n {
            let factor = segments.factor(genes, i);
            // Equation (1) of `blend`.
            self.x[i] = xc[i] + factor * (xs[i] - xc[i]);
            self.y[i] = yc[i] + factor * (ys[i] - yc[i]);
        }
        for (values, first, second) in
            [(&self.x, &mut self.x_first, &mut self.x_second), (&self.y, &mut self.y_first, &mut self.y_second)]
        {
            parents.knots.second_derivatives(values, second);
            parents.knots.first_derivatives(values, second, first);
        }
        for i in 0..n {
            let (dx, dy) = (self.x_first[i], self.y_first[i]);
            let speed_squared = dx * dx + dy * dy;
            let turning = dx * self.y_second[i] - dy * self.x_second[i];
            self.curvature[i] = turning / (speed_squared * speed_squared.sqrt()); // equation (1)
        }
        for i in 0..self.steps.len() {
            let j = if i + 1 == n { 0 } else { i + 1 };
            let (dx, dy) = (self.x[j] - self.x[i], self.y[j] - self.y[i]);
            let chord_squared = dx * dx + dy * dy;
            let (a, b) = (self.curvature[i], self.curvature[j]);
            // Equation (2).
            self.steps[i] = chord_squared.sqrt() * (1.0 + chord_squared * (a * a + a * b + b * b) / 72.0);
        }
    }
}
