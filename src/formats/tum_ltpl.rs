//! The trajectory of TUM's local planner (graph_ltpl): twelve columns after three comment lines.
//!
//! A row's reference point is the middle of the road across the line, the normal points to the
//! right, and reference + alpha × normal is the line's own point. Deviation: TUM's normals are
//! perpendicular to a given reference line, these to the racing line.

use super::lap_points::lap_points;
use super::number::{fixed, push_row};
use super::road_across::{Across, road_across};
use super::tum::{head, psi};
use super::{FormatError, FormatOptions};
use crate::RacingLine;
use raceline_numerics::math;

const NAMES: &str = "# x_ref_m; y_ref_m; width_right_m; width_left_m; x_normvec_m; y_normvec_m; alpha_m; s_racetraj_m; \
                     psi_racetraj_rad; kappa_racetraj_radpm; vx_racetraj_mps; ax_racetraj_mps2\n";

pub(super) fn write(line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    let mut text = head(line);
    text.push_str(NAMES);
    let across = road_across(line);
    for (point, &Across { left_m, right_m }) in lap_points(line, options).iter().zip(across.iter().cycle()) {
        let (sin, cos) = math::sin_cos(point.heading_rad);
        let normal = [sin, -cos];
        let half = (left_m + right_m) / 2.0;
        let alpha = half - right_m;
        let number = |value| fixed(value, 7);
        let cells = [
            number(point.x_m - alpha * normal[0]),
            number(point.y_m - alpha * normal[1]),
            number(half),
            number(half),
            number(normal[0]),
            number(normal[1]),
            number(alpha),
            number(point.s_m),
            psi(point.heading_rad),
            number(point.curvature_radpm),
            number(point.speed_mps),
            number(point.accel_mps2),
        ];
        push_row(&mut text, "; ", &cells);
    }
    Ok(text.into_bytes())
}
