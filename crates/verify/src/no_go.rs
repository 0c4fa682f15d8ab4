//! Whether a vehicle keeps out of the regions of its line's options.
//!
//! A polygon is that of the options. A strip is what lies within its width of the piece of the edge between the two
//! cross-sections that the file has for it, its gates, and between the normals of the edge at the piece's ends.
//! Without gates it is judged where the line surely is beside it.

use raceline_file::{ConstraintKind, RacingLine};

use super::Rule;
use super::clearance::{DISTANCE_STEP_M, MISSING_FRACTION, between};
use super::conditions::{Conditions, NoGo, Strip};
use super::constraints::surely_in;
use super::course::{Step, position};
use super::edge_tree::{Budget, EdgeTree};
use super::report::Tally;
use super::vector::{Xy, cross, dot, length, minus, plus};

/// A place this near to an end of a piece of an edge is its end, m.
const END_M: f64 = 1e-6;

/// Judges the margin to the regions of the options.
pub fn judge<V, O>(line: &RacingLine<V, O>, steps: &[Step], conditions: &Conditions, margin_m: f64, tally: &mut Tally) {
    let regions = conditions.no_go();
    let vertices: usize = regions.iter().flatten().map(|region| region.vertices(line)).sum();
    let mut budget = Budget::new(4 * line.points.len(), vertices);
    let allowed_m = MISSING_FRACTION * margin_m + DISTANCE_STEP_M;
    let mut judge_places = |region: &Region, places: &mut dyn Iterator<Item = (usize, Xy)>, tally: &mut Tally| {
        for (index, place) in places {
            let Some(distance_m) = region.distance_m(place, &mut budget) else { continue };
            if budget.is_exhausted() {
                tally.whole(Rule::Edges, budget.spent as f64, budget.limit as f64);
                return;
            }
            tally.at(Rule::NoGo, index, margin_m - distance_m, allowed_m);
        }
    };
    let at_points = || line.points.iter().map(position).enumerate();
    let between_points = || steps.iter().flat_map(|step| between(line, step).map(|place| (step.from, place)));
    for (index, region) in regions.iter().enumerate() {
        match region {
            Some(NoGo::Polygon(outline)) => {
                let region = Region::Polygon { outline, tree: EdgeTree::new(outline, true) };
                judge_places(&region, &mut at_points().chain(between_points()), tally);
            }
            Some(NoGo::Strip(strip)) => {
                let is_this = |kind, number| kind == ConstraintKind::NoGo && number == index + 1;
                let entry = line.constraints.iter().find(|entry| is_this(entry.kind, entry.number));
                let gates = entry.and_then(|entry| entry.gates);
                for is_left in strip.edges() {
                    let edge = if is_left { &line.edges.left } else { &line.edges.right };
                    let piece = match gates {
                        Some(gates) => piece_of(edge, line.closed, gates.map(|gate| gate[usize::from(is_left)])),
                        None => edge.clone(),
                    };
                    let closed = gates.is_none() && line.closed;
                    let tree = EdgeTree::new(&piece, closed);
                    let width_m = strip.width_m;
                    let region = Region::Strip { piece: &piece, closed, is_left, width_m, tree };
                    if gates.is_some() {
                        judge_places(&region, &mut at_points().chain(between_points()), tally);
                    } else {
                        let surely = surely_in(line, [strip.from_m, strip.to_m]).into_iter();
                        let mut surely = surely.map(|index| (index, position(&line.points[index])));
                        judge_places(&region, &mut surely, tally);
                    }
                }
            }
            None => {}
        }
    }
}

impl NoGo {
    fn vertices<V, O>(&self, line: &RacingLine<V, O>) -> usize {
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

/// A region with the distances to its boundary.
enum Region<'a> {
    Polygon { outline: &'a [Xy], tree: EdgeTree<'a> },
    Strip { piece: &'a [Xy], closed: bool, is_left: bool, width_m: f64, tree: EdgeTree<'a> },
}

impl Region<'_> {
    /// Distance of `place`, m, negative inside; `None` for a region without extent.
    fn distance_m(&self, place: Xy, budget: &mut Budget) -> Option<f64> {
        match self {
            Self::Polygon { outline, tree } => {
                let nearest_m = tree.nearest(place, 0, &|_| false, budget)?.distance;
                budget.spent += outline.len();
                Some(if is_inside(outline, place) { -nearest_m } else { nearest_m })
            }
            &Self::Strip { piece, closed, is_left, width_m, ref tree } => {
                let nearest = tree.nearest(place, 0, &|_| false, budget)?;
                let n = piece.len();
                let is_at = |end: Xy| length(minus(nearest.position, end)) <= END_M;
                let first = [*piece.first()?, *piece.get(1)?];
                let last = [*piece.get(n.checked_sub(2)?)?, *piece.last()?];
                for (end, along) in [(first[0], first), (last[1], last)] {
                    // Beyond an end the strip ends at right angles to the edge.
                    let ahead = dot(minus(place, end), minus(along[1], along[0]));
                    let is_beyond = if end == first[0] { ahead < 0.0 } else { ahead > 0.0 };
                    if !closed && is_at(end) && is_beyond {
                        return Some(to_segment(place, [end, plus(end, width_m, inwards(along, is_left))]));
                    }
                }
                let ends = [piece[nearest.segment], piece[(nearest.segment + 1) % n]];
                let left = cross(minus(ends[1], ends[0]), minus(place, ends[0]));
                let is_on_road = if is_left { left < 0.0 } else { left > 0.0 };
                Some(if is_on_road { nearest.distance - width_m } else { nearest.distance })
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
