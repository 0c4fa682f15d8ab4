//! Time and limits of one interval between two stations, with first and second derivatives.
//!
//! Over an interval of length d the acceleration is constant, so with w = v² at its ends
//!
//! ```text
//! a = (w₂ - w₁) / 2d          time = 2d / (√w₁ + √w₂)
//! ```
//!
//! and the limits are evaluated in the middle of the interval, w = (w₁ + w₂)/2 and κ = (κ₁ + κ₂)/2:
//!
//! ```text
//! tyres   |κ w / (μ A_y(w))|^p + |(a + r(w)) / (μ A_x(w))|^p ≤ 1
//! drive   a + r(w) ≤ drive(w)
//! ```
//!
//! r is the deceleration by drag and rolling resistance, μ the local grip. The midpoint rule is of
//! second order.

use crate::vehicle::{GgDiagram, Jet, STANDARD_GRAVITY};

/// Arguments of an interval's functions, in this order: curvature at its two ends, length, w at its
/// two ends.
pub const ARGUMENTS: usize = 5;

/// Derivatives of a function of an interval with respect to the [`ARGUMENTS`].
#[derive(Clone, Copy, Debug, Default)]
pub struct IntervalDerivatives {
    pub gradient: [f64; ARGUMENTS],
    /// Symmetric.
    pub hessian: [[f64; ARGUMENTS]; ARGUMENTS],
}

/// The arguments of an interval's functions.
#[derive(Clone, Copy, Debug)]
pub struct Arguments {
    pub curvature: [f64; 2],
    pub length: f64,
    pub speed_squared: [f64; 2],
    pub grip: f64,
}

/// Below this fraction of the lateral or longitudinal limit, |x|^p is smoothed for exponents other
/// than 2, so that second derivatives exist.
const ROUNDED_SHARE: f64 = 0.02;

/// |x|^p, smoothed near zero, with its derivatives.
#[derive(Clone, Copy, Debug)]
pub struct Power {
    exponent: f64,
}

impl Power {
    pub fn new(exponent: f64) -> Self {
        Self { exponent }
    }

    #[inline]
    fn value(self, x: f64) -> f64 {
        if self.exponent == 2.0 {
            return x * x;
        }
        let square = x * x + ROUNDED_SHARE * ROUNDED_SHARE;
        square.powf(0.5 * self.exponent) - ROUNDED_SHARE.powf(self.exponent)
    }

    #[inline]
    fn jet(self, x: f64) -> Jet {
        if self.exponent == 2.0 {
            return Jet { value: x * x, slope: 2.0 * x, bend: 2.0 };
        }
        let p = self.exponent;
        let rounding = ROUNDED_SHARE * ROUNDED_SHARE;
        let square = x * x + rounding;
        let power = square.powf(0.5 * p - 2.0);
        Jet {
            value: power * square * square - ROUNDED_SHARE.powf(p),
            slope: p * x * power * square,
            bend: p * power * ((p - 1.0) * x * x + rounding),
        }
    }
}

impl Arguments {
    /// Acceleration along the line, m/s².
    #[inline]
    fn acceleration(&self) -> f64 {
        (self.speed_squared[1] - self.speed_squared[0]) / (2.0 * self.length)
    }

    #[inline]
    fn middle(&self) -> (f64, f64) {
        (0.5 * (self.curvature[0] + self.curvature[1]), 0.5 * (self.speed_squared[0] + self.speed_squared[1]))
    }

    /// Travel time, s.
    #[inline]
    pub fn time(&self) -> f64 {
        2.0 * self.length / (self.speed_squared[0].sqrt() + self.speed_squared[1].sqrt())
    }

    /// Tyre and drive limits as functions that must not exceed zero.
    #[inline]
    pub fn limits(&self, diagram: &GgDiagram, power: Power) -> [f64; 2] {
        let (curvature, w) = self.middle();
        let needed = self.acceleration() + diagram.resistance_jet(w).value;
        let lateral = curvature * w / (self.grip * diagram.lateral_limit_jet(w).value);
        let longitudinal = needed / (self.grip * diagram.longitudinal_limit_jet(w).value);
        let tyres = power.value(lateral) + power.value(longitudinal) - 1.0;
        [tyres, (needed - diagram.drive_jet(w).value) / STANDARD_GRAVITY]
    }

