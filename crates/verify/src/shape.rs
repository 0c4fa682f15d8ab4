//! Whether positions, arc length, headings and curvature describe the same curve.
//!
//! Between two points with the headings ψ₀ and ψ₁ and the curvatures κ₀ and κ₁ at the distance L, with c
//! the chord and φ its direction, where curvature changes evenly:
//!
//! ```text
//! L           = c (1 + (2 a² - a b + 2 b²) / 30)      a = ψ₀ - φ, b = ψ₁ - φ          (1)
//! φ           = (ψ₀ + ψ₁) / 2 - (κ₁ - κ₀) L / 12                                      (2)
//! ψ₁ - ψ₀     = (κ₀ + κ₁) L / 2                                                       (3)
//! ```
//!
//! Equation (1) is the length of the cubic with these directions, exact to the fourth order of the angles.
//! Where the curvature has kinks between the points, (2) and (3) are off by a fraction of the changes of
//! curvature about them. Those are measured from the headings, so that a wrong curvature does not widen
//! its own tolerance, and for (2) also from the positions, of which the smaller counts: a wrong heading or
//! position changes one of them.

use raceline_file::RacingLine;
use raceline_numerics::math;

use super::Rule;
use super::changes::Changes;
use super::course::{Step, around};
use super::report::Tally;
use super::vector::wrapped;

/// Rounding of `s_m` in a file: half a millimetre at either end of a step.
const ARC_STEP_M: f64 = 1.05e-3;
/// Rounding of a position in a file, in any direction.
const POSITION_STEP_M: f64 = 1.5e-5;
/// Rounding of an angle or a curvature in a file.
const ANGLE_STEP: f64 = 1e-8;
/// Allowed difference of arc lengths, as a fraction of the length and of what bends add to the chord.
const LENGTH_FRACTION: f64 = 2e-4;
const BENT_FRACTION: f64 = 0.15;
/// Allowed difference of the length since the start, as a fraction of it.
const TOTAL_FRACTION: f64 = 5e-5;
/// Allowed part of a change of curvature in a length: where the curvature of a line swings, the lengths between its
/// points are those of a curve that is not known between them.
const CHANGE_IN_LENGTH: f64 = 0.03;
/// Allowed part of the square of a change of slope in a length in space.
const CHANGE_IN_SLOPE: f64 = 0.2;
/// Allowed part of what heights add to a length: the slope of a road whose sections fan depends on how the heights
/// are made a surface.
const RISE_FRACTION: f64 = 0.5;
/// Allowed part of a change of curvature in a heading and in a curvature.
const CHANGE_IN_HEADING: f64 = 0.24;
const CHANGE_IN_CURVATURE: f64 = 1.0;
/// Where the curvature swings little, twice that part is allowed, up to this angle more.
const SMALL_SWING_RAD: f64 = 5e-4;
/// Allowed difference of a heading, however smooth the line is: kinks of its curvature between two points that
/// neither headings nor positions at the points show. On a step of 4 m it is a fifth of a millimetre.
const UNSEEN_RAD: f64 = 5e-5;
/// Allowed part of what a change of curvature within a step turns its chord by.
const BIAS_FRACTION: f64 = 0.35;
/// Changes of curvature that an end of an open line may differ by.
const CHANGES_AT_END: f64 = 2.0;
/// Fourth order of the angles, in a step that turns by an angle.
const FOURTH_ORDER: f64 = 2e-3;
/// Third order of the angles in a direction.
const THIRD_ORDER: f64 = 0.02;
/// Allowed error of a curvature, as a fraction of it.
const CURVATURE_FRACTION: f64 = 2e-3;
/// Allowed error of a curvature, as a fraction of its swing within a step.
const BOW_FRACTION: f64 = 0.75;
/// Largest allowed error of a curvature by the rounding of positions, 1/m.
const MAX_ROUNDING: f64 = 2e-3;

/// Judges the shape of `line` with its `steps`, whose lengths are those of equation (1).
pub fn judge<V, O>(line: &RacingLine<V, O>, steps: &[Step], changes: &Changes, tally: &mut Tally) {
    start(line, tally);
    lengths(line, steps, changes, tally);
    headings(line, steps, [changes, &Changes::by_positions(line)], tally);
    curvatures(line, steps, changes, tally);
    heights(line, steps, tally);
    direction(line, tally);
    candidate(line, tally);
}

