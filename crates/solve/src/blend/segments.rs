//! The segments between the parents' crossings, and the mixing factor along them.
//!
//! Near the joint of the segments k and j, over a reach r on both sides, the factor of a section of
//! segment k at the distance s from the joint is
//!
//! ```text
//! ε = ε_k + w (ε_j - ε_k)                                                                    (1)
//! w = 1 - e(½ + s / 2 r) = e(½ - s / 2 r)                                                    (2)
//! e(t) = 6 t⁵ - 15 t⁴ + 10 t³                                                                (3)
//! ```
//!
//! with e the polynomial of the fifth degree that rises from 0 to 1 with first and second
//! derivatives of 0 at both ends (K. Perlin, *Improving noise*, ACM Transactions on Graphics 21
//! (2002)).

use crate::{Corridor, SolveOptions};

/// Maps the mixing factors of the segments to one factor per section.
///
/// ```
/// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// use raceline_solve::blend::Segments;
/// use raceline_solve::{Corridor, EdgeDistance, SolveOptions};
///
/// let corridor = Corridor::new(&track, &EdgeDistance::new(&track), 1.5)?;
/// let segments = Segments::between(&corridor, &corridor.high, &corridor.low, &SolveOptions::default());
/// let mut alpha = vec![0.0; corridor.len()];
/// segments.mix(&[0.5], &corridor.high, &corridor.low, &mut alpha);
/// assert!((alpha[0] - 0.5 * (corridor.high[0] + corridor.low[0])).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Segments {
    /// First section of each segment; the last segment continues to the first entry.
    firsts: Vec<usize>,
    /// For each section: its segment, the neighbour at the nearer joint, and the neighbour's
    /// weight, 0 to 1.
    mixtures: Vec<(usize, usize, f64)>,
}

impl Segments {
    /// Divides the lap where the parents cross. Crossings that follow the previous one by less than
    /// `min_segment_widths` mean road widths are dropped. Parents that do not cross make one
    /// segment.
    #[must_use]
    pub fn between(corridor: &Corridor, shortest: &[f64], curvature: &[f64], options: &SolveOptions) -> Self {
        let n = corridor.len();
        let middles = corridor.points(&vec![0.5; n]);
        let steps = corridor.step_lengths(&middles);
        let mean_width = corridor.mean_width();
        let firsts =
            merged(&crossings(corridor.closed, shortest, curvature), &steps, options.min_segment_widths * mean_width);
        let mut mixtures: Vec<(usize, usize, f64)> = vec![(0, 0, 0.0); n];
        let count = firsts.len().max(1);
        for (k, range) in ranges(&firsts, n).enumerate() {
            for i in range {
                mixtures[i % n] = (k, k, 0.0);
            }
        }
        let mut segments = Self { firsts, mixtures };
        if count > 1 {
            segments.smooth_joints(&steps, 0.5 * options.joint_widths * mean_width);
        }
        segments
    }

    /// Number of segments, at least one.
    #[must_use]
    pub fn count(&self) -> usize {
        self.firsts.len().max(1)
    }

    /// The segment of each section.
    pub(super) fn segment_of(&self, section: usize) -> usize {
        self.mixtures[section].0
    }

    /// The mixing factor at a section.
    #[inline]
    pub(super) fn factor(&self, genes: &[f64], section: usize) -> f64 {
        let (own, other, fraction) = self.mixtures[section];
        genes[own] + fraction * (genes[other] - genes[own]) // equation (1)
    }

    /// α of the mixture.
    pub fn mix(&self, genes: &[f64], shortest: &[f64], curvature: &[f64], alpha: &mut [f64]) {
        for (i, value) in alpha.iter_mut().enumerate() {
            let factor = self.factor(genes, i);
            *value = factor * shortest[i] + (1.0 - factor) * curvature[i]; // equation (1) of `blend`
        }
    }

    /// Changes the factor over `reach` metres on both sides of a joint, or half the shorter
    /// segment.
    fn smooth_joints(&mut self, steps: &[f64], reach: f64) {
        let n = self.mixtures.len();
        let closed = steps.len() == n;
        let lengths: Vec<f64> =
            ranges(&self.firsts, n).map(|range| range.filter_map(|i| steps.get(i % n)).sum::<f64>()).collect();
        let count = self.firsts.len();
        for k in 0..count {
            if !closed && k == 0 {
                continue;
            }
            let before = (k + count - 1) % count;
            let reach = reach.min(0.5 * lengths[k]).min(0.5 * lengths[before]);
            let mut forwards = 0.0;
            let mut i = self.firsts[k];
            while forwards < reach {
                self.mixtures[i] = (k, before, 1.0 - ease(0.5 + 0.5 * forwards / reach)); // equation (2)
                forwards += steps[i];
                i = (i + 1) % n;
            }
            let mut i = (self.firsts[k] + n - 1) % n;
            let mut backwards = steps[i];
            while backwards < reach {
                self.mixtures[i] = (before, k, ease(0.5 - 0.5 * backwards / reach)); // equation (2)
                i = (i + n - 1) % n;
                backwards += steps[i];
            }
        }
    }
}

