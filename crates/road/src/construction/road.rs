//! A centre line with widths, and its normals from edge to edge.

use super::levels::{Level, Levels};
use crate::edges::{EdgeKind, EdgePoint};
use crate::geometry::{Point, SplineCurve, Vector, cross};
use raceline_numerics::math;

/// Maximum distance between points of an edge along the centre line, in mean widths of the road: a metre
/// on one of 16 m, as a tenth of the width left a fold in an edge of such a road …
const STEP_WIDTHS: f64 = 0.0625;
/// … and maximum deviation of a piece from the curve, in mean widths: 5 mm on a road of 10 m. Edges
/// from pictures are ten times less accurate. By the width, a road of any size has the same edges:
/// with 5 mm on all, two descriptions of a road of 2 m had laps that differed by 0.01 %.
const CHORD_WIDTHS: f64 = 5e-4;
/// Maximum number of steps of a road: a long and narrow one would exhaust the memory.
const MAX_STEPS: f64 = 2e5;
/// Maximum number of halvings of a step.
const HALVINGS: usize = 6;
/// A centre line with widths at its knots.
pub struct Road {
    pub curve: SplineCurve,
    /// Width to the right at each knot, metres; linear in arc length between knots.
    pub right_m: Vec<f64>,
    /// Width to the left at each knot, metres.
    pub left_m: Vec<f64>,
    /// Line in the file of each knot.
    pub lines: Vec<Option<usize>>,
    /// Height, banking and grip at each knot, if the file has them.
    pub levels: Option<Levels>,
}

impl Road {
    fn interval_at(&self, s: f64) -> (usize, f64) {
        let positions = self.curve.positions();
        let last = positions.len().saturating_sub(2);
        let interval = positions.partition_point(|&p| p <= s).saturating_sub(1).min(last);
        let gap = positions[interval + 1] - positions[interval];
        (interval, ((s - positions[interval]) / gap).clamp(0.0, 1.0))
    }

    /// `values` at the knots, interpolated at parameter `s`.
    pub fn width_at(&self, values: &[f64], s: f64) -> f64 {
        let (interval, fraction) = self.interval_at(s);
        let next = if interval + 1 == values.len() { 0 } else { interval + 1 };
        values[interval] + fraction * (values[next] - values[interval])
    }

    /// Height, banking and grip at parameter `s`, if the file has them.
    pub fn level_at(&self, s: f64) -> Option<Level> {
        let length = self.curve.length().max(f64::MIN_POSITIVE);
        let (interval, fraction) = self.interval_at(if self.curve.is_closed() { s.rem_euclid(length) } else { s });
        self.levels.as_ref().map(|levels| levels.at(interval, fraction))
    }

    /// The point of an edge at `point`, beside parameter `s`, if the file has levels; `side` is 1 for
    /// the left edge and -1 for the right.
    pub fn edge_point(&self, s: f64, point: Point, side: f64) -> Option<EdgePoint> {
        let level = self.level_at(s)?;
        let width_m = (point - self.curve.at(s).position).norm();
        let height_m = level.height_m + side * width_m * math::tan(level.banking_rad);
        Some(EdgePoint { position: point, height_m, grip: level.grip, kind: EdgeKind::Line })
    }

    /// Line in the file of the knot before parameter `s`.
    pub fn line_at(&self, s: f64) -> Option<usize> {
        self.lines.get(self.interval_at(s).0).copied().flatten()
    }

    /// Mean width at the knots, metres.
    fn mean_width_m(&self) -> f64 {
        let total: f64 = self.right_m.iter().chain(&self.left_m).sum();
        total / self.right_m.len().max(1) as f64
    }

    fn cut(&self, s: f64) -> Cut {
        let at = self.curve.at(s);
        let along = at.first.try_normalize(1e-12).unwrap_or_default();
        let left = Vector::new(-along.y, along.x);
        let ends =
            [at.position + left * self.width_at(&self.left_m, s), at.position - left * self.width_at(&self.right_m, s)];
        Cut { s, along, centre: at.position, ends }
    }

    /// Cuts from knot to knot, close enough together for both edges.
    pub fn cuts(&self) -> Vec<Cut> {
        let width_m = self.mean_width_m();
        let step_m = (STEP_WIDTHS * width_m).max(self.curve.length() / MAX_STEPS);
        let chord_m = CHORD_WIDTHS * width_m;
        let mut cuts = vec![self.cut(0.0)];
        for pair in self.curve.positions().windows(2) {
            let parts = ((pair[1] - pair[0]) / step_m).ceil().max(1.0);
            for part in 1..=parts as usize {
                let cut = self.cut(pair[0] + (pair[1] - pair[0]) * part as f64 / parts);
                if let Some(&before) = cuts.last() {
                    self.refine([before, cut], HALVINGS, chord_m, &mut cuts);
                }
                cuts.push(cut);
            }
        }
        if self.curve.is_closed() {
            // The end of the last interval is the beginning of the first.
            cuts.pop();
        }
        cuts
    }

    fn refine(&self, [from, to]: [Cut; 2], halvings: usize, chord_m: f64, cuts: &mut Vec<Cut>) {
        let middle = self.cut(f64::midpoint(from.s, to.s));
        let off = |side: usize| {
            let chord = to.ends[side] - from.ends[side];
            let reach = middle.ends[side] - from.ends[side];
            match chord.try_normalize(1e-9) {
                Some(along) => cross(along, reach).abs(),
                None => reach.norm(),
            }
        };
        if halvings > 0 && off(0).max(off(1)) > chord_m {
            self.refine([from, middle], halvings - 1, chord_m, cuts);
            cuts.push(middle);
            self.refine([middle, to], halvings - 1, chord_m, cuts);
        }
    }
}

/// A normal of the centre line, from edge to edge.
#[derive(Clone, Copy)]
pub struct Cut {
    /// Position on the centre line.
    pub s: f64,
    /// Direction of travel.
    pub along: Vector,
    /// The point of the centre line.
    pub centre: Point,
    /// The ends, left and right.
    pub ends: [Point; 2],
}

impl Cut {
    /// Width to one side, metres: 0 for the left, 1 for the right.
    pub fn width(&self, side: usize) -> f64 {
        (self.ends[side] - self.centre).norm()
    }
}
