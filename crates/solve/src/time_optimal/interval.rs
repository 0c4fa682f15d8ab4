//! Time and limits of one interval between two stations, with first and second derivatives.
//!
//! Over an interval of length d the acceleration is constant and curvature changes evenly, so with
//! w = v² at its ends
//!
//! ```text
//! a = (w₂ - w₁) / 2d          c = (κ₂ - κ₁) / d          time = 2d / (√w₁ + √w₂)             (1)
//! ```
//!
//! and the limits are evaluated in the middle of the interval, w = (w₁ + w₂)/2 and κ = (κ₁ + κ₂)/2:
//!
//! ```text
//! front      |(κ w + e_f (c w + κ a)) / (μ A_y(w))|^p + |(a + r(w)) / (μ A_x(w))|^p ≤ 1      (2)
//! rear       |(κ w - e_r (c w + κ a)) / (μ A_y(w))|^p + |(a + r(w)) / (μ A_x(w))|^p ≤ 1      (3)
//! drive      a + r(w) + k (κ w)² / (μ A_y(w)) ≤ drive(w)                                     (4)
//! steering   (τ c)² w ≤ 1                                                                    (5)
//! leaning    (√w (c w + 2 κ a) φ'(κ w) / p)² ≤ 1                                             (7)
//! ```
//!
//! with e = (i + √(i² + h²)) / 2 for the i of the axle, and the length h of the interval on the
//! line that the stations lie on. i_f and i_r belong to the body. At a station j between two
//! intervals, the speed profile of the finished line asks for κ_j + i (c + c') / 2. Where curvature
//! grows towards κ_max by κ + e c = κ_max in both, this is κ_max for this e alone: then
//! κ_j = κ_max - (e - h/2) c and c' = c (e - h/2) / (e + h/2). With e = i, κ could reach κ_max in
//! an interval as long as the wheelbase and pass it in a longer one, and the profile would be
//! slower there than the search expects.
//!
//! On a road in three dimensions, κ and c are those in its surface, A_x and A_y have the load
//! factor, gravity across the road is added to the lateral accelerations and gravity along it to r
//! (see [`Ground`]).
//!
//! Where the grip changes across the road, a part f(z) of a limit, whose z is inversely
//! proportional to μ, has the derivatives
//!
//! ```text
//! ∂f/∂μ = -g / μ      ∂²f/∂μ² = (z g' + g) / μ²      ∂²f/∂μ∂p = -g' ∂z/∂p / μ                (6)
//! ```
//!
//! with g = z f'(z).
//!
//! A vehicle on two wheels has (7) in the place of (5): the change of its lateral acceleration κ w
//! by time, with the lean angle's change φ' by that acceleration, is at most its lean rate p (see
//! [`lean`]).
//!
//! r is the deceleration by drag and rolling resistance, μ the local grip; i_f, i_r, k and τ are
//! those of [`Turning`]. For a point mass they are zero, as are e_f and e_r; front and rear are
//! then the same, and only the front is evaluated. The midpoint rule is of second order.

use super::derivatives::{A, C, GripDerivatives, IntervalDerivatives, K, Middle, MiddleDerivatives, W};
use super::power::Power;
use crate::speed::Ground;
use raceline_car::{GgDiagram, Jet, STANDARD_GRAVITY, Turning, lean};
use raceline_numerics::math;

/// The arguments of an interval's functions.
#[derive(Clone, Copy, Debug)]
pub struct Arguments {
    /// In the plane, 1/m.
    pub curvature: [f64; 2],
    /// In space, m.
    pub length: f64,
    pub speed_squared: [f64; 2],
    pub grip: f64,
    pub ground: Ground,
    /// e_f and e_r of equations (2) and (3), m.
    pub arms: [f64; 2],
}

/// Number of limits of an interval: front tyres, rear tyres, drive, steering or lean rate.
pub const INTERVAL_LIMITS: usize = 4;

/// The value of an inactive limit: an open course has no interval after its last station, and a
/// point mass has no axles.
pub const ABSENT: f64 = -1.0;

/// The values of these limits.
pub type IntervalLimits = [f64; INTERVAL_LIMITS];

