//! Lines whose lengths, times and forces have closed forms.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use raceline_car::{STANDARD_GRAVITY, preset};
use raceline_file::{Candidate, Direction, EdgeCoordinates, FORMAT, LinePoint, Method, RacingLine, Source, VERSION};
use raceline_verify::{Conditions, JudgedLine, Rule};

use crate::judged;

/// Half the width of the roads, m.
const HALF_WIDTH_M: f64 = 5.0;

/// A place of a line: position, heading and curvature.
type Place = ([f64; 2], f64, f64);

/// A closed line of constant speed in the middle of a road, with `count` points.
fn at_constant_speed(length_m: f64, speed_mps: f64, count: usize, place: impl Fn(f64) -> Place) -> JudgedLine {
    let beside = |count: usize, by: f64| -> Vec<[f64; 2]> {
        (0..count)
            .map(|i| place(i as f64 / count as f64 * length_m))
            .map(|([x, y], heading, _)| [x - by * heading.sin(), y + by * heading.cos()])
            .collect()
    };
    let points: Vec<LinePoint> = (0..count)
        .map(|i| {
            let s_m = i as f64 / count as f64 * length_m;
            let ([x_m, y_m], heading, curvature_radpm) = place(s_m);
            LinePoint {
                s_m,
                x_m,
                y_m,
                heading_rad: PI - (PI - heading).rem_euclid(TAU),
                curvature_radpm,
                speed_mps,
                accel_mps2: 0.0,
                time_s: s_m / speed_mps,
                left_m: HALF_WIDTH_M,
                right_m: HALF_WIDTH_M,
                z_m: None,
                banking_rad: None,
                grip: None,
                load: None,
                steering_rad: None,
                pedal: None,
                sideslip_rad: None,
                yaw_rate_radps: None,
            }
        })
        .collect();
    RacingLine {
        format: FORMAT.to_owned(),
        version: VERSION,
        name: "exact".to_owned(),
        closed: true,
        direction: Direction::Counterclockwise,
        method: Method::Blend,
        lap_time_s: length_m / speed_mps,
        length_m,
        vehicle: preset("kart").unwrap(),
        source: Source { file: "exact.csv".to_owned(), ..Source::default() },
        options: Conditions::default(),
        generator: "a test".to_owned(),
        candidates: vec![Candidate {
            method: Method::Blend,
            lap_time_s: length_m / speed_mps,
            length_m,
            line: Vec::new(),
        }],
        points,
        edges: EdgeCoordinates { left: beside(20 * count, HALF_WIDTH_M), right: beside(20 * count, -HALF_WIDTH_M) },
        sections: Vec::new(),
        constraints: Vec::new(),
        streets: None,
    }
}

pub fn circle(radius_m: f64, speed_mps: f64) -> JudgedLine {
    at_constant_speed(TAU * radius_m, speed_mps, 120, |s| {
        let angle = s / radius_m;
        ([radius_m * angle.cos(), radius_m * angle.sin()], angle + FRAC_PI_2, 1.0 / radius_m)
    })
}

/// The fraction of the grip that a circle takes: the lateral force, and along the line the resistance.
pub fn speed_at_use(radius_m: f64, lateral_use: f64) -> f64 {
    (lateral_use * preset("kart").unwrap().lateral_limit_mps2 * radius_m).sqrt()
}

