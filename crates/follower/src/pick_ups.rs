//! Pick-ups near the path, collected if the detour requires little curvature.
//!
//! A pick-up at y to the left of the path and d ahead requires a sideways move by Δ = y - e from
//! the vehicle's own offset e, reduced by the pick-up's radius. A move by Δ within d on two equal
//! arcs, parallel to the path at its end, requires the curvature
//!
//! ```text
//! κ = 4 Δ / d²
//! ```
//!
//! It is selected while that stays below an option, the position lies in the corridor, and the sum
//! with the path's own curvature does not exceed the limit at the present speed and lateral
//! acceleration. Of several the one with the smallest κ is selected; the move towards it decreases
//! its κ, so the selection is stable. Among other vehicles and obstacles none is selected while
//! they move the path, nor one whose detour leads too near to another vehicle. The idea is from the
//! same entrant's account of the Russian AI Cup 2015 as [`crate::boost`].

use crate::bodies::{Around, MAX_PICK_UPS, MAX_SEEN, Neighbour, PickUp};
use crate::chassis::Frame;
use crate::geometry::{Point, segment_distance_squared};
use crate::nearest_point::near;
use crate::options::PickUpOptions;
use crate::target_speed::Walk;
use crate::vehicle::VehicleGeometry;
use raceline_numerics::math;

/// Number of pieces of the path ahead.
const PIECES: usize = 16;
/// Fraction of a pick-up's radius that is used.
const RELIED: f64 = 0.7;
/// Distance below which it is too late to steer, metres.
const NEAREST_M: f64 = 1.0;
/// Other vehicles within this distance and height of the vehicle count, metres.
const WINDOW_M: f64 = 150.0;
const LEVEL_M: f64 = 10.0;
/// Speed with which the time to a pick-up is computed for a slower vehicle, m/s.
const SLOWEST_MPS: f64 = 1.0;
/// Others must stay clear for so long after the pick-up as well, s.
const BEYOND_S: f64 = 1.0;

/// A selected pick-up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Detour {
    /// Distance ahead along the path, metres.
    pub ahead: f64,
    /// Offset at which the vehicle is to pass, metres to the left of the path.
    pub offset: f64,
    cost: f64,
}

/// Another body beside the path, relative to the vehicle.
#[derive(Clone, Copy, Debug)]
struct Beside {
    /// Along the path from the vehicle's middle to its middle, and its speed less the vehicle's, metres
    /// and m/s.
    distance: f64,
    closing: f64,
    /// Distance of its middle to the left of the path and the speed of that, metres and m/s.
    offset: f64,
    drift: f64,
    /// Distances of the middles along and across the path below which the two vehicles are too
    /// near, metres.
    reach: [f64; 2],
}

impl Beside {
    fn new(frame: &Frame<'_>, body: &Neighbour, vehicle: &VehicleGeometry, gap: f64) -> Self {
        let height = frame.here.position_m[2] + body.position_m[2] - frame.state.position_m[2];
        let point = [body.position_m[0], body.position_m[1], height];
        let (from, to) = (frame.nearest.s - WINDOW_M, frame.nearest.s + WINDOW_M);
        let (s, _) = near(frame.path, point, from, to);
        let there = frame.path.sample(s);
        let (sin, cos) = math::sin_cos(there.heading_rad);
        let in_path = |x: f64, y: f64| (x * cos + y * sin, y * cos - x * sin);
        let (beyond, offset) = in_path(point[0] - there.position_m[0], point[1] - there.position_m[1]);
        let (along, drift) = in_path(body.velocity_mps[0], body.velocity_mps[1]);
        let turned = body.heading_rad - there.heading_rad;
        let (sin, cos) = (math::sin(turned).abs(), math::cos(turned).abs());
        let (length, width) = (body.length_m * cos + body.width_m * sin, body.length_m * sin + body.width_m * cos);
        Self {
            distance: frame.path.signed_distance(frame.nearest.s + frame.middle, s) + beyond,
            closing: along - frame.state.speed_mps,
            offset,
            drift,
            reach: [0.5 * (length + vehicle.length_m) + gap, 0.5 * (width + vehicle.width_m) + gap],
        }
    }

    /// Whether it may come too near to the vehicle during its detour to a pick-up and shortly after.
    /// `cross_track` is the vehicle's distance to the left of the path, metres, `speed` its speed, m/s.
    fn obstructs(&self, (cross_track, speed): (f64, f64), detour: &Detour) -> bool {
        let time = detour.ahead / speed.max(SLOWEST_MPS) + BEYOND_S;
        let meet = |from: f64, by: f64, low: f64, high: f64| from.min(from + by) < high && from.max(from + by) > low;
        let [along, across] = self.reach;
        let (low, high) = (detour.offset.min(cross_track), detour.offset.max(cross_track));
        meet(self.distance, self.closing * time, -along, along)
            && meet(self.offset, self.drift * time, low - across, high + across)
    }
}

