//! What a step costs: over the number of points looked at, over the length of the path, for ten
//! thousand vehicles; and the speed rule by the closed form against the same rule by sampling.

// A bench that can't start should fail with a message.
#![allow(clippy::expect_used)]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use raceline_follower::baselines::{PaperBaseline, PaperBaselineOptions, Reynolds, ReynoldsOptions};
use raceline_follower::bezier::{QuadraticBezier, cornering_speed};
use raceline_follower::{
    Body, CurveSpan, Follower, FollowerOptions, LocalPlanner, LocalPlannerOptions, Neighbour, Path, PathFollower,
    Scene, VehicleDynamics, VehicleGeometry, VehicleKind, VehicleState, Waypoint,
};

const FRAME_S: f64 = 1.0 / 60.0;

/// A closed path of gentle bends, points 2 m apart whatever their number.
fn path(points: usize) -> Path {
    let radius = 2.0 * points as f64 / std::f64::consts::TAU;
    let waypoints = (0..points).map(|i| {
        let angle = i as f64 / points as f64 * std::f64::consts::TAU;
        let wave = (0.05 * radius).min(5.0) * (angle * (points as f64 / 40.0).ceil()).sin();
        let at = radius + wave;
        Waypoint {
            position_m: [at * angle.cos(), at * angle.sin(), 0.0],
            left_m: 5.0,
            right_m: 5.0,
            speed_mps: 20.0,
            ..Waypoint::default()
        }
    });
    Path::new(waypoints.collect(), true).expect("a good path")
}

/// States of a vehicle that drives along the path at 8 m/s, half a metre off: a step must not see
/// the same frame twice.
fn frames(path: &Path, count: usize) -> Vec<VehicleState> {
    (0..count)
        .map(|i| {
            let there = path.sample(i as f64 * 8.0 * FRAME_S);
            let [x, y, z] = there.position_m;
            let (sin, cos) = there.heading_rad.sin_cos();
            VehicleState::new([x - 0.5 * sin, y + 0.5 * cos, z], there.heading_rad + 0.02, 8.0)
        })
        .collect()
}

/// States of a car that follows the profile of `path`, half a metre off and sliding a little, with
/// velocity and yaw rate, so that the control at the limit applies.
fn frames_at_limit(path: &Path, count: usize) -> Vec<VehicleState> {
    let mut s = 0.0;
    (0..count)
        .map(|_| {
            let there = path.sample(s);
            s += there.speed_mps * FRAME_S;
            let [x, y, z] = there.position_m;
            let (sin, cos) = there.heading_rad.sin_cos();
            VehicleState {
                velocity_mps: [there.speed_mps * cos, there.speed_mps * sin, 0.0],
                yaw_rate_radps: there.speed_mps * there.curvature_radpm,
                ..VehicleState::new([x - 0.5 * sin, y + 0.5 * cos, z], there.heading_rad + 0.02, there.speed_mps)
            }
        })
        .collect()
}

fn with_points(points: usize) -> FollowerOptions {
    let mut options = FollowerOptions::default();
    options.target_speed.points = points;
    options
}

/// Runs a follower over 1000 frames, round and round.
fn run(bencher: &mut criterion::Bencher<'_>, follower: &mut dyn PathFollower, path: &Path) {
    run_over(bencher, follower, path, &frames(path, 1000));
}

fn run_over(
    bencher: &mut criterion::Bencher<'_>,
    follower: &mut dyn PathFollower,
    path: &Path,
    frames: &[VehicleState],
) {
    let mut i = 0;
    bencher.iter(|| {
        i = if i + 1 == frames.len() { 0 } else { i + 1 };
        black_box(follower.step(path, black_box(&frames[i]), &Scene::EMPTY, FRAME_S))
    });
}

