//! The course of the road: the edges of its route.

use raceline_road::geometry::{Point, Polyline};

use super::chordal_axis::{Arm, ChordalAxis};
use super::junctions::RoadGraph;
use super::route::{self, NoRoute, Wanted};
use super::strand;
use super::triangulation::Triangles;

/// A road is closed if a closed route covers at least this fraction of it.
const CLOSED_FRACTION: f64 = 0.3;

/// Maximum distance of a via point from the middle of the road, in mean road widths.
const VIA_REACH_WIDTHS: f64 = 1.5;

/// An unused arm shorter than this many mean road widths is not reported.
const SHORTEST_REPORTED_WIDTHS: f64 = 1.0;

/// The edges of the selected route, in pixels with y upwards.
#[derive(Debug)]
pub(crate) struct Course {
    /// Left and right edge in the direction of travel.
    pub left: Polyline,
    pub right: Polyline,
    /// Pieces of the edges across another leg of the same road.
    pub crossings: Vec<[Point; 2]>,
    /// The unused arms.
    pub left_out: Vec<LeftOut>,
    /// Whether another route covers nearly as much of the road.
    pub has_rival: bool,
}

/// A road off the route, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LeftOut {
    /// Middle, y upwards.
    pub middle: Point,
    /// Length and mean width.
    pub length: f64,
    pub width: f64,
    /// Whether it ends, instead of leading back to the route.
    pub is_dead_end: bool,
}

impl LeftOut {
    fn of(arm: &Arm) -> Self {
        let length = arm.length();
        let is_dead_end = arm.ends.iter().any(Option::is_none);
        Self { middle: arm.middles[arm.middles.len() / 2], length, width: arm.area / length.max(1e-9), is_dead_end }
    }
}

/// No route was found.
#[derive(Debug, PartialEq)]
pub(crate) enum NoCourse {
    /// The contours meet or enclose nothing.
    Tangled,
    /// No route leads back to its start.
    NotClosed,
    /// The road has no ends.
    NotOpen,
    /// Too many branches to try every route.
    TooManyBranches,
    /// A via point off the road: its index and its distance.
    OffRoad(usize, f64),
    /// No route passes the via points.
    NoRouteVia,
}

/// Finds the route between `contours`, the outer one first, with the road on their left.
pub(crate) fn course(contours: &[Polyline], closed: Option<bool>, via: &[Point]) -> Result<Course, NoCourse> {
    let area: f64 = contours.iter().map(Polyline::signed_area).sum();
    let boundary: f64 = contours.iter().map(Polyline::length).sum();
    let width = 2.0 * area / boundary.max(1e-9);
    let triangles = Triangles::new(contours, width).ok_or(NoCourse::Tangled)?;
    let axis = ChordalAxis::new(&triangles);
    let is_ring = axis.is_ring();
    let road = Road { triangles: &triangles, width, via };
    if let (true, [outer, inner]) = (is_ring && closed != Some(false), contours) {
        // There is no other route, but a via may lie beside this one.
        if !via.is_empty() {
            road.arms_of_vias(&RoadGraph::new(&triangles, &axis, width))?;
        }
        return Ok(Course {
            left: inner.clone().reversed(),
            right: outer.clone(),
            crossings: Vec::new(),
            left_out: Vec::new(),
            has_rival: false,
        });
    }
    let core = axis.without_dead_ends().filter(|_| closed != Some(false));
    let circuit = core.as_ref().map(|(core, dead_ends)| road.along(core, dead_ends, true));
    match (circuit, closed) {
        (Some(Ok(found)), Some(_)) => Ok(found.course),
        (Some(Ok(found)), None) if found.area >= CLOSED_FRACTION * road.area() => Ok(found.course),
        (Some(Ok(found)), None) => Ok(road.along(&axis, &[], false).map_or(found.course, |open| open.course)),
        (Some(Err(none)), _) if closed == Some(true) || none != NoCourse::NotClosed => Err(none),
        (None, Some(true)) => Err(NoCourse::NotClosed),
        _ => road.along(&axis, &[], false).map(|found| found.course).map_err(|none| match none {
            NoCourse::NotOpen if closed.is_none() => NoCourse::NotClosed,
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

/// A route and the fraction of the road that it covers.
struct CoveredRoute {
    course: Course,
    area: f64,
}

impl Road<'_> {
    fn area(&self) -> f64 {
        (0..self.triangles.list.len() as u32).map(|triangle| self.triangles.area(triangle)).sum()
    }

    /// The arms on which the via points lie.
    fn arms_of_vias(&self, graph: &RoadGraph) -> Result<Vec<usize>, NoCourse> {
        let arm_of = |(index, &point): (usize, &Point)| {
            let (arm, distance) = route::nearest_arm(graph, point).ok_or(NoCourse::Tangled)?;
            let is_near = distance <= VIA_REACH_WIDTHS * self.width;
            if is_near { Ok(arm) } else { Err(NoCourse::OffRoad(index, distance)) }
        };
        self.via.iter().enumerate().map(arm_of).collect()
    }

    /// The best closed or open route along `axis`, from which `dead_ends` were cut off.
    fn along(&self, axis: &ChordalAxis, dead_ends: &[Arm], closed: bool) -> Result<CoveredRoute, NoCourse> {
        let (triangles, width) = (self.triangles, self.width);
        let graph = RoadGraph::new(triangles, axis, width);
        let wanted = Wanted { closed, arms: self.arms_of_vias(&graph)? };
        let route = route::find(&graph, axis.is_ring(), &wanted).map_err(|none| match none {
            NoRoute::TooManyBranches => NoCourse::TooManyBranches,
            NoRoute::None if !self.via.is_empty() => NoCourse::NoRouteVia,
            NoRoute::None if closed => NoCourse::NotClosed,
            NoRoute::None => NoCourse::NotOpen,
        })?;
        let strand = strand::strand(triangles, axis, &route, width);
        if strand.left.len() < 2 || strand.right.len() < 2 {
            return Err(NoCourse::Tangled);
        }
        let line = |points| Polyline { points, closed: route.closed };
        let unused = (0..graph.arms.len()).filter(|arm| !route.arms.contains(arm) && !graph.joints.contains(arm));
        let off_route = unused.map(|arm| &graph.arms[arm]).chain(dead_ends);
        let reported = off_route.filter(|arm| arm.length() > SHORTEST_REPORTED_WIDTHS * width);
        let course = Course {
            left: line(strand.left),
            right: line(strand.right),
            crossings: strand.crossings,
            left_out: reported.map(LeftOut::of).collect(),
            has_rival: route.has_rival,
        };
        Ok(CoveredRoute { course, area: route.triangles.iter().map(|&triangle| triangles.area(triangle)).sum() })
    }
}
