//! Options of the target speed.

/// Source of the target speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SpeedMode {
    /// From the curves ahead alone (the paper's Algorithm 1).
    #[default]
    Bezier,
    /// From the path's speed profile alone; from the curves if the path has none.
    Profile,
    /// The lower of the two.
    Both,
}

/// Where curvature ahead is taken from: the Bézier curve for three successive points of the path, or
/// its headings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum CurveSpan {
    /// From the first point to the third with the second as control point, as in the paper. On a
    /// circle sampled finely it has half the circle's curvature: a vehicle then has twice the
    /// lateral acceleration of the option.
    #[default]
    Points,
    /// From the middle of the first leg to the middle of the second with the second point as
    /// control point (a quadratic B-spline). On a circle sampled finely it has the circle's
    /// curvature. The points are on the path unless the vehicle is further away than their spacing,
    /// and there is one additional point behind the vehicle.
    Midpoints,
    /// None: the curvature from each point to the next is the path's change of heading in the plane
    /// by the distance. Neither waves of the ground nor the vehicle's offset bend it.
    Headings,
}

/// Target speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TargetSpeedOptions {
    /// Default [`SpeedMode::Bezier`].
    pub mode: SpeedMode,
    /// Number N of points sampled ahead, 3 to 64, including the vehicle's own position; default 5.
    pub points: usize,
    /// Distance Δh between them along the path, metres, 0.01 to 1000; default 6.
    pub spacing_m: f64,
    /// Default [`CurveSpan::Points`].
    pub span: CurveSpan,
    /// Largest lateral acceleration, in units of g = 9.80665 m/s², above 0, at most 100; default
    /// 0.4.
    pub lateral_acceleration_g: f64,
    /// Largest yaw rate, rad/s, above 0, or infinite; default infinite. A curve of curvature κ
    /// allows at most `yaw_rate_radps / κ`. The paper has no such limit.
    pub yaw_rate_radps: f64,
    /// Fraction of [`crate::VehicleGeometry::grip_g`] that is used, 0.01 to 2; default 0.8. Lateral
    /// acceleration and braking stay below both this and the limits of the options.
    pub grip_fraction: f64,
    /// Fraction of [`crate::VehicleGeometry::max_yaw_rate_radps`] that is used, 0.01 to 5; default 1.
    /// The yaw rate stays below both this and the limit of the option.
    pub yaw_rate_fraction: f64,
    /// Lower limit of the target, m/s, 0 to `max_speed_mps`; default 1. The target is lower only at
    /// the end of an open path.
    pub min_speed_mps: f64,
    /// Upper limit of the target, m/s, above 0, at most 1000; default 10.
    pub max_speed_mps: f64,
    /// Available deceleration, m/s², above 0, at most 1000, or infinite: then braking requires no
    /// distance, and each curve counts only from its start. A curve d metres ahead allows v² ≤
    /// v_curve² + 2 a d now. Default 4.
    pub braking_mps2: f64,
    /// Preview time of the curves and the profile, to compensate for the delay of the brakes,
    /// seconds, 0 to 5; default 0.1. The lower of the profile's speeds at the vehicle and at the
    /// preview counts.
    pub preview_s: f64,
    /// Factor of the profile's speeds, 0.01 to 2; default 1.
    pub profile_scale: f64,
    /// Whether to stop at the end of an open path; default true.
    pub stop_at_end: bool,
}

impl Default for TargetSpeedOptions {
    fn default() -> Self {
        Self {
            mode: SpeedMode::Bezier,
            points: 5,
            spacing_m: 6.0,
            span: CurveSpan::Points,
            lateral_acceleration_g: 0.4,
            yaw_rate_radps: f64::INFINITY,
            grip_fraction: 0.8,
            yaw_rate_fraction: 1.0,
            min_speed_mps: 1.0,
            max_speed_mps: 10.0,
            braking_mps2: 4.0,
            preview_s: 0.1,
            profile_scale: 1.0,
            stop_at_end: true,
        }
    }
}

impl TargetSpeedOptions {
    pub(crate) fn for_racing() -> Self {
        Self {
            mode: SpeedMode::Both,
            points: 40,
            spacing_m: 8.0,
            span: CurveSpan::Midpoints,
            lateral_acceleration_g: 1.5,
            min_speed_mps: 3.0,
            max_speed_mps: 100.0,
            braking_mps2: 12.0,
            preview_s: 0.12,
            ..Self::default()
        }
    }
}
