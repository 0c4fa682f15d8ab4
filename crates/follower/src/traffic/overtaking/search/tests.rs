use super::{Found, Label, Meeting, Node, Rival, STAGES, Search, Stage};
use crate::closeness::assert_close;
use crate::options::TrafficOptions;
use crate::planned_route::PlannedRoute;
use raceline_car::VehicleDynamics;

mod steps;

const BODY: [f64; 2] = [4.5, 2.0];

/// A straight road at 50 m/s with room to either side.
fn road(room: f64) -> [Stage; STAGES] {
    std::array::from_fn(|k| Stage {
        s: 20.0 * k as f64,
        top: 50.0,
        lateral: 18.0,
        braking: 16.0,
        low: -room,
        high: room,
        ..Stage::default()
    })
}

/// What a test asks of a search at 50 m/s on the path.
fn with<T>(stages: &[Stage; STAGES], rivals: &[Rival], ask: impl Fn(&Search<'_>) -> T) -> T {
    let dynamics = VehicleDynamics::constant(20.0, 20.0, 5.0);
    let (options, last) = (TrafficOptions::default(), PlannedRoute::PATH);
    let (speed, offset, slope, advance) = (50.0, 0.0, 0.0, 0.0);
    ask(&Search { stages, rivals, dynamics: &dynamics, speed, offset, slope, last: &last, advance, options: &options })
}

/// The offsets of the route among rivals, and its time.
fn route(rivals: &[Rival], room: f64) -> ([f64; STAGES], f64) {
    let found = with(&road(room), rivals, |search| search.find());
    (found.nodes.map(|node| node.offset), found.nodes[STAGES - 1].time)
}

#[test]
fn alone_the_path_is_the_route() {
    let (offsets, time) = route(&[], 5.0);
    assert_eq!(offsets, [0.0; STAGES]);
    assert!((time - 20.0 * (STAGES - 1) as f64 / 50.0).abs() < 1e-5, "{time}");
}

#[test]
fn a_slower_rival_is_passed_where_there_is_room_and_followed_where_there_is_none() {
    let rival = Rival::steady(25.0, 0.0, 40.0, BODY);
    let free = route(&[rival], 5.0);
    assert!(free.0.iter().any(|offset| offset.abs() > BODY[1] + 0.4), "{free:?}");
    assert!(free.1 < 5.3, "{free:?}");
    let (offsets, time) = route(&[rival], 0.5);
    assert!(offsets.iter().all(|offset| offset.abs() <= 0.5), "{offsets:?}");
    // At the last stage it is behind the rival: 260 m + 4.5 m + the distance to keep at 40 m/s.
    assert!((5.9..6.3).contains(&time), "{time}");
}

#[test]
fn a_side_with_less_room_than_needed_is_not_taken() {
    // Between two abreast with 4 m from middle to middle there is no route.
    let rivals = [-2.0, 2.0].map(|offset| Rival::steady(25.0, offset, 40.0, BODY));
    let (offsets, _) = route(&rivals, 8.0);
    let at_rivals: Vec<_> = (6..STAGES).map(|k| offsets[k].abs()).collect();
    assert!(at_rivals.iter().any(|offset| *offset > 2.0 + BODY[1] + 0.4), "{offsets:?}");
}

#[test]
fn the_time_alone_is_that_of_drive_and_bends() {
    // From 30 m/s on with 5 m/s² to 50 m/s, after 160 m.
    let dynamics = VehicleDynamics::constant(20.0, 20.0, 5.0);
    let (options, last, stages) = (TrafficOptions::default(), PlannedRoute::PATH, road(5.0));
    let search = |speed: f64, stages: &[Stage; STAGES]| {
        let search = Search {
            stages,
            rivals: &[],
            dynamics: &dynamics,
            speed,
            offset: 0.0,
            slope: 0.0,
            last: &last,
            advance: 0.0,
            options: &options,
        };
        search.find().nodes
    };
    for (k, node) in search(30.0, &stages).iter().enumerate() {
        let speed = (900.0 + 200.0 * k as f64).sqrt().min(50.0);
        let expected = (speed - 30.0) / 5.0 + (20.0 * k as f64 - 160.0).max(0.0) / 50.0;
        assert!((node.time - expected).abs() < 1e-5 && node.offset == 0.0 && node.s == 20.0 * k as f64, "{node:?}");
    }
    // A stage that allows 30 m/s is braked for with 16 m/s² from the ones before, at 46.7 and 39.2 m/s.
    let mut slow = stages;
    slow[6].top = 30.0;
    let nodes = search(50.0, &slow);
    let speeds = [50.0, 2180.0_f64.sqrt(), 1540.0_f64.sqrt(), 30.0, 1100.0_f64.sqrt()];
    let mut time = 60.0 / 50.0;
    for (k, pair) in speeds.windows(2).enumerate() {
        time += 40.0 / (pair[0] + pair[1]);
        assert!((nodes[k + 4].time - time).abs() < 1e-5, "{k} {} {time}", nodes[k + 4].time);
    }
}

/// From beside the path the route returns to it, within the slope of 0.15 and 21 m/s².
#[test]
fn from_beside_the_path_the_route_returns() {
    let dynamics = VehicleDynamics::constant(20.0, 20.0, 5.0);
    let (options, last, stages) = (TrafficOptions::default(), PlannedRoute::PATH, road(8.0));
    for (offset, speed) in [(5.0, 50.0), (-5.0, 50.0), (5.0, 20.0), (-5.0, 20.0)] {
        let search = Search {
            stages: &stages,
            rivals: &[],
            dynamics: &dynamics,
            speed,
            offset,
            slope: 0.0,
            last: &last,
            advance: 0.0,
            options: &options,
        };
        let nodes = search.find().nodes;
        assert_eq!((nodes[0].offset, nodes[STAGES - 1].offset), (offset, 0.0));
        for pair in nodes.windows(2) {
            let slope = (pair[1].offset - pair[0].offset) / 20.0;
            assert!(slope.abs() <= 0.15 && slope * offset <= 1e-9, "{nodes:?}");
        }
    }
}

fn label(offset: f64, time: f64, speed: f64) -> Label {
    Label { cost: 0.0, time, speed, offset, slope: 0.0 }
}

/// How a step of 20 m at 50 m/s from stage 4 on meets a rival, from one offset to another, 1.6 s from now.
fn met(rival: Rival, from: f64, to: f64) -> Meeting {
    let stages = road(8.0);
    with(&stages, &[rival], |search| search.meet(&label(from, 1.6, 50.0), 80.0, &stages[5], to, 0.4, 50.0))
}

/// A rival that is abreast of the step's end by so much, and was of its begin.
fn abreast(ahead: f64, offset: f64) -> Rival {
    Rival::steady(ahead, offset, 50.0, BODY)
}

#[test]
fn nearness_to_one_beside_costs_by_the_square_of_what_is_missing() {
    // 1.4 m to the side of 2.2 m that are wanted, within 2 m of both lengths along the path.
    let expected = 0.4 * (1.0 - 1.4 / 2.2_f64).powi(2) * 0.4;
    for side in [1.0, -1.0] {
        for ahead in [0.0, 6.4, -6.4] {
            assert_close(met(abreast(ahead, side * 3.4), 0.0, 0.0).cost, expected);
        }
        for ahead in [6.6, -6.6] {
            assert_eq!(met(abreast(ahead, side * 3.4), 0.0, 0.0).cost, 0.0);
        }
        assert_eq!(met(abreast(0.0, side * 4.21), 0.0, 0.0).cost, 0.0);
    }
    let free = met(abreast(0.0, 3.4), 0.0, 0.0);
    assert!((free.time, free.speed) == (2.0, 50.0));
}

#[test]
fn leading_nearer_to_one_beside_costs_as_touching() {
    // The distance to keep is 0.6 m and 0.3 m/s for 2 s: 1.2 m. What is near costs too.
    let beside = |clear: f64| if clear > 0.0 { 0.4 * (1.0 - clear / 2.2_f64).powi(2) * 0.4 } else { 0.0 };
    for side in [1.0, -1.0] {
        let cost = |from: f64, to: f64, ahead: f64| met(abreast(ahead, 0.0), side * from, side * to).cost;
        assert_close(cost(3.5, 3.0, 0.0), beside(1.0) + 8.0 * 0.2 / 1.7);
        assert_close(cost(3.5, 2.2, 0.0), beside(0.2) + 8.0 * 1.0 / 1.7);
        assert_close(cost(3.5, 1.0, 0.0), 8.0 * (2.2 / 1.7_f64).min(1.5));
        assert_close(cost(3.5, 0.0, 0.0), 8.0 * 1.5);
        // Away from it, nothing but what is inside.
        assert_close(cost(2.5, 3.0, 0.0), beside(1.0));
        assert_close(cost(1.0, 1.5, 0.0), 8.0 * 1.7 / 1.7);
        // One behind, within 1 m; half the lengths ahead on it is followed.
        assert_close(cost(3.5, 3.0, -5.4), beside(1.0) + 8.0 * 0.2 / 1.7);
        assert_close(cost(3.5, 3.0, -5.6), beside(1.0));
        assert_close(cost(3.5, 3.0, 2.2), beside(1.0) + 8.0 * 0.2 / 1.7);
    }
    // From 1.2 m on nothing is kept more.
    assert_close(met(abreast(0.0, 0.0), 3.5, 3.21).cost, beside(1.21));
}

#[test]
fn one_in_front_is_followed_and_one_that_is_passed_is_not() {
    // 20 m ahead at 50 m/s nothing is lost; at 40 m/s it is reached.
    let free = met(abreast(20.0, 0.0), 0.0, 0.0);
    assert_eq!((free.cost, free.time, free.speed), (0.0, 2.0, 50.0));
    let slow = |from: f64, to: f64, at: f64| met(Rival::steady(at, 0.0, 40.0, BODY), from, to);
    // 4.5 + 3 + 0.05 · 50 = 10 m are kept: 9.5 m are there after 2 s.
    let follows = slow(0.0, 0.0, 29.5);
    assert_close(follows.time, 2.0125);
    assert_close(follows.cost, 0.0125);
    assert_close(follows.speed, (2500.0_f64 - 2.0 * 0.9 * 16.0 * 20.0).sqrt().max(40.0));
    // Clear to the side where the step begins, and beside it already: not followed.
    assert_eq!(slow(3.5, 3.0, 20.0).time, 2.0);
    assert!(slow(3.1, 3.0, 20.0).time > 2.0);
    // Wholly in front it is followed whatever the side was.
    assert!(slow(3.5, 3.0, 25.0).time > 2.0);
    // Passed with room where the step began: from 5 m ahead to 5.4 m behind.
    let passed = Rival::steady(46.6, 0.0, 24.0, BODY);
    assert!(met(passed, 3.5, 3.0).time == 2.0 && met(passed, 3.1, 3.0).time > 2.0);
    let beside = Rival::steady(44.2, 0.0, 26.0, BODY);
    assert!(met(beside, 3.5, 3.0).time > 2.0);
}

/// Beyond 40 m from body to body ahead, and 15 m behind, nobody is met, whatever distance is to be kept.
#[test]
fn rivals_are_met_within_a_distance() {
    let options = TrafficOptions { following_m: 60.0, ..TrafficOptions::default() };
    let mut stages = road(8.0);
    stages[5].s = 140.0;
    let is_met = |ahead: f64| {
        let rival = Rival::steady(140.0 + ahead, 0.0, 0.0, BODY);
        with(&stages, &[rival], |search| {
            let search = Search { options: &options, ..*search };
            search.meet(&label(0.0, 1.6, 150.0), 80.0, &stages[5], 0.0, 0.4, 150.0).cost > 0.0
        })
    };
    assert!(is_met(44.4) && !is_met(44.6) && is_met(-19.4) && !is_met(-19.6));
    assert!(!is_met(60.0) && !is_met(-50.0));
}

/// What a step of 20 m to 100 m at 50 m/s, 2 s from now, becomes behind a rival: cost, time and speed.
fn followed(rival: Rival, braking: f64) -> [f64; 3] {
    let stages = road(8.0).map(|stage| Stage { braking, ..stage });
    with(&stages, &[], |search| {
        let mut met = Meeting { cost: 0.0, time: 2.0, speed: 50.0 };
        search.follow(&rival, &label(0.0, 1.6, 50.0), &stages[5], 20.0, &mut met);
        [met.cost, met.time, met.speed]
    })
}

#[test]
fn who_follows_arrives_when_the_one_ahead_has_gone_on() {
    let is = |found: [f64; 3], expected: [f64; 3]| {
        assert!((0..3).all(|k| (found[k] - expected[k]).abs() < 1e-9), "{found:?} {expected:?}");
    };
    // 10 m are kept: it is 10.1 m ahead, or 9.5 m at 40 m/s.
    is(followed(Rival::steady(30.1, 0.0, 40.0, BODY), 16.0), [0.0, 2.0, 50.0]);
    is(followed(Rival::steady(29.5, 0.0, 40.0, BODY), 16.0), [0.0125, 2.0125, (2500.0_f64 - 576.0).sqrt()]);
    // With the brakes it arrives at 43.9 m/s no later than this.
    let slowest = (2500.0_f64 - 576.0).sqrt();
    let latest = 1.6 + 40.0 / (50.0 + slowest);
    is(followed(Rival::steady(26.0, 0.0, 40.0, BODY), 16.0), [latest - 2.0, latest, slowest]);
    is(followed(Rival::steady(16.0, 0.0, 46.0, BODY), 16.0), [latest - 2.0, latest, 46.0]);
    // Where both overlap by a third, it touches for what is missing, at most a second.
    let later = 2.0 + 7.0 / 40.0;
    is(
        followed(Rival::steady(23.0, 0.0, 40.0, BODY), 16.0),
        [8.0 * (later - latest) * 1.5 / 4.5 + latest - 2.0, latest, slowest],
    );
    let later = 2.0 + 7.0 / 5.0;
    is(
        followed(Rival::steady(93.0, 0.0, 5.0, BODY), 16.0),
        [8.0 * (later - latest).min(1.0) * 1.5 / 4.5 + latest - 2.0, latest, slowest],
    );
    is(followed(Rival::steady(40.0, 0.0, 20.0, BODY), 16.0), [8.0 + latest - 2.0, latest, slowest]);
    // Brakes that would stop it before: at 1 m/s at least.
    is(followed(Rival::steady(29.5, 0.0, 40.0, BODY), 160.0), [0.0125, 2.0125, 40.0]);
    let latest = 1.6 + 40.0 / 51.0;
    is(followed(Rival::steady(99.0, 0.0, 0.5, BODY), 160.0), [8.0 + latest - 2.0, latest, 1.0]);
}

#[test]
fn a_route_that_was_found_moves_with_the_vehicle() {
    let mut found =
        Found { nodes: std::array::from_fn(|k| Node { s: 20.0 * k as f64, offset: k as f64, time: 0.4 * k as f64 }) };
    found.advance(5.0, 0.1);
    assert_eq!(found.nodes[2], Node { s: 35.0, offset: 2.0, time: 0.8 - 0.1 });
    let is = |s: f64, offset: f64, time: f64| {
        let there = found.at(s);
        assert_close(there.offset, offset);
        assert_close(there.time, time);
        assert_eq!(there.s, s);
    };
    is(20.0, 1.25, 0.4);
    is(35.0, 2.0, 0.7);
    is(0.0, 0.25, 0.0);
    // Before the first and beyond the last.
    is(-50.0, 0.0, -0.1);
    is(250.0, 12.75, 5.0);
    is(999.0, 13.0, 5.1);
}

/// In a bend of 100 m the inside is shorter: by a fiftieth at 2 m, and the outside longer.
#[test]
fn beside_a_bend_its_own_length_is_driven() {
    let dynamics = VehicleDynamics::constant(20.0, 20.0, 5.0);
    let (options, last) = (TrafficOptions::default(), PlannedRoute::PATH);
    for offset in [2.0, -2.0] {
        let stages = road(0.0).map(|stage| Stage { curvature: 0.01, lateral: 1e3, low: offset, high: offset, ..stage });
        let search = Search {
            stages: &stages,
            rivals: &[],
            dynamics: &dynamics,
            speed: 50.0,
            offset,
            slope: 0.0,
            last: &last,
            advance: 0.0,
            options: &options,
        };
        for (k, node) in search.find().nodes.iter().enumerate() {
            let time = 0.4 * (1.0 - 0.01 * offset) * k as f64;
            assert!((node.time - time).abs() < 1e-5 && node.offset == offset, "{k} {node:?} {time}");
        }
    }
}
