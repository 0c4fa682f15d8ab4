//! Demands on a straight open road, where distances and stretches are plain numbers.
//!
//! The line runs along x from 0 to 100 m, with a point at every metre, and its edges at y = ±5 m. So the centre line
//! has 100 m, and a place along it is known to 10 m.

use std::f64::consts::FRAC_1_SQRT_2;

use raceline_file::{Constraint, ConstraintKind, EdgeCoordinates};
use raceline_verify::{Against, Check, Conditions, JudgedLine, Rule, verify};
use serde_json::{Value, json};

use crate::closed_forms::circle;
use crate::judged;

/// Half the width of the vehicle, which is its margin, m.
pub const MARGIN_M: f64 = 1.0;
/// Rounding of distances in a file, m.
pub const DISTANCE_STEP_M: f64 = 6.5e-4;

pub fn straight(options: Value) -> JudgedLine {
    let mut line = circle(100.0, 10.0);
    line.closed = false;
    line.points.truncate(101);
    for (i, point) in line.points.iter_mut().enumerate() {
        let s_m = i as f64;
        (point.s_m, point.x_m, point.y_m, point.time_s) = (s_m, s_m, 0.0, 0.1 * s_m);
        (point.heading_rad, point.curvature_radpm) = (0.0, 0.0);
    }
    (line.length_m, line.lap_time_s) = (100.0, 10.0);
    line.edges = EdgeCoordinates { left: vec![[0.0, 5.0], [100.0, 5.0]], right: vec![[0.0, -5.0], [100.0, -5.0]] };
    (line.vehicle.width_m, line.vehicle.safety_distance_m) = (2.0 * MARGIN_M, 0.0);
    line.candidates.clear();
    line.options = Conditions::of(&options);
    line
}

pub fn gates(kind: ConstraintKind, number: usize, gates: [[[f64; 2]; 2]; 2]) -> Constraint {
    Constraint {
        kind,
        number,
        price_s: None,
        seconds_per_m: None,
        seconds_per_mps: None,
        gates: Some(gates),
        outlines: Vec::new(),
    }
}

/// A cross-section of the road at `x`, from its right end to its left end.
pub fn across(x: f64) -> [[f64; 2]; 2] {
    [[x, -5.0], [x, 5.0]]
}

#[track_caller]
pub fn check(line: &JudgedLine, rule: Rule) -> Check {
    *judged(line).check(rule).unwrap()
}

#[track_caller]
pub fn is_near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-9, "{value} instead of {expected}");
}

/// What is measured for a rule, the index of the place, and the number of violations.
#[track_caller]
pub fn finds(line: &JudgedLine, rule: Rule, measured: f64, index: usize, violations: usize) {
    let found = check(line, rule);
    assert!((found.measured - measured).abs() < 1e-9, "{found:?}");
    assert_eq!((found.place.map(|place| place.index), found.violations), (Some(index), violations), "{found:?}");
}

