//! The front corners of the body in tight bends, and the bound that keeps them on the road.
//!
//! The margin of a line is the distance from the centre of gravity to an edge. In a bend of radius
//! R, the outer front corner of a body of length l and width w, whose nose points outwards by β, is
//!
//! ```text
//! √((l/2 + R sin β)² + (R cos β + w/2)²) - R                                                 (1)
//! ```
//!
//! outside of the centre of gravity: more than the margin where R is small. A car that rolls
//! through a bend points outwards by sin β = b / R, with the distance b from the centre of gravity
//! to the rear axle; sliding tyres make it less.
//!
//! In the frame of a node, with the offset n, the heading ξ and σ = 1 for the left corner, -1 for
//! the right one, the corner is at
//!
//! ```text
//! X = l/2 cos ξ - σ w/2 sin ξ        Y = n + l/2 sin ξ + σ w/2 cos ξ                         (2)
//! ```
//!
//! and keeps its distance from the edge where σ (Y - e(X)) ≤ 0. e is a parabola through three
//! places that have this distance from the edge on that side.
//!
//! The lap is searched without these bounds first, which are then added where a corner violates
//! one.

use super::number::Number;
use crate::stations::{Margin, Station};
use crate::time_optimal::Task;
use raceline_car::Vehicle;
use raceline_numerics::math;
use raceline_road::geometry::left_of;

/// Distance that a front corner keeps from an edge, as a fraction of the vehicle's margin. More of
/// it leaves more room to a driver, and is more often out of reach of the steering.
const CORNER_ROOM: f64 = 0.03;

/// Bounds of the left and of the right front corner.
pub type Bounds = [Option<CornerBound>; 2];

/// The bound of one front corner at a node.
#[derive(Clone, Copy, Debug)]
pub struct CornerBound {
    /// σ.
    pub side: f64,
    /// l/2 and w/2, m.
    pub half_m: [f64; 2],
    /// X of the parabola's middle, m.
    pub at_m: f64,
    /// The parabola's value, slope and half its second derivative there.
    pub edge: [f64; 3],
}

impl CornerBound {
    /// How far the corner is beyond its bound, m, with the offset and the heading of the body;
    /// negative inside.
    pub fn excess_m<T: Number>(&self, offset: T, heading: T) -> T {
        let [ahead, beside] = self.half_m;
        let (sin, cos) = heading.sin_cos();
        // Equation (2).
        let along = cos * ahead - sin * (self.side * beside) + -self.at_m;
        let across = offset + sin * ahead + cos * (self.side * beside);
        let [value, slope, bend] = self.edge;
        (across - along * slope - along.square() * bend + -value) * self.side
    }

    /// The bound on the left (σ = 1) or on the right side of a station; `None` where no edge is
    /// near.
    fn at(station: &Station, margin: Margin, margin_m: f64, half_m: [f64; 2], side: f64) -> Option<Self> {
        let [ahead, beside] = half_m;
        // The nose points outwards, by up to half a right angle.
        let (step, at_m) = (0.25 * beside, ahead - 0.25 * beside);
        let (near, far) = if side > 0.0 { (station.low, station.high) } else { (station.high, station.low) };
        let from = 0.5 * near;
        let reach = side * (far - from) + margin_m + ahead;
        let edge_at = |along: f64| {
            let place = station.point(from) - left_of(station.normal) * along;
            let offset = margin.free_offset(place, station.normal * side, reach, side > 0.0);
            (offset < reach).then_some(from + side * offset)
        };
        let [before, here, after] = [edge_at(at_m - step)?, edge_at(at_m)?, edge_at(at_m + step)?];
        let edge = [here, 0.5 * (after - before) / step, 0.5 * (after - 2.0 * here + before) / (step * step)];
        Some(Self { side, half_m, at_m, edge })
    }
}

