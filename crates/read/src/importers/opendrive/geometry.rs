//! Pieces of a plan view: line, arc, clothoid and cubic polynomials (ASAM OpenDRIVE 1.8, section "Geometry").

use raceline_numerics::math;
use raceline_road::geometry::{Point, Vector};

/// A place with a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pose {
    pub position: Point,
    pub heading_rad: f64,
}

/// The shape of a piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Shape {
    Line,
    /// Curvature, 1/m.
    Arc(f64),
    /// Curvature at the start and at the end, 1/m, between which it is linear.
    Spiral(f64, f64),
    /// v as a polynomial of u.
    Poly3([f64; 4]),
    /// u and v as polynomials of the length, or of its fraction of the piece's length.
    ParamPoly3 {
        u: [f64; 4],
        v: [f64; 4],
        is_normalized: bool,
    },
}

/// A piece of a plan view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Piece {
    /// Distance of its start along the road, metres.
    pub s_m: f64,
    pub start: Pose,
    pub length_m: f64,
    pub shape: Shape,
}

/// Change of direction within a step of an integral, radians: five nodes of Gauss have then an error of 1e-13.
const STEP_RAD: f64 = 0.5;
/// Steps of an integral, at most.
const MAX_STEPS: f64 = 10_000.0;
/// Length of a step along a polynomial, metres.
const STEP_M: f64 = 0.25;
/// Nodes and weights of Gauss's quadrature with five nodes on [-1, 1] (Abramowitz and Stegun, table 25.4).
const NODES: [(f64, f64); 5] = [
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_08),
    (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
];

impl Piece {
    /// Largest change of direction of an arc or a clothoid, radians; 0 for other shapes.
    pub fn turn_rad(&self) -> f64 {
        match self.shape {
            Shape::Arc(curvature) => (curvature * self.length_m).abs(),
            Shape::Spiral(from, to) => from.abs().max(to.abs()) * self.length_m,
            Shape::Line | Shape::Poly3(_) | Shape::ParamPoly3 { .. } => 0.0,
        }
    }

    /// The places at these distances from the piece's start, which ascend.
    pub fn at(&self, distances: impl IntoIterator<Item = f64>) -> Vec<Pose> {
        // Place and direction about the start.
        let (mut u, mut along) = (0.0, 0.0);
        let local = |s: f64| match self.shape {
            Shape::Line => (Vector::new(s, 0.0), 0.0),
            Shape::Arc(curvature) => (along_clothoid(curvature, 0.0, s), curvature * s),
            Shape::Spiral(from, to) => {
                let rate = if self.length_m > 0.0 { (to - from) / self.length_m } else { 0.0 };
                (along_clothoid(from, rate, s), s * (from + rate * s / 2.0))
            }
            Shape::Poly3(v) => {
                // The length along the polynomial is that of the road.
                let count = ((s - along) / STEP_M).ceil().clamp(1.0, MAX_STEPS);
                let step = (s - along) / count;
                let rate = |u: f64| 1.0 / math::hypot(slope(v, u), 1.0);
                for _ in 0..count as usize {
                    let a = rate(u);
                    let b = rate(u + step * a / 2.0);
                    let c = rate(u + step * b / 2.0);
                    let d = rate(u + step * c);
                    u += step * (a + 2.0 * b + 2.0 * c + d) / 6.0;
                }
                along = s;
                (Vector::new(u, value(v, u)), math::atan(slope(v, u)))
            }
            Shape::ParamPoly3 { u, v, is_normalized } => {
                let p = if is_normalized && self.length_m > 0.0 { s / self.length_m } else { s };
                (Vector::new(value(u, p), value(v, p)), math::atan2(slope(v, p), slope(u, p)))
            }
        };
        let (sin, cos) = math::sin_cos(self.start.heading_rad);
        let mut local = local;
        let placed = distances.into_iter().map(|s| {
            let (offset, turn) = local(s);
            let turned = Vector::new(cos * offset.x - sin * offset.y, sin * offset.x + cos * offset.y);
            Pose { position: self.start.position + turned, heading_rad: self.start.heading_rad + turn }
        });
        placed.collect()
    }
}

/// The value of a polynomial with these coefficients, from the lowest power.
pub(super) fn value([a, b, c, d]: [f64; 4], x: f64) -> f64 {
    a + x * (b + x * (c + x * d))
}

fn slope([_, b, c, d]: [f64; 4], x: f64) -> f64 {
    b + x * (2.0 * c + x * 3.0 * d)
}

