//! A Gaussian process with Matérn's covariance of order 5/2 and noise: Rasmussen and Williams, *Gaussian
//! Processes for Machine Learning* (2006).
//!
//! With lengths l_k, amplitude a and noise b, and values y of mean 0 at points x_1 … x_N (their equations
//! 4.17, 2.25, 2.26 and 2.30):
//!
//! ```text
//! r² = Σ ((x_k - x'_k) / l_k)²                                                               (1)
//! k(x, x') = a² (1 + √5 r + 5 r² / 3) exp(-√5 r)                                             (2)
//! mean(x) = k(x)ᵀ (K + b² I)⁻¹ y                                                             (3)
//! variance(x) = a² - k(x)ᵀ (K + b² I)⁻¹ k(x)                                                 (4)
//! L = -½ yᵀ (K + b² I)⁻¹ y - ½ ln |K + b² I|                                                 (5)
//! ∂L/∂θ = ½ Σ_ij (α_i α_j - (K + b² I)⁻¹_ij) ∂K_ij/∂θ,  α = (K + b² I)⁻¹ y                   (6)
//! ∂k/∂ln l_k = a² 5/3 (1 + √5 r) exp(-√5 r) ((x_k - x'_k) / l_k)²                            (7)
//! ```
//!
//! (6) is their equation 5.9. L plus the logarithms of normal priors of ln l_k, ln a and ln b is maximised by
//! iRprop⁻, as Blum and Riedmiller, *Optimization of Gaussian process hyperparameters using Rprop* (ESANN
//! 2013), found best. Values are expected to have the mean 0 and the deviation 1, points to lie in the unit
//! cube.

use crate::matrix::{Cholesky, Matrix, dot};
use raceline_numerics::math;

/// Steps of the maximisation from each start.
const STEPS: usize = 60;
/// First step, smallest and largest, and the factors on it.
const STEP: [f64; 3] = [0.1, 1e-4, 0.8];
const FASTER: f64 = 1.2;
const SLOWER: f64 = 0.5;
/// Middle and deviation of the priors of ln l_k (plus ½ ln n for n unknowns: distances grow with √n), ln a
/// and ln b.
const LENGTH_PRIOR: [f64; 2] = [-0.7, 1.0];
const AMPLITUDE_PRIOR: [f64; 2] = [0.0, 0.7];
const NOISE_PRIOR: [f64; 2] = [-3.0, 1.5];
/// Ranges of the same.
const LENGTH_RANGE: [f64; 2] = [-4.0, 4.0];
const AMPLITUDE_RANGE: [f64; 2] = [-3.0, 3.0];
const NOISE_RANGE: [f64; 2] = [-7.0, 1.0];
/// Where the maximisation starts: ln b.
const NOISE_STARTS: [f64; 2] = [-5.0, -1.0];

/// ln l_k, then ln a and ln b.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hyperparameters(Vec<f64>);

impl Hyperparameters {
    fn unknowns(&self) -> usize {
        self.0.len() - 2
    }

    fn lengths(&self) -> Vec<f64> {
        self.0[..self.unknowns()].iter().map(|ln| math::exp(*ln)).collect()
    }

    fn variance(&self) -> f64 {
        math::exp(2.0 * self.0[self.unknowns()])
    }

    fn noise_variance(&self) -> f64 {
        math::exp(2.0 * self.0[self.unknowns() + 1])
    }

    /// b.
    pub(crate) fn noise(&self) -> f64 {
        self.noise_variance().sqrt()
    }

    /// Middle and deviation of the prior, and the range, of the parameter at `place`.
    fn prior(&self, place: usize) -> ([f64; 2], [f64; 2]) {
        let n = self.unknowns();
        match place {
            _ if place < n => ([LENGTH_PRIOR[0] + 0.5 * math::ln(n as f64), LENGTH_PRIOR[1]], LENGTH_RANGE),
            _ if place == n => (AMPLITUDE_PRIOR, AMPLITUDE_RANGE),
            _ => (NOISE_PRIOR, NOISE_RANGE),
        }
    }

    /// The most probable ones for `values` at `points`.
    pub(crate) fn fitted(points: &[Vec<f64>], values: &[f64]) -> Self {
        let n = points.first().map_or(0, Vec::len);
        let mut best: Option<(f64, Self)> = None;
        for noise in NOISE_STARTS {
            let mut start = Self(vec![0.0; n + 2]);
            start.0 = (0..n + 2).map(|place| start.prior(place).0[0]).collect();
            start.0[n + 1] = noise;
            let found = start.climbed(points, values);
            if best.as_ref().is_none_or(|best| found.0 > best.0) {
                best = Some(found);
            }
        }
        // There is a start at least.
        best.map_or_else(|| Self(vec![0.0; n + 2]), |(_, found)| found)
    }