/// Bounds at each station; none where the line bends so little that the margin leaves room for the
/// corners.
pub fn corner_bounds(task: Task, stations: &[Station]) -> Vec<Bounds> {
    let (vehicle, closed) = (task.lap.vehicle, task.corridor.closed);
    let mut bounds = vec![[None; 2]; stations.len()];
    let is_tight = |curvature: f64| outside_m(vehicle, curvature.abs()) > task.margin_m;
    // A margin below half the width lets the body stand out beyond the edges.
    if !is_tight(vehicle.max_curvature_radpm) || task.margin_m < 0.5 * vehicle.width_m {
        return bounds;
    }
    let half_m = [0.5 * vehicle.length_m, 0.5 * vehicle.width_m];
    let margin = Margin { edges: task.edges, distance_m: CORNER_ROOM * task.margin_m };
    let near = near_places(stations, closed, vehicle.length_m, |station| is_tight(station.curvature));
    for ((station, bounds), is_near) in stations.iter().zip(&mut bounds).zip(near) {
        if is_near {
            *bounds = [1.0, -1.0].map(|side| CornerBound::at(station, margin, task.margin_m, half_m, side));
        }
    }
    bounds
}

/// How far the outer front corner of a vehicle that rolls through a bend is outside of its centre
/// of gravity, m: equation (1).
fn outside_m(vehicle: &Vehicle, curvature: f64) -> f64 {
    let radius = 1.0 / curvature.max(1e-9);
    let to_rear_m = vehicle.handling().front_weight_fraction * vehicle.wheelbase_m;
    let sin = (to_rear_m / radius).min(1.0);
    let cos = (1.0 - sin * sin).sqrt();
    math::hypot(0.5 * vehicle.length_m + radius * sin, radius * cos + 0.5 * vehicle.width_m) - radius
}

/// Which stations are at most `reach_m` before or after one that `is_place`.
fn near_places(stations: &[Station], closed: bool, reach_m: f64, is_place: impl Fn(&Station) -> bool) -> Vec<bool> {
    let n = stations.len();
    let places: Vec<bool> = stations.iter().map(is_place).collect();
    let mut near = places.clone();
    for forwards in [true, false] {
        let mut from_place_m = f64::INFINITY;
        // Twice round a closed line, as its last places are near the first ones.
        for k in 0..if closed { 2 * n } else { n } {
            let i = if forwards { k % n } else { n - 1 - k % n };
            // The step between the station of before and this one.
            let step = if forwards { stations[(i + n - 1) % n].step } else { stations[i].step };
            from_place_m = if places[i] { 0.0 } else { from_place_m + step };
            near[i] |= from_place_m <= reach_m;
        }
    }
    near
}

#[cfg(test)]
mod tests {
    use raceline_car::{Vehicle, preset};
    use raceline_road::geometry::{Point, left_of};

    use super::{CORNER_ROOM, CornerBound, corner_bounds, outside_m};
    use crate::stations::{Margin, ReferenceLine, Spacing, Station, stations};
    use crate::test_roads::part_of_ring;
    use crate::time_optimal::Task;
    use crate::{Corridor, EdgeDistance};

    #[test]
    fn a_body_that_rolls_round_a_bend_points_outwards() {
        let gt = preset("gt").expect("the preset exists");
        // On a road of radius 8.16 m it rolls with a sideslip of 1.4585 m / 8.16 m; half its length
        // and width are 2.51 and 1.02 m.
        let found = outside_m(&gt, 1.0 / 8.16);
        let sin: f64 = 1.4585 / 8.16;
        let (ahead, beside) = (2.51 + 8.16 * sin, 8.16 * (1.0 - sin * sin).sqrt() + 1.02);
        assert!((found - (ahead.hypot(beside) - 8.16)).abs() < 1e-12, "{found}");
        assert!(found > gt.margin_m() && outside_m(&gt, 0.05) < gt.margin_m());
    }

