//! Coverage of a road that differs from the ground beside it: a band, a stroke, a grid's free
//! space.
//!
//! With grey levels along the edges, coverage is the position of the grey value between the
//! ground's level and the road's. The road's level is its median. The ground's level is the median
//! of the pixels right beside the road, so that the walls of a grid count and the unknown area
//! beyond them does not. Without grey levels, a pixel either is road or is not.

use image::GrayImage;

use super::Grey;
use super::regions::Regions;
use super::rings::{self, Road};
use super::threshold::Histogram;

/// Distance from a road pixel within which an edge has grey levels, pixels. At most the thickness
/// of a grid's walls.
const BELT_PX: u32 = 3;

/// Coverage that is a grey level of an edge and not noise of the road or the ground.
pub(super) const PARTLY: std::ops::RangeInclusive<u8> = 26..=229;

/// The picture is anti-aliased if at least this fraction of the places where a row of pixels
/// crosses an edge has a partly covered pixel. In a smooth picture, nearly all have one; in a hard
/// one after JPEG compression, a few per cent.
const ANTI_ALIASED_FRACTION: f64 = 0.3;

/// Paints the road; every other region counts as ground. The second value is whether the picture is
/// anti-aliased; the third is the difference between road and ground.
pub(super) fn coverage(
    grey: &Grey,
    histogram: &Histogram,
    regions: &Regions,
    road: &Road,
    threshold: u16,
) -> (GrayImage, bool, f64) {
    let edge = Edge { grey, regions, road: road.region, threshold, light: regions.list[road.region as usize].light };
    let level = rings::median(grey, histogram, regions, road.region).unwrap_or(f64::from(u16::MAX));
    let ground = edge.ground_level(histogram).unwrap_or(0.0);
    let levels = Levels { ground, per_level: 255.0 / (level - ground) };
    let anti_aliased = edge.is_anti_aliased(&levels);
    let mut coverage = GrayImage::new(regions.size.0, regions.size.1);
    if anti_aliased {
        edge.paint_belt(&levels, &mut coverage);
    }
    let columns = regions.size.0 as usize;
    for (row, run) in regions.runs_of(road.region) {
        let pixels = row as usize * columns + run.start as usize..row as usize * columns + run.end as usize;
        if anti_aliased {
            levels.apply(&grey.as_raw()[pixels.clone()], &mut (*coverage)[pixels]);
        } else {
            (*coverage)[pixels].fill(u8::MAX);
        }
    }
    (coverage, anti_aliased, (level - ground).abs())
}

/// Grey values as fractions of 255 between ground and road.
struct Levels {
    ground: f64,
    per_level: f64,
}

impl Levels {
    fn of(&self, value: u16) -> u8 {
        // Saturates at both ends.
        ((f64::from(value) - self.ground) * self.per_level).round() as u8
    }

    fn apply(&self, source: &[u16], target: &mut [u8]) {
        target.iter_mut().zip(source).for_each(|(pixel, &value)| *pixel = self.of(value));
    }
}

/// The ring's surroundings.
struct Edge<'a> {
    grey: &'a Grey,
    regions: &'a Regions,
    road: u32,
    threshold: u16,
    light: bool,
}

impl Edge<'_> {
    fn is_outside(&self, value: u16) -> bool {
        (value > self.threshold) != self.light
    }

    /// At each place where a row crosses the ring's edges: the last value inside, the first
    /// outside, and, of the nearest few outside, the one that differs the most from the road's
    /// level.
    fn row_ends(&self) -> impl Iterator<Item = (u16, u16, u16)> + '_ {
        let columns = self.regions.size.0 as usize;
        self.regions.runs_of(self.road).flat_map(move |(row, run)| {
            let row = &self.grey.as_raw()[row as usize * columns..][..columns];
            let (start, end) = (run.start as usize, run.end as usize);
            let before = row[..start].iter().rev().take(BELT_PX as usize);
            let after = row[end..].iter().take(BELT_PX as usize);
            let end_of = |last: u16, first: Option<u16>, extreme: Option<u16>| Some((last, first?, extreme?));
            [
                end_of(row[start], before.clone().next().copied(), self.extreme(before)),
                end_of(row[end - 1], after.clone().next().copied(), self.extreme(after)),
            ]
            .into_iter()
            .flatten()
        })
    }

    fn extreme<'v>(&self, beside: impl Iterator<Item = &'v u16>) -> Option<u16> {
        if self.light { beside.min().copied() } else { beside.max().copied() }
    }

    fn ground_level(&self, histogram: &Histogram) -> Option<f64> {
        let mut levels = histogram.emptied();
        self.row_ends().for_each(|(.., beside)| levels.add(beside));
        levels.median()
    }

    fn is_anti_aliased(&self, levels: &Levels) -> bool {
        let (mut partly, mut total) = (0_u64, 0_u64);
        for (inside, outside, beside) in self.row_ends() {
            // The unknown area behind a gap in a grid's wall is also between the levels, but
            // nothing darker is behind it.
            let outside = outside != beside && PARTLY.contains(&levels.of(outside));
            partly += u64::from(outside || PARTLY.contains(&levels.of(inside)));
            total += 1;
        }
        partly as f64 >= ANTI_ALIASED_FRACTION * total as f64
    }

    /// Paints the ground's pixels near the ring. Pixels of the road's colour there belong to
    /// another region.
    fn paint_belt(&self, levels: &Levels, coverage: &mut GrayImage) {
        let (width, height) = self.regions.size;
        for (row, run) in self.regions.runs_of(self.road) {
            let columns = run.start.saturating_sub(BELT_PX)..(run.end + BELT_PX).min(width);
            for near in row.saturating_sub(BELT_PX)..=(row + BELT_PX).min(height - 1) {
                let offset = near as usize * width as usize;
                let pixels = offset + columns.start as usize..offset + columns.end as usize;
                let source = &self.grey.as_raw()[pixels.clone()];
                for (pixel, &value) in (**coverage)[pixels].iter_mut().zip(source) {
                    if self.is_outside(value) {
                        *pixel = levels.of(value);
                    }
                }
            }
        }
    }
}
