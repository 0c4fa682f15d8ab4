//! Other vehicles as the path sees them.

use crate::bodies::{Around, MAX_SEEN, MAX_SIZE_M, Neighbour, is_on_another_level};
use crate::chassis::Frame;
use crate::geometry::{half_extents, wrap_angle};
use crate::nearest_point::near;
use crate::options::{TargetSpeedOptions, TrafficOptions};
use crate::path::PathSample;
use crate::target_speed::Walk;
use crate::vehicle::VehicleGeometry;
use raceline_numerics::math;

/// A neighbour relative to the vehicle and the path.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Seen {
    /// Place of its middle along the path, m.
    pub s: f64,
    /// From body to body along the path, m; negative where they overlap along it.
    pub gap: f64,
    /// Whether its middle is ahead of the vehicle's.
    pub ahead: bool,
    /// Distance of its middle to the left of the path, m, and half its extent across.
    pub offset: f64,
    pub half_width: f64,
    /// Speed along the path and across, to the left, m/s.
    pub speed: f64,
    pub drift: f64,
    /// The vehicle's own speed along the path less its own, and the speed that the vehicle would have
    /// at its place less its own, m/s.
    pub closing: f64,
    pub pace: f64,
    /// Whether it slides sideways, as in a spin.
    pub slides: bool,
    /// Room for its middle on the road at its place, m to the left and to the right.
    pub room: [f64; 2],
    /// Offset from the path if it stays where it is on the road, in steps of [`KEPT_S`].
    pub(super) kept: [f64; KEPT],
    /// Speed across the road, m/s.
    pub(super) aside: f64,
}

/// Distance along the path below which vehicles are abreast, m. A larger one waits longer before it
/// moves in, and passes later.
pub(super) const ABREAST_M: f64 = 1.5;
/// A vehicle that is slower than this stands, m/s.
const STANDING_MPS: f64 = 1.0;
/// Within this fraction of half the widths it is straight behind or ahead, not at a side, unless the two
/// overlap by more than this, m.
const IN_LANE: f64 = 0.7;
const OVERLAP_M: f64 = 0.5;

impl Seen {
    /// Whether it stands.
    pub(super) fn stands(&self) -> bool {
        self.speed.abs() < STANDING_MPS
    }

    /// Whether it is straight ahead of a vehicle of this width at this offset, or straight behind it, and
    /// not at a side.
    pub(super) fn is_in_lane_of(&self, offset: f64, width: f64) -> bool {
        (offset - self.offset).abs() < IN_LANE * (self.half_width + 0.5 * width) && self.gap > -OVERLAP_M
    }
}

/// Times for which it is known where a place on the road lies beside the path, and their step, s.
const KEPT: usize = 7;
const KEPT_S: f64 = 0.5;
/// Time for which the motion of a neighbour across the road is continued, s. A longer one expects
/// more of a swerve.
const CARRIED_S: f64 = 0.6;

/// Time for which the motion of a neighbour across the path is continued, s, and its largest speed,
/// m/s. Longer ones yield to lane changes sooner, and to swerves.
const DRIFT_S: f64 = 1.5;
const MAX_DRIFT_MPS: f64 = 6.0;
/// A neighbour may return to the path with this acceleration, m/s², up to this speed, m/s: at most
/// the first when it stands, and more by a fraction of its speed.
const STANDING_RETURN_MPS: f64 = 0.8;
const RETURN_FRACTION: f64 = 0.25;
const RETURN_MPS2: f64 = 8.0;
const RETURN_MPS: f64 = 6.0;

impl Seen {
    /// Where its motion across leads in `time`.
    pub(super) fn drifted(&self, time: f64) -> f64 {
        self.offset + self.drift.clamp(-MAX_DRIFT_MPS, MAX_DRIFT_MPS) * time.min(DRIFT_S)
    }

    /// Where it will be in `time` if it keeps to its place on the road, which the path crosses.
    pub(super) fn kept(&self, time: f64) -> f64 {
        let place = (time / KEPT_S).clamp(0.0, (KEPT - 1) as f64);
        let before = (place as usize).min(KEPT - 2);
        let [a, b] = [self.kept[before], self.kept[before + 1]];
        a + (b - a) * (place - before as f64)
    }

