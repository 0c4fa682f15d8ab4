//! Where the values of a driver at the limit end, beneath noise and outliers.
//!
//! A measured value is the limit less a slack, plus noise. Just below the limit, the slack is a
//! mixture: none, for a driver at the limit; a little; and anything, with a density that does not
//! change within the narrow window that is looked at. A small uniform fraction are outliers. For a
//! trial edge the fractions follow by expectation maximisation; the edge is where the likelihood is
//! greatest. The highest values or a quantile would depend on how many samples there are, on the
//! noise and on the outliers. What lies further below carries no information: a few bends driven
//! slowly look like a second limit.
//!
//! With the noise's deviation s, the normal distribution function Φ and density φ, a slack that is
//! uniform up to a width c has the density `(Φ((e - z) / s) - Φ((e - c - z) / s)) / c` at z. Its part
//! in the window from l on is `(H(e - l) - H(e - c - l)) / c` with `H(x) = x Φ(x / s) + s φ(x / s)`.

use raceline_numerics::{math, normal_distribution};

use super::statistics::quantile;

/// Width of a little slack, as a fraction of the edge.
const LITTLE: f64 = 0.03;
/// The window begins this far below a first guess, or this many deviations of the noise.
const WINDOW: f64 = 0.1;
const WINDOW_NOISES: f64 = 4.0;
const HIGHEST: f64 = 1.6;
/// Less noise is taken as this much, so that the histogram stays small.
const MIN_NOISE: f64 = 0.004;
/// The first guess: this quantile, 0 to 1. A larger one is misled by outliers, a smaller one begins
/// below the edge where few samples are at the limit.
const GUESS: f64 = 0.95;
/// Largest fraction of outliers.
const OUTLIERS: f64 = 0.05;
const ROUNDS: usize = 25;
/// Cells of the histogram per deviation of the noise.
const CELLS: f64 = 4.0;
/// Pseudo-samples of each fraction, so that none vanishes by chance.
const PRIOR: f64 = 0.5;
/// Minimum number of values of an edge.
pub(super) const MIN: usize = 12;
/// Groups of values for the standard error.
const GROUPS: usize = 8;
/// Values apart by less belong to one event, s.
const EVENT_S: f64 = 0.5;

/// An upper edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edge {
    pub place: f64,
    /// By leaving out one group of events after another.
    pub standard_error: f64,
    /// Values within two deviations of the edge.
    pub samples: usize,
}

/// The edge of `values` (time s, value) with noise of the deviation `noise`, relative to values of
/// about 1. `None` for fewer than [`MIN`] values near it.
pub(super) fn upper_edge(values: &[(f64, f64)], noise: f64) -> Option<Edge> {
    let mut sorted: Vec<f64> = values.iter().map(|(_, value)| *value).collect();
    let guess = quantile(&mut sorted, GUESS);
    if guess <= 0.0 {
        return None;
    }
    let noise = (noise / guess).max(MIN_NOISE);
    let lowest = 1.0 - WINDOW.max(WINDOW_NOISES * noise);
    let near: Vec<(f64, f64)> = values
        .iter()
        .map(|(clock, value)| (*clock, value / guess))
        .filter(|(_, value)| (lowest..HIGHEST).contains(value))
        .collect();
    if near.len() < MIN {
        return None;
    }
    let whole = Histogram::of(near.iter().map(|(_, value)| *value), lowest, noise);
    let place = whole.edge(1.0 - 3.0 * noise, 1.0 + 6.0 * noise + 0.05);
    let groups = groups(&near);
    let count = groups.iter().max().map_or(1, |max| max + 1);
    let standard_error = if count < 2 {
        noise
    } else {
        let without = |group: usize| {
            let rest = near.iter().zip(&groups).filter(|(_, g)| **g != group).map(|((_, value), _)| *value);
            Histogram::of(rest, lowest, noise).edge(place - 2.0 * noise, place + 2.0 * noise)
        };
        let places: Vec<f64> = (0..count).map(without).collect();
        let mean = places.iter().sum::<f64>() / count as f64;
        let spread: f64 = places.iter().map(|p| (p - mean) * (p - mean)).sum();
        (spread * (count - 1) as f64 / count as f64).sqrt()
    };
    let samples = near.iter().filter(|(_, value)| (value - place).abs() < 2.0 * noise).count();
    Some(Edge { place: place * guess, standard_error: standard_error * guess, samples })
}

/// The group of each value: events dealt to at most [`GROUPS`] groups, and parts of equal length
/// where there are fewer than four events.
pub(super) fn groups(values: &[(f64, f64)]) -> Vec<usize> {
    let mut events = Vec::with_capacity(values.len());
    let mut event = 0;
    for (i, (clock, _)) in values.iter().enumerate() {
        if i > 0 && (clock - values[i - 1].0).abs() > EVENT_S {
            event += 1;
        }
        events.push(event);
    }
    if event >= 3 {
        return events.into_iter().map(|event| event % GROUPS).collect();
    }
    let parts = GROUPS.min(values.len() / 4).max(1);
    (0..values.len()).map(|i| i * parts / values.len()).collect()
}

/// Counts of values in cells of a quarter of the noise, from `lowest` to [`HIGHEST`].
struct Histogram {
    lowest: f64,
    noise: f64,
    cell: f64,
    counts: Vec<f64>,
    total: f64,
}

