//! The results in `tracks/` are what the program finds today, to a tolerance.
//!
//! A change that moves a line on purpose is blessed: `RACELINE_BLESS=1 cargo test --test goldens` writes the files anew, and
//! the diff shows what moved. On failure the test prints a table and leaves the actual line, and a drawing of both, in
//! cargo's folder for temporary files of tests.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use raceline::export::{json, svg};
use raceline::geometry::{Point, Polyline, SegmentIndex, SplineCurve};
use raceline::options::{Layer, sidecar_of};
use raceline::pipeline::{self, Silent};
use raceline::{Options, RacingLine};

/// Largest difference of lap times, as a share.
const LAP_TIME_SHARE: f64 = 1e-3;
/// Largest distance from one line to the other, m.
const LATERAL_M: f64 = 0.05;
/// Largest difference of speeds at the same place, m/s.
const SPEED_MPS: f64 = 0.2;
/// Samples of the curve to a point of the file, so that the chords between them lie on it.
const SAMPLES_PER_POINT: usize = 16;

/// One test for each track, so that they share the threads, and the list of them all.
macro_rules! goldens {
    ($($name:ident: $input:literal,)*) => {
        $(#[test]
        fn $name() {
            check(stringify!($name), $input);
        })*

        const INPUTS: &[&str] = &[$($input),*];
    };
}

goldens! {
    club: "club.png",
    eight: "eight.png",
    grid: "grid.yaml",
    hairpin: "hairpin.png",
    kart: "kart.png",
    outline: "outline.png",
    oval: "oval.png",
    stadium: "stadium.png",
    street: "street.png",
}

fn tracks() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tracks")
}

