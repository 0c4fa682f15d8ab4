//! The slow drift of a receiver: offsets at the start and in the middle of each lap, linear between.
//!
//! The distance of the path to the left of a line, `r`, is `n · d(t) + c(s)`: the drift `d` along the
//! line's normal `n`, and what the driver does at the place `s` on every lap. For each part of the lap the
//! means over all laps are subtracted, which removes `c` (the within estimator of panel data), so that the
//! drift follows from differences between laps alone. What is the same on all laps cannot be
//! distinguished from the driver by that: it is the shift that brings the path onto the road.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector, Matrix2, Vector2};
use raceline_numerics::math;
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
/// How far an offset lies from those before and behind it, m.
const STEP_M: f64 = 1.0;
/// How far an offset lies from zero, m.
const OFFSET_M: f64 = 10.0;
/// Largest number of offsets.
const MAX_KNOTS: usize = 120;
/// Rounds of reweighting.
const ROUNDS: usize = 5;
/// Rounds in which the places off the road are found again.
const ROUNDS_OF_SHIFT: usize = 30;
/// Length of a part of the lap in which the driver does the same on every lap, m.
const PART_M: f64 = 8.0;
/// Weight of a shift of zero against one place off the road, 1/m².
const SHIFT_WEIGHT: f64 = 1e-3;

/// Offsets of the receiver, linear in time between knots.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Drift {
    times_s: Vec<f64>,
    offsets_m: Vec<[f64; 2]>,
}

struct Place {
    time_s: f64,
    s_m: f64,
    normal: [f64; 2],
    residual_m: f64,
}

impl Drift {
    /// The drift of `nodes` with knots at `times_s`, ascending. `line` is a line along the laps; where it is
    /// that of the track, `free_m` is how far from it a driver may be.
    pub fn fitted(nodes: &[Node], line: &Polyline, free_m: Option<f64>, times_s: &[f64]) -> Option<Self> {
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
        if let Some(free_m) = free_m {
            let shift = shift(&places(&inside, &index, &drift), free_m);
            drift.add(&vec![shift; drift.times_s.len()]);
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
        let far = |o: &[f64; 2]| math::hypot(o[0] - mean[0], o[1] - mean[1]);
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
        travelled += before.map_or(0.0, |before| math::hypot(here[0] - before[0], here[1] - before[1]));
        before = Some(here);
        if travelled < SPACING_M {
            continue;
        }
        travelled = 0.0;
        let Some(nearest) = index.nearest(Point::from(here)).filter(|nearest| nearest.distance < FARTHEST_M) else {
            continue;
        };
        let chord = index.point_at(nearest.s + 1.0) - index.point_at(nearest.s - 1.0);
        let heading = math::atan2(chord.y, chord.x);
        if wrap_angle(node.heading_rad() - heading).abs() > LARGEST_ANGLE {
            continue;
        }
        let normal = [-math::sin(heading), math::cos(heading)];
        let residual_m = (here[0] - nearest.point.x) * normal[0] + (here[1] - nearest.point.y) * normal[1];
        places.push(Place { time_s: node.time_s, s_m: nearest.s, normal, residual_m });
    }
    places
}

/// The step of each knot: robust least squares of `n · d = r`, each less its mean over the laps at that
/// part of the line.
fn solved(places: &[Place], drift: &Drift) -> Option<Vec<[f64; 2]>> {
    let knots = drift.times_s.len();
    let unknowns = 2 * knots;
    let mut matrix = DMatrix::<f64>::zeros(unknowns, unknowns);
    let mut vector = DVector::<f64>::zeros(unknowns);
    // By part of the lap: sums of weights, of weighted rows and of weighted residuals.
    let mut parts: BTreeMap<usize, (f64, DVector<f64>, f64)> = BTreeMap::new();
    let middles = middle_residuals(places);
    for place in places {
        let part = (place.s_m / PART_M) as usize;
        let beside = place.residual_m - middles.get(&part).copied().unwrap_or(0.0);
        let weight = 1.0 / (DRIVER_M * DRIVER_M + beside * beside);
        let mut entries: Vec<(usize, f64)> = Vec::with_capacity(4);
        for (knot, fraction) in drift.weights(place.time_s) {
            entries.push((2 * knot, fraction * place.normal[0]));
            entries.push((2 * knot + 1, fraction * place.normal[1]));
        }
        let sums = parts.entry(part).or_insert_with(|| (0.0, DVector::zeros(unknowns), 0.0));
        sums.0 += weight;
        sums.2 += weight * place.residual_m;
        for &(row, a) in &entries {
            sums.1[row] += weight * a;
            vector[row] += weight * a * place.residual_m;
            for &(column, b) in &entries {
                matrix[(row, column)] += weight * a * b;
            }
        }
    }
    for (weights, rows, residuals) in parts.values() {
        matrix.ger(-1.0 / weights, rows, rows, 1.0);
        vector.axpy(-residuals / weights, rows, 1.0);
    }
    for knot in 0..knots {
        for axis in 0..2 {
            let place = 2 * knot + axis;
            let offset = drift.offsets_m[knot][axis];
            matrix[(place, place)] += math::powi(OFFSET_M, -2);
            vector[place] -= offset * math::powi(OFFSET_M, -2);
            if knot + 1 < knots {
                let step = drift.offsets_m[knot + 1][axis] - offset;
                let (next, weight) = (place + 2, math::powi(STEP_M, -2));
                matrix[(place, place)] += weight;
                matrix[(next, next)] += weight;
                matrix[(place, next)] -= weight;
                matrix[(next, place)] -= weight;
                vector[place] += weight * step;
                vector[next] -= weight * step;
            }
        }
    }
    let solution = matrix.cholesky()?.solve(&vector);
    Some((0..knots).map(|knot| [solution[2 * knot], solution[2 * knot + 1]]).collect())
}

/// The middle residual of each part of the lap.
fn middle_residuals(places: &[Place]) -> BTreeMap<usize, f64> {
    let mut by_part: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for place in places {
        by_part.entry((place.s_m / PART_M) as usize).or_default().push(place.residual_m);
    }
    let middle = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(0.0)
    };
    by_part.into_iter().map(|(part, values)| (part, middle(values))).collect()
}

/// The shift of the whole path from a road: the smallest with which the path, less the shift, lies no farther
/// than `free_m` from its line, in least squares.
fn shift(places: &[Place], free_m: f64) -> [f64; 2] {
    let mut shift = [0.0; 2];
    for _ in 0..ROUNDS_OF_SHIFT {
        let weight = SHIFT_WEIGHT * places.len() as f64;
        let mut matrix = Matrix2::new(weight, 0.0, 0.0, weight);
        let mut vector = Vector2::zeros();
        for place in places {
            let beside = place.residual_m - place.normal[0] * shift[0] - place.normal[1] * shift[1];
            let beyond = beside - beside.clamp(-free_m, free_m);
            if beyond == 0.0 {
                continue;
            }
            // A few places far away, such as a run off the road, move nothing.
            let weight = 1.0 / (1.0 + beyond * beyond);
            let normal = Vector2::new(place.normal[0], place.normal[1]);
            matrix += normal * normal.transpose() * weight;
            vector += normal * (weight * (beyond + normal.dot(&Vector2::new(shift[0], shift[1]))));
        }
        let Some(solution) = matrix.cholesky().map(|factors| factors.solve(&vector)) else { break };
        shift = [solution.x, solution.y];
    }
    shift
}
