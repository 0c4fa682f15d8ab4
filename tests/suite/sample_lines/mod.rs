//! Racing lines made by code, for tests that need one without running the optimizer. The speeds are
//! plausible, not optimal.

#![allow(dead_code, reason = "each test binary uses its own part")]
#![allow(clippy::unwrap_used, reason = "clippy takes this file for no test, because it holds no test function")]

use std::f64::consts::TAU;

use raceline::file::{Candidate, EdgeCoordinates, FORMAT, LinePoint, Method, Source, VERSION};
use raceline::geometry::{CurvePoint, Point, Polyline, SegmentIndex, SplineCurve, left_of};
use raceline::track::Direction;
use raceline::vehicle::{DriveLimit, Vehicle};
use raceline::{Options, RacingLine};

/// A vehicle with round numbers.
pub fn vehicle() -> Vehicle {
    Vehicle {
        name: "tum-racecar".to_owned(),
        mass_kg: 1200.0,
        width_m: 2.0,
        length_m: 4.7,
        wheelbase_m: 3.0,
        safety_distance_m: 0.7,
        lateral_limit_mps2: 12.0,
        longitudinal_limit_mps2: 12.0,
        ggv_table: Vec::new(),
        ellipse_exponent: 2.0,
        drag_kgpm: 0.75,
        downforce_kgpm: 0.0,
        rolling_resistance: 0.0,
        drive: DriveLimit::TableMps2(vec![[0.0, 5.3], [36.0, 5.3], [72.0, 1.5]]),
        max_speed_mps: 70.0,
        max_curvature_radpm: 0.12,
        max_steering_rad: None,
        steering_rate_radps: None,
        lean_rate_radps: None,
        table_downforce_kgpm: None,
        driving_limit_table: Vec::new(),
        driving_exponent: None,
        peak_slip_rad: None,
        cornering_stiffness_per_rad: None,
        gear_change_s: 0.0,
        gear_change_speeds_mps: Vec::new(),
        front_downforce_fraction: None,
        front_weight_fraction: None,
        yaw_inertia_kgm2: None,
        centre_of_gravity_m: None,
        front_brake_fraction: None,
        front_drive_fraction: None,
        rear_grip_reserve: None,
        front_track_width_m: None,
        rear_track_width_m: None,
        front_roll_stiffness_fraction: None,
        tyre_load_sensitivity: None,
        differential_lock_fraction: None,
        longitudinal_reserve: None,
        rear_reserve: None,
        crest_reserve: None,
    }
}

/// A car with constant limits and no air: 10 m/s² sideways, 8 m/s² along, 4 m/s² of drive.
pub fn airless() -> Vehicle {
    Vehicle {
        name: "airless".to_owned(),
        mass_kg: 1000.0,
        length_m: 4.0,
        wheelbase_m: 2.5,
        safety_distance_m: 0.5,
        lateral_limit_mps2: 10.0,
        longitudinal_limit_mps2: 8.0,
        drag_kgpm: 0.0,
        drive: DriveLimit::TableMps2(vec![[0.0, 4.0]]),
        max_speed_mps: 100.0,
        max_curvature_radpm: 0.2,
        ..vehicle()
    }
}

