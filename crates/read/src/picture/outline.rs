//! Coverage of a road drawn as two thin lines, its half level at the lines' centres.
//!
//! Each pixel's lightness, counted positive on the road's side of a line and negative beyond it, is
//! antisymmetric about the line's centre, where it passes through zero. The same is true after any
//! symmetric blur, which a line thicker than a pixel needs for a slope at its centre. The edge
//! needs no search along normals, and its contour cannot fold over where the line bends sharply.
//!
//! The work is done in tiles along the lines; everything else is road or ground.

use image::{GrayImage, Luma};
use imageproc::filter::separable_filter_equal;

use super::Grey;
use super::regions::{Regions, Run};
use super::rings::{self, Road};
use super::solid::PARTLY;
use super::threshold::Histogram;
use raceline_numerics::math;

/// Standard deviation of the blur in line thicknesses, and its minimum, pixels. A wider blur rounds
/// corners more; a narrower one leaves no slope at the centre of a line.
const BLUR_THICKNESSES: f64 = 0.35;
const MIN_BLUR_PX: f64 = 0.6;

/// Side of a tile, pixels: long compared with the blur, short compared with the picture.
const TILE_PX: u32 = 64;

/// The picture is anti-aliased if it has at least this many partly inked pixels per pixel side
/// along the lines; smooth lines have about one.
const ANTI_ALIASED_FRACTION: f64 = 0.25;

/// The signed lightness of ink, and the difference of full lightness on a side from it. 16 bit,
/// because `imageproc` clamps at zero.
const ZERO: f64 = 32767.5;

/// Data common to the tiles.
struct Lines<'a> {
    grey: &'a Grey,
    regions: &'a Regions,
    road: &'a Road,
    road_light: bool,
    paper: f64,
    ink: f64,
    /// Distance from the middle of a line within which both of its sides are visible, pixels.
    reach: u32,
    blur: f64,
}

/// Computes the coverage. The second value is whether the lines have grey levels along their sides;
/// the third is the difference between ink and paper.
pub(super) fn coverage(grey: &Grey, histogram: &Histogram, regions: &Regions, road: &Road) -> (GrayImage, bool, f64) {
    let of = |region: u32| &regions.list[region as usize];
    let region = of(road.region);
    let edges: Vec<u32> = region.parent.iter().chain(&road.holes).copied().collect();
    let thickness = edges.iter().map(|&line| of(line).mean_width()).fold(0.0, f64::max);
    let level = |region| rings::median(grey, histogram, regions, region);
    let lines = Lines {
        grey,
        regions,
        road,
        road_light: region.light,
        paper: level(road.region).unwrap_or(f64::from(u16::MAX)),
        ink: edges.first().and_then(|&line| level(line)).unwrap_or(0.0),
        reach: (thickness / 2.0).ceil() as u32 + 2,
        blur: MIN_BLUR_PX.max(BLUR_THICKNESSES * thickness),
    };
    let (width, height) = regions.size;
    let mut coverage = GrayImage::new(width, height);
    for (row, run) in regions.runs_of(road.region) {
        let row = &mut (*coverage)[row as usize * width as usize..][..width as usize];
        row[run.start as usize..run.end as usize].fill(u8::MAX);
    }
    let mut partly = 0;
    for (left, top) in lines.tiles(&edges) {
        partly += lines.paint(left, top, &mut coverage);
    }
    let cracks: u64 = edges.iter().map(|&line| of(line).cracks).sum();
    (coverage, partly as f64 >= ANTI_ALIASED_FRACTION * cracks as f64, (lines.paper - lines.ink).abs())
}

