//! Heights of elevation models: their noise, and the smoothing that it requires.
//!
//! **Measure.** Each height is compared with the cubic through its two neighbours on either side; the
//! difference, divided by the norm of the weights, has the standard deviation σ of independent noise. Models
//! round heights and have steps, so σ comes from the squares without the largest ones, not from the median,
//! which would be 0.
//!
//! **Amount.** As for positions (`construction::survey_smoothing` of `raceline-road`): noise on points h apart
//! gives a vertical curvature noise of √6 σ/h². If that is more than a road has, the heights are smoothed by a
//! local linear regression with Gaussian weights of standard deviation L. A Gaussian leaves a curvature
//! variance of σ² h c/L⁵ with c = 3/(8√π), from the integral of ω⁴ exp(-L²ω²); L follows from the permitted
//! noise. The noise of a model is correlated from point to point, so that this L is a lower bound: it grows
//! until nine tenths of the road bend no more than roads do.
//!
//! **What is left.** Independent noise of the standard deviation τ leaves τ √(h/(2√π L)). For τ stands what
//! the smoothing changed, which contains the correlated noise that σ does not see.

use std::f64::consts::PI;

use raceline_numerics::math;
use raceline_road::geometry::Point;

/// Heights with a larger vertical curvature noise are smoothed, 1/m. At 70 m/s it is half a g.
const NOISY_RADPM: f64 = 0.001;
/// Vertical curvature noise after smoothing, 1/m.
const CLEAN_RADPM: f64 = 0.0005;
/// c above.
const FILTER_NOISE: f64 = 0.2116;
/// Vertical curvature that nine tenths of a road stay below, 1/m: a crest of a radius of 830 m. A larger one
/// leaves noise: misano with the heights of a public model is 0.9 % slower than flat with 0.0012, 4.2 % with
/// 0.0018. A smaller one flattens real crests.
const USUAL_RADPM: f64 = 0.0012;
const USUAL_FRACTION: f64 = 0.9;
/// Factor from one smoothing that is tried to the next.
const LARGER: f64 = 1.25;
/// Largest smoothing, metres: crests and dips of real roads are longer.
const MAX_SMOOTHING_M: f64 = 60.0;
/// Largest smoothing, in mean distances between two points: points far apart need neighbours.
const MAX_SMOOTHING_STEPS: f64 = 4.0;
/// Fraction of the squared differences that count, and the factor that the others take from the standard
/// deviation of a normal distribution.
const COUNTED: f64 = 0.95;
const TRIMMING: f64 = 0.87;
/// Weights beyond this many standard deviations are left out.
const REACH: f64 = 4.0;
/// Ends nearer to one another than this many usual steps are those of a closed line.
const CLOSED_STEPS: f64 = 3.0;
const MIN_POINTS: usize = 12;

/// Heights after smoothing.
pub(super) struct Smoothed {
    pub heights_m: Vec<f64>,
    /// Noise that was found, metres.
    pub noise_m: f64,
    /// Standard deviation of the Gaussian, metres.
    pub smoothing_m: f64,
    /// Largest change of a height, metres.
    pub largest_m: f64,
    /// Noise that is left, metres.
    pub left_m: f64,
}

