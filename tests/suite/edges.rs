//! From road masks to edges in metres: closed forms on circles, scales, and the reports for odd masks.

#![allow(clippy::expect_used, clippy::panic, reason = "a helper of a test fails the test")]

use std::f64::consts::PI;

use crate::drawing::{DISC, Disc, anti_aliased, binary, encoded, grid, mapped, mask_of, paint};
use image::{GrayImage, ImageFormat, Luma};
use proptest::prelude::*;
use raceline::edges::{EdgeError, Edges, RoadShape, RouteOptions};
use raceline::frame::{PictureFrame, Scale, ScaleError, ScaleOptions};
use raceline::geometry::{Point, Polyline};
use raceline::picture::{PictureOptions, RoadMask, read_bytes, road_mask};
use raceline::tracing::{Traced, trace};

const ONE: Scale = Scale::MetresPerPixel(1.0);

fn traced(picture: GrayImage) -> Traced {
    let options = PictureOptions::default();
    let picture = read_bytes("test", &encoded(picture, ImageFormat::Png), &options).expect("a readable picture");
    let mask = road_mask(&picture, &options, None).expect("a road");
    trace(&mask, ONE, Point::origin(), &RouteOptions::default()).expect("edges")
}

/// Distances of a polyline, walked in steps of about a fifth of a pixel, from a circle: mean and
/// largest.
fn error_from_circle(line: &Polyline, centre: Point, radius: f64) -> (f64, f64) {
    let errors: Vec<f64> = line
        .pieces()
        .flat_map(|(a, b)| {
            let steps = ((b - a).norm() * 5.0).ceil();
            (0..steps as usize).map(move |k| a + (b - a) * (k as f64 / steps))
        })
        .map(|p| ((p - centre).norm() - radius).abs())
        .collect();
    (errors.iter().sum::<f64>() / errors.len() as f64, errors.iter().fold(0.0, |worst, &e| worst.max(e)))
}

/// Asserts that the edges are `disc`'s circles, at one metre a pixel, to a mean and a largest error
/// in pixels.
fn assert_circles(edges: &Edges, disc: Disc, mean: f64, worst: f64) {
    let centre = Point::new(disc.centre.0, f64::from(disc.size) - disc.centre.1);
    for (line, radius) in [(&edges.right, disc.outer), (&edges.left, disc.inner)] {
        let (got_mean, got_worst) = error_from_circle(line, centre, radius);
        assert!(got_mean <= mean && got_worst <= worst, "radius {radius}: mean {got_mean:.4}, worst {got_worst:.4}");
        assert!(line.closed && line.signed_area() > 0.0, "closed and counter-clockwise");
    }
}

// --- Accuracy on circles
// ----------------------------------------------------------------------------------------------

#[test]
fn anti_aliased_disc() {
    let edges = traced(anti_aliased(DISC.size, |x, y| DISC.contains(x, y))).edges;
    assert_circles(&edges, DISC, 0.02, 0.05);
    let area = edges.right.signed_area() - edges.left.signed_area();
    let want = PI * (DISC.outer.powi(2) - DISC.inner.powi(2));
    assert!((area / want - 1.0).abs() < 1e-3, "{area} for {want}");
}

#[test]
fn smoothed_and_scaled_pictures_stay_unbiased() {
    // A symmetric blur moves no straight edge.
    let sharp = anti_aliased(DISC.size, |x, y| DISC.contains(x, y));
    let soft = imageproc::filter::gaussian_blur_f32(&sharp, 0.6);
    assert_circles(&traced(soft).edges, DISC, 0.02, 0.06);
    let large = Disc { size: 512, centre: (253.2, 263.2), outer: 189.6, inner: 134.8 };
    let large = anti_aliased(large.size, |x, y| large.contains(x, y));
    let scaled = image::imageops::resize(&large, 128, 128, image::imageops::FilterType::Triangle);
    let small = Disc { size: 128, centre: (63.3, 65.8), outer: 47.4, inner: 33.7 };
    assert_circles(&traced(scaled).edges, small, 0.02, 0.06);
}

#[test]
fn dark_stroke_and_little_contrast() {
    let stroke = mapped(anti_aliased(DISC.size, |x, y| DISC.contains(x, y)), |t| 140.0 - 60.0 * t);
    assert_circles(&traced(stroke).edges, DISC, 0.02, 0.06);
}

#[test]
fn binary_disc() {
    let edges = traced(binary(DISC.size, |x, y| DISC.contains(x, y))).edges;
    assert_circles(&edges, DISC, 0.15, 0.5);
}

#[test]
fn grid_disc() {
    assert_circles(&traced(grid(DISC)).edges, DISC, 0.15, 0.5);
}

