//! Whether a task's file is up to date, by its digests, options and version.

use std::io::ErrorKind;

use super::error::TaskError;
use super::task::Task;
use crate::analysis::drift::{differences, object};
use crate::file::json;
use crate::file::{GENERATOR, RacingLine};
use crate::files::{self, LARGEST_LINE_FILE};
use crate::input::{self, Digests};
use crate::options::{Layer, Options};
use crate::pipeline;
use crate::vehicle::Vehicle;

/// The state of a task's file before the task runs.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    /// The file is up to date.
    UpToDate {
        /// The line's lap time, s.
        lap_time_s: f64,
        /// The line's length, m.
        length_m: f64,
    },
    /// The file must be made, with the reason.
    Stale(String),
}

/// Whether the file of `task` is up to date: the digests of the input, every option, every
/// parameter of the vehicle and the program's version are those that the file states. File times
/// are ignored.
///
/// # Errors
/// An input, options or a vehicle that cannot be read: the task would fail.
pub fn state(task: &Task, command_line: &Layer, detail: bool) -> Result<State, TaskError> {
    if !task.has_plain_name() {
        return Err(TaskError::ControlCharacter { name: task.relative.clone() });
    }
    if let Some(other) = &task.same_output {
        let (input, output) = (task.input.clone(), task.output.clone());
        return Err(TaskError::OneOutput { input, other: other.clone(), output });
    }
    let (options, vehicle) = prepare(task, command_line)?;
    let digests = input::read_as(&task.input, None, options.reach).map_err(pipeline::Error::from)?.digests();
    let bytes = match files::read(&task.output, LARGEST_LINE_FILE) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(State::Stale("new".to_owned())),
        Err(error) => return Err(TaskError::Unreadable { output: task.output.clone(), error }),
    };
    let Ok(line) = json::read(&bytes) else { return Ok(State::Stale("the file is damaged".to_owned())) };
    Ok(match why_stale(&line, &options, &vehicle, &digests, detail) {
        Some(reason) => State::Stale(reason),
        None => State::UpToDate { lap_time_s: line.lap_time_s, length_m: line.length_m },
    })
}

/// The options and the vehicle of `task`.
pub(super) fn prepare(task: &Task, command_line: &Layer) -> Result<(Options, Vehicle), TaskError> {
    let wrong = |error| TaskError::Options { input: task.input.clone(), error: Box::new(error) };
    let options = task.options(command_line).map_err(wrong)?;
    let vehicle = options.load_vehicle().map_err(wrong)?;
    Ok((options, vehicle))
}

fn why_stale(
    line: &RacingLine,
    options: &Options,
    vehicle: &Vehicle,
    Digests { sha256, track_sha256 }: &Digests,
    detail: bool,
) -> Option<String> {
    if sha256.as_ref().is_some_and(|sha256| *sha256 != line.source.sha256) || *track_sha256 != line.source.track_sha256
    {
        return Some("the input changed".to_owned());
    }
    if line.generator != GENERATOR {
        return Some(format!("made by {}", line.generator));
    }
    let mut found = Vec::new();
    differences("", &object(&line.options), &object(&options.in_file()), &mut found);
    differences("vehicle.", &object(&line.vehicle), &object(vehicle), &mut found);
    if let Some(first) = found.first() {
        let more = if found.len() > 1 { format!(" and {} more", found.len() - 1) } else { String::new() };
        return Some(format!("{} was {}, is {}{more}", first.key, first.kept, first.now));
    }
    if detail == line.sections.is_empty() {
        return Some(if detail { "has no detail".to_owned() } else { "has detail".to_owned() });
    }
    None
}
