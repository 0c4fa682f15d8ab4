//! How surely a line survives, in numbers.

use serde::{Deserialize, Serialize};

/// How surely a line survives, and what it gives up for it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Survival {
    /// Probability of staying on the road in a lap that was asked for, 0.5 to 0.99999.
    pub confidence: f64,
    /// The predicted one, at least as large.
    pub predicted: f64,
    /// Fraction of the tyres' grip that the line uses, 0 to 1.
    pub grip_fraction: f64,
    /// Largest room to an edge beside the vehicle's margin, m.
    pub max_edge_margin_m: f64,
    /// Lap time of the line without noise, s.
    pub free_lap_time_s: f64,
    /// The predicted probability of staying on the road in a lap of that line.
    pub free_predicted: f64,
}
