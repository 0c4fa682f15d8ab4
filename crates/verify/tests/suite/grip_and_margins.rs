//! Grip, margins and the drive on a straight road, see [`straight`].

use std::f64::consts::SQRT_2;

use raceline_car::{DriveLimit, STANDARD_GRAVITY};
use raceline_file::{ConstraintKind, EdgeCoordinates};
use raceline_verify::{Against, Conditions, JudgedLine, Rule, verify};
use serde_json::{Value, json};

use crate::closed_forms::{circle, speed_at_use};
use crate::straight_road::{DISTANCE_STEP_M, MARGIN_M, across, check, gates, is_near, straight};

/// The straight at a deceleration of 0.9 of the limit of the tyres, with a vehicle without resistance: where the grip
/// is less than 0.88, steps violate.
fn braking(options: Value) -> JudgedLine {
    let mut line = straight(options);
    let vehicle = &mut line.vehicle;
    (vehicle.drag_kgpm, vehicle.downforce_kgpm, vehicle.rolling_resistance) = (0.0, 0.0, 0.0);
    vehicle.ellipse_exponent = 1.7;
    let accel = 0.9 * vehicle.longitudinal_limit_mps2;
    for point in &mut line.points {
        point.speed_mps = (2.0 * accel * (120.0 - point.s_m)).sqrt();
        point.accel_mps2 = -accel;
    }
    line
}

/// The largest use of the tyres, and the number of steps that use too much.
#[track_caller]
fn uses(line: &JudgedLine, measured: f64, violations: usize) {
    let found = check(line, Rule::Braking);
    assert!((found.measured - measured).abs() < 1e-9 && found.violations == violations, "{found:?}");
    is_near(found.allowed, 1.02);
}

#[test]
fn the_grip_of_a_stretch_counts_where_it_is_surely_lower_and_where_it_may_be_higher() {
    let stretch =
        |from: i32, to: i32, factor: f64| braking(json!({"grip": [{"from_m": from, "to_m": to, "factor": factor}]}));
    uses(&braking(json!({})), 0.9, 0);
    // From 30 to 50 m, and half of it in the steps before and after.
    uses(&stretch(20, 60, 0.5), 1.8, 22);
    uses(&stretch(60, 20, 0.5), 1.8, 10 + 30 + 2);
    // Higher from 10 to 70 m on an asphalt of half the grip.
    let mut wet = stretch(20, 60, 2.0);
    wet.points.iter_mut().for_each(|point| point.grip = Some(0.5));
    uses(&wet, 1.8, 100);
    uses(&harder(stretch(20, 60, 2.0)), 1.8, 100 - 60);
    uses(&harder(stretch(60, 20, 2.0)), 1.8, 20);
}

/// The line at twice the deceleration: what has a grip of 2 is sound.
fn harder(mut line: JudgedLine) -> JudgedLine {
    for point in &mut line.points {
        point.speed_mps *= SQRT_2;
        point.accel_mps2 *= 2.0;
    }
    line
}

#[test]
fn the_grip_of_a_stretch_may_be_higher_over_the_start_of_a_lap() {
    // 1.3 of the limit with a factor of 1.5: a step is sound where both of its ends may have it. A place is known to
    // 13.03 m, and the points are 2.094 m apart.
    let ring = |from: i32, to: i32| {
        let mut line = circle(40.0, speed_at_use(40.0, 1.3));
        line.options = Conditions::of(&json!({"grip": [{"from_m": from, "to_m": to, "factor": 1.5}]}));
        check(&line, Rule::Driving).violations
    };
    // Up to 25.03 m, and from 13.03 m before the start: the points 114 to 119 and 0 to 11.
    assert_eq!(ring(0, 12), 120 - 17);
    // From 226.97 m, and to 11.7 m after the start: the points 109 to 119 and 0 to 5.
    assert_eq!(ring(240, 250), 120 - 16);
    assert_eq!(ring(100, 110), 120 - 16);
    assert_eq!(ring(250, 12), 120 - 17);
    // A stretch without length: the points 18 to 30.
    assert_eq!(ring(50, 50), 120 - 12);
}

#[test]
fn the_centre_line_of_a_ring_is_as_long_as_its_edges_with_their_closing_side() {
    let mut line = circle(40.0, speed_at_use(40.0, 0.9));
    let hexagon = |radius_m: f64| -> Vec<[f64; 2]> {
        (0..6).map(|k| f64::from(60 * k).to_radians()).map(|a| [radius_m * a.cos(), radius_m * a.sin()]).collect()
    };
    // 240 m, known to 12.8 m, with a point at every 2 m: surely on the stretch are the points 7 to 43.
    (line.edges.left, line.edges.right) = (hexagon(35.0), hexagon(45.0));
    line.options = Conditions::of(&json!({
        "speed_cap": [{"from_m": 0, "to_m": 100, "max_speed_mps": 1}],
        "grip": [{"from_m": 0, "to_m": 100, "factor": 0.5}],
    }));
    assert_eq!(check(&line, Rule::SpeedCap).violations, 37);
    assert_eq!(check(&line, Rule::Driving).violations, 38);
}

