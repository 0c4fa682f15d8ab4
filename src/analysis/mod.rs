//! The analysis of a finished line: corners, straights, sectors, extremes, margins, heights, balance. One
//! [`RacingLine`](crate::file::RacingLine) in, one [`Analysis`] out.
//!
//! A **corner** is a bend of the road, of at least 15 degrees, in which the line's curvature is larger
//! than the vehicle's grip allows at the lap's top speed: |κ| > a/v², with a the lateral limit there
//! and v the highest speed of the lap. So the definition applies at any scale. Bends of the line to the
//! same side with less than half a second between them are one corner. Its number is that of the road's
//! bend, so that two lines on a road have the same number at one place.

mod alignment;
mod balance;
mod braking;
mod comparison;
mod corner_names;
mod corners;
pub mod drift;
mod driven_lap;
mod error;
mod extremes;
mod lap;
mod line_analysis;
mod losses;
mod relief;
mod road_corners;
mod road_size;
mod stretches;
mod turn;

pub use balance::{BalanceAnalysis, CornerBalance, Tendency};
pub use braking::{BrakingZone, braking_zones};
pub use comparison::{Along, Comparison, ComparisonError, Difference, compare, lay_beside};
pub use corners::{Corner, CornerNumber, CornerOptions};
pub use driven_lap::{DrivenLapError, driven_lap};
pub use error::AnalysisError;
pub use extremes::{Extreme, Extremes, Margins};
pub use lap::{Here, Lap};
pub use line_analysis::{Analysis, AnalysisOptions, analyse};
pub use losses::{CornerLoss, LossCause, Losses, losses};
pub use relief::{Crest, ReliefAnalysis, grades};
pub use road_size::decimals_of;
pub use stretches::Stretch;
pub use turn::Turn;
