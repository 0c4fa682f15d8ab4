//! A line as it is driven: evenly spaced points of its spline with curvature and speed profile.

use super::{Course, SpeedError, SpeedProfile, SpeedSolver};
use crate::geometry::{CurvePoint, Point, SplineCurve};
use crate::vehicle::Vehicle;

/// A line with everything that a file says about it, apart from the edges.
#[derive(Clone, Debug)]
pub struct DrivenLine {
    /// Points of the line with their derivatives by arc length, evenly spaced.
    pub points: Vec<CurvePoint>,
    /// Signed curvature at each point, 1/m, positive to the left.
    pub curvature: Vec<f64>,
    /// Distance along the line from one point to the next, m.
    pub step_m: f64,
    /// Length of the line, m, the closing of the loop included.
    pub length_m: f64,
    /// The fastest that the vehicle can drive it.
    pub profile: SpeedProfile,
}

impl DrivenLine {
    /// Drives `vehicle` along the cubic spline through `points`, re-sampled about every `spacing` metres.
    ///
    /// # Errors
    /// [`SpeedError::TooFewPoints`] when no spline passes through the points, and those of [`SpeedSolver`].
    pub fn new(points: &[Point], closed: bool, spacing: f64, vehicle: &Vehicle) -> Result<Self, SpeedError> {
        let curve = SplineCurve::through(points, closed).ok_or(SpeedError::TooFewPoints { points: points.len() })?;
        let gaps = ((curve.length() / spacing).round() as usize).max(3);
        let step_m = curve.length() / gaps as f64;
        let points = curve.evenly(if closed { gaps } else { gaps + 1 });
        let curvature: Vec<f64> = points.iter().map(CurvePoint::curvature).collect();
        let course = if closed { Course::Closed } else { Course::Open { start_speed_mps: 0.0 } };
        let profile = SpeedSolver::new(vehicle, course)?.profile(&curvature, &vec![step_m; gaps])?;
        Ok(Self { points, curvature, step_m, length_m: curve.length(), profile })
    }

    /// Time of the lap, s.
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
}
