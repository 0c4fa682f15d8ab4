//! Places of the options in metres, for the search; what was decided at them, for the file.

use std::borrow::Cow;

use crate::frame::{PictureFrame, Spot};
use crate::options::Options;
use crate::solve::passing::Decisions;

/// The options with obstacles, pick-ups and names of corners in metres, where they are in pixels of a picture.
pub(crate) fn in_metres(options: &Options, frame: Option<PictureFrame>) -> Cow<'_, Options> {
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
