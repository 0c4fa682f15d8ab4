//! A photograph from above: the road is found by its colour and its shape, its edges by the colours
//! along them.
//!
//! 1. The photograph is reduced for a fast search ([`working`]). The modes of its histogram are the
//!    candidates for the road's colour ([`colour_model`]), each with and without its shades. The
//!    candidates whose pixels are the most like a band are cleaned to a network, and the best network
//!    is the road ([`network`]).
//! 2. Its outline is placed on the photograph at full size. The colours in the road and beside it
//!    are learned there ([`evidence`]), and the outline moves to the transition between them
//!    ([`boundary`]). It moves as a whole and not point by point, so that shadows, cars and start
//!    lines do not bend it.
//! 3. A model of asphalt, edge line and ground is fitted to the profile across each edge
//!    ([`profile_fit`]). This places the edge to a fraction of a pixel, in the middle of the edge line
//!    if there is one.
//! 4. The outline is painted as area coverage ([`fill`]).

mod boundary;
mod close_legs;
mod colour_model;
mod curve;
mod evidence;
mod fill;
mod gaps;
mod morphology;
mod network;
mod profile_fit;
mod search;
mod spurs;
mod working;

pub(super) use search::{AerialHints, find};
