//! Rounding of the numbers in a file, so that a diff shows changes and not noise.

use super::{Candidate, Constraint, LinePoint, RacingLine};
use raceline_numerics::math;

/// Decimals of positions, m: 10 µm. A reader that computes curvature from the points divides the
/// rounding error by the square of their distance, so a grid of 1 mm is too coarse.
pub const POSITION_DECIMALS: i32 = 5;
/// Decimals of other lengths, m: 1 mm.
const LENGTH: i32 = 3;
/// Decimals of angles, rad, and curvatures, 1/m. A heading in (-π, π] stays in that range, because
/// the decimals of π from the ninth on are below a half.
const ANGLE: i32 = 8;
/// Decimals of speeds, m/s, and accelerations, m/s².
const SPEED: i32 = 4;
/// Decimals of factors: grip, load and pedal.
pub const GRIP_DECIMALS: i32 = 4;
/// Decimals of a car's angles, rad, and rates, rad/s.
const INPUT: i32 = 6;
/// Decimals of times, s.
const TIME: i32 = 5;

/// `value` rounded to `decimals` decimals, half away from zero; never the negative zero.
///
/// The result is the number nearest to the decimal fraction, so that its shortest decimal form has
/// at most this many decimals. This holds for |value| below 2⁵³ / 10^decimals; larger values have
/// no such digits.
#[must_use]
pub fn round_to(value: f64, decimals: i32) -> f64 {
    let factor = math::powi(10f64, decimals);
    let scaled = value * factor;
    let rounded = if scaled.abs() < 9e15 { scaled.round() / factor } else { value };
    // -0.0 + 0.0 is 0.0.
    rounded + 0.0
}

/// A position rounded to 10 µm.
fn round_position([x, y]: [f64; 2]) -> [f64; 2] {
    [round_to(x, POSITION_DECIMALS), round_to(y, POSITION_DECIMALS)]
}

impl<V: Clone, O: Clone> RacingLine<V, O> {
    /// The line with every computed number rounded as in the file: positions to 10 µm, other lengths
    /// to 1 mm, angles and curvatures to 1e-8, speeds and accelerations to 1e-4, times to 1e-5. What
    /// the user specified (vehicle, source, options) is not rounded.
    pub fn rounded(&self) -> Self {
        let mut line = self.clone();
        line.lap_time_s = round_to(line.lap_time_s, TIME);
        line.length_m = round_to(line.length_m, LENGTH);
        line.candidates.iter_mut().for_each(Candidate::round);
        line.points.iter_mut().for_each(LinePoint::round);
        let edges = line.edges.left.iter_mut().chain(&mut line.edges.right);
        for vertex in edges.chain(line.sections.iter_mut().flatten()) {
            *vertex = round_position(*vertex);
        }
        line.constraints.iter_mut().for_each(Constraint::round);
        for vertex in line.streets.iter_mut().flat_map(|streets| streets.lines.iter_mut().flatten()) {
            *vertex = round_position(*vertex);
        }
        line
    }
}

impl Constraint {
    fn round(&mut self) {
        let times = [&mut self.price_s, &mut self.seconds_per_m, &mut self.seconds_per_mps];
        times.into_iter().flatten().for_each(|value| *value = round_to(*value, TIME));
        for vertex in self.gates.iter_mut().flatten().flatten().chain(self.outlines.iter_mut().flatten()) {
            *vertex = round_position(*vertex);
        }
    }
}

impl Candidate {
    fn round(&mut self) {
        self.lap_time_s = round_to(self.lap_time_s, TIME);
        self.length_m = round_to(self.length_m, LENGTH);
        for vertex in &mut self.line {
            *vertex = round_position(*vertex);
        }
    }
}

impl LinePoint {
    fn round(&mut self) {
        *self = Self {
            s_m: round_to(self.s_m, LENGTH),
            x_m: round_to(self.x_m, POSITION_DECIMALS),
            y_m: round_to(self.y_m, POSITION_DECIMALS),
            heading_rad: round_to(self.heading_rad, ANGLE),
            curvature_radpm: round_to(self.curvature_radpm, ANGLE),
            speed_mps: round_to(self.speed_mps, SPEED),
            accel_mps2: round_to(self.accel_mps2, SPEED),
            time_s: round_to(self.time_s, TIME),
            left_m: round_to(self.left_m, LENGTH),
            right_m: round_to(self.right_m, LENGTH),
            z_m: self.z_m.map(|z_m| round_to(z_m, POSITION_DECIMALS)),
            banking_rad: self.banking_rad.map(|angle| round_to(angle, ANGLE)),
            grip: self.grip.map(|grip| round_to(grip, GRIP_DECIMALS)),
            load: self.load.map(|load| round_to(load, GRIP_DECIMALS)),
            steering_rad: self.steering_rad.map(|angle| round_to(angle, INPUT)),
            pedal: self.pedal.map(|pedal| round_to(pedal, GRIP_DECIMALS)),
            sideslip_rad: self.sideslip_rad.map(|angle| round_to(angle, INPUT)),
            yaw_rate_radps: self.yaw_rate_radps.map(|rate| round_to(rate, INPUT)),
        };
    }
}
