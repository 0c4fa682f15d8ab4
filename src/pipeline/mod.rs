//! The order of the stages: from a file to a [`Track`] and on to a [`RacingLine`]. No other file
//! knows it.

use std::path::Path;

use crate::file::{self, EdgeCoordinates, Method, RacingLine, Source};
use crate::frame::{PictureFrame, Spot};
use crate::geometry::Point;
use crate::solve::passing::Decisions;
use crate::track::Track;
use crate::vehicle::Vehicle;

mod detail;
mod driven_candidate;
mod error;
mod extraction;
mod line_search;
mod network_extraction;
mod passing;
mod picture_extraction;
mod planned_extraction;
mod plausibility;
mod point_spacing;
mod redrive;
mod report;
mod request;
mod road_stretch;
mod search_details;
mod stage_trace;
mod vehicle_search;
mod warning;

pub use detail::Detail;
use driven_candidate::DrivenCandidate;
pub use error::Error;
pub use extraction::extract_with_trace;
pub use extraction::{extract, extract_input};
use line_search::LineSearch;
pub use network_extraction::{StreetMap, streets};
pub use planned_extraction::{free_space, stops};
pub use plausibility::{AbsurdScale, Doubt};
pub use redrive::{RedriveError, grip_along, redrive, search_car_again};
pub use report::ExtractionReport;
pub use request::Request;
pub use road_stretch::RoadStretch;
pub use stage_trace::StageTrace;
pub use vehicle_search::{MarginSearch, SearchedLine, search_line};
pub use warning::Warning;

/// Receives the progress of a run.
pub trait Progress: Sync {
    /// A stage begins.
    fn stage(&self, _name: &str) {}
    /// A long stage has done `done` of `total` steps; `note` describes the state.
    fn step(&self, _done: usize, _total: usize, _note: &str) {}
}

/// A progress that is not reported.
pub struct Silent;
impl Progress for Silent {}

/// A track and its source.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Extraction {
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
}

/// Summary of a compared line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CandidateSummary {
    /// Method.
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

/// The energy of a car's lap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LapEnergy {
    /// Work of the drive at the tyres, less what returns of the brakes' work, J.
    pub energy_j: f64,
    /// Seconds that one more joule saves; 0 where energy is not limited.
    pub seconds_per_joule: f64,
}

/// A finished run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The racing line.
    pub line: RacingLine,
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

/// Reads the track in the file `input` and finds its racing line with the options of `request`.
///
/// # Errors
/// See [`extract`]; also [`Error::Solve`] if the vehicle does not fit the road or no line is found.
pub fn optimize(input: &Path, request: &Request) -> Result<Outcome, Error> {
    let extraction = extraction::extract_for(input, request.options, Some(request.vehicle), request.progress)?;
    find_line(input, extraction, request)
}

/// What is unlikely about a track for the vehicle that is to drive it, as a wrong scale makes it.
pub fn doubts_for(track: &Track, vehicle: &Vehicle) -> Vec<Warning> {
    plausibility::doubts_for(track, vehicle).into_iter().map(Warning::Doubtful).collect()
}

/// Finds the racing line of the track that was extracted from the file `input`: the second half of
/// [`optimize`]. The outcome's warnings begin with those of the extraction, followed by those of
/// [`doubts_for`].
///
/// # Errors
/// [`Error::Solve`] if the vehicle does not fit the road or no line is found.
pub fn find_line(input: &Path, extraction: Extraction, request: &Request) -> Result<Outcome, Error> {
    let &Request { options, vehicle, detail, progress } = request;
    let resolved = options.resolved()?;
    let options = &*passing::in_metres(&resolved, extraction.frame);
    let search = line_search::search(&extraction.track, options, vehicle, progress)
        .map_err(|error| Error::Solve { file: input.to_owned(), error })?;
    let mut warnings = extraction.report.warnings.clone();
    warnings.extend(doubts_for(&extraction.track, vehicle));
    warnings.extend(search.warnings);
    let without_place = options.corner.iter().filter(|corner| matches!(corner.at, Spot::Pixels(_)));
    warnings.extend(without_place.map(|corner| Warning::CornerWithoutPlace { name: corner.name.clone() }));
    let mut line = RacingLine {
        format: file::FORMAT.to_owned(),
        version: file::VERSION,
        name: extraction.name,
        closed: extraction.track.closed,
        direction: extraction.track.direction,
        method: options.method,
        lap_time_s: 0.0,
        length_m: 0.0,
        vehicle: vehicle.clone(),
        source: extraction.source,
        // The file contains the vehicle.
        options: passing::decided(options.without_vehicle(), search.decisions.as_ref()),
        generator: file::GENERATOR.to_owned(),
        candidates: search.candidates.iter().map(|candidate| candidate.entry(detail, search.road.origin)).collect(),
        points: Vec::new(),
        edges: EdgeCoordinates {
            left: coordinates(&extraction.track.left_edge.points),
            right: coordinates(&extraction.track.right_edge.points),
        },
        sections: Vec::new(),
    };
    if detail {
        line.sections =
            extraction.track.sections.iter().map(|s| [[s.right.x, s.right.y], [s.left.x, s.left.y]]).collect();
    }
    if let Some(chosen) = search.candidates.iter().find(|candidate| candidate.method == options.method) {
        line.lap_time_s = chosen.driven.lap_time_s();
        line.length_m = chosen.driven.arc_length_whole_m;
        line.points = chosen.points(&search.reported);
    }
    let summaries = search.candidates.iter().map(DrivenCandidate::summary).collect();
    let LineSearch { energy, decisions, details, .. } = search;
    Ok(Outcome { line, extraction: extraction.report, summaries, energy, decisions, warnings, details })
}

fn coordinates(points: &[Point]) -> Vec<[f64; 2]> {
    points.iter().map(|p| [p.x, p.y]).collect()
}
