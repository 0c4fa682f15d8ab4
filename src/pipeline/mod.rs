//! The order of the stages: from a file to a [`Track`] and on to a [`RacingLine`]. No other file
//! knows it.
//!
//! [`optimize`] is the one entrance to the search for lines. It reads a track, calls
//! [`raceline_solve`], and keeps what concerns files and warnings. A program with a track of its own
//! calls [`raceline_solve::optimize`].

use std::path::{Path, PathBuf};

use crate::file::{self, Candidate, EdgeCoordinates, RacingLine, Source};
use crate::frame::{PictureFrame, Spot};
use crate::geometry::Point;
use crate::input::Input;
use crate::options::Options;
use crate::solve::passing::Decisions;
use crate::solve::{self, Line, optimize_with_progress};
use crate::track::Track;
use crate::vehicle::Vehicle;
use crate::verify::{self, Against, Conditions, VerifyError};

mod edge_uncertainty;
mod error;
mod extraction;
mod given_line;
mod kept_extraction;
mod log_reference;
mod network_extraction;
mod picture_choice;
mod picture_extraction;
mod places;
mod planned_extraction;
mod plausibility;
mod profile;
mod redrive;
mod report;
mod request;
mod road_stretch;
mod stage_trace;
mod warning;

pub use crate::solve::{CandidateSummary, Detail, LapEnergy, Progress, Silent};
pub use edge_uncertainty::EdgeUncertainty;
pub use error::Error;
pub use extraction::extract_with_trace;
pub use extraction::{extract, extract_centre_line, extract_input};
pub use given_line::GivenLine;
pub use kept_extraction::KeptExtraction;
pub use log_reference::log_reference;
pub use network_extraction::{StreetMap, streets};
pub(crate) use places::in_metres;
pub use planned_extraction::{free_space, stops};
pub use plausibility::{AbsurdScale, Doubt};
pub use profile::{Profiled, profile};
pub use redrive::{RedriveError, Redriven, grip_along, redrive};
pub use report::ExtractionReport;
pub use request::Request;
pub use road_stretch::RoadStretch;
pub use stage_trace::StageTrace;
pub use warning::Warning;

/// A track and its source.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Extraction {
    /// The file that it was read from, or its name in messages.
    pub file: PathBuf,
    /// Name of the track: the file's name without its ending.
    pub name: String,
    /// The track.
    pub track: Track,
    /// Source.
    pub source: Source,
    /// The position of its picture, for obstacles and pick-ups in pixels.
    pub frame: Option<PictureFrame>,
    /// The findings, their confidence and the warnings.
    pub report: ExtractionReport,
}

impl Extraction {
    /// Gives the track another name, in its report too.
    pub fn rename(&mut self, name: &str) {
        name.clone_into(&mut self.name);
        name.clone_into(&mut self.report.name);
    }

    /// The warnings about the track, and what is unlikely about it for the vehicle that is to drive it, as a
    /// wrong scale makes it. The warnings of [`optimize`] for this track begin with these.
    #[must_use]
    pub fn warnings_for(&self, vehicle: &Vehicle) -> Vec<Warning> {
        let doubts = plausibility::doubts_for(&self.track, vehicle).into_iter().map(Warning::Doubtful);
        self.report.warnings.iter().cloned().chain(doubts).collect()
    }
}

/// Where [`optimize`] takes a track from: a file, or what was extracted from one.
#[derive(Clone, Debug)]
pub enum TrackSource<'a> {
    /// A file of any kind that [`extract`] reads.
    File(&'a Path),
    /// What such a file has, in memory, with its name in messages.
    Memory(PathBuf, Box<Input>),
    /// The points of a centre line, metres, in the direction of travel, with the distances from each to the left
    /// and to the right edge, metres, and the track's name.
    CentreLine(String, Vec<[f64; 2]>, Vec<[f64; 2]>),
    /// The points of the left and of the right edge, metres, in the direction of travel, and the track's name. The
    /// edges need not have the same number of points.
    EdgeLines(String, Vec<[f64; 2]>, Vec<[f64; 2]>),
    /// A track that was read before.
    Extracted(Box<Extraction>),
}

impl<'a, P: AsRef<Path> + ?Sized> From<&'a P> for TrackSource<'a> {
    fn from(file: &'a P) -> Self {
        Self::File(file.as_ref())
    }
}

impl From<Extraction> for TrackSource<'_> {
    fn from(extraction: Extraction) -> Self {
        Self::Extracted(Box::new(extraction))
    }
}

/// A finished run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The racing line.
    pub line: RacingLine,
    /// The line that the search started from, with its speeds, where the options have one.
    pub initial: Option<RacingLine>,
    /// The findings in the input and their confidence.
    pub extraction: ExtractionReport,
    /// One entry for each of the line's candidates, in the same order.
    pub summaries: Vec<CandidateSummary>,
    /// The energy of the lap, where the line is a car's.
    pub energy: Option<LapEnergy>,
    /// How obstacles are passed and pick-ups taken, where there are any.
    pub decisions: Option<Decisions>,
    /// The warnings.
    pub warnings: Vec<Warning>,
    /// Details of the solvers.
    pub details: Vec<Detail>,
}

