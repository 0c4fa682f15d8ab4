//! Why a road cannot be divided into cross-sections.

use super::options::MIN_SECTIONS;
use super::surface::SurfaceError;
use crate::geometry::Vector;
use crate::range::OutOfRange;
use crate::road_length::RoadTooLong;

/// A road cannot be divided into cross-sections.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TrackError {
    /// An edge without points or a road without area.
    #[error("an edge of the road is empty: the road needs an outer and an inner edge with an area between them")]
    EmptyEdge,
    /// The edges touch or cross.
    #[error(
        "the road has no width at ({x_m:.1} m, {y_m:.1} m): its two edges touch or cross there; widen the road in the picture"
    )]
    LostCentreLine {
        /// Place, metres.
        x_m: f64,
        /// Place, metres.
        y_m: f64,
    },
    /// A road that is too long for its width.
    #[error(transparent)]
    TooLong(#[from] RoadTooLong),
    /// An option out of its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// Room to the edges that does not fit the road.
    #[error(transparent)]
    EdgeMargin(#[from] SurfaceError),
    /// Sections that are too close together.
    #[error(
        "spacing_m = {spacing_m} is below {floor_m:.4} m, the floor on a road {width_m:.2} m wide: closer sections change no \
         line, but take longer"
    )]
    SpacingTooFine {
        /// The specified distance, metres.
        spacing_m: f64,
        /// The smallest distance, metres.
        floor_m: f64,
        /// Mean width of the road, metres.
        width_m: f64,
    },
    /// A start whose coordinates are not finite.
    #[error("start = [{x}, {y}] must be two finite coordinates")]
    StartNotFinite {
        /// As specified, metres or pixels.
        x: f64,
        /// As specified, metres or pixels.
        y: f64,
    },
    /// The start is not on the road.
    #[error(
        "start = [{x_m}, {y_m}] lies {distance_m:.1} m from the centre line, off the road: give a point on the road, in metres"
    )]
    StartOffTrack {
        /// As specified, metres.
        x_m: f64,
        /// As specified, metres.
        y_m: f64,
        /// Distance to the centre line, metres.
        distance_m: f64,
    },
    /// A start in pixels for a track without a picture.
    #[error("start is in pixels, but the track does not come from a picture: specify it in metres")]
    NoPicture,
    /// A start in degrees for a track without a place on the globe.
    #[error("start is in degrees, but the file of the track has no longitudes and latitudes: specify it in metres")]
    NoGlobe,
    /// A track that is too short for its spacing.
    #[error(
        "the track has too few cross-sections, {count} of the {MIN_SECTIONS} required: check the scale or lower spacing_m"
    )]
    TooFewSections {
        /// Number of sections.
        count: usize,
    },
    /// A section without a width.
    #[error("cross-section {index} at ({x_m:.1} m, {y_m:.1} m) has no width")]
    EmptySection {
        /// Number of the section.
        index: usize,
        /// Place, metres.
        x_m: f64,
        /// Place, metres.
        y_m: f64,
    },
    /// Two sections cross.
    #[error("cross-sections {index} and {other} cross near ({x_m:.1} m, {y_m:.1} m): lower spacing_m")]
    CrossedSections {
        /// Number of the first section.
        index: usize,
        /// Number of the second section.
        other: usize,
        /// Place, metres.
        x_m: f64,
        /// Place, metres.
        y_m: f64,
    },
}

impl TrackError {
    /// Returns the error with its place moved by `offset`.
    pub(super) fn moved_by(self, offset: Vector) -> Self {
        match self {
            Self::LostCentreLine { x_m, y_m } => Self::LostCentreLine { x_m: x_m + offset.x, y_m: y_m + offset.y },
            Self::StartOffTrack { x_m, y_m, distance_m } => {
                Self::StartOffTrack { x_m: x_m + offset.x, y_m: y_m + offset.y, distance_m }
            }
            other => other,
        }
    }
}