/// A circle of `radius` metres driven counter-clockwise at a constant speed in the middle of a road
/// 10 m wide, with `count` points.
pub fn circle(radius: f64, count: usize) -> RacingLine {
    let speed: f64 = 20.0;
    let length = TAU * radius;
    let ring = |r: f64, n: usize| -> Vec<[f64; 2]> {
        (0..n).map(|i| TAU * i as f64 / n as f64).map(|a| [r * a.cos(), r * a.sin()]).collect()
    };
    let points = (0..count)
        .map(|i| {
            let angle = TAU * i as f64 / count as f64;
            LinePoint {
                s_m: radius * angle,
                x_m: radius * angle.cos(),
                y_m: radius * angle.sin(),
                heading_rad: raceline::geometry::wrap_angle(angle + TAU / 4.0),
                curvature_radpm: 1.0 / radius,
                speed_mps: speed,
                accel_mps2: 0.0,
                time_s: radius * angle / speed,
                left_m: 5.0,
                right_m: 5.0,
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
        name: "circle".to_owned(),
        closed: true,
        direction: Direction::Counterclockwise,
        method: Method::Blend,
        lap_time_s: length / speed,
        length_m: length,
        vehicle: vehicle(),
        source: Source {
            file: "circle.png".to_owned(),
            sha256: "0".repeat(64),
            metres_per_pixel: Some(0.5),
            ..Source::default()
        },
        options: Options::default(),
        generator: "raceline test".to_owned(),
        candidates: vec![
            Candidate { method: Method::ShortestPath, lap_time_s: 16.0, length_m: 300.0, line: Vec::new() },
            Candidate { method: Method::Blend, lap_time_s: length / speed, length_m: length, line: Vec::new() },
        ],
        points,
        // The left edge of a counter-clockwise lap is the inner one.
        edges: EdgeCoordinates { left: ring(radius - 5.0, count), right: ring(radius + 5.0, count) },
        sections: Vec::new(),
        constraints: Vec::new(),
        streets: None,
    }
}

/// A straight of `length` metres along +x at a constant speed, in the middle of a road 10 m wide, with
/// `count` points.
pub fn straight(length: f64, count: usize) -> RacingLine {
    let circle = circle(50.0, count);
    let speed = circle.points[0].speed_mps;
    let place = |i: usize| length * i as f64 / (count - 1) as f64;
    let points = circle.points.iter().enumerate().map(|(i, &point)| {
        let s_m = place(i);
        LinePoint { s_m, x_m: s_m, y_m: 0.0, heading_rad: 0.0, curvature_radpm: 0.0, time_s: s_m / speed, ..point }
    });
    let edge = |y: f64| (0..count).map(|i| [place(i), y]).collect();
    RacingLine {
        name: "straight".to_owned(),
        closed: false,
        lap_time_s: length / speed,
        length_m: length,
        candidates: Vec::new(),
        points: points.collect(),
        edges: EdgeCoordinates { left: edge(5.0), right: edge(-5.0) },
        ..circle
    }
}

/// A road of `width` metres along a closed spline through `corners`, with a line that swings inside
/// it, two candidates with points, and cross-sections.
pub fn circuit(name: &str, corners: &[[f64; 2]], width: f64) -> RacingLine {
    let corners: Vec<Point> = corners.iter().map(|&corner| Point::from(corner)).collect();
    let curve = SplineCurve::through(&corners, true).unwrap();
    let curves = curve.evenly((curve.length() / 4.0).ceil() as usize);
    let curvatures: Vec<f64> = curves.iter().map(CurvePoint::curvature).collect();
    let largest = curvatures.iter().fold(0.0, |max: f64, k| max.max(k.abs()));
    // Smoothed curvature pulls the line towards the inside of bends.
    let pull = smooth(&curvatures.iter().map(|k| k / largest).collect::<Vec<_>>(), 14);
    let margin = 1.7;
    let beside = |fraction: &dyn Fn(usize) -> f64| -> Vec<Point> {
        let side = |(i, c): (usize, &CurvePoint)| c.position + left_of(c.first.normalize()) * fraction(i);
        curves.iter().enumerate().map(side).collect()
    };
    let shifted = |fraction: f64| beside(&|i| (2.5 * fraction * pull[i]).clamp(-1.0, 1.0) * (width / 2.0 - margin));
    let edge = |side: f64| beside(&|_| side * width / 2.0).iter().map(|p| [p.x, p.y]).collect::<Vec<_>>();
    let (left, right) = (edge(1.0), edge(-1.0));
    let line = shifted(0.9);
    let area = Polyline::closed(line.clone()).signed_area();
    let mut result = circle(50.0, 3);
    let points = profile(&line, &left, &right);
    let last = points.last().copied().unwrap();
    let closing = (line[0] - line[line.len() - 1]).norm();
    result.name = name.to_owned();
    result.direction = if area > 0.0 { Direction::Counterclockwise } else { Direction::Clockwise };
    result.length_m = last.s_m + closing;
    result.lap_time_s = last.time_s + closing / last.speed_mps;
    let plain = |method: Method, fraction: f64, more: f64| Candidate {
        method,
        lap_time_s: result.lap_time_s + more,
        length_m: result.length_m,
        line: shifted(fraction).iter().map(|p| [p.x, p.y]).collect(),
    };
    result.candidates = vec![
        plain(Method::ShortestPath, 2.0, 1.8),
        plain(Method::MinCurvature, 0.35, 0.6),
        plain(Method::Blend, 0.9, 0.0),
    ];
    result.sections = right.iter().zip(&left).map(|(&r, &l)| [r, l]).collect();
    result.points = points;
    result.edges = EdgeCoordinates { left, right };
    result
}

/// A stadium: two straights of 250 m, two half circles of 60 m radius, a road 14 m wide.
pub fn stadium() -> RacingLine {
    let (straight, radius): (f64, f64) = (250.0, 60.0);
    let mut corners: Vec<[f64; 2]> = (0..=10).map(|i| [straight * f64::from(i) / 10.0 + 80.0, 20.0]).collect();
    corners.extend(
        (1..12)
            .map(|i| f64::from(i) / 12.0 * TAU / 2.0)
            .map(|a| [straight + 80.0 + radius * a.sin(), 20.0 + radius - radius * a.cos()]),
    );
    corners.extend((0..=10).map(|i| [straight * (1.0 - f64::from(i) / 10.0) + 80.0, 20.0 + 2.0 * radius]));
    corners.extend(
        (1..12)
            .map(|i| f64::from(i) / 12.0 * TAU / 2.0)
            .map(|a| [80.0 - radius * a.sin(), 20.0 + radius + radius * a.cos()]),
    );
    circuit("stadium", &corners, 14.0)
}

/// A winding circuit of about 4 km with a road 12 m wide.
pub fn winding() -> RacingLine {
    let corners = [
        [120., 180.],
        [420., 120.],
        [760., 90.],
        [1010., 130.],
        [1090., 230.],
        [1010., 320.],
        [860., 330.],
        [760., 400.],
        [840., 500.],
        [1010., 520.],
        [1140., 600.],
        [1110., 730.],
        [960., 770.],
        [800., 720.],
        [690., 620.],
        [590., 470.],
        [520., 330.],
        [430., 290.],
        [370., 370.],
        [420., 520.],
        [400., 660.],
        [280., 700.],
        [180., 610.],
        [210., 470.],
        [150., 350.],
        [60., 270.],
    ];
    circuit("Winding & Sons", &corners, 12.0)
}

/// The running mean of `values` over `reach` neighbours on either side of a loop.
fn smooth(values: &[f64], reach: usize) -> Vec<f64> {
    let n = values.len();
    let mean =
        |i: usize| (0..=2 * reach).map(|k| values[(i + n + k - reach) % n]).sum::<f64>() / (2 * reach + 1) as f64;
    (0..n).map(mean).collect()
}

/// Points of a closed line with speeds below 10 m/s² of lateral, 5 of driving and 10 of braking
/// acceleration.
fn profile(line: &[Point], left: &[[f64; 2]], right: &[[f64; 2]]) -> Vec<LinePoint> {
    let n = line.len();
    let curve = SplineCurve::through(line, true).unwrap();
    let places: Vec<CurvePoint> = curve.positions()[..n].iter().map(|&s| curve.at(s)).collect();
    let step = |i: usize| curve.positions()[i + 1] - curve.positions()[i];
    let mut speeds: Vec<f64> = places.iter().map(|c| (10.0 / c.curvature().abs().max(1e-6)).sqrt().min(70.0)).collect();
    for i in (0..2 * n).rev() {
        let (here, there) = (i % n, (i + 1) % n);
        speeds[here] = speeds[here].min((speeds[there].powi(2) + 20.0 * step(here)).sqrt());
    }
    for i in 0..2 * n {
        let (here, there) = (i % n, (i + 1) % n);
        speeds[there] = speeds[there].min((speeds[here].powi(2) + 10.0 * step(here)).sqrt());
    }
    let index =
        |edge: &[[f64; 2]]| SegmentIndex::new(&Polyline::closed(edge.iter().map(|&p| Point::from(p)).collect()), 10.0);
    let (left, right) = (index(left), index(right));
    let mut time = 0.0;
    let mut points = Vec::new();
    for i in 0..n {
        let next = speeds[(i + 1) % n];
        points.push(LinePoint {
            s_m: curve.positions()[i],
            x_m: line[i].x,
            y_m: line[i].y,
            heading_rad: places[i].heading(),
            curvature_radpm: places[i].curvature(),
            speed_mps: speeds[i],
            accel_mps2: (next.powi(2) - speeds[i].powi(2)) / (2.0 * step(i)),
            time_s: time,
            left_m: left.nearest(line[i]).unwrap().distance,
            right_m: right.nearest(line[i]).unwrap().distance,
            z_m: None,
            banking_rad: None,
            grip: None,
            load: None,
            steering_rad: None,
            pedal: None,
            sideslip_rad: None,
            yaw_rate_radps: None,
        });
        time += 2.0 * step(i) / (speeds[i] + next);
    }
    points
}
