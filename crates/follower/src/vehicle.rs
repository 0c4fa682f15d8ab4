//! Data about the vehicle: its geometry once, its motion in every frame.

/// Where a vehicle is and how it moves, in the world frame: x right, y up, z height, right-handed,
/// metres.
///
/// Any value is accepted, NaN included: for a frame that is not valid the command is to brake.
///
/// ```
/// use raceline_follower::VehicleState;
///
/// // A car that slides a little: its velocity is known, and differs from its heading.
/// let state = VehicleState { velocity_mps: [20.0, 1.0, 0.0], ..VehicleState::new([0.0, 0.0, 0.0], 0.0, 20.0) };
/// assert!(state.yaw_rate_radps.is_nan());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VehicleState {
    /// The vehicle's reference point, metres. [`VehicleGeometry::rear_axle_m`] specifies its
    /// position on the vehicle.
    pub position_m: [f64; 3],
    /// Direction of the vehicle in the plane, radians counter-clockwise from +x; it need not be
    /// wrapped.
    pub heading_rad: f64,
    /// Speed along the heading, m/s, negative in reverse.
    pub speed_mps: f64,
    /// Velocity of the reference point, m/s. Its direction is the course, which differs from the
    /// heading if the vehicle slides. NaN if unknown: then it is computed from heading and speed.
    pub velocity_mps: [f64; 3],
    /// Yaw rate, rad/s counter-clockwise. NaN if unknown: then it is computed from the heading's
    /// change if the velocity is known; otherwise the steering's yaw feedback and learning are
    /// inactive.
    pub yaw_rate_radps: f64,
}

impl VehicleState {
    /// A vehicle without slip: its velocity follows from `heading_rad` and `speed_mps`; yaw rate
    /// unknown.
    pub fn new(position_m: [f64; 3], heading_rad: f64, speed_mps: f64) -> Self {
        Self { position_m, heading_rad, speed_mps, velocity_mps: [f64::NAN; 3], yaw_rate_radps: f64::NAN }
    }
}

/// How a vehicle turns and brakes.
///
/// The command is a steering angle for all kinds. For those without steered wheels it demands the
/// yaw rate of a vehicle with front wheels at that angle: |v| tan(angle) / wheelbase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum VehicleKind {
    /// Steered wheels on tyres.
    #[default]
    Wheels,
    /// Tracks, or wheels that do not steer: turned by a yaw moment, at a limited yaw rate whatever
    /// the speed, so that it holds less curvature the faster it is.
    SkidSteer,
    /// A fan drives and brakes, along the heading and on any ground; little or no grip sideways.
    /// What the grip does not give in a bend, the thrust must: the heading turns towards the
    /// acceleration that is needed.
    Hover,
}

/// The vehicle's geometry and limits.
///
/// ```
/// use raceline_follower::{VehicleGeometry, VehicleKind};
///
/// let kart = VehicleGeometry { wheelbase_m: 1.05, length_m: 1.8, width_m: 1.3, ..VehicleGeometry::default() };
/// assert_eq!((kart.kind, kart.max_steering_rad), (VehicleKind::Wheels, 0.6));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VehicleGeometry {
    /// How it turns and brakes; default [`VehicleKind::Wheels`].
    pub kind: VehicleKind,
    /// Distance between the axles, metres, above 0; default 2.6. For tracked vehicles and
    /// hovercraft a length that, with `max_steering_rad`, gives their smallest turning radius:
    /// wheelbase / tan(max_steering).
    pub wheelbase_m: f64,
    /// Largest steering angle of the front wheels to either side, radians, above 0 and below π/2;
    /// default 0.6.
    pub max_steering_rad: f64,
    /// Length over all, metres, above 0; default 4.4.
    pub length_m: f64,
    /// Width over all, metres, above 0; default 1.8.
    pub width_m: f64,
    /// Distance of the rear axle behind the reference point, metres, finite; default 1.3.
    pub rear_axle_m: f64,
    /// Largest lateral acceleration and braking of tyres, tracks or skids on the ground, in units
    /// of g, above 0; default infinite: unknown. [`crate::TargetSpeedOptions::grip_fraction`] of it is
    /// used.
    pub grip_g: f64,
    /// Largest yaw rate of the vehicle at any speed, rad/s, above 0; default infinite: unknown. For
    /// tracked vehicles, whose gearbox limits it. [`crate::TargetSpeedOptions::yaw_rate_fraction`] of
    /// it is used.
    pub max_yaw_rate_radps: f64,
}

impl Default for VehicleGeometry {
    fn default() -> Self {
        Self {
            kind: VehicleKind::Wheels,
            wheelbase_m: 2.6,
            max_steering_rad: 0.6,
            length_m: 4.4,
            width_m: 1.8,
            rear_axle_m: 1.3,
            grip_g: f64::INFINITY,
            max_yaw_rate_radps: f64::INFINITY,
        }
    }
}
