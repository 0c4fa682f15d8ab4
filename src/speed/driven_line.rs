//! A driven line: the spline through its points, with curvature and speed profile at each.

use super::{Course, FixedLine, Lap, SpeedError, SpeedProfile};
use crate::geometry::{CurvePoint, Point, SplineCurve};

/// A line with all its data apart from the edges.
#[derive(Clone, Debug)]
pub struct DrivenLine {
    /// The points with their derivatives with respect to arc length.
    pub points: Vec<CurvePoint>,
    /// Distance along the line from the first point to each, m.
    pub distance_m: Vec<f64>,
    /// Signed curvature at each point, 1/m, positive to the left.
    pub curvature: Vec<f64>,
    /// Length of the line, m, including the closing step of a closed line.
    pub length_m: f64,
    /// Factor on both tyre limits at each point; `None` where it is 1 everywhere.
    pub grip: Option<Vec<f64>>,
    /// The fastest speed profile of the vehicle on the line.
    pub profile: SpeedProfile,
    course: Course,
    steps: Vec<f64>,
    curve: SplineCurve,
}

/// Number of positions between two neighbouring points in [`DrivenLine::between`].
const PLACES_PER_STEP: usize = 6;

impl DrivenLine {
    /// Simulates a vehicle along the cubic spline through `points`: `lap` is a
    /// [`Vehicle`](crate::vehicle::Vehicle), or a vehicle with speeds for the ends of an open line
    /// and with grip along the road.
    ///
    /// # Errors
    /// [`SpeedError::TooFewPoints`] when no spline passes through the points, and those of
    /// [`SpeedSolver`](super::SpeedSolver).
    pub fn through<'a>(points: &[Point], closed: bool, lap: impl Into<Lap<'a>>) -> Result<Self, SpeedError> {
        let lap = lap.into();
        let curve = SplineCurve::through(points, closed).ok_or(SpeedError::TooFewPoints { points: points.len() })?;
        let distance_m = curve.positions()[..points.len()].to_vec();
        let steps: Vec<f64> = curve.positions().windows(2).map(|pair| pair[1] - pair[0]).collect();
        let points: Vec<CurvePoint> = distance_m.iter().map(|&s| curve.at(s)).collect();
        let curvature: Vec<f64> = points.iter().map(CurvePoint::curvature).collect();
        let places = || points.iter().map(|point| point.position).collect::<Vec<Point>>();
        let grip = lap.grip.map(|grip| grip.along(&places()));
        let course = lap.speeds.course(closed);
        let fixed = FixedLine { curvature: &curvature, step_lengths: &steps, course, grip: grip.as_deref() };
        let profile = fixed.profile(lap.vehicle)?;
        Ok(Self { points, distance_m, curvature, length_m: curve.length(), grip, profile, course, steps, curve })
    }

    /// The same line for other vehicles, with the same grip and the same speeds at its ends.
    #[must_use]
    pub fn fixed(&self) -> FixedLine<'_> {
        FixedLine {
            curvature: &self.curvature,
            step_lengths: &self.steps,
            course: self.course,
            grip: self.grip.as_deref(),
        }
    }

    /// Lap time, s.
    #[must_use]
    pub fn lap_time_s(&self) -> f64 {
        self.profile.lap_time_s
    }

    /// Highest speed, m/s.
    pub fn top_speed_mps(&self) -> f64 {
        self.profile.speed_mps.iter().copied().fold(0.0, f64::max)
    }

    /// Lowest speed, m/s.
    pub fn lowest_speed_mps(&self) -> f64 {
        self.profile.speed_mps.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Samples of the curve at and between the points, dense enough to show the curve between them.
    pub fn between(&self) -> impl Iterator<Item = Point> + '_ {
        self.curve.evenly(PLACES_PER_STEP * self.points.len()).into_iter().map(|place| place.position)
    }
}
