//! Tracks from arrays of points, and the line on them without a file.

// Clippy exempts test functions but not the helpers beside them.
#![allow(clippy::unwrap_used)]

use std::f64::consts::TAU;
use std::fs;
use std::path::Path;

use raceline::edges::RoadShape;
use raceline::file::Method;
use raceline::files::Reach;
use raceline::frame::ScaleOptions;
use raceline::input;
use raceline::options::Layer;
use raceline::pipeline::{self, Extraction, KeptExtraction, Request, Silent, TrackSource};
use raceline::solve::SolveError;
use raceline::track::{PointsError, Track, TrackOptions};
use raceline::vehicle::preset;
use raceline::{LineOptions, LineStatus, Options, optimize};
use tempfile::TempDir;

use crate::messages::with_sources;

/// An oval as a centre line, counter-clockwise.
fn oval(count: usize, radius_m: [f64; 2]) -> Vec<[f64; 2]> {
    let at = |i: usize| TAU * i as f64 / count as f64;
    (0..count).map(|i| [radius_m[0] * at(i).cos(), radius_m[1] * at(i).sin()]).collect()
}

fn options() -> TrackOptions {
    TrackOptions { spacing_m: Some(1.5), ..TrackOptions::default() }
}

#[test]
fn arrays_have_the_line_of_the_file_with_the_same_points() {
    let (middle, widths_m) = (oval(80, [90.0, 50.0]), vec![[6.0, 4.0]; 80]);
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("oval.csv");
    let rows = middle.iter().map(|[x, y]| format!("{x},{y},4,6\n"));
    fs::write(&path, format!("x_m,y_m,w_tr_right_m,w_tr_left_m\n{}", rows.collect::<String>())).unwrap();
    let vehicle = preset("gt").unwrap();
    let layer =
        Layer::from_toml(Path::new("oval.toml"), "spacing_m = 1.5\nsmoothing_m = 0\nshape = \"closed\"").unwrap();
    let mut of_file = Options::from_layers(&[layer]).unwrap();
    for method in [Method::ShortestPath, Method::IteratedMinCurvature, Method::TimeOptimal, Method::Relaxation] {
        of_file.method = method;
        let file = pipeline::optimize(&path, &Request::new(&of_file, &vehicle)).unwrap().line;
        let track = Track::from_centre_line(&middle, &widths_m, RoadShape::Closed, &options()).unwrap();
        let line = optimize(&track, &vehicle, &LineOptions { method, ..LineOptions::default() }).unwrap();
        assert_eq!((line.method, line.status, line.closed), (method, LineStatus::Solved, true));
        assert_eq!((line.lap_time_s, line.length_m), (file.lap_time_s, file.length_m));
        assert_eq!(line.points(), file.points);
        assert_eq!(line.summary().method, method);
    }
}

#[test]
fn an_extracted_centre_line_is_that_of_a_file_also_where_the_file_is_mended() {
    // A hairpin whose inner edge folds over, with the noise of a survey.
    let noise = |i: usize| 0.05 * ((i * 7919 % 13) as f64 - 6.0);
    let middle: Vec<[f64; 2]> =
        oval(160, [90.0, 12.0]).into_iter().enumerate().map(|(i, [x, y])| [x + noise(i), y + noise(i + 5)]).collect();
    let widths_m: Vec<[f64; 2]> = (0..160).map(|i| [3.0 + noise(i), 4.0]).collect();
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.b.csv");
    let rows = middle.iter().zip(&widths_m).map(|([x, y], [left, right])| format!("{x},{y},{right},{left}\n"));
    fs::write(&path, format!("x_m,y_m,w_tr_right_m,w_tr_left_m\n{}", rows.collect::<String>())).unwrap();
    let layer = Layer::from_toml(Path::new("a.toml"), "shape = \"closed\"").unwrap();
    let options = Options::from_layers(&[layer]).unwrap();
    let file = pipeline::extract(&path, &options, &Silent).unwrap();
    let arrays = pipeline::extract_centre_line("a.b", &middle, &widths_m, &options, &Silent).unwrap();
    assert_eq!(arrays.track, file.track);
    assert_eq!((arrays.name.as_str(), arrays.report.name.as_str()), ("a.b", "a.b"));
    assert_eq!(arrays.report.warnings.len(), file.report.warnings.len());
    assert!(!arrays.report.warnings.is_empty(), "the noise is reported");
    assert_eq!(arrays.source.sha256.len(), 64);

    let fails = |points: &[[f64; 2]], widths_m: &[[f64; 2]], toml: &str| {
        let options = Options::from_layers(&[Layer::from_toml(Path::new("a.toml"), toml).unwrap()]).unwrap();
        with_sources(&pipeline::extract_centre_line("ring", points, widths_m, &options, &Silent).unwrap_err())
    };
    assert!(fails(&middle, &widths_m[1..], "").contains("there are 159 entries of widths for 160 points"));
    let mut broken = middle.clone();
    broken[3][0] = f64::NAN;
    assert!(fails(&broken, &widths_m, "").contains("ring: the arrays are no road: points[3] has the number NaN"));
    assert!(fails(&middle, &widths_m, "metres_per_pixel = 2.0").contains("the file has no pixels"));
}

