//! How far a vehicle strays from its path, from the noise of what the follower measures and from the
//! forces that it does not know.
//!
//! The closed loop of the vehicle and the control at the limit is linearised about the path at the
//! profile's speeds. Its state is
//!
//! ```text
//! x = (e, θ, v_y, r, n_e, w, ê, θ̂)                                                         (1)
//! ```
//!
//! the offset to the left, the heading relative to the path, the velocity across and the yaw rate, each as
//! the difference from the steady motion on the path, then the error of the measured offset, the acceleration
//! to the side, and the follower's estimates of the offset and the heading (module `estimate`). The measured
//! heading is none of them. With the model's axles (module `model`), their stiffnesses C_f and C_r per
//! mass that they carry, their fractions of the weight w_f = b / L and w_r = a / L, and the squared radius of
//! gyration k²:
//!
//! ```text
//! e' = v θ + v_y                θ' = r                                                      (2)
//! v_y' = w_f C_f α_f + w_r C_r α_r - v r + w                                                (3)
//! r' = a b / (L k²) (C_f α_f - C_r α_r)                                                     (4)
//! α_f = δ - (v_y + a r) / v     α_r = (b r - v_y) / v                                       (5)
//! ```
//!
//! The steering angle is held for a frame (`Feedback`; c is `limit.course_fraction`):
//!
//! ```text
//! δ = -gain (θ̂ + c v_y / v + ê / (return_s v)) - damping_s r = -K x                         (6)
//! ```
//!
//! and after a frame of length T the estimates are
//!
//! ```text
//! ê → ê + T (v θ̂ + v_y + 2 Λ (e + n_e - ê))          θ̂ → θ̂ + T (r + Λ²/v (e + n_e - ê))     (7)
//! ```
//!
//! Each error fades as a first-order Gauss-Markov process: after a frame it is the part φ = e^(-dt/T) of
//! itself and an increment of the variance (1 - φ²) σ². With the exact solution of (2) to (5) over a frame,
//! x → Φ x + Γ δ, the covariance P of x follows from frame to frame:
//!
//! ```text
//! P → (Φ - Γ K) P (Φ - Γ K)ᵀ + Q                                                           (8)
//! ```
//!
//! (Bryson and Ho, *Applied Optimal Control*, 1975, section 11.4.) The tyres' stiffness is that over the slip
//! angles that occur, of the standard deviation σ about the steady slip α₀,
//!
//! ```text
//! C = (Y(α₀ + σ) - Y(α₀ - σ)) / 2 σ                                                         (9)
//! ```
//!
//! a statistical linearisation (Gelb and Vander Velde, *Multiple-Input Describing Functions and Nonlinear
//! System Design*, 1968, section 7.2), since the slope at a tyre's limit is none. A closed path is driven once
//! before the lap that counts. Not in it: limits of the steering, and what the follower learns.

use raceline_car::Handling;
use raceline_numerics::math;

use super::estimate::TRUST_RADPS;
use super::feedback::Feedback;
use super::model::{Axle, Model};
use crate::options::FollowerOptions;
use crate::path::Path;
use crate::target_speed::Walk;
use crate::vehicle::VehicleGeometry;

/// Number of states of (1), and of those that move the vehicle.
const STATES: usize = 8;
const MOTION: usize = 4;
/// Places in the state of the errors, and of the first estimate.
const ERRORS: [usize; 2] = [4, 5];
const ESTIMATES: usize = 6;
/// Terms of the exponential of a frame's motion; with them the error is below 1e-9 where a frame is
/// shorter than the time of the yaw motion.
const TERMS: usize = 12;
/// Smallest slip over which a tyre's stiffness is taken, rad.
const MIN_SLIP_RAD: f64 = 1e-4;
/// Lowest speed of the linear motion, m/s: at lower ones the tyres' slip is no quotient of speeds.
const MIN_SPEED_MPS: f64 = 2.0;
/// Longest path in frames, a bound on the work: an hour of 1000 frames a second.
const MAX_FRAMES: usize = 3_600_000;

