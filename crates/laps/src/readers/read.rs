//! The reader of a file by its content, and rows in the order of time.

use std::path::Path;

use raceline_read::importers::kml_bytes;
use raceline_read::input::{InputKind, LogKind};
use raceline_road::construction::ImportError;

use super::{csv, fit, gpx, kml, motec_ld, vbo};
use crate::error::LogError;
use crate::log::{Log, Quantity};

/// Reads a log; `name` is its name in messages. The content decides what it is.
///
/// # Errors
/// [`LogError`] with the place in the file.
pub fn read(bytes: &[u8], name: &str) -> Result<Log, LogError> {
    let without = || match InputKind::of(Path::new("-"), bytes) {
        InputKind::Gpx => LogError::NoTimes { format: "GPX" },
        InputKind::Kml => LogError::NoTimes { format: "KML" },
        _ => LogError::Unknown,
    };
    let kind = LogKind::of(bytes).ok_or_else(without)?;
    let log = match kind {
        LogKind::Racelogic => vbo::read(bytes, name)?,
        LogKind::RaceChrono | LogKind::Aim | LogKind::MotecCsv | LogKind::Csv => csv::read(bytes, name, kind)?,
        LogKind::MotecLd => motec_ld::read(bytes, name)?,
        LogKind::Fit => fit::read(bytes, name)?,
        LogKind::Gpx => gpx::read(bytes, name)?,
        LogKind::Kml => {
            let wrong = |error: ImportError| LogError::Format {
                place: "the archive".to_owned(),
                problem: error.to_string(),
                fix: "export the log again, as KML",
            };
            kml::read(&kml_bytes(bytes).map_err(wrong)?, name)?
        }
    };
    in_order(log)
}

/// The log with the rows that have a time after that of all rows before.
fn in_order(mut log: Log) -> Result<Log, LogError> {
    let times = log.values(Quantity::Time).ok_or_else(|| log.without("times"))?;
    let mut latest = f64::NEG_INFINITY;
    let is_later = |&time: &f64| {
        let is_later = time.is_finite() && time > latest;
        if is_later {
            latest = time;
        }
        is_later
    };
    let kept: Vec<bool> = times.iter().map(is_later).collect();
    for channel in &mut log.channels {
        let mut of_row = kept.iter();
        channel.values.retain(|_| of_row.next().copied().unwrap_or(false));
    }
    Ok(log)
}