#[test]
fn two_edges_make_the_road_of_their_centre_line() {
    let edge = |radius: f64| oval(400, [radius; 2]);
    let pair = Track::from_points(&edge(45.0), &edge(55.0), RoadShape::Auto, &options()).unwrap();
    let middle = Track::from_centre_line(&edge(50.0), &[[5.0; 2]; 400], RoadShape::Auto, &options()).unwrap();
    assert!(pair.closed && middle.closed);
    assert!((pair.mean_width() - middle.mean_width()).abs() < 1e-3);
    assert_eq!(pair.direction, middle.direction);
    let repeated: Vec<[f64; 2]> = edge(45.0).into_iter().chain([[45.0, 0.0]]).collect();
    assert_eq!(Track::from_points(&repeated, &edge(55.0), RoadShape::Closed, &options()).unwrap(), pair);
}

#[test]
fn what_is_no_track_is_a_typed_error() {
    let (inner, outer) = (oval(64, [45.0; 2]), oval(64, [55.0; 2]));
    let pair = |left: &[[f64; 2]], right: &[[f64; 2]]| {
        Track::from_points(left, right, RoadShape::Closed, &TrackOptions::default()).unwrap_err()
    };
    assert_eq!(pair(&outer, &inner), PointsError::Swapped);
    let mut broken = inner.clone();
    broken[7][1] = f64::NAN;
    assert!(matches!(pair(&broken, &outer), PointsError::Number { what: "left", index: 7, .. }));
    broken[7][1] = 1e300;
    assert!(matches!(pair(&outer, &broken), PointsError::Number { what: "right", index: 7, .. }));
    assert!(matches!(pair(&[], &[]), PointsError::Road(_)));
    assert!(matches!(pair(&inner, &inner), PointsError::Road(_) | PointsError::Edges(_) | PointsError::Track(_)));
    let huge: Vec<[f64; 2]> = inner.iter().map(|p| p.map(|x| x * 1e5)).collect();
    let wide: Vec<[f64; 2]> = outer.iter().map(|p| p.map(|x| x * 1e5)).collect();
    assert!(matches!(pair(&huge, &wide), PointsError::Road(_)), "millions of cross-sections");
    let middle = |widths: &[[f64; 2]]| {
        Track::from_centre_line(&outer, widths, RoadShape::Closed, &TrackOptions::default()).unwrap_err()
    };
    assert_eq!(middle(&[[5.0; 2]; 63]), PointsError::Lengths { points: 64, widths: 63 });
    let mut widths = [[5.0; 2]; 64];
    widths[3][1] = -1.0;
    let error = middle(&widths);
    assert!(matches!(error, PointsError::Number { what: "widths_m", index: 3, .. }));
    assert_eq!(with_sources(&error), "widths_m[3] has the number -1: a distance to an edge is from 0 m to 10 km");
    assert!(matches!(middle(&[[0.0; 2]; 64]), PointsError::Road(_)));
    let options = TrackOptions { spacing_m: Some(-1.0), ..TrackOptions::default() };
    let error = Track::from_points(&inner, &outer, RoadShape::Closed, &options).unwrap_err();
    assert!(matches!(error, PointsError::Track(_)));
}