type Matrix = [[f64; STATES]; STATES];

/// What a follower does not know of the vehicle's motion.
///
/// Each error fades over its correlation time: after it, the correlation with its later value is 1/e.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DeviationNoise {
    /// Standard deviation of the measured position across the path, m.
    pub position_m: f64,
    /// Correlation time of its error, s; with 0 each frame has an error of its own.
    pub correlation_s: f64,
    /// Standard deviation of an acceleration of the body to its side, m/s².
    pub side_mps2: f64,
    /// Correlation time of that acceleration, s.
    pub side_correlation_s: f64,
}

/// How far the vehicle strays at a place of the path: standard deviations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Deviation {
    /// Distance along the path, m.
    pub s_m: f64,
    /// Speed of the path there, m/s.
    pub speed_mps: f64,
    /// Of the offset from the path, m.
    pub offset_m: f64,
    /// Of the heading relative to the path, rad.
    pub heading_rad: f64,
    /// Covariance of both, m rad.
    pub offset_heading_mrad: f64,
    /// Of the rate at which the offset changes, m/s.
    pub offset_rate_mps: f64,
}

impl Deviation {
    /// Standard deviation of the offset of a point of the body `ahead_m` before the centre of gravity, m.
    #[must_use]
    pub fn offset_ahead_m(&self, ahead_m: f64) -> f64 {
        let variance = self.offset_m * self.offset_m
            + 2.0 * ahead_m * self.offset_heading_mrad
            + ahead_m * ahead_m * self.heading_rad * self.heading_rad;
        variance.max(0.0).sqrt()
    }
}

/// How far a vehicle strays from `path` frame by frame, with frames of `frame_s`; empty for a path without a
/// speed profile or without the dynamics of its vehicle, which the control at the limit needs, and for a frame
/// that is not above 0.
///
/// ```
/// use raceline_follower::{DeviationNoise, FollowerOptions, Path, VehicleDynamics, VehicleGeometry, Waypoint, deviations};
///
/// let at = |i: u32| Waypoint { position_m: [10.0 * f64::from(i), 0.0, 0.0], speed_mps: 30.0, ..Waypoint::default() };
/// let dynamics = VehicleDynamics::constant(12.0, 10.0, 5.0);
/// let path = Path::new((0..100).map(at).collect(), false)?.with_dynamics(&dynamics);
/// let geometry = VehicleGeometry::default();
/// let options = FollowerOptions::for_vehicle(&dynamics, &geometry);
/// // The follower keeps to a position that drifts slowly.
/// let noise = DeviationNoise { position_m: 0.1, correlation_s: 500.0, ..DeviationNoise::default() };
/// let strays = deviations(&path, &options, &geometry, &noise, 1.0 / 60.0);
/// assert!(strays.iter().all(|place| place.offset_m < 0.11));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn deviations(
    path: &Path,
    options: &FollowerOptions,
    geometry: &VehicleGeometry,
    noise: &DeviationNoise,
    frame_s: f64,
) -> Vec<Deviation> {
    let Some(dynamics) = path.dynamics().filter(|_| frame_s > 0.0) else { return Vec::new() };
    let model = Model::new(dynamics, geometry, 1.0);
    let limit = options.limit.scaled(geometry.wheelbase_m, model.handling.steering_rate_radps);
    let [kept, kept_side] = [noise.correlation_s, noise.side_correlation_s].map(|time| math::exp(-frame_s / time));
    let kept = [kept, kept_side];
    let variances = [noise.position_m, noise.side_mps2].map(|deviation| deviation * deviation);
    let mut covariance: Matrix = [[0.0; STATES]; STATES];
    for (error, variance) in ERRORS.into_iter().zip(variances) {
        covariance[error][error] = variance;
    }
    // The estimate begins with what is measured.
    for [row, column] in [[ESTIMATES, ESTIMATES], [ESTIMATES, ERRORS[0]], [ERRORS[0], ESTIMATES]] {
        covariance[row][column] = variances[0];
    }
    let mut found = Vec::new();
    let fraction = options.target_speed.profile_scale;
    let mut frames = 0;
    for lap in 0..=usize::from(path.closed()) {
        let counts = lap == usize::from(path.closed());
        let mut walk = Walk::new(path, 0);
        let mut s = 0.0;
        while s < path.length_m() {
            frames += 1;
            let there = walk.profile(s);
            let speed = fraction * there.speed_squared.sqrt();
            if !speed.is_finite() || frames > MAX_FRAMES {
                return Vec::new();
            }
            let speed = speed.max(MIN_SPEED_MPS);
            if counts {
                found.push(deviation_at(s, speed, &covariance));
            }
            let given = path.inputs(s).map_or(0.0, |_| limit.inputs_fraction);
            let feedback = Feedback::new(&model.on(there.grip), &limit, speed, given, frame_s);
            let along = fraction * fraction * there.acceleration + model.resistance(speed);
            let across = there.curvature * speed * speed + there.gravity_across;
            let axles = model.on(there.grip).axles(speed, along);
            let gains = gains(&feedback, limit.course_fraction, speed);
            let [front, rear] = slip_deviations(&model, &gains, speed, &covariance);
            let stiffness =
                [stiffness(&model, axles.front, across, front), stiffness(&model, axles.rear, across, rear)];
            let motion = frame(&model, stiffness, speed, frame_s);
            let loop_matrix = closed_loop(&motion, &gains, kept, [speed, frame_s]);
            covariance = advanced(&loop_matrix, &covariance);
            for (error, (variance, kept)) in ERRORS.into_iter().zip(variances.into_iter().zip(kept)) {
                covariance[error][error] += (1.0 - kept * kept) * variance;
            }
            s += speed * frame_s;
        }
    }
    found
}

