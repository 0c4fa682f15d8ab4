use super::{
    Ahead, Lattice, LocalPlannerOptions, OffsetCurve, Other, Others, PlannedRoute, STATIONS, Station, fastest,
};
use crate::closeness::assert_close;
use crate::local_planner::prediction::Taken;
use crate::local_planner::prediction::testing::road;
use crate::vehicle::VehicleGeometry;

/// What a test asks of the lattice of a car at 15 m/s on a road with another.
fn with<T>(ahead: &Ahead, others: &Others, ask: impl Fn(&Lattice<'_>) -> T) -> T {
    let (options, vehicle) = (LocalPlannerOptions::default(), VehicleGeometry::default());
    ask(&Lattice { options: &options, ahead, others, speed: 15.0, vehicle: &vehicle, size: 1.0 })
}

fn nobody() -> Others {
    Others::one(Other { ahead: -80.0, half_lengths: 4.4, half_widths: 1.8, ..Other::default() }, &[])
}

const CAR: Other = Other {
    ahead: 30.0,
    offset: 0.0,
    along: 10.0,
    across: 0.0,
    half_lengths: 4.4,
    half_widths: 1.8,
    crosses: false,
    straight_widths: 1.8,
    narrower: 0.0,
    is_vehicle: true,
    faces_ahead: true,
    faces_against: false,
};

#[test]
fn the_tyres_allow_the_speed_of_the_bend_at_the_offset() {
    let there = Station { curvature: 0.02, grip: 8.0, ..Station::default() };
    assert_close(fastest(&there, 0.0, 0.0), 20.0);
    // Inside and outside of the bend, with and against it.
    assert_close(fastest(&there, 10.0, 0.0), (8.0_f64 / 0.025).sqrt());
    assert_close(fastest(&there, -10.0, 0.0), (8.0_f64 * 60.0).sqrt());
    assert_close(fastest(&there, 0.0, 0.06), 10.0);
    assert_close(fastest(&there, 0.0, -0.04), 20.0);
    assert_close(fastest(&there, 60.0, 0.0), (8.0_f64 / 0.1).sqrt());
    assert_close(fastest(&there, 0.0, -0.02), (8.0_f64 / 1e-6).sqrt());
}

/// The speed on a parabola e = ½ κ s², 1 m beside the path.
#[test]
fn a_route_is_driven_as_slowly_as_its_bends_ask_for() {
    let (ahead, others) = (road(20.0), nobody());
    let bends = |ahead: &Ahead, route: &PlannedRoute| with(ahead, &others, |lattice| lattice.bends(route));
    assert_eq!(bends(&ahead, &PlannedRoute::PATH), (f64::INFINITY, 0.0));
    let bent = |curvature: f64| {
        PlannedRoute::new(3.0, 0.0, std::array::from_fn(|k| 1.0 + 0.5 * curvature * (3.0 * k as f64).powi(2)))
    };
    // 8 m/s² are 10 m/s there, at the vehicle already.
    assert_close(bends(&ahead, &bent(0.08)).0, 10.0);
    assert_eq!(bends(&ahead, &bent(0.08)).1, 4.0);
    // At 16 m/s it bends no more than the station's speed asks for.
    assert_eq!(bends(&ahead, &bent(8.0 / 256.0)), (f64::INFINITY, 0.0));
    // The path's bend 12 m ahead counts where the route is beside it: 10.2 m/s and 4 m/s² to it.
    let mut curved = road(20.0);
    curved.stations[4].curvature = 0.08;
    let beside = PlannedRoute::straight(0.5, 0.0);
    let limit = (8.0_f64 * (1.0 - 0.04) / 0.08 + 2.0 * 4.0 * 12.0).sqrt();
    let (speed, braking) = bends(&curved, &beside);
    assert_close(speed, limit);
    assert_eq!(braking, if 15.0 > limit { 4.0 } else { 0.0 });
    assert_eq!(bends(&curved, &PlannedRoute::PATH).0, f64::INFINITY);
    // Wheels turn at 2 m/s at any bend.
    let mut slow = road(20.0);
    slow.stations[0].speed = 3.0;
    assert_close(with(&slow, &others, |lattice| lattice.bends(&bent(8.0))).0, 2.0);
    // Braking only where the vehicle is faster.
    curved.stations[4].curvature = 0.0;
    curved.stations[9].curvature = 0.08;
    assert_eq!(bends(&curved, &beside).1, 0.0);
    assert_close(bends(&curved, &beside).0, (96.0_f64 + 8.0 * 27.0).sqrt());
}

/// The cost of a curve without others: time, smoothness and distance from the path.
#[test]
fn a_curve_costs_its_time_its_bends_and_its_distance() {
    let (ahead, others) = (road(20.0), nobody());
    let cost = |offsets: [f64; STATIONS], goals: [f64; 2]| {
        with(&ahead, &others, |lattice| {
            let verdict = lattice.judge(&offsets, goals, 0.3, f64::INFINITY);
            assert!(verdict.blocked.is_none());
            verdict.cost
        })
    };
    let end = 81.0 / 15.0;
    assert_close(cost([0.0; STATIONS], [0.0; 2]), end);
    assert_close(cost([1.5; STATIONS], [1.5, 1.5]), end + 0.25 * 1.5 + 0.25 * 1.5);
    assert_close(cost([-1.5; STATIONS], [-1.5, 0.5]), end + 0.25 * 1.5 + 0.25 * 1.5 + 0.05 * 2.0);
    // A parabola of 0.01: 2.25 m/s² by 3 m/s², and a bend by that of the wheels; nothing is too fast at 8 m/s².
    let bent = |curvature: f64| -> [f64; STATIONS] {
        std::array::from_fn(|k| 0.5 * curvature * (3.0 * (k as f64 - 13.5)).powi(2))
    };
    let (curve, max) = (bent(0.01), 0.6_f64.tan() / 2.6);
    let beside = curve.iter().sum::<f64>() / STATIONS as f64;
    let smooth = 0.5 * (0.75 * 0.75 + (0.01_f64 / max).powi(4));
    assert_close(cost(curve, [0.0; 2]), end + smooth + 0.25 * beside);
    assert_close(cost(curve.map(|e| -e), [0.0; 2]), end + smooth + 0.25 * beside);
    // At 0.08 the tyres allow 10 m/s: the stations between the ends take 1.5 as long.
    let curve = bent(0.08);
    let beside = curve.iter().sum::<f64>() / STATIONS as f64;
    let smooth = 0.5 * (6.0 * 6.0 + (0.08_f64 / max).powi(4));
    let time = end + 0.5 * (STATIONS - 2) as f64 * 0.2;
    assert_close(cost(curve, [0.0; 2]), time + smooth + 0.25 * beside);
    // What costs more than is allowed is given up.
    let given_up =
        |bound: f64| with(&ahead, &others, |lattice| lattice.judge(&[1.5; STATIONS], [1.5; 2], 0.3, bound).cost);
    assert!(given_up(end + 0.25 * 1.5 - 0.01).is_infinite() && given_up(end + 0.25 * 1.5 + 0.01).is_finite());
    // The path's own bend adds to the curve's.
    let mut curved = road(20.0);
    curved.stations[5].curvature = 0.3;
    assert_close(
        with(&curved, &others, |lattice| lattice.judge(&[0.0; STATIONS], [0.0; 2], 0.3, f64::INFINITY).cost),
        end + 0.2 * (15.0 / (8.0_f64 / 0.3).sqrt() - 1.0) + 0.5 * (0.3_f64 / max).powi(4),
    );
}

/// The verdict on a curve at an offset with another that takes offsets at station 10.
fn beside(other: Other, low: f64, high: f64, offset: f64, min_gap: f64) -> (f64, Option<(usize, usize)>) {
    let ahead = road(20.0);
    let others = Others::one(other, &[Taken { station: 10, other: 0, low, high }]);
    with(&ahead, &others, |lattice| {
        let verdict = lattice.judge(&[offset; STATIONS], [offset; 2], min_gap, f64::INFINITY);
        (verdict.cost, verdict.blocked)
    })
}

#[test]
fn nearness_costs_and_touching_blocks() {
    let (end, goal, far) = (81.0 / 15.0, 0.5, 0.5);
    // At an offset of 2 m: 0.6 m away of 1 m that are wanted, on either side.
    let expected = end + goal + far + 10.0 * 0.16 / STATIONS as f64;
    for (low, high) in [(-1.0, 1.4), (2.6, 3.5)] {
        let (cost, blocked) = beside(CAR, low, high, 2.0, 0.3);
        assert_close(cost, expected);
        assert_eq!(blocked, None);
    }
    assert_close(beside(CAR, -1.0, 0.9, 2.0, 0.3).0, end + goal + far);
    // Nearer than 0.3 m it is followed: 2 s to it, and for the other 51 m 5.1 s, of which 1.7 s count three times.
    let (cost, blocked) = beside(CAR, -1.0, 1.71, 2.0, 0.3);
    assert_eq!(blocked, Some((10, 0)));
    let beside_path = 0.25 * 2.0 * 11.0 / STATIONS as f64;
    let close = 10.0 * 0.71 * 0.71 / STATIONS as f64;
    assert_close(cost, 2.0 + 3.4 + 3.0 * 1.7 + goal + beside_path + close);
    assert_eq!(beside(CAR, -1.0, 1.69, 2.0, 0.3).1, None);
    // On the route that is driven less is enough, and no more than 0.4 of what is wanted is asked for.
    assert_eq!(beside(CAR, -1.0, 1.71, 2.0, 0.2).1, None);
    assert_eq!([beside(CAR, -1.0, 1.59, 2.0, 0.6).1, beside(CAR, -1.0, 1.61, 2.0, 0.6).1], [None, Some((10, 0))]);
    // Deep inside counts as no clearance at all.
    assert_close(beside(CAR, 0.0, 4.0, 2.0, 0.3).0, 2.0 + 3.4 + 5.1 + goal + beside_path + 10.0 / STATIONS as f64);
}

#[test]
fn who_is_beside_or_behind_is_not_cut_in_on() {
    let ahead = road(20.0);
    let end = 81.0 / 15.0;
    // Whether a curve from `from` to `to` touches.
    let touches = |other: Other, from: f64, to: f64| {
        let others = Others::one(other, &[Taken { station: 10, other: 0, low: 1.0, high: 4.6 }]);
        let curve: [f64; STATIONS] = std::array::from_fn(|k| if k < 5 { from } else { to });
        with(&ahead, &others, |lattice| {
            let verdict = lattice.judge(&curve, [0.0; 2], 0.3, f64::INFINITY);
            assert_eq!(verdict.blocked, None);
            verdict.cost > 100.0 + end
        })
    };
    let abreast = Other { ahead: 2.0, offset: 2.8, ..CAR };
    let behind = Other { ahead: -6.0, ..abreast };
    // Nearer to one abreast by more than 0.1 m; away from it is free up to the width of a lane.
    assert!(touches(abreast, 0.8, 0.95) && !touches(abreast, 0.8, 0.85) && !touches(abreast, 1.5, 0.9));
    assert!(touches(abreast, 1.75, 0.9));
    // From behind it looks after itself in its lane.
    assert!(!touches(behind, 0.3, 1.05) && touches(behind, 0.15, 1.0) && touches(behind, 5.0, 4.1));
    // One ahead is followed.
    let others = Others::one(CAR, &[Taken { station: 10, other: 0, low: 1.0, high: 4.6 }]);
    let blocked =
        with(&ahead, &others, |lattice| lattice.judge(&[2.0; STATIONS], [0.0; 2], 0.3, f64::INFINITY).blocked);
    assert_eq!(blocked, Some((10, 0)));
}

#[test]
fn the_time_behind_another_is_that_of_its_speed_or_until_it_has_crossed() {
    let (ahead, others) = (road(20.0), nobody());
    let time = |other: Other, station: usize, offset: f64| {
        with(&ahead, &others, |lattice| lattice.time_behind(&other, station, offset))
    };
    assert_close(time(CAR, 7, 0.0), 4.0 + 3.0 * 2.0);
    assert_close(time(Other { along: 20.0, ..CAR }, 7, 0.0), 4.0);
    assert_close(time(Other { along: 0.0, ..CAR }, 7, 0.0), 4.0 + 3.0 * (120.0 - 4.0));
    // It is 6 m to the right, crosses at 2 m/s, and leaves the strip about 1 m left after 4.4 s.
    let crosses = Other { crosses: true, across: 2.0, offset: -6.0, ..CAR };
    assert_close(time(crosses, 7, 1.0), 4.4 - 1.4 + 4.0);
    assert_close(time(crosses, 25, 1.0), 0.4);
}

/// The speed behind another and the deceleration to it at 15 m/s: 4 m and 0.4 s are kept.
fn behind(other: Other, station: usize, offset: f64) -> (f64, f64) {
    let (ahead, others) = (road(20.0), Others::one(other, &[]));
    let route = PlannedRoute::straight(offset, 0.0);
    with(&ahead, &others, |lattice| lattice.following(&route, Some((station, 0))))
}

#[test]
fn one_ahead_is_followed_at_a_distance() {
    let (ahead, others) = (road(20.0), nobody());
    let free = with(&ahead, &others, |lattice| lattice.following(&PlannedRoute::PATH, None));
    assert_eq!(free, (f64::INFINITY, 0.0));
    let gap = |gap: f64, along: f64| behind(Other { ahead: 4.4 + gap, along, ..CAR }, 10, 0.0);
    // 4 m/s² over the distance that is left.
    let (speed, braking) = gap(12.0, 10.0);
    assert_close(speed, (100.0 + 8.0 * 2.0_f64).sqrt());
    assert_close(braking, (225.0 - 100.0) / (2.0 * 11.0));
    assert_eq!(gap(30.0, 10.0), ((100.0 + 8.0 * 20.0_f64).sqrt(), 0.0));
    // Too near it falls back; twice the planned braking is the upper bound.
    assert_close(gap(6.0, 10.0).0, 6.0);
    assert_close(gap(6.0, 10.0).1, 8.0);
    assert_close(gap(9.99, 14.0).1, 29.0 / (2.0 * 8.99));
    assert_close(gap(1.2, 14.5).1, 8.0);
    assert_close(gap(1.2, 14.99).1, (225.0 - 14.99 * 14.99) / 1.0);
    assert_eq!(gap(-1.0, 10.0).0, 0.0);
    // One that reverses does not come from the front.
    assert_close(gap(12.0, -3.0).0, 4.0);
    assert_close(gap(12.0, -3.0).1, 8.0);
    // A faster one is too far to brake for.
    assert_eq!(gap(12.0, 16.0).1, 0.0);
}

#[test]
fn one_that_crosses_is_let_through() {
    // It leaves the strip after (6 + 1.8) / 2 s; its strip begins 30 + 2 · 2 - 4.4 - 4 m ahead.
    let crosses = Other { crosses: true, across: 2.0, along: 1.0, offset: -6.0, ..CAR };
    let (speed, braking) = behind(crosses, 10, 0.0);
    assert_close(speed, (23.6 + 1.0) / 3.9);
    assert_close(braking, 225.0 / (2.0 * 23.6));
    // Nearer, what 4 m/s² allow; at an offset it is there later.
    let soon = Other { offset: 1.9, ..crosses };
    assert_close(behind(Other { ahead: 10.0, ..soon }, 10, 0.0).0, (2.0 * 4.0 * 3.6_f64).sqrt());
    assert_close(behind(Other { ahead: 10.0, ..soon }, 10, 0.0).1, 8.0);
    assert_close(behind(crosses, 10, 1.5).0, 24.6 / 4.65);
    assert_eq!(behind(Other { ahead: 5.0, ..crosses }, 10, 0.0).0, 0.0);
}

#[test]
fn one_that_comes_is_met_half_way_before_the_place_where_both_move_aside() {
    let comes = Other { faces_against: true, faces_ahead: false, ..CAR };
    // Both keep to their right: from 0 to -5 m on two arcs, and 1 m; no nearer than 12 m matters.
    let aside = (4.0 * 2.6 / 0.6_f64.tan() * 5.0).sqrt();
    let keep = (aside.min(12.0) + 1.0_f64).max(4.0 + 0.4 * 15.0);
    let stands = behind(Other { along: 0.0, ahead: 34.4, ..comes }, 10, 0.0);
    assert_close(stands.0, (8.0 * (30.0 - keep)).sqrt());
    // At 5 m/s it takes a quarter of what lies between.
    let moves = behind(Other { along: -5.0, ahead: 34.4, ..comes }, 10, 0.0);
    assert_close(moves.0, (8.0 * 0.75 * (30.0 - keep)).sqrt());
    // At its side of the road already, the usual distance.
    assert_close(behind(Other { along: 0.0, ahead: 34.4, ..comes }, 10, -5.0).0, (8.0 * 20.0_f64).sqrt());
}

#[test]
fn the_lower_of_both_speeds_counts() {
    let ahead = road(20.0);
    let others = Others::one(Other { ahead: 16.4, ..CAR }, &[]);
    let route = |curvature: f64| {
        PlannedRoute::new(3.0, 0.0, std::array::from_fn(|k| 1.0 + 0.5 * curvature * (3.0 * k as f64).powi(2)))
    };
    let speed = |curvature: f64| with(&ahead, &others, |lattice| lattice.speed_on(&route(curvature), Some((4, 0))));
    assert_close(speed(0.08).0, 10.0);
    assert_close(speed(0.05).0, (100.0 + 8.0 * 2.0_f64).sqrt());
    assert_close(speed(0.05).1, 125.0 / 22.0);
}

#[test]
fn curves_are_cut_off_at_the_edges_of_the_widest_corridor() {
    let mut ahead = road(20.0);
    (ahead.corridor.low[3], ahead.corridor.high[5]) = (-7.0, 8.0);
    let others = nobody();
    with(&ahead, &others, |lattice| {
        assert_eq!(lattice.corridor(), (-7.0, 8.0));
        let cut = lattice.cut_off(|s| 0.5 * s);
        for (k, offset) in cut.iter().enumerate() {
            assert_close(*offset, (1.5 * k as f64).min(if k == 5 { 8.0 } else { 5.0 }));
        }
        assert_eq!(lattice.cut_off(|_| -9.0)[3], -7.0);
    });
}

/// Alone the path is the cheapest, and around one that stands on it the side with room.
#[test]
fn the_cheapest_curve_leads_past_what_stands_on_the_side_that_has_room() {
    let path = PlannedRoute::PATH;
    let (free, others) = (road(20.0), nobody());
    let choice = with(&free, &others, |lattice| lattice.cheapest(&path, 0.0, 0.0));
    assert_eq!((choice.goal, choice.blocked, choice.offsets), (0.0, None, [0.0; STATIONS]));
    for side in [1.0, -1.0] {
        let mut ahead = road(20.0);
        let half = if side > 0.0 { &mut ahead.corridor.low } else { &mut ahead.corridor.high };
        *half = [-side * 1.0; STATIONS];
        let taken: Vec<_> = (11..15).map(|station| Taken { station, other: 0, low: -1.8, high: 1.8 }).collect();
        let others = Others::one(Other { ahead: 38.0, along: 0.0, ..CAR }, &taken);
        let choice = with(&ahead, &others, |lattice| lattice.cheapest(&path, 0.0, 0.0));
        assert!(choice.blocked.is_none() && side * choice.goal > 2.1, "{choice:?}");
        // With the distance that is wanted beside it, no more.
        assert_close(choice.goal, side * 2.82);
        assert!((11..15).all(|k| side * choice.offsets[k] > 1.8 + 0.3), "{choice:?}");
    }
}

/// At walking pace a car is aside within 22 m or less, and a vehicle half as long within half of that.
#[test]
fn a_small_vehicle_moves_aside_in_half_the_distance() {
    let (path, ahead) = (PlannedRoute::PATH, road(20.0));
    let taken: Vec<_> = (3..6).map(|station| Taken { station, other: 0, low: -1.0, high: 1.0 }).collect();
    let others = Others::one(Other { ahead: 13.5, half_lengths: 2.0, half_widths: 1.0, along: 0.0, ..CAR }, &taken);
    let choice =
        with(&ahead, &others, |lattice| Lattice { speed: 1.0, size: 0.5, ..*lattice }.cheapest(&path, 0.0, 0.0));
    let curve = OffsetCurve::between(&path.at(0.0), choice.goal, 11.0);
    assert!(choice.goal.abs() > 2.0 && choice.blocked.is_none(), "{choice:?}");
    (0..STATIONS).for_each(|k| assert_close(choice.offsets[k], curve.at(3.0 * k as f64).offset));
}
