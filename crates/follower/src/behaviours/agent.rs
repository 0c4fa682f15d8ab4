//! The agent that behaviours steer, and how it moves.

use super::vector::{Vector, add, dot, finite, length, scale, subtract, truncated};
use crate::bodies::Body;
use crate::options::SMALLEST;
use crate::pure_pursuit::bicycle_steering;
use crate::vehicle::{VehicleGeometry, VehicleState};
use raceline_numerics::math;

/// Speed below which an agent's heading is kept, m/s.
const TURNS_MPS: f64 = 1e-3;
/// Speed for which a standing car's curvature is computed, m/s.
const SLOWEST_MPS: f64 = 2.0;

/// A point in the plane that behaviours push.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agent {
    /// Position, velocity and radius; default at the origin, at rest, radius 0.5 m.
    pub body: Body,
    /// Direction, radians counter-clockwise from +x: that of the velocity, kept while it stands;
    /// default 0.
    pub heading_rad: f64,
    /// Largest speed, m/s, above 0; default 10.
    pub max_speed_mps: f64,
    /// Largest acceleration in any direction, m/s², above 0; default 6.
    pub max_acceleration_mps2: f64,
    /// Time in which a wanted change of velocity is made, seconds, above 0; default 0.5.
    pub response_s: f64,
}

impl Default for Agent {
    fn default() -> Self {
        Self {
            body: Body { radius_m: 0.5, ..Body::default() },
            heading_rad: 0.0,
            max_speed_mps: 10.0,
            max_acceleration_mps2: 6.0,
            response_s: 0.5,
        }
    }
}

impl Agent {
    /// The acceleration, m/s², towards a velocity, m/s: (wanted - velocity) / `response_s`, at most
    /// `max_acceleration_mps2`. It is Reynolds' steering force (section "Seek").
    #[must_use]
    pub fn towards_velocity(&self, wanted_mps: [f64; 2]) -> [f64; 2] {
        let change = subtract(wanted_mps, self.body.velocity_mps);
        self.limited(scale(change, 1.0 / self.response_s.max(SMALLEST)))
    }

    /// `acceleration_mps2`, at most `max_acceleration_mps2` long.
    #[must_use]
    pub fn limited(&self, acceleration_mps2: [f64; 2]) -> [f64; 2] {
        truncated(finite(acceleration_mps2), self.max_acceleration_mps2)
    }

    /// The unit vector of its direction.
    #[must_use]
    pub fn forward(&self) -> [f64; 2] {
        let (sin, cos) = math::sin_cos(self.heading_rad);
        finite([cos, sin])
    }

    /// Moves the agent for `dt_s` seconds, 0 or more: Reynolds' simple vehicle model, first the
    /// velocity, then with it the position.
    pub fn advance(&mut self, acceleration_mps2: [f64; 2], dt_s: f64) {
        let change = scale(self.limited(acceleration_mps2), dt_s);
        self.body.velocity_mps = truncated(add(self.body.velocity_mps, change), self.max_speed_mps);
        self.body.position_m = add(self.body.position_m, scale(self.body.velocity_mps, dt_s));
        let [x, y] = self.body.velocity_mps;
        if dot([x, y], [x, y]) > TURNS_MPS * TURNS_MPS {
            self.heading_rad = math::atan2(y, x);
        }
    }

    pub(super) fn speed(&self) -> f64 {
        length(self.body.velocity_mps)
    }

    /// The vector to a point.
    pub(super) fn to(&self, point: Vector) -> Vector {
        subtract(point, self.body.position_m)
    }
}

/// Pedal and steering of a car.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CarControls {
    /// From -1, full brake, to 1, full throttle.
    pub pedal: f64,
    /// Angle of the front wheels, radians, positive to the left.
    pub steering_rad: f64,
}

/// An acceleration, m/s², for a vehicle with steered wheels: the part along it becomes the pedal,
/// with `full_mps2`, the accelerations of full throttle and full brake; the part across becomes the
/// curvature that has it at the present speed (section "Locomotion" of the paper).
#[must_use]
pub fn car_controls(
    acceleration_mps2: [f64; 2],
    state: &VehicleState,
    vehicle: &VehicleGeometry,
    full_mps2: [f64; 2],
) -> CarControls {
    let [x, y] = finite(acceleration_mps2);
    let (sin, cos) = math::sin_cos(state.heading_rad);
    let (along, across) = (x * cos + y * sin, y * cos - x * sin);
    let speed = state.speed_mps.abs().max(SLOWEST_MPS);
    let full = full_mps2[usize::from(along < 0.0)].max(SMALLEST);
    let steering = bicycle_steering(vehicle.wheelbase_m, across / (speed * speed));
    let bounded = |value: f64, limit: f64| if value.is_finite() { value.clamp(-limit, limit) } else { 0.0 };
    CarControls { pedal: bounded(along / full, 1.0), steering_rad: bounded(steering, vehicle.max_steering_rad.abs()) }
}
