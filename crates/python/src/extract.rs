//! A track read from a file, from bytes or from a picture.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use raceline::options::Layer;
use raceline::pipeline::{self, Request};

use crate::error;
use crate::interruptible::{Reports, run};
use crate::keywords;
use crate::source::Given;
use crate::track::Track;

/// Reads a track.
///
/// path: the path of a picture, a ROS map's YAML, an extracted track or another track file, the bytes of
///     such a file, or a picture as an array of dtype uint8 or bool, row 0 at the top.
/// name: name of the track. Default: that of the file.
/// vehicle, progress, options: as for `optimize`; they hold for lines of this track too.
///
/// Returns the `Track`. Raises `InputError` and `OptionsError`.
///
/// >>> import numpy as np, raceline
/// >>> road = np.zeros((240, 320), dtype=bool)
/// >>> y, x = np.mgrid[:240, :320]
/// >>> road[abs(np.hypot((x - 160) / 1.4, y - 120) - 80) < 8] = True
/// >>> track = raceline.extract(road, name="oval", metres_per_pixel=0.5)
/// >>> track.closed, track.name, round(float(track.width.mean()))
/// (True, 'oval', 9)
#[pyfunction]
#[pyo3(signature = (path, *, name = None, vehicle = None, progress = None, **options))]
pub fn extract(
    py: Python<'_>,
    path: &Bound<'_, PyAny>,
    name: Option<&str>,
    vehicle: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Track> {
    let layer = keywords::layer(options)?;
    let given = Given::new(path, name, None)?;
    let layers: Vec<Layer> = given.layers(layer.reach())?.into_iter().chain([layer]).collect();
    let mut merged = keywords::options(&layers)?;
    let named = vehicle.map(|_| keywords::vehicle(vehicle, None, &mut merged)).transpose()?;
    let vehicle = keywords::vehicle(None, named.as_ref().or(given.vehicle()), &mut merged)?;
    let reports = Reports::new(progress)?;
    let file = given.file().to_owned();
    let mut extraction = run(py, &reports, move |progress| {
        let request = Request::new(&merged, &vehicle).progress(progress);
        pipeline::extracted(given.source(), &request).map_err(|failed| error::pipeline(&failed))
    })?;
    if let Some(name) = name {
        extraction.rename(name);
    }
    Ok(Track::new(file, extraction, layers, named))
}
