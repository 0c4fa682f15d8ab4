//! The speed that the vehicles ahead allow.
//!
//! Both are predicted in steps of time: the one ahead at its present speed until it brakes for the
//! bends ahead, which it does sooner than this vehicle would, and this one with the brakes, of
//! which bends leave a part. With the gap g, the distance to keep d, the distance x(t) that the one
//! ahead drives and the distance B(t) that braking saves until t,
//!
//! ```text
//! v ≤ (g - d + x(t) + B(t)) / t        for every t at which the one ahead may obstruct this one
//! ```
//!
//! and (v t - g + d - x(t)) / B(t) is the fraction of the brakes that is needed.

use raceline_numerics::STANDARD_GRAVITY;

use super::neighbours::{ABREAST_M, Seen};
use crate::chassis::Frame;
use crate::options::{TargetSpeedOptions, TrafficOptions};
use crate::path::ProfileSample;
use crate::target_speed::Walk;
use crate::vehicle::VehicleGeometry;

/// Steps of the prediction: with their length they reach 2.4 s ahead.
const STEPS: usize = 16;
/// Length of a step, s. Longer ones see a vehicle that brakes sooner, and miss a short encounter.
pub(super) const STEP_S: f64 = 0.15;
/// A vehicle that this one meets within this time is in its lane, s; nearer than this, s, it may
/// brake at any time, to which this vehicle reacts within the third, s. Longer times keep more
/// distance and overtake less.
const LANE_S: f64 = 0.5;
const CLOSE_S: f64 = 0.5;
const REACTION_S: f64 = 0.12;
/// Time until the brakes act, s. A longer one brakes earlier behind others.
const DELAY_S: f64 = 0.1;
/// Fraction of the vehicle's braking limit, 0 to 1, that is counted on, and that is planned with.
/// Larger ones follow more closely, and touch one that brakes harder than expected.
const COUNTED_ON: f64 = 0.7;
const PLANNED: f64 = 0.7;
/// Smallest fraction of the brakes that bends leave.
const MIN_BRAKING: f64 = 0.2;
/// The one ahead brakes for a speed that is this fraction of this vehicle's there, with this
/// fraction of the brakes, both 0 to 1. Smaller ones leave more room before bends.
const SLOWER_IN_BENDS: f64 = 0.8;
const ITS_BRAKES: f64 = 0.9;
/// Deceleration of a vehicle that slides sideways, m/s² by the road's grip. A larger one avoids a
/// spinning vehicle sooner.
const SLIDES_MPS2: f64 = 9.0;
/// Clearance between the sides below which one obstructs the other, m. A larger one passes less
/// often.
const CLEAR_M: f64 = 0.3;
/// Speed at which a distance that is too short is regained, m/s, and the distance that is kept at
/// least, m. A larger distance loses time behind others, a smaller one leaves none for surprises.
const DROP_BACK_MPS: f64 = 2.0;
const MIN_GAP_M: f64 = 1.0;
/// A vehicle this far past the other does not obstruct it any more, m.
const PAST_M: f64 = 1.0;
/// Speed at which a standing vehicle is crept past, m/s.
const CREEP_MPS: f64 = 1.5;
/// Standing speed nearer than the next distance, m/s and m.
const STUCK_MPS: f64 = 0.35;
const TOUCHES_M: f64 = 1.0;
/// How much slower than the other a vehicle yields when abreast and too near, m/s, and the fraction of
/// the brakes for it: others may be close behind.
const YIELD_MPS: f64 = 3.0;
const YIELD_BRAKES: f64 = 0.6;
/// One at a side that takes this vehicle's line and is faster is let go: this much slower than it,
/// m/s, lifting at first, m/s below the own speed, with this fraction of the brakes, 0 to 1. Larger
/// ones yield sooner and lose more.
const LET_GO_MPS: f64 = 2.0;
const LIFTS_MPS: f64 = 0.5;
const LET_GO_BRAKES: f64 = 0.15;
/// Of two abreast without room ahead, one yields unless it leads, so that the two overlap by less
/// than this, m, or is faster by this, m/s. Larger ones yield less.
const LED_M: f64 = 1.5;
const FASTER_MPS: f64 = 1.0;

/// The vehicle's own brakes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Brakes {
    /// Distance that full braking saves until each step, m.
    pub(super) saved: [f64; STEPS],
    /// Room for the middle of the body at each step without braking, m to the left and to the right.
    room: [[f64; 2]; STEPS],
    /// Deceleration now, m/s².
    pub now: f64,
}

