//! Driven lines, and places at the ends of maximum speeds, against closed forms.

use std::f64::consts::{PI, TAU};

use raceline_car::{DriveLimit, Vehicle, preset};
use raceline_road::geometry::{CurvePoint, Point, SplineCurve, Vector};

use crate::speed::{DrivenLine, GripMap, Ground, Lap, Relief, SpeedCaps, SpeedError, SpeedOptions, places_at_ends};

#[track_caller]
fn assert_near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} is not {expected}");
}

/// A vehicle whose only limits are those of the tyres, 8 m/s² across and along, and 30 m/s.
pub(super) fn tyres() -> Vehicle {
    Vehicle {
        lateral_limit_mps2: 8.0,
        longitudinal_limit_mps2: 8.0,
        drag_kgpm: 0.0,
        downforce_kgpm: 0.0,
        rolling_resistance: 0.0,
        max_speed_mps: 30.0,
        drive: DriveLimit::TableMps2(vec![[0.0, 100.0]]),
        ..preset("gt").unwrap()
    }
}

fn ring(radius_m: f64, count: u32) -> Vec<Point> {
    let place = |i: u32| TAU * f64::from(i) / f64::from(count);
    (0..count).map(|i| Point::new(radius_m * place(i).cos(), radius_m * place(i).sin())).collect()
}

fn straight(length_m: f64, steps: u32) -> Vec<Point> {
    (0..=steps).map(|i| Point::new(length_m * f64::from(i) / f64::from(steps), 0.0)).collect()
}

#[test]
fn a_circle_is_driven_at_the_root_of_limit_times_radius() {
    let line = DrivenLine::through(&ring(20.0, 240), true, &tyres()).unwrap();
    let (speed, length) = ((8.0_f64 * 20.0).sqrt(), TAU * 20.0);
    assert_near(line.length_m, length, 1e-4);
    assert_near(line.arc_length_whole_m, line.length_m, 1e-12);
    assert_eq!(line.arc_length_m, line.distance_m);
    assert!(line.is_closed() && line.grip.is_none() && line.grounds.is_none() && line.loads.is_none());
    for i in 0..240 {
        assert_near(line.curvature[i], 0.05, 1e-5);
        assert_near(line.profile.speed_mps[i], speed, 2e-3);
        assert_near(line.profile.accel_mps2[i], 0.0, 2e-2);
        assert_near(line.distance_m[i], length * i as f64 / 240.0, 1e-4);
        assert_near(line.profile.time_s[i], line.distance_m[i] / speed, 1e-3);
    }
    assert_near(line.lap_time_s(), length / speed, 1e-3);
    assert_near(line.top_speed_mps(), speed, 2e-3);
    assert_near(line.lowest_speed_mps(), speed, 2e-3);
    // The last step leads back to the first point.
    let steps = line.step_lengths();
    assert_eq!(steps.len(), 240);
    steps.iter().for_each(|&step| assert_near(step, length / 240.0, 1e-4));
    // Between the points the curve is the circle.
    let between: Vec<Point> = line.between().collect();
    assert_eq!(between.len(), 6 * 241);
    between.iter().for_each(|place| assert_near(place.coords.norm(), 20.0, 1e-3));
    // At the profile's own positions, every fourth of which is a point.
    let whole = line.fixed().profile(&tyres()).unwrap();
    assert_eq!(whole.speed_mps.len(), 960);
    assert_eq!(line.speeds_at_points(&whole).collect::<Vec<_>>(), line.profile.speed_mps);
}

