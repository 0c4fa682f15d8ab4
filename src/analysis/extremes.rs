//! The extremes of a lap, and the use of its margin.

use serde::Serialize;

use crate::file::LinePoint;

use super::lap::Lap;

/// A value and its place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Extreme {
    /// The value, in the unit of the field that contains it.
    pub value: f64,
    /// Place, m from the start line.
    pub s_m: f64,
    /// Position, m.
    pub position_m: [f64; 2],
}

/// The extremes of a lap.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Extremes {
    /// Highest speed, m/s.
    pub top_speed_mps: Extreme,
    /// Lowest speed, m/s.
    pub lowest_speed_mps: Extreme,
    /// Greatest acceleration along the line, m/s².
    pub acceleration_mps2: Extreme,
    /// Hardest braking, m/s², negative.
    pub braking_mps2: Extreme,
    /// Greatest acceleration across the line, m/s², positive.
    pub lateral_mps2: Extreme,
    /// Minimum radius, m.
    pub radius_m: Extreme,
    /// Minimum distance to the left edge, m.
    pub left_m: Extreme,
    /// Minimum distance to the right edge, m.
    pub right_m: Extreme,
}

/// The use of the road's width by a lap.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Margins {
    /// The vehicle's margin to an edge: half its width and its safety distance, m.
    pub margin_m: f64,
    /// Minimum distance to an edge less the margin, m; negative if the line violates the margin.
    #[serde(rename = "least_spare_m")]
    pub min_spare_m: f64,
    /// Fraction of the lap's length on which the distance to an edge is at most the margin and a
    /// tenth of a metre, 0 to 1.
    #[serde(rename = "share_at_margin")]
    pub fraction_at_margin: f64,
}

/// A line is at its margin if the spare distance is at most this, m.
const AT_MARGIN_M: f64 = 0.1;

/// The extremes of a line.
pub fn extremes(lap: Lap) -> Option<Extremes> {
    let max = |value: &dyn Fn(&LinePoint) -> f64| {
        let best = lap.points().iter().max_by(|a, b| value(a).total_cmp(&value(b)))?;
        Some(Extreme { value: value(best), s_m: best.s_m, position_m: [best.x_m, best.y_m] })
    };
    let min = |value: &dyn Fn(&LinePoint) -> f64| {
        max(&|point| -value(point)).map(|extreme| Extreme { value: -extreme.value, ..extreme })
    };
    let bend = max(&|point| point.curvature_radpm.abs())?;
    Some(Extremes {
        top_speed_mps: max(&|point| point.speed_mps)?,
        lowest_speed_mps: min(&|point| point.speed_mps)?,
        acceleration_mps2: max(&|point| point.accel_mps2)?,
        braking_mps2: min(&|point| point.accel_mps2)?,
        lateral_mps2: max(&|point| point.curvature_radpm.abs() * point.speed_mps * point.speed_mps)?,
        radius_m: Extreme { value: 1.0 / bend.value.max(f64::MIN_POSITIVE), ..bend },
        left_m: min(&|point| point.left_m)?,
        right_m: min(&|point| point.right_m)?,
    })
}

/// The use of the road's width by a line.
pub fn margins(lap: Lap) -> Margins {
    let margin_m = lap.line.vehicle.margin_m();
    let spare = |point: &LinePoint| point.left_m.min(point.right_m) - margin_m;
    let points = lap.points();
    let at_margin: f64 = (0..lap.steps())
        .filter(|&i| spare(&points[i]) <= AT_MARGIN_M && spare(&points[(i + 1) % points.len()]) <= AT_MARGIN_M)
        .map(|i| lap.distance(i + 1) - lap.distance(i))
        .sum();
    Margins {
        margin_m,
        min_spare_m: points.iter().map(spare).fold(f64::INFINITY, f64::min),
        fraction_at_margin: at_margin / lap.line.length_m,
    }
}
