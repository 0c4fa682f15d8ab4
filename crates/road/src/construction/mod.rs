//! Points of a centre line or of two edges → [`Edges`](crate::edges::Edges).
//!
//! A centre line becomes edges by a cubic spline and its normals (`offset_edges`); the noise of a
//! survey is smoothed first (`survey_smoothing`). A line that is to be driven as it is only becomes tidy (`line`). Edges that are given as such remain polylines,
//! unless smoothing is specified.

mod centre_line;
mod closing;
mod edge_pair;
mod error;
mod imported;
mod legs;
mod levels;
mod line;
mod note;
mod offset_edges;
mod options;
mod road;
mod self_crossings;
mod survey_smoothing;
mod units;

pub(crate) use centre_line::LONGEST_M;
pub use centre_line::{CentreLine, Station, road_about, road_of_widths};
pub use closing::{distinct, usual_step};
pub use edge_pair::{COINCIDENT_M, EdgeLevel, EdgePair, Sides};
pub use error::{ImportError, counted};
pub use imported::Imported;
pub use levels::Level;
pub use line::{TidyLine, tidy_line};
pub use note::{ImportNote, SurveyNoise};
pub use options::{ImportOptions, SpecifiedClosed};
pub use units::{WIDE_M, check as check_units};
