//! Why no line was found.

use raceline_numerics::BoxError;
use raceline_numerics::nonlinear_program::ProgramError;

use super::constraint_error::ConstraintError;
use super::fault::Fault;
use super::passing_error::PassingError;
use crate::speed::SpeedError;
use raceline_road::geometry::Vector;
use raceline_road::range::OutOfRange;
use raceline_road::track::{StretchError, TrackError};

/// Why no line was found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The road is too narrow for the vehicle.
    #[error(
        "the road is {width_m:.3} m wide at ({x_m:.1} m, {y_m:.1} m), the vehicle with its safety distance on both sides needs \
         {needed_m:.3} m: check the scale, choose a narrower vehicle or lower safety_distance_m"
    )]
    RoadTooNarrow {
        /// x of the narrowest section, metres.
        x_m: f64,
        /// y of the narrowest section, metres.
        y_m: f64,
        /// Width of the road there, metres.
        width_m: f64,
        /// Twice the margin, metres.
        needed_m: f64,
    },
    /// Obstacles or pick-ups cannot be passed.
    #[error(transparent)]
    Passing(#[from] PassingError),
    /// Pins or speed caps that no line keeps.
    #[error(transparent)]
    Constraint(#[from] ConstraintError),
    /// A quadratic program cannot be solved.
    #[error("the quadratic program has no solution: {0}")]
    Solver(#[from] BoxError),
    /// The search of a nonlinear program cannot begin.
    #[error("the nonlinear program is ill-posed: {0}")]
    Program(#[from] ProgramError),
    /// OSQP rejected a quadratic program.
    #[error("OSQP cannot solve the quadratic program: {reason}")]
    Osqp {
        /// The reason that OSQP returned.
        reason: String,
    },
    /// An option is outside its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// The lap cannot be simulated.
    #[error(transparent)]
    Speed(#[from] SpeedError),
    /// The clearances of the edges leave no road.
    #[error("the road that the clearances of its edges leave cannot be cut into cross-sections")]
    Clearance(#[from] TrackError),
    /// A stretch of grip or a speed cap does not fit the track.
    #[error(transparent)]
    Grip(#[from] StretchError),
    /// The search cannot start.
    #[error("the search for the blend cannot start: {reason}")]
    Search {
        /// The reason that the search returned.
        reason: String,
    },
    /// None of the lines that the search starts from is a racing line.
    #[error(
        "no line that the search can start from is sound: {method} failed, because {fault}; {}",
        .fault.remedy()
    )]
    NoSoundLine {
        /// The last line that failed.
        method: &'static str,
        /// Why it failed.
        fault: Fault,
    },
    /// Two points of a line coincide.
    #[error("two neighbouring points of the line coincide: raise spacing_m or widen the road there")]
    Degenerate,
    /// The points of the line would be too close together for the grid of the file.
    #[error(
        "point_spacing_m = {point_spacing_m} is below {floor_m:.3} m, the floor on a road {width_m:.2} m wide: closer points \
         would make noise of the curvature that a reader computes from their positions, which are rounded to 10 µm"
    )]
    PointSpacing {
        /// The specified distance, metres.
        point_spacing_m: f64,
        /// The smallest distance, metres.
        floor_m: f64,
        /// Mean width of the road, metres.
        width_m: f64,
    },
    /// A line to start from, and a method that does not take one, or the method of such a line
    /// without it.
    #[error("{needs}")]
    InitialLine {
        /// The requirement that is not met.
        needs: &'static str,
    },
    /// A line that exists does not run along the road.
    #[error(
        "the line passes {passed} of the {sections} cross-sections of the road, at least {needed:.0} % are required: \
         it belongs to another track, runs in another frame, or ends before the road does"
    )]
    LineOffRoad {
        /// Number of cross-sections that the line passes.
        passed: usize,
        /// Number of cross-sections.
        sections: usize,
        /// Percentage that is required.
        needed: f64,
    },
    /// The search requires a feature that is not part of the build.
    #[error("search = cmaes requires the feature `cmaes`, which is not part of this build: use ga")]
    SearchNotBuilt,
    /// The objective `energy` is not one that these options can have.
    #[error("objective = energy {needs}")]
    EnergyObjective {
        /// The requirement that is not met, as the end of the message.
        needs: &'static str,
    },
    /// An option of the objective `energy` without it.
    #[error("{option} requires objective = energy")]
    EnergyOption {
        /// The option.
        option: &'static str,
    },
    /// No lap keeps to the energy that it may take.
    #[error(
        "no lap keeps to energy_j = {budget_j}: the road and the air take at least about {min_j:.0} J from this vehicle, \
         however slow the lap: raise energy_j"
    )]
    EnergyBudget {
        /// The energy that a lap may take, J.
        budget_j: f64,
        /// The energy of the slowest lap that was found, J.
        min_j: f64,
    },
    /// The search for a lap of limited energy has not converged.
    #[error(
        "the search for a lap of limited energy has not converged after {steps} steps: choose an energy_j or \
         energy_price_spj that limits it less"
    )]
    EnergyNotConverged {
        /// Number of steps.
        steps: usize,
    },
    /// The car's lap was not found where laps of one model are compared.
    #[error("no lap of the car was found, and that of a point mass would not compare: use --model point-mass for all")]
    NoCarLap,
    /// A car's lap is asked for of a vehicle on two wheels.
    #[error("a vehicle with lean_rate_radps has two wheels and no lap of model = car: leave the model out")]
    LeaningCar,
    /// The options ask for more work than a search may take.
    #[error(
        "{option} would take {evaluations:.1e} evaluations at once on this road, and the limit is {limit:.1e}: lower {option}, \
         or raise spacing_m"
    )]
    TooMuchWork {
        /// The option.
        option: &'static str,
        /// Evaluations of a point of a line.
        evaluations: f64,
        /// Maximum number of evaluations.
        limit: f64,
    },
    /// The solver requires a feature that is not part of the build.
    #[error("qp_solver = osqp requires the feature `osqp`, which is not part of this build: use interior-point")]
    SolverNotBuilt,
}

impl SolveError {
    /// Moves the place in the error by `offset`, metres.
    #[must_use]
    pub fn moved_by(self, offset: Vector) -> Self {
        match self {
            Self::RoadTooNarrow { x_m, y_m, width_m, needed_m } => {
                Self::RoadTooNarrow { x_m: x_m + offset.x, y_m: y_m + offset.y, width_m, needed_m }
            }
            Self::Passing(error) => Self::Passing(error.moved_by(offset)),
            Self::Constraint(error) => Self::Constraint(error.moved_by(offset)),
            other => other,
        }
    }
}
