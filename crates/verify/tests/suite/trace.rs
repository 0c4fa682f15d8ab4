//! What the judge measures and allows, and where, on small lines that are spoiled at one point after the other.
//!
//! A tolerance that is computed otherwise still finds nearly all spoiled lines: only its value shows the difference.
//! The sums below are those of the judge when its tolerances were chosen, so a change of one of them is deliberate.

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::fmt::Write as _;

use raceline_file::{Constraint, ConstraintKind, Direction, LinePoint};
use raceline_verify::{Against, Conditions, JudgedLine, Rule, verify};
use serde_json::json;

use crate::closed_forms::circle;
use crate::judged;

const COUNT: usize = 42;

/// A closed line about three bends, counter-clockwise, with a speed that swings; its road is 10 m wide.
fn wavy() -> JudgedLine {
    let mut line = circle(30.0, 8.0);
    line.points.truncate(COUNT);
    // Position, and its first and second derivative by the angle, of the curve r(φ) = 30 m + 4 m cos 3 φ.
    let at = |phi: f64| {
        let (r, r1, r2) = (30.0 + 4.0 * (3.0 * phi).cos(), -12.0 * (3.0 * phi).sin(), -36.0 * (3.0 * phi).cos());
        let (sine, cosine) = phi.sin_cos();
        let first = [r1 * cosine - r * sine, r1 * sine + r * cosine];
        let second = [(r2 - r) * cosine - 2.0 * r1 * sine, (r2 - r) * sine + 2.0 * r1 * cosine];
        ([r * cosine, r * sine], first, second)
    };
    let beside = |by: f64| -> Vec<[f64; 2]> {
        (0..24 * COUNT)
            .map(|i| at((i as f64 + 0.3) / (24 * COUNT) as f64 * TAU))
            .map(|([x, y], [dx, dy], _)| [x - by * dy / dx.hypot(dy), y + by * dx / dx.hypot(dy)])
            .collect()
    };
    (line.edges.left, line.edges.right) = (beside(5.0), beside(-5.0));
    let (mut s_m, mut time_s) = (0.0, 0.0);
    let speed = |phi: f64| 8.0 + 1.5 * (3.0 * phi + 0.4).cos();
    for (i, point) in line.points.iter_mut().enumerate() {
        let phi = i as f64 / COUNT as f64 * TAU;
        let ([x, y], [dx, dy], [ddx, ddy]) = at(phi);
        let size = dx.hypot(dy);
        (point.x_m, point.y_m, point.heading_rad) = (x, y, dy.atan2(dx));
        point.curvature_radpm = (dx * ddy - dy * ddx) / size.powi(3);
        (point.s_m, point.time_s, point.speed_mps) = (s_m, time_s, speed(phi));
        let pieces = 64;
        let mut change = 0.0;
        for k in 0..pieces {
            let middle = phi + (f64::from(k) + 0.5) / f64::from(pieces) * TAU / COUNT as f64;
            let (_, [dx, dy], _) = at(middle);
            let length_m = dx.hypot(dy) * TAU / (COUNT as f64 * f64::from(pieces));
            s_m += length_m;
            time_s += length_m / speed(middle);
            change += length_m;
        }
        point.accel_mps2 = (speed(phi + TAU / COUNT as f64).powi(2) - point.speed_mps.powi(2)) / (2.0 * change);
    }
    (line.length_m, line.lap_time_s) = (s_m, time_s);
    (line.candidates[0].length_m, line.candidates[0].lap_time_s) = (s_m + 1e-3, time_s - 1e-3);
    line
}

/// The line on hills, with banking, loads and a grip.
fn hilly() -> JudgedLine {
    let mut line = wavy();
    for (i, point) in line.points.iter_mut().enumerate() {
        let phi = i as f64 / COUNT as f64 * TAU;
        point.z_m = Some(1.5 * (2.0 * phi + 0.3).sin());
        point.banking_rad = Some(0.1 * (phi + 1.0).cos() - 0.05);
        point.load = Some(1.0 + 0.05 * (2.0 * phi).cos());
        point.grip = Some(0.9 + 0.08 * (3.0 * phi).sin());
    }
    line.vehicle.downforce_kgpm = 0.5;
    (line.vehicle.front_weight_fraction, line.vehicle.front_downforce_fraction) = (Some(0.45), Some(0.3));
    line
}

