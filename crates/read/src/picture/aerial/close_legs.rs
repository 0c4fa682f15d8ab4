//! Strips between legs that lie side by side, with no more than a kerb and the edge lines between
//! them.
//!
//! Edge lines and white kerbs have the hue of asphalt, as a start line has. Bridging cuts across the
//! road therefore fills such a strip, and the two legs become one wide road. Where the road is much
//! too wide, long and thin strips of another colour are taken out again, if what is left on their
//! two sides is no longer too wide.

use super::morphology::{Bits, MAX_RADIUS};
use crate::picture::regions::Region;
use raceline_road::geometry::{Point, Vector};

/// Radius in road widths of a disc that fits into two merged legs, which are more than two widths
/// wide, but not into a road.
const MERGED_FRACTION: f64 = 0.75;

/// Minimum length and largest mean thickness of a strip, in widths of the road. The shadow of a
/// bridge across both legs is thicker; cars are shorter.
const MIN_LENGTH: f64 = 1.0;
const MAX_THICKNESS: f64 = 0.35;

/// Once a strip has been taken out, at most this fraction of the places where the disc fits remains
/// beside it; a start line across a wide road leaves most of them.
const LEFT_FRACTION: f64 = 0.4;

/// Distance beside a strip at which the remaining places are counted, in widths of the road.
const BESIDE_WIDTHS: f64 = 0.3;

/// Whether legs seem to be merged somewhere in `road`.
pub(super) fn are_merged(road: &Bits, width: f64) -> bool {
    cores(road, radius(width)).is_some()
}

/// The road `filled` with the strips between its legs taken out again. `calm` are the pixels of the
/// road's own colour.
pub(super) fn reopened(filled: Bits, calm: &Bits, width: f64) -> Bits {
    let radius = radius(width);
    let Some(merged) = cores(&filled, radius) else { return filled };
    let about = merged.dilated((radius + radius / 2).min(MAX_RADIUS));
    let other = filled.with(calm, |a, b| a & (1 - b)).with(&about, |a, b| a & b);
    let Some(regions) = other.regions() else { return filled };
    let is_strip = |region: &Region| {
        let length = region.diagonal();
        region.light && length >= MIN_LENGTH * width && region.area as f64 <= MAX_THICKNESS * width * length
    };
    let strips: Vec<(u32, &Region)> = (0..).zip(&regions.list).filter(|(_, region)| is_strip(region)).collect();
    let mut divided = filled.clone();
    let set = |bits: &mut Bits, index: u32, value: u8| {
        for (row, run) in regions.runs_of(index) {
            bits.data[row as usize * filled.width..][run.start as usize..run.end as usize].fill(value);
        }
    };
    strips.iter().for_each(|&(index, _)| set(&mut divided, index, 0));
    if let Some(left) = cores(&divided, radius) {
        let reach = (BESIDE_WIDTHS * width) as usize;
        for &(index, region) in &strips {
            let before = count_about(&merged, region, reach);
            if count_about(&left, region, reach) as f64 > LEFT_FRACTION * before as f64 {
                set(&mut divided, index, 1);
            }
        }
    }
    divided
}

fn radius(width: f64) -> usize {
    ((MERGED_FRACTION * width).round() as usize).clamp(1, MAX_RADIUS)
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

#[cfg(test)]
mod tests {
    use super::{Bits, are_merged, reopened};

    const WIDTH: usize = 40;

    /// Where a column and a row lie: two legs from left to right with a strip of 6 pixels between them, beside a wide
    /// paddock, and a car on the upper leg.
    #[derive(Clone, Copy, PartialEq)]
    enum Place {
        Grass,
        Asphalt,
        Strip,
        Car,
    }

    fn place(column: usize, row: usize) -> Place {
        match (column, row) {
            (100..120, 40..46) => Place::Car,
            (0..240, 60..66) => Place::Strip,
            (0..240, 20..106) | (280..480, 10..130) => Place::Asphalt,
            _ => Place::Grass,
        }
    }

    fn picture(is_set: impl Fn(Place) -> bool + Sync) -> Bits {
        let places: Vec<Place> = (0..140).flat_map(|row| (0..500).map(move |column| place(column, row))).collect();
        Bits::from_values(500, 140, &places, |&place| is_set(place))
    }

    #[test]
    fn the_strip_between_two_legs_is_taken_out_and_a_car_is_not() {
        let (filled, calm) = (picture(|place| place != Place::Grass), picture(|place| place == Place::Asphalt));
        assert!(are_merged(&filled, WIDTH as f64));
        let divided = reopened(filled, &calm, WIDTH as f64);
        assert!(divided == picture(|place| !matches!(place, Place::Grass | Place::Strip)));
    }
}
