//! Whether a line passes the pins of its options and keeps their speed caps.
//!
//! A pin is judged by its distance from the cubics between the points. A cap is judged between the two
//! cross-sections that the file has for it, its gates: from where the line crosses the first to where it crosses
//! the second. Without gates the stretch is known to a few metres, and is judged where it surely is.

use raceline_file::{ConstraintKind, RacingLine};

use super::Rule;
use super::clearance::on_step;
use super::conditions::{CentreLine, Conditions};
use super::course::{Step, position};
use super::report::Tally;
use super::vector::{Xy, cross, dot, length, minus, plus};

/// Rounding of the place of a line, m.
const PIN_STEP_M: f64 = 2e-3;
/// Pieces of a step on which the nearest place is sought.
const PIECES: usize = 16;
/// A point this near to a gate, m, is not judged: where the line crosses it is known to less.
const GATE_M: f64 = 0.3;
/// A gate counts as this much longer at either end, as a fraction of its length.
const GATE_FRACTION: f64 = 0.05;
/// Rounding of a speed, m/s, and allowed excess, as a fraction.
const SPEED_STEP_MPS: f64 = 1e-4;
const SPEED_FRACTION: f64 = 1e-3;

/// Judges pins and speed caps.
pub fn judge<V, O>(line: &RacingLine<V, O>, steps: &[Step], conditions: &Conditions, tally: &mut Tally) {
    for (place, tolerance_m) in conditions.pins() {
        let (mut nearest_m, mut nearest) = (f64::INFINITY, 0);
        for step in steps {
            let from_m = length(minus(position(&line.points[step.from]), place));
            // No part of the step is nearer.
            if from_m - 2.0 * step.plane_m > nearest_m {
                continue;
            }
            let pieces = (0..=PIECES).map(|k| on_step(line, step, k as f64 / PIECES as f64));
            let distance_m = to_polyline(pieces, place);
            if distance_m < nearest_m {
                (nearest_m, nearest) = (distance_m, step.from);
            }
        }
        tally.at(Rule::Pin, nearest, nearest_m, tolerance_m + PIN_STEP_M);
    }
    for (index, cap) in conditions.caps().into_iter().enumerate() {
        let is_this = |kind, number| kind == ConstraintKind::SpeedCap && number == index + 1;
        let entry = line.constraints.iter().find(|entry| is_this(entry.kind, entry.number));
        let allowed_mps = cap.max_speed_mps * (1.0 + SPEED_FRACTION) + SPEED_STEP_MPS;
        let judged = match entry.and_then(|entry| entry.gates) {
            Some(gates) => between_gates(line, steps, gates),
            None => Some(surely_in(line, [cap.from_m, cap.to_m])),
        };
        let Some(judged) = judged else {
            // A line that does not cross the gates does not run along the stretch.
            tally.whole(Rule::SpeedCap, f64::NAN, allowed_mps);
            continue;
        };
        for index in judged {
            tally.at(Rule::SpeedCap, index, line.points[index].speed_mps, allowed_mps);
        }
    }
}

/// The points that are surely on a stretch along the centre line, m.
pub fn surely_in<V, O>(line: &RacingLine<V, O>, [from_m, to_m]: [f64; 2]) -> Vec<usize> {
    let CentreLine { length_m, slack_m } = CentreLine::of(line);
    let (from, to) = (from_m + slack_m, to_m - slack_m);
    let scale = length_m / line.length_m;
    let is_in = |place: f64| if to_m >= from_m { (from..=to).contains(&place) } else { place >= from || place <= to };
    let points = line.points.iter().enumerate();
    points.filter(|(_, point)| is_in(point.s_m * scale)).map(|(index, _)| index).collect()
}

/// The points between the gates; `None` where the line does not cross one of them.
fn between_gates<V, O>(line: &RacingLine<V, O>, steps: &[Step], gates: [[Xy; 2]; 2]) -> Option<Vec<usize>> {
    let crossing = |[right, left]: [Xy; 2]| {
        steps.iter().find_map(|step| {
            let [a, b] = [step.from, step.to].map(|index| position(&line.points[index]));
            let (gate, along) = (minus(left, right), minus(b, a));
            let (before, after) = (cross(gate, minus(a, right)), cross(gate, minus(b, right)));
            if (before > 0.0) == (after > 0.0) {
                return None;
            }
            let fraction = before / (before - after);
            let place = plus(a, fraction, along);
            let across = dot(minus(place, right), gate) / dot(gate, gate);
            let is_on = (-GATE_FRACTION..=1.0 + GATE_FRACTION).contains(&across);
            is_on.then_some((step.from, place))
        })
    };
    let [(begin, entry), (end, exit)] = [crossing(gates[0])?, crossing(gates[1])?];
    let n = line.points.len();
    let count = if end >= begin { end - begin } else { end + n - begin };
    let far = |index: &usize| {
        let place = position(&line.points[*index]);
        length(minus(place, entry)) > GATE_M && length(minus(place, exit)) > GATE_M
    };
    Some((1..=count).map(|k| (begin + k) % n).filter(far).collect())
}

/// Distance of `place` from the polyline through `points`, m.
fn to_polyline(points: impl Iterator<Item = Xy>, place: Xy) -> f64 {
    let (mut before, mut nearest) = (None, f64::INFINITY);
    for point in points {
        let from: Xy = before.unwrap_or(point);
        let along = minus(point, from);
        let square = dot(along, along);
        let fraction = if square > 0.0 { (dot(minus(place, from), along) / square).clamp(0.0, 1.0) } else { 0.0 };
        nearest = nearest.min(length(minus(place, plus(from, fraction, along))));
        before = Some(point);
    }
    nearest
}
