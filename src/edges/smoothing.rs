//! Smoothing of a contour within what the picture leaves open.
//!
//! In a picture without grey levels a crossing is known to half a pixel. Within it the smoother curve is the likelier one.
//! The contour is low-pass filtered by alternating a shrinking and a slightly stronger swelling step, which leaves long waves as
//! they are (G. Taubin, "A signal processing approach to fair surface design", SIGGRAPH 1995, section 3), and
//! after each step a point that has gone farther than the tolerance is drawn back to it. So staircases go and
//! corners stay.

use crate::geometry::{Point, Vector};

/// Share of a point's bend that a shrinking step takes away (λ in the paper).
const SHRINK: f64 = 0.5;

/// Bends below this share, as eigenvalues of the smoothing operator, pass (k_PB in the paper): waves longer than some 30 points.
const PASS_BAND: f64 = 0.02;

/// Pairs of steps. More straighten longer stairs, of edges nearly along a row or column, at linear cost.
const ROUNDS: usize = 60;

/// Smooths a closed contour; no point moves farther than `tolerance`.
pub(super) fn smoothed(contour: &[Point], tolerance: f64) -> Vec<Point> {
    let swell = 1.0 / (PASS_BAND - 1.0 / SHRINK);
    let mut points = contour.to_vec();
    let mut steps = vec![Vector::zeros(); points.len()];
    for _ in 0..ROUNDS {
        for factor in [SHRINK, swell] {
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
