//! Smoothing of surveyed lines: the noise of a line, the smoothing that it requires, and the
//! smoothing itself.
//!
//! **Filter.** Along its arc length, the line is convolved with K = 2G - G∗G, where G is a Gaussian
//! of standard deviation L: the line is smoothed, and the smoothed residual is added (Tukey,
//! *Exploratory Data Analysis*, 1977, section 16A, "twicing"). A Gaussian alone moves a bend of
//! curvature κ inwards by L²κ/2. K has no second moment, so the bend keeps its position to the
//! order L⁴.
//!
//! **Measure.** Each point is compared with the polynomial of fifth degree through its three
//! neighbours on either side. The deviation across the line, divided by the norm of the weights,
//! has the standard deviation σ of independent noise. It is estimated by the median, so that sharp
//! bends have no influence. On points h apart, such noise causes a curvature noise of √6 σ/h².
//!
//! **Amount.** After the filter K, independent noise on points h apart has a curvature variance of
//! σ² h c/L⁵, from the integral of ω⁴K(ω)². L follows from the permitted curvature noise. As a
//! fifth root, it depends only weakly on the estimate of σ.

use std::ops::{Add, Mul, Sub};

use super::closing::usual_step;
use super::{ImportError, ImportNote, SurveyNoise};
use crate::geometry::{Point, SplineCurve, Vector, cross};
use raceline_numerics::{math, median};

/// Lines with a larger curvature noise are smoothed, 1/m. At 70 m/s, this is half a g. Published
/// centre lines that are already smooth have 0.0005 or far less, raw surveys 0.005.
const NOISY_RADPM: f64 = 0.001;
/// The curvature noise permitted after smoothing, 1/m.
const CLEAN_RADPM: f64 = 0.0005;
/// c above: 3/√(2π) · (4·2^(-5/2) - 4·3^(-5/2) + 4^(-5/2)).
const FILTER_NOISE: f64 = 0.5766;
/// Points farther apart than this fraction of the road's width were placed one by one by hand:
/// their deviation from the polynomial is the shape of the bend.
const DENSE_WIDTHS: f64 = 0.5;
/// The automatic amount is at most this many road widths; more would change bends.
const MAX_WIDTHS: f64 = 0.5;
/// Limit on the smoothing as a fraction of the line's length.
const MAX_OF_LENGTH: f64 = 0.25;
/// Number of neighbours on each side in the polynomial.
const REACH: usize = 3;
/// The kernel is cut off at this many standard deviations of G∗G.
const KERNEL_REACH: f64 = 4.0;

/// Noise of a line of points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// Standard deviation across the line, metres.
    pub deviation_m: f64,
    /// Usual distance between points, metres.
    pub step_m: f64,
}

impl Noise {
    /// The noise of distinct `points`; `None` for too few.
    pub fn of(points: &[Point], closed: bool) -> Option<Self> {
        let count = points.len();
        if count < 4 * REACH {
            return None;
        }
        let inner = if closed { 0..count } else { REACH..count - REACH };
        let misfits = inner.filter_map(|index| misfit(points, index)).map(f64::abs).collect();
        // 1.4826 times the median of the absolute values is the standard deviation of a normal
        // distribution.
        Some(Self { deviation_m: 1.4826 * median(misfits)?, step_m: usual_step(points)? })
    }

    fn curvature(&self) -> f64 {
        6f64.sqrt() * self.deviation_m / math::powi(self.step_m, 2)
    }

    /// The smoothing that the line requires, metres: 0 if it is clean or too coarse for an
    /// estimate.
    pub fn smoothing_m(&self, width_m: f64) -> f64 {
        if self.curvature() <= NOISY_RADPM || self.step_m > DENSE_WIDTHS * width_m {
            return 0.0;
        }
        let variance = FILTER_NOISE * math::powi(self.deviation_m, 2) * self.step_m;
        math::powf(variance / math::powi(CLEAN_RADPM, 2), 0.2).min(MAX_WIDTHS * width_m)
    }
}

/// Distance of a point from the polynomial through its neighbours, divided by the norm of the
/// weights (Lagrange's form).
fn misfit(points: &[Point], index: usize) -> Option<f64> {
    let count = points.len();
    let at = |offset: usize| points[(index + count + offset - REACH) % count];
    let here = at(REACH);
    let mut parameters = [0.0; 2 * REACH + 1];
    for k in REACH + 1..=2 * REACH {
        parameters[k] = parameters[k - 1] + (at(k) - at(k - 1)).norm();
    }
    for k in (0..REACH).rev() {
        parameters[k] = parameters[k + 1] - (at(k + 1) - at(k)).norm();
    }
    let neighbours = || (0..=2 * REACH).filter(|&k| k != REACH);
    let (mut predicted, mut squares) = (Vector::zeros(), 1.0);
    for k in neighbours() {
        let weight: f64 =
            neighbours().filter(|&j| j != k).map(|j| parameters[j] / (parameters[j] - parameters[k])).product();
        predicted += (at(k) - here) * weight;
        squares += weight * weight;
    }
    let along = (at(REACH + 1) - at(REACH - 1)).try_normalize(1e-12)?;
    let misfit = cross(along, predicted) / squares.sqrt();
    misfit.is_finite().then_some(misfit)
}

/// A smoothed line.
pub struct Smoothed {
    /// Points of it, evenly spaced before smoothing.
    pub points: Vec<Point>,
    /// Parameter on the unsmoothed curve of each point, metres.
    pub parameters: Vec<f64>,
    /// Mean distance across the line from the unsmoothed curve, metres.
    pub mean_deviation_m: f64,
    /// Largest such distance, metres.
    pub largest_deviation_m: f64,
    filter: Filter,
}

