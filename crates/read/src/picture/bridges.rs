//! Bridges in drawings: the lower of two strokes that cross is interrupted on both sides of the
//! upper one.
//!
//! Two ends of strokes that point at each other across another stroke, with a gap on either side of
//! it, are joined. The road then crosses itself as one that is drawn unbroken, and goes straight on.
//! Of an outline, the strokes are the two legs between their lines, and the lines are the gaps.

use image::Luma;

use super::Grey;
use super::Pixel;
use super::regions::Regions;
use super::stroke_ends::{self, StrokeEnd};
use raceline_road::geometry::{Point, Segment, Vector};

/// Length of the upper stroke that the lower one passes, in widths of the lower one: 1.6 for legs
/// that cross at 40°, 2.4 at 25°.
const CROSSED_WIDTHS: std::ops::Range<f64> = 0.5..3.0;

/// Maximum length of the gap on either side, and maximum difference of the two, in widths of the
/// stroke. A gap of 1.5 widths at right angles is 2.3 widths long at 40°.
const MAX_GAP_WIDTHS: f64 = 3.0;
const MAX_UNEQUAL_WIDTHS: f64 = 1.0;

/// A longer path between two gates is no bridge, in widths of the stroke.
const LONGEST_WIDTHS: f64 = 12.0;

/// Area of the shape between two crossing legs of an outline whose lines are all drawn through, in
/// squares of the stroke's width: 1.6 at 40°.
const MAX_SQUARE: f64 = 4.0;

/// Maximum ratio of the widths of the two ends.
const MAX_UNLIKE: f64 = 1.5;

/// Cosine of the largest angle between an end's direction and the direction to the other end.
const FACING: f64 = 0.9;

/// More ends are a pattern.
const MAX_ENDS: usize = 256;

/// Distance of the samples along a bridge, pixels.
const SAMPLE_PX: f64 = 0.5;

/// The picture with the lower strokes of its bridges drawn through; `None` if it shows no bridges.
pub(super) fn joined(grey: &Grey, threshold: u16, regions: &Regions) -> Option<Grey> {
    let mut filled: Option<Grey> = None;
    for light in [false, true] {
        let strokes = stroke_ends::strokes(regions, light);
        if strokes.is_empty() {
            continue;
        }
        let ends = stroke_ends::ends(grey, threshold, regions, &strokes);
        if !(2..=MAX_ENDS).contains(&ends.len()) {
            continue;
        }
        for bridge in (Drawing { grey, regions, strokes: &strokes, light }).bridges(&ends) {
            bridge.draw(filled.get_or_insert_with(|| grey.clone()), light);
        }
    }
    filled
}

/// The strokes of one colour.
struct Drawing<'a> {
    grey: &'a Grey,
    regions: &'a Regions,
    strokes: &'a [bool],
    light: bool,
}