/// The vehicle of an interval's limits.
#[derive(Clone, Copy)]
pub struct Car<'a> {
    pub diagram: &'a GgDiagram,
    pub turning: Turning,
    pub power: Power,
    /// The exponent while driving, for the longitudinal part.
    pub driving_power: Power,
}

/// e_f and e_r of equations (2) and (3) for an interval of this length, m.
pub fn arms(turning: &Turning, length_m: f64) -> [f64; 2] {
    if !turning.has_inertia() {
        return [0.0; 2];
    }
    [turning.front_m, turning.rear_m].map(|of_body| 0.5 * (of_body + (of_body * of_body + length_m * length_m).sqrt()))
}

impl Arguments {
    /// Curvature, its change per length, w and acceleration in the middle.
    #[inline]
    fn middle(&self) -> Middle {
        let ([k1, k2], [w1, w2]) = (self.curvature, self.speed_squared);
        // Equation (1).
        Middle {
            curvature: self.ground.geodesic(0.5 * (k1 + k2)),
            change: self.ground.geodesic_factor * (k2 - k1) / self.length,
            w: 0.5 * (w1 + w2),
            acceleration: (w2 - w1) / (2.0 * self.length),
        }
    }

    /// Travel time, s.
    #[inline]
    pub fn time(&self) -> f64 {
        // Equation (1).
        2.0 * self.length / (self.speed_squared[0].sqrt() + self.speed_squared[1].sqrt())
    }

