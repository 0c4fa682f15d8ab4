//! The edges of files that contain two edges.

use super::closing::{distinct, looks_closed};
use super::survey_smoothing;
use super::{ImportError, ImportNote, ImportOptions, Imported, SpecifiedClosed};
use crate::edges::{EdgeKind, EdgePoint, Edges, RoadSurface};
use crate::geometry::{Point, Polyline, SegmentIndex, SplineCurve};

/// Which edge is which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// The file specifies that the first is the left one.
    Named,
    /// Determined from their positions.
    Unknown,
}

/// The two edges of a file.
///
/// ```
/// use raceline_road::construction::{EdgePair, ImportOptions, Sides};
/// use raceline_road::geometry::Point;
///
/// let edge = |y: f64| (0..=10).map(|i| Point::new(20.0 * f64::from(i), y)).collect();
/// let (first, second) = (edge(8.0), edge(0.0));
/// let pair = EdgePair { first, second, sides: Sides::Unknown, in_travel_order: true, levels: None };
/// let imported = pair.imported(Some(false), &ImportOptions::default())?;
/// assert!((imported.edges.left.points[0].y - 8.0).abs() < 1e-9);
/// # Ok::<(), raceline_road::construction::ImportError>(())
/// ```
pub struct EdgePair {
    /// One edge, metres.
    pub first: Vec<Point>,
    /// The other edge, metres.
    pub second: Vec<Point>,
    /// Which of them is the left one.
    pub sides: Sides,
    /// Whether the order of the first edge's points is the direction of travel.
    pub in_travel_order: bool,
    /// Height, grip and kind at each point of the first and the second edge, if the file has any.
    pub levels: Option<[Vec<EdgeLevel>; 2]>,
}

/// The properties of a point of an edge beside its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeLevel {
    /// Height, metres.
    pub height_m: f64,
    /// Factor on the limits of the tyres.
    pub grip: f64,
    /// What the edge is.
    pub kind: EdgeKind,
}

impl Default for EdgeLevel {
    fn default() -> Self {
        Self { height_m: 0.0, grip: 1.0, kind: EdgeKind::Line }
    }
}

/// Points of an edge nearer to one another than this are merged, metres. Not more, because a corner
/// may be finely drawn.
pub const COINCIDENT_M: f64 = 1e-6;
/// At most this many pieces are compared to find whether two edges have the same direction.
const MAX_COMPARED: usize = 2000;
const MIN_CLOSED: usize = 3;
const MIN_OPEN: usize = 2;

impl EdgePair {
    /// The road between the two edges.
    ///
    /// # Errors
    /// Too few points, one edge closed and the other open, or no area.
    pub fn imported(self, closed: SpecifiedClosed, options: &ImportOptions) -> Result<Imported, ImportError> {
        let mut notes = Vec::new();
        let gap = gap_between(&self.first, &self.second);
        let are_closed = [&self.first, &self.second].map(|edge| closed.unwrap_or_else(|| looks_closed(edge, gap)));
        if are_closed[0] != are_closed[1] {
            return Err(ImportError::HalfClosed);
        }
        let names = match self.sides {
            Sides::Named => ["the left edge", "the right edge"],
            Sides::Unknown => ["the first edge", "the second edge"],
        };
        let first = prepared(&self.first, are_closed[0], names[0], options, &mut notes)?;
        let second = prepared(&self.second, are_closed[0], names[1], options, &mut notes)?;
        let runs_back = runs_back(&second, &first);
        let second = if runs_back { second.reversed() } else { second };
        let surface = self.surface(are_closed[0], runs_back);
        let edges = Edges { surface, ..Edges::between(first, second) };
        let area = edges.area();
        if !area.is_finite() || area == 0.0 {
            return Err(ImportError::NoArea);
        }
        let edges = if area > 0.0 {
            edges
        } else {
            if self.sides == Sides::Named {
                notes.push(ImportNote::EdgesSwapped);
            }
            let surface = edges.surface.map(|RoadSurface { left, right }| RoadSurface { left: right, right: left });
            Edges { surface, ..Edges::between(edges.right, edges.left) }
        };
        let runs_clockwise = edges.is_closed() && edges.left.signed_area() + edges.right.signed_area() < 0.0;
        let edges = if runs_clockwise && !self.in_travel_order { edges.reversed() } else { edges };
        Ok(Imported {
            edges: Edges { directed: self.in_travel_order, ..edges },
            notes,
            geographic_origin_deg: None,
            start: None,
            name: None,
        })
    }

