//! From the pixels of the road's colour to one clean, connected network of road.
//!
//! A road is recognised by its shape: a band of about constant width that is long for its width. In
//! a square as wide as the band, about a pixel of the band, three quarters of the pixels are road;
//! in one four times as wide, a quarter. For a field, both squares are full; for scattered grass of
//! the same colour, both densities are equal.

use super::close_legs;
use super::colour_model::Kinship;
use super::gaps;
use super::morphology::{Bits, MAX_RADIUS};
use crate::picture::Pixel;
use crate::picture::regions::{Region, Regions};
use crate::picture::rings::THINNEST_ROAD_PX;
use raceline_numerics::math;

/// Minimum bounding-box diagonal of a piece of road, as a fraction of the picture's diagonal.
const MIN_EXTENT: f64 = 0.1;

/// Difference of the two local densities for a straight band of constant width.
const BAND_CONTRAST: f64 = 0.45;

/// Widths up to which narrower parts are removed, as radii in road widths, rounded down; the first
/// one that leaves a road that leads on is used. A large radius separates the road from ground of
/// its colour, but breaks roads of varying width.
const OPENING_FRACTIONS: [f64; 3] = [1.0 / 6.0, 1.0 / 12.0, 0.0];

/// Radius in road widths up to which cuts are bridged by pixels of the road's hue: start lines,
/// bands of shadow.
const BRIDGE_FRACTION: f64 = 0.7;

/// As `BRIDGE_FRACTION`, for pixels of any colour, such as cars and oil: only notches.
const NOTCH_FRACTION: f64 = 0.25;

/// Areas of the largest notch and of the largest hole that are filled, in squares of the road's
/// width. A hole of the road's own hue is a shadow or paint, and may be larger.
const NOTCH_AREA: f64 = 0.4;
const HOLE_AREA: f64 = 1.0;
const SHADED_HOLE_AREA: f64 = 6.0;

/// If a larger fraction of the ground beside the road has the road's hue, the hue is not
/// informative, as in a picture without colours.
const TELLING_HUE: f64 = 0.3;

/// Factor on the score of a road that neither encloses anything nor leaves the picture.
const DEAD_END: f64 = 0.6;

/// A road network.
#[derive(Clone, Debug)]
pub(super) struct Network {
    /// Set on the road.
    pub road: Bits,
    /// The road's mean width, pixels of the working picture.
    pub width_px: f64,
    /// How much it looks like a road, 0 to 1.
    pub score: f64,
    /// Number of ignored shapes of the road's colour.
    pub dropped_shapes: usize,
}

/// The width and the score of the bands among the pixels `of_colour`, before any cleaning.
pub(super) fn outlook(of_colour: &Bits) -> Option<(f64, f64)> {
    let calm = of_colour.majority(1);
    let regions = calm.regions()?;
    let long = long_regions(&regions);
    let width = mean_width(&regions, &long)?;
    let bands = painted(&regions, &long);
    let fraction = bands.count() as f64 / of_colour.count().max(1) as f64;
    Some((width, band_likeness(&bands, width) * fraction.min(1.0).sqrt() * extent(&regions, &long).sqrt()))
}

/// The network among the pixels that are road by their `kinship`, one per pixel, or `None` if they
/// contain no band. Its roads are about `width` wide and lead through `spot`, if specified.
pub(super) fn clean(
    kinship: &[Kinship],
    size: (usize, usize),
    shade_is_road: bool,
    width: f64,
    spot: Option<(usize, usize)>,
) -> Option<Network> {
    let of = |is_set: &(dyn Fn(&Kinship) -> bool + Sync)| Bits::from_values(size.0, size.1, kinship, is_set);
    let is_road = |&kin: &Kinship| kin == Kinship::Road || (shade_is_road && kin == Kinship::Shade);
    let pixels = Pixels {
        of_colour: of(&is_road),
        of_hue: of(&|kin| kin.is_of_hue()),
        not_ground: of(&|&kin| kin != Kinship::Ground),
    };
    let calm = pixels.of_colour.majority(1);
    let mut best: Option<Network> = None;
    let mut last = None;
    for fraction in OPENING_FRACTIONS {
        let opening = (fraction * width) as usize;
        if last == Some(opening) {
            continue;
        }
        last = Some(opening);
        let Some((network, leads_on)) = cut_free(&calm, &pixels, width, opening, spot) else { continue };
        if best.as_ref().is_none_or(|kept| network.score > kept.score) {
            best = Some(network);
        }
        if leads_on {
            break;
        }
    }
    best
}