#[test]
fn outlines_of_several_thicknesses() {
    for thickness in [1.0, 1.5, 2.5, 4.0] {
        let lines = anti_aliased(DISC.size, |x, y| DISC.lines(thickness, x, y));
        for picture in [mapped(lines.clone(), |t| 255.0 - 255.0 * t), lines] {
            assert_circles(&traced(picture).edges, DISC, 0.05, 0.2);
        }
    }
}

#[test]
fn hard_outline() {
    let edges = traced(binary(DISC.size, |x, y| DISC.lines(1.6, x, y))).edges;
    assert_circles(&edges, DISC, 0.2, 0.6);
}

#[test]
fn straight_edges_at_any_slope_are_exact() {
    // A square road turned by some angle: the middle of each side is a straight edge.
    for degrees in [0.0_f64, 3.0, 17.0, 30.0, 45.0, 61.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let (centre, half, width) = (64.37, 38.2, 9.3);
        let side = |x: f64, y: f64| {
            let (dx, dy) = (x - centre, y - centre);
            (cos * dx + sin * dy).abs().max((cos * dy - sin * dx).abs())
        };
        let edges = traced(anti_aliased(128, |x, y| (half - width..=half).contains(&side(x, y)))).edges;
        for (line, want) in [(&edges.right, half), (&edges.left, half - width)] {
            let mut worst: f64 = 0.0;
            for (a, b) in line.pieces() {
                for k in 0..8 {
                    let p = a + (b - a) * (f64::from(k) / 8.0);
                    let (dx, dy) = (p.x - centre, 128.0 - p.y - centre);
                    let (u, v) = ((cos * dx + sin * dy).abs(), (cos * dy - sin * dx).abs());
                    if u.min(v) < want - 4.0 {
                        worst = worst.max((u.max(v) - want).abs());
                    }
                }
            }
            // What is left is the simplification's tolerance.
            assert!(worst < 0.035, "{degrees}°: {worst}");
        }
    }
}

// --- Scale
// ------------------------------------------------------------------------------------------------------------

#[test]
fn frame_and_origin() {
    let mask = mask_of(anti_aliased(DISC.size, |x, y| DISC.contains(x, y)));
    let origin = Point::new(-7.5, 100.0);
    let edges = trace(&mask, Scale::MetresPerPixel(0.25), origin, &RouteOptions::default()).unwrap().edges;
    assert_eq!(
        edges.frame,
        Some(PictureFrame { metres_per_pixel: 0.25, origin_m: origin, width_px: 128, height_px: 128 })
    );
    let centre = origin + Point::new(DISC.centre.0, 128.0 - DISC.centre.1).coords * 0.25;
    let (_, worst) = error_from_circle(&edges.right, centre, DISC.outer * 0.25);
    assert!(worst < 0.0125, "{worst}");
}

#[test]
fn length_and_width_give_the_scale() {
    let mask = mask_of(anti_aliased(DISC.size, |x, y| DISC.contains(x, y)));
    let metres = 0.4;
    let length = PI * (DISC.outer + DISC.inner) * metres;
    let width = (DISC.outer - DISC.inner) * metres;
    for scale in [Scale::TrackLength(length), Scale::TrackWidth(width)] {
        let frame = trace(&mask, scale, Point::origin(), &RouteOptions::default()).unwrap().edges.frame.unwrap();
        assert!((frame.metres_per_pixel / metres - 1.0).abs() < 2e-3, "{scale:?}: {}", frame.metres_per_pixel);
    }
}

#[test]
fn scale_options() {
    let none = ScaleOptions::default();
    let missing = none.scale().unwrap_err();
    assert_eq!(missing, ScaleError::Missing);
    for key in ["metres_per_pixel", "track_length_m", "track_width_m"] {
        assert!(missing.to_string().contains(key), "{missing}");
    }
    let metres = |value| ScaleOptions { metres_per_pixel: Some(value), ..none };
    assert_eq!(metres(0.5).scale(), Ok(Scale::MetresPerPixel(0.5)));
    assert_eq!(ScaleOptions { track_length_m: Some(2300.0), ..none }.scale(), Ok(Scale::TrackLength(2300.0)));
    assert_eq!(ScaleOptions { track_width_m: Some(12.0), ..none }.scale(), Ok(Scale::TrackWidth(12.0)));
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = metres(bad).scale().unwrap_err();
        assert!(matches!(error, ScaleError::NotPositive { key: "metres_per_pixel", .. }), "{error}");
        assert!(error.to_string().contains(&bad.to_string()), "{error}");
    }
    let both = ScaleOptions { track_width_m: Some(12.0), ..metres(0.5) }.scale().unwrap_err();
    assert_eq!(both, ScaleError::Several { given: vec!["metres_per_pixel", "track_width_m"] });
    assert_eq!(none.origin(), Ok(Point::origin()));
    assert_eq!(ScaleOptions { origin_m: Some([1.0, -2.0]), ..none }.origin(), Ok(Point::new(1.0, -2.0)));
    assert!(matches!(
        ScaleOptions { origin_m: Some([f64::NAN, 0.0]), ..none }.origin(),
        Err(ScaleError::BadOrigin { .. })
    ));
}

