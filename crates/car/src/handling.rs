//! What distinguishes a vehicle with two axles from a point mass, and the defaults of the keys that a
//! vehicle file may omit.
//!
//! Optimiser, simulation and follower take these numbers from here and nowhere else, so a vehicle file
//! without the optional keys is one car. With the wheelbase L, the mass m and the limit A_x of the tyres
//! along the road at standstill:
//!
//! ```text
//! distances to the axles      a = (1 - f) L        b = f L                        (1)
//! yaw inertia                 I = m a b                                           (2)
//! centre of gravity           h = 0.2 L                                           (3)
//! brakes in front             γ = f + A_x / g · h / L                             (4)
//! steering                    δ = atan(L κ_max) + α_brush                         (5)
//! slip by use                 s = A_y / (g C)                                     (6)
//! braking factor              k = max(γ / X_f, (1 - γ) / X_r)                     (7)
//! ```
//!
//! Equation (4) is the fraction of the load on the front axle under full braking: both axles then reach
//! their limits together (Milliken and Milliken, *Race Car Vehicle Dynamics*, 1995, section 18.2).
//! In equation (7), X_i are the loads of the axles under full braking by the weight, those of [`Wheels`] where
//! the vehicle has them. With any balance of the brakes the vehicle brakes at A_x on a level straight: the limit
//! is the vehicle's, not a tyre's. So tyres are better along the road than A_x / g by the factor k.
//!
//! Equation (6) holds where the cornering stiffness by the load, C, is known; see [`TyreSlip`].

use raceline_numerics::{STANDARD_GRAVITY, TyreSlip, brush_peak_slip_rad, math};

use crate::{Vehicle, Wheels};

/// Fraction of the weight on the front axle.
pub const FRONT_WEIGHT_FRACTION: f64 = 0.5;
/// Height of the centre of gravity by the wheelbase: 0.24 of a saloon, 0.15 of a GT car, 0.1 of a
/// formula car.
pub const HEIGHT_BY_WHEELBASE: f64 = 0.2;
/// Slip angle of the largest lateral force, rad: racing slicks have 0.1 to 0.14, passenger tyres 0.14 to
/// 0.2 (Milliken and Milliken, *Race Car Vehicle Dynamics*, 1995, chapter 2).
pub const PEAK_SLIP_RAD: f64 = 0.12;
/// Rate of the front wheels' angle, rad/s: passenger cars have 0.4 (Althoff and Würsching, *CommonRoad:
/// Vehicle Models*, 2020), racing drivers and steering motors of robots 1 to 3.
pub const STEERING_RATE_RADPS: f64 = 1.0;
/// Fraction of the drive force at the front axle.
pub const FRONT_DRIVE_FRACTION: f64 = 0.0;
/// Fraction by which the rear tyres' lateral limit exceeds their part of the vehicle's, 0 or more:
/// the car understeers at the limit and does not spin. A larger one is safer and turns in less.
pub const REAR_GRIP_RESERVE: f64 = 0.05;
/// Smallest and largest fraction of the brake force at the front axle by equation (4).
const FRONT_BRAKE_RANGE: [f64; 2] = [0.1, 0.95];
/// Smallest load of an axle under full braking, as a fraction of the weight, so that divisors stay finite.
pub const MIN_LOAD_FRACTION: f64 = 0.005;

/// A vehicle's axles, tyres and steering: each number is that of its key, or the default of this module.
///
/// ```
/// let mut vehicle = raceline_car::preset("gt")?;
/// vehicle.centre_of_gravity_m = None;
/// assert_eq!(vehicle.handling().centre_of_gravity_m, 0.2 * vehicle.wheelbase_m);
/// # Ok::<(), raceline_car::VehicleError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handling {
    /// Fraction of the weight on the front axle at rest, 0.1 to 0.9. Default: 0.5.
    pub front_weight_fraction: f64,
    /// Fraction of the downforce on the front axle, 0 to 1. Default: that of the weight.
    pub front_downforce_fraction: f64,
    /// Yaw inertia divided by the mass, m². Default: equation (2), at which a force at one axle does not
    /// move the other.
    pub gyration_m2: f64,
    /// Height of the centre of gravity, m. Default: equation (3).
    pub centre_of_gravity_m: f64,
    /// Slip angle at which the tyres give their largest lateral force, rad. Default: 0.12.
    pub peak_slip_rad: f64,
    /// Slip angle over the use of the lateral limit. Default: that of the brush tyre of
    /// [`brush_peak_slip_rad()`].
    pub tyre_slip: TyreSlip,
    /// Slip angle of the peak of the brush tyre that stands for `tyre_slip`, rad.
    pub brush_peak_slip_rad: f64,
    /// Fraction of the brake force at the front axle, 0 to 1. Default: equation (4).
    pub front_brake_fraction: f64,
    /// Fraction of the drive force at the front axle: 0 is rear-wheel drive. Default: 0.
    pub front_drive_fraction: f64,
    /// Fraction by which the rear tyres' lateral limit exceeds their part of the vehicle's. Default: 0.05.
    pub rear_grip_reserve: f64,
    /// Largest angle of the front wheels to either side, rad. Default: equation (5), so that the car drives
    /// its sharpest bend with slipping tyres too.
    pub max_steering_rad: f64,
    /// Largest rate of that angle, rad/s. Default: 1.
    pub steering_rate_radps: f64,
}

