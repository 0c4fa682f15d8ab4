//! What the follower is told about the vehicle: its build once, its motion in every frame.

/// Where a vehicle is and how it moves, in the world frame: x right, y up, z height, right-handed, metres.
///
/// Any value may be anything, NaN included: a frame that can't be understood gets a command to brake.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VehicleState {
    /// The vehicle's reference point, metres. [`VehicleGeometry::rear_axle_m`] says where on the vehicle it is.
    pub position_m: [f64; 3],
    /// The way that the vehicle faces in the plane, radians counter-clockwise from +x; any multiple of a turn is allowed.
    pub heading_rad: f64,
    /// Speed along the heading, m/s, negative in reverse.
    pub speed_mps: f64,
    /// Velocity of the reference point, m/s. Its direction is the course, which differs from the heading where the vehicle
    /// slides. NaN where the game doesn't know: then heading and speed give it.
    pub velocity_mps: [f64; 3],
    /// Yaw rate, rad/s counter-clockwise. NaN where the game doesn't know: then it is taken from the heading's change if the
    /// velocity is known, and the steering's yaw feedback and learning rest if it isn't.
    pub yaw_rate_radps: f64,
}

impl VehicleState {
    /// A vehicle that doesn't slide: its velocity follows from `heading_rad` and `speed_mps`; yaw rate unknown.
    pub fn new(position_m: [f64; 3], heading_rad: f64, speed_mps: f64) -> Self {
        Self { position_m, heading_rad, speed_mps, velocity_mps: [f64::NAN; 3], yaw_rate_radps: f64::NAN }
    }
}

/// The vehicle's build.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VehicleGeometry {
    /// Distance between the axles, metres, above 0; default 2.6. For tracked vehicles and hovercraft a length that, with
    /// `max_steering_rad`, gives their least turning radius: wheelbase / tan(max_steering).
    pub wheelbase_m: f64,
    /// Largest steering angle of the front wheels to either side, radians, above 0 and below π/2; default 0.6.
    pub max_steering_rad: f64,
    /// Length over all, metres, above 0; default 4.4.
    pub length_m: f64,
    /// Width over all, metres, above 0; default 1.8.
    pub width_m: f64,
    /// How far the rear axle lies behind the reference point, metres, finite; default 1.3.
    pub rear_axle_m: f64,
}

impl Default for VehicleGeometry {
    fn default() -> Self {
        Self { wheelbase_m: 2.6, max_steering_rad: 0.6, length_m: 4.4, width_m: 1.8, rear_axle_m: 1.3 }
    }
}
