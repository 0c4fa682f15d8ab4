//! Shapes on the road that count as parts of one edge, because the line passes them on the other
//! side.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use raceline_road::geometry::{Point, Segment, Vector, cross, left_of};

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
    /// A strip of the road along a piece of its edge.
    Strip {
        /// The piece of the edge in the direction of travel.
        edge: Vec<Point>,
        /// The edge that it is a piece of, seen in the direction of travel: the strip is on the
        /// other side of it.
        of: PassingSide,
        /// Width of the strip, m.
        width_m: f64,
        /// Whether the strip ends, at right angles to the edge, at its first and at its last
        /// vertex, or continues there.
        ends: [bool; 2],
    },
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
            Self::Strip { edge, of, width_m, ends } => {
                let (of, width_m, ends) = (*of, *width_m, *ends);
                let pieces = edge.len().saturating_sub(1);
                let mut nearest = f64::INFINITY;
                for (i, ends_of) in edge.windows(2).enumerate() {
                    let piece = Segment::new(ends_of[0], ends_of[1]);
                    let foot = piece.foot(p);
                    let is_before = i == 0 && ends[0] && foot < 0.0;
                    let is_beyond = i + 1 == pieces && ends[1] && foot > 1.0;
                    if !(is_before || is_beyond) {
                        let away = piece.distance(p);
                        nearest = nearest.min(if is_on_road(piece, of, p) { away - width_m } else { away });
                    }
                }
                let [first, last] = strip_ends(edge, of, width_m);
                for end in [first.filter(|_| ends[0]), last.filter(|_| ends[1])].into_iter().flatten() {
                    nearest = nearest.min(end.distance(p));
                }
                nearest
            }
        }
    }

    /// The vertices; those of a strip go along the edge and back at its width.
    #[must_use]
    pub fn vertices(&self) -> Vec<Point> {
        match self {
            Self::Circle { centre, .. } => vec![*centre],
            Self::Polygon(vertices) => vertices.clone(),
            Self::Strip { edge, of, width_m, .. } => {
                let across = |i: usize| {
                    let along = edge[(i + 1).min(edge.len() - 1)] - edge[i.saturating_sub(1)];
                    edge[i] + inwards(along, *of) * *width_m
                };
                edge.iter().copied().chain((0..edge.len()).rev().map(across)).collect()
            }
        }
    }

    /// The middle of its vertices, or its centre.
    #[must_use]
    pub fn centre(&self) -> Point {
        match self {
            Self::Circle { centre, .. } => *centre,
            Self::Polygon(vertices) | Self::Strip { edge: vertices, .. } => {
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
            Self::Strip { edge, width_m, .. } => {
                let centre = self.centre();
                edge.iter().map(|vertex| (vertex - centre).norm()).fold(0.0, f64::max) + width_m
            }
        }
    }
}

/// Unit vector from an edge, which leads `along`, onto the road.
fn inwards(along: Vector, of: PassingSide) -> Vector {
    let left = left_of(along).try_normalize(1e-12).unwrap_or_else(Vector::zeros);
    if of == PassingSide::Left { -left } else { left }
}

/// Whether `p` is on that side of a piece of an edge on which the road is.
fn is_on_road(piece: Segment, of: PassingSide, p: Point) -> bool {
    let left = cross(piece.vector(), p - piece.from);
    if of == PassingSide::Left { left < 0.0 } else { left > 0.0 }
}

/// The ends of a strip, across it.
fn strip_ends(edge: &[Point], of: PassingSide, width_m: f64) -> [Option<Segment>; 2] {
    let across = |at: Point, along: Vector| Segment::new(at, at + inwards(along, of) * width_m);
    let first = edge.first_chunk::<2>().map(|&[a, b]| across(a, b - a));
    let last = edge.last_chunk::<2>().map(|&[a, b]| across(b, b - a));
    [first, last]
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
    /// By how much the shape is larger to every side than its outline, m.
    grown_m: f64,
    centre: Point,
    reach_m: f64,
}

impl Barrier {
    /// The shape `outline`, passed on a side.
    #[must_use]
    pub fn new(outline: Outline, passed_on: PassingSide) -> Self {
        let (centre, reach_m) = (outline.centre(), outline.reach_m());
        Self { outline, passed_on, grown_m: 0.0, centre, reach_m }
    }

    /// A lower bound on the distance from `p`, m, which costs little.
    #[must_use]
    pub fn at_least(&self, p: Point) -> f64 {
        (p - self.centre).norm() - self.reach_m
    }

    /// Distance from `p`, m; negative inside.
    #[must_use]
    pub fn distance(&self, p: Point) -> f64 {
        self.outline.distance(p) - self.grown_m
    }

    /// The barrier with a strip that is wider by `by_m`, m, or a shape that is larger by it to
    /// every side; smaller for a negative one.
    #[must_use]
    pub(crate) fn grown(&self, by_m: f64) -> Self {
        let mut grown = self.clone();
        match &mut grown.outline {
            Outline::Strip { width_m, .. } => *width_m = (*width_m + by_m).max(0.0),
            Outline::Circle { .. } | Outline::Polygon(_) => grown.grown_m += by_m,
        }
        grown.reach_m += by_m;
        grown
    }
}

#[cfg(test)]
mod tests {
    use super::{Barrier, Outline, PassingSide};
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
    fn a_strip_is_on_the_road_and_has_square_ends() {
        let edge = vec![Point::new(0.0, 0.0), Point::new(5.0, 0.0), Point::new(10.0, 0.0)];
        let strip = Outline::Strip { edge, of: PassingSide::Right, width_m: 2.0, ends: [true, true] };
        let places = [(5.0, 3.0, 1.0), (5.0, 1.0, -1.0), (5.0, -1.0, 1.0), (13.0, 1.0, 3.0), (13.0, 6.0, 5.0)];
        for (x, y, expected) in places {
            let found = strip.distance(Point::new(x, y));
            assert!((found - expected).abs() < 1e-12, "({x}, {y}): {found}");
        }
        let wider = Barrier::new(strip.clone(), PassingSide::Left).grown(0.5);
        assert!((wider.distance(Point::new(5.0, 3.0)) - 0.5).abs() < 1e-12);
        assert_eq!(strip.vertices()[3..], [(10.0, 2.0), (5.0, 2.0), (0.0, 2.0)].map(|(x, y)| Point::new(x, y)));
    }

    #[test]
    fn two_vertices_are_a_wall_without_an_inside() {
        let wall = Outline::Polygon(vec![Point::new(0.0, 0.0), Point::new(0.0, 4.0)]);
        for (x, y, expected) in [(0.0, 2.0, 0.0), (-3.0, 1.0, 3.0), (3.0, 8.0, 5.0)] {
            assert!((wall.distance(Point::new(x, y)) - expected).abs() < 1e-12);
        }
    }
}
