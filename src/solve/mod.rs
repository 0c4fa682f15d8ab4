//! Track → lines: shortest path, minimum curvature, and their blend.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which quadratic programs are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Formulation {
    /// True spacing: length re-weighted until it stands, spline curvature re-linearised until it stands.
    #[default]
    TrueSpacing,
    /// As first published: squared distances, squared second differences under equal spacing.
    Classic,
}

/// How the blend is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Search {
    /// The project's own genetic algorithm.
    #[default]
    Ga,
    /// Covariance matrix adaptation, for few segments.
    Cmaes,
}

/// What shapes the search for lines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SolveOptions {
    /// Which quadratic programs are solved. Default: `true-spacing`.
    pub formulation: Formulation,
    /// How the blend is searched. Default: `ga`.
    pub search: Search,
    /// Seed of the search's random numbers. Default: 1.
    pub seed: u64,
    /// Individuals per generation. Default: 48.
    pub population: usize,
    /// Most generations. Default: 80.
    pub generations: usize,
    /// Crossings of the two parent lines closer together than this are merged, metres. Default: 30.
    pub min_segment_m: f64,
    /// Length over which the mixture changes at a joint, metres. Default: 30.
    pub joint_m: f64,
}

impl Default for SolveOptions {
    fn default() -> Self {
        Self {
            formulation: Formulation::TrueSpacing,
            search: Search::Ga,
            seed: 1,
            population: 48,
            generations: 80,
            min_segment_m: 30.0,
            joint_m: 30.0,
        }
    }
}
