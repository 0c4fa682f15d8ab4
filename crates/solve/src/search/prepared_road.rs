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
use crate::barrier::Barrier;
use crate::no_go_on_road::{naming, sections_through_polygons};
use crate::passing::{self, Decisions, Obstacle, PassingTask, PickUp, PickUpSearch, PolygonObstacle, decided_barriers};
use crate::pin::sections_through;
use crate::{
    ConstraintError, Corridor, EdgeDistance, LocalRoad, NoGo, NoGoArea, PassingError, SolveError, no_go_on_road,
    pins_on_road,
};

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
        let conditions = RoadConditions::about(&road.track, road.origin, options)?;
        let (road, searched) = with_no_go(&source, road, options, margin_m)?;
        let undecided = Arc::clone(&road);
        let (road, decisions) = decided(road, &searched, options, road_use, margin_m, &conditions, progress)?;
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
        let edges = undecided.edges.with_barriers(barriers).with_no_go(self.road.edges.no_go().to_vec());
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

/// The road that the clearances of its edges and further margins leave.
fn within_clearances(
    source: &Arc<LocalRoad>,
    options: &LineOptions,
    road_use: &RoadUse,
) -> Result<Arc<LocalRoad>, SolveError> {
    options.clearance.validate()?;
    let Some(clearance) = road_use.clearance else { return Ok(Arc::clone(source)) };
    let track_options = TrackOptions { spacing_m: options.spacing_m, ..TrackOptions::default() };
    let (safety_m, length_m) = (clearance.safety_distance_m, clearance.length_m);
    let room = (&options.clearance, &options.edge_margin[..]);
    let used = usable(&source.track, room, &track_options, safety_m, length_m)?;
    Ok(used.map_or_else(
        || Arc::clone(source),
        |track| Arc::new(LocalRoad { edges: EdgeDistance::new(&track), track, origin: source.origin }),
    ))
}

/// The road with its pins, and a cross-section through each of them and of the polygons of `no_go`.
fn with_pins(road: Arc<LocalRoad>, options: &LineOptions) -> Result<Arc<LocalRoad>, SolveError> {
    if options.pin.is_empty() && options.no_go.is_empty() {
        return Ok(road);
    }
    let pins = pins_on_road(&options.pin, road.origin)?;
    let track = sections_through(&road.track, &pins).map_err(|error| error.moved_by(road.origin))?;
    let places: Vec<_> = pins.iter().map(|pin| pin.place).collect();
    let track = sections_through_polygons(&track, &options.no_go, road.origin, &places);
    Ok(Arc::new(LocalRoad { edges: road.edges.with_pins(pins), track, origin: road.origin }))
}

/// The road with the regions that lines keep out of as parts of the edges, and the indices of those
/// whose sides are searched.
fn with_no_go(
    source: &LocalRoad,
    road: Arc<LocalRoad>,
    options: &LineOptions,
    margin_m: f64,
) -> Result<(Arc<LocalRoad>, Vec<usize>), SolveError> {
    if options.no_go.is_empty() {
        return Ok((road, Vec::new()));
    }
    let moved = |error: SolveError| error.moved_by(road.origin);
    let found = no_go_on_road(&source.track, &road, &options.no_go, margin_m).map_err(moved)?;
    let edges = road.edges.with_no_go(found.areas.clone());
    if let Err(error) = Corridor::new(&road.track, &edges, margin_m) {
        return Err(moved(naming(error, &road.track, &road.edges, &found.areas, margin_m)));
    }
    Ok((Arc::new(LocalRoad { edges, track: road.track.clone(), origin: road.origin }), found.undecided))
}

/// The error about an obstacle that stands for one of the polygons `searched`, after the `own`
/// obstacles of the options.
fn of_no_go(error: SolveError, own: usize, searched: &[usize]) -> SolveError {
    match error {
        SolveError::Passing(PassingError::Blocked { number, x_m, y_m, needed_m, .. }) if number > own => {
            let number = searched.get(number - own - 1).map_or(number, |index| index + 1);
            ConstraintError::NoGoCloses { number, x_m, y_m, needed_m }.into()
        }
        SolveError::Passing(PassingError::BlockedTogether { .. }) if !searched.is_empty() => {
            let numbers: Vec<String> = searched.iter().map(|index| (index + 1).to_string()).collect();
            ConstraintError::NoGoTogether { numbers: numbers.join(", ") }.into()
        }
        other => other,
    }
}

