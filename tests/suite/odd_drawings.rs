//! Circuits as people draw them, read by the whole pipeline: what is drawn over, beside and around the road
//! changes neither which road is found nor how much of it.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a helper of a test fails the test")]

use std::path::Path as FilePath;

use crate::odd::files::png;
use crate::odd::paths::{self, Path};
use crate::odd::{Canvas, disc, negative, paint, rectangle};
use image::{DynamicImage, GrayImage, ImageFormat, Rgb, RgbImage};
use raceline::Options;
use raceline::frame::ScaleOptions;
use raceline::input::Input;
use raceline::picture::PictureOptions;
use raceline::pipeline::{self, Error, Extraction, Silent, Warning};

const WIDTH: f64 = 12.0;

/// A circuit with a bay, 600 pixels wide.
fn circuit() -> Path {
    paths::wavy(300.0, 300.0, 190.0, 0.18, 3.0)
}

fn options() -> Options {
    let scale = ScaleOptions { metres_per_pixel: Some(1.0), ..ScaleOptions::default() };
    Options { scale, ..Options::default() }
}

fn extracted(picture: impl Into<DynamicImage>, options: &Options) -> Result<Extraction, Error> {
    pipeline::extract_input(FilePath::new("drawn.png"), &Input::Picture(png(picture)), options, &Silent)
}

/// Asserts that the whole road is found: closed, of the length of `path` and of the drawn width.
fn check_whole(name: &str, picture: impl Into<DynamicImage>, path: &Path, width: f64) -> Extraction {
    let found = extracted(picture, &options()).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let report = &found.report;
    assert!(report.closed, "{name}: open");
    let ratio = report.length_m / path.length();
    assert!((ratio - 1.0).abs() < 0.03, "{name}: {} m instead of {} m", report.length_m, path.length());
    assert!((report.mean_width_m / width - 1.0).abs() < 0.2, "{name}: {} m wide", report.mean_width_m);
    found
}

/// The path moved outwards by `by` pixels between two of its points.
fn beside(path: &Path, points: std::ops::Range<usize>, by: f64) -> Path {
    let count = path.points.len();
    let length = points.len() as f64;
    let moved = points.clone().map(|index| {
        let along = (index - points.start) as f64 / length;
        let offset = by * (5.0 * along.min(1.0 - along)).clamp(0.0, 1.0);
        let [x, y] = path.points[index % count];
        let (dx, dy) = (x - 300.0, y - 300.0);
        let scale = 1.0 + offset / dx.hypot(dy);
        [300.0 + dx * scale, 300.0 + dy * scale]
    });
    paths::through(&moved.collect::<Vec<_>>())
}

#[test]
fn a_pit_lane_makes_no_outline_of_a_stroke() {
    let path = circuit();
    let count = path.points.len();
    for width in [5.0, 8.0] {
        let drawn = Canvas::with(600, &path, WIDTH).and(&beside(&path, count / 4..count / 2, 30.0), width);
        check_whole(&format!("pit lane of {width} px"), negative(drawn.soft()), &path, WIDTH);
    }
}

#[test]
fn outlined_discs_and_boxes_over_a_stroke_are_drawn_through() {
    let path = circuit();
    let count = path.points.len();
    let places = [count / 8, count / 2, 4 * count / 5].map(|index| path.points[index]);
    let mut rings = negative(Canvas::with(600, &path, WIDTH).soft());
    let mut boxes = rings.clone();
    for [x, y] in places {
        // A white disc with a black line, as corner numbers have.
        paint(&mut rings, disc(x, y, 15.0), 255);
        paint(&mut rings, |x1, y1| (disc(x, y, 14.0)(x1, y1)).abs() - 1.2, 0);
        paint(&mut boxes, rectangle((x - 34.0, x + 34.0), (y - 13.0, y + 13.0)), 0);
        paint(&mut boxes, rectangle((x - 32.0, x + 32.0), (y - 11.0, y + 11.0)), 255);
    }
    for (name, picture) in [("rings", rings), ("boxes", boxes)] {
        let found = check_whole(name, picture, &path, WIDTH);
        let is_stated = |warning: &Warning| matches!(warning, Warning::OtherReading(_));
        assert!(found.report.warnings.iter().any(is_stated), "{name}: {:?}", found.report.warnings);
    }
}

#[test]
fn sectors_of_another_colour_belong_to_the_road() {
    let path = circuit();
    let drawn = Canvas::with(600, &path, WIDTH).soft();
    let colours = RgbImage::from_fn(600, 600, |column, row| {
        let covered = f64::from(drawn.get_pixel(column, row).0[0]) / 255.0;
        let ink = if row < 250 { [240.0, 190.0, 20.0] } else { [25.0, 25.0, 30.0] };
        Rgb(ink.map(|value: f64| (255.0 + (value - 255.0) * covered).round() as u8))
    });
    check_whole("yellow and black", colours, &path, WIDTH);
}

