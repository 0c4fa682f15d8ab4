//! The choices among formulations, searches and models.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Formulation of the quadratic programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Formulation {
    /// True spacing: length re-weighted until convergence, three-point curvature in damped steps
    /// until convergence.
    #[default]
    TrueSpacing,
    /// As first published: squared distances, squared second differences, interleaved sections
    /// averaged.
    Classic,
}

/// Search method of the blend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Search {
    /// A genetic algorithm.
    #[default]
    Ga,
    /// Covariance matrix adaptation, for few segments.
    Cmaes,
}

/// Model of the vehicle on the time-optimal line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// A point mass inside its tyre limits.
    PointMass,
    /// A car with two axles, load transfer, tyre slip, yaw inertia and rates of steering and pedal.
    Car,
}

/// What the lap of `model = "car"` minimises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Objective {
    /// The lap time.
    #[default]
    Time,
    /// The lap time within `energy_j`, or the lap time and the energy by `energy_price_spj`.
    Energy,
}

/// What moves the points of a relaxed line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Curvature interpolated from the neighbours, as in K1999: a line whose curvature changes
    /// evenly wherever it touches no edge.
    #[default]
    CurvatureInterpolation,
    /// Springs along the line for its length and hinges in its points for its curvature, with
    /// momentum.
    SpringsAndHinges,
}

/// How it is decided which pick-ups the line takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PickUpSearch {
    /// Branch and bound over laps of the time-optimal line: the best subset of up to 20, a good one
    /// of more.
    Exact,
    /// Each pick-up is a weight that pulls a relaxed line towards itself, and the line takes those
    /// that it reaches: few laps, for hundreds of pick-ups.
    HeavyPoints,
}
