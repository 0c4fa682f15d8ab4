//! Which points of a line a format gets: other spacings, other speeds, the repeated first point. And
//! the two formats that were made for them, `csv` and `forzaeth`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::f64::consts::TAU;

use raceline::RacingLine;
use raceline::formats::{Closing, FORMATS, Format, FormatError, FormatOptions};
use serde_json::Value;

use crate::sample_lines;

fn csv(line: &RacingLine, options: &FormatOptions) -> (Vec<String>, Vec<Vec<f64>>) {
    let text = String::from_utf8(Format::named("csv").unwrap().write(line, options).unwrap()).unwrap();
    let mut lines = text.lines();
    let names = lines.next().unwrap().split(',').map(str::to_owned).collect();
    (names, lines.map(|row| row.split(',').map(|cell| cell.parse().unwrap()).collect()).collect())
}

fn assert_near(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b} within {tolerance}");
}

#[test]
fn a_plain_table_has_each_point_once_with_units_in_its_header() {
    let line = sample_lines::winding();
    let (names, rows) = csv(&line, &FormatOptions::default());
    let expected = "s_m x_m y_m heading_rad curvature_radpm speed_mps accel_mps2 time_s left_m right_m";
    assert_eq!(names.join(" "), expected);
    assert_eq!(rows.len(), line.points.len());
    for (row, point) in rows.iter().zip(&line.points) {
        assert_near(row[1], point.x_m, 6e-6);
        assert_near(row[3], point.heading_rad, 6e-9);
        assert_near(row[5], point.speed_mps, 6e-5);
        assert_near(row[9], point.right_m, 6e-4);
    }
    let repeated = FormatOptions { closed_repeat: Some(true), ..FormatOptions::default() };
    let (_, rows) = csv(&line, &repeated);
    let (first, last) = (&rows[0], rows.last().unwrap());
    assert_eq!(rows.len(), line.points.len() + 1);
    assert_eq!(first[1..7], last[1..7]);
    assert_near(last[0], line.length_m, 6e-4);
    assert_near(last[7], line.lap_time_s, 6e-6);
    let mut high = line.clone();
    high.points.iter_mut().for_each(|point| point.z_m = Some(2.5));
    let (names, rows) = csv(&high, &FormatOptions::default());
    assert_eq!((names.last().map(String::as_str), rows[3].last()), (Some("z_m"), Some(&2.5)));
}

#[test]
fn other_spacings_stay_on_a_circle() {
    let (radius, count) = (50.0, 60);
    let line = sample_lines::circle(radius, count);
    for spacing in [0.5, 1.0, 3.7, 20.0] {
        let options = FormatOptions { spacing_m: Some(spacing), ..FormatOptions::default() };
        let (_, rows) = csv(&line, &options);
        let expected = (TAU * radius / spacing).round();
        assert_near(rows.len() as f64, expected, 0.0);
        for (index, row) in rows.iter().enumerate() {
            let angle = TAU * index as f64 / expected;
            assert_near(row[0], radius * angle, 6e-4);
            // The spline through points 5.2 m apart.
            assert_near(row[1], radius * angle.cos(), 1e-3);
            assert_near(row[2], radius * angle.sin(), 1e-3);
            assert_near(row[4], 1.0 / radius, 2e-5);
            assert_near(row[5], 20.0, 1e-9);
            assert_near(row[6], 0.0, 1e-9);
            assert_near(row[7], radius * angle / 20.0, 1e-5);
        }
    }
}

