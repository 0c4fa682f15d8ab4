//! A drawn road from the picture of its mask to a line of any method.

use raceline::file::Method;
use raceline::edges::RouteOptions;
use raceline::frame::Scale;
use raceline::geometry::Point;
use raceline::solve::EdgeDistance;
use raceline::tracing::trace;
use raceline::track::{TrackOptions, cut};
use raceline::vehicle::preset;
use raceline::{LineOptions, optimize};

use super::super::drawn;

/// A pixel, metres: the narrowest road of one pixel has room for a kart.
const METRES_PER_PIXEL: f64 = 4.0;
const METHODS: [Method; 5] =
    [Method::ShortestPath, Method::MinCurvature, Method::Blend, Method::TimeOptimal, Method::MinCurvature];

/// One input.
pub fn run(bytes: &[u8]) {
    let Some((&method, bytes)) = bytes.split_first() else { return };
    let Some((mask, shape)) = drawn::mask(bytes) else { return };
    let route = RouteOptions { shape, ..RouteOptions::default() };
    let Ok(traced) = trace(&mask, Scale::MetresPerPixel(METRES_PER_PIXEL), Point::origin(), &route) else { return };
    let Ok(track) = cut(&traced.edges, &TrackOptions::default()) else { return };
    let Ok(kart) = preset("kart") else { return };
    let mut options = LineOptions { method: METHODS[usize::from(method) % METHODS.len()], ..LineOptions::default() };
    options.solve.population = 4;
    options.solve.generations = 2;
    let Ok(line) = optimize(&track, &kart, &options) else { return };
    let points = line.points();
    assert!(line.lap_time_s.is_finite() && points.iter().all(|p| p.speed_mps.is_finite() && p.x_m.is_finite()));
    let edges = EdgeDistance::new(&track);
    let nearest_m = points.iter().map(|p| edges.nearest(Point::new(p.x_m, p.y_m))).fold(f64::INFINITY, f64::min);
    assert!(nearest_m > kart.width_m / 2.0 - 0.05, "{nearest_m} m from an edge");
}
