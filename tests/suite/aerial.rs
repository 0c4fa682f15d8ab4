//! Photographs of a road from above with known edges, and what is reported when there is no road.

#![allow(clippy::expect_used, clippy::panic, reason = "a helper of a test fails the test")]

use std::io::Cursor;

use crate::drawing::aerial::Photograph;
use crate::drawing::{anti_aliased, binary, encoded};
use crate::reference::is_blessed;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage, codecs::jpeg::JpegEncoder};
use raceline::edges::RouteOptions;
use raceline::frame::{Scale, Spot};
use raceline::geometry::Point;
use raceline::picture::{Picture, PictureError, PictureOptions, RoadMask, RoadStyle, read_bytes, road_mask};
use raceline::tracing::trace;

fn aerial() -> PictureOptions {
    PictureOptions { road: RoadStyle::Aerial, ..PictureOptions::default() }
}

fn decoded(picture: impl Into<DynamicImage>) -> Picture {
    read_bytes("photo", &encoded(picture, ImageFormat::Png), &aerial()).expect("a readable picture")
}

/// The picture after JPEG compression.
fn as_jpeg(picture: &RgbImage, quality: u8) -> RgbImage {
    let mut bytes = Cursor::new(Vec::new());
    JpegEncoder::new_with_quality(&mut bytes, quality).encode_image(picture).expect("JPEG takes the picture");
    image::load_from_memory(bytes.get_ref()).expect("our own JPEG").into_rgb8()
}

/// Distances of the traced edges from the drawn ones, pixels: mean, 95th percentile, largest.
fn errors(photograph: &Photograph, mask: &RoadMask) -> [f64; 3] {
    let traced = trace(mask, Scale::MetresPerPixel(1.0), Point::origin(), &RouteOptions::default()).expect("a ring");
    let height = f64::from(photograph.size.1);
    let mut off: Vec<f64> = [(&traced.edges.right, 0.5), (&traced.edges.left, -0.5)]
        .into_iter()
        .flat_map(|(edge, side)| {
            let lengths = edge.arc_lengths();
            let count = edge.length() as usize;
            (0..count).map(move |k| {
                let p = edge.point_at(&lengths, k as f64);
                (photograph.off_centre(p.x, height - p.y) - side * photograph.road_width).abs()
            })
        })
        .collect();
    off.sort_by(f64::total_cmp);
    let mean = off.iter().sum::<f64>() / off.len() as f64;
    [mean, off[off.len() * 95 / 100], off[off.len() - 1]]
}

fn assert_within(photograph: &Photograph, picture: RgbImage, limits: [f64; 3]) {
    let mask = road_mask(&decoded(picture), &aerial(), None).expect("a road");
    assert_eq!(mask.style, RoadStyle::Aerial);
    let errors = errors(photograph, &mask);
    assert!(errors.iter().zip(limits).all(|(error, limit)| *error < limit), "{errors:?} in {photograph:?}");
}

#[test]
fn edges_lie_in_the_middle_of_their_lines() {
    for (seed, line_width) in [(1, 0.8), (2, 0.0), (3, 2.4)] {
        let photograph = Photograph { seed, line_width, ..Photograph::default() };
        assert_within(&photograph, photograph.drawn(), [0.15, 0.4, 1.2]);
    }
}

#[test]
fn coverage_adds_up_to_the_roads_area() {
    let photograph = Photograph::default();
    let mask = road_mask(&decoded(photograph.drawn()), &aerial(), None).expect("a road");
    let area: f64 = mask.coverage.as_raw().iter().map(|&v| f64::from(v) / 255.0).sum();
    assert!((area / photograph.area() - 1.0).abs() < 0.01, "{area} for {}", photograph.area());
}

#[test]
fn kerbs_start_line_shadows_and_cars_leave_the_edges_alone() {
    let base = Photograph::default();
    for photograph in [
        Photograph { kerbs: true, ..base },
        Photograph { start_line: true, ..base },
        Photograph { shadow: Some(0.45), ..base },
        Photograph { cars: true, ..base },
        Photograph { kerbs: true, start_line: true, shadow: Some(0.5), cars: true, seed: 5, ..base },
    ] {
        assert_within(&photograph, photograph.drawn(), [0.3, 1.0, 4.0]);
    }
}