    /// Derivatives of [`Self::time`].
    pub fn time_derivatives(&self) -> IntervalDerivatives {
        let [w1, w2] = self.speed_squared;
        let (v1, v2) = (w1.sqrt(), w2.sqrt());
        let sum = v1 + v2;
        let (square, cube) = (sum * sum, sum * sum * sum);
        let gradient = [0.0, 0.0, 2.0 / sum, -self.length / (square * v1), -self.length / (square * v2)];
        let mut time = IntervalDerivatives { gradient, ..IntervalDerivatives::default() };
        for (i, v, w) in [(3, v1, w1), (4, v2, w2)] {
            time.set(2, i, -1.0 / (square * v));
            time.hessian[i][i] = self.length * (1.0 / (cube * w) + 0.5 / (square * v * w));
        }
        time.set(3, 4, self.length / (cube * v1 * v2));
        time
    }

    /// Derivatives of [`Self::limits`].
    pub fn limit_derivatives(&self, diagram: &GgDiagram, power: Power) -> [IntervalDerivatives; 2] {
        let (curvature, w) = self.middle();
        let acceleration = self.acceleration();
        let resistance = diagram.resistance_jet(w);
        let drive = diagram.drive_jet(w);
        let needed = acceleration + resistance.value;
        let per_lateral = reciprocal(diagram.lateral_limit_jet(w), self.grip);
        let per_longitudinal = reciprocal(diagram.longitudinal_limit_jet(w), self.grip);
        // Lateral use x = κ q(w), longitudinal use y = (a + r(w)) / (μ A_x(w)), with derivatives
        // with respect to (κ, w, a).
        let q = w * per_lateral.value;
        let q_slope = per_lateral.value + w * per_lateral.slope;
        let q_bend = 2.0 * per_lateral.slope + w * per_lateral.bend;
        let x = curvature * q;
        let x_gradient = [q, curvature * q_slope, 0.0];
        let y = needed * per_longitudinal.value;
        let y_gradient =
            [0.0, resistance.slope * per_longitudinal.value + needed * per_longitudinal.slope, per_longitudinal.value];
        let y_bend = resistance.bend * per_longitudinal.value
            + 2.0 * resistance.slope * per_longitudinal.slope
            + needed * per_longitudinal.bend;
        let (px, py) = (power.jet(x), power.jet(y));
        let mut tyres = MiddleDerivatives::default();
        for i in 0..3 {
            tyres.gradient[i] = px.slope * x_gradient[i] + py.slope * y_gradient[i];
            for j in 0..3 {
                tyres.hessian[i][j] = px.bend * x_gradient[i] * x_gradient[j] + py.bend * y_gradient[i] * y_gradient[j];
            }
        }
        tyres.hessian[0][1] += px.slope * q_slope;
        tyres.hessian[1][0] += px.slope * q_slope;
        tyres.hessian[1][1] += px.slope * curvature * q_bend + py.slope * y_bend;
        tyres.hessian[1][2] += py.slope * per_longitudinal.slope;
        tyres.hessian[2][1] += py.slope * per_longitudinal.slope;
        let mut engine = MiddleDerivatives {
            gradient: [0.0, (resistance.slope - drive.slope) / STANDARD_GRAVITY, 1.0 / STANDARD_GRAVITY],
            ..MiddleDerivatives::default()
        };
        engine.hessian[1][1] = (resistance.bend - drive.bend) / STANDARD_GRAVITY;
        [tyres.by_arguments(self.length, acceleration), engine.by_arguments(self.length, acceleration)]
    }
}

impl IntervalDerivatives {
    fn set(&mut self, i: usize, j: usize, value: f64) {
        self.hessian[i][j] = value;
        self.hessian[j][i] = value;
    }
}

/// Derivatives of a function of κ, w and a in the middle of an interval.
#[derive(Clone, Copy, Debug, Default)]
struct MiddleDerivatives {
    gradient: [f64; 3],
    hessian: [[f64; 3]; 3],
}

