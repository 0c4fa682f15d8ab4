//! A stretch of road in reports and warnings.

use serde::Serialize;

use crate::tracing::SideRoad;

/// A stretch of road and its middle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RoadStretch {
    /// Position, m.
    pub x_m: f64,
    /// Position, m.
    pub y_m: f64,
    /// Length, m.
    pub length_m: f64,
}

impl From<SideRoad> for RoadStretch {
    fn from(road: SideRoad) -> Self {
        let millimetres = |value: f64| (value * 1e3).round() / 1e3;
        Self { x_m: millimetres(road.at.x), y_m: millimetres(road.at.y), length_m: millimetres(road.length_m) }
    }
}
