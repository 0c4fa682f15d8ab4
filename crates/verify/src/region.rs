//! Polygons and strips of a road, and where a place is in them.
//!
//! A polygon is that of the options. A strip is what lies within its width of the piece of the edge between the two
//! cross-sections that the file has for it, its gates, and between the normals of the edge at the piece's ends.
//! Without gates it is known along the road only where the line surely is beside it.

use std::collections::BTreeSet;

use raceline_file::{ConstraintKind, RacingLine};

use super::conditions::{NoGo, Strip};
use super::constraints::surely_in;
use super::edge_tree::{Budget, EdgeTree};
use super::vector::{Xy, cross, dot, length, minus, plus};

/// A place this near to an end of a piece of an edge is its end, m.
const END_M: f64 = 1e-6;

/// The boundary of a region.
pub enum Shape<'a> {
    Polygon(&'a [Xy]),
    /// A piece of an edge, and the points that are surely beside it where its ends are not known.
    Strip {
        piece: Vec<Xy>,
        closed: bool,
        is_left: bool,
        width_m: f64,
        surely: Option<BTreeSet<usize>>,
    },
}

impl<'a> Shape<'a> {
    /// The shapes of a region of the options, of which the file of `line` may have the gates.
    pub fn of<V, O>(region: &'a NoGo, line: &RacingLine<V, O>, kind: ConstraintKind, number: usize) -> Vec<Self> {
        let strip = match region {
            NoGo::Polygon(outline) => return vec![Self::Polygon(outline)],
            NoGo::Strip(strip) => strip,
        };
        let entry = line.constraints.iter().find(|entry| entry.kind == kind && entry.number == number);
        let gates = entry.and_then(|entry| entry.gates);
        let shape = |is_left: bool| {
            let edge = if is_left { &line.edges.left } else { &line.edges.right };
            let piece = match gates {
                Some(gates) => piece_of(edge, line.closed, gates.map(|gate| gate[usize::from(is_left)])),
                None => edge.clone(),
            };
            let surely = || surely_in(line, [strip.from_m, strip.to_m]).into_iter().collect();
            let (closed, surely) = (gates.is_none() && line.closed, gates.is_none().then(surely));
            Self::Strip { piece, closed, is_left, width_m: strip.width_m, surely }
        };
        strip.edges().map(shape).collect()
    }

    /// The points of the line that are surely beside it; `None` where its ends are known.
    pub fn surely(&self) -> Option<&BTreeSet<usize>> {
        match self {
            Self::Polygon(_) => None,
            Self::Strip { surely, .. } => surely.as_ref(),
        }
    }

    /// The region within this boundary.
    pub fn region(&self) -> Region<'_> {
        match self {
            Self::Polygon(outline) => Region::Polygon { outline, tree: EdgeTree::new(outline, true) },
            &Self::Strip { ref piece, closed, is_left, width_m, .. } => {
                Region::Strip { piece, closed, is_left, width_m, tree: EdgeTree::new(piece, closed) }
            }
        }
    }
}

impl NoGo {
    /// Vertices of its boundary, for the work of looking it up.
    pub(crate) fn vertices<V, O>(&self, line: &RacingLine<V, O>) -> usize {
        match self {
            Self::Polygon(outline) => outline.len(),
            Self::Strip(_) => line.edges.left.len() + line.edges.right.len(),
        }
    }
}

impl Strip {
    /// Whether each edge that it is measured from is the left one.
    fn edges(&self) -> impl Iterator<Item = bool> {
        let (left, right) = (self.side != "right", self.side != "left");
        [left.then_some(true), right.then_some(false)].into_iter().flatten()
    }
}

/// Where a place is.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Distance from the region, m, negative inside.
    pub distance_m: f64,
    /// Distance from the ends of a strip, m; infinite without ends.
    pub from_end_m: f64,
}

/// A region with the distances to its boundary.
pub enum Region<'a> {
    Polygon { outline: &'a [Xy], tree: EdgeTree<'a> },
    Strip { piece: &'a [Xy], closed: bool, is_left: bool, width_m: f64, tree: EdgeTree<'a> },
}