/// The place on a clothoid from the origin along x, whose curvature begins with `curvature` and grows by `rate`
/// per metre: the integral of (cos, sin) of its direction.
fn along_clothoid(curvature: f64, rate: f64, s: f64) -> Vector {
    if rate == 0.0 {
        let angle = curvature * s;
        // sin x / x and (1 - cos x) / x near 0.
        let half = angle / 2.0;
        let chord = if half.abs() < 1e-8 { s } else { s * math::sin(half) / half };
        return Vector::new(chord * math::cos(half), chord * math::sin(half));
    }
    let turn = s.abs() * curvature.abs().max((curvature + rate * s).abs());
    let count = (turn / STEP_RAD).ceil().clamp(1.0, MAX_STEPS);
    let half = s / count / 2.0;
    let mut sum = Vector::zeros();
    for step in 0..count as usize {
        let middle = half * (2.0 * step as f64 + 1.0);
        for (node, weight) in NODES {
            let t = middle + half * node;
            let (sin, cos) = math::sin_cos(t * (curvature + rate * t / 2.0));
            sum += Vector::new(cos, sin) * (weight * half);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, PI};

    use super::*;

    fn piece(shape: Shape, length_m: f64) -> Piece {
        Piece { s_m: 0.0, start: Pose { position: Point::origin(), heading_rad: 0.0 }, length_m, shape }
    }

    fn last(shape: Shape, length_m: f64) -> Pose {
        piece(shape, length_m).at([0.0, length_m / 3.0, length_m])[2]
    }

    fn assert_at(pose: Pose, x: f64, y: f64, heading_rad: f64, tolerance: f64) {
        let error = (pose.position - Point::new(x, y)).norm();
        assert!(error < tolerance && (pose.heading_rad - heading_rad).abs() < tolerance, "{pose:?}");
    }

    #[test]
    fn an_arc_is_a_circle() {
        assert_at(last(Shape::Arc(0.01), 50.0 * PI), 100.0, 100.0, FRAC_PI_2, 1e-9);
        assert_at(last(Shape::Arc(-0.01), 100.0 * PI), 0.0, -200.0, -PI, 1e-9);
        assert_at(last(Shape::Line, 7.0), 7.0, 0.0, 0.0, 1e-12);
        // A clothoid of constant curvature is an arc too.
        assert_at(last(Shape::Spiral(0.02, 0.02), 30.0), 50.0 * 0.6_f64.sin(), 50.0 * (1.0 - 0.6_f64.cos()), 0.6, 1e-9);
    }

    #[test]
    fn a_clothoid_has_the_integrals_of_fresnel() {
        // With the rate π the place at 1 is (C(1), S(1)), and at 2 (C(2), S(2)) (Abramowitz and Stegun, table 7.7).
        assert_at(last(Shape::Spiral(0.0, PI), 1.0), 0.779_893_400_4, 0.438_259_147_4, FRAC_PI_2, 1e-9);
        assert_at(last(Shape::Spiral(0.0, 2.0 * PI), 2.0), 0.488_253_406_1, 0.343_415_678_4, 2.0 * PI, 1e-9);
        // Backwards it is the same curve: the distance between its ends does not change.
        let (out, back) = (last(Shape::Spiral(0.0, 0.05), 80.0), last(Shape::Spiral(0.05, 0.0), 80.0));
        assert!((out.position.coords.norm() - back.position.coords.norm()).abs() < 1e-9);
    }

    #[test]
    fn a_polynomial_is_followed_by_its_length() {
        // v = u: a straight at 45 degrees, and v = u²/2, whose length to u is (u √(1 + u²) + asinh u)/2.
        let straight = last(Shape::Poly3([0.0, 1.0, 0.0, 0.0]), 10.0);
        assert_at(straight, 50f64.sqrt(), 50f64.sqrt(), PI / 4.0, 1e-9);
        let u: f64 = 2.0;
        let length = (u * u.hypot(1.0) + u.asinh()) / 2.0;
        assert_at(last(Shape::Poly3([0.0, 0.0, 0.5, 0.0]), length), 2.0, 2.0, 2f64.atan(), 1e-3);
    }

    #[test]
    fn both_ranges_of_a_parametric_cubic_give_the_same_curve() {
        // A quarter of a circle as a cubic of Bézier with the usual handle, which is 0.027 % off.
        let (radius, handle) = (100.0, 0.552_284_75);
        let u = [0.0, 3.0 * handle * radius, 3.0 * radius * (1.0 - 2.0 * handle), radius * (3.0 * handle - 2.0)];
        let v = [0.0, 0.0, 3.0 * radius * (1.0 - handle), radius * (3.0 * handle - 2.0)];
        let length_m = radius * FRAC_PI_2;
        let normalized = piece(Shape::ParamPoly3 { u, v, is_normalized: true }, length_m);
        let scaled = |k: [f64; 4]| [k[0], k[1] / length_m, k[2] / length_m.powi(2), k[3] / length_m.powi(3)];
        let of_length = piece(Shape::ParamPoly3 { u: scaled(u), v: scaled(v), is_normalized: false }, length_m);
        let distances = || (0..=40).map(|i| length_m * f64::from(i) / 40.0);
        for (one, other) in normalized.at(distances()).into_iter().zip(of_length.at(distances())) {
            assert!(
                (one.position - other.position).norm() < 1e-9 && (one.heading_rad - other.heading_rad).abs() < 1e-9
            );
            let from_centre = (one.position - Point::new(0.0, radius)).norm();
            assert!((from_centre - radius).abs() < 3e-4 * radius, "{from_centre}");
        }
        assert_at(last(Shape::ParamPoly3 { u, v, is_normalized: true }, length_m), 100.0, 100.0, FRAC_PI_2, 1e-9);
    }
}