#[test]
fn axes_and_a_grid_beside_a_stroke_are_no_road() {
    let path = circuit();
    let stroke = negative(Canvas::with(600, &path, WIDTH).soft());
    let on_grid = |mut picture: GrayImage| {
        for (column, row, pixel) in picture.enumerate_pixels_mut() {
            let inset = column.min(row).min(599 - column).min(599 - row);
            let is_grid = inset > 40 && (column % 90 == 0 || row % 90 == 0);
            let level = if (38..40).contains(&inset) {
                0
            } else if is_grid {
                176
            } else {
                255
            };
            pixel.0[0] = pixel.0[0].min(level);
        }
        picture
    };
    check_whole("a stroke on a grid", on_grid(stroke), &path, WIDTH);
}

/// A picture in a frame with ticks, over a grid or below it.
fn plotted(mut picture: RgbImage, is_grid_above: bool) -> RgbImage {
    for (column, row, pixel) in picture.enumerate_pixels_mut() {
        let inset = column.min(row).min(599 - column).min(599 - row);
        let is_tick = (column % 90 == 0 && (560..567).contains(&row) || row % 90 == 0 && (33..40).contains(&column))
            && column.max(row) < 567
            && column.min(row) >= 33;
        let is_grid = inset >= 40 && (column % 90 == 0 || row % 90 == 0);
        if (38..40).contains(&inset) || is_tick {
            *pixel = Rgb([0; 3]);
        } else if is_grid && (is_grid_above || pixel.0 == [255; 3]) {
            *pixel = Rgb([176; 3]);
        }
    }
    picture
}

#[test]
fn a_plot_is_read_without_its_frame_and_its_grid() {
    let path = circuit();
    let painted = |covered: &GrayImage, ink: [u8; 3]| {
        RgbImage::from_fn(600, 600, |column, row| {
            let covered = f64::from(covered.get_pixel(column, row).0[0]) / 255.0;
            Rgb(ink.map(|value| (255.0 + (f64::from(value) - 255.0) * covered).round() as u8))
        })
    };
    let band = Canvas::with(600, &path, WIDTH).soft();
    let [outer, inner] = [1.6, -1.6].map(|by| Canvas::with(600, &path, WIDTH + by).soft());
    let lines = GrayImage::from_fn(600, 600, |column, row| {
        image::Luma([outer.get_pixel(column, row).0[0] - inner.get_pixel(column, row).0[0]])
    });
    for (name, covered, ink) in [
        ("black lines", &lines, [0, 0, 0]),
        ("blue lines", &lines, [31, 119, 180]),
        ("grey band", &band, [153, 153, 153]),
        ("orange band", &band, [255, 127, 14]),
    ] {
        for is_grid_above in [false, true] {
            let picture = plotted(painted(covered, ink), is_grid_above);
            check_whole(&format!("{name}, grid above: {is_grid_above}"), picture, &path, WIDTH);
        }
    }
}

/// White where `drawn` is black, `ink` where it is white.
fn inked(drawn: &GrayImage, ink: [u8; 3], mut on: RgbImage) -> RgbImage {
    for (pixel, covered) in on.pixels_mut().zip(drawn.pixels()) {
        let covered = f64::from(covered.0[0]) / 255.0;
        for (value, ink) in pixel.0.iter_mut().zip(ink) {
            *value = (f64::from(*value) + (f64::from(ink) - f64::from(*value)) * covered).round() as u8;
        }
    }
    on
}

fn paper() -> RgbImage {
    RgbImage::from_pixel(600, 600, Rgb([255; 3]))
}

/// As in a plot of 640 by 480 pixels: two lines of 1.5 points, of which a pixel or two of ground is seen.
/// The ground between them was taken for a line of the plot.
#[test]
fn two_lines_near_one_another_in_a_plot_are_a_road() {
    let path = circuit();
    for (width, thickness) in [(3.9, 2.08), (4.4, 2.08), (3.9, 1.39)] {
        let lines = Canvas::with(600, &path, width).outline(thickness);
        for ink in [[0; 3], [31, 119, 180]] {
            let picture = plotted(inked(&lines, ink, paper()), false);
            check_whole(&format!("{width} px, lines of {thickness} px in {ink:?}"), picture, &path, width);
        }
    }
    // One line is none.
    let line = Canvas::with(600, &path, 2.08).soft();
    assert!(extracted(plotted(inked(&line, [0; 3], paper()), false), &options()).is_err());
}

