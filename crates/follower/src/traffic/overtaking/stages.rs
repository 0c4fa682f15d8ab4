//! The road ahead in stages of equal time at the path's own speeds: how wide it is and how fast it is driven.

use crate::chassis::Frame;
use crate::options::{TargetSpeedOptions, TrafficOptions};
use crate::shift::MIN_RADIUS;
use crate::target_speed::Walk;
use crate::vehicle::VehicleGeometry;
use raceline_car::VehicleDynamics;

/// Stages, and the time between two of them at the path's own speeds, s; with the steps in which it is
/// found. More of them see further and cost in proportion.
pub(super) const STAGES: usize = 14;
const STAGE_S: f64 = 0.4;
const SUBSTEPS: usize = 4;
/// Largest offset, m, where the road is wider or has no edges.
const MAX_OFFSET_M: f64 = 20.0;
/// Fraction of the grip, 0 to 1, that is planned with beside the path, and of the brakes.
const GRIP_FRACTION: f64 = 0.9;
const BRAKES_FRACTION: f64 = 0.8;
/// More of the distance to the edges by speed, s. A larger one leaves less to overtake with.
const EDGE_S: f64 = 0.006;

/// The path at a stage.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Stage {
    /// Distance ahead, m.
    pub s: f64,
    /// The path's own speed, m/s.
    pub top: f64,
    pub curvature: f64,
    /// Lateral acceleration that the tyres give there, and deceleration that is planned with, m/s².
    pub lateral: f64,
    pub braking: f64,
    /// Lowest and highest offset of the vehicle's middle on the road, m.
    pub low: f64,
    pub high: f64,
}

impl Stage {
    /// Speed at an offset on a route that bends by `bend` against the path, m/s.
    pub(super) fn fastest(&self, offset: f64, bend: f64) -> f64 {
        let left = (1.0 - self.curvature * offset).max(MIN_RADIUS);
        let total = (self.curvature / left + bend).abs().max(1e-6);
        (self.lateral / total).sqrt().min(self.top)
    }
}

/// The stages ahead of the vehicle.
pub(super) fn stages(
    frame: &Frame<'_>,
    dynamics: &VehicleDynamics,
    speeds: &TargetSpeedOptions,
    options: &TrafficOptions,
    vehicle: &VehicleGeometry,
) -> [Stage; STAGES] {
    let mut walk = Walk::new(frame.path, frame.nearest.segment);
    let (mut s, mut speed) = (0.0, frame.state.speed_mps.max(1.0));
    std::array::from_fn(|k| {
        let mut stage = Stage::default();
        let mut narrowest = (f64::INFINITY, f64::INFINITY);
        for _ in 0..if k == 0 { 1 } else { SUBSTEPS } {
            if k > 0 {
                let there = walk.profile(frame.nearest.s + s);
                let top = there.speed_squared.sqrt() * speeds.profile_scale;
                let dt = STAGE_S / SUBSTEPS as f64;
                let next = (speed + dynamics.drive_mps2.at(speed) * dt).min(top.max(1.0));
                s += 0.5 * (speed + next) * dt;
                speed = next;
            }
            let there = walk.sample(frame.nearest.s + s);
            narrowest = (narrowest.0.min(there.right_m), narrowest.1.min(there.left_m));
            let grip = walk.profile(frame.nearest.s + s).grip;
            let top = (there.speed_mps * speeds.profile_scale).min(speeds.max_speed_mps).max(1.0);
            let taken = there.curvature_radpm.abs() * top * top;
            stage = Stage {
                s,
                top,
                curvature: there.curvature_radpm,
                lateral: (GRIP_FRACTION * grip * dynamics.lateral_mps2.at(top)).max(taken),
                braking: BRAKES_FRACTION * grip * dynamics.longitudinal_mps2.at(top),
                low: 0.0,
                high: 0.0,
            };
        }
        let margin = 0.5 * vehicle.width_m + options.edge_m + EDGE_S * speed;
        let middle = |room: f64| (room - margin).clamp(0.0, MAX_OFFSET_M);
        (stage.low, stage.high) = (-middle(narrowest.0), middle(narrowest.1));
        stage
    })
}

#[cfg(test)]
mod tests;
