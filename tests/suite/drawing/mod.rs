//! Pictures of ring roads, drawn with known edges.
#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(clippy::expect_used, reason = "a helper of a test fails the test")]

pub mod aerial;
pub mod eight;
pub mod png;

use std::io::Cursor;

use image::{DynamicImage, GrayImage, ImageFormat, Luma};
use raceline::picture::{RoadMask, RoadStyle};

/// Samples a pixel side, for coverage to four parts in a thousand.
const SAMPLES: u32 = 16;

/// A round road: the ground between two circles about one centre, in pixels with y downwards.
#[derive(Clone, Copy, Debug)]
pub struct Disc {
    pub size: u32,
    pub centre: (f64, f64),
    pub outer: f64,
    pub inner: f64,
}

pub const DISC: Disc = Disc { size: 128, centre: (63.3, 65.8), outer: 47.4, inner: 33.7 };

impl Disc {
    fn radius(&self, x: f64, y: f64) -> f64 {
        (x - self.centre.0).hypot(y - self.centre.1)
    }

    pub fn contains(&self, x: f64, y: f64) -> bool {
        (self.inner..=self.outer).contains(&self.radius(x, y))
    }

    /// Whether a line `thickness` wide along either edge covers the point.
    pub fn lines(&self, thickness: f64, x: f64, y: f64) -> bool {
        let r = self.radius(x, y);
        (r - self.outer).abs().min((r - self.inner).abs()) <= thickness / 2.0
    }
}

/// Distance from (x, y) to the straight piece a–b.
pub fn to_piece((x, y): (f64, f64), a: (f64, f64), b: (f64, f64)) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let t = (((x - a.0) * dx + (y - a.1) * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
    (x - a.0 - t * dx).hypot(y - a.1 - t * dy)
}

/// Fraction of each pixel's area in which `shape` holds, 0 to 255. A pixel whose corners and middle
/// agree is all in or all out: parts of the shape are at least a pixel wide.
pub fn anti_aliased(size: u32, shape: impl Fn(f64, f64) -> bool) -> GrayImage {
    let corners = |row: u32| (0..=size).map(|column| shape(f64::from(column), f64::from(row))).collect::<Vec<_>>();
    let mut above = corners(0);
    let mut picture = GrayImage::new(size, size);
    for row in 0..size {
        let below = corners(row + 1);
        for column in 0..size {
            let k = column as usize;
            let is_in = shape(f64::from(column) + 0.5, f64::from(row) + 0.5);
            let is_edge = [above[k], above[k + 1], below[k], below[k + 1]].iter().any(|&corner| corner != is_in);
            let at = |pixel: u32, i: u32| f64::from(pixel) + (f64::from(i) + 0.5) / f64::from(SAMPLES);
            let hits = |i: &u32| shape(at(column, i % SAMPLES), at(row, i / SAMPLES));
            let value = match (is_edge, is_in) {
                (true, _) => {
                    let hits = (0..SAMPLES * SAMPLES).filter(hits).count();
                    (hits as f64 * 255.0 / f64::from(SAMPLES * SAMPLES)).round() as u8
                }
                (false, true) => 255,
                (false, false) => 0,
            };
            picture.put_pixel(column, row, Luma([value]));
        }
        above = below;
    }
    picture
}

/// The mask of a light road with smooth edges, of which nothing was dropped.
pub fn mask_of(coverage: GrayImage) -> RoadMask {
    RoadMask {
        coverage,
        style: RoadStyle::Light,
        anti_aliased: true,
        swelling_px: 0.0,
        dropped_shapes: 0,
        rest_px: 0.0,
        score: 1.0,
    }
}

/// White where the pixel's centre lies in `shape`, black elsewhere.
pub fn binary(size: u32, shape: impl Fn(f64, f64) -> bool) -> GrayImage {
    GrayImage::from_fn(size, size, |column, row| {
        Luma([if shape(f64::from(column) + 0.5, f64::from(row) + 0.5) { 255 } else { 0 }])
    })
}

/// Maps grey levels.
pub fn mapped(mut picture: GrayImage, level: impl Fn(f64) -> f64) -> GrayImage {
    picture.pixels_mut().for_each(|p| p.0[0] = level(f64::from(p.0[0]) / 255.0).round() as u8);
    picture
}

/// An occupancy grid: free 254, walls 0 three pixels thick, unknown 205.
pub fn grid(disc: Disc) -> GrayImage {
    let near = |x: f64, y: f64| {
        let r = disc.radius(x, y);
        (disc.inner - 3.0..=disc.outer + 3.0).contains(&r)
    };
    GrayImage::from_fn(disc.size, disc.size, |column, row| {
        let (x, y) = (f64::from(column) + 0.5, f64::from(row) + 0.5);
        Luma([if disc.contains(x, y) {
            254
        } else if near(x, y) {
            0
        } else {
            205
        }])
    })
}

/// Paints a filled rectangle.
pub fn paint(picture: &mut GrayImage, columns: std::ops::Range<u32>, rows: std::ops::Range<u32>, level: u8) {
    for row in rows {
        for column in columns.clone() {
            picture.put_pixel(column, row, Luma([level]));
        }
    }
}

/// A rectangular frame: a ring with corners.
pub fn paint_frame(picture: &mut GrayImage, low: (u32, u32), high: (u32, u32), width: u32, level: u8, hole: u8) {
    paint(picture, low.0..high.0, low.1..high.1, level);
    paint(picture, low.0 + width..high.0 - width, low.1 + width..high.1 - width, hole);
}

pub fn encoded(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.into().write_to(&mut bytes, format).expect("the format takes the picture");
    bytes.into_inner()
}