/// What is known of a vehicle's axles, tyres and steering; the rest has the defaults of this module.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Known {
    pub front_weight_fraction: Option<f64>,
    pub front_downforce_fraction: Option<f64>,
    pub gyration_m2: Option<f64>,
    pub centre_of_gravity_m: Option<f64>,
    pub peak_slip_rad: Option<f64>,
    pub cornering_stiffness_per_rad: Option<f64>,
    pub front_brake_fraction: Option<f64>,
    pub front_drive_fraction: Option<f64>,
    pub rear_grip_reserve: Option<f64>,
    pub steering_rate_radps: Option<f64>,
}

impl Known {
    /// Every number, for a vehicle with the wheelbase `wheelbase_m` whose tyres give `braking_mps2` along
    /// and `lateral_mps2` across at standstill. The largest steering angle is NaN: it needs the largest
    /// curvature.
    pub fn completed(&self, wheelbase_m: f64, [braking_mps2, lateral_mps2]: [f64; 2]) -> Handling {
        let front = self.front_weight_fraction.unwrap_or(FRONT_WEIGHT_FRACTION);
        // Equation (1).
        let (to_front, to_rear) = ((1.0 - front) * wheelbase_m, front * wheelbase_m);
        // Equation (3).
        let height = self.centre_of_gravity_m.unwrap_or(HEIGHT_BY_WHEELBASE * wheelbase_m);
        let peak_slip_rad = self.peak_slip_rad.unwrap_or(PEAK_SLIP_RAD);
        let tyre_slip = tyre_slip(self.peak_slip_rad, self.cornering_stiffness_per_rad, lateral_mps2);
        // Equation (4).
        let [low, high] = FRONT_BRAKE_RANGE;
        let by_load = front + moved_by_braking(braking_mps2, height, wheelbase_m);
        Handling {
            front_weight_fraction: front,
            front_downforce_fraction: self.front_downforce_fraction.unwrap_or(front),
            // Equation (2).
            gyration_m2: self.gyration_m2.unwrap_or(to_front * to_rear),
            centre_of_gravity_m: height,
            peak_slip_rad,
            tyre_slip,
            brush_peak_slip_rad: tyre_slip.brush_peak_rad(),
            front_brake_fraction: self.front_brake_fraction.unwrap_or(by_load.clamp(low, high)),
            front_drive_fraction: self.front_drive_fraction.unwrap_or(FRONT_DRIVE_FRACTION),
            rear_grip_reserve: self.rear_grip_reserve.unwrap_or(REAR_GRIP_RESERVE),
            max_steering_rad: f64::NAN,
            steering_rate_radps: self.steering_rate_radps.unwrap_or(STEERING_RATE_RADPS),
        }
    }
}

/// Slip angle over use of tyres whose lateral limit is `lateral_mps2`, by what is known of them.
fn tyre_slip(peak_rad: Option<f64>, cornering_stiffness_per_rad: Option<f64>, lateral_mps2: f64) -> TyreSlip {
    match cornering_stiffness_per_rad {
        Some(stiffness) => {
            let slope = lateral_mps2 / (STANDARD_GRAVITY * stiffness); // equation (6)
            TyreSlip::with_slope(slope, peak_rad.unwrap_or(3.0 * slope))
        }
        None => TyreSlip::brush(brush_peak_slip_rad(peak_rad.unwrap_or(PEAK_SLIP_RAD))),
    }
}

/// Fraction of the weight that braking at `braking_mps2` moves to the front axle, with the centre of gravity at
/// `height_m`: the last term of equation (4).
#[must_use]
pub fn moved_by_braking(braking_mps2: f64, height_m: f64, wheelbase_m: f64) -> f64 {
    braking_mps2 / STANDARD_GRAVITY * height_m / wheelbase_m
}

