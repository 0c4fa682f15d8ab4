//! Curvature and length of the polyline through the stations, with their first and second derivatives by the offsets.
//!
//! The point at station j is `P_j = O_j + n_j N_j`. With the chords `d₁ = P₁ - P₀`, `d₂ = P₂ - P₁`, `d₃ = P₂ - P₀` of three points in a
//! row, the curvature at the middle one is that of the circle through all three (Menger),
//!
//! ```text
//! κ = 2 (d₁ × d₂) / (|d₁| |d₂| |d₃|)
//! ```
//!
//! which is exact on circles and of second order elsewhere where steps change slowly. Both it and the chord's length are
//! functions of the offsets alone, so no coordinates along a reference line are needed, and none become singular.

use crate::geometry::{Vector, cross};
use crate::solve::stations::Station;

/// Curvature at the middle of three points, 1/m, with its derivatives by their offsets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Curvature {
    pub value: f64,
    pub gradient: [f64; 3],
    /// Symmetric.
    pub hessian: [[f64; 3]; 3],
}

/// Length of the chord between two points, m, with its derivatives by their offsets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chord {
    pub length: f64,
    pub gradient: [f64; 2],
    /// Symmetric.
    pub hessian: [[f64; 2]; 2],
}

impl Curvature {
    /// At the middle one of three stations with the given offsets.
    pub fn at(stations: [&Station; 3], offsets: [f64; 3]) -> Self {
        let [p0, p1, p2] = std::array::from_fn(|i| stations[i].point(offsets[i]));
        let [n0, n1, n2] = stations.map(|station| station.normal);
        let (d1, d2, d3) = (p1 - p0, p2 - p1, p2 - p0);
        let turn = cross(d1, d2);
        let turn_gradient = [-cross(n0, d2), cross(n1, d3), cross(d1, n2)];
        let (t01, t02, t12) = (cross(n0, n1), -cross(n0, n2), cross(n1, n2));
        let turn_hessian = [[0.0, t01, t02], [t01, 0.0, t12], [t02, t12, 0.0]];
        // L = ln |d₁|² + ln |d₂|² + ln |d₃|², so that κ = 2 turn exp(-L/2).
        let mut log_gradient = [0.0; 3];
        let mut log_hessian = [[0.0; 3]; 3];
        for (chord, normals, places) in [(d1, [n0, n1], [0, 1]), (d2, [n1, n2], [1, 2]), (d3, [n0, n2], [0, 2])] {
            let square = chord.norm_squared();
            let gradient = [-2.0 * chord.dot(&normals[0]) / square, 2.0 * chord.dot(&normals[1]) / square];
            let mixed = -2.0 * normals[0].dot(&normals[1]) / square;
            let (a, b) = (places[0], places[1]);
            log_gradient[a] += gradient[0];
            log_gradient[b] += gradient[1];
            log_hessian[a][a] += 2.0 / square - gradient[0] * gradient[0];
            log_hessian[b][b] += 2.0 / square - gradient[1] * gradient[1];
            log_hessian[a][b] += mixed - gradient[0] * gradient[1];
            log_hessian[b][a] += mixed - gradient[0] * gradient[1];
        }
        let scale = 2.0 / (d1.norm() * d2.norm() * d3.norm());
        let mut curvature = Self { value: scale * turn, ..Self::default() };
        for i in 0..3 {
            curvature.gradient[i] = scale * (turn_gradient[i] - 0.5 * turn * log_gradient[i]);
            for j in 0..3 {
                curvature.hessian[i][j] = scale
                    * (turn_hessian[i][j]
                        - 0.5 * (turn_gradient[i] * log_gradient[j] + turn_gradient[j] * log_gradient[i])
                        - 0.5 * turn * log_hessian[i][j]
                        + 0.25 * turn * log_gradient[i] * log_gradient[j]);
            }
        }
        curvature
    }
}

