//! The usual method of extracting, as published scripts do it, beside ours on the same pictures.
//!
//! Two references, which serve only this comparison. Both thin the road to a skeleton (T. Y. Zhang
//! and C. Y. Suen, "A fast parallel algorithm for thinning digital patterns", Communications of the
//! ACM 27, 1984), put the skeleton's loop in order and smooth it to a centre line. The first takes
//! the distance transform on it as half the width on both sides alike. The second measures each
//! side along the normal, up to the first pixel off the road.
//! `cargo test --test suite skeleton_reference:: -- --nocapture` prints the table.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::f64::consts::{PI, TAU};

use crate::drawing::{anti_aliased, binary, mask_of};
use image::{GrayImage, Luma};
use imageproc::distance_transform::euclidean_squared_distance_transform;
use raceline::edges::RouteOptions;
use raceline::frame::Scale;
use raceline::geometry::{Point, Polyline, Segment, SegmentIndex, Vector, left_of};
use raceline::picture::RoadMask;
use raceline::tracing::trace;

const SIZE: u32 = 320;
const MIDDLE: Point = Point::new(160.3, 159.6);

/// Skeleton pixels that the centre line is averaged over, to either side, as a smoothing spline
/// does.
const SMOOTHING: usize = 6;

/// A road by its two edges in closed form, pixels with y upwards.
struct Road {
    name: &'static str,
    edges: [Polyline; 2],
}

fn curve(radius: impl Fn(f64) -> f64) -> Polyline {
    let at = |i: usize| {
        let t = TAU * i as f64 / 4000.0;
        MIDDLE + Vector::new(t.cos(), t.sin()) * radius(t)
    };
    Polyline::closed((0..4000).map(at).collect())
}

fn stadium(half: f64, radius: f64) -> Polyline {
    let arc = |side: f64| {
        (0..=600).map(move |i| {
            let t = PI * i as f64 / 600.0 - PI / 2.0 + if side < 0.0 { PI } else { 0.0 };
            MIDDLE + Vector::new(side * half + radius * t.cos(), radius * t.sin())
        })
    };
    Polyline::closed(arc(1.0).chain(arc(-1.0)).collect())
}

fn roads() -> Vec<Road> {
    let mut roads = Vec::new();
    for (name, width) in [("circle, 8 px", 8.0), ("circle, 25 px", 25.0)] {
        roads.push(Road { name, edges: [curve(|_| 110.0 - width / 2.0), curve(|_| 110.0 + width / 2.0)] });
    }
    roads.push(Road { name: "stadium, 12 px", edges: [stadium(60.0, 54.0), stadium(60.0, 66.0)] });
    let wavy = |t: f64| 105.0 * (1.0 + 0.15 * (5.0 * t).cos());
    roads.push(Road { name: "wavy, 12 px", edges: [curve(|t| wavy(t) - 6.0), curve(|t| wavy(t) + 6.0)] });
    let half = |t: f64| 10.0 + 6.0 * (3.0 * t).cos();
    roads.push(Road { name: "8 to 32 px wide", edges: [curve(|t| 110.0 - half(t)), curve(|t| 110.0 + half(t))] });
    roads
}

impl Road {
    fn drawn(&self, hard: bool) -> GrayImage {
        let [inner, outer] = &self.edges;
        let height = f64::from(SIZE);
        // Rows of the polygon's corners would cost too much for each sample; the edges are stars
        // about their middle.
        let reach = |edge: &Polyline| {
            let mut table = vec![0.0; 4096];
            let index = SegmentIndex::new(edge, 8.0);
            for (k, radius) in table.iter_mut().enumerate() {
                let t = TAU * k as f64 / 4096.0;
                let (mut low, mut high) = (1.0, 159.0);
                let ray = Vector::new(t.cos(), t.sin());
                for _ in 0..40 {
                    let middle = f64::midpoint(low, high);
                    if index.meets(Segment::new(MIDDLE, MIDDLE + ray * middle)) { high = middle } else { low = middle }
                }
                *radius = high;
            }
            table
        };
        let (inner, outer) = (reach(inner), reach(outer));
        let road = |x: f64, y: f64| {
            let from = Point::new(x, height - y) - MIDDLE;
            let turn = from.y.atan2(from.x).rem_euclid(TAU) / TAU * 4096.0;
            let (k, fraction) = (turn as usize % 4096, turn.fract());
            let at = |table: &[f64]| table[k] * (1.0 - fraction) + table[(k + 1) % 4096] * fraction;
            (at(&inner)..=at(&outer)).contains(&from.norm())
        };
        if hard { binary(SIZE, road) } else { anti_aliased(SIZE, road) }
    }
}

/// Zhang and Suen's thinning.
fn thinned(mask: &GrayImage) -> Vec<Vec<bool>> {
    let mut on: Vec<Vec<bool>> =
        (0..SIZE).map(|row| (0..SIZE).map(|column| mask.get_pixel(column, row).0[0] > 127).collect()).collect();
    let around = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)];
    loop {
        let mut changed = false;
        for pass in 0..2 {
            let mut gone = Vec::new();
            for row in 1..SIZE as usize - 1 {
                for column in 1..SIZE as usize - 1 {
                    if !on[row][column] {
                        continue;
                    }
                    let p = around.map(|(r, c): (i32, i32)| {
                        on[row.wrapping_add_signed(r as isize)][column.wrapping_add_signed(c as isize)]
                    });
                    let neighbours = p.iter().filter(|&&p| p).count();
                    let turns = (0..8).filter(|&k| !p[k] && p[(k + 1) % 8]).count();
                    let clear =
                        if pass == 0 { !(p[2] && p[4] && (p[0] || p[6])) } else { !(p[0] && p[6] && (p[2] || p[4])) };
                    if (2..=6).contains(&neighbours) && turns == 1 && clear {
                        gone.push((row, column));
                    }
                }
            }
            changed |= !gone.is_empty();
            gone.into_iter().for_each(|(row, column)| on[row][column] = false);
        }
        if !changed {
            return on;
        }
    }
}

