//! The result of a search: a line, how its search ended, and what it was compared with.

use std::sync::Arc;

use raceline_file::{Constraint, LinePoint, Method};

use super::detail::Detail;
use super::found_line::FoundLine;
use super::summary::{CandidateSummary, LapEnergy, LineStatus};
use super::warning::LineWarning;
use crate::LocalRoad;
use crate::car::Optimum;
use crate::passing::Decisions;
use crate::speed::DrivenLine;

/// A line with its speed profile.
///
/// Look at its [`status`](Self::status) and its [`warnings`](Self::warnings): a line is returned
/// even if its search has not converged.
#[derive(Clone, Debug)]
#[must_use = "a line may not have converged: look at its status"]
#[non_exhaustive]
pub struct Line {
    /// The method of the options.
    pub method: Method,
    /// How its search ended.
    pub status: LineStatus,
    /// Whether its last point leads back to its first. A closed line does not repeat its first
    /// point.
    pub closed: bool,
    /// Lap time, s.
    pub lap_time_s: f64,
    /// Length, m; on a road with heights in space.
    pub length_m: f64,
    /// The lap's multipliers, where the line is a car's.
    pub optimum: Option<Optimum>,
    /// The energy of the lap, where the line is a car's.
    pub energy: Option<LapEnergy>,
    /// How obstacles are passed and pick-ups taken, where there are any.
    pub decisions: Option<Decisions>,
    /// The pins and the speed caps, and what they cost.
    pub constraints: Vec<Constraint>,
    /// The warnings, in the order of the search.
    pub warnings: Vec<LineWarning>,
    /// Details of the solvers, in the order of the search.
    pub details: Vec<Detail>,
    /// All lines, in the order of the search; not empty.
    pub(super) candidates: Vec<FoundLine>,
    /// The one of the options' method.
    pub(super) chosen: usize,
    /// The road of the track.
    pub(super) source: Arc<LocalRoad>,
}

impl Line {
    /// The points in the order of travel, each with its position, heading, curvature, speed, time
    /// and distances to the edges. Positions are rounded to the grid of the racing-line file, 10
    /// µm.
    #[must_use]
    pub fn points(&self) -> Vec<LinePoint> {
        self.candidates[self.chosen].points(&self.source)
    }

    /// The lines that were searched for this one, and this one, in the order of the search.
    #[must_use]
    pub fn candidates(&self) -> impl ExactSizeIterator<Item = Candidate<'_>> {
        self.candidates.iter().map(|found| Candidate { found, source: &self.source })
    }

    /// Method, lap time, length and speeds.
    #[must_use]
    pub fn summary(&self) -> CandidateSummary {
        self.candidates[self.chosen].summary()
    }

    /// The line as a curve with its speed profile, for another simulation on it.
    #[must_use]
    pub fn driven(&self) -> DrivenLine {
        self.candidates[self.chosen].driven.clone().moved_by(self.source.origin)
    }
}

/// One of the lines that a search compared.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    found: &'a FoundLine,
    source: &'a LocalRoad,
}

impl Candidate<'_> {
    /// Method, lap time, length and speeds.
    #[must_use]
    pub fn summary(&self) -> CandidateSummary {
        self.found.summary()
    }

    /// How its search ended.
    #[must_use]
    pub fn status(&self) -> LineStatus {
        self.found.status
    }

    /// Points, metres, on the grid of the racing-line file.
    #[must_use]
    pub fn positions(&self) -> Vec<[f64; 2]> {
        self.found.positions(self.source.origin).collect()
    }
}