/// Curvature between two chords in a row, 1/m.
#[inline]
pub fn menger_curvature(before: Vector, after: Vector) -> f64 {
    let squares = before.norm_squared() * after.norm_squared() * (before + after).norm_squared();
    2.0 * cross(before, after) / squares.sqrt()
}

impl Chord {
    /// Between two stations with the given offsets.
    pub fn between(stations: [&Station; 2], offsets: [f64; 2]) -> Self {
        let chord = stations[1].point(offsets[1]) - stations[0].point(offsets[0]);
        let [n0, n1] = stations.map(|station| station.normal);
        let length = chord.norm();
        let gradient = [-chord.dot(&n0) / length, chord.dot(&n1) / length];
        let mixed = (-n0.dot(&n1) - gradient[0] * gradient[1]) / length;
        let hessian =
            [[(1.0 - gradient[0] * gradient[0]) / length, mixed], [mixed, (1.0 - gradient[1] * gradient[1]) / length]];
        Self { length, gradient, hessian }
    }
}

#[cfg(test)]
mod tests {
    use super::{Chord, Curvature};
    use crate::geometry::{Point, Vector};
    use crate::solve::stations::Station;

    fn station(x: f64, y: f64, heading: f64) -> Station {
        let normal = Vector::new(-heading.sin(), heading.cos());
        Station { origin: Point::new(x, y), normal, low: -5.0, high: 5.0, curvature: 0.0, step: 3.0, grip: 1.0 }
    }

    #[test]
    fn three_points_of_a_circle_have_its_curvature() {
        for radius in [7.0, -40.0] {
            let on_circle = |angle: f64| {
                let angle: f64 = angle * 3.0 / radius;
                station(radius * angle.sin(), radius - radius * angle.cos(), angle)
            };
            let stations = [on_circle(-1.0), on_circle(0.0), on_circle(0.7)];
            let curvature = Curvature::at([&stations[0], &stations[1], &stations[2]], [0.0; 3]);
            assert!((curvature.value - 1.0 / radius).abs() < 1e-12);
            // Two metres further in.
            let curvature = Curvature::at([&stations[0], &stations[1], &stations[2]], [2.0; 3]);
            assert!((curvature.value - 1.0 / (radius - 2.0)).abs() < 1e-12);
        }
    }

    #[test]
    fn derivatives_are_those_of_the_functions() {
        let stations = [station(0.0, 0.0, 0.1), station(2.8, 0.4, 0.25), station(5.9, 1.5, 0.5)];
        let [a, b, c] = &stations;
        let at = |offsets: [f64; 3]| Curvature::at([a, b, c], offsets);
        let chord_at = |offsets: [f64; 2]| Chord::between([a, b], offsets);
        let (point, step) = ([0.3, -0.2, 0.4], 1e-5);
        let exact = at(point);
        let exact_chord = chord_at([point[0], point[1]]);
        for i in 0..3 {
            let moved = |sign: f64| {
                let mut point = point;
                point[i] += sign * step;
                point
            };
            let (after, before) = (at(moved(1.0)), at(moved(-1.0)));
            assert!(((after.value - before.value) / (2.0 * step) - exact.gradient[i]).abs() < 1e-8);
            for j in 0..3 {
                let slope = (after.gradient[j] - before.gradient[j]) / (2.0 * step);
                assert!((slope - exact.hessian[i][j]).abs() < 1e-8, "{i} {j}");
            }
            if i == 2 {
                continue;
            }
            let short = |offsets: [f64; 3]| chord_at([offsets[0], offsets[1]]);
            let (after, before) = (short(moved(1.0)), short(moved(-1.0)));
            assert!(((after.length - before.length) / (2.0 * step) - exact_chord.gradient[i]).abs() < 1e-8);
            for j in 0..2 {
                let slope = (after.gradient[j] - before.gradient[j]) / (2.0 * step);
                assert!((slope - exact_chord.hessian[i][j]).abs() < 1e-8, "{i} {j}");
            }
        }
    }
}
