//! Places of the options in metres, for the search; what was decided at them, for the file.

use std::borrow::Cow;

use crate::frame::{PictureFrame, Spot};
use crate::geometry::Projection;
use crate::options::Options;
use crate::solve::passing::Decisions;

/// The options with obstacles, pick-ups, pins, regions, places of edges and names of corners in metres, where they
/// are in pixels of a picture, or in degrees and `origin_deg` is the place of (0, 0) on the globe.
pub(crate) fn in_metres(
    options: &Options,
    frame: Option<PictureFrame>,
    origin_deg: Option<[f64; 2]>,
) -> Cow<'_, Options> {
    let options = origin_deg.map_or(Cow::Borrowed(options), |origin| of_degrees(options, origin));
    let Some(frame) = frame else { return options };
    let mut moved = options.clone().into_owned();
    let mut has_places = false;
    for spot in places_mut(&mut moved) {
        if let Some(place) = frame.spot(*spot) {
            *spot = Spot::Metres([place.x, place.y]);
            has_places = true;
        }
    }
    if has_places { Cow::Owned(moved) } else { options }
}

/// The options with every place that is in degrees in metres; `origin_deg` is the place of (0, 0).
pub(super) fn of_degrees(options: &Options, origin_deg: [f64; 2]) -> Cow<'_, Options> {
    let mut moved = options.clone();
    let mut has_degrees = false;
    let mut project = |spot: &mut Spot| {
        if let Spot::Degrees(degrees) = *spot {
            let place = Projection::at(origin_deg).project(degrees);
            *spot = Spot::Metres([place.x, place.y]);
            has_degrees = true;
        }
    };
    let ends = [&mut moved.plan.from, &mut moved.plan.to, &mut moved.track.start].into_iter().flatten();
    ends.chain(&mut moved.route.via).for_each(&mut project);
    places_mut(&mut moved).for_each(&mut project);
    if has_degrees { Cow::Owned(moved) } else { Cow::Borrowed(options) }
}

/// The places of obstacles, pick-ups, pins, regions, edges and names of corners.
fn places_mut(options: &mut Options) -> impl Iterator<Item = &mut Spot> {
    let obstacles = options.obstacle.iter_mut().flat_map(|obstacle| obstacle.spots_mut());
    let pick_ups = options.pick_up.iter_mut().map(|pick_up| &mut pick_up.at);
    let pins = options.pin.iter_mut().map(|pin| &mut pin.at);
    let no_go = options.no_go.iter_mut().flat_map(|region| region.spots_mut());
    let grip = options.grip.iter_mut().flat_map(|part| part.spots_mut());
    let corners = options.corner.iter_mut().map(|corner| &mut corner.at);
    let edges = options.edge_point.iter_mut().map(|point| &mut point.at);
    obstacles.chain(pick_ups).chain(pins).chain(no_go).chain(grip).chain(corners).chain(edges)
}

/// The options with what was decided, as a line's file contains them.
pub(super) fn decided(mut options: Options, decisions: Option<&Decisions>) -> Options {
    if let Some(decisions) = decisions {
        decisions.write_to(&mut options.obstacle, &mut options.pick_up, &mut options.no_go);
    }
    options
}
