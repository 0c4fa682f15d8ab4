use super::testing::road;
use super::*;
use crate::chassis::testing::{HEADING, on_straight, place, straight, straight_of};
use crate::closeness::assert_close;
use crate::path::{Path, Waypoint};
use raceline_car::VehicleDynamics;

#[test]
fn of_two_at_a_crossing_at_the_same_time_the_one_from_the_right_goes_first() {
    // It enters the crossing at `enters`, from the left or from the right; this vehicle at 4 s.
    let goes_first = |enters: f64, from_right: bool| {
        let side = if from_right { -1.0 } else { 1.0 };
        let offset = side * (5.0 * enters + 2.0);
        let other = Other { offset, across: -side * 5.0, half_widths: 2.0, crosses: true, ..Other::default() };
        other.goes_first(0.0, 4.0)
    };
    // From 0.7 s before to 0.7 s after this vehicle the side decides, else who is there first.
    for (enters, from_left, from_right) in
        [(3.25, true, true), (3.35, false, true), (4.65, false, true), (4.75, false, false)]
    {
        assert_eq!([goes_first(enters, false), goes_first(enters, true)], [from_left, from_right], "{enters}");
    }
    // One that cannot stop any more goes first: 25 / 6 m before the crossing.
    let soon = |enters: f64| {
        let other =
            Other { offset: 5.0 * enters + 2.0, across: -5.0, half_widths: 2.0, crosses: true, ..Other::default() };
        other.goes_first(0.0, 0.5)
    };
    assert!(soon(0.82) && !soon(0.84));
}

#[test]
fn who_drives_stays_on_the_road_and_what_stands_stays_where_it_is() {
    let at = |k: usize| {
        let s = 3.0 * k as f64;
        Station { s, time: s / 15.0, speed: 15.0, curvature: 0.0, top: 15.0, grip: 8.0 }
    };
    // The path comes to the right edge.
    let low = std::array::from_fn(|k| -(6.0 - 0.3 * k as f64).max(0.5));
    let corridor = Gaps { low, high: [8.0; STATIONS] };
    let ahead = Ahead { stations: std::array::from_fn(at), step: 3.0, corridor };
    let car = Other { offset: -5.0, along: 12.0, half_lengths: 4.0, half_widths: 2.0, ..Other::default() };
    for (other, moves) in [(car, true), (Other { ahead: 48.0, along: 0.0, ..car }, false)] {
        let mut others = Others::one(other, &[]);
        others.take(&ahead);
        assert!(!others.taken().is_empty());
        for taken in others.taken() {
            let middle = if moves { low[taken.station].max(-5.0) } else { -5.0 };
            assert!((taken.low - middle + 2.0).abs() < 1e-12, "{taken:?}");
        }
        let last = others.taken().last().unwrap();
        assert!(last.low > -7.0 || !moves, "{last:?}");
    }
}

#[test]
fn where_another_is_and_how_it_moves_is_known_by_its_bounds() {
    let car = Other { half_lengths: 4.0, half_widths: 2.0, ..Other::default() };
    let at = |ahead: f64| Other { ahead, ..car };
    assert_eq!([at(3.9), at(-3.9), at(4.1), at(-4.1)].map(|other| other.is_abreast()), [true, true, false, false]);
    assert_eq!([at(3.9), at(-3.9), at(-4.0), at(-4.1)].map(|other| other.is_behind()), [false, false, true, true]);
    let moves = |along: f64, across: f64| Other { along, across, ..car };
    assert!(moves(0.3, 0.39).stands() && !moves(0.3, 0.41).stands() && moves(-0.3, -0.39).stands());
    assert!(moves(1.01, 0.0).drives() && !moves(0.99, 0.0).drives() && !moves(-2.0, 0.0).drives());
    assert!(!Other { crosses: true, ..moves(2.0, 0.0) }.drives());
    let against = Other { faces_against: true, ..car };
    assert!(against.is_oncoming() && !Other { crosses: true, ..against }.is_oncoming() && !car.is_oncoming());
}

#[test]
fn motion_across_fades_unless_it_crosses_the_road() {
    let other = Other { offset: 1.0, across: -2.0, half_widths: 1.5, ..Other::default() };
    assert_close(other.offset_in(0.5), 0.0);
    assert_close(other.offset_in(3.0), -1.0);
    let crosses = Other { crosses: true, ..other };
    assert_close(crosses.offset_in(3.0), -5.0);
    // From 1 m on to the right, about -4 m: between 3.5 m and 6.5 m from where it is.
    assert_eq!(crosses.crossing_times(-4.0), [1.75, 3.25]);
    // It has entered the strip about 0 already, and left the one at 3 m.
    assert_eq!(crosses.crossing_times(0.0), [0.0, 1.25]);
    assert_eq!(crosses.crossing_times(3.0), [0.0, 0.0]);
    let left = Other { offset: -4.0, across: 0.05, ..crosses };
    assert_eq!(left.crossing_times(0.0), [25.0, 55.0]);
}

