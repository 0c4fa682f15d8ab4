//! What the vehicles of a drive have in common: the line, the simulated vehicle, the frames.

use raceline_vehicle_simulation::{BicycleState, Controls};

use super::error::DriveError;
use super::patches::Patches;
use super::reference_line::ReferenceLine;
use super::simulation::{Bicycles, SimulatedGrip};
use crate::file::RacingLine;
use crate::vehicle::Vehicle;

/// The division of time, in numbers that are checked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frames {
    /// Frames per second, Hz.
    pub(super) rate_hz: f64,
    /// Longest step of the integration, s.
    pub(super) time_step_s: f64,
    /// From a command to its effect, s.
    pub(super) actuation_delay_s: f64,
}

/// The line, the simulated vehicle on every stretch of it, and the division of time.
#[derive(Debug)]
pub(super) struct Course {
    pub(super) reference: ReferenceLine,
    bicycles: Bicycles,
    patches: Option<Patches>,
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
    /// [`DriveError`] for a vehicle or a line that cannot be used.
    pub(super) fn new(
        line: &RacingLine,
        vehicle: &Vehicle,
        grip: &[SimulatedGrip],
        &Frames { rate_hz, time_step_s, actuation_delay_s }: &Frames,
    ) -> Result<Self, DriveError> {
        let frame_s = rate_hz.recip();
        let bicycles = Bicycles::new(vehicle, grip)?;
        let patches = Patches::of(line, bicycles.at(0.0))?;
        let reference = match &patches {
            Some(patches) if patches.is_over_surface() => ReferenceLine::new(line)?.without(patches),
            // Stretches and patches are all the grip that its points have.
            Some(_) => ReferenceLine::without_grip(line)?,
            None => ReferenceLine::new(line)?,
        };
        Ok(Self {
            bicycles,
            patches,
            reference,
            frame_s,
            actuation_delay_s,
            steps: (frame_s / time_step_s).ceil().max(1.0) as u32,
        })
    }

    /// Moves a vehicle at the distance `s` along the line, m, on for one frame, under the controls at each time of it.
    /// `side_mps2` is an acceleration of the body to its left beside that of its tyres and of gravity, m/s².
    pub(super) fn advance(
        &self,
        state: &mut BicycleState,
        s: f64,
        side_mps2: f64,
        mut acting: impl FnMut(f64) -> Controls,
    ) {
        let step_s = self.frame_s / f64::from(self.steps);
        let (bicycle, mut surface) = (self.bicycles.at(s), self.reference.surface(s));
        surface.across_mps2 += side_mps2;
        for step in 0..self.steps {
            if let Some(patches) = &self.patches {
                surface.axle_grip = patches.below(state);
            }
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
