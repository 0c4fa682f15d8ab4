//! The Kalman filter: position, velocity and acceleration in the plane, driven by white jerk.
//!
//! | Symbol | Shape | Meaning |
//! |---|---|---|
//! | `x` | 6 | position, velocity and acceleration, first along x, then along y |
//! | `P` | 6 × 6 | its covariance |
//! | `F` | 6 × 6 | transition over a step of `dt`: constant acceleration |
//! | `Q` | 6 × 6 | what the jerk adds, `q²` times the integrals of the step's powers |
//!
//! Speed and heading are measured along and across the predicted velocity, which makes them linear. A
//! measurement that lies farther away than noise explains counts less (Huber).

use nalgebra::{SMatrix, SVector};

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
        let velocity = [self.state[1], self.state[4]];
        let speed = velocity[0].hypot(velocity[1]);
        let [along_x, along_y] = if speed > 0.0 { velocity.map(|v| v / speed) } else { [1.0, 0.0] };
        if let Some(value) = measured.speed_mps {
            if speed >= SLOW_MPS && value >= SLOW_MPS {
                let mut row = State::zeros();
                (row[1], row[4]) = (along_x, along_y);
                self.correct(&row, value - speed, noise.speed_mps.powi(2), cost);
            } else if value < SLOW_MPS {
                // Near rest both components are as small as the speed.
                let variance = noise.speed_mps.powi(2) + value * value;
                for axis in [1, 4] {
                    let mut row = State::zeros();
                    row[axis] = 1.0;
                    self.correct(&row, -self.state[axis], variance, &mut 0.0);
                }
            }
        }
        if let Some(heading) = measured.heading_rad
            && speed >= SLOW_MPS
            && measured.speed_mps.is_none_or(|speed| speed >= SLOW_MPS)
        {
            // The velocity across the predicted one is the speed times the turn.
            let turn = raceline_road::geometry::wrap_angle(heading - velocity[1].atan2(velocity[0]));
            let mut row = State::zeros();
            (row[1], row[4]) = (-along_y, along_x);
            self.correct(&row, speed * turn.clamp(-1.0, 1.0), (speed * noise.heading_rad).powi(2), cost);
        }
        self
    }

    /// Corrects by one number: `residual` is what was measured less `row` times the state.
    fn correct(&mut self, row: &State, residual: f64, variance: f64, cost: &mut f64) {
        let gain = self.covariance * row;
        let mut total = row.dot(&gain) + variance;
        let deviations = residual.abs() / total.sqrt();
        if deviations > HUBER {
            // The cost of an outlier grows in proportion to its distance alone.
            *cost += HUBER * (deviations - 0.5 * HUBER) + 0.5 * total.ln();
            total += variance * (deviations / HUBER - 1.0) * (deviations / HUBER + 1.0);
        } else {
            *cost += 0.5 * (deviations * deviations + total.ln());
        }
        self.state += gain * (residual / total);
        self.covariance -= gain * gain.transpose() / total;
        self.covariance = (self.covariance + self.covariance.transpose()) * 0.5;
    }
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

/// What white jerk adds to the covariance in `dt` seconds.
fn added(dt: f64, noise: &Noise) -> Covariance {
    let density = noise.jerk * noise.jerk;
    let mut added = Covariance::zeros();
    let powers = [
        [dt.powi(5) / 20.0, dt.powi(4) / 8.0, dt.powi(3) / 6.0],
        [dt.powi(4) / 8.0, dt.powi(3) / 3.0, dt.powi(2) / 2.0],
        [dt.powi(3) / 6.0, dt.powi(2) / 2.0, dt],
    ];
    for axis in [0, 3] {
        for (row, values) in powers.iter().enumerate() {
            for (column, value) in values.iter().enumerate() {
                added[(axis + row, axis + column)] = density * value;
            }
        }
    }
    added
}