/// Where the vehicle will be across the path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Across {
    pub from: f64,
    pub goal: f64,
    /// Time until the goal is reached, s.
    pub time: f64,
    /// Speed across now, m/s, and the time in which it could be stopped, s.
    pub rate: f64,
    pub stops: f64,
    /// Whether those abreast lead it off its line.
    pub led_off: bool,
}

impl Across {
    /// The offsets in `time`, between moving to the goal and carrying on, with room to either side.
    fn at(&self, time: f64, [left, right]: [f64; 2]) -> [f64; 2] {
        let wanted = self.from + (self.goal - self.from) * (time / self.time.max(1e-3)).min(1.0);
        let carried = if time < self.stops { self.from + self.rate * time } else { wanted };
        [wanted.min(carried).clamp(-right, left), wanted.max(carried).clamp(-right, left)]
    }
}

impl Brakes {
    pub(super) fn new(frame: &Frame<'_>, options: &TrafficOptions, speeds: &TargetSpeedOptions, width: f64) -> Self {
        let mut walk = Walk::new(frame.path, frame.nearest.segment);
        let (mut speed, mut distance) = (frame.state.speed_mps.max(0.0), 0.0);
        let from = speed;
        let mut full = |distance: f64, speed: f64| {
            let ProfileSample { curvature, speed_squared: square, grip, .. } = walk.profile(frame.nearest.s + distance);
            let (lateral, longitudinal) = match frame.path.dynamics() {
                Some(dynamics) => (
                    dynamics.lateral_mps2.at(speed),
                    (COUNTED_ON * grip * dynamics.longitudinal_mps2.at(speed)).max(options.braking_mps2),
                ),
                None => (speeds.lateral_acceleration_g * STANDARD_GRAVITY, options.braking_mps2),
            };
            let used = (curvature.abs() * square.min(speed * speed) / (lateral * grip)).min(1.0);
            longitudinal * (1.0 - used * used).sqrt().max(MIN_BRAKING)
        };
        let now = full(0.0, speed);
        let mut saved = [0.0; STEPS];
        for (step, saved) in saved.iter_mut().enumerate() {
            let braking = if step == 0 { STEP_S - DELAY_S } else { STEP_S };
            let slower = (speed - full(distance, speed) * braking).max(0.0);
            distance += 0.5 * (speed + slower) * STEP_S;
            speed = slower;
            *saved = (from * (step + 1) as f64 * STEP_S - distance).max(1e-6);
        }
        let mut walk = Walk::new(frame.path, frame.nearest.segment);
        let room = std::array::from_fn(|step| {
            let there = walk.sample(frame.nearest.s + from * (step + 1) as f64 * STEP_S);
            [there.left_m, there.right_m].map(|room| (room - 0.5 * width).max(0.0))
        });
        Self { saved, room, now }
    }
}

/// The speed that the vehicles ahead allow, and the deceleration to it; infinite where none matters.
pub(super) fn following_speed(
    seen: &[Seen],
    frame: &Frame<'_>,
    options: &TrafficOptions,
    vehicle: &VehicleGeometry,
    brakes: &Brakes,
    across: &Across,
    pressed_by: impl Fn(usize) -> bool,
) -> (f64, f64) {
    let (mut limit, mut braking) = (f64::INFINITY, 0.0_f64);
    for (index, neighbour) in seen.iter().enumerate() {
        let allowed = if pressed_by(index) && is_yielded_to(neighbour) {
            Some(((neighbour.speed - YIELD_MPS).max(0.0), YIELD_BRAKES))
        } else if across.led_off && is_let_go(neighbour) {
            let speed = frame.state.speed_mps.max(0.0);
            Some(((neighbour.speed - LET_GO_MPS).max(speed - LIFTS_MPS).max(0.0), LET_GO_BRAKES))
        } else {
            None
        };
        let behind = allowed_by(neighbour, frame, options, vehicle, brakes, across);
        let allowed = match (allowed, behind) {
            (Some(a), Some(b)) => Some(if a.0 <= b.0 { a } else { b }),
            (a, b) => a.or(b),
        };
        let Some((allowed, fraction)) = allowed else { continue };
        limit = limit.min(allowed);
        // The brakes are only for who is too fast.
        if frame.state.speed_mps > allowed {
            braking = braking.max(brakes.now * fraction);
        }
    }
    (limit, braking)
}

/// Whether one that is at a side and faster is let go ahead, where it takes the room of the path.
fn is_let_go(neighbour: &Seen) -> bool {
    neighbour.gap < ABREAST_M
        && !neighbour.stands()
        && neighbour.closing < if neighbour.ahead { FASTER_MPS } else { -FASTER_MPS }
}