/// Finds the racing line of `track` with the options of `request`: of a file, which is read for the
/// vehicle of the request, or of an [`Extraction`].
///
/// # Errors
/// See [`extract`]; also [`Error::Solve`] if the vehicle does not fit the road or no line is found, and
/// [`Error::Unsound`] if the line that was found is not sound.
pub fn optimize<'a>(track: impl Into<TrackSource<'a>>, request: &Request) -> Result<Outcome, Error> {
    line_of(extracted(track, request)?, request)
}

/// The track of a request: read for its vehicle, or as it was extracted.
///
/// # Errors
/// See [`extract`].
pub fn extracted<'a>(track: impl Into<TrackSource<'a>>, request: &Request) -> Result<Extraction, Error> {
    match track.into() {
        TrackSource::Extracted(extraction) => Ok(*extraction),
        source => extraction::extract_source(&source, request),
    }
}

/// The racing line of an extracted track.
fn line_of(extraction: Extraction, request: &Request) -> Result<Outcome, Error> {
    let &Request { options, vehicle, verify, progress, .. } = request;
    let resolved = options.resolved()?;
    let options = &*places::in_metres(&resolved, extraction.frame, extraction.source.geographic_origin_deg);
    let initial = options.initial_line.as_deref().map(|file| initial_line(file, &extraction, request)).transpose()?;
    let (initial_points, initial) = initial.unzip();
    let line_options = solve::LineOptions { initial_line: initial_points, ..options.line_options() };
    let found = optimize_with_progress(&extraction.track, vehicle, &line_options, progress)
        .map_err(|error| Error::Solve { file: extraction.file.clone(), error })?;
    let mut warnings = extraction.warnings_for(vehicle);
    warnings.extend(found.warnings.iter().copied().map(Warning::Line));
    let without_place = options.corner.iter().filter(|corner| !matches!(corner.at, Spot::Metres(_)));
    warnings.extend(without_place.map(|corner| Warning::CornerWithoutPlace { name: corner.name.clone() }));
    let summaries: Vec<CandidateSummary> = found.candidates().map(|candidate| candidate.summary()).collect();
    let line = racing_line(&extraction, options, request, &found);
    if verify {
        match prove(&line) {
            Ok(doubts) => warnings.extend(doubts.into_iter().map(Warning::Unproven)),
            Err(error) => return Err(Error::Unsound { file: extraction.file, line: Box::new(line), error }),
        }
    }
    let (energy, decisions, details) = (found.energy, found.decisions, found.details);
    Ok(Outcome { line, initial, extraction: extraction.report, summaries, energy, decisions, warnings, details })
}

/// The points of the line in `file` that a search starts from, and that line with its speeds, on the
/// track of `extraction`.
fn initial_line(file: &str, extraction: &Extraction, request: &Request) -> Result<(Vec<Point>, RacingLine), Error> {
    let options = Options { format_hint: None, ..request.options.clone() };
    let given = GivenLine::read(Path::new(file), &options)?;
    profile::initial(&given, extraction, request)
}

/// The racing line that was found on the road of `extraction`.
fn racing_line(extraction: &Extraction, options: &Options, request: &Request, found: &Line) -> RacingLine {
    let track = &extraction.track;
    let candidates = found.candidates().map(|candidate| {
        let summary = candidate.summary();
        Candidate {
            method: summary.method,
            lap_time_s: summary.lap_time_s,
            length_m: summary.length_m,
            line: if request.detail { candidate.positions() } else { Vec::new() },
        }
    });
    RacingLine {
        format: file::FORMAT.to_owned(),
        version: file::VERSION,
        name: extraction.name.clone(),
        closed: track.closed,
        direction: track.direction,
        method: options.method,
        lap_time_s: found.lap_time_s,
        length_m: found.length_m,
        vehicle: request.vehicle.clone(),
        source: extraction.source.clone(),
        // The file contains the vehicle, and no path of another folder.
        options: places::decided(options.in_file(), found.decisions.as_ref()),
        generator: file::GENERATOR.to_owned(),
        candidates: candidates.collect(),
        points: found.points(),
        edges: EdgeCoordinates {
            left: coordinates(&track.left_edge.points),
            right: coordinates(&track.right_edge.points),
        },
        sections: if request.detail {
            track.sections.iter().map(|s| [[s.right.x, s.right.y], [s.left.x, s.left.y]]).collect()
        } else {
            Vec::new()
        },
        constraints: found.constraints.clone(),
    }
}

/// Judges a line, for another vehicle and between the edges of another road where they are given.
///
/// # Errors
/// A line that violates a rule of its file, and a vehicle that is not valid.
pub fn judge(
    line: &RacingLine,
    vehicle: Option<&Vehicle>,
    edges: Option<&EdgeCoordinates>,
) -> Result<verify::Report, VerifyError> {
    // The judge reads the options by their names in the file.
    let conditions = serde_json::to_value(&line.options).map(|options| Conditions::of(&options)).unwrap_or_default();
    verify::verify(line, &Against { vehicle: vehicle.unwrap_or(&line.vehicle), edges, conditions: &conditions })
}

/// Proves that a line is sound, on its own road and for its own vehicle. Returns the rules that are violated
/// by so little that the judge may be wrong.
///
/// # Errors
/// Those of [`judge`], and the first rule that is certainly violated, with its place.
pub fn prove(line: &RacingLine) -> Result<Vec<verify::Check>, VerifyError> {
    Ok(judge(line, None, None)?.into_doubts()?)
}

fn coordinates(points: &[Point]) -> Vec<[f64; 2]> {
    points.iter().map(|p| [p.x, p.y]).collect()
}
