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
    /// As first published: squared distances, squared second differences under equal spacing.
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// A point mass inside its tyre limits.
    #[default]
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
