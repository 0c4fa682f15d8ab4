//! A track about a local origin, as the searches use it.
//!
//! Coordinates of a map, such as 5 300 km of northing, have a resolution of a nanometre. Curvature
//! divides it by the square of the distance between points, and the searches do not converge on
//! such noise. They therefore compute about an origin near the road.

use super::EdgeDistance;
use raceline_road::geometry::Vector;
use raceline_road::track::Track;

/// A track about a local origin, with the distances to its edges.
#[derive(Clone, Debug)]
pub struct LocalRoad {
    /// The track about the origin.
    pub track: Track,
    /// Distances to its edges, about the origin too.
    pub edges: EdgeDistance,
    /// The origin in the world: whole metres, so that the grid of a file's positions is the same
    /// about it.
    pub origin: Vector,
}

impl LocalRoad {
    /// `track` about the middle of its edges.
    #[must_use]
    pub fn new(track: &Track) -> Self {
        let origin = raceline_road::geometry::local_origin(&[&track.left_edge, &track.right_edge]);
        let track = track.moved_by(-origin);
        Self { edges: EdgeDistance::new(&track), track, origin }
    }
}
