//! The line for one vehicle of many on the same track.

use std::sync::Arc;

use super::driven_candidate::DrivenCandidate;
use super::line_search::{self, CarSearch, LineSearch, Prepared};
use super::point_spacing::point_spacing_m;
use super::{CandidateSummary, Progress, Silent, Warning};
use crate::options::Options;
use crate::solve::car::{Optimum, car_lap_from};
use crate::solve::{LoadedRelief, LocalRoad, SolveError, Soundness, Spacing};
use crate::speed::{DrivenLine, Lap};
use crate::track::{Track, TrackGrip, TrackRelief};
use crate::vehicle::Vehicle;

/// The line that `options.method` selects, driven by its vehicle.
#[derive(Clone, Debug)]
pub struct SearchedLine {
    /// Method, lap time, length and speeds.
    pub summary: CandidateSummary,
    /// The line with its speed profile.
    pub driven: DrivenLine,
    /// The car's lap with its multipliers, where the line is a car's.
    pub optimum: Option<Optimum>,
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
/// blend's parents. Vehicles with the same margin use it in common.
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
        self.variation(options, vehicle, vehicle)
    }

    /// The search for a variation of the vehicle `base`, on whose tyres a car is: see
    /// [`car_lap_on`](crate::solve::car::car_lap_on).
    ///
    /// # Errors
    /// Those of [`search_line`].
    pub fn variation(&self, options: &Options, base: &Vehicle, vehicle: &Vehicle) -> Result<SearchedLine, SolveError> {
        chosen(line_search::search_prepared(&self.prepared, options, (vehicle, base), &Silent)?, options)
    }

    /// The car's lap of `vehicle`, searched from that of a vehicle near it with the same margin, on the
    /// same tyres; `None` where the search does not converge from there.
    ///
    /// # Errors
    /// A vehicle that cannot be simulated.
    pub fn near(
        &self,
        options: &Options,
        vehicle: &Vehicle,
        near: &Optimum,
    ) -> Result<Option<SearchedLine>, SolveError> {
        let Prepared { reported, road, margin_m, warnings, .. } = &self.prepared;
        let track = &road.track;
        let grip = TrackGrip::new(track, &options.grip)?;
        let relief = TrackRelief::new(track, &options.relief);
        let loaded = relief.as_ref().map(|relief| LoadedRelief { relief, load: options.load });
        let lap = Lap::on(vehicle, options.speed, grip.as_ref(), loaded.as_ref());
        let spacing = Spacing::of_points(point_spacing_m(track, vehicle, options)?, track.mean_width());
        let soundness = Soundness::new(track, *margin_m, vehicle.max_curvature_radpm);
        let mut search = LineSearch {
            candidates: Vec::new(),
            optimum: None,
            energy: None,
            decisions: None,
            road: Arc::clone(road),
            reported: Arc::clone(reported),
            warnings: warnings.clone(),
            details: Vec::new(),
        };
        let found = car_lap_from(near, vehicle, &|_| {})?;
        let CarSearch::Found = search.push_car(found, spacing, lap, soundness)? else {
            return Ok(None);
        };
        search.check_margin(*margin_m);
        chosen(search, options).map(Some)
    }
}

/// The candidate that `options.method` selects.
fn chosen(search: line_search::LineSearch, options: &Options) -> Result<SearchedLine, SolveError> {
    let candidate = search.candidates.into_iter().find(|candidate| candidate.method == options.method);
    let candidate = candidate.ok_or(SolveError::Degenerate)?;
    Ok(SearchedLine {
        summary: DrivenCandidate::summary(&candidate),
        driven: candidate.driven.moved_by(search.road.origin),
        optimum: search.optimum,
        warnings: search.warnings,
    })
}