// --- Odd masks
// --------------------------------------------------------------------------------------------------------

#[test]
fn specks_and_holes_are_dropped_and_counted() {
    let mut picture = anti_aliased(DISC.size, |x, y| DISC.contains(x, y));
    let clean = trace(&mask_of(picture.clone()), ONE, Point::origin(), &RouteOptions::default()).unwrap();
    assert_eq!((clean.dropped.islands, clean.dropped.holes), (0, 0));
    // An oil stain in the road, two islands in the infield, one of them a single pixel.
    paint(&mut picture, 22..25, 64..68, 0);
    paint(&mut picture, 60..65, 60..65, 255);
    paint(&mut picture, 70..71, 60..61, 255);
    let littered = trace(&mask_of(picture), ONE, Point::origin(), &RouteOptions::default()).unwrap();
    assert_eq!((littered.dropped.islands, littered.dropped.holes), (2, 1));
    assert!((littered.dropped.largest_px2 - 25.0).abs() < 1.5, "{}", littered.dropped.largest_px2);
    assert_eq!(littered.edges, clean.edges);
}

fn closed() -> RouteOptions {
    RouteOptions { shape: RoadShape::Closed, ..RouteOptions::default() }
}

#[test]
fn empty_and_ringless_masks() {
    let empty = mask_of(GrayImage::new(40, 30));
    assert_eq!(trace(&empty, ONE, Point::origin(), &RouteOptions::default()), Err(EdgeError::NoRoad));
    let mut bar = GrayImage::new(40, 30);
    paint(&mut bar, 5..35, 10..20, 255);
    let error = trace(&mask_of(bar), ONE, Point::origin(), &closed()).unwrap_err();
    assert!(error.to_string().contains("(5, 10) to (35, 20)"), "{error}");
}

#[test]
fn a_road_that_fills_the_picture_keeps_to_it() {
    let mut full = GrayImage::from_pixel(40, 30, Luma([255]));
    paint(&mut full, 10..30, 10..20, 0);
    let edges = trace(&mask_of(full), ONE, Point::origin(), &RouteOptions::default()).unwrap().edges;
    assert!((edges.right.signed_area() - 1200.0).abs() < 1.0, "{}", edges.right.signed_area());
    assert!((edges.left.signed_area() - 200.0).abs() < 1.0, "{}", edges.left.signed_area());
}

// --- Properties
// -------------------------------------------------------------------------------------------------------

/// Whether two pieces of the line that aren't neighbours meet.
fn crosses_itself(line: &Polyline) -> bool {
    let pieces: Vec<_> = line.pieces().collect();
    let side = |a: Point, b: Point, p: Point| (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
    let meet = |(a, b): (Point, Point), (c, d): (Point, Point)| {
        side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
    };
    (0..pieces.len()).any(|i| (i + 2..pieces.len()).any(|j| meet(pieces[i], pieces[j])))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn wavy_rings_give_simple_nested_edges(
        waves in 2_u32..9, depth in 0.0_f64..0.5, width in 3.0_f64..12.0, phase in 0.0_f64..6.3, hard in any::<bool>(),
    ) {
        let road = |x: f64, y: f64| {
            let (dx, dy) = (x - 60.3, y - 59.6);
            let radius = 36.0 * (1.0 + depth * (f64::from(waves) * dy.atan2(dx) + phase).cos()) ;
            (dx.hypot(dy) - radius).abs() <= width / 2.0
        };
        let coverage = if hard { binary(120, road) } else { anti_aliased(120, road) };
        let mask = RoadMask { anti_aliased: !hard, ..mask_of(coverage) };
        if let Ok(Traced { edges, .. }) = trace(&mask, ONE, Point::origin(), &closed()) {
            prop_assert!(!crosses_itself(&edges.right) && !crosses_itself(&edges.left));
            prop_assert!(edges.right.signed_area() > edges.left.signed_area() && edges.left.signed_area() > 0.0);
            prop_assert!(edges.left.points.iter().all(|&p| edges.right.contains(p)));
        }
    }

    #[test]
    fn noise_gives_simple_edges_or_an_error(levels in proptest::collection::vec(any::<u8>(), 400), hard in any::<bool>()) {
        let coverage = GrayImage::from_raw(20, 20, levels).expect("400 levels");
        if let Ok(Traced { edges, .. }) = trace(&RoadMask { anti_aliased: !hard, ..mask_of(coverage) }, ONE, Point::origin(), &RouteOptions::default()) {
            prop_assert!(!crosses_itself(&edges.right) && !crosses_itself(&edges.left));
        }
    }
}