impl Lines<'_> {
    /// Top-left corners of the tiles that contain lines or their blur, in raster order.
    fn tiles(&self, lines: &[u32]) -> Vec<(u32, u32)> {
        let (width, height) = self.regions.size;
        let (columns, rows) = (width.div_ceil(TILE_PX), height.div_ceil(TILE_PX));
        let around = self.reach + self.kernel_radius();
        let mut touched = vec![false; (columns * rows) as usize];
        for (row, run) in lines.iter().flat_map(|&line| self.regions.runs_of(line)) {
            let last = |value: u32, size: u32| (value + around).min(size - 1) / TILE_PX;
            for y in row.saturating_sub(around) / TILE_PX..=last(row, height) {
                for x in run.start.saturating_sub(around) / TILE_PX..=last(run.end, width) {
                    touched[(y * columns + x) as usize] = true;
                }
            }
        }
        let corner = |index: u32| (index % columns * TILE_PX, index / columns * TILE_PX);
        (0..columns * rows).filter(|&index| touched[index as usize]).map(corner).collect()
    }

    /// Radius of the kernel of the blur, pixels.
    fn kernel_radius(&self) -> u32 {
        (2.0 * self.blur).ceil() as u32
    }

    /// The kernel of the blur: a normal distribution cut off at two deviations, its sum 1. Not that of `imageproc`, whose
    /// exponential function is the platform's.
    fn kernel(&self) -> Vec<f32> {
        let radius = f64::from(self.kernel_radius());
        let density = |at: f64| math::exp(-0.5 * (at / self.blur) * (at / self.blur));
        let values: Vec<f64> = (0..=2 * self.kernel_radius()).map(|i| density(f64::from(i) - radius)).collect();
        let sum: f64 = values.iter().sum();
        values.into_iter().map(|value| (value / sum) as f32).collect()
    }

    /// Writes one tile of the coverage; returns the number of its partly inked pixels.
    fn paint(&self, left: u32, top: u32, coverage: &mut GrayImage) -> u64 {
        let (width, height) = self.regions.size;
        let margin = self.reach + self.kernel_radius();
        let (from_column, from_row) = (left.saturating_sub(margin), top.saturating_sub(margin));
        let to_column = (left + TILE_PX + margin).min(width);
        let to_row = (top + TILE_PX + margin).min(height);

        let mut lightness = GrayImage::new(to_column - from_column, to_row - from_row);
        let mut signed = Grey::from_pixel(lightness.width(), lightness.height(), quantised(0.0));
        let mut inked = Vec::new();
        for row in from_row..to_row {
            let runs = self.regions.row(row);
            let first = runs.partition_point(|run| run.end <= from_column);
            for run in runs[first..].iter().take_while(|run| run.start < to_column) {
                let side = self.side(run);
                for column in run.start.max(from_column)..run.end.min(to_column) {
                    let (x, y) = (column - from_column, row - from_row);
                    let light = self.lightness(column, row);
                    lightness.put_pixel(x, y, Luma([(255.0 * light).round() as u8]));
                    match side {
                        Some(side) => signed.put_pixel(x, y, quantised(side * light)),
                        None => inked.push((x, y)),
                    }
                }
            }
        }
        // Where ink covers most of a pixel, its surroundings determine the side.
        let sides: Vec<f64> = inked.iter().map(|&(x, y)| self.side_by_surroundings(&signed, x, y)).collect();
        for (&(x, y), side) in inked.iter().zip(sides) {
            let light = f64::from(lightness.get_pixel(x, y).0[0]) / 255.0;
            // A line with road on both sides is a wall between two legs, so its ink separates them.
            signed.put_pixel(x, y, quantised(if side == 0.0 { light - 1.0 } else { side * light }));
        }
        let blurred = separable_filter_equal(&signed, &self.kernel());
        let mut partly = 0;
        for row in top..(top + TILE_PX).min(height) {
            for column in left..(left + TILE_PX).min(width) {
                let (x, y) = (column - from_column, row - from_row);
                let blurred = f64::from(blurred.get_pixel(x, y).0[0]) / 257.0;
                coverage.put_pixel(column, row, Luma([blurred.round() as u8]));
                partly += u64::from(PARTLY.contains(&lightness.get_pixel(x, y).0[0]));
            }
        }
        partly
    }

    /// Positive for the road's own runs, negative for other runs of its colour, `None` for runs of
    /// lines.
    fn side(&self, run: &Run) -> Option<f64> {
        let region = &self.regions.list[run.region as usize];
        (region.light == self.road_light).then_some(if run.region == self.road.region { 1.0 } else { -1.0 })
    }

    fn lightness(&self, column: u32, row: u32) -> f64 {
        ((f64::from(self.grey.get_pixel(column, row).0[0]) - self.ink) / (self.paper - self.ink)).clamp(0.0, 1.0)
    }

    /// Sign of the signed lightness round an inked pixel, with larger weights for nearer pixels;
    /// zero if nothing beyond the road is in reach.
    fn side_by_surroundings(&self, signed: &Grey, x: u32, y: u32) -> f64 {
        let mut balance = 0.0;
        let mut has_beyond = false;
        for row in y.saturating_sub(self.reach)..(y + self.reach + 1).min(signed.height()) {
            for column in x.saturating_sub(self.reach)..(x + self.reach + 1).min(signed.width()) {
                let value = f64::from(signed.get_pixel(column, row).0[0]) - ZERO;
                has_beyond |= value < -ZERO / 2.0;
                let (dx, dy) = (f64::from(column.abs_diff(x)), f64::from(row.abs_diff(y)));
                balance += value / math::powi(1.0 + dx * dx + dy * dy, 2);
            }
        }
        if !has_beyond {
            0.0
        } else if balance < 0.0 {
            -1.0
        } else {
            1.0
        }
    }
}

fn quantised(signed: f64) -> Luma<u16> {
    Luma([(ZERO + ZERO * signed).round() as u16])
}
