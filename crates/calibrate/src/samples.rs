//! Telemetry → samples: what the tyres and the drive gave at one moment, with the road taken out.
//!
//! With the grade θ, the banking φ (positive where the left edge is higher), the vertical curvature
//! κ_v and the acceleration (a_x, a_y) of the motion:
//!
//! ```text
//! along the road     a_x + g sin θ
//! across the road    a_y cos φ + g sin φ
//! on the road        g cos θ cos φ - a_y sin φ + κ_v v²      or normal_accel_mps2
//! ```
//!
//! While a car turns in or out, one axle gives more than in a steady bend, and the centre of gravity may
//! accelerate by more than the limit of the other axle. With the distances a and b from the centre of
//! gravity to the front and the rear axle, the squared radius of gyration k² and the yaw rate r, the axles
//! give by what they carry (the balance of forces and of moments)
//!
//! ```text
//! front   a_y + k² r' / b                    rear   a_y - k² r' / a
//! ```
//!
//! and the lower of both shows the lateral limit.

use super::smoothing::{half_width, noise, rate_noise, slope_over_time, without_spikes};
use super::statistics::deviation;
use super::telemetry::{Run, Telemetry};
use raceline_car::{STANDARD_GRAVITY, Vehicle};
use raceline_numerics::math;

/// Slower samples are not used, m/s.
pub(super) const MIN_SPEED_MPS: f64 = 1.0;
/// Samples this long around a change of gear are not used for the drive, s.
const SHIFT_S: f64 = 0.25;
/// Measured accelerations, loads and pedals are means over this time to either side, s: shorter than
/// what a driver does, longer than bumps and noise.
const MEAN_S: f64 = 0.05;
/// Maximum number of samples of a mean to either side, for any rate.
const MAX_BESIDE: usize = 500;
/// Time put between two runs, s.
const BETWEEN_RUNS_S: f64 = 1000.0;
/// Greatest change of the slip angle in the course, rad/s: above it the velocity is too small.
const WILDEST_RAD_PS: f64 = 20.0;

/// One moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    /// Time, s, over all runs.
    pub clock_s: f64,
    /// Speed, m/s.
    pub speed: f64,
    /// Acceleration along the road without the grade's part, m/s²: what tyres and resistance give.
    pub along: f64,
    /// Size of the acceleration across the road by the tyres, m/s².
    pub across: f64,
    /// The lateral acceleration of the axle that gives less by what it carries, m/s²: at most `across`.
    pub steady: f64,
    /// What presses on the road by weight and curvature, m/s².
    pub normal: f64,
    /// Factor of the grip.
    pub grip: f64,
    /// Throttle and brake while `along` was measured; `NaN` where they are not known.
    pub throttle: f64,
    pub brake: f64,
    /// Whether the gear changes about here.
    pub shifts: bool,
    /// Load of all wheels, N; `NaN` where it is not known.
    pub load: f64,
    /// Load of the front wheels, N, likewise.
    pub load_front: f64,
}

/// Turning inertia by what the axles carry, m: k² / b in front and k² / a at the rear.
#[derive(Clone, Copy, Debug)]
struct TurningArms {
    front_m: f64,
    rear_m: f64,
}

impl TurningArms {
    fn of(base: &Vehicle) -> Self {
        let handling = base.handling();
        let front = handling.front_weight_fraction.clamp(0.1, 0.9);
        let of_axle = |carried: f64| handling.gyration_m2 / (carried * base.wheelbase_m);
        Self { front_m: of_axle(front), rear_m: of_axle(1.0 - front) }
    }
}

/// A pedal that is pressed less than this, 0 to 1, is up: sensors do not return to 0 exactly.
pub(super) const UP: f64 = 0.02;

impl Sample {
    /// Whether the brake is known to be pressed.
    pub fn is_braked(&self) -> bool {
        self.brake > UP
    }
}

/// All samples with the noise of their accelerations.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Samples {
    pub all: Vec<Sample>,
    /// Standard deviation of the noise of `along` and `across`, m/s².
    pub noise_along: f64,
    pub noise_across: f64,
    pub has_throttle: bool,
    pub has_brake: bool,
}

impl Samples {
    /// The samples of `telemetry` of a car with the axles of `base`, with the pedals of `lag_s` before.
    pub fn of(telemetry: &Telemetry, base: &Vehicle, lag_s: f64) -> Self {
        let arms = TurningArms::of(base);
        let mut samples = Self {
            has_throttle: telemetry.runs.iter().all(|run| run.throttle.is_some()),
            has_brake: telemetry.runs.iter().all(|run| run.brake.is_some()),
            ..Self::default()
        };
        let mut start_s = 0.0;
        let mut counted = 0.0;
        for run in &telemetry.runs {
            let weight = run.len() as f64;
            let (along, across) = samples.add(run, arms, start_s, lag_s);
            samples.noise_along += weight * along * along;
            samples.noise_across += weight * across * across;
            counted += weight;
            let length = run.time_s.last().zip(run.time_s.first()).map_or(0.0, |(last, first)| last - first);
            start_s += length + BETWEEN_RUNS_S;
        }
        samples.noise_along = (samples.noise_along / f64::max(counted, 1.0)).sqrt();
        samples.noise_across = (samples.noise_across / f64::max(counted, 1.0)).sqrt();
        samples
    }

