//! A polygon with radii → a smooth line of a specified length.
//!
//! A corner of angle θ and radius r begins r tan(θ/2) before the vertex and is r θ long, so the
//! rounded polygon is shorter than the polygon by `Σ r (2 tan(θ/2) - θ)`. With radii in metres and a
//! polygon of perimeter p that is to be scaled, the scale for a length L is
//! `(L + Σ r (2 tan(θ/2) - θ))/p`. Radii that do not fit between their neighbours are lowered.
//!
//! The arcs meet the straights with a jump of curvature. A Gaussian along the line turns it into a
//! ramp, as the transition curves of roads do.

use super::corners::Corners;
use super::road::CentreLine;
use super::size::Size;
use raceline_numerics::math;
use raceline_road::geometry::{Point, SplineCurve, Vector};

/// Minimum radius of a corner, in widths of the road: half the width counts for 0.75 in it.
pub(super) const MIN_RADIUS_WIDTHS: f64 = 2.0 / 3.0;
/// Distance between the points of a line, in widths of the road.
const STEP_WIDTHS: f64 = 0.25;
/// Standard deviation of the Gaussian, in widths. It raises the curvature of the tightest arcs by
/// exp(σ²/2r²), 4 %.
const TRANSITION_WIDTHS: f64 = 0.19;
/// Rounds in which radii are lowered.
const FITTING_ROUNDS: usize = 60;

/// The smooth line; `None` for a polygon whose corners are too close together or too sharp.
pub(super) fn rounded(mut corners: Corners, size: Size) -> Option<CentreLine> {
    let Size { length_m, width_m, .. } = size;
    let scale = fit(&mut corners, length_m, MIN_RADIUS_WIDTHS * width_m)?;
    let count = ((length_m / (STEP_WIDTHS * width_m)).round() as usize).max(16);
    let gaps = if corners.closed { count } else { count - 1 };
    let step_m = length_m / gaps as f64;
    let points = points_along(&corners, scale, step_m, count);
    let smooth = smoothed(&points, corners.closed, TRANSITION_WIDTHS * width_m / step_m);
    let length = SplineCurve::through(&smooth, corners.closed)?.length();
    let points: Vec<Point> = smooth.iter().map(|p| p * (length_m / length)).collect();
    Some(CentreLine { curve: SplineCurve::through(&points, corners.closed)?, points })
}

/// Lowers the radii until they fit, and returns the scale of the polygon.
fn fit(corners: &mut Corners, length_m: f64, min_m: f64) -> Option<f64> {
    let n = corners.points.len();
    let sides = if corners.closed { n } else { n.checked_sub(1)? };
    let lengths: Vec<f64> = (0..sides).map(|i| (corners.points[(i + 1) % n] - corners.points[i]).norm()).collect();
    let angles: Vec<f64> = (0..n).map(|i| corners.turn(i).abs()).collect();
    if angles.iter().any(|&angle| angle > 2.9) || lengths.iter().any(|&length| length <= 0.0) {
        return None;
    }
    let perimeter: f64 = lengths.iter().sum();
    let tangents: Vec<f64> = angles.iter().map(|angle| math::tan(angle / 2.0)).collect();
    for _ in 0..FITTING_ROUNDS {
        let radii = &mut corners.radii_m;
        let cut: f64 = (0..n).map(|i| radii[i] * (2.0 * tangents[i] - angles[i])).sum();
        let scale = (length_m + cut) / perimeter;
        let mut factors = vec![1.0_f64; n];
        for (i, side) in lengths.iter().enumerate() {
            let j = (i + 1) % n;
            let fraction = scale * side / (radii[i] * tangents[i] + radii[j] * tangents[j]).max(1e-12);
            for k in [i, j] {
                factors[k] = factors[k].min(fraction);
            }
        }
        if factors.iter().all(|&factor| factor >= 1.0) {
            let fits = (0..n).all(|i| angles[i] < 1e-3 || radii[i] >= min_m);
            return fits.then_some(scale);
        }
        for (radius, factor) in radii.iter_mut().zip(factors) {
            // A little less than what fits: the scale falls with the radii.
            *radius *= if factor < 1.0 { 0.995 * factor } else { 1.0 };
        }
    }
    None
}

