//! Roads that are hard to read or to drive: edges that fold, legs that overlap, wide roads with
//! tight bends, files in other units, rows out of order.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::path::PathBuf;

use raceline::Options;
use raceline::construction::{ImportError, ImportNote, Imported};
use raceline::edges::Edges;
use raceline::file::Method;
use raceline::geometry::{Point, SegmentIndex, Vector};
use raceline::importers::centre_line_csv;
use raceline::options::Layer;
use raceline::pipeline::{self, Doubt, Request, Silent, Warning};
use raceline::solve::min_curvature::{iterated_min_curvature, min_curvature};
use raceline::solve::{Corridor, EdgeDistance, LineWarning, QpSolver, SolveOptions};
use raceline::speed::DrivenLine;
use raceline::track::{Track, TrackOptions, cut};
use raceline::vehicle::preset;

use crate::messages::with_sources;

/// A point with its widths to the right and to the left, metres.
type Row = [f64; 4];

fn text(rows: &[Row]) -> String {
    rows.iter().map(|[x, y, right, left]| format!("{x:.6},{y:.6},{right:.4},{left:.4}\n")).collect()
}

fn imported(rows: &[Row], closed: bool) -> Result<Imported, ImportError> {
    centre_line_csv(text(rows).as_bytes(), Some(closed), &Default::default())
}

/// A line of arcs, each of a length and a curvature, with points about `step` apart, and its
/// distance at each point.
fn arcs(pieces: &[(f64, f64)], step: f64) -> Vec<(Point, f64)> {
    let (mut at, mut heading, mut s) = (Point::origin(), 0.0_f64, 0.0);
    let mut points = vec![(at, s)];
    for &(length, curvature) in pieces {
        let count = (length / step).round().max(1.0);
        for _ in 0..count as usize {
            let (advance, turn) = (length / count, curvature * length / count);
            let chord = if turn == 0.0 { advance } else { advance * (turn / 2.0).sin() / (turn / 2.0) };
            at += Vector::new((heading + turn / 2.0).cos(), (heading + turn / 2.0).sin()) * chord;
            (heading, s) = (heading + turn, s + advance);
            points.push((at, s));
        }
    }
    points
}

fn with_width(points: &[(Point, f64)], right: f64, left: impl Fn(f64) -> f64) -> Vec<Row> {
    points.iter().map(|&(p, s)| [p.x, p.y, right, left(s)]).collect()
}

/// The number of backward turns of more than a right angle along an edge.
fn reversals(edges: &Edges) -> usize {
    [&edges.left, &edges.right]
        .iter()
        .flat_map(|edge| edge.points.windows(3))
        .filter(|p| (p[1] - p[0]).dot(&(p[2] - p[1])) < -1e-6 * (p[1] - p[0]).norm() * (p[2] - p[1]).norm())
        .count()
}

fn folds(notes: &[ImportNote]) -> Vec<f64> {
    let back = |note: &ImportNote| match note {
        ImportNote::FoldRemoved { back_m, .. } => Some(*back_m),
        _ => None,
    };
    notes.iter().filter_map(back).collect()
}

// ---- Folds

#[test]
fn an_s_that_never_crosses_itself_is_removed_and_reported_with_place_and_distance() {
    // A right angle of radius 8 m, where the left width grows or shrinks from below to above it.
    let bend = arcs(&[(80.0, 0.0), (8.0 * FRAC_PI_2, 1.0 / 8.0), (80.0, 0.0)], 2.0);
    let middle = 80.0 + 4.0 * FRAC_PI_2;
    for slope in [-0.1, 0.1] {
        for rise in [0.5, 1.0, 2.0, 3.0] {
            let left = |s: f64| 7.7 + rise * (0.5 + slope * (s - middle)).clamp(0.0, 1.0);
            let rows = with_width(&bend, 6.0, left);
            let Imported { edges, notes, .. } = imported(&rows, false).unwrap();
            let back = folds(&notes);
            assert!(!back.is_empty() && back.iter().all(|&back| (0.05..7.5).contains(&back)), "{rise}: {back:?}");
            assert!(notes[0].to_string().contains(" cm at (8"), "{}", notes[0]);
            assert_eq!(reversals(&edges), 0, "{slope} {rise}");
            let track = cut(&edges, &TrackOptions::default()).unwrap();
            let widest = track.sections.iter().map(|section| section.width()).fold(0.0, f64::max);
            assert!(widest < 19.0, "{widest}");
            // The outer edge is as it was.
            let index = SegmentIndex::new(&edges.right, 4.0);
            let off = bend
                .iter()
                .map(|&(p, _)| index.nearest(p).unwrap().distance - 6.0)
                .fold(0.0, |a: f64, b| a.max(b.abs()));
            assert!(off < 0.02, "{off}");
        }
    }
}