/// The skeleton's pixels in order of their angle about the middle, smoothed: the centre line. The
/// roads here are stars, which spares the reference the ordering that scripts do by walking.
fn centre_line(skeleton: &[Vec<bool>]) -> Polyline {
    let mut points: Vec<Point> = Vec::new();
    for (row, pixels) in skeleton.iter().enumerate() {
        let on = pixels.iter().enumerate().filter(|&(_, &on)| on);
        points.extend(on.map(|(column, _)| Point::new(column as f64 + 0.5, f64::from(SIZE) - row as f64 - 0.5)));
    }
    let angle = |p: &Point| (p.y - MIDDLE.y).atan2(p.x - MIDDLE.x);
    points.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    let n = points.len();
    let smooth = |i: usize| {
        let sum: Vector = (0..=2 * SMOOTHING).map(|k| points[(i + n + k - SMOOTHING) % n].coords).sum();
        Point::from(sum / (2 * SMOOTHING + 1) as f64)
    };
    Polyline::closed((0..n).map(smooth).collect())
}

/// Both references' edges: by the distance transform, and by measuring along the normals.
fn references(mask: &GrayImage) -> [[Polyline; 2]; 2] {
    let centre = centre_line(&thinned(mask));
    let ground = GrayImage::from_fn(SIZE, SIZE, |column, row| {
        Luma([if mask.get_pixel(column, row).0[0] > 127 { 0 } else { 255 }])
    });
    let distance = euclidean_squared_distance_transform(&ground);
    let pixel = |p: Point| {
        let clamp = |value: f64| value.clamp(0.0, f64::from(SIZE) - 1.0) as u32;
        (clamp(p.x), clamp(f64::from(SIZE) - p.y))
    };
    let n = centre.points.len();
    let mut edges = [[Vec::new(), Vec::new()], [Vec::new(), Vec::new()]];
    for i in 0..n {
        let (p, before, after) = (centre.points[i], centre.points[(i + n - 3) % n], centre.points[(i + 3) % n]);
        let normal = left_of(after - before).normalize();
        let (column, row) = pixel(p);
        let half = distance.get_pixel(column, row).0[0].sqrt();
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            edges[0][side].push(p + normal * (sign * half));
            let on_road = |step: &usize| {
                let (column, row) = pixel(p + normal * (sign * *step as f64 / 4.0));
                mask.get_pixel(column, row).0[0] > 127
            };
            let steps = (0..200).take_while(on_road).count();
            edges[1][side].push(p + normal * (sign * (steps as f64 - 0.5) / 4.0));
        }
    }
    edges.map(|pair| pair.map(Polyline::closed))
}

/// Mean, 95 % and worst distance between edges and the true ones, in both directions, pixels.
fn errors(found: &[Polyline; 2], road: &Road) -> [f64; 3] {
    let mut all = Vec::new();
    for (from, to) in [(found, &road.edges), (&road.edges, found)] {
        let indices: Vec<SegmentIndex> = to.iter().map(|line| SegmentIndex::new(line, 8.0)).collect();
        let nearest = |p: Point| {
            let distances = indices.iter().filter_map(|index| index.nearest(p)).map(|nearest| nearest.distance);
            distances.fold(f64::INFINITY, f64::min)
        };
        for line in from {
            // Evenly along the line, however its corners lie.
            let arc_lengths = line.arc_lengths();
            let count = line.length() as usize;
            let points = (0..count).map(|s| line.point_at(&arc_lengths, s as f64));
            all.extend(points.map(nearest));
        }
    }
    all.sort_by(f64::total_cmp);
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    [mean, all[all.len() * 95 / 100], all[all.len() - 1]]
}

#[test]
fn our_edges_lie_nearer_to_the_truth_than_a_skeletons() {
    println!("{:24}{:>26}{:>26}{:>26}", "mean / 95 % / worst, px", "distance transform", "along normals", "raceline");
    for hard in [false, true] {
        for road in roads() {
            let picture = road.drawn(hard);
            let [by_distance, by_normals] = references(&picture).map(|edges| errors(&edges, &road));
            let mask = RoadMask { anti_aliased: !hard, ..mask_of(picture) };
            let edges =
                trace(&mask, Scale::MetresPerPixel(1.0), Point::origin(), &RouteOptions::default()).unwrap().edges;
            let ours = errors(&[edges.left, edges.right], &road);
            let cell = |[mean, max, worst]: [f64; 3]| format!("{mean:.3} / {max:.3} / {worst:.2}");
            let name = format!("{}, {}", road.name, if hard { "hard" } else { "smooth" });
            println!("{name:24}{:>26}{:>26}{:>26}", cell(by_distance), cell(by_normals), cell(ours));
            let best = by_distance[0].min(by_normals[0]);
            // Grey levels are worth more than a factor of ten, which thresholding throws away; in a
            // hard picture smoothing is all there is to gain.
            let factor = if hard { 1.3 } else { 5.0 };
            assert!(factor * ours[0] < best, "{name}: {ours:?} against {best}");
        }
    }
}
