//! The types of the racing-line file.

use serde::de::{DeserializeOwned, Deserializer};
use serde::{Deserialize, Serialize};

use crate::known_keys;

/// The value of [`RacingLine::format`].
pub const FORMAT: &str = "raceline";
/// The value of [`RacingLine::version`]; raised when the meaning of a key changes.
pub const VERSION: u32 = 1;
/// The method that finds a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The shortest line that keeps the margin.
    ShortestPath,
    /// The minimum-curvature line: least squared curvature.
    MinCurvature,
    /// The minimum-curvature line on cross-sections that are computed again from each line.
    IteratedMinCurvature,
    /// The best mixture of the shortest path and the minimum-curvature line, segment by segment.
    Blend,
    /// The line of minimum lap time, starting from the minimum-curvature line.
    TimeOptimal,
    /// Points moved along their cross-sections until the line is at rest.
    Relaxation,
    /// The best of many random lines ahead, place by place.
    Sampled,
    /// A line that existed before, whose speeds alone were computed.
    Given,
}

impl Method {
    /// The name in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ShortestPath => "shortest-path",
            Self::MinCurvature => "min-curvature",
            Self::IteratedMinCurvature => "iterated-min-curvature",
            Self::Blend => "blend",
            Self::TimeOptimal => "time-optimal",
            Self::Relaxation => "relaxation",
            Self::Sampled => "sampled",
            Self::Given => "given",
        }
    }
}

/// The direction of travel at a track's easternmost point, seen from above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Clockwise, as circuits usually are.
    #[default]
    #[serde(alias = "cw")]
    Clockwise,
    /// Counter-clockwise.
    #[serde(alias = "ccw", alias = "anticlockwise", alias = "counter-clockwise", alias = "anti-clockwise")]
    Counterclockwise,
}

/// A racing line with its speed profile. `V` is the type of the vehicle, `O` that of the options.
///
/// `V` and `O` are read from objects. Where they are structs, keys that they do not have are
/// ignored, even if their own `Deserialize` refuses unknown keys.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(description = "A racing line with its speed profile."))]
#[serde(bound(deserialize = "V: DeserializeOwned, O: DeserializeOwned"))]
pub struct RacingLine<V, O> {
    /// Always `"raceline"`.
    #[cfg_attr(feature = "schema", schemars(extend("const" = FORMAT)))]
    pub format: String,
    /// Version of the format: 1.
    #[cfg_attr(feature = "schema", schemars(extend("const" = VERSION)))]
    pub version: u32,
    /// Name of the track.
    pub name: String,
    /// Whether the last point leads back to the first.
    pub closed: bool,
    /// The direction of travel, seen from above.
    pub direction: Direction,
    /// The method that found the line.
    pub method: Method,
    /// Time of the whole lap, s, including the closing step of a loop.
    pub lap_time_s: f64,
    /// Length of the whole lap, m, including the closing step of a loop; on a road with heights in
    /// space.
    pub length_m: f64,
    /// Every parameter of the vehicle that was simulated.
    #[serde(deserialize_with = "vehicle")]
    pub vehicle: V,
    /// The source of the track.
    pub source: Source,
    /// Every option that shaped the result.
    #[serde(deserialize_with = "options")]
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, serde_json::Value>"))]
    pub options: O,
    /// The program and its version.
    pub generator: String,
    /// The lines that were compared, including this one.
    pub candidates: Vec<Candidate>,
    /// The line, in the order of travel from the start line. A closed line does not repeat its
    /// first point.
    pub points: Vec<LinePoint>,
    /// The edges of the road.
    pub edges: EdgeCoordinates,
    /// The cross-sections, each its right end and its left end, m; only with `--detail`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<[[f64; 2]; 2]>,
    /// The pins, speed caps and regions of the options, and what they cost; absent without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<Constraint>,
    /// The streets that the route leads through; only with `--detail`, for a route through streets of a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub streets: Option<Streets>,
}

/// Streets about a route.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Streets {
    /// Streets of the source that are not among these, because they are too many; those that are nearest to the route
    /// are here.
    pub left_out: usize,
    /// The middle of each street from one junction to the next, m.
    pub lines: Vec<Vec<[f64; 2]>>,
}

/// A pin, a speed cap or a region of the options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Constraint {
    /// What it is.
    pub kind: ConstraintKind,
    /// Number among the constraints of this kind in the options, from 1.
    pub number: usize,
    /// Lap time that the method would gain without it, s; absent where it was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price_s: Option<f64>,
    /// Lap time that a larger tolerance of a pin gains, or a region that ends so much earlier, s per m: the
    /// multiplier; only of a method that minimises the lap time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds_per_m: Option<f64>,
    /// Lap time that a higher maximum speed gains, s per m/s: the multiplier of a speed cap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds_per_mps: Option<f64>,
    /// The cross-sections at the beginning and at the end of a speed cap or a strip, each its right end and its left end, m;
    /// absent where it covers the whole lap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gates: Option<[[[f64; 2]; 2]; 2]>,
    /// The outlines of the parts of a region, m.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outlines: Vec<Vec<[f64; 2]>>,
}

