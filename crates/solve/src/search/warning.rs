//! Warnings about a line that was found nevertheless.

use std::fmt;

use raceline_file::Method;

use crate::{EndOffsetWarning, Fault};

/// A warning about a line, or about the options of its search.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum LineWarning {
    /// An offset at an end of the road could not be kept.
    EndOffset(EndOffsetWarning),
    /// The options specify speeds at the ends of a closed road.
    EndSpeedsOnClosedRoad,
    /// A count of the options would have taken too much work, and was lowered.
    WorkLowered {
        /// The option.
        option: &'static str,
        /// The specified count.
        specified: usize,
        /// The count that was used.
        used: usize,
    },
    /// Obstacles and pick-ups were decided without the laps that would have taken too much work.
    DecisionsSimplified,
    /// The price of energy was lowered to the largest that has an effect.
    EnergyPriceLowered {
        /// The specified price, s/J.
        specified_spj: f64,
        /// The price that was used, s/J.
        used_spj: f64,
    },
    /// Some of a line's quadratic programs reached the iteration limit.
    ProgramsUnsolved {
        /// The line.
        method: Method,
        /// Number of programs that reached the iteration limit.
        unsolved: usize,
        /// Total number of programs.
        solves: usize,
    },
    /// A line had not converged when re-linearisation ended.
    StillMoving {
        /// The line.
        method: Method,
    },
    /// The time-optimal search ended before it converged.
    TimeOptimalNotConverged,
    /// No lap of the car was found; the line is that of a point mass.
    PointMassInstead {
        /// Newton steps of a search that has not converged; `None` where the car's line is none.
        steps: Option<usize>,
    },
    /// A line is no racing line, and not a candidate.
    CandidateFailed {
        /// The line.
        method: Method,
        /// Why.
        fault: Fault,
    },
    /// A line is nearer to an edge than its margin.
    MarginMissed {
        /// The line.
        method: Method,
        /// Largest violation of the margin, metres.
        missing_m: f64,
        /// The margin, metres.
        margin_m: f64,
    },
}

impl fmt::Display for LineWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EndOffset(warning) => warning.fmt(f),
            Self::EndSpeedsOnClosedRoad => write!(
                f,
                "start_speed_mps and end_speed_mps are ignored: they apply to open roads, and this one is closed"
            ),
            Self::WorkLowered { option, specified, used } => write!(
                f,
                "{option} = {specified} would take too much work on this road: {used} is used, lower it to that"
            ),
            Self::DecisionsSimplified => write!(
                f,
                "comparing laps for all obstacles and pick-ups would take too much work on this road: pick-ups are chosen by \
                 heavy-points, and where there are too many obstacles, each is passed where the road is wider; specify the \
                 sides of obstacles, or use fewer of both"
            ),
            Self::EnergyPriceLowered { specified_spj, used_spj } => write!(
                f,
                "energy_price_spj = {specified_spj} lowers the energy no further than {used_spj:.3e}, which is used: lower it \
                 to that"
            ),
            Self::ProgramsUnsolved { method, unsolved, solves } => write!(
                f,
                "{}: {unsolved} of {solves} quadratic programs reached the iteration limit; the line may not be optimal",
                method.name()
            ),
            Self::StillMoving { method } => {
                let name = method.name();
                write!(f, "{name}: re-linearisation has not converged; the line may not be optimal")
            }
            Self::TimeOptimalNotConverged => write!(
                f,
                "{}: the search has not converged; the line may not be the fastest",
                Method::TimeOptimal.name()
            ),
            Self::PointMassInstead { steps: Some(steps) } => write!(
                f,
                "the search for the car's lap has not converged after {steps} steps: the line is that of \
                 model = \"point-mass\""
            ),
            Self::PointMassInstead { steps: None } => {
                write!(f, "the car's lap has no racing line: the line is that of model = \"point-mass\"")
            }
            Self::CandidateFailed { method, fault } => {
                write!(f, "{} failed and is not a candidate: {fault}", method.name())
            }
            Self::MarginMissed { method, missing_m, margin_m } => write!(
                f,
                "{}: the line is {missing_m:.3} m nearer to an edge than the margin of {margin_m:.3} m: lower \
                 spacing_m",
                method.name()
            ),
        }
    }
}

impl From<EndOffsetWarning> for LineWarning {
    fn from(warning: EndOffsetWarning) -> Self {
        Self::EndOffset(warning)
    }
}