/// Classes of the pixels by their colours.
struct Pixels {
    /// Of the road's colour.
    of_colour: Bits,
    /// Of its hue.
    of_hue: Bits,
    /// Not known to be ground.
    not_ground: Bits,
}

/// The network after opening with the square of radius `opening`, and whether it leads on.
fn cut_free(
    calm: &Bits,
    pixels: &Pixels,
    width: f64,
    opening: usize,
    spot: Option<(usize, usize)>,
) -> Option<(Network, bool)> {
    let Pixels { of_colour, of_hue, .. } = pixels;
    let bridged = bridged(&calm.opened(opening), pixels, width);
    // A gap that is still spanned by a thin connection would look like a notch.
    let bridged = gaps::joined(bridged.opened(opening), width);
    let regions = bridged.regions()?;
    let filled = without_holes(&regions, choose(&regions, spot)?, of_hue, width);
    let filled = close_legs::reopened(filled, calm, width);
    // Opening may separate parts with a thin connection.
    let regions = filled.opened(opening).regions()?;
    let chosen = choose(&regions, spot)?;
    let road = painted(&regions, &[chosen]);
    let width = regions.list[chosen as usize].mean_width();
    if width < THINNEST_ROAD_PX {
        return None;
    }
    let near = road.dilated(2);
    let explained = of_colour.with(&near, |a, b| a & b).count() as f64 / of_colour.count().max(1) as f64;
    let supported = road.with(of_hue, |a, b| a & b).count() as f64 / road.count().max(1) as f64;
    let leads_on = leads_on(&regions, chosen, width);
    let score = band_likeness(&road, width)
        * explained.sqrt()
        * supported
        * extent(&regions, &[chosen]).sqrt()
        * if leads_on { 1.0 } else { DEAD_END };
    let is_other = |region: &Region| region.light && region.area as f64 > width * width;
    let dropped_shapes = regions.list.iter().filter(|region| is_other(region)).count().saturating_sub(1);
    Some((Network { road, width_px: width, score, dropped_shapes }, leads_on))
}

/// The regions of set pixels with a long bounding box.
fn long_regions(regions: &Regions) -> Vec<u32> {
    let min = MIN_EXTENT * math::hypot(f64::from(regions.size.0), f64::from(regions.size.1));
    let is_long = |region: &Region| region.light && region.diagonal() >= min;
    (0..).zip(&regions.list).filter(|(_, region)| is_long(region)).map(|(index, _)| index).collect()
}

fn mean_width(regions: &Regions, of: &[u32]) -> Option<f64> {
    let (mut area, mut length) = (0.0, 0.0);
    for &index in of {
        let region = &regions.list[index as usize];
        area += region.area as f64;
        length += region.area as f64 / region.mean_width().max(1e-9);
    }
    (length > 0.0).then(|| area / length)
}

/// Diagonal of the common bounding box, as a fraction of the picture's.
fn extent(regions: &Regions, of: &[u32]) -> f64 {
    let (mut low, mut high) = ((f64::MAX, f64::MAX), (0.0_f64, 0.0_f64));
    for &index in of {
        let region = &regions.list[index as usize];
        low = (low.0.min(f64::from(region.low.column)), low.1.min(f64::from(region.low.row)));
        high = (high.0.max(f64::from(region.high.column)), high.1.max(f64::from(region.high.row)));
    }
    let diagonal = math::hypot(f64::from(regions.size.0), f64::from(regions.size.1));
    (math::hypot((high.0 - low.0).max(0.0), (high.1 - low.1).max(0.0)) / diagonal).min(1.0)
}

