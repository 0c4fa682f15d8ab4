//! How much the curvature of a line changes, measured from its headings or from its positions.

use raceline_file::RacingLine;

use super::course::{Step, position};
use super::vector::{cross, length, minus, plus};

/// Shortest step that a curvature is computed from, m: below it, the rounding of positions is larger.
const SHORTEST_M: f64 = 1.5e-5;

/// Curvature along a line, and how much it changes about a step.
#[derive(Debug)]
pub struct Changes {
    /// Mean curvature of each step, or curvature at each point, 1/m.
    bends: Vec<f64>,
    closed: bool,
}

impl Changes {
    /// By the headings: the mean curvature of each step.
    pub fn by_headings(steps: &[Step], closed: bool) -> Self {
        Self { bends: steps.iter().map(|step| step.turn_rad / step.plane_m.max(SHORTEST_M)).collect(), closed }
    }

    /// By the positions: the curvature of the circle through each point and its neighbours.
    pub fn by_positions<V, O>(line: &RacingLine<V, O>) -> Self {
        let n = line.points.len();
        let at = |index: usize| position(&line.points[index % n]);
        let inner = if line.closed { 0..n } else { 1..n.saturating_sub(1).max(1) };
        let circle = |index: usize| {
            let (before, after) = (minus(at(index), at(index + n - 1)), minus(at(index + 1), at(index)));
            let sides = length(before) * length(after) * length(plus(before, 1.0, after));
            2.0 * cross(before, after) / sides.max(f64::MIN_POSITIVE)
        };
        let mut bends: Vec<f64> = inner.map(circle).collect();
        if !line.closed {
            // The first entry is that of the first step's beginning.
            bends.insert(0, bends.first().copied().unwrap_or_default());
        }
        Self { bends, closed: line.closed }
    }

    fn bend(&self, index: isize) -> Option<f64> {
        let n = self.bends.len() as isize;
        let index = if self.closed { index.rem_euclid(n) } else { index };
        usize::try_from(index).ok().and_then(|index| self.bends.get(index)).copied()
    }

    /// Mean curvature of each step, 1/m.
    pub fn bends(&self) -> &[f64] {
        &self.bends
    }

    /// The largest change between neighbours among the steps from `from` to `to`, 1/m.
    pub fn largest(&self, from: isize, to: isize) -> f64 {
        (from..to).filter_map(|index| Some((self.bend(index + 1)? - self.bend(index)?).abs())).fold(0.0, f64::max)
    }
}
