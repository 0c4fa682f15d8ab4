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
mod tests {
    use super::{Across, Brakes, STEPS, allowed_by, following_speed, is_let_go, is_yielded_to};
    use crate::chassis::testing::{frame, on_straight, ring, straight, straight_of};
    use crate::options::{TargetSpeedOptions, TrafficOptions};
    use crate::path::Waypoint;
    use crate::traffic::neighbours::Seen;
    use crate::vehicle::{VehicleGeometry, VehicleState};
    use raceline_car::VehicleDynamics;

    const WIDE: [f64; 2] = [50.0, 50.0];
    /// A vehicle that stays on the path.
    const STAYS: Across = Across { from: 0.0, goal: 0.0, time: 1.0, rate: 0.0, stops: 0.0, led_off: false };
    /// A vehicle 10 m ahead on the path at 10 m/s.
    const AHEAD: Seen = Seen {
        s: 60.0,
        gap: 10.0,
        ahead: true,
        offset: 0.0,
        half_width: 1.0,
        speed: 10.0,
        drift: 0.0,
        closing: 2.0,
        pace: 0.0,
        slides: false,
        room: WIDE,
        kept: [0.0; 7],
        aside: 0.0,
    };

    fn is_near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9 * (1.0 + b.abs())
    }

    fn brakes() -> Brakes {
        Brakes { saved: std::array::from_fn(|k| 0.05 * (k + 1) as f64), room: [WIDE; STEPS], now: 6.0 }
    }

    /// What another allows a vehicle at a speed, 3 m and 0.1 s behind it.
    fn allowed(other: &Seen, speed: f64, across: &Across) -> Option<(f64, f64)> {
        let path = straight(WIDE, f64::NAN);
        let frame = on_straight(&path, [50.0, 0.0], speed);
        let vehicle = VehicleGeometry { width_m: 2.0, length_m: 4.0, ..VehicleGeometry::default() };
        allowed_by(other, &frame, &TrafficOptions::default(), &vehicle, &brakes(), across)
    }

    fn are(allowed: Option<(f64, f64)>, expected: (f64, f64)) -> bool {
        allowed.is_some_and(|(speed, fraction)| is_near(speed, expected.0) && is_near(fraction, expected.1))
    }

    /// What the formulas of the module give where the other keeps its speed and is met at each step.
    fn by_steps(gap: f64, kept: impl Fn(f64) -> f64, its: f64, own: f64) -> (f64, f64) {
        (1..=16).map(|k| (0.15 * f64::from(k), 0.05 * f64::from(k))).fold(
            (f64::INFINITY, 0.0),
            |(limit, fraction), (time, saved)| {
                let room = gap - kept(time) + its * time;
                (f64::min(limit, (room + 0.7 * saved) / time), f64::max(fraction, (own * time - room) / saved))
            },
        )
    }

    #[test]
    fn brakes_save_what_constant_deceleration_does() {
        // 6 m/s² after a tenth of a second: in steps of 0.15 s the sums of trapezia.
        let path = straight_of(|along| Waypoint { left_m: 6.0 + 0.02 * along, right_m: 5.0, ..Waypoint::default() });
        let frame = on_straight(&path, [50.0, 0.0], 30.0);
        let brakes = Brakes::new(&frame, &TrafficOptions::default(), &TargetSpeedOptions::default(), 2.0);
        assert!(is_near(brakes.now, 6.0));
        for k in 0..STEPS {
            let n = k as f64;
            let saved = 0.15 * 6.0 * (0.025 - 0.025 * n + 0.075 * n * (n + 1.0));
            assert!(is_near(brakes.saved[k], saved), "{brakes:?} {k}: {saved}");
            let along = 50.0 + 30.0 * 0.15 * (n + 1.0);
            assert!(is_near(brakes.room[k][0], 5.0 + 0.02 * along) && is_near(brakes.room[k][1], 4.0), "{brakes:?}");
        }
        // From 3 m/s it stands after 0.6 s, and saves all that it would have driven since.
        let frame = on_straight(&path, [50.0, 0.0], 3.0);
        let slow = Brakes::new(&frame, &TrafficOptions::default(), &TargetSpeedOptions::default(), 2.0);
        assert!(is_near(slow.saved[10] - slow.saved[9], 3.0 * 0.15), "{slow:?}");
    }

    #[test]
    fn a_bend_leaves_the_rest_of_the_friction_circle() {
        let now = |speed: f64, profile: f64, dynamics: Option<(f64, f64)>| {
            let mut path = ring(100.0, WIDE, profile);
            if let Some((lateral, longitudinal)) = dynamics {
                path = path.with_dynamics(&VehicleDynamics::constant(lateral, longitudinal, 5.0));
            }
            let frame = frame(&path, &VehicleState::new([100.0, 0.0, 0.0], std::f64::consts::FRAC_PI_2, speed));
            let speeds = TargetSpeedOptions { lateral_acceleration_g: 0.5, ..TargetSpeedOptions::default() };
            Brakes::new(&frame, &TrafficOptions::default(), &speeds, 2.0).now
        };
        // 0.5 g are 4.903325 m/s². At 20 m/s, or by a profile of 15 m/s, 4 and 2.25 m/s² are taken.
        let left = |taken: f64| (1.0 - taken * taken).sqrt();
        for (now, expected) in [
            (now(20.0, f64::NAN, None), 6.0 * left(4.0 / 4.903_325)),
            (now(20.0, 15.0, None), 6.0 * left(2.25 / 4.903_325)),
            (now(30.0, f64::NAN, None), 6.0 * 0.2),
            // With the vehicle's limits 0.7 of them, or the option where that is more.
            (now(20.0, f64::NAN, Some((8.0, 20.0))), 14.0 * left(0.5)),
            (now(20.0, f64::NAN, Some((8.0, 7.0))), 6.0 * left(0.5)),
        ] {
            assert!((now - expected).abs() < 1e-3 * expected, "{now} {expected}");
        }
    }

    #[test]
    fn the_speed_behind_another_is_that_of_the_formula() {
        // 12 m/s behind 10 m/s, 4.2 m to keep; beyond half a second it may brake at any time.
        let expected = by_steps(10.0, |_| 4.2, 10.0, 12.0);
        assert!(are(allowed(&AHEAD, 12.0, &STAYS), (expected.0, expected.1.clamp(0.0, 1.0))), "{expected:?}");
        // Where it is nearer, what it needs to stop behind it: 10² + 2 · 6 · (5 m - 1 m - 0.12 s · 12 m/s).
        let near = Seen { gap: 5.0, ..AHEAD };
        let (limit, fraction) = by_steps(5.0, |_| 4.2, 10.0, 12.0);
        let stops: f64 = (100.0 + 2.0 * 6.0 * (4.0 - 0.12 * 12.0_f64)).sqrt();
        let needed = (144.0 - 100.0) / (2.0 * 4.0) / 6.0;
        let expected = (limit.min(stops), fraction.max(needed).min(1.0));
        assert!(are(allowed(&near, 12.0, &STAYS), expected), "{:?} for {expected:?}", allowed(&near, 12.0, &STAYS));
        // A distance that is too short is regained at 2 m/s.
        let short = Seen { gap: 2.0, ..AHEAD };
        let expected = by_steps(2.0, |time| (2.0 + 2.0 * time).clamp(1.0, 4.0), 10.0, 10.0);
        let stops = 100.0_f64.sqrt();
        let speed = allowed(&short, 10.0, &STAYS).map(|allowed| allowed.0);
        assert!(speed.is_some_and(|speed| is_near(speed, expected.0.min(stops))), "{speed:?} for {expected:?}");
        // Who is behind, past or aside by 0.3 m does not matter.
        assert_eq!(allowed(&Seen { ahead: false, ..AHEAD }, 12.0, &STAYS), None);
        let aside = |offset: f64| Seen { offset, kept: [offset; 7], speed: 0.0, gap: 8.0, ..AHEAD };
        assert!(allowed(&aside(2.29), 12.0, &STAYS).is_some());
    }

    #[test]
    fn who_slides_brakes_with_9_mps2() {
        // 3.6 m/s less in 0.4 s, and so on until it stands; this vehicle is at 10 m/s, 20 m behind.
        let slides = Seen { slides: true, gap: 20.0, ..AHEAD };
        let (mut its, mut distance, mut limit) = (10.0_f64, 0.0, f64::INFINITY);
        for k in 1..=16 {
            let slower = (its - 9.0 * 0.15).max(0.0);
            (distance, its) = (distance + 0.075 * (its + slower), slower);
            limit = f64::min(limit, (20.0 - 4.0 + distance + 0.7 * 0.05 * f64::from(k)) / (0.15 * f64::from(k)));
        }
        let speed = allowed(&slides, 10.0, &STAYS).map(|allowed| allowed.0);
        assert!(speed.is_some_and(|speed| is_near(speed, limit)), "{speed:?} for {limit}");
    }

    #[test]
    fn a_vehicle_moves_between_its_goal_and_its_motion() {
        let across = Across { from: 1.0, goal: 3.0, time: 2.0, rate: -2.0, stops: 0.8, led_off: false };
        for (time, [low, high]) in [(0.5, [0.0, 1.5]), (1.0, [2.0, 2.0]), (3.0, [3.0, 3.0])] {
            let [a, b] = across.at(time, [9.0, 9.0]);
            assert!(is_near(a, low) && is_near(b, high), "{time}: {a} {b}");
        }
        assert_eq!(across.at(0.5, [1.2, 9.0]), [0.0, 1.2]);
        assert_eq!(Across { rate: -6.0, ..across }.at(0.5, [9.0, 1.5]), [-1.5, 1.5]);
    }

    #[test]
    fn who_is_faster_or_leads_is_let_go() {
        let ahead = Seen { gap: 1.4, closing: 0.9, ..AHEAD };
        assert!(
            is_let_go(&ahead) && !is_let_go(&Seen { gap: 1.6, ..ahead }) && !is_let_go(&Seen { closing: 1.1, ..ahead })
        );
        assert!(!is_let_go(&Seen { speed: 0.9, ..ahead }));
        let behind = Seen { ahead: false, closing: -1.1, ..ahead };
        assert!(is_let_go(&behind) && !is_let_go(&Seen { closing: -0.9, ..behind }));
        let abreast = Seen { gap: -0.1, closing: 0.9, ..AHEAD };
        assert!(is_yielded_to(&abreast) && !is_yielded_to(&Seen { gap: 0.1, ..abreast }));
        assert!(!is_yielded_to(&Seen { closing: 1.1, ..abreast }) && !is_yielded_to(&Seen { speed: 0.9, ..abreast }));
        let behind = Seen { ahead: false, gap: -1.6, ..abreast };
        assert!(is_yielded_to(&behind) && !is_yielded_to(&Seen { gap: -1.4, ..behind }));
    }

    #[test]
    fn who_presses_and_who_is_let_go_set_the_speed() {
        let path = straight(WIDE, f64::NAN);
        let frame = on_straight(&path, [50.0, 0.0], 12.0);
        let vehicle = VehicleGeometry::default();
        // Beside, a little behind: nobody to keep behind of.
        let beside = Seen { gap: -1.6, ahead: false, closing: -1.2, speed: 13.2, ..AHEAD };
        let speed = |other: Seen, across: &Across, pressed: bool| {
            following_speed(&[other], &frame, &TrafficOptions::default(), &vehicle, &brakes(), across, |_| pressed)
        };
        assert_eq!(speed(beside, &STAYS, false), (f64::INFINITY, 0.0));
        // 3 m/s slower with 0.6 of the brakes, or 2 m/s slower, but not by more than 0.5 m/s at once, with 0.15 of them.
        assert!(are(Some(speed(beside, &STAYS, true)), (10.2, 0.6 * 6.0)));
        let led_off = Across { led_off: true, ..STAYS };
        assert!(are(Some(speed(beside, &led_off, false)), (11.5, 0.15 * 6.0)));
        assert_eq!(speed(Seen { speed: 15.0, closing: -3.0, ..beside }, &led_off, false), (13.0, 0.0));
    }
}
