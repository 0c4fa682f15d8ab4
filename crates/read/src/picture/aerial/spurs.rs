//! Removal of dead ends from an outline: ground of the road's colour that is connected to the side
//! of the road.
//!
//! The two edges of a ring are two outlines. If two points of one outline see each other across the
//! road, one side of their chord is a dead end. A bump on an edge is found in the same way: the
//! path round it is long compared with the chord. Ends of the road beyond the picture's border are
//! kept.

use super::curve::Curve;
use super::morphology::Bits;
use raceline_road::geometry::{Point, cross, left_of};

/// Longest chords, in widths of the road, and for each the minimum ratio of the path round to the
/// chord. The outside of a hairpin is a half circle: 1.6 times the chord across it, 1.2 times one
/// of `1.6` widths.
const CHORDS: [(f64, f64); 2] = [(1.6, 1.4), (3.0, 2.5)];

/// Longest path round, in widths of the road; longer dead ends are roads.
const MAX_DETOUR: f64 = 24.0;

/// Distance between points of the outlines, in widths of the road.
const STEP: f64 = 0.2;

/// Distance from a chord at which the two sides must have separated, in widths of the road.
const FOOT: f64 = 0.6;

/// Distance behind a chord at which road is tested for, in widths of the road.
const BEHIND: f64 = 0.15;

/// Part of a chord near each of its ends that may lie off the road, as a fraction of its length.
const LOOSE_END: f64 = 0.2;

/// The outlines without spurs. `road` is the mask from which they were traced; each of its pixels
/// covers `factor` pixels.
pub(super) fn cut_off(outlines: Vec<Vec<Point>>, road: &Bits, factor: f64, width_px: f64) -> Vec<Vec<Point>> {
    let curves: Vec<Curve> = outlines.iter().filter_map(|outline| Curve::resampled(outline, STEP * width_px)).collect();
    let cutter = Cutter { road, factor, width_px };
    curves.iter().enumerate().map(|(index, curve)| cutter.without_spurs(curve, &curves, index)).collect()
}

struct Cutter<'a> {
    road: &'a Bits,
    factor: f64,
    width_px: f64,
}

/// A piece of an outline: its first point, its number of steps, and by how much it exceeds the
/// limit.
#[derive(Clone, Copy)]
struct Spur {
    first: usize,
    steps: usize,
    excess: f64,
}

impl Cutter<'_> {
    fn without_spurs(&self, curve: &Curve, all: &[Curve], own: usize) -> Vec<Point> {
        let count = curve.points.len();
        let max_steps = ((MAX_DETOUR * self.width_px / curve.step) as usize).min(count / 2);
        let mut spurs: Vec<Spur> = (0..count)
            .filter_map(|first| {
                let candidates = (3..max_steps).filter_map(|steps| self.spur(curve, first, steps));
                candidates.max_by(|a, b| a.excess.total_cmp(&b.excess))
            })
            .collect();
        // In descending order; a piece that overlaps a removed one is part of it.
        spurs.sort_by(|a, b| b.excess.total_cmp(&a.excess).then(a.first.cmp(&b.first)));
        let mut is_cut = vec![false; count];
        let mut is_end = vec![false; count];
        for spur in spurs {
            let piece = |step: usize| (spur.first + step) % count;
            let is_taken = (0..=spur.steps).any(|step| is_cut[piece(step)] || is_end[piece(step)]);
            if is_taken || !self.is_dead_end(curve, all, own, spur) {
                continue;
            }
            (1..spur.steps).for_each(|step| is_cut[piece(step)] = true);
            is_end[piece(0)] = true;
            is_end[piece(spur.steps)] = true;
        }
        (0..count).filter(|&index| !is_cut[index]).map(|index| curve.points[index]).collect()
    }

    fn spur(&self, curve: &Curve, first: usize, steps: usize) -> Option<Spur> {
        let (from, to) = (curve.points[first], curve.points[(first + steps) % curve.points.len()]);
        let chord = (to - from).norm();
        let course = steps as f64 * curve.step;
        let (_, detour) = CHORDS.into_iter().find(|(max, _)| chord <= max * self.width_px)?;
        let excess = course - detour * chord;
        // A bump no deeper than a third of the road is left to the edge search.
        (excess > 0.0 && course > self.width_px && self.ends_here(curve, first, steps)).then_some(Spur {
            first,
            steps,
            excess,
        })
    }

    /// Whether the outline separates on both sides of the chord. Along a road, both sides continue
    /// in parallel: the piece is then not a dead end but the rest of the road.
    fn ends_here(&self, curve: &Curve, first: usize, steps: usize) -> bool {
        let count = curve.points.len();
        let further = ((FOOT * self.width_px / curve.step).ceil() as usize).max(1);
        let at = |index: usize| curve.points[index % count];
        let chord = (at(first + steps) - at(first)).norm();
        let wider = (at(first + steps + further) - at(first + count - further % count)).norm();
        wider - chord > further as f64 * curve.step
    }

    /// Whether the chord lies on the road, and the piece is a bump that contains neither a hole nor
    /// the picture's border.
    fn is_dead_end(&self, curve: &Curve, all: &[Curve], own: usize, spur: Spur) -> bool {
        let count = curve.points.len();
        let piece: Vec<Point> = (0..=spur.steps).map(|step| curve.points[(spur.first + step) % count]).collect();
        let (from, to) = (piece[0], piece[spur.steps]);
        let twice_area: f64 =
            piece.iter().enumerate().map(|(k, p)| cross(p.coords, piece[(k + 1) % piece.len()].coords)).sum();
        // Rows run downwards, so the road is on the right.
        if twice_area >= 0.0 || !piece.iter().all(|&p| self.is_inside_picture(p)) {
            return false;
        }
        // The foot of a bump lies on the road's edge, so road is tested for slightly behind it.
        let samples = 16;
        let behind = left_of(to - from).try_normalize(1e-9).unwrap_or_default() * (BEHIND * self.width_px);
        let is_road = |k: i32| {
            let fraction = LOOSE_END + (1.0 - 2.0 * LOOSE_END) * f64::from(k) / f64::from(samples);
            self.is_road(from + (to - from) * fraction - behind)
        };
        let polygon = raceline_road::geometry::Polyline::closed(piece);
        (0..=samples).all(is_road)
            && !all.iter().enumerate().any(|(index, other)| index != own && polygon.contains(other.points[0]))
    }

    fn is_inside_picture(&self, p: Point) -> bool {
        let (x, y) = (p.x / self.factor, p.y / self.factor);
        x > 1.0 && y > 1.0 && x < self.road.width as f64 - 1.0 && y < self.road.height as f64 - 1.0
    }

    fn is_road(&self, p: Point) -> bool {
        let (x, y) = (p.x / self.factor, p.y / self.factor);
        let inside = x >= 0.0 && y >= 0.0 && x < self.road.width as f64 && y < self.road.height as f64;
        inside && self.road.data[y as usize * self.road.width + x as usize] != 0
    }
}

