//! The vehicle model of the control at the limit: two axles with brush tyres inside the vehicle's
//! own limits.
//!
//! With the axles' distances a and b from the centre of gravity, L = a + b, the height h of the
//! centre of gravity, the acceleration a_x along and a_y across, and the vehicle's limits A_x, A_y:
//!
//! ```text
//! load        n_f = 1 - a_x h / (b g')       n_r = 1 + a_x h / (a g')       g' = g A_y(v) / A_y(0)
//! along       x_i = |a_x| share_i / (A_x weight_i n_i)
//! use         u_i = |a_y| / (A_y n_i (1 - x_i²)^½)
//! slip        α_i = α_peak (1 - (1 - u_i)^⅓)                                Fiala's brush tyre, inverted
//! ```
//!
//! A yaw acceleration r' adds k² r' / b to the front axle's a_y and takes k² r' / a from the rear
//! axle's (k² is the yaw inertia by the mass). The course is `β = b r / v - α_r` to the left of the
//! body, and the steering angle is `L r / v + α_f - α_r`.

use raceline_numerics::STANDARD_GRAVITY;

use crate::dynamics::VehicleDynamics;
use crate::vehicle::VehicleGeometry;

/// The vehicle in a frame: the dynamics of the path with estimates for what is missing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model<'a> {
    pub dynamics: &'a VehicleDynamics,
    /// Distances from the centre of gravity to the front and the rear axle, m.
    pub to_front: f64,
    pub to_rear: f64,
    pub wheelbase: f64,
}

/// Slip angles of a steady turn, rad, with the sign of the lateral acceleration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slip {
    pub front: f64,
    pub rear: f64,
}

/// A tyre is not planned beyond this fraction of its limit: the brush tyre's slip grows without
/// bound in effect there.
const MOST_USE: f64 = 0.97;
/// Least load of an axle as a fraction of its load at rest.
const LEAST_LOAD: f64 = 0.2;

impl<'a> Model<'a> {
    /// `dynamics` must be resolved.
    pub(crate) fn new(dynamics: &'a VehicleDynamics, geometry: &VehicleGeometry) -> Self {
        let wheelbase = geometry.wheelbase_m;
        let to_rear = dynamics.front_weight_fraction * wheelbase;
        Self { dynamics, to_front: wheelbase - to_rear, to_rear, wheelbase }
    }

    /// Loads of the axles as fractions of those at rest.
    fn loads(&self, along: f64, grip: f64) -> (f64, f64) {
        let gravity = STANDARD_GRAVITY * grip / self.dynamics.lateral_mps2.values[0];
        let transfer = along * self.dynamics.centre_of_gravity_m / gravity;
        ((1.0 - transfer / self.to_rear).max(LEAST_LOAD), (1.0 + transfer / self.to_front).max(LEAST_LOAD))
    }

    /// Slip angles for the accelerations `along` (of the tyres) and `across`, m/s², and the yaw
    /// acceleration `turning`, rad/s².
    pub(crate) fn slip(&self, speed: f64, along: f64, across: f64, turning: f64) -> Slip {
        let dynamics = self.dynamics;
        let grip = dynamics.lateral_mps2.at(speed);
        let (front_load, rear_load) = self.loads(along, grip);
        let at_front = if along < 0.0 { dynamics.front_brake_fraction } else { dynamics.front_drive_fraction };
        let most = dynamics.longitudinal_mps2.at(speed);
        let front_weight = dynamics.front_weight_fraction;
        let angle = |load: f64, share: f64, weight: f64, across: f64| {
            let x = (along * share / (most * weight * load)).abs().min(0.9);
            let used = (across / (grip * load * (1.0 - x * x).sqrt())).abs().min(MOST_USE);
            (dynamics.peak_slip_rad * (1.0 - (1.0 - used).cbrt())).copysign(across)
        };
        let turning = dynamics.gyration_m2 * turning;
        Slip {
            front: angle(front_load, at_front, front_weight, across + turning / self.to_rear),
            rear: angle(rear_load, 1.0 - at_front, 1.0 - front_weight, across - turning / self.to_front),
        }
    }

    /// Deceleration by drag and rolling, m/s².
    pub(crate) fn resistance(&self, speed: f64) -> f64 {
        self.dynamics.rolling_mps2 + self.dynamics.drag_radpm * speed * speed
    }

    /// The fraction of the lateral limit that the lateral acceleration `across` takes.
    pub(crate) fn used(&self, speed: f64, across: f64) -> f64 {
        (across.abs() / self.dynamics.lateral_mps2.at(speed)).min(1.0)
    }

    /// What the tyres have left along the road beside the fraction `used` of their lateral limit, m/s².
    pub(crate) fn left_beside(&self, speed: f64, used: f64) -> f64 {
        let used = used.min(1.0);
        let exponent = self.dynamics.ellipse_exponent;
        let left = if exponent == 2.0 {
            (1.0 - used * used).sqrt()
        } else {
            (1.0 - used.powf(exponent)).max(0.0).powf(exponent.recip())
        };
        self.dynamics.longitudinal_mps2.at(speed) * left
    }
}