impl Histogram {
    fn of(values: impl Iterator<Item = f64>, lowest: f64, noise: f64) -> Self {
        let cell = noise / CELLS;
        let mut counts = vec![0.0; ((HIGHEST - lowest) / cell).ceil() as usize + 1];
        let mut total = 0.0;
        for value in values {
            counts[((value - lowest) / cell) as usize] += 1.0;
            total += 1.0;
        }
        Self { lowest, noise, cell, counts, total }
    }

    /// The most likely edge from `low` to `high`: a grid of half deviations, then golden section.
    fn edge(&self, low: f64, high: f64) -> f64 {
        let step = 0.5 * self.noise;
        let cells = ((high - low) / step).ceil().max(1.0) as usize;
        let trials = (0..=cells).map(|i| low + i as f64 * step);
        let best = trials
            .map(|edge| (self.log_likelihood(edge), edge))
            .fold((f64::NEG_INFINITY, low), |best, trial| if trial.0 > best.0 { trial } else { best });
        let ratio = 0.5 * (5_f64.sqrt() - 1.0);
        let (mut a, mut b) = (best.1 - step, best.1 + step);
        while b - a > 1e-2 * self.noise {
            let (c, d) = (b - ratio * (b - a), a + ratio * (b - a));
            if self.log_likelihood(c) > self.log_likelihood(d) { b = d } else { a = c }
        }
        0.5 * (a + b)
    }

    /// The logarithm of the likelihood with the best fractions for this edge.
    fn log_likelihood(&self, edge: f64) -> f64 {
        const PARTS: usize = 4;
        let (noise, lowest) = (self.noise, self.lowest);
        let density = |x: f64| math::exp(-0.5 * x * x) / (2.0 * std::f64::consts::PI).sqrt();
        let summed = |x: f64| x * normal_distribution(x / noise) + noise * density(x / noise);
        let at_limit = noise * normal_distribution((edge - lowest) / noise);
        let (anything, rest) = (summed(edge - lowest), summed(edge - LITTLE - lowest));
        let used: Vec<usize> = (0..self.counts.len()).filter(|&i| self.counts[i] > 0.0).collect();
        let densities: Vec<[f64; PARTS]> = used
            .iter()
            .map(|&i| {
                let x = (edge - lowest - (i as f64 + 0.5) * self.cell) / noise;
                let below = normal_distribution(x);
                [
                    density(x) / at_limit,
                    (below - normal_distribution(x - LITTLE / noise)).max(0.0) / (anything - rest),
                    below / anything,
                    1.0 / (HIGHEST - lowest),
                ]
            })
            .collect();
        let mut fractions = [(1.0 - OUTLIERS) / (PARTS - 1) as f64; PARTS];
        fractions[PARTS - 1] = OUTLIERS;
        let mut likelihood = 0.0;
        for _ in 0..ROUNDS {
            let mut sums = [PRIOR; PARTS];
            likelihood = 0.0;
            for (density, &cell) in densities.iter().zip(&used) {
                let parts: [f64; PARTS] = std::array::from_fn(|part| fractions[part] * density[part]);
                let whole: f64 = parts.iter().sum();
                likelihood += self.counts[cell] * math::ln(whole);
                parts.iter().zip(&mut sums).for_each(|(part, sum)| *sum += self.counts[cell] * part / whole);
            }
            let outliers = (sums[PARTS - 1] / (self.total + PRIOR * PARTS as f64)).min(OUTLIERS);
            let rest: f64 = sums[..PARTS - 1].iter().sum();
            fractions =
                std::array::from_fn(
                    |part| {
                        if part + 1 == PARTS { outliers } else { (1.0 - outliers) * sums[part] / rest }
                    },
                );
        }
        likelihood
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Evenly spread numbers from 0 to 1 that look random enough.
    fn uniform(i: usize, k: f64) -> f64 {
        (0.5 + i as f64 * k).fract()
    }

    fn normal(i: usize) -> f64 {
        let (a, b) = (uniform(i, 0.754_877_666).max(1e-9), uniform(i, 0.569_840_291));
        (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    }

    #[test]
    fn the_edge_is_found_for_any_fraction_at_the_limit() {
        for (count, fraction, noise) in [(300, 0.5, 0.025), (400, 0.1, 0.025), (2000, 0.03, 0.02), (60, 0.6, 0.015)] {
            let values: Vec<(f64, f64)> = (0..count)
                .map(|i| {
                    let slack = if uniform(i, 0.618_034) < fraction { 0.0 } else { 0.6 * uniform(i, 0.414_214) };
                    let outlier = if i % 100 == 99 { 0.4 } else { 0.0 };
                    (i as f64, 7.0 * (1.0 - slack + noise * normal(i) + outlier))
                })
                .collect();
            let edge = upper_edge(&values, 7.0 * noise).unwrap();
            assert!((edge.place / 7.0 - 1.0).abs() < 0.012, "{count} {fraction}: {edge:?}");
            assert!(edge.standard_error / 7.0 < 0.02, "{edge:?}");
        }
        assert!(upper_edge(&[(0.0, 1.0); 5], 0.1).is_none());
    }
}
