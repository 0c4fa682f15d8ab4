//! Legs of a road that overlap because both widths reach into the other leg.
//!
//! A point of the road lies at depth `width - distance` in a leg. Each normal ends where it would be
//! deeper in another leg than in its own: both legs then end on the same curve, half way between
//! their edges. Legs that cross are not clipped, nor is a bend whose own edge folds over
//! (`offset_edges` removes its loop).

use std::collections::BTreeMap;

use raceline_numerics::bisected;

use super::ImportNote;
use super::road::Cut;
use super::self_crossings::self_crossings;
use crate::geometry::{Point, Segment, cross};

/// Both legs end this far before the curve between them, metres, so that their edges do not touch …
const GAP_M: f64 = 0.02;
/// … but at deepest_cut this fraction of the width.
const GAP_FRACTION: f64 = 0.01;
/// Two places are on different legs if the road between them is longer than this many times the two
/// widths that face one another: a semicircle between them has 1.6. With much more, the joint end of
/// two parallel legs is a hall that no disc between its edges fills.
const APART_WIDTHS: f64 = 1.8;
/// Legs are apart from this distance if the edge folds over between them and they open: its loop reaches to where the edges
/// of both legs meet.
const APART_BEHIND_FOLD_WIDTHS: f64 = 4.0;
/// Legs open if their directions differ from opposite ones by more than this angle: its cosine, 0
/// to 1, is that of 15°. A smaller cosine counts opening legs as parallel.
const OPENING_COSINE: f64 = 0.966;
/// Legs that cross have the road in common over this many mean widths of it before and after the crossing,
/// down to an angle of about 12°.
const CROSSING_WIDTHS: f64 = 5.0;
/// Number of halvings of the search for the end of a normal: to less than a millimetre.
const HALVINGS: usize = 18;
/// Overlaps shorter than this are rounding, metres.
const MIN_OVERLAP_M: f64 = 1e-3;
/// Maximum number of distances that are computed. A road that winds over itself many times is left
/// as it is.
const MAX_DISTANCES: usize = 40_000_000;
/// Maximum number of crossings; a road with more is left as it is.
const MAX_CROSSINGS: usize = 64;

/// Shortens the normals where two legs overlap.
pub fn clip(cuts: &mut [Cut], length: f64, closed: bool) -> Vec<ImportNote> {
    let centres: Vec<Point> = cuts.iter().map(|cut| cut.centre).collect();
    let crossings = self_crossings(&centres, closed, MAX_CROSSINGS);
    if cuts.len() < 3 || crossings.len() >= MAX_CROSSINGS {
        return Vec::new();
    }
    let Some(legs) = Legs::new(cuts, length, closed, &crossings) else { return Vec::new() };
    let mut distances = 0;
    let mut clipped = Vec::new();
    for side in [0, 1] {
        for index in 0..cuts.len() {
            clipped.extend(legs.overlap(index, side, &mut distances));
            if distances > MAX_DISTANCES {
                return Vec::new();
            }
        }
    }
    let runs: Vec<&[Overlap]> = clipped
        .chunk_by(|a, b| a.side == b.side && b.index == a.index + 1)
        .filter(|run| !is_of_fold(run, cuts))
        .collect();
    let note = note(&runs, cuts);
    for overlap in runs.into_iter().flatten() {
        let cut = &mut cuts[overlap.index];
        cut.ends[overlap.side] = cut.centre + (cut.ends[overlap.side] - cut.centre) * overlap.kept_fraction;
    }
    Vec::from_iter(note)
}

/// A normal that reaches into another leg.
struct Overlap {
    index: usize,
    side: usize,
    /// The cut of the other leg.
    other: usize,
    /// Depth of the normal's end in the other leg, metres.
    depth_m: f64,
    /// Whether the edge folds over between the two cuts.
    is_behind_fold: bool,
    /// Fraction of the normal to keep.
    kept_fraction: f64,
}

