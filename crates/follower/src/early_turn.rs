//! Turning early into bends that are sharper than the vehicle can turn.
//!
//! Pure pursuit begins to turn when its target goes round the bend; a vehicle whose least radius R is larger than the bend's is then too late, and
//! runs wide. So points of the path up to π R ahead are looked at: the circle along the heading to each has a curvature
//! ([`crate::pure_pursuit`]), and once the greatest of them comes to 1/R, the vehicle steers to that point. At a corner between two straight legs
//! this is where the arc of radius R that touches both legs begins: the point at distance x beyond a corner of angle θ that is d away asks
//! for a curvature that is greatest at x = d, tan(θ/2)/d, and comes to 1/R at d = R tan(θ/2).
//!
//! On that arc the curvature asked for stays what it is. Rounding must not end the turn, and the rest of the leg before the corner, which asks to
//! steer back, is given up: a turn that has begun looks at points on its own side alone, and goes on until they ask for clearly less.

use crate::chassis::Frame;
use crate::geometry::Point;
use crate::lookahead::target_point;
use crate::pure_pursuit::pursuit_curvature;

/// A turn goes on while this share of what begins it is asked for.
const GOES_ON: f64 = 0.7;
/// Points looked at.
const POINTS: usize = 24;

/// The point to steer to, and the curvature to it, where the path from `lookahead` on asks for at least 1 / (`least_radius` · `share`), or for
/// somewhat less if a turn to that side has `begun`: 1 to the left, -1 to the right, 0 if none has.
pub(crate) fn early_turn(
    frame: &Frame<'_>,
    lookahead: f64,
    least_radius: f64,
    share: f64,
    begun: f64,
) -> Option<(Point, f64)> {
    if !(share > 0.0 && least_radius.is_finite()) {
        return None;
    }
    let reach = std::f64::consts::PI * least_radius;
    let mut best: Option<(Point, f64)> = None;
    for i in 0..POINTS {
        let ahead = lookahead + (reach - lookahead).max(0.0) * i as f64 / (POINTS - 1) as f64;
        let point = target_point(frame.path, frame.nearest.segment, frame.nearest.s + ahead);
        let (x, y) = frame.in_vehicle(point);
        // A leg that passes close by asks for anything.
        if x.hypot(y) < lookahead.min(least_radius) / 2.0 {
            continue;
        }
        let curvature = pursuit_curvature(x, y);
        if begun * curvature < 0.0 {
            continue;
        }
        if best.is_none_or(|(_, most)| curvature.abs() > most.abs()) {
            best = Some((point, curvature));
        }
    }
    let enough = if begun != 0.0 { GOES_ON } else { 1.0 };
    best.filter(|(_, curvature)| curvature.abs() * least_radius * share >= enough)
}