fn start<V, O>(line: &RacingLine<V, O>, tally: &mut Tally) {
    if let Some(first) = line.points.first() {
        tally.at(Rule::Start, 0, first.s_m.abs().max(first.time_s.abs()), 1e-9);
    }
}

fn lengths<V, O>(line: &RacingLine<V, O>, steps: &[Step], changes: &Changes, tally: &mut Tally) {
    let (mut own_m, mut slack_m) = (0.0, 0.0);
    for step in steps {
        let turn = step.turn_rad.abs();
        let k = step.from as isize;
        let inexact_m = BENT_FRACTION * step.bent_m
            + CHANGE_IN_LENGTH * changes.largest(k - 2, k + 2) * math::powi(step.plane_m, 2)
            + FOURTH_ORDER * math::powi(turn, 4) * step.chord_m
            + CHANGE_IN_SLOPE * math::powi(change_of_slope(step, steps, line.closed), 2) * step.plane_m
            + RISE_FRACTION * (step.space_m - step.plane_m);
        let allowed_m = ARC_STEP_M + 2.0 * POSITION_STEP_M + LENGTH_FRACTION * step.space_m + inexact_m;
        tally.at(Rule::StepLength, step.from, (step.stated_m - step.space_m).abs(), allowed_m);
        own_m += step.space_m;
        slack_m += 0.2 * inexact_m + TOTAL_FRACTION * step.space_m;
        let stated_m = if step.to == 0 { line.length_m } else { line.points[step.to].s_m };
        tally.at(Rule::Length, step.to, (stated_m - own_m).abs(), ARC_STEP_M + slack_m);
    }
    if let Some(last) = line.points.last().filter(|_| !line.closed) {
        tally.whole(Rule::Length, (line.length_m - last.s_m).abs(), ARC_STEP_M);
    }
}

/// The larger change of slope from the step before and to the step after.
fn change_of_slope(step: &Step, steps: &[Step], closed: bool) -> f64 {
    let slope = |step: &Step| step.rise_m / step.plane_m.max(POSITION_STEP_M);
    let (k, n) = (step.from, steps.len());
    let before = (k > 0 || closed).then(|| &steps[(k + n - 1) % n]);
    let after = (k + 1 < n || closed).then(|| &steps[(k + 1) % n]);
    [before, after].into_iter().flatten().map(|other| (slope(other) - slope(step)).abs()).fold(0.0, f64::max)
}

fn headings<V, O>(line: &RacingLine<V, O>, steps: &[Step], changes: [&Changes; 2], tally: &mut Tally) {
    for (index, step) in steps.iter().enumerate() {
        let k = index as isize;
        let [by_turn, by_position] = changes.map(|changes| changes.largest(k - 2, k + 3));
        let swing = by_turn.min(by_position) * step.plane_m;
        // Equation (2).
        let kappa = [step.from, step.to].map(|point| line.points[point].curvature_radpm);
        let bias = ((kappa[1] - kappa[0]) * step.plane_m / 12.0).clamp(-0.2, 0.2);
        let off = wrapped(step.aside_rad - bias).abs().min(wrapped(step.aside_rad).abs());
        let rounding = 2.0 * POSITION_STEP_M / step.chord_m.max(POSITION_STEP_M) + ANGLE_STEP;
        let allowed = rounding
            + UNSEEN_RAD
            + CHANGE_IN_HEADING * swing
            + SMALL_SWING_RAD.min(CHANGE_IN_HEADING * swing)
            + BIAS_FRACTION * bias.abs()
            + THIRD_ORDER * math::powi(step.turn_rad.abs(), 3);
        tally.at(Rule::Heading, step.from, off, allowed);
    }
}

