//! Springs and hinges: the smoothest route through the gaps that the lattice chose.
//!
//! A chain of the offsets at the stations begins at the vehicle's place and in its direction. Hinges
//! straighten it, weak springs draw it to the path, and it stays within the gap of each station:
//!
//! ```text
//! minimise Σ (e[k-1] - 2 e[k] + e[k+1])² / step⁴ + Σ (e[k] / λ²)²,  low[k] ≤ e[k] ≤ high[k]
//! ```
//!
//! where λ is the distance in which the springs bring it back. It is the spring-and-hinge model of a racing
//! line, set up anew in every frame around a vehicle that moves; a chain this short is not relaxed step by
//! step but solved, with the gaps that are touched as stiff springs. Beside others that move, no gap is
//! asked for before the vehicle can be there without sliding.

use raceline_numerics::{ArrayBand, math};

use super::prediction::{Gaps, Others};
use crate::bodies::MAX_SEEN;
use crate::offset_curve::OffsetSample;
use crate::planned_route::{PlannedRoute, STATIONS};

/// Stiffness of a gap that is touched, of a hinge. A softer one lets the route lean into gaps that
/// are to be kept, a harder one makes it bend more sharply at their ends.
const STIFF: f64 = 1e4;
/// Fraction of it at the vehicle, rising to 1 within λ.
const NEAR: f64 = 1e-4;
/// Largest number of rounds of finding which gaps are touched.
const ROUNDS: usize = 12;
/// A gap is touched from this depth on, m.
const TOUCHED_M: f64 = 1e-3;
/// Fraction of a gap that is narrower than wanted, below 0.5, left free on each side. A larger one
/// leads through its middle, a smaller one more straight.
const NARROW: f64 = 0.45;

/// Turning out and back again over the distance s with a curvature κ leads a vehicle κ s² / 4
/// aside: this quarter. A larger one believes that more can still be reached.
const OUT_AND_BACK: f64 = 0.25;

/// The gaps through which `offsets` lead, with `gap_m` to the others where there is room, and where the
/// vehicle, which is `here`, comes with bends of at most `sharpest` against the path, 1/m.
pub(super) fn gaps_around(
    offsets: &[f64; STATIONS],
    corridor: &Gaps,
    others: &Others,
    [gap_m, step]: [f64; 2],
    followed: Option<usize>,
    (here, sharpest): (OffsetSample, f64),
) -> Gaps {
    let mut gaps = *corridor;
    // The sides of the others next to the route.
    let (mut right, mut left) = ([f64::NEG_INFINITY; STATIONS], [f64::INFINITY; STATIONS]);
    let mut seen = [false; MAX_SEEN];
    let mut is_first = |other: usize| !std::mem::replace(&mut seen[other], true);
    for taken in others.taken() {
        let body = &others.bodies()[taken.other];
        // What stands on the route is not followed: the route past it is kept while the vehicle brakes.
        let moves = body.crosses || body.drives();
        if followed == Some(taken.other) && moves {
            continue;
        }
        let inside = (taken.low..taken.high).contains(&offsets[taken.station]);
        if inside && (body.is_behind() || body.is_abreast()) {
            continue;
        }
        // One that drives ahead is passed from where it is now: later there is no route past it.
        let drives = is_first(taken.other) && body.drives();
        let from = if drives { ((body.ahead - body.half_lengths).max(0.0) / step).ceil() as usize } else { STATIONS };
        let past_left = !body.is_oncoming() && offsets[taken.station] > 0.5 * (taken.low + taken.high);
        for k in from.min(taken.station).max(1)..=taken.station {
            // For what stands the vehicle brakes. Beside what moves a swerve would be the greater danger.
            let s = k as f64 * step;
            let straight = here.offset + here.slope * s;
            let aside = if moves { OUT_AND_BACK * sharpest * s * s - gap_m } else { f64::INFINITY };
            if past_left {
                right[k] = right[k].max(taken.high.min(straight + aside));
            } else {
                // Before one that comes the vehicle keeps to the right, as far as the road goes.
                let side = if body.is_oncoming() { taken.low.max(corridor.low[k]) } else { taken.low };
                left[k] = left[k].min(side.max(straight - aside));
            }
        }
    }
    for k in 0..STATIONS {
        let room = left[k].min(gaps.high[k]) - right[k].max(gaps.low[k]);
        let gap = gap_m.min(NARROW * room.max(0.0));
        gaps.low[k] = gaps.low[k].max(right[k] + gap);
        gaps.high[k] = gaps.high[k].min(left[k] - gap);
        if gaps.low[k] > gaps.high[k] {
            let middle = 0.5 * (gaps.low[k] + gaps.high[k]);
            (gaps.low[k], gaps.high[k]) = (middle, middle);
        }
    }
    gaps
}

