//! The options of a run, gathered from layers: defaults, the sidecar TOML beside the picture, the command line.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::edges::ScaleOptions;
use crate::picture::PictureOptions;
use crate::racing_line::Method;
use crate::solve::SolveOptions;
use crate::track::TrackOptions;

/// Everything that a run can be told, flat: a key has the same name in a TOML, on the command line (with dashes) and
/// in the racing-line file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Options {
    /// How a picture is read.
    #[serde(flatten)]
    pub picture: PictureOptions,
    /// How pixels become metres.
    #[serde(flatten)]
    pub scale: ScaleOptions,
    /// How the road is cut.
    #[serde(flatten)]
    pub track: TrackOptions,
    /// How lines are searched.
    #[serde(flatten)]
    pub solve: SolveOptions,
    /// The line that is wanted; a method stops where its line stands. Default: `blend`.
    pub method: Method,
    /// Name of a preset, or path of a vehicle TOML relative to the file that says it. Default: `tum-racecar`.
    pub vehicle: String,
    /// Overrides the vehicle's distance between its side and the edge of the road, metres. Default: the vehicle's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub safety_distance_m: Option<f64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            picture: PictureOptions::default(),
            scale: ScaleOptions::default(),
            track: TrackOptions::default(),
            solve: SolveOptions::default(),
            method: Method::Blend,
            vehicle: "tum-racecar".to_owned(),
            safety_distance_m: None,
        }
    }
}
