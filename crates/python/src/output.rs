//! Files: what a line and a track are written as, by the ending of the name or by a format.

use std::path::Path;

use pyo3::prelude::*;
use raceline::RacingLine;
use raceline::formats::{FORMATS, Format, FormatError, FormatOptions};

use crate::error::{InputError, OptionsError, with_causes};

/// What an ending stands for.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A racing-line file.
    Line,
    /// A picture or a page.
    Drawing(Drawing),
    /// The format of another program.
    Format(&'static Format),
}

/// A picture or a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawing {
    Svg,
    Png,
    Page,
}

impl Drawing {
    /// The drawing called `name`, as an ending is.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "svg" => Some(Self::Svg),
            "png" => Some(Self::Png),
            "html" | "htm" => Some(Self::Page),
            _ => None,
        }
    }
}

/// The ending of a name, in lower case and without its dot.
pub fn ending_of(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// What the name of a file stands for. An ending that several formats have stands for the plain table
/// (`csv`) or for none.
///
/// # Errors
/// An ending that is not known, with those that are.
pub fn kind_of(path: &Path) -> PyResult<Kind> {
    let ending = ending_of(path);
    if ending == "json" {
        return Ok(Kind::Line);
    }
    if let Some(drawing) = Drawing::named(&ending) {
        return Ok(Kind::Drawing(drawing));
    }
    let mut having = FORMATS.iter().filter(|format| format.extension == ending);
    let first = having.next();
    let alone = first.filter(|_| having.next().is_none());
    alone.or_else(|| Format::named(&ending)).map(Kind::Format).ok_or_else(|| {
        let mut known = [".json", ".svg", ".png", ".html", ".csv"].map(str::to_owned).to_vec();
        known.extend(unique_endings());
        let shown = path.display();
        match first {
            Some(_) => InputError::new_err(format!(
                "{shown}: several formats end in .{ending}: use Line.export(path, format=…)"
            )),
            None if ending.is_empty() => {
                InputError::new_err(format!("{shown}: the name has no ending: use one of {}", known.join(", ")))
            }
            None => InputError::new_err(format!("{shown}: unknown ending: use one of {}", known.join(", "))),
        }
    })
}

/// The endings that one format has alone, each with its dot.
fn unique_endings() -> Vec<String> {
    let is_drawn = |ending: &str| ending == "json" || Drawing::named(ending).is_some();
    let is_unique = |ending: &str| FORMATS.iter().filter(|format| format.extension == ending).count() == 1;
    let endings = FORMATS.iter().map(|format| format.extension);
    endings.filter(|ending| is_unique(ending) && !is_drawn(ending)).map(|ending| format!(".{ending}")).collect()
}

/// The format called `name`.
pub fn format(name: &str) -> PyResult<&'static Format> {
    Format::named(name).ok_or_else(|| {
        let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        OptionsError::new_err(format!("format is {name:?}, but must be one of {}", names.join(", ")))
    })
}

/// The bytes of `line` in a format of another program.
pub fn formatted(line: &RacingLine, format: &Format, options: &FormatOptions) -> PyResult<Vec<u8>> {
    format.write(line, options).map_err(|error| match error {
        FormatError::Line(_) => InputError::new_err(with_causes(&error)),
        FormatError::NoGeographicOrigin { .. } => OptionsError::new_err(format!(
            "{error}: give origin=(longitude, latitude) of its point (0 m, 0 m) in degrees"
        )),
        _ => OptionsError::new_err(with_causes(&error)),
    })
}

/// Writes a file, whole or not at all.
pub fn write(path: &Path, bytes: &[u8]) -> PyResult<()> {
    raceline_cli::write_whole(path, bytes).map_err(|error| InputError::new_err(format!("{error:#}")))
}
