use super::{Cell, LearningOptions, Place, Places, Verdict};
use crate::command::Command;
use crate::stuck::StuckState;

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

/// `count` places of 10 m.
fn places(count: usize, closed: bool) -> Places {
    Places::new(count, 10.0 * count as f64, closed, 0.02)
}

/// What a lap shows at a place in which it is `seconds` long: at the target speed times `pace`, with the slip `slip` by that
/// of the peak, and out of the corridor.
fn shown(seconds: f64, pace: f64, slip: f64, out: bool) -> Cell {
    let command = Command { target_speed_mps: 20.0, ..Command::brake(StuckState::Driving) };
    let mut cell = Cell::default();
    cell.time_s = seconds;
    cell.add(seconds, 0.0, [slip; 2], 20.0 * pace, &command, out);
    cell
}

/// What has grip left over, what is neither good nor bad, what is too fast and what leaves the corridor.
fn faster(seconds: f64) -> Cell {
    shown(seconds, 1.0, 0.3, false)
}
fn keeps(seconds: f64) -> Cell {
    shown(seconds, 1.0, 0.9, false)
}
fn tamer(seconds: f64) -> Cell {
    shown(seconds, 1.1, 0.3, false)
}
fn slower(seconds: f64) -> Cell {
    shown(seconds, 1.0, 0.3, true)
}

#[test]
fn a_place_begins_where_the_one_before_ends() {
    let mut line = places(10, false);
    for (s, index) in [(0.0, 0), (9.9, 0), (10.1, 1), (35.0, 3), (99.9, 9), (100.0, 9)] {
        line.clear();
        line.cell_at(s).out = true;
        assert_eq!(line.cells.iter().position(|cell| cell.out), Some(index), "{s}");
        assert!(!line.are_clean());
    }
    line.clear();
    assert!(line.are_clean() && line.len() == 10);
}

#[test]
fn factors_are_linear_between_the_means_of_three_places() {
    for closed in [false, true] {
        let mut line = places(5, closed);
        let factors = [1.0, 1.06, 0.9, 0.98, 1.04];
        line.restore(&factors, &LearningOptions::default());
        let at = |k: usize, by: isize| {
            let k = k as isize + by;
            factors[if closed { k.rem_euclid(5) } else { k.clamp(0, 4) } as usize]
        };
        let mean = |k: usize| 0.25 * at(k, -1) + 0.5 * at(k, 0) + 0.25 * at(k, 1);
        for k in 0..4 {
            let s = 5.0 + 10.0 * k as f64;
            assert!(near(line.factor(s), mean(k)), "{k}");
            assert!(near(line.factor(s + 2.5), 0.75 * mean(k) + 0.25 * mean(k + 1)), "{k}");
        }
        // Before the middle of the first place, from the last on a closed line.
        let first = if closed { 0.5 * (mean(4) + mean(0)) } else { 0.5 * (mean(0) + factors[0]) };
        assert!(near(line.factor(0.0), first), "{} {first}", line.factor(0.0));
        assert!(near(line.factor(f64::NAN), mean(0)) || closed || line.factor(f64::NAN).is_finite());
    }
}

/// The times of the places of a frame of 1 s.
fn spread(closed: bool, from: f64, advance: f64) -> Vec<f64> {
    let mut line = places(10, closed);
    line.spread_time(from, advance, 1.0);
    line.cells.iter().map(|cell| cell.time_s).collect()
}

