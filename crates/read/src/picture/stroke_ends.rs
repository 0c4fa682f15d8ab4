//! The ends of drawn strokes: where the outline of a long, narrow region turns back, at about the
//! stroke's width from itself.
//!
//! The ends may be square, round, or cut obliquely, as by the white border of another stroke. They
//! are therefore not looked for at their tips but a little inside, where both flanks are straight
//! and lie opposite each other.

use image::GrayImage;

use super::Grey;
use super::contours::{Crossing, for_each_contour};
use super::islands::ROAD_SLENDERNESS;
use super::regions::{Region, Regions};
use super::rings::{SMALLEST_ROAD_PX, THINNEST_ROAD_PX, is_narrow};
use raceline_numerics::math;
use raceline_road::geometry::{Point, Vector, cross, left_of};

/// Bounding-box diagonal of the smallest stroke, as a fraction of that of the largest one of its
/// colour.
const MIN_EXTENT: f64 = 0.1;

/// A picture with more strokes of one colour is a pattern or a text.
const MAX_STROKES: usize = 64;

/// Distance of the points along an outline, in widths of the stroke, and its minimum, pixels.
const STEP_WIDTHS: f64 = 0.125;
const MIN_STEP_PX: f64 = 0.4;

/// Length over which the direction of a flank is measured, in widths of the stroke, and its
/// minimum, pixels.
const FLANK_WIDTHS: f64 = 1.0;
const MIN_FLANK_PX: f64 = 4.0;

/// Length of the outline from one flank round the end to the other, in widths of the stroke. An end
/// that is cut at 30° is two widths long, and one flank is 1.7 widths longer than the other.
const ROUND_WIDTHS: std::ops::Range<f64> = 1.8..5.5;

/// Distance of the flanks in mean widths of the stroke.
const APART_WIDTHS: std::ops::Range<f64> = 0.7..1.35;

/// Cosine of the largest angle between the two flanks of a stroke.
const PARALLEL: f64 = 0.94;

/// Largest offset of one flank's point along the stroke, as a fraction of the flanks' distance.
const MAX_OBLIQUE: f64 = 0.3;

/// Largest turn by which the bend of the flanks is continued to the end, radians.
const MAX_TURN_RAD: f64 = 0.15;

/// An end of a stroke.
#[derive(Clone, Copy, Debug)]
pub(super) struct StrokeEnd {
    /// The region it belongs to.
    pub region: u32,
    /// A point in the middle of the stroke, a little inside of its end: continuous pixel
    /// coordinates, rows downwards.
    pub middle: Point,
    /// Unit vector along the stroke, pointing out of it.
    pub outward: Vector,
    /// Width of the stroke there, pixels.
    pub width: f64,
}

/// Which regions are strokes of one colour; empty if there are none, or too many.
pub(super) fn strokes(regions: &Regions, light: bool) -> Vec<bool> {
    let may_be = |region: &Region| {
        region.light == light
            && region.diagonal() >= SMALLEST_ROAD_PX
            && region.mean_width() >= THINNEST_ROAD_PX
            && region.slenderness() >= ROAD_SLENDERNESS
            && is_narrow(regions, region)
    };
    let largest = regions.list.iter().filter(|region| may_be(region)).map(Region::diagonal).fold(0.0, f64::max);
    let are: Vec<bool> =
        regions.list.iter().map(|region| may_be(region) && region.diagonal() >= MIN_EXTENT * largest).collect();
    let count = are.iter().filter(|&&is| is).count();
    if (1..=MAX_STROKES).contains(&count) { are } else { Vec::new() }
}