#[test]
fn a_right_hand_fold_is_the_mirror_image() {
    let bend = arcs(&[(80.0, 0.0), (8.0 * FRAC_PI_2, 1.0 / 8.0), (80.0, 0.0)], 2.0);
    let rows = with_width(&bend, 6.0, |s| 7.7 + (0.5 + 0.1 * (s - 86.0)).clamp(0.0, 1.0));
    let mirrored: Vec<Row> = rows.iter().map(|&[x, y, right, left]| [x, -y, left, right]).collect();
    let [a, b] = [rows, mirrored].map(|rows| imported(&rows, false).unwrap());
    assert_eq!(folds(&a.notes).len(), folds(&b.notes).len());
    assert_eq!(a.edges.left.points.len(), b.edges.right.points.len());
    for (p, q) in a.edges.left.points.iter().zip(&b.edges.right.points) {
        assert!((p - Point::new(q.x, -q.y)).norm() < 1e-6, "{p} {q}");
    }
}

#[test]
fn a_fold_of_more_than_half_a_width_is_refused() {
    // The left edge jumps back over most of the bend.
    let bend = arcs(&[(80.0, 0.0), (3.0 * PI, 1.0 / 3.0), (3.0, 0.0)], 1.0);
    let rows = with_width(&bend, 2.0, |s| if s < 78.0 { 2.0 } else { 12.0 });
    let error = imported(&rows, false).unwrap_err();
    assert!(matches!(error, ImportError::FoldedEdge { side: "left", .. }), "{error}");
}

// ---- Legs

#[test]
fn parallel_legs_that_overlap_are_clipped_half_way() {
    for width in [5.2, 6.0, 8.0] {
        let rows = with_width(&arcs(&[(150.0, 0.0), (5.0 * PI, 0.2), (150.0, 0.0)], 2.0), width, |_| width);
        let Imported { edges, notes, .. } = imported(&rows, false).unwrap();
        let [ImportNote::LegsClipped { places: 1, overlap_m, length_m, .. }, ..] = notes.as_slice() else {
            panic!("{notes:?}");
        };
        assert!((overlap_m - (2.0 * width - 10.0)).abs() < 0.02, "{overlap_m}");
        assert!((130.0..151.0).contains(length_m), "{length_m}");
        // Far from the bend, the left edges of both legs are 2 cm from the middle.
        for p in edges.left.points.iter().filter(|p| p.x < 120.0) {
            assert!(((p.y - 5.0).abs() - 0.02).abs() < 1e-3, "{p}");
        }
        let track = cut(&edges, &TrackOptions::default()).unwrap();
        assert!(track.crossings.is_empty());
        let straight = track.sections.iter().filter(|section| section.middle().x < 100.0);
        straight.for_each(|section| assert!((section.width() - width - 4.98).abs() < 0.02, "{}", section.width()));
    }
}

#[test]
fn a_neck_between_two_lobes_is_clipped_and_a_crossing_is_not() {
    let neck: Vec<Row> = (0..400)
        .map(|i| TAU * f64::from(i) / 400.0)
        .map(|t| {
            let y = 40.0 * t.sin() * (1.0 - 0.9 * (-(t.cos() / 0.3).powi(2)).exp());
            [120.0 * t.cos(), y, 7.0, 7.0]
        })
        .collect();
    let Imported { edges, notes, .. } = imported(&neck, true).unwrap();
    assert!(matches!(notes.as_slice(), [ImportNote::LegsClipped { places: 1, .. }]), "{notes:?}");
    let gap = edges.left.points.iter().filter(|p| p.x.abs() < 20.0).map(|p| p.y.abs()).fold(f64::INFINITY, f64::min);
    assert!((gap - 0.02).abs() < 0.005, "{gap}");
    let eight: Vec<Row> = (0..600)
        .map(|i| TAU * f64::from(i) / 600.0)
        .map(|t| [150.0 * t.cos(), 150.0 * t.sin() * t.cos(), 12.0, 12.0])
        .collect();
    assert_eq!(imported(&eight, true).unwrap().notes, Vec::new());
}