fn step(criterion: &mut Criterion) {
    let vehicle = VehicleGeometry::default();
    let mut group = criterion.benchmark_group("step");
    let lap = path(1000);
    for points in [5, 10, 20, 40] {
        let mut follower = Follower::new(with_points(points), vehicle).expect("valid options");
        group.bench_function(BenchmarkId::new("points", points), |bencher| run(bencher, &mut follower, &lap));
    }
    for waypoints in [100, 1_000, 10_000, 100_000] {
        let path = path(waypoints);
        let mut follower = Follower::new(FollowerOptions::default(), vehicle).expect("valid options");
        group.bench_function(BenchmarkId::new("waypoints", waypoints), |bencher| run(bencher, &mut follower, &path));
    }
    let mut racing = Follower::new(FollowerOptions::for_racing(), vehicle).expect("valid options");
    group.bench_function("racing", |bencher| run(bencher, &mut racing, &lap));
    // The exponent of the ellipse matters: other than 2, it costs powers.
    for (name, ellipse_exponent) in [("racing_at_limit", 1.5), ("racing_at_limit_circle", 2.0)] {
        let dynamics = VehicleDynamics { ellipse_exponent, ..VehicleDynamics::constant(10.0, 8.0, 5.0) };
        let lap = lap.clone().with_dynamics(&dynamics);
        let frames = frames_at_limit(&lap, 1000);
        racing.reset();
        group.bench_function(name, |bencher| run_over(bencher, &mut racing, &lap, &frames));
    }
    in_traffic(&mut group, &lap);
    for (name, kind) in [("skid_steer", VehicleKind::SkidSteer), ("hover", VehicleKind::Hover)] {
        let mut options = with_points(15);
        (options.target_speed.span, options.target_speed.spacing_m) = (CurveSpan::Headings, 3.0);
        let mut follower = Follower::new(options, VehicleGeometry { kind, ..vehicle }).expect("valid options");
        group.bench_function(name, |bencher| run(bencher, &mut follower, &lap));
    }
    let mut baseline = PaperBaseline::new(PaperBaselineOptions::default(), vehicle).expect("valid options");
    group.bench_function("baseline", |bencher| run(bencher, &mut baseline, &lap));
    let mut reynolds = Reynolds::new(ReynoldsOptions::default(), vehicle).expect("valid options");
    group.bench_function("reynolds", |bencher| run(bencher, &mut reynolds, &lap));
    group.finish();
}

/// A step at the limit among 4 and 16 other vehicles, of which the nearest is slower and ahead; prints
/// the ratio of the medians to the plain step.
fn in_traffic(group: &mut criterion::BenchmarkGroup<'_, criterion::measurement::WallTime>, lap: &Path) {
    let lap = lap.clone().with_dynamics(&VehicleDynamics::constant(10.0, 8.0, 5.0));
    let frames = frames_at_limit(&lap, 1000);
    let mut s = 0.0;
    let others: Vec<[Neighbour; 16]> = (0..frames.len())
        .map(|_| {
            s += lap.sample(s).speed_mps * FRAME_S;
            std::array::from_fn(|k| {
                let there = lap.sample(s + 15.0 + 12.0 * (k as f64 - 3.0 * (k % 3) as f64));
                let (sin, cos) = there.heading_rad.sin_cos();
                let across = if k % 2 == 0 { 1.5 } else { -1.5 };
                let [x, y, z] = there.position_m;
                Neighbour {
                    position_m: [x - across * sin, y + across * cos, z],
                    velocity_mps: [0.8 * there.speed_mps * cos, 0.8 * there.speed_mps * sin, 0.0],
                    heading_rad: there.heading_rad,
                    length_m: 4.4,
                    width_m: 1.8,
                }
            })
        })
        .collect();
    let follower = || Follower::new(FollowerOptions::for_racing(), VehicleGeometry::default()).expect("valid options");
    let mut medians = [0.0; 3];
    for (median, count) in medians.iter_mut().zip([0, 4, 16]) {
        let (mut driver, mut i) = (follower(), 0);
        if count > 0 {
            group.bench_function(BenchmarkId::new("in_traffic", count), |bencher| {
                bencher.iter(|| {
                    i = (i + 1) % frames.len();
                    let scene = Scene::EMPTY.with_neighbours(&others[i][..count]);
                    black_box(driver.step(&lap, black_box(&frames[i]), &scene, FRAME_S))
                });
            });
        }
        let mut times: Vec<f64> = (0..41)
            .map(|_| {
                let start = std::time::Instant::now();
                for (frame, others) in frames.iter().zip(&others) {
                    let scene = Scene::EMPTY.with_neighbours(&others[..count]);
                    black_box(driver.step(&lap, black_box(frame), &scene, FRAME_S));
                }
                start.elapsed().as_secs_f64() / frames.len() as f64
            })
            .collect();
        times.sort_by(f64::total_cmp);
        *median = times[20];
    }
    let [plain, four, sixteen] = medians;
    println!(
        "step in traffic: plain {:.2} µs, 4 others {:.2} times as long, 16 others {:.2} times",
        1e6 * plain,
        four / plain,
        sixteen / plain
    );
}