/// The deviations of a covariance.
fn deviation_at(s_m: f64, speed: f64, p: &Matrix) -> Deviation {
    // Of equation (2).
    let rate = speed * speed * p[1][1] + 2.0 * speed * p[1][2] + p[2][2];
    Deviation {
        s_m,
        speed_mps: speed,
        offset_m: p[0][0].max(0.0).sqrt(),
        heading_rad: p[1][1].max(0.0).sqrt(),
        offset_heading_mrad: p[0][1],
        offset_rate_mps: rate.max(0.0).sqrt(),
    }
}

/// Standard deviations of the front and the rear axle's slip angles, rad: equation (5) with (6).
fn slip_deviations(model: &Model<'_>, gains: &[f64; STATES], speed: f64, covariance: &Matrix) -> [f64; 2] {
    let mut front = gains.map(|gain| -gain);
    front[2] -= 1.0 / speed;
    front[3] -= model.to_front / speed;
    let mut rear = [0.0; STATES];
    (rear[2], rear[3]) = (-1.0 / speed, model.to_rear / speed);
    [front, rear].map(|row| {
        let by: [f64; STATES] = std::array::from_fn(|i| (0..STATES).map(|j| covariance[i][j] * row[j]).sum());
        row.iter().zip(by).map(|(a, b)| a * b).sum::<f64>().max(0.0).sqrt()
    })
}

/// Stiffness of an axle about the force `across`, m/s² per rad: equation (9).
fn stiffness(model: &Model<'_>, axle: Axle, across: f64, slip_deviation: f64) -> f64 {
    let slip = model.slip(axle, across);
    let step = slip_deviation.max(MIN_SLIP_RAD);
    (model.across_at(axle, slip + step) - model.across_at(axle, slip - step)) / (2.0 * step)
}