#[test]
fn speeds_times_and_accelerations_of_other_spacings_agree() {
    let line = sample_lines::stadium();
    let options = FormatOptions { spacing_m: Some(0.7), closed_repeat: Some(true), ..FormatOptions::default() };
    let (_, rows) = csv(&line, &options);
    for pair in rows.windows(2) {
        let (a, b) = (&pair[0], &pair[1]);
        let step = b[0] - a[0];
        // v² - u² = 2 a s, and the time is the distance by the mean speed.
        // The table's distances are whole millimetres.
        assert_near(b[5].powi(2) - a[5].powi(2), 2.0 * a[6] * step, 2.2e-3 * a[6].abs() + 1e-2);
        assert_near(b[7] - a[7], 2.0 * step / (a[5] + b[5]), 2e-3);
        assert!(b[7] > a[7]);
    }
    let (first, last) = (&rows[0], rows.last().unwrap());
    assert_eq!(first[1..7], last[1..7]);
    assert_near(last[0], line.length_m, 6e-4);
    assert_near(last[7], line.lap_time_s, 6e-6);
    // The line's own points are met where they have the same distance.
    let (_, own) = csv(&line, &FormatOptions::default());
    let near = |s: f64| rows.iter().min_by(|a, b| (a[0] - s).abs().total_cmp(&(b[0] - s).abs())).unwrap();
    for row in own {
        let other = near(row[0]);
        assert!((row[1] - other[1]).hypot(row[2] - other[2]) < 0.36, "{row:?} {other:?}");
        assert_near(row[7], other[7], 0.05);
    }
}

#[test]
fn an_open_line_keeps_both_ends() {
    let mut line = sample_lines::stadium();
    let half = line.points.len() / 2;
    line.closed = false;
    line.points.truncate(half);
    let last = line.points[half - 1];
    (line.length_m, line.lap_time_s) = (last.s_m, last.time_s);
    line.candidates.clear();
    line.sections.clear();
    let options = FormatOptions { spacing_m: Some(1.3), ..FormatOptions::default() };
    let (_, rows) = csv(&line, &options);
    let (begin, end) = (&rows[0], rows.last().unwrap());
    for (row, point) in [(begin, &line.points[0]), (end, &last)] {
        assert_near(row[0], point.s_m, 6e-4);
        assert_near(row[1], point.x_m, 6e-6);
        assert_near(row[5], point.speed_mps, 6e-5);
        assert_near(row[7], point.time_s, 6e-6);
    }
}

#[test]
fn half_the_speed_takes_twice_the_time_and_a_quarter_of_the_grip() {
    let line = sample_lines::winding();
    let options = FormatOptions { speed_factor: Some(0.5), ..FormatOptions::default() };
    let (_, rows) = csv(&line, &options);
    for (row, point) in rows.iter().zip(&line.points) {
        assert_near(row[5], 0.5 * point.speed_mps, 6e-5);
        assert_near(row[6], 0.25 * point.accel_mps2, 6e-5);
        assert_near(row[7], 2.0 * point.time_s, 6e-6);
        assert_near(row[1], point.x_m, 6e-6);
    }
}

#[test]
fn options_out_of_their_range_are_refused() {
    let line = sample_lines::circle(50.0, 40);
    let options = FormatOptions::default();
    for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
        for options in [
            FormatOptions { spacing_m: Some(wrong), ..options },
            FormatOptions { speed_factor: Some(wrong), ..options },
        ] {
            let found = Format::named("csv").unwrap().write(&line, &options);
            assert!(matches!(found, Err(FormatError::Option(_))), "{wrong}: {found:?}");
        }
    }
    let mut long = sample_lines::circle(50_000.0, 400);
    long.edges = sample_lines::circle(50.0, 400).edges;
    let fine = FormatOptions { spacing_m: Some(0.01), ..options };
    let found = Format::named("csv").unwrap().write(&long, &fine);
    assert!(matches!(found, Err(FormatError::TooManyPoints { .. })), "{found:?}");
    for format in FORMATS.iter().filter(|format| matches!(format.closing, Closing::Stated | Closing::NoPoints)) {
        for repeat in [true, false] {
            let options = FormatOptions { closed_repeat: Some(repeat), ..options };
            let found = format.write(&line, &options);
            assert!(matches!(found, Err(FormatError::NoRepeat { .. })), "{}: {found:?}", format.name);
        }
    }
}

