//! Strips between legs that lie side by side, with no more than a kerb and the edge lines between
//! them.
//!
//! Edge lines and white kerbs have the hue of asphalt, as a start line has. Bridging cuts across the
//! road therefore fills such a strip, and the two legs become one wide road. Where the road is much
//! too wide, long and thin strips of another colour are taken out again, if what is left on their
//! two sides is no longer too wide.

use super::morphology::{Bits, MOST_RADIUS};
use crate::geometry::{Point, Vector};
use crate::picture::regions::{Region, Regions};

/// Radius in road widths of a disc that fits into two merged legs, which are more than two widths
/// wide, but not into a road.
const MERGED_SHARE: f64 = 0.75;

/// Least length and largest mean thickness of a strip, in widths of the road. The shadow of a
/// bridge across both legs is thicker; cars are shorter.
const LEAST_LENGTH: f64 = 1.0;
const MOST_THICKNESS: f64 = 0.35;

/// Once a strip has been taken out, at most this fraction of the places where the disc fits remains
/// beside it; a start line across a wide road leaves most of them.
const LEFT_SHARE: f64 = 0.4;

/// Distance beside a strip at which the remaining places are counted, in widths of the road.
const BESIDE_WIDTHS: f64 = 0.3;

/// Longest neck of the road's own colour that interrupts a strip, in widths of the road, and the
/// directions in which its other side is looked for, radians from the strip's own.
const LONGEST_NECK: f64 = 0.6;
const NECK_TURNS_RAD: [f64; 5] = [0.0, 0.12, -0.12, 0.25, -0.25];

/// Whether legs seem to be merged somewhere in `road`.
pub(super) fn are_merged(road: &Bits, width: f64) -> bool {
    cores(road, radius(width)).is_some()
}

/// The road `filled` with the strips between its legs taken out again. `calm` are the pixels of the
/// road's own colour.
pub(super) fn reopened(filled: Bits, calm: &Bits, width: f64) -> Bits {
    let radius = radius(width);
    let Some(merged) = cores(&filled, radius) else { return filled };
    let about = merged.dilated((radius + radius / 2).min(MOST_RADIUS));
    let other = filled.with(calm, |a, b| a & (1 - b)).with(&about, |a, b| a & b);
    let Some(regions) = other.regions() else { return filled };
    let is_strip = |region: &Region| {
        let length = region.diagonal();
        region.light && length >= LEAST_LENGTH * width && region.area as f64 <= MOST_THICKNESS * width * length
    };
    let strips: Vec<(u32, &Region)> = (0..).zip(&regions.list).filter(|(_, region)| is_strip(region)).collect();
    let mut divided = filled.clone();
    let set = |bits: &mut Bits, index: u32, value: u8| {
        for (row, run) in regions.runs_of(index) {
            bits.data[row as usize * filled.width..][run.start as usize..run.end as usize].fill(value);
        }
    };
    strips.iter().for_each(|&(index, _)| set(&mut divided, index, 0));
    let ends: Vec<[Point; 2]> = strips.iter().map(|&(index, _)| ends(&regions, index)).collect();
    let without_strips = divided.clone();
    ends.iter().for_each(|&ends| cut_necks(&mut divided, &without_strips, ends, LONGEST_NECK * width));
    let Some(left) = cores(&divided, radius) else { return divided };
    let reach = (BESIDE_WIDTHS * width) as usize;
    let is_kept = |region: &Region| {
        let before = count_about(&merged, region, reach);
        count_about(&left, region, reach) as f64 <= LEFT_SHARE * before as f64
    };
    let kept: Vec<bool> = strips.iter().map(|&(_, region)| is_kept(region)).collect();
    let mut reopened = filled.clone();
    for (&(index, _), _) in strips.iter().zip(&kept).filter(|(_, kept)| **kept) {
        set(&mut reopened, index, 0);
    }
    let without_strips = reopened.clone();
    for (&ends, _) in ends.iter().zip(&kept).filter(|(_, kept)| **kept) {
        cut_necks(&mut reopened, &without_strips, ends, LONGEST_NECK * width);
    }
    reopened
}

/// The two pixels of a region that are farthest apart: of a strip, its ends.
fn ends(regions: &Regions, index: u32) -> [Point; 2] {
    let centre = |column: u32, row: u32| Point::new(f64::from(column) + 0.5, f64::from(row) + 0.5);
    let farthest = |from: Point| {
        let pixels = regions.runs_of(index).flat_map(|(row, run)| [centre(run.start, row), centre(run.end - 1, row)]);
        pixels.max_by(|a, b| (a - from).norm_squared().total_cmp(&(b - from).norm_squared())).unwrap_or(from)
    };
    let low = regions.list[index as usize].low;
    let first = farthest(centre(low.column, low.row));
    [first, farthest(first)]
}