#[test]
fn a_line_shows_what_became_of_its_method() {
    let track =
        Track::from_centre_line(&oval(64, [90.0, 50.0]), &[[5.0; 2]; 64], RoadShape::Closed, &options()).unwrap();
    let vehicle = preset("gt").unwrap();
    let options = LineOptions { method: Method::Blend, ..LineOptions::default() };
    let line = optimize(&track, &vehicle, &options).unwrap();
    let methods: Vec<Method> = line.candidates().map(|candidate| candidate.summary().method).collect();
    assert_eq!(methods, [Method::ShortestPath, Method::MinCurvature, Method::Blend]);
    for candidate in line.candidates() {
        let by = match candidate.status() {
            LineStatus::Replaced { by } => by,
            _ => continue,
        };
        let replaced = line.candidates().find(|other| other.summary().method == by).unwrap();
        assert_eq!(candidate.positions(), replaced.positions());
    }
    let last = line.candidates().last().unwrap();
    assert_eq!(last.summary(), line.summary());
    assert_eq!(last.positions(), line.points().iter().map(|point| [point.x_m, point.y_m]).collect::<Vec<_>>());
    assert!((line.driven().lap_time_s() - line.lap_time_s).abs() < 1e-12);
    let mut invalid = LineOptions::default();
    invalid.solve.population = 0;
    assert!(matches!(optimize(&track, &vehicle, &invalid), Err(SolveError::OutOfRange(_))));
}

#[test]
fn tracks_in_memory_have_the_lines_of_their_files() {
    let (left, right) = (oval(80, [94.0, 54.0]), oval(90, [86.0, 46.0]));
    let vehicle = preset("kart").unwrap();
    let options = Options { method: Method::MinCurvature, ..Options::default() };
    let request = Request::new(&options, &vehicle);
    // Counter-clockwise, the larger oval is on the right.
    let edges = TrackSource::EdgeLines("oval.1".to_owned(), right.clone(), left.clone());
    let extraction = pipeline::extracted(edges, &request).unwrap();
    assert_eq!(extraction.name, "oval.1");
    assert!((extraction.track.mean_width() - 8.0).abs() < 0.3, "{}", extraction.track.mean_width());
    let swapped = TrackSource::EdgeLines("oval".to_owned(), vec![[f64::NAN, 0.0]], left);
    let error = with_sources(&pipeline::extracted(swapped, &request).unwrap_err());
    assert!(error.contains("left[0] has the number NaN"), "{error}");
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("oval.csv");
    let rows = oval(80, [90.0, 50.0]).into_iter().map(|[x, y]| format!("{x},{y},4,4\n"));
    let text = format!("x_m,y_m,w_tr_right_m,w_tr_left_m\n{}", rows.collect::<String>());
    fs::write(&path, &text).unwrap();
    let read = input::of_bytes(Path::new("oval.csv"), text.into_bytes(), None, Reach::WithinFolder).unwrap();
    let memory = TrackSource::Memory("oval.csv".into(), Box::new(read));
    let [here, there] = [pipeline::optimize(memory, &request), pipeline::optimize(&path, &request)];
    assert_eq!(here.unwrap().line, there.unwrap().line);
}

#[test]
fn an_extraction_that_was_kept_has_the_same_line_and_warnings() {
    let options = Options { method: Method::MinCurvature, ..Options::default() };
    let vehicle = preset("gt").unwrap();
    let request = Request::new(&options, &vehicle);
    let club = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tracks/club.png"));
    let metres =
        Options { scale: ScaleOptions { metres_per_pixel: Some(0.5), ..ScaleOptions::default() }, ..options.clone() };
    let mut extraction = pipeline::extract(club, &metres, &Silent).unwrap();
    extraction.report.warnings.push(pipeline::Warning::ShapesLeftOut { count: 3 });
    let text = serde_json::to_string(&KeptExtraction::from(&extraction)).unwrap();
    let kept = Extraction::from(serde_json::from_str::<KeptExtraction>(&text).unwrap());
    assert_eq!(kept.track, extraction.track);
    assert_eq!((kept.frame, &kept.source), (extraction.frame, &extraction.source));
    let [before, after] = [extraction, kept].map(|extraction| pipeline::optimize(extraction, &request).unwrap());
    assert_eq!(before.line, after.line);
    let texts = |warnings: &[pipeline::Warning]| warnings.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(texts(&before.warnings), texts(&after.warnings));
    assert!(texts(&after.warnings)[0].contains("shape"), "{:?}", after.warnings);
}
