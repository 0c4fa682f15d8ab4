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
    use super::Seen;

    #[test]
    fn who_overlaps_by_half_a_metre_is_at_a_side() {
        let seen = |gap: f64, offset: f64| Seen { gap, offset, half_width: 1.0, ..Seen::default() };
        // Straight ahead within 0.7 of half the widths, 1.4 m.
        assert!(seen(5.0, 1.3).is_in_lane_of(0.0, 2.0) && !seen(5.0, 1.5).is_in_lane_of(0.0, 2.0));
        assert!(seen(-0.4, 1.3).is_in_lane_of(0.0, 2.0) && !seen(-0.6, 1.3).is_in_lane_of(0.0, 2.0));
    }
}