/// Continues a strip beyond its ends where it meets another one, or the ground, within `longest`
/// pixels of road.
fn cut_necks(road: &mut Bits, before: &Bits, ends: [Point; 2], longest: f64) {
    const STEP_PX: f64 = 0.5;
    let pixel = |p: Point| {
        let inside = p.x >= 1.0 && p.y >= 1.0 && p.x + 1.0 < before.width as f64 && p.y + 1.0 < before.height as f64;
        inside.then(|| p.y as usize * before.width + p.x as usize)
    };
    for [end, other] in [ends, [ends[1], ends[0]]] {
        let Some(along) = (end - other).try_normalize(1e-9) else { continue };
        let neck = |turn: f64| {
            let direction = nalgebra::Rotation2::new(turn) * along;
            let at = move |k: usize| end + direction * (k as f64 * STEP_PX);
            let steps = (longest / STEP_PX) as usize;
            // The strip's own last pixels are ground already.
            let is_road = |k: &usize| pixel(at(*k)).is_some_and(|pixel| before.data[pixel] != 0);
            let starts = (0..steps).find(is_road)?;
            let beyond = (starts..=steps).find(|k| !is_road(k))?;
            Some((beyond, (starts..beyond).filter_map(|k| pixel(at(k))).collect::<Vec<usize>>()))
        };
        let shortest = NECK_TURNS_RAD.into_iter().filter_map(neck).min_by_key(|(beyond, _)| *beyond);
        for pixel in shortest.map_or_else(Vec::new, |(_, pixels)| pixels) {
            for row in [pixel - before.width, pixel, pixel + before.width] {
                road.data[row - 1..=row + 1].fill(0);
            }
        }
    }
}

fn radius(width: f64) -> usize {
    ((MERGED_SHARE * width).round() as usize).clamp(1, MOST_RADIUS)
}

/// The centres of the discs that fit into `road`; `None` if there are none.
fn cores(road: &Bits, radius: usize) -> Option<Bits> {
    // The square inside the disc is faster to test.
    let square = (radius as f64 * std::f64::consts::FRAC_1_SQRT_2) as usize;
    let may_fit = road.eroded(square).count() > 0;
    may_fit.then(|| road.eroded_round(radius)).filter(|cores| cores.count() > 0)
}

/// Number of set pixels in the bounding box of a region and `reach` pixels round it.
fn count_about(bits: &Bits, region: &Region, reach: usize) -> usize {
    let range =
        |low: u32, high: u32, size: usize| (low as usize).saturating_sub(reach)..(high as usize + reach + 1).min(size);
    let columns = range(region.low.column, region.high.column, bits.width);
    range(region.low.row, region.high.row, bits.height)
        .map(|row| bits.data[row * bits.width..][columns.clone()].iter().map(|&bit| usize::from(bit)).sum::<usize>())
        .sum()
}

/// Spacing of the samples between two legs, pixels.
const SAMPLE_PX: f64 = 0.25;

/// The ground beside the road, from the mask from which the outlines were traced; each pixel of the
/// mask covers `factor` pixels.
pub(super) struct Ground<'a> {
    pub road: &'a Bits,
    pub factor: f64,
}

impl Ground<'_> {
    /// The distance from a point of an outline along its outward normal to the middle between its
    /// own leg and another one, if that lies within `reach`. What lies beyond belongs to the other
    /// leg.
    pub fn middle(&self, point: Point, normal: Vector, reach: f64) -> Option<f64> {
        let samples = (2.0 * reach / SAMPLE_PX) as i32;
        let is_road = |k: &i32| self.is_road(point + normal * (f64::from(*k) * SAMPLE_PX));
        let leaves =
            if is_road(&0) { (1..samples).find(|k| !is_road(k))? } else { (-samples..0).rev().find(is_road)? + 1 };
        let returns = (leaves + 1..samples).find(is_road)?;
        let middle = 0.5 * f64::from(leaves + returns) * SAMPLE_PX;
        (middle <= reach).then_some(middle)
    }

    fn is_road(&self, p: Point) -> bool {
        let place = |v: f64, size: usize| (v >= 0.0 && v < size as f64).then_some(v as usize);
        let column = place(p.x / self.factor, self.road.width);
        let row = place(p.y / self.factor, self.road.height);
        column.zip(row).is_some_and(|(column, row)| self.road.data[row * self.road.width + column] != 0)
    }
}
