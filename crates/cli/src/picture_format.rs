//! The formats of pictures that a command writes.

use std::path::Path;

use raceline_render::{RenderError, png};

use super::report::Failure;

/// The formats of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PictureFormat {
    Svg,
    Png,
}

impl PictureFormat {
    /// The bytes of a drawing in this format.
    pub(crate) fn bytes_of(self, svg: String) -> Result<Vec<u8>, RenderError> {
        match self {
            Self::Svg => Ok(svg.into_bytes()),
            Self::Png => png::from_svg(&svg),
        }
    }
}

/// The format by the ending of `path`, SVG for stdout; `endings` are those that the command accepts.
pub(crate) fn picture_format(path: &Path, endings: &str) -> Result<PictureFormat, Failure> {
    // What goes through a pipe is text, if it can be.
    if path == Path::new("-") {
        return Ok(PictureFormat::Svg);
    }
    match path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).as_deref() {
        Some("svg") => Ok(PictureFormat::Svg),
        Some("png") => Ok(PictureFormat::Png),
        _ => Err(Failure::usage(format!("{}: unknown format: use a name that ends in {endings}", path.display()))),
    }
}