impl Region<'_> {
    /// Where `place` is; `None` for a region without extent.
    pub fn place(&self, place: Xy, budget: &mut Budget) -> Option<Place> {
        match self {
            Self::Polygon { outline, tree } => {
                let nearest_m = tree.nearest(place, 0, &|_| false, budget)?.distance;
                budget.spent += outline.len();
                let distance_m = if is_inside(outline, place) { -nearest_m } else { nearest_m };
                Some(Place { distance_m, from_end_m: f64::INFINITY })
            }
            &Self::Strip { piece, closed, is_left, width_m, ref tree } => {
                let nearest = tree.nearest(place, 0, &|_| false, budget)?;
                let n = piece.len();
                let first = [*piece.first()?, *piece.get(1)?];
                let last = [*piece.get(n.checked_sub(2)?)?, *piece.last()?];
                let mut from_end_m = f64::INFINITY;
                for (end, along, is_first) in [(first[0], first, true), (last[1], last, false)] {
                    if closed {
                        continue;
                    }
                    from_end_m = from_end_m.min(length(minus(nearest.position, end)));
                    // Beyond an end the strip ends at right angles to the edge.
                    let ahead = dot(minus(place, end), minus(along[1], along[0]));
                    let is_beyond = if is_first { ahead < 0.0 } else { ahead > 0.0 };
                    if length(minus(nearest.position, end)) <= END_M && is_beyond {
                        let across = [end, plus(end, width_m, inwards(along, is_left))];
                        return Some(Place { distance_m: to_segment(place, across), from_end_m: 0.0 });
                    }
                }
                let ends = [piece[nearest.segment], piece[(nearest.segment + 1) % n]];
                let left = cross(minus(ends[1], ends[0]), minus(place, ends[0]));
                let is_on_road = if is_left { left < 0.0 } else { left > 0.0 };
                let distance_m = if is_on_road { nearest.distance - width_m } else { nearest.distance };
                Some(Place { distance_m, from_end_m })
            }
        }
    }
}

/// Whether the boundary runs around `place` an odd number of times.
fn is_inside(outline: &[Xy], place: Xy) -> bool {
    let n = outline.len();
    let crossings = (0..n).filter(|&i| {
        let (a, b) = (outline[i], outline[(i + 1) % n]);
        if (a[1] > place[1]) == (b[1] > place[1]) {
            return false;
        }
        let x = a[0] + (place[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
        place[0] < x
    });
    crossings.count() % 2 == 1
}

/// Unit vector from a piece of an edge onto the road.
fn inwards([from, to]: [Xy; 2], is_left: bool) -> Xy {
    let along = minus(to, from);
    let unit = length(along).max(f64::MIN_POSITIVE);
    if is_left { [along[1] / unit, -along[0] / unit] } else { [-along[1] / unit, along[0] / unit] }
}

fn to_segment(place: Xy, [from, to]: [Xy; 2]) -> f64 {
    let along = minus(to, from);
    let square = dot(along, along);
    let fraction = if square > 0.0 { (dot(minus(place, from), along) / square).clamp(0.0, 1.0) } else { 0.0 };
    length(minus(place, plus(from, fraction, along)))
}

/// The part of an edge from the place nearest to one end to that nearest to the other.
fn piece_of(edge: &[Xy], closed: bool, ends: [Xy; 2]) -> Vec<Xy> {
    let n = edge.len();
    let segments = if closed { n } else { n.saturating_sub(1) };
    let [from, to] = ends.map(|end| {
        let away = |i: usize| to_segment(end, [edge[i], edge[(i + 1) % n]]);
        (0..segments).min_by(|&i, &j| away(i).total_cmp(&away(j))).unwrap_or_default()
    });
    let ahead = |i: usize, end: Xy| dot(minus(end, edge[i]), minus(edge[(i + 1) % n], edge[i]));
    let is_around = closed && (to < from || to == from && ahead(to, ends[1]) <= ahead(from, ends[0]));
    let count = if is_around { to + n - from } else { to.saturating_sub(from) };
    let between = (1..=count).map(|k| edge[(from + k) % n]);
    std::iter::once(ends[0]).chain(between).chain([ends[1]]).collect()
}
