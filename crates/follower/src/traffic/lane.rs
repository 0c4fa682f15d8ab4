//! The choice of a way past, and the speed where there is none yet.

use super::neighbours::{MAX_NEIGHBOURS, Seen};
use crate::chassis::Frame;
use crate::options::TrafficOptions;
use crate::vehicle::VehicleGeometry;

/// Room for the middle of the body, m to the left of the path; `right` is negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corridor {
    pub left: f64,
    pub right: f64,
}

impl Corridor {
    /// With the distance to the edges given up, where there is some.
    fn wider(self, edge: f64) -> Self {
        Self {
            left: if self.left > 0.0 { self.left + edge } else { 0.0 },
            right: if self.right < 0.0 { self.right - edge } else { 0.0 },
        }
    }
}

/// What a way past is chosen by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lane {
    /// Until those that are passed are behind, and over the next second or so.
    pub corridor: Corridor,
    pub at_hand: Corridor,
    /// The vehicle's distance to the left of the path, m.
    pub offset: f64,
    /// The last choice.
    pub last: f64,
    pub width: f64,
    pub gap: f64,
    pub edge: f64,
    /// Time before the bodies meet from which on a neighbour is avoided, s.
    pub horizon: f64,
    /// Deceleration with which a slower vehicle is approached, m/s².
    pub braking: f64,
}

/// Offsets that a neighbour takes.
#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    low: f64,
    high: f64,
    /// Whether its side must not be crossed.
    abreast: bool,
}

/// A neighbour that is slower by this at its place is overtaken, m/s and as a fraction of the speed.
const SLOWER_MPS: f64 = 0.5;
const SLOWER: f64 = 0.015;
/// Gap from which on a slower one is always avoided, m, and by speed, s.
const CLOSE_M: f64 = 8.0;
const CLOSE_S: f64 = 0.4;
/// Bodies less than this apart along the path are abreast, m; one that comes from behind this much
/// sooner, s.
const ABREAST_M: f64 = 1.5;
const FROM_BEHIND_S: f64 = 0.8;
/// The other's motion across is carried on for so long, s, at this speed at most, m/s.
const DRIFT_S: f64 = 0.7;
const MOST_DRIFT_MPS: f64 = 3.0;
/// Bounds of the time for which a pass needs room, s, and from which gap on, m.
const PASSING_S: [f64; 2] = [1.2, 6.0];
const PASSED_WITHIN_M: f64 = 60.0;
/// Reserve of that time: the difference of the speeds falls where both brake.
const PASSING_RESERVE: f64 = 1.4;
/// Costs of an offset: distance from the path, from the vehicle, and from the last choice.
const OFF_PATH: f64 = 0.4;
const FROM_HERE: f64 = 0.3;
const FROM_LAST: f64 = 0.6;
/// Distance between the sides that is kept however narrow it is, m.
const LEAST_GAP_M: f64 = 0.3;
/// Penetration that counts as none, m.
const TOUCH_M: f64 = 1e-6;
/// Clearance between the sides below which a vehicle ahead is followed, m.
const CLEAR_M: f64 = 0.25;
/// Speed at which a standing vehicle is crept past, m/s.
const CREEP_MPS: f64 = 1.5;
const STANDING_MPS: f64 = 1.0;
/// The same nearer than this, m.
const STUCK_MPS: f64 = 0.35;
const TOUCHES_M: f64 = 1.0;
/// Fraction of the sharpest turn that is counted on, the way until it begins, m, and what a vehicle
/// gains meanwhile on the other, m/s.
const TURNS: f64 = 0.7;
const TURN_IN_M: f64 = 2.0;
const GAINS_MPS: f64 = 2.0;
/// Of two abreast without room ahead, the one gives way that does not lead by so much that only this
/// much of the bodies overlaps, m.
const LED_M: f64 = 1.5;
/// Nor does one that is getting ahead, m/s.
const FASTER_MPS: f64 = 1.0;
/// How much slower a vehicle gives way when abreast and too near, m/s.
const GIVE_WAY_MPS: f64 = 4.0;
/// A vehicle that follows too closely gets slower by this per metre, 1/s.
const DROP_BACK: f64 = 0.5;