fn painted(regions: &Regions, of: &[u32]) -> Bits {
    let (width, height) = (regions.size.0 as usize, regions.size.1 as usize);
    let mut bits = Bits { width, height, data: vec![0; width * height] };
    for row in 0..regions.size.1 {
        for run in regions.row(row).iter().filter(|run| of.contains(&run.region)) {
            bits.data[row as usize * width..][run.start as usize..run.end as usize].fill(1);
        }
    }
    bits
}

/// 1 for a straight band of constant `width`, 0 for a field or scattered pixels.
fn band_likeness(bits: &Bits, width: f64) -> f64 {
    let density = |radius: f64| {
        let radius = (radius.round() as usize).clamp(1, MAX_RADIUS);
        let sum: f64 = bits
            .local_counts(radius)
            .iter()
            .zip(&bits.data)
            .filter(|(_, bit)| **bit != 0)
            .map(|(&n, _)| f64::from(n))
            .sum();
        sum / ((2 * radius + 1).pow(2) * bits.count().max(1)) as f64
    };
    ((density(width / 2.0) - density(2.0 * width)) / BAND_CONTRAST).clamp(0.0, 1.0)
}

/// Bridges cuts across the road and fills notches in its edges.
fn bridged(calm: &Bits, pixels: &Pixels, width: f64) -> Bits {
    let radius = |fraction: f64| ((fraction * width).round() as usize).clamp(1, MAX_RADIUS);
    let of_hue = &pixels.of_hue;
    let beside = calm.dilated(radius(1.0)).with(&calm.dilated(2), |a, b| a & (1 - b));
    let leak = beside.with(of_hue, |a, b| a & b).count() as f64 / beside.count().max(1) as f64;
    let joined = if leak <= TELLING_HUE {
        let of_hue = of_hue.majority(1);
        calm.closed_round(radius(BRIDGE_FRACTION)).with(&of_hue, |a, b| a & b).with(calm, |a, b| a | b)
    } else {
        calm.clone()
    };
    // Known ground, such as the tip between two legs of a hairpin, is not a notch.
    let closed = joined.closed_round(radius(NOTCH_FRACTION)).with(&pixels.not_ground.majority(1), |a, b| a & b);
    let gaps = closed.with(&joined, |a, b| a & (1 - b));
    // Nor is a strip between two parallel roads.
    let Some(regions) = gaps.regions() else { return joined };
    let is_notch = |region: &Region| region.light && (region.area as f64) < (NOTCH_AREA * width * width).max(2.0);
    let mut result = joined;
    for row in 0..regions.size.1 {
        for run in regions.row(row).iter().filter(|run| is_notch(&regions.list[run.region as usize])) {
            result.data[row as usize * closed.width..][run.start as usize..run.end as usize].fill(1);
        }
    }
    result
}

/// The region at the spot, or the largest of the long ones.
fn choose(regions: &Regions, spot: Option<(usize, usize)>) -> Option<u32> {
    if let Some((column, row)) = spot {
        let place = Pixel { column: column as u32, row: row as u32 };
        if place.column >= regions.size.0 || place.row >= regions.size.1 {
            return None;
        }
        let at = regions.at(place);
        return regions.list[at as usize].light.then_some(at);
    }
    let size = |&index: &u32| {
        let region = &regions.list[index as usize];
        region.diagonal() * region.slenderness().min(50.0)
    };
    long_regions(regions).into_iter().max_by(|a, b| size(a).total_cmp(&size(b)))
}

