//! The Kalman filter: position, velocity and acceleration in the plane, driven by white jerk.
//!
//! | Symbol | Shape | Meaning |
//! |---|---|---|
//! | `x` | 6 | position, velocity and acceleration, first along x, then along y |
//! | `P` | 6 × 6 | its covariance |
//! | `F` | 6 × 6 | transition over a step of `dt`: constant acceleration |
//! | `Q` | 6 × 6 | what the jerk adds, `q²` times the integrals of the step's powers, and `d² dt` of the wander |
//!
//! A receiver's position wanders by decimetres in seconds, while from one row to the next it is good to a
//! centimetre: its error is a random walk, which adds to the position what no velocity shows.
//!
//! Speed and heading together measure the velocity along that heading and across it, which is linear
//! however far the vehicle has turned since the last measurement. One of the two alone is measured along
//! or across the predicted velocity. Receivers smooth both, so that they show the velocity of a time `lag`
//! ago, which is that of now less `lag` times the acceleration. A measurement that lies farther away than
//! noise explains counts less (Huber).

use nalgebra::{SMatrix, SVector};
use raceline_numerics::math;
use raceline_road::geometry::wrap_angle;

use super::{Measurement, Noise};

pub(super) type State = SVector<f64, 6>;
pub(super) type Covariance = SMatrix<f64, 6, 6>;

/// Speed below which the direction of travel and the speed are not measured along the velocity, m/s.
const SLOW_MPS: f64 = 3.0;
/// Deviations beyond this many standard deviations count less.
const HUBER: f64 = 3.0;
/// Standard deviations of velocity and acceleration before the first measurement.
const FIRST_SPEED_MPS: f64 = 40.0;
const FIRST_ACCEL_MPS2: f64 = 5.0;

/// The state with its covariance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Belief {
    pub state: State,
    pub covariance: Covariance,
}

impl Belief {
    /// Before the first measurement, at its position.
    pub fn at(position_m: [f64; 2], noise: &Noise) -> Self {
        let mut state = State::zeros();
        (state[0], state[3]) = (position_m[0], position_m[1]);
        let variances = [noise.position_m, FIRST_SPEED_MPS, FIRST_ACCEL_MPS2].map(|deviation| deviation * deviation);
        let diagonal = [variances, variances].concat();
        Self { state, covariance: Covariance::from_diagonal(&State::from_iterator(diagonal)) }
    }

    /// After a step of `dt` seconds.
    pub fn predicted(&self, dt: f64, noise: &Noise) -> Self {
        let transition = transition(dt);
        let covariance = transition * self.covariance * transition.transpose() + added(dt, noise);
        Self { state: transition * self.state, covariance }
    }

    /// With a measurement; adds the negative logarithm of its likelihood to `cost`.
    pub fn corrected(mut self, measured: &Measurement, noise: &Noise, cost: &mut f64) -> Self {
        if let Some(position) = measured.position_m {
            let variance = noise.position_m * noise.position_m;
            for (axis, value) in [(0, position[0]), (3, position[1])] {
                let mut row = State::zeros();
                row[axis] = 1.0;
                self.correct(&row, value - self.state[axis], variance, cost);
            }
        }
        match (measured.speed_mps, measured.heading_rad) {
            (Some(speed), _) if speed < SLOW_MPS => self.correct_near_rest(speed, noise),
            (Some(speed), Some(heading)) => self.correct_velocity([speed, heading], noise, cost),
            (Some(speed), None) => self.correct_speed(speed, noise, cost),
            (None, Some(heading)) => self.correct_heading(heading, noise, cost),
            (None, None) => {}
        }
        self
    }

    /// Near rest both components are as small as the speed.
    fn correct_near_rest(&mut self, speed: f64, noise: &Noise) {
        let variance = math::powi(noise.speed_mps, 2) + speed * speed;
        for axis in [1, 4] {
            let mut row = State::zeros();
            row[axis] = 1.0;
            self.correct(&row, -self.state[axis], variance, &mut 0.0);
        }
    }

