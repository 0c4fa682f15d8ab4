//! Binary pictures and operations on square neighbourhoods, by running sums, in linear time
//! whatever the size of the square. Opening and closing by a square preserve straight edges in
//! every direction.

use rayon::prelude::*;

use crate::picture::Grey;
use crate::picture::regions::Regions;

/// A binary picture, one byte per pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bits {
    /// Pixels per row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// 0 or 1 per pixel, row after row.
    pub data: Vec<u8>,
}

impl Bits {
    /// One bit for each of `values`.
    pub fn from_values<T: Sync>(width: usize, height: usize, values: &[T], is_set: impl Fn(&T) -> bool + Sync) -> Self {
        Self { width, height, data: values.iter().map(|value| u8::from(is_set(value))).collect() }
    }

    /// Number of set pixels.
    pub fn count(&self) -> usize {
        self.data.iter().map(|&bit| usize::from(bit)).sum()
    }

    /// Connected regions of set and of unset pixels; `None` for a picture without pixels.
    pub fn regions(&self) -> Option<Regions> {
        let values = self.data.iter().map(|&bit| u16::from(bit) * u16::MAX).collect();
        Regions::new(&Grey::from_raw(self.width as u32, self.height as u32, values)?, 0)
    }

    /// Combines both pictures pixel by pixel.
    pub fn with(&self, other: &Self, combine: impl Fn(u8, u8) -> u8) -> Self {
        let data = self.data.iter().zip(&other.data).map(|(&a, &b)| combine(a, b)).collect();
        Self { data, ..*self }
    }

    /// Number of set pixels among the (2 `radius` + 1)² pixels about each pixel; beyond the border,
    /// the nearest row and column are repeated.
    pub fn local_counts(&self, radius: usize) -> Vec<u16> {
        let (width, height) = (self.width, self.height);
        let mut along = vec![0_u16; width * height];
        if width == 0 || height == 0 {
            return along;
        }
        along.par_chunks_mut(width).zip(self.data.par_chunks(width)).for_each_init(
            Vec::new,
            |padded, (target, row)| {
                padded.clear();
                padded.resize(radius, row[0]);
                padded.extend_from_slice(row);
                padded.resize(width + 2 * radius + 1, row[width - 1]);
                let mut sum: u16 = padded[..2 * radius + 1].iter().map(|&bit| u16::from(bit)).sum();
                let (leaving, entering) = (padded.iter(), padded[2 * radius + 1..].iter());
                for ((target, &new), &old) in target.iter_mut().zip(entering.chain([&0])).zip(leaving) {
                    *target = sum;
                    sum = sum + u16::from(new) - u16::from(old);
                }
            },
        );
        // Bands of rows, each with its own running column sums, are computed in parallel.
        const BAND: usize = 128;
        let mut counts = vec![0_u16; width * height];
        let row_at = |row: isize| &along[row.clamp(0, height as isize - 1) as usize * width..][..width];
        counts.par_chunks_mut(BAND * width).enumerate().for_each(|(band, targets)| {
            let first = (band * BAND) as isize;
            let reach = radius as isize;
            let mut sums = vec![0_u16; width];
            for row in first - reach..=first + reach {
                sums.iter_mut().zip(row_at(row)).for_each(|(sum, value)| *sum += value);
            }
            for (row, target) in (first..).zip(targets.chunks_exact_mut(width)) {
                target.copy_from_slice(&sums);
                let (entering, leaving) = (row_at(row + reach + 1), row_at(row - reach));
                for ((sum, &new), &old) in sums.iter_mut().zip(entering).zip(leaving) {
                    *sum = *sum + new - old;
                }
            }
        });
        counts
    }

    /// Set where at least `min` of the (2 `radius` + 1)² pixels are.
    fn where_at_least(&self, radius: usize, min: usize) -> Self {
        let radius = radius.min(MAX_RADIUS);
        let counts = self.local_counts(radius);
        Self { data: counts.iter().map(|&count| u8::from(usize::from(count) >= min)).collect(), ..*self }
    }

    /// Set where most of the square is.
    pub fn majority(&self, radius: usize) -> Self {
        let side = 2 * radius.min(MAX_RADIUS) + 1;
        self.where_at_least(radius, side * side / 2 + 1)
    }

    /// Set where any of the square is.
    pub fn dilated(&self, radius: usize) -> Self {
        self.where_at_least(radius, 1)
    }

    /// Set where all of the square is.
    pub fn eroded(&self, radius: usize) -> Self {
        let side = 2 * radius.min(MAX_RADIUS) + 1;
        self.where_at_least(radius, side * side)
    }

    /// Without parts narrower than the square.
    pub fn opened(&self, radius: usize) -> Self {
        if radius == 0 { self.clone() } else { self.eroded(radius).dilated(radius) }
    }
}

/// Chamfer distances to a side and to a corner neighbour, and the units per pixel.
const SIDE: u16 = 3;
const CORNER: u16 = 4;

impl Bits {
    /// With the gaps filled into which no disc of `radius` fits. The corners of a square would
    /// enter an oblique gap.
    pub fn closed_round(&self, radius: usize) -> Self {
        let reach = SIDE * radius.min(MAX_RADIUS) as u16;
        let dilated = Self { data: self.distances(1).iter().map(|&d| u8::from(d <= reach)).collect(), ..*self };
        Self { data: dilated.distances(0).iter().map(|&d| u8::from(d > reach)).collect(), ..*self }
    }

    /// The centres of the discs of `radius` that fit.
    pub fn eroded_round(&self, radius: usize) -> Self {
        let reach = SIDE * radius.min(MAX_RADIUS) as u16;
        Self { data: self.distances(0).iter().map(|&d| u8::from(d > reach)).collect(), ..*self }
    }

    /// Distance of each pixel from the nearest one of value `of`, in thirds of a pixel, by
    /// chamfering (G. Borgefors, "Distance transformations in digital images", Computer Vision,
    /// Graphics, and Image Processing 34, 1986).
    fn distances(&self, of: u8) -> Vec<u16> {
        const FAR: u16 = u16::MAX / 2;
        let (width, height) = (self.width, self.height);
        let mut distances: Vec<u16> = self.data.iter().map(|&bit| if bit == of { 0 } else { FAR }).collect();
        let mut pass = |row: usize, before: Option<usize>, forwards: bool| {
            for k in 0..width {
                let column = if forwards { k } else { width - 1 - k };
                let mut min = distances[row * width + column];
                if k > 0 {
                    let last = if forwards { column - 1 } else { column + 1 };
                    min = min.min(distances[row * width + last] + SIDE);
                }
                if let Some(before) = before {
                    min = min.min(distances[before * width + column] + SIDE);
                    if column > 0 {
                        min = min.min(distances[before * width + column - 1] + CORNER);
                    }
                    if column + 1 < width {
                        min = min.min(distances[before * width + column + 1] + CORNER);
                    }
                }
                distances[row * width + column] = min;
            }
        };
        (0..height).for_each(|row| pass(row, row.checked_sub(1), true));
        (0..height).rev().for_each(|row| pass(row, (row + 1 < height).then_some(row + 1), false));
        distances
    }
}

/// Counts of larger squares do not fit their type.
pub(super) const MAX_RADIUS: usize = 127;
