//! Whether times and accelerations are those of the speeds.
//!
//! The time of a step is the integral of ds / v. The square of the speed, w, is taken as the cubic over the
//! distance with its values and slopes at the points, and the integral by the four-point rule of Gauss:
//!
//! ```text
//! T = ∫ ds / √w(s)
//! ```
//!
//! Slopes are differences of neighbouring steps, bounded so that the cubic does not overshoot. Where a step
//! begins or ends at standstill, w grows evenly and the integral is `2 L / (v₀ + v₁)`.

use raceline_file::RacingLine;

use super::Rule;
use super::changes::Changes;
use super::course::{Step, around};
use super::report::Tally;

/// Places and weights of the rule of Gauss on (0, 1).
const GAUSS: [(f64, f64); 4] = [
    (0.069_431_844_202_973_71, 0.173_927_422_568_726_93),
    (0.330_009_478_207_571_87, 0.326_072_577_431_273_07),
    (0.669_990_521_792_428_1, 0.326_072_577_431_273_07),
    (0.930_568_155_797_026_3, 0.173_927_422_568_726_93),
];
/// Rounding of `s_m`, `speed_mps`, `accel_mps2` and `time_s` in a file, at both ends of a step.
const ARC_STEP_M: f64 = 1.05e-3;
const SPEED_STEP_MPS: f64 = 1.05e-4;
const TIME_STEP_S: f64 = 1.05e-5;
/// Allowed difference of the time since the start, as a fraction of it.
const TIME_FRACTION: f64 = 1e-3;
/// Allowed difference of a step's time, as a fraction of it.
const STEP_FRACTION: f64 = 1e-2;
/// Fraction of the change of the squared speed's slope about a step, times its length, that the mean squared speed
/// of the step may differ by: 1/8 where the slope changes at once in its middle, as where braking begins, and more
/// where the curvature swings.
const KINK_FRACTION: f64 = 0.4;
/// Allowed part of a turn, rad, by which the curvature swings about a step, in its time: speeds follow it.
const CHANGE_IN_TIME: f64 = 0.5;
/// Largest fraction of a step's time that both allow.
const MAX_KINKED: f64 = 0.08;
/// Deviations of single steps that may add up, as the root of the sum of their squares.
const DEVIATIONS: f64 = 1.0;
/// Allowed difference of an acceleration, as a fraction of it.
const ACCEL_FRACTION: f64 = 1e-4;
/// Ratio of the squared speeds at the ends of a step from which on it is taken as one from standstill.
const STANDSTILL_RATIO: f64 = 0.05;

/// Judges the times and accelerations of `line` with its `steps`.
pub fn judge<V, O>(line: &RacingLine<V, O>, steps: &[Step], changes: &Changes, tally: &mut Tally) {
    let squares: Vec<f64> = line.points.iter().map(|point| point.speed_mps * point.speed_mps).collect();
    let slopes: Vec<f64> = (0..squares.len()).map(|index| slope(index, &squares, steps, line.closed)).collect();
    let chords: Vec<f64> = steps.iter().map(|step| (squares[step.to] - squares[step.from]) / step.space_m).collect();
    let (mut own_s, mut square_s2) = (0.0, 0.0);
    for step in steps {
        let (from, to) = (squares[step.from], squares[step.to]);
        let even_s = 2.0 * step.space_m / (from.sqrt() + to.sqrt());
        let time_s = if from.min(to) < STANDSTILL_RATIO * from.max(to) {
            even_s
        } else {
            by_gauss(step.space_m, [from, to], [slopes[step.from], slopes[step.to]])
        };
        let slowest = from.min(to).sqrt().max(f64::MIN_POSITIVE);
        // Near standstill a change of the acceleration within a step has its largest effect.
        let rough_s = if from.min(to) < STANDSTILL_RATIO * from.max(to) { 0.1 * even_s } else { 0.0 };
        let kinked = KINK_FRACTION * kink(step, &chords, line.closed) * step.space_m / (2.0 * from.min(to));
        let k = step.from as isize;
        let swing = CHANGE_IN_TIME * changes.largest(k - 2, k + 2) * step.plane_m;
        let bend_s = time_s * (kinked + swing).min(MAX_KINKED) + rough_s;
        let rounding_s = TIME_STEP_S + ARC_STEP_M.min(step.space_m) / slowest.max(1e-3);
        let allowed_s = rounding_s + STEP_FRACTION * time_s + bend_s;
        tally.at(Rule::StepTime, step.from, (step.stated_s - time_s).abs(), allowed_s);
        own_s += time_s;
        square_s2 += bend_s * bend_s;
        let stated_s = if step.to == 0 { line.lap_time_s } else { line.points[step.to].time_s };
        let allowed_s =
            2.0 * TIME_STEP_S + TIME_FRACTION * own_s + DEVIATIONS * square_s2.sqrt() + ARC_STEP_M / slowest.max(0.1);
        tally.at(Rule::Time, step.to, (stated_s - own_s).abs(), allowed_s);
        acceleration(line, step, [from, to], tally);
    }
    if let Some(last) = line.points.last().filter(|_| !line.closed) {
        tally.whole(Rule::Time, (line.lap_time_s - last.time_s).abs(), 2.0 * TIME_STEP_S);
    }
}