/// Whether one that is abreast and for which there is no room is let go first.
fn is_yielded_to(neighbour: &Seen) -> bool {
    neighbour.gap < 0.0
        && !neighbour.stands()
        && (neighbour.ahead || neighbour.gap < -LED_M)
        && neighbour.closing < FASTER_MPS
}

fn allowed_by(
    neighbour: &Seen,
    frame: &Frame<'_>,
    options: &TrafficOptions,
    vehicle: &VehicleGeometry,
    brakes: &Brakes,
    across: &Across,
) -> Option<(f64, f64)> {
    let speed = frame.state.speed_mps.max(0.0);
    let bodies = neighbour.half_width + 0.5 * vehicle.width_m;
    let abreast = neighbour.gap < 0.0;
    let standing = neighbour.stands();
    if !neighbour.ahead {
        return None;
    }
    let keep = options.following_m + options.following_s * speed;
    let mut walk = Walk::new(frame.path, frame.path.segment_at(frame.path.wrap(neighbour.s)));
    let (mut its_speed, mut its_distance) = (neighbour.speed, 0.0);
    let (mut limit, mut fraction) = (f64::INFINITY, 0.0_f64);
    let (mut meets, mut is_in_lane) = (false, false);
    for (step, saved) in brakes.saved.iter().enumerate() {
        let time = (step + 1) as f64 * STEP_S;
        let ProfileSample { speed_squared: square, grip, .. } =
            walk.profile(neighbour.s + its_distance + its_speed.max(0.0) * STEP_S);
        let wanted = if neighbour.slides { 0.0 } else { SLOWER_IN_BENDS * square.sqrt() };
        if its_speed > wanted {
            let its_brakes = match frame.path.dynamics() {
                _ if neighbour.slides => SLIDES_MPS2 * grip,
                Some(dynamics) => ITS_BRAKES * grip * dynamics.longitudinal_mps2.at(its_speed),
                None => options.braking_mps2,
            };
            let slower = (its_speed - its_brakes * STEP_S).max(wanted);
            its_distance += 0.5 * (its_speed + slower) * STEP_S;
            its_speed = slower;
        } else {
            its_distance += its_speed * STEP_S;
        }
        let there = walk.sample(neighbour.s + its_distance);
        let room = [there.left_m, there.right_m].map(|room| (room - neighbour.half_width).max(0.0));
        let [low, high] = neighbour.across(time, room);
        let [own_low, own_high] = across.at(time, brakes.room[step]);
        let aside = (low - own_high).max(own_low - high) - bodies;
        if aside >= CLEAR_M {
            continue;
        }
        let gap = neighbour.gap + its_distance - speed * time;
        if !meets && gap < -(2.0 * vehicle.length_m + PAST_M) {
            // Past it by the time it may come across.
            return None;
        }
        meets = true;
        is_in_lane |= time <= LANE_S;
        let kept = keep.min((neighbour.gap + DROP_BACK_MPS * time).max(MIN_GAP_M));
        let room = neighbour.gap - kept + its_distance;
        limit = limit.min((room + PLANNED * saved) / time);
        fraction = fraction.max((speed * time - room) / saved);
    }
    if !meets {
        return None;
    }
    let passes = (across.goal - neighbour.offset).abs() - bodies >= CLEAR_M;
    if is_in_lane && !passes && !neighbour.slides && neighbour.gap < CLOSE_S * speed {
        // It may brake as hard as this vehicle can, from now on.
        let room = (neighbour.gap - MIN_GAP_M - REACTION_S * speed).max(0.0);
        let its = neighbour.speed.max(0.0);
        limit = limit.min((its * its + 2.0 * brakes.now * room).sqrt());
        let needed = (speed * speed - its * its) / (2.0 * (neighbour.gap - MIN_GAP_M).max(0.1));
        fraction = fraction.max(needed / brakes.now);
    }
    if neighbour.gap < -LED_M && !standing {
        // What is beside cannot be got behind of by standing.
        let min_speed = (neighbour.speed - YIELD_MPS).max(0.0);
        return Some(if limit < min_speed { (min_speed, YIELD_BRAKES) } else { (limit, fraction.min(YIELD_BRAKES)) });
    }
    let beside = abreast && (frame.cross_track - neighbour.offset).abs() > bodies;
    let min_speed = match (standing && (passes || beside), beside || neighbour.gap > TOUCHES_M) {
        (false, _) => 0.0,
        (true, true) => CREEP_MPS,
        // Too near to get past forwards: as good as stuck, and the stuck manager reverses.
        (true, false) => STUCK_MPS,
    };
    Some((limit.max(min_speed), fraction.clamp(0.0, 1.0)))
}

#[cfg(test)]
mod tests;