#[test]
fn the_time_of_a_frame_is_that_of_the_places_by_their_length_in_it() {
    let is = |found: Vec<f64>, expected: &[(usize, f64)]| {
        let of = |k: usize| expected.iter().find(|(at, _)| *at == k).map_or(0.0, |(_, time)| *time);
        assert!(found.iter().enumerate().all(|(k, time)| near(*time, of(k))), "{found:?} {expected:?}");
    };
    for closed in [false, true] {
        is(spread(closed, 35.0, 20.0), &[(3, 0.25), (4, 0.5), (5, 0.25)]);
        is(spread(closed, 82.0, 16.0), &[(8, 0.5), (9, 0.5)]);
        is(spread(closed, 31.0, 8.0), &[(3, 1.0)]);
        // Standing and backwards: where it was.
        is(spread(closed, 35.0, 0.0), &[(3, 1.0)]);
        is(spread(closed, 35.0, -20.0), &[(3, 1.0)]);
        // What is longer than the line was no drive.
        is(spread(closed, 35.0, 150.0), &[(3, 1.0)]);
    }
    is(spread(true, 95.0, 20.0), &[(9, 0.25), (0, 0.5), (1, 0.25)]);
    is(spread(false, 95.0, 20.0), &[(9, 0.25)]);
    is(spread(false, 100.0, 0.0), &[(9, 1.0)]);
    let whole: Vec<_> = (0..10).map(|k| (k, 0.1)).collect();
    is(spread(true, 35.0, 100.0), &whole);
    // Two frames in one place.
    let mut line = places(10, true);
    for _ in 0..2 {
        line.spread_time(35.0, 20.0, 1.0);
        line.spread_time(55.0, 1.0, 1.0);
    }
    assert!(near(line.cells[5].time_s, 2.5) && near(line.cells[4].time_s, 1.0));
}

/// The verdicts of a line of places of half a second.
fn judged(closed: bool, faults: &[(usize, Cell)]) -> Vec<Verdict> {
    let mut line = places(10, closed);
    line.cells.fill(keeps(0.5));
    for (place, cell) in faults {
        line.cells[*place] = *cell;
    }
    line.judge(&LearningOptions::default());
    line.cells.iter().map(|cell| cell.verdict).collect()
}

#[test]
fn what_is_driven_in_the_time_before_a_fault_is_blamed_for_it() {
    let is = |found: Vec<Verdict>, slower: &[usize], tamer: &[usize]| {
        for (place, verdict) in found.iter().enumerate() {
            let expected = if slower.contains(&place) {
                Verdict::Slower
            } else if tamer.contains(&place) {
                Verdict::Tamer
            } else {
                Verdict::Keep
            };
            assert_eq!(*verdict, expected, "{place} of {found:?}");
        }
    };
    // 1.2 s are two places.
    is(judged(false, &[(7, slower(0.5))]), &[5, 6, 7], &[]);
    is(judged(false, &[(3, tamer(0.5))]), &[], &[1, 2, 3]);
    // Out of the corridor counts more, before and behind the other.
    is(judged(false, &[(7, slower(0.5)), (5, tamer(0.5))]), &[5, 6, 7], &[3, 4]);
    is(judged(false, &[(7, tamer(0.5)), (6, slower(0.5))]), &[4, 5, 6], &[7]);
    // Over the start line of a closed line only.
    is(judged(true, &[(0, slower(0.5))]), &[8, 9, 0], &[]);
    is(judged(false, &[(0, slower(0.5))]), &[0], &[]);
    is(judged(true, &[(1, tamer(0.5))]), &[], &[9, 0, 1]);
}

/// What a lap makes of one place.
fn stepped(place: Place, cell: Cell, known: bool) -> (Place, (usize, usize)) {
    let mut line = places(1, true);
    (line.places[0], line.cells[0]) = (place, cell);
    let counts = line.step(known, &LearningOptions::default());
    (line.places[0], counts)
}

/// A place with a factor after one that was driven in 10 s.
fn place(proven: f64, factor: f64) -> Place {
    Place { proven, time_s: 10.0, ..Place::new(factor, 0.02) }
}

