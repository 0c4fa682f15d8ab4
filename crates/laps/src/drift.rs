//! The slow drift of a receiver: one offset at the start of each lap, linear between, fitted so that the
//! laps lie on one another or on the track.

use nalgebra::{DMatrix, DVector};
use raceline_road::geometry::{Point, Polyline, SegmentIndex, wrap_angle};

use super::path::Node;

/// Distance between two places that are compared, m.
const SPACING_M: f64 = 4.0;
/// Places farther from the line than this are not on it, m.
const FARTHEST_M: f64 = 25.0;
/// Largest angle between the path and the line beside it, rad.
const LARGEST_ANGLE: f64 = 0.6;
/// Deviation of the driver from the line, m: residuals beyond it count less.
const DRIVER_M: f64 = 1.5;
/// How far the offset of a lap lies from those beside it, m.
const STEP_M: f64 = 1.0;
/// How far an offset lies from zero, m.
const OFFSET_M: f64 = 10.0;
/// Largest number of offsets.
const MAX_KNOTS: usize = 120;
/// Rounds of reweighting.
const ROUNDS: usize = 5;
/// Places a lateral offset of the whole session is worth against an offset of the frame: a driver keeps
/// to one side of a road on average.
const SIDE_M: f64 = 1.0;

/// Offsets of the receiver, linear in time between knots.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Drift {
    times_s: Vec<f64>,
    offsets_m: Vec<[f64; 2]>,
}

struct Place {
    time_s: f64,
    normal: [f64; 2],
    residual_m: f64,
}

impl Drift {
    /// The drift of `nodes` against `line`, with knots at `times_s`, ascending.
    pub fn fitted(nodes: &[Node], line: &Polyline, times_s: &[f64]) -> Option<Self> {
        let stride = times_s.len().div_ceil(MAX_KNOTS).max(1);
        let times_s: Vec<f64> = times_s.iter().copied().step_by(stride).collect();
        let mut drift = Self { offsets_m: vec![[0.0; 2]; times_s.len()], times_s };
        let (first, last) = (*drift.times_s.first()?, *drift.times_s.last()?);
        let index = SegmentIndex::new(line, 5.0);
        let inside: Vec<Node> = nodes.iter().filter(|node| (first..=last).contains(&node.time_s)).copied().collect();
        for _ in 0..ROUNDS {
            let places = places(&inside, &index, &drift);
            if places.len() < 20 {
                return None;
            }
            drift.add(&solved(&places, &drift)?);
        }
        Some(drift)
    }

    /// The offset at a time, m.
    pub fn at(&self, time_s: f64) -> [f64; 2] {
        self.weights(time_s).into_iter().fold([0.0; 2], |sum, (knot, weight)| {
            let offset = self.offsets_m.get(knot).copied().unwrap_or_default();
            [sum[0] + weight * offset[0], sum[1] + weight * offset[1]]
        })
    }

    /// `nodes` without the drift.
    pub fn removed(&self, nodes: &[Node]) -> Vec<Node> {
        let moved = |node: &Node| {
            let offset = self.at(node.time_s);
            Node { position_m: [node.position_m[0] - offset[0], node.position_m[1] - offset[1]], ..*node }
        };
        nodes.iter().map(moved).collect()
    }

    /// The largest distance between two offsets, m, and the mean offset.
    pub fn extent_m(&self) -> (f64, [f64; 2]) {
        let count = self.offsets_m.len().max(1) as f64;
        let mean = self.offsets_m.iter().fold([0.0; 2], |sum, o| [sum[0] + o[0] / count, sum[1] + o[1] / count]);
        let far = |o: &[f64; 2]| (o[0] - mean[0]).hypot(o[1] - mean[1]);
        (2.0 * self.offsets_m.iter().map(far).fold(0.0, f64::max), mean)
    }

