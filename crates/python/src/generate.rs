//! Random roads.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use raceline::input::Input;
use raceline::pipeline::TrackSource;
use raceline_generate::{GenerateOptions, Style};

use crate::error::{OptionsError, with_causes};
use crate::interruptible::{Reports, run};
use crate::keywords;
use crate::track::{self, Track};

/// Draws a random road from a seed: a `Track`.
///
/// style: "circuit", "street", "kart", "oval", "stage" (with a start and an end) or "maze".
/// seed: of the random numbers; the same seed gives the same road. Default: 0.
/// length, width: of the centre line and of the road, m. Default: those of the style.
/// crossings: whether the road may cross itself, for circuits and kart tracks.
/// vehicle, options: as for `optimize`; they hold for lines of this track too.
///
/// >>> import raceline
/// >>> kart = raceline.generate("kart", seed=7, length=800.0)
/// >>> kart.name, kart.closed, round(kart.length / 800.0, 1)
/// ('kart-7', True, 1.0)
/// >>> kart == raceline.generate("kart", seed=7, length=800.0)
/// True
#[pyfunction]
#[pyo3(signature = (style = "circuit", *, seed = 0, length = None, width = None, crossings = false, vehicle = None, **options))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn generate(
    py: Python<'_>,
    style: &str,
    seed: u64,
    length: Option<f64>,
    width: Option<f64>,
    crossings: bool,
    vehicle: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Track> {
    let style = Style::ALL.into_iter().find(|known| known.name() == style).ok_or_else(|| {
        let names = Style::ALL.map(Style::name).join(", ");
        OptionsError::new_err(format!("style is {style:?}, but must be one of {names}"))
    })?;
    let wanted = GenerateOptions { style, seed, length_m: length, width_m: width, crossings };
    let road = run(py, &Reports::default(), move |_| {
        raceline_generate::generate(&wanted).map_err(|error| OptionsError::new_err(with_causes(&error)))
    })?;
    // As the command's file is read, so that its lines have the same bytes.
    let name = PathBuf::from(format!("{}.csv", road.name));
    let source = TrackSource::Memory(name.clone(), Box::new(Input::Csv(road.csv())));
    track::made(py, name, source, vec![keywords::layer(options)?], vehicle)
}