#[test]
fn grip_that_is_left_over_raises_a_factor() {
    let (first, counts) = stepped(place(1.0, 1.0), faster(9.9), true);
    assert!(near(first.factor, 1.02) && near(first.step, 0.02) && first.side == 1.0, "{first:?}");
    assert!(counts == (1, 0) && first.proven == 1.0 && first.time_s == 9.9, "{first:?}");
    // To the same side it grows, to 1.5 of the first step.
    let (second, _) = stepped(first, faster(9.8), true);
    assert!(near(second.step, 0.024) && near(second.factor, 1.044) && near(second.proven, 1.02), "{second:?}");
    let (third, _) = stepped(Place { step: 0.029, ..second }, faster(9.7), true);
    assert!(near(third.step, 0.03) && near(third.factor, 1.074), "{third:?}");
    let (last, counts) = stepped(third, faster(9.6), true);
    assert!(near(last.factor, 1.08) && counts == (1, 0), "{last:?}");
    let (still, counts) = stepped(last, faster(9.5), true);
    assert!(still.factor == 1.08 && near(still.step, last.step) && counts == (0, 0), "{still:?}");
    // Before a lap was timed none is raised.
    assert_eq!(stepped(place(1.0, 1.0), faster(9.9), false).1, (0, 0));
    let (kept, counts) = stepped(place(1.0, 1.02), keeps(9.9), true);
    assert!(kept.factor == 1.02 && kept.proven == 1.02 && counts == (0, 0), "{kept:?}");
}

#[test]
fn a_step_that_took_longer_is_taken_back() {
    // 10 s, a thousandth and 2 ms.
    for cell in [faster(10.0121), tamer(10.0121), keeps(10.0121)] {
        let (back, counts) = stepped(Place { side: 1.0, ..place(1.0, 1.02) }, cell, true);
        assert!(back.factor == 1.0 && back.side == 0.0 && near(back.step, 0.01) && counts == (0, 0), "{back:?}");
        assert_eq!(back.time_s, 10.0);
    }
    let (on, counts) = stepped(Place { side: 1.0, ..place(1.0, 1.02) }, faster(10.0119), true);
    assert!(near(on.factor, 1.044) && counts == (1, 0) && on.time_s == 10.0119, "{on:?}");
    // The factor was not the cause where it is the proven one.
    let (on, _) = stepped(place(1.0, 1.0), faster(11.0), true);
    assert!(near(on.factor, 1.02) && on.time_s == 11.0, "{on:?}");
    // The smallest step is a tenth of the first.
    let (back, _) = stepped(Place { side: 1.0, step: 0.003, ..place(1.0, 1.02) }, faster(11.0), true);
    assert!(near(back.step, 0.002), "{back:?}");
}

#[test]
fn a_fault_lowers_a_factor() {
    let (down, counts) = stepped(place(1.0, 1.0), tamer(9.0), true);
    assert!(near(down.factor, 0.98) && counts == (0, 1) && down.side == -1.0 && down.time_s == 9.0, "{down:?}");
    let (lowest, counts) = stepped(place(0.86, 0.86), tamer(9.0), true);
    assert!(lowest.factor == 0.85 && counts == (0, 1), "{lowest:?}");
    let (still, counts) = stepped(lowest, tamer(9.0), true);
    assert!(still.factor == 0.85 && counts == (0, 0) && near(still.step, lowest.step), "{still:?}");
    // Out of the corridor, whatever time it takes: no higher than what was proven.
    let (down, counts) = stepped(place(1.0, 1.0), slower(20.0), true);
    assert!(near(down.factor, 0.98) && near(down.proven, 0.98) && counts == (0, 1), "{down:?}");
    assert!(down.time_s.is_nan() && down.side == -1.0, "{down:?}");
    let (down, _) = stepped(place(1.02, 1.05), slower(9.0), true);
    assert!(near(down.factor, 1.02), "{down:?}");
    let (down, _) = stepped(place(1.02, 1.03), slower(9.0), true);
    assert!(near(down.factor, 1.01), "{down:?}");
    let (down, _) = stepped(place(0.8, 0.86), slower(9.0), true);
    assert_eq!(down.factor, 0.85);
    // At the lowest it stays, and is not counted.
    let (still, counts) = stepped(place(0.85, 0.85), slower(9.0), true);
    assert!(still.factor == 0.85 && counts == (0, 0) && still.side == 0.0 && still.time_s.is_nan(), "{still:?}");
    // To the other side than before, half of the step.
    let (down, _) = stepped(Place { side: 1.0, ..place(1.0, 1.0) }, tamer(9.0), true);
    assert!(near(down.step, 0.01) && near(down.factor, 0.99), "{down:?}");
}