#[test]
fn the_profile_s_positions_lie_a_quarter_of_a_step_apart() {
    let oval: Vec<Point> = ring(20.0, 60).iter().map(|place| Point::new(2.0 * place.x, place.y)).collect();
    for closed in [true, false] {
        let line = DrivenLine::through(&oval, closed, &tyres()).unwrap();
        let curve = SplineCurve::through(&oval, closed).unwrap();
        let fixed = line.fixed();
        assert_eq!(fixed.curvature.len(), if closed { 240 } else { 237 });
        let mut s = 0.0;
        for (i, curvature) in fixed.curvature.iter().enumerate() {
            assert_near(*curvature, curve.at(s).curvature(), 1e-9);
            assert!(i % 4 != 0 || (s - line.distance_m[i / 4]).abs() < 1e-9);
            s += fixed.step_lengths.get(i).copied().unwrap_or(0.0);
        }
        assert_near(s, line.length_m, 1e-9);
    }
}

#[test]
fn a_straight_is_driven_by_the_limit_along() {
    let line = DrivenLine::through(&straight(40.0, 20), false, &tyres()).unwrap();
    assert!(!line.is_closed());
    assert_eq!((line.points.len(), line.profile.accel_mps2.len(), line.step_lengths().len()), (21, 21, 20));
    // v² = 2 a s, and the last acceleration is repeated.
    for (speed, s) in line.profile.speed_mps.iter().zip(&line.distance_m).skip(1) {
        assert_near(*speed, (16.0 * s).sqrt(), 1e-3);
    }
    line.profile.accel_mps2.iter().for_each(|&accel| assert_near(accel, 8.0, 1e-2));
    assert_near(line.lap_time_s(), (2.0 * 40.0 / 8.0_f64).sqrt(), 2e-2);
    assert!(matches!(DrivenLine::through(&[Point::origin()], false, &tyres()), Err(SpeedError::NoCurve { points: 1 })));
    let curve = SplineCurve::through(&straight(40.0, 20), false).unwrap();
    let one_place = DrivenLine::along(curve, vec![0.0], &tyres());
    assert!(matches!(one_place, Err(SpeedError::TooFewPoints { points: 1 })));
    let ring = SplineCurve::through(&ring(20.0, 60), true).unwrap();
    assert!(matches!(DrivenLine::along(ring, vec![0.0], &tyres()), Err(SpeedError::TooFewPoints { points: 1 })));
    // Two places are enough.
    let two = DrivenLine::through(&straight(40.0, 1), false, &tyres()).unwrap();
    assert_near(two.profile.speed_mps[1], (16.0_f64 * 40.0).sqrt(), 1e-3);
}

#[test]
fn given_speeds_have_constant_acceleration_between_points() {
    let open = DrivenLine::through(&straight(30.0, 3), false, &tyres()).unwrap();
    let open = open.with_speeds(vec![4.0, 6.0, 6.0, 2.0], &tyres());
    for (found, expected) in open.profile.accel_mps2.iter().zip([1.0, 0.0, -1.6, -1.6]) {
        assert_near(*found, expected, 1e-9);
    }
    let times = [0.0, 2.0, 2.0 + 10.0 / 6.0, 2.0 + 10.0 / 6.0 + 2.5];
    assert_eq!(open.profile.time_s.len(), 4);
    for (found, expected) in open.profile.time_s.iter().zip(times) {
        assert_near(*found, expected, 1e-9);
    }
    assert_near(open.lap_time_s(), times[3], 1e-9);
    assert_eq!((open.top_speed_mps(), open.lowest_speed_mps()), (6.0, 2.0));
    // A closed line has a step back to its first point.
    let closed = DrivenLine::through(&ring(20.0, 40), true, &tyres()).unwrap();
    let step = closed.length_m / 40.0;
    let mut speeds = vec![5.0; 40];
    speeds[0] = 3.0;
    let closed = closed.with_speeds(speeds, &tyres());
    assert_eq!(closed.profile.time_s.len(), 40);
    assert_near(closed.profile.accel_mps2[0], 16.0 / (2.0 * step), 1e-3);
    assert_near(closed.profile.accel_mps2[39], -16.0 / (2.0 * step), 1e-3);
    assert_near(closed.lap_time_s(), 38.0 * step / 5.0 + 2.0 * step / 4.0, 1e-3);
}

