//! Driven laps as lines: which lap, its course, and what cannot be one.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::f64::consts::TAU;
use std::fmt::Write as _;

use assert_cmd::Command;
use raceline::analysis::{compare, driven_lap};
use raceline::file::json;

use crate::sample_lines;

/// Rows of laps on a circle, each with its radius and its speed; the number in `lap` is that of the
/// lap. Fifty samples a second.
fn trace(laps: &[(f64, f64)]) -> String {
    let mut text = String::from("time_s,lap,x_m,y_m,forward_mps,state\n");
    let mut time = 0.0;
    for (lap, (radius, speed)) in laps.iter().enumerate() {
        let count = (TAU * radius / speed * 50.0).round() as usize;
        for i in 0..count {
            let angle = TAU * i as f64 / count as f64;
            writeln!(text, "{time:.4},{lap},{:.4},{:.4},{speed},driving", radius * angle.cos(), radius * angle.sin())
                .unwrap();
            time += TAU * radius / speed / count as f64;
        }
    }
    text
}

/// The trace without its last ten rows.
fn ended_early(text: &str) -> String {
    let rows: Vec<&str> = text.lines().collect();
    rows[..rows.len() - 10].join("\n")
}

#[test]
fn the_fastest_whole_lap_is_a_line() {
    let line = sample_lines::circle(50.0, 90);
    // The first and the last may be parts of a lap, although they are faster.
    let text = trace(&[(50.0, 40.0), (50.0, 18.0), (49.0, 19.0), (50.0, 10.0), (50.0, 40.0)]);
    let driven = driven_lap(&line, ended_early(&text).as_bytes()).unwrap();
    assert_eq!(driven.name, "circle, driven");
    assert!((driven.lap_time_s - TAU * 49.0 / 19.0).abs() < 1e-3, "{}", driven.lap_time_s);
    assert!((driven.length_m - TAU * 49.0).abs() < 0.01, "{}", driven.length_m);
    assert!(driven.closed && driven.edges == line.edges);
    for point in &driven.points {
        assert!((point.speed_mps - 19.0).abs() < 1e-9 && point.accel_mps2.abs() < 1e-6);
        assert!((point.curvature_radpm - 1.0 / 50.0).abs() < 1e-9);
        // Driven counter-clockwise, further in is further left.
        assert!((point.left_m - 4.0).abs() < 0.05 && (point.right_m - 6.0).abs() < 0.05, "{point:?}");
        let along = [-point.y_m, point.x_m].map(|x| x / 49.0);
        assert!((point.heading_rad.cos() - along[0]).abs() < 0.01 && (point.heading_rad.sin() - along[1]).abs() < 0.01);
    }
    let compared = compare(&line, &driven, &raceline::analysis::AnalysisOptions::default()).unwrap();
    assert!((compared.lap_difference_s - (driven.lap_time_s - line.lap_time_s)).abs() < 1e-9);
    assert!(compared.along.iter().all(|here| (here.offset_m - 1.0).abs() < 0.05));
    // It is a valid file.
    json::read(&json::write(&driven.rounded()).unwrap()).unwrap();
}

/// As `raceline drive --laps 1` writes it: the last row is the last frame before the line.
#[test]
fn a_last_lap_that_ends_beside_its_beginning_is_whole() {
    let line = sample_lines::circle(50.0, 90);
    let text = trace(&[(50.0, 10.0), (50.0, 20.0)]);
    let driven = driven_lap(&line, text.as_bytes()).unwrap();
    assert!((driven.lap_time_s - TAU * 50.0 / 20.0).abs() < 1e-3, "{}", driven.lap_time_s);
}

