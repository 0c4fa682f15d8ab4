//! Whether the numbers of a line can be those of a road and a vehicle at all.

use std::f64::consts::{FRAC_PI_2, PI};

use raceline_file::RacingLine;

use super::Rule;
use super::report::Tally;

/// Largest coordinate, m: several times the northing of a map.
const MAX_COORDINATE_M: f64 = 1e8;
/// Largest distance along a line, m.
const MAX_LENGTH_M: f64 = 1e8;
/// Largest curvature, 1/m: a radius of a millimetre.
const MAX_CURVATURE_RADPM: f64 = 1e3;
/// Largest speed, m/s.
const MAX_SPEED_MPS: f64 = 1e4;
/// Largest acceleration, m/s².
const MAX_ACCEL_MPS2: f64 = 1e6;
/// Largest time, s.
const MAX_TIME_S: f64 = 1e9;
/// Largest factor of load or grip.
const MAX_FACTOR: f64 = 100.0;
/// Rounding of an angle.
const ANGLE_STEP_RAD: f64 = 1e-8;

/// Judges every number alone.
pub fn judge<V, O>(line: &RacingLine<V, O>, tally: &mut Tally) {
    for (value, limit) in [(line.lap_time_s, MAX_TIME_S), (line.length_m, MAX_LENGTH_M)] {
        tally.whole(Rule::Numbers, value.abs(), limit);
    }
    for (index, point) in line.points.iter().enumerate() {
        let required = [
            (point.s_m, MAX_LENGTH_M),
            (point.x_m, MAX_COORDINATE_M),
            (point.y_m, MAX_COORDINATE_M),
            (point.heading_rad, PI + ANGLE_STEP_RAD),
            (point.curvature_radpm, MAX_CURVATURE_RADPM),
            (point.speed_mps, MAX_SPEED_MPS),
            (point.accel_mps2, MAX_ACCEL_MPS2),
            (point.time_s, MAX_TIME_S),
            (point.left_m, MAX_COORDINATE_M),
            (point.right_m, MAX_COORDINATE_M),
        ];
        let optional = [
            (point.z_m, MAX_COORDINATE_M),
            (point.banking_rad, FRAC_PI_2),
            (point.grip, MAX_FACTOR),
            (point.load, MAX_FACTOR),
            (point.steering_rad, PI),
            (point.pedal, MAX_FACTOR),
            (point.sideslip_rad, PI),
            (point.yaw_rate_radps, MAX_ACCEL_MPS2),
        ];
        let present = optional.into_iter().filter_map(|(value, limit)| Some((value?, limit)));
        for (value, limit) in required.into_iter().chain(present) {
            tally.at(Rule::Numbers, index, value.abs(), limit);
        }
        // Distances and factors have no sign.
        let unsigned = [Some(point.left_m), Some(point.right_m), point.grip, point.load];
        for value in unsigned.into_iter().flatten() {
            tally.at(Rule::Numbers, index, -value, 0.0);
        }
    }
    for vertex in line.edges.left.iter().chain(&line.edges.right) {
        for value in vertex {
            tally.whole(Rule::Numbers, value.abs(), MAX_COORDINATE_M);
        }
    }
}
