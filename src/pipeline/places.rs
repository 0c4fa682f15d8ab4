//! Places of the options in metres, for the search; what was decided at them, for the file.

use std::borrow::Cow;

use crate::frame::{PictureFrame, Spot};
use crate::geometry::Projection;
use crate::options::Options;
use crate::solve::passing::Decisions;

/// The options with obstacles, pick-ups, pins and names of corners in metres, where they are in pixels of a picture,
/// or in degrees and `origin_deg` is the place of (0, 0) on the globe.
pub(crate) fn in_metres(
    options: &Options,
    frame: Option<PictureFrame>,
    origin_deg: Option<[f64; 2]>,
) -> Cow<'_, Options> {
    let has_places = !(options.obstacle.is_empty()
        && options.pick_up.is_empty()
        && options.pin.is_empty()
        && options.corner.is_empty());
    let options = origin_deg.map_or(Cow::Borrowed(options), |origin| of_degrees(options, origin));
    let Some(frame) = frame.filter(|_| has_places) else { return options };
    let mut options = options.into_owned();
    let obstacles = options.obstacle.iter_mut().flat_map(|obstacle| obstacle.spots_mut());
    let pick_ups = options.pick_up.iter_mut().map(|pick_up| &mut pick_up.at);
    let pins = options.pin.iter_mut().map(|pin| &mut pin.at);
    let corners = options.corner.iter_mut().map(|corner| &mut corner.at);
    for spot in obstacles.chain(pick_ups).chain(pins).chain(corners) {
        if let Some(place) = frame.spot(*spot) {
            *spot = Spot::Metres([place.x, place.y]);
        }
    }
    Cow::Owned(options)
}

/// The options with every place that is in degrees in metres; `origin_deg` is the place of (0, 0).
pub(super) fn of_degrees(options: &Options, origin_deg: [f64; 2]) -> Cow<'_, Options> {
    let mut moved = options.clone();
    let ends = [&mut moved.plan.from, &mut moved.plan.to, &mut moved.track.start].into_iter().flatten();
    let obstacles = moved.obstacle.iter_mut().flat_map(|obstacle| obstacle.spots_mut());
    let pick_ups = moved.pick_up.iter_mut().map(|pick_up| &mut pick_up.at);
    let pins = moved.pin.iter_mut().map(|pin| &mut pin.at);
    let corners = moved.corner.iter_mut().map(|corner| &mut corner.at);
    let mut has_degrees = false;
    for spot in ends.chain(&mut moved.route.via).chain(obstacles).chain(pick_ups).chain(pins).chain(corners) {
        if let Spot::Degrees(degrees) = *spot {
            let place = Projection::at(origin_deg).project(degrees);
            *spot = Spot::Metres([place.x, place.y]);
            has_degrees = true;
        }
    }
    if has_degrees { Cow::Owned(moved) } else { Cow::Borrowed(options) }
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