/// The heights along a line without their noise; `None` if they are clean.
pub(super) fn smoothed(points: &[Point], heights_m: &[f64]) -> Option<Smoothed> {
    let count = points.len();
    if count < MIN_POINTS || heights_m.len() != count {
        return None;
    }
    let mut distances = vec![0.0];
    for pair in points.windows(2) {
        distances.push(distances[distances.len() - 1] + (pair[1] - pair[0]).norm());
    }
    let length = distances[count - 1];
    let step_m = length / (count - 1) as f64;
    let gap = (points[count - 1] - points[0]).norm();
    let closed = gap < CLOSED_STEPS * step_m;
    let line = Line { distances, heights_m, lap: closed.then_some(length + gap) };
    let noise_m = line.noise()?;
    if noise_m * line.usual_bend_noise() <= NOISY_RADPM {
        return None;
    }
    let max_smoothing_m = MAX_SMOOTHING_M.max(MAX_SMOOTHING_STEPS * step_m);
    let variance = FILTER_NOISE * math::powi(noise_m, 2) * step_m;
    let mut smoothing_m = math::powf(variance / math::powi(CLEAN_RADPM, 2), 0.2).min(max_smoothing_m);
    let smooth = loop {
        let smooth: Vec<f64> = (0..count).map(|index| line.smoothed_at(index, smoothing_m)).collect();
        if smoothing_m >= max_smoothing_m || line.usual_bend(&smooth) <= USUAL_RADPM {
            break smooth;
        }
        smoothing_m = (LARGER * smoothing_m).min(max_smoothing_m);
    };
    let largest_m = smooth.iter().zip(heights_m).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let changes = smooth.iter().zip(heights_m).map(|(a, b)| math::powi(a - b, 2)).sum::<f64>();
    let removed_m = (changes / count as f64).sqrt();
    let left_m = removed_m * (step_m / (2.0 * PI.sqrt() * smoothing_m)).sqrt().min(1.0);
    Some(Smoothed { heights_m: smooth, noise_m, smoothing_m, largest_m, left_m })
}

/// Heights at distances along a line, metres.
struct Line<'a> {
    distances: Vec<f64>,
    heights_m: &'a [f64],
    /// Length of the lap of a closed line.
    lap: Option<f64>,
}

