//! Covariance matrix adaptation: the evolution strategy of Hansen, *The CMA evolution strategy: a tutorial*
//! (arXiv:1604.00772v2), with negative weights.
//!
//! Of n unknowns: mean m, deviation σ, covariance C = B D² Bᵀ, paths p_σ and p_c. A generation has λ points.
//! Figure 6 of the tutorial, its equations 38 to 47:
//!
//! ```text
//! y = B D z,  x = m + σ y,  z ~ N(0, I)                                                      (1)
//! ȳ = Σ w_i y_i,  i = 1 … μ, best first                                                      (2)
//! m ← m + σ ȳ                                                                                (3)
//! p_σ ← (1 - c_σ) p_σ + √(c_σ (2 - c_σ) μ_eff) C^-½ ȳ                                        (4)
//! σ ← σ exp(c_σ / d_σ (|p_σ| / E|N(0, I)| - 1))                                              (5)
//! p_c ← (1 - c_c) p_c + h √(c_c (2 - c_c) μ_eff) ȳ                                           (6)
//! w°_i = w_i if w_i ≥ 0, else w_i n / |C^-½ y_i|²                                            (7)
//! C ← (1 + c_1 (1 - h) c_c (2 - c_c) - c_1 - c_μ Σ w_j) C + c_1 p_c p_cᵀ + c_μ Σ w°_i y_i y_iᵀ  (8)
//! ```
//!
//! h is 0 while p_σ is long, |p_σ| / √(1 - (1 - c_σ)^(2 (g + 1))) ≥ (1.4 + 2 / (n + 1)) E|N(0, I)| in
//! generation g, else 1. The constants are those of the tutorial's table 1. Its initial σ is an option.
//!
//! Two additions. A coordinate whose deviation falls below a floor, for integers, has normal noise added up
//! to it (Hansen, *A CMA-ES for mixed-integer nonlinear optimization*, INRIA RR-7751, 2011). σ stays below 1,
//! the width of the space.

use raceline_numerics::{SplitMix64, math};

use crate::matrix::{Matrix, dot, eigen};

/// Smallest deviation, and smallest ratio of an eigenvalue to the largest.
const MIN_SIGMA: f64 = 1e-12;
const MIN_RATIO: f64 = 1e-14;
/// Largest deviation: the width of the space.
const MAX_SIGMA: f64 = 1.0;

/// Weights and rates: table 1 of the tutorial.
#[derive(Clone, Debug)]
struct Rates {
    /// Positive ones first, sum 1; then negative ones.
    weights: Vec<f64>,
    mu_eff: f64,
    c_sigma: f64,
    d_sigma: f64,
    c_c: f64,
    c_1: f64,
    c_mu: f64,
    /// E|N(0, I)|.
    expected_length: f64,
}

impl Rates {
    fn new(n: usize, lambda: usize) -> Self {
        let dimension = n as f64;
        let raw: Vec<f64> = (1..=lambda).map(|i| math::ln((lambda as f64 + 1.0) / 2.0) - math::ln(i as f64)).collect();
        let (positive, negative) = raw.split_at(lambda / 2);
        let effective = |weights: &[f64]| {
            let sum: f64 = weights.iter().sum();
            sum * sum / dot(weights, weights)
        };
        let (mu_eff, negative_eff) = (effective(positive), effective(negative));
        let c_sigma = (mu_eff + 2.0) / (dimension + mu_eff + 5.0);
        let c_1 = 2.0 / (math::powi(dimension + 1.3, 2) + mu_eff);
        let c_mu = 2.0 * (0.25 + mu_eff + 1.0 / mu_eff - 2.0) / (math::powi(dimension + 2.0, 2) + mu_eff);
        let c_mu = c_mu.min(1.0 - c_1);
        // Negative weights that leave C positive definite, and no larger than the positive ones deserve.
        let limits =
            [1.0 + c_1 / c_mu, 1.0 + 2.0 * negative_eff / (mu_eff + 2.0), (1.0 - c_1 - c_mu) / (dimension * c_mu)];
        let sum_of_negative = limits.into_iter().fold(f64::INFINITY, f64::min);
        let (of_positive, of_negative): (f64, f64) = (positive.iter().sum(), negative.iter().map(|w| -w).sum());
        let scaled = |&weight: &f64| {
            if weight >= 0.0 { weight / of_positive } else { sum_of_negative * weight / of_negative }
        };
        Self {
            weights: raw.iter().map(scaled).collect(),
            mu_eff,
            c_sigma,
            d_sigma: 1.0 + 2.0 * (((mu_eff - 1.0) / (dimension + 1.0)).sqrt() - 1.0).max(0.0) + c_sigma,
            c_c: (4.0 + mu_eff / dimension) / (dimension + 4.0 + 2.0 * mu_eff / dimension),
            c_1,
            c_mu,
            expected_length: dimension.sqrt() * (1.0 - 1.0 / (4.0 * dimension) + 1.0 / (21.0 * dimension * dimension)),
        }
    }
}