/// The first two thirds of a line, as an open one.
fn opened(mut line: JudgedLine) -> JudgedLine {
    line.closed = false;
    line.points.truncate(28);
    let last = line.points.last().unwrap();
    (line.length_m, line.lap_time_s) = (last.s_m, last.time_s);
    line.edges.left.truncate(24 * 28 - 18);
    line.edges.right.truncate(24 * 28 - 18);
    line.candidates.clear();
    line
}

/// An open line whose first steps begin at standstill and end much faster.
fn started(mut line: JudgedLine) -> JudgedLine {
    for (i, point) in line.points.iter_mut().enumerate().take(8) {
        point.speed_mps *= (i as f64 / 8.0).powi(2);
    }
    line
}

/// The line with everything that its options may demand.
fn with_conditions(mut line: JudgedLine) -> JudgedLine {
    // The points of a car.
    line.points.iter_mut().for_each(|point| point.steering_rad = Some(0.0));
    let at = |i: usize, aside: f64| {
        let point = &line.points[i];
        let (sine, cosine) = point.heading_rad.sin_cos();
        [point.x_m - aside * sine, point.y_m + aside * cosine]
    };
    let around = |i: usize, from: f64, to: f64| json!([at(i, from), at(i + 2, from), at(i + 2, to), at(i, to)]);
    line.options = Conditions::of(&json!({
        "grip": [
            {"from_m": 30, "to_m": 80, "factor": 0.8},
            {"from_m": 150, "to_m": 20, "factor": 1.1},
            {"polygon": around(20, -4.0, 4.0), "factor": 0.7},
            {"polygon": around(25, 1.0, 4.0), "factor": 1.2, "border_m": 0.2},
            {"from_m": 120, "to_m": 180, "side": "left", "width_m": 9.0, "factor": 0.9, "ramp_m": 3.0},
        ],
        "edge": [{"from_m": 0, "to_m": 50, "kind": "kerb"}],
        "kerb_overhang_m": 0.4,
        "obstacle": [{"at": at(8, 2.0), "radius_m": 0.5}, {"points": [at(30, 3.0), at(31, 3.0), at(31, 3.5)]}],
        "pin": [{"at": at(12, 0.2)}, {"at": at(36, -0.3), "tolerance_m": 0.25}],
        "speed_cap": [
            {"from_m": 30, "to_m": 90, "max_speed_mps": 8.0},
            {"from_m": 100, "to_m": 140, "max_speed_mps": 8.5},
        ],
        "no_go": [
            {"polygon": around(15, 1.0, 2.0)},
            {"from_m": 100, "to_m": 140, "side": "left", "width_m": 3.5},
            {"from_m": 60, "to_m": 130, "side": "both", "width_m": 4.0},
        ],
    }));
    let gate = |i: usize| [at(i, -5.0), at(i, 5.0)];
    let gates = |kind, number, from: usize, to: usize| Constraint {
        kind,
        number,
        price_s: None,
        seconds_per_m: None,
        seconds_per_mps: None,
        gates: Some([gate(from), gate(to)]),
        outlines: Vec::new(),
    };
    let entries = [
        gates(ConstraintKind::SpeedCap, 2, 22, 29),
        gates(ConstraintKind::NoGo, 2, 21, 28),
        gates(ConstraintKind::Grip, 5, 26, 33),
    ];
    line.constraints.extend(entries);
    line
}

