//! Which way the road goes, where it forks, crosses itself, or ends.
//!
//! The road between its contours is cut into triangles ([`triangulation`]); which of them share sides gives a graph of
//! arms and junctions ([`chordal_axis`], [`junctions`]); the route that covers the most of the road is taken ([`route`]) and
//! gets its two edges ([`strand`]). A plain ring keeps its contours as they are.

mod chordal_axis;
mod junctions;
mod route;
mod strand;
mod triangulation;

use chordal_axis::{Arm, ChordalAxis};
use junctions::RoadGraph;
use route::{NoRoute, Wanted};
use triangulation::Triangles;

use crate::geometry::{Point, Polyline};

/// A closed way over at least this share of the road makes it a closed one.
const CLOSED_SHARE: f64 = 0.3;

/// A point that the route must pass lies at most this many mean widths of the road from its middle.
const VIA_REACH_WIDTHS: f64 = 1.5;

/// An arm shorter than this many mean widths of the road that was left out isn't worth telling.
const SHORTEST_TOLD_WIDTHS: f64 = 1.0;

/// The edges of the route that was taken, in pixels with y upwards.
#[derive(Debug)]
pub(super) struct Way {
    /// Left and right edge in the direction of travel.
    pub left: Polyline,
    pub right: Polyline,
    /// Pieces of the edges across another leg of the same road.
    pub crossings: Vec<[Point; 2]>,
    /// The middle of each arm that was left out, and its length.
    pub left_out: Vec<(Point, f64)>,
    /// Whether another route covers nearly as much of the road.
    pub has_rival: bool,
}

/// Why there is no way.
#[derive(Debug, PartialEq)]
pub(super) enum NoWay {
    /// The contours meet or enclose nothing.
    Tangled,
    /// The road leads nowhere back.
    NotClosed,
    /// The road has no ends.
    NotOpen,
    /// Too many branches to try every route.
    TooManyBranches,
    /// A point to pass lies off the road: which one, and how far.
    OffRoad(usize, f64),
    /// No route passes the points.
    NoRouteVia,
}

/// Finds the way between `contours`, the outer one first, which run with the road on their left.
pub(super) fn way(contours: &[Polyline], closed: Option<bool>, via: &[Point]) -> Result<Way, NoWay> {
    let area: f64 = contours.iter().map(Polyline::signed_area).sum();
    let boundary: f64 = contours.iter().map(Polyline::length).sum();
    let width = 2.0 * area / boundary.max(1e-9);
    let triangles = Triangles::new(contours, width).ok_or(NoWay::Tangled)?;
    let axis = ChordalAxis::new(&triangles);
    let is_ring = axis.is_ring();
    if let (true, [outer, inner]) = (is_ring && closed != Some(false), contours) {
        return Ok(Way {
            left: inner.clone().reversed(),
            right: outer.clone(),
            crossings: Vec::new(),
            left_out: Vec::new(),
            has_rival: false,
        });
    }
    let road = Road { triangles: &triangles, width, via };
    let core = axis.without_dead_ends().filter(|_| closed != Some(false));
    let circuit = core.as_ref().map(|(core, dead_ends)| road.along(core, dead_ends, true));
    match (circuit, closed) {
        (Some(Ok(found)), Some(_)) => Ok(found.way),
        (Some(Ok(found)), None) if found.area >= CLOSED_SHARE * road.area() => Ok(found.way),
        (Some(Ok(found)), None) => Ok(road.along(&axis, &[], false).map_or(found.way, |open| open.way)),
        (Some(Err(none)), _) if closed == Some(true) || none != NoWay::NotClosed => Err(none),
        (None, Some(true)) => Err(NoWay::NotClosed),
        _ => road.along(&axis, &[], false).map(|found| found.way).map_err(|none| match none {
            NoWay::NotOpen if closed.is_none() => NoWay::NotClosed,
            none => none,
        }),
    }
}

/// A road between its contours.
struct Road<'a> {
    triangles: &'a Triangles,
    width: f64,
    via: &'a [Point],
}

/// A way and how much of the road it covers.
struct Found {
    way: Way,
    area: f64,
}

impl Road<'_> {
    fn area(&self) -> f64 {
        (0..self.triangles.list.len() as u32).map(|triangle| self.triangles.area(triangle)).sum()
    }

    /// The best closed or open way along `axis`, from which `dead_ends` were cut off.
    fn along(&self, axis: &ChordalAxis, dead_ends: &[Arm], closed: bool) -> Result<Found, NoWay> {
        let (triangles, width) = (self.triangles, self.width);
        let graph = RoadGraph::new(triangles, axis, width);
        let mut wanted = Wanted { closed, arms: Vec::new() };
        for (index, &point) in self.via.iter().enumerate() {
            let (arm, distance) = route::nearest_arm(&graph, point).ok_or(NoWay::Tangled)?;
            if distance > VIA_REACH_WIDTHS * width {
                return Err(NoWay::OffRoad(index, distance));
            }
            wanted.arms.push(arm);
        }
        let route = route::find(&graph, axis.is_ring(), &wanted).map_err(|none| match none {
            NoRoute::TooManyBranches => NoWay::TooManyBranches,
            NoRoute::None if !self.via.is_empty() => NoWay::NoRouteVia,
            NoRoute::None if closed => NoWay::NotClosed,
            NoRoute::None => NoWay::NotOpen,
        })?;
        let strand = strand::strand(triangles, axis, &route, width);
        if strand.left.len() < 2 || strand.right.len() < 2 {
            return Err(NoWay::Tangled);
        }
        let line = |points| Polyline { points, closed: route.closed };
        let unused = (0..graph.arms.len()).filter(|arm| !route.arms.contains(arm) && !graph.joints.contains(arm));
        let off_route = unused.map(|arm| &graph.arms[arm]).chain(dead_ends);
        let told = off_route.filter(|arm| arm.length() > SHORTEST_TOLD_WIDTHS * width);
        let way = Way {
            left: line(strand.left),
            right: line(strand.right),
            crossings: strand.crossings,
            left_out: told.map(|arm| (arm.middles[arm.middles.len() / 2], arm.length())).collect(),
            has_rival: route.has_rival,
        };
        Ok(Found { way, area: route.triangles.iter().map(|&triangle| triangles.area(triangle)).sum() })
    }
}