/// A vehicle that comes on the path moves to its right, at 0.7 m/s, as far as the road goes, and straightens in 1.5 s.
#[test]
fn one_that_comes_moves_aside_as_far_as_its_side_of_the_road() {
    let comes = Other { half_widths: 2.5, straight_widths: 1.9, narrower: 0.2, ..Other::default() };
    let is = |found: (f64, f64), at: f64, half: f64| {
        assert_close(found.0, at);
        assert_close(found.1, half);
    };
    is(comes.moved_aside(0.6, 3.0), 0.42, 2.5 - 0.4 * 0.6);
    is(comes.moved_aside(10.0, 3.0), 3.2, 1.9);
    is(Other { offset: 4.0, ..comes }.moved_aside(10.0, 3.0), 4.0, 1.9);
    is(Other { offset: 1.0, across: -0.5, ..comes }.moved_aside(0.6, 3.0), 0.7 + 0.42, 2.5 - 0.4 * 0.6);
    // It is no wider for standing askew.
    is(Other { straight_widths: 2.8, ..comes }.moved_aside(0.6, 3.0), 0.42, 2.5);
}

#[test]
fn what_the_path_allows_is_that_of_the_nearest_station() {
    let mut ahead = road(15.0);
    (ahead.stations[4].top, ahead.corridor.low[4], ahead.corridor.high[4]) = (9.0, -2.0, 3.0);
    for (distance, there) in [(10.4, false), (10.6, true), (13.4, true), (13.6, false)] {
        assert_eq!(ahead.top(distance) == 9.0, there, "{distance}");
        assert_eq!(ahead.room_at(distance) == (-2.0, 3.0), there, "{distance}");
    }
    (ahead.stations[0].top, ahead.stations[STATIONS - 1].top) = (7.0, 8.0);
    (ahead.corridor.low[0], ahead.corridor.low[STATIONS - 1]) = (-7.0, -8.0);
    assert_eq!(
        [ahead.top(-50.0), ahead.top(500.0), ahead.room_at(-50.0).0, ahead.room_at(500.0).0],
        [7.0, 8.0, -7.0, -8.0]
    );
    assert_eq!(ahead.horizon(), 81.0);
    let of = |length_m: f64| size_of(&VehicleGeometry { length_m, ..VehicleGeometry::default() });
    assert_eq!([of(2.0), of(4.0), of(8.0)], [0.5, 1.0, 1.0]);
}

/// The path from 100 m on as a car with this speed sees it.
fn seen(path: &Path, speed: f64, speeds: &TargetSpeedOptions) -> Ahead {
    let frame = on_straight(path, [100.0, 0.0], speed);
    let options = LocalPlannerOptions { horizon_m: 90.0, ..LocalPlannerOptions::default() };
    Ahead::new(&frame, speeds, &options, &VehicleGeometry::default())
}

