//! The choice of a way past.

use super::neighbours::{MAX_NEIGHBOURS, Seen};
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
/// The time ahead for which one that is abreast is given room, s, and one that is passed, at most.
const BESIDE_S: f64 = 1.1;
const AHEAD_S: f64 = 1.5;
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
/// One that is slower than this stands, m/s, and nearer than this it is in the way, m.
const STANDING_MPS: f64 = 1.0;
const BLOCKED_M: f64 = 12.0;

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

    /// Whether one that stands is in the way and near.
    pub(super) fn is_blocked_by(&self, neighbour: &Seen) -> bool {
        neighbour.ahead
            && neighbour.speed.abs() < STANDING_MPS
            && neighbour.gap < BLOCKED_M
            && (self.offset - neighbour.offset).abs() < neighbour.half_width + 0.5 * self.width + self.gap
    }

    /// Whether one that is abreast leaves too little room.
    pub(super) fn is_pressed(&self, seen: &[Seen]) -> bool {
        let taken = seen.iter().filter_map(|neighbour| self.taken_by(neighbour)).filter(|taken| taken.abreast);
        taken.into_iter().any(|taken| taken.low < self.offset && self.offset < taken.high)
    }

    /// The offsets that a neighbour takes, if it must be avoided.
    fn taken_by(&self, neighbour: &Seen) -> Option<Taken> {
        let reach = neighbour.half_width + 0.5 * self.width + self.gap;
        let abreast = neighbour.gap < ABREAST_M
            || (!neighbour.ahead && neighbour.gap + neighbour.closing * FROM_BEHIND_S < ABREAST_M)
            || (neighbour.ahead && self.is_past_braking(neighbour));
        let aside = self.offset - neighbour.offset;
        // Straight ahead or straight behind is not abreast, however near.
        let in_lane = aside.abs() < 0.7 * (neighbour.half_width + 0.5 * self.width);
        if abreast && !(in_lane && neighbour.gap > -0.5) {
            let then = neighbour.drifted(BESIDE_S);
            let (low, high) = (then.min(neighbour.offset), then.max(neighbour.offset));
            return Some(if aside >= 0.0 {
                Taken { low: f64::NEG_INFINITY, high: high + reach, abreast: true }
            } else {
                Taken { low: low - reach, high: f64::INFINITY, abreast: true }
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
            let [low, high] = neighbour.across(time.min(AHEAD_S), neighbour.room);
            Taken { low: low - reach, high: high + reach, abreast: false }
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
