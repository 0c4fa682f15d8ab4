//! Sums over the numbers of each method's line on two small roads.
//!
//! A rule that is lost in a search often still leads to a line that is as fast and keeps every
//! margin: only its numbers differ. A change of a sum is deliberate, and stated with its reason.
//! Quadratic programs are solved by the interior point, which has equal bits on every machine.

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::path::Path;
use std::sync::Mutex;

use raceline_car::{Vehicle, preset};
use raceline_road::edges::RoadShape;
use raceline_road::geometry::Point;
use raceline_road::track::{BankingPoint, ElevationPoint, GripStretch, SpeedCap, Track, TrackOptions};
use raceline_solve::blend::blend;
use raceline_solve::min_curvature::{iterated_min_curvature, min_curvature};
use raceline_solve::relaxation::{Form, Settings, Weight, relaxation_with};
use raceline_solve::sampled::sampled;
use raceline_solve::shortest_path::shortest_path;
use raceline_solve::time_optimal::{Task, TimeOptimal, time_optimal};
use raceline_solve::{
    Corridor, EdgeDistance, Formulation, LineOptions, Parent, QpSolver, RoadConditions, SolveOptions,
};

mod cars;
mod searches;

/// A road about three bulges on a circle, by a fraction of its radius, which is wider on one side:
/// a ring or three fifths of it.
fn bulging(radius_m: f64, bulge: f64, closed: bool) -> Track {
    let count = if closed { 72 } else { 44 };
    let angle = |i: i32| TAU * f64::from(i) / 72.0;
    let radius = |angle: f64| radius_m * (1.0 + bulge * (3.0 * angle).cos());
    let middle: Vec<[f64; 2]> =
        (0..count).map(angle).map(|angle| [radius(angle) * angle.cos(), radius(angle) * angle.sin()]).collect();
    let widths: Vec<[f64; 2]> = (0..count).map(angle).map(|angle| [4.0 + angle.cos(), 5.0]).collect();
    let shape = if closed { RoadShape::Closed } else { RoadShape::Open };
    let options = TrackOptions { spacing_m: Some(4.0), ..TrackOptions::default() };
    Track::from_centre_line(&middle, &widths, shape, &options).unwrap()
}

fn road(closed: bool) -> Track {
    bulging(45.0, 0.3, closed)
}

/// A road so short that many laps of it are found in a second.
fn short() -> Track {
    bulging(22.0, 0.15, true)
}

/// The closed road with hills and banks.
fn hilly() -> Track {
    let elevation: Vec<ElevationPoint> =
        (0..12).map(|k| ElevationPoint { s_m: 25.0 * f64::from(k), z_m: 2.0 * (f64::from(k) * 1.1).sin() }).collect();
    let banking: Vec<BankingPoint> =
        (0..6).map(|k| BankingPoint { s_m: 50.0 * f64::from(k), banking_rad: 0.05 * f64::from(k % 3) }).collect();
    road(true).with_profiles(&elevation, &banking).unwrap()
}

fn options() -> SolveOptions {
    SolveOptions { qp_solver: Some(QpSolver::InteriorPoint), ..SolveOptions::default() }
}

/// Sums of numbers, and with weights of their places.
fn sums(values: impl IntoIterator<Item = f64>) -> [f64; 2] {
    values
        .into_iter()
        .enumerate()
        .fold([0.0; 2], |[all, weighted], (k, value)| [all + value, weighted + value * (1.0 + 0.1 * (k % 7) as f64)])
}

fn of_points(points: &[Point]) -> Vec<f64> {
    [sums(points.iter().map(|point| point.x)), sums(points.iter().map(|point| point.y))].concat()
}

/// One test after the other writes the file.
static RECORDED: Mutex<()> = Mutex::new(());

