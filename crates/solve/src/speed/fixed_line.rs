//! A line reduced to the input of a speed profile, to be driven by several vehicles.

use super::{Course, Ground, SpeedError, SpeedProfile, SpeedSolver, TurningCost};
use raceline_car::{Turning, Vehicle};

/// Curvature, steps, ends, grip and maximum speeds of a line.
///
/// ```
/// use raceline_car::preset;
/// use raceline_solve::speed::{Course, FixedLine, TurningCost};
///
/// let line = FixedLine {
///     curvature: &[0.02; 60],
///     step_lengths: &[5.0; 60],
///     course: Course::Closed,
///     grip: Some(&[0.7; 60]),
///     turning: TurningCost::Free,
///     grounds: None,
///     caps: None,
/// };
/// assert!(line.lap_time(&preset("gt")?)? < line.lap_time(&preset("robot-car")?)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FixedLine<'a> {
    /// Curvature at each of n points, 1/m, of either sign.
    pub curvature: &'a [f64],
    /// Length from each point to the next in the plane, m: n for a closed line, n - 1 for an open
    /// one.
    pub step_lengths: &'a [f64],
    /// The course: closed, or open with the speeds at its ends.
    pub course: Course,
    /// Factor on both tyre limits at each point; `None` where it is 1 everywhere.
    pub grip: Option<&'a [f64]>,
    /// Costs of turning.
    pub turning: TurningCost,
    /// The road under each point; `None` for a level road.
    pub grounds: Option<&'a [Ground]>,
    /// Maximum speed at each point, m/s; infinite where there is none.
    pub caps: Option<&'a [f64]>,
}

impl FixedLine<'_> {
    /// The speed profile of `vehicle`.
    ///
    /// # Errors
    /// The errors of [`SpeedSolver`].
    pub fn profile(&self, vehicle: &Vehicle) -> Result<SpeedProfile, SpeedError> {
        let mut solver = SpeedSolver::new(vehicle, self.course)?.with_caps(self.caps)?;
        if let Some(grounds) = self.grounds {
            let turning = self.turning.of(vehicle);
            return solver.spatial_profile(self.curvature, self.step_lengths, self.grip, &turning, grounds);
        }
        match self.turning(vehicle) {
            Some(turning) => self.turned(&mut solver, &turning),
            None => solver.profile(self.curvature, self.step_lengths, self.grip),
        }
    }

    /// The lap time of `vehicle`, s; infinite for a line that cannot be driven.
    ///
    /// # Errors
    /// The errors of [`Vehicle::validate`].
    pub fn lap_time(&self, vehicle: &Vehicle) -> Result<f64, SpeedError> {
        let mut solver = SpeedSolver::new(vehicle, self.course)?.with_caps(self.caps)?;
        if let Some(grounds) = self.grounds {
            let turning = self.turning.of(vehicle);
            return Ok(solver.spatial_lap_time(self.curvature, self.step_lengths, self.grip, &turning, grounds));
        }
        Ok(match self.turning(vehicle) {
            Some(turning) => self.turned(&mut solver, &turning).map_or(f64::INFINITY, |profile| profile.lap_time_s),
            None => solver.lap_time(self.curvature, self.step_lengths, self.grip),
        })
    }

    fn turned(&self, solver: &mut SpeedSolver, turning: &Turning) -> Result<SpeedProfile, SpeedError> {
        solver.turning_profile(self.curvature, self.step_lengths, self.grip, turning)
    }

    /// Costs of turning `vehicle`; `None` where it costs nothing.
    fn turning(&self, vehicle: &Vehicle) -> Option<Turning> {
        let turning = self.turning.of(vehicle);
        (!turning.is_free()).then_some(turning)
    }
}
