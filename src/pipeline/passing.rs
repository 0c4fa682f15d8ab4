//! Places of the options in metres; obstacles and pick-ups, decided before the lines are searched and
//! reported after.

use std::borrow::Cow;
use std::sync::Arc;

use super::Progress;
use crate::file::Method;
use crate::frame::{PictureFrame, Spot};
use crate::options::Options;
use crate::solve::passing::{Decisions, PassingTask, PickUpSearch};
use crate::solve::{LoadedRelief, LocalRoad, SolveError, passing};
use crate::speed::Lap;
use crate::track::{TrackGrip, TrackRelief};
use crate::vehicle::Vehicle;

/// The options with obstacles, pick-ups and names of corners in metres, where they are in pixels of a picture.
pub(super) fn in_metres(options: &Options, frame: Option<PictureFrame>) -> Cow<'_, Options> {
    let has_places = !options.obstacle.is_empty() || !options.pick_up.is_empty() || !options.corner.is_empty();
    let Some(frame) = frame.filter(|_| has_places) else {
        return Cow::Borrowed(options);
    };
    let mut options = options.clone();
    let obstacles = options.obstacle.iter_mut().flat_map(|obstacle| obstacle.spots_mut());
    let pick_ups = options.pick_up.iter_mut().map(|pick_up| &mut pick_up.at);
    let corners = options.corner.iter_mut().map(|corner| &mut corner.at);
    for spot in obstacles.chain(pick_ups).chain(corners) {
        let place = frame.spot(*spot);
        *spot = Spot::Metres([place.x, place.y]);
    }
    Cow::Owned(options)
}

/// The options with what was decided, as a line's file contains them.
pub(super) fn decided(mut options: Options, decisions: Option<&Decisions>) -> Options {
    let Some(decisions) = decisions else { return options };
    for (obstacle, side) in options.obstacle.iter_mut().zip(&decisions.sides) {
        if let Some(side) = side {
            obstacle.set_side(*side);
        }
    }
    for (pick_up, decision) in options.pick_up.iter_mut().zip(&decisions.pick_ups) {
        pick_up.take = Some(decision.is_taken);
    }
    options
}

/// The road with its obstacles and its gates as parts of the edges.
pub(super) fn decide(
    road: Arc<LocalRoad>,
    options: &Options,
    vehicle: &Vehicle,
    margin_m: f64,
    progress: &dyn Progress,
) -> Result<(Arc<LocalRoad>, Option<Decisions>), SolveError> {
    if options.obstacle.is_empty() && options.pick_up.is_empty() {
        return Ok((road, None));
    }
    progress.stage("deciding about obstacles and pick-ups");
    let grip = TrackGrip::new(&road.track, &options.grip)?;
    let relief = TrackRelief::new(&road.track, &options.relief);
    let loaded = relief.as_ref().map(|relief| LoadedRelief { relief, load: options.load });
    let lap = Lap::on(vehicle, options.speed, grip.as_ref(), loaded.as_ref());
    let of_method = if options.method == Method::Relaxation { PickUpSearch::HeavyPoints } else { PickUpSearch::Exact };
    let pick_up_search = options.solve.pick_up_search.unwrap_or(of_method);
    let task = PassingTask {
        road: &road,
        margin_m,
        lap,
        pick_up_search,
        is_route: options.plan.is_planned(),
        options: &options.solve,
    };
    let (barriers, decisions) =
        passing::decide(task, &options.obstacle, &options.pick_up).map_err(|error| error.moved_by(road.origin))?;
    let edges = road.edges.with_barriers(barriers);
    Ok((Arc::new(LocalRoad { edges, track: road.track.clone(), origin: road.origin }), Some(decisions)))
}
