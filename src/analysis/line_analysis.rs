//! The analysis of a line, and its options.

use serde::Serialize;

use super::road_corners::RoadCorners;
use super::{
    AnalysisError, BalanceAnalysis, Corner, CornerOptions, Extremes, Lap, Margins, ReliefAnalysis, Stretch, balance,
    corner_names, corners, extremes, relief, stretches,
};
use crate::file::RacingLine;
use crate::vehicle::GgDiagram;

/// The options of an analysis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnalysisOptions {
    /// The definition of a corner.
    pub corners: CornerOptions,
    /// Where sectors end, m from the start line, ascending and within the lap. Default: three
    /// sectors of equal length.
    pub sectors_m: Vec<f64>,
}

impl AnalysisOptions {
    /// The defaults, with the sectors that `line` was made with.
    #[must_use]
    pub fn of(line: &RacingLine) -> Self {
        Self { sectors_m: line.options.sectors_m.clone(), ..Self::default() }
    }
}

/// The analysis of a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// Curvature above which a bend counts as a corner, 1/m.
    pub corner_curvature_radpm: f64,
    /// The corners in the order of travel.
    pub corners: Vec<Corner>,
    /// The stretches between them.
    pub straights: Vec<Stretch>,
    /// The sectors.
    pub sectors: Vec<Stretch>,
    /// The extremes.
    pub extremes: Extremes,
    /// The use of the road's width.
    pub margins: Margins,
    /// The heights along the line; `None` on a level road.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relief: Option<ReliefAnalysis>,
    /// Balance, tyre use and energy; `None` where the file does not have the car's states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balance: Option<BalanceAnalysis>,
}

/// Analyses a line.
///
/// # Errors
/// See [`AnalysisError`].
pub fn analyse(line: &RacingLine, options: &AnalysisOptions) -> Result<Analysis, AnalysisError> {
    let lap = Lap::new(line);
    if line.points.len() < 2 {
        return Err(AnalysisError::TooShort);
    }
    check(line, options)?;
    let extremes = extremes::extremes(lap).ok_or(AnalysisError::TooShort)?;
    let threshold =
        options.corners.curvature_radpm.unwrap_or_else(|| corner_curvature(line, extremes.top_speed_mps.value));
    let road = RoadCorners::of(lap, options.corners.min_angle_rad);
    let mut corners = corners::corners(lap, road.as_ref(), threshold, &options.corners);
    corner_names::give_names(lap, road.as_ref(), &mut corners);
    Ok(Analysis {
        corner_curvature_radpm: threshold,
        straights: stretches::straights(lap, &corners),
        balance: balance::balance(lap, &corners),
        corners,
        sectors: stretches::sectors(lap, &options.sectors_m),
        extremes,
        margins: extremes::margins(lap),
        relief: relief::relief(lap),
    })
}

/// The curvature that uses all of the lateral limit at a speed, 1/m.
fn corner_curvature(line: &RacingLine, speed_mps: f64) -> f64 {
    let speed = speed_mps.max(0.1);
    let limit = GgDiagram::new(&line.vehicle)
        .map_or(line.vehicle.lateral_limit_mps2, |diagram| diagram.lateral_limit(speed * speed));
    limit / (speed * speed)
}

fn check(line: &RacingLine, options: &AnalysisOptions) -> Result<(), AnalysisError> {
    let CornerOptions { curvature_radpm, merge_s, min_angle_rad } = options.corners;
    let positive = [
        ("corner_curvature_radpm", curvature_radpm.unwrap_or(1.0)),
        ("corner_merge_s", merge_s),
        ("corner_least_angle_rad", min_angle_rad),
    ];
    for (name, value) in positive {
        if !(value > 0.0 && value.is_finite()) {
            return Err(AnalysisError::NotPositive { name, value });
        }
    }
    let mut before = 0.0;
    for &bound in &options.sectors_m {
        if !(bound > before && bound < line.length_m) {
            return Err(AnalysisError::SectorBound { bound, before, length: line.length_m });
        }
        before = bound;
    }
    Ok(())
}
