//! Rounds points to the millimetre with little effect on the line's curvature.
//!
//! Rounding each coordinate separately moves points by up to half a millimetre across the line. It
//! changes the curvature by the second difference of these shifts over the step's square: for steps
//! of two metres by 2·10⁻⁴ 1/m on average, a tenth of a fast bend's curvature, and by 5·10⁻⁴ at
//! worst. A shift along the line by a millimetre or two has no effect. So each point is moved to
//! the nearby grid point whose shift across the line fits best to those of its neighbours.

use crate::geometry::{Point, SplineCurve, Vector, cross};

/// Grid steps per metre.
const STEPS_PER_METRE: f64 = 1000.0;
/// Grid points are tried up to this many steps from the nearest one, in both directions.
const REACH: i32 = 2;
/// Number of sweeps. In each, every point is chosen again with its neighbours fixed.
const SWEEPS: usize = 4;
/// Weight of a squared shift along the line relative to one across it. It only prevents points from
/// drifting.
const ALONG_SHARE: f64 = 1e-4;

/// The points of `curve`, rounded to the grid of millimetres.
pub fn to_millimetres(curve: &SplineCurve) -> Vec<Point> {
    let count = curve.positions().len() - 1 + usize::from(!curve.is_closed());
    let places: Vec<_> = curve.positions()[..count].iter().map(|&s| curve.at(s)).collect();
    let tangents: Vec<Vector> =
        places.iter().map(|place| place.first.try_normalize(1e-12).unwrap_or_else(Vector::x)).collect();
    let nearest = |p: Point| p.map(|x| (x * STEPS_PER_METRE).round());
    let mut chosen: Vec<Point> = places.iter().map(|place| nearest(place.position)).collect();
    // In steps of the grid.
    let error = |i: usize, grid: Point| grid - places[i].position * STEPS_PER_METRE;
    let mut errors: Vec<Vector> = (0..count).map(|i| error(i, chosen[i])).collect();
    let step = |i: usize| curve.positions()[i + 1] - curve.positions()[i];
    let neighbours = |i: usize| {
        let inner = curve.is_closed() || (i > 0 && i + 1 < count);
        inner.then(|| ((i + count - 1) % count, (i + 1) % count))
    };
    // Error of the curvature at a point, from the shifts around it.
    let bend = |i: usize, errors: &[Vector]| {
        let Some((before, after)) = neighbours(i) else { return 0.0 };
        let (h, next) = (step(before), step(i));
        let change = (errors[after] - errors[i]) / next - (errors[i] - errors[before]) / h;
        2.0 * cross(tangents[i], change) / (h + next)
    };
    for _ in 0..SWEEPS {
        for i in 0..count {
            let middle = nearest(places[i].position);
            let around = neighbours(i).map_or([i; 3], |(before, after)| [before, i, after]);
            let mut best = (f64::INFINITY, chosen[i]);
            let scale = neighbours(i).map_or(1.0, |(before, _)| (step(before) * step(i)).powi(-2));
            for column in -REACH..=REACH {
                for row in -REACH..=REACH {
                    let grid = middle + Vector::new(f64::from(column), f64::from(row));
                    errors[i] = error(i, grid);
                    let bending: f64 = around.iter().map(|&k| bend(k, &errors).powi(2)).sum();
                    let cost = bending + ALONG_SHARE * scale * errors[i].norm_squared();
                    if cost < best.0 {
                        best = (cost, grid);
                    }
                }
            }
            chosen[i] = best.1;
            errors[i] = error(i, chosen[i]);
        }
    }
    chosen.iter().map(|grid| grid / STEPS_PER_METRE).collect()
}
