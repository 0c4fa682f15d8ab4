//! Places that an edge passes through, where it was read wrongly.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TrackError;
use crate::frame::Spot;

/// Range of a correction's length, metres, and in words.
const LENGTHS_M: std::ops::RangeInclusive<f64> = 0.01..=1e7;
const LENGTH_RANGE: &str = "a length of 0.01 m or more";

/// One edge of a road, seen in the direction of travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EdgeSide {
    /// The left edge.
    Left,
    /// The right edge.
    Right,
}

impl EdgeSide {
    /// `left` or `right`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

/// A place that an edge of the road passes through, where it was read wrongly. The road may become wider or
/// narrower by it.
///
/// ```
/// use raceline_road::frame::Spot;
/// use raceline_road::track::{EdgeCorrection, EdgeSide};
///
/// let at = Spot::Metres([120.0, 12.0]);
/// let left = EdgeCorrection { at, side: Some(EdgeSide::Left), length_m: Some(15.0) };
/// assert!(left.validate().is_ok());
/// assert!(EdgeCorrection { length_m: Some(0.0), ..left }.validate().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EdgeCorrection {
    /// The place, metres or pixels as `start`, at most twice the road's mean width from the edge.
    pub at: Spot,
    /// The edge, seen in the direction of travel: `left` or `right`. Default: the nearer one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<EdgeSide>,
    /// Distance along the edge, to either side, from which on it is as it was read, metres. Between two
    /// places on one edge that are nearer to one another than the longer of their lengths, the edge is a smooth
    /// curve. Default: twice the road's mean width.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length_m: Option<f64>,
}

impl EdgeCorrection {
    /// Checks the ranges that do not depend on a track.
    ///
    /// # Errors
    /// The number that is outside its range, and the range.
    pub fn validate(&self) -> Result<(), (f64, &'static str)> {
        match self.length_m {
            Some(length_m) if !LENGTHS_M.contains(&length_m) => Err((length_m, LENGTH_RANGE)),
            _ => Ok(()),
        }
    }
}

/// A place that an edge cannot pass through. Entries are numbered from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EdgeCorrectionError {
    /// A length out of its range.
    #[error("edge_point {number}: length_m = {value} must be {range}")]
    OutOfRange {
        /// Number of the entry.
        number: usize,
        /// As specified.
        value: f64,
        /// The allowed range.
        range: &'static str,
    },
    /// A place whose coordinates are not finite.
    #[error("edge_point {number}: at = [{x}, {y}] must be two finite coordinates")]
    NotFinite {
        /// Number of the entry.
        number: usize,
        /// As specified, metres.
        x: f64,
        /// As specified, metres.
        y: f64,
    },
    /// A place in pixels on a track without a picture.
    #[error("edge_point {number} is in pixels, but the track does not come from a picture: specify it in metres")]
    NoPicture {
        /// Number of the entry.
        number: usize,
    },
    /// A place in degrees on a track without a place on the globe.
    #[error(
        "edge_point {number} is in degrees, but the file of the track has no longitudes and latitudes: specify it in \
         metres"
    )]
    NoGlobe {
        /// Number of the entry.
        number: usize,
    },
    /// A place far from the edge.
    #[error(
        "edge_point {number} lies {distance_m:.1} m from the {side} edge, more than twice the road's mean width, \
         {limit_m:.1} m: move it nearer to the edge"
    )]
    TooFar {
        /// Number of the entry.
        number: usize,
        /// `left` or `right`.
        side: &'static str,
        /// Distance, metres.
        distance_m: f64,
        /// Largest distance, metres.
        limit_m: f64,
    },
    /// A place before the beginning or beyond the end of an open road.
    #[error("edge_point {number} lies {distance_m:.2} m beyond the end of the {side} edge: move it beside the road")]
    BeyondEnd {
        /// Number of the entry.
        number: usize,
        /// `left` or `right`.
        side: &'static str,
        /// Distance along the road, metres.
        distance_m: f64,
    },
    /// Two entries for one place of an edge.
    #[error("edge_point {first} and {second} are for the same place of the {side} edge: leave one out")]
    SamePlace {
        /// Number of the earlier entry.
        first: usize,
        /// Number of the later entry.
        second: usize,
        /// `left` or `right`.
        side: &'static str,
    },
    /// An edge would be moved farther than the length over which that fades out.
    #[error(
        "edge_point {number} moves the {side} edge by {offset_m:.2} m, but has {length_m:.2} m along the road to fade \
         out{}: {}",
        if *is_crossing { ", up to where the road crosses itself" } else { "" },
        if *is_crossing { "move it away from the crossing" } else { "raise its length_m" }
    )]
    TooSteep {
        /// Number of the entry.
        number: usize,
        /// `left` or `right`.
        side: &'static str,
        /// Distance that the edge is moved, metres.
        offset_m: f64,
        /// Length over which that fades out, metres.
        length_m: f64,
        /// Whether a crossing of the road shortens the length.
        is_crossing: bool,
    },
    /// An edge would cross the other edge, itself, or another part of the road.
    #[error(
        "edge_point {number} makes edges of the road cross near ({x_m:.1} m, {y_m:.1} m): move it away from the other \
         edge, or lower its length_m"
    )]
    Crossed {
        /// Number of the entry.
        number: usize,
        /// Place, metres.
        x_m: f64,
        /// Place, metres.
        y_m: f64,
    },
    /// The road would be too narrow.
    #[error(
        "edge_point {number} leaves the road {width_m:.2} m wide at ({x_m:.1} m, {y_m:.1} m), where the vehicle needs \
         {needed_m:.2} m: move it outwards"
    )]
    Narrow {
        /// Number of the entry.
        number: usize,
        /// Place, metres.
        x_m: f64,
        /// Place, metres.
        y_m: f64,
        /// Width of the road there, metres.
        width_m: f64,
        /// Smallest width, metres.
        needed_m: f64,
    },
    /// The road between the moved edges cannot be divided into cross-sections.
    #[error("edge_point {number} leaves a road that can't be cut into cross-sections")]
    Uncut {
        /// Number of the entry nearest to the place.
        number: usize,
        /// The problem.
        #[source]
        error: Box<TrackError>,
    },
}