#[test]
fn a_free_road_is_driven_at_the_speed_that_drive_and_brakes_reach() {
    let speeds =
        TargetSpeedOptions { lateral_acceleration_g: 1.0, max_speed_mps: 100.0, ..TargetSpeedOptions::default() };
    let path = straight([6.0, 4.0], 15.0);
    for (speed, horizon) in [(0.0, 30.0), (8.0, 40.0), (30.0, 90.0), (-5.0, 30.0)] {
        assert_close(seen(&path, speed, &speeds).horizon(), horizon);
    }
    let ahead = seen(&path, 8.0, &speeds);
    let step = 40.0 / (STATIONS - 1) as f64;
    assert_close(ahead.step, step);
    let mut time = 0.0;
    for (k, there) in ahead.stations.iter().enumerate() {
        // 3 m/s² from 8 m/s on.
        let speed = |k: usize| (64.0 + 6.0 * step * k as f64).sqrt().min(15.0);
        assert_close(there.speed, speed(k));
        if k > 0 {
            time += 2.0 * step / (speed(k) + speed(k - 1));
        }
        assert_close(there.time, time);
        assert_close(there.s, step * k as f64);
        // Half a width and 0.3 m from the edges.
        assert_close(there.top, 15.0);
        assert_close(ahead.corridor.low[k], -4.0 + 0.9 + 0.3);
        assert_close(ahead.corridor.high[k], 6.0 - 0.9 - 0.3);
        assert_close(there.grip, 0.9 * STANDARD_GRAVITY);
    }
    assert_eq!(
        seen(&straight([1.0, 0.5], 15.0), 8.0, &speeds).corridor,
        Gaps { low: [0.0; STATIONS], high: [0.0; STATIONS] }
    );
    // 4 m/s² to 5 m/s, 20 m ahead: a path's speed is linear in its square, of which the brakes take their part.
    let slows =
        straight_of(|along| Waypoint { speed_mps: if along < 125.0 { 15.0 } else { 5.0 }, ..Waypoint::default() });
    let ahead = seen(&slows, 20.0, &speeds);
    let slow = ahead.stations.iter().position(|there| there.top < 5.0 + 1e-9).unwrap();
    for k in 0..slow {
        let there = &ahead.stations[k];
        let braked = (25.0 + 8.0 * (ahead.stations[slow].s - there.s)).sqrt();
        assert!(there.speed <= braked + 1e-9 && there.speed <= there.top + 1e-9, "{k} {there:?}");
        assert!(there.speed >= braked.min(there.top) - 1.0, "{k} {there:?} {braked}");
    }
    assert_close(ahead.stations[0].speed, (25.0 + 8.0 * ahead.stations[slow].s).sqrt().min(15.0));
}

#[test]
fn bends_options_and_tyres_limit_the_speed_of_the_path() {
    let speeds = TargetSpeedOptions {
        lateral_acceleration_g: 0.5,
        max_speed_mps: 30.0,
        profile_scale: 0.8,
        min_speed_mps: 3.0,
        ..TargetSpeedOptions::default()
    };
    let lateral = 0.5 * STANDARD_GRAVITY;
    let path = |speed_mps: f64, curvature_radpm: f64| {
        straight_of(|_| Waypoint { speed_mps, curvature_radpm, ..Waypoint::default() })
    };
    let first = |path: &Path| seen(path, 25.0, &speeds).stations[3];
    let there = first(&path(20.0, 0.005));
    assert_close(there.top, 16.0);
    assert_close(there.curvature, 0.005);
    assert_close(there.grip, 0.9 * lateral);
    assert_close(first(&path(60.0, 0.0)).top, 30.0);
    let bend = first(&path(20.0, -0.05));
    assert_close(bend.top, (lateral / 0.05).sqrt());
    // What the path's own speed takes is there, and the tyres' own limit where it is known.
    assert_close(bend.grip, lateral);
    let known = path(20.0, 0.005).with_dynamics(&VehicleDynamics::constant(12.0, 10.0, 5.0));
    assert_close(first(&known).grip, 0.9 * 12.0);
    // A path that stands is driven at the lowest speed, and allows 1 m/s.
    let stands = first(&path(0.0, 0.0));
    assert_eq!((stands.top, stands.speed), (1.0, 3.0));
}

/// What is seen of another from 100 m along the straight path, 1 m to its left, at 10 m/s.
fn others(body: &Neighbour, round: bool) -> Option<Other> {
    let path = straight([6.0, 4.0], 15.0);
    let frame = on_straight(&path, [100.0, 1.0], 10.0);
    let vehicle = VehicleGeometry { rear_axle_m: 1.0, ..VehicleGeometry::default() };
    let mut others = Others::none();
    others.add(&frame, body, round, &vehicle, &road(15.0));
    assert_eq!(others.is_empty(), others.bodies().is_empty());
    others.bodies().first().copied()
}

/// A car at a place, turned against the path, with a velocity along and across.
fn car([along, left]: [f64; 2], turned: f64, [vx, vy]: [f64; 2]) -> Neighbour {
    Neighbour {
        position_m: place(along, left),
        velocity_mps: [0.8 * vx - 0.6 * vy, 0.6 * vx + 0.8 * vy, 0.0],
        heading_rad: HEADING + turned,
        length_m: 5.0,
        width_m: 2.0,
    }
}

