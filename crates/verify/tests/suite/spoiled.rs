//! Every spoiled line is found: the test of the judge itself.

use std::f64::consts::FRAC_PI_2;

use raceline_verify::{JudgedLine, Rule};

use crate::{committed_lines, judged};

/// A change that spoils a line at a point.
type Spoil = fn(&mut JudgedLine, usize);
/// A change that spoils a whole line.
type Everywhere = fn(&mut JudgedLine);

/// What is spoiled at one point. Each is done at the places of [`places`].
const AT_A_POINT: [(&str, Spoil); 19] = [
    ("moved aside by 2 cm", |line, i| aside(line, i, 0.02)),
    ("moved aside by 20 cm", |line, i| aside(line, i, -0.2)),
    ("moved aside by 3 m", |line, i| aside(line, i, 3.0)),
    ("moved along by 5 cm", |line, i| along(line, i, 0.05)),
    ("moved along by 1 m", |line, i| along(line, i, -1.0)),
    ("heading off by 0.01 rad", |line, i| line.points[i].heading_rad = wrapped(line.points[i].heading_rad + 0.01)),
    ("heading reversed", |line, i| line.points[i].heading_rad = wrapped(line.points[i].heading_rad + 3.0)),
    ("curvature off by 0.03 1/m", |line, i| line.points[i].curvature_radpm += 0.03),
    ("curvature of a circle of 2 m", |line, i| line.points[i].curvature_radpm = -0.5),
    ("curvature without bound", |line, i| line.points[i].curvature_radpm = 1e308),
    ("speed off by 0.5 %", |line, i| line.points[i].speed_mps *= 1.005),
    ("speed halved", |line, i| line.points[i].speed_mps *= 0.5),
    ("acceleration off by 0.1 m/s²", |line, i| line.points[i].accel_mps2 -= 0.1),
    ("time off by 5 ms", |line, i| line.points[i].time_s += 0.005),
    ("distance off by 1 cm", |line, i| line.points[i].s_m += 0.01),
    ("left distance off by 2 mm", |line, i| line.points[i].left_m += 0.002),
    ("right distance off by 2 mm", |line, i| line.points[i].right_m -= 0.002),
    ("all later times off by 0.5 % of the lap", |line, i| {
        let late_s = 0.005 * line.lap_time_s;
        line.points[i..].iter_mut().for_each(|point| point.time_s += late_s);
        line.lap_time_s += late_s;
        line.candidates.clear();
    }),
    ("all later distances off by 10 cm", |line, i| {
        line.points[i..].iter_mut().for_each(|point| point.s_m += 0.1);
        line.length_m += 0.1;
        line.candidates.clear();
    }),
];

/// What is spoiled everywhere.
const EVERYWHERE: [(&str, Everywhere); 24] = [
    ("times off by 0.5 %", |line| {
        line.points.iter_mut().for_each(|point| point.time_s *= 1.005);
        line.lap_time_s *= 1.005;
        line.candidates.clear();
    }),
    ("lap time off by 0.5 %", |line| line.lap_time_s *= 0.995),
    ("lap time of the candidate", |line| line.candidates.iter_mut().for_each(|it| it.lap_time_s *= 0.99)),
    ("speeds off by 0.5 %", |line| line.points.iter_mut().for_each(|point| point.speed_mps *= 1.005)),
    ("a lap 2 % too fast", |line| faster(line, 1.02)),
    ("a lap 20 % too fast", |line| faster(line, 1.2)),
    ("distances off by 0.1 %", |line| {
        line.points.iter_mut().for_each(|point| point.s_m *= 1.001);
        line.length_m *= 1.001;
        line.candidates.clear();
    }),
    ("length off by 5 cm", |line| line.length_m += 0.05),
    ("not beginning at the start", |line| {
        line.points[0].s_m = 0.5;
    }),
    ("curvature of the other side", |line| {
        line.points.iter_mut().for_each(|point| point.curvature_radpm *= -1.0);
    }),
    ("curvature off by 5 %", |line| line.points.iter_mut().for_each(|point| point.curvature_radpm *= 1.05)),
    ("no curvature", |line| line.points.iter_mut().for_each(|point| point.curvature_radpm = 0.0)),
    ("headings from north", |line| {
        line.points.iter_mut().for_each(|point| point.heading_rad = wrapped(point.heading_rad - FRAC_PI_2));
    }),
    ("mirrored", |line| line.points.iter_mut().for_each(|point| point.x_m *= -1.0)),
    ("moved by 1 cm", |line| line.points.iter_mut().for_each(|point| point.x_m += 0.01)),
    ("all at x = 0", |line| line.points.iter_mut().for_each(|point| point.x_m = 0.0)),
    ("positions rounded to 1 cm", |line| {
        line.points.iter_mut().for_each(|point| point.x_m = (point.x_m * 100.0).round() / 100.0);
    }),
    ("edges exchanged", |line| std::mem::swap(&mut line.edges.left, &mut line.edges.right)),
    ("left edge moved in by 10 cm", |line| line.edges.left.iter_mut().for_each(|vertex| vertex[0] += 0.1)),
    ("edges far away", |line| line.edges.left.iter_mut().for_each(|vertex| vertex[1] = 1e15)),
    ("the other direction", |line| {
        line.direction = match line.direction {
            raceline_file::Direction::Clockwise => raceline_file::Direction::Counterclockwise,
            raceline_file::Direction::Counterclockwise => raceline_file::Direction::Clockwise,
        };
    }),
    ("margin cut by a wide vehicle", |line| line.vehicle.width_m += 2.0),
    ("grip of 0.9", |line| {
        line.vehicle.lateral_limit_mps2 *= 0.9;
        line.vehicle.longitudinal_limit_mps2 *= 0.9;
    }),
    ("two points exchanged", |line| line.points.swap(40, 41)),
];

