//! The vehicle model of the control at the limit: two axles with brush tyres inside the vehicle's
//! own limits.
//!
//! With the axles' distances a and b from the centre of gravity, L = a + b, the height h of the
//! centre of gravity, the acceleration a_x along and a_y across, and the vehicle's limits A_x, A_y:
//!
//! ```text
//! load        n_f = 1 - a_x h / (b g')      n_r = 1 + a_x h / (a g')
//!             g' = g A_y(v) / A_y(0)                                                         (1)
//! along       x_i = |a_x| share_i / (A_x weight_i n_i)                                       (2)
//! across      y_i = |a_y| / (A_y n_i)                                                        (3)
//! slip        α_i = α(u_i) y_i / u_i          u_i = (x_i² + y_i²)^½                          (4)
//! drag        d = |a_y| (weight_f α_f + weight_r α_r)                                        (5)
//! ```
//!
//! By default α(u) = α_peak (1 - (1 - u)^⅓), Fiala's brush tyre. The slip of a tyre has the direction
//! of its force, and its size is that of a force across of the same size: Pacejka, *Tire and Vehicle
//! Dynamics* (3rd ed., 2012), section 3.2.3, for equal stiffness along and across.
//!
//! A yaw acceleration r' adds k² r' / b to the front axle's a_y and takes k² r' / a from the rear
//! axle's (k² is the yaw inertia by the mass). The rear axle's grip reserve is not counted on: a car that
//! lacks it would run wide. The course is `β = b r / v - α_r` to the left of the
//! body, and the steering angle is `L r / v + α_f - α_r`.

use raceline_numerics::{STANDARD_GRAVITY, TyreSlip, math};

use crate::vehicle::VehicleGeometry;
use raceline_car::{Handling, Superellipse, VehicleDynamics};

/// The vehicle in a frame: the dynamics of the path with estimates for what is missing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model<'a> {
    /// For the limits; the rest of it is in `handling`.
    pub dynamics: &'a VehicleDynamics,
    /// Factor of the road's surface on the tyres' limits.
    pub grip: f64,
    pub handling: Handling,
    /// Slip angle over use, and of the peak of the brush tyres that stand for these, rad.
    tyre_slip: TyreSlip,
    pub peak_slip: f64,
    /// Distances from the centre of gravity to the front and the rear axle, m.
    pub to_front: f64,
    pub to_rear: f64,
    pub wheelbase: f64,
    /// Width over all, m.
    pub width: f64,
}

/// What the tyres of an axle can give at a speed, and what they give along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Axle {
    /// Largest lateral acceleration beside none along, m/s²: A_y n of equation (3).
    pub lateral: f64,
    /// Fraction of the longitudinal limit that they give, 0 to `MAX_ALONG`: x of equation (2).
    pub along: f64,
}

/// Both axles at a speed and an acceleration along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Axles {
    pub front: Axle,
    pub rear: Axle,
}

/// Largest fraction of its limit, below 1, to which a tyre is planned: the brush tyre's slip grows
/// without bound in effect there. A smaller one drives bends more slowly, a larger one asks for
/// steering angles that the wheels do not reach in time.
const MAX_USE: f64 = 0.97;
/// Smallest load of an axle as a fraction of its load at rest.
const MIN_LOAD: f64 = 0.2;
/// Largest fraction of an axle's longitudinal limit that counts, below 1: at 1 nothing would be
/// left across, and a vehicle that brakes fully could not be steered. A smaller one expects more
/// from the axle than it gives.
const MAX_ALONG: f64 = 0.9;
/// Largest number of Newton's steps for the force at a slip; four are usual.
const MAX_STEPS: usize = 20;
/// Error of the use that ends them.
const USE_ERROR: f64 = 1e-9;

impl<'a> Model<'a> {
    pub(crate) fn new(dynamics: &'a VehicleDynamics, geometry: &VehicleGeometry, grip: f64) -> Self {
        let handling = dynamics.handling(geometry.wheelbase_m, geometry.rear_axle_m);
        let wheelbase = geometry.wheelbase_m;
        let to_rear = handling.front_weight_fraction * wheelbase;
        let peak_slip = handling.brush_peak_slip_rad;
        Self {
            dynamics,
            grip,
            handling,
            tyre_slip: handling.tyre_slip,
            peak_slip,
            to_front: wheelbase - to_rear,
            to_rear,
            wheelbase,
            width: geometry.width_m,
        }
    }

