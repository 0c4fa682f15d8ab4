//! Track → lines: shortest path, minimum curvature, their blend, and the line of least lap time.

mod bending;
pub mod blend;
mod corridor;
pub mod min_curvature;
pub mod shortest_path;
mod stations;
pub mod time_optimal;

pub use corridor::{Corridor, EdgeDistance, EndOffsetWarning};
pub use stations::Spacing;

pub use raceline_numerics::BoxError;
use raceline_numerics::{BoxSolution, BoxStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::geometry::Point;
use crate::range::{OutOfRange, Range};
use crate::speed::{GripMap, SpeedError};
use crate::track::{GripError, TrackGrip};

/// Here, since `speed` doesn't know tracks and `track` doesn't know speeds.
impl GripMap for TrackGrip {
    fn along(&self, line: &[Point]) -> Vec<f64> {
        Self::along(self, line)
    }
}

/// Which quadratic programs are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Formulation {
    /// True spacing: length re-weighted until it stands, three-point curvature in damped steps until it stands.
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

/// Range of `population`.
const POPULATION: Range = Range::between(4.0, 100_000.0);
/// Range of `generations`.
const GENERATIONS: Range = Range::at_most(100_000.0);
/// Range of the lengths in mean widths of the road.
const WIDTHS: Range = Range::between(0.0, 1000.0);

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
    #[schemars(extend("x-range" = POPULATION))]
    pub population: usize,
    /// Most generations. Default: 40.
    #[schemars(extend("x-range" = GENERATIONS))]
    pub generations: usize,
    /// Crossings of the two parent lines that follow one another by less than this many mean widths of the road are merged.
    /// Default: 3.
    #[schemars(extend("x-range" = WIDTHS))]
    pub min_segment_widths: f64,
    /// Length over which the mixture changes at a joint, in mean widths of the road. Default: 3.
    #[schemars(extend("x-range" = WIDTHS))]
    pub joint_widths: f64,
    /// Where the line begins on an open road: metres to the left of the centre line, negative to the right. Default: free.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_offset_m: Option<f64>,
    /// Where the line ends on an open road, likewise. Default: free.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_offset_m: Option<f64>,
}

impl Default for SolveOptions {
    fn default() -> Self {
        Self {
            formulation: Formulation::TrueSpacing,
            search: Search::Ga,
            seed: 1,
            population: 48,
            generations: 40,
            min_segment_widths: 3.0,
            joint_widths: 3.0,
            start_offset_m: None,
            end_offset_m: None,
        }
    }
}

impl SolveOptions {
    /// Checks every option's range.
    ///
    /// # Errors
    /// The first option that lies outside its range, with its value and range.
    pub fn validate(&self) -> Result<(), OutOfRange> {
        POPULATION.check("population", self.population as f64)?;
        GENERATIONS.check("generations", self.generations as f64)?;
        WIDTHS.check("min_segment_widths", self.min_segment_widths)?;
        WIDTHS.check("joint_widths", self.joint_widths)
    }
}

/// Why no line was found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The vehicle doesn't fit.
    #[error(
        "the road is {width_m:.2} m wide at ({x_m:.1} m, {y_m:.1} m), the vehicle with its safety distance on both sides needs \
         {needed_m:.2} m: check the scale, choose a narrower vehicle or lower safety_distance_m"
    )]
    RoadTooNarrow {
        /// Place, metres.
        x_m: f64,
        /// Place, metres.
        y_m: f64,
        /// Width of the road there, metres.
        width_m: f64,
        /// Twice the margin, metres.
        needed_m: f64,
    },
    /// A quadratic program can't be solved.
    #[error("the quadratic program has no solution: {0}")]
    Solver(#[from] BoxError),
    /// An option out of its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// The lap can't be simulated.
    #[error(transparent)]
    Speed(#[from] SpeedError),
    /// A stretch of grip doesn't fit the track.
    #[error(transparent)]
    Grip(#[from] GripError),
    /// The search refused its start.
    #[error("the search for the blend can't start: {reason}")]
    Search {
        /// What the search said.
        reason: String,
    },
    /// Two points of a line coincide.
    #[error("two neighbouring points of the line coincide: raise spacing_m or widen the road there")]
    Degenerate,
}

/// A parent line of the blend.
#[derive(Clone, Debug)]
pub struct Parent {
    /// Where the line crosses each section, in the corridor's bounds.
    pub alpha: Vec<f64>,
    /// How its programs were solved. Look at it: a line that didn't converge is still a line.
    pub report: SolverReport,
}

/// How a sequence of quadratic programs was solved.
#[derive(Clone, Debug, PartialEq)]
pub struct SolverReport {
    /// Programs solved.
    pub solves: usize,
    /// Iterations in all.
    pub iterations: u32,
    /// Programs that ran out of iterations.
    pub unsolved: usize,
    /// Largest product of a multiplier and the distance to its bound in the last program, scaled.
    pub complementarity: f64,
    /// Largest entry of the gradient of the last program's Lagrangian, scaled.
    pub dual_residual: f64,
    /// Whether the last program changed the line no more (always for a formulation with one program).
    pub stands: bool,
}

impl Default for SolverReport {
    fn default() -> Self {
        Self { solves: 0, iterations: 0, unsolved: 0, complementarity: 0.0, dual_residual: 0.0, stands: true }
    }
}

impl SolverReport {
    fn add(&mut self, solution: &BoxSolution) {
        self.solves += 1;
        self.iterations += solution.iterations;
        self.unsolved += usize::from(solution.status == BoxStatus::OutOfIterations);
        self.complementarity = solution.complementarity;
        self.dual_residual = solution.dual_residual;
    }

    /// Whether every program was solved and the line stands.
    pub fn converged(&self) -> bool {
        self.unsolved == 0 && self.stands
    }
}