#[test]
fn legs_side_by_side_keep_their_edges() {
    // The kerb of the upper leg lies between the legs; so many pixels of grass remain beside it.
    for (seed, grass) in [(11, 0.0), (12, 1.0), (13, 2.0), (14, 3.0)] {
        for (leg_kerb, turn) in [(2.4, 0.3), (4.0, -0.1)] {
            let base = Photograph {
                size: (640, 300),
                half_straight: 190.0,
                radius: 80.0,
                road_width: 22.0,
                line_width: 0.5,
                ..Photograph::default()
            };
            let waist = Some(base.road_width + base.line_width + leg_kerb + grass);
            let photograph = Photograph { waist, leg_kerb, turn, seed, ..base };
            let picture = photograph.drawn();
            let mask = road_mask(&decoded(picture.clone()), &aerial(), None).expect("a road");
            let edges = trace(&mask, Scale::MetresPerPixel(1.0), Point::origin(), &RouteOptions::default())
                .expect("a ring")
                .edges;
            assert!((edges.centre_length() / photograph.length() - 1.0).abs() < 0.01, "{grass} px of grass");
            assert_within(&photograph, picture, [0.3, 0.7, 2.0]);
        }
    }
}

#[test]
fn jpeg_blocks_cost_little() {
    let photograph = Photograph { kerbs: true, start_line: true, ..Photograph::default() };
    assert_within(&photograph, as_jpeg(&photograph.drawn(), 60), [0.35, 1.1, 4.0]);
}

#[test]
fn other_grounds_and_widths() {
    let base = Photograph::default();
    for photograph in [
        Photograph { ground: [196.0, 176.0, 132.0], ..base },
        Photograph { ground: [150.0, 84.0, 52.0], asphalt: [70.0, 70.0, 74.0], ..base },
        Photograph { road_width: 5.2, line_width: 0.2, ..base },
        Photograph { road_width: 70.0, line_width: 1.2, radius: 95.0, half_straight: 60.0, ..base },
    ] {
        assert_within(&photograph, photograph.drawn(), [0.3, 0.9, 2.0]);
    }
}

#[test]
fn a_photograph_without_colours() {
    let photograph = Photograph { ground: [160.0; 3], ..Photograph::default() };
    let grey = DynamicImage::from(photograph.drawn()).into_luma8();
    let mask = road_mask(&decoded(grey), &aerial(), None).expect("a road");
    let [mean, ..] = errors(&photograph, &mask);
    assert!(mean < 0.4, "{mean}");
}

#[test]
fn auto_distinguishes_photographs_from_drawings() {
    let auto = PictureOptions::default();
    let photograph = Photograph::default();
    for picture in [photograph.drawn(), as_jpeg(&photograph.drawn(), 75)] {
        assert_eq!(road_mask(&decoded(picture), &auto, None).expect("a road").style, RoadStyle::Aerial);
    }
    let shape = |x: f64, y: f64| photograph.off_centre(x, y).abs() < photograph.road_width / 2.0;
    for drawing in [
        anti_aliased(320, |x, y| shape(x + 80.0, y)),
        binary(320, |x, y| (60.0..90.0).contains(&(x - 160.0).hypot(y - 160.0))),
    ] {
        let coloured = DynamicImage::from(drawing).into_rgb8();
        if let Ok(mask) = road_mask(&decoded(as_jpeg(&coloured, 60)), &auto, None) {
            assert_eq!(mask.style, RoadStyle::Light);
        }
    }
}