    /// The offset in `time` without its motion across the road.
    pub(super) fn still(&self, time: f64) -> f64 {
        self.kept(time) - self.aside * time.min(CARRIED_S)
    }

    /// The offsets at which its middle may be in `time`: where its motion across leads, on the return
    /// from there to the path, which others drive as well, and where its place on the road is;
    /// with room to the left and to the right.
    pub(super) fn across(&self, time: f64, [left, right]: [f64; 2]) -> [f64; 2] {
        let drifted = self.drifted(time).clamp(-right, left);
        let max_return = RETURN_MPS.min(STANDING_RETURN_MPS + RETURN_FRACTION * self.speed.abs());
        let back = (0.5 * RETURN_MPS2 * time * time).min(max_return * time).min(drifted.abs());
        let returned = drifted - back.copysign(drifted);
        let kept = self.kept(time).clamp(-right, left);
        [drifted.min(returned).min(kept), drifted.max(returned).max(kept)]
    }
}

/// A body turned further from its course than this slides, rad, from this speed on, m/s.
const SLIDES_RAD: f64 = 0.4;
const SLIDES_MPS: f64 = 3.0;
/// Time in which the road's middle moves beside the path, s.
const SLOPE_S: f64 = 0.1;
/// Distances that are looked at, m.
const BEHIND_M: f64 = 40.0;
const MIN_AHEAD_M: f64 = 40.0;
const MAX_AHEAD_M: f64 = 300.0;
/// Distance beyond the edge of the corridor from which on a body is off the road, m. A smaller one
/// ignores those that come back.
const OFF_ROAD_M: f64 = 0.5;

fn is_usable(body: &Neighbour) -> bool {
    body.is_usable() && body.length_m > 0.0 && body.width_m > 0.0
}