    /// Adds a run and returns the noise of its accelerations.
    fn add(&mut self, run: &Run, arms: TurningArms, start_s: f64, lag_s: f64) -> (f64, f64) {
        let (n, step_s) = (run.len(), run.step_s());
        let Some(&first_s) = run.time_s.first() else { return (0.0, 0.0) };
        let speed = without_spikes(&run.path_speed_mps());
        let speed_noise = noise(&speed);
        let half = half_width(speed_noise, step_s);
        let beside = ((MEAN_S / step_s).round() as usize).min(MAX_BESIDE);
        let mean = |values: &[f64]| means(values, beside);
        let mean_noise = ((2 * beside + 1) as f64).sqrt();
        let nothing = || vec![f64::NAN; n];
        let rate = |values: &[f64]| slope_over_time(&run.time_s, values, &run.time_s, half).unwrap_or_else(nothing);
        let (along, noise_along) = match &run.accel_mps2 {
            Some(accel) => (mean(&without_spikes(accel)), difference_noise(accel) / mean_noise),
            None => (rate(&speed), rate_noise(speed_noise, step_s, half)),
        };
        let sideslip = run.leftward_mps.as_ref().map(|leftward| {
            let angle = |(forward, leftward): (&f64, &f64)| math::atan2(*leftward, *forward);
            run.speed_mps.iter().zip(leftward).map(angle).collect::<Vec<f64>>()
        });
        let across = match (&run.lateral_accel_mps2, &run.yaw_rate_radps) {
            (Some(across), _) => mean(&without_spikes(across)),
            (None, Some(yaw)) => {
                let change = sideslip.as_ref().map(|sideslip| rate(sideslip));
                let turning = |i: usize| change.as_ref().map_or(0.0, |change| change[i]);
                (0..n)
                    .map(|i| match turning(i) {
                        change if change.abs() > WILDEST_RAD_PS => f64::NAN,
                        change => speed[i] * (yaw[i] + change),
                    })
                    .collect()
            }
            (None, None) => nothing(),
        };
        // What is derived is along and across the course; the tyres' limits are those along and across the body.
        let turned = match &sideslip {
            Some(sideslip) if run.accel_mps2.is_none() && run.lateral_accel_mps2.is_none() => {
                let in_body = |((along, across), angle): ((&f64, &f64), &f64)| {
                    let (sin, cos) = math::sin_cos(*angle);
                    (along * cos - across * sin, along * sin + across * cos)
                };
                Some(along.iter().zip(&across).zip(sideslip).map(in_body).unzip())
            }
            _ => None,
        };
        let (along, across): (Vec<f64>, Vec<f64>) = turned.unwrap_or((along, across));
        let noise_across = match &run.lateral_accel_mps2 {
            Some(across) => difference_noise(across) / mean_noise,
            None => difference_noise(&across),
        };
        // A derived acceleration is a mean over some samples, and so must the pedals be.
        let pedal = |values: &Option<Vec<f64>>| match values {
            None => nothing(),
            Some(values) if run.accel_mps2.is_some() => mean(&delayed(&run.time_s, values, lag_s)),
            Some(values) => rate(&delayed(&run.time_s, &sum_over_time(&run.time_s, values), lag_s)),
        };
        let load: Option<Vec<f64>> = match (&run.load_front_n, &run.load_rear_n) {
            (Some(front), Some(rear)) => {
                Some(mean(&front.iter().zip(rear).map(|(front, rear)| front + rear).collect::<Vec<_>>()))
            }
            _ => None,
        };
        let load_front = run.load_front_n.as_ref().map(|front| mean(front));
        let turning = run.yaw_rate_radps.as_ref().map(|yaw| {
            let yaw = without_spikes(yaw);
            slope_over_time(
                &run.time_s,
                &yaw,
                &run.time_s,
                half_width(arms.front_m.max(arms.rear_m) * noise(&yaw), step_s),
            )
            .unwrap_or_else(nothing)
        });
        let (throttle, brake) = (pedal(&run.throttle), pedal(&run.brake));
        let shifts = shifts(run);
        let at = |values: &Option<Vec<f64>>, i: usize, default: f64| values.as_ref().map_or(default, |v| v[i]);
        for i in 0..n {
            let (grade, banking) = (at(&run.grade_rad, i, 0.0), at(&run.banking_rad, i, 0.0));
            let v = speed[i];
            let by_tyres = across[i] * math::cos(banking) + STANDARD_GRAVITY * math::sin(banking);
            let by_road = STANDARD_GRAVITY * math::cos(grade) * math::cos(banking) - across[i] * math::sin(banking)
                + at(&run.vertical_curvature_radpm, i, 0.0) * v * v;
            let sample = Sample {
                clock_s: start_s + run.time_s[i] - first_s,
                speed: v,
                along: along[i] + STANDARD_GRAVITY * math::sin(grade),
                across: by_tyres.abs(),
                steady: steady(by_tyres, at(&turning, i, 0.0), arms),
                normal: at(&run.normal_accel_mps2, i, by_road),
                grip: at(&run.grip, i, 1.0),
                throttle: throttle[i],
                brake: brake[i],
                shifts: shifts[i],
                load: at(&load, i, f64::NAN),
                load_front: at(&load_front, i, f64::NAN),
            };
            let known = sample.along.is_finite() && sample.across.is_finite() && v >= MIN_SPEED_MPS;
            let pressed = sample.grip > 0.05 && sample.normal.is_finite();
            if known && pressed {
                self.all.push(sample);
            }
        }
        (noise_along, noise_across)
    }