impl Smoothed {
    /// Values of the unsmoothed curve at [`Self::parameters`], smoothed as its points were. What
    /// belongs to a place moves with it: the noise of positions along the line is one of heights too.
    pub fn along(&self, values: &[f64]) -> Vec<f64> {
        self.filter.applied(values)
    }

    /// The note about the line `line`, which was smoothed by `smoothing_m`, with the reason `noise`
    /// if there is one.
    pub fn note(&self, line: &'static str, noise: Option<Noise>, smoothing_m: f64) -> ImportNote {
        let Self { mean_deviation_m, largest_deviation_m, .. } = *self;
        let noise = noise.map(|Noise { deviation_m, step_m }| SurveyNoise { deviation_m, step_m });
        ImportNote::Smoothed { line, noise, smoothing_m, mean_deviation_m, largest_deviation_m }
    }
}

/// Smooths `curve`, the spline through `knots`, by `smoothing_m`. The ends of an open curve do not
/// move.
///
/// # Errors
/// [`ImportError::Smoothing`] if the amount is negative, not finite or more than a quarter of the
/// curve.
pub fn smoothed(curve: &SplineCurve, knots: &[Point], smoothing_m: f64) -> Result<Smoothed, ImportError> {
    let length = curve.length();
    check(smoothing_m, length)?;
    // Fine enough for the kernel and the noise, coarse enough for a kernel of at most about 500
    // points …
    let step_m = usual_step(knots).unwrap_or(length);
    let step = (smoothing_m / 4.0).min(step_m / 2.0).max(smoothing_m / 50.0).max(step_m / 8.0);
    // … and with a limit on the points per knot, however uneven the knots are.
    let step = step.max(length / (16 * knots.len()) as f64);
    let count = ((length / step).ceil() as usize).max(8);
    let raw = curve.evenly(count);
    let gaps = if curve.is_closed() { count } else { count - 1 };
    let step = length / gaps as f64;
    let filter = Filter { weights: kernel(smoothing_m / step), closed: curve.is_closed() };
    let positions: Vec<Point> = raw.iter().map(|sample| sample.position).collect();
    let points = filter.applied(&positions);
    let across = raw.iter().zip(&points).map(|(sample, &point)| {
        let along = sample.first.try_normalize(1e-12).unwrap_or_default();
        cross(along, point - sample.position).abs()
    });
    let (total, largest_deviation_m) = across.fold((0.0, 0.0_f64), |(sum, max), d| (sum + d, max.max(d)));
    let parameters = (0..count).map(|i| i as f64 * step).collect();
    Ok(Smoothed { points, parameters, mean_deviation_m: total / count as f64, largest_deviation_m, filter })
}

/// The filter on places that are evenly spaced.
struct Filter {
    /// Of the places 1, 2, … steps away on either side.
    weights: Vec<f64>,
    closed: bool,
}

impl Filter {
    /// The filtered values, one a place.
    fn applied<V, D>(&self, values: &[V]) -> Vec<V>
    where
        V: Copy + Sub<Output = D> + Add<D, Output = V>,
        D: Copy + Default + Add<Output = D> + Mul<f64, Output = D>,
    {
        let filtered = |(i, &here): (usize, &V)| {
            let sides = self.weights.iter().enumerate().map(|(k, &weight)| {
                let [before, after] = neighbours(values, i, k + 1, self.closed);
                ((before - here) + (after - here)) * weight
            });
            here + sides.fold(D::default(), |sum, side| sum + side)
        };
        values.iter().enumerate().map(filtered).collect()
    }
}

/// Checks whether a line of this length can be smoothed by this amount.
///
/// # Errors
/// [`ImportError::Smoothing`].
pub fn check(smoothing_m: f64, length: f64) -> Result<(), ImportError> {
    let max_m = MAX_OF_LENGTH * length;
    if (0.0..=max_m).contains(&smoothing_m) {
        Ok(())
    } else {
        Err(ImportError::Smoothing { value: smoothing_m, max_m })
    }
}

/// Weights of the points 1, 2, … steps away, for a standard deviation of `sigma` steps; with the
/// point itself, their sum is one.
fn kernel(sigma: f64) -> Vec<f64> {
    if sigma <= 0.0 {
        return Vec::new();
    }
    let wide = sigma * 2f64.sqrt();
    let reach = (KERNEL_REACH * wide).ceil() as usize;
    let gaussian = |sigma: f64| {
        let values: Vec<f64> = (0..=reach).map(|k| math::exp(-0.5 * math::powi(k as f64 / sigma, 2))).collect();
        let total = values[0] + 2.0 * values[1..].iter().sum::<f64>();
        (values, total)
    };
    let ((once, once_total), (twice, twice_total)) = (gaussian(sigma), gaussian(wide));
    (1..=reach).map(|k| 2.0 * once[k] / once_total - twice[k] / twice_total).collect()
}

/// The points `k` steps before and after point `i`; an open line is extended by point reflection
/// about its ends.
fn neighbours<V, D>(points: &[V], i: usize, k: usize, closed: bool) -> [V; 2]
where
    V: Copy + Sub<Output = D> + Add<D, Output = V>,
{
    let count = points.len();
    if closed {
        let k = k % count;
        return [points[(i + count - k) % count], points[(i + k) % count]];
    }
    let last = count - 1;
    let beyond = |end: usize, by: usize| {
        let mirrored = if end == 0 { by.min(last) } else { last - by.min(last) };
        points[end] + (points[end] - points[mirrored])
    };
    let before = if k <= i { points[i - k] } else { beyond(0, k - i) };
    let after = if i + k <= last { points[i + k] } else { beyond(last, i + k - last) };
    [before, after]
}
