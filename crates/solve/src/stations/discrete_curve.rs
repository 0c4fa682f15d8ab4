//! Curvature and length of the polyline through the stations, with first and second derivatives
//! with respect to the offsets.
//!
//! The point at station j is `P_j = O_j + n_j N_j`. With the chords `d₁ = P₁ - P₀`, `d₂ = P₂ - P₁`,
//! `d₃ = P₂ - P₀` of three points in a row, the curvature at the middle one is that of the circle
//! through all three (Menger),
//!
//! ```text
//! κ = 2 (d₁ × d₂) / (|d₁| |d₂| |d₃|)                                                         (1)
//! ```
//!
//! With the turn t = d₁ × d₂ and Λ = ln |d₁|² + ln |d₂|² + ln |d₃|² it is κ = 2 t exp(-Λ/2), so
//!
//! ```text
//! κ_i  = 2 e^(-Λ/2) (t_i - ½ t Λ_i)                                                          (2)
//! κ_ij = 2 e^(-Λ/2) (t_ij - ½ (t_i Λ_j + t_j Λ_i) - ½ t Λ_ij + ¼ t Λ_i Λ_j)                  (3)
//! ```
//!
//! and of a chord d from the point with the normal N to that with N',
//!
//! ```text
//! |d|_0 = -d·N / |d|      |d|_1 = d·N' / |d|      |d|_01 = (-N·N' - |d|_0 |d|_1) / |d|       (4)
//! ```
//!
//! Equation (1) is exact on circles, and of second order elsewhere where steps change slowly.
//! Curvature and chord length are functions of the offsets alone. No coordinates along a reference
//! line are needed, and nothing becomes singular.

use raceline_road::geometry::{Point, Vector, cross};

/// Curvature at the middle of three points, 1/m, with its derivatives with respect to their
/// offsets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Curvature {
    pub value: f64,
    pub gradient: [f64; 3],
    /// Symmetric.
    pub hessian: [[f64; 3]; 3],
}

/// Length of the chord between two points, m, with its derivatives with respect to their offsets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chord {
    pub length: f64,
    pub gradient: [f64; 2],
    /// Symmetric.
    pub hessian: [[f64; 2]; 2],
}

impl Curvature {
    /// At the middle of three points, each of which may move along its direction.
    pub fn at([p0, p1, p2]: [Point; 3], directions: [Vector; 3]) -> Self {
        Self::between([p1 - p0, p2 - p1], directions)
    }