    /// The time that the samples cover, s.
    pub fn seconds(&self, step_s: f64) -> f64 {
        self.all.len() as f64 * step_s
    }
}

/// The lateral acceleration of the axle that gives less, m/s², where the tyres give `across` and the yaw rate
/// changes by `turning` in a second; without a change where that is not known.
fn steady(across: f64, turning: f64, arms: TurningArms) -> f64 {
    if !turning.is_finite() {
        return across.abs();
    }
    let turning = turning * across.signum();
    (across.abs() + (arms.front_m * turning).min(-arms.rear_m * turning)).max(0.0)
}

/// Noise of a column that changes little from sample to sample.
fn difference_noise(values: &[f64]) -> f64 {
    let mut seconds: Vec<f64> = values
        .windows(3)
        .map(|v| (v[2] - 2.0 * v[1] + v[0]) / 6_f64.sqrt())
        .filter(|difference| difference.is_finite())
        .collect();
    deviation(&mut seconds)
}

/// The means of `values` over `beside` samples to either side.
fn means(values: &[f64], beside: usize) -> Vec<f64> {
    let last = values.len().saturating_sub(1);
    let around = |i: usize| &values[i.saturating_sub(beside)..=(i + beside).min(last)];
    (0..values.len()).map(|i| around(i).iter().sum::<f64>() / around(i).len() as f64).collect()
}

/// The integral of `values`, each held until the next one.
fn sum_over_time(time_s: &[f64], values: &[f64]) -> Vec<f64> {
    let mut sum = 0.0;
    let mut sums = Vec::with_capacity(values.len());
    for i in 0..values.len() {
        sums.push(sum);
        if i + 1 < values.len() {
            sum += values[i] * (time_s[i + 1] - time_s[i]);
        }
    }
    sums
}

/// `values` at `lag_s` before each sample, linear in between.
fn delayed(time_s: &[f64], values: &[f64], lag_s: f64) -> Vec<f64> {
    if lag_s == 0.0 {
        return values.to_vec();
    }
    let last = values.len().saturating_sub(1);
    time_s
        .iter()
        .map(|time| {
            let wanted = time - lag_s;
            let after = time_s.partition_point(|t| *t < wanted).clamp(1.min(last), last);
            let before = after.saturating_sub(1);
            let span = time_s[after] - time_s[before];
            let fraction = if span > 0.0 { (wanted - time_s[before]) / span } else { 0.0 };
            values[before] + fraction.clamp(-1.0, 2.0) * (values[after] - values[before])
        })
        .collect()
}

/// Whether each sample lies near a change of gear.
fn shifts(run: &Run) -> Vec<bool> {
    let mut near = vec![false; run.len()];
    let Some(gear) = &run.gear else { return near };
    for i in 1..run.len() {
        if gear[i] == gear[i - 1] {
            continue;
        }
        let within = |j: &usize| (run.time_s[*j] - run.time_s[i]).abs() <= SHIFT_S;
        (i..run.len()).take_while(within).for_each(|j| near[j] = true);
        (0..i).rev().take_while(within).for_each(|j| near[j] = true);
    }
    near
}

#[cfg(test)]
mod tests {
    use super::{Run, shifts};

    #[test]
    fn a_quarter_of_a_second_about_a_change_of_gear_is_left_out() {
        let time_s: Vec<f64> = (0..100).map(|i| f64::from(i) / 20.0).collect();
        let gear = time_s.iter().map(|&time_s| if time_s < 2.5 { 2.0 } else { 3.0 }).collect();
        let near = shifts(&Run { time_s, gear: Some(gear), ..Run::default() });
        let found: Vec<usize> = (0..100).filter(|&i| near[i]).collect();
        // The third gear is in at 2.5 s, sample 50.
        assert_eq!(found, (45..=55).collect::<Vec<usize>>());
    }
}