#[test]
fn accelerations_are_those_between_the_points_up_to_the_first_one_again() {
    let vehicle = tyres();
    let lap = Lap::on(&vehicle, SpeedOptions::default(), Some(&HalfWet), None::<&Uphill>);
    // The start lies where the vehicle brakes for the worse half.
    let mut points: Vec<Point> = ring(20.0, 60).iter().map(|place| Point::new(19.9 - place.x, -place.y)).collect();
    points.rotate_left(12);
    let line = DrivenLine::through(&points, true, lap).unwrap();
    let steps = line.step_lengths();
    let speeds = &line.profile.speed_mps;
    for i in 0..60 {
        let (from, to) = (speeds[i], speeds[(i + 1) % 60]);
        assert_near(line.profile.accel_mps2[i], (to * to - from * from) / (2.0 * steps[i]), 1e-9);
    }
    assert!(line.top_speed_mps() > line.lowest_speed_mps() + 2.0);
    let widest = line.profile.accel_mps2.iter().map(|accel| accel.abs()).fold(0.0, f64::max);
    assert!(widest > 2.0 && line.profile.accel_mps2[59] < -1.0, "{:?}", line.profile.accel_mps2);
}

#[test]
fn a_line_that_moves_takes_its_curve_along() {
    let line = DrivenLine::through(&ring(20.0, 60), true, &tyres()).unwrap();
    let offset = Vector::new(1000.0, -300.0);
    let moved = line.clone().moved_by(offset);
    for (before, after) in line.points.iter().zip(&moved.points) {
        assert_near((after.position - before.position - offset).norm(), 0.0, 1e-9);
    }
    for (before, after) in line.between().zip(moved.between()) {
        assert_near((after - before - offset).norm(), 0.0, 1e-9);
    }
    assert_eq!(moved.profile.speed_mps, line.profile.speed_mps);
}

/// A road that rises by the same grade everywhere.
#[derive(Debug)]
struct Uphill {
    grade_rad: f64,
}

impl Relief for Uphill {
    fn along(&self, line: &[CurvePoint]) -> Vec<Ground> {
        let (sin, cos) = self.grade_rad.sin_cos();
        let ground = |place: &CurvePoint| Ground {
            height_m: place.position.x * sin / cos,
            grade_rad: self.grade_rad,
            stretch: 1.0 / cos,
            gravity_normal: 9.80665 * cos,
            gravity_along: 9.80665 * sin,
            ..Ground::LEVEL
        };
        line.iter().map(ground).collect()
    }
}

/// Half of the grip from 20 m on.
#[derive(Debug)]
struct HalfWet;

impl GripMap for HalfWet {
    fn along(&self, line: &[Point]) -> Vec<f64> {
        line.iter().map(|place| if place.x < 20.0 { 1.0 } else { 0.5 }).collect()
    }
}