#[test]
fn a_spiral_is_clipped_left_against_right() {
    let spiral: Vec<Row> = (0..700)
        .map(|i| 0.03 * f64::from(i))
        .map(|t| {
            let r = 20.0 + 9.0 * t / TAU;
            [r * t.cos(), r * t.sin(), 5.0, 5.0]
        })
        .collect();
    let Imported { edges, notes, .. } = imported(&spiral, false).unwrap();
    assert!(matches!(notes.as_slice(), [ImportNote::LegsClipped { .. }]), "{notes:?}");
    let track = cut(&edges, &TrackOptions::default()).unwrap();
    assert!(track.crossings.is_empty());
    assert!(track.sections.iter().all(|section| (8.8..9.7).contains(&section.width())));
}

// ---- Units and order

#[test]
fn rows_out_of_order_are_refused_with_a_line() {
    let ring = |i: u32| TAU * f64::from(i) / 400.0;
    // A permutation without pattern: 173 is prime to 400.
    let rows: Vec<Row> =
        (0..400).map(|i| ring(i * 173 % 400)).map(|t| [200.0 * t.cos(), 200.0 * t.sin(), 5.0, 5.0]).collect();
    let error = imported(&rows, true).unwrap_err();
    assert!(matches!(error, ImportError::OutOfOrder { .. }), "{error}");
    assert!(error.to_string().contains("put its points into the order of travel"), "{error}");
}

