//! Cost of each stage from edges to files, at three sizes; throughput counts cross-sections or
//! points.
//!
//! A longer road is more of the same road, so a stage whose cost is linear shows the same
//! throughput at every size. `benches/extraction.rs` does the same for the stages before,
//! `benches/speed.rs` for the speed profile alone.
#![allow(missing_docs, reason = "criterion's macros write public functions")]
#![allow(clippy::expect_used, reason = "a bench that can't run must stop")]

mod wavy_road;

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use raceline::edges::Edges;
use raceline::file::json;
use raceline::file::{Candidate, EdgeCoordinates, FORMAT, LinePoint, Method, Source, VERSION};
use raceline::geometry::{Point, Polyline};
use raceline::solve::blend::{LapEvaluator, Segments, blend};
use raceline::solve::min_curvature::{iterated_min_curvature, min_curvature};
use raceline::solve::shortest_path::shortest_path;
use raceline::solve::{Corridor, EdgeDistance, QpSolver, SolveOptions};
use raceline::speed::DrivenLine;
use raceline::track::{Track, TrackOptions, cut};
use raceline::vehicle::{Vehicle, preset};
use raceline::{Options, RacingLine};
use raceline_render::svg;
use wavy_road::{HALF_WIDTH_M, WAVES};

/// Spacings at which the middle road is cut, metres.
const SPACINGS_M: [f64; 3] = [2.0, 1.0, 0.5];
/// Distance between a line's points, metres.
const POINT_SPACING_M: f64 = 3.0;
/// Generations of the blend: few, and the same at every size, for the time of one doesn't depend on
/// which it is.
const GENERATIONS: usize = 5;

/// A road with everything that the later stages take.
struct Course {
    edges: Edges,
    track: Track,
    vehicle: Vehicle,
    corridor: Corridor,
    shortest: Vec<f64>,
    curved: Vec<f64>,
}

impl Course {
    fn new(waves: usize) -> Self {
        let edges = wavy_road::edges(waves);
        let track = cut(&edges, &TrackOptions::default()).expect("a plain road");
        let vehicle = preset("tum-racecar").expect("the preset exists");
        let corridor = Corridor::new(&track, &EdgeDistance::new(&track), vehicle.margin_m()).expect("a wide road");
        let shortest = shortest_path(&corridor, &SolveOptions::default()).expect("a shortest path");
        let curved = min_curvature(&corridor, &SolveOptions::default(), &corridor.middle()).expect("a smooth line");
        // Figures of a solver that gives up early would be meaningless.
        assert!(shortest.report.converged() && curved.report.converged(), "{waves} waves");
        // A solver that slows down does so by more iterations or by more expensive ones; the times
        // alone don't show which.
        for (name, report) in [("shortest_path", &shortest.report), ("min_curvature", &curved.report)] {
            let (sections, programs, iterations) = (track.sections.len(), report.solves, report.iterations);
            eprintln!("{name}: {sections} sections take {programs} programs of {iterations} iterations in all");
        }
        Self { edges, track, vehicle, corridor, shortest: shortest.alpha, curved: curved.alpha }
    }

    fn sections(&self) -> usize {
        self.track.sections.len()
    }

    /// The minimum-curvature line as a file holds it.
    fn racing_line(&self) -> RacingLine {
        let rough = DrivenLine::through(&self.corridor.points(&self.curved), true, &self.vehicle).expect("a line");
        let spline = raceline::geometry::SplineCurve::through(&self.corridor.points(&self.curved), true);
        let places = spline.expect("a line").evenly((rough.length_m / POINT_SPACING_M) as usize);
        let points: Vec<Point> = places.iter().map(|place| place.position).collect();
        let driven = DrivenLine::through(&points, true, &self.vehicle).expect("a line");
        let coordinates = |line: &Polyline| line.points.iter().map(|p| [p.x, p.y]).collect();
        let (lap_time_s, length_m) = (driven.lap_time_s(), driven.length_m);
        RacingLine {
            format: FORMAT.to_owned(),
            version: VERSION,
            name: "wavy".to_owned(),
            closed: true,
            direction: self.track.direction,
            method: Method::MinCurvature,
            lap_time_s,
            length_m,
            vehicle: self.vehicle.clone(),
            source: Source {
                file: "wavy.png".to_owned(),
                sha256: "0".repeat(64),
                metres_per_pixel: Some(0.5),
                ..Source::default()
            },
            options: Options::default(),
            generator: "bench".to_owned(),
            candidates: vec![Candidate { method: Method::MinCurvature, lap_time_s, length_m, line: Vec::new() }],
            points: (0..points.len()).map(|i| line_point(&driven, i)).collect(),
            edges: EdgeCoordinates {
                left: coordinates(&self.track.left_edge),
                right: coordinates(&self.track.right_edge),
            },
            sections: Vec::new(),
            constraints: Vec::new(),
            streets: None,
        }
    }
}

