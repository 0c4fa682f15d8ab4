//! A path relaxed as an elastic band: S. Quinlan and O. Khatib, "Elastic bands: connecting path
//! planning and control" (1993). Contraction takes the corners out, repulsion moves it to the middle
//! of its free space. It becomes the reference about which a road is cut.

use super::FreeSpace;
use super::taut::resampled;
use raceline_road::geometry::{Point, Vector};

/// Number of rounds. More come nearer to rest, at a cost in proportion.
const ROUNDS: usize = 400;
/// Distance of the band's points in cells.
pub(super) const STEP_CELLS: f64 = 2.0;
/// Fractions of a point's path to the middle of its neighbours, and of a cell up the clearance,
/// that it moves in one round.
const CONTRACTION: f64 = 0.4;
const REPULSION: f64 = 0.25;
/// Obstacles repel within this many times the needed clearance.
const REACH: f64 = 2.5;

/// Repulsion grows from none to all over this many needed clearances from an end.
const FADED: f64 = 6.0;

/// The path as a band with points two cells apart; the ends of an open path stay.
pub(super) fn relaxed(space: &FreeSpace, path: &[Point], closed: bool) -> Vec<Point> {
    let cell = space.frame.metres_per_pixel;
    let mut band = resampled(path, STEP_CELLS * cell, closed);
    for round in 0..ROUNDS {
        let count = band.len();
        let inner = if closed { 0..count } else { 1..count - 1 };
        for i in inner {
            let (before, after) = (band[(i + count - 1) % count], band[(i + 1) % count]);
            let contraction = (nalgebra::center(&before, &after) - band[i]) * CONTRACTION;
            // Near a fixed end, repulsion would bend the band away from it.
            let from_end_m = i.min(count - 1 - i) as f64 * STEP_CELLS * cell;
            let fraction = if closed { 1.0 } else { (from_end_m / (FADED * space.needed_m) - 0.3).clamp(0.0, 1.0) };
            let moved = band[i] + contraction + repulsion(space, band[i]) * (REPULSION * cell * fraction);
            // A point with room keeps it.
            if space.has_room(moved) || !space.has_room(band[i]) {
                band[i] = moved;
            }
        }
        if round % 20 == 19 {
            band = resampled(&band, STEP_CELLS * cell, closed);
        }
    }
    band
}

/// Direction up the clearance, with a length from 1 at the needed clearance to 0 at the reach.
fn repulsion(space: &FreeSpace, at: Point) -> Vector {
    let clearance = space.clearance_at_m(at);
    let reach = REACH * space.needed_m;
    if clearance >= reach {
        return Vector::zeros();
    }
    let step = 1.5 * space.frame.metres_per_pixel;
    let along = |by: Vector| space.clearance_at_m(at + by) - space.clearance_at_m(at - by);
    let up = Vector::new(along(Vector::new(step, 0.0)), along(Vector::new(0.0, step)));
    let strength = ((reach - clearance) / (reach - space.needed_m).max(1e-9)).min(1.0);
    up.try_normalize(1e-9).unwrap_or_default() * strength
}
