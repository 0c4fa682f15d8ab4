//! What the vehicles of a drive have in common: the line, the simulated vehicle, the frames.

use raceline_vehicle_simulation::{BicycleState, Controls};

use super::error::DriveError;
use super::options::DriveOptions;
use super::reference_line::ReferenceLine;
use super::simulation::{Bicycles, Simulation};
use crate::file::RacingLine;
use crate::vehicle::Vehicle;

/// The line, the simulated vehicle on every stretch of it, and the division of time.
#[derive(Debug)]
pub(super) struct Course {
    pub(super) reference: ReferenceLine,
    bicycles: Bicycles,
    /// Duration of a frame, s.
    pub(super) frame_s: f64,
    pub(super) actuation_delay_s: f64,
    /// Integration steps per frame.
    steps: u32,
}

impl Course {
    /// The course of a line for a vehicle.
    ///
    /// # Errors
    /// [`DriveError`] for an option, a vehicle or a line that cannot be used.
    pub(super) fn new(
        line: &RacingLine,
        vehicle: &Vehicle,
        options: &DriveOptions,
        simulation: &Simulation<'_>,
    ) -> Result<Self, DriveError> {
        options.validate()?;
        let frame_s = options.frame_rate_hz.recip();
        Ok(Self {
            bicycles: Bicycles::new(vehicle, simulation.grip)?,
            reference: ReferenceLine::new(line)?,
            frame_s,
            actuation_delay_s: options.actuation_delay_s,
            steps: (frame_s / options.time_step_s).ceil().max(1.0) as u32,
        })
    }

    /// Moves a vehicle at the distance `s` along the line, m, on for one frame, under the controls at each time of it.
    pub(super) fn advance(&self, state: &mut BicycleState, s: f64, mut acting: impl FnMut(f64) -> Controls) {
        let step_s = self.frame_s / f64::from(self.steps);
        let (bicycle, surface) = (self.bicycles.at(s), self.reference.surface(s));
        for step in 0..self.steps {
            bicycle.advance_on(&surface, state, &acting(f64::from(step) * step_s), step_s);
        }
    }

    /// The path from one distance along the line to another, m: on a closed line, the shorter one.
    pub(super) fn between(&self, from: f64, to: f64) -> f64 {
        let length = self.reference.length_m();
        let path = to - from;
        if self.reference.is_closed() { path - length * (path / length).round() } else { path }
    }
}
