//! Options of driving among other vehicles.

/// Avoiding and following other vehicles, see [`crate::Scene::neighbours`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrafficOptions {
    /// Distance to keep between the sides of two vehicles, metres, 0 to 20; default 0.6.
    pub gap_m: f64,
    /// Distance to keep to the sides of vehicles abreast where the road has room, metres, 0 to 20,
    /// but not less than `gap_m`; default 1.5.
    pub beside_m: f64,
    /// Distance to keep to the edges of the corridor while avoiding, metres, 0 to 20; default 0.3.
    pub edge_m: f64,
    /// Distance to keep behind a vehicle that is followed, metres, 0 to 100; default 3.
    pub following_m: f64,
    /// Additional distance behind by speed, s, 0 to 10; default 0.1.
    pub following_s: f64,
    /// Deceleration that is counted on behind other vehicles, m/s², above 0, at most 100; default 6. With
    /// the vehicle's limits on the path, 0.7 of the braking limit where that is more.
    pub braking_mps2: f64,
    /// Time before two vehicles meet from which on another vehicle is avoided, s, 0.1 to 30; default 4.
    pub horizon_s: f64,
    /// Largest acceleration across the path for it, m/s², above 0, at most 100; default 3.
    pub lateral_mps2: f64,
    /// Largest speed across the path for it, m/s, above 0, at most 100; default 4.
    pub lateral_mps: f64,
}

impl Default for TrafficOptions {
    fn default() -> Self {
        Self {
            gap_m: 0.6,
            beside_m: 1.5,
            edge_m: 0.3,
            following_m: 3.0,
            following_s: 0.1,
            braking_mps2: 6.0,
            horizon_s: 4.0,
            lateral_mps2: 3.0,
            lateral_mps: 4.0,
        }
    }
}
