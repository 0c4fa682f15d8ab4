//! Both edges of a whole track of cones.

use std::collections::HashSet;

use super::gates::Gates;
use super::missing::with_missing;
use super::search::{Edges, Gate, LEFT_OUT, roads_from};
use super::{Cone, ConeColour, Pose};
use raceline_road::geometry::{Point, SplineCurve};

/// More cones than this are refused: the longest permitted track has some hundreds.
const MAX_CONES: usize = 20_000;
/// Gates from which a road is searched; the best of the roads is taken.
const STARTS: usize = 8;
/// How much more a closed road may cost than an open one with as many cones: the gap between the ends of
/// the open one costs nothing.
const CLOSING_COST: f64 = 6.0;
/// Points of an edge per gap between two cones.
const POINTS_PER_GAP: usize = 8;

/// Why cones show no road.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConesError {
    /// Too few cones, or all in one line.
    #[error("{found} cones make no road: give at least four, two on each side")]
    TooFew {
        /// Number of distinct cones.
        found: usize,
    },
    /// More cones than a track has.
    #[error("there are {found} cones, more than {limit}: give those of one track")]
    TooMany {
        /// Number of cones.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// No sequence of gates.
    #[error(
        "no road leads between the cones: give their colours, or the road's width by track_width_m, if it is not \
         about 3.5 m"
    )]
    NoRoad,
}

/// Both edges of a road, in the direction of travel.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundaries {
    /// Points of the left edge, metres: a cubic spline through its cones.
    pub left: Vec<Point>,
    /// Points of the right edge, metres.
    pub right: Vec<Point>,
    /// Whether the road leads back to its start; the edges do not repeat their first points.
    pub closed: bool,
    /// Number of distinct cones.
    pub cones: usize,
    /// How many of them are part of an edge.
    pub used: usize,
    /// How many of these have the colour of the other edge.
    pub recoloured: usize,
}

/// The edges of the road between `cones`, which are in any order. The direction of travel has the blue
/// cones on its left; `start`, if given, is where the vehicle starts. `width_m` is the road's width, metres;
/// by default it is measured between cones of different colours.
///
/// # Errors
/// See [`ConesError`].
///
/// ```
/// use raceline_read::cones::{Cone, ConeColour, boundaries};
/// use raceline_road::geometry::Point;
///
/// let ring = |radius: f64, colour| {
///     (0..20).map(move |i| {
///         let (sin, cos) = (std::f64::consts::TAU * f64::from(i) / 20.0).sin_cos();
///         Cone { position: Point::new(radius * cos, radius * sin), colour }
///     })
/// };
/// let cones: Vec<Cone> = ring(12.0, ConeColour::Left).chain(ring(15.5, ConeColour::Right)).collect();
/// let road = boundaries(&cones, None, None)?;
/// assert!(road.closed && road.used == 40 && road.recoloured == 0);
/// # Ok::<(), raceline_read::cones::ConesError>(())
/// ```
pub fn boundaries(cones: &[Cone], start: Option<Pose>, width_m: Option<f64>) -> Result<Boundaries, ConesError> {
    if cones.len() > MAX_CONES {
        return Err(ConesError::TooMany { found: cones.len(), limit: MAX_CONES });
    }
    let gates = Gates::new(cones, width_m).ok_or(ConesError::TooFew { found: cones.len() })?;
    let starts = starts(&gates, start);
    let total = |edges: &Edges| {
        let closing = if edges.closed { CLOSING_COST } else { 0.0 };
        edges.cost - closing - LEFT_OUT * edges.used() as f64
    };
    let roads = starts.into_iter().flat_map(|gate| {
        let (closed, ahead) = roads_from(&gates, gate, usize::MAX, &HashSet::new());
        let behind = || {
            let taken = ahead.left.iter().chain(&ahead.right).copied().collect();
            let back = Gate { left: gate.right, right: gate.left };
            roads_from(&gates.mirrored(), back, usize::MAX, &taken).1
        };
        let open = if start.is_some() { ahead } else { both_ways(behind(), ahead) };
        closed.into_iter().chain([open])
    });
    let best = roads.min_by(|a, b| total(a).total_cmp(&total(b))).ok_or(ConesError::NoRoad)?;
    if best.left.len() < 2 || best.right.len() < 2 {
        return Err(ConesError::NoRoad);
    }
    let places = |edge: &[usize]| edge.iter().map(|&cone| gates.cones[cone].position).collect::<Vec<_>>();
    let (left, right) = (places(&best.left), places(&best.right));
    let wrong = |edge: &[usize], colour| edge.iter().filter(|&&cone| gates.cones[cone].colour == colour).count();
    Ok(Boundaries {
        left: line(&with_missing(&left, &right, best.closed, 1.0), best.closed),
        right: line(&with_missing(&right, &left, best.closed, -1.0), best.closed),
        closed: best.closed,
        cones: gates.cones.len(),
        used: best.used(),
        recoloured: wrong(&best.left, ConeColour::Right) + wrong(&best.right, ConeColour::Left),
    })
}

/// The gates from which a road is searched: the one at the start, or the most usual ones.
fn starts(gates: &Gates, start: Option<Pose>) -> Vec<Gate> {
    let colours = |gate: &Gate| {
        let of = |cone: usize, right| match gates.cones[cone].colour {
            colour if colour == right => 0,
            ConeColour::Either => 1,
            _ => 4,
        };
        of(gate.left, ConeColour::Left) + of(gate.right, ConeColour::Right)
    };
    let mut candidates: Vec<Gate> = gates.sides().map(|(left, right)| Gate { left, right }).collect();
    // In the order of the cones, whatever the order of the map.
    candidates.sort_unstable_by_key(|gate| (gate.left, gate.right));
    if let Some(pose) = start {
        let key = |gate: &Gate| pose.distance_to(gates, *gate) + gates.width_m * f64::from(colours(gate));
        candidates.retain(|gate| pose.faces(gates, *gate));
        candidates.sort_by(|a, b| key(a).total_cmp(&key(b)));
        candidates.truncate(2);
        return candidates;
    }
    let width = |gate: &Gate| (gates.distance(gate.left, gate.right) - gates.width_m).abs();
    candidates.sort_by(|a, b| colours(a).cmp(&colours(b)).then_with(|| width(a).total_cmp(&width(b))));
    // Far apart in the list of equally good ones, so that one bad neighbourhood does not hold them all.
    let best = candidates.first().map_or(0, &colours);
    let good = candidates.iter().filter(|gate| colours(gate) == best).count().max(STARTS.min(candidates.len()));
    let step = (good / 4 / STARTS).max(1);
    candidates.into_iter().step_by(step).take(STARTS).collect()
}

/// An open road through its start: backwards from there, and ahead.
fn both_ways(behind: Edges, ahead: Edges) -> Edges {
    // What lies behind was found with left and right exchanged; both begin with the gate at the start.
    let joined = |mut behind: Vec<usize>, ahead: Vec<usize>| {
        behind.reverse();
        behind.extend(ahead.into_iter().skip(1));
        behind
    };
    let cost = behind.cost + ahead.cost;
    Edges { left: joined(behind.right, ahead.left), right: joined(behind.left, ahead.right), closed: false, cost }
}

/// The spline through the points of an edge.
fn line(points: &[Point], closed: bool) -> Vec<Point> {
    match SplineCurve::through(points, closed) {
        Some(curve) => curve.evenly(POINTS_PER_GAP * points.len()).into_iter().map(|at| at.position).collect(),
        None => points.to_vec(),
    }
}
