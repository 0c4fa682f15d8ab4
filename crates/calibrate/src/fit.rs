//! The fit, stage after stage.

use super::calibration::{Calibration, Note};
use super::error::CalibrateError;
use super::limits::{BaseLimits, Known, limits};
use super::loads::{Loads, by_loads};
use super::resistance::{PedalFit, pedal_fit, pedal_lag_s};
use super::samples::{MIN_SPEED_MPS, Samples};
use super::statistics::quantile;
use super::telemetry::{Run, Telemetry};
use super::{drive_curve, result, units};
use raceline_car::{STANDARD_GRAVITY, Vehicle};

/// Minimum number of samples and minimum time.
const MIN_SAMPLES: usize = 200;
const MIN_SECONDS: f64 = 10.0;
/// Smallest maximum acceleration, m/s².
const MIN_ACCELERATION_MPS2: f64 = 0.05;
/// Below this fraction of the base's lateral limit, accelerations may be multiples of g.
const PERHAPS_G: f64 = 0.2;

/// Fits a vehicle to `telemetry`. `base` gives mass, sizes, steering and all else that telemetry does
/// not show, and fills limits that were never reached.
///
/// # Errors
/// [`CalibrateError`] for columns in other units, too little telemetry, and a vehicle out of range.
pub fn calibrate(telemetry: &Telemetry, base: &Vehicle) -> Result<Calibration, CalibrateError> {
    base.validate()?;
    let step_s = telemetry.runs.first().map_or(0.0, Run::step_s);
    let rows: usize = telemetry.runs.iter().map(Run::len).sum();
    let too_short = |samples: usize, seconds: f64| CalibrateError::TooShort {
        samples,
        seconds,
        min_mps: MIN_SPEED_MPS,
        wanted: MIN_SAMPLES,
        wanted_s: MIN_SECONDS,
    };
    if rows < MIN_SAMPLES {
        return Err(too_short(rows, rows as f64 * step_s));
    }
    telemetry.runs.iter().try_for_each(|run| units::check(run, base))?;
    let lag_s = pedal_lag_s(telemetry, base);
    let mut samples = Samples::of(telemetry, base, lag_s);
    let seconds = samples.seconds(step_s);
    if samples.all.len() < MIN_SAMPLES || seconds < MIN_SECONDS {
        return Err(too_short(samples.all.len(), seconds));
    }
    let loads = by_loads(&samples, base);
    if let Some(Loads { mass, downforce, .. }) = &loads {
        samples.use_loads(mass.value, downforce.value);
    }
    let mut along: Vec<f64> = samples.all.iter().map(|sample| sample.along).collect();
    let max_mps2 = quantile(&mut along, 0.99);
    if max_mps2 < MIN_ACCELERATION_MPS2 {
        return Err(CalibrateError::NoDrive { max_mps2 });
    }
    let mut speeds: Vec<f64> = samples.all.iter().map(|sample| sample.speed).collect();
    let fastest_mps = quantile(&mut speeds, 0.9995);
    let base_limits = BaseLimits::of(base, fastest_mps)?;
    let pedals = pedal_fit(&samples);
    let resistance = pedals
        .as_ref()
        .map_or([base.drag_kgpm / base.mass_kg, base.rolling_resistance * STANDARD_GRAVITY], |pedals: &PedalFit| {
            [pedals.drag_over_mass[0], pedals.rolling_mps2[0]]
        });
    let top = base.max_speed_mps.max(fastest_mps);
    let known =
        Known { samples: &samples, pedals: pedals.as_ref(), resistance, base: &base_limits, fastest: fastest_mps, top };
    let limits = limits(&known);
    let mut notes = Vec::new();
    let drive = drive_curve::drive_curve(&known, &limits, &mut notes).ok_or(CalibrateError::NoDrive { max_mps2 })?;
    let mut across: Vec<f64> = samples.all.iter().map(|sample| sample.across).collect();
    let max_across = quantile(&mut across, 0.99);
    if max_across < PERHAPS_G * base_limits.lateral.at(0.5 * fastest_mps) {
        let base_mps2 = base_limits.lateral.at(0.5 * fastest_mps);
        notes.push(Note::SmallAccelerations { max_mps2: max_across, base_mps2 });
    }
    let pedal_lag_s = (samples.has_throttle && samples.has_brake).then_some(lag_s);
    let calibration = result::assemble(base, &known, &limits, drive, notes, loads, (seconds, pedal_lag_s));
    calibration.vehicle.validate()?;
    Ok(calibration)
}