#[test]
fn lengths_on_a_slope_are_those_in_space() {
    let hill = Uphill { grade_rad: 0.3 };
    let vehicle = tyres();
    let lap = Lap::on(&vehicle, SpeedOptions::default(), Some(&HalfWet), Some(&hill));
    let line = DrivenLine::through(&straight(40.0, 20), false, lap).unwrap();
    assert_near(line.length_m, 40.0, 1e-9);
    assert_near(line.arc_length_whole_m, 40.0 / 0.3_f64.cos(), 1e-9);
    for (space, plane) in line.arc_length_m.iter().zip(&line.distance_m) {
        assert_near(*space, plane / 0.3_f64.cos(), 1e-9);
    }
    // Without downforce the load is that of gravity towards the road.
    line.loads.as_ref().unwrap().iter().for_each(|&load| assert_near(load, 0.3_f64.cos(), 1e-12));
    let grounds = line.grounds.as_ref().unwrap();
    assert_eq!(grounds.len(), 21);
    assert_near(grounds[20].height_m, 40.0 * 0.3_f64.tan(), 1e-9);
    let grip = line.grip.as_ref().unwrap();
    assert!(grip.len() == 21 && grip[..10].iter().all(|&mu| mu == 1.0) && grip[10..].iter().all(|&mu| mu == 0.5));
    // The limit along is 8 N, less gravity, by the length in space; half of the limit from 20 m on.
    let (limit, gravity) = (8.0 * 0.3_f64.cos(), 9.80665 * 0.3_f64.sin());
    let reached = (2.0 * (limit - gravity) * line.arc_length_m[9]).sqrt();
    assert_near(line.profile.speed_mps[9], reached, 1e-3);
    let accel = (line.profile.speed_mps[20].powi(2) - line.profile.speed_mps[15].powi(2))
        / (2.0 * (line.arc_length_m[20] - line.arc_length_m[15]));
    assert_near(accel, 0.5 * limit - gravity, 1e-3);
    // Other speeds have other loads where there is downforce.
    let winged = Vehicle {
        downforce_kgpm: 2.0,
        front_weight_fraction: Some(0.5),
        front_downforce_fraction: Some(0.35),
        ..vehicle
    };
    assert!((winged.limiting_downforce_fraction() - 1.0).abs() > 0.1);
    let lap = Lap::on(&winged, SpeedOptions::default(), None::<&HalfWet>, Some(&hill));
    let line = DrivenLine::through(&straight(40.0, 20), false, lap).unwrap();
    let carried = |speed: f64| {
        let downforce = winged.downforce_on_tyres_kgpm() / winged.mass_kg * winged.limiting_downforce_fraction();
        let pressed = downforce * speed * speed;
        (9.80665 * 0.3_f64.cos() + pressed) / (9.80665 + pressed)
    };
    assert!(line.profile.speed_mps[20] > 10.0);
    assert_near(line.loads.as_ref().unwrap()[20], carried(line.profile.speed_mps[20]), 1e-9);
    let line = line.with_speeds(vec![5.0; 21], &winged);
    assert_near(line.loads.unwrap()[20], carried(5.0), 1e-9);
}

/// A road that is ever steeper.
#[derive(Debug)]
struct Steeper;

impl Relief for Steeper {
    fn along(&self, line: &[CurvePoint]) -> Vec<Ground> {
        line.iter().map(|place| Ground { stretch: 1.0 + 0.01 * place.position.x, ..Ground::LEVEL }).collect()
    }
}

#[test]
fn lengths_in_space_are_sums_of_trapezia() {
    let vehicle = tyres();
    let lap = Lap::on(&vehicle, SpeedOptions::default(), None::<&HalfWet>, Some(&Steeper));
    let line = DrivenLine::through(&straight(40.0, 20), false, lap).unwrap();
    for (space, plane) in line.arc_length_m.iter().zip(&line.distance_m) {
        assert_near(*space, plane + 0.005 * plane * plane, 1e-9);
    }
    assert_near(line.arc_length_whole_m, 48.0, 1e-9);
}

/// Ends of stretches at these parameters, and 10 m/s everywhere.
#[derive(Debug)]
struct Ends(Vec<f64>);

impl SpeedCaps for Ends {
    fn along(&self, line: &[Point]) -> Vec<f64> {
        line.iter().map(|_| 10.0).collect()
    }

    fn ends_on(&self, _curve: &SplineCurve, _count: usize) -> Vec<f64> {
        self.0.clone()
    }
}

/// Places every metre on a straight of 40 m.
fn moved_to(ends: &[f64]) -> Vec<f64> {
    let curve = SplineCurve::through(&straight(40.0, 20), false).unwrap();
    let places: Vec<f64> = (0..=40).map(f64::from).collect();
    let caps = Ends(ends.to_vec());
    let moved = places_at_ends(places.clone(), &curve, Some(&caps));
    assert_eq!(places_at_ends(places, &curve, None), (0..=40).map(f64::from).collect::<Vec<_>>());
    assert!(moved.windows(2).all(|pair| pair[1] > pair[0]), "{moved:?}");
    assert_eq!((moved[0], moved[40], moved.len()), (0.0, 40.0, 41));
    moved
}

