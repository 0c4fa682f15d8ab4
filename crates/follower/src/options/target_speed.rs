//! Options of the target speed.

/// Where the target speed comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SpeedMode {
    /// From the curves ahead alone (the paper's Algorithm 1).
    #[default]
    Bezier,
    /// From the path's speed profile alone; from the curves where the path has none.
    Profile,
    /// The lower of the two.
    Both,
}

/// Which Bézier curve stands for three successive points of the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum CurveSpan {
    /// From the first point to the third with the second as control point, as in the paper. On a circle sampled finely it has
    /// half the circle's curvature: a vehicle takes twice the lateral acceleration that the option names.
    #[default]
    Points,
    /// From the middle of the first leg to the middle of the second with the second point as control point (a quadratic
    /// B-spline). On a circle sampled finely it has the circle's curvature. The points are the path's own unless the vehicle is further off
    /// than their spacing, and there is one more, behind the vehicle.
    Midpoints,
}

/// How fast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TargetSpeedOptions {
    /// Default [`SpeedMode::Bezier`].
    pub mode: SpeedMode,
    /// Number N of points sampled ahead, 3 to 64, the vehicle's own position counted; default 5.
    pub points: usize,
    /// Distance Δh between them along the path, metres, 0.01 to 1000; default 6.
    pub spacing_m: f64,
    /// Default [`CurveSpan::Points`].
    pub span: CurveSpan,
    /// Lateral acceleration allowed, in units of g = 9.80665 m/s², above 0, at most 100; default 0.4.
    pub lateral_acceleration_g: f64,
    /// Yaw rate that the vehicle can reach, rad/s, above 0, or infinite; default infinite. A curve of curvature κ allows at most
    /// `yaw_rate_radps / κ`. For tracked vehicles, whose gearbox limits how fast they turn; the paper has no such limit.
    pub yaw_rate_radps: f64,
    /// The target is at least this, m/s, 0 to `max_speed_mps`; default 1. Only the end of an open path goes below it.
    pub min_speed_mps: f64,
    /// The target is at most this, m/s, above 0, at most 1000; default 10.
    pub max_speed_mps: f64,
    /// Braking that the vehicle can rely on, m/s², above 0, at most 1000, or infinite: braking takes no distance, and each curve
    /// counts only from where it begins. A curve d metres ahead allows v² ≤ v_curve² + 2 a d now. Default 4.
    pub braking_mps2: f64,
    /// How far ahead in time the curves and the profile are read, to make up for what brakes take to act, seconds, 0 to 5; default
    /// 0.1. Of the profile the lower of here and there counts.
    pub preview_s: f64,
    /// The profile's speeds are multiplied by this, 0.01 to 2; default 1.
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
