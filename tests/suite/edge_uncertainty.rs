//! The stated uncertainty of edges, against the edges that were drawn.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a helper of a test fails the test")]

use std::path::Path as FilePath;

use crate::odd::files::{jpeg, png};
use crate::odd::paths::{self, Path};
use crate::odd::{Canvas, Noise, between, disc, negative, paint, rectangle};
use raceline::Options;
use raceline::file::Source;
use raceline::frame::ScaleOptions;
use raceline::geometry::{Point, Polyline, SegmentIndex};
use raceline::input::Input;
use raceline::pipeline::{self, Extraction, Silent};

/// Width of the drawn roads, pixels.
const WIDTH: f64 = 14.0;
const SIZE: u32 = 600;
/// Farthest from the middle of a damage that the edge is looked at, pixels.
const NEAR_PX: f64 = 25.0;
/// Fraction of the places where the true edge lies within what is stated, at least.
const HELD: f64 = 0.9;

fn extracted(name: &str, picture: Vec<u8>) -> Extraction {
    // Two pixels per metre: what is stated is in metres.
    let scale = ScaleOptions { metres_per_pixel: Some(0.5), ..ScaleOptions::default() };
    let options = Options { scale, ..Options::default() };
    let found = pipeline::extract_input(FilePath::new("drawn.png"), &Input::Picture(picture), &options, &Silent);
    found.unwrap_or_else(|error| panic!("{name}: {error:?}"))
}

/// Fraction of the cross-sections' ends, where `counts` holds at their pixel, that lie within the stated
/// distance of the edge that was drawn.
fn held(name: &str, found: &Extraction, path: &Path, counts: impl Fn([f64; 2]) -> bool) -> f64 {
    let frame = found.frame.unwrap();
    let points = path.points.iter().map(|&[x, y]| Point::new(x, f64::from(SIZE) - y)).collect();
    let middle = SegmentIndex::new(&Polyline { points, closed: path.closed }, 10.0);
    let Source { edge_uncertainty, .. } = &found.source;
    let ends = edge_uncertainty.windows(2).all(|pair| pair[0].to_m == pair[1].from_m);
    assert!(ends && edge_uncertainty[0].from_m == 0.0, "{name}: {edge_uncertainty:?}");
    let positions = found.track.centre_line().arc_lengths();
    let (mut inside, mut count) = (0, 0);
    for (section, &s) in found.track.sections.iter().zip(&positions) {
        let stretch = edge_uncertainty.iter().find(|stretch| s <= stretch.to_m).unwrap();
        for end in [section.left, section.right] {
            let pixel = Point::new(end.x, end.y) / frame.metres_per_pixel;
            if !counts([pixel.x, f64::from(SIZE) - pixel.y]) {
                continue;
            }
            let off_px = (middle.nearest(pixel).unwrap().distance - WIDTH / 2.0).abs();
            inside += usize::from(off_px * frame.metres_per_pixel <= stretch.edge_uncertainty_m);
            count += 1;
        }
    }
    f64::from(inside as u32) / f64::from(count as u32)
}

/// Circuits of several shapes, turned so that no edge follows the pixels.
fn circuits() -> Vec<Path> {
    let centre = (300.0, 300.0);
    let wavy = [(0.12, 2.0), (0.18, 3.0), (0.1, 5.0), (0.22, 2.0)];
    let round = wavy.map(|(swing, waves)| paths::wavy(300.0, 300.0, 200.0, swing, waves).turned(centre, 17.0 * waves));
    let long = paths::ellipse(300.0, 300.0, 230.0, 120.0).turned(centre, 31.0);
    round.into_iter().chain([long, paths::stadium(300.0, 300.0, 240.0, 90.0).turned(centre, 8.0)]).collect()
}

#[test]
fn true_edges_of_drawn_circuits_lie_within_what_is_stated() {
    for (number, path) in circuits().iter().enumerate() {
        let canvas = Canvas::with(SIZE, path, WIDTH);
        let mut noise = Noise(number as u64 + 1);
        let styles = [
            ("smooth", png(negative(canvas.soft()))),
            ("black and white", png(negative(canvas.hard()))),
            ("low contrast", png(between(canvas.soft(), 120.0, 170.0))),
            ("outline", png(negative(canvas.outline(2.5)))),
            ("photograph's compression", jpeg(&negative(canvas.soft()), 75)),
            ("dust", png(noise.salt_and_pepper(negative(canvas.soft()), 0.002))),
        ];
        for (style, picture) in styles {
            let name = format!("circuit {number}, {style}");
            let found = extracted(&name, picture);
            let held = held(&name, &found, path, |_| true);
            assert!(held >= HELD, "{name}: {held}");
        }
    }
}

#[test]
fn true_edges_beside_what_covers_them_lie_within_what_is_stated() {
    let mut missed = Vec::new();
    for (number, path) in circuits().iter().enumerate() {
        let count = path.points.len();
        let places: Vec<[f64; 2]> =
            [count / 8, count / 3, 3 * count / 5].into_iter().map(|index| path.points[index]).collect();
        let drawn = negative(Canvas::with(SIZE, path, WIDTH).soft());
        let beside = |[x, y]: [f64; 2], by: f64| {
            let away = (x - 300.0).hypot(y - 300.0);
            (x + (x - 300.0) / away * by, y + (y - 300.0) / away * by)
        };
        let (mut bitten, mut swollen, mut labelled) = (drawn.clone(), drawn.clone(), drawn);
        for &place in &places {
            let (x, y) = beside(place, 12.0);
            paint(&mut bitten, disc(x, y, 9.0), 255);
            paint(&mut swollen, disc(x, y, 9.0), 0);
            let (x, y) = beside(place, 10.0);
            paint(&mut labelled, rectangle((x - 16.0, x + 16.0), (y - 6.0, y + 6.0)), 0);
        }
        for (style, picture) in [("bitten", bitten), ("swollen", swollen), ("labelled", labelled)] {
            let name = format!("circuit {number}, {style}");
            let found = extracted(&name, png(picture));
            // Where the picture is damaged, not where it is sound.
            let near = |[x, y]: [f64; 2]| places.iter().any(|&[x1, y1]| (x - x1).hypot(y - y1) < NEAR_PX);
            let held = held(&name, &found, path, near);
            if held < HELD {
                missed.push(format!("{name}: {held:.3}"));
            }
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
}
