//! The estimated time of a path: the speed profile along it, with its corners rounded.

use super::taut::length_of;
use raceline_car::Vehicle;
use raceline_numerics::math;
use raceline_road::geometry::{Point, Polyline, cross};
use raceline_solve::speed;

/// Pieces into which a path is divided, about.
const PIECES: f64 = 300.0;
/// Kinks of a path that move it by less than this fraction of `aside_m` are not driven: two
/// planners' paths that differ only in them take the same time.
const KINK_FRACTION: f64 = 0.1;
/// Shortest piece, metres.
const SHORTEST_M: f64 = 1e-3;

/// Time from standstill along the open path, s; infinite if it cannot be driven.
///
/// Each corner with the turn θ becomes an arc that begins at most half a leg before it and leaves
/// the corner by at most `aside_m`: its radius r has a tangent of r tan(θ/2) and leaves the corner
/// by r (1/cos(θ/2) - 1). Curvature above the vehicle's largest counts as the largest. The profile
/// is that of [`speed::profile`]. It is an estimate to compare paths with; the line that is found
/// later is faster, as it uses the whole width.
#[must_use]
pub fn estimated_time_s(path: &[Point], aside_m: f64, vehicle: &Vehicle) -> f64 {
    let Some((curvature, steps)) = bends(path, aside_m, vehicle) else { return 0.0 };
    speed::profile(&curvature, &steps, false, vehicle).map_or(f64::INFINITY, |profile| profile.lap_time_s)
}

/// Curvature at each point of the path with its corners rounded, 1/m, and the steps between them,
/// metres; `None` for a path without length.
#[must_use]
pub fn bends(path: &[Point], aside_m: f64, vehicle: &Vehicle) -> Option<(Vec<f64>, Vec<f64>)> {
    let path = &Polyline::open(path.to_vec()).simplified(KINK_FRACTION * aside_m).points;
    let length = length_of(path);
    if length < SHORTEST_M {
        return None;
    }
    let step = (length / PIECES).max(SHORTEST_M);
    let (mut curvature, mut steps) = (vec![0.0], Vec::new());
    let mut advance = |distance: f64, bend: f64| {
        if distance > 1e-9 {
            let parts = (distance / step).ceil().max(1.0);
            for _ in 0..parts as usize {
                steps.push(distance / parts);
                curvature.push(bend);
            }
        }
    };
    let mut before = 0.0;
    for index in 1..path.len() {
        let leg = (path[index] - path[index - 1]).norm();
        let Some(next) = path.get(index + 1) else {
            advance(leg - before, 0.0);
            break;
        };
        let (a, b) = (path[index] - path[index - 1], next - path[index]);
        let turn = math::atan2(cross(a, b), a.dot(&b));
        let half = (turn.abs() / 2.0).min(1.55);
        let tangent_max = 0.5 * leg.min(b.norm());
        let aside = 1.0 / math::cos(half) - 1.0;
        let radius =
            (tangent_max / math::tan(half).max(1e-9)).min(if aside > 1e-9 { aside_m / aside } else { f64::MAX });
        let tangent = radius * math::tan(half);
        advance(leg - before - tangent, 0.0);
        let bend = (1.0 / radius.max(1e-9)).min(vehicle.max_curvature_radpm);
        advance(radius * turn.abs(), bend.copysign(turn));
        before = tangent;
    }
    Some((curvature, steps))
}