impl Line<'_> {
    fn noise(&self) -> Option<f64> {
        let count = self.heights_m.len();
        let mut squares: Vec<f64> =
            (2..count - 2).filter_map(|index| self.misfit(index)).map(|misfit| misfit * misfit).collect();
        squares.sort_by(f64::total_cmp);
        squares.truncate((COUNTED * squares.len() as f64) as usize);
        let mean = squares.iter().sum::<f64>() / squares.len() as f64;
        (!squares.is_empty()).then(|| mean.sqrt() / TRIMMING)
    }

    /// Difference of a height from the cubic through its neighbours, divided by the norm of the weights.
    fn misfit(&self, index: usize) -> Option<f64> {
        let at = [index - 2, index - 1, index + 1, index + 2];
        let (mut predicted, mut squares) = (0.0, 1.0);
        for &k in &at {
            let factor =
                |&j: &usize| (self.distances[index] - self.distances[j]) / (self.distances[k] - self.distances[j]);
            let weight: f64 = at.iter().filter(|&&j| j != k).map(factor).product();
            predicted += weight * self.heights_m[k];
            squares += weight * weight;
        }
        let misfit = (predicted - self.heights_m[index]) / squares.sqrt();
        misfit.is_finite().then_some(misfit)
    }

    /// What [`USUAL_FRACTION`] of the points stay below, of a function of the heights and distances of three points
    /// in a row.
    fn usual_of(&self, heights_m: &[f64], of_three: impl Fn(&[f64], &[f64]) -> f64) -> f64 {
        let triples = heights_m.windows(3).zip(self.distances.windows(3));
        let mut values: Vec<f64> = triples.map(|(z, s)| of_three(z, s)).filter(|value| value.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        values.get((USUAL_FRACTION * values.len() as f64) as usize).copied().unwrap_or_default()
    }

    /// Usual vertical curvature, 1/m.
    fn usual_bend(&self, heights_m: &[f64]) -> f64 {
        self.usual_of(heights_m, |z, s| {
            let slopes = [(z[1] - z[0]) / (s[1] - s[0]), (z[2] - z[1]) / (s[2] - s[1])];
            2.0 * (slopes[1] - slopes[0]).abs() / (s[2] - s[0])
        })
    }

    /// Usual standard deviation of the vertical curvature for heights whose own is 1, 1/m²: √6/h² for points h
    /// apart.
    fn usual_bend_noise(&self) -> f64 {
        self.usual_of(self.heights_m, |_, s| {
            let [before, after] = [(s[1] - s[0]).recip(), (s[2] - s[1]).recip()];
            2.0 * math::hypot(math::hypot(before, after), before + after) / (s[2] - s[0])
        })
    }

    /// The local linear regression at a point, with Gaussian weights of standard deviation `sigma`, metres.
    fn smoothed_at(&self, index: usize, sigma: f64) -> f64 {
        let count = self.heights_m.len();
        let here = self.distances[index];
        let mut sums = [0.0; 5];
        let mut add = |k: usize, offset: f64| {
            let weight = math::exp(-0.5 * math::powi(offset / sigma, 2));
            let height = self.heights_m[k];
            for (sum, term) in sums.iter_mut().zip([1.0, offset, offset * offset, height, height * offset]) {
                *sum += weight * term;
            }
        };
        add(index, 0.0);
        for forward in [true, false] {
            for steps in 1..count {
                let k = if forward { index + steps } else { index + count - steps };
                let wraps = k >= count && forward || k < count && !forward;
                if wraps && self.lap.is_none() {
                    break;
                }
                let k = k % count;
                let lap = if wraps { self.lap.unwrap_or_default() } else { 0.0 };
                let offset = self.distances[k] - here + if forward { lap } else { -lap };
                if offset.abs() > REACH * sigma {
                    break;
                }
                add(k, offset);
            }
        }
        let [weight, first, second, height, product] = sums;
        let determinant = weight * second - first * first;
        if determinant > 1e-9 * weight * weight {
            (second * height - first * product) / determinant
        } else {
            height / weight
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::{Point, smoothed};

    const RADIUS_M: f64 = 600.0;

    /// A lap of points 12 m apart with a hill of 10 m, and noise.
    fn lap(noise: impl Fn(usize) -> f64) -> (Vec<Point>, Vec<f64>, Vec<f64>) {
        let count = (TAU * RADIUS_M / 12.0) as usize;
        let angle = |i: usize| TAU * i as f64 / count as f64;
        let points = (0..count).map(|i| Point::new(RADIUS_M * angle(i).cos(), RADIUS_M * angle(i).sin())).collect();
        let hill: Vec<f64> = (0..count).map(|i| 10.0 * angle(i).sin()).collect();
        let noisy = hill.iter().enumerate().map(|(i, height)| height + noise(i)).collect();
        (points, noisy, hill)
    }

    #[test]
    fn a_clean_hill_is_left_alone() {
        let (points, heights, _) = lap(|_| 0.0);
        assert!(smoothed(&points, &heights).is_none());
        assert!(smoothed(&points[..5], &heights[..5]).is_none());
    }

    #[test]
    fn noise_is_measured_and_removed() {
        // A uniform sequence of standard deviation 0.3 m.
        let noise = |i: usize| 0.3 * 12f64.sqrt() * ((i as f64 * 0.618_034).fract() - 0.5);
        let (points, heights, hill) = lap(noise);
        let found = smoothed(&points, &heights).unwrap();
        assert!((0.2..0.5).contains(&found.noise_m), "{}", found.noise_m);
        assert!((10.0..40.0).contains(&found.smoothing_m), "{}", found.smoothing_m);
        let worst = found.heights_m.iter().zip(&hill).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 0.25, "{worst}");
    }

    #[test]
    fn coarse_noise_is_smoothed_until_nine_tenths_bend_like_a_road() {
        // Steps that last for several points, as of a coarse model, escape the measure of noise.
        let steps =
            |i: usize| 1.5 * (((i / 4) as f64 * 0.618_034).fract() - 0.5) + 0.1 * ((i as f64 * 0.755).fract() - 0.5);
        let (points, heights, _) = lap(steps);
        let found = smoothed(&points, &heights).unwrap();
        let z = &found.heights_m;
        let mut bends: Vec<f64> = z.windows(3).map(|z| (z[2] - 2.0 * z[1] + z[0]).abs() / 144.0).collect();
        bends.sort_by(f64::total_cmp);
        let usual = bends[9 * bends.len() / 10];
        // One step less, a tenth, would not do.
        assert!((0.0007..=0.001_21).contains(&usual), "{usual} with {} m", found.smoothing_m);
    }

    #[test]
    fn heights_in_whole_metres_are_noisy() {
        let (points, heights, _) = lap(|_| 0.0);
        let rounded: Vec<f64> = heights.iter().map(|height| height.round()).collect();
        let found = smoothed(&points, &rounded).unwrap();
        let worst = found.heights_m.iter().zip(&heights).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 0.5, "{worst}");
    }
}