#[test]
fn files_in_other_units_are_refused_with_the_likely_one() {
    let ring = |coordinates: f64, width: f64| -> Vec<Row> {
        (0..400)
            .map(|i| TAU * f64::from(i) / 400.0)
            .map(|t| [640.0 * coordinates * t.cos(), 640.0 * coordinates * t.sin(), 6.0 * width, 6.0 * width])
            .collect()
    };
    let cases = [
        (100.0, 100.0, "looks like coordinates and widths in centimetres"),
        (1.0, 1000.0, "looks like widths in millimetres"),
    ];
    for (coordinates, width, words) in cases {
        let error = imported(&ring(coordinates, width), true).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    let degrees: Vec<Row> = ring(1.0 / 111_195.0, 1.0).iter().map(|&[x, y, r, l]| [11.6 + x, 48.2 + y, r, l]).collect();
    let error = imported(&degrees, true).unwrap_err().to_string();
    assert!(error.contains("degrees of longitude and latitude"), "{error}");
}

// ---- Plausibility

/// A folder with a file, and its path.
fn written(name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

fn ring_rows(radius: f64, width: f64) -> Vec<Row> {
    let count = (TAU * radius / 2.0) as usize;
    (0..count)
        .map(|i| TAU * i as f64 / count as f64)
        .map(|t| [radius * t.cos(), radius * t.sin(), width / 2.0, width / 2.0])
        .collect()
}

#[test]
fn doubtful_tracks_are_reported_before_the_search() {
    let doubts = |rows: &[Row]| -> Vec<Doubt> {
        let (_folder, path) = written("a.csv", &text(rows));
        let extraction = pipeline::extract(&path, &Options::default(), &Silent).unwrap();
        let warnings = extraction.warnings_for(&preset("tum-racecar").unwrap());
        let doubt = |warning: &Warning| match warning {
            Warning::Doubtful(doubt) => Some(*doubt),
            _ => None,
        };
        warnings.iter().filter_map(doubt).collect()
    };
    assert_eq!(doubts(&ring_rows(100.0, 12.0)), Vec::new());
    assert!(matches!(doubts(&ring_rows(400.0, 40.0))[..], [Doubt::Wide { .. }]));
    assert!(matches!(doubts(&ring_rows(25.0, 25.0))[..], [Doubt::Short { closed: true, .. }]));
    assert!(matches!(doubts(&ring_rows(5000.0, 12.0))[..], [Doubt::Long { .. }]));
    let step = with_width(&arcs(&[(400.0, 0.0)], 2.0), 5.0, |s| if s < 200.0 { 5.0 } else { 17.0 });
    assert!(matches!(doubts(&step)[..], [Doubt::WidthJump { .. }]));
}

#[test]
fn a_scale_for_coordinates_is_an_error() {
    let (_folder, path) = written("a.csv", &text(&ring_rows(100.0, 12.0)));
    let mut options = Options::default();
    options.scale.metres_per_pixel = Some(0.5);
    let message = with_sources(&pipeline::extract(&path, &options, &Silent).unwrap_err());
    assert!(message.contains("metres_per_pixel is for pictures"), "{message}");
}

// ---- Schematic maps

#[test]
fn a_schematic_map_has_the_specified_length_and_width() {
    // A ring of radius 100 px, drawn 12 px wide: 38 m at the scale of its length.
    let (width, height) = (320, 300);
    let mut bytes = format!("P5\n{width} {height}\n255\n").into_bytes();
    for row in 0..height {
        for column in 0..width {
            let from_middle = (f64::from(column) + 0.5 - 160.0).hypot(f64::from(row) + 0.5 - 150.0);
            bytes.push((255.0 * ((from_middle - 100.0).abs() - 6.0 + 0.5).clamp(0.0, 1.0)) as u8);
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.pgm");
    std::fs::write(&path, bytes).unwrap();
    let mut options = Options::default();
    options.scale.track_length_m = Some(2000.0);
    options.scale.track_width_m = Some(12.0);
    options.track.start = Some("260,150px".parse().unwrap());
    let extraction = pipeline::extract(&path, &options, &Silent).unwrap();
    let (track, report) = (extraction.track, extraction.report);
    assert!((report.length_m / 2000.0 - 1.0).abs() < 0.005, "{}", report.length_m);
    assert!(track.sections.iter().all(|section| (section.width() - 12.0).abs() < 0.1));
    let metres_per_pixel = extraction.source.metres_per_pixel.unwrap();
    assert!((metres_per_pixel - 2000.0 / (TAU * 100.0)).abs() < 0.01, "{metres_per_pixel}");
    let start = track.sections[0].middle();
    assert!((start - Point::new(260.0, 150.0) * metres_per_pixel).norm() < 8.0, "{start}");
    // The two keys belong together in one layer; a third is one too many.
    let layer = |toml: &str| Layer::from_toml(std::path::Path::new("a.toml"), toml).unwrap();
    let options = Options::from_layers(&[layer("track_length_m = 2000\ntrack_width_m = 12\n")]).unwrap();
    assert_eq!(options.scale.schematic_width_m(), Some(12.0));
    let third = layer("track_length_m = 2000\ntrack_width_m = 12\nresolution = 0.5\n");
    assert!(Options::from_layers(&[third]).unwrap_err().to_string().contains("both specify the scale"));
}

// ---- Wide roads with tight bends

/// Three lobes whose bends are tighter than half the road's width.
fn lobes() -> Track {
    let rows: Vec<Row> = (0..900)
        .map(|i| TAU * f64::from(i) / 900.0)
        .map(|t| {
            let r = 40.0 * (1.0 + 0.85 * (3.0 * t).cos());
            [r * t.cos(), r * t.sin(), 8.0, 8.0]
        })
        .collect();
    cut(&imported(&rows, true).unwrap().edges, &TrackOptions::default()).unwrap()
}

#[test]
fn minimum_curvature_stays_a_line_where_sections_fan() {
    let track = lobes();
    let edges = EdgeDistance::new(&track);
    let car = preset("tum-racecar").unwrap();
    let margin = car.margin_m();
    let corridor = Corridor::new(&track, &edges, margin).unwrap();
    let curved = min_curvature(&corridor, &SolveOptions::default(), &corridor.middle()).unwrap();
    assert!(curved.report.converged());
    let iterated =
        iterated_min_curvature(&corridor, &curved.alpha, &edges, margin, track.spacing_m, QpSolver::default()).unwrap();
    for points in [corridor.points(&curved.alpha), iterated.points] {
        let driven = DrivenLine::through(&points, true, &car).unwrap();
        let sharpest = driven.curvature.iter().fold(0.0, |max: f64, k| max.max(k.abs()));
        // The programs used to end at 13 1/m and 666 m, with a spike in each lobe.
        assert!(sharpest < 0.3, "{sharpest}");
        assert!(driven.length_m < 500.0, "{}", driven.length_m);
        assert!(driven.lowest_speed_mps() > 6.0, "{}", driven.lowest_speed_mps());
    }
}

#[test]
fn every_method_ends_with_a_sound_line_on_lobes() {
    let rows: Vec<Row> = (0..900)
        .map(|i| TAU * f64::from(i) / 900.0)
        .map(|t| {
            let r = 40.0 * (1.0 + 0.85 * (3.0 * t).cos());
            [r * t.cos(), r * t.sin(), 8.0, 8.0]
        })
        .collect();
    let (_folder, path) = written("lobes.csv", &text(&rows));
    let car = preset("tum-racecar").unwrap();
    let mut options = Options::default();
    options.solve.generations = 4;
    let mut times = Vec::new();
    for method in [Method::MinCurvature, Method::Blend, Method::TimeOptimal] {
        options.method = method;
        let outcome = pipeline::optimize(&path, &Request::new(&options, &car)).unwrap();
        let failed = outcome
            .warnings
            .iter()
            .filter(|warning| matches!(warning, Warning::Line(LineWarning::CandidateFailed { .. })));
        assert_eq!(failed.count(), 0, "{:?}", outcome.warnings);
        times.push(outcome.line.lap_time_s);
    }
    assert!(times[0] >= times[1] && times[1] >= times[2] && times[0] < 30.0, "{times:?}");
}

/// Road 753 of the library: points of a file as far apart as those of the line, and cross-sections closer together.
#[test]
fn a_line_with_fewer_points_than_sections_has_the_curvature_of_its_headings() {
    let mut oval = arcs(&[(150.0, 0.0), (80.0 * PI, 1.0 / 80.0), (150.0, 0.0), (80.0 * PI, 1.0 / 80.0)], 1.06);
    oval.pop();
    let (_folder, path) = written("oval.csv", &text(&with_width(&oval, 2.12, |_| 2.12)));
    let car = preset("kart").unwrap();
    let mut options = Options { method: Method::ShortestPath, ..Options::default() };
    options.track.spacing_m = Some(0.4);
    let line = pipeline::optimize(&path, &Request::new(&options, &car)).unwrap().line;
    let n = line.points.len();
    assert!((2.0 * n as f64) < (300.0 + 160.0 * PI) / 0.4, "{n} points");
    for i in 0..n {
        let [a, b] = [&line.points[i], &line.points[(i + 1) % n]];
        let step_m = (b.x_m - a.x_m).hypot(b.y_m - a.y_m);
        let turn = (b.heading_rad - a.heading_rad + PI).rem_euclid(TAU) - PI;
        let mean = f64::midpoint(a.curvature_radpm, b.curvature_radpm);
        assert!((turn / step_m - mean).abs() < 1e-4, "point {i}: {} and {mean} 1/m", turn / step_m);
    }
}

#[test]
fn a_line_with_a_kink_outside_its_margin_or_too_long_is_no_candidate() {
    use raceline::solve::{Fault, Soundness};
    let edges = imported(&ring_rows(100.0, 12.0), true).unwrap().edges;
    let track = cut(&edges, &TrackOptions::default()).unwrap();
    let distances = EdgeDistance::new(&track);
    let car = preset("tum-racecar").unwrap();
    let soundness = Soundness::new(&track, car.margin_m(), car.max_curvature_radpm);
    let fault = |aside: &dyn Fn(usize) -> f64| {
        let angle = |i: usize| TAU * i as f64 / 200.0;
        let points: Vec<Point> =
            (0..200).map(|i| (100.0 + aside(i), angle(i))).map(|(r, t)| Point::new(r * t.cos(), r * t.sin())).collect();
        soundness.fault(&DrivenLine::through(&points, true, &car).unwrap(), &distances)
    };
    assert_eq!(fault(&|_| 0.0), None);
    assert!(matches!(fault(&|i| if i == 50 { 3.0 } else { 0.0 }), Some(Fault::Steering { .. })));
    assert!(matches!(fault(&|_| 5.0), Some(Fault::Margin { missing_m, .. }) if (missing_m - 0.7).abs() < 0.01));
    // Waves that are longer than the outer edge, without a kink and within the margin.
    let wave = fault(&|i| 4.0 * (TAU * i as f64 / 8.0).sin());
    assert!(matches!(wave, Some(Fault::Length { .. })), "{wave:?}");
}

// ---- Options

#[test]
fn a_reference_line_gives_start_and_direction() {
    let rows = ring_rows(100.0, 12.0);
    let (folder, path) = written("a.csv", &text(&rows));
    // Clockwise, from the top.
    let reference: String = (0..200)
        .map(|i| FRAC_PI_2 - TAU * f64::from(i) / 200.0)
        .map(|t| format!("{};{}\n", 99.0 * t.cos(), 99.0 * t.sin()))
        .collect();
    let like = folder.path().join("reference.csv");
    std::fs::write(&like, format!("# x_m; y_m\n{reference}")).unwrap();
    let options = Options { like: Some(like.to_string_lossy().into_owned()), ..Options::default() };
    let car = preset("tum-racecar").unwrap();
    let mut options = Options { method: Method::ShortestPath, ..options };
    let line = pipeline::optimize(&path, &Request::new(&options, &car)).unwrap().line;
    assert!(line.points[0].x_m.abs() < 2.0 && line.points[0].y_m > 90.0);
    assert!(line.points[5].x_m > line.points[0].x_m, "clockwise at the top is towards +x");
    // The file contains what the reference gave, and not its name.
    assert_eq!(line.options.like, None);
    assert!(line.options.track.start.is_some() && line.options.track.direction.is_some());
    options.like = Some("nothing.csv".to_owned());
    let message = with_sources(&pipeline::extract(&path, &options, &Silent).unwrap_err());
    assert!(message.contains("the reference line nothing.csv can't be read"), "{message}");
}
