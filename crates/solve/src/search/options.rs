//! Options of a search on a track, of any source.

use raceline_car::Vehicle;
use raceline_file::Method;
use raceline_road::geometry::Point;
use raceline_road::track::{ClearanceOptions, EdgeMargin, Grip, ReliefOptions, SpeedCap};

use crate::passing::{Obstacle, PickUp};
use crate::speed::{LoadOptions, SpeedOptions};
use crate::{ConstraintError, MAX_CONSTRAINTS, NoGo, Objective, Pin, QpSolver, SolveError, SolveOptions};

/// All that a search for a line takes beside the track and the vehicle. Places are in metres.
///
/// ```
/// use raceline_file::Method;
/// use raceline_solve::{LineOptions, SolveOptions};
///
/// let solve = SolveOptions { generations: 80, ..SolveOptions::default() };
/// let options = LineOptions { method: Method::Blend, solve, ..LineOptions::default() };
/// assert!(options.validate().is_ok());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LineOptions {
    /// The method whose line is wanted. Methods whose lines it starts from are searched first.
    /// Default: [`Method::TimeOptimal`].
    pub method: Method,
    /// How lines are searched.
    pub solve: SolveOptions,
    /// The speeds at the ends of an open road, and the cost of turning.
    pub speed: SpeedOptions,
    /// Stretches and patches of road with a different grip. Default: none.
    pub grip: Vec<Grip>,
    /// Stretches of road with a maximum speed. Default: none.
    pub speed_cap: Vec<SpeedCap>,
    /// Places that the line passes within a tolerance. Default: none.
    pub pin: Vec<Pin>,
    /// Regions that the vehicle keeps out of. Default: none.
    pub no_go: Vec<NoGo>,
    /// How near to walls and over kerbs the road is used.
    pub clearance: ClearanceOptions,
    /// Room that lines keep to the edges beside the vehicle's margin. Default: none.
    pub edge_margin: Vec<EdgeMargin>,
    /// Distance between cross-sections where the clearances make another road, metres: see
    /// [`TrackOptions::spacing_m`](raceline_road::track::TrackOptions::spacing_m). Default: by
    /// width and vehicle.
    pub spacing_m: Option<f64>,
    /// How heights become a smooth road.
    pub relief: ReliefOptions,
    /// What the road's vertical curvature changes.
    pub load: LoadOptions,
    /// What stands on the road. Default: nothing.
    pub obstacle: Vec<Obstacle>,
    /// Places that are worth time to a line that passes them. Default: none.
    pub pick_up: Vec<PickUp>,
    /// Points of a line that exists, metres, in the direction of travel: the search for the
    /// time-optimal line starts from it in place of the minimum-curvature line. A closed line does
    /// not repeat its first point. Default: none.
    pub initial_line: Option<Vec<Point>>,
    /// Whether the road is a route through a map, which may leave pick-ups beside it; elsewhere
    /// they are an error. Default: no.
    pub is_route: bool,
    /// Largest distance between the points of the line, metres, in
    /// [`POINT_SPACING`](crate::POINT_SPACING). It does not change the line. Default: a quarter of
    /// the road's mean width, at most three quarters of the vehicle's length.
    pub point_spacing_m: Option<f64>,
    /// Whether further laps measure what pins, speed caps, regions and pick-ups cost. Default: yes.
    pub prices: bool,
}

impl Default for LineOptions {
    fn default() -> Self {
        Self {
            method: Method::TimeOptimal,
            solve: SolveOptions::default(),
            speed: SpeedOptions::default(),
            grip: Vec::new(),
            speed_cap: Vec::new(),
            pin: Vec::new(),
            no_go: Vec::new(),
            clearance: ClearanceOptions::default(),
            edge_margin: Vec::new(),
            spacing_m: None,
            relief: ReliefOptions::default(),
            load: LoadOptions::default(),
            obstacle: Vec::new(),
            pick_up: Vec::new(),
            initial_line: None,
            is_route: false,
            point_spacing_m: None,
            prices: true,
        }
    }
}

impl LineOptions {
    /// The options with the model of the time-optimal line that suits the vehicle, with its
    /// reserves, and with the solver for their method, where they leave these open.
    #[must_use]
    pub fn for_vehicle(&self, vehicle: &Vehicle) -> Self {
        let qp_solver = self.solve.qp_solver.unwrap_or_else(|| QpSolver::for_method(self.method));
        let solve = self.solve.for_vehicle(vehicle, self.speed.turning);
        Self {
            solve: SolveOptions { qp_solver: Some(qp_solver), ..solve },
            load: self.load.for_vehicle(vehicle),
            ..self.clone()
        }
    }

    /// Checks the ranges of the options, and that they fit each other. Those that depend on the
    /// road, such as `point_spacing_m`, are checked by the search.
    ///
    /// # Errors
    /// [`SolveError::OutOfRange`], [`SolveError::InitialLine`], [`SolveError::Constraint`],
    /// [`SolveError::EnergyObjective`] and [`SolveError::EnergyOption`].
    pub fn validate(&self) -> Result<(), SolveError> {
        self.solve.validate()?;
        self.relief.validate()?;
        self.load.validate()?;
        let counts = [("pin", self.pin.len()), ("speed_cap", self.speed_cap.len()), ("no_go", self.no_go.len())];
        for (list, count) in counts {
            if count > MAX_CONSTRAINTS {
                return Err(ConstraintError::TooMany { list, count, limit: MAX_CONSTRAINTS }.into());
            }
        }
        for (i, pin) in self.pin.iter().enumerate() {
            let wrong = |(value, range)| ConstraintError::Tolerance { number: i + 1, value, range };
            pin.validate().map_err(wrong)?;
        }
        for (i, no_go) in self.no_go.iter().enumerate() {
            let wrong = |(value, range)| ConstraintError::OutOfRange { number: i + 1, value, range };
            no_go.validate().map_err(wrong)?;
        }
        let needs = match (self.initial_line.is_some(), self.method) {
            (true, Method::TimeOptimal | Method::Given) => None,
            (true, _) => Some("initial_line requires method = time-optimal"),
            (false, Method::Given) => Some("method = given requires initial_line"),
            (false, _) => None,
        };
        if let Some(needs) = needs {
            return Err(SolveError::InitialLine { needs });
        }
        if self.solve.objective == Objective::Energy && self.method != Method::TimeOptimal {
            return Err(SolveError::EnergyObjective { needs: "requires method = time-optimal" });
        }
        Ok(())
    }

    /// Whether a search decides about obstacles, pick-ups or the sides of regions.
    pub(super) fn has_decisions(&self) -> bool {
        !self.obstacle.is_empty() || !self.pick_up.is_empty() || self.no_go.iter().any(NoGo::may_be_searched)
    }
}

#[cfg(test)]
mod tests {
    use raceline_file::Method;

    use super::LineOptions;
    use crate::{Objective, SolveError, SolveOptions};

    #[test]
    fn energy_is_the_objective_of_the_time_optimal_line_alone() {
        for (objective, budget_j) in [(Objective::Time, None), (Objective::Energy, Some(1e6))] {
            for method in [Method::TimeOptimal, Method::Blend, Method::ShortestPath] {
                let solve = SolveOptions { objective, energy_j: budget_j, ..SolveOptions::default() };
                let found = LineOptions { method, solve, ..LineOptions::default() }.validate();
                if objective == Objective::Energy && method != Method::TimeOptimal {
                    assert!(matches!(found, Err(SolveError::EnergyObjective { .. })), "{method:?}: {found:?}");
                } else {
                    assert_eq!(found, Ok(()), "{objective:?} {method:?}");
                }
            }
        }
    }
}
