//! What a path is like at a place.

/// What the profile and the road ask for at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ProfileSample {
    /// 1/m.
    pub curvature: f64,
    /// Square of the profile's speed, m²/s²; infinite without a profile.
    pub speed_squared: f64,
    /// m/s².
    pub acceleration: f64,
    /// Factor of the road on the tyres' limits.
    pub grip: f64,
    /// Gravity to the right in the road's surface, m/s².
    pub gravity_across: f64,
}

/// A position on a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathSample {
    /// Arc length from the start, metres.
    pub s_m: f64,
    /// Position, metres.
    pub position_m: [f64; 3],
    /// Height of the road here, metres, see [`Path::with_heights`](super::Path::with_heights); without it that of `position_m`.
    pub height_m: f64,
    /// Direction of travel in the plane, radians, interpolated between waypoints.
    pub heading_rad: f64,
    /// Curvature in the plane, 1/m, positive to the left.
    pub curvature_radpm: f64,
    /// Width of the corridor to the left, metres.
    pub left_m: f64,
    /// Width of the corridor to the right, metres.
    pub right_m: f64,
    /// The profile's speed, m/s; infinite without a profile.
    pub speed_mps: f64,
    /// The profile's acceleration along the path, m/s²; 0 without a profile.
    pub acceleration_mps2: f64,
}