/// k of equation (7), how much better tyres are along the road than the vehicle's longitudinal limit, for brakes
/// with the fraction `front_brake` of their force in front, the fraction `front_weight` of the weight, and
/// `moved`, the fraction of the weight of [`moved_by_braking`] under full braking.
///
/// Without `front_brake`, the brakes' force is in proportion to the axles' loads, and k is 1 unless wheels reduce it.
///
/// ```
/// use raceline_car::handling::braking_factor;
///
/// // A kart brakes with its rear wheels, which carry 0.32 of the weight then.
/// assert!((braking_factor(Some(0.0), 0.43, 0.25, None) - 1.0 / 0.32).abs() < 1e-12);
/// assert_eq!(braking_factor(None, 0.43, 0.25, None), 1.0);
/// ```
#[must_use]
pub fn braking_factor(front_brake: Option<f64>, front_weight: f64, moved: f64, wheels: Option<&Wheels>) -> f64 {
    let loads = [front_weight + moved, 1.0 - front_weight - moved].map(|load| load.max(MIN_LOAD_FRACTION));
    let usable = wheels.map_or(loads, |wheels| {
        let level = [front_weight, 1.0 - front_weight].map(|weight| STANDARD_GRAVITY * weight);
        let carried = loads.map(|load| STANDARD_GRAVITY * load);
        wheels.usable_loads(carried, level, 0.0, 0.0).map(|load| load.along / STANDARD_GRAVITY)
    });
    let in_front = front_brake.unwrap_or(loads[0] / (loads[0] + loads[1]));
    (in_front / usable[0]).max((1.0 - in_front) / usable[1])
}

impl Vehicle {
    /// Slip angle over the use of the tyres' lateral limit, as far as the vehicle has a key of them.
    pub(crate) fn known_tyre_slip(&self) -> Option<TyreSlip> {
        (self.peak_slip_rad.is_some() || self.cornering_stiffness_per_rad.is_some())
            .then(|| tyre_slip(self.peak_slip_rad, self.cornering_stiffness_per_rad, self.limits_at_standstill()[1]))
    }

    /// The tyres' limits at standstill along and across, m/s².
    pub(crate) fn limits_at_standstill(&self) -> [f64; 2] {
        self.ggv_table
            .first()
            .map_or([self.longitudinal_limit_mps2, self.lateral_limit_mps2], |&[_, along, across]| [along, across])
    }

    /// Axles, tyres and steering, with a default for every key that the vehicle omits.
    #[must_use]
    pub fn handling(&self) -> Handling {
        let known = Known {
            front_weight_fraction: self.front_weight_fraction,
            front_downforce_fraction: self.front_downforce_fraction,
            gyration_m2: self.yaw_inertia_kgm2.map(|inertia| inertia / self.mass_kg),
            centre_of_gravity_m: self.centre_of_gravity_m,
            peak_slip_rad: self.peak_slip_rad,
            cornering_stiffness_per_rad: self.cornering_stiffness_per_rad,
            front_brake_fraction: self.front_brake_fraction,
            front_drive_fraction: self.front_drive_fraction,
            rear_grip_reserve: self.rear_grip_reserve,
            steering_rate_radps: self.steering_rate_radps,
        };
        let handling = known.completed(self.wheelbase_m, self.limits_at_standstill());
        // Equation (5).
        let rolling = math::atan(self.wheelbase_m * self.max_curvature_radpm) + handling.brush_peak_slip_rad;
        let max_steering_rad = self.max_steering_rad.unwrap_or(rolling);
        Handling { max_steering_rad, ..handling }
    }

    /// The vehicle with the numbers of [`Self::handling`] for the keys that it omits, except the largest
    /// steering angle.
    #[must_use]
    pub fn with_defaults(&self) -> Self {
        let handling = self.handling();
        let mut filled = self.clone();
        for (key, value) in [
            (&mut filled.front_weight_fraction, handling.front_weight_fraction),
            (&mut filled.front_downforce_fraction, handling.front_downforce_fraction),
            (&mut filled.front_brake_fraction, handling.front_brake_fraction),
            (&mut filled.front_drive_fraction, handling.front_drive_fraction),
            (&mut filled.peak_slip_rad, handling.peak_slip_rad),
            (&mut filled.steering_rate_radps, handling.steering_rate_radps),
            (&mut filled.yaw_inertia_kgm2, handling.gyration_m2 * self.mass_kg),
            (&mut filled.centre_of_gravity_m, handling.centre_of_gravity_m),
            (&mut filled.rear_grip_reserve, handling.rear_grip_reserve),
        ] {
            key.get_or_insert(value);
        }
        if let (Some(front_m), Some(rear_m)) = (self.front_track_width_m, self.rear_track_width_m) {
            let stiffness = self.roll_stiffness_in_front([front_m, rear_m]);
            filled.front_roll_stiffness_fraction.get_or_insert(stiffness);
            filled.tyre_load_sensitivity.get_or_insert(0.0);
            filled.differential_lock_fraction.get_or_insert(0.0);
        }
        filled
    }
}

#[cfg(test)]
mod tests;
