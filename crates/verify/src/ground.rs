//! The road under a line in three dimensions, from the heights and the banking at its points.
//!
//! The line rises by p = dz/ds per length s in the plane; its tangent in space is
//! T = (t + p e) / c with the unit vectors t along and l across the line in the plane, e upwards, and
//! c = √(1 + p²). The road is tilted about T: with the angle γ from l,
//!
//! ```text
//! across the road   A = cos γ l + sin γ U        U = (e - p t) / c
//! its normal        N = cos γ U - sin γ l
//! banking β         sin β = A · e = sin γ / c
//! bend in space     K = (κ l + z'' U / c) / c²
//! ```
//!
//! so that the tyres must give `K · A v² + g sin β` across the line and carry `g N · e + K · N v²`.

use raceline_car::STANDARD_GRAVITY;
use raceline_file::RacingLine;
use raceline_numerics::math;

use super::course::{Step, around};

/// Forces of the road at a point, per mass.
#[derive(Clone, Copy, Debug)]
pub struct Ground {
    /// Bend across the road, 1/m.
    pub across_radpm: f64,
    /// Acceleration across by gravity, m/s²; positive where the left is higher.
    pub gravity_across: f64,
    /// Deceleration by gravity, m/s²: positive uphill.
    pub gravity_along: f64,
    /// Gravity on the road, m/s².
    pub gravity_normal: f64,
    /// Bend towards the normal, 1/m: positive in a dip.
    pub normal_radpm: f64,
}

impl Ground {
    fn level(curvature_radpm: f64) -> Self {
        Self {
            across_radpm: curvature_radpm,
            gravity_across: 0.0,
            gravity_along: 0.0,
            gravity_normal: STANDARD_GRAVITY,
            normal_radpm: 0.0,
        }
    }

    fn tilted(curvature_radpm: f64, slope: f64, bend_radpm: f64, banking_rad: f64) -> Self {
        let c = math::hypot(slope, 1.0);
        let sine = (c * math::sin(banking_rad)).clamp(-1.0, 1.0);
        let cosine = (1.0 - sine * sine).sqrt();
        let upward = bend_radpm / c;
        Self {
            across_radpm: (curvature_radpm * cosine + upward * sine) / (c * c),
            gravity_across: STANDARD_GRAVITY * sine / c,
            gravity_along: STANDARD_GRAVITY * slope / c,
            gravity_normal: STANDARD_GRAVITY * cosine / c,
            normal_radpm: (upward * cosine - curvature_radpm * sine) / (c * c),
        }
    }
}

/// The road at each point of `line`.
pub fn grounds<V, O>(line: &RacingLine<V, O>, steps: &[Step]) -> Vec<Ground> {
    let slope = |step: &Step| step.rise_m / step.plane_m.max(f64::MIN_POSITIVE);
    line.points
        .iter()
        .enumerate()
        .map(|(index, point)| {
            if point.z_m.is_none() {
                return Ground::level(point.curvature_radpm);
            }
            let (before, after) = around(index, steps.len(), line.closed);
            let (rise, bend) = match (before.map(|k| &steps[k]), after.map(|k| &steps[k])) {
                (Some(before), Some(after)) => {
                    let (p, q) = (slope(before), slope(after));
                    let whole = before.plane_m + after.plane_m;
                    ((p * after.plane_m + q * before.plane_m) / whole, 2.0 * (q - p) / whole)
                }
                (Some(one), None) | (None, Some(one)) => (slope(one), 0.0),
                (None, None) => (0.0, 0.0),
            };
            Ground::tilted(point.curvature_radpm, rise, bend, point.banking_rad.unwrap_or_default())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::Ground;
    use raceline_car::STANDARD_GRAVITY;

    #[test]
    fn a_banked_circle_is_a_cone_s() {
        // A cone that falls to the left, where the centre is.
        let (banking, radius) = (0.3_f64, 40.0);
        let ground = Ground::tilted(1.0 / radius, 0.0, 0.0, -banking);
        assert!((ground.across_radpm - banking.cos() / radius).abs() < 1e-12);
        assert!((ground.normal_radpm - banking.sin() / radius).abs() < 1e-12);
        assert!((ground.gravity_across + STANDARD_GRAVITY * banking.sin()).abs() < 1e-12);
    }

    #[test]
    fn gravity_is_whole_in_its_parts() {
        let ground = Ground::tilted(0.01, 0.2, 0.003, 0.15);
        let parts = [ground.gravity_across, ground.gravity_along, ground.gravity_normal];
        let whole = parts.iter().map(|part| part * part).sum::<f64>().sqrt();
        assert!((whole - STANDARD_GRAVITY).abs() < 1e-9, "{whole}");
    }
}
