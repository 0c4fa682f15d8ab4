//! Speed profile per point, at three sizes: the cost must grow no faster than linearly.

// A bench that can't start should report it.
#![allow(clippy::expect_used)]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use raceline::speed::{Course, SpeedSolver};
use raceline::vehicle::preset;

/// A smooth closed course of hairpins, kinks and straights; three harmonics of different period.
fn curvature(points: usize) -> Vec<f64> {
    (0..points)
        .map(|i| {
            let s = i as f64 * 2.0;
            0.03 * (s / 90.0).sin().powi(5) + 0.01 * (s / 35.0).sin() + 0.002
        })
        .collect()
}

fn lap_time(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("lap_time");
    // Constant limits, downforce, a g-g-v table.
    for name in ["tum-racecar", "gt", "torcs-car1-trb1"] {
        let vehicle = preset(name).expect("the preset exists");
        for points in [500, 2_000, 8_000] {
            let (curvature, steps) = (curvature(points), vec![2.0; points]);
            let mut solver = SpeedSolver::new(&vehicle, Course::Closed).expect("presets are valid");
            group.throughput(Throughput::Elements(points as u64));
            group.bench_function(BenchmarkId::new(name, points), |bencher| {
                bencher.iter(|| solver.lap_time(black_box(&curvature), black_box(&steps), None));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, lap_time);
criterion_main!(benches);