/// The smoothest route from an offset with a slope through the gaps. `reach` is λ, m.
pub(crate) fn relaxed(step: f64, [offset, slope]: [f64; 2], gaps: &Gaps, reach: f64) -> PlannedRoute {
    let spring = math::powi(step / reach, 4);
    let mut offsets = [offset; STATIONS];
    // 1 where the upper side is touched, -1 where the lower one is.
    let mut touched = [0_i8; STATIONS];
    for _ in 0..ROUNDS {
        offsets = solved(step, [offset, slope], spring, gaps, &touched);
        let mut changed = false;
        for k in 1..STATIONS {
            let side = match touched[k] {
                1 if offsets[k] < gaps.high[k] => 0,
                -1 if offsets[k] > gaps.low[k] => 0,
                0 if offsets[k] > gaps.high[k] + TOUCHED_M => 1,
                0 if offsets[k] < gaps.low[k] - TOUCHED_M => -1,
                side => side,
            };
            changed |= side != touched[k];
            touched[k] = side;
        }
        if !changed {
            break;
        }
    }
    PlannedRoute::new(step, slope, offsets)
}

/// The chain with some gaps as springs: a symmetric system with two diagonals beside the main one, of
/// the offsets after the first, which is known.
fn solved(step: f64, [offset, slope]: [f64; 2], spring: f64, gaps: &Gaps, touched: &[i8; STATIONS]) -> [f64; STATIONS] {
    // Unknown 0 stands for e[0], which is known, so that unknowns have the stations' numbers.
    let mut chain = ArrayBand::<STATIONS, 2>::new();
    let mut offsets = [0.0; STATIONS];
    (0..STATIONS).for_each(|k| chain.add(k, k, spring));
    // The hinge at the vehicle, 2 (e[1] - e[0] - slope step): half of it lies ahead.
    chain.add(1, 1, 2.0);
    offsets[1] += 2.0 * (offset + slope * step);
    for k in 1..STATIONS - 1 {
        // (e[k-1] - 2 e[k] + e[k+1])².
        chain.add(k, k, 4.0);
        chain.add(k + 1, k + 1, 1.0);
        chain.add(k, k + 1, -2.0);
        if k > 1 {
            chain.add(k - 1, k - 1, 1.0);
            chain.add(k - 1, k, -2.0);
            chain.add(k - 1, k + 1, 1.0);
        } else {
            offsets[k] += 2.0 * offset;
            offsets[k + 1] -= offset;
        }
    }
    for k in 1..STATIONS {
        let side = match touched[k] {
            1 => gaps.high[k],
            -1 => gaps.low[k],
            _ => continue,
        };
        // What is too near to be reached is not forced.
        let near = (spring * math::powi(k as f64, 4)).clamp(NEAR, 1.0);
        chain.add(k, k, STIFF * near);
        offsets[k] += STIFF * near * side;
    }
    if chain.factorise().is_err() {
        // No spring is finite: the route stays beside the path.
        return [offset; STATIONS];
    }
    chain.solve(&mut offsets);
    offsets[0] = offset;
    offsets
}

#[cfg(test)]
mod tests {
    use super::super::prediction::{Other, Taken};
    use super::*;

    const WIDE: Gaps = Gaps { low: [-50.0; STATIONS], high: [50.0; STATIONS] };

    /// What is minimised, with half of the hinge at the vehicle.
    fn energy(route: &[f64; STATIONS], step: f64, slope: f64, spring: f64) -> f64 {
        let start = 2.0 * (route[1] - route[0] - slope * step);
        let hinges: f64 = route.windows(3).map(|w| (w[0] - 2.0 * w[1] + w[2]).powi(2)).sum();
        0.5 * start * start + hinges + spring * route.iter().skip(1).map(|e| e * e).sum::<f64>()
    }