/// Compares with the sums that `tests/recorded/traces.csv` has under this name. `RACELINE_BLESS=1`
/// writes them anew.
#[track_caller]
fn is(name: &str, found: &[f64]) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded/traces.csv");
    let _alone = RECORDED.lock();
    let text = std::fs::read_to_string(&file).unwrap();
    let mut rows: BTreeMap<&str, &str> = text.lines().filter_map(|line| line.split_once(',')).collect();
    if std::env::var_os("RACELINE_BLESS").is_some() {
        let row = found.iter().map(|number| format!("{number:e}")).collect::<Vec<_>>().join(",");
        rows.insert(name, &row);
        let lines = rows.iter().map(|(name, row)| format!("{name},{row}\n"));
        return std::fs::write(file, lines.collect::<String>()).unwrap();
    }
    let recorded: Vec<f64> = rows[name].split(',').map(|number| number.parse().unwrap()).collect();
    assert_eq!(recorded.len(), found.len(), "{name}");
    for (k, (found, recorded)) in found.iter().zip(&recorded).enumerate() {
        let tolerance = 1e-6 * recorded.abs().max(1.0);
        assert!((found - recorded).abs() <= tolerance, "{name}, sum {k}: {found} instead of {recorded}");
    }
}

const MARGIN_M: f64 = 1.2;

/// A road with its corridor.
struct Place {
    track: Track,
    edges: EdgeDistance,
    corridor: Corridor,
}

impl Place {
    fn on(track: Track) -> Self {
        let edges = EdgeDistance::new(&track);
        let corridor = Corridor::new(&track, &edges, MARGIN_M).unwrap();
        Self { track, edges, corridor }
    }

    fn new(closed: bool) -> Self {
        Self::on(road(closed))
    }

    fn straightest(&self) -> Vec<f64> {
        min_curvature(&self.corridor, &options(), &self.corridor.middle()).unwrap().alpha
    }

    fn task<'a>(&'a self, vehicle: &'a Vehicle) -> Task<'a> {
        let Self { track, edges, corridor } = self;
        Task { corridor, edges, margin_m: MARGIN_M, spacing_m: track.spacing_m, lap: vehicle.into() }
    }
}

#[test]
fn corridors() {
    let mut found = Vec::new();
    for closed in [true, false] {
        let Place { mut corridor, .. } = Place::new(closed);
        found.extend([sums(corridor.low.clone()), sums(corridor.high.clone())].concat());
        let warnings = corridor.pin_ends(&SolveOptions {
            start_offset_m: Some(1.0),
            end_offset_m: Some(9.0),
            ..SolveOptions::default()
        });
        found.extend([
            warnings.len() as f64,
            corridor.low[0],
            corridor.high[corridor.len() - 1],
            corridor.mean_width(),
        ]);
    }
    is("corridors", &found);
}

fn of_parent(parent: &Parent) -> Vec<f64> {
    let report = &parent.report;
    [&sums(parent.alpha.clone())[..], &[report.solves as f64, f64::from(report.iterations)]].concat()
}

#[test]
fn shortest_paths() {
    let mut found = Vec::new();
    for closed in [true, false] {
        for formulation in [Formulation::Classic, Formulation::TrueSpacing] {
            let options = SolveOptions { formulation, ..options() };
            found.extend(of_parent(&shortest_path(&Place::new(closed).corridor, &options).unwrap()));
        }
    }
    is("shortest_paths", &found);
}

#[test]
fn lines_of_minimum_curvature() {
    let mut found = Vec::new();
    for closed in [true, false] {
        let place = Place::new(closed);
        for formulation in [Formulation::Classic, Formulation::TrueSpacing] {
            let options = SolveOptions { formulation, ..options() };
            found.extend(of_parent(&min_curvature(&place.corridor, &options, &place.corridor.middle()).unwrap()));
        }
        let (alpha, spacing_m) = (place.straightest(), place.track.spacing_m);
        let solver = QpSolver::InteriorPoint;
        let line = iterated_min_curvature(&place.corridor, &alpha, &place.edges, MARGIN_M, spacing_m, solver).unwrap();
        found.extend(of_points(&line.points));
        found.extend([line.curvature_error, line.report.solves as f64]);
    }
    is("lines_of_minimum_curvature", &found);
}

