//! A stint: many laps with fuel, tyres and a battery.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use raceline::pipeline::{self, Request};
use raceline::stint::{StintCar, StintError, StintOptions};
use serde_json::Value;

use crate::error::{self, OptionsError, RacelineError, with_causes};
use crate::interruptible::{Reports, run};
use crate::keywords;
use crate::line::Line;
use crate::source::Given;
use crate::values;

/// Finds the fastest laps of a stint with fuel, tyres and a battery.
///
/// track, vehicle, progress, options: as for `optimize`; a circuit. The vehicle's mass is that without fuel.
/// laps: number of laps, 1 to 1000.
/// car: fuel, tyres and battery, as a file in TOML or a dictionary like one: {"fuel": {"work_jpkg": 1.3e7}}.
///     Default: none, so that every lap is the same.
/// lap: the lap whose line is returned, from 1. Default: the one in the middle.
///
/// Returns a dictionary: "time_s" of all laps, "laps", for each its time, states, uses and prices, "line", the
/// `Line` of lap "shown_lap", "stretches" of this line on which the car lifts or drives without the motor,
/// "end_fuel_kg", "end_wear", "end_charge_j", "fuel_spkg", "residuals" and the number of laps "searched".
///
/// >>> import raceline
/// >>> track = raceline.generate("kart", seed=2)
/// >>> found = raceline.stint(track, 3, car={"fuel": {"work_jpkg": 1e7, "start_kg": 2.0}}, vehicle="gt")
/// >>> [lap["fuel_kg"] for lap in found["laps"]][0], len(found["laps"])
/// (2.0, 3)
#[pyfunction]
#[pyo3(signature = (track, laps, *, car = None, lap = None, vehicle = None, progress = None, **options))]
#[allow(clippy::too_many_arguments)]
pub fn stint<'py>(
    py: Python<'py>,
    track: &Bound<'py, PyAny>,
    laps: usize,
    car: Option<&Bound<'py, PyAny>>,
    lap: Option<usize>,
    vehicle: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let reports = Reports::new(progress)?;
    let layer = keywords::layer(options)?;
    let track = Given::new(track, None, None)?;
    let (merged, vehicle) = track.options(layer, vehicle)?;
    let asked = StintOptions { laps, car: car.map(stint_car).transpose()?.unwrap_or_default(), lap };
    let found = run(py, &reports, move |progress| {
        let request = Request::new(&merged, &vehicle).progress(progress);
        let extraction = pipeline::extracted(track.source(), &request).map_err(|failed| error::pipeline(&failed))?;
        raceline::stint::stint(&extraction, &request, &asked).map_err(|failed| match failed {
            StintError::Line(failed) => error::pipeline(&failed),
            StintError::NoLapFound { .. } | StintError::Budget { .. } | StintError::NotSettled { .. } => {
                RacelineError::new_err(with_causes(&failed))
            }
            failed => OptionsError::new_err(with_causes(&failed)),
        })
    })?;
    let result = PyDict::new(py);
    result.set_item("time_s", found.time_s)?;
    result.set_item("length_m", found.length_m)?;
    result.set_item("end_fuel_kg", found.end_fuel_kg)?;
    result.set_item("end_wear", found.end_wear)?;
    result.set_item("end_charge_j", found.end_charge_j)?;
    result.set_item("fuel_spkg", found.fuel_spkg)?;
    result.set_item("laps", values::python(py, &found.laps)?)?;
    result.set_item("shown_lap", found.line.lap)?;
    result.set_item("stretches", values::python(py, &found.line.stretches)?)?;
    result.set_item("residuals", values::python(py, &found.residuals)?)?;
    result.set_item("searched", found.searched)?;
    result.set_item("line", Line::new(&found.line.line, Vec::new()))?;
    Ok(result)
}

/// A stint's car from a file or a dictionary.
fn stint_car(car: &Bound<'_, PyAny>) -> PyResult<StintCar> {
    let wrong = |message: String| OptionsError::new_err(format!("car: {message}"));
    if car.cast::<PyDict>().is_ok() {
        let values: Value = values::json(car)?;
        let car: StintCar = serde_json::from_value(values).map_err(|failed| wrong(failed.to_string()))?;
        car.validate().map_err(|failed| wrong(with_causes(&failed)))?;
        return Ok(car);
    }
    let path: PathBuf = car.extract().map_err(|_| wrong("give a file or a dictionary".to_owned()))?;
    StintCar::read(&path).map_err(|failed| wrong(with_causes(&failed)))
}