/// A step with the local planner among 16 other vehicles and 16 obstacles, all of them near and on the
/// road: the most expensive case.
fn planned(criterion: &mut Criterion) {
    let lap = path(1000);
    let frames = frames(&lap, 1000);
    let beside = |s: f64, across: f64| {
        let there = lap.sample(s);
        let (sin, cos) = there.heading_rad.sin_cos();
        ([there.position_m[0] - across * sin, there.position_m[1] + across * cos], there.heading_rad)
    };
    let mut group = criterion.benchmark_group("planner");
    for (others, obstacles) in [(0, 1), (4, 4), (16, 0), (16, 16)] {
        let surroundings: Vec<(Vec<Body>, Vec<Neighbour>)> = (0..frames.len())
            .map(|i| {
                let s = i as f64 * 8.0 * FRAME_S;
                let obstacle = |k: usize| Body {
                    position_m: beside(s + 6.0 + 2.3 * k as f64, 3.0 * ((k % 3) as f64 - 1.0)).0,
                    velocity_mps: [0.0; 2],
                    radius_m: 0.5,
                };
                let other = |k: usize| {
                    let ([x, y], heading_rad) = beside(s + 8.0 + 2.0 * k as f64, 2.5 * ((k % 4) as f64 - 1.5));
                    let (sin, cos) = heading_rad.sin_cos();
                    Neighbour {
                        position_m: [x, y, 0.0],
                        velocity_mps: [6.0 * cos, 6.0 * sin, 0.0],
                        heading_rad,
                        length_m: 4.4,
                        width_m: 1.8,
                    }
                };
                ((0..obstacles).map(obstacle).collect(), (0..others).map(other).collect())
            })
            .collect();
        let mut options = FollowerOptions::default();
        options.target_speed.max_speed_mps = 20.0;
        let mut follower = Follower::new(options, VehicleGeometry::default()).expect("valid options");
        follower.set_planner(Some(LocalPlanner::new(LocalPlannerOptions::default()).expect("valid options")));
        let mut i = 0;
        group.bench_function(BenchmarkId::new(format!("{others}_others"), obstacles), |bencher| {
            bencher.iter(|| {
                i = (i + 1) % frames.len();
                let (obstacles, others) = &surroundings[i];
                let state = black_box(&frames[i]);
                let scene = Scene::EMPTY.with_obstacles(obstacles).with_neighbours(others);
                black_box(follower.step(&lap, state, &scene, FRAME_S))
            });
        });
    }
    group.finish();
}