/// Fills `seen` with the neighbours that may matter and returns their number. Those that are not
/// usable numbers, off the road, far away or on another level are left out, and so are all but the
/// first [`MAX_NEIGHBOURS`](crate::MAX_NEIGHBOURS) and the first
/// [`MAX_OBSTACLES`](crate::MAX_OBSTACLES), which count as standing vehicles.
pub(super) fn see(
    frame: &Frame<'_>,
    around: &Around<'_>,
    options: &TrafficOptions,
    speeds: &TargetSpeedOptions,
    vehicle: &VehicleGeometry,
    seen: &mut [Seen; MAX_SEEN],
) -> usize {
    let (sin, cos) = math::sin_cos(frame.here.heading_rad);
    let [x, y, _] = frame.state.velocity_mps;
    let own_speed = x * cos + y * sin;
    let reach = (own_speed * options.horizon_s).clamp(MIN_AHEAD_M, MAX_AHEAD_M);
    let own = frame.nearest.s + frame.middle * math::cos(frame.heading_error);
    let (half_length, _) = half_extents(vehicle.length_m, vehicle.width_m, frame.heading_error);
    let mut count = 0;
    let bodies = around.bodies(frame.state.position_m[2]);
    for neighbour in bodies.as_slice().iter().filter(|neighbour| is_usable(neighbour)) {
        let away: [f64; 3] = std::array::from_fn(|k| neighbour.position_m[k] - frame.state.position_m[k]);
        let distance = math::hypot(away[0], away[1]);
        if distance > reach + MAX_SIZE_M || is_on_another_level(away[2], distance) {
            continue;
        }
        // The path's height, from which a body's differs alike everywhere.
        let point = [neighbour.position_m[0], neighbour.position_m[1], frame.here.position_m[2] + away[2]];
        let (s, _) = near(frame.path, point, frame.nearest.s - BEHIND_M, frame.nearest.s + reach);
        let there = frame.path.sample(s);
        let (sin, cos) = math::sin_cos(there.heading_rad);
        let (x, y) = (point[0] - there.position_m[0], point[1] - there.position_m[1]);
        let (along, offset) = (x * cos + y * sin, y * cos - x * sin);
        // Beyond the ends of the window the nearest point is not abreast of it.
        if along.abs() > MAX_SIZE_M {
            continue;
        }
        let (other_length, half_width) =
            half_extents(neighbour.length_m, neighbour.width_m, neighbour.heading_rad - there.heading_rad);
        let [x, y, _] = neighbour.velocity_mps;
        let (speed, drift) = (x * cos + y * sin, y * cos - x * sin);
        // Who comes back onto the road is seen.
        let off = |offset: f64| (offset - there.left_m).max(-offset - there.right_m) > half_width + OFF_ROAD_M;
        if off(offset) && off(offset + drift * DRIFT_S) {
            continue;
        }
        let distance = frame.path.signed_distance(own, s) + along;
        let [ahead, left] = [x, y];
        let course = wrap_angle(math::atan2(left, ahead) - neighbour.heading_rad);
        // How fast it moves across the road.
        let middle = |room: &PathSample| {
            let middle = 0.5 * (room.left_m - room.right_m);
            if middle.is_finite() { middle } else { 0.0 }
        };
        let from = s + along;
        let mut walk = Walk::new(frame.path, frame.path.segment_at(frame.path.wrap(from)));
        let (mut distance_ahead, mut then) = (0.0, speed.max(0.0));
        let middles: [f64; KEPT] = std::array::from_fn(|_| {
            let there = walk.sample(from + distance_ahead);
            // It brakes for the bends ahead.
            then = then.min(there.speed_mps);
            distance_ahead += then * KEPT_S;
            middle(&there)
        });
        let near = frame.path.sample(from + speed * SLOPE_S);
        let aside = drift - (middle(&near) - middles[0]) / SLOPE_S;
        let aside = aside.clamp(-MAX_DRIFT_MPS, MAX_DRIFT_MPS);
        let kept = std::array::from_fn(|k| {
            let time = (k as f64 * KEPT_S).min(CARRIED_S);
            offset - middles[0] + middles[k] + aside * time
        });
        let profile = if there.speed_mps.is_finite() { there.speed_mps * speeds.profile_scale } else { f64::INFINITY };
        seen[count] = Seen {
            s: s + along,
            gap: distance.abs() - half_length - other_length,
            ahead: distance > 0.0,
            offset,
            half_width,
            speed,
            drift,
            closing: own_speed - speed,
            pace: profile.min(speeds.max_speed_mps) - speed,
            room: [there.left_m, there.right_m].map(|room| (room - half_width).max(0.0)),
            kept,
            aside,
            slides: course.abs() > SLIDES_RAD && math::hypot(ahead, left) > SLIDES_MPS,
        };
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::{KEPT, Seen, see};
    use crate::bodies::{Around, MAX_SEEN, Neighbour};
    use crate::chassis::testing::{HEADING, on_straight, place, straight, straight_of};
    use crate::options::{TargetSpeedOptions, TrafficOptions};
    use crate::path::{Path, Waypoint};
    use crate::vehicle::VehicleGeometry;

    /// A car of 5 m by 2 m along the straight path, with its speed along it and to the left.
    fn car([along, left]: [f64; 2], [speed, drift]: [f64; 2]) -> Neighbour {
        let [x, y, _] = place(speed, drift);
        Neighbour {
            position_m: place(along, left),
            velocity_mps: [x, y, 0.0],
            heading_rad: HEADING,
            length_m: 5.0,
            width_m: 2.0,
        }
    }

    /// What a vehicle of 4 m by 2 m sees of another at 50 m along the path at 12 m/s, turned by 0.1 and with its
    /// middle 0.7 m ahead of its reference point.
    fn seen(path: &Path, body: &Neighbour, speeds: &TargetSpeedOptions) -> Option<Seen> {
        let mut frame = on_straight(path, [50.0, 0.3], 12.0);
        (frame.middle, frame.heading_error) = (0.7, 0.1);
        let vehicle = VehicleGeometry { length_m: 4.0, width_m: 2.0, ..VehicleGeometry::default() };
        let options = TrafficOptions { horizon_s: 5.0, ..TrafficOptions::default() };
        let mut all = [Seen::default(); MAX_SEEN];
        let around = Around { neighbours: std::slice::from_ref(body), ..Around::default() };
        let count = see(&frame, &around, &options, speeds, &vehicle, &mut all);
        all[..count].first().copied()
    }

    fn is_near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9 * (1.0 + b.abs())
    }

    #[test]
    fn a_car_is_seen_in_the_coordinates_of_the_path() {
        // The middle of the road moves to the left by 0.01 m in each metre, and 7 m/s are driven: in each half
        // second it moves by 0.035 m. Until then the car's motion across the road is carried on, for 0.6 s.
        let path = straight_of(|along| Waypoint {
            left_m: 6.0 + 0.02 * along,
            right_m: 5.0,
            speed_mps: 7.0,
            ..Waypoint::default()
        });
        let (sin, cos) = 0.1_f64.sin_cos();
        let own_half = 0.5 * (4.0 * cos + 2.0 * sin);
        let mut body = car([80.0, 1.5], [9.0, -0.5]);
        body.heading_rad += 0.2;
        let (sin, cos) = 0.2_f64.sin_cos();
        let (half_length, half_width) = (0.5 * (5.0 * cos + 2.0 * sin), 0.5 * (5.0 * sin + 2.0 * cos));
        let speeds = TargetSpeedOptions { profile_scale: 1.5, max_speed_mps: 20.0, ..TargetSpeedOptions::default() };
        let other = seen(&path, &body, &speeds).unwrap_or_default();
        let aside = -0.5 - 0.01 * 9.0;
        let numbers = |seen: &Seen| {
            [
                seen.s,
                seen.gap,
                seen.offset,
                seen.half_width,
                seen.speed,
                seen.drift,
                seen.closing,
                seen.pace,
                seen.aside,
            ]
        };
        let distance = 30.0 - 0.7 * 0.1_f64.cos();
        let gap = distance - own_half - half_length;
        let expected = [80.0, gap, 1.5, half_width, 9.0, -0.5, 3.0, 1.5, aside];
        assert!(numbers(&other).into_iter().zip(expected).all(|(a, b)| is_near(a, b)), "{other:?} for {expected:?}");
        assert!(other.ahead && !other.slides && !other.stands());
        assert!(is_near(other.room[0], 7.6 - half_width) && is_near(other.room[1], 5.0 - half_width), "{other:?}");
        for k in 0..KEPT {
            let time = 0.5 * k as f64;
            let expected = 1.5 + 0.01 * 7.0 * time + aside * time.min(0.6);
            assert!(is_near(other.kept[k], expected), "{other:?} after {time} s: {expected}");
        }
        // The largest speed is another bound of the pace.
        let slow = TargetSpeedOptions { max_speed_mps: 10.2, ..speeds };
        assert!(seen(&path, &body, &slow).is_some_and(|seen| is_near(seen.pace, 1.2)));
        // One behind.
        let behind = seen(&path, &car([35.0, 1.5], [9.0, 0.0]), &speeds).unwrap_or_default();
        assert!(!behind.ahead && is_near(behind.gap, 15.0 + 0.7 * 0.1_f64.cos() - own_half - 2.5), "{behind:?}");
    }

    #[test]
    fn who_is_turned_from_its_course_slides() {
        let path = straight([6.0, 5.0], 20.0);
        let slides = |turned: f64, speed: f64| {
            let mut body = car([80.0, 0.0], [speed, 0.0]);
            body.heading_rad += turned;
            seen(&path, &body, &TargetSpeedOptions::default()).is_some_and(|seen| seen.slides)
        };
        assert!(slides(0.41, 9.0) && slides(-0.41, 9.0) && !slides(0.39, 9.0));
        assert!(slides(0.5, 3.01) && !slides(0.5, 2.99));
    }

    #[test]
    fn those_on_the_road_and_near_are_seen() {
        let path = straight([6.0, 5.0], 20.0);
        let is_seen = |at: [f64; 2], moves: [f64; 2], height: f64| {
            let mut body = car(at, moves);
            body.position_m[2] = height;
            seen(&path, &body, &TargetSpeedOptions::default()).is_some()
        };
        // 5 s at 12 m/s ahead and 100 m more; behind, 100 m more than 40 m.
        assert!(is_seen([209.9, 0.0], [9.0, 0.0], 0.0) && !is_seen([210.1, 0.0], [9.0, 0.0], 0.0));
        assert!(is_seen([-89.9, 0.0], [9.0, 0.0], 0.0) && !is_seen([-90.1, 0.0], [9.0, 0.0], 0.0));
        // Half a metre beyond the edges, and half of the width.
        assert!(is_seen([60.0, 7.45], [9.0, 0.0], 0.0) && !is_seen([60.0, 7.55], [9.0, 0.0], 0.0));
        assert!(is_seen([60.0, -6.45], [9.0, 0.0], 0.0) && !is_seen([60.0, -6.55], [9.0, 0.0], 0.0));
        // Who is back within 1.5 s counts.
        assert!(is_seen([60.0, 8.9], [9.0, -1.0], 0.0) && !is_seen([60.0, 9.1], [9.0, -1.0], 0.0));
        // 10 m away, 3 m and 3 m more of height.
        assert!(is_seen([60.0, 0.3], [9.0, 0.0], 5.9) && !is_seen([60.0, 0.3], [9.0, 0.0], 6.1));
    }

    #[test]
    fn motion_across_is_continued_for_a_while() {
        let seen = Seen { offset: 1.0, drift: -2.0, ..Seen::default() };
        assert!(is_near(seen.drifted(1.0), -1.0) && is_near(seen.drifted(2.0), -2.0));
        // At most 6 m/s.
        assert!(is_near(Seen { drift: 9.0, ..seen }.drifted(0.5), 4.0));
        let kept = std::array::from_fn(|k| (k * k) as f64);
        let seen = Seen { kept, aside: 2.0, ..Seen::default() };
        // Between 1.5 s and 2 s, a quarter of the 7 from 9 to 16; and beyond the last at 3 s as there.
        assert!(is_near(seen.kept(1.625), 10.75) && is_near(seen.kept(2.9), 33.8) && is_near(seen.kept(9.0), 36.0));
        assert!(is_near(seen.still(0.5), 0.0) && is_near(seen.still(1.5), 9.0 - 1.2));
    }

    #[test]
    fn others_may_return_to_the_path() {
        // At 12 m/s with up to 0.8 + 3 m/s, at first by 4 t²; a place kept at 0.5 m.
        let seen = Seen { offset: 4.0, speed: 12.0, kept: [0.5; KEPT], ..Seen::default() };
        let room = [10.0; 2];
        assert_eq!(seen.across(0.0, room), [0.5, 4.0]);
        let far = Seen { kept: [4.0; KEPT], ..seen };
        for (time, low) in [(0.5, 3.0), (1.0, 0.2), (1.5, 0.0)] {
            let [a, b] = far.across(time, room);
            assert!(is_near(a, low) && is_near(b, 4.0), "{time}: {a} {b}");
        }
        // To the right as to the left; never beyond the edges.
        let right = Seen { offset: -4.0, kept: [-4.0; KEPT], ..seen };
        assert!(right.across(1.0, room).iter().zip([-4.0, -0.2]).all(|(a, b)| is_near(*a, b)));
        let [low, high] = right.across(0.5, [10.0, 3.0]);
        assert!(is_near(low, -3.0) && is_near(high, -2.0), "{low} {high}");
        // 6 m/s at most.
        let fast = Seen { offset: 20.0, kept: [20.0; KEPT], speed: 80.0, ..seen };
        assert!(is_near(fast.across(2.0, [50.0; 2])[0], 8.0));
    }

    #[test]
    fn who_overlaps_by_half_a_metre_is_at_a_side() {
        let seen = |gap: f64, offset: f64| Seen { gap, offset, half_width: 1.0, ..Seen::default() };
        // Straight ahead within 0.7 of half the widths, 1.4 m.
        assert!(seen(5.0, 1.3).is_in_lane_of(0.0, 2.0) && !seen(5.0, 1.5).is_in_lane_of(0.0, 2.0));
        assert!(seen(5.0, 1.3).is_in_lane_of(2.6, 2.0) && !seen(5.0, 1.3).is_in_lane_of(2.8, 2.0));
        assert!(seen(-0.4, 1.3).is_in_lane_of(0.0, 2.0) && !seen(-0.6, 1.3).is_in_lane_of(0.0, 2.0));
    }
}
