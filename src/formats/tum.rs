//! The race trajectory of TUM's global planner: seven columns after three comment lines, the third
//! with their names.
//!
//! psi is counter-clockwise, in (-π, π]. TUM's tools have 0 along +y, f1tenth_gym 0 along +x.

use std::f64::consts::{FRAC_PI_2, PI};

use super::lap_points::lap_points;
use super::number::{Fixed, fixed, push_row};
use super::{FormatError, FormatOptions};
use crate::RacingLine;
use crate::geometry::wrap_angle;

pub(super) fn write(line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    Ok(table(line, options, psi))
}

/// The trajectory as f1tenth_gym's `Raceline` reads it: its drivers take psi for the heading.
pub(super) fn write_f1tenth_gym(line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    Ok(table(line, options, wrapped))
}

/// The comment lines and a row for each point, with the heading as `psi` converts it.
fn table(line: &RacingLine, options: &FormatOptions, psi: fn(f64) -> Fixed) -> Vec<u8> {
    let mut text = head(line);
    text.push_str("# s_m; x_m; y_m; psi_rad; kappa_radpm; vx_mps; ax_mps2\n");
    for point in lap_points(line, options) {
        let number = |value| fixed(value, 7);
        let cells = [
            number(point.s_m),
            number(point.x_m),
            number(point.y_m),
            psi(point.heading_rad),
            number(point.curvature_radpm),
            number(point.speed_mps),
            number(point.accel_mps2),
        ];
        push_row(&mut text, "; ", &cells);
    }
    text.into_bytes()
}

/// The two lines before the names. Readers of the format skip three lines.
pub(super) fn head(line: &RacingLine) -> String {
    let name: String = line.name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!(
        "# {name}, {}, {}\n# {}\n",
        line.method.name(),
        line.vehicle.name.replace(char::is_control, " "),
        line.generator
    )
}

/// Heading in TUM's convention.
pub(super) fn psi(heading_rad: f64) -> Fixed {
    wrapped(heading_rad - FRAC_PI_2)
}

/// An angle in (-π, π].
fn wrapped(angle_rad: f64) -> Fixed {
    // With seven decimals, π would be rounded up, out of the range.
    let largest = (PI * 1e7).floor() / 1e7;
    fixed(wrap_angle(angle_rad).clamp(-largest, largest), 7)
}
