//! The choice of an offset at which to pass.

use super::neighbours::{ABREAST_M, Seen};
use crate::bodies::MAX_SEEN;
use crate::vehicle::VehicleGeometry;

/// Room for the middle of the body, m to the left of the path; `right` is negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corridor {
    pub left: f64,
    pub right: f64,
}

/// What decides how to pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lane {
    /// Until those that are passed are behind.
    pub corridor: Corridor,
    /// The vehicle's distance to the left of the path, m.
    pub offset: f64,
    /// The last choice.
    pub last: f64,
    pub width: f64,
    pub gap: f64,
    /// Time before two vehicles meet from which on a neighbour is avoided, s.
    pub horizon: f64,
    /// Deceleration with which a slower vehicle is approached, m/s².
    pub braking: f64,
    /// Whether others kept the vehicle back in the last frame.
    pub held_up: bool,
}

/// Offsets that a neighbour takes.
#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    low: f64,
    high: f64,
    /// Whether it is ahead; the side of one that is abreast must not be crossed.
    ahead: bool,
}

/// A neighbour that is slower by this at its place is overtaken, m/s and as a fraction of the
/// speed. Smaller ones leave the line for little gain.
const SLOWER_MPS: f64 = 0.5;
const SLOWER: f64 = 0.015;
/// Gap from which on a slower one is always avoided, m, and by speed, s. Larger ones leave the line
/// earlier.
const CLOSE_M: f64 = 8.0;
const CLOSE_S: f64 = 0.4;
/// Time by which a vehicle that comes from behind is abreast sooner, s.
const FROM_BEHIND_S: f64 = 0.8;
/// The longest time ahead for which one that is passed is given room, s. A longer one stays beside
/// the line for longer after a pass.
const AHEAD_S: f64 = 1.5;
/// Bounds of the time for which a pass needs room, s, and from which gap on, m.
const PASSING_S: [f64; 2] = [1.2, 6.0];
const PASSED_WITHIN_M: f64 = 60.0;
/// Reserve of that time: the difference of the speeds falls where both brake.
const PASSING_RESERVE: f64 = 1.4;
/// Costs of an offset: distance from the path, from the vehicle, and from the last choice. A larger
/// first one keeps to the line, a larger second one moves less, a larger third one changes its mind
/// less.
const OFF_PATH: f64 = 0.4;
const FROM_HERE: f64 = 0.3;
const FROM_LAST: f64 = 0.6;
/// Penetration that counts as none, m.
const TOUCH_M: f64 = 1e-6;
/// A standing vehicle that is nearer than this blocks the lane, m.
const BLOCKED_M: f64 = 12.0;

impl Lane {
    /// The offset at which to drive past those ahead, if that is not the path.
    pub(super) fn choose(&self, seen: &[Seen]) -> f64 {
        let mut taken = [Taken::default(); MAX_SEEN];
        let mut count = 0;
        for neighbour in seen {
            if let Some(interval) = self.taken_by(neighbour) {
                taken[count] = interval;
                count += 1;
            }
        }
        let taken = &taken[..count];
        if !taken.iter().any(|interval| interval.ahead) {
            return 0.0;
        }
        // Without room to pass they are followed on the path.
        self.best(taken, self.corridor).unwrap_or(0.0)
    }

    /// Whether a standing vehicle blocks the lane and is near.
    pub(super) fn is_blocked_by(&self, neighbour: &Seen) -> bool {
        neighbour.ahead
            && neighbour.stands()
            && neighbour.gap < BLOCKED_M
            && (self.offset - neighbour.offset).abs() < neighbour.half_width + 0.5 * self.width + self.gap
    }

