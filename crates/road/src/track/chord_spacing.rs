//! From the discs of the bisector to evenly turning cross-sections: a lap of chords as a function
//! of distance.

use super::bisector::{Disc, EdgePair};
use crate::geometry::{Point, Vector, cross};
use raceline_numerics::math;

/// The chords of a lap between two edges, or of an open road from its start to its end, sampled
/// finely and about evenly along their middles.
///
/// `left_s` and `right_s` are the arc lengths of the chord's ends on the edges; both increase along
/// the lap, by one edge length per lap.
pub(super) struct ChordLap {
    pub left_s: Vec<f64>,
    pub right_s: Vec<f64>,
    /// Distance along the chords' middles, one entry per chord and, on a closed road, one for the
    /// closing of the loop, metres.
    pub distance: Vec<f64>,
    pub closed: bool,
    left_length: f64,
    right_length: f64,
}

/// Maximum turn between neighbouring sections, radians, unless the spacing is a quarter of the
/// specified one. At 0.1 rad, a chord of the line's arc deviates from the arc by 0.1²/8 of its
/// radius.
const MAX_TURN_RAD: f64 = 0.1;
/// Maximum advance of the farther end of a section, in spacings.
const MAX_END_ADVANCE: f64 = 1.4;
/// Minimum spacing as a fraction of the specified one.
const MIN_SPACING_FRACTION: f64 = 0.25;
/// Number of successive running means. With three, the turning of the sections has a kink at tight
/// corners, where lines then lose 2 cm of their margin.
const SMOOTHING_PASSES: usize = 5;
/// Maximum change of the spacing per metre.
const SPACING_SLOPE: f64 = 0.1;

impl ChordLap {
    /// The chords of `discs`, resampled every `step` metres along the path of the middles. Where a
    /// touching point jumps (an outer corner that no disc reaches), the chords in between fan over
    /// the jump.
    pub fn new(edges: &EdgePair, discs: &[Disc], step: f64) -> Self {
        let left_length = edges.left_index.length();
        let right_length = edges.right_index.length();
        let raw = Self {
            left_s: discs.iter().map(|disc| disc.left_s).collect(),
            right_s: discs.iter().map(|disc| disc.right_s).collect(),
            distance: Vec::new(),
            closed: edges.is_closed(),
            left_length,
            right_length,
        };
        let raw = raw.measured(edges);
        let gaps = ((raw.length() / step).round() as usize).max(12);
        let count = if raw.closed { gaps } else { gaps + 1 };
        let stations: Vec<f64> = (0..count).map(|i| raw.length() * i as f64 / gaps as f64).collect();
        raw.resampled(edges, &stations)
    }

    /// Length of the path of the middles, metres.
    pub fn length(&self) -> f64 {
        self.distance.last().copied().unwrap_or(0.0)
    }

    /// Right and left end of chord `i`.
    pub fn ends(&self, edges: &EdgePair, i: usize) -> (Point, Point) {
        (edges.right_index.point_at(self.right_s[i]), edges.left_index.point_at(self.left_s[i]))
    }

    fn middles(&self, edges: &EdgePair) -> Vec<Point> {
        (0..self.left_s.len())
            .map(|i| {
                let (right, left) = self.ends(edges, i);
                nalgebra::center(&right, &left)
            })
            .collect()
    }

    fn measured(mut self, edges: &EdgePair) -> Self {
        let middles = self.middles(edges);
        let mut total = 0.0;
        self.distance = vec![0.0];
        for i in 0..self.gaps() {
            total += (middles[(i + 1) % middles.len()] - middles[i]).norm();
            self.distance.push(total);
        }
        self
    }

    /// Number of gaps between neighbouring chords.
    fn gaps(&self) -> usize {
        if self.closed { self.left_s.len() } else { self.left_s.len().saturating_sub(1) }
    }

    /// The chords at the given distances (increasing, within one lap from 0), by linear
    /// interpolation of both ends' arc lengths.
    pub fn resampled(&self, edges: &EdgePair, stations: &[f64]) -> Self {
        let (n, gaps) = (self.left_s.len(), self.gaps());
        let (mut left_s, mut right_s) = (Vec::with_capacity(stations.len()), Vec::with_capacity(stations.len()));
        for &station in stations {
            let laps = if self.closed { (station / self.length()).floor() } else { 0.0 };
            let local = station - laps * self.length();
            let i = self.distance.partition_point(|&d| d <= local).saturating_sub(1).min(gaps - 1);
            let gap = self.distance[i + 1] - self.distance[i];
            let t = if gap > 0.0 { ((local - self.distance[i]) / gap).clamp(0.0, 1.0) } else { 0.0 };
            let end = |values: &[f64], length: f64| {
                let next = if i + 1 == n { values[0] + length } else { values[i + 1] };
                values[i] + t * (next - values[i]) + laps * length
            };
            left_s.push(end(&self.left_s, self.left_length));
            right_s.push(end(&self.right_s, self.right_length));
        }
        self.with_ends(left_s, right_s).measured(edges)
    }

    /// Returns the road with other chords.
    fn with_ends(&self, left_s: Vec<f64>, right_s: Vec<f64>) -> Self {
        let (left_length, right_length) = (self.left_length, self.right_length);
        Self { left_s, right_s, distance: Vec::new(), closed: self.closed, left_length, right_length }
    }