/// Motion of a frame, equations (2) to (5): Φ, and Γ in the last column.
fn frame(model: &Model<'_>, [front, rear]: [f64; 2], speed: f64, frame_s: f64) -> [[f64; STATES + 1]; MOTION] {
    let (a, b) = (model.to_front, model.to_rear);
    let Handling { gyration_m2, front_weight_fraction, .. } = model.handling;
    let weighted = [front_weight_fraction * front, (1.0 - front_weight_fraction) * rear];
    let turned = [front, -rear].map(|force| force * a * b / (model.wheelbase * gyration_m2));
    // The columns are the states of (1) and the steering angle.
    let mut rates = [[0.0; STATES + 1]; STATES + 1];
    (rates[0][1], rates[0][2], rates[1][3]) = (speed, 1.0, 1.0);
    for (row, by, add) in [(2, weighted, -speed), (3, turned, 0.0)] {
        rates[row][2] = -(by[0] + by[1]) / speed;
        rates[row][3] = (b * by[1] - a * by[0]) / speed + add;
        rates[row][STATES] = by[0];
    }
    rates[2][ERRORS[1]] = 1.0;
    // The exponential's series, of which only the motion's rows change.
    let mut sum = [[0.0; STATES + 1]; MOTION];
    for (i, row) in sum.iter_mut().enumerate() {
        row[i] = 1.0;
    }
    let mut term = sum;
    for k in 1..=TERMS {
        let mut next = [[0.0; STATES + 1]; MOTION];
        for (row, of) in next.iter_mut().zip(&term) {
            for (j, value) in row.iter_mut().enumerate() {
                *value = (0..MOTION).map(|m| of[m] * rates[m][j]).sum::<f64>() * frame_s / k as f64;
            }
        }
        for (row, next) in sum.iter_mut().zip(&next) {
            row.iter_mut().zip(next).for_each(|(value, next)| *value += next);
        }
        term = next;
    }
    sum
}

/// K of equation (6).
fn gains(feedback: &Feedback, course_fraction: f64, speed: f64) -> [f64; STATES] {
    let Feedback { gain, return_s, damping_s } = *feedback;
    let by_offset = gain / (return_s * speed);
    [0.0, 0.0, gain * course_fraction / speed, damping_s, 0.0, 0.0, by_offset, gain]
}

/// Φ - Γ K of equation (8), with the fading errors and equation (7).
fn closed_loop(
    motion: &[[f64; STATES + 1]; MOTION],
    gains: &[f64; STATES],
    kept: [f64; ERRORS.len()],
    [speed, frame_s]: [f64; 2],
) -> Matrix {
    let mut matrix = [[0.0; STATES]; STATES];
    for (row, motion) in matrix.iter_mut().zip(motion) {
        *row = std::array::from_fn(|j| motion[j] - motion[STATES] * gains[j]);
    }
    for (error, kept) in ERRORS.into_iter().zip(kept) {
        matrix[error][error] = kept;
    }
    let [offset, heading] = [ESTIMATES, ESTIMATES + 1];
    let by_missing = [2.0 * TRUST_RADPS * frame_s, TRUST_RADPS * TRUST_RADPS * frame_s / speed];
    for (row, by_missing) in [offset, heading].into_iter().zip(by_missing) {
        matrix[row][row] = 1.0;
        matrix[row][0] += by_missing;
        matrix[row][ERRORS[0]] += by_missing;
        matrix[row][offset] -= by_missing;
    }
    matrix[offset][heading] += speed * frame_s;
    matrix[offset][2] += frame_s;
    matrix[heading][3] += frame_s;
    matrix
}

/// F P Fᵀ, symmetric.
fn advanced(f: &Matrix, p: &Matrix) -> Matrix {
    let product: Matrix =
        std::array::from_fn(|i| std::array::from_fn(|j| (0..STATES).map(|k| f[i][k] * p[k][j]).sum()));
    let mut after = [[0.0; STATES]; STATES];
    for i in 0..STATES {
        for j in 0..=i {
            let value = (0..STATES).map(|k| product[i][k] * f[j][k]).sum();
            (after[i][j], after[j][i]) = (value, value);
        }
    }
    after
}

#[cfg(test)]
mod tests;
