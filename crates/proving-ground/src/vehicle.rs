//! The six vehicles: the data of each for the engine and for the follower.
//!
//! The figures are those of a game's vehicles, rounded: masses, sizes and turning circles of such
//! vehicles, drive and brakes strong enough for the hills. None was fitted to a follower.

use raceline_follower::{VehicleGeometry, VehicleKind};

/// How a vehicle is driven and turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Drive {
    /// All wheels are driven, the front ones steer.
    Wheels,
    /// Two tracks that turn the vehicle by the difference of their forces. The steering angle
    /// demands the yaw rate of a vehicle with front-wheel steering.
    Tracks {
        /// Largest yaw rate of the gearbox, rad/s.
        max_yaw_rate_radps: f64,
        /// Largest moment by which the tracks can turn the hull, newton metres.
        max_moment_nm: f64,
    },
    /// A fan drives, forwards or backwards, on any ground; skids steer, with little grip.
    Hover {
        /// Fraction of the fan's thrust that is available backwards, to brake and to reverse.
        backwards: f64,
    },
}

/// A vehicle for the engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VehicleModel {
    /// Name, for the command line, tables and `vehicles/*.toml`.
    pub name: &'static str,
    /// Mass, kilograms.
    pub mass_kg: f64,
    /// Length and width over all, metres.
    pub size_m: [f64; 2],
    /// Distance between first and last axle, metres.
    pub wheelbase_m: f64,
    /// Distance between left and right wheels, metres.
    pub track_m: f64,
    /// Axles, evenly spread over the wheelbase.
    pub axles: usize,
    /// Height of the centre of mass over level ground, metres.
    pub centre_of_mass_m: f64,
    /// Heights of the hull's bottom and top over level ground, metres.
    pub hull_m: [f64; 2],
    /// Radius of the wheels, metres.
    pub wheel_radius_m: f64,
    /// Natural frequency of the hull on its springs, hertz.
    pub suspension_hz: f64,
    /// Friction coefficient of wheels, tracks or skids.
    pub friction: f64,
    /// Largest driving force, newtons.
    pub drive_force_n: f64,
    /// Driving power, watts: above power / force the force falls with speed.
    pub drive_power_w: f64,
    /// Largest braking force, newtons; the wheels' grip may allow less.
    pub brake_force_n: f64,
    /// Air drag, N/(m/s)².
    pub drag_kgpm: f64,
    /// Rolling resistance as a fraction of the weight.
    pub rolling_resistance: f64,
    /// Largest steering angle, radians.
    pub max_steering_rad: f64,
    /// Fastest change of the steering angle, rad/s.
    pub steering_rate_radps: f64,
    /// Time constant by which drive and brakes follow the pedal, seconds.
    pub pedal_lag_s: f64,
    /// How it is driven and turned.
    pub drive: Drive,
}

impl VehicleModel {
    /// The vehicle's data for the follower.
    #[must_use]
    pub fn geometry(&self) -> VehicleGeometry {
        VehicleGeometry {
            kind: match self.drive {
                Drive::Wheels => VehicleKind::Wheels,
                Drive::Tracks { .. } => VehicleKind::SkidSteer,
                Drive::Hover { .. } => VehicleKind::Hover,
            },
            wheelbase_m: self.wheelbase_m,
            max_steering_rad: self.max_steering_rad,
            length_m: self.size_m[0],
            width_m: self.size_m[1],
            // Tracks turn the hull about its middle; wheels about the rear axle.
            rear_axle_m: if matches!(self.drive, Drive::Tracks { .. }) { 0.0 } else { self.wheelbase_m / 2.0 },
            grip_g: self.friction,
            max_yaw_rate_radps: match self.drive {
                Drive::Tracks { max_yaw_rate_radps, .. } => max_yaw_rate_radps,
                Drive::Wheels | Drive::Hover { .. } => f64::INFINITY,
            },
        }
    }

    /// Acceleration at full throttle and deceleration at full brake, m/s².
    #[must_use]
    pub fn full_pedal_mps2(&self) -> [f64; 2] {
        let brake_n = match self.drive {
            Drive::Wheels | Drive::Tracks { .. } => self.brake_force_n,
            Drive::Hover { backwards } => backwards * self.drive_force_n,
        };
        [self.drive_force_n / self.mass_kg, brake_n / self.mass_kg]
    }

    /// The vehicle of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        VEHICLES.iter().find(|vehicle| vehicle.name == name)
    }
}