    /// The limits as functions that must not exceed zero.
    #[inline]
    pub fn limits(&self, car: &Car) -> IntervalLimits {
        let Car { diagram, turning, power, driving_power } = *car;
        let [front_arm, rear_arm] = self.arms;
        let middle = self.middle();
        let Middle { curvature, change, w, acceleration } = middle;
        let grip = self.grip * self.ground.load_jet(w, diagram.downforce_over_mass()).value;
        let lateral_grip = self.grip * self.ground.load_jet(w, diagram.lateral_downforce_over_mass()).value;
        let per_lateral = 1.0 / (lateral_grip * diagram.lateral_limit_jet(w).value);
        let across = curvature * w + self.ground.gravity_across;
        let needed = acceleration + diagram.resistance_jet(w).value + self.ground.gravity_along;
        let (limit, along) = if needed > 0.0 {
            (diagram.driving_limit_jet(w), driving_power)
        } else {
            (diagram.longitudinal_limit_jet(w), power)
        };
        let longitudinal = along.value(needed / (grip * limit.value));
        let yawing = change * w + curvature * acceleration;
        // Equations (2) and (3).
        let axle = |arm: f64| power.value((across + arm * yawing) * per_lateral) + longitudinal - 1.0;
        let rear = if turning.has_inertia() { axle(-rear_arm) } else { ABSENT };
        let steering = if turning.lean_rate_radps > 0.0 {
            math::powi(leaning(&middle).0 / turning.lean_rate_radps, 2) - 1.0 // equation (7)
        } else if turning.steering_time_sm > 0.0 {
            // Equation (5).
            math::powi(turning.steering_time_sm * change, 2) * w - 1.0
        } else {
            ABSENT
        };
        // Equation (4).
        let missing = needed + turning.slip_drag_rad * across * across * per_lateral - diagram.drive_jet(w).value;
        [axle(front_arm), rear, missing / STANDARD_GRAVITY, steering]
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

    /// Derivatives of [`Self::limits`] by the grip.
    pub fn grip_derivatives(&self, car: &Car) -> [GripDerivatives; INTERVAL_LIMITS] {
        let Car { diagram, turning, power, driving_power } = *car;
        let [front_arm, rear_arm] = self.arms;
        let middle = self.middle();
        let Middle { curvature, change, w, acceleration } = middle;
        let resistance = diagram.resistance_jet(w);
        let loaded =
            |limit: Jet, downforce: f64| reciprocal(product(limit, self.ground.load_jet(w, downforce)), self.grip);
        let per_lateral = loaded(diagram.lateral_limit_jet(w), diagram.lateral_downforce_over_mass());
        let value = acceleration + resistance.value + self.ground.gravity_along;
        let (limit, along_power) = if value > 0.0 {
            (diagram.driving_limit_jet(w), driving_power)
        } else {
            (diagram.longitudinal_limit_jet(w), power)
        };
        let per_longitudinal = loaded(limit, diagram.downforce_over_mass());
        let geodesic = self.ground.geodesic_factor;
        // By μ, and by μ and the arguments, from z and its gradient by what is in the middle.
        let part = |power: Power, (z, by_middle): (f64, MiddleDerivatives)| {
            let jet = power.jet(z);
            let (g, g_slope) = (z * jet.slope, jet.slope + z * jet.bend);
            let by_arguments = by_middle.by_arguments(self.length, geodesic, &middle).gradient;
            // Equation (6).
            GripDerivatives {
                slope: -g / self.grip,
                bend: (z * g_slope + g) / (self.grip * self.grip),
                mixed: by_arguments.map(|slope| -g_slope * slope / self.grip),
            }
        };
        let needed = MiddleDerivatives { gradient: [0.0, 0.0, resistance.slope, 1.0], ..MiddleDerivatives::default() };
        let longitudinal = part(along_power, needed.times(value, per_longitudinal));
        let axle = |arm: f64| {
            let across = MiddleDerivatives {
                gradient: [w + arm * acceleration, arm * w, curvature + arm * change, arm * curvature],
                ..MiddleDerivatives::default()
            };
            let value = curvature * w + self.ground.gravity_across + arm * (change * w + curvature * acceleration);
            part(power, across.times(value, per_lateral)).plus(&longitudinal)
        };
        let rear = if turning.has_inertia() { axle(-rear_arm) } else { GripDerivatives::default() };
        // Drag of cornering, k y² q.
        let across = curvature * w + self.ground.gravity_across;
        let drag = turning.slip_drag_rad / STANDARD_GRAVITY;
        let by_middle = MiddleDerivatives {
            gradient: [
                2.0 * drag * across * w * per_lateral.value,
                0.0,
                drag * across * (2.0 * curvature * per_lateral.value + across * per_lateral.slope),
                0.0,
            ],
            ..MiddleDerivatives::default()
        };
        let value = drag * across * across * per_lateral.value;
        let drive = GripDerivatives {
            slope: -value / self.grip,
            bend: 2.0 * value / (self.grip * self.grip),
            mixed: by_middle.by_arguments(self.length, geodesic, &middle).gradient.map(|slope| -slope / self.grip),
        };
        [axle(front_arm), rear, drive, GripDerivatives::default()]
    }

    /// Derivatives of [`Self::limits`]; zero for those that the vehicle does not have.
    pub fn limit_derivatives(&self, car: &Car) -> [IntervalDerivatives; INTERVAL_LIMITS] {
        let Car { diagram, turning, power, driving_power } = *car;
        let [front_arm, rear_arm] = self.arms;
        let middle = self.middle();
        let Middle { curvature, change, w, acceleration } = middle;
        let resistance = diagram.resistance_jet(w);
        let load = self.ground.load_jet(w, diagram.downforce_over_mass());
        let gravity = self.ground.gravity_across;
        let drive = diagram.drive_jet(w);
        let lateral_load = self.ground.load_jet(w, diagram.lateral_downforce_over_mass());
        let per_lateral = reciprocal(product(diagram.lateral_limit_jet(w), lateral_load), self.grip);
        let value = acceleration + resistance.value + self.ground.gravity_along;
        let (limit, along_power) = if value > 0.0 {
            (diagram.driving_limit_jet(w), driving_power)
        } else {
            (diagram.longitudinal_limit_jet(w), power)
        };
        let per_longitudinal = reciprocal(product(limit, load), self.grip);

        let mut needed =
            MiddleDerivatives { gradient: [0.0, 0.0, resistance.slope, 1.0], ..MiddleDerivatives::default() };
        needed.set(W, W, resistance.bend);
        let (y, along) = needed.times(value, per_longitudinal);
        let longitudinal = along.through(along_power.jet(y));

        // Equations (2) and (3).
        let axle = |arm: f64| {
            let mut across = MiddleDerivatives {
                gradient: [w + arm * acceleration, arm * w, curvature + arm * change, arm * curvature],
                ..MiddleDerivatives::default()
            };
            across.set(K, W, 1.0);
            across.set(K, A, arm);
            across.set(C, W, arm);
            let value = curvature * w + gravity + arm * (change * w + curvature * acceleration);
            let (x, lateral) = across.times(value, per_lateral);
            lateral.through(power.jet(x)).plus(&longitudinal)
        };
        // Equation (4). Drag of cornering, k y² q(w) with y = κ w and gravity across, and q = 1 /
        // μA_y(w).
        let drag = turning.slip_drag_rad;
        let across = curvature * w + gravity;
        let (y_by_k, y_by_w) = (w, curvature);
        let q = per_lateral;
        let mut engine = needed;
        engine.gradient[K] = 2.0 * drag * across * y_by_k * q.value;
        engine.gradient[W] += drag * across * (2.0 * y_by_w * q.value + across * q.slope) - drive.slope;
        engine.set(K, K, 2.0 * drag * y_by_k * y_by_k * q.value);
        engine.set(K, W, 2.0 * drag * ((across + y_by_k * y_by_w) * q.value + across * y_by_k * q.slope));
        let bend = 2.0 * y_by_w * y_by_w * q.value + across * (4.0 * y_by_w * q.slope + across * q.bend);
        engine.set(W, W, resistance.bend + drag * bend - drive.bend);
        let engine = engine.scaled(1.0 / STANDARD_GRAVITY);
        let geodesic = self.ground.geodesic_factor;
        let whole = |function: MiddleDerivatives| function.by_arguments(self.length, geodesic, &middle);
        let rear = if turning.has_inertia() { whole(axle(-rear_arm)) } else { IntervalDerivatives::default() };
        let steering = if turning.lean_rate_radps > 0.0 {
            let (rate, derivatives) = leaning(&middle);
            let per_square = math::powi(turning.lean_rate_radps, -2);
            whole(derivatives.through(Jet {
                value: per_square * rate * rate,
                slope: 2.0 * per_square * rate,
                bend: 2.0 * per_square,
            }))
        } else if turning.steering_time_sm > 0.0 {
            // Equation (5).
            let rate = turning.steering_time_sm * turning.steering_time_sm;
            let mut steering = MiddleDerivatives {
                gradient: [0.0, 2.0 * rate * change * w, rate * change * change, 0.0],
                ..MiddleDerivatives::default()
            };
            steering.set(C, C, 2.0 * rate * w);
            steering.set(C, W, 2.0 * rate * change);
            whole(steering)
        } else {
            IntervalDerivatives::default()
        };
        [whole(axle(front_arm)), rear, whole(engine), steering]
    }
}

/// The rate of the lean angle of equation (7), rad/s, and its derivatives.
fn leaning(middle: &Middle) -> (f64, MiddleDerivatives) {
    let Middle { curvature, change, w, acceleration } = *middle;
    let mut by_length = MiddleDerivatives {
        gradient: [2.0 * acceleration, w, change, 2.0 * curvature],
        ..MiddleDerivatives::default()
    };
    by_length.set(K, A, 2.0);
    by_length.set(C, W, 1.0);
    let speed = w.sqrt();
    let root = Jet { value: speed, slope: 0.5 / speed, bend: -0.25 / (speed * w) };
    let (value, by_time) = by_length.times(change * w + 2.0 * curvature * acceleration, root);
    let mut across = MiddleDerivatives { gradient: [w, 0.0, curvature, 0.0], ..MiddleDerivatives::default() };
    across.set(K, W, 1.0);
    let lean = lean::lean_rad_per_mps2(curvature * w);
    by_time.product(value, lean.value, &across.through(lean))
}

/// The product of two functions.
#[inline]
fn product(a: Jet, b: Jet) -> Jet {
    Jet {
        value: a.value * b.value,
        slope: a.slope * b.value + a.value * b.slope,
        bend: a.bend * b.value + 2.0 * a.slope * b.slope + a.value * b.bend,
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
mod tests;