/// The road with its obstacles and its gates as parts of the edges, and with the polygons
/// `searched` of `no_go`, whose sides are decided as those of obstacles.
fn decided(
    road: Arc<LocalRoad>,
    searched: &[usize],
    options: &LineOptions,
    road_use: &RoadUse,
    margin_m: f64,
    conditions: &RoadConditions,
    progress: &dyn Progress,
) -> Result<(Arc<LocalRoad>, Option<Decisions>), SolveError> {
    let Some(vehicle) = &road_use.decider else { return Ok((road, None)) };
    let own = options.obstacle.len();
    if own + options.pick_up.len() + searched.len() == 0 {
        return Ok((road, None));
    }
    let polygon = |&index: &usize| match &options.no_go[index] {
        NoGo::Polygon(region) => {
            Some(Obstacle::Polygon(PolygonObstacle { points: region.polygon.clone(), side: None }))
        }
        NoGo::Stretch(_) => None,
    };
    let obstacles: Vec<Obstacle> =
        options.obstacle.iter().cloned().chain(searched.iter().filter_map(polygon)).collect();
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
    let (barriers, mut decisions) = passing::decide(task, &obstacles, &options.pick_up)
        .map_err(|error| of_no_go(error, own, searched).moved_by(road.origin))?;
    decisions.no_go_sides = vec![None; options.no_go.len()];
    for (side, &index) in decisions.sides.drain(own..).zip(searched) {
        decisions.no_go_sides[index] = side;
    }
    let (barriers, areas) = split(barriers, &road, &decisions, options)?;
    let edges = road.edges.with_barriers(barriers).with_no_go(areas);
    Ok((Arc::new(LocalRoad { edges, track: road.track.clone(), origin: road.origin }), Some(decisions)))
}

/// The barriers of obstacles and pick-ups without those of the polygons that were decided with
/// them, and all regions with theirs.
fn split(
    mut barriers: Vec<Barrier>,
    road: &LocalRoad,
    decisions: &Decisions,
    options: &LineOptions,
) -> Result<(Vec<Barrier>, Vec<NoGoArea>), SolveError> {
    let mut areas = road.edges.no_go().to_vec();
    for (index, (region, side)) in options.no_go.iter().zip(&decisions.no_go_sides).enumerate() {
        let (NoGo::Polygon(polygon), &Some(side)) = (region, side) else { continue };
        let number = index + 1;
        let outline = polygon.outline(number, road.origin)?;
        barriers.retain(|barrier| barrier.outline != outline);
        areas.push(NoGoArea { number, barriers: vec![Barrier::new(outline, side)] });
    }
    areas.sort_by_key(|area| area.number);
    Ok((barriers, areas))
}

#[cfg(test)]
mod tests {
    use raceline_road::frame::Spot;
    use raceline_road::geometry::{Point, Vector};
    use raceline_road::track::RoadSide;

    use super::*;
    use crate::barrier::{Outline, PassingSide};
    use crate::test_roads::straight;
    use crate::{PolygonNoGo, StretchNoGo};

    #[test]
    fn polygons_that_are_decided_are_regions_and_obstacles_stay_barriers() {
        let track = straight(21, 8.0);
        let origin = Vector::new(100.0, 0.0);
        let local = track.moved_by(-origin);
        let square = |x: f64| [[x, -1.0], [x + 2.0, -1.0], [x + 2.0, 1.0], [x, 1.0]];
        let no_go = |x: f64, side| {
            let polygon = square(x).map(Spot::Metres).to_vec();
            NoGo::Polygon(PolygonNoGo { polygon, side })
        };
        // Squares about the road's origin, as barriers are.
        let barrier = |x: f64, passed_on| {
            let vertices = square(x).map(|[x, y]| Point::new(x, y) - origin).to_vec();
            Barrier::new(Outline::Polygon(vertices), passed_on)
        };
        let (left, right) = (PassingSide::Left, PassingSide::Right);
        let strip = StretchNoGo { from_m: 10.0, to_m: 20.0, side: RoadSide::Left, width_m: 1.0 };
        let options = LineOptions {
            no_go: vec![no_go(50.0, None), NoGo::Stretch(strip), no_go(90.0, Some(left)), no_go(130.0, None)],
            ..LineOptions::default()
        };
        // The third one's side was specified, so that it is a part of the edges already.
        let specified = NoGoArea { number: 3, barriers: vec![barrier(90.0, left)] };
        let edges = EdgeDistance::new(&local).with_no_go(vec![specified]);
        let road = LocalRoad { edges, track: local, origin };
        let decisions = Decisions {
            sides: vec![Some(left)],
            no_go_sides: vec![Some(right), None, None, Some(left)],
            pick_ups: Vec::new(),
            detour_of_all_s: None,
            laps: 0,
            is_proven: true,
            is_simplified: false,
        };
        let all = vec![barrier(30.0, left), barrier(50.0, right), barrier(130.0, left)];
        let (barriers, areas) = split(all, &road, &decisions, &options).unwrap();
        let outlines = |barriers: &[Barrier]| -> Vec<(Outline, PassingSide)> {
            barriers.iter().map(|barrier| (barrier.outline.clone(), barrier.passed_on)).collect()
        };
        assert_eq!(outlines(&barriers), outlines(&[barrier(30.0, left)]));
        let found: Vec<_> = areas.iter().map(|area| (area.number, outlines(&area.barriers))).collect();
        let expected = [(1, 50.0, right), (3, 90.0, left), (4, 130.0, left)]
            .map(|(number, x, passed_on)| (number, outlines(&[barrier(x, passed_on)])));
        assert_eq!(found, expected);
    }
}