    #[test]
    fn on_the_path_it_stays_and_beside_it_it_returns_within_the_reach() {
        let path = relaxed(3.0, [0.0, 0.0], &WIDE, 15.0);
        assert_eq!(path.at(40.0).offset, 0.0);
        let back = relaxed(3.0, [2.0, 0.0], &WIDE, 15.0);
        assert!((back.at(0.0).offset - 2.0).abs() < 1e-12 && back.at(0.0).slope.abs() < 1e-12);
        // A chain without end returns as exp(-x) (cos x + sin x) with x = s / (λ √2); the hinges of
        // steps make it 0.02 slower.
        let at = back.at(15.0 * std::f64::consts::SQRT_2 * std::f64::consts::FRAC_PI_4).offset / 2.0;
        assert!((at - (-std::f64::consts::FRAC_PI_4).exp() * std::f64::consts::SQRT_2).abs() < 0.03, "{at}");
        assert!(back.at(75.0).offset.abs() < 0.15, "{:?}", back.at(75.0));
    }

    /// The route past a vehicle close ahead that the lattice's curve passes on the left, and its
    /// sharpest bend.
    fn past(along: f64) -> (PlannedRoute, f64) {
        let body = Other { ahead: 10.0, along, half_lengths: 4.0, half_widths: 2.0, ..Other::default() };
        let taken: Vec<_> = (2..12).map(|station| Taken { station, other: 0, low: -2.0, high: 2.0 }).collect();
        let curve = std::array::from_fn(|k| (0.3 * k as f64).min(3.5));
        let here = OffsetSample { offset: 0.0, slope: 0.0, curvature: 0.0 };
        let gaps = gaps_around(&curve, &WIDE, &Others::one(body, &taken), [1.0, 3.0], None, (here, 3.0 / 900.0));
        let route = relaxed(3.0, [0.0, 0.0], &gaps, 33.0);
        (route, (0..STATIONS).map(|k| route.bend(k).abs()).fold(0.0, f64::max))
    }

    /// At 30 m/s the route led beside one that was 6 m ahead at once, with 200 m/s²: cars spun.
    #[test]
    fn regression_no_swerve_around_one_that_drives_close_ahead() {
        let ((route, bend), (_, around)) = (past(25.0), past(0.0));
        assert!(bend * 900.0 < 2.5 * 3.0, "{} m/s²", bend * 900.0);
        assert!(route.at(33.0).offset > 0.8, "{:?}", route.at(33.0));
        // What stands is no softer: the vehicle brakes for it.
        assert!(around > 2.0 * bend, "{around} {bend}");
    }

    #[test]
    fn no_other_route_through_the_gaps_is_smoother() {
        let (step, slope, reach) = (3.0, -0.02, 12.0);
        let mut gaps = WIDE;
        for k in 9..12 {
            gaps.low[k] = 2.0;
        }
        gaps.high[16] = -1.0;
        let route = relaxed(step, [0.5, slope], &gaps, reach);
        let offsets: [f64; STATIONS] = std::array::from_fn(|k| route.at(k as f64 * step).offset);
        for (k, offset) in offsets.iter().enumerate().skip(1) {
            assert!((gaps.low[k] - 0.01..gaps.high[k] + 0.01).contains(offset), "{k}: {offset}");
        }
        let spring = (step / reach).powi(4);
        let smallest = energy(&offsets, step, slope, spring);
        for k in 1..STATIONS {
            for by in [-0.05, 0.05] {
                let mut other = offsets;
                other[k] += by;
                let free = other[k] > gaps.low[k] && other[k] < gaps.high[k];
                assert!(!free || energy(&other, step, slope, spring) > smallest, "{k} {by}");
            }
        }
    }

    const HERE: OffsetSample = OffsetSample { offset: 0.0, slope: 0.0, curvature: 0.0 };

    /// The gaps at stations 3 m apart around one that takes 2 m to either side at station 5, for a curve at an offset, with
    /// bends of up to 0.01.
    fn around(body: Other, curve: f64, followed: Option<usize>, here: OffsetSample) -> [[f64; 2]; STATIONS] {
        let others = Others::one(body, &[Taken { station: 5, other: 0, low: -2.0, high: 2.0 }]);
        let gaps = gaps_around(&[curve; STATIONS], &WIDE, &others, [1.0, 3.0], followed, (here, 0.01));
        std::array::from_fn(|k| [gaps.low[k], gaps.high[k]])
    }

    /// The gap at station 5, where all others are as wide as the road.
    #[track_caller]
    fn is_alone(gaps: [[f64; 2]; STATIONS], expected: [f64; 2]) {
        for (k, gap) in gaps.into_iter().enumerate() {
            let expected = if k == 5 { expected } else { [-50.0, 50.0] };
            assert!((0..2).all(|side| (gap[side] - expected[side]).abs() < 1e-9), "{k}: {gap:?} {expected:?}");
        }
    }

