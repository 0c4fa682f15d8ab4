//! The ideal line of Assetto Corsa, `fast_lane.ai`, version 7: little-endian integers and
//! single-precision numbers of 32 bits, with the fields that public readers name.
//!
//! | Part | Fields |
//! |---|---|
//! | header | version 7, number of points, lap time in ms, number of samples |
//! | point | x, y, z, distance, number |
//! | number of details | |
//! | detail | speed, gas, brake, lateral g, radius, left and right side, camber, direction, normal, length, forward vector, tag, grade |
//! | end | 0: no grid |
//!
//! The game's y is up and its z is the map's -y.

use super::road_across::road_across;
use super::{FormatError, FormatOptions};
use crate::RacingLine;
use crate::vehicle::STANDARD_GRAVITY;
use raceline_numerics::math;

const VERSION: i32 = 7;
/// Radius of a straight, m.
const STRAIGHT_M: f64 = 10_000.0;

pub(super) fn write(line: &RacingLine, _: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    let mut bytes = Vec::new();
    let integer = |bytes: &mut Vec<u8>, value: i32| bytes.extend(value.to_le_bytes());
    let count = i32::try_from(line.points.len())
        .map_err(|_| FormatError::TooManyPoints { count: line.points.len() as f64, max: f64::from(i32::MAX) })?;
    let lap_ms = (line.lap_time_s * 1e3).round().clamp(0.0, f64::from(i32::MAX)) as i32;
    for value in [VERSION, count, lap_ms, count] {
        integer(&mut bytes, value);
    }
    for (number, point) in (0..).zip(&line.points) {
        // No negative zero, as in the text formats.
        let place = [point.x_m, point.z_m.unwrap_or(0.0), 0.0 - point.y_m, point.s_m];
        place.iter().for_each(|&value| float(&mut bytes, value));
        integer(&mut bytes, number);
    }
    integer(&mut bytes, count);
    let across = road_across(line);
    let top_mps2 = line.points.iter().map(|point| point.accel_mps2).fold(f64::MIN_POSITIVE, f64::max);
    let brake_mps2 = line.points.iter().map(|point| -point.accel_mps2).fold(f64::MIN_POSITIVE, f64::max);
    for (index, (point, across)) in line.points.iter().zip(&across).enumerate() {
        let next_m = line.points.get(index + 1).map_or(line.length_m, |next| next.s_m);
        let (sin, cos) = math::sin_cos(point.heading_rad);
        // Upwards from the road, whose left is higher by the banking.
        let (bank_sin, bank_cos) = math::sin_cos(point.banking_rad.unwrap_or(0.0));
        let radius_m = (1.0 / point.curvature_radpm.abs().max(f64::MIN_POSITIVE)).min(STRAIGHT_M);
        let detail = [
            point.speed_mps,
            (point.accel_mps2 / top_mps2).clamp(0.0, 1.0),
            (-point.accel_mps2 / brake_mps2).clamp(0.0, 1.0),
            point.curvature_radpm * point.speed_mps * point.speed_mps / STANDARD_GRAVITY,
            radius_m,
            across.left_m,
            across.right_m,
            point.banking_rad.unwrap_or(0.0),
            // 1 to the right, -1 to the left.
            -point.curvature_radpm.signum(),
            bank_sin * sin,
            bank_cos,
            bank_sin * cos,
            next_m - point.s_m,
            cos,
            0.0,
            0.0 - sin,
            0.0,
            0.0,
        ];
        detail.iter().for_each(|&value| float(&mut bytes, value));
    }
    integer(&mut bytes, 0);
    Ok(bytes)
}

fn float(bytes: &mut Vec<u8>, value: f64) {
    bytes.extend((value as f32).to_le_bytes());
}
