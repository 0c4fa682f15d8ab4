//! Options of driving among other vehicles.

use super::table::options;

options! {
    /// Avoiding and following other vehicles, see [`crate::Scene::neighbours`].
    TrafficOptions, "traffic." {
        /// Whether others are raced, where the path has dynamics and profile. Ignores `lateral_mps2` and
        /// `lateral_mps`.
        overtakes: bool = false, [switch];
        /// Distance to keep between the sides of two vehicles.
        gap_m: f64 = 0.6, [from 0 to 20], "m";
        /// Distance to keep to the sides of vehicles abreast where the road has room, but not less than
        /// `gap_m`.
        beside_m: f64 = 1.5, [from 0 to 20], "m";
        /// Distance to keep to the edges of the corridor while avoiding.
        edge_m: f64 = 0.3, [from 0 to 20], "m";
        /// Distance to keep behind a vehicle that is followed.
        following_m: f64 = 3.0, [from 0 to 100], "m";
        /// Additional distance behind by speed.
        following_s: f64 = 0.1, [from 0 to 10], "s";
        /// Deceleration that is counted on behind other vehicles. With the vehicle's limits on the path,
        /// 0.7 of the braking limit where that is more.
        braking_mps2: f64 = 6.0, [above 0 to 100], "m/s²";
        /// Time before two vehicles meet from which on the other is avoided.
        horizon_s: f64 = 4.0, [from 0.1 to 30], "s";
        /// Largest acceleration across the path for it.
        lateral_mps2: f64 = 3.0, [above 0 to 100], "m/s²";
        /// Largest speed across the path for it.
        lateral_mps: f64 = 4.0, [above 0 to 100], "m/s";
    }
}