/// The state of the search.
#[derive(Clone, Debug)]
pub(crate) struct CmaEs {
    rates: Rates,
    mean: Vec<f64>,
    sigma: f64,
    covariance: Matrix,
    /// B and the diagonal of D.
    basis: Matrix,
    deviations: Vec<f64>,
    path_sigma: Vec<f64>,
    path_c: Vec<f64>,
    generation: i32,
    /// Smallest deviation of each coordinate.
    floors: Vec<f64>,
}

impl CmaEs {
    /// A search that begins at `mean` with the deviation `sigma`; `lambda` is 4 or more.
    pub(crate) fn new(mean: Vec<f64>, sigma: f64, lambda: usize, floors: Vec<f64>) -> Self {
        let n = mean.len();
        Self {
            rates: Rates::new(n, lambda),
            mean,
            sigma,
            covariance: Matrix::identity(n),
            basis: Matrix::identity(n),
            deviations: vec![1.0; n],
            path_sigma: vec![0.0; n],
            path_c: vec![0.0; n],
            generation: 0,
            floors,
        }
    }

    /// The mean.
    pub(crate) fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// Points of a generation.
    pub(crate) fn lambda(&self) -> usize {
        self.rates.weights.len()
    }

    /// A point of the generation: equation (1).
    pub(crate) fn sample(&self, random: &mut SplitMix64) -> Vec<f64> {
        let z: Vec<f64> = self.deviations.iter().map(|deviation| deviation * random.normal()).collect();
        let y = self.basis.times(&z);
        let place = |i: usize| {
            let variance = self.sigma * self.sigma * self.covariance[(i, i)];
            let missing = self.floors[i] * self.floors[i] - variance;
            let more = if missing > 0.0 { missing.sqrt() * random.normal() } else { 0.0 };
            self.mean[i] + self.sigma * y[i] + more
        };
        (0..self.mean.len()).map(place).collect()
    }

    /// C^-½ y.
    fn whitened(&self, y: &[f64]) -> Vec<f64> {
        let turned = self.basis.transposed_times(y);
        let scaled: Vec<f64> = turned.iter().zip(&self.deviations).map(|(y, deviation)| y / deviation).collect();
        self.basis.times(&scaled)
    }

