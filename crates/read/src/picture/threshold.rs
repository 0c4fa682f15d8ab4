//! Candidate thresholds from the histogram.

use super::Grey;

const BINS: usize = 256;

/// A picture's histogram, its bins fitted to the values that occur.
pub(super) struct Histogram {
    low: u16,
    shift: u32,
    counts: [u64; BINS],
    /// Sum of the values in each bin, for exact means.
    sums: [u64; BINS],
}

impl Histogram {
    /// An empty histogram over the picture's range of values.
    fn fitted_to(grey: &Grey) -> Self {
        let (low, high) = grey.as_raw().iter().fold((u16::MAX, 0), |(low, high), &v| (low.min(v), high.max(v)));
        let range = u32::from(high.saturating_sub(low));
        Self { low, shift: (u32::BITS - range.leading_zeros()).saturating_sub(8), counts: [0; BINS], sums: [0; BINS] }
    }

    /// Counts every pixel of `grey`.
    pub fn of(grey: &Grey) -> Self {
        let mut histogram = Self::fitted_to(grey);
        for &value in grey.as_raw() {
            histogram.counts[histogram.bin(value)] += 1;
        }
        histogram.counts.iter().enumerate().for_each(|(bin, &count)| {
            histogram.sums[bin] = count * ((bin as u64) << histogram.shift);
        });
        histogram
    }

    /// An empty histogram with the same bins.
    pub fn emptied(&self) -> Self {
        Self { low: self.low, shift: self.shift, counts: [0; BINS], sums: [0; BINS] }
    }

    fn bin(&self, value: u16) -> usize {
        usize::from((value - self.low) >> self.shift) & (BINS - 1)
    }

    /// Counts one value, which must be in the range of the picture to which the histogram was
    /// fitted.
    pub fn add(&mut self, value: u16) {
        let bin = self.bin(value);
        self.counts[bin] += 1;
        self.sums[bin] += u64::from(value - self.low);
    }

    /// Difference between the largest and the smallest value, to the width of a bin.
    pub fn range(&self) -> u32 {
        let last = self.counts.iter().rposition(|&count| count > 0).unwrap_or(0) as u32;
        last << self.shift
    }

    /// The median, exact for a flat level: the mean of the bin that contains it. `None` if empty.
    pub fn median(&self) -> Option<f64> {
        let total: u64 = self.counts.iter().sum();
        let mut below = 0;
        for (&count, &sum) in self.counts.iter().zip(&self.sums) {
            below += count;
            if count > 0 && below * 2 >= total {
                return Some(f64::from(self.low) + sum as f64 / count as f64);
            }
        }
        None
    }

    /// Candidate thresholds, the most likely first; values above a threshold are light. No two
    /// divide the picture in the same way.
    ///
    /// Two classes first (Otsu 1979), then three (an occupancy grid has black, grey and white),
    /// then a quarter and three quarters of the range (for thin lines, which the two-class optimum
    /// loses).
    pub fn thresholds(&self) -> Vec<u16> {
        let mut cuts = vec![self.otsu_two()];
        cuts.extend(self.otsu_three());
        cuts.extend([BINS / 4, 3 * BINS / 4].map(|cut| cut * (self.range() >> self.shift) as usize / BINS));
        let mut levels = Vec::new();
        let mut seen = Vec::new();
        for cut in cuts {
            let below: u64 = self.counts[..=cut].iter().sum();
            let above: u64 = self.counts[cut + 1..].iter().sum();
            if below > 0 && above > 0 && !seen.contains(&below) {
                seen.push(below);
                levels.push(self.level(cut));
            }
        }
        levels
    }

    /// The value in the middle of the empty bins after `cut`: the largest that still counts as
    /// dark.
    fn level(&self, cut: usize) -> u16 {
        let last = self.counts[..=cut].iter().rposition(|&count| count > 0).unwrap_or(cut);
        let next = self.counts[cut + 1..].iter().position(|&count| count > 0).map_or(cut + 1, |i| cut + 1 + i);
        let edge = |bin: usize| u32::from(self.low) + ((bin as u32) << self.shift);
        let middle = (edge(last + 1) + edge(next)) / 2;
        (middle.saturating_sub(1)).min(u32::from(u16::MAX - 1)) as u16
    }

    /// Cumulated count and count-weighted bin number below each bin.
    fn cumulated(&self) -> [(f64, f64); BINS + 1] {
        let mut sums = [(0.0, 0.0); BINS + 1];
        for (bin, &count) in self.counts.iter().enumerate() {
            let (weight, moment) = sums[bin];
            sums[bin + 1] = (weight + count as f64, moment + count as f64 * bin as f64);
        }
        sums
    }

    /// Last bin of the dark class (N. Otsu, "A threshold selection method from gray-level
    /// histograms", IEEE Trans. Systems, Man, and Cybernetics 9, 1979, eq. 18): the cut with the
    /// largest variance between the classes.
    fn otsu_two(&self) -> usize {
        let sums = self.cumulated();
        let spread = |cut: usize| class(&sums, 0, cut + 1) + class(&sums, cut + 1, BINS);
        best((0..BINS - 1).map(|cut| (spread(cut), cut))).unwrap_or(BINS / 2)
    }

    /// Last bins of the two darker of three classes (the same, section III D).
    fn otsu_three(&self) -> [usize; 2] {
        let sums = self.cumulated();
        let pairs = (0..BINS - 2).flat_map(|a| (a + 1..BINS - 1).map(move |b| (a, b)));
        let spread = |(a, b)| class(&sums, 0, a + 1) + class(&sums, a + 1, b + 1) + class(&sums, b + 1, BINS);
        best(pairs.map(|pair| (spread(pair), pair))).map_or([BINS / 3, 2 * BINS / 3], |(a, b)| [a, b])
    }
}

/// A class's part of the between-class variance, up to a constant: its weight times its squared
/// mean.
fn class(sums: &[(f64, f64); BINS + 1], from: usize, to: usize) -> f64 {
    let (weight, moment) = (sums[to].0 - sums[from].0, sums[to].1 - sums[from].1);
    if weight > 0.0 { moment * moment / weight } else { 0.0 }
}

/// The first entry with the largest score.
fn best<T>(scored: impl Iterator<Item = (f64, T)>) -> Option<T> {
    scored
        .fold(None, |best: Option<(f64, T)>, next| match best {
            Some(kept) if kept.0 >= next.0 => Some(kept),
            _ => Some(next),
        })
        .map(|(_, value)| value)
}
