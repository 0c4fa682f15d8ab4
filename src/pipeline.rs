//! The order of the stages: from a file to a [`Track`] and on to a [`RacingLine`]. No other file knows it.

use std::path::Path;

use crate::options::Options;
use crate::racing_line::{Candidate, Method, RacingLine};
use crate::track::Track;
use crate::vehicle::Vehicle;

/// What a caller can watch a run by.
pub trait Progress: Sync {
    /// A stage begins.
    fn stage(&self, _name: &str) {}
    /// A long stage has done `done` of `total` steps; `note` says where it stands.
    fn step(&self, _done: usize, _total: usize, _note: &str) {}
}

/// A progress that nobody watches.
pub struct Silent;
impl Progress for Silent {}

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// To be replaced by the stages' own errors.
    #[error("{0}")]
    Other(String),
}

/// A track and where it came from.
#[derive(Clone, Debug)]
pub struct Extraction {
    /// Name of the track: the file's name without its ending.
    pub name: String,
    /// The track.
    pub track: Track,
    /// Where it came from.
    pub source: crate::racing_line::Source,
    /// What the user should know: dropped contours, narrow margins.
    pub warnings: Vec<String>,
}

/// What a summary says of one of the lines that were compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CandidateSummary {
    /// How it was found.
    pub method: Method,
    /// Lap time, s.
    pub lap_time_s: f64,
    /// Length, m.
    pub length_m: f64,
    /// Highest speed, m/s.
    pub top_speed_mps: f64,
    /// Lowest speed, m/s.
    pub lowest_speed_mps: f64,
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The racing line.
    pub line: RacingLine,
    /// One entry for each of the line's candidates, in the same order.
    pub summaries: Vec<CandidateSummary>,
    /// What the user should know.
    pub warnings: Vec<String>,
    /// Solver status lines, evaluations and generations for `-v`.
    pub details: Vec<String>,
}

/// Reads a track from a picture, a ROS map YAML or an extracted track.
pub fn extract(_input: &Path, _options: &Options, _progress: &dyn Progress) -> Result<Extraction, Error> {
    Err(Error::Other("not built yet".into()))
}

/// The main job: reads a track and finds its racing line for `vehicle`.
///
/// With `detail` the result carries the candidates' points and the cross-sections.
pub fn optimize(
    _input: &Path,
    _options: &Options,
    _vehicle: &Vehicle,
    _detail: bool,
    _progress: &dyn Progress,
) -> Result<Outcome, Error> {
    let _: Option<Candidate> = None;
    Err(Error::Other("not built yet".into()))
}