fn line_point(driven: &DrivenLine, i: usize) -> LinePoint {
    LinePoint {
        s_m: driven.distance_m[i],
        x_m: driven.points[i].position.x,
        y_m: driven.points[i].position.y,
        heading_rad: driven.points[i].heading(),
        curvature_radpm: driven.curvature[i],
        speed_mps: driven.profile.speed_mps[i],
        accel_mps2: driven.profile.accel_mps2[i],
        time_s: driven.profile.time_s[i],
        left_m: HALF_WIDTH_M,
        right_m: HALF_WIDTH_M,
        z_m: None,
        banking_rad: None,
        grip: None,
        load: None,
        steering_rad: None,
        pedal: None,
        sideslip_rad: None,
        yaw_rate_radps: None,
    }
}

/// Times `stage` in a group whose throughput is `elements` a second.
fn time<T>(group: &mut BenchmarkGroup<WallTime>, parameter: &str, elements: usize, mut stage: impl FnMut() -> T) {
    group.throughput(Throughput::Elements(elements as u64));
    group.bench_function(BenchmarkId::from_parameter(parameter), |bencher| bencher.iter(&mut stage));
}

fn stages(criterion: &mut Criterion) {
    let courses = WAVES.map(Course::new);
    let mut for_each = |name: &str, stage: &dyn Fn(&Course, &mut BenchmarkGroup<WallTime>, &str)| {
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10).measurement_time(Duration::from_secs(5));
        for course in &courses {
            stage(course, &mut group, &format!("{} sections", course.sections()));
        }
        group.finish();
    };
    for_each("cut", &|course, group, size| {
        let options = TrackOptions::default();
        time(group, size, course.sections(), || cut(black_box(&course.edges), &options));
    });
    for_each("corridor", &|course, group, size| {
        let margin_m = course.vehicle.margin_m();
        time(group, size, course.sections(), || {
            Corridor::new(black_box(&course.track), &EdgeDistance::new(&course.track), margin_m)
        });
    });
    for_each("shortest_path", &|course, group, size| {
        time(group, size, course.sections(), || shortest_path(black_box(&course.corridor), &SolveOptions::default()));
    });
    for_each("min_curvature", &|course, group, size| {
        let start = course.corridor.middle();
        time(group, size, course.sections(), || {
            min_curvature(black_box(&course.corridor), &SolveOptions::default(), &start)
        });
    });
    for_each("iterated_min_curvature", &|course, group, size| {
        let Course { corridor, track, vehicle, curved, .. } = course;
        let edges = EdgeDistance::new(track);
        time(group, size, course.sections(), || {
            iterated_min_curvature(
                black_box(corridor),
                curved,
                &edges,
                vehicle.margin_m(),
                track.spacing_m,
                QpSolver::default(),
            )
        });
    });
    for_each("lap_evaluator", &|course, group, size| {
        let Course { corridor, shortest, curved, vehicle, .. } = course;
        let segments = Segments::between(corridor, shortest, curved, &SolveOptions::default());
        let mut evaluator = LapEvaluator::new(corridor, shortest, curved, vehicle).expect("a line");
        let genes: Vec<f64> = (0..segments.count()).map(|k| 0.3 + 0.4 * (k % 2) as f64).collect();
        time(group, size, course.sections(), || evaluator.lap_time(&segments, black_box(&genes)));
    });
    for_each("blend", &|course, group, size| {
        let Course { corridor, shortest, curved, vehicle, .. } = course;
        let options = SolveOptions { generations: GENERATIONS, ..SolveOptions::default() };
        time(group, size, course.sections(), || {
            blend(black_box(corridor), shortest, curved, vehicle, &options, &|_, _| {})
        });
    });
    for_each("driven_line", &|course, group, size| {
        let points = course.corridor.points(&course.curved);
        time(group, size, points.len(), || DrivenLine::through(black_box(&points), true, &course.vehicle));
    });
    for_each("write_json", &|course, group, _| {
        let line = course.racing_line();
        let size = format!("{} points", line.points.len());
        time(group, &size, line.points.len(), || json::write(black_box(&line)));
    });
    for_each("render_svg", &|course, group, _| {
        let lines = [course.racing_line()];
        let points = lines[0].points.len();
        let options = svg::RenderOptions::default();
        time(group, &format!("{points} points"), points, || svg::render(black_box(&lines), &options));
    });
}

/// One road cut finer and finer.
fn spacing(criterion: &mut Criterion) {
    let edges = wavy_road::edges(WAVES[1]);
    let mut group = criterion.benchmark_group("cut_finer");
    group.sample_size(10);
    for spacing_m in SPACINGS_M {
        let options = TrackOptions { spacing_m: Some(spacing_m), ..TrackOptions::default() };
        let sections = cut(&edges, &options).expect("a plain road").sections.len();
        time(&mut group, &format!("{spacing_m} m"), sections, || cut(black_box(&edges), &options));
    }
    group.finish();
}

criterion_group!(benches, stages, spacing);
criterion_main!(benches);
