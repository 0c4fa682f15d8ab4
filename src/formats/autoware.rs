//! A trajectory for Autoware's CSV loaders: position, orientation as a quaternion, speed.

use super::heights::height;
use super::lap_points::{lap_points, quaternion};
use super::number::{fixed, push_row};
use super::{FormatError, FormatOptions};
use crate::RacingLine;

pub(super) fn write(line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    let mut text = "x,y,z,x_quat,y_quat,z_quat,w_quat,speed\n".to_owned();
    for point in lap_points(line, options) {
        let [z, w] = quaternion(point.heading_rad);
        let cells = [
            fixed(point.x_m, 4),
            fixed(point.y_m, 4),
            height(&point),
            fixed(0.0, 1),
            fixed(0.0, 1),
            fixed(z, 9),
            fixed(w, 9),
            fixed(point.speed_mps, 4),
        ];
        push_row(&mut text, ",", &cells);
    }
    Ok(text.into_bytes())
}