/// From 0 to 1 with first and second derivative zero at both ends.
fn ease(t: f64) -> f64 {
    t * t * t * (10.0 + t * (6.0 * t - 15.0)) // equation (3)
}

/// The sections of each segment, continuing past n on the segment that contains the seam.
fn ranges(firsts: &[usize], n: usize) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
    let whole = firsts.is_empty().then_some(0..n);
    let cut = (0..firsts.len()).map(move |k| firsts[k]..firsts.get(k + 1).copied().unwrap_or(firsts[0] + n));
    whole.into_iter().chain(cut)
}

/// Sections directly after a change of the parents' sides.
fn crossings(closed: bool, shortest: &[f64], curvature: &[f64]) -> Vec<usize> {
    let n = shortest.len();
    let side = |i: usize| shortest[i] > curvature[i];
    // The first segment of an open line begins at its start, that of a closed line at the first
    // crossing.
    let seam = if closed { 0..n } else { 1..n };
    let mut found: Vec<usize> = if closed { Vec::new() } else { vec![0] };
    found.extend(seam.filter(|&i| side(i) != side((i + n - 1) % n)));
    found
}

/// Drops crossings that follow the last kept one by less than `shortest_segment` metres.
fn merged(crossings: &[usize], steps: &[f64], shortest_segment: f64) -> Vec<usize> {
    let n = steps.len();
    let Some(&first) = crossings.first() else { return Vec::new() };
    let length = |from: usize, to: usize| (from..to).map(|i| steps[i % n]).sum::<f64>();
    let mut kept: Vec<usize> = vec![first];
    for &crossing in &crossings[1..] {
        if kept.last().is_none_or(|&last| length(last, crossing) >= shortest_segment) {
            kept.push(crossing);
        }
    }
    if kept.len() > 1 && kept.last().is_some_and(|&last| length(last, first + n) < shortest_segment) {
        kept.pop();
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::{Segments, crossings, ease, merged};

    /// Ten sections, with steps of 1 m to 10 m between them.
    fn steps() -> Vec<f64> {
        (1..=10).map(f64::from).collect()
    }

    #[test]
    fn crossings_that_follow_another_soon_are_dropped() {
        // From section 2 to 4 there are 3 m and 4 m.
        assert_eq!(merged(&[2, 4, 7], &steps(), 7.0), [2, 4, 7]);
        assert_eq!(merged(&[2, 4, 7], &steps(), 7.1), [2, 7]);
        assert_eq!(merged(&[2, 3, 4, 7], &steps(), 7.0), [2, 4, 7]);
        // From the last over the seam to the first: 10 m, 1 m and 2 m.
        assert_eq!(merged(&[2, 9], &steps(), 13.0), [2, 9]);
        assert_eq!(merged(&[2, 9], &steps(), 13.1), [2]);
        assert_eq!(merged(&[9], &steps(), 99.0), [9]);
        assert!(merged(&[], &steps(), 1.0).is_empty());
    }

    #[test]
    fn segments_begin_where_the_parents_cross() {
        let sides = |sides: &[i32]| sides.iter().map(|side| f64::from(*side)).collect::<Vec<_>>();
        let (shortest, curvature) = (sides(&[1, 1, 0, 0, 1, 1]), sides(&[0, 0, 1, 1, 0, 0]));
        assert_eq!(crossings(true, &shortest, &curvature), [2, 4]);
        assert_eq!(crossings(false, &shortest, &curvature), [0, 2, 4]);
        // Over the seam of a closed line as well.
        assert_eq!(crossings(true, &curvature[..4], &shortest[..4]), [0, 2]);
        assert_eq!(crossings(false, &curvature[..4], &shortest[..4]), [0, 2]);
    }

    /// Ten sections 1 m apart, the first three of which are a segment of their own.
    #[test]
    fn the_factor_changes_over_half_the_shorter_segment() {
        let mixed = |reach: f64| {
            let mixtures = (0..10).map(|i| if i < 3 { (0, 0, 0.0) } else { (1, 1, 0.0) }).collect();
            let mut segments = Segments { firsts: vec![0, 3], mixtures };
            segments.smooth_joints(&[1.0; 10], reach);
            (0..10).map(|i| segments.factor(&[1.0, 0.0], i)).collect::<Vec<_>>()
        };
        let is = |found: &[f64], reach: f64| {
            for (i, factor) in found.iter().enumerate() {
                // Distance into the first segment from its joints at sections 0 and 3.
                let inside = (i as f64).min(3.0 - i as f64).max(-((10 - i) as f64));
                let expected = ease((0.5 + 0.5 * inside / reach).clamp(0.0, 1.0));
                assert!((factor - expected).abs() < 1e-12, "{reach}, {i}: {factor} {expected}");
            }
        };
        is(&mixed(1.2), 1.2);
        is(&mixed(9.0), 1.5);
        assert_eq!(ease(0.5), 0.5, "halfway both factors count alike");
    }
}
