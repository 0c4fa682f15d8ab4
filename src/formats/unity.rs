//! Points for Unity, as JSON that `JsonUtility` reads and as a table.
//!
//! Unity's y is up and its frame is left-handed: the map's +y is +z. Yaw is in degrees, clockwise
//! from +z seen from above. Handles are those of cubic Bézier curves, relative to the point, as in
//! the Splines package.

use serde::Serialize;
use serde_json::Value;

use super::heights::height;
use super::lap_points::{handles, lap_points};
use super::number::{fixed, push_row};
use super::{FormatError, FormatOptions};
use crate::RacingLine;
use crate::file::{LinePoint, round_to};
use raceline_file::ObjectText;

#[derive(Serialize)]
struct Vector3 {
    x: f64,
    y: f64,
    z: f64,
}

#[derive(Serialize)]
struct Knot {
    position_m: Vector3,
    tangent_in_m: Vector3,
    tangent_out_m: Vector3,
    yaw_deg: f64,
    speed_mps: f64,
    accel_mps2: f64,
    curvature_radpm: f64,
    s_m: f64,
    time_s: f64,
    left_m: f64,
    right_m: f64,
}

pub(super) fn write_json(line: &RacingLine, _: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    let knots: Vec<Knot> = line.points.iter().enumerate().map(|(index, point)| knot(line, index, point)).collect();
    let mut text = ObjectText::begin();
    text.value("name", &Value::from(line.name.as_str()))?;
    text.value("closed", &line.closed)?;
    text.value("length_m", &round_to(line.length_m, 3))?;
    text.value("lap_time_s", &round_to(line.lap_time_s, 4))?;
    text.rows("points", &knots)?;
    Ok(text.end())
}

pub(super) fn write_csv(line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    let mut text = "x_m,y_m,z_m,yaw_deg,speed_mps,accel_mps2,curvature_radpm,s_m,time_s,left_m,right_m\n".to_owned();
    for point in lap_points(line, options) {
        let cells = [
            fixed(point.x_m, 4),
            height(&point),
            fixed(point.y_m, 4),
            fixed(yaw_deg(point.heading_rad), 4),
            fixed(point.speed_mps, 4),
            fixed(point.accel_mps2, 4),
            fixed(point.curvature_radpm, 6),
            fixed(point.s_m, 4),
            fixed(point.time_s, 4),
            fixed(point.left_m, 4),
            fixed(point.right_m, 4),
        ];
        push_row(&mut text, ",", &cells);
    }
    Ok(text.into_bytes())
}

fn knot(line: &RacingLine, index: usize, point: &LinePoint) -> Knot {
    let [tangent_in, tangent_out] = handles(line, index);
    Knot {
        position_m: vector([point.x_m, point.y_m, point.z_m.unwrap_or(0.0)]),
        tangent_in_m: vector(tangent_in),
        tangent_out_m: vector(tangent_out),
        yaw_deg: round_to(yaw_deg(point.heading_rad), 4),
        speed_mps: round_to(point.speed_mps, 4),
        accel_mps2: round_to(point.accel_mps2, 4),
        curvature_radpm: round_to(point.curvature_radpm, 6),
        s_m: round_to(point.s_m, 4),
        time_s: round_to(point.time_s, 4),
        left_m: round_to(point.left_m, 4),
        right_m: round_to(point.right_m, 4),
    }
}

fn vector([x, y, up]: [f64; 3]) -> Vector3 {
    Vector3 { x: round_to(x, 4), y: round_to(up, 4), z: round_to(y, 4) }
}

/// Degrees clockwise from the map's +y, in [0, 360).
fn yaw_deg(heading_rad: f64) -> f64 {
    let yaw = (90.0 - heading_rad.to_degrees()).rem_euclid(360.0);
    // An angle that rounds up to 360° becomes 0°.
    if yaw >= 359.999_95 { 0.0 } else { yaw }
}
