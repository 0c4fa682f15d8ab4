//! The options of routes through road networks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use raceline_road::range::{OutOfRange, Range};

/// Range of `depth`.
const DEPTH: Range = Range::between(1.0, 24.0);
/// Range of `street_width_m`.
const WIDTH: Range = Range::between(0.1, 1000.0).in_metres();
/// Range of the weights of a score.
const WEIGHT: Range = Range::between(0.0, 1e6);
/// Defaults.
const DEFAULT_DEPTH: u32 = 11;
const DEFAULT_WIDTH_M: f64 = 6.0;

/// What a route through streets minimises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RouteKind {
    /// The length.
    Shortest,
    /// The estimated time with the turns at junctions.
    #[default]
    Fastest,
    /// The score of all routes of up to `depth` pieces; the graph search's answer is compared.
    Exhaustive,
}

impl RouteKind {
    /// The name in options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shortest => "shortest",
            Self::Fastest => "fastest",
            Self::Exhaustive => "exhaustive",
        }
    }
}

/// The order of the vias of a route.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ViaOrder {
    /// As specified.
    #[default]
    Given,
    /// The best of all orders, for up to 10 vias.
    Any,
}

/// A street that may be driven in one direction only.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OneWay {
    /// A place on the street, metres.
    pub from: [f64; 2],
    /// A place farther along it in the direction of travel, metres.
    pub to: [f64; 2],
}

/// A route through streets: GeoJSON or SVG with lines along them, a map of OpenStreetMap, roads of
/// OpenDRIVE, or a picture of them.
///
/// ```
/// use raceline_plan::network::{NetworkOptions, OneWay, RouteKind};
///
/// let one_way = vec![OneWay { from: [0.0, 50.0], to: [100.0, 50.0] }];
/// let options = NetworkOptions { route: Some(RouteKind::Shortest), one_way, ..NetworkOptions::default() };
/// assert!(options.validate().is_ok() && options.street_width_m() == 6.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct NetworkOptions {
    /// What the route through streets minimises. A picture with it is a network of streets, in
    /// place of free space. Default: `fastest`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route: Option<RouteKind>,
    /// The order of the vias of a route through streets. Default: `given`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via_order: Option<ViaOrder>,
    /// Maximum number of pieces of street of an exhaustive route, or of tiles that a race looks ahead, 1 to 24.
    /// Default: 11.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = DEPTH))]
    pub depth: Option<u32>,
    /// Width of streets whose source has none, metres. Default: 6.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = WIDTH))]
    pub street_width_m: Option<f64>,
    /// Streets of one direction, each with `from` and `to`, two places along it in metres; in a TOML
    /// `[[one_way]]`. It applies from junction to junction. Default: none but those of the source.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kind" = "one-way"))]
    pub one_way: Vec<OneWay>,
    /// Weight of the estimated time in the score of exhaustive routes; in a TOML under
    /// `[route_weights]`, as the next three. Default: 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = WEIGHT))]
    pub time_weight: Option<f64>,
    /// Cost of each turn at a junction in the score of exhaustive routes, s. Default: 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = WEIGHT))]
    pub turn_weight_s: Option<f64>,
    /// Worth of each junction that is passed straight on in the score of exhaustive routes, s.
    /// Default: 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = WEIGHT))]
    pub straight_weight_s: Option<f64>,
    /// Factor on the worth of pick-ups beside the path in the score of exhaustive routes. Default:
    /// 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = WEIGHT))]
    pub pick_up_weight: Option<f64>,
}

/// Weights of a route's score, a number of seconds the smaller the better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RouteWeights {
    /// Factor on the estimated time.
    pub time: f64,
    /// Cost of each turn, s.
    pub turn_s: f64,
    /// Worth of each junction that is passed straight on, s.
    pub straight_s: f64,
    /// Factor on the worth of pick-ups.
    pub pick_up: f64,
}

impl Default for RouteWeights {
    fn default() -> Self {
        Self { time: 1.0, turn_s: 0.0, straight_s: 0.0, pick_up: 1.0 }
    }
}

impl NetworkOptions {
    /// The specified or default objective.
    #[must_use]
    pub fn kind(&self) -> RouteKind {
        self.route.unwrap_or_default()
    }

    /// The specified or default number of pieces.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.depth.unwrap_or(DEFAULT_DEPTH)
    }

    /// The specified or default width of streets, metres.
    #[must_use]
    pub fn street_width_m(&self) -> f64 {
        self.street_width_m.unwrap_or(DEFAULT_WIDTH_M)
    }

    /// The specified or default weights.
    #[must_use]
    pub fn weights(&self) -> RouteWeights {
        let default = RouteWeights::default();
        RouteWeights {
            time: self.time_weight.unwrap_or(default.time),
            turn_s: self.turn_weight_s.unwrap_or(default.turn_s),
            straight_s: self.straight_weight_s.unwrap_or(default.straight_s),
            pick_up: self.pick_up_weight.unwrap_or(default.pick_up),
        }
    }

    /// Checks the numbers, for options that were not read from a file or a command line.
    ///
    /// # Errors
    /// [`OutOfRange`] with the option.
    pub fn validate(&self) -> Result<(), OutOfRange> {
        DEPTH.check("depth", f64::from(self.depth()))?;
        WIDTH.check("street_width_m", self.street_width_m())?;
        let weights = self.weights();
        WEIGHT.check("time_weight", weights.time)?;
        WEIGHT.check("turn_weight_s", weights.turn_s)?;
        WEIGHT.check("straight_weight_s", weights.straight_s)?;
        WEIGHT.check("pick_up_weight", weights.pick_up)
    }
}