#[test]
fn another_is_seen_in_the_paths_own_coordinates() {
    let found = others(&car([130.0, 2.0], 0.3, [8.0, 0.5]), false).unwrap();
    // The frame's own body is where its default geometry has it, at the reference point.
    assert_close(found.ahead, 30.0);
    assert_close(found.offset, 2.0);
    assert_close(found.along, 8.0);
    assert_close(found.across, 0.5);
    let (sin, cos) = 0.3_f64.sin_cos();
    assert_close(found.half_lengths, 0.5 * (5.0 * cos + 2.0 * sin) + 2.2);
    assert_close(found.half_widths, 0.5 * (5.0 * sin + 2.0 * cos) + 0.9);
    assert_close(found.straight_widths, 1.9);
    assert_close(found.narrower, -0.1);
    assert!(found.is_vehicle && found.faces_ahead && !found.faces_against && !found.crosses);
    // An obstacle is round, and faces nowhere.
    let round = others(&car([130.0, 2.0], 0.3, [0.0; 2]), true).unwrap();
    assert_close(round.half_lengths, 2.5 + 2.2);
    assert!(!round.is_vehicle && !round.faces_ahead && !round.faces_against);
    let faces = |turned: f64| {
        let found = others(&car([130.0, 2.0], turned, [0.0; 2]), false).unwrap();
        (found.faces_ahead, found.faces_against)
    };
    // Within 60 degrees.
    assert_eq!([faces(1.04), faces(-1.04), faces(1.06)], [(true, false), (true, false), (false, false)]);
    assert_eq!([faces(2.08), faces(2.11), faces(3.0)], [(false, false), (false, true), (false, true)]);
}

#[test]
fn one_whose_course_differs_much_crosses_the_road() {
    let crosses = |vx: f64, vy: f64| others(&car([130.0, 2.0], 0.0, [vx, vy]), false).unwrap().crosses;
    let at = |course: f64, speed: f64| crosses(speed * course.cos(), speed * course.sin());
    for side in [1.0, -1.0] {
        assert_eq!([0.59, 0.61, 2.53, 2.55].map(|course| at(side * course, 5.0)), [false, true, true, false]);
        assert_eq!([at(side * 1.5, 0.99), at(side * 1.5, 1.01)], [false, true]);
    }
}

#[test]
fn others_off_the_road_or_far_away_are_not_looked_at() {
    let is_seen =
        |along: f64, left: f64, velocity: [f64; 2]| others(&car([along, left], 0.0, velocity), false).is_some();
    // With its half width of 1 m beside the edges, 6 m to the left and 4 m to the right.
    assert!(is_seen(120.0, 6.9, [0.0; 2]) && !is_seen(120.0, 7.1, [0.0; 2]));
    assert!(is_seen(120.0, -4.9, [0.0; 2]) && !is_seen(120.0, -5.1, [0.0; 2]));
    // Unless it comes onto the road.
    assert!(is_seen(120.0, 9.0, [0.0, -3.0]) && !is_seen(120.0, 9.0, [0.0, 3.0]) && is_seen(120.0, -9.0, [0.0, 3.0]));
    assert!(!is_seen(120.0, 9.0, [9.0, -1.0]));
    // Within 81 m and its length, and not on a bridge.
    assert!(is_seen(185.0, 1.0, [0.0; 2]) && !is_seen(187.0, 1.0, [0.0; 2]));
    let mut above = car([120.0, 1.0], 0.0, [0.0; 2]);
    above.position_m[2] = 8.9;
    assert!(others(&above, false).is_some());
    above.position_m[2] = 9.1;
    assert!(others(&above, false).is_none());
    above.position_m[2] = f64::NAN;
    assert!(others(&above, false).is_none());
}

#[test]
fn obstacles_come_first_and_what_nobody_sees_takes_nothing() {
    let path = straight([6.0, 4.0], 15.0);
    let frame = on_straight(&path, [100.0, 1.0], 10.0);
    let [x, y, _] = place(125.0, 0.0);
    let obstacles = [crate::bodies::Body { position_m: [x, y], radius_m: 0.5, ..Default::default() }];
    let neighbours = [car([130.0, 2.0], 0.0, [8.0, 0.0])];
    let around = Around { neighbours: &neighbours, obstacles: &obstacles, pick_ups: &[] };
    let others = Others::new(&frame, &around, &VehicleGeometry::default(), &road(15.0));
    assert_eq!(others.bodies().iter().map(|other| other.is_vehicle).collect::<Vec<_>>(), [false, true]);
    assert!(others.taken().iter().any(|taken| taken.other == 0) && others.taken().iter().any(|taken| taken.other == 1));
    let nobody = Others::new(
        &frame,
        &Around { neighbours: &[], obstacles: &[], ..around },
        &VehicleGeometry::default(),
        &road(15.0),
    );
    assert!(nobody.is_empty() && nobody.taken().is_empty());
}