    /// The best of the steps of iRprop⁻ from here, with its value.
    fn climbed(mut self, points: &[Vec<f64>], values: &[f64]) -> (f64, Self) {
        let mut best = (f64::NEG_INFINITY, self.clone());
        let mut steps = vec![STEP[0]; self.0.len()];
        let mut before = vec![0.0; self.0.len()];
        for _ in 0..STEPS {
            // Without a factor the point is too smooth for rounding: back to the best, with shorter steps.
            let Some((value, mut gradient)) = self.posterior(points, values) else {
                self.clone_from(&best.1);
                steps.iter_mut().for_each(|step| *step = (*step * SLOWER).max(STEP[1]));
                before.fill(0.0);
                continue;
            };
            if value > best.0 {
                best = (value, self.clone());
            }
            for place in 0..self.0.len() {
                let agreement = gradient[place] * before[place];
                if agreement > 0.0 {
                    steps[place] = (steps[place] * FASTER).min(STEP[2]);
                } else if agreement < 0.0 {
                    steps[place] = (steps[place] * SLOWER).max(STEP[1]);
                    gradient[place] = 0.0;
                }
                let (_, [low, high]) = self.prior(place);
                let step = if gradient[place] == 0.0 { 0.0 } else { steps[place] * gradient[place].signum() };
                self.0[place] = (self.0[place] + step).clamp(low, high);
            }
            before = gradient;
        }
        best
    }

    /// The posterior's logarithm and its gradient; `None` if the covariance has no factor.
    fn posterior(&self, points: &[Vec<f64>], values: &[f64]) -> Option<(f64, Vec<f64>)> {
        let (n, count) = (self.unknowns(), points.len());
        let (lengths, variance, noise) = (self.lengths(), self.variance(), self.noise_variance());
        let factor = Cholesky::new(covariance(points, &lengths, variance, noise))?;
        let alpha = factor.solve(values);
        let inverse = factor.inverse();
        let mut value = -0.5 * dot(values, &alpha) - 0.5 * factor.ln_determinant(); // equation (5)
        let mut gradient = vec![0.0; n + 2];
        for i in 0..count {
            for j in 0..i {
                // Equation (6), both halves of the matrix.
                let weight = alpha[i] * alpha[j] - inverse[(i, j)];
                let squares: Vec<f64> = squares(&points[i], &points[j], &lengths).collect();
                let scaled = (5.0 * squares.iter().sum::<f64>()).sqrt();
                let decay = weight * variance * math::exp(-scaled);
                let of_length = decay * 5.0 / 3.0 * (1.0 + scaled); // equation (7)
                for (sum, square) in gradient.iter_mut().zip(&squares) {
                    *sum += of_length * square;
                }
                gradient[n] += 2.0 * decay * (1.0 + scaled + scaled * scaled / 3.0);
            }
            let weight = alpha[i] * alpha[i] - inverse[(i, i)];
            gradient[n] += weight * variance;
            gradient[n + 1] += weight * noise;
        }
        for (place, slope) in gradient.iter_mut().enumerate() {
            let ([middle, deviation], _) = self.prior(place);
            let distance = (self.0[place] - middle) / deviation;
            value -= 0.5 * distance * distance;
            *slope -= distance / deviation;
        }
        value.is_finite().then_some((value, gradient))
    }
}

/// The terms of equation (1).
fn squares<'a>(a: &'a [f64], b: &'a [f64], lengths: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
    a.iter().zip(b).zip(lengths).map(|((a, b), length)| math::powi((a - b) / length, 2))
}

/// Equation (2) by r².
fn kernel(square: f64, variance: f64) -> f64 {
    let scaled = (5.0 * square).sqrt();
    variance * (1.0 + scaled + scaled * scaled / 3.0) * math::exp(-scaled)
}

/// K + b² I.
fn covariance(points: &[Vec<f64>], lengths: &[f64], variance: f64, noise: f64) -> Matrix {
    let mut matrix = Matrix::zeros(points.len());
    for i in 0..points.len() {
        for j in 0..i {
            let entry = kernel(squares(&points[i], &points[j], lengths).sum(), variance);
            (matrix[(i, j)], matrix[(j, i)]) = (entry, entry);
        }
        matrix[(i, i)] = variance + noise;
    }
    matrix
}

/// A process that has seen values.
#[derive(Clone, Debug)]
pub(crate) struct GaussianProcess {
    points: Vec<Vec<f64>>,
    lengths: Vec<f64>,
    variance: f64,
    factor: Cholesky,
    alpha: Vec<f64>,
}

impl GaussianProcess {
    /// The process that has seen `values` at `points`; `None` if its covariance has no factor.
    pub(crate) fn new(points: Vec<Vec<f64>>, values: &[f64], hyperparameters: &Hyperparameters) -> Option<Self> {
        let (lengths, variance) = (hyperparameters.lengths(), hyperparameters.variance());
        let factor = Cholesky::new(covariance(&points, &lengths, variance, hyperparameters.noise_variance()))?;
        let alpha = factor.solve(values);
        Some(Self { points, lengths, variance, factor, alpha })
    }

