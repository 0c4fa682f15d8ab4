//! Options of the search for lines.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::choices::{Form, Formulation, Model, Objective, PickUpSearch, Search};
use crate::error::SolveError;
use crate::programs::QpSolver;
use crate::speed::TurningCost;
use raceline_car::Vehicle;
use raceline_road::range::Range;

/// Range of `energy_j`.
const ENERGY: Range = Range::above(0.0);
/// Range of `energy_price_spj`.
const ENERGY_PRICE: Range = Range::at_least(0.0);
/// Range of `recuperation`.
const RECUPERATION: Range = Range::between(0.0, 1.0);
/// Range of `population`.
const POPULATION: Range = Range::between(4.0, 100_000.0);
/// Range of `generations`.
const GENERATIONS: Range = Range::at_most(100_000.0);
/// Range of the reserves.
const RESERVE: Range = Range::between(0.0, 0.5);
/// Range of `relaxation_sweeps`.
const SWEEPS: Range = Range::between(1.0, 100_000.0);
/// Range of `spring_tension`.
const TENSION: Range = Range::between(0.0, 1000.0);
/// Range of `sampled_lines`.
const LINES: Range = Range::between(1.0, 10_000_000.0);
/// Range of the lengths in mean widths of the road.
const WIDTHS: Range = Range::between(0.0, 1000.0);

/// Smallest wheelbase of vehicles whose default model is a car, m: karts and model cars drive the
/// lines of a point mass faster (`docs/notes/car-model.md`).
const MIN_CAR_WHEELBASE_M: f64 = 1.5;

/// Options of the search for lines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SolveOptions {
    /// Formulation of the quadratic programs. Default: `true-spacing`.
    pub formulation: Formulation,
    /// Solver of the quadratic programs. Default: `osqp` for the methods whose line is their
    /// solution, `interior-point` for those that start from it and in a build without the feature
    /// `osqp`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qp_solver: Option<QpSolver>,
    /// Model of the vehicle on the time-optimal line; other methods have a point mass. The points
    /// of a car have `steering_rad`. Default: `car` for a vehicle with a wheelbase of 1.5 m or more
    /// and the keys of its axles (`front_weight_fraction`, `centre_of_gravity_m`,
    /// `yaw_inertia_kgm2` and `front_brake_fraction`), if its lap is found, else, and with
    /// `turning = "free"`, `point-mass`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<Model>,
    /// Fraction of each axle's longitudinal limit that the lap of `model = "car"` leaves to the
    /// driver, for roads and cars that differ from their description. Default: the vehicle's, else
    /// 0.05.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = RESERVE))]
    pub longitudinal_reserve: Option<f64>,
    /// Likewise of the rear axle's lateral limit, for stability. Default: the vehicle's, else 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = RESERVE))]
    pub rear_reserve: Option<f64>,
    /// What the lap of `model = "car"` minimises. Default: `time`.
    #[serde(skip_serializing_if = "is_default_objective")]
    pub objective: Objective,
    /// Energy that a lap of `objective = "energy"` may take, J: work of the drive at the tyres,
    /// less what `recuperation` returns. Default: not limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = ENERGY))]
    pub energy_j: Option<f64>,
    /// What a joule counts instead, in seconds of the lap. Default: nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = ENERGY_PRICE))]
    pub energy_price_spj: Option<f64>,
    /// Fraction of the brakes' work that returns, with `objective = "energy"`. Default: 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = RECUPERATION))]
    pub recuperation: Option<f64>,
    /// Search method of the blend. Default: `ga`.
    pub search: Search,
    /// Seed of the random numbers of the search. Default: 1.
    pub seed: u64,
    /// Individuals per generation. Default: 48.
    #[schemars(extend("x-range" = POPULATION))]
    pub population: usize,
    /// Maximum number of generations. Default: 40.
    #[schemars(extend("x-range" = GENERATIONS))]
    pub generations: usize,
    /// A crossing of the two parent lines that follows the previous one by less than this many mean
    /// widths of the road is merged with it. Default: 3.
    #[schemars(extend("x-range" = WIDTHS))]
    pub min_segment_widths: f64,
    /// Length over which the mixture changes at a joint, in mean widths of the road. Default: 3.
    #[schemars(extend("x-range" = WIDTHS))]
    pub joint_widths: f64,
    /// What moves the points of `method = "relaxation"`. Default: `curvature-interpolation`.
    #[serde(skip_serializing_if = "is_default_form")]
    pub relaxation: Form,
    /// Sweeps of a relaxation over all points; coarser levels have more. Default: 100.
    #[serde(skip_serializing_if = "is_default_sweeps")]
    #[schemars(extend("x-range" = SWEEPS))]
    pub relaxation_sweeps: usize,
    /// Tension of the springs of `relaxation = "springs-and-hinges"` against its hinges, over the
    /// square of the road's mean width: 0 is a minimum-curvature line, large numbers are a shortest
    /// path. Default: 0.002.
    #[serde(skip_serializing_if = "is_default_tension")]
    #[schemars(extend("x-range" = TENSION))]
    pub spring_tension: f64,
    /// Lines that `method = "sampled"` draws at each place, about three widths of the road apart.
    /// Default: 10 000.
    #[serde(skip_serializing_if = "is_default_lines")]
    #[schemars(extend("x-range" = LINES))]
    pub sampled_lines: usize,
    /// How it is decided which pick-ups of `[[pick_up]]` the line takes. Default: `heavy-points`
    /// with `method = "relaxation"`, else `exact`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pick_up_search: Option<PickUpSearch>,
    /// Where the line begins on an open road: metres to the left of the centre line, negative to
    /// the right. Default: free.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_offset_m: Option<f64>,
    /// Where the line ends on an open road, likewise. Default: free.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_offset_m: Option<f64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_default_objective(objective: &Objective) -> bool {
    *objective == Objective::default()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_default_form(form: &Form) -> bool {
    *form == Form::default()
}

