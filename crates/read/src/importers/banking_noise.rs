//! The banking between two edges whose heights have noise.
//!
//! Heights with the standard deviations σ and τ give a banking with the standard deviation
//!
//! ```text
//! √(σ² + τ²) / w                                                                            (1)
//! ```
//!
//! on a road of the width w. An elevation model has a point every few tens of metres, so that it knows the height
//! of a road but not what lies between its edges: where (1) is large, both edges get the mean height.

use raceline_numerics::math;
use raceline_road::geometry::{Point, Polyline, SegmentIndex};

/// Largest standard deviation of the banking, rad: a third of a usual bend's.
const MAX_NOISE_RAD: f64 = 0.01;
/// Cells of the index of an edge, metres: about a road's width.
const CELL_M: f64 = 20.0;

/// The heights along one edge.
pub(super) struct HeightsOfEdge {
    pub points: Vec<Point>,
    /// At the points, metres.
    pub heights_m: Vec<f64>,
    /// Noise of the heights, metres.
    pub noise_m: f64,
}

/// The mean heights of both edges, at their points, and the noise of the banking that they replace.
pub(super) struct LevelAcross {
    /// Equation (1), rad.
    pub noise_rad: f64,
    /// Of the first and of the second edge, metres.
    pub heights_m: [Vec<f64>; 2],
}

/// What levels the road between two edges if their noise is too large for a banking. The width of the road is the
/// median distance from a point of the first edge to the second.
pub(super) fn level_across([first, second]: [&HeightsOfEdge; 2]) -> Option<LevelAcross> {
    let noise_m = math::hypot(first.noise_m, second.noise_m);
    if noise_m == 0.0 {
        return None;
    }
    let from_first = opposite(first, second)?;
    let mut widths: Vec<f64> = from_first.iter().map(|place| place.distance_m).collect();
    widths.sort_by(f64::total_cmp);
    let noise_rad = noise_m / widths.get(widths.len() / 2)?; // equation (1)
    if noise_rad <= MAX_NOISE_RAD {
        return None;
    }
    let from_second = opposite(second, first)?;
    let mean = |edge: &HeightsOfEdge, across: &[Opposite]| {
        edge.heights_m.iter().zip(across).map(|(own_m, place)| f64::midpoint(*own_m, place.height_m)).collect()
    };
    Some(LevelAcross { noise_rad, heights_m: [mean(first, &from_first), mean(second, &from_second)] })
}

/// The place of the other edge nearest to a point of an edge.
struct Opposite {
    distance_m: f64,
    height_m: f64,
}

/// The places of `other` nearest to the points of `edge`; `None` for another edge without a piece.
fn opposite(edge: &HeightsOfEdge, other: &HeightsOfEdge) -> Option<Vec<Opposite>> {
    let line = Polyline::open(other.points.clone());
    let (index, places) = (SegmentIndex::new(&line, CELL_M), line.arc_lengths());
    let of_point = |&point: &Point| {
        let nearest = index.nearest(point)?;
        Some(Opposite { distance_m: nearest.distance, height_m: at(&places, &other.heights_m, nearest.s) })
    };
    edge.points.iter().map(of_point).collect()
}

/// Linear interpolation of `heights_m` at `places`, which rise, at the place `s`.
fn at(places: &[f64], heights_m: &[f64], s: f64) -> f64 {
    let after = places.partition_point(|&place| place <= s).clamp(1, heights_m.len() - 1);
    let (from, to) = (places[after - 1], places[after]);
    let fraction = if to > from { ((s - from) / (to - from)).clamp(0.0, 1.0) } else { 0.0 };
    heights_m[after - 1] + fraction * (heights_m[after] - heights_m[after - 1])
}

#[cfg(test)]
mod tests {
    use super::{HeightsOfEdge, Point, level_across};

    /// Edges along a straight road 10 m wide, the left one 0.4 m above the right one, which rises by 1 in 10.
    fn edges(noise_m: f64) -> [HeightsOfEdge; 2] {
        let edge = |step_m: f64, y_m: f64, above_m: f64| {
            let points: Vec<Point> =
                (0..=(400.0 / step_m) as usize).map(|i| Point::new(i as f64 * step_m, y_m)).collect();
            let heights_m = points.iter().map(|point| 0.1 * point.x + above_m).collect();
            HeightsOfEdge { points, heights_m, noise_m }
        };
        [edge(40.0, 10.0, 0.4), edge(25.0, 0.0, 0.0)]
    }

    #[test]
    fn the_noise_of_the_banking_is_that_of_both_heights_over_the_width() {
        let [left, right] = edges(0.3);
        let found = level_across([&left, &right]).unwrap();
        assert!((found.noise_rad - 0.3 * 2f64.sqrt() / 10.0).abs() < 1e-12);
        let [left, right] = edges(0.05);
        assert!(level_across([&left, &right]).is_none());
    }

    #[test]
    fn both_edges_get_the_mean_height_of_the_same_place() {
        let [left, right] = edges(0.3);
        let found = level_across([&left, &right]).unwrap();
        for (edge, means) in [&left, &right].into_iter().zip(found.heights_m) {
            assert_eq!(means.len(), edge.points.len());
            for (point, mean) in edge.points.iter().zip(means) {
                assert!((mean - 0.1 * point.x - 0.2).abs() < 1e-9, "{mean} at {}", point.x);
            }
        }
    }
}