    /// The next generation, from all points of this one, the best first.
    pub(crate) fn update(&mut self, ranked: &[&[f64]]) {
        let Rates { mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, expected_length, .. } = self.rates;
        let n = self.mean.len();
        let steps: Vec<Vec<f64>> = ranked
            .iter()
            .map(|x| x.iter().zip(&self.mean).map(|(x, mean)| (x - mean) / self.sigma).collect())
            .collect();
        let weighted = || self.rates.weights.iter().zip(&steps);

        // ---- Mean: equations (2) and (3)
        let mut step = vec![0.0; n];
        for (&weight, y) in weighted().filter(|(weight, _)| **weight > 0.0) {
            for (sum, y) in step.iter_mut().zip(y) {
                *sum += weight * y;
            }
        }
        let mean: Vec<f64> = self.mean.iter().zip(&step).map(|(mean, y)| mean + self.sigma * y).collect();

        // ---- Deviation: equations (4) and (5)
        let factor = (c_sigma * (2.0 - c_sigma) * mu_eff).sqrt();
        let white = self.whitened(&step);
        let path_sigma: Vec<f64> =
            self.path_sigma.iter().zip(&white).map(|(path, y)| (1.0 - c_sigma) * path + factor * y).collect();
        let length = dot(&path_sigma, &path_sigma).sqrt();
        let sigma = self.sigma * math::exp(c_sigma / d_sigma * (length / expected_length - 1.0));

        // ---- Covariance: equations (6) to (8)
        let settled = (1.0 - math::powi(1.0 - c_sigma, 2 * (self.generation + 1))).sqrt();
        let is_short = length / settled < (1.4 + 2.0 / (n as f64 + 1.0)) * expected_length;
        let h = f64::from(u8::from(is_short));
        let factor = h * (c_c * (2.0 - c_c) * mu_eff).sqrt();
        let path_c: Vec<f64> = self.path_c.iter().zip(&step).map(|(path, y)| (1.0 - c_c) * path + factor * y).collect();
        let scaled: Vec<f64> = weighted()
            .map(|(&weight, y)| {
                let white = self.whitened(y);
                let squares = dot(&white, &white).max(f64::MIN_POSITIVE);
                if weight >= 0.0 { weight } else { weight * (n as f64 / squares).min(1e12) }
            })
            .collect();
        let sum: f64 = self.rates.weights.iter().sum();
        let keep = 1.0 + c_1 * (1.0 - h) * c_c * (2.0 - c_c) - c_1 - c_mu * sum;
        let mut covariance = Matrix::zeros(n);
        for i in 0..n {
            for j in 0..=i {
                let of_points: f64 = scaled.iter().zip(&steps).map(|(weight, y)| weight * y[i] * y[j]).sum();
                let entry = keep * self.covariance[(i, j)] + c_1 * path_c[i] * path_c[j] + c_mu * of_points;
                (covariance[(i, j)], covariance[(j, i)]) = (entry, entry);
            }
        }
        self.generation = self.generation.saturating_add(1).min(i32::MAX / 4);
        (self.mean, self.path_sigma, self.path_c) = (mean, path_sigma, path_c);
        self.sigma = sigma.clamp(MIN_SIGMA, MAX_SIGMA);
        self.decompose(covariance);
    }

    /// Sets C with its B and D. Where rounding has left it without a direction, it has a small deviation
    /// there.
    fn decompose(&mut self, covariance: Matrix) {
        let (values, basis) = eigen(covariance.clone());
        let largest = values.iter().copied().fold(0.0, f64::max);
        if !(largest.is_finite() && largest > 0.0) {
            // Only of points that are all the same: this generation teaches no shape.
            return;
        }
        self.deviations = values.iter().map(|value| value.max(MIN_RATIO * largest).sqrt()).collect();
        (self.covariance, self.basis) = (covariance, basis);
    }

    /// The next generation where all scores are equal: a larger deviation (section B.4 of the tutorial).
    pub(crate) fn widen(&mut self) {
        let Rates { c_sigma, d_sigma, .. } = self.rates;
        self.stretch(math::exp(0.2 + c_sigma / d_sigma));
        self.generation = self.generation.saturating_add(1).min(i32::MAX / 4);
    }

    /// Multiplies the deviation by `factor`.
    pub(crate) fn stretch(&mut self, factor: f64) {
        self.sigma = (self.sigma * factor).clamp(MIN_SIGMA, MAX_SIGMA);
    }
}

#[cfg(test)]
mod tests {
    use raceline_numerics::SplitMix64;

    use super::{CmaEs, Rates};
    use crate::matrix::dot;

    /// Generations until the mean's value is below `goal`.
    fn generations(f: impl Fn(&[f64]) -> f64, start: Vec<f64>, goal: f64, max: usize) -> Option<usize> {
        let lambda = 4 + (3.0 * (start.len() as f64).ln()) as usize;
        let floors = vec![0.0; start.len()];
        let mut search = CmaEs::new(start, 0.3, lambda, floors);
        let mut random = SplitMix64::new(5);
        for generation in 0..max {
            if f(search.mean()) < goal {
                return Some(generation);
            }
            let mut points: Vec<Vec<f64>> = (0..lambda).map(|_| search.sample(&mut random)).collect();
            points.sort_by(|a, b| f(a).total_cmp(&f(b)));
            search.update(&points.iter().map(Vec::as_slice).collect::<Vec<_>>());
        }
        None
    }

