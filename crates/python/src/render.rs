//! The function that draws lines.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use raceline::analysis::driven_lap;
use raceline::files::{self, LARGEST_PICTURE, LARGEST_TELEMETRY};
use raceline_render::{Backdrop, ColourBy};

use crate::drawing::{Looks, drawn};
use crate::error::{self, InputError, OptionsError, with_causes};
use crate::interruptible::{Reports, run};
use crate::loading::line_of;
use crate::output::{self, Drawing};
use crate::values;

fn colour_by(name: &str) -> PyResult<ColourBy> {
    ColourBy::ALL.into_iter().find(|known| known.name() == name).ok_or_else(|| {
        let names = ColourBy::ALL.map(ColourBy::name).join(", ");
        OptionsError::new_err(format!("colour_by is {name:?}, but must be one of {names}"))
    })
}

/// Draws lines as a picture or an interactive page, in a file or, where `path` is None, as bytes.
///
/// lines: a `Line`, the path of a line's file, or a list of them; the first one has the colours.
/// path: a name that ends in .svg, .png or .html. format: "svg", "png" or "html"; default: the ending, or
///     "svg".
/// width, height: size of a picture, pixels; default 1600 wide.
/// colour_by: "speed", "acceleration", "curvature", "grade", "speed-ratio" or "deviation"; default "speed".
/// background: "light", "dark", "transparent", or the path of the picture from which the track was read.
/// candidates, corners, braking, sections, inputs: what else is drawn; inputs are a car's steering and pedal.
/// driven: the path of a table of driven laps, whose fastest is drawn.
///
/// >>> import raceline
/// >>> line = raceline.optimize(raceline.generate("oval", length=900.0), vehicle="gt", method="min-curvature")
/// >>> raceline.render(line, format="png", width=400)[1:4]
/// b'PNG'
#[pyfunction]
#[pyo3(signature = (lines, path = None, *, format = None, width = None, height = None, colour_by = None,
    background = None, candidates = true, corners = true, braking = true, sections = false, inputs = false, driven = None))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn render<'py>(
    py: Python<'py>,
    lines: &Bound<'py, PyAny>,
    path: Option<PathBuf>,
    format: Option<&str>,
    width: Option<u32>,
    height: Option<u32>,
    colour_by: Option<&str>,
    background: Option<&Bound<'py, PyAny>>,
    candidates: bool,
    corners: bool,
    braking: bool,
    sections: bool,
    inputs: bool,
    driven: Option<PathBuf>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let mut all = if values::is_list(lines) {
        let all = lines.try_iter()?.enumerate().map(|(index, line)| line_of(&format!("lines[{index}]"), &line?));
        all.collect::<PyResult<Vec<_>>>()?
    } else {
        vec![line_of("lines", lines)?]
    };
    let ending = path.as_deref().map(output::ending_of);
    let name = format.or(ending.as_deref()).unwrap_or("svg");
    let drawing = Drawing::named(name).ok_or_else(|| match (format, &path) {
        (None, Some(path)) => {
            InputError::new_err(format!("{}: unknown ending: use .svg, .png or .html", path.display()))
        }
        _ => OptionsError::new_err(format!("format is {name:?}, but must be \"svg\", \"png\" or \"html\"")),
    })?;
    let mut looks = Looks {
        width_px: width,
        height_px: height,
        colour_by: colour_by.map(self::colour_by).transpose()?,
        candidates,
        corners,
        braking,
        sections,
        inputs,
        driven: driven.is_some() && drawing != Drawing::Page,
        ..Looks::default()
    };
    if let Some(given) = background {
        match given.extract::<String>() {
            Ok(name) if ["light", "dark", "transparent"].contains(&name.as_str()) => looks.background = Some(name),
            _ => {
                let file: PathBuf = given.extract().map_err(|_| {
                    OptionsError::new_err("background is neither light, dark, transparent nor the path of a picture")
                })?;
                let bytes = files::read(&file, LARGEST_PICTURE).map_err(|error| error::file(&file, &error))?;
                let first = all.first().ok_or_else(|| InputError::new_err("lines is empty: give at least one"))?;
                let placed = Backdrop::new(&file.display().to_string(), &bytes, first);
                looks.backdrop = Some(placed.map_err(|error| InputError::new_err(with_causes(&error)))?);
            }
        }
    }
    if let (Some(file), Some(line)) = (driven, all.first()) {
        let bytes = files::read(&file, LARGEST_TELEMETRY).map_err(|error| error::file(&file, &error))?;
        let driven = driven_lap(line, &bytes).map_err(|error| error::file(&file, &error))?;
        // A picture has the driven lap on top; a page compares it with the line.
        all.insert(usize::from(drawing == Drawing::Page), driven);
    }
    let bytes = run(py, &Reports::default(), move |_| drawn(&all.iter().collect::<Vec<_>>(), drawing, &looks))?;
    match path {
        Some(path) => output::write(&path, &bytes).map(|()| None),
        None => Ok(Some(PyBytes::new(py, &bytes))),
    }
}
