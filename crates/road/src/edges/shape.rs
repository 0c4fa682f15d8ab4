//! Whether a road leads back to its start, and its route where it forks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::frame::Spot;

/// Whether a road leads back to its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RoadShape {
    /// Detected: closed if a closed route covers at least 0.3 of the road.
    #[default]
    Auto,
    /// A circuit.
    Closed,
    /// A stage with a start and an end: at the road's two ends, or where it leaves the picture.
    Open,
}

impl RoadShape {
    /// Closed or open, if specified.
    ///
    /// ```
    /// use raceline_road::edges::RoadShape;
    ///
    /// assert_eq!(RoadShape::Auto.specified(), None);
    /// assert_eq!(RoadShape::Open.specified(), Some(false));
    /// ```
    #[must_use]
    pub fn specified(self) -> Option<bool> {
        match self {
            Self::Auto => None,
            Self::Closed => Some(true),
            Self::Open => Some(false),
        }
    }
}

/// The route of a road that forks or ends.
///
/// ```
/// use raceline_road::edges::{RoadShape, RouteOptions};
/// use raceline_road::frame::Spot;
///
/// // The lap through the place at 640, 200 in the picture.
/// let route = RouteOptions { shape: RoadShape::Closed, via: vec![Spot::Pixels([640.0, 200.0])] };
/// assert_eq!(route.shape.specified(), Some(true));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RouteOptions {
    /// Whether the road leads back to its start. Default: `auto`.
    pub shape: RoadShape,
    /// Points that the route must pass, for roads that fork: each as `road_at`. Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kind" = "spots"))]
    pub via: Vec<Spot>,
}