    /// Table 1 of the tutorial for n = 10 and λ = 10, by hand: ln 5.5 - ln i for i = 1 … 5 has the sum 3.7362
    /// and the squares' sum 4.4205.
    #[test]
    fn rates_are_those_of_the_tutorial() {
        let rates = Rates::new(10, 10);
        assert!((rates.mu_eff - 3.167).abs() < 1e-3, "{}", rates.mu_eff);
        assert!((rates.weights[..5].iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(rates.weights[5..].iter().all(|weight| *weight < 0.0));
        assert!((rates.c_sigma - 5.167 / 18.167).abs() < 1e-4);
        assert!((rates.c_1 - 2.0 / (127.69 + 3.167)).abs() < 1e-5);
        // The decay of C is never negative: its weights' sum is at least -(1 - c_1 - c_μ) / c_μ.
        for n in 1..40 {
            let rates = Rates::new(n, 4 + n);
            let sum: f64 = rates.weights.iter().sum();
            assert!(1.0 - rates.c_1 - rates.c_mu * sum > 0.0 && rates.c_mu > 0.0, "{n}");
        }
    }

    #[test]
    fn an_ellipsoid_with_axes_of_a_thousand_is_solved() {
        let ellipsoid = |x: &[f64]| -> f64 {
            let n = x.len() as f64 - 1.0;
            // Turned by a pair of coordinates, so that no axis is a coordinate's.
            let turned = |i: usize| x[i] + x[(i + 1) % x.len()];
            (0..x.len()).map(|i| 1e6_f64.powf(i as f64 / n) * turned(i).powi(2)).sum()
        };
        let needed = generations(ellipsoid, vec![0.7; 5], 1e-9, 1000).unwrap();
        assert!(needed < 400, "{needed}");
    }

    #[test]
    fn the_valley_of_rosenbrock_is_followed_to_its_end() {
        let valley = |x: &[f64]| -> f64 {
            x.windows(2).map(|x| 100.0 * (x[1] - x[0] * x[0]).powi(2) + (1.0 - x[0]).powi(2)).sum()
        };
        let needed = generations(valley, vec![0.0; 6], 1e-9, 2000).unwrap();
        assert!(needed < 700, "{needed}");
    }

    #[test]
    fn a_linear_function_makes_the_deviation_grow() {
        let mut search = CmaEs::new(vec![0.5; 4], 0.01, 8, vec![0.0; 4]);
        let mut random = SplitMix64::new(1);
        for _ in 0..40 {
            let mut points: Vec<Vec<f64>> = (0..8).map(|_| search.sample(&mut random)).collect();
            points.sort_by(|a, b| a[0].total_cmp(&b[0]));
            search.update(&points.iter().map(Vec::as_slice).collect::<Vec<_>>());
        }
        assert!(search.sigma * search.covariance[(0, 0)].sqrt() > 0.1, "{}", search.sigma);
        assert!(search.mean[0] < 0.0);
    }

    /// Without selection the mean is a random walk, and σ has no drift in its logarithm.
    #[test]
    fn random_ranks_leave_the_deviation() {
        let mut sum = 0.0;
        for seed in 0..40 {
            let mut search = CmaEs::new(vec![0.5; 6], 0.1, 9, vec![0.0; 6]);
            let mut random = SplitMix64::new(seed);
            for _ in 0..20 {
                let points: Vec<Vec<f64>> = (0..9).map(|_| search.sample(&mut random)).collect();
                search.update(&points.iter().map(Vec::as_slice).collect::<Vec<_>>());
            }
            sum += (search.sigma / 0.1).ln();
        }
        assert!((sum / 40.0).abs() < 0.2, "{}", sum / 40.0);
    }

    #[test]
    fn a_floor_keeps_an_integer_moving() {
        let search = CmaEs::new(vec![0.5, 0.5], 1e-6, 4, vec![0.0, 0.1]);
        let mut random = SplitMix64::new(2);
        let points: Vec<Vec<f64>> = (0..2000).map(|_| search.sample(&mut random)).collect();
        let deviation = |i: usize| {
            let steps: Vec<f64> = points.iter().map(|x| x[i] - 0.5).collect();
            (dot(&steps, &steps) / 2000.0).sqrt()
        };
        assert!((deviation(0) / 1e-6 - 1.0).abs() < 0.1 && (deviation(1) / 0.1 - 1.0).abs() < 0.1);
    }
}
