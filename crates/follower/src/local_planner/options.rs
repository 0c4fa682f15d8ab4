//! Options of the local planner.

use crate::options::{by_key, options};
use crate::vehicle::VehicleGeometry;
use raceline_car::VehicleDynamics;
use raceline_numerics::math;

options! {
    /// Options of [`LocalPlanner`](crate::LocalPlanner).
    LocalPlannerOptions, "" {
        /// Distance to keep to the sides of others where there is room.
        gap_m: f64 = 1.0, [from 0 to 20], "m";
        /// Distance to the edges of the corridor.
        edge_m: f64 = 0.3, [from 0 to 20], "m";
        /// Distance to keep behind one that is followed.
        following_m: f64 = 4.0, [from 0 to 100], "m";
        /// Additional distance by speed.
        following_s: f64 = 0.4, [from 0 to 10], "s";
        /// Deceleration that is planned with.
        braking_mps2: f64 = 4.0, [above 0 to 100], "m/s²";
        /// Acceleration that is planned with.
        driving_mps2: f64 = 3.0, [above 0 to 100], "m/s²";
        /// Lateral acceleration of a curve beside the path that costs `smoothness_s`.
        lateral_mps2: f64 = 3.0, [above 0 to 100], "m/s²";
        /// Largest look ahead; at most the distance driven in 5 s.
        horizon_m: f64 = 100.0, [from 10 to 1000], "m";
        /// Cost of no clearance at all over the whole horizon.
        clearance_s: f64 = 10.0, [from 0 to 1000], "s";
        /// Cost of a curve with the lateral acceleration `lateral_mps2`.
        smoothness_s: f64 = 0.5, [from 0 to 1000], "s";
        /// Cost per metre beside the path.
        off_path_s: f64 = 0.25, [from 0 to 100], "s/m";
        /// Cost per metre between the new and the last goal.
        change_s: f64 = 0.05, [from 0 to 100], "s/m";
    }
}

by_key!(LocalPlannerOptions, " of the local planner");

/// Fractions of a vehicle's limits that are planned with, 0 to 1. Larger ones pass more and later,
/// and leave less where others do what was not expected.
const BRAKING_FRACTION: f64 = 0.5;
const DRIVING_FRACTION: f64 = 0.8;
const LATERAL_FRACTION: f64 = 0.3;
/// Distances to others and to the edges in widths of the vehicle, and to one that is followed in
/// its lengths. Larger ones are safer and pass less often.
const GAP_WIDTHS: f64 = 0.5;
const EDGE_WIDTHS: f64 = 0.15;
const FOLLOWING_LENGTHS: f64 = 0.9;
/// Use of the rear tyres in a bend, 0 to 1, by whose slip a body stands askew on its path. A larger one keeps a
/// sliding vehicle farther from the edges.
const BEND_USE: f64 = 0.8;
/// Time that is looked ahead at the present speed, s; the largest distance of the options for a vehicle
/// is that at its top speed. A longer one sees more of what a slow vehicle costs, with stations farther
/// apart.
pub(super) const HORIZON_S: f64 = 5.0;

impl LocalPlannerOptions {
    /// Options for a vehicle: fractions of its limits at standstill, distances by its size, and a
    /// look ahead for its top speed.
    #[must_use]
    pub fn for_vehicle(dynamics: &VehicleDynamics, geometry: &VehicleGeometry) -> Self {
        let limit = |value: f64| value.clamp(1e-3, 100.0);
        // A body that slides stands askew on its path, by the slip of its rear tyres.
        let slip = dynamics.handling(geometry.wheelbase_m, geometry.rear_axle_m).tyre_slip.at(BEND_USE);
        let askew_m = 0.5 * geometry.length_m * math::sin(slip);
        Self {
            gap_m: (GAP_WIDTHS * geometry.width_m).min(20.0),
            edge_m: (EDGE_WIDTHS * geometry.width_m + askew_m).min(20.0),
            following_m: (FOLLOWING_LENGTHS * geometry.length_m).min(100.0),
            braking_mps2: limit(BRAKING_FRACTION * dynamics.longitudinal_mps2.at(0.0)),
            driving_mps2: limit(DRIVING_FRACTION * dynamics.drive_mps2.at(0.0)),
            lateral_mps2: limit(LATERAL_FRACTION * dynamics.lateral_mps2.at(0.0)),
            horizon_m: (HORIZON_S * dynamics.max_speed_mps).clamp(10.0, 1e3),
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::LocalPlannerOptions;
    use crate::vehicle::VehicleGeometry;
    use raceline_car::VehicleDynamics;

    /// Nearly a sixth of the width, and what the body stands askew by the slip at 0.8 of a brush tyre's limit.
    #[test]
    fn the_distance_to_the_edges_has_the_body_askew_in_a_bend() {
        let (dynamics, geometry) = (VehicleDynamics::constant(10.0, 7.0, 3.0), VehicleGeometry::default());
        let peak = dynamics.handling(2.6, 1.3).brush_peak_slip_rad;
        let askew = 2.2 * (peak * (1.0 - 0.2_f64.cbrt())).sin();
        let found = LocalPlannerOptions::for_vehicle(&dynamics, &geometry);
        assert!((found.edge_m - 0.15 * 1.8 - askew).abs() < 1e-9, "{found:?}");
        assert!((found.gap_m - 0.9).abs() < 1e-9 && (found.following_m - 0.9 * 4.4).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn twice_the_limits_and_the_size_give_twice_the_options() {
        let options = |by: f64| {
            let mut dynamics = VehicleDynamics::constant(10.0 * by, 7.0 * by, 3.0 * by);
            dynamics.max_speed_mps = 40.0 * by;
            let size = VehicleGeometry::default();
            let geometry = VehicleGeometry { length_m: by * size.length_m, width_m: by * size.width_m, ..size };
            let options = LocalPlannerOptions::for_vehicle(&dynamics, &geometry);
            [
                options.braking_mps2,
                options.driving_mps2,
                options.lateral_mps2,
                options.horizon_m,
                options.gap_m,
                options.following_m,
            ]
        };
        let (once, twice) = (options(1.0), options(2.0));
        assert!(once.iter().zip(twice).all(|(a, b)| (2.0 * a - b).abs() < 1e-12 * b), "{once:?} {twice:?}");
        // None is planned with that the vehicle does not have.
        assert!(once.iter().zip([7.0, 3.0, 10.0]).all(|(option, limit)| *option <= limit), "{once:?}");
    }
}
