//! Shapes of ground used by several courses.

use std::f64::consts::TAU;

use crate::route::{Route, offset};
use crate::scene::Block;
use crate::terrain::Terrain;

/// Margin of ground around a route, metres.
const MARGIN_M: f64 = 30.0;

/// Terrain under and around `routes`.
pub fn under(routes: &[&Route], height_m: impl Fn(f64, f64) -> f64) -> Terrain {
    let mut min = [f64::INFINITY; 2];
    let mut max = [f64::NEG_INFINITY; 2];
    for point in routes.iter().flat_map(|route| route.points()) {
        for axis in 0..2 {
            min[axis] = min[axis].min(point.at_m[axis].floor() - MARGIN_M);
            max[axis] = max[axis].max(point.at_m[axis].ceil() + MARGIN_M);
        }
    }
    Terrain::new(min, max, height_m)
}

/// 0 below 0, 1 above 1, smooth between: its steepest slope is 1.5.
pub fn smooth(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Hills along one axis: `height_m` from trough to top, `length_m` from top to top; level at 0.
/// Steepest slope π · height / length.
pub fn hills(along_m: f64, height_m: f64, length_m: f64) -> f64 {
    height_m * (1.0 - (TAU * along_m / length_m).cos()) / 2.0
}

/// Broken ground: waves of several lengths across one another, at most `height_m` from its mean.
pub fn rough(x: f64, y: f64, height_m: f64) -> f64 {
    let wave = |length: f64, turn: f64, phase: f64| {
        let along = x * f64::cos(turn) + y * f64::sin(turn);
        (TAU * along / length + phase).sin()
    };
    let mix = wave(11.0, 0.3, 0.0) + 0.8 * wave(7.0, 1.4, 1.0) + 0.6 * wave(5.3, 2.2, 2.0) + 0.4 * wave(4.1, 0.9, 3.0);
    height_m * mix / 2.8
}

/// A wall across the direction of the route, `beyond_m` past its position `along_m`,
/// `half_length_m` to either side.
pub fn across(route: &Route, along_m: f64, beyond_m: f64, half_length_m: f64) -> Block {
    let (at, heading) = route.beside(along_m, 0.0);
    Block { at_m: offset(at, heading, beyond_m + 0.5, 0.0), heading_rad: heading, half_m: [0.5, half_length_m] }
}

/// Pillars beside the route at the positions (along, left), metres.
pub fn pillars(route: &Route, half_m: f64, places: &[(f64, f64)]) -> Vec<Block> {
    places
        .iter()
        .map(|&(along, left)| {
            let (at, heading) = route.beside(along, left);
            Block::pillar(at, half_m, heading)
        })
        .collect()
}