impl Lane {
    /// The offset at which to drive, and whether to give way to those abreast.
    pub(super) fn choose(&self, seen: &[Seen]) -> (f64, bool) {
        let mut taken = [Taken::default(); MAX_NEIGHBOURS];
        let mut count = 0;
        for neighbour in seen {
            if let Some(interval) = self.taken_by(neighbour) {
                taken[count] = interval;
                count += 1;
            }
        }
        let taken = &taken[..count];
        if taken.is_empty() {
            return (0.0, false);
        }
        if let Some(free) = self.best(taken, self.corridor) {
            return (free, false);
        }
        // No room to pass: keep clear of those abreast, follow the others on the path.
        let mut abreast = [Taken::default(); MAX_NEIGHBOURS];
        let mut beside = 0;
        for interval in taken.iter().filter(|interval| interval.abreast) {
            abreast[beside] = *interval;
            beside += 1;
        }
        let abreast = &mut abreast[..beside];
        if let Some(free) = self.best(abreast, self.corridor) {
            return (free, false);
        }
        // Abreast, and the road ahead is too narrow for both at the full gap: nearer, then.
        let spare = (self.gap - LEAST_GAP_M).max(0.0);
        for interval in abreast.iter_mut() {
            (interval.low, interval.high) = (interval.low + spare, interval.high - spare);
        }
        let abreast = &*abreast;
        if let Some(free) = self.best(abreast, self.corridor.wider(self.edge)) {
            return (free, false);
        }
        // As long as the narrow place is not here, keep clear and get out of its way.
        let offset = self.best(abreast, self.at_hand.wider(self.edge)).unwrap_or_else(|| {
            // Not even that: the middle of what they leave.
            let low = abreast.iter().filter(|t| t.low == f64::NEG_INFINITY).map(|t| t.high).fold(f64::NAN, f64::max);
            let high = abreast.iter().filter(|t| t.high == f64::INFINITY).map(|t| t.low).fold(f64::NAN, f64::min);
            let middle = match (low.is_nan(), high.is_nan()) {
                (false, false) => 0.5 * (low + high),
                (false, true) => low,
                (true, false) => high,
                (true, true) => 0.0,
            };
            middle.clamp(self.at_hand.right, self.at_hand.left)
        });
        (offset, true)
    }

    /// The offsets that a neighbour takes, if it must be avoided.
    fn taken_by(&self, neighbour: &Seen) -> Option<Taken> {
        let reach = neighbour.half_width + 0.5 * self.width + self.gap;
        let nearer = |time: f64| neighbour.offset + neighbour.drift.clamp(-MOST_DRIFT_MPS, MOST_DRIFT_MPS) * time;
        let abreast = neighbour.gap < ABREAST_M
            || (!neighbour.ahead && neighbour.gap + neighbour.closing * FROM_BEHIND_S < ABREAST_M)
            || (neighbour.ahead && self.is_past_braking(neighbour));
        let aside = self.offset - neighbour.offset;
        // Straight ahead or straight behind is not abreast, however near.
        let in_lane = aside.abs() < 0.7 * (neighbour.half_width + 0.5 * self.width);
        if abreast && !(in_lane && neighbour.gap > -0.5) {
            let at = nearer(0.3);
            return Some(if aside >= 0.0 {
                Taken { low: f64::NEG_INFINITY, high: at + reach, abreast: true }
            } else {
                Taken { low: at - reach, high: f64::INFINITY, abreast: true }
            });
        }
        if !neighbour.ahead {
            return None;
        }
        // By the pace of its place: who brakes sooner for the same bend is not slower.
        let slower = neighbour.pace > SLOWER_MPS + SLOWER * neighbour.speed.max(0.0);
        let near = neighbour.gap < CLOSE_M + CLOSE_S * (neighbour.speed + neighbour.closing).max(0.0);
        let closing = neighbour.closing.max(neighbour.pace);
        let time = neighbour.gap.max(0.0) / closing.max(0.1);
        let relevant = slower && (near || time < self.horizon);
        relevant.then(|| {
            let at = nearer(time.min(DRIFT_S));
            let (now, then) = (neighbour.offset, at);
            Taken { low: now.min(then) - reach, high: now.max(then) + reach, abreast: false }
        })
    }

    /// Whether the vehicle cannot get behind a slower one any more: it has to pass on its side.
    fn is_past_braking(&self, neighbour: &Seen) -> bool {
        let closing = neighbour.closing.max(0.0);
        closing * closing > 2.0 * self.braking * neighbour.gap.max(0.0)
    }

    /// The cheapest offset of the path, the last choice and the ends of the intervals that lies in the
    /// corridor and in none of the intervals.
    fn best(&self, taken: &[Taken], corridor: Corridor) -> Option<f64> {
        let ends = taken.iter().flat_map(|interval| [interval.low, interval.high]);
        let candidates = [0.0, self.last].into_iter().chain(ends);
        candidates
            .filter(|offset| (corridor.right - TOUCH_M..=corridor.left + TOUCH_M).contains(offset))
            .filter(|offset| self.penetration(taken, *offset) < TOUCH_M)
            .min_by(|a, b| self.cost(*a).total_cmp(&self.cost(*b)))
    }