struct Legs<'a> {
    cuts: &'a [Cut],
    length: f64,
    closed: bool,
    /// Pieces of the centre line by the cell of their beginning.
    cells: BTreeMap<(i64, i64), Vec<usize>>,
    cell: f64,
    /// Number of backward pieces of the left and the right edge before each cut.
    backward: [Vec<usize>; 2],
    /// Positions of the crossings of the centre line, both along it.
    crossings: Vec<[f64; 2]>,
    /// Length of road about a crossing that both legs have in common, metres.
    crossing_reach: f64,
}

impl<'a> Legs<'a> {
    fn new(cuts: &'a [Cut], length: f64, closed: bool, crossings: &[[f64; 2]]) -> Option<Self> {
        let widths = || cuts.iter().flat_map(|cut| [cut.width(0), cut.width(1)]);
        let longest = cuts.windows(2).map(|pair| (pair[1].centre - pair[0].centre).norm()).fold(0.0, f64::max);
        // Any piece that is nearer than a width begins in one of the nine cells about a point.
        let cell = widths().fold(0.0, f64::max) + longest;
        if !(cell.is_finite() && cell > 0.0) {
            return None;
        }
        let mut cells: BTreeMap<(i64, i64), Vec<usize>> = BTreeMap::new();
        let pieces = if closed { cuts.len() } else { cuts.len() - 1 };
        for (index, cut) in cuts.iter().enumerate().take(pieces) {
            cells.entry(cell_of(cut.centre, cell)).or_default().push(index);
        }
        let backward = [0, 1].map(|side| {
            let mut count = 0;
            let mut counts = vec![0];
            for pair in cuts.windows(2) {
                let moved = pair[1].ends[side] - pair[0].ends[side];
                count += usize::from(moved.dot(&(pair[0].along + pair[1].along)) < 0.0);
                counts.push(count);
            }
            counts
        });
        // Positions of crossings are in polyline length, which is that of the cuts' pieces.
        let place = |at: f64| {
            let index = (at as usize).min(cuts.len() - 1);
            cuts[index].s
        };
        let crossings = crossings.iter().map(|pair| pair.map(place)).collect();
        let crossing_reach = CROSSING_WIDTHS * 2.0 * widths().sum::<f64>() / (2 * cuts.len()) as f64;
        Some(Self { cuts, length, closed, cells, cell, backward, crossings, crossing_reach })
    }

    /// Length of road between two positions.
    fn path(&self, s: f64, other: f64) -> f64 {
        let plain = (s - other).abs();
        if self.closed { plain.min(self.length - plain) } else { plain }
    }

    /// Whether the edge on `side` runs backwards between two cuts, in the shorter direction.
    fn folds_between(&self, index: usize, other: usize, side: usize) -> bool {
        let counts = &self.backward[side];
        let (from, to) = (index.min(other), index.max(other));
        let inside = counts[to] - counts[from];
        let is_inside_shorter = !self.closed || self.cuts[to].s - self.cuts[from].s <= self.length / 2.0;
        let total = counts.last().copied().unwrap_or(0);
        (if is_inside_shorter { inside } else { total - inside }) > 0
    }

    /// Whether two places belong to legs that cross nearby.
    fn cross(&self, s: f64, other: f64) -> bool {
        let near = |a: f64, b: f64| self.path(a, b) <= self.crossing_reach;
        self.crossings.iter().any(|&[a, b]| (near(s, a) && near(other, b)) || (near(s, b) && near(other, a)))
    }