#[track_caller]
fn is_sound(line: &JudgedLine) {
    let findings: Vec<String> = judged(line).findings().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{findings:#?}");
}

#[test]
fn a_circle_agrees_with_itself_to_rounding() {
    let line = circle(40.0, speed_at_use(40.0, 0.9));
    is_sound(&line);
    let report = judged(&line);
    let measured = |rule: Rule| report.check(rule).unwrap().measured;
    for (rule, limit) in [
        (Rule::StepLength, 1e-6),
        (Rule::Length, 1e-5),
        (Rule::Heading, 1e-12),
        (Rule::Curvature, 1e-6),
        (Rule::StepTime, 1e-6),
        (Rule::LeftDistance, 1e-4),
    ] {
        assert!(measured(rule) < limit, "{rule}: {}", measured(rule));
    }
    assert!((measured(Rule::Margin) - (line.vehicle.margin_m() - HALF_WIDTH_M)).abs() < 1e-3);
}

#[test]
fn a_circle_beyond_the_grip_is_found_and_one_within_is_not() {
    is_sound(&circle(30.0, speed_at_use(30.0, 0.99)));
    let report = judged(&circle(30.0, speed_at_use(30.0, 1.05)));
    let rules: Vec<Rule> = report.findings().map(|check| check.rule).collect();
    assert_eq!(rules, [Rule::Driving]);
    let found = report.check(Rule::Driving).unwrap();
    assert!((1.05..1.07).contains(&found.measured) && found.violations == 120, "{found}");
}

#[test]
fn a_stadium_is_sound_where_curvature_jumps() {
    let (straight_m, radius_m) = (80.0, 25.0);
    let bend_m = PI * radius_m;
    let line = at_constant_speed(2.0 * (straight_m + bend_m), speed_at_use(radius_m, 0.9), 240, |s| {
        let half = straight_m + bend_m;
        let (turned, s) = if s < half { (0.0, s) } else { (PI, s - half) };
        let (x, y, heading, curvature) = if s < straight_m {
            (s - 0.5 * straight_m, -radius_m, 0.0, 0.0)
        } else {
            let angle = (s - straight_m) / radius_m;
            (0.5 * straight_m + radius_m * angle.sin(), -radius_m * angle.cos(), angle, 1.0 / radius_m)
        };
        let (sine, cosine) = f64::sin_cos(turned);
        ([cosine * x - sine * y, sine * x + cosine * y], heading + turned, curvature)
    });
    is_sound(&line);
}

#[test]
fn a_banked_circle_may_be_driven_faster_than_a_level_one() {
    // A bend that is lower inside: a road that falls to the left.
    let (banking, radius_m) = (0.25_f64, 35.0);
    let banked = |speed_mps: f64| {
        let mut line = circle(radius_m, speed_mps);
        line.vehicle.max_speed_mps = 100.0;
        let square = speed_mps * speed_mps;
        let load = banking.cos() + square * banking.sin() / (radius_m * STANDARD_GRAVITY);
        for point in &mut line.points {
            (point.z_m, point.banking_rad, point.load) = (Some(0.0), Some(-banking), Some(load));
        }
        line
    };
    // The tyres give κ v² cos β - g sin β at the load cos β + κ v² sin β / g: solved for v².
    let grip = preset("kart").unwrap().lateral_limit_mps2;
    let limit = radius_m * (grip * banking.cos() + STANDARD_GRAVITY * banking.sin())
        / (banking.cos() - grip / STANDARD_GRAVITY * banking.sin());
    assert!(limit > 1.3 * grip * radius_m);
    is_sound(&banked((0.99 * limit).sqrt()));
    let rules: Vec<Rule> = judged(&banked((1.06 * limit).sqrt())).findings().map(|check| check.rule).collect();
    assert_eq!(rules, [Rule::Driving]);
    // The same speed on a level road.
    assert!(!judged(&circle(radius_m, limit.sqrt())).is_sound());
    // A load that the road doesn't give.
    let mut heavy = banked((0.9 * limit).sqrt());
    heavy.points.iter_mut().for_each(|point| point.load = point.load.map(|load| 1.6 * load));
    assert!(judged(&heavy).findings().any(|check| check.rule == Rule::Load));
}

#[test]
fn a_line_beyond_its_road_is_on_the_wrong_side() {
    let mut line = circle(40.0, 10.0);
    // The road of another circle, 14 m further outside.
    let scale = |vertices: &mut Vec<[f64; 2]>, to: f64| {
        vertices.iter_mut().for_each(|vertex| {
            let size = vertex[0].hypot(vertex[1]);
            *vertex = vertex.map(|value| value * to / size);
        });
    };
    scale(&mut line.edges.left, 49.0);
    scale(&mut line.edges.right, 59.0);
    line.points.iter_mut().for_each(|point| (point.left_m, point.right_m) = (9.0, 19.0));
    let rules: Vec<Rule> = judged(&line).findings().map(|check| check.rule).collect();
    assert_eq!(rules, [Rule::Side]);
}

#[test]
fn tolerances_on_a_circle_are_those_of_its_roundings_and_its_turns() {
    let mut line = circle(40.0, 10.0);
    line.candidates[0].length_m += 0.01;
    let report = judged(&line);
    let is = |rule: Rule, allowed: f64| {
        let found = report.check(rule).unwrap();
        assert!((found.allowed - allowed).abs() < 1e-9, "{found:?}: {allowed}");
    };
    let turn = TAU / 120.0;
    let chord_m = 80.0 * (0.5 * turn).sin();
    // The rounding of both positions and of the angle, what no point shows, and the third order of the turn.
    is(Rule::Heading, 3e-5 / chord_m + 1e-8 + 5e-5 + 0.02 * turn.powi(3));
    is(Rule::Candidate, 1.05e-3 + 2e-4 * 80.0 * PI);
}

#[test]
fn a_run_from_standstill_takes_the_time_of_its_acceleration() {
    let mut line = circle(400.0, 10.0);
    line.closed = false;
    line.points.truncate(60);
    for point in &mut line.points {
        // v² = 2 · 3 s and t = √(2 s / 3).
        (point.speed_mps, point.time_s, point.accel_mps2) = ((6.0 * point.s_m).sqrt(), (point.s_m / 1.5).sqrt(), 3.0);
    }
    let last = *line.points.last().unwrap();
    (line.length_m, line.lap_time_s) = (last.s_m, last.time_s);
    line.candidates.clear();
    let report = judged(&line);
    assert!(report.check(Rule::StepTime).unwrap().measured < 1e-6, "{report:?}");
    assert!(report.check(Rule::Acceleration).unwrap().measured < 1e-6, "{report:?}");
    // The time of an open line is that of its last point.
    line.lap_time_s += 1e-3;
    let report = judged(&line);
    let found = report.check(Rule::Time).unwrap();
    assert!(found.place.is_none() && (found.allowed - 2.1e-5).abs() < 1e-12, "{found:?}");
    assert!((found.measured - 1e-3).abs() < 1e-9, "{found:?}");
}

#[test]
fn the_direction_is_that_of_the_easternmost_point_unless_another_leg_lies_as_far_east() {
    let direction = |turned: usize, [left_m, right_m]: [f64; 2]| {
        let mut line = circle(40.0, 10.0);
        (line.points[0].left_m, line.points[0].right_m) = (left_m, right_m);
        line.points[turned].heading_rad -= PI;
        judged(&line).check(Rule::Direction).map(|check| check.measured)
    };
    // Twice the width of the road west of it: 20 m, and then 18 m. The points 18, 19 and 21 lie at x = 23.5, 21.8 and
    // 18.2 m, and one leg is as good as another beyond.
    assert_eq!(direction(19, [5.0, 5.0]), None);
    assert!(direction(21, [5.0, 5.0]).is_some_and(|measured| (measured + 1.0).abs() < 1e-12));
    assert_eq!(direction(18, [3.0, 6.0]), None);
    assert!(direction(19, [3.0, 6.0]).is_some());
}