#[test]
fn relaxed_lines() {
    let mut found = Vec::new();
    for closed in [true, false] {
        let Place { corridor, .. } = Place::new(closed);
        for form in [Form::CurvatureInterpolation, Form::SpringsAndHinges] {
            let settings = Settings { form, sweeps: 12, spring_tension: 0.01 };
            let weights = [(20, 0.3), (33, 0.8)];
            let weights = weights.map(|(section, alpha)| Weight { section, alpha, reach_m: 0.5, force: 0.02 });
            for weights in [&[][..], &weights[..1], &weights] {
                let line = relaxation_with(&corridor, settings, weights);
                found.extend(sums(line.alpha));
                found.extend([line.sweeps as f64, line.last_move_m]);
            }
        }
    }
    is("relaxed_lines", &found);
}

#[test]
fn mixed_lines() {
    let vehicle = preset("gt").unwrap();
    let mut found = Vec::new();
    for closed in [true, false] {
        let place = Place::new(closed);
        let shortest = shortest_path(&place.corridor, &options()).unwrap().alpha;
        let options =
            SolveOptions { population: 8, generations: 12, min_segment_widths: 1.5, joint_widths: 2.0, ..options() };
        let line = blend(&place.corridor, &shortest, &place.straightest(), &vehicle, &options, &|_, _| {}).unwrap();
        found.extend([sums(line.alpha), sums(line.mixing), sums(line.history_s), line.best_uniform.into()].concat());
        found.push(line.evaluations as f64);
    }
    is("mixed_lines", &found);
}

#[test]
fn sampled_lines() {
    let vehicle = preset("gt").unwrap();
    let mut found = Vec::new();
    for closed in [true, false] {
        let options = SolveOptions { sampled_lines: 40, ..options() };
        let line = sampled(&Place::new(closed).corridor, (&vehicle).into(), &options).unwrap();
        found.extend(sums(line.alpha));
        found.push(line.lines as f64);
    }
    is("sampled_lines", &found);
}

fn of_optimum(line: &TimeOptimal) -> Vec<f64> {
    let steps: usize = line.iterations.iter().sum();
    [of_points(&line.points), vec![line.objective_s, steps as f64, line.factorisations as f64]].concat()
}

fn time_optimal_on(place: &Place, name: &str) -> Vec<f64> {
    let vehicle = preset(name).unwrap();
    of_optimum(&time_optimal(place.task(&vehicle), &place.corridor.middle()).unwrap())
}

#[test]
fn time_optimal_lines_of_closed_roads() {
    is("time_optimal_line_of_a_long_ring", &time_optimal_on(&Place::new(true), "gt"));
    is("time_optimal_line_of_a_short_ring", &time_optimal_on(&Place::on(short()), "kart"));
}

#[test]
fn time_optimal_lines_of_open_roads() {
    is("time_optimal_line_of_a_long_open_road", &time_optimal_on(&Place::new(false), "gt"));
    is("time_optimal_line_of_a_short_open_road", &time_optimal_on(&Place::on(bulging(22.0, 0.15, false)), "kart"));
}

/// Grip, maximum speeds and heights.
fn conditions(track: &Track) -> RoadConditions {
    let wet = GripStretch { from_m: 60.0, to_m: 110.0, factor: 0.7, ramp_m: 8.0 };
    let cap = SpeedCap { from_m: 180.0, to_m: 220.0, max_speed_mps: 15.0 };
    let options = LineOptions { grip: vec![wet.into()], speed_cap: vec![cap], ..LineOptions::default() };
    RoadConditions::on(track, &options).unwrap()
}

#[test]
fn time_optimal_lines_on_a_wet_and_hilly_road() {
    let (place, vehicle) = (Place::on(hilly()), preset("gt").unwrap());
    let conditions = conditions(&place.track);
    let lap = conditions.lap(&vehicle, Default::default());
    let task = Task { lap, ..place.task(&vehicle) };
    is(
        "time_optimal_lines_on_a_wet_and_hilly_road",
        &of_optimum(&time_optimal(task, &place.corridor.middle()).unwrap()),
    );
}
