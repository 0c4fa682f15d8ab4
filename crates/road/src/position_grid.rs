//! Rounds a line's points to the grid of the file with little effect on the line's curvature.
//!
//! A reader that computes curvature from the points divides their errors by the square of their
//! distance. Rounding each coordinate separately moves points by up to half a grid step across the
//! line; for points 0.2 m apart that changes the curvature by 2·10⁻⁴ 1/m on average, 2 % of a fast
//! bend's curvature. A shift along the line by a grid step or two has no effect. So each point is
//! moved to the nearby grid point whose shift across the line fits best to those of its neighbours.

use raceline_file::POSITION_DECIMALS;
use raceline_numerics::math;

use crate::geometry::{CurvePoint, Point, Vector, cross};

/// Grid points are tried up to this many steps from the nearest one, in both directions.
const REACH: i32 = 2;
/// Number of sweeps. In each, every point is chosen again with its neighbours fixed.
const SWEEPS: usize = 4;
/// Weight of a squared shift along the line relative to one across it. It only prevents points from
/// drifting.
const ALONG_FRACTION: f64 = 1e-4;

/// A point with both neighbours: their indices, the distances to them, m, and the direction of travel.
#[derive(Clone, Copy)]
struct Bend {
    before: usize,
    after: usize,
    before_m: f64,
    after_m: f64,
    tangent: Vector,
}

/// The positions of `places`, rounded to the grid of the file. `steps` are the distances from each
/// place to the next, m: as many as places on a closed line, one fewer on an open one.
#[must_use]
pub fn on_grid(places: &[CurvePoint], steps: &[f64]) -> Vec<Point> {
    let count = places.len();
    let is_closed = steps.len() == count;
    let steps_per_metre = math::powi(10f64, POSITION_DECIMALS);
    let tangents: Vec<Vector> =
        places.iter().map(|place| place.first.try_normalize(1e-12).unwrap_or_else(Vector::x)).collect();
    let nearest = |p: Point| p.map(|x| (x * steps_per_metre).round());
    let mut chosen: Vec<Point> = places.iter().map(|place| nearest(place.position)).collect();
    // In steps of the grid.
    let error = |i: usize, grid: Point| grid - places[i].position * steps_per_metre;
    let mut errors: Vec<Vector> = (0..count).map(|i| error(i, chosen[i])).collect();
    let bends: Vec<Option<Bend>> = (0..count)
        .map(|i| {
            let inner = is_closed || (i > 0 && i + 1 < count);
            let (before, after) = ((i + count - 1) % count, (i + 1) % count);
            inner.then(|| Bend { before, after, before_m: steps[before], after_m: steps[i], tangent: tangents[i] })
        })
        .collect();
    // Error of the curvature at a point, from the shifts around it.
    let bend = |i: usize, errors: &[Vector]| {
        let Some(Bend { before, after, before_m, after_m, tangent }) = bends[i] else { return 0.0 };
        let change = (errors[after] - errors[i]) / after_m - (errors[i] - errors[before]) / before_m;
        2.0 * cross(tangent, change) / (before_m + after_m)
    };
    // A choice depends on the shifts of two points on either side alone: where these have not changed
    // since the point was chosen, the choice would be what it is.
    let mut outdated = vec![true; count];
    for _ in 0..SWEEPS {
        for i in 0..count {
            if !std::mem::take(&mut outdated[i]) {
                continue;
            }
            let middle = nearest(places[i].position);
            let around = bends[i].map_or([i; 3], |bend| [bend.before, i, bend.after]);
            let mut best = (f64::INFINITY, chosen[i]);
            let scale = bends[i].map_or(1.0, |bend| math::powi(bend.before_m * bend.after_m, -2));
            for column in -REACH..=REACH {
                'tried: for row in -REACH..=REACH {
                    let grid = middle + Vector::new(f64::from(column), f64::from(row));
                    errors[i] = error(i, grid);
                    let along = ALONG_FRACTION * scale * errors[i].norm_squared();
                    // No part of a cost is negative: a part as large as the best cost decides.
                    if along >= best.0 {
                        continue;
                    }
                    let mut bending = 0.0;
                    for &k in &around {
                        bending += math::powi(bend(k, &errors), 2);
                        if bending >= best.0 {
                            continue 'tried;
                        }
                    }
                    let cost = bending + along;
                    if cost < best.0 {
                        best = (cost, grid);
                    }
                }
            }
            if best.1 != chosen[i] {
                for near in [count - 2 % count, count - 1, 1, 2] {
                    outdated[(i + near) % count] = true;
                }
            }
            chosen[i] = best.1;
            errors[i] = error(i, chosen[i]);
        }
    }
    chosen.iter().map(|grid| grid / steps_per_metre).collect()
}
