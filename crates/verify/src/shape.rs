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
//! curvature about them. Those are measured from the headings alone, so that a wrong curvature does not
//! widen its own tolerance, and headings are judged by the positions.

use raceline_file::RacingLine;

use super::Rule;
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
const LENGTH_FRACTION: f64 = 5e-5;
const BENT_FRACTION: f64 = 0.15;
/// Allowed part of a change of curvature in a heading and in a curvature.
const CHANGE_IN_HEADING: f64 = 0.15;
const CHANGE_IN_CURVATURE: f64 = 0.6;
/// Fourth order of the angles, in a step that turns by an angle.
const FOURTH_ORDER: f64 = 2e-3;
/// Third order of the angles in a direction.
const THIRD_ORDER: f64 = 0.02;
/// Allowed error of a curvature, as a fraction of it and of 1/L.
const CURVATURE_FRACTION: f64 = 2e-3;

/// Judges the shape of `line` with its `steps`.
pub fn judge<V, O>(line: &RacingLine<V, O>, steps: &[Step], tally: &mut Tally) {
    start(line, tally);
    lengths(line, steps, tally);
    let changes = Changes::new(steps, line.closed);
    headings(line, steps, &changes, tally);
    curvatures(line, steps, &changes, tally);
    heights(line, steps, tally);
    direction(line, tally);
    candidate(line, tally);
}

fn start<V, O>(line: &RacingLine<V, O>, tally: &mut Tally) {
    if let Some(first) = line.points.first() {
        tally.at(Rule::Start, 0, first.s_m.abs().max(first.time_s.abs()), 1e-9);
    }
}

fn lengths<V, O>(line: &RacingLine<V, O>, steps: &[Step], tally: &mut Tally) {
    let (mut own_m, mut slack_m) = (0.0, 0.0);
    for step in steps {
        let turn = step.turn_rad.abs();
        let inexact_m = BENT_FRACTION * step.bent_m + FOURTH_ORDER * turn.powi(4) * step.chord_m;
        let allowed_m = ARC_STEP_M + 2.0 * POSITION_STEP_M + LENGTH_FRACTION * step.space_m + inexact_m;
        tally.at(Rule::StepLength, step.from, (step.stated_m - step.space_m).abs(), allowed_m);
        own_m += step.space_m;
        slack_m += 0.2 * inexact_m + LENGTH_FRACTION * step.space_m;
        let stated_m = if step.to == 0 { line.length_m } else { line.points[step.to].s_m };
        tally.at(Rule::Length, step.to, (stated_m - own_m).abs(), ARC_STEP_M + slack_m);
    }
    if let Some(last) = line.points.last().filter(|_| !line.closed) {
        tally.whole(Rule::Length, (line.length_m - last.s_m).abs(), ARC_STEP_M);
    }
}

/// Changes of curvature about each step, from the headings alone.
struct Changes {
    /// Mean curvature of each step, 1/m.
    bends: Vec<f64>,
    closed: bool,
}

impl Changes {
    fn new(steps: &[Step], closed: bool) -> Self {
        Self { bends: steps.iter().map(|step| step.turn_rad / step.plane_m.max(POSITION_STEP_M)).collect(), closed }
    }

    fn bend(&self, index: isize) -> Option<f64> {
        let n = self.bends.len() as isize;
        let index = if self.closed { index.rem_euclid(n) } else { index };
        usize::try_from(index).ok().and_then(|index| self.bends.get(index)).copied()
    }

    /// The largest change between neighbours among the steps from `from` to `to`, 1/m.
    fn largest(&self, from: isize, to: isize) -> f64 {
        (from..to)
            .filter_map(|index| Some((self.bend(index + 1)? - self.bend(index)?).abs()))
            .fold(0.0, f64::max)
    }
}

fn headings<V, O>(line: &RacingLine<V, O>, steps: &[Step], changes: &Changes, tally: &mut Tally) {
    for (index, step) in steps.iter().enumerate() {
        let k = index as isize;
        let change = changes.largest(k - 2, k + 2);
        // Equation (2).
        let kappa = [step.from, step.to].map(|point| line.points[point].curvature_radpm);
        let bias = ((kappa[1] - kappa[0]) * step.plane_m / 12.0).clamp(-0.2, 0.2);
        let off = wrapped(step.aside_rad - bias).abs().min(wrapped(step.aside_rad).abs());
        let rounding = 2.0 * POSITION_STEP_M / step.chord_m.max(POSITION_STEP_M) + ANGLE_STEP;
        let allowed =
            rounding + CHANGE_IN_HEADING * change * step.plane_m + THIRD_ORDER * step.turn_rad.abs().powi(3);
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
                (changes.bends[before] * lengths[1] + changes.bends[after] * lengths[0]) / whole
            }
            (Some(one), None) | (None, Some(one)) => changes.bends[one],
            (None, None) => continue,
        };
        // At an end of an open line, the step's mean is half a step away.
        let end = if before.is_some() && after.is_some() { 0.0 } else { change };
        let shortest = lengths.into_iter().filter(|length| *length > 0.0).fold(f64::INFINITY, f64::min);
        let allowed = 4.0 * ANGLE_STEP / shortest
            + ANGLE_STEP
            + CHANGE_IN_CURVATURE * change
            + end
            + CURVATURE_FRACTION * expected.abs();
        tally.at(Rule::Curvature, index, (point.curvature_radpm - expected).abs(), allowed);
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
        other.x_m > point.x_m - reach_m && other.heading_rad.sin() * point.heading_rad.sin() < 0.0
    });
    if rivals {
        return;
    }
    let northward = point.heading_rad.sin();
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
