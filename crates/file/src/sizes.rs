//! Sizes that the numbers of a racing line can have, and distances that its points can have.

use std::f64::consts::{FRAC_PI_2, PI};

use super::{Inconsistency, LinePoint, RacingLine};
use raceline_numerics::math;

/// Largest coordinate, m: several times the northing of a map.
const MAX_COORDINATE_M: f64 = 1e8;
/// Largest curvature, 1/m: a radius of a millimetre.
const MAX_CURVATURE_RADPM: f64 = 1e3;
/// Largest speed, m/s.
const MAX_SPEED_MPS: f64 = 1e4;
/// Largest acceleration, m/s², and largest rate of a heading, rad/s.
const MAX_ACCEL_MPS2: f64 = 1e6;
/// Largest time, s.
const MAX_TIME_S: f64 = 1e9;
/// Largest factor of load or grip, and largest pedal.
const MAX_FACTOR: f64 = 100.0;
/// Largest heading, rad: π and the rounding of an angle.
const MAX_HEADING_RAD: f64 = PI + 1e-8;
/// A chord may be longer than the step of `s_m` by this fraction, and by this length.
const LONGER_FRACTION: f64 = 0.01;
const LONGER_M: f64 = 0.005;
/// A chord is at least this fraction of the step: a half circle's is 0.64 of its arc.
const SHORTER_FRACTION: f64 = 0.5;

impl<V, O> RacingLine<V, O> {
    /// Every number is one that a road and a vehicle can have.
    pub(crate) fn check_sizes(&self) -> Result<(), Inconsistency> {
        within("lap_time_s", self.lap_time_s, MAX_TIME_S)?;
        within("length_m", self.length_m, MAX_COORDINATE_M)?;
        for (index, point) in self.points.iter().enumerate() {
            for (key, value, max) in sizes(point) {
                if value.is_nan() || value.abs() > max {
                    return within(format!("points[{index}].{key}"), value, max);
                }
            }
            let unsigned = [("grip", point.grip), ("load", point.load)];
            if let Some((key, Some(value))) =
                unsigned.into_iter().find(|(_, value)| value.is_some_and(|value| value < 0.0))
            {
                return Err(Inconsistency::new(
                    format!("points[{index}].{key}"),
                    format!("is {value}, must not be negative"),
                ));
            }
        }
        for (key, vertices) in [("edges.left", &self.edges.left), ("edges.right", &self.edges.right)] {
            for (index, value) in
                vertices.iter().enumerate().flat_map(|(index, vertex)| vertex.map(|value| (index, value)))
            {
                if value.is_nan() || value.abs() > MAX_COORDINATE_M {
                    return within(format!("{key}[{index}]"), value, MAX_COORDINATE_M);
                }
            }
        }
        Ok(())
    }

    /// Points are as far apart as their `s_m`.
    pub(crate) fn check_distances(&self) -> Result<(), Inconsistency> {
        let n = self.points.len();
        let steps = if self.closed { n } else { n - 1 };
        for index in 0..steps {
            let next = (index + 1) % n;
            let (from, to) = (&self.points[index], &self.points[next]);
            let end_m = if next == 0 { self.length_m } else { to.s_m };
            let step_m = end_m - from.s_m;
            let rise_m = to.z_m.unwrap_or_default() - from.z_m.unwrap_or_default();
            // Seen from above, a step is at most as long as in space.
            let plane_m = math::hypot(to.x_m - from.x_m, to.y_m - from.y_m);
            let chord_m = math::hypot(plane_m, rise_m);
            let longest_m = (1.0 + LONGER_FRACTION) * step_m + LONGER_M;
            if plane_m > longest_m || chord_m < SHORTER_FRACTION * step_m - LONGER_M {
                return Err(Inconsistency::new(
                    format!("points[{index}]"),
                    format!("is {chord_m:.3} m away from points[{next}], but their s_m differ by {step_m:.3} m"),
                ));
            }
        }
        Ok(())
    }
}

fn within(place: impl Into<String>, value: f64, max: f64) -> Result<(), Inconsistency> {
    if value.abs() <= max {
        return Ok(());
    }
    // An exponent keeps a number of hundreds of digits readable.
    let shown = if value.abs() < 1e9 { value.to_string() } else { format!("{value:e}") };
    Err(Inconsistency::new(place, format!("is {shown}, must be between {} and {max}", -max)))
}

/// The numbers of a point with the largest sizes that they can have.
fn sizes(point: &LinePoint) -> impl Iterator<Item = (&'static str, f64, f64)> {
    let required = [
        ("s_m", point.s_m, MAX_COORDINATE_M),
        ("x_m", point.x_m, MAX_COORDINATE_M),
        ("y_m", point.y_m, MAX_COORDINATE_M),
        ("heading_rad", point.heading_rad, MAX_HEADING_RAD),
        ("curvature_radpm", point.curvature_radpm, MAX_CURVATURE_RADPM),
        ("speed_mps", point.speed_mps, MAX_SPEED_MPS),
        ("accel_mps2", point.accel_mps2, MAX_ACCEL_MPS2),
        ("time_s", point.time_s, MAX_TIME_S),
        ("left_m", point.left_m, MAX_COORDINATE_M),
        ("right_m", point.right_m, MAX_COORDINATE_M),
    ];
    let optional = [
        ("z_m", point.z_m, MAX_COORDINATE_M),
        ("banking_rad", point.banking_rad, FRAC_PI_2),
        ("grip", point.grip, MAX_FACTOR),
        ("load", point.load, MAX_FACTOR),
        ("steering_rad", point.steering_rad, PI),
        ("pedal", point.pedal, MAX_FACTOR),
        ("sideslip_rad", point.sideslip_rad, PI),
        ("yaw_rate_radps", point.yaw_rate_radps, MAX_ACCEL_MPS2),
    ];
    let present = optional.into_iter().filter_map(|(key, value, max)| Some((key, value?, max)));
    required.into_iter().chain(present)
}