    const STANDS: Other = Other {
        ahead: 15.0,
        offset: 0.0,
        along: 0.0,
        across: 0.0,
        half_lengths: 4.0,
        half_widths: 2.0,
        crosses: false,
        straight_widths: 2.0,
        narrower: 0.0,
        is_vehicle: true,
        faces_ahead: true,
        faces_against: false,
    };

    #[test]
    fn one_that_stands_is_passed_on_the_side_of_the_curve() {
        is_alone(around(STANDS, 0.5, None, HERE), [3.0, 50.0]);
        is_alone(around(STANDS, -0.5, None, HERE), [-50.0, -3.0]);
        is_alone(around(STANDS, 0.5, Some(0), HERE), [3.0, 50.0]);
        // One that comes is passed on its left.
        is_alone(around(Other { faces_against: true, ..STANDS }, 0.5, None, HERE), [-50.0, -3.0]);
        // One abreast or behind that the curve leads through looks after itself.
        for ahead in [3.9, -3.9, -4.1, -20.0] {
            is_alone(around(Other { ahead, ..STANDS }, 0.5, None, HERE), [-50.0, 50.0]);
            is_alone(around(Other { ahead, ..STANDS }, 2.0, None, HERE), [3.0, 50.0]);
        }
        is_alone(around(Other { ahead: 4.1, ..STANDS }, 0.5, None, HERE), [3.0, 50.0]);
    }

    /// What moves is not passed sooner than the vehicle can be there: 0.01 · 15² / 4 m and the slope beside where it is, with
    /// the distance to keep.
    #[test]
    fn one_that_moves_is_passed_no_sooner_than_bends_lead_aside() {
        let crosses = Other { crosses: true, across: 2.0, ..STANDS };
        let reach = 0.01 * 225.0 / 4.0;
        is_alone(around(crosses, 0.5, None, HERE), [reach, 50.0]);
        is_alone(around(crosses, -0.5, None, HERE), [-50.0, -reach]);
        let here = OffsetSample { offset: 1.0, slope: 0.05, ..HERE };
        is_alone(around(crosses, 0.5, None, here), [1.0 + 0.75 + reach, 50.0]);
        is_alone(around(crosses, -0.5, None, here), [-50.0, 1.75 - reach]);
        // What is followed has no side.
        is_alone(around(crosses, 0.5, Some(0), HERE), [-50.0, 50.0]);
        is_alone(around(crosses, 0.5, Some(1), HERE), [reach, 50.0]);
    }

    #[test]
    fn one_that_drives_ahead_is_passed_from_where_it_is_now() {
        let drives = Other { ahead: 12.0, along: 8.0, ..STANDS };
        // From 8 m on, which is the third station, to where it is met.
        for (k, gap) in around(drives, 0.5, None, OffsetSample { offset: 9.0, ..HERE }).into_iter().enumerate() {
            let low = if (3..=5).contains(&k) { 3.0 } else { -50.0 };
            assert!((gap[0] - low).abs() < 1e-9 && gap[1] == 50.0, "{k} {gap:?}");
        }
        is_alone(around(drives, 0.5, Some(0), HERE), [-50.0, 50.0]);
    }

    #[test]
    fn of_a_gap_that_is_narrow_a_tenth_stays_free() {
        let others = Others::one(STANDS, &[Taken { station: 5, other: 0, low: -2.0, high: 2.0 }]);
        let at = |high: f64| {
            let mut road = WIDE;
            road.high[5] = high;
            let gaps = gaps_around(&[0.5; STATIONS], &road, &others, [1.0, 3.0], None, (HERE, 0.01));
            [gaps.low[5], gaps.high[5]]
        };
        // 1 m to the side of the other where 0.45 of the room are more.
        let is = |found: [f64; 2], low: f64, high: f64| {
            assert!((found[0] - low).abs() < 1e-9 && (found[1] - high).abs() < 1e-9, "{found:?}");
        };
        is(at(5.0), 3.0, 5.0);
        is(at(3.0), 2.45, 3.0);
        // No room: the middle.
        is(at(1.0), 1.5, 1.5);
    }

    #[test]
    fn a_gap_that_is_closed_leads_through_its_middle() {
        let mut gaps = WIDE;
        (gaps.low[14], gaps.high[14]) = (1.0, 1.0);
        let route = relaxed(3.0, [0.0, 0.0], &gaps, 12.0);
        assert!((route.at(42.0).offset - 1.0).abs() < 0.01, "{:?}", route.at(42.0));
    }
}
