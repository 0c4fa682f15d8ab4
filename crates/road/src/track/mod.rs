//! Edges → [`Track`]: centre line, cross-sections, start and direction.
//!
//! [`cut`] traces the curve halfway between the edges (`bisector`), places a chord across the road
//! at every point of it (`chord_spacing`), finds the start (`start_line`) and checks the result
//! (`validation`). Later stages rely on what [`Track`] guarantees.

mod bisector;
mod chord_spacing;
mod clearance;
mod corrected;
mod cross_section;
mod cutting;
mod edge_correction;
mod edge_margin;
mod edge_piece;
mod edge_stretch;
mod error;
mod finer;
mod from_points;
mod grip;
mod grip_patch;
mod grip_stretch;
mod line_on_track;
mod moved_edge;
mod options;
mod part_ranges;
mod places;
mod relief;
mod road;
mod section_surface;
mod section_through;
mod speed_cap;
mod start_line;
mod stretch;
mod surface;
#[cfg(test)]
mod test_roads;
#[cfg(test)]
mod track_tests;
mod validation;

pub use clearance::{ClearanceOptions, usable};
pub use corrected::CorrectedRoad;
pub use cross_section::CrossSection;
pub use cutting::{cut, cut_for, wanted_spacing_m};
pub use edge_correction::{EdgeCorrection, EdgeCorrectionError, EdgeSide};
pub use edge_margin::EdgeMargin;
pub use edge_piece::EdgePiece;
pub use edge_stretch::{EdgeStretch, RoadSide};
pub use error::TrackError;
pub use from_points::PointsError;
pub use grip::TrackGrip;
pub use grip_patch::{Grip, GripPolygon, GripStrip};
pub use grip_stretch::GripStretch;
pub use options::TrackOptions;
pub use part_ranges::{check_vertices, check_width};
pub use raceline_file::Direction;
pub use relief::{ReliefOptions, TrackRelief};
pub use road::Track;
pub use section_surface::{SectionSurface, SurfaceEnd};
pub use speed_cap::{SpeedCap, TrackSpeedCaps};
pub use stretch::{StretchError, check_ends};
pub use surface::{BankingPoint, ElevationPoint, SurfaceError};
pub use validation::cross_each_other;