#[test]
fn the_straight_line_is_sound() {
    let findings: Vec<String> = judged(&straight(json!({}))).findings().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{findings:#?}");
}

#[test]
fn a_pin_is_as_far_away_as_it_lies_aside_or_beyond_an_end() {
    let pin = |pins: Value| straight(json!({"pin": pins}));
    finds(&pin(json!([{"at": [30.3, 0.4]}])), Rule::Pin, 0.4, 30, 1);
    is_near(check(&pin(json!([{"at": [30.3, 0.4]}])), Rule::Pin).allowed, 0.102);
    finds(&pin(json!([{"at": [30.3, -0.4], "tolerance_m": 0.5}])), Rule::Pin, 0.4, 30, 0);
    is_near(check(&pin(json!([{"at": [30.3, -0.4], "tolerance_m": 0.5}])), Rule::Pin).allowed, 0.502);
    finds(&pin(json!([{"at": [103.0, 4.0]}])), Rule::Pin, 5.0, 99, 1);
    finds(&pin(json!([{"at": [-3.0, -4.0]}])), Rule::Pin, 5.0, 0, 1);
    finds(&pin(json!([{"at": [40.5, 0.1]}, {"at": [20.5, 0.3]}, {"at": [60.5, 0.2]}])), Rule::Pin, 0.3, 20, 2);
    // A place that is not in metres is no pin here.
    assert!(judged(&pin(json!([{"at": {"x_px": 3}}, {"at": [1, 2, 3]}]))).check(Rule::Pin).is_none());
}

#[test]
fn a_pin_in_a_bend_is_measured_from_the_curve_between_the_points() {
    let mut line = circle(40.0, 10.0);
    // Half-way between two points, 3 cm inside: the chord lies 1.4 cm inside the circle there.
    let (sine, cosine) = f64::to_radians(4.5).sin_cos();
    line.options = Conditions::of(&json!({"pin": [{"at": [39.97 * cosine, 39.97 * sine]}]}));
    let found = check(&line, Rule::Pin);
    assert!((found.measured - 0.03).abs() < 1e-4 && found.place.unwrap().index == 1, "{found:?}");
}

#[test]
fn a_cap_without_gates_counts_where_the_line_surely_is_on_its_stretch() {
    let capped = |cap: Value| straight(json!({"speed_cap": [cap]}));
    let cap = |from: i32, to: i32, mps: f64| capped(json!({"from_m": from, "to_m": to, "max_speed_mps": mps}));
    // 10 m off either end: from 30 to 50 m.
    finds(&cap(20, 60, 5.0), Rule::SpeedCap, 10.0, 30, 21);
    is_near(check(&cap(20, 60, 5.0), Rule::SpeedCap).allowed, 5.0 * 1.001 + 1e-4);
    finds(&cap(20, 60, 11.0), Rule::SpeedCap, 10.0, 30, 0);
    // Across the start: from 70 m, and to 10 m.
    finds(&cap(60, 20, 5.0), Rule::SpeedCap, 10.0, 0, 42);
    // What can't be read allows no speed, from the start to infinity.
    finds(&capped(json!({"max_speed_kph": 50})), Rule::SpeedCap, 10.0, 10, 91);
    is_near(check(&capped(json!({"max_speed_kph": 50})), Rule::SpeedCap).allowed, 1e-4);
    // A road of 200 m for a line of 100 m: its slack is 12 m, and a metre of the line is two of the road.
    let mut longer = cap(20, 60, 5.0);
    longer.edges.left = vec![[0.0, 5.0], [180.0, 5.0]];
    longer.edges.right = vec![[0.0, -5.0], [220.0, -5.0]];
    finds(&longer, Rule::SpeedCap, 10.0, 16, 9);
}

#[test]
fn a_cap_counts_between_its_gates() {
    let caps = json!({"speed_cap": [
        {"from_m": 0, "to_m": 1, "max_speed_mps": 20.0},
        {"from_m": 20, "to_m": 60, "max_speed_mps": 5.0},
    ]});
    let capped = |own: [[[f64; 2]; 2]; 2]| {
        let mut line = straight(caps.clone());
        line.constraints.push(gates(ConstraintKind::NoGo, 2, [across(1.0), across(99.0)]));
        line.constraints.push(gates(ConstraintKind::SpeedCap, 1, [across(70.5), across(71.5)]));
        line.constraints.push(gates(ConstraintKind::SpeedCap, 2, own));
        line
    };
    finds(&capped([across(20.5), across(60.5)]), Rule::SpeedCap, 10.0, 21, 40);
    // Points that are 0.2 m from a gate are left out, those at 0.4 m are not.
    finds(&capped([across(20.8), across(60.2)]), Rule::SpeedCap, 10.0, 22, 38);
    finds(&capped([across(20.6), across(60.4)]), Rule::SpeedCap, 10.0, 21, 40);
    // A gate at an angle is crossed where it crosses the line.
    let oblique = [[23.0, -5.0], [17.0, 1.0]];
    finds(&capped([oblique, across(60.5)]), Rule::SpeedCap, 10.0, 19, 42);
    // A gate that ends just before the line counts, one that ends 1.3 m before it, or begins so far after it, does not.
    let to = |y: f64| [[20.5, -5.0], [20.5, y]];
    finds(&capped([to(-0.2), across(60.5)]), Rule::SpeedCap, 10.0, 21, 40);
    finds(&capped([[[20.5, 0.2], [20.5, 5.0]], across(60.5)]), Rule::SpeedCap, 10.0, 21, 40);
    for missed in [to(-1.3), [[20.5, 1.3], [20.5, 5.0]], across(-1.0)] {
        let found = check(&capped([missed, across(60.5)]), Rule::SpeedCap);
        assert!(found.measured.is_nan() && found.place.is_none() && found.violations == 1, "{found:?}");
    }
}

#[test]
fn a_cap_on_a_ring_may_lead_over_its_start() {
    let mut line = circle(40.0, 10.0);
    line.options = Conditions::of(&json!({"speed_cap": [{"from_m": 200, "to_m": 20, "max_speed_mps": 5.0}]}));
    // Between two points each, 3 degrees apart.
    let gate = |degrees: f64| {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        [[45.0 * cosine, 45.0 * sine], [35.0 * cosine, 35.0 * sine]]
    };
    line.constraints.push(gates(ConstraintKind::SpeedCap, 1, [gate(346.5), gate(31.5)]));
    finds(&line, Rule::SpeedCap, 10.0, 116, 15);
}

#[test]
fn an_obstacle_is_judged_by_the_distance_to_its_outline() {
    let with = |obstacles: Value| straight(json!({"obstacle": obstacles}));
    let allowed = 0.1 * MARGIN_M + DISTANCE_STEP_M;
    // A point 1.2 m aside with a radius of 0.5 m lacks 0.3 m. Those two metres away, at 1.56 m and 2.3 m, lack less.
    let post = with(json!([{"at": [40.0, 1.2], "radius_m": 0.5}]));
    finds(&post, Rule::Obstacle, MARGIN_M + 0.5 - 1.2, 40, 1);
    is_near(check(&post, Rule::Obstacle).allowed, allowed);
    finds(&with(json!([{"at": [40.0, -3.0]}])), Rule::Obstacle, MARGIN_M - 3.0, 40, 0);
    // Two vertices, and a third far away: the line lies 0.5 m from the side between them.
    let wall = with(json!([{"points": [[30.0, 0.5], [34.0, 0.5], [32.0, 4.0]]}]));
    finds(&wall, Rule::Obstacle, 0.5, 30, 5);
    let mut both = with(json!([{"at": [40.0, 1.2], "radius_m": 0.5}, {"at": [70.0, 0.6]}]));
    finds(&both, Rule::Obstacle, 0.4, 70, 2);
    // Between points that are farther apart than the margin.
    both.points.retain(|point| point.s_m % 10.0 == 0.0);
    both.options = Conditions::of(&json!({"obstacle": [{"at": [45.0, 0.5]}, {"at": [22.5, 0.6]}]}));
    finds(&both, Rule::Obstacle, 0.5, 4, 2);
    // What is no place in metres is left out.
    for nothing in [json!([{"radius_m": 3.0}]), json!([{"points": []}]), json!([{"at": "here"}])] {
        assert!(judged(&with(nothing)).check(Rule::Obstacle).is_none());
    }
}

#[test]
fn a_polygon_to_keep_out_of_is_judged_at_the_points_and_between_them() {
    let with = |polygon: Value| straight(json!({"no_go": [{"polygon": polygon}]}));
    // Its side is 0.8 m away along 10 m: 11 points, and three places in each of 10 steps.
    let beside = with(json!([[30.0, 0.8], [40.0, 0.8], [40.0, 3.0], [30.0, 3.0]]));
    // Beyond its ends, the corner is less than 0.9 m away for 0.41 m: one place more at either end.
    finds(&beside, Rule::NoGo, MARGIN_M - 0.8, 30, 43);
    is_near(check(&beside, Rule::NoGo).allowed, 0.1 * MARGIN_M + DISTANCE_STEP_M);
    // The line leads through it, 1 m from its lower side.
    let through = with(json!([[30.0, -1.0], [40.0, -1.0], [40.0, 3.0], [30.0, 3.0]]));
    let found = check(&through, Rule::NoGo);
    is_near(found.measured, MARGIN_M + 1.0);
    assert_eq!(found.place.unwrap().index, 31);
    // Likewise clockwise and counter-clockwise, and with the vertices of a slanted side.
    let backward = with(json!([[30.0, 3.0], [40.0, 3.0], [40.0, -1.0], [30.0, -1.0]]));
    is_near(check(&backward, Rule::NoGo).measured, MARGIN_M + 1.0);
    // A triangle whose slanted side crosses the line at 34 m: the place deepest inside is that at 39.75 m.
    let triangle = with(json!([[24.0, 10.0], [44.0, -10.0], [44.0, 10.0]]));
    is_near(check(&triangle, Rule::NoGo).measured, MARGIN_M + 5.75 * FRAC_1_SQRT_2);
    for nothing in [json!([[1.0, 1.0], [2.0, 2.0]]), json!([[1.0, 1.0], [2.0, 2.0], "x"]), json!(3)] {
        assert!(judged(&with(nothing)).check(Rule::NoGo).is_none());
    }
}

#[test]
fn a_strip_to_keep_out_of_is_its_width_from_the_edge() {
    let strip = |side: &str, width_m: f64| {
        straight(json!({"no_go": [{"from_m": 20, "to_m": 60, "side": side, "width_m": width_m}]}))
    };
    // Without gates, where the line surely is beside it: from 30 to 50 m.
    finds(&strip("left", 4.2), Rule::NoGo, MARGIN_M - 0.8, 30, 21);
    finds(&strip("right", 4.2), Rule::NoGo, MARGIN_M - 0.8, 30, 21);
    finds(&strip("both", 4.2), Rule::NoGo, MARGIN_M - 0.8, 30, 42);
    finds(&strip("left", 2.0), Rule::NoGo, MARGIN_M - 3.0, 30, 0);
    // A line half a metre beyond the left edge is not in a strip on the road: 0.5 m from it.
    let mut outside = strip("left", 4.0);
    outside.points.iter_mut().for_each(|point| point.y_m = 5.5);
    finds(&outside, Rule::NoGo, MARGIN_M - 0.5, 30, 21);
    let mut inside = strip("right", 4.0);
    inside.points.iter_mut().for_each(|point| point.y_m = -5.5);
    finds(&inside, Rule::NoGo, MARGIN_M - 0.5, 30, 21);
}

/// The line with its edges and gates, turned about the origin.
fn turned(mut line: JudgedLine, angle: f64) -> JudgedLine {
    let (sine, cosine) = angle.sin_cos();
    let turn = |[x, y]: [f64; 2]| [cosine * x - sine * y, sine * x + cosine * y];
    for point in &mut line.points {
        [point.x_m, point.y_m] = turn([point.x_m, point.y_m]);
        point.heading_rad += angle;
    }
    for vertex in line.edges.left.iter_mut().chain(&mut line.edges.right) {
        *vertex = turn(*vertex);
    }
    for entry in &mut line.constraints {
        entry.gates = entry.gates.map(|gates| gates.map(|gate| gate.map(turn)));
    }
    line
}

#[test]
fn a_strip_ends_at_its_gates() {
    for (side, sign, angle) in [("left", 1.0, 0.0), ("right", -1.0, 0.0), ("left", 1.0, 0.6), ("right", -1.0, -2.0)] {
        let mut line = straight(json!({"no_go": [{"from_m": 20, "to_m": 60, "side": side, "width_m": 4.2}]}));
        line.constraints.push(gates(ConstraintKind::NoGo, 1, [across(20.5), across(60.5)]));
        // Between 20.5 and 60.5 m: 40 points, and 3 places in 39 steps and two at 20.5, 20.75, 60.25 and 60.5. The
        // corner is less than 0.9 m away for another 0.41 m: the places at 20.25 and 60.75 m.
        finds(&line, Rule::NoGo, MARGIN_M - 0.8, 21, 40 + 117 + 4 + 2);
        // 3 m before the first gate, 4 m beside the strip's end.
        line.points.truncate(18);
        line.points.iter_mut().for_each(|point| point.y_m = sign * -3.2);
        (line.length_m, line.lap_time_s) = (17.0, 1.7);
        is_near(check(&turned(line.clone(), angle), Rule::NoGo).measured, MARGIN_M - 3.5_f64.hypot(4.0));
        // Beside the strip's end itself, it is the distance along the road.
        line.points.iter_mut().for_each(|point| point.y_m = sign * 2.0);
        is_near(check(&turned(line, angle), Rule::NoGo).measured, MARGIN_M - 3.5);
        // Behind the last gate.
        let mut behind = straight(json!({"no_go": [{"from_m": 20, "to_m": 60, "side": side, "width_m": 2.0}]}));
        behind.constraints.push(gates(ConstraintKind::NoGo, 1, [across(20.5), across(60.5)]));
        behind.points.drain(..64);
        let last = *behind.points.last().unwrap();
        (behind.length_m, behind.lap_time_s) = (last.s_m, last.time_s);
        is_near(check(&turned(behind, angle), Rule::NoGo).measured, MARGIN_M - 3.5_f64.hypot(3.0));
    }
}

#[test]
fn a_strip_of_a_ring_may_lead_over_its_start() {
    let ring = |from: f64, to: f64| {
        let mut line = circle(40.0, 10.0);
        (line.vehicle.width_m, line.vehicle.safety_distance_m) = (2.0 * MARGIN_M, 0.0);
        line.options = Conditions::of(&json!({"no_go": [{"from_m": 0, "to_m": 1, "side": "left", "width_m": 4.2}]}));
        let gate = |degrees: f64| {
            let (sine, cosine) = degrees.to_radians().sin_cos();
            [[45.0 * cosine, 45.0 * sine], [35.0 * cosine, 35.0 * sine]]
        };
        line.constraints.push(gates(ConstraintKind::NoGo, 1, [gate(from), gate(to)]));
        check(&line, Rule::NoGo).violations
    };
    // A point at every 3 degrees with three places between, and one more place beyond either end, whose corner is less
    // than 0.9 m away.
    assert_eq!(ring(346.0, 32.0), 15 + 14 * 3 + 2 + 2 + 2);
    assert_eq!(ring(32.0, 77.0), 15 + 14 * 3 + 1 + 2 + 2);
    assert_eq!(ring(32.0, 346.0), 105 + 104 * 3 + 1 + 1 + 2);
    // The edges have a vertex at every 0.15 degrees: both gates in one segment, all around and not.
    assert_eq!(ring(10.04, 10.01), 480);
    assert_eq!(ring(10.01, 10.04), 2);
}

#[test]
fn a_polygon_with_vertices_beside_the_line_is_around_what_lies_inside() {
    // The ray from a place along the line leads through two of its vertices.
    let corners = [[30.0, 0.0], [35.0, -3.0], [40.0, 0.0], [35.0, 3.0]];
    for turn in 0..4 {
        let outline: Vec<[f64; 2]> = (0..4).map(|k| corners[(k + turn) % 4]).collect();
        for outline in [outline.clone(), outline.into_iter().rev().collect()] {
            let line = straight(json!({"no_go": [{"polygon": outline}]}));
            let found = check(&line, Rule::NoGo);
            is_near(found.measured, MARGIN_M + 15.0 / 34.0_f64.sqrt());
            // From 0.75 m before it to 0.75 m behind: inside 9 points and 30 places, and 2 corners, and 3 either side.
            assert_eq!((found.place.unwrap().index, found.violations), (35, 11 + 30 + 6));
        }
    }
}

#[test]
fn tolerances_of_margins_follow_the_margin() {
    let options = json!({"obstacle": [{"at": [40.0, 3.0]}], "no_go": [{"polygon": [[9, 3], [8, 3], [8, 4]]}]});
    let mut line = straight(options);
    line.vehicle.width_m = 0.8;
    for rule in [Rule::Margin, Rule::Obstacle, Rule::NoGo] {
        is_near(check(&line, rule).allowed, 0.04 + DISTANCE_STEP_M);
    }
}

#[test]
fn a_vertex_that_stands_twice_changes_nothing() {
    let line = straight(json!({}));
    let twice = |y: f64| vec![[-10.0, y], [50.0, y], [50.0, y], [110.0, y]];
    // Left of the left edge; the other edge has more vertices.
    let right = (0..9).map(|i| [15.0 * f64::from(i) - 10.0, -3.0]).collect();
    let edges = EdgeCoordinates { left: twice(-0.5), right };
    let report = verify(&line, &Against { edges: Some(&edges), ..Against::of(&line) }).unwrap();
    let side = report.check(Rule::Side).unwrap();
    assert!((side.measured - 0.5).abs() < 1e-9 && side.violations == 401, "{side:?}");
    // A strip without width ends in one place.
    let mut before = straight(json!({"no_go": [{"from_m": 20, "to_m": 60, "side": "left", "width_m": 0.0}]}));
    before.constraints.push(gates(ConstraintKind::NoGo, 1, [across(20.5), across(60.5)]));
    before.points.truncate(18);
    (before.length_m, before.lap_time_s) = (17.0, 1.7);
    is_near(check(&before, Rule::NoGo).measured, MARGIN_M - 3.5_f64.hypot(5.0));
}

#[test]
fn a_body_across_the_road_leaves_it_by_its_corners() {
    // The nose points to the left of the line, where the edge is 5 m from it: half the length times 0.6, and half the
    // width times 0.8.
    let with = |length_m: f64, heading_rad: f64| {
        let mut line = straight(json!({}));
        line.vehicle.length_m = length_m;
        line.points.iter_mut().for_each(|point| point.sideslip_rad = Some(-heading_rad));
        line
    };
    for side in [1.0, -1.0] {
        let heading_rad = side * 0.6_f64.asin();
        assert!(check(&with(13.9, heading_rad), Rule::Corner).is_kept());
        let found = check(&with(16.0, heading_rad), Rule::Corner);
        is_near(found.measured, 0.6);
        // One corner in front and one behind, but for those within 5.8 m of an end of the road.
        assert_eq!(found.violations, 2 * 95, "{found}");
        let doubts = judged(&with(16.0, heading_rad)).into_doubts().unwrap();
        assert!(doubts.iter().any(|doubt| doubt.rule == Rule::Corner), "{doubts:?}");
    }
    assert!(judged(&straight(json!({}))).check(Rule::Corner).is_none(), "the line of a point mass has no body");
    let mut beside_kerbs = with(16.0, 0.6);
    beside_kerbs.options = Conditions::of(&json!({"edge": [{}], "kerb_overhang_m": 0.3}));
    assert!(judged(&beside_kerbs).check(Rule::Corner).is_none(), "the body may stand out over a kerb");
}
