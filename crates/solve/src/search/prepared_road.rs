//! The part of a road that a vehicle may use, with its margin: the part of a search that needs no
//! lap.

use std::sync::Arc;

use raceline_file::Method;
use raceline_road::track::{TrackOptions, usable};

use super::conditions::RoadConditions;
use super::options::LineOptions;
use super::progress::Progress;
use super::road_use::RoadUse;
use super::warning::LineWarning;
use crate::passing::{self, Decisions, Obstacle, PassingTask, PickUp, PickUpSearch, decided_barriers};
use crate::pin::sections_through;
use crate::{Corridor, EdgeDistance, LocalRoad, SolveError, pins_on_road};

/// A road that is prepared for all vehicles with an equal use of it.
pub struct PreparedRoad {
    /// The road of the track.
    pub source: Arc<LocalRoad>,
    /// The road that the vehicles may use: within the clearances of its edges, with the barriers of
    /// obstacles and pick-ups as parts of its edges.
    pub road: Arc<LocalRoad>,
    /// The road within the clearances, without barriers.
    pub undecided: Arc<LocalRoad>,
    /// Margin to its edges, m.
    pub margin_m: f64,
    /// The bounds of lines, with the offsets of the options at the ends.
    pub corridor: Corridor,
    /// Grip and heights.
    pub conditions: RoadConditions,
    /// How obstacles are passed and pick-ups taken, where there are any.
    pub decisions: Option<Decisions>,
    pub warnings: Vec<LineWarning>,
}

impl PreparedRoad {
    /// Prepares the road `source` for the vehicles with this use of it.
    ///
    /// # Errors
    /// Clearances that leave no road, a stretch that does not fit the road, pins that no line
    /// keeps, obstacles that cannot be passed, and a road that is too narrow.
    pub fn new(
        source: Arc<LocalRoad>,
        options: &LineOptions,
        road_use: &RoadUse,
        progress: &dyn Progress,
    ) -> Result<Self, SolveError> {
        let road = with_pins(within_clearances(&source, options, road_use)?, options)?;
        let margin_m = road_use.margin_m + road.track.edge_uncertainty_m;
        let conditions = RoadConditions::on(&road.track, options)?;
        let undecided = Arc::clone(&road);
        let (road, decisions) = decided(road, options, road_use, margin_m, &conditions, progress)?;
        let mut corridor =
            Corridor::new(&road.track, &road.edges, margin_m).map_err(|error| error.moved_by(road.origin))?;
        let mut warnings: Vec<_> = corridor.pin_ends(&options.solve).into_iter().map(LineWarning::from).collect();
        if decisions.as_ref().is_some_and(|decisions| decisions.is_simplified) {
            warnings.push(LineWarning::DecisionsSimplified);
        }
        Ok(Self { source, road, undecided, margin_m, corridor, conditions, decisions, warnings })
    }

    /// The road with other decisions, all made: obstacles with their sides, and pick-ups that are
    /// taken or not.
    ///
    /// # Errors
    /// A road that is too narrow between the barriers.
    pub fn decided_as(
        &self,
        obstacles: &[Obstacle],
        pick_ups: &[PickUp],
        options: &LineOptions,
    ) -> Result<Self, SolveError> {
        let Self { undecided, margin_m, .. } = self;
        let barriers = decided_barriers(undecided, *margin_m, obstacles, pick_ups)?;
        let edges = undecided.edges.with_barriers(barriers);
        let mut corridor =
            Corridor::new(&undecided.track, &edges, *margin_m).map_err(|error| error.moved_by(undecided.origin))?;
        corridor.pin_ends(&options.solve);
        let road = Arc::new(LocalRoad { edges, track: undecided.track.clone(), origin: undecided.origin });
        Ok(Self {
            source: Arc::clone(&self.source),
            road,
            undecided: Arc::clone(undecided),
            margin_m: *margin_m,
            corridor,
            conditions: self.conditions.clone(),
            decisions: None,
            warnings: Vec::new(),
        })
    }
}

/// The road that the clearances of its edges leave.
fn within_clearances(
    source: &Arc<LocalRoad>,
    options: &LineOptions,
    road_use: &RoadUse,
) -> Result<Arc<LocalRoad>, SolveError> {
    options.clearance.validate()?;
    let Some(clearance) = road_use.clearance else { return Ok(Arc::clone(source)) };
    let track_options = TrackOptions { spacing_m: options.spacing_m, ..TrackOptions::default() };
    let (safety_m, length_m) = (clearance.safety_distance_m, clearance.length_m);
    let used = usable(&source.track, &options.clearance, &track_options, safety_m, length_m)?;
    Ok(used.map_or_else(
        || Arc::clone(source),
        |track| Arc::new(LocalRoad { edges: EdgeDistance::new(&track), track, origin: source.origin }),
    ))
}

/// The road with its pins, and a cross-section through each.
fn with_pins(road: Arc<LocalRoad>, options: &LineOptions) -> Result<Arc<LocalRoad>, SolveError> {
    if options.pin.is_empty() {
        return Ok(road);
    }
    let pins = pins_on_road(&options.pin, road.origin)?;
    let track = sections_through(&road.track, &pins).map_err(|error| error.moved_by(road.origin))?;
    Ok(Arc::new(LocalRoad { edges: road.edges.with_pins(pins), track, origin: road.origin }))
}

/// The road with its obstacles and its gates as parts of the edges.
fn decided(
    road: Arc<LocalRoad>,
    options: &LineOptions,
    road_use: &RoadUse,
    margin_m: f64,
    conditions: &RoadConditions,
    progress: &dyn Progress,
) -> Result<(Arc<LocalRoad>, Option<Decisions>), SolveError> {
    let Some(vehicle) = &road_use.decider else { return Ok((road, None)) };
    progress.stage("deciding about obstacles and pick-ups");
    let of_method = if options.method == Method::Relaxation { PickUpSearch::HeavyPoints } else { PickUpSearch::Exact };
    let task = PassingTask {
        road: &road,
        margin_m,
        lap: conditions.lap(vehicle, options.speed),
        pick_up_search: options.solve.pick_up_search.unwrap_or(of_method),
        is_route: options.is_route,
        options: &options.solve,
    };
    let (barriers, decisions) =
        passing::decide(task, &options.obstacle, &options.pick_up).map_err(|error| error.moved_by(road.origin))?;
    let edges = road.edges.with_barriers(barriers);
    Ok((Arc::new(LocalRoad { edges, track: road.track.clone(), origin: road.origin }), Some(decisions)))
}