impl Drawing<'_> {
    /// The bridges between the ends, the straightest first; each end belongs to at most one. None if
    /// more ends remain than are joined.
    fn bridges(&self, ends: &[StrokeEnd]) -> Vec<Bridge> {
        let mut found: Vec<(f64, usize, usize, Bridge)> = Vec::new();
        for (i, from) in ends.iter().enumerate() {
            for (j, to) in ends.iter().enumerate().skip(i + 1) {
                let across = (to.middle - from.middle).normalize();
                let bend = 2.0 - from.outward.dot(&across) + to.outward.dot(&across);
                found.extend(self.bridge(from, to).map(|bridge| (bend, i, j, bridge)));
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let mut taken = vec![false; ends.len()];
        let mut bridges = Vec::new();
        for (_, i, j, bridge) in found {
            if !taken[i] && !taken[j] {
                (taken[i], taken[j]) = (true, true);
                bridges.push(bridge);
            }
        }
        // The dead ends of a maze face each other here and there, but usually they do not.
        let mut is_bridged = vec![false; self.regions.list.len()];
        (0..ends.len()).filter(|&i| taken[i]).for_each(|i| is_bridged[ends[i].region as usize] = true);
        let loose = (0..ends.len()).filter(|&i| !taken[i] && is_bridged[ends[i].region as usize]).count();
        if loose > 2 * bridges.len() { Vec::new() } else { bridges }
    }

    /// The bridge between two ends that face each other across another stroke.
    fn bridge(&self, from: &StrokeEnd, to: &StrokeEnd) -> Option<Bridge> {
        let across = to.middle - from.middle;
        let length = across.norm();
        let width = f64::midpoint(from.width, to.width);
        let alike = from.width <= MAX_UNLIKE * to.width && to.width <= MAX_UNLIKE * from.width;
        let faces = |outward: Vector, towards: Vector| outward.dot(&towards) >= FACING * length;
        if !alike || length > LONGEST_WIDTHS * width || !faces(from.outward, across) || !faces(to.outward, -across) {
            return None;
        }
        let axis = axis(from, to);
        let runs = self.runs(&axis);
        let [start, before, crossed, after, end] = runs.as_slice() else { return None };
        let expected = start.region == Some(from.region)
            && end.region == Some(to.region)
            && before.region.is_none()
            && after.region.is_none();
        let is_crossed = CROSSED_WIDTHS.contains(&(crossed.length / width))
            && crossed.region.is_some_and(|region| {
                let area = self.regions.list[region as usize].area as f64;
                self.strokes[region as usize] || area <= MAX_SQUARE * width * width
            });
        let are_gaps = before.length.max(after.length) <= MAX_GAP_WIDTHS * width
            && (before.length - after.length).abs() <= MAX_UNEQUAL_WIDTHS * width;
        (expected && is_crossed && are_gaps).then(|| Bridge {
            widths: [from.width, to.width],
            stroke: self.value(axis[0]),
            // The middle of the first gap.
            ground: self.value(axis[((start.length + before.length / 2.0) / SAMPLE_PX) as usize]),
            axis,
        })
    }

    fn value(&self, p: Point) -> f64 {
        f64::from(self.grey.get_pixel(p.x as u32, p.y as u32).0[0])
    }

    /// The stretches of a line within one region of the strokes' colour or outside of all.
    fn runs(&self, axis: &[Point]) -> Vec<Run> {
        let region = |p: &Point| {
            let region = self.regions.at(Pixel { column: p.x as u32, row: p.y as u32 });
            (self.regions.list[region as usize].light == self.light).then_some(region)
        };
        let of: Vec<Option<u32>> = axis.iter().map(region).collect();
        of.chunk_by(|a, b| a == b).map(|run| Run { region: run[0], length: run.len() as f64 * SAMPLE_PX }).collect()
    }
}

/// A stretch of a line.
struct Run {
    /// The region of the strokes' colour that it lies in.
    region: Option<u32>,
    /// Pixels.
    length: f64,
}

/// The cubic curve from one end to the other that continues the directions of both.
pub(super) fn axis(from: &StrokeEnd, to: &StrokeEnd) -> Vec<Point> {
    let length = (to.middle - from.middle).norm();
    let count = (length / SAMPLE_PX).ceil().max(1.0) as usize;
    let (start, end) = (from.outward * length, -to.outward * length);
    let at = |k: usize| {
        let t = k as f64 / count as f64;
        let (rest, straight) = (1.0 - t, to.middle - from.middle);
        from.middle + straight * (t * t * (3.0 - 2.0 * t)) + start * (t * rest * rest) - end * (t * t * rest)
    };
    (0..=count).map(at).collect()
}

/// A lower stroke to be drawn through.
pub(super) struct Bridge {
    /// Middle line, in pixels.
    pub axis: Vec<Point>,
    /// Width at both ends, pixels.
    pub widths: [f64; 2],
    /// Grey values of the stroke and of the ground beside it.
    pub stroke: f64,
    pub ground: f64,
}

impl Bridge {
    /// Draws the stroke with smooth edges; what is drawn already stays.
    pub fn draw(&self, picture: &mut Grey, light: bool) {
        let reach = f64::max(self.widths[0], self.widths[1]) / 2.0 + 1.0;
        let bound = |value: f64, size: u32| value.clamp(0.0, f64::from(size)) as u32;
        let low = self.axis.iter().fold(self.axis[0], |low, p| low.inf(p));
        let high = self.axis.iter().fold(self.axis[0], |high, p| high.sup(p));
        let (width, height) = picture.dimensions();
        for row in bound(low.y - reach, height)..bound(high.y + reach + 1.0, height) {
            for column in bound(low.x - reach, width)..bound(high.x + reach + 1.0, width) {
                let coverage = self.coverage(Point::new(f64::from(column) + 0.5, f64::from(row) + 0.5));
                let drawn = (self.ground + coverage * (self.stroke - self.ground)).round() as u16;
                let before = picture.get_pixel(column, row).0[0];
                let after = if light { before.max(drawn) } else { before.min(drawn) };
                if coverage > 0.0 {
                    picture.put_pixel(column, row, Luma([after]));
                }
            }
        }
    }

    /// Fraction of the pixel about `p` that the stroke covers; zero before its first point and
    /// beyond its last.
    fn coverage(&self, p: Point) -> f64 {
        let last = self.axis.len() - 1;
        let nearest = (0..last).map(|k| {
            let piece = Segment::new(self.axis[k], self.axis[k + 1]);
            let fraction = piece.foot(p);
            let clamped = fraction.clamp(0.0, 1.0);
            let is_beyond = (k == 0 && fraction < 0.0) || (k + 1 == last && fraction > 1.0);
            ((p - piece.at(clamped)).norm(), k as f64 + clamped, is_beyond)
        });
        let Some((distance, place, is_beyond)) = nearest.min_by(|a, b| a.0.total_cmp(&b.0)) else { return 0.0 };
        let half = (self.widths[0] + (self.widths[1] - self.widths[0]) * place / last as f64) / 2.0;
        if is_beyond { 0.0 } else { (half + 0.5 - distance).clamp(0.0, 1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Drawing, Grey, Point, Regions, StrokeEnd, Vector};

    /// Whether two strokes 10 px wide that lead to a third one, `crossed` px wide, with these gaps are one.
    fn is_bridged(gaps: [u32; 2], crossed: u32) -> bool {
        let from = [150, 150 + gaps[0], 150 + gaps[0] + crossed, 150 + gaps[0] + crossed + gaps[1]];
        let grey = Grey::from_fn(400, 100, |column, row| {
            let is_lower = (45..55).contains(&row) && (column < from[0] || column >= from[3]);
            let is_upper = (from[1]..from[2]).contains(&column);
            image::Luma([if is_lower || is_upper { 0 } else { u16::MAX }])
        });
        let regions = Regions::new(&grey, u16::MAX / 2).unwrap();
        let end = |x: u32, outward: f64| {
            let middle = Point::new(f64::from(x), 50.0);
            let region = regions.at(super::Pixel { column: x, row: 50 });
            StrokeEnd { region, middle, outward: Vector::new(outward, 0.0), width: 10.0 }
        };
        let ends = [end(from[0] - 5, 1.0), end(from[3] + 5, -1.0)];
        let strokes = vec![true; regions.list.len()];
        let drawing = Drawing { grey: &grey, regions: &regions, strokes: &strokes, light: false };
        drawing.bridge(&ends[0], &ends[1]).is_some()
    }

    #[test]
    fn gaps_on_both_sides_of_the_upper_stroke_are_alike() {
        assert!(is_bridged([6, 6], 12) && is_bridged([6, 15], 12) && !is_bridged([6, 18], 12));
    }

    #[test]
    fn a_bridge_is_at_most_twelve_widths_long() {
        // Widths and gaps alone allow 90 px: with two ends of 5 px it stays a bridge.
        assert!(is_bridged([29, 29], 28));
    }
}