/// One frame of ten thousand vehicles spread over one path; 60 Hz leave 16.7 ms.
fn ten_thousand(criterion: &mut Criterion) {
    let vehicle = VehicleGeometry::default();
    let lap = path(10_000);
    let count = 10_000;
    let mut followers = vec![Follower::new(FollowerOptions::default(), vehicle).expect("valid options"); count];
    let mut s: Vec<f64> = (0..count).map(|i| i as f64 / count as f64 * lap.length_m()).collect();
    let mut states = vec![VehicleState::new([0.0; 3], 0.0, 8.0); count];
    let mut group = criterion.benchmark_group("ten_thousand_vehicles");
    group.sample_size(20).throughput(Throughput::Elements(count as u64));
    group.bench_function("one_frame", |bencher| {
        bencher.iter_custom(|frames| {
            let mut spent = std::time::Duration::ZERO;
            for _ in 0..frames {
                // The game's part isn't counted.
                for (state, s) in states.iter_mut().zip(&mut s) {
                    *s += 8.0 * FRAME_S;
                    let there = lap.sample(*s);
                    (state.position_m, state.heading_rad) = (there.position_m, there.heading_rad);
                }
                let start = std::time::Instant::now();
                for (follower, state) in followers.iter_mut().zip(&states) {
                    black_box(follower.step(&lap, state, &Scene::EMPTY, FRAME_S));
                }
                spent += start.elapsed();
            }
            spent
        });
    });
    group.finish();
}

/// The lowest cornering speed of a run of curves, each judged by `curvature`.
fn slowest(points: &[[f64; 3]], curvature: impl Fn(&QuadraticBezier) -> f64) -> f64 {
    let curves = points.windows(3).map(|p| QuadraticBezier { start: p[0], control: p[1], end: p[2] });
    curves.map(|curve| cornering_speed(3.92, curvature(&curve), 10.0)).fold(f64::INFINITY, f64::min)
}

/// |b' × b''| / |b'|³ at 20 points, as it is usually sampled.
fn sampled(curve: &QuadraticBezier) -> f64 {
    let [a, b, c] = [curve.start, curve.control, curve.end];
    let second: [f64; 3] = std::array::from_fn(|k| 2.0 * (a[k] - 2.0 * b[k] + c[k]));
    let curvature = |i: usize| {
        let t = i as f64 / 19.0;
        let d: [f64; 3] = std::array::from_fn(|k| 2.0 * ((1.0 - t) * (b[k] - a[k]) + t * (c[k] - b[k])));
        let cross = [
            d[1] * second[2] - d[2] * second[1],
            d[2] * second[0] - d[0] * second[2],
            d[0] * second[1] - d[1] * second[0],
        ];
        let square = |v: [f64; 3]| v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        let speed = square(d).sqrt();
        square(cross).sqrt() / (speed * speed * speed)
    };
    (0..20).map(curvature).fold(0.0, f64::max)
}

/// The speed rule alone, N = 5: three curves. Besides criterion's figures the ratio of the medians
/// is printed.
fn closed_form(criterion: &mut Criterion) {
    let lap = path(1000);
    let runs: Vec<[[f64; 3]; 5]> =
        (0..1000).map(|i| std::array::from_fn(|k| lap.sample(i as f64 * 2.0 + k as f64 * 6.0).position_m)).collect();
    let mut group = criterion.benchmark_group("speed_rule");
    group.bench_function("closed_form", |bencher| {
        let mut i = 0;
        bencher.iter(|| {
            i = (i + 1) % runs.len();
            slowest(black_box(&runs[i]), QuadraticBezier::max_curvature)
        });
    });
    group.bench_function("20_samples", |bencher| {
        let mut i = 0;
        bencher.iter(|| {
            i = (i + 1) % runs.len();
            slowest(black_box(&runs[i]), sampled)
        });
    });
    group.finish();
    let median = |curvature: &dyn Fn(&QuadraticBezier) -> f64| {
        let mut times: Vec<f64> = (0..41)
            .map(|_| {
                let start = std::time::Instant::now();
                for run in &runs {
                    black_box(slowest(black_box(run), curvature));
                }
                start.elapsed().as_secs_f64()
            })
            .collect();
        times.sort_by(f64::total_cmp);
        times[20] / runs.len() as f64 * 1e9
    };
    let (exact, samples) = (median(&QuadraticBezier::max_curvature), median(&sampled));
    println!(
        "speed rule at N = 5: closed form {exact:.0} ns, 20 samples a curve {samples:.0} ns, ratio {:.1}",
        samples / exact
    );
}

criterion_group!(benches, step, planned, ten_thousand, closed_form);
criterion_main!(benches);