#[test]
fn without_the_repeated_point_every_table_is_one_row_shorter() {
    let line = sample_lines::circle(50.0, 40);
    for name in ["tum", "tum-ltpl", "f1tenth", "autoware", "unity-csv", "unreal-csv", "csv"] {
        let rows = |repeat| {
            let options = FormatOptions { closed_repeat: Some(repeat), ..FormatOptions::default() };
            String::from_utf8(Format::named(name).unwrap().write(&line, &options).unwrap()).unwrap().lines().count()
        };
        assert_eq!(rows(true), rows(false) + 1, "{name}");
    }
}

#[test]
fn forzaeth_has_the_messages_of_its_planner() {
    let line = sample_lines::winding();
    let bytes = Format::named("forzaeth").unwrap().write(&line, &FormatOptions::default()).unwrap();
    let file: Value = serde_json::from_slice(&bytes).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let keys = [
        "map_info_str",
        "est_lap_time",
        "centerline_markers",
        "centerline_waypoints",
        "global_traj_markers_iqp",
        "global_traj_wpnts_iqp",
        "global_traj_markers_sp",
        "global_traj_wpnts_sp",
        "trackbounds_markers",
    ];
    let places: Vec<usize> = keys.iter().map(|key| text.find(&format!("\n  \"{key}\": ")).unwrap()).collect();
    assert!(places.is_sorted(), "{places:?}");
    assert_eq!(file.as_object().unwrap().len(), keys.len());
    assert_near(file["est_lap_time"]["data"].as_f64().unwrap(), line.lap_time_s, 6e-6);
    assert!(file["map_info_str"]["data"].as_str().unwrap().contains("estimated lap time"));
    assert_eq!(file["global_traj_wpnts_iqp"], file["global_traj_wpnts_sp"]);
    let number = |waypoint: &Value, key: &str| waypoint[key].as_f64().unwrap();
    let waypoints = file["global_traj_wpnts_iqp"]["wpnts"].as_array().unwrap();
    assert_eq!(waypoints.len(), line.points.len() + 1);
    assert_eq!(file["global_traj_wpnts_iqp"]["header"]["frame_id"], "map");
    for (index, (waypoint, point)) in waypoints.iter().zip(&line.points).enumerate() {
        assert_eq!(waypoint["id"], index);
        assert_near(number(waypoint, "x_m"), point.x_m, 6e-6);
        assert_near(number(waypoint, "psi_rad"), point.heading_rad, 6e-9);
        assert_near(number(waypoint, "vx_mps"), point.speed_mps, 6e-5);
        // Along the normal, an edge is at least as far as its nearest point.
        assert!(
            number(waypoint, "d_left") >= point.left_m - 1e-3 && number(waypoint, "d_right") >= point.right_m - 1e-3
        );
    }
    let (first, last) = (&waypoints[0], waypoints.last().unwrap());
    for key in ["x_m", "y_m", "psi_rad", "vx_mps", "d_left"] {
        assert_eq!(first[key], last[key], "{key}");
    }
    assert_near(number(last, "s_m"), line.length_m, 6e-6);
    let centre = file["centerline_waypoints"]["wpnts"].as_array().unwrap();
    assert_eq!(centre.len(), waypoints.len());
    for (middle, waypoint) in centre.iter().zip(waypoints) {
        assert_eq!((number(middle, "vx_mps"), number(middle, "ax_mps2")), (0.0, 0.0));
        assert_eq!(middle["d_left"], middle["d_right"]);
        // Both name the same edges across the line.
        let psi = number(waypoint, "psi_rad");
        let left = |from: &Value, along: f64| {
            [number(from, "x_m") - along * psi.sin(), number(from, "y_m") + along * psi.cos()]
        };
        let (a, b) = (left(middle, number(middle, "d_left")), left(waypoint, number(waypoint, "d_left")));
        assert!((a[0] - b[0]).hypot(a[1] - b[1]) < 3e-5, "{a:?} {b:?}");
    }
    assert!(centre.windows(2).all(|pair| number(&pair[1], "s_m") > number(&pair[0], "s_m")));
}