/// Kinds of constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ConstraintKind {
    /// A place that the line passes within a tolerance.
    Pin,
    /// A stretch with a maximum speed.
    SpeedCap,
    /// A region that the line keeps out of.
    NoGo,
    /// A part of the road's width with another grip.
    Grip,
}

fn vehicle<'de, V: DeserializeOwned, D: Deserializer<'de>>(deserializer: D) -> Result<V, D::Error> {
    known_keys::object("vehicle", deserializer)
}

fn options<'de, O: DeserializeOwned, D: Deserializer<'de>>(deserializer: D) -> Result<O, D::Error> {
    known_keys::object("options", deserializer)
}

/// The source of a track.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Source {
    /// Name of the file, without its folder.
    pub file: String,
    /// SHA-256 of its bytes, lower-case hexadecimal.
    pub sha256: String,
    /// SHA-256 of the extracted track that was read in place of that file; absent when it was read
    /// itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub track_sha256: Option<String>,
    /// Side of a pixel, m; absent when the source is not a picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metres_per_pixel: Option<f64>,
    /// World position of the picture's bottom-left corner, m.
    pub origin_m: [f64; 2],
    /// Longitude and latitude of the world's point (0, 0), degrees; absent when unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub geographic_origin_deg: Option<[f64; 2]>,
    /// Fraction of the road in the picture that the track covers, 0 to 1; absent when the source is
    /// not a picture of a road.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub covered_fraction: Option<f64>,
    /// How sure the edges in the picture are: stretches from the start line to the end of the lap,
    /// each beginning where the one before ends; absent when the source is not a picture.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edge_uncertainty: Vec<EdgeUncertainty>,
}

/// How sure both edges of a stretch of road are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EdgeUncertainty {
    /// Start of the stretch along the centre line from the start line, m.
    pub from_m: f64,
    /// End, m.
    pub to_m: f64,
    /// Distance within which 95 % of the true edge lies, m.
    pub edge_uncertainty_m: f64,
}

/// A line that was compared with the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Candidate {
    /// The method that found it.
    pub method: Method,
    /// Lap time, s.
    pub lap_time_s: f64,
    /// Length, m.
    pub length_m: f64,
    /// Points of the line, m; only with `--detail`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<[f64; 2]>,
}

/// A point of the line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LinePoint {
    /// Distance along the line from the start line, m; on a road with heights in space.
    pub s_m: f64,
    /// Position, m to the right.
    pub x_m: f64,
    /// Position, m up.
    pub y_m: f64,
    /// Direction of travel, rad counter-clockwise from +x, in (-π, π].
    pub heading_rad: f64,
    /// Signed curvature, 1/m, positive to the left.
    pub curvature_radpm: f64,
    /// Speed, m/s.
    pub speed_mps: f64,
    /// Acceleration along the line, m/s².
    pub accel_mps2: f64,
    /// Time since the start line, s.
    pub time_s: f64,
    /// Distance from the line to the nearest point of the left edge, m.
    pub left_m: f64,
    /// Distance from the line to the nearest point of the right edge, m.
    pub right_m: f64,
    /// Height, m; absent on a level road.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub z_m: Option<f64>,
    /// Angle of the road across the line, rad: positive where the left is higher; absent on a level
    /// road.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banking_rad: Option<f64>,
    /// Factor of the road's surface, of stretches and patches on both tyre limits; on a road whose source
    /// has none, absent where it is 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grip: Option<f64>,
    /// Load of the tyres at this speed, as a fraction of that on a level road: below 1 on crests;
    /// absent on a level road.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<f64>,
    /// Angle of the front wheels, rad, positive to the left. This and the keys below are absent
    /// unless the line is that of a car with axles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steering_rad: Option<f64>,
    /// Drive as a fraction of the drive's limit at this speed; negative: braking as a fraction of the
    /// tyres' longitudinal limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pedal: Option<f64>,
    /// Angle from the body to the direction of travel, rad, positive to the left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sideslip_rad: Option<f64>,
    /// Rate of the body's heading, rad/s, positive to the left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yaw_rate_radps: Option<f64>,
}

/// The edges of the road as corner points, m, in the order of travel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EdgeCoordinates {
    /// The left edge.
    pub left: Vec<[f64; 2]>,
    /// The right edge.
    pub right: Vec<[f64; 2]>,
}
