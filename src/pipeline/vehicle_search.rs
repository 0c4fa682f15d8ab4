//! The line for one vehicle of many on the same track.

use std::sync::Arc;

use super::line_search::{self, DrivenCandidate, Prepared};
use super::{CandidateSummary, Progress, Silent, Warning};
use crate::options::Options;
use crate::solve::{LocalRoad, SolveError};
use crate::speed::DrivenLine;
use crate::track::Track;
use crate::vehicle::Vehicle;

/// The line that `options.method` selects, driven by its vehicle.
#[derive(Clone, Debug)]
pub struct SearchedLine {
    /// Method, lap time, length and speeds.
    pub summary: CandidateSummary,
    /// The line with its speed profile.
    pub driven: DrivenLine,
    /// The warnings.
    pub warnings: Vec<Warning>,
}

/// Searches the line of `vehicle` on `track`.
///
/// # Errors
/// Options out of their range, and a vehicle that does not fit the road or for which no line is
/// found.
pub fn search_line(
    track: &Track,
    options: &Options,
    vehicle: &Vehicle,
    progress: &dyn Progress,
) -> Result<SearchedLine, SolveError> {
    chosen(line_search::search(track, options, vehicle, progress)?, options)
}

/// The part of a search that depends on the vehicle only by its margin: the corridor and the
/// blend's parents. Vehicles with the same margin share it.
pub struct MarginSearch {
    prepared: Prepared,
}

impl MarginSearch {
    /// Prepares the search for the margin of `vehicle`.
    ///
    /// # Errors
    /// A vehicle that does not fit the road, and quadratic programs without a solution.
    pub fn new(road: Arc<LocalRoad>, options: &Options, vehicle: &Vehicle) -> Result<Self, SolveError> {
        options.solve.validate()?;
        line_search::prepare(road, options, vehicle, &Silent).map(|prepared| Self { prepared })
    }

    /// Searches the line of `vehicle`, which must have the margin of the vehicle in [`Self::new`].
    /// `options` are those of [`Self::new`].
    ///
    /// # Errors
    /// Those of [`search_line`].
    pub fn line(&self, options: &Options, vehicle: &Vehicle) -> Result<SearchedLine, SolveError> {
        chosen(line_search::search_prepared(&self.prepared, options, vehicle, &Silent)?, options)
    }
}

/// The candidate that `options.method` selects.
fn chosen(search: line_search::LineSearch, options: &Options) -> Result<SearchedLine, SolveError> {
    let candidate = search.candidates.into_iter().find(|candidate| candidate.method == options.method);
    let candidate = candidate.ok_or(SolveError::Degenerate)?;
    Ok(SearchedLine {
        summary: DrivenCandidate::summary(&candidate),
        driven: candidate.driven.moved_by(search.road.origin),
        warnings: search.warnings,
    })
}