/// The ends of the given strokes, in the order of their outlines. Linear in the pixels.
pub(super) fn ends(grey: &Grey, threshold: u16, regions: &Regions, strokes: &[bool]) -> Vec<StrokeEnd> {
    let mut mask = GrayImage::new(regions.size.0, regions.size.1);
    for row in 0..regions.size.1 {
        for run in regions.row(row).iter().filter(|run| strokes[run.region as usize]) {
            (*mask)[row as usize * regions.size.0 as usize..][run.start as usize..run.end as usize].fill(u8::MAX);
        }
    }
    let mut ends = Vec::new();
    for_each_contour(&mask, |crossings| {
        let Some(&Crossing { inside: (column, row), .. }) = crossings.first() else { return };
        let region = regions.at(super::Pixel { column: column as u32, row: row as u32 });
        let points: Vec<Point> = crossings.iter().map(|&crossing| located(grey, threshold, crossing)).collect();
        let outline = Outline::new(&points, regions.list[region as usize].mean_width());
        ends.extend(outline.iter().flat_map(Outline::ends).map(|(middle, outward, width)| StrokeEnd {
            region,
            middle,
            outward,
            width,
        }));
    });
    ends
}

/// Where the grey value between two pixels passes the threshold.
fn located(grey: &Grey, threshold: u16, Crossing { inside, outside }: Crossing) -> Point {
    let at = |(column, row): (i64, i64)| {
        let place = u32::try_from(column).ok().zip(u32::try_from(row).ok());
        place.and_then(|(column, row)| grey.get_pixel_checked(column, row)).map(|value| f64::from(value.0[0]))
    };
    let fraction = match (at(inside), at(outside)) {
        (Some(a), Some(b)) if a != b => ((a - f64::from(threshold) - 0.5) / (a - b)).clamp(0.0, 1.0),
        _ => 0.5,
    };
    let between = |from: i64, to: i64| from as f64 + 0.5 + (to - from) as f64 * fraction;
    Point::new(between(inside.0, outside.0), between(inside.1, outside.1))
}

/// The outline of a stroke, its points equally far apart, the stroke on its left with rows upwards.
struct Outline {
    points: Vec<Point>,
    step: f64,
    width: f64,
    /// Number of steps over which the direction of a flank is measured.
    flank: usize,
}

/// A place where the two flanks of a stroke lie opposite each other.
struct Gate {
    first: usize,
    steps: usize,
    misfit: f64,
}

impl Outline {
    /// `None` if the outline is too short for a stroke of this width.
    fn new(points: &[Point], width: f64) -> Option<Self> {
        let wanted = (STEP_WIDTHS * width).max(MIN_STEP_PX);
        let next = |index: usize| points[(index + 1) % points.len()];
        let length: f64 = (0..points.len()).map(|index| (next(index) - points[index]).norm()).sum();
        let count = (length / wanted) as usize;
        let flank = ((FLANK_WIDTHS * width).max(MIN_FLANK_PX) / wanted).round() as usize;
        if length < 2.0 * ROUND_WIDTHS.end * width || count < 8 * flank {
            return None;
        }
        let step = length / count as f64;
        let (mut resampled, mut behind) = (Vec::with_capacity(count), 0.0);
        for (index, &from) in points.iter().enumerate() {
            let piece = (next(index) - from).norm();
            while resampled.len() < count && step * resampled.len() as f64 <= behind + piece {
                let fraction = (step * resampled.len() as f64 - behind) / piece.max(1e-12);
                resampled.push(from + (next(index) - from) * fraction.min(1.0));
            }
            behind += piece;
        }
        (resampled.len() == count).then_some(Self { points: resampled, step, width, flank })
    }

    fn at(&self, index: usize) -> Point {
        self.points[index % self.points.len()]
    }

    /// The direction of a flank towards the end, `behind` steps before `index`; backwards along the
    /// outline for the flank after the end.
    fn direction(&self, index: usize, behind: usize, is_before: bool) -> Vector {
        let count = self.points.len();
        let (near, far) = if is_before {
            (index + count - behind, index + count - behind - self.flank)
        } else {
            (index + behind, index + behind + self.flank)
        };
        (self.at(near) - self.at(far)).try_normalize(1e-9).unwrap_or_default()
    }

