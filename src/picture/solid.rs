//! Coverage of a road that differs from the ground beside it: a band, a stroke, a grid's free space.

use image::GrayImage;

use super::Grey;
use super::regions::{Regions, Run};
use super::rings::{self, Ring};
use super::threshold::Histogram;

/// How far beside a road pixel an edge's grey levels reach, pixels.
const BELT_PX: u32 = 2;

/// Coverage outside of these is a grey level of the edge's, not noise of the road or the ground.
const PARTLY: std::ops::RangeInclusive<u8> = 26..=229;

/// The picture is anti-aliased when it has this many partly covered pixels for each pixel side along the edges. A smooth edge
/// has about one; a hard one that went through JPEG a few in a hundred.
const ANTI_ALIASED_SHARE: f64 = 0.25;

/// Paints the ring and its edges; every other region counts as ground.
///
/// Coverage is the grey value's place between the ground's level and the road's. The road's level is its median, the ground's
/// the median of the pixels next to it, so that a grid's walls count and the unknown beyond them doesn't.
pub(super) fn coverage(
    grey: &Grey,
    histogram: &Histogram,
    regions: &Regions,
    ring: Ring,
    threshold: u16,
) -> (GrayImage, bool) {
    let light = regions.list[ring.region as usize].light;
    let outside = |value: u16| (value > threshold) != light;
    let road = rings::median(grey, histogram, regions, ring.region).unwrap_or(f64::from(u16::MAX));
    let ground = ground_level(grey, histogram, regions, ring.region, outside).unwrap_or(0.0);
    let place = Normalised { ground, per_level: 255.0 / (road - ground) };

    let (width, height) = grey.dimensions();
    let mut coverage = GrayImage::new(width, height);
    let columns = width as usize;
    for (row, Run { start, end, .. }) in regions.runs_of(ring.region) {
        for near in row.saturating_sub(BELT_PX)..=(row + BELT_PX).min(height - 1) {
            let from = near as usize * columns + start.saturating_sub(BELT_PX) as usize;
            let to = near as usize * columns + (end + BELT_PX).min(width) as usize;
            let source = &grey.as_raw()[from..to];
            // Pixels of the road's colour beyond the edge belong to something else; the ring's own runs follow below.
            for (pixel, &value) in coverage.as_mut()[from..to].iter_mut().zip(source) {
                if outside(value) {
                    *pixel = place.of(value);
                }
            }
        }
    }
    let mut partly = 0_u64;
    for (row, Run { start, end, .. }) in regions.runs_of(ring.region) {
        let from = row as usize * columns + start as usize;
        let to = row as usize * columns + end as usize;
        for (pixel, &value) in coverage.as_mut()[from..to].iter_mut().zip(&grey.as_raw()[from..to]) {
            *pixel = place.of(value);
        }
    }
    for &value in coverage.as_raw() {
        partly += u64::from(PARTLY.contains(&value));
    }
    let anti_aliased = partly as f64 >= ANTI_ALIASED_SHARE * regions.list[ring.region as usize].cracks as f64;
    (coverage, anti_aliased)
}

/// Grey values as parts of 255 between ground and road.
struct Normalised {
    ground: f64,
    per_level: f64,
}

impl Normalised {
    fn of(&self, value: u16) -> u8 {
        // Saturates at both ends.
        ((f64::from(value) - self.ground) * self.per_level).round() as u8
    }
}

/// Median of the pixels beside the ring, at each end of a run the one farther from the road's colour of the nearest two.
fn ground_level(
    grey: &Grey,
    histogram: &Histogram,
    regions: &Regions,
    ring: u32,
    outside: impl Fn(u16) -> bool,
) -> Option<f64> {
    let light = regions.list[ring as usize].light;
    let columns = regions.size.0 as usize;
    let mut levels = histogram.emptied();
    for (row, run) in regions.runs_of(ring) {
        let row = &grey.as_raw()[row as usize * columns..][..columns];
        let before = row[..run.start as usize].iter().rev();
        let after = row[run.end as usize..].iter();
        for beside in [before.take(BELT_PX as usize).min_max(light), after.take(BELT_PX as usize).min_max(light)] {
            if let Some(value) = beside.filter(|&value| outside(value)) {
                levels.add(value);
            }
        }
    }
    levels.median()
}

/// The smallest value beside a light road, the largest beside a dark one.
trait MinMax {
    fn min_max(self, smallest: bool) -> Option<u16>;
}
impl<'a, I: Iterator<Item = &'a u16>> MinMax for I {
    fn min_max(self, smallest: bool) -> Option<u16> {
        if smallest { self.min().copied() } else { self.max().copied() }
    }
}
