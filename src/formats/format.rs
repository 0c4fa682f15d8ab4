//! A format, and the list of all.

use super::{FormatError, FormatOptions, resample};
use crate::RacingLine;
use crate::file::json;

/// How a format closes a lap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    /// The first point is repeated, unless the options specify otherwise.
    Repeated,
    /// Each point is written once, unless the options specify otherwise.
    Once,
    /// The file states that the line is closed, and each point is written once.
    Stated,
    /// The file has no points of the line.
    NoPoints,
}

/// A format of other programs.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Name on the command line.
    pub name: &'static str,
    /// The usual extension of its files.
    pub extension: &'static str,
    /// Contents and the programs that read it, in one line.
    pub description: &'static str,
    /// How it closes a lap.
    pub closing: Closing,
    pub(super) write: fn(&RacingLine, &FormatOptions) -> Result<Vec<u8>, FormatError>,
}

impl Format {
    /// The bytes of a file with `line`.
    ///
    /// # Errors
    /// A line that is not valid in a racing-line file ([`json::write`]), an option out of its range,
    /// and more than a million points. A choice of `closed_repeat` where the format has none. For `geojson`, `gpx`,
    /// `kml` and `vbo` also: no origin, an origin that is not a position on earth, and points more than 100 km from
    /// it. For `flow-field` and `flow-field-png`: an option out of its range, and more than 4096
    /// cells along a side.
    pub fn write(&self, line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
        json::check(line)?;
        let reason = match self.closing {
            Closing::Stated => "its files state that the line is closed",
            Closing::NoPoints => "its files have no points of the line",
            Closing::Repeated | Closing::Once => "",
        };
        if options.closed_repeat.is_some() && !reason.is_empty() {
            return Err(FormatError::NoRepeat { format: self.name, reason });
        }
        let is_repeated = options.closed_repeat.unwrap_or(self.closing == Closing::Repeated);
        let line = resample::resampled(line, options)?;
        (self.write)(&line, &FormatOptions { closed_repeat: Some(is_repeated), ..*options })
    }
}
