//! What a step costs, and which routes follow from that.

use super::{BODY, label, road, with};
use crate::closeness::assert_close;
use crate::planned_route::PlannedRoute;
use crate::traffic::overtaking::rivals::Rival;
use crate::traffic::overtaking::search::{Alone, Label, Node, STAGES, Search, Stage, end_cost};
use raceline_numerics::SplitMix64;

/// A step of 20 m from stage 4 on that nobody hinders, from an offset with a slope and a speed.
fn alone(stages: &[Stage; STAGES], [from, slope, speed]: [f64; 3], to: f64, top: f64) -> Option<Alone> {
    let label = Label { slope, ..label(from, 1.6, speed) };
    with(stages, &[], |search| search.alone(&search.step(5), &label, to, top))
}

#[test]
fn a_step_costs_by_its_bend_and_its_distance_from_path_and_last_route() {
    let at = |from: [f64; 3], to: f64| alone(&road(8.0), from, to, 50.0).unwrap();
    let ahead = at([0.0, 0.0, 50.0], 0.0);
    assert_eq!([ahead.cost, ahead.offset, ahead.slope, ahead.free, ahead.speed], [0.0, 0.0, 0.0, 0.4, 50.0]);
    for side in [1.0, -1.0] {
        // Both count for 0.4 s; 0.075 in 20 m bend by 0.003 75. Nine of 14 stages follow.
        let beside = at([0.0, 0.0, 50.0], 1.5 * side);
        let off = (0.006 + 0.02 * 9.0 / 14.0) * 1.5 * 0.4;
        assert_close(beside.cost, 0.03 * (0.003_75 * 2500.0 / 7.0_f64).powi(2) + off);
        assert_close(beside.slope, 0.075 * side);
        // Straight on it costs only where it is.
        assert_close(at([1.0 * side, 0.025 * side, 50.0], 1.5 * side).cost, off);
        // A bend that allows 49.3 m/s costs twice the time for what is too fast, and speeds up again.
        let sharp = at([0.0, 0.0, 50.0], 2.96 * side);
        let (bend, bent) = (0.0074_f64, (18.0_f64 / 0.0074).sqrt());
        let free = 40.0 / (bent + 50.0);
        let off = (0.006 + 0.02 * 9.0 / 14.0) * 2.96 * free;
        let smooth = 0.03 * (bend * 2500.0 / 7.0).powi(2);
        assert_close(sharp.cost, smooth + 2.0 * (1.0 - bent / 50.0) * free + off);
        assert_close(sharp.free, free);
    }
    // The last route is at 0.5 m, and 0.01 m farther a metre; the vehicle is 4 m along it.
    let last = PlannedRoute::new(5.0, 0.01, std::array::from_fn(|k| 0.5 + 0.05 * k as f64));
    with(&road(8.0), &[], |search| {
        let search = Search { last: &last, advance: 4.0, ..*search };
        let found = search.alone(&search.step(5), &label(0.0, 1.6, 50.0), 0.0, 50.0).unwrap();
        assert_close(found.cost, 0.02 * 1.54 * 0.4 * 9.0 / 14.0);
    });
    // At the end what is missing of the speed, and the offset.
    assert_close(end_cost(&road(8.0)[5], 40.0, -3.0), 0.2 + 0.06);
    assert_close(end_cost(&road(8.0)[5], 60.0, 3.0), 0.06);
}

#[test]
fn a_step_takes_the_time_of_its_speeds_and_of_its_own_length() {
    let is = |found: Option<Alone>, free: f64, speed: f64| {
        let found = found.unwrap();
        assert_close(found.free, free);
        assert_close(found.speed, speed);
    };
    // 5 m/s² over 20 m, up to what is allowed, and at walking pace.
    let straight = road(8.0);
    is(alone(&straight, [0.0, 0.0, 30.0], 0.0, 50.0), 40.0 / (30.0 + 1100.0_f64.sqrt()), 1100.0_f64.sqrt());
    is(alone(&straight, [0.0, 0.0, 30.0], 0.0, 32.0), 40.0 / 62.0, 32.0);
    is(alone(&straight, [0.0, 0.0, 0.2], 0.0, 0.5), 40.0 / 1.2, 1.0);
    // In a bend of 0.01 and then 0.03 the inside is shorter by the means of bends and offsets.
    let mut bend = straight.map(|stage| Stage { lateral: 1e4, ..stage });
    (bend[4].curvature, bend[5].curvature) = (0.01, 0.03);
    for side in [1.0, -1.0] {
        is(alone(&bend, [side, 0.0, 50.0], 2.0 * side, 50.0), 0.4 * (1.0 - 0.02 * 1.5 * side), 50.0);
    }
    // No more than four fifths of the length are saved.
    is(alone(&bend.map(|stage| Stage { curvature: 0.5, ..stage }), [2.0, 0.0, 50.0], 2.0, 50.0), 0.4 * 0.2, 50.0);
}

