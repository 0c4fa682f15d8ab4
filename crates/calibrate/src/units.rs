//! Whether the columns are in their units, by their sizes and by what follows from comparing them.

use super::error::CalibrateError;
use super::smoothing;
use super::statistics::{median, quantile};
use super::telemetry::Run;
use raceline_car::{STANDARD_GRAVITY, Vehicle};

/// A speed above this multiple of the base's greatest is in another unit, or the base is wrong.
const FASTEST: f64 = 1.35;
/// Two columns that should be equal differ in their unit if one is this many times the other.
const UNIT_FACTOR: f64 = 2.0;
/// Accelerations below these are too small to determine a unit, m/s².
const MIN_ALONG_MPS2: f64 = 1.0;
/// No wheeled vehicle reaches this lateral acceleration, m/s²: 15 g.
const WILDEST_MPS2: f64 = 150.0;
/// Longest usual time between two samples, s.
const LONGEST_STEP_S: f64 = 0.26;

/// Checks the units of a run against `base` and against one another.
///
/// # Errors
/// [`CalibrateError::Unit`] with the likely unit.
pub(super) fn check(run: &Run, base: &Vehicle) -> Result<(), CalibrateError> {
    let wrong = |column: &str, found: String, fix: &str| {
        Err(CalibrateError::Unit { file: run.name.clone(), column: column.to_owned(), found, fix: fix.to_owned() })
    };
    let max = |values: &[f64]| {
        let mut sizes: Vec<f64> = values.iter().map(|value| value.abs()).collect();
        quantile(&mut sizes, 0.99)
    };
    let step_s = run.step_s();
    if step_s > LONGEST_STEP_S {
        let fix = "give it in seconds (not milliseconds), with at least four rows a second";
        return wrong("time_s", format!("has {step_s} from row to row"), fix);
    }
    for (column, values) in [("throttle", &run.throttle), ("brake", &run.brake)] {
        if let Some(values) = values
            && max(values) > 1.5
        {
            let fix = "give it from 0 to 1: per cent are divided by 100";
            return wrong(column, format!("goes up to {:.0}", max(values)), fix);
        }
    }
    for (column, values) in [("grade_rad", &run.grade_rad), ("banking_rad", &run.banking_rad)] {
        if let Some(values) = values
            && max(values) > 1.2
        {
            let fix = "give it in radians: degrees are multiplied by 0.0174533";
            return wrong(column, format!("goes up to {:.1}", max(values)), fix);
        }
    }
    let speed = run.path_speed_mps();
    // The change of the speed against the column that should be equal to it.
    if let Some(accel) = &run.accel_mps2 {
        // Both as slopes over the same rows: a throttle that opens and closes from row to row changes the column by far
        // more than the speed.
        let slope =
            |values: &[f64]| smoothing::slope_over_time(&run.time_s, values, &run.time_s, 3).unwrap_or_default();
        let (derived, given) = (slope(&speed), slope(&smoothing::integral_over_time(&run.time_s, accel)));
        if let Some(factor) = factor_of(&derived, &given) {
            let reported = |factor: f64| format!("is {factor:.2} times the change of speed_mps");
            if (1.0 / factor - STANDARD_GRAVITY).abs() < 0.4 * STANDARD_GRAVITY {
                let fix = "multiples of g are multiplied by 9.80665";
                return wrong("accel_mps2", reported(factor), fix);
            }
            if (1.0 / factor - 3.6).abs() < 1.2 {
                let fix = "km/h are divided by 3.6";
                return wrong(
                    "speed_mps",
                    format!("changes {:.1} times as fast as accel_mps2 implies", 1.0 / factor),
                    fix,
                );
            }
            if !(1.0 / UNIT_FACTOR..=UNIT_FACTOR).contains(&factor) {
                let fix = "both must be in SI units, positive forwards";
                return wrong("accel_mps2", reported(factor), fix);
            }
        }
    }
    if let (Some(across), Some(yaw)) = (&run.lateral_accel_mps2, &run.yaw_rate_radps) {
        let derived: Vec<f64> = speed.iter().zip(yaw).map(|(v, r)| v * r).collect();
        if let Some(factor) = factor_of(&derived, across)
            && !(1.0 / UNIT_FACTOR..=UNIT_FACTOR).contains(&factor)
        {
            let found = format!("is {factor:.3} times speed_mps times yaw_rate_radps");
            let fix = if factor < 0.0 {
                "both must be positive to the left"
            } else if (factor * STANDARD_GRAVITY - 1.0).abs() < 0.4 {
                "multiples of g are multiplied by 9.80665"
            } else if (factor * 57.3 - 1.0).abs() < 0.4 {
                "the yaw rate seems to be in degrees: multiply it by 0.0174533"
            } else {
                "speed in m/s (km/h are divided by 3.6), yaw rate in rad/s, acceleration in m/s²"
            };
            return wrong("lateral_accel_mps2", found, fix);
        }
    }
    let fastest = max(&speed);
    if fastest > FASTEST * base.max_speed_mps {
        let found = format!("goes up to {fastest:.0}, and {} has max_speed_mps = {}", base.name, base.max_speed_mps);
        return wrong(
            "speed_mps",
            found,
            "km/h are divided by 3.6; raise max_speed_mps in the base vehicle if it is right",
        );
    }
    let across: Vec<f64> = match (&run.lateral_accel_mps2, &run.yaw_rate_radps) {
        (Some(across), _) => across.clone(),
        (None, Some(yaw)) => speed.iter().zip(yaw).map(|(v, r)| v * r).collect(),
        (None, None) => Vec::new(),
    };
    if max(&across) > WILDEST_MPS2 {
        let column = if run.lateral_accel_mps2.is_some() { "lateral_accel_mps2" } else { "yaw_rate_radps" };
        let found = format!("makes lateral accelerations up to {:.0} m/s²", max(&across));
        return wrong(column, found, "yaw rate in rad/s (degrees are multiplied by 0.0174533), speed in m/s");
    }
    Ok(())
}

