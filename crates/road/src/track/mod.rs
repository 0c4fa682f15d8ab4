//! Edges → [`Track`]: centre line, cross-sections, start and direction.
//!
//! [`cut`] traces the curve halfway between the edges (`bisector`), places a chord across the road
//! at every point of it (`chord_spacing`), finds the start (`start_line`) and checks the result
//! (`validation`). Later stages rely on what [`Track`] guarantees.

mod bisector;
mod chord_spacing;
mod clearance;
mod cutting;
mod edge_stretch;
mod from_points;
mod grip;
mod line_on_track;
mod places;
mod relief;
mod start_line;
mod stretch;
mod surface;
mod validation;

pub use clearance::{ClearanceOptions, usable};
pub use cutting::{cut, cut_for, wanted_spacing_m};
pub use edge_stretch::{EdgeStretch, RoadSide};
pub use from_points::PointsError;
pub use grip::{GripStretch, TrackGrip};
pub use raceline_file::Direction;
pub use relief::{ReliefOptions, TrackRelief};
pub use stretch::StretchError;
pub use surface::{BankingPoint, ElevationPoint, SectionSurface, SurfaceEnd, SurfaceError};
pub use validation::{MIN_SECTIONS, cross_each_other};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::frame::Spot;
use crate::geometry::{Point, Polyline, Vector};
use crate::range::{OutOfRange, Range};
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
    fn moved_by(self, offset: Vector) -> Self {
        match self {
            Self::LostCentreLine { x_m, y_m } => Self::LostCentreLine { x_m: x_m + offset.x, y_m: y_m + offset.y },
            Self::StartOffTrack { x_m, y_m, distance_m } => {
                Self::StartOffTrack { x_m: x_m + offset.x, y_m: y_m + offset.y, distance_m }
            }
            other => other,
        }
    }
}

/// Range of `spacing_m`.
const SPACING: Range = Range::above(0.0).in_metres();

/// Options for dividing the road into cross-sections.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TrackOptions {
    /// Distance between cross-sections along the centre line on straights, metres; smaller in
    /// bends. At most a quarter of the road's mean width, at least 1/125 of it; less than a sixth of it
    /// as long as the road then has at most 20 000. Default: a sixth of the road's mean width, at most
    /// half the vehicle's length.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = SPACING))]
    pub spacing_m: Option<f64>,
    /// A point near the start line, as `road_at`; the lap starts at the nearest cross-section, an
    /// open road at its nearer end. Default: the middle of the longest straight, an open road's
    /// western end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-kind" = "spot"))]
    pub start: Option<Spot>,
    /// The direction of travel on a closed road, at its easternmost point. Default: that of a track
    /// file's points, clockwise for a picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
}

/// A cut across the road from its right edge to its left edge, seen in the direction of travel.
///
/// ```
/// use raceline_road::geometry::Point;
/// use raceline_road::track::CrossSection;
///
/// let section = CrossSection { right: Point::new(0.0, 0.0), left: Point::new(0.0, 8.0) };
/// assert_eq!((section.width(), section.point(0.25)), (8.0, Point::new(0.0, 2.0)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrossSection {
    /// End on the right edge, α = 0, metres.
    pub right: Point,
    /// End on the left edge, α = 1, metres.
    pub left: Point,
}

impl CrossSection {
    /// Returns the section moved by `offset`.
    #[must_use]
    pub fn moved_by(&self, offset: Vector) -> Self {
        Self { right: self.right + offset, left: self.left + offset }
    }

    /// The point `right + α (left - right)`.
    #[inline]
    #[must_use]
    pub fn point(&self, alpha: f64) -> Point {
        self.right + (self.left - self.right) * alpha
    }

    /// From the right end to the left end, metres.
    #[inline]
    #[must_use]
    pub fn span(&self) -> Vector {
        self.left - self.right
    }

    /// Width of the road along the section, metres.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.span().norm()
    }

    /// The middle of the section: a point of the centre line.
    #[must_use]
    pub fn middle(&self) -> Point {
        self.point(0.5)
    }
}

/// A road divided into cross-sections. Sections do not cross one another, each reaches from edge to
/// edge inside the road, and every width is positive.
///
/// ```
/// use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// assert!(track.closed && (track.mean_width() - 10.0).abs() < 0.01);
/// assert!((track.centre_line().length() - 120.0 * std::f64::consts::PI).abs() < 1.0);
/// # Ok::<(), raceline_road::track::PointsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Whether the last section leads back to the first.
    pub closed: bool,
    /// The direction of travel.
    pub direction: Direction,
    /// Distance between sections along the centre line on straights, metres.
    pub spacing_m: f64,
    /// Largest expected distance of the edges from the road's own, metres; it is added to the
    /// margin of lines.
    pub edge_uncertainty_m: f64,
    /// The cuts in the order of travel; the first is at the start line.
    pub sections: Vec<CrossSection>,
    /// The left edge in the order of travel, metres.
    pub left_edge: Polyline,
    /// The right edge in the order of travel, metres.
    pub right_edge: Polyline,
    /// Pieces of the edges that lead across another leg of the road, where it crosses itself: not
    /// walls.
    pub crossings: Vec<[Point; 2]>,
    /// Height, grip and kind of edge at the ends of each section; `None` for a level road of even
    /// grip.
    pub surface: Option<Vec<SectionSurface>>,
}

impl Track {
    /// Returns the track moved by `offset`.
    #[must_use]
    pub fn moved_by(&self, offset: Vector) -> Self {
        Self {
            sections: self.sections.iter().map(|section| section.moved_by(offset)).collect(),
            left_edge: self.left_edge.moved_by(offset),
            right_edge: self.right_edge.moved_by(offset),
            crossings: self.crossings.iter().map(|piece| piece.map(|end| end + offset)).collect(),
            ..self.clone()
        }
    }

    /// Mean width of the sections, metres.
    pub fn mean_width(&self) -> f64 {
        self.sections.iter().map(CrossSection::width).sum::<f64>() / self.sections.len().max(1) as f64
    }

    /// The middles of the sections, metres.
    pub fn centre_line(&self) -> Polyline {
        Polyline { points: self.sections.iter().map(CrossSection::middle).collect(), closed: self.closed }
    }
}