fn wrapped(angle: f64) -> f64 {
    angle.sin().atan2(angle.cos())
}

fn aside(line: &mut JudgedLine, i: usize, by_m: f64) {
    let point = &mut line.points[i];
    point.x_m -= by_m * point.heading_rad.sin();
    point.y_m += by_m * point.heading_rad.cos();
}

fn along(line: &mut JudgedLine, i: usize, by_m: f64) {
    let point = &mut line.points[i];
    point.x_m += by_m * point.heading_rad.cos();
    point.y_m += by_m * point.heading_rad.sin();
}

/// All speeds by a factor, with the times and accelerations of such a lap.
fn faster(line: &mut JudgedLine, factor: f64) {
    for point in &mut line.points {
        point.speed_mps *= factor;
        point.time_s /= factor;
        point.accel_mps2 *= factor * factor;
    }
    line.lap_time_s /= factor;
    line.candidates.clear();
}

/// A place on a straight, in the sharpest bend, and others between.
fn places(line: &JudgedLine) -> [usize; 6] {
    let n = line.points.len();
    let bend = |i: &usize| (line.points[*i].curvature_radpm.abs() * 1e9) as i64;
    let sharpest = (2..n - 2).max_by_key(bend).unwrap();
    let straightest = (2..n - 2).min_by_key(bend).unwrap();
    [straightest, sharpest, n / 7, n / 3, 2 * n / 3, n - 2]
}

/// Whether the judge finds something: a violated rule of the file counts.
fn is_found(line: &JudgedLine) -> bool {
    line.check().is_err() || !judged(line).is_sound()
}

#[test]
fn every_spoiled_line_is_found() {
    let mut missed = Vec::new();
    for (name, line) in committed_lines() {
        let mut changes = 0;
        let mut judge = |change: String, spoiled: &JudgedLine| {
            changes += 1;
            if !is_found(spoiled) {
                missed.push(format!("{name}: {change}"));
            }
        };
        for (change, spoil) in EVERYWHERE {
            let mut spoiled = line.clone();
            spoil(&mut spoiled);
            judge(change.to_owned(), &spoiled);
        }
        for (change, spoil) in AT_A_POINT {
            for place in places(&line) {
                let mut spoiled = line.clone();
                spoil(&mut spoiled, place);
                judge(format!("{change} at {place}"), &spoiled);
            }
        }
        assert!(changes >= 100, "only {changes} changes");
    }
    assert!(missed.is_empty(), "{} spoiled lines were believed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn a_finding_names_the_place() {
    let Some((_, mut line)) = committed_lines().into_iter().next() else { return };
    aside(&mut line, 200, 0.05);
    let report = judged(&line);
    let place = report.check(Rule::Heading).and_then(|check| check.place).unwrap();
    assert!((199..=200).contains(&place.index), "{place:?}");
    assert_eq!(place.s_m, line.points[place.index].s_m);
    let message = report.into_result().unwrap_err().to_string();
    assert!(message.contains("point 199 (s ") || message.contains("point 200 (s "), "{message}");
}