/// The stations at which another takes something, and what at the first.
fn taken(other: Other, ahead: &Ahead) -> (Vec<usize>, [f64; 2]) {
    let mut others = Others::one(other, &[]);
    others.take(ahead);
    let first = others.taken().first().map_or([f64::NAN; 2], |taken| [taken.low, taken.high]);
    (others.taken().iter().map(|taken| taken.station).collect(), first)
}

#[test]
fn another_takes_the_stations_where_it_is_when_the_vehicle_is_there() {
    let body = Other { ahead: 30.0, half_lengths: 4.0, half_widths: 2.0, ..Other::default() };
    // What stands: within 4 m and half a step of 3 m.
    assert_eq!(taken(body, &road(15.0)), ((9..=11).collect(), [-2.0, 2.0]));
    assert_eq!(taken(Other { ahead: 30.6, ..body }, &road(15.0)).0, [9, 10, 11, 12]);
    // At 6 m/s it is met where 15 m/s catch up: 30 / 9 s, 50 m ahead; within 4 m and 2.1 m of it.
    let meets = |along: f64, slack: f64| -> Vec<usize> {
        (0..STATIONS).filter(|k| (30.0 + along * *k as f64 * 0.2 - 3.0 * *k as f64).abs() < 4.0 + slack).collect()
    };
    assert_eq!(taken(Other { along: 6.0, ..body }, &road(15.0)).0, meets(6.0, 2.1));
    // One that comes at 45 m/s: both move, at most twice the vehicle's speed.
    assert_eq!(taken(Other { along: -45.0, faces_against: true, ..body }, &road(15.0)).0, meets(-45.0, 4.5));
    // One that reverses from the vehicle is taken to stand soon.
    assert_eq!(taken(Other { along: 6.0, faces_against: true, ..body }, &road(15.0)).0, meets(0.0, 2.1));
    // Where the path slows from 15 to 5 m/s the other slows as well.
    let mut slow = road(15.0);
    for k in 10..STATIONS {
        slow.stations[k].top = 5.0;
    }
    let mut places = vec![15.0];
    for k in 1..STATIONS {
        let before: f64 = places[k - 1];
        let slower = if (before / 3.0).round() >= 10.0 { 1.0 / 3.0 } else { 1.0 };
        places.push(before + 12.0 * slower * 0.2);
    }
    let expected: Vec<_> = (0..STATIONS).filter(|k| (places[*k] - 3.0 * *k as f64).abs() < 4.0 + 2.7).collect();
    assert_eq!(taken(Other { ahead: 15.0, along: 12.0, ..body }, &slow).0, expected);
    // From a slow place on it is not faster.
    let mut fast = road(15.0);
    fast.stations[5].top = 5.0;
    let expected: Vec<_> = (0..STATIONS).filter(|k| (15.0 - 0.6 * *k as f64).abs() < 4.0 + 2.7).collect();
    assert_eq!(taken(Other { ahead: 15.0, along: 12.0, ..body }, &fast).0, expected);
}

#[test]
fn one_that_crosses_takes_its_strip_while_it_is_there() {
    // From the right at 5 m/s, 30 m ahead: when the vehicle is at the station before it, 1.8 s, it is at the road's middle.
    let crosses = Other {
        ahead: 30.0,
        offset: -9.0,
        across: 5.0,
        crosses: true,
        half_lengths: 2.0,
        half_widths: 2.0,
        ..Other::default()
    };
    let (stations, [low, high]) = taken(crosses, &road(15.0));
    assert_eq!(stations, [9, 10, 11]);
    // Half of a step at 15 m/s, 0.1 s, it moves by 0.5 m.
    assert_close(low, -9.0 + 5.0 * 1.8 - 2.5);
    assert_close(high, -9.0 + 5.0 * 1.8 + 2.5);
    // From the left it goes first where it is there 0.7 s sooner, after 1.4 s; the later waits, from either side.
    assert_eq!(taken(Other { offset: 9.0, across: -5.0, ..crosses }, &road(15.0)).0, [11]);
    assert!(taken(Other { offset: -30.0, ..crosses }, &road(15.0)).0.is_empty());
    // One that comes keeps to its right.
    let comes = Other { across: 0.0, crosses: false, faces_against: true, straight_widths: 1.8, ..crosses };
    let (_, [low, high]) = taken(Other { offset: 0.0, ..comes }, &road(15.0));
    assert_close(low, 0.7 * 1.8 - 1.8);
    assert_close(high, 0.7 * 1.8 + 1.8);
}
