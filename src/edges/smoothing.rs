//! Smoothing of a contour within what the picture leaves open.
//!
//! A crossing is known to some tolerance: half a pixel in a picture without grey levels, a tenth in an anti-aliased one.
//! Within it the smoother curve is the likelier one. The contour is low-pass filtered by alternating a shrinking and a
//! slightly stronger swelling step, which leaves long waves as they are (G. Taubin, "A signal processing approach to
//! fair surface design", SIGGRAPH 1995, section 3), and after each step a point that has gone farther than the
//! tolerance is drawn back to it. So staircases and jitter go, and corners stay.

use crate::geometry::{Point, Vector};

fn env(k: &str, d: f64) -> f64 { std::env::var(k).ok().and_then(|v| v.parse().ok()).unwrap_or(d) }

/// Smooths a closed contour; no point moves farther than `tolerance`.
pub(super) fn smoothed(contour: &[Point], tolerance: f64) -> Vec<Point> {
    let lambda = 0.5;
    let mu = 1.0 / (env("KPB", 0.05) - 1.0 / lambda);
    let rounds = env("ROUNDS", 30.0) as usize;
    let tolerance = tolerance * env("TOL", 1.0);
    let mut points = contour.to_vec();
    let mut steps = vec![Vector::zeros(); points.len()];
    for _ in 0..rounds {
        for factor in [lambda, mu] {
            bends(&points, &mut steps);
            for ((point, &step), &original) in points.iter_mut().zip(&steps).zip(contour) {
                let away = *point + step * factor - original;
                let distance = away.norm();
                *point = original + if distance > tolerance { away * (tolerance / distance) } else { away };
            }
        }
    }
    points
}

/// From each point to where the straight piece between its neighbours passes it, by inverse distance; zero on a straight
/// stretch however unevenly its points lie.
fn bends(points: &[Point], steps: &mut [Vector]) {
    let n = points.len();
    let mut before = points[n - 1] - points[0];
    for i in 0..n {
        let after = points[if i + 1 == n { 0 } else { i + 1 }] - points[i];
        let (a, b) = (before.norm(), after.norm());
        steps[i] = if a + b > 0.0 { (before * b + after * a) / (a + b) } else { Vector::zeros() };
        before = -after;
    }
}
