//! The analysis of a finished line: corners, straights, sectors, extremes, margins, heights, balance. One
//! [`RacingLine`] in, one [`Analysis`] out.
//!
//! A **corner** is where the line's curvature is larger than the vehicle's grip allows at the lap's
//! top speed: |κ| > a/v², with a the lateral limit there and v the highest speed of the lap. So the
//! definition applies at any scale. Bends to the same side with less than half a second between
//! them are one corner. Bends of less than 9 degrees are not corners.

use serde::Serialize;

use crate::file::RacingLine;
use crate::vehicle::GgDiagram;

mod alignment;
mod balance;
mod braking;
mod comparison;
mod corner_names;
mod corners;
pub mod drift;
mod driven_lap;
mod extremes;
mod lap;
mod losses;
mod relief;
mod road_size;
mod stretches;

pub use balance::{BalanceAnalysis, CornerBalance, Tendency};
pub use braking::{BrakingZone, braking_zones};
pub use comparison::{Along, Comparison, ComparisonError, Difference, compare, lay_beside};
pub use corners::{Corner, CornerOptions, Turn};
pub use driven_lap::{DrivenLapError, driven_lap};
pub use extremes::{Extreme, Extremes, Margins};
pub use lap::{Here, Lap};
pub use losses::{CornerLoss, LossCause, Losses, losses};
pub use relief::{Crest, ReliefAnalysis, grades};
pub use road_size::decimals_of;
pub use stretches::Stretch;

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

/// Why a line cannot be analysed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// A sector's end that is not between the one before and the end of the lap.
    #[error(
        "sector bound {bound} m is not above {before} m and below the lap's {length} m: specify ascending distances from the start line"
    )]
    SectorBound {
        /// The bound, m.
        bound: f64,
        /// The bound before, m.
        before: f64,
        /// The lap's length, m.
        length: f64,
    },
    /// An option out of its range.
    #[error("{name} is {value}: it must be above 0")]
    NotPositive {
        /// The option.
        name: &'static str,
        /// Value.
        value: f64,
    },
    /// Fewer than two points.
    #[error("the line has fewer than two points: make it again")]
    TooShort,
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
    let mut corners = corners::corners(lap, threshold, &options.corners);
    corner_names::give_names(lap, &mut corners);
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