/// The region with its small holes filled.
fn without_holes(regions: &Regions, road: u32, of_hue: &Bits, width: f64) -> Bits {
    let square = width * width;
    // The content of a hole belongs to it, with nested regions.
    let mut kin = vec![0_u64; regions.list.len()];
    for row in 0..regions.size.1 {
        for run in regions.row(row) {
            let bits = &of_hue.data[row as usize * of_hue.width..][run.start as usize..run.end as usize];
            kin[run.region as usize] += bits.iter().map(|&bit| u64::from(bit)).sum::<u64>();
        }
    }
    let mut fills = vec![false; regions.list.len()];
    fills[road as usize] = true;
    for (index, region) in regions.list.iter().enumerate() {
        let Some(parent) = region.parent else { continue };
        let area = region.filled_area as f64;
        let is_shade = kin[index] * 2 > region.area;
        let is_hole = parent == road && area < square * if is_shade { SHADED_HOLE_AREA } else { HOLE_AREA };
        fills[index] |= is_hole;
    }
    // A parent may come after its child in raster order, so the ancestors are followed.
    let within = |mut index: usize| loop {
        if fills[index] {
            return true;
        }
        match regions.list[index].parent {
            Some(parent) if parent != road => index = parent as usize,
            _ => return false,
        }
    };
    let kept: Vec<u32> = (0..regions.list.len()).filter(|&index| within(index)).map(|index| index as u32).collect();
    let mut is_kept = vec![false; regions.list.len()];
    kept.iter().for_each(|&index| is_kept[index as usize] = true);
    let mut bits = Bits { width: of_hue.width, height: of_hue.height, data: vec![0; of_hue.data.len()] };
    for row in 0..regions.size.1 {
        for run in regions.row(row).iter().filter(|run| is_kept[run.region as usize]) {
            bits.data[row as usize * bits.width..][run.start as usize..run.end as usize].fill(1);
        }
    }
    bits
}

/// Whether the road encloses something or leaves the picture.
fn leads_on(regions: &Regions, road: u32, width: f64) -> bool {
    let encloses =
        |region: &Region| region.parent == Some(road) && region.filled_area as f64 > HOLE_AREA * width * width;
    regions.list[road as usize].border.is_some() || regions.list.iter().any(encloses)
}

#[cfg(test)]
mod tests {
    use super::{Bits, Pixels, bridged, without_holes};

    const WIDTH: f64 = 20.0;

    fn bits(is_set: impl Fn(usize, usize) -> bool) -> Bits {
        let data = (0..400 * 200).map(|at| u8::from(is_set(at % 400, at / 400))).collect();
        Bits { width: 400, height: 200, data }
    }

    fn is_band(row: usize) -> bool {
        (90..110).contains(&row)
    }

    #[test]
    fn a_cut_is_bridged_where_the_hue_is_that_of_the_road_alone() {
        // A band with a cut of 6 px, and ground beside it of which `tenths` have the road's hue.
        let is_bridged = |tenths: usize| {
            let road = bits(|column, row| is_band(row) && !(200..206).contains(&column));
            let of_hue = bits(|column, row| is_band(row) || (column / 8) % 10 < tenths);
            let not_ground = road.clone();
            let found = bridged(&road, &Pixels { of_colour: road.clone(), of_hue, not_ground }, WIDTH);
            found.data[100 * 400 + 203] == 1
        };
        assert!(is_bridged(0) && is_bridged(2) && !is_bridged(4));
    }

    #[test]
    fn a_hole_of_the_hue_of_the_road_may_be_larger() {
        // A square hole of this many square widths.
        let is_filled = |squares: f64, has_hue: bool| {
            let half = (squares.sqrt() * WIDTH / 2.0) as usize;
            let is_hole = |column: usize, row: usize| column.abs_diff(200) < half && row.abs_diff(100) < half;
            let road = bits(|column, row| !is_hole(column, row));
            let of_hue = bits(|column, row| has_hue || !is_hole(column, row));
            let regions = road.regions().unwrap();
            without_holes(&regions, regions.at(super::Pixel { column: 0, row: 0 }), &of_hue, WIDTH).data
                [100 * 400 + 200]
                == 1
        };
        assert!(is_filled(0.8, false) && !is_filled(1.4, false));
        assert!(is_filled(5.0, true) && !is_filled(7.5, true));
    }
}
