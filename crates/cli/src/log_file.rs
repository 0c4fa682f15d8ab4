//! Logs of track days, and the track that they were driven on.

use std::path::Path;

use anyhow::{Context, anyhow};
use raceline::analysis::driven_lap;
use raceline::options::{Layer, sidecar_of};
use raceline::pipeline::{self, log_reference};
use raceline::{Options, RacingLine};
use raceline_file::files::{self, LARGEST_LINE_FILE, LARGEST_TELEMETRY, Reach};
use raceline_laps::{Log, LogError, Reference, Session, SessionOptions};
use raceline_read::input::LogKind;

use super::GlobalFlags;
use super::report::{self, Failure};

/// The log in a file.
///
/// # Errors
/// A file that cannot be read, and one that is no log.
pub fn read_log(path: &Path) -> anyhow::Result<Log> {
    let name = path.display().to_string();
    let bytes = files::read(path, LARGEST_TELEMETRY).with_context(|| format!("{name}: can't be read"))?;
    raceline_laps::read(&bytes, &name).with_context(|| name)
}

/// Whether the file at `path` is the log of a drive. What comes through a pipe is none, and neither is
/// what cannot be read: its reader reports why.
pub fn is_log(path: &Path) -> bool {
    let read = || files::read(path, LARGEST_LINE_FILE).ok();
    !files::is_standard_input(path) && read().is_some_and(|bytes| LogKind::of(&bytes).is_some())
}

/// The laps of a log.
///
/// # Errors
/// A log without laps, with the name of the file.
pub fn session_of(log: &Log, options: &SessionOptions, flags: GlobalFlags) -> Result<Session, Failure> {
    let session = Session::new(log, options).map_err(|error| match error {
        error @ LogError::NoSuchLap { .. } => Failure::Usage(anyhow!(error)),
        error => Failure::Job(anyhow::Error::from(error).context(log.name.clone())),
    })?;
    if !flags.quiet {
        for note in &session.notes {
            report::print_warning(&format!("{}: {note}", log.name), flags.colour());
        }
    }
    Ok(session)
}

/// What laps are laid on: the track in a file of any kind, or a racing line.
///
/// # Errors
/// A file that is neither.
pub fn reference_in(path: &Path, flags: GlobalFlags) -> Result<Reference, Failure> {
    let bytes = files::read(path, LARGEST_LINE_FILE).with_context(|| format!("can't read {}", path.display()))?;
    if let Ok(line) = raceline::file::json::read(&bytes) {
        return Ok(log_reference(&line));
    }
    let options = options_beside(path, flags.reach())?;
    let extraction = pipeline::extract(path, &options, &pipeline::Silent)?;
    Ok(extraction.log_reference())
}

/// The options of a track: those of its sidecar.
pub fn options_beside(path: &Path, reach: Reach) -> Result<Options, Failure> {
    let layers: Vec<Layer> =
        sidecar_of(path).map(|path| Layer::read_within(&path, reach)).transpose()?.into_iter().collect();
    Ok(Options::from_layers(&layers)?)
}

/// A lap of a log as a line beside `line`: the fastest, or the one with this number. A table of driven
/// laps in the frame of the line, as `raceline drive` and `raceline laps` write, is taken as it is.
///
/// # Errors
/// A log without laps or of another track.
pub fn driven_line(
    path: &Path,
    line: &RacingLine,
    lap: Option<usize>,
    flags: GlobalFlags,
) -> Result<RacingLine, Failure> {
    let name = path.display().to_string();
    let bytes = files::read(path, LARGEST_TELEMETRY).with_context(|| format!("{name}: can't be read"))?;
    let is_table = LogKind::of(&bytes) == Some(LogKind::Csv) && lap.is_none();
    if let Some(driven) = is_table.then(|| driven_lap(line, &bytes).ok()).flatten() {
        return Ok(driven);
    }
    let log = raceline_laps::read(&bytes, &name).with_context(|| name.clone())?;
    let options = SessionOptions { reference: Some(log_reference(line)), ..SessionOptions::default() };
    let session = session_of(&log, &options, flags)?;
    driven_of(&session, line, lap).map_err(|failure| match failure {
        Failure::Job(error) => Failure::Job(error.context(name)),
        failure => failure,
    })
}

/// A lap of a session as a line beside `line`.
///
/// # Errors
/// No lap of this number, and a lap elsewhere.
pub fn driven_of(session: &Session, line: &RacingLine, lap: Option<usize>) -> Result<RacingLine, Failure> {
    let table = session.driven(lap.unwrap_or(session.table.best)).map_err(|error| Failure::Usage(error.into()))?;
    Ok(driven_lap(line, table.as_bytes())?)
}

/// Two numbers with a comma between them.
///
/// # Errors
/// Text that is none.
pub fn pair(text: &str) -> Result<[f64; 2], String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    let numbers = numbers.filter(|numbers| numbers.iter().all(|value: &f64| value.is_finite()));
    match numbers.as_deref() {
        Some(&[x, y]) => Ok([x, y]),
        _ => Err("write two numbers with a comma between them, as 11.71,44.34".to_owned()),
    }
}
