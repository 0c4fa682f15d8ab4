//! The frame of a log onto that of a track: a turn and a shift, where one of the two has no longitudes.

use raceline_numerics::math;
use raceline_road::geometry::{Point, Polyline, SegmentIndex};
use serde::Serialize;

use super::path::Node;

/// The track that was driven, in its frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The centre line, or a racing line on it, from the start line on, m.
    pub line: Polyline,
    /// Half the width of the road, m.
    pub half_width_m: f64,
    /// How far from the line a driver may be, m: 0 of a racing line, almost half the width of a road from its
    /// middle.
    pub free_m: f64,
    /// Longitude and latitude of its frame's origin, degrees, if they are known.
    pub geographic_origin_deg: Option<[f64; 2]>,
}

/// A turn about the origin, then a shift.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Alignment {
    /// Counter-clockwise, rad.
    pub turn_rad: f64,
    /// After the turn, m.
    pub shift_m: [f64; 2],
    /// Mean distance of the path from the track afterwards, m.
    pub distance_m: f64,
}

/// Places along a lap that are compared.
const PLACES: usize = 192;
/// Rounds in which each place is compared with the nearest of the track.
const ROUNDS: usize = 25;

impl Alignment {
    /// A position in the track's frame.
    #[must_use]
    pub fn apply(&self, position_m: [f64; 2]) -> [f64; 2] {
        let [x, y] = self.turned(position_m);
        [x + self.shift_m[0], y + self.shift_m[1]]
    }

    fn turned(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let (sine, cosine) = math::sin_cos(self.turn_rad);
        [x * cosine - y * sine, x * sine + y * cosine]
    }

    /// The path in the track's frame.
    pub(crate) fn moved(&self, nodes: &[Node]) -> Vec<Node> {
        let moved = |node: &Node| Node {
            position_m: self.apply(node.position_m),
            velocity_mps: self.turned(node.velocity_mps),
            accel_mps2: self.turned(node.accel_mps2),
            ..*node
        };
        nodes.iter().map(moved).collect()
    }

    /// The one of least squares that moves a lap onto the track: over all shifts along it (Umeyama, IEEE
    /// Transactions on Pattern Analysis 13, 1991), then by nearest points (Besl and McKay, ibid. 14, 1992).
    pub(crate) fn fitted(lap: &[[f64; 2]], reference: &Reference) -> Option<Self> {
        let from = evenly(&Polyline::closed(lap.iter().copied().map(Point::from).collect()))?;
        let to = evenly(&reference.line)?;
        let fits = (0..PLACES).map(|shift| {
            let pairs: Vec<_> = (0..PLACES).map(|i| (from[i], to[(i + shift) % PLACES])).collect();
            pose(&pairs)
        });
        let mut best = fits.min_by(|a, b| a.distance_m.total_cmp(&b.distance_m))?;
        let index = SegmentIndex::new(&reference.line, 10.0);
        for _ in 0..ROUNDS {
            let pair = |&position: &[f64; 2]| {
                let nearest = index.nearest(Point::from(best.apply(position)))?;
                Some((position, [nearest.point.x, nearest.point.y]))
            };
            best = pose(&from.iter().filter_map(pair).collect::<Vec<_>>());
        }
        let distance = |&position: &[f64; 2]| index.nearest(Point::from(best.apply(position))).map(|n| n.distance);
        let distances: Vec<f64> = from.iter().filter_map(distance).collect();
        best.distance_m = distances.iter().sum::<f64>() / distances.len().max(1) as f64;
        Some(best)
    }
}

/// Mean distance of a path from a line, m.
pub(crate) fn mean_distance_m(positions: &[[f64; 2]], line: &Polyline) -> f64 {
    let index = SegmentIndex::new(line, 10.0);
    let stride = (positions.len() / 500).max(1);
    let distances: Vec<f64> = positions
        .iter()
        .step_by(stride)
        .filter_map(|&position| index.nearest(Point::from(position)).map(|nearest| nearest.distance))
        .collect();
    distances.iter().sum::<f64>() / distances.len().max(1) as f64
}

/// Positions at equal distances along a closed line.
fn evenly(line: &Polyline) -> Option<Vec<[f64; 2]>> {
    if line.points.len() < 3 {
        return None;
    }
    let lengths = line.arc_lengths();
    let length = line.length();
    let at = |i: usize| line.point_at(&lengths, length * i as f64 / PLACES as f64);
    Some((0..PLACES).map(at).map(|point| [point.x, point.y]).collect())
}

/// The turn and the shift of least squares, with the root of the mean square.
fn pose(pairs: &[([f64; 2], [f64; 2])]) -> Alignment {
    let count = pairs.len().max(1) as f64;
    let mut sums = [[0.0; 2]; 2];
    for (from, to) in pairs {
        for (sum, point) in sums.iter_mut().zip([from, to]) {
            *sum = [sum[0] + point[0], sum[1] + point[1]];
        }
    }
    let [from_mean, to_mean] = sums.map(|sum| sum.map(|value| value / count));
    let (mut dot, mut cross, mut squares) = (0.0, 0.0, 0.0);
    for (from, to) in pairs {
        let [a, b] = [from[0] - from_mean[0], from[1] - from_mean[1]];
        let [c, d] = [to[0] - to_mean[0], to[1] - to_mean[1]];
        dot += a * c + b * d;
        cross += a * d - b * c;
        squares += a * a + b * b + c * c + d * d;
    }
    let turn_rad = math::atan2(cross, dot);
    let turned = Alignment { turn_rad, shift_m: [0.0; 2], distance_m: 0.0 }.turned(from_mean);
    Alignment {
        turn_rad,
        shift_m: [to_mean[0] - turned[0], to_mean[1] - turned[1]],
        distance_m: ((squares - 2.0 * math::hypot(dot, cross)).max(0.0) / count).sqrt(),
    }
}
