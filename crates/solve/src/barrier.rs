//! Shapes on the road that count as parts of one edge, because the line passes them on the other
//! side.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use raceline_road::geometry::{Point, Segment, Vector, cross};

/// A side, seen in the direction of travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PassingSide {
    /// The left.
    Left,
    /// The right.
    Right,
}

impl PassingSide {
    /// Name of the side in files and messages: `left` or `right`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

/// A closed shape on the ground, metres.
///
/// ```
/// use raceline_road::geometry::Point;
/// use raceline_solve::Outline;
///
/// let disc = Outline::Circle { centre: Point::new(3.0, 4.0), radius_m: 1.0 };
/// assert_eq!(disc.distance(Point::origin()), 4.0);
/// let wall = Outline::Polygon(vec![Point::new(2.0, -1.0), Point::new(2.0, 1.0)]);
/// assert_eq!(wall.distance(Point::origin()), 2.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// A disc.
    Circle {
        /// Centre of the disc.
        centre: Point,
        /// Radius of the disc, m.
        radius_m: f64,
    },
    /// A polygon without its first vertex repeated; two vertices are a wall.
    Polygon(Vec<Point>),
}

impl Outline {
    /// Distance from `p`, m; negative inside.
    #[must_use]
    pub fn distance(&self, p: Point) -> f64 {
        match self {
            Self::Circle { centre, radius_m } => (p - centre).norm() - radius_m,
            Self::Polygon(vertices) => {
                let n = vertices.len();
                let (mut nearest, mut is_inside) = (f64::INFINITY, false);
                for (i, &a) in vertices.iter().enumerate() {
                    let b = vertices[(i + 1) % n];
                    let (side, there) = (b - a, p - a);
                    nearest = nearest.min(Segment::new(a, b).distance(p));
                    // A ray to the right crosses the boundary an odd number of times from inside.
                    if (a.y > p.y) != (b.y > p.y) && (cross(side, there) > 0.0) == (b.y > a.y) {
                        is_inside = !is_inside;
                    }
                }
                if is_inside { -nearest } else { nearest }
            }
        }
    }

    /// The middle of its vertices, or its centre.
    #[must_use]
    pub fn centre(&self) -> Point {
        match self {
            Self::Circle { centre, .. } => *centre,
            Self::Polygon(vertices) => {
                let sum: Vector = vertices.iter().map(|vertex| vertex.coords).sum();
                Point::from(sum / vertices.len().max(1) as f64)
            }
        }
    }

    /// Largest distance of its points from [`Self::centre`], m.
    #[must_use]
    pub fn reach_m(&self) -> f64 {
        match self {
            Self::Circle { radius_m, .. } => *radius_m,
            Self::Polygon(vertices) => {
                let centre = self.centre();
                vertices.iter().map(|vertex| (vertex - centre).norm()).fold(0.0, f64::max)
            }
        }
    }
}

/// A shape that the line passes on one side.
///
/// ```
/// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// use raceline_road::geometry::Point;
/// use raceline_solve::{Barrier, EdgeDistance, Outline, PassingSide};
///
/// // A disc on the middle of the road that the line passes on its left counts as a part of the right edge.
/// let disc = Outline::Circle { centre: Point::new(60.0, 0.0), radius_m: 1.0 };
/// let edges = EdgeDistance::new(&track).with_barriers(vec![Barrier::new(disc, PassingSide::Left)]);
/// let (left_m, right_m) = edges.to_edges(Point::new(58.0, 0.0));
/// assert!((left_m - 3.0).abs() < 0.05 && (right_m - 1.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Barrier {
    /// The shape.
    pub outline: Outline,
    /// The side of the shape on which the line passes. The shape counts as a part of the other
    /// edge.
    pub passed_on: PassingSide,
    centre: Point,
    reach_m: f64,
}

impl Barrier {
    /// The shape `outline`, passed on a side.
    #[must_use]
    pub fn new(outline: Outline, passed_on: PassingSide) -> Self {
        let (centre, reach_m) = (outline.centre(), outline.reach_m());
        Self { outline, passed_on, centre, reach_m }
    }

    /// A lower bound on the distance from `p`, m, which costs little.
    #[must_use]
    pub fn at_least(&self, p: Point) -> f64 {
        (p - self.centre).norm() - self.reach_m
    }
}

#[cfg(test)]
mod tests {
    use super::Outline;
    use raceline_road::geometry::Point;

    #[test]
    fn a_square_has_signed_distances() {
        let corners = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)];
        for reversed in [false, true] {
            let mut vertices: Vec<Point> = corners.iter().map(|&(x, y)| Point::new(x, y)).collect();
            if reversed {
                vertices.reverse();
            }
            let square = Outline::Polygon(vertices);
            for (x, y, expected) in [(1.0, 1.0, -1.0), (1.0, 0.25, -0.25), (3.0, 1.0, 1.0), (5.0, 6.0, 5.0)] {
                let found = square.distance(Point::new(x, y));
                assert!((found - expected).abs() < 1e-12, "({x}, {y}): {found}");
            }
        }
    }

    #[test]
    fn two_vertices_are_a_wall_without_an_inside() {
        let wall = Outline::Polygon(vec![Point::new(0.0, 0.0), Point::new(0.0, 4.0)]);
        for (x, y, expected) in [(0.0, 2.0, 0.0), (-3.0, 1.0, 3.0), (3.0, 8.0, 5.0)] {
            assert!((wall.distance(Point::new(x, y)) - expected).abs() < 1e-12);
        }
    }
}