    /// The model on a surface of another grip.
    pub(crate) fn on(&self, grip: f64) -> Self {
        Self { grip, ..*self }
    }

    /// What the tyres can give across, m/s².
    pub(crate) fn lateral(&self, speed: f64) -> f64 {
        self.grip * self.dynamics.lateral_mps2.at(speed)
    }

    /// What the tyres can give along, m/s².
    pub(crate) fn longitudinal(&self, speed: f64) -> f64 {
        self.grip * self.dynamics.longitudinal_mps2.at(speed)
    }

    /// Time in which the yaw rate follows the steering angle, s: yaw inertia by the damping of the
    /// tyres, `k² v / (a b)` by their stiffness per mass, `A_y / s` with the slip s of a unit of use.
    pub(crate) fn yaw_response(&self, speed: f64) -> f64 {
        let stiffness = self.lateral(speed) / self.tyre_slip.slope_rad();
        self.handling.gyration_m2 * speed / (self.to_front * self.to_rear * stiffness)
    }

    /// Loads of the axles as fractions of those at rest, where the lateral limit of a surface of grip
    /// 1 is `level`.
    fn loads(&self, along: f64, level: f64) -> (f64, f64) {
        // Equation (1).
        let gravity = STANDARD_GRAVITY * level / self.dynamics.lateral_mps2.values[0];
        let transfer = along * self.handling.centre_of_gravity_m / gravity;
        ((1.0 - transfer / self.to_rear).max(MIN_LOAD), (1.0 + transfer / self.to_front).max(MIN_LOAD))
    }

    /// The axles where the tyres give the acceleration `along`, m/s².
    pub(crate) fn axles(&self, speed: f64, along: f64) -> Axles {
        let handling = &self.handling;
        let level = self.dynamics.lateral_mps2.at(speed);
        let (front_load, rear_load) = self.loads(along, level);
        let max_across = self.grip * level;
        let at_front = if along < 0.0 { handling.front_brake_fraction } else { handling.front_drive_fraction };
        let limit = self.longitudinal(speed);
        let front_weight = handling.front_weight_fraction;
        let across = |load: f64, fraction: f64, weight: f64| {
            let along = (along * fraction / (limit * weight * load)).abs().min(MAX_ALONG); // equation (2)
            Axle { lateral: max_across * load, along }
        };
        Axles {
            front: across(front_load, at_front, front_weight),
            rear: across(rear_load, 1.0 - at_front, 1.0 - front_weight),
        }
    }

    /// The slip angle at which an axle gives the lateral acceleration `across`, m/s², rad, with the
    /// sign of `across`.
    pub(crate) fn slip(&self, axle: Axle, across: f64) -> f64 {
        // The tyres of a vehicle that leans turn it by their camber.
        if self.dynamics.lean_rate_radps.is_some() {
            return 0.0;
        }
        let lateral = (across / axle.lateral).abs(); // equation (3)
        let used = (axle.along * axle.along + lateral * lateral).sqrt();
        // Equation (4).
        (self.slip_per_use(used.min(MAX_USE)).0 * lateral.min(MAX_USE)).copysign(across)
    }

    /// α(u) / u at a use below 1, and the slope dα/du, rad.
    fn slip_per_use(&self, used: f64) -> (f64, f64) {
        let root = cube_root(1.0 - used);
        let slope = self.tyre_slip.slope_with_cube_root(root);
        // The quotient of two small numbers has few digits, and its limit is the slope.
        let per_use = if used > 1e-6 { self.tyre_slip.with_cube_root(used, root) / used } else { slope };
        (per_use, slope)
    }

    /// The lateral acceleration that an axle gives at a slip angle, m/s², with the slip's sign: the
    /// inverse of [`Self::slip`] inside the ellipse.
    pub(crate) fn across_at(&self, axle: Axle, slip_rad: f64) -> f64 {
        // α(u) y / u is convex in y, so that Newton's method from above never passes the solution.
        let square_along = axle.along * axle.along;
        let mut lateral = (MAX_USE * MAX_USE - square_along).sqrt();
        for _ in 0..MAX_STEPS {
            let square = square_along + lateral * lateral;
            let (per_use, slope) = self.slip_per_use(square.sqrt().min(MAX_USE));
            let excess = per_use * lateral - slip_rad.abs();
            let step = excess / (per_use + (slope - per_use) * lateral * lateral / square);
            // Not a number where both are zero: nothing along, and no slip.
            if step.is_nan() || step <= USE_ERROR {
                break;
            }
            lateral -= step;
        }
        (axle.lateral * lateral).copysign(slip_rad)
    }