    /// Returns the lap with the progress of both ends smoothed over about `sigma` metres by running
    /// means with the variance of a Gaussian. Their cost does not depend on the width. Their
    /// weights are positive, so the progress remains monotone: fans are opened, and noise in the
    /// touching points is averaged out.
    pub fn smoothed(&self, edges: &EdgePair, sigma: f64) -> Self {
        let step = self.length() / self.gaps().max(1) as f64;
        // A mean over 2r + 1 samples has the variance (r² + r)/3.
        let variance = math::powi(sigma / step, 2) / SMOOTHING_PASSES as f64;
        let reach = (((12.0 * variance + 1.0).sqrt() - 1.0) / 2.0).round() as usize;
        let smooth = |values: &[f64], length: f64| {
            let once = |values: Vec<f64>, _| running_mean(&values, self.closed.then_some(length), reach);
            (0..SMOOTHING_PASSES).fold(values.to_vec(), once)
        };
        let (left_s, right_s) = (smooth(&self.left_s, self.left_length), smooth(&self.right_s, self.right_length));
        self.with_ends(left_s, right_s).measured(edges)
    }

    /// Advance of the middle, the ends and the chord's direction from chord to chord: (metres of
    /// the farther end and radians) per metre along the path of the middles.
    fn rates(&self, edges: &EdgePair) -> Vec<(f64, f64)> {
        let n = self.left_s.len();
        let gaps = self.gaps();
        let spans: Vec<Vector> = (0..n)
            .map(|i| {
                let (right, left) = self.ends(edges, i);
                left - right
            })
            .collect();
        (0..gaps)
            .map(|i| {
                let j = (i + 1) % n;
                let gap = (self.distance[i + 1] - self.distance[i]).max(1e-9);
                let wrap = |values: &[f64], length: f64| values[j] - values[i] + if j == 0 { length } else { 0.0 };
                let ends = wrap(&self.left_s, self.left_length).max(wrap(&self.right_s, self.right_length));
                let turn = math::atan2(cross(spans[i], spans[j]), spans[i].dot(&spans[j])).abs();
                (ends / gap, turn / gap)
            })
            .collect()
    }

    /// Positions of the sections: distances from `start`, `spacing` metres apart on straights and
    /// smaller where the chords turn or one end moves faster.
    pub fn stations(&self, edges: &EdgePair, spacing: f64, start: f64) -> Vec<f64> {
        let gaps = self.gaps();
        let mut local: Vec<f64> = self
            .rates(edges)
            .iter()
            .map(|&(ends, turn)| {
                let wanted = (MAX_TURN_RAD / turn.max(1e-9)).min(MAX_END_ADVANCE * spacing / ends.max(1e-9));
                wanted.clamp(MIN_SPACING_FRACTION * spacing, spacing)
            })
            .collect();
        let gap = |i: usize| self.distance[i + 1] - self.distance[i];
        // Two laps in each direction limit the slope on a closed lap, whatever the starting point.
        let steps = if self.closed { 2 * gaps } else { gaps };
        for k in 1..steps {
            let (before, here) = ((k - 1) % gaps, k % gaps);
            local[here] = local[here].min(local[before] + SPACING_SLOPE * gap(before));
        }
        for k in (0..steps - 1).rev() {
            let (after, here) = ((k + 1) % gaps, k % gaps);
            local[here] = local[here].min(local[after] + SPACING_SLOPE * gap(here));
        }
        let start = if self.closed { start } else { 0.0 };
        let first = self.distance.partition_point(|&d| d <= start).saturating_sub(1).min(gaps - 1);
        let total: f64 = (0..gaps).map(|i| gap(i) / local[i]).sum();
        let count = (total.ceil() as usize).max(12);
        let per_section = total / count as f64;
        // One lap from `start`: a station is added whenever another equal part of the total has
        // been passed.
        let mut stations = vec![start];
        let mut passed = 0.0;
        for k in 0..if self.closed { gaps + 1 } else { gaps } {
            let i = (first + k) % gaps;
            let laps = if first + k >= gaps { self.length() } else { 0.0 };
            let from = if k == 0 { start - self.distance[i] } else { 0.0 };
            let until = if k == gaps { start - self.distance[first] } else { gap(i) };
            let fraction = (until - from).max(0.0) / local[i];
            while stations.len() < count && passed + fraction >= per_section * stations.len() as f64 - 1e-9 {
                let needed = per_section * stations.len() as f64 - passed;
                stations.push(laps + self.distance[i] + from + needed * local[i]);
            }
            passed += fraction;
        }
        if !self.closed {
            stations.push(self.length());
        }
        stations
    }
}

/// Means over `2 reach + 1` values. The values of a closed lap increase by `lap_length` per lap;
/// those of an open road are extended by point reflection about its ends, which do not move.
fn running_mean(values: &[f64], lap_length: Option<f64>, reach: usize) -> Vec<f64> {
    let n = values.len();
    let reach = reach.min(n.saturating_sub(1) / 2);
    let value = |i: isize| {
        let last = n as isize - 1;
        match lap_length {
            Some(length) => values[i.rem_euclid(n as isize) as usize] + i.div_euclid(n as isize) as f64 * length,
            None if i < 0 => 2.0 * values[0] - values[(-i) as usize],
            None if i > last => 2.0 * values[n - 1] - values[(2 * last - i) as usize],
            None => values[i as usize],
        }
    };
    let r = reach as isize;
    let mut sum: f64 = (-r..=r).map(value).sum();
    let count = (2 * reach + 1) as f64;
    (0..n as isize)
        .map(|i| {
            let mean = sum / count;
            sum += value(i + 1 + r) - value(i - r);
            mean
        })
        .collect()
}

#[cfg(test)]
mod tests;
