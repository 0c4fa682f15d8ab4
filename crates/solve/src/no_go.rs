//! Regions of a road that a line keeps out of, as the options specify them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::barrier::{Outline, PassingSide};
use super::constraint_error::ConstraintError;
use raceline_road::frame::Spot;
use raceline_road::geometry::{Point, Vector};
use raceline_road::track::{RoadSide, check_ends, check_vertices, check_width};

/// A region that the vehicle, its width with the safety distance, keeps out of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum NoGo {
    /// A strip along an edge.
    Stretch(StretchNoGo),
    /// A polygon.
    Polygon(PolygonNoGo),
}

/// A strip of the road along one edge, such as a kerb.
///
/// ```
/// use raceline_road::track::RoadSide;
/// use raceline_solve::{NoGo, StretchNoGo};
///
/// let kerb = StretchNoGo { from_m: 120.0, to_m: 160.0, side: RoadSide::Left, width_m: 1.5 };
/// assert!(NoGo::Stretch(kerb).validate().is_ok());
/// assert!(NoGo::Stretch(StretchNoGo { width_m: 0.0, ..kerb }).validate().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StretchNoGo {
    /// Beginning: distance along the centre line from the start line, metres.
    pub from_m: f64,
    /// End, likewise; on a closed track, an end before the beginning leads over the start line.
    pub to_m: f64,
    /// The edge that it is measured from, seen in the direction of travel: `left`, `right` or
    /// `both`.
    pub side: RoadSide,
    /// Width of the strip from that edge, metres, 0.01 to 1000.
    pub width_m: f64,
}

/// A polygon on the road.
///
/// ```
/// use raceline_road::frame::Spot;
/// use raceline_solve::{NoGo, PolygonNoGo};
///
/// let corners = [[60.0, 0.0], [64.0, 0.0], [64.0, 3.0]].map(Spot::Metres);
/// assert!(NoGo::Polygon(PolygonNoGo { polygon: corners.to_vec(), side: None }).validate().is_ok());
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolygonNoGo {
    /// Three vertices or more, metres or pixels as `start`.
    pub polygon: Vec<Spot>,
    /// The side on which the line passes it, seen in the direction of travel. Default: the one with
    /// room; where both have room, it is searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<PassingSide>,
}

impl NoGo {
    /// Checks the ranges that do not depend on a track.
    ///
    /// # Errors
    /// The number that is outside its range, and the range.
    pub fn validate(&self) -> Result<(), (f64, &'static str)> {
        match self {
            Self::Stretch(stretch) => {
                check_width(stretch.width_m)?;
                check_ends(stretch.from_m, stretch.to_m)
            }
            Self::Polygon(PolygonNoGo { polygon, .. }) => check_vertices(polygon.len()),
        }
    }

    /// The vertices of a polygon, as they are specified.
    pub fn spots_mut(&mut self) -> &mut [Spot] {
        match self {
            Self::Stretch(_) => &mut [],
            Self::Polygon(polygon) => &mut polygon.polygon,
        }
    }

    /// Specifies the side on which the line passes a polygon.
    pub fn set_side(&mut self, side: PassingSide) {
        if let Self::Polygon(polygon) = self {
            polygon.side = Some(side);
        }
    }

    /// Whether the side on which the line passes it may be searched.
    pub(crate) fn may_be_searched(&self) -> bool {
        matches!(self, Self::Polygon(PolygonNoGo { side: None, .. }))
    }
}

impl PolygonNoGo {
    /// The polygon about `origin`; `number` counts from 1.
    ///
    /// # Errors
    /// [`ConstraintError`] for places that are not in metres.
    pub fn outline(&self, number: usize, origin: Vector) -> Result<Outline, ConstraintError> {
        let list = "no_go";
        let place = |spot: &Spot| match *spot {
            Spot::Metres([x, y]) if x.is_finite() && y.is_finite() => Ok(Point::new(x, y) - origin),
            Spot::Metres(_) => Err(ConstraintError::NotFinite { list, number }),
            Spot::Pixels(_) => Err(ConstraintError::NoPicture { list, number }),
            Spot::Degrees(_) => Err(ConstraintError::NoGlobe { list, number }),
        };
        Ok(Outline::Polygon(self.polygon.iter().map(place).collect::<Result<_, _>>()?))
    }
}
