//! Stretches and patches of grip below a vehicle, wherever it drives.

use raceline_vehicle_simulation::{AccelerationLimits, Bicycle, BicycleState};

use super::error::DriveError;
use crate::file::RacingLine;
use crate::geometry::{Point, Vector};
use crate::pipeline::grip_of_options;
use crate::track::TrackGrip;

/// The parts of a road with another grip in a line's options, as the axles of a vehicle feel them. The
/// bicycle's wheels are in the middle of its axles.
#[derive(Clone, Debug)]
pub(super) struct Patches {
    grip: TrackGrip,
    /// From the centre of gravity forwards to the front and the rear axle, m.
    ahead_m: [f64; 2],
    /// Whether the road has a grip of its own, which every point of the line has, with the stretches and, at
    /// its place, the patches.
    is_over_surface: bool,
}

impl Patches {
    /// The parts in the options of a line; `None` without any.
    ///
    /// # Errors
    /// [`DriveError::Patches`] for a line whose edges make no road.
    pub fn of<L: AccelerationLimits>(line: &RacingLine, bicycle: &Bicycle<L>) -> Result<Option<Self>, DriveError> {
        let to_rear = bicycle.to_rear_m();
        let ahead_m = [bicycle.parameters().wheelbase_m - to_rear, -to_rear];
        let is_over_surface = line.points.iter().all(|point| point.grip.is_some());
        Ok(grip_of_options(line)?.map(|grip| Self { grip, ahead_m, is_over_surface }))
    }

    /// Whether every point of the line has the grip of a road with one of its own, and in it the patches.
    pub fn is_over_surface(&self) -> bool {
        self.is_over_surface
    }

    /// The factor of the patches at a place of the line, which the grip of its point has.
    pub fn at_point(&self, place: Point, along: Vector) -> f64 {
        let patches = self.grip.patches_across(place, along, &[0.0]);
        patches.and_then(|factors| factors.first().copied()).unwrap_or(1.0)
    }

    /// The factors of stretches and patches below the front and the rear axle.
    pub fn below(&self, state: &BicycleState) -> [f64; 2] {
        let (position, forward) = (Point::from(state.position_m()), Vector::from(state.forward()));
        if !self.is_over_surface {
            return self.ahead_m.map(|ahead| self.grip.at(position + forward * ahead));
        }
        let factors = self.grip.patches_across(position, forward, &self.ahead_m);
        factors.and_then(|factors| factors.try_into().ok()).unwrap_or([1.0; 2])
    }
}
