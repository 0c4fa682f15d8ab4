//! Early turning into bends that are sharper than the vehicle can turn.
//!
//! Pure pursuit begins to turn when its target point passes the bend. A vehicle whose smallest
//! turning radius R is larger than the bend's is then too late and runs wide. Points of the path up
//! to π R ahead are therefore evaluated: the circle along the heading to each has a curvature
//! ([`crate::pure_pursuit`]), and once the largest of them reaches 1/R, the vehicle steers to that
//! point. At a corner between two straight legs this is where the arc of radius R that touches both
//! legs begins: the curvature to the point at distance x beyond a corner of angle θ at distance d
//! is largest at x = d, where it is tan(θ/2)/d; it reaches 1/R at d = R tan(θ/2).
//!
//! On that arc the required curvature is constant. Rounding must not end the turn, and the rest of
//! the leg before the corner, which requires steering back, is ignored: a turn that has begun
//! evaluates only points on its own side, and continues until they require clearly less.

use crate::chassis::Frame;
use crate::geometry::Point;
use crate::lookahead::target_point;
use crate::pure_pursuit::pursuit_curvature;
use raceline_numerics::math;

/// A turn continues while at least this fraction of the initial curvature is required.
const GOES_ON: f64 = 0.7;
/// Number of evaluated points.
const POINTS: usize = 24;

/// The target point and the curvature to it, if the path from `lookahead` on requires at least 1 /
/// (`min_radius` · `fraction`), or slightly less if a turn to that side has `begun`: 1 to the left,
/// -1 to the right, 0 for none.
pub(crate) fn early_turn(
    frame: &Frame<'_>,
    lookahead: f64,
    min_radius: f64,
    fraction: f64,
    begun: f64,
) -> Option<(Point, f64)> {
    if !(fraction > 0.0 && min_radius.is_finite()) {
        return None;
    }
    let reach = std::f64::consts::PI * min_radius;
    let mut best: Option<(Point, f64)> = None;
    for i in 0..POINTS {
        let ahead = lookahead + (reach - lookahead).max(0.0) * i as f64 / (POINTS - 1) as f64;
        let point = target_point(frame.path, frame.nearest.segment, frame.nearest.s + ahead);
        let (x, y) = frame.in_vehicle(point);
        // The curvature to a leg that passes close by is arbitrary.
        if math::hypot(x, y) < lookahead.min(min_radius) / 2.0 {
            continue;
        }
        let curvature = pursuit_curvature(x, y);
        if begun * curvature < 0.0 {
            continue;
        }
        if best.is_none_or(|(_, sharpest)| curvature.abs() > sharpest.abs()) {
            best = Some((point, curvature));
        }
    }
    let enough = if begun != 0.0 { GOES_ON } else { 1.0 };
    best.filter(|(_, curvature)| curvature.abs() * min_radius * fraction >= enough)
}