    /// Speed and heading are the velocity's components along the heading and across it.
    fn correct_velocity(&mut self, [speed, heading]: [f64; 2], noise: &Noise, cost: &mut f64) {
        let (sine, cosine) = math::sin_cos(heading);
        let along = velocity_row([cosine, sine], noise.lag_s);
        self.correct(&along, speed - along.dot(&self.state), math::powi(noise.speed_mps, 2), cost);
        let across = velocity_row([-sine, cosine], noise.lag_s);
        self.correct(&across, -across.dot(&self.state), math::powi(speed * noise.heading_rad, 2), cost);
    }

    /// A speed alone, along the predicted velocity.
    fn correct_speed(&mut self, value: f64, noise: &Noise, cost: &mut f64) {
        let (speed, [along_x, along_y]) = self.course(noise.lag_s);
        if speed >= SLOW_MPS {
            self.correct(
                &velocity_row([along_x, along_y], noise.lag_s),
                value - speed,
                math::powi(noise.speed_mps, 2),
                cost,
            );
        }
    }

    /// A heading alone: the velocity across the predicted one is the speed times the turn.
    fn correct_heading(&mut self, heading: f64, noise: &Noise, cost: &mut f64) {
        let (speed, [along_x, along_y]) = self.course(noise.lag_s);
        if speed >= SLOW_MPS {
            let turn = wrap_angle(heading - math::atan2(along_y, along_x)).clamp(-1.0, 1.0);
            let variance = math::powi(speed * noise.heading_rad, 2);
            self.correct(&velocity_row([-along_y, along_x], noise.lag_s), speed * turn, variance, cost);
        }
    }

    /// The predicted speed and direction of `lag_s` ago.
    fn course(&self, lag_s: f64) -> (f64, [f64; 2]) {
        let velocity = [self.state[1] - lag_s * self.state[2], self.state[4] - lag_s * self.state[5]];
        let speed = math::hypot(velocity[0], velocity[1]);
        (speed, if speed > 0.0 { velocity.map(|v| v / speed) } else { [1.0, 0.0] })
    }

    /// Corrects by one number: `residual` is what was measured less `row` times the state.
    fn correct(&mut self, row: &State, residual: f64, variance: f64, cost: &mut f64) {
        let gain = self.covariance * row;
        let mut total = row.dot(&gain) + variance;
        let deviations = residual.abs() / total.sqrt();
        if deviations > HUBER {
            // The cost of an outlier grows in proportion to its distance alone.
            *cost += HUBER * (deviations - 0.5 * HUBER) + 0.5 * math::ln(total);
            total += variance * (deviations / HUBER - 1.0) * (deviations / HUBER + 1.0);
        } else {
            *cost += 0.5 * (deviations * deviations + math::ln(total));
        }
        self.state += gain * (residual / total);
        self.covariance -= gain * gain.transpose() / total;
        self.covariance = (self.covariance + self.covariance.transpose()) * 0.5;
    }
}

/// The row of a measurement of the velocity of `lag_s` ago in a direction.
fn velocity_row([x, y]: [f64; 2], lag_s: f64) -> State {
    let mut row = State::zeros();
    (row[1], row[4]) = (x, y);
    (row[2], row[5]) = (-lag_s * x, -lag_s * y);
    row
}

/// The transition over `dt` seconds.
pub(super) fn transition(dt: f64) -> Covariance {
    let mut transition = Covariance::identity();
    for axis in [0, 3] {
        transition[(axis, axis + 1)] = dt;
        transition[(axis + 1, axis + 2)] = dt;
        transition[(axis, axis + 2)] = 0.5 * dt * dt;
    }
    transition
}

/// What white jerk and the wander of positions add to the covariance in `dt` seconds.
fn added(dt: f64, noise: &Noise) -> Covariance {
    let density = noise.jerk * noise.jerk;
    let walked = noise.wander * noise.wander * dt;
    let mut added = Covariance::zeros();
    let powers = [
        [math::powi(dt, 5) / 20.0, math::powi(dt, 4) / 8.0, math::powi(dt, 3) / 6.0],
        [math::powi(dt, 4) / 8.0, math::powi(dt, 3) / 3.0, math::powi(dt, 2) / 2.0],
        [math::powi(dt, 3) / 6.0, math::powi(dt, 2) / 2.0, dt],
    ];
    for axis in [0, 3] {
        added[(axis, axis)] = walked;
        for (row, values) in powers.iter().enumerate() {
            for (column, value) in values.iter().enumerate() {
                added[(axis + row, axis + column)] += density * value;
            }
        }
    }
    added
}
