//! The two searches for the fastest line: what a station of the time-optimal line costs, how many
//! mixtures the blend tries a second, and what fraction of a whole run either takes. All on one
//! thread, so throughputs are per core.
#![allow(missing_docs, reason = "criterion's macros write public functions")]
#![allow(clippy::expect_used, reason = "a bench that can't run must stop")]

mod wavy_road;

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use raceline::Options;
use raceline::file::Method;
use raceline::geometry::Point;
use raceline::pipeline::{Request, optimize};
use raceline::solve::blend::{LapEvaluator, Segments, blend};
use raceline::solve::min_curvature::min_curvature;
use raceline::solve::shortest_path::shortest_path;
use raceline::solve::time_optimal::{Status, Task, TimeOptimal, time_optimal};
use raceline::solve::{Corridor, EdgeDistance, SolveOptions};
use raceline::speed::Lap;
use raceline::track::{Track, TrackOptions, cut};
use raceline::vehicle::{Vehicle, preset};
use wavy_road::{HALF_WIDTH_M, WAVES};

/// A road with everything that the searches take.
struct Course {
    track: Track,
    edges: EdgeDistance,
    vehicle: Vehicle,
    corridor: Corridor,
    shortest: Vec<f64>,
    curved: Vec<f64>,
    blended: Vec<f64>,
}

impl Course {
    fn new(waves: usize) -> Self {
        let track = cut(&wavy_road::edges(waves), &TrackOptions::default()).expect("a plain road");
        let vehicle = preset("tum-racecar").expect("the preset exists");
        let edges = EdgeDistance::new(&track);
        let corridor = Corridor::new(&track, &edges, vehicle.margin_m()).expect("a wide road");
        let shortest = shortest_path(&corridor, &SolveOptions::default()).expect("a shortest path").alpha;
        let curved =
            min_curvature(&corridor, &SolveOptions::default(), &corridor.middle()).expect("a smooth line").alpha;
        let mut course = Self { track, edges, vehicle, corridor, shortest, curved, blended: Vec::new() };
        course.blended = course.blend();
        course
    }

    /// The blend as a run searches it.
    fn blend(&self) -> Vec<f64> {
        let options = SolveOptions::default();
        blend(&self.corridor, &self.shortest, &self.curved, &self.vehicle, &options, &|_, _| {}).expect("a blend").alpha
    }

    fn time_optimal(&self) -> TimeOptimal {
        let task = Task {
            corridor: &self.corridor,
            edges: &self.edges,
            margin_m: self.vehicle.margin_m(),
            spacing_m: self.track.spacing_m,
            lap: Lap::from(&self.vehicle),
        };
        time_optimal(task, &self.blended).expect("a line")
    }

    fn size(&self) -> String {
        format!("{} sections", self.corridor.len())
    }
}

/// Cost per station of the last round, and laps of mixtures a second.
fn searches(criterion: &mut Criterion) {
    let courses = WAVES.map(Course::new);
    let mut group = criterion.benchmark_group("time_optimal");
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    for course in &courses {
        let line = course.time_optimal();
        // Figures of a solver that gives up early would be meaningless.
        assert_eq!(line.status, Status::Converged, "{}", course.size());
        let stations = line.points.len();
        // More steps or more expensive ones: the times alone don't show which.
        eprintln!(
            "time_optimal: {stations} stations take {:?} steps, {} factorisations",
            line.iterations, line.factorisations
        );
        group.throughput(Throughput::Elements(stations as u64));
        group.bench_function(BenchmarkId::from_parameter(format!("{stations} stations")), |bencher| {
            bencher.iter(|| black_box(course).time_optimal());
        });
    }
    group.finish();

    let mut group = criterion.benchmark_group("mixtures");
    group.measurement_time(Duration::from_secs(3)).throughput(Throughput::Elements(1));
    for course in &courses {
        let Course { corridor, shortest, curved, vehicle, .. } = course;
        let segments = Segments::between(corridor, shortest, curved, &SolveOptions::default());
        let mut evaluator = LapEvaluator::new(corridor, shortest, curved, vehicle).expect("a line");
        let genes: Vec<f64> = (0..segments.count()).map(|k| 0.3 + 0.4 * (k % 2) as f64).collect();
        group.bench_function(BenchmarkId::from_parameter(course.size()), |bencher| {
            bencher.iter(|| evaluator.lap_time(&segments, black_box(&genes)));
        });
    }
    group.finish();
}

/// The blend, the time-optimal line, and the whole run that holds both, on the road of middle size:
/// the quotients are the fractions.
fn fractions(criterion: &mut Criterion) {
    let course = Course::new(WAVES[1]);
    let folder = tempfile::tempdir().expect("a folder for the track");
    let input = folder.path().join("wavy.csv");
    let mut centre = String::from("# x_m,y_m,w_tr_right_m,w_tr_left_m\n");
    for Point { coords } in wavy_road::line(WAVES[1], 0.0).points {
        writeln!(centre, "{},{},{HALF_WIDTH_M},{HALF_WIDTH_M}", coords.x, coords.y).expect("a string takes any text");
    }
    std::fs::write(&input, centre).expect("a track to run on");
    let run = |method: Method| {
        let options = Options { method, ..Options::default() };
        optimize(&input, &Request::new(&options, &course.vehicle)).expect("a line")
    };
    let mut group = criterion.benchmark_group("share_of_a_run");
    group.sample_size(10).measurement_time(Duration::from_secs(10));
    group.bench_function("blend", |bencher| bencher.iter(|| black_box(&course).blend()));
    group.bench_function("time_optimal", |bencher| bencher.iter(|| black_box(&course).time_optimal()));
    group.bench_function("run to the blend", |bencher| bencher.iter(|| run(Method::Blend)));
    group.bench_function("whole run", |bencher| bencher.iter(|| run(Method::TimeOptimal)));
    group.finish();
}

/// Leaves one thread to all that follows.
fn one_thread(_: &mut Criterion) {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("no pool before this one");
}

criterion_group!(benches, one_thread, searches, fractions);
criterion_main!(benches);
