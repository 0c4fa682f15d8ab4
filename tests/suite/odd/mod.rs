//! Drawers of odd pictures: a canvas of signed distances, and the paths that roads follow on it.

pub mod case;
pub mod files;
pub mod paths;

use image::{GrayImage, Luma};

use paths::Path;

/// How far beyond a road's edge the canvas knows its distance, pixels: farther than any line of an
/// outline is thick.
const KNOWN_PX: f64 = 16.0;

/// A picture in the making: for each pixel's centre the distance to the road's edge, negative on
/// the road.
#[derive(Clone)]
pub struct Canvas {
    pub width: u32,
    pub height: u32,
    distance: Vec<f64>,
}

impl Canvas {
    pub fn new(width: u32, height: u32) -> Self {
        Self { width, height, distance: vec![f64::INFINITY; (width * height) as usize] }
    }

    /// A canvas with one road of constant width.
    pub fn with(size: u32, path: &Path, width: f64) -> Self {
        Self::new(size, size).and(path, width)
    }

    /// Adds a road of constant width; its ends are round.
    pub fn and(mut self, path: &Path, width: f64) -> Self {
        for (a, b) in path.pieces() {
            self.stretch(a, b, width / 2.0, width / 2.0);
        }
        self
    }

    /// Adds a road whose width is given at each of the path's points.
    pub fn and_varying(mut self, path: &Path, width: impl Fn(usize) -> f64) -> Self {
        for (number, (a, b)) in path.pieces().enumerate() {
            self.stretch(a, b, width(number) / 2.0, width((number + 1) % path.points.len()) / 2.0);
        }
        self
    }

    fn stretch(&mut self, a: [f64; 2], b: [f64; 2], half_a: f64, half_b: f64) {
        let reach = half_a.max(half_b) + KNOWN_PX;
        let range = |k: usize, size: u32| {
            let (low, high) = (a[k].min(b[k]) - reach, a[k].max(b[k]) + reach);
            low.max(0.0) as u32..(high.max(0.0) as u32).min(size)
        };
        let along = [b[0] - a[0], b[1] - a[1]];
        let squared = (along[0] * along[0] + along[1] * along[1]).max(1e-12);
        for row in range(1, self.height) {
            for column in range(0, self.width) {
                let off = [f64::from(column) + 0.5 - a[0], f64::from(row) + 0.5 - a[1]];
                let t = ((off[0] * along[0] + off[1] * along[1]) / squared).clamp(0.0, 1.0);
                let from_middle = (off[0] - t * along[0]).hypot(off[1] - t * along[1]);
                self.join(column, row, from_middle - half_a - t * (half_b - half_a));
            }
        }
    }

    fn join(&mut self, column: u32, row: u32, distance: f64) {
        let here = &mut self.distance[(row * self.width + column) as usize];
        *here = here.min(distance);
    }

    /// Adds a shape given by its signed distance.
    pub fn and_shape(mut self, distance: impl Fn(f64, f64) -> f64) -> Self {
        for row in 0..self.height {
            for column in 0..self.width {
                self.join(column, row, distance(f64::from(column) + 0.5, f64::from(row) + 0.5));
            }
        }
        self
    }

    /// Takes a shape away.
    pub fn without(mut self, distance: impl Fn(f64, f64) -> f64) -> Self {
        for row in 0..self.height {
            for column in 0..self.width {
                let here = &mut self.distance[(row * self.width + column) as usize];
                *here = here.max(-distance(f64::from(column) + 0.5, f64::from(row) + 0.5));
            }
        }
        self
    }

    fn painted(&self, level: impl Fn(f64) -> f64) -> GrayImage {
        GrayImage::from_fn(self.width, self.height, |column, row| {
            let covered = level(self.distance[(row * self.width + column) as usize]);
            Luma([(255.0 * covered.clamp(0.0, 1.0)).round() as u8])
        })
    }

    /// A light road with grey levels along its edges.
    pub fn soft(&self) -> GrayImage {
        self.painted(|distance| 0.5 - distance)
    }

    /// A light road whose pixels are either road or ground.
    pub fn hard(&self) -> GrayImage {
        self.painted(|distance| if distance < 0.0 { 1.0 } else { 0.0 })
    }

    /// Light lines along the edges.
    pub fn outline(&self, thickness: f64) -> GrayImage {
        self.painted(|distance| thickness / 2.0 + 0.5 - distance.abs())
    }

    /// Light lines along the edges but where `is_gap` holds, given whether the pixel lies outside
    /// the road's edge.
    pub fn outline_with_gaps(&self, thickness: f64, is_gap: impl Fn(f64, f64) -> bool) -> GrayImage {
        let mut drawn = self.outline(thickness);
        for (column, row, pixel) in drawn.enumerate_pixels_mut() {
            if is_gap(f64::from(column) + 0.5, f64::from(row) + 0.5) {
                pixel.0[0] = 0;
            }
        }
        drawn
    }

    /// An occupancy grid: free 254, walls 0 and three cells thick, unknown 205.
    pub fn grid(&self) -> GrayImage {
        let level = |distance: f64| {
            if distance < 0.0 {
                254
            } else if distance < 3.0 {
                0
            } else {
                205
            }
        };
        GrayImage::from_fn(self.width, self.height, |column, row| {
            Luma([level(self.distance[(row * self.width + column) as usize])])
        })
    }
}

/// Signed distance from a disc.
pub fn disc(column: f64, row: f64, radius: f64) -> impl Fn(f64, f64) -> f64 {
    move |x, y| (x - column).hypot(y - row) - radius
}

/// Signed distance, to the nearest side at least, from a rectangle.
pub fn rectangle(columns: (f64, f64), rows: (f64, f64)) -> impl Fn(f64, f64) -> f64 {
    move |x, y| (columns.0 - x).max(x - columns.1).max(rows.0 - y).max(y - rows.1)
}

/// The picture with light and dark swapped.
pub fn negative(mut picture: GrayImage) -> GrayImage {
    picture.pixels_mut().for_each(|pixel| pixel.0[0] = 255 - pixel.0[0]);
    picture
}

/// Paints a shape, given by its signed distance, with one grey level.
pub fn paint(picture: &mut GrayImage, shape: impl Fn(f64, f64) -> f64, level: u8) {
    for (column, row, pixel) in picture.enumerate_pixels_mut() {
        if shape(f64::from(column) + 0.5, f64::from(row) + 0.5) < 0.0 {
            *pixel = Luma([level]);
        }
    }
}

/// Maps coverage to grey levels.
pub fn between(mut picture: GrayImage, ground: f64, road: f64) -> GrayImage {
    picture.pixels_mut().for_each(|p| p.0[0] = (ground + (road - ground) * f64::from(p.0[0]) / 255.0).round() as u8);
    picture
}

/// Repeatable noise.
pub struct Noise(pub u64);

impl Noise {
    /// The next value, evenly from 0 to 1 (xorshift64*).
    pub fn next(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 40) as f64 / f64::from(1 << 24)
    }

    /// Sets this fraction of the pixels to black or white.
    pub fn salt_and_pepper(&mut self, mut picture: GrayImage, fraction: f64) -> GrayImage {
        for pixel in picture.pixels_mut() {
            if self.next() < fraction {
                pixel.0[0] = if self.next() < 0.5 { 0 } else { 255 };
            }
        }
        picture
    }
}
