//! Driven data → the vehicle that drove: g-g-v table, drive, drag and rolling resistance.
//!
//! ```text
//! csv::read        bytes → Run                columns and units by name
//! run_of           Session → Run              the laps of a logger
//! calibrate        Telemetry, base → Calibration
//!   units            are the columns in SI units?
//!   samples          accelerations without noise, grade and banking
//!   loads            mass and downforce by the loads of the wheels
//!   resistance       drag and rolling, by coasting or by the pedals
//!   limits           braking and lateral limit over speed, exponent of the ellipse
//!   drive_curve      the drive at full throttle
//!   traction         what the tyres transmit of it
//! ```
//!
//! A driver is at the limit now and then, mostly below it. A limit is therefore the place where the
//! accelerations of a speed end, beneath noise and outliers (`upper_edge`); a model of weight and
//! downforce through all speeds (`envelope`) shows where a driver stayed below it, and fills what was
//! not driven. Mass, sizes and steering cannot be seen in telemetry: they are the base vehicle's.
//!
//! Sources: Aigner, Lovell and Schmidt, *Formulation and estimation of stochastic frontier production
//! function models*, Journal of Econometrics 6 (1977), for a limit less a slack plus noise as a
//! likelihood; Huber and Ronchetti, *Robust Statistics* (2nd ed., 2009), for the regressions; Milliken
//! and Milliken, *Race Car Vehicle Dynamics* (1995), chapter 9, for g-g diagrams from driven data.
//!
//! ```no_run
//! use raceline_calibrate::{Telemetry, calibrate, csv};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let run = csv::read(&std::fs::read("laps.csv")?, "laps.csv")?;
//! let found = calibrate(&Telemetry { runs: vec![run] }, &raceline_car::preset("gt")?)?;
//! std::fs::write("driven.toml", found.to_toml()?)?;
//! # Ok(())
//! # }
//! ```

mod calibration;
pub mod csv;
mod drive_bins;
mod drive_curve;
mod envelope;
mod error;
mod limits;
mod loads;
mod location;
mod log_run;
mod regression;
mod resistance;
mod result;
mod samples;
mod smoothing;
mod statistics;
mod telemetry;
mod traction;
mod units;
mod upper_edge;
mod vehicle_toml;

pub use calibration::{Calibration, Curve, CurvePoint, Estimate, Note, Origin};
pub use error::CalibrateError;
pub use log_run::run_of;
pub use resistance::ResistanceSource;
pub use telemetry::{Run, Telemetry};

use limits::{BaseLimits, Known, limits};
use loads::by_loads;
use resistance::{PedalFit, pedal_fit, pedal_lag_s};
use samples::{MIN_SPEED_MPS, Samples};
use statistics::quantile;

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
    let lag_s = pedal_lag_s(telemetry);
    let mut samples = Samples::of(telemetry, lag_s);
    let seconds = samples.seconds(step_s);
    if samples.all.len() < MIN_SAMPLES || seconds < MIN_SECONDS {
        return Err(too_short(samples.all.len(), seconds));
    }
    let loads = by_loads(&samples);
    if let Some([mass, downforce]) = &loads {
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