#[test]
fn a_stretch_lowers_the_grip_that_the_road_has_beside_it() {
    // A road of 1.5, and 0.75 of it where a stretch halves it.
    let mut line = braking(json!({"grip": [{"from_m": 20, "to_m": 60, "factor": 0.5}]}));
    for point in &mut line.points {
        point.grip = Some(if (30.0..=50.0).contains(&point.s_m) { 0.75 } else { 1.5 });
        point.speed_mps *= 0.75_f64.sqrt();
    }
    uses(&line, 0.9, 0);
    // A file that states more there isn't believed.
    line.points.iter_mut().for_each(|point| point.grip = Some(1.5));
    uses(&line, 0.9, 0);
    line.points.iter_mut().for_each(|point| point.speed_mps *= SQRT_2);
    uses(&line, 1.8, 22);
}

#[test]
fn the_grip_of_a_polygon_counts_inside_its_border() {
    let polygon = |factor: f64, border_m: f64| {
        let outline = [[30.0, -4.0], [60.0, -4.0], [60.0, 4.0], [30.0, 4.0]];
        braking(json!({"grip": [{"polygon": outline, "factor": factor, "border_m": border_m}]}))
    };
    // Inside of 0.5 m and 0.05 m: 29 points, and half of it in the steps before and after.
    uses(&polygon(0.5, 0.5), 1.8, 30);
    uses(&polygon(0.5, 2.5), 1.8, 26);
    // The default is half a metre.
    let outline = json!([[30.0, -4.0], [60.0, -4.0], [60.0, 4.0], [30.0, 4.0]]);
    uses(&braking(json!({"grip": [{"polygon": outline, "factor": 0.5}]})), 1.8, 30);
    uses(&polygon(1.5, 0.5), 0.9, 0);
    // A higher one may begin 2.05 m outside: the points 28 to 62.
    uses(&harder(polygon(2.0, 0.5)), 1.8, 100 - 34);
    // Two vertices are no polygon, and three with one that is no place are none either.
    for outline in [json!([[0.0, 0.0], [100.0, 0.0]]), json!([[0.0, -4.0], [100.0, -4.0], "x", [50.0, 9.0]])] {
        uses(&braking(json!({"grip": [{"polygon": outline, "factor": 0.5, "border_m": -3.0}]})), 0.9, 0);
    }
}

#[test]
fn the_grip_of_a_strip_counts_inside_its_width_and_its_ramps() {
    let strip = |ramp_m: Option<f64>, width_m: f64| {
        let mut strip = json!({"from_m": 20, "to_m": 60, "side": "left", "width_m": width_m, "factor": 0.5});
        if let Some(ramp_m) = ramp_m {
            strip["ramp_m"] = json!(ramp_m);
        }
        let mut line = braking(json!({"grip": [strip]}));
        line.constraints.push(gates(ConstraintKind::Grip, 1, [across(20.5), across(60.5)]));
        line
    };
    // The ramp of 5 m and 2 m more from either end: from 27.5 to 53.5 m.
    uses(&strip(None, 9.0), 1.8, 27);
    uses(&strip(Some(2.0), 9.0), 1.8, 33);
    // The line is 5 m from the edge: 0.5 m and 5 cm and a twentieth of the width inside the strip.
    uses(&strip(None, 5.9), 1.8, 27);
    uses(&strip(None, 5.8), 0.9, 0);
}

#[test]
fn the_margin_is_less_where_edges_may_be_kerbs() {
    let margin = |options: Value, grip: fn(usize) -> Option<f64>| {
        let mut line = straight(options);
        line.vehicle.safety_distance_m = 0.2;
        line.points.iter_mut().enumerate().for_each(|(i, point)| point.grip = grip(i));
        check(&line, Rule::Margin).measured + 5.0
    };
    let whole = MARGIN_M + 0.2;
    is_near(margin(json!({}), |_| None), whole);
    let kerbs = json!([{"from_m": 0, "to_m": 9, "left": "kerb"}]);
    is_near(margin(json!({"edge": kerbs}), |_| None), MARGIN_M - 0.3);
    is_near(margin(json!({"edge": kerbs, "kerb_overhang_m": 0.6}), |_| None), MARGIN_M - 0.6);
    is_near(margin(json!({"edge": kerbs, "kerb_overhang_m": -3.0}), |_| None), whole);
    // A road with a surface of its own may have them: a grip at every point that no option explains.
    is_near(margin(json!({}), |_| Some(0.8)), MARGIN_M - 0.3);
    is_near(margin(json!({}), |i| (i > 0).then_some(0.8)), whole);
    is_near(margin(json!({}), |i| (i < 60).then_some(0.8)), whole);
    let stretch = json!([{"from_m": 0, "to_m": 100, "factor": 0.8}]);
    is_near(margin(json!({"grip": stretch}), |_| Some(0.8)), whole);
    is_near(margin(json!({"grip": stretch}), |i| Some(0.8 + 0.001 * i as f64)), MARGIN_M - 0.3);
}