/// The six.
pub static VEHICLES: [VehicleModel; 6] = [
    VehicleModel {
        name: "quad",
        mass_kg: 350.0,
        size_m: [2.0, 1.2],
        wheelbase_m: 1.3,
        track_m: 1.0,
        axles: 2,
        centre_of_mass_m: 0.45,
        hull_m: [0.35, 1.1],
        wheel_radius_m: 0.3,
        suspension_hz: 2.0,
        friction: 0.9,
        drive_force_n: 2_100.0,
        drive_power_w: 22_000.0,
        brake_force_n: 3_000.0,
        drag_kgpm: 0.5,
        rolling_resistance: 0.02,
        max_steering_rad: 0.55,
        steering_rate_radps: 3.0,
        pedal_lag_s: 0.08,
        drive: Drive::Wheels,
    },
    VehicleModel {
        name: "light-4x4",
        mass_kg: 1_600.0,
        size_m: [4.0, 1.8],
        wheelbase_m: 2.5,
        track_m: 1.5,
        axles: 2,
        centre_of_mass_m: 0.65,
        hull_m: [0.45, 1.8],
        wheel_radius_m: 0.38,
        suspension_hz: 1.8,
        friction: 0.9,
        drive_force_n: 9_000.0,
        drive_power_w: 90_000.0,
        brake_force_n: 13_000.0,
        drag_kgpm: 0.7,
        rolling_resistance: 0.02,
        max_steering_rad: 0.58,
        steering_rate_radps: 2.0,
        pedal_lag_s: 0.12,
        drive: Drive::Wheels,
    },
    VehicleModel {
        name: "armoured-car",
        mass_kg: 7_500.0,
        size_m: [5.2, 2.3],
        wheelbase_m: 3.1,
        track_m: 2.0,
        axles: 2,
        centre_of_mass_m: 1.0,
        hull_m: [0.55, 2.2],
        wheel_radius_m: 0.5,
        suspension_hz: 1.7,
        friction: 0.8,
        drive_force_n: 36_000.0,
        drive_power_w: 200_000.0,
        brake_force_n: 50_000.0,
        drag_kgpm: 1.5,
        rolling_resistance: 0.025,
        max_steering_rad: 0.5,
        steering_rate_radps: 1.2,
        pedal_lag_s: 0.2,
        drive: Drive::Wheels,
    },
    VehicleModel {
        name: "truck",
        mass_kg: 11_000.0,
        size_m: [7.2, 2.4],
        wheelbase_m: 4.4,
        track_m: 2.1,
        axles: 2,
        centre_of_mass_m: 1.15,
        hull_m: [0.65, 2.8],
        wheel_radius_m: 0.5,
        suspension_hz: 1.6,
        friction: 0.75,
        drive_force_n: 46_000.0,
        drive_power_w: 220_000.0,
        brake_force_n: 65_000.0,
        drag_kgpm: 3.0,
        rolling_resistance: 0.02,
        max_steering_rad: 0.56,
        steering_rate_radps: 0.9,
        pedal_lag_s: 0.25,
        drive: Drive::Wheels,
    },
    VehicleModel {
        name: "tracked",
        mass_kg: 22_000.0,
        size_m: [6.0, 2.9],
        wheelbase_m: 3.6,
        track_m: 2.4,
        axles: 4,
        centre_of_mass_m: 1.0,
        hull_m: [0.6, 2.2],
        wheel_radius_m: 0.4,
        suspension_hz: 1.7,
        friction: 0.8,
        drive_force_n: 110_000.0,
        drive_power_w: 450_000.0,
        brake_force_n: 130_000.0,
        drag_kgpm: 3.0,
        rolling_resistance: 0.04,
        max_steering_rad: 0.6,
        steering_rate_radps: 1.5,
        pedal_lag_s: 0.25,
        drive: Drive::Tracks { max_yaw_rate_radps: 0.45, max_moment_nm: 150_000.0 },
    },
    VehicleModel {
        name: "hovercraft",
        mass_kg: 2_400.0,
        size_m: [5.0, 2.4],
        wheelbase_m: 3.2,
        track_m: 1.8,
        axles: 2,
        centre_of_mass_m: 0.6,
        hull_m: [0.4, 1.6],
        wheel_radius_m: 0.3,
        suspension_hz: 1.5,
        friction: 0.3,
        drive_force_n: 10_500.0,
        drive_power_w: 110_000.0,
        brake_force_n: 0.0,
        drag_kgpm: 12.0,
        rolling_resistance: 0.01,
        max_steering_rad: 0.3,
        steering_rate_radps: 1.5,
        pedal_lag_s: 0.3,
        drive: Drive::Hover { backwards: 0.7 },
    },
];
