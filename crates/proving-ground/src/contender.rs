//! The followers that are compared, each with its parameters.

use raceline_follower::baselines::{PaperBaseline, PaperBaselineOptions, Reynolds, ReynoldsOptions};
use raceline_follower::{
    Command, CorridorOptions, Follower, FollowerOptions, LocalPlanner, LocalPlannerOptions, OptionsError, Path,
    PathFollower, Scene, VehicleGeometry, VehicleState,
};

use raceline_numerics::STANDARD_GRAVITY;

use crate::vehicle::VehicleModel;

/// A follower with its settings.
// A handful exist at a time, and being plain values that are copied is worth more than their size.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contender {
    /// The paper's baseline.
    Baseline(Baseline),
    /// Path following after Reynolds.
    Reynolds(ReynoldsOptions),
    /// The follower of this project.
    Ours(Ours),
}

/// The paper's baseline, and the line that it follows.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Baseline {
    /// The follower.
    pub follower: PaperBaselineOptions,
    /// Fraction of the corridor's width for the minimum-curvature line, 0 to 1; without it the path
    /// itself is driven, which is the corridor's middle.
    pub corridor_fraction: Option<f64>,
}

/// Our follower, and the line that it follows.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Ours {
    /// The follower.
    pub follower: FollowerOptions,
    /// Fraction of the corridor's width for the minimum-curvature line, 0 to 1; at 0 the path
    /// itself is driven.
    pub corridor_fraction: f64,
}

/// Margin between the vehicle's side and the corridor's edge, metres.
const CLEARANCE_M: f64 = 0.3;

/// Drives along the minimum-curvature line inside the corridor of each path.
struct OnLine {
    follower: Box<dyn PathFollower>,
    corridor: CorridorOptions,
    /// The number of the current path, and its line if it has one.
    line: Option<(u64, Option<Path>)>,
}

impl OnLine {
    /// `follower` on the line, or on the path itself at the fraction 0.
    fn boxed(follower: Box<dyn PathFollower>, fraction: f64, vehicle: VehicleGeometry) -> Box<dyn PathFollower> {
        if fraction <= 0.0 {
            return follower;
        }
        let clearance_m = vehicle.width_m / 2.0 + CLEARANCE_M;
        let corridor = CorridorOptions { fraction, clearance_m, ..CorridorOptions::default() };
        Box::new(Self { follower, corridor, line: None })
    }
}

impl PathFollower for OnLine {
    fn step(&mut self, path: &Path, state: &VehicleState, scene: &Scene<'_>, dt_s: f64) -> Command {
        if self.line.as_ref().is_none_or(|(of, _)| *of != path.id()) {
            self.line = Some((path.id(), path.minimum_curvature(&self.corridor).ok()));
        }
        let line = self.line.as_ref().and_then(|(_, line)| line.as_ref()).unwrap_or(path);
        self.follower.step(line, state, scene, dt_s)
    }

    fn reset(&mut self) {
        self.follower.reset();
    }
}

impl Contender {
    /// The follower for one vehicle, alone on its road.
    ///
    /// # Errors
    /// An option or a vehicle parameter out of its range.
    pub fn build(&self, model: &VehicleModel) -> Result<Box<dyn PathFollower>, OptionsError> {
        self.with_planner(model, None)
    }

    /// The follower for one vehicle among others; ours has the local planner, the others have none.
    ///
    /// # Errors
    /// An option or a vehicle parameter out of its range.
    pub fn build_for_traffic(&self, model: &VehicleModel) -> Result<Box<dyn PathFollower>, OptionsError> {
        self.with_planner(model, Some(LocalPlanner::new(planning(model))?))
    }

    fn with_planner(
        &self,
        model: &VehicleModel,
        planner: Option<LocalPlanner>,
    ) -> Result<Box<dyn PathFollower>, OptionsError> {
        let vehicle = model.geometry();
        Ok(match *self {
            Self::Baseline(baseline) => {
                let follower = Box::new(PaperBaseline::new(baseline.follower, vehicle)?);
                OnLine::boxed(follower, baseline.corridor_fraction.unwrap_or(0.0), vehicle)
            }
            Self::Reynolds(options) => Box::new(Reynolds::new(options, vehicle)?),
            Self::Ours(mut ours) => {
                let control = &mut ours.follower.speed_control;
                [control.full_throttle_mps2, control.full_brake_mps2] = model.full_pedal_mps2();
                let mut follower = Follower::new(ours.follower, vehicle)?;
                follower.set_planner(planner);
                OnLine::boxed(Box::new(follower), ours.corridor_fraction, vehicle)
            }
        })
    }
}

/// The local planner's options by what a game knows about the vehicle, with the fractions of
/// [`LocalPlannerOptions::for_vehicle`].
fn planning(model: &VehicleModel) -> LocalPlannerOptions {
    let ([drive_mps2, brake_mps2], [length_m, width_m]) = (model.full_pedal_mps2(), model.size_m);
    LocalPlannerOptions {
        gap_m: 0.5 * width_m,
        edge_m: 0.15 * width_m,
        following_m: 0.9 * length_m,
        braking_mps2: 0.5 * brake_mps2,
        driving_mps2: 0.8 * drive_mps2,
        lateral_mps2: 0.3 * model.friction * STANDARD_GRAVITY,
        ..LocalPlannerOptions::default()
    }
}

/// A column of the table: a follower with one setting for all vehicles, or one for each.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Name, for tables.
    pub name: String,
    /// The setting of vehicles without their own.
    pub contender: Contender,
    /// Settings by vehicle.
    pub by_vehicle: Vec<(&'static str, Contender)>,
}

impl Entry {
    /// One setting for all vehicles.
    #[must_use]
    pub fn for_all(name: &str, contender: Contender) -> Self {
        Self { name: name.to_owned(), contender, by_vehicle: Vec::new() }
    }

    /// The setting of a vehicle.
    #[must_use]
    pub fn of(&self, vehicle: &VehicleModel) -> Contender {
        let own = self.by_vehicle.iter().find(|(name, _)| *name == vehicle.name);
        own.map_or(self.contender, |(_, contender)| *contender)
    }
}
