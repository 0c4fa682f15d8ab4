//! Points to the millimetre, chosen so that the line's curvature suffers least.
//!
//! Rounding each coordinate by itself moves points by up to half a millimetre across the line, and curvature by the second
//! difference of that over the step's square: at two metres 2·10⁻⁴ 1/m on average, which is a tenth of a fast bend's, and 5·10⁻⁴ at worst. But any grid point near a
//! point will do as well, since moving it along the line by a millimetre or two changes nothing. So each point takes the grid point, among those
//! nearest, whose place across the line fits its neighbours' best.

use crate::geometry::{Point, SplineCurve, Vector, cross};

/// Steps of the grid in a metre.
const STEPS_PER_METRE: f64 = 1000.0;
/// Grid points are tried up to so many steps away from the nearest one, in both directions.
const REACH: i32 = 2;
/// Times that each point chooses anew, knowing its neighbours' choices.
const SWEEPS: usize = 4;
/// A place along the line costs so much of the same distance squared across it. It only keeps points from wandering.
const ALONG_SHARE: f64 = 1e-4;

/// The points that `curve` was laid through, on the grid of millimetres.
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
    // Error of curvature at a point, from the errors around it.
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
