//! The motion of a car at a point of its line.

/// The car at a point of its line.
#[derive(Clone, Copy, Debug)]
pub struct CarState {
    /// Time from the start, s.
    pub time_s: f64,
    /// Speed of the centre of gravity, m/s.
    pub speed_mps: f64,
    /// Angle from the body to the direction of travel, rad, positive to the left.
    pub sideslip_rad: f64,
    /// Yaw rate, rad/s, positive to the left.
    pub yaw_rate_radps: f64,
    /// Angle of the front wheels, rad, positive to the left.
    pub steering_rad: f64,
    /// Drive as a fraction of the drive's limit at this speed, or the negative of braking as a
    /// fraction of the tyres' longitudinal limit.
    pub pedal: f64,
}
