//! Roads between cones in any order, with missing ones and wrong colours.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

use std::f64::consts::TAU;
use std::fs;

use raceline::cones::{Boundaries, Cone, ConeColour, ConesError, Pose, boundaries, path_ahead};
use raceline::construction::{ImportError, ImportNote, ImportOptions};
use raceline::geometry::{Point, Polyline, SegmentIndex, Vector};
use raceline::importers::cones;
use raceline::pipeline::{self, Silent};
use rand::seq::SliceRandom;
use rand::{RngExt as _, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Points along a circuit's edges.
const POINTS: usize = 2000;
/// Radius of the tightest edge, metres, as the rules have it.
const TIGHTEST_M: f64 = 3.5;
/// Distance between cones of an edge, metres: uniform between these.
const SPACING_M: [f64; 2] = [2.5, 5.0];

/// Both edges of a circuit as in Formula Student, 3 to 5 m wide and 150 to 500 m long; `None` if it comes
/// too near to itself or turns too tightly.
fn circuit(seed: u64) -> Option<[Vec<Point>; 2]> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let radius = random.random_range(25.0..55.0);
    let waves: Vec<(f64, f64, f64)> = (2..7)
        .map(f64::from)
        .map(|k| (k, random.random_range(0.0..0.9) / k.powf(1.1), random.random_range(0.0..TAU)))
        .collect();
    let half = random.random_range(1.5..2.5);
    let centre: Vec<Point> = (0..POINTS)
        .map(|i| {
            let angle = TAU * i as f64 / POINTS as f64;
            let factor = 1.0 + waves.iter().map(|(k, size, phase)| size * (k * angle + phase).cos()).sum::<f64>();
            Point::new(radius * factor * angle.cos(), radius * factor * angle.sin())
        })
        .collect();
    let [mut left, mut right] = [Vec::new(), Vec::new()];
    for i in 0..POINTS {
        let [before, here, after] = [i + POINTS - 1, i, i + 1].map(|i| centre[i % POINTS]);
        let (a, b): (Vector, Vector) = (here - before, after - here);
        let curvature = a.perp(&b) / (a.norm() * b.norm() * f64::midpoint(a.norm(), b.norm()));
        if curvature.abs() > 1.0 / (half + TIGHTEST_M) {
            return None;
        }
        let along = (after - before).normalize();
        let across = Vector::new(-along.y, along.x) * half;
        left.push(here + across);
        right.push(here - across);
    }
    let near = |i: usize, j: usize| {
        let steps = i.abs_diff(j).min(POINTS - i.abs_diff(j));
        steps > POINTS / 12 && (centre[i] - centre[j]).norm() < 2.0 * half + 3.0
    };
    let meets = (0..POINTS).step_by(10).any(|i| (0..i).step_by(10).any(|j| near(i, j)));
    (!meets).then_some([left, right])
}

/// Circuits with their cones, shuffled.
fn circuits(missing: f64, wrong: f64) -> impl Iterator<Item = ([Vec<Point>; 2], Vec<Cone>)> {
    (0..).filter_map(circuit).zip(0..).map(move |(edges, seed)| {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut found = Vec::new();
        for (edge, colours) in
            edges.iter().zip([[ConeColour::Left, ConeColour::Right], [ConeColour::Right, ConeColour::Left]])
        {
            let (mut along, mut next) = (0.0, 0.0);
            for (i, &position) in edge.iter().enumerate() {
                if along >= next {
                    next = along + random.random_range(SPACING_M[0]..SPACING_M[1]);
                    let colour = colours[usize::from(random.random_bool(wrong))];
                    if !random.random_bool(missing) {
                        found.push(Cone { position, colour });
                    }
                }
                along += (edge[(i + 1) % POINTS] - position).norm();
            }
        }
        found.shuffle(&mut random);
        (edges, found)
    })
}

/// The largest distance between two closed lines, in both directions.
fn apart(a: &[Point], b: &[Point]) -> f64 {
    let one_way = |from: &[Point], to: &[Point]| {
        let index = SegmentIndex::new(&Polyline { points: to.to_vec(), closed: true }, 2.0);
        from.iter().map(|&point| index.nearest(point).unwrap().distance).fold(0.0, f64::max)
    };
    one_way(a, b).max(one_way(b, a))
}

fn error(edges: &[Vec<Point>; 2], found: &Boundaries) -> f64 {
    apart(&edges[0], &found.left).max(apart(&edges[1], &found.right))
}

#[test]
fn all_cones_give_both_edges() {
    for (edges, cones) in circuits(0.0, 0.0).take(40) {
        let found = boundaries(&cones, None, None).unwrap();
        assert!(found.closed && found.used == found.cones && found.recoloured == 0);
        let error = error(&edges, &found);
        assert!(error < 0.3, "{error}");
    }
}

#[test]
fn missing_cones_and_wrong_colours_are_made_up_for() {
    let within = circuits(0.1, 0.05)
        .take(100)
        .filter(|(edges, cones)| boundaries(cones, None, None).is_ok_and(|found| error(edges, &found) < 0.3))
        .count();
    assert!(within >= 98, "only {within} of 100 circuits have both edges within 0.3 m");
}