    /// The surface between the edges of the file; the second edge is turned round if it runs back.
    fn surface(&self, closed: bool, runs_back: bool) -> Option<RoadSurface> {
        let levels = self.levels.as_ref()?;
        let points = |edge: &[Point], levels: &[EdgeLevel]| -> Vec<EdgePoint> {
            let kept = distinct(edge, closed, COINCIDENT_M);
            let point = |i: usize| {
                let EdgeLevel { height_m, grip, kind } = *levels.get(i)?;
                Some(EdgePoint { position: *edge.get(i)?, height_m, grip, kind })
            };
            kept.into_iter().filter_map(point).collect()
        };
        let (left, right) = (points(&self.first, &levels[0]), points(&self.second, &levels[1]));
        let right = if runs_back { RoadSurface { left: right, right: Vec::new() }.reversed().right } else { right };
        Some(RoadSurface { left, right })
    }
}

/// Approximate width of the road: the distance from the first edge's beginning to the nearest point
/// of the second.
fn gap_between(first: &[Point], second: &[Point]) -> f64 {
    let Some(start) = first.first() else { return 0.0 };
    let nearest = second.iter().map(|point| (point - start).norm()).fold(f64::INFINITY, f64::min);
    if nearest.is_finite() { nearest } else { 0.0 }
}

/// An edge without coincident points, smoothed if specified.
fn prepared(
    points: &[Point],
    closed: bool,
    what: &'static str,
    options: &ImportOptions,
    notes: &mut Vec<ImportNote>,
) -> Result<Polyline, ImportError> {
    let kept: Vec<Point> =
        distinct(points, closed, COINCIDENT_M).into_iter().filter_map(|i| points.get(i).copied()).collect();
    let needed = if closed { MIN_CLOSED } else { MIN_OPEN };
    if kept.len() < needed {
        return Err(ImportError::TooFewPoints { what, found: kept.len(), needed });
    }
    let edge = Polyline { points: kept, closed };
    let Some(amount) = options.smoothing_m else { return Ok(edge) };
    survey_smoothing::check(amount, edge.length())?;
    let curve = SplineCurve::through(&edge.points, closed);
    let (Some(curve), true) = (curve, amount > 0.0) else { return Ok(edge) };
    let smoothed = survey_smoothing::smoothed(&curve, &edge.points, amount)?;
    notes.push(smoothed.note(what, None, amount));
    Ok(Polyline { points: smoothed.points, closed })
}

/// Whether `edge` runs in the opposite direction of `other`, by the direction in which it runs
/// beside each piece of it. Signed areas do not determine this for a road that crosses itself.
fn runs_back(edge: &Polyline, other: &Polyline) -> bool {
    let index = SegmentIndex::new(edge, edge.length() / edge.points.len() as f64);
    let arc_lengths = edge.arc_lengths();
    let with = |(from, to): (Point, Point)| {
        let s = index.nearest(nalgebra::center(&from, &to))?.s;
        let piece = arc_lengths.partition_point(|&l| l <= s).saturating_sub(1).min(edge.piece_count() - 1);
        let (start, end) = edge.piece(piece);
        Some((to - from).dot(&(end - start).try_normalize(0.0)?))
    };
    let total: f64 = other.pieces().step_by(other.piece_count().div_ceil(MAX_COMPARED)).filter_map(with).sum();
    total < 0.0
}