/// What is spoiled at a point.
const SPOILS: [fn(&mut JudgedLine, usize); 14] = [
    |line, i| line.points[i].x_m += 0.02,
    |line, i| line.points[i].y_m -= 0.3,
    |line, i| line.points[i].heading_rad += 0.01,
    |line, i| line.points[i].curvature_radpm += 0.02,
    |line, i| line.points[i].speed_mps *= 1.1,
    |line, i| line.points[i].accel_mps2 -= 0.1,
    |line, i| line.points[i].time_s += 0.05,
    |line, i| line.points[i].s_m += 0.1,
    |line, i| line.points[i].left_m += 0.002,
    |line, i| line.points[i].right_m -= 0.3,
    |line, i| line.points[i].z_m = line.points[i].z_m.map(|z_m| z_m + 0.3),
    |line, i| line.points[i].banking_rad = line.points[i].banking_rad.map(|banking| banking + 0.1),
    |line, i| line.points[i].load = line.points[i].load.map(|load| load * 1.3),
    |line, i| line.points[i].grip = line.points[i].grip.map(|grip| grip * 0.8),
];

/// Sums over all spoiled lines, for a rule: logarithms of what was measured and of what was allowed, and of the
/// numbers of violations with the places.
fn sums(line: &JudgedLine) -> BTreeMap<&'static str, [f64; 3]> {
    let mut sums: BTreeMap<&str, [f64; 3]> = BTreeMap::new();
    // Below this, rounding is measured.
    let logarithm = |value: f64| if value.is_finite() { (value.abs() + 1e-5).ln() } else { 100.0 };
    for (kind, spoil) in SPOILS.into_iter().enumerate() {
        let last = line.points.len() - 1;
        for i in (kind % 5..=last).step_by(5).chain([0, last]) {
            let mut spoiled = line.clone();
            spoil(&mut spoiled, i);
            let Ok(report) = verify(&spoiled, &Against::of(&spoiled)) else { continue };
            for check in report.checks {
                let of_rule = sums.entry(check.rule.name()).or_default();
                of_rule[0] += logarithm(check.measured);
                of_rule[1] += logarithm(check.allowed);
                of_rule[2] += check.violations as f64 + check.place.map_or(0.0, |place| place.index as f64 / 64.0);
            }
        }
    }
    sums
}

#[track_caller]
fn traces(line: &JudgedLine, expected: &[(&str, f64, f64, f64)]) {
    let found = sums(line);
    let mut table = String::new();
    for (rule, [measured, allowed, places]) in &found {
        let _ = writeln!(table, "        (\"{rule}\", {measured:.6}, {allowed:.6}, {places:.6}),");
    }
    let is_same = |row: &(&str, f64, f64, f64)| {
        found.get(row.0).is_some_and(|[measured, allowed, places]| {
            (measured - row.1).abs() < 4e-6 && (allowed - row.2).abs() < 4e-6 && (places - row.3).abs() < 4e-6
        })
    };
    assert!(found.len() == expected.len() && expected.iter().all(is_same), "now:\n{table}");
}