    /// Between two successive chords, whose three points may each move along its direction.
    pub fn between([d1, d2]: [Vector; 2], [n0, n1, n2]: [Vector; 3]) -> Self {
        let d3 = d1 + d2;
        let turn = cross(d1, d2);
        let turn_gradient = [-cross(n0, d2), cross(n1, d3), cross(d1, n2)];
        let (t01, t02, t12) = (cross(n0, n1), -cross(n0, n2), cross(n1, n2));
        let turn_hessian = [[0.0, t01, t02], [t01, 0.0, t12], [t02, t12, 0.0]];
        // Derivatives of Λ.
        let mut log_gradient = [0.0; 3];
        let mut log_hessian = [[0.0; 3]; 3];
        for (chord, normals, places) in [(d1, [n0, n1], [0, 1]), (d2, [n1, n2], [1, 2]), (d3, [n0, n2], [0, 2])] {
            let square = chord.norm_squared();
            let gradient = [-2.0 * chord.dot(&normals[0]) / square, 2.0 * chord.dot(&normals[1]) / square];
            let mixed = -2.0 * normals[0].dot(&normals[1]) / square;
            let (a, b) = (places[0], places[1]);
            log_gradient[a] += gradient[0];
            log_gradient[b] += gradient[1];
            log_hessian[a][a] += 2.0 * normals[0].norm_squared() / square - gradient[0] * gradient[0];
            log_hessian[b][b] += 2.0 * normals[1].norm_squared() / square - gradient[1] * gradient[1];
            log_hessian[a][b] += mixed - gradient[0] * gradient[1];
            log_hessian[b][a] += mixed - gradient[0] * gradient[1];
        }
        let scale = 2.0 / (d1.norm() * d2.norm() * d3.norm());
        let mut curvature = Self { value: scale * turn, ..Self::default() }; // equation (1)
        // Equations (2) and (3).
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

/// Curvature between two successive chords, 1/m.
#[inline]
pub fn menger_curvature(before: Vector, after: Vector) -> f64 {
    // Equation (1).
    let squares = before.norm_squared() * after.norm_squared() * (before + after).norm_squared();
    2.0 * cross(before, after) / squares.sqrt()
}

impl Chord {
    /// Between two points, each of which may move along its direction.
    pub fn between(points: [Point; 2], directions: [Vector; 2]) -> Self {
        Self::of(points[1] - points[0], directions)
    }

    /// `chord`, whose two points may each move along its direction.
    pub fn of(chord: Vector, [n0, n1]: [Vector; 2]) -> Self {
        // Equation (4).
        let length = chord.norm();
        let gradient = [-chord.dot(&n0) / length, chord.dot(&n1) / length];
        let mixed = (-n0.dot(&n1) - gradient[0] * gradient[1]) / length;
        let hessian = [
            [(n0.norm_squared() - gradient[0] * gradient[0]) / length, mixed],
            [mixed, (n1.norm_squared() - gradient[1] * gradient[1]) / length],
        ];
        Self { length, gradient, hessian }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::{Chord, Curvature, menger_curvature};
    use raceline_road::geometry::{Point, Vector};

    #[test]
    fn three_points_of_a_circle_have_its_curvature() {
        for radius in [7.0, -40.0] {
            let on_circle = |place: f64| {
                let angle: f64 = place * 3.0 / radius;
                Point::new(radius * angle.sin(), radius - radius * angle.cos())
            };
            let points = [on_circle(-1.0), on_circle(0.0), on_circle(0.7)];
            assert!((Curvature::at(points, [Vector::y(); 3]).value - 1.0 / radius).abs() < 1e-12);
            assert!((menger_curvature(points[1] - points[0], points[2] - points[1]) - 1.0 / radius).abs() < 1e-12);
        }
    }

    #[test]
    fn derivatives_are_those_of_the_functions() {
        let origins = [Point::new(0.0, 0.0), Point::new(2.8, 0.4), Point::new(5.9, 1.5)];
        // Directions of different lengths, as with cross-sections.
        let directions = [Vector::new(-0.1, 1.0), Vector::new(-0.4, 1.7), Vector::new(-0.4, 0.8)];
        let moved = |offsets: [f64; 3]| std::array::from_fn(|i| origins[i] + directions[i] * offsets[i]);
        let curvature = |offsets: [f64; 3]| Curvature::at(moved(offsets), directions);
        let chord = |offsets: [f64; 3]| {
            let [a, b, _] = moved(offsets);
            Chord::between([a, b], [directions[0], directions[1]])
        };
        let (place, step) = ([0.3, -0.2, 0.4], 1e-5);
        let (exact, exact_chord) = (curvature(place), chord(place));
        for i in 0..3 {
            let aside = |sign: f64| {
                let mut place = place;
                place[i] += sign * step;
                place
            };
            let close = |after: f64, before: f64, slope: f64| {
                let difference = (after - before) / (2.0 * step);
                assert!((difference - slope).abs() < 1e-8, "{i}: {difference} {slope}");
            };
            let (after, before) = (curvature(aside(1.0)), curvature(aside(-1.0)));
            close(after.value, before.value, exact.gradient[i]);
            (0..3).for_each(|j| close(after.gradient[j], before.gradient[j], exact.hessian[i][j]));
            let (after, before) = (chord(aside(1.0)), chord(aside(-1.0)));
            if i < 2 {
                close(after.length, before.length, exact_chord.gradient[i]);
                (0..2).for_each(|j| close(after.gradient[j], before.gradient[j], exact_chord.hessian[i][j]));
            }
        }
    }

    #[test]
    fn derivatives_are_those_of_the_functions_at_random_places() {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(3);
        for number in 0..100 {
            let mut between = |low: f64, high: f64| low + (high - low) * random.random::<f64>();
            let points: [Point; 3] =
                std::array::from_fn(|i| Point::new(3.0 * i as f64 + between(-0.8, 0.8), between(-1.5, 1.5)));
            let directions: [Vector; 3] = std::array::from_fn(|_| Vector::new(between(-0.6, 0.6), between(0.4, 2.0)));
            let h = 1e-5;
            let moved = |k: usize, by: f64| {
                std::array::from_fn(|i| if i == k { points[i] + directions[i] * by } else { points[i] })
            };
            let curvature = |k: usize, by: f64| Curvature::at(moved(k, by), directions);
            let chord = |k: usize, by: f64| {
                let [a, b, _]: [Point; 3] = moved(k, by);
                Chord::between([a, b], [directions[0], directions[1]])
            };
            let (exact, exact_chord) = (curvature(0, 0.0), chord(0, 0.0));
            assert!((exact.value - menger_curvature(points[1] - points[0], points[2] - points[1])).abs() < 1e-14);
            let close = |after: f64, before: f64, slope: f64| {
                let difference = (after - before) / (2.0 * h);
                assert!((difference - slope).abs() < 1e-7 * (1.0 + slope.abs()), "{number}: {difference} {slope}");
            };
            for k in 0..3 {
                let (after, before) = (curvature(k, h), curvature(k, -h));
                close(after.value, before.value, exact.gradient[k]);
                (0..3).for_each(|j| close(after.gradient[j], before.gradient[j], exact.hessian[k][j]));
            }
            for k in 0..2 {
                let (after, before) = (chord(k, h), chord(k, -h));
                close(after.length, before.length, exact_chord.gradient[k]);
                (0..2).for_each(|j| close(after.gradient[j], before.gradient[j], exact_chord.hessian[k][j]));
            }
        }
    }

    /// The point at `s` of the curve whose heading at s is `heading`, by Simpson's rule with steps
    /// much finer than those of the test.
    fn point_at(s: f64, heading: impl Fn(f64) -> f64) -> Point {
        let (count, mut sum) = (400, Vector::zeros());
        let h = s / f64::from(count);
        for i in 0..=count {
            let weight = match i {
                _ if i == 0 || i == count => 1.0,
                _ if i % 2 == 1 => 4.0,
                _ => 2.0,
            };
            let heading = heading(f64::from(i) * h);
            sum += Vector::new(heading.cos(), heading.sin()) * (weight * h / 3.0);
        }
        Point::origin() + sum
    }

    /// Orders of the error of three points, whose second step is `ratio` times the first.
    fn orders(heading: fn(f64) -> f64, curvature: f64, ratio: f64) -> [f64; 2] {
        let error = |h: f64| {
            let [a, b, c] = [30.0 - h, 30.0, 30.0 + ratio * h].map(|s| point_at(s, heading));
            (menger_curvature(b - a, c - b) - curvature).abs()
        };
        let [coarse, fine, finest] = [4.0, 2.0, 1.0].map(error);
        [(coarse / fine).log2(), (fine / finest).log2()]
    }

    #[test]
    fn curvature_converges_with_second_order_and_on_clothoids_with_fourth() {
        // κ = s / 900, and κ = 0.001 s² / 30.
        let clothoid = |s: f64| s * s / 1800.0;
        let bent = |s: f64| 0.001 * s * s * s / 90.0;
        for (name, orders, expected) in [
            ("clothoid", orders(clothoid, 1.0 / 30.0, 1.0), 4.0),
            ("clothoid, uneven", orders(clothoid, 1.0 / 30.0, 1.5), 1.0),
            ("bent", orders(bent, 0.03, 1.0), 2.0),
        ] {
            assert!(orders.iter().all(|order| (order - expected).abs() < 0.15), "{name}: {orders:?}");
        }
    }
}