fn curvatures<V, O>(line: &RacingLine<V, O>, steps: &[Step], changes: &Changes, tally: &mut Tally) {
    for (index, point) in line.points.iter().enumerate() {
        let (before, after) = around(index, steps.len(), line.closed);
        let k = index as isize;
        let change = changes.largest(k - 3, k + 2);
        let lengths = [before, after].map(|step| step.map_or(0.0, |step| steps[step].plane_m));
        let expected = match (before, after) {
            // Weighted by the other length: the value at the point of the straight line through the middles.
            (Some(before), Some(after)) => {
                let whole = (lengths[0] + lengths[1]).max(POSITION_STEP_M);
                (changes.bends()[before] * lengths[1] + changes.bends()[after] * lengths[0]) / whole
            }
            (Some(one), None) | (None, Some(one)) => changes.bends()[one],
            (None, None) => continue,
        };
        // At an end of an open line, the step's mean is half a step away.
        let end = if before.is_some() && after.is_some() { 0.0 } else { CHANGES_AT_END * change };
        let shortest = lengths.into_iter().filter(|length| *length > 0.0).fold(f64::INFINITY, f64::min);
        let smooth = CHANGE_IN_CURVATURE * change + end + CURVATURE_FRACTION * expected.abs() + ANGLE_STEP;
        let by_turn = ((point.curvature_radpm - expected).abs(), 4.0 * ANGLE_STEP / shortest + smooth);
        // A curvature that swings from point to point leaves no mark in the headings, but in the chords: equation
        // (2) with (3), for the beginning of the step after and for the end of the step before.
        let by_chord = [(before, 1.0), (after, -1.0)].into_iter().filter_map(|(step, sign)| {
            let (bend, step) = (changes.bends()[step?], &steps[step?]);
            let bow = 6.0 * step.aside_rad / step.plane_m.max(POSITION_STEP_M);
            let rounding = 12.0 * POSITION_STEP_M / math::powi(step.plane_m, 2).max(POSITION_STEP_M);
            let own = bend + sign * bow;
            Some(((point.curvature_radpm - own).abs(), rounding.min(MAX_ROUNDING) + BOW_FRACTION * bow.abs() + smooth))
        });
        let (off, allowed) =
            by_chord.fold(by_turn, |best, other| if other.0 * best.1 < best.0 * other.1 { other } else { best });
        tally.at(Rule::Curvature, index, off, allowed);
    }
}

fn heights<V, O>(line: &RacingLine<V, O>, steps: &[Step], tally: &mut Tally) {
    let of = |index: usize| line.points.get(index).is_some_and(|point| point.z_m.is_some());
    let differs = (0..line.points.len()).find(|&index| {
        let point = &line.points[index];
        point.z_m.is_some() != of(0) || point.banking_rad.is_some() != of(0) || point.load.is_some() != of(0)
    });
    if let Some(index) = differs {
        tally.at(Rule::Height, index, f64::INFINITY, 0.0);
    }
    if of(0) {
        for step in steps {
            // The steepest road rises as much as it is long.
            tally.at(Rule::Height, step.from, step.rise_m.abs(), step.plane_m + 2.0 * POSITION_STEP_M);
        }
    }
}

/// At the easternmost point, a line that runs counter-clockwise goes north.
fn direction<V, O>(line: &RacingLine<V, O>, tally: &mut Tally) {
    let easternmost = line.points.iter().enumerate().max_by(|a, b| a.1.x_m.total_cmp(&b.1.x_m));
    let Some((index, point)) = easternmost.filter(|_| line.closed) else { return };
    // The direction is that of the road: another leg may lie as far east as the line does here.
    let reach_m = 2.0 * (point.left_m + point.right_m);
    let rivals = line.points.iter().any(|other| {
        other.x_m > point.x_m - reach_m && math::sin(other.heading_rad) * math::sin(point.heading_rad) < 0.0
    });
    if rivals {
        return;
    }
    let northward = math::sin(point.heading_rad);
    let wanted = match line.direction {
        raceline_file::Direction::Counterclockwise => northward,
        raceline_file::Direction::Clockwise => -northward,
    };
    tally.at(Rule::Direction, index, -wanted, 0.0);
}

fn candidate<V, O>(line: &RacingLine<V, O>, tally: &mut Tally) {
    if let Some(own) = line.candidates.iter().find(|candidate| candidate.method == line.method) {
        let length_m = (own.length_m - line.length_m).abs();
        let time_s = (own.lap_time_s - line.lap_time_s).abs();
        tally.whole(Rule::Candidate, length_m, ARC_STEP_M + LENGTH_FRACTION * line.length_m);
        tally.whole(Rule::Candidate, time_s, 2e-5 + 1e-3 * line.lap_time_s);
    }
}