/// By how much `reported` is larger than `derived`, by the median of their ratios where both are large;
/// `None` where neither is. Negative for opposite signs.
fn factor_of(derived: &[f64], reported: &[f64]) -> Option<f64> {
    const MIN_SAMPLES: usize = 50;
    let mut ratios: Vec<f64> =
        derived.iter().zip(reported).filter(|(d, _)| d.abs() > MIN_ALONG_MPS2).map(|(d, t)| t / d).collect();
    (ratios.len() >= MIN_SAMPLES).then(|| median(&mut ratios))
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::Run;
    use raceline_car::preset;

    /// Two minutes of throttle and brakes, with `chatter` m/s² more and less from row to row, whose accelerations are
    /// given times `factor`.
    fn run(chatter: f64, factor: f64) -> Run {
        let step_s = 0.02;
        let accel = |i: usize| {
            let sign = if i.is_multiple_of(2) { 1.0 } else { -1.0 };
            3.0 * (0.01 * i as f64).sin() + sign * chatter
        };
        let mut speed_mps = 40.0;
        let (mut speeds, mut accels) = (Vec::new(), Vec::new());
        for i in 0..6000 {
            speed_mps += step_s * accel(i);
            speeds.push(speed_mps);
            accels.push(factor * accel(i));
        }
        let time_s = (0..6000).map(|i| step_s * f64::from(i)).collect();
        Run { name: "laps.csv".to_owned(), time_s, speed_mps: speeds, accel_mps2: Some(accels), ..Run::default() }
    }

    #[test]
    fn a_throttle_that_opens_and_closes_from_row_to_row_is_no_wrong_unit() {
        let base = preset("gt").unwrap();
        for chatter in [0.0, 2.0, 15.0] {
            assert!(check(&run(chatter, 1.0), &base).is_ok(), "chatter {chatter}");
            for (factor, fix) in [(-1.0, "positive forwards"), (1.0 / 9.80665, "9.80665"), (1.0 / 3.6, "km/h")] {
                let error = check(&run(chatter, factor), &base).unwrap_err().to_string();
                assert!(error.contains(fix), "chatter {chatter}, factor {factor}: {error}");
            }
        }
    }
}
