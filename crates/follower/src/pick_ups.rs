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
    use super::{Beside, Detour, choose, target_point};
    use crate::bodies::{Around, Neighbour, PickUp};
    use crate::chassis::testing::{HEADING, frame, on_straight, place, ring, straight};
    use crate::options::PickUpOptions;
    use crate::vehicle::{VehicleGeometry, VehicleState};

    const WIDE: [f64; 2] = [50.0, 50.0];
    /// Takes anything that is in range.
    const EAGER: PickUpOptions = PickUpOptions { range_m: 80.0, max_offset_m: 10.0, max_curvature_radpm: 100.0 };

    /// A vehicle as long and wide as a metre, which stands.
    fn cube(along: f64, left: f64) -> Neighbour {
        Neighbour {
            position_m: place(along, left),
            velocity_mps: [0.0; 3],
            heading_rad: HEADING,
            length_m: 1.0,
            width_m: 1.0,
        }
    }

    /// What a vehicle at 50 m along a straight path, 0.3 m to its left, at 10 m/s, selects of pick-ups at
    /// distances ahead and to the left, with a radius, among others that keep 0.5 m away.
    fn selected(
        pick_ups: &[[f64; 3]],
        neighbours: &[Neighbour],
        options: &PickUpOptions,
        room: [f64; 2],
        lateral: f64,
    ) -> Option<Detour> {
        let path = straight(room, 20.0);
        let frame = on_straight(&path, [50.0, 0.3], 10.0);
        let at =
            |[ahead, left, radius_m]: &[f64; 3]| PickUp { position_m: place(50.0 + ahead, *left), radius_m: *radius_m };
        let pick_ups: Vec<PickUp> = pick_ups.iter().map(at).collect();
        let around = Around { neighbours, obstacles: &[], pick_ups: &pick_ups };
        choose(&frame, &around, options, (lateral, 0.5), &VehicleGeometry::default())
    }

    fn is_near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9 * (1.0 + b.abs())
    }

    #[test]
    fn a_detour_reaches_the_pick_up_with_seven_tenths_of_its_radius() {
        // 1.3 m to the left are 1 m from the vehicle: a curvature of 4 / 40².
        for (left, offset) in [(2.0, 1.3), (-2.0, -1.3)] {
            let cost = 4.0 * f64::abs(offset - 0.3) / 1600.0;
            let limited = |limit: f64, lateral: f64| {
                let options = PickUpOptions { max_curvature_radpm: limit, ..EAGER };
                selected(&[[40.0, left, 1.0]], &[], &options, WIDE, lateral)
            };
            let detour = limited(1.001 * cost, 1000.0);
            assert!(
                detour.is_some_and(|detour| is_near(detour.ahead, 40.0)
                    && is_near(detour.offset, offset)
                    && is_near(detour.cost, cost)),
                "{detour:?}"
            );
            assert_eq!(limited(0.999 * cost, 1000.0), None);
            // At 10 m/s the curvature takes 100 times as much acceleration.
            assert_eq!(limited(100.0, 100.1 * cost), detour);
            assert_eq!(limited(100.0, 99.9 * cost), None);
        }
        // The path itself leads over it.
        assert_eq!(selected(&[[40.0, 0.6, 1.0]], &[], &EAGER, WIDE, 1000.0), None);
    }

    #[test]
    fn a_bend_leaves_the_rest_of_the_grip() {
        let path = ring(100.0, WIDE, 20.0);
        // 40 m ahead, 3 m further inside.
        let (sin, cos) = 0.4_f64.sin_cos();
        let pick_ups = [PickUp { position_m: [97.0 * cos, 97.0 * sin, 0.0], radius_m: 0.0 }];
        let around = Around { pick_ups: &pick_ups, ..Around::default() };
        let frame = frame(&path, &VehicleState::new([100.0, 0.0, 0.0], std::f64::consts::FRAC_PI_2, 10.0));
        let choose = |lateral: f64| choose(&frame, &around, &EAGER, (lateral, 0.5), &VehicleGeometry::default());
        // 4 · 3 / 40² beside the 1 / 100 of the bend.
        let needed = 100.0 * (0.0075 + 0.01);
        assert!(choose(1.02 * needed).is_some() && choose(0.98 * needed).is_none());
    }

    #[test]
    fn at_walking_pace_the_grip_is_that_of_a_metre_a_second() {
        let path = straight(WIDE, 20.0);
        let frame = on_straight(&path, [50.0, 0.0], 0.1);
        let pick_ups = [PickUp { position_m: place(60.0, 1.0), radius_m: 0.0 }];
        let around = Around { pick_ups: &pick_ups, ..Around::default() };
        let choose = |lateral: f64| choose(&frame, &around, &EAGER, (lateral, 0.5), &VehicleGeometry::default());
        assert!(choose(0.0401).is_some() && choose(0.0399).is_none());
    }

    #[test]
    fn pick_ups_in_range_and_beside_the_path_are_selected() {
        let is_selected = |ahead: f64, left: f64, options: &PickUpOptions, room: [f64; 2]| {
            selected(&[[ahead, left, 0.0]], &[], options, room, 1e6).is_some()
        };
        let range = PickUpOptions { range_m: 40.0, ..EAGER };
        assert!(is_selected(39.9, 1.0, &range, WIDE) && !is_selected(40.1, 1.0, &range, WIDE));
        assert!(is_selected(1.05, 1.0, &range, WIDE) && !is_selected(0.95, 1.0, &range, WIDE));
        let narrow = PickUpOptions { max_offset_m: 1.5, ..EAGER };
        assert!(is_selected(40.0, 1.45, &narrow, WIDE) && !is_selected(40.0, 1.55, &narrow, WIDE));
        assert!(is_selected(40.0, -1.45, &narrow, WIDE) && !is_selected(40.0, -1.55, &narrow, WIDE));
        // Half of the vehicle has a width of 0.9 m.
        let room = [3.0, 2.5];
        assert!(is_selected(40.0, 2.05, &EAGER, room) && !is_selected(40.0, 2.15, &EAGER, room));
        assert!(is_selected(40.0, -1.55, &EAGER, room) && !is_selected(40.0, -1.65, &EAGER, room));
    }

    #[test]
    fn the_detour_with_the_smallest_curvature_is_selected() {
        let pick_ups = [[30.0, -1.0, 0.0], [60.0, 1.5, 0.0], [20.0, 1.0, 0.0]];
        let detour = selected(&pick_ups, &[], &EAGER, WIDE, 1e6);
        assert!(detour.is_some_and(|detour| is_near(detour.offset, 1.5)), "{detour:?}");
    }

    #[test]
    fn others_within_150_m_and_10_m_of_height_forbid_a_detour() {
        // It is met however far away it is: it comes with 200 m/s, and the detour takes 3 s and 1 s.
        let forbids = |ahead: f64, height: f64| {
            let mut body = cube(50.0 + ahead, 1.0);
            (body.velocity_mps, body.position_m[2]) = ([-160.0, -120.0, 0.0], height);
            selected(&[[30.0, 2.0, 0.0]], &[body], &EAGER, WIDE, 1e6).is_none()
        };
        assert!(forbids(149.0, 0.0) && !forbids(151.0, 0.0));
        assert!(forbids(100.0, 9.9) && !forbids(100.0, 10.1) && forbids(100.0, -9.9) && !forbids(100.0, -10.1));
        // Beside the vehicle and the pick-up there are 0.5 m of the cube, 0.9 m of the vehicle and a gap of 0.5 m.
        let stands = |left: f64| selected(&[[30.0, 2.0, 0.0]], &[cube(60.0, left)], &EAGER, WIDE, 1e6).is_none();
        assert!(stands(3.89) && !stands(3.91) && stands(-1.59) && !stands(-1.61));
    }

    #[test]
    fn a_body_beside_is_measured_along_the_path() {
        let path = straight(WIDE, 20.0);
        let vehicle = VehicleGeometry { length_m: 4.0, width_m: 2.0, ..VehicleGeometry::default() };
        for along in [90.0, 407.0] {
            let frame = on_straight(&path, [50.0, 0.3], 12.0);
            let body = Neighbour {
                position_m: place(along, -2.0),
                velocity_mps: [5.0 * 0.8 - 0.6, 5.0 * 0.6 + 0.8, 0.0],
                heading_rad: HEADING + 0.3,
                length_m: 5.0,
                width_m: 1.5,
            };
            let beside = Beside::new(&frame, &body, &vehicle, 0.4);
            let (sin, cos) = 0.3_f64.sin_cos();
            let expected = [
                along - 50.0 - frame.middle,
                5.0 - 12.0,
                -2.0,
                1.0,
                0.5 * (5.0 * cos + 1.5 * sin + 4.0) + 0.4,
                0.5 * (5.0 * sin + 1.5 * cos + 2.0) + 0.4,
            ];
            let Beside { distance, closing, offset, drift, reach: [length, width] } = beside;
            for (measured, expected) in [distance, closing, offset, drift, length, width].into_iter().zip(expected) {
                assert!(is_near(measured, expected), "{beside:?} for {expected}");
            }
        }
    }

    #[test]
    fn a_body_obstructs_a_detour_where_it_crosses_the_band_that_is_driven() {
        // 3 m ahead, at 1 m/s because the vehicle is slower: 3 s and 1 s.
        let detour = Detour { ahead: 3.0, offset: 2.0, cost: 0.0 };
        let obstructs = |[distance, closing, offset, drift]: [f64; 4]| {
            Beside { distance, closing, offset, drift, reach: [5.0, 1.0] }.obstructs((0.5, 0.2), &detour)
        };
        // Along the path within 5 m, across it between -0.5 m and 3 m.
        for (inside, outside) in [
            ([4.9, 0.0, 1.0, 0.0], [5.1, 0.0, 1.0, 0.0]),
            ([-4.9, 0.0, 1.0, 0.0], [-5.1, 0.0, 1.0, 0.0]),
            ([12.9, -2.0, 1.0, 0.0], [13.1, -2.0, 1.0, 0.0]),
            ([-12.9, 2.0, 1.0, 0.0], [-13.1, 2.0, 1.0, 0.0]),
            ([0.0, 0.0, 2.9, 0.0], [0.0, 0.0, 3.1, 0.0]),
            ([0.0, 0.0, -0.4, 0.0], [0.0, 0.0, -0.6, 0.0]),
            ([0.0, 0.0, 6.9, -1.0], [0.0, 0.0, 7.1, -1.0]),
            ([0.0, 0.0, -4.4, 1.0], [0.0, 0.0, -4.6, 1.0]),
        ] {
            assert!(obstructs(inside) && !obstructs(outside), "{inside:?}");
        }
    }

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

    #[test]
    fn the_target_point_lies_on_the_arc_of_the_largest_curvature() {
        let path = straight(WIDE, 20.0);
        let frame = on_straight(&path, [50.0, 0.3], 10.0);
        let target = |lookahead: f64, offset: f64, limit: f64| {
            let options = PickUpOptions { max_curvature_radpm: limit, ..EAGER };
            target_point(&frame, &Detour { ahead: 20.0, offset, cost: 0.0 }, lookahead, &options)
        };
        // After 10 m an arc of 0.01 1/m is 0.5 m aside; the pick-up itself is 20 m ahead.
        for (target, [ahead, left]) in [
            (target(10.0, 3.0, 0.01), [10.0, 0.8]),
            (target(10.0, -3.0, 0.01), [10.0, -0.2]),
            (target(30.0, 1.3, 0.01), [20.0, 1.3]),
        ] {
            let expected = place(50.0 + ahead, left);
            assert!((0..3).all(|k| is_near(target[k], expected[k])), "{target:?} for {expected:?}");
        }
    }
}