#[test]
fn the_wavy_line_is_sound_before_it_is_spoiled() {
    let line = wavy();
    assert_eq!(line.direction, Direction::Counterclockwise);
    let findings: Vec<String> = judged(&line).findings().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{findings:#?}");
}

#[test]
fn what_is_measured_on_a_level_lap() {
    traces(
        &wavy(),
        &[
            ("acceleration", -1069.607296, -900.619250, 95.140625),
            ("braking", -166.785162, 2.496366, 27.625000),
            ("candidate", -869.123423, -466.449717, 0.000000),
            ("curvature", -792.422471, -490.688889, 20.875000),
            ("direction", 0.001210, -1450.628609, 0.000000),
            ("drive", 37.315501, 241.557481, 19.859375),
            ("driving", -174.790645, 2.496366, 26.390625),
            ("edges", 1011.230841, 2020.811470, 0.000000),
            ("heading", -1048.935225, -506.127849, 65.656250),
            ("left-distance", -1002.181320, -922.732111, 28.828125),
            ("length", -1082.280512, -697.587722, 11.171875),
            ("margin", 174.547444, -289.296854, 28.562500),
            ("max-curvature", -352.233044, -115.449350, 54.265625),
            ("max-speed", 283.968562, 451.523897, 26.500000),
            ("right-distance", -875.824277, -922.732111, 51.703125),
            ("side", -1450.628609, -1450.628609, 0.000000),
            ("start", -1442.111215, -1450.616009, 1.000000),
            ("step-length", -1066.817995, -558.425029, 39.937500),
            ("step-time", -845.999315, -389.581074, 80.281250),
            ("time", -859.003515, -286.139556, 20.171875),
        ],
    );
}

#[test]
fn what_is_measured_on_a_hilly_lap() {
    traces(
        &hilly(),
        &[
            ("acceleration", -561.334934, -876.671608, 3439.421875),
            ("braking", -148.532454, 2.496366, 54.687500),
            ("candidate", -869.123423, -466.449717, 0.000000),
            ("curvature", -792.422471, -490.688889, 20.875000),
            ("direction", 0.001210, -1450.628609, 0.000000),
            ("drive", 82.971211, 241.557538, 74.421875),
            ("driving", -144.969224, 2.496366, 78.468750),
            ("edges", 1011.230841, 2020.811470, 0.000000),
            ("heading", -1048.935225, -506.127849, 65.656250),
            ("height", -99.288316, 174.149688, 40.625000),
            ("left-distance", -1002.181320, -922.732111, 28.828125),
            ("length", -506.901884, -655.308521, 5286.968750),
            ("load", 8.038610, 4.862996, 311.515625),
            ("margin", 192.174168, -403.516319, 28.562500),
            ("max-curvature", -352.233044, -115.449350, 54.265625),
            ("max-speed", 283.968562, 451.523897, 26.500000),
            ("right-distance", -875.824277, -922.732111, 51.703125),
            ("side", -1450.628609, -1450.628609, 0.000000),
            ("start", -1442.111215, -1450.616009, 1.000000),
            ("step-length", -463.702774, -478.528051, 303.703125),
            ("step-time", -676.678546, -426.349247, 44.859375),
            ("time", -362.716142, -190.075887, 5.125000),
        ],
    );
}

#[test]
fn what_is_measured_on_a_level_run() {
    traces(
        &opened(wavy()),
        &[
            ("acceleration", -813.911930, -672.015811, 34.984375),
            ("braking", -124.669580, 1.862369, 18.906250),
            ("curvature", -589.976422, -361.388317, 13.031250),
            ("drive", 27.595356, 180.209547, 13.750000),
            ("driving", -130.764369, 1.862369, 18.406250),
            ("edges", 710.268622, 1472.323884, 0.000000),
            ("heading", -781.212967, -377.693848, 13.375000),
            ("left-distance", -713.531047, -688.387448, 19.203125),
            ("length", -794.143437, -526.509379, 12.828125),
            ("margin", 130.197551, -215.824637, 20.359375),
            ("max-curvature", -262.788455, -86.128880, 0.671875),
            ("max-speed", 211.865079, 336.851161, 19.125000),
            ("right-distance", -630.625366, -688.387448, 19.281250),
            ("side", -1082.214994, -1082.214994, 0.000000),
            ("start", -1073.697601, -1082.205594, 1.000000),
            ("step-length", -782.135264, -416.484112, 28.437500),
            ("step-time", -612.360184, -348.656106, 18.734375),
            ("time", -619.231246, -363.775535, 6.281250),
        ],
    );
}

#[test]
fn what_is_measured_on_a_hilly_run() {
    traces(
        &opened(hilly()),
        &[
            ("acceleration", -425.222007, -653.146665, 1533.078125),
            ("braking", -143.350884, 1.862369, 18.312500),
            ("curvature", -589.976422, -361.388317, 13.031250),
            ("drive", 60.971695, 180.209512, 32.406250),
            ("driving", -123.354111, 1.862369, 35.906250),
            ("edges", 710.268622, 1472.323884, 0.000000),
            ("heading", -781.212967, -377.693848, 13.375000),
            ("height", -75.711141, 129.055065, 29.203125),
            ("left-distance", -713.531047, -688.387448, 19.203125),
            ("length", -374.599129, -492.149882, 2538.812500),
            ("load", 6.104480, 3.880693, 227.421875),
            ("margin", 143.350388, -301.035984, 20.359375),
            ("max-curvature", -262.788455, -86.128880, 0.671875),
            ("max-speed", 211.865079, 336.851161, 19.125000),
            ("right-distance", -630.625366, -688.387448, 19.281250),
            ("side", -1082.214994, -1082.214994, 0.000000),
            ("start", -1073.697601, -1082.205594, 1.000000),
            ("step-length", -343.100352, -357.384734, 223.921875),
            ("step-time", -519.119971, -347.902322, 16.156250),
            ("time", -309.819370, -177.500128, 34.937500),
        ],
    );
}

#[test]
fn what_is_measured_from_standstill() {
    traces(
        &started(opened(wavy())),
        &[
            ("acceleration", 2.776752, -834.741458, 774.468750),
            ("braking", -124.986196, 1.862369, 19.109375),
            ("curvature", -589.976422, -361.388317, 13.031250),
            ("drive", 105.152576, 180.208927, 10.281250),
            ("driving", -110.881558, 1.862369, 10.671875),
            ("edges", 710.268622, 1472.323884, 0.000000),
            ("heading", -781.212967, -377.693848, 13.375000),
            ("left-distance", -713.531047, -688.387448, 19.203125),
            ("length", -794.143437, -526.509379, 12.828125),
            ("margin", 130.197551, -215.824637, 20.359375),
            ("max-curvature", -262.788455, -86.128880, 0.671875),
            ("max-speed", 211.782124, 336.851161, 19.328125),
            ("right-distance", -630.625366, -688.387448, 19.281250),
            ("side", -1082.214994, -1082.214994, 0.000000),
            ("start", -1073.697601, -1082.205594, 1.000000),
            ("step-length", -782.135264, -416.484112, 28.437500),
            ("step-time", 274.871957, 51.828604, 762.468750),
            ("time", 427.019160, 229.915144, 2550.625000),
        ],
    );
}

#[test]
fn heights_and_what_belongs_to_them_are_at_all_points_or_at_none() {
    let lacks: [fn(&mut LinePoint); 3] =
        [|point| point.z_m = None, |point| point.banking_rad = None, |point| point.load = None];
    for lack in lacks {
        let mut line = hilly();
        lack(&mut line.points[5]);
        let report = judged(&line);
        let found = report.check(Rule::Height).unwrap();
        assert!(found.measured.is_infinite() && found.place.unwrap().index == 5, "{found:?}");
    }
}

#[test]
fn what_is_measured_on_a_lap_with_demands() {
    traces(
        &with_conditions(hilly()),
        &[
            ("acceleration", -561.334934, -876.671608, 3439.421875),
            ("braking", -146.139886, 14.280539, 54.687500),
            ("candidate", -869.123423, -466.449717, 0.000000),
            ("curvature", -792.422471, -490.688889, 20.875000),
            ("direction", 0.001210, -1450.628609, 0.000000),
            ("drive", 82.971211, 241.557538, 74.421875),
            ("driving", -144.923085, 14.280539, 77.859375),
            ("edges", 1011.230841, 2020.811470, 0.000000),
            ("heading", -1048.935225, -506.127849, 65.656250),
            ("height", -99.288316, 174.149688, 40.625000),
            ("left-distance", -1002.181320, -922.732111, 28.828125),
            ("length", -506.901884, -655.308521, 5286.968750),
            ("load", 8.038610, 4.862996, 311.515625),
            ("margin", 194.886313, -439.084347, 28.562500),
            ("max-curvature", -352.233044, -115.449350, 54.265625),
            ("max-speed", 283.968562, 451.523897, 26.500000),
            ("no-go", -1002.513833, -289.296854, 31.687500),
            ("obstacle", -87.334025, -289.296854, 15.750000),
            ("pin", -202.787322, -287.618238, 275.609375),
            ("right-distance", -875.824277, -922.732111, 51.703125),
            ("side", -1450.628609, -1450.628609, 0.000000),
            ("speed-cap", 283.722169, 262.137302, 1412.609375),
            ("start", -1442.111215, -1450.616009, 1.000000),
            ("step-length", -463.702774, -478.528051, 303.703125),
            ("step-time", -676.678546, -426.349247, 44.859375),
            ("time", -362.716142, -190.075887, 5.125000),
        ],
    );
}
