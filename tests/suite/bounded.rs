//! Work and memory by the size of the input, as `docs/reference/reliability.md` states them:
//! counted work, and a limit of the address space.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::fs;
use std::path::Path;

use image::{GrayImage, Luma};
use raceline::edges::RoadShape;
use raceline::file::Method;
use raceline::solve::{Detail, LineOptions, optimize};
use raceline::track::{Track, TrackOptions};
use raceline::vehicle::preset;

/// A ring about `radius_m` with three lobes and a width of 10 m.
fn lobed(radius_m: f64) -> Track {
    let count = (8.0 * radius_m / 5.0) as usize;
    let place = |i: usize| {
        let angle = std::f64::consts::TAU * i as f64 / count as f64;
        let radius = radius_m * (1.0 + 0.1 * (3.0 * angle).cos());
        [radius * angle.cos(), radius * angle.sin()]
    };
    let middle: Vec<[f64; 2]> = (0..count).map(place).collect();
    Track::from_centre_line(&middle, &vec![[5.0, 5.0]; count], RoadShape::Closed, &TrackOptions::default()).unwrap()
}

/// Cross-sections of a road, the factorisations of the search for the line of minimum lap time, and
/// the laps simulated for the blend.
fn work(radius_m: f64) -> (usize, usize, usize) {
    let track = lobed(radius_m);
    let (mut steps, mut laps) = (0, 0);
    for method in [Method::TimeOptimal, Method::Blend] {
        let options = LineOptions { method, ..LineOptions::default() };
        for detail in optimize(&track, &preset("gt").unwrap(), &options).unwrap().details {
            match detail {
                Detail::TimeOptimal { factorisations, .. } => steps += factorisations,
                Detail::Blend { evaluations, .. } => laps += evaluations,
                _ => {}
            }
        }
    }
    (track.sections.len(), steps, laps)
}

#[test]
fn the_steps_of_a_search_do_not_grow_with_the_length_of_the_road() {
    /// 40 generations of 48, and those before the first.
    const MAX_LAPS: usize = 41 * 48 + 100;
    const MAX_STEPS: usize = 150;
    let found = [40.0, 160.0, 640.0].map(work);
    println!("sections, factorisations, laps: {found:?}");
    assert!(found[2].0 > 10 * found[0].0);
    for (sections, steps, laps) in found {
        assert!((1..=MAX_STEPS).contains(&steps), "{steps} factorisations for {sections} sections");
        assert!((1..=MAX_LAPS).contains(&laps), "{laps} laps for {sections} sections");
    }
}

/// What the program needs without an input: its code, the libraries and the stacks of its threads.
#[cfg(target_os = "linux")]
const PROGRAM_KIB: u64 = 400 << 10;
/// Memory for each byte of a grey picture's pixels, and that for a line.
#[cfg(target_os = "linux")]
const GREY_BYTES: u64 = 8;
#[cfg(target_os = "linux")]
const LINE_KIB: u64 = 24 << 10;

#[test]
#[cfg(target_os = "linux")]
fn a_picture_takes_no_more_address_space_than_the_formula() {
    let folder = tempfile::tempdir().unwrap();
    for side in [600_u32, 3000] {
        let middle = f64::from(side) / 2.0;
        let is_road = |x: u32, y: u32| {
            let radius = (f64::from(x) - middle).hypot(f64::from(y) - middle);
            (0.3..0.4).contains(&(radius / f64::from(side)))
        };
        let ring = GrayImage::from_fn(side, side, |x, y| Luma([if is_road(x, y) { 255 } else { 0 }]));
        ring.save(folder.path().join("ring.png")).unwrap();
        let bytes = u64::from(side) * u64::from(side) * GREY_BYTES;
        let (code, message) = run_within(folder.path(), PROGRAM_KIB + LINE_KIB + bytes / 1024);
        assert_eq!(code, Some(0), "{side} px: {message}");
    }
    // The limit is one: with a quarter of the program's own, it does not run.
    assert_ne!(run_within(folder.path(), PROGRAM_KIB / 8).0, Some(0));
}

/// Exit code and messages of `optimize` with this much address space.
#[cfg(target_os = "linux")]
fn run_within(folder: &Path, kib: u64) -> (Option<i32>, String) {
    let script = format!(
        "ulimit -v {kib}; exec \"$0\" optimize ring.png --metres-per-pixel 0.2 --method shortest-path --threads 1 -q -o a.json"
    );
    let program = assert_cmd::cargo::cargo_bin("raceline");
    let output = std::process::Command::new("sh").arg("-c").arg(script).arg(program).current_dir(folder).output();
    let output = output.unwrap();
    let _ = fs::remove_file(folder.join("a.json"));
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}
