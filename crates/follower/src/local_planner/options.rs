//! Options of the local planner.

use crate::error::OptionsError;
use crate::options::{SMALLEST, validate_rows};
use crate::vehicle::VehicleGeometry;
use raceline_car::VehicleDynamics;

/// Options of [`LocalPlanner`](crate::LocalPlanner).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalPlannerOptions {
    /// Distance to keep to the sides of others where there is room, metres, 0 to 20; default 1.
    pub gap_m: f64,
    /// Distance to the edges of the corridor, metres, 0 to 20; default 0.3.
    pub edge_m: f64,
    /// Distance to keep behind one that is followed, metres, 0 to 100; default 4.
    pub following_m: f64,
    /// Additional distance by speed, s, 0 to 10; default 0.4.
    pub following_s: f64,
    /// Deceleration that is planned with, m/s², above 0, at most 100; default 4.
    pub braking_mps2: f64,
    /// Acceleration that is planned with, m/s², above 0, at most 100; default 3.
    pub driving_mps2: f64,
    /// Lateral acceleration of a curve beside the path that costs `smoothness_s`, m/s², above 0, at most
    /// 100; default 3.
    pub lateral_mps2: f64,
    /// Largest look ahead, metres, 10 to 1000; default 100; at most the distance driven in 5 s.
    pub horizon_m: f64,
    /// Cost of no clearance at all over the whole horizon, seconds, 0 to 1000; default 10.
    pub clearance_s: f64,
    /// Cost of a curve with the lateral acceleration `lateral_mps2`, in seconds, 0 to 1000; default 0.5.
    pub smoothness_s: f64,
    /// Cost per metre beside the path, in seconds, 0 to 100; default 0.25.
    pub off_path_s: f64,
    /// Cost per metre between the new and the last goal, in seconds, 0 to 100; default 0.05.
    pub change_s: f64,
}

impl Default for LocalPlannerOptions {
    fn default() -> Self {
        Self {
            gap_m: 1.0,
            edge_m: 0.3,
            following_m: 4.0,
            following_s: 0.4,
            braking_mps2: 4.0,
            driving_mps2: 3.0,
            lateral_mps2: 3.0,
            horizon_m: 100.0,
            clearance_s: 10.0,
            smoothness_s: 0.5,
            off_path_s: 0.25,
            change_s: 0.05,
        }
    }
}

/// Fractions of a vehicle's limits that are planned with.
const BRAKING_FRACTION: f64 = 0.5;
const DRIVING_FRACTION: f64 = 0.8;
const LATERAL_FRACTION: f64 = 0.3;
/// Distances in widths and lengths of the vehicle.
const GAP_WIDTHS: f64 = 0.5;
const EDGE_WIDTHS: f64 = 0.15;
const FOLLOWING_LENGTHS: f64 = 0.9;
/// Largest look ahead, s at top speed.
const HORIZON_S: f64 = 5.0;

impl LocalPlannerOptions {
    /// Options for a vehicle: fractions of its limits at standstill, distances by its size, and a
    /// look ahead for its top speed.
    #[must_use]
    pub fn for_vehicle(dynamics: &VehicleDynamics, geometry: &VehicleGeometry) -> Self {
        let limit = |value: f64| value.clamp(1e-3, 100.0);
        Self {
            gap_m: (GAP_WIDTHS * geometry.width_m).min(20.0),
            edge_m: (EDGE_WIDTHS * geometry.width_m).min(20.0),
            following_m: (FOLLOWING_LENGTHS * geometry.length_m).min(100.0),
            braking_mps2: limit(BRAKING_FRACTION * dynamics.longitudinal_mps2.at(0.0)),
            driving_mps2: limit(DRIVING_FRACTION * dynamics.drive_mps2.at(0.0)),
            lateral_mps2: limit(LATERAL_FRACTION * dynamics.lateral_mps2.at(0.0)),
            horizon_m: (HORIZON_S * dynamics.max_speed_mps).clamp(10.0, 1e3),
            ..Self::default()
        }
    }

    /// Sets the option `key`, which has the field's name, to `value`, for a game whose settings are
    /// text. Ranges are checked when a planner is made.
    ///
    /// # Errors
    /// A message for an unknown key.
    pub fn set(&mut self, key: &str, value: f64) -> Result<(), String> {
        let field = match key {
            "gap_m" => &mut self.gap_m,
            "edge_m" => &mut self.edge_m,
            "following_m" => &mut self.following_m,
            "following_s" => &mut self.following_s,
            "braking_mps2" => &mut self.braking_mps2,
            "driving_mps2" => &mut self.driving_mps2,
            "lateral_mps2" => &mut self.lateral_mps2,
            "horizon_m" => &mut self.horizon_m,
            "clearance_s" => &mut self.clearance_s,
            "smoothness_s" => &mut self.smoothness_s,
            "off_path_s" => &mut self.off_path_s,
            "change_s" => &mut self.change_s,
            _ => return Err(format!("there is no option {key} of the local planner: docs/follower.md lists them")),
        };
        *field = value;
        Ok(())
    }

    /// Checks every field.
    ///
    /// # Errors
    /// The first field that is out of its documented range.
    pub fn validate(&self) -> Result<(), OptionsError> {
        validate_rows(&[
            ("gap_m", self.gap_m, 0.0, 20.0, "0 to 20 m"),
            ("edge_m", self.edge_m, 0.0, 20.0, "0 to 20 m"),
            ("following_m", self.following_m, 0.0, 100.0, "0 to 100 m"),
            ("following_s", self.following_s, 0.0, 10.0, "0 to 10 s"),
            ("braking_mps2", self.braking_mps2, SMALLEST, 100.0, "above 0, at most 100 m/s²"),
            ("driving_mps2", self.driving_mps2, SMALLEST, 100.0, "above 0, at most 100 m/s²"),
            ("lateral_mps2", self.lateral_mps2, SMALLEST, 100.0, "above 0, at most 100 m/s²"),
            ("horizon_m", self.horizon_m, 10.0, 1e3, "10 to 1000 m"),
            ("clearance_s", self.clearance_s, 0.0, 1e3, "0 to 1000 s"),
            ("smoothness_s", self.smoothness_s, 0.0, 1e3, "0 to 1000 s"),
            ("off_path_s", self.off_path_s, 0.0, 100.0, "0 to 100 s/m"),
            ("change_s", self.change_s, 0.0, 100.0, "0 to 100 s/m"),
        ])
    }
}
