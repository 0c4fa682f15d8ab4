//! A point of a game's line.

use raceline_road::geometry::Point;

/// A point of a game's line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LinePoint {
    pub position: Point,
    pub height_m: f64,
    /// Distances to the left and to the right edge, metres.
    pub sides_m: Option<[f64; 2]>,
    /// Direction upwards from the road, as rise to the left of the direction of travel, if known.
    pub normal: Option<[f64; 3]>,
}