    /// The largest depth of `point`, on the normal `index`, in another leg, and the cut there.
    fn depth(&self, point: Point, index: usize, side: usize, distances: &mut usize) -> Option<(f64, usize)> {
        let own = &self.cuts[index];
        let own_width = own.width(side);
        let (column, row) = cell_of(point, self.cell);
        let mut deepest: Option<(f64, usize)> = None;
        let cells = (column - 1..=column + 1).flat_map(|c| (row - 1..=row + 1).map(move |r| (c, r)));
        for other in cells.filter_map(|cell| self.cells.get(&cell)).flatten().copied() {
            let (from, to) = (&self.cuts[other], &self.cuts[(other + 1) % self.cuts.len()]);
            let path = self.path(own.s, from.s);
            *distances += 1;
            if path < APART_WIDTHS * own_width {
                continue;
            }
            let axis = Segment::new(from.centre, to.centre);
            let fraction = axis.foot(point);
            // Beyond the end of an open road there is no road.
            let is_end =
                !self.closed && ((other == 0 && fraction < 0.0) || (other + 2 == self.cuts.len() && fraction > 1.0));
            if is_end {
                continue;
            }
            let fraction = fraction.clamp(0.0, 1.0);
            let facing = usize::from(cross(axis.vector(), point - from.centre) < 0.0);
            let width = from.width(facing) + fraction * (to.width(facing) - from.width(facing));
            let depth = width - (point - axis.at(fraction)).norm();
            if deepest.is_some_and(|(deepest_cut, _)| depth <= deepest_cut) || depth <= 0.0 {
                continue;
            }
            let both = own_width + width;
            let is_apart = path >= APART_WIDTHS * both
                && (path >= APART_BEHIND_FOLD_WIDTHS * both
                    || own.along.dot(&from.along) < -OPENING_COSINE
                    || !self.folds_between(index, other, side));
            if is_apart && !self.cross(own.s, from.s) {
                deepest = Some((depth, other));
            }
        }
        deepest
    }

    fn overlap(&self, index: usize, side: usize, distances: &mut usize) -> Option<Overlap> {
        let cut = &self.cuts[index];
        let (reach, width) = (cut.ends[side] - cut.centre, cut.width(side));
        let (depth_m, other) = self.depth(cut.ends[side], index, side, distances)?;
        let mut is_deeper = |fraction: f64| {
            let depth = self.depth(cut.centre + reach * fraction, index, side, distances);
            depth.is_some_and(|(depth, _)| depth > (1.0 - fraction) * width)
        };
        // The other leg may cover this one's centre line too: then neither is the owner.
        if depth_m < MIN_OVERLAP_M || is_deeper(0.0) {
            return None;
        }
        // The difference of the depths does not decrease towards the end.
        let [kept, _] = bisected([0.0, 1.0], HALVINGS, |fraction| !is_deeper(fraction));
        let gap_fraction = (GAP_M / width).min(GAP_FRACTION);
        let is_behind_fold = self.folds_between(index, other, side);
        Some(Overlap { index, side, other, depth_m, is_behind_fold, kept_fraction: (kept - gap_fraction).max(0.0) })
    }
}

fn cell_of(p: Point, cell: f64) -> (i64, i64) {
    ((p.x / cell).floor() as i64, (p.y / cell).floor() as i64)
}

/// Whether a run of overlaps belongs to the loop of a bend and not to two legs: it is shorter than
/// the road is wide.
fn is_of_fold(run: &[Overlap], cuts: &[Cut]) -> bool {
    let (Some(first), Some(last)) = (run.first(), run.last()) else { return true };
    let cut = &cuts[first.index];
    first.is_behind_fold && cuts[last.index].s - cut.s < cut.width(0) + cut.width(1)
}

/// The note about all runs. Each pair of legs has one run on either leg, and is counted once.
fn note(runs: &[&[Overlap]], cuts: &[Cut]) -> Option<ImportNote> {
    let deepest = |run: &&[Overlap]| run.iter().map(|overlap| overlap.depth_m).fold(0.0, f64::max);
    let longest = runs.iter().copied().max_by(|a, b| deepest(a).total_cmp(&deepest(b)))?;
    let deepest_cut = longest.iter().max_by(|a, b| a.depth_m.total_cmp(&b.depth_m))?;
    let (first, last) = (longest.first()?, longest.last()?);
    let at = cuts[deepest_cut.index].ends[deepest_cut.side];
    Some(ImportNote::LegsClipped {
        places: runs.iter().filter(|run| run[0].index < run[0].other).count().max(1),
        x_m: at.x,
        y_m: at.y,
        overlap_m: deepest_cut.depth_m,
        length_m: cuts[last.index].s - cuts[first.index].s,
    })
}
