//! Smoothing of a contour within the uncertainty of the picture.
//!
//! In a picture without grey levels, a crossing is known to half a pixel. Within this tolerance,
//! the smoother curve is more likely. The contour is low-pass filtered by alternating a shrinking
//! step and a slightly stronger expanding step, which preserves long waves (G. Taubin, "A signal
//! processing approach to fair surface design", SIGGRAPH 1995, section 3). After each step, a point
//! that has moved farther than the tolerance is moved back to it. This removes staircases and
//! preserves corners.

use raceline_road::geometry::{Point, Vector};

/// Fraction of a point's bend that a shrinking step removes (λ in the paper).
const SHRINK: f64 = 0.5;

/// Pass band (k_PB in the paper), as an eigenvalue of the smoothing operator: waves longer than
/// about 30 points pass.
const PASS_BAND: f64 = 0.02;

/// Number of pairs of steps. More steps straighten longer stairs, of edges nearly along a row or
/// column, at linear cost.
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

/// Vector from each point to the straight piece between its neighbours, by inverse distance; zero
/// on a straight stretch, however unevenly its points are spaced.
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
