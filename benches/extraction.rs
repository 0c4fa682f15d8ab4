//! Cost of each step from a picture's bytes to edges, at three sizes; throughput counts pixels.
//!
//! Every step should take time in proportion to the pixels: the throughput stays level from size to
//! size, or rises where the fraction of road falls.
#![allow(missing_docs, reason = "criterion's macros write public functions")]
#![allow(clippy::expect_used, reason = "a bench that can't run must stop")]

use std::hint::black_box;
use std::io::Cursor;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use image::{GrayImage, ImageFormat, Luma};
use raceline::edges::RouteOptions;
use raceline::frame::Scale;
use raceline::geometry::Point;
use raceline::picture::{PictureOptions, read_bytes, road_mask};
use raceline::tracing::trace;

/// Sides of the pictures, pixels; four times the pixels from one to the next.
const SIZES: [u32; 3] = [1024, 2048, 4096];

/// Grey level by the distance from the road's nearer edge, pixels, positive outside.
type Level = fn(f64) -> f64;

/// A smooth mask, a pair of lines, a grid of free, wall and unknown.
const STYLES: [(&str, Level); 3] = [
    ("mask", |d| 255.0 * (0.5 - d).clamp(0.0, 1.0)),
    ("outline", |d| 255.0 * (d.abs() - 0.25).clamp(0.0, 1.0)),
    ("grid", |d| {
        if d < 0.0 {
            254.0
        } else if d < 3.0 {
            0.0
        } else {
            205.0
        }
    }),
];

/// A wavy ring road 24 pixels wide.
fn drawn(size: u32, level: Level) -> Vec<u8> {
    let half = f64::from(size) / 2.0;
    let picture = GrayImage::from_fn(size, size, |column, row| {
        let (dx, dy) = (f64::from(column) + 0.5 - half, f64::from(row) + 0.5 - half);
        let radius = half * (0.75 + 0.15 * (5.0 * dy.atan2(dx)).sin());
        Luma([level((dx.hypot(dy) - radius).abs() - 12.0).round() as u8])
    });
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png).expect("PNG takes grey pictures");
    bytes.into_inner()
}

fn extraction(criterion: &mut Criterion) {
    let options = PictureOptions::default();
    for (style, level) in STYLES {
        let mut group = criterion.benchmark_group(style);
        group.sample_size(10);
        for size in SIZES {
            let bytes = drawn(size, level);
            let picture = read_bytes("bench", &bytes, &options).expect("a picture");
            let mask = road_mask(&picture, &options, None).expect("a road");
            let scale = Scale::MetresPerPixel(0.5);
            group.throughput(Throughput::Elements(u64::from(size) * u64::from(size)));
            group.bench_with_input(BenchmarkId::new("read", size), &bytes, |bencher, bytes| {
                bencher.iter(|| read_bytes("bench", black_box(bytes), &options));
            });
            group.bench_with_input(BenchmarkId::new("road_mask", size), &picture, |bencher, picture| {
                bencher.iter(|| road_mask(black_box(picture), &options, None));
            });
            group.bench_with_input(BenchmarkId::new("trace", size), &mask, |bencher, mask| {
                bencher.iter(|| trace(black_box(mask), scale, Point::origin(), &RouteOptions::default()));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, extraction);
criterion_main!(benches);