/// Default of `relaxation_sweeps`.
const DEFAULT_SWEEPS: usize = 100;
/// Default of `spring_tension`.
const DEFAULT_TENSION: f64 = 0.002;
/// Default of `sampled_lines`.
const DEFAULT_LINES: usize = 10_000;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_default_sweeps(sweeps: &usize) -> bool {
    *sweeps == DEFAULT_SWEEPS
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_default_tension(tension: &f64) -> bool {
    tension.to_bits() == DEFAULT_TENSION.to_bits()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_default_lines(lines: &usize) -> bool {
    *lines == DEFAULT_LINES
}

impl Default for SolveOptions {
    fn default() -> Self {
        Self {
            formulation: Formulation::TrueSpacing,
            qp_solver: None,
            model: None,
            longitudinal_reserve: None,
            rear_reserve: None,
            objective: Objective::Time,
            energy_j: None,
            energy_price_spj: None,
            recuperation: None,
            search: Search::Ga,
            seed: 1,
            population: 48,
            generations: 40,
            min_segment_widths: 3.0,
            joint_widths: 3.0,
            relaxation: Form::default(),
            relaxation_sweeps: DEFAULT_SWEEPS,
            spring_tension: DEFAULT_TENSION,
            sampled_lines: DEFAULT_LINES,
            pick_up_search: None,
            start_offset_m: None,
            end_offset_m: None,
        }
    }
}

impl SolveOptions {
    /// The options with the model that suits the vehicle and with its reserves, where these are
    /// open.
    ///
    /// ```
    /// use raceline_car::preset;
    /// use raceline_solve::speed::TurningCost;
    /// use raceline_solve::{Model, SolveOptions};
    ///
    /// let mut vehicle = preset("gt")?;
    /// let (options, turning) = (SolveOptions::default(), TurningCost::ByVehicle);
    /// assert_eq!(options.for_vehicle(&vehicle, turning).model, Some(Model::Car));
    /// vehicle.yaw_inertia_kgm2 = None;
    /// assert_eq!(options.for_vehicle(&vehicle, turning).model, Some(Model::PointMass));
    /// # Ok::<(), raceline_car::VehicleError>(())
    /// ```
    #[must_use]
    pub fn for_vehicle(&self, vehicle: &Vehicle, turning: TurningCost) -> Self {
        let is_car = vehicle.has_axles() && vehicle.wheelbase_m >= MIN_CAR_WHEELBASE_M;
        let is_car = is_car && vehicle.lean_rate_radps.is_none() && turning == TurningCost::ByVehicle;
        let model = self.model.unwrap_or(if is_car { Model::Car } else { Model::PointMass });
        let mut options = Self { model: Some(model), ..self.clone() };
        if model == Model::Car {
            options.longitudinal_reserve = self.longitudinal_reserve.or(vehicle.longitudinal_reserve);
            options.rear_reserve = self.rear_reserve.or(vehicle.rear_reserve);
        }
        options
    }

    /// Checks every option's range, and that the options of `objective = "energy"` fit each other.
    ///
    /// ```
    /// use raceline_solve::SolveOptions;
    ///
    /// assert!(SolveOptions::default().validate().is_ok());
    /// assert!(SolveOptions { spring_tension: -1.0, ..SolveOptions::default() }.validate().is_err());
    /// ```
    ///
    /// # Errors
    /// The first option outside its range, with its value and range; options that exclude each
    /// other.
    pub fn validate(&self) -> Result<(), SolveError> {
        POPULATION.check("population", self.population as f64)?;
        GENERATIONS.check("generations", self.generations as f64)?;
        WIDTHS.check("min_segment_widths", self.min_segment_widths)?;
        WIDTHS.check("joint_widths", self.joint_widths)?;
        let reserves = [("longitudinal_reserve", self.longitudinal_reserve), ("rear_reserve", self.rear_reserve)];
        for (option, reserve) in reserves {
            reserve.map_or(Ok(()), |reserve| RESERVE.check(option, reserve))?;
        }
        SWEEPS.check("relaxation_sweeps", self.relaxation_sweeps as f64)?;
        TENSION.check("spring_tension", self.spring_tension)?;
        LINES.check("sampled_lines", self.sampled_lines as f64)?;
        let of_energy = [
            ("energy_j", self.energy_j, ENERGY),
            ("energy_price_spj", self.energy_price_spj, ENERGY_PRICE),
            ("recuperation", self.recuperation, RECUPERATION),
        ];
        for (option, value, range) in of_energy {
            let Some(value) = value else { continue };
            range.check(option, value)?;
            if self.objective != Objective::Energy {
                return Err(SolveError::EnergyOption { option });
            }
        }
        let needs = match (self.objective, self.model, self.energy_j, self.energy_price_spj) {
            (Objective::Energy, Some(Model::PointMass), ..) => "requires model = car",
            (Objective::Energy, _, None, None) => "requires energy_j or energy_price_spj",
            (Objective::Energy, _, Some(_), Some(_)) => "takes energy_j or energy_price_spj, not both",
            _ => return Ok(()),
        };
        Err(SolveError::EnergyObjective { needs })
    }
}