    /// Middle, direction and width of the stroke at each of its ends.
    fn ends(&self) -> Vec<(Point, Vector, f64)> {
        let count = self.points.len();
        let range = |widths: f64| (widths * self.width / self.step) as usize;
        let (min, max) = (range(ROUND_WIDTHS.start), range(ROUND_WIDTHS.end).min(count / 2));
        let mut gates: Vec<Gate> =
            (0..count).flat_map(|first| (min..max).filter_map(move |steps| self.gate(first, steps))).collect();
        gates.sort_by(|a, b| a.misfit.total_cmp(&b.misfit).then((a.first, a.steps).cmp(&(b.first, b.steps))));
        let mut taken = vec![false; count];
        let mut ends = Vec::new();
        for Gate { first, steps, .. } in gates {
            if (first..=first + steps).any(|index| taken[index % count]) {
                continue;
            }
            (first..=first + steps).for_each(|index| taken[index % count] = true);
            ends.push(self.end(first, first + steps));
        }
        ends
    }

    /// The gate between a point and the one some steps further, if the two lie on opposite flanks.
    fn gate(&self, first: usize, steps: usize) -> Option<Gate> {
        let last = first + steps;
        let across = self.at(last) - self.at(first);
        let apart = across.norm() / self.width;
        if !APART_WIDTHS.contains(&apart) {
            return None;
        }
        let (before, after) = (self.direction(first, 0, true), self.direction(last, 0, false));
        let parallel = before.dot(&after);
        let outward = (before + after).try_normalize(1e-9)?;
        let oblique = across.dot(&outward) / across.norm();
        // The stroke is on the left of its outline with rows upwards; here they run downwards.
        let is_inside = cross(outward, across) < 0.0;
        // A gate near the end is preferred to one farther inside.
        let misfit = 1.0 - parallel
            + oblique * oblique
            + math::powi(apart - 1.0, 2)
            + 0.02 * steps as f64 * self.step / self.width;
        (is_inside && parallel >= PARALLEL && oblique.abs() <= MAX_OBLIQUE).then_some(Gate { first, steps, misfit })
    }

    fn end(&self, first: usize, last: usize) -> (Point, Vector, f64) {
        let mean = |behind: usize| {
            let sum = self.direction(first, behind, true) + self.direction(last, behind, false);
            sum.try_normalize(1e-9).unwrap_or_default()
        };
        // The mean direction over a flank is that of its middle. Its bend goes on to the end.
        let (near, far) = (mean(0), mean(self.flank));
        let turn = 0.5 * math::atan2(cross(far, near), far.dot(&near));
        let (sin, cos) = math::sin_cos(turn.clamp(-MAX_TURN_RAD, MAX_TURN_RAD));
        let outward = cos * near + sin * left_of(near);
        let across = self.at(last) - self.at(first);
        (nalgebra::center(&self.at(first), &self.at(last)), outward, cross(outward, across).abs())
    }
}

#[cfg(test)]
mod tests {
    use super::{Grey, Regions, Vector, cross, ends, strokes};

    /// The angles between the directions of both ends of an arc, 10 px wide, and its tangents there: how much less
    /// they turn than the arc, radians.
    fn lags(radius: f64) -> Vec<f64> {
        let grey = Grey::from_fn(300, 300, |column, row| {
            let (x, y) = (f64::from(column) + 0.5 - 150.0, f64::from(row) + 0.5 - 150.0);
            let is_arc = (x.hypot(y) - radius).abs() < 5.0 && (y < 0.0 || y.abs() > 3.0 * x);
            image::Luma([if is_arc && y < 20.0 { 0 } else { u16::MAX }])
        });
        let threshold = u16::MAX / 2;
        let regions = Regions::new(&grey, threshold).unwrap();
        let strokes = strokes(&regions, false);
        let lag = |end: &super::StrokeEnd| {
            let from_centre = end.middle - super::Point::new(150.0, 150.0);
            let tangent = Vector::new(-from_centre.y, from_centre.x).normalize();
            let tangent = if tangent.dot(&end.outward) < 0.0 { -tangent } else { tangent };
            cross(end.outward, tangent).abs().asin()
        };
        ends(&grey, threshold, &regions, &strokes).iter().map(lag).collect()
    }

    #[test]
    fn the_bend_of_a_stroke_goes_on_to_its_end() {
        // Over half a flank of 10 px an arc of 60 px turns by 0.08 rad, which is continued.
        let wide = lags(60.0);
        assert!(wide.len() == 2 && wide.iter().all(|&lag| lag < 0.065), "{wide:?}");
    }
}
