//! Track, vehicle and options → line.
//!
//! A road is prepared once for the vehicles that use it alike (`road_use`, `prepared_road`); then
//! the methods that the wanted one starts from, and the wanted one, find their lines in a run
//! (`run`). Each method is a file in `methods` that implements one trait (`method`); `registry`
//! knows them all.

mod around_patches;
mod conditions;
mod constraint_prices;
mod detail;
mod found_line;
mod given_line;
mod line;
mod method;
mod methods;
mod options;
mod pick_up_prices;
mod point_spacing;
mod prepared_road;
mod progress;
mod region_constraints;
mod registry;
mod road_search;
mod road_use;
mod run;
mod summary;
mod warning;
mod work;

pub use conditions::RoadConditions;
pub use detail::Detail;
pub use given_line::profile;
pub use line::{Candidate, Line};
pub use options::LineOptions;
pub use point_spacing::POINT_SPACING;
pub use progress::{Progress, Silent};
pub use road_search::{RoadSearch, optimize, optimize_with_progress};
pub use road_use::RoadUse;
pub use summary::{CandidateSummary, LapEnergy, LineStatus};
pub use warning::LineWarning;
