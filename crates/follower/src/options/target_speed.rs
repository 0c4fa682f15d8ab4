//! Options of the target speed.

use super::table::{Number, options};

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

options! {
    /// Target speed.
    TargetSpeedOptions, "target_speed." {
        /// Source of the target speed: 0 curves, 1 profile, 2 the lower of both.
        mode: SpeedMode = SpeedMode::Bezier, [choice 2 "0, 1 or 2"];
        /// Number N of points sampled ahead, including the vehicle's own position.
        points: usize = 16, [from 3 to 64];
        /// Distance Δh between them along the path.
        spacing_m: f64 = 2.4, [from 0.01 to 1000], "m";
        /// Where curvature ahead is taken from: 0 points, 1 middles, 2 headings.
        span: CurveSpan = CurveSpan::Headings, [choice 2 "0, 1 or 2"];
        /// Largest lateral acceleration, in units of g = 9.80665 m/s².
        lateral_acceleration_g: f64 = 0.48, [above 0 to 100], "g";
        /// Largest yaw rate. A curve of curvature κ allows at most `yaw_rate_radps / κ`. The paper has
        /// no such limit.
        yaw_rate_radps: f64 = 1.28, [above 0], "rad/s";
        /// Fraction of `VehicleGeometry::grip_g` that is used. Lateral acceleration and braking
        /// stay below both this and the limits of the options.
        grip_fraction: f64 = 0.39, [from 0.01 to 2];
        /// Fraction of `VehicleGeometry::max_yaw_rate_radps` that is used. The yaw rate stays
        /// below both this and the limit of the option.
        yaw_rate_fraction: f64 = 0.91, [from 0.01 to 5];
        /// Upper limit of the target.
        max_speed_mps: f64 = 13.4, [above 0 to 1000], "m/s";
        /// Lower limit of the target, at most `max_speed_mps`. The target is lower only at the end of an
        /// open path.
        min_speed_mps: f64 = 2.65, [from 0 to max_speed_mps], "m/s";
        /// Available deceleration. Where it is infinite, braking requires no distance, and each curve
        /// counts only from its start. A curve d metres ahead allows v² ≤ v_curve² + 2 a d now.
        braking_mps2: f64 = 1.77, [above 0 to 1000 or infinite], "m/s²";
        /// Preview time of the curves and the profile, to compensate for the delay of the brakes. The
        /// lower of the profile's speeds at the vehicle and at the preview counts.
        preview_s: f64 = 0.345, [from 0 to 5], "s";
        /// Factor of the profile's speeds.
        profile_scale: f64 = 1.0, [from 0.01 to 2];
        /// Whether to stop at the end of an open path.
        stop_at_end: bool = true, [switch];
    }
}

impl TargetSpeedOptions {
    pub(crate) fn paper() -> Self {
        Self {
            points: 5,
            spacing_m: 6.0,
            span: CurveSpan::Points,
            lateral_acceleration_g: 0.4,
            yaw_rate_radps: f64::INFINITY,
            grip_fraction: 0.8,
            yaw_rate_fraction: 1.0,
            max_speed_mps: 10.0,
            min_speed_mps: 1.0,
            braking_mps2: 4.0,
            preview_s: 0.1,
            ..Self::default()
        }
    }

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
            ..Self::paper()
        }
    }
}

impl Number for SpeedMode {
    const MUST: &'static str = "0, 1 or 2";
    fn number(self) -> f64 {
        f64::from(self as u8)
    }
    fn from_number(number: f64) -> Option<Self> {
        [Self::Bezier, Self::Profile, Self::Both].into_iter().find(|mode| mode.number() == number)
    }
}

impl Number for CurveSpan {
    const MUST: &'static str = "0, 1 or 2";
    fn number(self) -> f64 {
        f64::from(self as u8)
    }
    fn from_number(number: f64) -> Option<Self> {
        [Self::Points, Self::Midpoints, Self::Headings].into_iter().find(|span| span.number() == number)
    }
}