/// `count` points that are `step_m` apart along the straights and arcs.
fn points_along(corners: &Corners, scale: f64, step_m: f64, count: usize) -> Vec<Point> {
    let n = corners.points.len();
    let vertex = |i: usize| corners.points[i % n] * scale;
    let mut points = Vec::with_capacity(count);
    let mut begun_m = 0.0;
    // A closed line begins where the arc of its last corner ends.
    let mut at = if corners.closed { exit(corners, scale, n - 1) } else { vertex(0) };
    let order = if corners.closed { 0..n } else { 1..n };
    for i in order {
        let (angle, radius) = (corners.turn(i), corners.radii_m[i]);
        let reach = radius * math::tan(angle.abs() / 2.0);
        let toward = vertex(i) - at;
        let straight = (toward.norm() - reach).max(0.0);
        let along = toward.try_normalize(0.0).unwrap_or_else(Vector::x);
        while points.len() < count && points.len() as f64 * step_m < begun_m + straight {
            points.push(at + along * (points.len() as f64 * step_m - begun_m));
        }
        begun_m += straight;
        let entry = at + along * straight;
        let arc = radius * angle.abs();
        while points.len() < count && points.len() as f64 * step_m < begun_m + arc {
            let turned = (points.len() as f64 * step_m - begun_m) / radius;
            let across = Vector::new(-along.y, along.x) * angle.signum();
            points.push(entry + along * (radius * math::sin(turned)) + across * (radius * (1.0 - math::cos(turned))));
        }
        begun_m += arc;
        at = if arc > 0.0 { exit(corners, scale, i) } else { vertex(i) };
    }
    // Rounding may leave the last point out.
    if points.len() < count {
        points.push(at);
    }
    points
}

/// Where the arc of corner `i` ends.
fn exit(corners: &Corners, scale: f64, i: usize) -> Point {
    let n = corners.points.len();
    let here = corners.points[i] * scale;
    let ahead = corners.points[(i + 1) % n] * scale - here;
    here + ahead.normalize() * (corners.radii_m[i] * math::tan(corners.turn(i).abs() / 2.0))
}

/// The points convolved with a Gaussian of `deviation` steps; an open line goes on straight beyond
/// its ends.
fn smoothed(points: &[Point], closed: bool, deviation: f64) -> Vec<Point> {
    let n = points.len() as isize;
    let reach = (4.0 * deviation).ceil() as isize;
    let weights: Vec<f64> = (-reach..=reach).map(|k| math::exp(-0.5 * math::powi(k as f64 / deviation, 2))).collect();
    let total: f64 = weights.iter().sum();
    let at = |i: isize| -> Vector {
        if closed {
            return points[i.rem_euclid(n) as usize].coords;
        }
        let (first, last) = (points[0], points[points.len() - 1]);
        if i < 0 {
            (first + (points[1] - first) * i as f64).coords
        } else if i >= n {
            (last + (last - points[points.len() - 2]) * (i - n + 1) as f64).coords
        } else {
            points[i as usize].coords
        }
    };
    (0..n)
        .map(|i| {
            let sum: Vector = weights.iter().zip(-reach..).map(|(&weight, k)| at(i + k) * weight).sum();
            Point::from(sum / total)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square with arcs of 3 m, as a closed form: 4 (a - 2·3) + 2π·3 long.
    #[test]
    fn a_square_has_the_length_and_the_radius() {
        let points = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| Point::new(x, y)).to_vec();
        let mut corners = Corners { closed: true, points, radii_m: vec![3.0; 4] };
        let scale = fit(&mut corners, 100.0, 1.0).unwrap();
        let expected = (100.0 - std::f64::consts::TAU * 3.0 + 24.0) / 4.0;
        assert!((scale - expected).abs() < 1e-12, "{scale} {expected}");
        let size = Size { length_m: 100.0, width_m: 2.0, tameness: 0.0 };
        let line = rounded(corners, size).unwrap();
        assert!((line.curve.length() - 100.0).abs() < 1e-3, "{}", line.curve.length());
        let max = line.points.len() as f64;
        let sharpest = line.curve.evenly(max as usize).iter().map(|p| p.curvature().abs()).fold(0.0, f64::max);
        assert!((sharpest - 1.0 / 3.0).abs() < 0.02, "{sharpest}");
    }

    #[test]
    fn radii_that_do_not_fit_are_lowered_and_too_small_ones_refused() {
        let points = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)].map(|(x, y)| Point::new(x, y)).to_vec();
        let mut corners = Corners { closed: true, points, radii_m: vec![1e3; 4] };
        let scale = fit(&mut corners.clone(), 100.0, 1.0).unwrap();
        // The short sides become half circles of diameter d: 2 d + π d = 100.
        let diameter = 100.0 / (2.0 + std::f64::consts::PI);
        assert!((scale - diameter).abs() < 0.02 * diameter, "{scale} {diameter}");
        assert!(fit(&mut corners, 100.0, 20.0).is_none());
    }
}