    /// The knots beside a time with their weights.
    fn weights(&self, time_s: f64) -> [(usize, f64); 2] {
        let after = self.times_s.partition_point(|&knot| knot <= time_s);
        let last = self.times_s.len().saturating_sub(1);
        if after == 0 || after > last {
            return [(after.min(last), 1.0), (last, 0.0)];
        }
        let (from, to) = (self.times_s[after - 1], self.times_s[after]);
        let fraction = (time_s - from) / (to - from).max(f64::MIN_POSITIVE);
        [(after - 1, 1.0 - fraction), (after, fraction)]
    }

    fn add(&mut self, step: &[[f64; 2]]) {
        for (offset, step) in self.offsets_m.iter_mut().zip(step) {
            *offset = [offset[0] + step[0], offset[1] + step[1]];
        }
    }
}

/// Where the path without the drift so far lies beside the line.
fn places(nodes: &[Node], index: &SegmentIndex, drift: &Drift) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    let mut travelled = SPACING_M;
    let mut before: Option<[f64; 2]> = None;
    for node in nodes {
        let offset = drift.at(node.time_s);
        let here = [node.position_m[0] - offset[0], node.position_m[1] - offset[1]];
        travelled += before.map_or(0.0, |before| (here[0] - before[0]).hypot(here[1] - before[1]));
        before = Some(here);
        if travelled < SPACING_M {
            continue;
        }
        travelled = 0.0;
        let Some(nearest) = index.nearest(Point::from(here)).filter(|nearest| nearest.distance < FARTHEST_M) else {
            continue;
        };
        let chord = index.point_at(nearest.s + 1.0) - index.point_at(nearest.s - 1.0);
        let heading = chord.y.atan2(chord.x);
        if wrap_angle(node.heading_rad() - heading).abs() > LARGEST_ANGLE {
            continue;
        }
        let normal = [-heading.sin(), heading.cos()];
        let residual_m = (here[0] - nearest.point.x) * normal[0] + (here[1] - nearest.point.y) * normal[1];
        places.push(Place { time_s: node.time_s, normal, residual_m });
    }
    places
}

/// The step of each knot: robust least squares of `normal · offset + side = residual`.
fn solved(places: &[Place], drift: &Drift) -> Option<Vec<[f64; 2]>> {
    let knots = drift.times_s.len();
    let unknowns = 2 * knots + 1;
    let mut matrix = DMatrix::<f64>::zeros(unknowns, unknowns);
    let mut vector = DVector::<f64>::zeros(unknowns);
    for place in places {
        let weight = 1.0 / (DRIVER_M * DRIVER_M + place.residual_m * place.residual_m);
        let mut entries: Vec<(usize, f64)> = Vec::with_capacity(5);
        for (knot, share) in drift.weights(place.time_s) {
            entries.push((2 * knot, share * place.normal[0]));
            entries.push((2 * knot + 1, share * place.normal[1]));
        }
        entries.push((unknowns - 1, 1.0));
        for &(row, a) in &entries {
            vector[row] += weight * a * place.residual_m;
            for &(column, b) in &entries {
                matrix[(row, column)] += weight * a * b;
            }
        }
    }
    for knot in 0..knots {
        for axis in 0..2 {
            let place = 2 * knot + axis;
            let offset = drift.offsets_m[knot][axis];
            matrix[(place, place)] += OFFSET_M.powi(-2);
            vector[place] -= offset * OFFSET_M.powi(-2);
            if knot + 1 < knots {
                let step = drift.offsets_m[knot + 1][axis] - offset;
                let (next, weight) = (place + 2, STEP_M.powi(-2));
                matrix[(place, place)] += weight;
                matrix[(next, next)] += weight;
                matrix[(place, next)] -= weight;
                matrix[(next, place)] -= weight;
                vector[place] += weight * step;
                vector[next] -= weight * step;
            }
        }
    }
    matrix[(unknowns - 1, unknowns - 1)] += SIDE_M.powi(-2);
    let solution = matrix.cholesky()?.solve(&vector);
    Some((0..knots).map(|knot| [solution[2 * knot], solution[2 * knot + 1]]).collect())
}