/// Which places of half a second make `index` slower if they take 0.3 s more.
fn counted(index: usize, closed: bool) -> Vec<usize> {
    let mut line = places(20, closed);
    line.places.fill(place(1.0, 1.02));
    line.places.iter_mut().for_each(|place| place.time_s = 0.5);
    let is_slower = |later: usize| {
        let mut line = line.clone();
        line.cells.fill(keeps(0.5));
        line.cells[later].time_s = 0.8;
        line.is_slower_about(index)
    };
    (0..20).filter(|later| is_slower(*later)).collect()
}

#[test]
fn the_second_before_a_place_and_three_behind_it_count() {
    assert_eq!(counted(8, true), [6, 7, 8, 9, 10, 11, 12, 13]);
    assert_eq!(counted(8, false), [6, 7, 8, 9, 10, 11, 12, 13]);
    assert_eq!(counted(18, true), [0, 1, 2, 3, 16, 17, 18, 19]);
    assert_eq!(counted(18, false), [16, 17, 18, 19]);
    assert_eq!(counted(1, true), [0, 1, 2, 3, 4, 5, 6, 19]);
    assert_eq!(counted(1, false), [0, 1, 2, 3, 4, 5, 6]);
    // The sum counts: 4 s, a thousandth of it and 2 ms.
    let mut line = places(20, true);
    line.places.iter_mut().for_each(|place| place.time_s = 0.5);
    let mut is_slower = |later: f64, unknown: Option<usize>| {
        line.cells.fill(keeps(0.5));
        line.cells[9].time_s += later;
        if let Some(unknown) = unknown {
            line.places[unknown].time_s = f64::NAN;
        }
        line.is_slower_about(8)
    };
    assert!(!is_slower(0.0059, None) && is_slower(0.0061, None));
    // What was not known before is compared with nothing: 3.5 s of 3.5 s.
    assert!(is_slower(0.0056, Some(10)) && !is_slower(0.0054, None) && !is_slower(0.3, Some(9)));
}

#[test]
fn factors_that_are_kept_are_those_of_the_fastest_lap_or_at_most_those_of_the_path() {
    let options = LearningOptions::default();
    let mut line = places(3, true);
    line.restore(&[0.9, 1.05, 2.0], &options);
    assert_eq!(line.known(true).collect::<Vec<_>>(), [0.9, 1.05, 1.08]);
    assert!(
        line.places.iter().all(|place| place.step == 0.01 && place.time_s.is_nan() && place.proven == place.factor)
    );
    assert_eq!(line.known(false).collect::<Vec<_>>(), [0.9, 1.0, 1.0]);
    line.places[0].factor = 0.95;
    assert_eq!(line.known(true).collect::<Vec<_>>(), [0.9, 1.05, 1.08]);
    line.keep();
    assert_eq!(line.known(true).collect::<Vec<_>>(), [0.95, 1.05, 1.08]);
    line.places[0].factor = 1.0;
    line.settle(true);
    assert_eq!(line.places[0].factor, 0.95);
    line.settle(false);
    assert_eq!(line.places[1].factor, 1.0);
}

#[test]
fn factors_that_are_settled_go_down_before_a_fault() {
    let options = LearningOptions::default();
    let mut line = places(6, false);
    line.restore(&[1.0, 1.0, 1.0, 0.86, 0.85, 1.0], &options);
    line.cells.fill(keeps(0.5));
    line.cells[4] = slower(0.5);
    assert_eq!(line.retreat(&options), 2);
    let expected = [1.0, 1.0, 0.98, 0.85, 0.85, 1.0];
    assert!(line.places.iter().zip(expected).all(|(place, factor)| near(place.factor, factor)), "{line:?}");
    assert!(line.known(true).zip(expected).all(|(best, factor)| near(best, factor)));
    // One that is too fast alone stays.
    line.cells[4] = tamer(0.5);
    assert_eq!(line.retreat(&options), 0);
}