#[test]
fn an_eight_with_a_gap_keeps_its_whole_lap() {
    let path = paths::lissajous(300.0, 300.0, 240.0, 170.0, 2.0);
    let [x, y] = path.points[path.points.len() / 3];
    let mut gap = negative(Canvas::with(600, &path, WIDTH).soft());
    paint(&mut gap, disc(x, y, 9.0), 255);
    check_whole("eight with a gap", gap, &path, WIDTH);
}

#[test]
fn a_part_of_the_road_is_refused_unless_it_is_wanted() {
    // Arcs of a circuit, too far apart to be joined.
    let drawn = |arcs: [[f64; 2]; 3]| {
        let canvas = arcs.iter().fold(Canvas::new(600, 600), |canvas, &[from, to]| {
            canvas.and(&paths::arc(300.0, 300.0, 230.0, from, to, false), WIDTH)
        });
        negative(canvas.soft())
    };
    // None of them is much longer than the others.
    let several = extracted(drawn([[10.0, 110.0], [150.0, 220.0], [260.0, 330.0]]), &options());
    assert!(matches!(several, Err(Error::Picture(_))), "{several:?}");
    let picture = drawn([[10.0, 110.0], [150.0, 195.0], [260.0, 305.0]]);
    let refused = extracted(picture.clone(), &options());
    let Err(Error::Partial { covered_fraction, .. }) = refused else { panic!("{refused:?}") };
    assert!((0.3..0.6).contains(&covered_fraction), "{covered_fraction}");
    let wanted = Options { picture: PictureOptions { partial: true, ..PictureOptions::default() }, ..options() };
    let found = extracted(picture, &wanted).unwrap();
    let is_partial = |warning: &Warning| matches!(warning, Warning::Partial { .. });
    assert!(found.report.warnings.iter().any(is_partial));
    assert!(found.report.covered_fraction.is_some_and(|fraction| fraction < 0.98));
}

#[test]
fn a_whole_road_is_covered_and_sure() {
    let path = circuit();
    let found = check_whole("plain", negative(Canvas::with(600, &path, WIDTH).soft()), &path, WIDTH);
    // One stretch, the whole lap.
    let [all] = found.report.edge_uncertainty[..] else { panic!("{:?}", found.report.edge_uncertainty) };
    assert!(all.from_m == 0.0 && (all.to_m - found.report.length_m).abs() < 2e-3 && all.edge_uncertainty_m < 0.3);
    assert_eq!(found.source.edge_uncertainty, [all]);
    assert_eq!(found.report.covered_fraction, Some(1.0));
}

#[test]
fn an_edge_that_is_cut_into_is_less_sure() {
    let path = circuit();
    let [x, y] = path.points[path.points.len() / 8];
    let mut bitten = negative(Canvas::with(600, &path, 24.0).soft());
    let away = (x - 300.0).hypot(y - 300.0);
    let (x, y) = (x + (x - 300.0) / away * 17.0, y + (y - 300.0) / away * 17.0);
    paint(&mut bitten, disc(x, y, 11.0), 255);
    let found = check_whole("bitten", bitten, &path, 24.0);
    assert!(pipeline::doubtful(&found.report.edge_uncertainty).next().is_some());
    // The true edge lies within what is stated.
    let worst = found.report.edge_uncertainty.iter().map(|stretch| stretch.edge_uncertainty_m).fold(0.0, f64::max);
    assert!((4.0..9.0).contains(&worst), "{worst}");
}

#[test]
fn two_circuits_stay_two() {
    // One inside the other would be the two edges of a road.
    let (left, right) = (paths::circle(160.0, 300.0, 110.0), paths::circle(440.0, 300.0, 110.0));
    let picture = negative(Canvas::with(600, &left, WIDTH).and(&right, WIDTH).soft());
    assert!(matches!(extracted(picture, &options()), Err(Error::Picture(_))));
}

#[test]
fn a_gif_is_read() {
    let path = circuit();
    let drawn = DynamicImage::from(negative(Canvas::with(600, &path, WIDTH).soft())).into_rgb8();
    let mut bytes = std::io::Cursor::new(Vec::new());
    DynamicImage::from(drawn).write_to(&mut bytes, ImageFormat::Gif).unwrap();
    let input = Input::Picture(bytes.into_inner());
    let found = pipeline::extract_input(FilePath::new("drawn.gif"), &input, &options(), &Silent).unwrap();
    assert!((found.report.length_m / path.length() - 1.0).abs() < 0.02);
}