#[test]
fn a_step_neither_turns_too_hard_nor_leads_aside_too_steeply() {
    for side in [1.0, -1.0] {
        let is_bound = |slope: f64, speed: f64, to: f64| {
            let at = |to: f64| alone(&road(20.0), [0.0, slope * side, speed], to * side, 50.0);
            assert!(at(to - 0.01).is_some() && at(to + 0.01).is_none(), "{slope} {speed} {to}");
        };
        // From 0.1 to the other side: three times 7 m/s² at 50 m/s.
        is_bound(-0.1, 50.0, 20.0 * (20.0 * 21.0 / 2500.0 - 0.1));
        // A slope of 0.15, or a fifth more than before.
        is_bound(0.1, 50.0, 3.0);
        is_bound(0.2, 50.0, 4.8);
        // 2 m/s across at walking pace, up to a slope of a half.
        is_bound(0.0, 8.0, 5.0);
        is_bound(0.0, 2.0, 10.0);
        is_bound(0.0, 0.5, 10.0);
    }
}

#[test]
fn a_step_bends_from_its_middle_to_that_of_the_step_before() {
    let mut stages = road(8.0);
    for (stage, s) in stages.iter_mut().zip([0.0, 10.0, 40.0, 40.01]) {
        stage.s = s;
    }
    with(&stages, &[], |search| {
        let lengths = |k: usize| [search.step(k).ds, search.step(k).run];
        assert_eq!([lengths(1), lengths(2), lengths(3)], [[10.0, 5.0], [30.0, 20.0], [0.05, 15.025]]);
        assert_eq!(lengths(4), [39.99, 0.5 * (39.99 + 0.05)]);
        assert_eq!([search.step(7).from, search.step(7).to], [&stages[6], &stages[7]]);
        assert_close(search.step(7).kept, 0.5);
    });
}

#[test]
fn without_a_route_it_goes_straight_on() {
    let away = road(8.0).map(|stage| Stage { low: 30.0, high: 30.0, ..stage });
    for (speed, moving) in [(50.0, 50.0), (0.5, 1.0)] {
        let found = with(&away, &[], |search| Search { speed, offset: 1.3, ..*search }.find());
        for (k, node) in found.nodes.iter().enumerate() {
            assert_eq!(*node, Node { s: 20.0 * k as f64, offset: 1.3, time: 20.0 * k as f64 / moving });
        }
    }
}

/// What the costs weigh against each other, which moves follow which, and which routes are given up shows in the routes
/// alone.
#[test]
fn the_routes_on_random_roads_are_the_recorded_ones() {
    let mut random = SplitMix64::new(1);
    let mut between = |low: f64, high: f64| low + (high - low) * random.uniform();
    let mut sums = [0.0; 4];
    for scene in 0..60 {
        let top = between(20.0, 60.0);
        let [bend, phase, right, left] =
            [between(0.0, 14.0) / (top * top), between(0.0, 6.0), between(2.0, 8.0), between(2.0, 8.0)];
        let stages = std::array::from_fn(|k| Stage {
            s: 0.4 * top * k as f64,
            top,
            curvature: bend * (phase + 0.5 * k as f64).sin(),
            lateral: 18.0,
            braking: 14.0,
            low: -right * (1.0 - 0.3 * (k as f64).sin()),
            high: left,
        });
        let rivals: [Rival; 3] = std::array::from_fn(|_| {
            Rival::steady(between(-10.0, 90.0), between(-4.0, 4.0), top * between(0.5, 1.0), BODY)
        });
        let last = PlannedRoute::straight(between(-2.0, 2.0), 0.0);
        let (speed, offset, slope) = (top * between(0.6, 1.0), between(-2.0, 2.0), between(-0.05, 0.05));
        let advance = between(0.0, 2.0);
        let rivals = &rivals[..scene % 4];
        let search = |search: &Search<'_>| Search { speed, offset, slope, last: &last, advance, ..*search }.find();
        let found = with(&stages, rivals, search);
        for (k, node) in found.nodes.iter().enumerate() {
            let weight = (1 + (scene + k) % 7) as f64;
            let numbers = [weight * node.offset, node.offset.abs(), weight * node.time, node.time * node.offset];
            sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
        }
    }
    let recorded = [615.0600846486044, 809.808869492372, 9400.292966216803, 539.3815877424497];
    for (found, recorded) in sums.into_iter().zip(recorded) {
        assert!((found - recorded).abs() < 1e-6 * recorded.abs(), "{sums:?}");
    }
}