    /// The slip of the rear tyres at a velocity along and across the body and a yaw rate, rad.
    pub(crate) fn rear_slip(&self, [along, across, yaw_rate]: [f64; 3]) -> f64 {
        -math::atan2(across - self.to_rear * yaw_rate, along.max(1.0))
    }

    /// Lateral accelerations of the front and the rear tyres for that of the centre of gravity and
    /// the yaw acceleration `turning`, rad/s².
    pub(crate) fn at_axles(&self, across: f64, turning: f64) -> (f64, f64) {
        let turning = self.handling.gyration_m2 * turning;
        (across + turning / self.to_rear, across - turning / self.to_front)
    }

    /// Deceleration by drag and rolling, m/s².
    pub(crate) fn resistance(&self, speed: f64) -> f64 {
        self.dynamics.rolling_mps2 + self.dynamics.drag_radpm * speed * speed
    }

    /// How much of the tyres' slip is proportional to their force, 0 to 1.
    pub(crate) fn linear_fraction(&self) -> f64 {
        self.tyre_slip.linear_fraction()
    }

    /// Deceleration by the slip of the tyres that give the lateral acceleration `across`, m/s²: their
    /// forces point back by their slip angles.
    pub(crate) fn cornering_drag(&self, speed: f64, across: f64) -> f64 {
        let Axles { front, rear } = self.axles(speed, 0.0);
        let of_front = self.handling.front_weight_fraction;
        let slip = of_front * self.slip(front, across) + (1.0 - of_front) * self.slip(rear, across);
        across * slip // equation (5)
    }

    /// The fraction of the lateral limit that the lateral acceleration `across` takes.
    pub(crate) fn used(&self, speed: f64, across: f64) -> f64 {
        (across.abs() / self.lateral(speed)).min(1.0)
    }

    /// What the tyres can give across beside the deceleration `braking` by the brakes, m/s².
    pub(crate) fn lateral_beside(&self, speed: f64, braking: f64) -> f64 {
        let used = braking / self.longitudinal(speed);
        self.lateral(speed) * remaining(used, self.dynamics.ellipse_exponent)
    }

    /// What the tyres have left along the road beside the fraction `used` of their lateral limit, m/s².
    pub(crate) fn left_beside(&self, speed: f64, used: f64) -> f64 {
        self.longitudinal(speed) * remaining(used, self.dynamics.ellipse_exponent)
    }

    /// As [`Self::left_beside`], of the fraction `MAX_USE` of the tyres.
    pub(crate) fn left_in_reserve(&self, speed: f64, used: f64) -> f64 {
        MAX_USE * self.left_beside(speed, used / MAX_USE)
    }

    /// As [`Self::left_beside`], while driving: some vehicles have other limits then.
    pub(crate) fn left_for_driving(&self, speed: f64, used: f64) -> f64 {
        match &self.dynamics.driving {
            Some((limit, exponent)) => self.grip * limit.at(speed) * remaining(used, *exponent),
            None => self.left_beside(speed, used),
        }
    }
}

/// The fraction of a longitudinal limit that the friction ellipse of this exponent leaves beside the fraction
/// `used` of the lateral limit.
fn remaining(used: f64, exponent: f64) -> f64 {
    Superellipse::with_exponent(exponent).remaining(used.min(1.0))
}

/// A first estimate of the cube root has a third of the exponent; this adds two thirds of the
/// exponents' bias, less what makes the estimate's error smallest.
const CUBE_ROOT_BITS: u64 = 0x2a9f_7893_782d_a1ce;

/// The cube root of a positive number to 1e-13: three times as fast as the standard library's, which
/// is correct to the last bit. It was a third of a step.
fn cube_root(x: f64) -> f64 {
    let first = f64::from_bits(x.to_bits() / 3 + CUBE_ROOT_BITS);
    // Halley's iteration; the relative error of the estimate, below 0.035, is about cubed twice.
    let better = |y: f64| {
        let cube = y * y * y;
        y * (cube + 2.0 * x) / (2.0 * cube + x)
    };
    better(better(first))
}

#[cfg(test)]
mod tests;
