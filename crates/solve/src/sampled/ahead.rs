//! Random lines ahead of one place.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::offsets::{Offsets, curvature_and_steps};
use crate::speed::SpeedSolver;
use raceline_road::geometry::Point;

/// The steps ahead of a place whose offsets are drawn, between those that are known.
pub(super) struct Ahead<'a> {
    offsets: &'a Offsets<'a>,
    /// The steps whose offsets are drawn.
    drawn: Vec<usize>,
    /// Number of steps from each drawn step to the next known one; `None` where none is known
    /// ahead.
    to_known: Option<usize>,
}

impl<'a> Ahead<'a> {
    /// The steps from the `decision`-th on. Decisions before `run_in` precede the lap's beginning.
    /// The first of the lap are known again at its end.
    pub fn new(offsets: &'a Offsets, decision: usize, run_in: usize, max_steps: usize) -> Self {
        let count = offsets.len();
        let closed = offsets.corridor.closed;
        let first = offsets.step(0, decision as isize - run_in as isize);
        // After the run-in, the lap ends where it began.
        let left = if !closed || decision >= run_in { count + run_in - decision } else { count };
        let length = left.min(max_steps);
        let drawn = (0..length).map(|k| offsets.step(first, k as isize)).collect();
        let is_end_known = closed && decision > run_in && left <= max_steps;
        Self { offsets, drawn, to_known: is_end_known.then_some(length) }
    }

    pub fn len(&self) -> usize {
        self.drawn.len()
    }

    /// The step of the `k`-th offset.
    pub fn place(&self, k: usize) -> usize {
        self.drawn[k]
    }

    /// Draws one line's offsets.
    pub fn draw(&self, seed: u64, stream: u64, drawn: &mut Vec<f64>) {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(stream);
        drawn.clear();
        let known = self.offsets.step(self.drawn[0], -1);
        let is_first = !self.offsets.corridor.closed && self.drawn[0] == 0;
        let mut before = self.offsets.alpha_at(known);
        let end =
            self.to_known.map(|count| (count, self.offsets.alpha_at(self.offsets.step(self.drawn[0], count as isize))));
        for (k, &step) in self.drawn.iter().enumerate() {
            let (low, high) = self.offsets.bounds(step);
            let cone = self.offsets.cones[self.offsets.step(step, -1)];
            let (mut from, mut to) = (low, high);
            if !(is_first && k == 0) {
                (from, to) = (from.max(before - cone), to.min(before + cone)); // equation (4) of `sampled`
            }
            if let Some((count, alpha)) = end {
                let reach = cone * (count - k) as f64;
                (from, to) = (from.max(alpha - reach), to.min(alpha + reach));
            }
            let uniform: f64 = random.random();
            let width = (high - low).max(f64::MIN_POSITIVE);
            // Where the corridor moves aside faster than the cone, the nearest bound.
            let (from, to) = if from <= to { (from, to) } else { (before.clamp(low, high), before.clamp(low, high)) };
            let unit = |alpha: f64| ((alpha - low) / width).clamp(0.0, 1.0);
            let value = linear(uniform, self.offsets.slopes[step], unit(from), unit(to));
            drawn.push(value);
            before = low + value * (high - low);
        }
    }

    /// The judged points of a line: from the middle of the last known steps to the last step that
    /// drawn offsets, or known ones after them, decide.
    fn points(&self, drawn: &[f64], points: &mut Vec<Point>) {
        points.clear();
        let count = drawn.len() as isize;
        let after = if self.to_known.is_some() { 2 } else { 0 };
        let value = |k: isize| match usize::try_from(k).ok().and_then(|k| drawn.get(k)) {
            Some(&value) => value,
            // Beyond the end the last offset is kept, unless what follows is known.
            None if k >= count && self.to_known.is_none() => drawn[drawn.len() - 1],
            None => self.offsets.value(self.offsets.step(self.drawn[0], k)),
        };
        let is_open = !self.offsets.corridor.closed;
        for k in -2..count - 1 + after {
            if is_open && self.drawn[0] as isize + k < 0 {
                continue;
            }
            let controls = [k - 1, k, k + 1, k + 2].map(value);
            self.offsets.add_points(controls, self.offsets.step(self.drawn[0], k), points);
        }
    }

    /// J of a line, √m.
    pub fn bending(&self, drawn: &[f64], points: &mut Vec<Point>) -> f64 {
        self.points(drawn, points);
        curvature_and_steps(points).map(|(curvature, step)| curvature.abs().sqrt() * step).sum() // equation (5)
    }

    /// T of a line, s.
    pub fn time_s(&self, drawn: &[f64], points: &mut Vec<Point>, solver: &mut SpeedSolver) -> f64 {
        self.points(drawn, points);
        let (curvature, mut steps): (Vec<f64>, Vec<f64>) = curvature_and_steps(points).unzip();
        steps.pop();
        solver.lap_time(&curvature, &steps, None) // equation (5)
    }
}

/// A number in `low..=high`, a part of 0 to 1, from the density with the slope m there, for an
/// evenly distributed number `uniform` from 0 to 1: the inverse of the distribution F, equation (3)
/// of `sampled`.
fn linear(uniform: f64, slope: f64, low: f64, high: f64) -> f64 {
    let below = |u: f64| (1.0 - slope) * u + slope * u * u; // equation (3)
    let target = below(low) + uniform * (below(high) - below(low));
    let linear = 1.0 - slope;
    // The stable form of the quadratic's root, for m of either sign and m = 0.
    let root = (linear * linear + 4.0 * slope * target).max(0.0).sqrt();
    let sum = linear + root;
    let u = if sum > 0.0 { 2.0 * target / sum } else { low };
    u.clamp(low, high)
}

#[cfg(test)]
mod tests {
    use super::linear;

    #[test]
    fn the_mean_is_that_of_the_density() {
        for slope in [-1.0, -0.4, 0.0, 0.3, 1.0] {
            let count = 10_000;
            let draw = |i: i32| linear((f64::from(i) + 0.5) / f64::from(count), slope, 0.0, 1.0);
            let mean = (0..count).map(draw).sum::<f64>() / f64::from(count);
            // ∫ u (1 + m (2 u - 1)) du = 1/2 + m/6.
            assert!((mean - (0.5 + slope / 6.0)).abs() < 1e-4, "{slope}: {mean}");
        }
    }

    #[test]
    fn a_part_of_the_width_is_not_left() {
        for (uniform, low, high) in [(0.0, 0.2, 0.3), (1.0, 0.2, 0.3), (0.5, 0.7, 0.7)] {
            let u = linear(uniform, 0.8, low, high);
            assert!((low..=high).contains(&u), "{u}");
        }
    }
}