    fn seen(&self, x: &[f64]) -> Vec<f64> {
        self.points.iter().map(|point| kernel(squares(point, x, &self.lengths).sum(), self.variance)).collect()
    }

    /// Mean at `x`: equation (3).
    pub(crate) fn mean(&self, x: &[f64]) -> f64 {
        dot(&self.seen(x), &self.alpha)
    }

    /// Mean and deviation at `x`, the latter without noise: equations (3) and (4).
    pub(crate) fn predict(&self, x: &[f64]) -> [f64; 2] {
        let seen = self.seen(x);
        let half = self.factor.forward(&seen);
        [dot(&seen, &self.alpha), (self.variance - dot(&half, &half)).max(0.0).sqrt()]
    }
}

#[cfg(test)]
mod tests {
    use raceline_numerics::SplitMix64;

    use super::{GaussianProcess, Hyperparameters};

    impl Hyperparameters {
        /// From lengths, amplitude and noise.
        fn new(lengths: &[f64], amplitude: f64, noise: f64) -> Self {
            Self(lengths.iter().chain(&[amplitude, noise]).map(|value| value.ln()).collect())
        }
    }

    /// With l = √5 and a = 1, k at the distance 1 is (1 + 1 + 1/3) / e: c = 0.858385. Between two values 1
    /// and -1 at 0 and 1 with no noise the mean is 0, at 0 it is 1; the variance at 1 of one value at 0 is 1
    /// - c².
    #[test]
    fn kriging_of_two_values_is_that_by_hand() {
        let c = 7.0 / 3.0 / std::f64::consts::E;
        let parameters = Hyperparameters::new(&[5.0_f64.sqrt()], 1.0, 1e-9);
        let two = GaussianProcess::new(vec![vec![0.0], vec![1.0]], &[1.0, -1.0], &parameters).unwrap();
        assert!(two.mean(&[0.5]).abs() < 1e-12 && (two.mean(&[0.0]) - 1.0).abs() < 1e-12);
        assert!(two.predict(&[0.0])[1] < 1e-6);
        let one = GaussianProcess::new(vec![vec![0.0]], &[2.0], &parameters).unwrap();
        let [mean, deviation] = one.predict(&[1.0]);
        assert!((mean - 2.0 * c).abs() < 1e-12 && (deviation * deviation - (1.0 - c * c)).abs() < 1e-12);
        // With noise as large as the amplitude, one value counts half.
        let noisy = Hyperparameters::new(&[5.0_f64.sqrt()], 1.0, 1.0);
        let one = GaussianProcess::new(vec![vec![0.0]], &[2.0], &noisy).unwrap();
        let [mean, deviation] = one.predict(&[0.0]);
        assert!((mean - 1.0).abs() < 1e-12 && (deviation * deviation - 0.5).abs() < 1e-12);
    }

    fn random_points(count: usize, n: usize, seed: u64) -> Vec<Vec<f64>> {
        let mut random = SplitMix64::new(seed);
        (0..count).map(|_| (0..n).map(|_| random.uniform()).collect()).collect()
    }

    #[test]
    fn the_gradient_is_that_of_differences() {
        let points = random_points(14, 3, 1);
        let values: Vec<f64> = points.iter().map(|x| (5.0 * x[0]).sin() + x[1] - 0.3).collect();
        let parameters = Hyperparameters::new(&[0.4, 0.9, 1.5], 0.8, 0.2);
        let (_, gradient) = parameters.posterior(&points, &values).unwrap();
        for (place, slope) in gradient.iter().enumerate() {
            let at = |step: f64| {
                let mut moved = parameters.clone();
                moved.0[place] += step;
                moved.posterior(&points, &values).unwrap().0
            };
            let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!((slope - difference).abs() < 1e-6 * difference.abs().max(1.0), "{place}: {slope} {difference}");
        }
    }

    #[test]
    fn a_fit_finds_the_noise_and_the_parameter_that_does_nothing() {
        let points = random_points(80, 2, 2);
        let mut random = SplitMix64::new(3);
        let values: Vec<f64> = points.iter().map(|x| 1.4 * (4.0 * x[0]).sin() + 0.3 * random.normal()).collect();
        let mean = values.iter().sum::<f64>() / 80.0;
        let values: Vec<f64> = values.iter().map(|value| value - mean).collect();
        let found = Hyperparameters::fitted(&points, &values);
        assert!((found.noise() / 0.3 - 1.0).abs() < 0.3, "{}", found.noise());
        assert!(found.lengths()[1] > 3.0 * found.lengths()[0], "{:?}", found.lengths());
        let process = GaussianProcess::new(points, &values, &found).unwrap();
        assert!((process.mean(&[0.4, 0.5]) - (1.4 * 1.6_f64.sin() - mean)).abs() < 0.25);
    }
}
