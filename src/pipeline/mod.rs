//! The order of the stages: from a file to a [`Track`](crate::track::Track) and on to a
//! [`RacingLine`](crate::file::RacingLine). No other module knows it.
//!
//! [`optimize`] is the one entrance to the search for lines. It reads a track, calls
//! [`raceline_solve`], and keeps what concerns files and warnings. A program with a track of its own
//! calls [`raceline_solve::optimize`].

mod driven_road;
mod edge_points;
mod edge_uncertainty;
mod error;
mod extracted_track;
mod extraction;
mod finished_line;
mod given_line;
mod judging;
mod kept_extraction;
mod log_reference;
mod network_extraction;
mod outcome;
mod picture_choice;
mod picture_extraction;
mod places;
mod planned_extraction;
mod plausibility;
mod profile;
mod redrive;
mod report;
mod request;
mod road_likeness;
mod road_stretch;
mod stage_trace;
mod street_lines;
mod track_source;
mod warning;

pub use crate::solve::{CandidateSummary, Detail, LapEnergy, Progress, Silent};
pub use driven_road::{extract_driven_road, options_of_driven_road};
pub use edge_points::with_edge_points;
pub use edge_uncertainty::{EdgeUncertainty, doubtful};
pub use error::Error;
pub use extracted_track::Extraction;
pub use extraction::extract_with_trace;
pub use extraction::{extract, extract_centre_line, extract_input};
pub use given_line::GivenLine;
pub use judging::{judge, prove};
pub use kept_extraction::KeptExtraction;
pub use log_reference::log_reference;
pub use network_extraction::{StreetMap, street_lines, streets};
pub(crate) use outcome::{FINER_STAGE, MAX_REFINEMENTS, line_in_file, missing_m, more_finely, within_margin};
pub use outcome::{Outcome, extracted, optimize};
pub(crate) use places::in_metres;
pub use planned_extraction::{free_space, stops};
pub use plausibility::{AbsurdScale, Doubt};
pub use profile::{Profiled, profile};
pub(crate) use redrive::grip_of_options;
pub use redrive::{RedriveError, Redriven, grip_along, redrive};
pub use report::ExtractionReport;
pub use request::Request;
pub use road_stretch::RoadStretch;
pub use stage_trace::StageTrace;
pub use track_source::TrackSource;
pub use warning::Warning;