#[cfg(test)]
mod tests {
    use super::{Bits, Curve, Cutter, Point, Spur, cut_off};
    use crate::picture::aerial::curve;

    const WIDTH_PX: f64 = 20.0;

    /// A picture whose set pixels are road.
    fn mask(size: (usize, usize), is_road: impl Fn(usize, usize) -> bool) -> Bits {
        let (width, height) = size;
        let data = (0..width * height).map(|at| u8::from(is_road(at % width, at / width))).collect();
        Bits { width, height, data }
    }

    /// Rows of the highest points of the outlines of a road 20 px wide with a bump on it, before and after.
    fn highest(half_width: usize, height: usize) -> [f64; 2] {
        let road = mask((600, 500), |column, row| {
            let is_bump = (440 - height..450).contains(&row) && column.abs_diff(300) < half_width;
            (440..460).contains(&row) || is_bump
        });
        let outlines = curve::outlines(&road, 1.0);
        let top = |outlines: &[Vec<Point>]| outlines.iter().flatten().map(|p| p.y).fold(f64::INFINITY, f64::min);
        [top(&outlines), top(&cut_off(outlines.clone(), &road, 1.0, WIDTH_PX))]
    }

    #[test]
    fn a_dead_end_is_cut_off_unless_it_is_as_long_as_a_road() {
        let [before, after] = highest(7, 100);
        assert!(before < 342.0 && after > 434.0, "{before} {after}");
        // 600 px round: longer than 24 widths.
        let [before, after] = highest(7, 300);
        assert!(after < before + 10.0, "{before} {after}");
    }

    #[test]
    fn a_wide_bump_is_cut_off_where_it_is_deep() {
        // Chords of two and a half widths: 150 px round are cut off, 90 px are not.
        let [before, after] = highest(25, 60);
        assert!(before < 382.0 && after > 430.0, "{before} {after}");
        let [before, after] = highest(25, 20);
        assert!(after < before + 5.0, "{before} {after}");
    }

    #[test]
    fn the_outline_separates_within_half_a_width_of_the_chord() {
        let road = mask((1, 1), |_, _| true);
        let cutter = Cutter { road: &road, factor: 1.0, width_px: WIDTH_PX };
        // An end 20 px wide, whose sides go on in parallel for `parallel` px and then turn away.
        let ends_here = |parallel: f64| {
            let side = |s: f64| {
                let aside = (s - parallel).max(0.0);
                Point::new(s.min(parallel), 10.0 + aside)
            };
            let steps: Vec<Point> = (0..30).map(|i| side(4.0 * f64::from(i))).collect();
            let below = steps.iter().rev().map(|p| Point::new(p.x, -p.y));
            let end = (1..5).map(|i| Point::new(0.0, -10.0 + 4.0 * f64::from(i)));
            let points: Vec<Point> = below.chain(end).chain(steps.iter().copied()).collect();
            cutter.ends_here(&Curve { points, step: 4.0 }, 29, 5)
        };
        assert!(ends_here(3.0) && !ends_here(9.0));
    }

    /// Whether a bump above a chord from (150, `row`) to (50, `row`) is a dead end on a road that covers `columns`
    /// of the rows 100 to 120.
    fn is_dead_end(row: f64, columns: std::ops::Range<usize>) -> bool {
        let road = mask((200, 200), |column, at| (100..120).contains(&at) && columns.contains(&column));
        let bump = [[150.0, row], [150.0, row - 60.0], [50.0, row - 60.0], [50.0, row]];
        let mut points: Vec<Point> = bump.into_iter().map(Point::from).collect();
        points.extend([[10.0, 150.0], [190.0, 150.0]].map(Point::from));
        let curve = Curve { points, step: 60.0 };
        let cutter = Cutter { road: &road, factor: 1.0, width_px: WIDTH_PX };
        cutter.is_dead_end(&curve, std::slice::from_ref(&curve), 0, Spur { first: 0, steps: 3, excess: 1.0 })
    }

    #[test]
    fn road_is_looked_for_behind_the_chord_and_not_at_its_ends() {
        // 3 px behind it.
        assert!(is_dead_end(105.0, 0..200) && is_dead_end(98.0, 0..200) && !is_dead_end(96.0, 0..200));
        // A fifth of it at either end may lie off the road.
        assert!(is_dead_end(105.0, 68..132) && !is_dead_end(105.0, 75..132) && !is_dead_end(105.0, 68..125));
    }
}
