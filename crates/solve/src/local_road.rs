//! A track about a local origin, as the searches use it.
//!
//! Coordinates of a map, such as 5 300 km of northing, have a resolution of a nanometre. Curvature
//! divides it by the square of the distance between points, and the searches do not converge on
//! such noise. They therefore compute about an origin near the road.

use super::EdgeDistance;
use raceline_road::geometry::Vector;
use raceline_road::track::Track;

/// A track about a local origin, with the distances to its edges.
///
/// ```
/// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// use raceline_solve::LocalRoad;
///
/// let far = track.moved_by(raceline_road::geometry::Vector::new(4_400_000.0, 5_300_000.0));
/// let road = LocalRoad::new(&far);
/// assert!((road.track.sections[0].middle() + road.origin - far.sections[0].middle()).norm() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
