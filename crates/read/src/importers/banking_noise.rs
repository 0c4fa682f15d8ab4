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

/// The noise of the banking by equation (1), if it is too large for one, rad. The width is the median distance
/// from a point of the first edge to the second.
pub(super) fn banking_noise_rad(first: &HeightsOfEdge, second: &HeightsOfEdge) -> Option<f64> {
    let across = SegmentIndex::new(&Polyline::open(second.points.clone()), CELL_M);
    let mut widths: Vec<f64> = first.points.iter().filter_map(|&point| Some(across.nearest(point)?.distance)).collect();
    widths.sort_by(f64::total_cmp);
    let width_m = widths.get(widths.len() / 2)?;
    let noise_rad = first.noise_m.hypot(second.noise_m) / width_m; // equation (1)
    (noise_rad > MAX_NOISE_RAD).then_some(noise_rad)
}

/// The mean of the heights of `edge`, at its points, and of `other`, at the nearest places, metres.
pub(super) fn mean_heights(edge: &HeightsOfEdge, other: &HeightsOfEdge) -> Vec<f64> {
    let line = Polyline::open(other.points.clone());
    let (across, places) = (SegmentIndex::new(&line, CELL_M), line.arc_lengths());
    let mean = |(&point, &own_m): (&Point, &f64)| {
        across.nearest(point).map_or(own_m, |nearest| f64::midpoint(own_m, at(&places, &other.heights_m, nearest.s)))
    };
    edge.points.iter().zip(&edge.heights_m).map(mean).collect()
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
    use super::{HeightsOfEdge, Point, banking_noise_rad, mean_heights};

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
        assert!((banking_noise_rad(&left, &right).unwrap() - 0.3 * 2f64.sqrt() / 10.0).abs() < 1e-12);
        let [left, right] = edges(0.05);
        assert!(banking_noise_rad(&left, &right).is_none());
    }

    #[test]
    fn both_edges_get_the_mean_height_of_the_same_place() {
        let [left, right] = edges(0.3);
        for (edge, means) in [(&left, mean_heights(&left, &right)), (&right, mean_heights(&right, &left))] {
            for (point, mean) in edge.points.iter().zip(means) {
                assert!((mean - 0.1 * point.x - 0.2).abs() < 1e-9, "{mean} at {}", point.x);
            }
        }
    }
}