fn acceleration<V, O>(line: &RacingLine<V, O>, step: &Step, [from, to]: [f64; 2], tally: &mut Tally) {
    let own = (to - from) / (2.0 * step.space_m);
    let speeds = from.sqrt() + to.sqrt();
    let rounding = SPEED_STEP_MPS * (1.0 + speeds / step.space_m) + own.abs() * 1.5 * ARC_STEP_M / step.space_m;
    let allowed = rounding + ACCEL_FRACTION * own.abs();
    tally.at(Rule::Acceleration, step.from, (line.points[step.from].accel_mps2 - own).abs(), allowed);
}

/// Changes of the squared speed's slope from the step before and to the step after, m/s².
fn kink(step: &Step, chords: &[f64], closed: bool) -> f64 {
    let (k, n) = (step.from, chords.len());
    let before = if k == 0 && !closed { None } else { Some(chords[(k + n - 1) % n]) };
    let after = if k + 1 == n && !closed { None } else { Some(chords[(k + 1) % n]) };
    [before, after].into_iter().flatten().map(|other| (other - chords[k]).abs()).sum()
}

/// Slope of the squared speed over distance at a point.
fn slope(index: usize, squares: &[f64], steps: &[Step], closed: bool) -> f64 {
    let (before, after) = around(index, steps.len(), closed);
    let of = |step: &Step| (squares[step.to] - squares[step.from]) / step.space_m;
    match (before.map(|k| &steps[k]), after.map(|k| &steps[k])) {
        (Some(before), Some(after)) => {
            let (a, b) = (of(before), of(after));
            if a * b <= 0.0 {
                return 0.0;
            }
            let mean = (a * after.space_m + b * before.space_m) / (before.space_m + after.space_m);
            mean.abs().min(2.0 * a.abs().min(b.abs())).copysign(a)
        }
        (Some(one), None) | (None, Some(one)) => of(one),
        (None, None) => 0.0,
    }
}

fn by_gauss(length_m: f64, [from, to]: [f64; 2], slopes: [f64; 2]) -> f64 {
    let square = |t: f64| {
        let (t2, t3) = (t * t, t * t * t);
        let cubic = (2.0 * t3 - 3.0 * t2 + 1.0) * from
            + (3.0 * t2 - 2.0 * t3) * to
            + length_m * ((t3 - 2.0 * t2 + t) * slopes[0] + (t3 - t2) * slopes[1]);
        cubic.max(0.25 * from.min(to))
    };
    length_m * GAUSS.iter().map(|&(place, weight)| weight / square(place).sqrt()).sum::<f64>()
}