#[test]
fn the_path_ahead_stays_in_the_middle() {
    for (edges, cones) in circuits(0.0, 0.0).take(10) {
        let centre: Vec<Point> =
            edges[0].iter().zip(&edges[1]).map(|(a, b)| Point::from((a.coords + b.coords) / 2.0)).collect();
        let index = SegmentIndex::new(&Polyline { points: centre.clone(), closed: true }, 2.0);
        for i in (0..POINTS).step_by(200) {
            let to = centre[(i + 5) % POINTS] - centre[i];
            let pose = Pose { position: centre[i], heading_rad: to.y.atan2(to.x) };
            let path = path_ahead(&cones, pose, None);
            assert!(!path.is_straight_guess && path.points.len() > 5, "{pose:?}");
            let worst = path.points.iter().map(|&point| index.nearest(point).unwrap().distance).fold(0.0, f64::max);
            assert!(worst < 0.8, "{worst} at {pose:?}");
        }
    }
}

#[test]
fn cones_without_colours_are_those_of_a_road_of_three_and_a_half_metres() {
    let pose = Pose { position: Point::new(0.0, 0.0), heading_rad: 0.0 };
    let guessed = |width_m: f64| {
        let cone = |i: u32| {
            let y = if i.is_multiple_of(2) { width_m / 2.0 } else { -width_m / 2.0 };
            Cone { position: Point::new(2.0 + f64::from(i / 2) * 4.0, y), colour: ConeColour::Either }
        };
        let cones: Vec<Cone> = (0..16).map(cone).collect();
        path_ahead(&cones, pose, None).is_straight_guess
    };
    // Gates from 0.4 to 1.8 times as wide are begun with: 1.4 to 6.3 m.
    assert!(!guessed(1.6) && !guessed(3.5) && !guessed(6.0));
    assert!(guessed(1.2) && guessed(6.6));
}

#[test]
fn where_there_is_no_road_the_path_leads_straight_ahead_and_is_marked() {
    let pose = Pose { position: Point::new(1.0, 2.0), heading_rad: TAU / 4.0 };
    let behind = [[0.0, -5.0], [3.0, -5.0], [0.0, -9.0]]
        .map(|[x, y]| Cone { position: Point::new(x, y), colour: ConeColour::Either });
    for cones in [&[][..], &behind] {
        let path = path_ahead(cones, pose, None);
        assert!(path.is_straight_guess && path.left.is_empty());
        assert!(path.points.iter().all(|point| (point.x - 1.0).abs() < 1e-9 && point.y >= 2.0));
    }
    assert_eq!(boundaries(&behind[..2], None, None), Err(ConesError::TooFew { found: 2 }));
}

fn acceleration() -> String {
    let row = |i: i32| format!("blue,{x},1.5,0\nyellow,{x},-1.5,0\n", x = 5 * i);
    format!("tag,x,y,direction\n{}car_start,0.5,0,0\n", (0..15).map(row).collect::<String>())
}

#[test]
fn every_format_gives_the_same_road() {
    let csv = acceleration();
    let rows: String = csv
        .lines()
        .skip(1)
        .filter(|line| !line.starts_with("car"))
        .map(|line| format!("{line},0.01,0.01,0\n"))
        .collect();
    let listed: Vec<String> = rows
        .lines()
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            format!("{{\"x\": {}, \"y\": {}, \"color\": \"{}\"}}", fields[1], fields[2], fields[0])
        })
        .collect();
    let json = format!("[{}]", listed.join(","));
    let named = format!("{{\"cones\": {json}}}");
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("a.csv", &csv), ("b.csv", &rows), ("c.json", &json), ("d.txt", &named)] {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let extraction = pipeline::extract(&path, &raceline::Options::default(), &Silent).unwrap();
        let length = extraction.track.centre_line().length();
        assert!(!extraction.track.closed && (length - 70.0).abs() < 1.0, "{name}: {length}");
    }
}

#[test]
fn what_was_made_up_for_is_reported() {
    let default = ImportOptions::default();
    let swapped = acceleration().replace("blue,30,", "yellow,30,");
    let imported = cones(swapped.as_bytes(), None, &default).unwrap();
    assert!(
        imported.notes.contains(&ImportNote::Cones { count: 30, unused: 0, recoloured: 1 }),
        "{:?}",
        imported.notes
    );
    let message = |text: &str| match cones(text.as_bytes(), None, &default) {
        Err(error @ (ImportError::Cones { .. } | ImportError::Table(_))) => error.to_string(),
        other => panic!("{other:?}"),
    };
    assert!(message("tag,x,y\nblue,0,1\nmauve,1,1\n").contains("line 3: \"mauve\" is no colour"));
    assert!(message("tag,x,y\nblue,0,1\nblue,1,1\n").contains("2 cones make no road"));
    assert!(message("tag,x,y\nblue,0,1\nblue,x,1\n").contains("line 3, column 2 (x_m)"));
}
