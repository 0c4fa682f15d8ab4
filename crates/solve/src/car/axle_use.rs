//! Use, slip and acceleration of the axles of a car at a place of its lap.

use super::Reserve;
use super::model::{Car, Motion};
use super::state::CarState;
use crate::speed::Ground;
use raceline_car::{Vehicle, VehicleError};
use raceline_numerics::math;

/// The axles of a vehicle.
///
/// ```
/// use raceline_car::preset;
/// use raceline_solve::car::{Axles, CarState};
///
/// // Full braking on a straight: the axle that limits it is at its limit.
/// let axles = Axles::new(&preset("gt")?)?;
/// let state = CarState {
///     time_s: 0.0,
///     speed_mps: 30.0,
///     sideslip_rad: 0.0,
///     yaw_rate_radps: 0.0,
///     steering_rad: 0.0,
///     pedal: -1.0,
/// };
/// let now = axles.at(&state, 1.0, 1.0);
/// assert!(now.slip == [0.0, 0.0] && (now.used[0].max(now.used[1]) - 1.0).abs() < 0.05);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Axles {
    car: Car,
}

/// Use, slip and acceleration of both axles at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxleUse {
    /// Use of the ellipse, front and rear: 1 at the limit.
    pub used: [f64; 2],
    /// Slip angle divided by that of the tyres' peak, front and rear, positive where the tyre
    /// pushes to the left.
    pub slip: [f64; 2],
    /// Acceleration by the longitudinal forces of all tyres, m/s².
    pub along_mps2: f64,
}

impl Axles {
    /// The axles of `vehicle`.
    ///
    /// # Errors
    /// The errors of [`Vehicle::validate`].
    pub fn new(vehicle: &Vehicle) -> Result<Self, VehicleError> {
        Ok(Self { car: Car::new(vehicle, Reserve::NONE)? })
    }

    /// Use, slip and acceleration of the axles in `state`. `load` is the load of the tyres as a
    /// fraction of that on a level road; `grip` is the factor on their limits.
    #[must_use]
    pub fn at(&self, state: &CarState, load: f64, grip: f64) -> AxleUse {
        let (sin, cos) = math::sin_cos(state.sideslip_rad);
        let forward = state.speed_mps * cos;
        let along_mps2 = self.car.pedal_of_fraction(state.pedal, forward);
        let motion = Motion {
            forward,
            leftward: state.speed_mps * sin,
            yaw_rate: state.yaw_rate_radps,
            steering: state.steering_rad,
            pedal: along_mps2,
        };
        let level = Ground::LEVEL.gravity_normal;
        let gravity_normal = level + (load - 1.0) * (level + self.car.downforce_over_mass * forward * forward);
        let rates = self.car.rates(motion, &Ground { gravity_normal, ..Ground::LEVEL }, grip);
        let root = self.car.exponent().recip();
        AxleUse {
            used: rates.use_less_one.map(|less_one| math::powf((1.0 + less_one).max(0.0), root)),
            slip: rates.slip,
            along_mps2,
        }
    }
}

#[cfg(test)]
mod tests {
    use raceline_car::{STANDARD_GRAVITY, Vehicle, preset};

    use super::{Axles, CarState};

    /// On a straight at 40 m/s.
    fn straight(pedal: f64) -> CarState {
        CarState { time_s: 0.0, speed_mps: 40.0, sideslip_rad: 0.0, yaw_rate_radps: 0.0, steering_rad: 0.0, pedal }
    }

    #[test]
    fn with_twice_the_grip_the_brakes_use_half() {
        for exponent in [1.5, 2.0] {
            let vehicle = Vehicle { ellipse_exponent: exponent, ..preset("gt").expect("the preset exists") };
            let axles = Axles::new(&vehicle).expect("a valid vehicle");
            let [once, twice] = [1.0, 2.0].map(|grip| axles.at(&straight(-0.6), 1.0, grip).used);
            for (once, twice) in once.into_iter().zip(twice) {
                assert!((once / twice - 2.0).abs() < 0.02 && once > 0.1, "{exponent}: {once} and {twice}");
            }
        }
    }

    #[test]
    fn a_load_by_downforce_is_a_load_by_the_road() {
        let plain = Vehicle {
            downforce_kgpm: 0.0,
            front_weight_fraction: Some(0.45),
            front_downforce_fraction: Some(0.45),
            ..preset("gt").expect("the preset exists")
        };
        let winged = Vehicle { downforce_kgpm: 2.0, ..plain.clone() };
        let pressed = 1.0 + 2.0 * 1600.0 / (plain.mass_kg * STANDARD_GRAVITY);
        let [plain, winged] = [plain, winged].map(|vehicle| Axles::new(&vehicle).expect("a valid vehicle"));
        for load in [0.8, 1.0, 1.3] {
            let of_winged = winged.at(&straight(-0.5), load, 1.0);
            let pedal = plain.car.pedal_fraction(of_winged.along_mps2, 40.0);
            let of_plain = plain.at(&straight(pedal), load * pressed, 1.0);
            for (winged, plain) in of_winged.used.into_iter().zip(of_plain.used) {
                assert!((winged - plain).abs() < 1e-9, "{load}: {winged} and {plain}");
            }
        }
    }
}