#[test]
fn the_margin_is_judged_against_the_edges_of_another_road() {
    let line = straight(json!({}));
    let against = |left: f64, right: f64| {
        let edges =
            EdgeCoordinates { left: vec![[-10.0, left], [110.0, left]], right: vec![[-10.0, right], [110.0, right]] };
        verify(&line, &Against { edges: Some(&edges), ..Against::of(&line) }).unwrap()
    };
    let found = *against(3.0, -0.7).check(Rule::Margin).unwrap();
    is_near(found.measured, 0.3);
    is_near(found.allowed, 0.1 * MARGIN_M + DISTANCE_STEP_M);
    // At each point and at the three places of each step.
    assert_eq!(found.violations, 101 + 300);
    let beyond = against(3.0, 0.5);
    let side = *beyond.check(Rule::Side).unwrap();
    assert!((side.measured - 0.5).abs() < 1e-9 && side.violations == 401, "{side:?}");
    is_near(beyond.check(Rule::Margin).unwrap().measured, MARGIN_M + 0.5);
}

#[test]
fn a_slope_takes_its_part_of_gravity_from_the_brakes() {
    let mut line = braking(json!({}));
    let slope: f64 = 0.1;
    for point in &mut line.points {
        (point.z_m, point.banking_rad, point.load) = (Some(slope * point.x_m), Some(0.0), Some(1.0));
    }
    let sine = slope / slope.hypot(1.0);
    let limit = line.vehicle.longitudinal_limit_mps2;
    // The squared speed falls over a distance that is longer by the slope.
    let accel = 0.9 * limit / slope.hypot(1.0);
    let use_of_tyres = (accel - STANDARD_GRAVITY * sine) / limit;
    let found = check(&line, Rule::Braking);
    assert!((found.measured - use_of_tyres).abs() < 1e-9, "{found:?} instead of {use_of_tyres}");
    is_near(check(&line, Rule::Height).measured, slope);
}

#[test]
fn an_edge_that_comes_near_between_two_points_is_found() {
    // A point at every `step` metres, and a spike of the left edge.
    let spike = |step: f64, x: f64| {
        let mut line = straight(json!({}));
        line.points.retain(|point| point.s_m % step == 0.0);
        line.edges.left = vec![[0.0, 5.0], [x - 0.1, 5.0], [x, 0.8], [x + 0.1, 5.0], [100.0, 5.0]];
        check(&line, Rule::Margin).measured
    };
    for step in [2.0, 4.0, 10.0] {
        is_near(spike(step, 40.0 + 0.5 * step), MARGIN_M - 0.8);
    }
    // At a quarter of a step, where the middle keeps the margin by less than a twentieth of the step.
    is_near(spike(2.0, 40.5), MARGIN_M - 0.8);
    is_near(spike(2.0, 41.5), MARGIN_M - 0.8);
    is_near(spike(2.0, 40.305), MARGIN_M - 0.195_f64.hypot(0.8));
    // Where it keeps it by more, the quarters are not looked at.
    is_near(spike(10.0, 42.5), MARGIN_M - 2.5_f64.hypot(0.8));
}

#[test]
fn a_drive_that_is_best_between_two_points_counts_with_its_best() {
    let mut line = straight(json!({}));
    line.points.retain(|point| point.s_m % 10.0 == 0.0);
    line.vehicle.drive =
        DriveLimit::TableMps2(vec![[0.0, 1.0], [14.0, 1.0], [14.6, 3.0], [15.4, 3.0], [16.0, 1.0], [90.0, 1.0]]);
    // The squared speeds of one step have their middle at (15 m/s)².
    let speeds = [13.22, 13.22, 13.22, 13.22, 175.0_f64.sqrt(), 275.0_f64.sqrt(), 16.59, 16.59, 16.59, 16.59, 16.59];
    line.points.iter_mut().zip(speeds).for_each(|(point, speed)| point.speed_mps = speed);
    let found = check(&line, Rule::Drive);
    let rounding = 1e-4 * (175.0_f64.sqrt() + 275.0_f64.sqrt()) / 10.0;
    assert!((found.allowed - (3.0 * 1.02 + rounding + 1e-3)).abs() < 1e-9, "{found:?}");
}