#[test]
fn the_nearest_place_meets_an_end_and_its_neighbours_follow_by_a_cosine() {
    let moved = moved_to(&[20.3]);
    for (i, place) in moved.iter().enumerate() {
        let away = i.abs_diff(20);
        let shift = if away < 12 { 0.15 * (1.0 + (PI * away as f64 / 12.0).cos()) } else { 0.0 };
        assert_near(*place, i as f64 + shift, 1e-12);
    }
    assert_eq!(moved[20], 20.3);
    // Half a metre before.
    assert_eq!(moved_to(&[19.6])[20], 19.6);
}

#[test]
fn places_that_met_an_end_and_those_at_the_line_s_ends_stay() {
    // Two ends four places apart: those between move by half of the distance at most.
    let moved = moved_to(&[20.3, 24.4]);
    assert_eq!((moved[20], moved[24]), (20.3, 24.4));
    // Near the begin, at most as many places as there are before it.
    let moved = moved_to(&[2.2]);
    assert_eq!(moved[2], 2.2);
    assert_near(moved[1], 1.1, 1e-12);
    assert_near(moved[3], 3.1, 1e-12);
    assert_eq!(moved[4], 4.0);
    // The second end would take the same place: it stays where the first one is.
    assert_eq!(moved_to(&[20.3, 20.4])[20], 20.3);
    // An end at the very end of the line has no place to move.
    assert_eq!(moved_to(&[40.0]), (0..=40).map(f64::from).collect::<Vec<_>>());
    assert_eq!(moved_to(&[0.0]), (0..=40).map(f64::from).collect::<Vec<_>>());
}

#[test]
fn each_end_is_met_by_its_nearest_place() {
    for tenths in 12..=388_u32 {
        let end = 0.1 * f64::from(tenths);
        let nearest = if tenths % 10 == 5 { moved_to(&[end]).iter().position(|&place| place == end) } else { None };
        let nearest = nearest.unwrap_or(end.round() as usize);
        assert_eq!(moved_to(&[end])[nearest], end, "{end}");
        assert!((nearest as f64 - end).abs() < 0.501, "{end}");
    }
    // Nearer to the line's ends than a twentieth of the distance of two neighbours, it is not met.
    for (end, place, is_met) in [(0.09, 1, false), (0.11, 1, true), (39.89, 39, true), (39.91, 39, false)] {
        assert_eq!(moved_to(&[end])[place] == end, is_met, "{end}");
    }
}

#[test]
fn a_closed_line_has_a_place_before_its_first_one() {
    let curve = SplineCurve::through(&ring(20.0, 60), true).unwrap();
    let step = curve.length() / 60.0;
    let places: Vec<f64> = (0..60).map(|i| step * f64::from(i)).collect();
    let end = 59.3 * step;
    let moved = places_at_ends(places.clone(), &curve, Some(&Ends(vec![end])));
    // One place is between it and the first, which stays.
    assert_eq!((moved[59], moved[0], moved[58]), (end, 0.0, places[58]));
    // 0.03 of the two steps before the end of the lap: too near to the first place.
    let near = 59.97 * step;
    assert_eq!(places_at_ends(places.clone(), &curve, Some(&Ends(vec![near]))), places);
}

#[test]
fn a_maximum_speed_holds_at_every_position() {
    let vehicle = tyres();
    let caps = Ends(vec![]);
    let lap = Lap::from(&vehicle).with_caps(Some(&caps));
    let line = DrivenLine::through(&ring(100.0, 60), true, lap).unwrap();
    assert!(line.profile.speed_mps.iter().all(|&speed| (speed - 10.0).abs() < 1e-9));
    assert_near(line.lap_time_s(), line.length_m / 10.0, 1e-9);
}