    #[test]
    fn a_corner_is_at_its_bound_where_it_is_on_the_parabola() {
        let (ahead, beside) = (2.5, 1.0);
        for side in [1.0, -1.0] {
            let bound = CornerBound { side, half_m: [ahead, beside], at_m: 2.3, edge: [4.0 * side, 0.2, -0.03] };
            for heading in [-0.4_f64, 0.0, 0.3] {
                let (sin, cos) = heading.sin_cos();
                let along = ahead * cos - side * beside * sin - 2.3;
                let edge = 4.0 * side + 0.2 * along - 0.03 * along * along;
                let offset = edge - ahead * sin - side * beside * cos;
                assert!(bound.excess_m(offset, heading).abs() < 1e-12, "{side} {heading}");
                // A move to its own side takes it beyond.
                assert!((bound.excess_m(offset + 0.5 * side, heading) - 0.5).abs() < 1e-12);
            }
        }
    }

    /// Stations on the middle of a ring of this radius, 8 m wide, with the bounds of a vehicle that
    /// keeps its own margin.
    fn on_ring(radius_m: f64, vehicle: &Vehicle) -> Vec<(Station, super::Bounds)> {
        with_margin(radius_m, vehicle, vehicle.margin_m())
    }

    fn with_margin(radius_m: f64, vehicle: &Vehicle, margin_m: f64) -> Vec<(Station, super::Bounds)> {
        let track = part_of_ring(radius_m, [720, 720], 4.0, Some(0.5));
        let edges = EdgeDistance::new(&track);
        let corridor = Corridor::new(&track, &edges, margin_m).expect("the ring is wide enough");
        let line = ReferenceLine::through(&corridor, &corridor.middle(), margin_m).expect("a ring of points");
        let places = Spacing { longest_m: 0.5, ..Spacing::of_stations(8.0) }.places(&line.curve);
        let task = Task { corridor: &corridor, edges: &edges, margin_m, spacing_m: 0.5, lap: vehicle.into() };
        let stations = stations(&line, places, Margin { edges: &edges, distance_m: margin_m }, None);
        let bounds = corner_bounds(task, &stations);
        stations.into_iter().zip(bounds).collect()
    }

    #[test]
    fn a_bound_keeps_the_outer_corner_from_a_round_edge() {
        let gt = preset("gt").expect("the preset exists");
        let room_m = CORNER_ROOM * gt.margin_m();
        for (station, bounds) in on_ring(9.0, &gt) {
            // The ring is driven counter-clockwise: its outer edge is the right one.
            let bound = bounds[1].expect("an edge is near");
            for heading in [0.0, -0.1, -0.2, -0.3] {
                let excess_m = bound.excess_m(0.0, heading);
                // Where the corner is at its bound.
                let offset = excess_m;
                assert!(bound.excess_m(offset, heading).abs() < 1e-12);
                let forward = -left_of(station.normal);
                let nose = forward * f64::cos(heading) + station.normal * f64::sin(heading);
                let corner = station.point(offset) + nose * 2.51 - left_of(nose) * 1.02;
                let found_m = 13.0 - (corner - Point::origin()).norm();
                assert!((found_m - room_m).abs() < 5e-3, "{heading}: {found_m} for {room_m}");
            }
        }
    }

    #[test]
    fn a_wide_bend_has_no_bounds() {
        let gt = preset("gt").expect("the preset exists");
        assert!(on_ring(30.0, &gt).iter().all(|(_, bounds)| bounds.iter().all(Option::is_none)));
    }

    #[test]
    fn a_vehicle_that_may_stand_out_beyond_the_edges_has_no_bounds() {
        let gt = preset("gt").expect("the preset exists");
        let found = |margin_m: f64| with_margin(9.0, &gt, margin_m).iter().any(|(_, bounds)| bounds[1].is_some());
        assert!(found(0.5 * gt.width_m) && !found(0.49 * gt.width_m));
    }

    #[test]
    fn a_vehicle_whose_steering_reaches_no_tight_bend_has_no_bounds() {
        let gt = Vehicle { max_curvature_radpm: 0.03, ..preset("gt").expect("the preset exists") };
        assert!(on_ring(9.0, &gt).iter().all(|(_, bounds)| bounds.iter().all(Option::is_none)));
    }
}
