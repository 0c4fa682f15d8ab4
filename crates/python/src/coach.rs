//! A log beside the ideal lap.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use raceline::Options;
use raceline::files::{self, LARGEST_TELEMETRY};
use raceline_calibrate::{CoachError, CoachNote, CoachOptions, CoachRoad, CoachVehicle, Coached};
use raceline_render::html::{self, HtmlOptions};

use crate::error::{self, InputError, OptionsError, with_causes};
use crate::interruptible::{Reports, run};
use crate::keywords;
use crate::line::Line;
use crate::output;
use crate::track::Track;
use crate::values;
use crate::vehicle::Vehicle;

/// Finds where a driver loses time against the ideal lap, from a log alone.
///
/// path: the file of a logger, as for `laps`.
/// track: the `Track` that was driven; default: the road that the laps used, or one `track_width` m wide about
///     them. The road of a few laps is hardly wider than what was driven, and so is the room of the ideal lap.
/// vehicle: as for `optimize`; default: fitted to the log, with the mass and sizes of `base`, or
///     else of the preset "gt".
/// start: a place (x, y) on the start line, m or degrees as the log has them. lap: number of the lap that is
///     compared; default: the fastest.
/// page: where to write a page with both laps, their traces and the losses. progress: as for `optimize`.
///
/// Returns a dictionary: "line", the ideal lap, and "driven", the driven one, as `Line`; "losses" with "total_s"
/// and the time lost at each of the "corners" by its causes; "vehicle", a `Vehicle`; "notes", what was done with
/// the log, and what its road is.
///
/// >>> import os, tempfile, numpy as np, raceline
/// >>> track = raceline.generate("kart", seed=2)
/// >>> line = raceline.optimize(track, vehicle="kart", method="min-curvature")
/// >>> trace = raceline.drive(line, laps=3, speed_fraction=0.9)["trace"]
/// >>> log = os.path.join(tempfile.mkdtemp(), "morning.csv")
/// >>> table = np.column_stack([trace[name] for name in ("time_s", "x_m", "y_m")])
/// >>> np.savetxt(log, table, delimiter=",", header="time_s,x_m,y_m", comments="")
/// >>> coached = raceline.coach(log, track=track, vehicle="kart")
/// >>> coached["losses"]["total_s"] > 0, coached["line"].lap_time < coached["driven"].lap_time
/// (True, True)
#[pyfunction]
#[pyo3(signature = (path, *, track = None, track_width = None, vehicle = None, base = None, start = None, lap = None,
    page = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn coach<'py>(
    py: Python<'py>,
    path: PathBuf,
    track: Option<&Track>,
    track_width: Option<f64>,
    vehicle: Option<&Bound<'py, PyAny>>,
    base: Option<&Bound<'py, PyAny>>,
    start: Option<[f64; 2]>,
    lap: Option<usize>,
    page: Option<PathBuf>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let reports = Reports::new(progress)?;
    let vehicle = match (vehicle, base) {
        (Some(_), Some(_)) => {
            return Err(OptionsError::new_err("vehicle and base are given: base is for a fitted one"));
        }
        (Some(vehicle), None) => CoachVehicle::Given(keywords::vehicle(Some(vehicle), None, &mut Options::default())?),
        (None, base) => {
            let mut options = Options { vehicle: Some(CoachOptions::BASE.to_owned()), ..Options::default() };
            CoachVehicle::Fitted(keywords::vehicle(base, None, &mut options)?)
        }
    };
    let road = match (track, track_width) {
        (Some(_), Some(_)) => return Err(OptionsError::new_err("track and track_width are given: give one")),
        (_, Some(width)) if !CoachRoad::WIDTH_M.contains(&width) => {
            let (narrowest, widest) = CoachRoad::WIDTH_M.into_inner();
            return Err(OptionsError::new_err(format!(
                "track_width is {width}: it must be from {narrowest} to {widest}"
            )));
        }
        (Some(track), None) => CoachRoad::Given {
            options: Box::new(keywords::options(&track.layers)?),
            extraction: Box::new(track.extraction.clone()),
        },
        (None, width_m) => CoachRoad::OfLaps { width_m },
    };
    let options = CoachOptions { road, vehicle, start, lap, verify: true };
    let (coached, notes, bytes) = run(py, &reports, move |progress| {
        let name = path.display().to_string();
        let bytes = files::read(&path, LARGEST_TELEMETRY).map_err(|error| error::file(&path, &error))?;
        let log = raceline::laps::read(&bytes, &name).map_err(|error| error::file(&path, &error))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let mut notes = Vec::new();
        let notify = &mut |note: CoachNote| notes.push(note.to_string());
        let coached =
            raceline_calibrate::coach(&log, &stem, options, notify, progress).map_err(|wrong| match wrong {
                CoachError::Line(failed) => error::pipeline(&failed),
                wrong => error::file(&path, &wrong),
            })?;
        let drawn = page.is_some().then(|| drawn(&coached)).transpose()?;
        Ok((coached, notes, page.zip(drawn)))
    })?;
    if let Some((page, html)) = bytes {
        output::write(&page, html.as_bytes())?;
    }
    let found = PyDict::new(py);
    found.set_item("line", Line::found(&coached.line, &coached.warnings))?;
    found.set_item("driven", Line::found::<String>(&coached.driven, &[]))?;
    found.set_item("losses", values::python(py, &coached.losses)?)?;
    found.set_item("vehicle", Vehicle { vehicle: coached.vehicle })?;
    found.set_item("notes", notes)?;
    Ok(found)
}

/// The page with both laps.
fn drawn(coached: &Coached) -> PyResult<String> {
    let options = HtmlOptions { losses: Some(coached.losses.clone()), ..HtmlOptions::default() };
    html::render(&[coached.line.clone(), coached.driven.clone()], &options)
        .map_err(|error| InputError::new_err(with_causes(&error)))
}
