//! The lookahead distance and the target point.

use crate::geometry::Point;
use crate::options::LookaheadOptions;
use crate::path::Path;
use crate::target_speed::Walk;
use raceline_numerics::math;

/// `(base + time |v|) / (1 + gain_κ |κ| + gain_e |e|)`, clamped: large at high speed, small in
/// bends and off the path. An infinite curvature gives the minimum.
pub(crate) fn lookahead_distance(options: &LookaheadOptions, speed: f64, curvature: f64, cross_track: f64) -> f64 {
    let shrink =
        1.0 + options.curvature_gain_m * curvature.abs().min(1e6) + options.cross_track_gain * cross_track.abs();
    ((options.base_m + options.time_s * speed.abs()) / shrink).clamp(options.min_m, options.max_m)
}

/// The point at arc length `s`. Beyond the end of an open path it is on the straight extension, so
/// that the steering stays steady up to the end. Its height is that of the road.
pub(crate) fn target_point(path: &Path, segment: usize, s: f64) -> Point {
    let there = Walk::new(path, segment).sample(s);
    let beyond = if path.closed() { 0.0 } else { (s - path.length_m()).max(0.0) };
    let (sin, cos) = math::sin_cos(there.heading_rad);
    let [x, y, _] = there.position_m;
    [x + beyond * cos, y + beyond * sin, there.height_m]
}
