//! What a road is like along its edges: height, grip, and what the edge is made of.
//!
//! Between the edges, height and grip are interpolated linearly.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::geometry::{Point, Vector};

/// What an edge of the road is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EdgeKind {
    /// A painted line, or nothing: the vehicle stays inside.
    #[default]
    Line,
    /// A kerb that may be driven over.
    Kerb,
    /// A wall.
    Wall,
}

/// A point of an edge.
///
/// ```
/// use raceline_road::edges::{EdgeKind, EdgePoint};
/// use raceline_road::geometry::Point;
///
/// let kerb = EdgePoint { position: Point::new(3.0, 0.5), height_m: 0.0, grip: 0.95, kind: EdgeKind::Kerb };
/// assert_ne!(kerb.kind, EdgeKind::default());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgePoint {
    /// Place in the plane, metres.
    pub position: Point,
    /// Height, metres.
    pub height_m: f64,
    /// Factor on both tyre limits, positive.
    pub grip: f64,
    /// What the edge is made of, up to the next point.
    pub kind: EdgeKind,
}

/// The two edges of a road in three dimensions, each in the direction of travel. The points need
/// not be those of the edges in the plane, nor in pairs, but follow the same curves. A closed
/// road's last point leads back to its first.
///
/// ```
/// use raceline_road::edges::{EdgeKind, EdgePoint, RoadSurface};
/// use raceline_road::geometry::Point;
///
/// let edge = |y: f64, height_m: f64| {
///     [0.0, 100.0].map(|x| EdgePoint { position: Point::new(x, y), height_m, grip: 1.0, kind: EdgeKind::Wall }).to_vec()
/// };
/// // Banked: the left edge is a metre higher.
/// let surface = RoadSurface { left: edge(8.0, 1.0), right: edge(0.0, 0.0) };
/// assert_eq!(surface.reversed().right[0].height_m, 1.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoadSurface {
    /// The left edge, at least two points.
    pub left: Vec<EdgePoint>,
    /// The right edge, at least two points.
    pub right: Vec<EdgePoint>,
}

impl RoadSurface {
    /// Returns the surface moved by `offset` in the plane.
    #[must_use]
    pub fn moved_by(&self, offset: Vector) -> Self {
        let moved = |points: &[EdgePoint]| {
            points.iter().map(|point| EdgePoint { position: point.position + offset, ..*point }).collect()
        };
        Self { left: moved(&self.left), right: moved(&self.right) }
    }

    /// Returns the surface in the opposite direction.
    #[must_use]
    pub fn reversed(self) -> Self {
        let turned = |mut points: Vec<EdgePoint>| {
            points.reverse();
            // A kind applies up to the next point, which was the one before.
            let count = points.len();
            let kinds: Vec<EdgeKind> = points.iter().map(|point| point.kind).collect();
            for (i, point) in points.iter_mut().enumerate() {
                point.kind = kinds[(i + 1) % count];
            }
            points
        };
        Self { left: turned(self.right), right: turned(self.left) }
    }
}