#[test]
fn hints_choose_between_two_roads() {
    // The same road twice, in asphalt and in red clay; the clay one is the second picture below the
    // first.
    let asphalt =
        Photograph { size: (360, 200), half_straight: 70.0, radius: 60.0, road_width: 14.0, ..Photograph::default() };
    let clay = Photograph { asphalt: [150.0, 84.0, 60.0], seed: 9, ..asphalt };
    let mut both = RgbImage::new(360, 400);
    image::imageops::replace(&mut both, &asphalt.drawn(), 0, 0);
    image::imageops::replace(&mut both, &clay.drawn(), 0, 200);
    let picture = decoded(both);
    let rows = |mask: &RoadMask| {
        let of = |rows: std::ops::Range<usize>| {
            mask.coverage.as_raw()[rows.start * 360..rows.end * 360].iter().filter(|v| **v > 127).count()
        };
        (of(0..200), of(200..400))
    };
    let asphalt_spot = PictureOptions { road_at: Some(Spot::Pixels([180.4, 160.0 - 0.2])), ..aerial() };
    let (upper, lower) = rows(&road_mask(&picture, &asphalt_spot, None).expect("a road"));
    assert!(upper > 5000 && lower == 0, "{upper} {lower}");
    let clay_spot = PictureOptions { road_at: Some(Spot::Pixels([180.4, 360.0 - 0.2])), ..aerial() };
    let (upper, lower) = rows(&road_mask(&picture, &clay_spot, None).expect("a road"));
    assert!(lower > 5000 && upper == 0, "{upper} {lower}");
    let clay_colour = PictureOptions { road_colour: Some("#96543c".parse().expect("a colour")), ..aerial() };
    let (upper, lower) = rows(&road_mask(&picture, &clay_colour, None).expect("a road"));
    assert!(lower > 5000 && upper == 0, "{upper} {lower}");
}

#[test]
fn a_photograph_without_a_road() {
    let photograph = Photograph { road_width: -10.0, line_width: 0.0, ..Photograph::default() };
    let error = road_mask(&decoded(photograph.drawn()), &aerial(), None).expect_err("there is no road");
    assert!(matches!(error, PictureError::NoBand { .. }), "{error}");
    assert!(error.to_string().contains("photo") && error.to_string().contains("one long band"), "{error}");
}

#[test]
fn a_spot_beside_the_road_is_no_road() {
    let grass = PictureOptions { road_at: Some(Spot::Pixels([240.0, 160.0])), ..aerial() };
    let error = road_mask(&decoded(Photograph::default().drawn()), &grass, None).expect_err("that is grass");
    assert!(matches!(error, PictureError::NoBand { .. }), "{error}");
}

#[test]
fn tiny_and_plain_photographs_do_not_panic() {
    for (width, height) in [(1, 1), (2, 5), (3, 3), (40, 1), (17, 9)] {
        let picture =
            RgbImage::from_fn(width, height, |x, y| Rgb([(x * 37 + y * 11) as u8, (y * 53) as u8, (x * y) as u8]));
        let _ = road_mask(&decoded(picture), &aerial(), None);
    }
}

/// The photograph among the examples of the app in the browser.
const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../web/app/examples/aerial.jpg");
/// Mean difference of a channel's levels that another compressor of JPEG may make.
const EXAMPLE_TOLERANCE: f64 = 0.5;

#[test]
fn the_example_of_the_app_is_drawn_here() {
    let photograph = Photograph {
        size: (680, 420),
        half_straight: 176.0,
        radius: 118.0,
        road_width: 22.0,
        waist: Some(84.0),
        fillet: 64.0,
        leg_kerb: 3.0,
        turn: 0.12,
        line_width: 1.2,
        kerbs: true,
        shadow: Some(0.5),
        start_line: true,
        seed: 5,
        ..Photograph::default()
    };
    let mut drawn = Cursor::new(Vec::new());
    JpegEncoder::new_with_quality(&mut drawn, 85).encode_image(&photograph.drawn()).expect("JPEG takes the picture");
    if is_blessed() {
        std::fs::write(EXAMPLE, drawn.get_ref()).expect("the example is written");
    }
    let levels = |bytes: &[u8]| image::load_from_memory(bytes).expect("a JPEG").into_rgb8().into_raw();
    let (kept, drawn) = (levels(&std::fs::read(EXAMPLE).expect("the example")), levels(drawn.get_ref()));
    assert_eq!(kept.len(), drawn.len());
    let sum: f64 = kept.iter().zip(&drawn).map(|(a, b)| f64::from(a.abs_diff(*b))).sum();
    let mean = sum / kept.len() as f64;
    assert!(mean < EXAMPLE_TOLERANCE, "the example is off by {mean:.3}: draw it anew with RACELINE_BLESS=1");
}