    /// The offsets that a neighbour takes, if it must be avoided.
    fn taken_by(&self, neighbour: &Seen) -> Option<Taken> {
        let reach = neighbour.half_width + 0.5 * self.width + self.gap;
        let abreast = neighbour.gap < ABREAST_M
            || (!neighbour.ahead && neighbour.gap + neighbour.closing * FROM_BEHIND_S < ABREAST_M)
            || (neighbour.ahead && self.is_past_braking(neighbour));
        let aside = self.offset - neighbour.offset;
        // Straight ahead or straight behind is not abreast, however near.
        if abreast && !neighbour.is_in_lane_of(self.offset, self.width) {
            // Of those abreast only the side: how near they may come is the tube's.
            let passed = neighbour.ahead && neighbour.gap >= ABREAST_M;
            let reach = if passed { reach } else { neighbour.half_width + 0.5 * self.width };
            return Some(if aside >= 0.0 {
                Taken { low: f64::NEG_INFINITY, high: neighbour.offset + reach, ahead: passed }
            } else {
                Taken { low: neighbour.offset - reach, high: f64::INFINITY, ahead: passed }
            });
        }
        if !neighbour.ahead {
            return None;
        }
        // By the pace of its place: who brakes sooner for the same bend is not slower, and nor is who gets
        // away with the same engine.
        let slower = neighbour.pace > SLOWER_MPS + SLOWER * neighbour.speed.max(0.0)
            && (self.held_up || neighbour.closing > SLOWER_MPS);
        let near = neighbour.gap < CLOSE_M + CLOSE_S * (neighbour.speed + neighbour.closing).max(0.0);
        let closing = neighbour.closing.max(neighbour.pace);
        let time = neighbour.gap.max(0.0) / closing.max(0.1);
        let relevant = slower && (near || time < self.horizon);
        relevant.then(|| {
            let [low, high] = neighbour.across(time.min(AHEAD_S), neighbour.room);
            Taken { low: low - reach, high: high + reach, ahead: true }
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

/// The time until those that are passed are behind, s.
pub(super) fn passing_time(seen: &[Seen], vehicle: &VehicleGeometry) -> f64 {
    let time = |neighbour: &Seen| {
        let distance = neighbour.gap.max(0.0) + 2.0 * (vehicle.length_m + ABREAST_M);
        PASSING_RESERVE * distance / neighbour.closing.max(neighbour.pace).max(0.1)
    };
    let matter = seen.iter().filter(|neighbour| neighbour.ahead && neighbour.gap < PASSED_WITHIN_M);
    matter.map(time).fold(PASSING_S[0], f64::max).min(PASSING_S[1])
}

#[cfg(test)]
mod tests {
    use super::{Corridor, Lane, passing_time};
    use crate::traffic::neighbours::Seen;
    use crate::vehicle::VehicleGeometry;

    const LANE: Lane = Lane {
        corridor: Corridor { left: 6.0, right: -6.0 },
        offset: 0.1,
        last: 0.0,
        width: 2.0,
        gap: 0.5,
        horizon: 3.0,
        braking: 4.0,
        held_up: false,
    };

    /// One ahead on the path, 2 m wide, at 10 m/s and slower by 5 m/s.
    fn slower(gap: f64) -> Seen {
        Seen {
            gap,
            ahead: true,
            half_width: 1.0,
            speed: 10.0,
            closing: 5.0,
            pace: 5.0,
            room: [5.0; 2],
            ..Seen::default()
        }
    }

    #[test]
    fn a_slower_one_is_passed_on_the_side_that_costs_less() {
        // Within 3 s, with half of both widths and the gap between.
        assert_eq!(LANE.choose(&[slower(14.9)]), 2.5);
        assert_eq!(LANE.choose(&[slower(15.1)]), 0.0);
        assert_eq!(Lane { offset: -0.1, ..LANE }.choose(&[slower(14.9)]), -2.5);
        // From 8 m and 0.4 s at the own speed of 15 m/s on always.
        let near = |gap: f64| Lane { horizon: 0.5, ..LANE }.choose(&[slower(gap)]);
        assert_eq!([near(13.9), near(14.1)], [2.5, 0.0]);
        // Without room it is followed.
        let narrow = Lane { corridor: Corridor { left: 2.4, right: -2.4 }, ..LANE };
        assert_eq!(narrow.choose(&[slower(14.9)]), 0.0);
        let right = Lane { corridor: Corridor { left: 2.4, right: -2.5 }, ..LANE };
        assert_eq!(right.choose(&[slower(14.9)]), -2.5);
    }

    #[test]
    fn the_last_choice_holds_until_another_is_much_cheaper() {
        let ahead = Seen { offset: 1.0, kept: [1.0; 7], ..slower(10.0) };
        // With its return to the path it takes the offsets from 0 to 1 m, and so the 2.5 m beside them. Left costs 0.7 · 3.5 and
        // 0.6 of the distance from the last choice, right 0.7 · 2.5 and the same: equal from 1.083 m.
        let here = Lane { offset: 0.0, last: 3.5, ..LANE };
        let chosen = [3.5, 1.1, 1.05].map(|last| Lane { last, ..here }.choose(&[ahead]));
        assert_eq!(chosen, [3.5, 3.5, -2.5]);
        let cost = |lane: &Lane, offset: f64| lane.cost(offset);
        assert!((cost(&here, -1.5) - (0.4 * 1.5 + 0.3 * 1.5 + 0.6 * 5.0)).abs() < 1e-12);
        assert!((cost(&Lane { offset: 1.0, ..here }, 2.0) - (0.8 + 0.3 + 0.9)).abs() < 1e-12);
    }

    #[test]
    fn who_is_hardly_slower_is_not_passed() {
        // By 0.5 m/s and 0.015 of its speed, 0.65 m/s.
        let pace = |pace: f64| LANE.choose(&[Seen { pace, ..slower(10.0) }]) != 0.0;
        assert!(pace(0.66) && !pace(0.64));
        // Met by more than 0.5 m/s, unless it keeps this vehicle back.
        let met =
            |closing: f64, held_up: bool| Lane { held_up, ..LANE }.choose(&[Seen { closing, ..slower(5.0) }]) != 0.0;
        assert!(met(0.51, false) && !met(0.49, false) && met(0.49, true));
    }

    #[test]
    fn a_side_with_one_abreast_is_not_crossed() {
        // One abreast, 3 m to the left, takes all beyond it, up to half of both widths.
        let beside = |offset: f64| Seen { gap: -2.0, ahead: true, offset, half_width: 1.0, ..Seen::default() };
        let (left, right) = (LANE.taken_by(&beside(3.0)), LANE.taken_by(&beside(-3.0)));
        let interval = |taken: Option<super::Taken>| taken.map(|taken| (taken.low, taken.high, taken.ahead));
        assert_eq!(interval(left), Some((1.0, f64::INFINITY, false)));
        assert_eq!(interval(right), Some((f64::NEG_INFINITY, -1.0, false)));
        // So one ahead is passed on the other side.
        assert_eq!(LANE.choose(&[beside(3.0), slower(10.0)]), -2.5);
        assert_eq!(LANE.choose(&[beside(3.0)]), 0.0);
        // Who comes from behind is abreast 0.8 s sooner than within 1.5 m.
        let behind = |gap: f64| LANE.taken_by(&Seen { gap, closing: -5.0, ahead: false, ..beside(3.0) }).is_some();
        assert!(behind(5.4) && !behind(5.6));
        // One ahead that the brakes do not spare: 6² / (2 · 4) = 4.5 m.
        let braked = |gap: f64| LANE.taken_by(&Seen { gap, closing: 6.0, pace: 0.0, ..beside(3.0) });
        assert_eq!(interval(braked(4.4)), Some((0.5, f64::INFINITY, true)));
        assert_eq!(interval(braked(4.6)), None);
    }

    #[test]
    fn a_standing_vehicle_near_ahead_blocks_the_lane() {
        let stands = Seen { speed: 0.5, ..slower(11.9) };
        assert!(LANE.is_blocked_by(&stands));
        assert!(
            !LANE.is_blocked_by(&Seen { gap: 12.1, ..stands }) && !LANE.is_blocked_by(&Seen { speed: 1.1, ..stands })
        );
        assert!(!LANE.is_blocked_by(&Seen { ahead: false, ..stands }));
        // Up to half of both widths and the gap aside, from 0.1 m.
        assert!(
            LANE.is_blocked_by(&Seen { offset: 2.59, ..stands })
                && !LANE.is_blocked_by(&Seen { offset: 2.61, ..stands })
        );
    }

    #[test]
    fn a_pass_takes_until_the_other_is_behind() {
        let vehicle = VehicleGeometry { length_m: 4.0, ..VehicleGeometry::default() };
        // 1.4 · (10 m + 2 · 5.5 m) / 7 m/s; 1.2 to 6 s.
        let time = |gap: f64, closing: f64, ahead: bool| {
            passing_time(&[Seen { ahead, closing, pace: 7.0, ..slower(gap) }], &vehicle)
        };
        assert!((time(10.0, 5.0, true) - 4.2).abs() < 1e-12 && (time(10.0, 9.8, true) - 3.0).abs() < 1e-12);
        assert!((time(-3.0, 7.0, true) - 2.2).abs() < 1e-12);
        assert_eq!([time(10.0, 5.0, false), time(61.0, 5.0, true), time(59.0, 5.0, true)], [1.2, 1.2, 6.0]);
        assert_eq!(time(10.0, 50.0, true), 1.2);
    }
}