    fn cost(&self, offset: f64) -> f64 {
        OFF_PATH * offset.abs() + FROM_HERE * (offset - self.offset).abs() + FROM_LAST * (offset - self.last).abs()
    }

    /// How far an offset lies within intervals that are taken, m.
    fn penetration(&self, taken: &[Taken], offset: f64) -> f64 {
        taken.iter().map(|interval| (offset - interval.low).min(interval.high - offset)).fold(0.0, f64::max)
    }
}

/// The time until those that are passed or abreast are behind, s.
pub(super) fn passing_time(seen: &[Seen], vehicle: &VehicleGeometry) -> f64 {
    let time = |neighbour: &Seen| {
        let way = if neighbour.ahead {
            neighbour.gap.max(0.0) + 2.0 * (vehicle.length_m + ABREAST_M)
        } else {
            vehicle.length_m
        };
        PASSING_RESERVE * way / neighbour.closing.max(neighbour.pace).max(0.1)
    };
    let matter = seen.iter().filter(|neighbour| neighbour.gap < PASSED_WITHIN_M);
    matter.map(time).fold(PASSING_S[0], f64::max).min(PASSING_S[1])
}

/// The speed that the vehicles ahead allow, and the deceleration to it; infinite where none matters.
pub(super) fn following_speed(
    seen: &[Seen],
    frame: &Frame<'_>,
    options: &TrafficOptions,
    vehicle: &VehicleGeometry,
    full_braking: f64,
    (goal, gives_way): (f64, bool),
) -> (f64, f64) {
    let speed = frame.state.speed_mps.max(0.0);
    let (mut most, mut braking) = (f64::INFINITY, 0.0);
    for neighbour in
        seen.iter().filter(|neighbour| neighbour.ahead || (neighbour.gap < -LED_M && neighbour.closing < FASTER_MPS))
    {
        let bodies = neighbour.half_width + 0.5 * vehicle.width_m;
        let aside = (frame.cross_track - neighbour.offset).abs() - bodies;
        let passes = (goal - neighbour.offset).abs() - bodies >= CLEAR_M;
        let abreast = neighbour.gap < 0.0 || (gives_way && neighbour.gap < ABREAST_M);
        let crosses = (goal - neighbour.offset) * (frame.cross_track - neighbour.offset) < 0.0;
        if aside >= CLEAR_M && passes && !crosses && !(gives_way && abreast) {
            continue;
        }
        // Clear of it before the bodies meet: no need to follow.
        let missing = if crosses { 2.0 * bodies + aside + CLEAR_M } else { (CLEAR_M - aside).max(0.0) };
        let time = 2.0 * (missing / options.lateral_mps2).sqrt() + missing / options.lateral_mps;
        // Two arcs across, as sharp as the vehicle turns with some reserve.
        let sharpest = TURNS * vehicle.max_steering_rad.tan() / vehicle.wheelbase_m;
        let way = 2.0 * (missing / sharpest).sqrt() + TURN_IN_M;
        let closing = neighbour.closing.max(0.0) + GAINS_MPS;
        if passes && !gives_way && !abreast && neighbour.gap > (1.2 * closing * time).max(way) {
            continue;
        }
        let keep = options.following_m + options.following_s * speed;
        let room = neighbour.gap - keep;
        let (allowed, slowing) = if abreast {
            (neighbour.speed - GIVE_WAY_MPS, full_braking)
        } else if room > 0.0 {
            let faster = (2.0 * full_braking * room).sqrt();
            let share = (neighbour.closing / faster.max(0.5)).clamp(0.0, 1.0);
            (neighbour.speed + faster, full_braking * share)
        } else {
            (neighbour.speed + DROP_BACK * room, 0.0)
        };
        let standing = neighbour.speed.abs() < STANDING_MPS;
        let least = match (standing && passes, neighbour.gap > TOUCHES_M) {
            (false, _) => 0.0,
            (true, true) => CREEP_MPS,
            // Too near to get past forwards: as good as stuck, and the stuck manager reverses.
            (true, false) => STUCK_MPS,
        };
        let allowed = allowed.max(least);
        if allowed < most {
            (most, braking) = (allowed, slowing);
        }
    }
    (most, braking)
}