#[test]
fn accelerations_are_those_about_each_sample() {
    let line = sample_lines::circle(50.0, 90);
    // The speed rises by 2 m/s² and falls by 1 m/s² from the 200th sample on, 50 samples a second.
    let mut text = String::from("time_s,x_m,y_m,forward_mps\n");
    let (mut s, mut speed) = (0.0, 15.0);
    while s < TAU * 50.0 {
        let i = text.lines().count() - 1;
        let angle: f64 = s / 50.0;
        let (x, y) = (50.0 * angle.cos(), 50.0 * angle.sin());
        writeln!(text, "{:.4},{x:.6},{y:.6},{speed:.6}", i as f64 / 50.0).unwrap();
        let next = if i < 200 { speed + 2.0 / 50.0 } else { speed - 1.0 / 50.0 };
        s += (speed + next) / 2.0 / 50.0;
        speed = next;
    }
    let driven = driven_lap(&line, text.as_bytes()).unwrap();
    for (i, point) in driven.points.iter().enumerate() {
        let a = point.accel_mps2;
        match i {
            10..=191 => assert!((a - 2.0).abs() < 0.01, "{i}: {a}"),
            193..=207 => assert!((-1.01..=2.01).contains(&a), "{i}: {a}"),
            209..=400 => assert!((a + 1.0).abs() < 0.01, "{i}: {a}"),
            _ => (),
        }
    }
    // Half of either at the sample between them.
    let between = driven.points[200].accel_mps2;
    assert!((between - 0.5).abs() < 0.1, "{between}");
}

#[test]
fn without_numbers_of_laps_the_trace_is_one() {
    let line = sample_lines::circle(50.0, 90);
    let text = trace(&[(50.0, 20.0)]).replace(",lap,", ",turn,");
    let driven = driven_lap(&line, text.as_bytes()).unwrap();
    assert!((driven.lap_time_s - line.lap_time_s).abs() < 0.05, "{}", driven.lap_time_s);
}

#[test]
fn what_is_no_lap_of_the_line_is_reported() {
    let line = sample_lines::circle(50.0, 90);
    let message = |text: &str| driven_lap(&line, text.as_bytes()).unwrap_err().to_string();
    let early = ended_early(&trace(&[(50.0, 20.0), (50.0, 20.0)]));
    assert!(message(&early).starts_with("no lap is driven from start to end"));
    assert!(message(&trace(&[(90.0, 20.0); 3])).contains("specify the line that was driven"));
    let unnamed = trace(&[(50.0, 20.0); 3]).replace("forward_mps", "v");
    assert!(message(&unnamed).contains("speed_mps"), "{}", message(&unnamed));
    let broken = trace(&[(50.0, 20.0); 3]).replace(",50.0000,", ",fifty,");
    assert!(message(&broken).contains("x_m"), "{}", message(&broken));
    assert!(message("").contains("time_s,lap,x_m,y_m,speed_mps"));
}

#[test]
fn render_draws_a_driven_lap_with_its_chart() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    write("line.json", &json::write(&sample_lines::circle(50.0, 90).rounded()).unwrap());
    write("trace.csv", trace(&[(50.0, 18.0), (49.5, 19.0), (50.0, 18.0)]).as_bytes());
    write("short.csv", trace(&[(50.0, 18.0)]).replace(",0,", ",x,").as_bytes());
    let render = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("raceline").unwrap();
        command.current_dir(folder.path()).arg("render").args(arguments).assert()
    };
    render(&["line.json", "--driven", "trace.csv", "-o", "driven.svg"]).success();
    let drawn = std::fs::read_to_string(folder.path().join("driven.svg")).unwrap();
    for part in ["circle, driven", "speed-ratio-chart", "slower", "faster", "driven  ", "blend  "] {
        assert!(drawn.contains(part), "{part}");
    }
    render(&["line.json", "--driven", "trace.csv", "--colour-by", "speed", "-o", "driven.html"]).success();
    let failed = render(&["line.json", "--driven", "short.csv", "-o", "no.svg"]).failure().code(1);
    let message = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
    assert!(message.contains("short.csv") && message.contains("lap"), "{message}");
}