#[test]
fn every_track_has_its_golden() {
    let names = |ending: &str| -> BTreeSet<String> {
        let files = fs::read_dir(tracks()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        files.filter_map(|file| file.strip_suffix(ending).map(str::to_owned)).collect()
    };
    let tested: BTreeSet<String> = INPUTS.iter().map(|input| input.split('.').next().unwrap().to_owned()).collect();
    assert_eq!(names(".png"), tested, "pictures, and tests above");
    assert_eq!(names(".raceline.json"), tested, "results, and tests above");
    for input in INPUTS {
        assert!(tracks().join(input).is_file(), "{input}");
        let is_map = tracks().join(input).with_extension("yaml").is_file();
        assert_eq!(input.ends_with(".yaml"), is_map, "{input}: a map is read by its YAML");
    }
}

fn check(name: &str, input: &str) {
    let input = tracks().join(input);
    let golden = tracks().join(format!("{name}.raceline.json"));
    let options = Options::from_layers(&[Layer::read(&sidecar_of(&input).unwrap()).unwrap()]).unwrap();
    let vehicle = options.load_vehicle().unwrap();
    let actual = pipeline::optimize(&input, &options, &vehicle, false, &Silent).unwrap().line.rounded();
    if std::env::var_os("RACELINE_BLESS").is_some_and(|value| value == "1") {
        fs::write(&golden, json::write(&actual).unwrap()).unwrap();
        return;
    }
    let bytes = fs::read(&golden).unwrap_or_else(|error| panic!("{}: {error}; bless it", golden.display()));
    let expected = json::read(&bytes).unwrap();
    let rows = compare(&expected, &actual);
    if rows.iter().all(|row| row.fits) {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = |ending: &str| folder.join(format!("{name}.actual.{ending}"));
    fs::write(file("raceline.json"), json::write(&actual).unwrap()).unwrap();
    fs::write(file("svg"), svg::render(&[expected, actual], &svg::RenderOptions::default()).unwrap()).unwrap();
    panic!(
        "{name} isn't what it was; if that is meant, run with RACELINE_BLESS=1\n{}\nsee {}",
        table(&rows),
        file("svg").display()
    );
}

/// One thing that is compared.
struct Row {
    what: String,
    expected: String,
    actual: String,
    note: String,
    fits: bool,
}

impl Row {
    fn same(what: &str, expected: impl ToString, actual: impl ToString) -> Self {
        let (expected, actual) = (expected.to_string(), actual.to_string());
        let fits = expected == actual;
        Self { what: what.to_owned(), expected, actual, note: "the same".to_owned(), fits }
    }

    fn within_share(what: &str, expected: f64, actual: f64, share: f64) -> Self {
        Self {
            what: what.to_owned(),
            expected: format!("{expected:.4}"),
            actual: format!("{actual:.4}"),
            note: format!("within {} %", 100.0 * share),
            fits: (actual / expected - 1.0).abs() <= share,
        }
    }

    fn within(what: &str, (expected, actual, place): (f64, f64, String), most: f64, unit: &str) -> Self {
        Self {
            what: what.to_owned(),
            expected: format!("{expected:.3}"),
            actual: format!("{actual:.3}"),
            note: format!("within {most} {unit}; worst at {place}"),
            fits: (expected - actual).abs() <= most,
        }
    }
}

fn table(rows: &[Row]) -> String {
    let mut text = format!("   {:30} {:>22} {:>22}\n", "", "expected", "actual");
    for row in rows {
        let mark = if row.fits { "" } else { "!!" };
        let brief = |value: &str| value.chars().take(22).collect::<String>();
        let _ = writeln!(
            text,
            "{mark:2} {:30} {:>22} {:>22}  {}",
            row.what,
            brief(&row.expected),
            brief(&row.actual),
            row.note
        );
    }
    text
}

fn compare(expected: &RacingLine, actual: &RacingLine) -> Vec<Row> {
    let mut rows = vec![
        Row::same("name", &expected.name, &actual.name),
        Row::same("closed", expected.closed, actual.closed),
        Row::same("direction", format!("{:?}", expected.direction), format!("{:?}", actual.direction)),
        Row::same("method", expected.method.name(), actual.method.name()),
        Row::same("picture's SHA-256", &expected.source.sha256, &actual.source.sha256),
        Row::same("vehicle", format!("{:?}", expected.vehicle), format!("{:?}", actual.vehicle)),
        Row::same("options", format!("{:?}", expected.options), format!("{:?}", actual.options)),
        Row::same("candidates", expected.candidates.len(), actual.candidates.len()),
        Row::within_share("lap time, s", expected.lap_time_s, actual.lap_time_s, LAP_TIME_SHARE),
    ];
    for (one, other) in expected.candidates.iter().zip(&actual.candidates) {
        let what = format!("{}'s lap time, s", one.method.name());
        rows.push(Row::same("candidate", one.method.name(), other.method.name()));
        rows.push(Row::within_share(&what, one.lap_time_s, other.lap_time_s, LAP_TIME_SHARE));
    }
    let (before, after) = (Curve::of(expected), Curve::of(actual));
    rows.push(Row::within("actual's distance, m", before.worst_distance(actual), LATERAL_M, "m"));
    rows.push(Row::within("expected's distance, m", after.worst_distance(expected), LATERAL_M, "m"));
    rows.push(Row::within("speed, m/s", before.worst_speed(actual), SPEED_MPS, "m/s"));
    let start = |line: &RacingLine| Point::new(line.points[0].x_m, line.points[0].y_m);
    rows.push(Row::within(
        "start's shift, m",
        (0.0, (start(actual) - start(expected)).norm(), "the start".to_owned()),
        1.0,
        "m",
    ));
    rows
}

/// A line as a curve that can be asked for its nearest place, whatever the number of its points.
struct Curve<'a> {
    line: &'a RacingLine,
    places: SegmentIndex,
}

impl<'a> Curve<'a> {
    fn of(line: &'a RacingLine) -> Self {
        let points: Vec<Point> = line.points.iter().map(|point| Point::new(point.x_m, point.y_m)).collect();
        let curve = SplineCurve::through(&points, line.closed).unwrap();
        let samples = curve.evenly(SAMPLES_PER_POINT * points.len()).into_iter().map(|place| place.position);
        let polyline = Polyline { points: samples.collect(), closed: line.closed };
        Self { line, places: SegmentIndex::new(&polyline, 2.0) }
    }

    /// The greatest distance of a point of `other` from this curve, m: none expected, the actual one, its place.
    fn worst_distance(&self, other: &RacingLine) -> (f64, f64, String) {
        let distances = other.points.iter().map(|point| {
            let nearest = self.places.nearest(Point::new(point.x_m, point.y_m)).unwrap();
            (nearest.distance, point.s_m)
        });
        let (distance, s) = distances.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        (0.0, distance, format!("{s:.1} m"))
    }

    /// The speeds where `other` differs most from this curve's speed at the nearest place.
    fn worst_speed(&self, other: &RacingLine) -> (f64, f64, String) {
        let speeds = other.points.iter().map(|point| {
            let nearest = self.places.nearest(Point::new(point.x_m, point.y_m)).unwrap();
            (self.speed_at(nearest.s * self.line.length_m / self.places.length()), point.speed_mps, point.s_m)
        });
        let (expected, actual, s) = speeds.max_by(|a, b| (a.0 - a.1).abs().total_cmp(&(b.0 - b.1).abs())).unwrap();
        (expected, actual, format!("{s:.1} m"))
    }

    /// Speed at the distance `s` along the lap: between two points its square changes evenly.
    fn speed_at(&self, s: f64) -> f64 {
        let points = &self.line.points;
        let next = points.partition_point(|point| point.s_m <= s);
        let here = &points[next.saturating_sub(1)];
        let (ahead, ahead_s) = points.get(next).map_or((&points[0], self.line.length_m), |point| (point, point.s_m));
        let share = ((s - here.s_m) / (ahead_s - here.s_m)).clamp(0.0, 1.0);
        (here.speed_mps.powi(2) * (1.0 - share) + ahead.speed_mps.powi(2) * share).sqrt()
    }
}

mod comparison {
    use super::{RacingLine, compare, json, tracks};

    fn oval() -> RacingLine {
        json::read(&std::fs::read(tracks().join("oval.raceline.json")).unwrap()).unwrap()
    }

    /// What doesn't fit between the oval and a changed oval.
    fn misfits(change: impl FnOnce(&mut RacingLine)) -> Vec<String> {
        let mut changed = oval();
        change(&mut changed);
        compare(&oval(), &changed).into_iter().filter(|row| !row.fits).map(|row| row.what).collect()
    }

    #[test]
    fn finds_nothing_between_a_line_and_itself() {
        assert!(misfits(|_| {}).is_empty());
    }

    #[test]
    fn finds_one_point_out_of_place() {
        let misfits = misfits(|line| line.points[40].x_m += 0.2);
        assert!(misfits.iter().any(|what| what.starts_with("actual's distance")), "{misfits:?}");
    }

    #[test]
    fn finds_one_speed_that_is_off() {
        assert_eq!(misfits(|line| line.points[40].speed_mps += 0.25), ["speed, m/s"]);
    }

    #[test]
    fn finds_a_lap_time_that_is_off() {
        assert_eq!(misfits(|line| line.lap_time_s *= 1.002), ["lap time, s"]);
    }
}
