//! A line as the speed profile sees it, to be driven by one vehicle after another.

use super::{Course, SpeedError, SpeedProfile, SpeedSolver};
use crate::vehicle::Vehicle;

/// Curvature, steps, ends and grip of a line.
#[derive(Clone, Copy, Debug)]
pub struct FixedLine<'a> {
    /// Curvature at each of n points, 1/m, of either sign.
    pub curvature: &'a [f64],
    /// Length from each point to the next, m: n of a closed line, n - 1 of an open one.
    pub step_lengths: &'a [f64],
    /// Closed, or the speeds at the ends.
    pub course: Course,
    /// Factor on both tyre limits at each point; `None` where it is 1 everywhere.
    pub grip: Option<&'a [f64]>,
}

impl FixedLine<'_> {
    /// The speed profile of `vehicle`.
    ///
    /// # Errors
    /// Those of [`SpeedSolver`].
    pub fn profile(&self, vehicle: &Vehicle) -> Result<SpeedProfile, SpeedError> {
        SpeedSolver::new(vehicle, self.course)?.profile(self.curvature, self.step_lengths, self.grip)
    }

    /// The lap time of `vehicle`, s; infinite for a line that can't be driven.
    ///
    /// # Errors
    /// An invalid vehicle.
    pub fn lap_time(&self, vehicle: &Vehicle) -> Result<f64, SpeedError> {
        let mut solver = SpeedSolver::new(vehicle, self.course)?;
        Ok(solver.lap_time(self.curvature, self.step_lengths, self.grip))
    }
}
