//! The page: what stands in it, what can't get out of it, and how large it is. `tests/browser`
//! drives it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::fs;
use std::slice::from_ref;

use assert_cmd::Command;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use predicates::str::contains;
use raceline::RacingLine;
use raceline::analysis::{AnalysisOptions, compare};
use raceline::file;
use raceline::frame::Spot;
use raceline::solve::passing::{CircleObstacle, Obstacle, PickUp, PolygonObstacle};
use raceline::track::GripStretch;
use raceline_render::html::{HtmlOptions, PageTheme, render};
use raceline_render::{Backdrop, ColourBy, RenderError};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::messages::with_sources;
use crate::sample_lines;

const HOSTILE: &str = r#"</script><script>alert(1)</script><!--"'&\u003c{{script}}"#;

fn page(lines: &[RacingLine]) -> String {
    render(lines, &HtmlOptions::default()).unwrap()
}

/// What stands between two marks.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    text.split_once(before).unwrap().1.split_once(after).unwrap().0
}

fn data(page: &str) -> Value {
    serde_json::from_str(between(page, r#"<script id="data" type="application/json">"#, "</script>")).unwrap()
}

/// A column's numbers.
fn numbers(column: &Value) -> Vec<f64> {
    let mut sum = 0;
    let steps = column["steps"].as_array().unwrap();
    let per_unit = column["per_unit"].as_f64().unwrap();
    let value = |step: &Value| {
        sum += step.as_i64().unwrap();
        sum as f64 / per_unit
    };
    steps.iter().map(value).collect()
}

#[test]
fn the_points_of_a_line_stand_in_its_page() {
    let line = sample_lines::winding();
    let page = data(&page(from_ref(&line)));
    assert_eq!(page["title"], "Winding & Sons");
    let shown = &page["lines"][0];
    assert_eq!(shown["lap_time_s"], line.lap_time_s);
    assert_eq!(shown["comparison"], Value::Null);
    let points = &shown["points"];
    type Read = fn(&raceline::file::LinePoint) -> f64;
    let columns: [(&str, f64, Read); 9] = [
        ("s_m", 1e-3, |point| point.s_m),
        ("x_m", 1e-3, |point| point.x_m),
        ("y_m", 1e-3, |point| point.y_m),
        ("curvature_radpm", 1e-6, |point| point.curvature_radpm),
        ("speed_mps", 1e-3, |point| point.speed_mps),
        ("accel_mps2", 1e-3, |point| point.accel_mps2),
        ("time_s", 1e-4, |point| point.time_s),
        ("left_m", 1e-3, |point| point.left_m),
        ("right_m", 1e-3, |point| point.right_m),
    ];
    for (key, quantum, of) in columns {
        let numbers = numbers(&points[key]);
        assert_eq!(numbers.len(), line.points.len(), "{key}");
        for (number, point) in numbers.iter().zip(&line.points) {
            assert!((number - of(point)).abs() <= 0.501 * quantum, "{key}: {number} for {}", of(point));
        }
    }
}

#[test]
fn layers_are_there_where_the_file_has_them() {
    let line = sample_lines::winding();
    let shown = data(&page(from_ref(&line)))["lines"][0].clone();
    let methods: Vec<&str> =
        shown["candidates"].as_array().unwrap().iter().map(|one| one["method"].as_str().unwrap()).collect();
    assert_eq!(methods, ["shortest-path", "min-curvature"], "the line itself is no candidate beside itself");
    assert_eq!(numbers(&shown["sections"][0]["x_m"]).len(), line.sections.len());
    let bare = HtmlOptions { candidates: false, corners: false, ..HtmlOptions::default() };
    assert_eq!(data(&render(from_ref(&line), &bare).unwrap())["lines"][0]["candidates"], Value::Array(Vec::new()));
    let circle = sample_lines::circle(50.0, 90);
    let wanted = HtmlOptions { sections: true, ..HtmlOptions::default() };
    assert!(matches!(render(from_ref(&circle), &wanted), Err(RenderError::NoSections { .. })));
    assert_eq!(data(&render(from_ref(&line), &wanted).unwrap())["show_sections"], true);
    assert_eq!(data(&render(from_ref(&line), &wanted).unwrap())["show_corners"], true);
    assert_eq!(data(&render(from_ref(&line), &bare).unwrap())["show_corners"], false);
    assert_eq!(render(&[], &bare), Err(RenderError::NoLine));
}

#[test]
fn no_text_of_a_file_leaves_its_place() {
    let mut line = sample_lines::winding();
    line.name = HOSTILE.to_owned();
    line.vehicle.name = HOSTILE.to_owned();
    line.generator = HOSTILE.to_owned();
    line.source.file = HOSTILE.to_owned();
    let mut other = line.clone();
    other.name = "\u{2028}\u{0}<b>".to_owned();
    let page = page(&[line.clone(), other.clone()]);
    let plain = self::page(from_ref(&sample_lines::winding()));
    assert_eq!(page.matches("<script").count(), plain.matches("<script").count());
    assert_eq!(page.matches("</script").count(), plain.matches("</script").count());
    assert_eq!(page.matches("<!--").count(), plain.matches("<!--").count());
    assert!(!page.contains("<script>alert"));
    let read = data(&page);
    assert_eq!(read["title"], HOSTILE);
    assert_eq!(read["lines"][0]["vehicle"], HOSTILE);
    assert_eq!(read["lines"][1]["name"], other.name.as_str());
    assert_eq!(
        between(&page, "<title>", "</title>"),
        r#"&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!--&quot;'&amp;\u003c{{script}}"#
    );
}

#[test]
fn only_its_own_scripts_may_run_and_nothing_is_fetched() {
    let page = page(from_ref(&sample_lines::winding()));
    let policy = between(&page, r#"http-equiv="Content-Security-Policy" content=""#, "\"");
    assert!(policy.starts_with("default-src 'none'; img-src data: blob:;"), "{policy}");
    let mut scripts = page.split("<script>").skip(1).map(|rest| rest.split_once("</script>").unwrap().0);
    let own = scripts.next().unwrap();
    assert_eq!(scripts.next(), None);
    let only = format!("script-src 'sha256-{}'", STANDARD.encode(Sha256::digest(own)));
    assert!(policy.ends_with(&only), "{policy}");
    assert!(!own.contains("http"));
    assert!(!page.contains(" src=") && !page.contains("<link"));
}

#[test]
fn a_page_of_a_hundred_kilometres_stays_below_two_megabytes() {
    let mut line = sample_lines::circle(16_000.0, 26_000);
    for (i, point) in line.points.iter_mut().enumerate() {
        // Digits as a real line has them.
        let noise = ((i * 7919) % 1000) as f64 / 1000.0;
        point.speed_mps += 10.0 * noise;
        point.accel_mps2 = 10.0 * (noise - 0.5);
        point.curvature_radpm += 0.01 * (noise - 0.5);
        point.left_m += noise;
    }
    let page = page(from_ref(&line));
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
    let points = &data(&page)["lines"][0]["points"];
    let last = *numbers(&points["s_m"]).last().unwrap();
    assert!((last - line.points.last().unwrap().s_m).abs() < 0.006, "{last}");
    let short = self::page(from_ref(&sample_lines::winding()));
    assert!(short.len() < 250_000, "{} bytes", short.len());
}

#[test]
fn lines_are_compared_with_the_first() {
    let line = sample_lines::winding();
    let mut slower = line.clone();
    slower.lap_time_s *= 1.1;
    slower.points.iter_mut().for_each(|point| {
        point.time_s *= 1.1;
        point.speed_mps /= 1.1;
    });
    let page = data(&page(&[line.clone(), slower.clone(), slower.clone()]));
    let labels: Vec<&str> =
        page["lines"].as_array().unwrap().iter().map(|one| one["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["blend (1)", "blend (2)", "blend (3)"], "nothing distinguishes them");
    let expected = compare(&line, &slower, &AnalysisOptions::default()).unwrap();
    let shown = &page["lines"][1]["comparison"];
    let difference = numbers(&shown["time_difference_s"]);
    assert_eq!(difference.len(), line.points.len() + 1);
    assert!((difference.last().unwrap() - 0.1 * line.lap_time_s).abs() < 1e-3);
    assert_eq!(shown["corners_s"].as_array().unwrap().len(), expected.corners.len());
    slower.name = "elsewhere".to_owned();
    slower.points.iter_mut().for_each(|point| point.x_m += 5000.0);
    let error = render(&[line, slower], &HtmlOptions::default()).unwrap_err();
    let message = with_sources(&error);
    assert!(message.contains("\"elsewhere\" can't be shown: at 0.0 m the lines lie"), "{message}");
}

#[test]
fn a_picture_lies_where_the_source_lay() {
    let mut line = sample_lines::winding();
    line.source.metres_per_pixel = Some(0.5);
    line.source.origin_m = [-10.0, 20.0];
    let mut bytes = std::io::Cursor::new(Vec::new());
    let drawn = image::RgbImage::from_fn(60, 40, |x, y| image::Rgb([x as u8, y as u8, 200]));
    drawn.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    let options = HtmlOptions {
        backdrop: Some(Backdrop::new("track.png", bytes.get_ref(), &line).unwrap()),
        theme: PageTheme::Dark,
        ..HtmlOptions::default()
    };
    let page = data(&render(from_ref(&line), &options).unwrap());
    assert_eq!(page["theme"], "dark");
    let shown = &page["background"];
    for (key, value) in [("x_m", -10.0), ("y_m", 20.0), ("width_m", 30.0), ("height_m", 20.0)] {
        assert_eq!(shown[key], value, "{key}");
    }
    let embedded = shown["picture"].as_str().unwrap().strip_prefix("data:image/png;base64,").unwrap();
    let read = image::load_from_memory(&STANDARD.decode(embedded).unwrap()).unwrap();
    assert_eq!(read.to_rgb8(), drawn);
}

#[test]
fn colours_begin_as_asked() {
    let line = sample_lines::winding();
    let by = |colour_by| HtmlOptions { colour_by, ..HtmlOptions::default() };
    let shown = |options: &HtmlOptions| data(&render(from_ref(&line), options).unwrap());
    assert_eq!(shown(&by(None))["colour_by"], Value::Null);
    assert_eq!(shown(&by(Some(ColourBy::Acceleration)))["colour_by"], "accel");
    let page = shown(&HtmlOptions::default());
    let [plain, signed] = ["speed_colours", "diverging_colours"].map(|key| page[key].as_array().unwrap().clone());
    assert_eq!(plain.len(), signed.len());
    assert_ne!(plain, signed);
    for quantity in [ColourBy::Deviation, ColourBy::SpeedRatio] {
        let error = render(from_ref(&line), &by(Some(quantity))).unwrap_err();
        assert!(error.to_string().contains("draw an .svg or .png"), "{error}");
    }
}

#[test]
fn the_command_writes_the_same_page_each_time() {
    let folder = tempfile::tempdir().unwrap();
    let line = sample_lines::winding();
    fs::write(folder.path().join("line.json"), file::json::write(&line).unwrap()).unwrap();
    let raceline = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("raceline").unwrap();
        command.current_dir(folder.path()).args(arguments).assert()
    };
    raceline(&["render", "line.json", "-o", "a.html", "--threads", "1"]).success();
    raceline(&["render", "line.json", "-o", "b.HTM", "--threads", "4"]).success();
    let pages = ["a.html", "b.HTM"].map(|name| fs::read_to_string(folder.path().join(name)).unwrap());
    assert_eq!(pages[0], pages[1]);
    assert!(pages[0] == page(&[file::json::read(&file::json::write(&line).unwrap()).unwrap()]));
    let refused = [
        (&["--background", "nowhere.png"], 1, "nowhere.png"),
        (&["--colour-by", "deviation"], 2, "a page cannot be coloured by deviation"),
    ];
    for (arguments, code, message) in refused {
        raceline(&[&["render", "line.json", "-o", "c.html"], &arguments[..]].concat())
            .code(code)
            .stderr(contains(message));
    }
    assert!(!folder.path().join("c.html").exists());
}

#[test]
fn what_a_car_does_stands_in_the_page_where_the_line_has_it() {
    let mut line = sample_lines::winding();
    assert_eq!(data(&page(from_ref(&line)))["lines"][0]["points"]["steering_deg"], Value::Null);
    for point in &mut line.points {
        (point.steering_rad, point.pedal) = (Some(0.1), Some(-0.4));
        (point.sideslip_rad, point.yaw_rate_radps) = (Some(-0.02), Some(0.4));
    }
    let page = data(&page(from_ref(&line)));
    for (key, expected) in
        [("steering_deg", 5.7296), ("pedal_percent", -40.0), ("sideslip_deg", -1.1459), ("yaw_rate_degps", 22.9183)]
    {
        let column = numbers(&page["lines"][0]["points"][key]);
        assert_eq!(column.len(), line.points.len());
        assert!(column.iter().all(|value| (value - expected).abs() < 2e-3), "{key}: {}", column[0]);
    }
}

#[test]
fn grip_and_limits_stand_in_the_page() {
    let mut line = sample_lines::circle(50.0, 90);
    let page_of = |line: &RacingLine| data(&page(from_ref(line)))["lines"][0].take();
    let shown = page_of(&line);
    assert_eq!(shown["points"]["grip_factor"], Value::Null);
    let column = |key: &str| -> Vec<f64> { serde_json::from_value(shown["limits"][key].clone()).unwrap() };
    let speeds = column("speed_mps");
    assert!(speeds[0] == 0.0 && speeds.is_sorted() && speeds.last() == Some(&20.0));
    assert!(column("across_mps2").iter().chain(&column("braking_mps2")).all(|&limit| limit == 12.0));
    assert!(column("drive_mps2").iter().all(|&limit| limit == 5.3));
    // 0.75 kg/m at 20 m/s and 1200 kg.
    assert_eq!(column("resistance_mps2").last(), Some(&0.25));
    assert_eq!(shown["limits"]["braking_exponent"], 2.0);
    line.points.iter_mut().for_each(|point| (point.grip, point.load) = (Some(0.5), Some(0.9)));
    assert_eq!(numbers(&page_of(&line)["points"]["grip_factor"])[7], 0.45);
    // Stretches of the options, which the points do not have.
    let mut line = sample_lines::circle(50.0, 90);
    line.options.grip = vec![GripStretch { from_m: 0.0, to_m: 60.0, factor: 0.7, ramp_m: 0.0 }.into()];
    let factors = numbers(&page_of(&line)["points"]["grip_factor"]);
    assert_eq!((factors[5], factors[60]), (0.7, 1.0));
}

#[test]
fn obstacles_and_pick_ups_stand_in_the_page_in_metres() {
    let mut line = sample_lines::circle(50.0, 90);
    let at = Spot::Metres([50.0, 0.0]);
    let wall = [[0.0, 48.0], [2.0, 48.0], [0.0, 50.0]];
    line.options.obstacle = vec![
        Obstacle::Circle(CircleObstacle { at, radius_m: 1.5, side: None }),
        Obstacle::Polygon(PolygonObstacle { points: wall.map(Spot::Metres).to_vec(), side: None }),
    ];
    line.options.pick_up = vec![PickUp { at, radius_m: 1.0, worth_s: 0.5, take: Some(true) }];
    let passed = data(&page(from_ref(&line)))["lines"][0]["passed"].take();
    assert_eq!(passed["obstacles"][0]["disc"], json!({ "x_m": 50.0, "y_m": 0.0, "radius_m": 1.5 }));
    assert_eq!(passed["obstacles"][1]["polygon"], json!(wall));
    assert_eq!(passed["pick_ups"][0], json!({ "x_m": 50.0, "y_m": 0.0, "radius_m": 1.0, "taken": true }));
}