/// The pick-up with the smallest curvature, if that is within the limits and no other vehicle is too near.
/// `lateral` is the permitted acceleration, m/s²; `gap` the distance to keep from other vehicles.
pub(crate) fn choose(
    frame: &Frame<'_>,
    around: &Around<'_>,
    options: &PickUpOptions,
    (lateral, gap): (f64, f64),
    vehicle: &VehicleGeometry,
) -> Option<Detour> {
    // Others have moved the path: to keep clear of them matters more.
    if around.pick_ups.is_empty() || options.range_m <= NEAREST_M || !frame.shift.is_none() {
        return None;
    }
    let half_width = vehicle.width_m / 2.0;
    let mut beside = [None; MAX_SEEN];
    let is_near = |body: &Neighbour| {
        let [x, y, z] = std::array::from_fn(|k| (body.position_m[k] - frame.state.position_m[k]).abs());
        math::hypot(x, y) < WINDOW_M && z < LEVEL_M
    };
    let bodies = around.bodies(frame.state.position_m[2]);
    for (to, body) in beside.iter_mut().zip(bodies.as_slice()) {
        *to = is_near(body).then(|| Beside::new(frame, body, vehicle, gap));
    }
    let mut walk = Walk::new(frame.path, frame.nearest.segment);
    let piece = options.range_m / PIECES as f64;
    let ahead: [Point; PIECES + 1] = std::array::from_fn(|i| walk.position(frame.nearest.s + i as f64 * piece));
    let spare = lateral / math::powi(frame.state.speed_mps, 2).max(1.0);
    let candidates = around.pick_ups.iter().take(MAX_PICK_UPS).filter(|pick_up| usable(pick_up));
    let detours = candidates.filter_map(|pick_up| {
        let (fraction, squared, i) = (0..PIECES)
            .map(|i| {
                let (squared, fraction) = segment_distance_squared(pick_up.position_m, ahead[i], ahead[i + 1]);
                (fraction, squared, i)
            })
            .min_by(|a, b| a.1.total_cmp(&b.1))?;
        let reach = options.max_offset_m + pick_up.radius_m + piece;
        let distance = (i as f64 + fraction) * piece;
        if squared > reach * reach || distance < NEAREST_M || (i == PIECES - 1 && fraction >= 1.0) {
            return None;
        }
        let place = frame.path.sample(frame.nearest.s + distance);
        let (sin, cos) = math::sin_cos(place.heading_rad);
        let (x, y) = (pick_up.position_m[0] - place.position_m[0], pick_up.position_m[1] - place.position_m[1]);
        let left = cos * y - sin * x;
        if left.abs() > options.max_offset_m {
            return None;
        }
        // The offset nearest to the path that still reaches it.
        let offset = left.signum() * (left.abs() - RELIED * pick_up.radius_m).max(0.0);
        if offset > place.left_m - half_width || -offset > place.right_m - half_width {
            return None;
        }
        let cost = 4.0 * (offset - frame.cross_track).abs() / (distance * distance);
        let max_curvature = options.max_curvature_radpm.min(spare - place.curvature_radpm.abs());
        let detour = Detour { ahead: distance, offset, cost };
        let clear =
            || !beside.iter().flatten().any(|body| body.obstructs((frame.cross_track, frame.state.speed_mps), &detour));
        // A pick-up on the path needs no detour.
        (offset != 0.0 && cost <= max_curvature && clear()).then_some(detour)
    });
    detours.min_by(|a, b| a.cost.total_cmp(&b.cost))
}

fn usable(pick_up: &PickUp) -> bool {
    pick_up.position_m.iter().all(|x| x.abs() <= 1e8) && (0.0..=1e3).contains(&pick_up.radius_m)
}

/// The target point in place of the one `lookahead` ahead on the path: displaced sideways by the
/// missing offset, limited by the arc of the permitted curvature.
pub(crate) fn target_point(frame: &Frame<'_>, detour: &Detour, lookahead: f64, options: &PickUpOptions) -> Point {
    let ahead = lookahead.min(detour.ahead);
    let place = frame.path.sample(frame.nearest.s + ahead);
    let max_curvature = 0.5 * options.max_curvature_radpm * ahead * ahead;
    let offset = frame.cross_track + (detour.offset - frame.cross_track).clamp(-max_curvature, max_curvature);
    let (sin, cos) = math::sin_cos(place.heading_rad);
    let [x, y, z] = place.position_m;
    [x - offset * sin, y + offset * cos, z]
}

#[cfg(test)]
mod tests {
    use super::{Beside, Detour};

    #[test]
    fn a_vehicle_that_is_met_within_a_second_behind_the_pick_up_obstructs() {
        // 20 m ahead at 20 m/s: with the second behind it 2 s.
        let detour = Detour { ahead: 20.0, offset: 2.0, cost: 0.0 };
        let meets = |distance: f64| {
            let oncoming = Beside { distance, closing: -10.0, offset: 2.0, drift: 0.0, reach: [5.0, 2.0] };
            oncoming.obstructs((0.0, 20.0), &detour)
        };
        // It comes within the reach of 5 m before the 2 s are over, or after them.
        assert!(meets(24.0) && !meets(26.0));
    }
}