impl MiddleDerivatives {
    /// The same function in terms of the interval's arguments, by the chain rule.
    fn by_arguments(&self, length: f64, acceleration: f64) -> IntervalDerivatives {
        let per_length = 0.5 / length;
        let [by_curvature, by_speed, by_acceleration] = self.gradient;
        let mut function = IntervalDerivatives {
            gradient: [
                0.5 * by_curvature,
                0.5 * by_curvature,
                -by_acceleration * acceleration / length,
                0.5 * by_speed - by_acceleration * per_length,
                0.5 * by_speed + by_acceleration * per_length,
            ],
            ..IntervalDerivatives::default()
        };
        // Derivatives of (κ, w, a) with respect to the arguments.
        let rows = [
            [0.5, 0.5, 0.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 0.5, 0.5],
            [0.0, 0.0, -acceleration / length, -per_length, per_length],
        ];
        let mut product = [[0.0; ARGUMENTS]; 3];
        for (target, hessian) in product.iter_mut().zip(&self.hessian) {
            for (row, factor) in rows.iter().zip(hessian) {
                for (entry, value) in target.iter_mut().zip(row) {
                    *entry += factor * value;
                }
            }
        }
        for (i, target) in function.hessian.iter_mut().enumerate() {
            for (row, product) in rows.iter().zip(&product) {
                for (entry, value) in target.iter_mut().zip(product) {
                    *entry += row[i] * value;
                }
            }
        }
        let by_length = by_acceleration / length;
        function.hessian[2][2] += 2.0 * by_length * acceleration / length;
        for (j, sign) in [(3, 1.0), (4, -1.0)] {
            function.hessian[2][j] += sign * by_length * per_length;
            function.hessian[j][2] += sign * by_length * per_length;
        }
        function
    }
}

/// 1 / (factor · jet).
#[inline]
fn reciprocal(jet: Jet, factor: f64) -> Jet {
    let inverse = 1.0 / jet.value;
    let slope = -jet.slope * inverse * inverse;
    let bend = (2.0 * jet.slope * jet.slope * inverse - jet.bend) * inverse * inverse;
    let factor = 1.0 / factor;
    Jet { value: inverse * factor, slope: slope * factor, bend: bend * factor }
}

#[cfg(test)]
mod tests {
    use super::{ARGUMENTS, Arguments, IntervalDerivatives, Power};
    use crate::vehicle::{GgDiagram, Vehicle, preset};

    fn at(values: [f64; ARGUMENTS]) -> Arguments {
        let [k1, k2, length, w1, w2] = values;
        Arguments { curvature: [k1, k2], length, speed_squared: [w1, w2], grip: 0.9 }
    }

    /// Compares finite differences of the value with the gradient, and of the gradient with the
    /// second derivatives.
    fn check(
        point: [f64; ARGUMENTS],
        value: impl Fn(Arguments) -> f64,
        derivatives: impl Fn(Arguments) -> IntervalDerivatives,
    ) {
        let exact = derivatives(at(point));
        // About a millionth of a typical argument.
        let steps = [1e-7, 1e-7, 1e-5, 1e-3, 1e-3];
        let scale = [0.05, 0.05, 3.0, 600.0, 600.0];
        for i in 0..ARGUMENTS {
            let moved = |sign: f64| {
                let mut point = point;
                point[i] += sign * steps[i];
                at(point)
            };
            let slope = (value(moved(1.0)) - value(moved(-1.0))) / (2.0 * steps[i]);
            assert!((slope - exact.gradient[i]).abs() * scale[i] < 1e-6, "gradient {i}: {slope} {}", exact.gradient[i]);
            let (after, before) = (derivatives(moved(1.0)), derivatives(moved(-1.0)));
            for j in 0..ARGUMENTS {
                let slope = (after.gradient[j] - before.gradient[j]) / (2.0 * steps[i]);
                let error = (slope - exact.hessian[i][j]).abs() * scale[i] * scale[j];
                assert!(error < 1e-5, "second derivative {i} {j}: {slope} {}", exact.hessian[i][j]);
            }
        }
    }

    #[test]
    fn derivatives_are_those_of_the_functions() {
        let gt = preset("gt").unwrap();
        let vehicles = [1.0, 1.5, 2.0, 4.0].map(|ellipse_exponent| Vehicle { ellipse_exponent, ..gt.clone() });
        let points =
            [[0.03, 0.04, 2.5, 400.0, 430.0], [-0.02, -0.01, 3.0, 700.0, 620.0], [0.0005, -0.001, 4.0, 900.0, 925.0]];
        for vehicle in vehicles {
            let diagram = GgDiagram::new(&vehicle).unwrap();
            let power = Power::new(vehicle.ellipse_exponent);
            for point in points {
                check(point, |arguments| arguments.time(), |arguments| arguments.time_derivatives());
                for k in 0..2 {
                    check(
                        point,
                        |arguments| arguments.limits(&diagram, power)[k],
                        |arguments| arguments.limit_derivatives(&diagram, power)[k],
                    );
                }
            }
        }
    }
}
