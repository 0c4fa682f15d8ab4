//! What pins, speed caps, regions and patches of grip cost: the lap that the method finds without
//! each of them, and for the multipliers those with a little more and a little less of it.
//!
//! A method that minimises the lap time finds the laps to compare on the stations of the line that
//! was found, with the same weight of smoothness, so that they differ by what the constraint
//! changes: on stations of their own the times of two laps are uncertain by some milliseconds. The
//! multipliers are those of the lap time; those of the program would be of its objective, in which
//! smoothness has a weight. Other methods search again.

use raceline_car::Vehicle;
use raceline_file::{Constraint, ConstraintKind, Method};
use raceline_road::geometry::Point;
use rayon::prelude::*;

use super::conditions::RoadConditions;
use super::given_line::fractions;
use super::line::Line;
use super::options::LineOptions;
use super::prepared_road::PreparedRoad;
use crate::car::{self, Optimum, car_lap_through};
use crate::time_optimal::{Task, lap_near};
use crate::{EdgeDistance, Model, NoGoArea, SolveError, pins_on_road};

/// Step of a tolerance to either side, as a fraction of it, and its upper limit, m.
const TOLERANCE_STEP: (f64, f64) = (0.25, 0.05);
/// Step of the boundary of a region to either side, m.
const REGION_STEP_M: f64 = 0.05;
/// Step of a maximum speed to either side, as a fraction of it.
const SPEED_STEP_FRACTION: f64 = 0.005;

/// A change of the options in one constraint.
#[derive(Clone, Copy)]
enum Change {
    Nothing,
    /// The constraint with this index removed.
    Removed(usize),
    /// Tolerance, m, or maximum speed, m/s, changed by this.
    Moved(usize, f64),
}

/// A lap, if there is one.
type FoundLap = Result<Option<ComparedLap>, SolveError>;

/// A lap of a changed road.
struct ComparedLap {
    time_s: f64,
    /// The weight of smoothness it was found with, s m³; 0 where there is none.
    smoothing: f64,
    /// A car's solution, from which that of another change is searched.
    optimum: Option<Optimum>,
}

impl ComparedLap {
    fn of(time_s: f64, smoothing: f64) -> Self {
        Self { time_s, smoothing, optimum: None }
    }
}

/// Adds the prices to the constraints of `line`, which was found on this road for these vehicles.
/// `search_s` is the lap time of a search with other options, s.
///
/// # Errors
/// A vehicle that cannot be simulated.
pub(super) fn measure(
    line: &mut Line,
    options: &LineOptions,
    road: &PreparedRoad,
    vehicles: (&Vehicle, &Vehicle),
    search_s: impl Fn(LineOptions) -> Result<f64, SolveError> + Sync,
) -> Result<(), SolveError> {
    let constraints = line.constraints.clone();
    let decided = decided(line, options);
    let minimises = options.method == Method::TimeOptimal;
    let driven = &line.candidates[line.chosen].driven;
    let points: Vec<Point> = driven.points.iter().map(|point| point.position).collect();
    let alpha = fractions(&road.road.track, &points)?;
    let lap_s = |change: Change, base: Option<&ComparedLap>| -> FoundLap {
        let changed = changed(&decided, &constraints, change);
        if minimises {
            let conditions = with_caps_of(&changed, &road.conditions, &constraints, change);
            let edges = with_no_go_of(&road.road.edges, &constraints, change);
            let edges = edges.with_pins(pins_on_road(&changed.pin, road.road.origin)?);
            return fastest_near(&changed, road, (&edges, &conditions), vehicles, (&alpha, base));
        }
        match search_s(changed) {
            Err(SolveError::RoadTooNarrow { .. } | SolveError::NoSoundLine { .. } | SolveError::Constraint(_)) => {
                Ok(None)
            }
            lap_s => Ok(Some(ComparedLap::of(lap_s?, 0.0))),
        }
    };
    let Some(base) = lap_s(Change::Nothing, None)? else { return Ok(()) };
    let base_s = base.time_s;
    let has_multiplier = |constraint: &Constraint| match options.method {
        _ if constraint.kind == ConstraintKind::Grip => false,
        Method::TimeOptimal => true,
        // A random search ends elsewhere after a small change.
        Method::Blend | Method::Sampled => false,
        _ => constraint.kind == ConstraintKind::SpeedCap,
    };
    let mut changes = Vec::new();
    for (index, constraint) in constraints.iter().enumerate() {
        changes.push(Change::Removed(index));
        if has_multiplier(constraint) {
            let step = step(options, constraint);
            changes.extend([step, -step].map(|step| Change::Moved(index, step)));
        }
    }
    let found: Vec<FoundLap> = changes.par_iter().map(|&change| lap_s(change, Some(&base))).collect();
    let mut looser_s = None;
    for (change, lap) in changes.into_iter().zip(found) {
        // The first error in the order of the changes, whichever thread ended first.
        let lap_s = lap?.map(|lap| lap.time_s);
        match change {
            Change::Nothing => {}
            Change::Removed(index) => line.constraints[index].price_s = lap_s.map(|lap_s| base_s - lap_s),
            Change::Moved(_, step) if step > 0.0 => looser_s = lap_s,
            Change::Moved(index, step) => {
                let constraint = &mut line.constraints[index];
                let multiplier = looser_s.zip(lap_s).map(|(looser, tighter)| (tighter - looser) / (-2.0 * step));
                match constraint.kind {
                    ConstraintKind::Pin => constraint.seconds_per_m = multiplier,
                    // The step makes it larger.
                    ConstraintKind::NoGo => constraint.seconds_per_m = multiplier.map(|per_m| -per_m),
                    ConstraintKind::SpeedCap => constraint.seconds_per_mps = multiplier,
                    ConstraintKind::Grip => {}
                }
            }
        }
    }
    Ok(())
}

/// The conditions with a changed speed cap. The stretch of one that is removed stays, and with it
/// the stations at its ends.
fn with_caps_of(
    changed: &LineOptions,
    conditions: &RoadConditions,
    constraints: &[Constraint],
    change: Change,
) -> RoadConditions {
    let (Change::Removed(index) | Change::Moved(index, _)) = change else { return conditions.clone() };
    let Constraint { kind, number, .. } = constraints[index];
    match (kind, change) {
        (ConstraintKind::Pin | ConstraintKind::NoGo, _) | (ConstraintKind::Grip, Change::Moved(..)) => {
            conditions.clone()
        }
        (ConstraintKind::Grip, _) => conditions.without_grip(number - 1),
        (ConstraintKind::SpeedCap, Change::Moved(..)) => {
            conditions.with_cap_speed(number - 1, changed.speed_cap[number - 1].max_speed_mps)
        }
        (ConstraintKind::SpeedCap, _) => conditions.with_cap_speed(number - 1, f64::INFINITY),
    }
}

/// The distances to the edges with a changed region.
fn with_no_go_of(edges: &EdgeDistance, constraints: &[Constraint], change: Change) -> EdgeDistance {
    let (Change::Removed(index) | Change::Moved(index, _)) = change else { return edges.clone() };
    let Constraint { kind, number, .. } = constraints[index];
    if kind != ConstraintKind::NoGo {
        return edges.clone();
    }
    let changed = |area: &NoGoArea| match change {
        Change::Moved(_, step) if area.number == number => Some(area.grown(step)),
        _ => (area.number != number).then(|| area.clone()),
    };
    edges.with_no_go(edges.no_go().iter().filter_map(changed).collect())
}

/// The fastest lap near the line that crosses the sections at `alpha`: with the weight of
/// smoothness of the lap `base` or that of the line, and a car's from the solution of `base`.
fn fastest_near(
    options: &LineOptions,
    road: &PreparedRoad,
    (edges, conditions): (&EdgeDistance, &RoadConditions),
    (vehicle, tyres): (&Vehicle, &Vehicle),
    (alpha, base): (&[f64], Option<&ComparedLap>),
) -> FoundLap {
    let task = Task {
        corridor: &road.corridor,
        edges,
        margin_m: road.margin_m,
        spacing_m: road.road.track.spacing_m,
        lap: conditions.lap(vehicle, options.speed),
    };
    if options.solve.model != Some(Model::Car) {
        let found = lap_near(task, alpha, base.map(|base| base.smoothing))?;
        return Ok(found.map(|(time_s, smoothing)| ComparedLap::of(time_s, smoothing)));
    }
    let near = base.and_then(|base| base.optimum.as_ref());
    let lap = car_lap_through(task, alpha, tyres, options.solve.car(), near)?;
    let found = || ComparedLap { time_s: lap.lap_time_s, smoothing: 0.0, optimum: Some(lap.optimum) };
    Ok((lap.status == car::Status::Converged).then(found))
}

/// The step to either side for the multiplier of a constraint.
fn step(options: &LineOptions, constraint: &Constraint) -> f64 {
    let index = constraint.number - 1;
    match constraint.kind {
        ConstraintKind::Pin => (TOLERANCE_STEP.0 * options.pin[index].tolerance_m).min(TOLERANCE_STEP.1),
        ConstraintKind::NoGo => REGION_STEP_M,
        // It has none.
        ConstraintKind::Grip => 0.0,
        ConstraintKind::SpeedCap => SPEED_STEP_FRACTION * options.speed_cap[index].max_speed_mps,
    }
}

/// The options with a change of one constraint.
fn changed(options: &LineOptions, constraints: &[Constraint], change: Change) -> LineOptions {
    let mut options = options.clone();
    let (Change::Removed(index) | Change::Moved(index, _)) = change else { return options };
    let Constraint { kind, number, .. } = constraints[index];
    let index = number - 1;
    match (kind, change) {
        (ConstraintKind::Pin, Change::Moved(_, step)) => options.pin[index].tolerance_m += step,
        (ConstraintKind::Pin, _) => {
            options.pin.remove(index);
        }
        (ConstraintKind::NoGo | ConstraintKind::Grip, Change::Moved(..)) => {}
        (ConstraintKind::Grip, _) => {
            options.grip.remove(index);
        }
        (ConstraintKind::NoGo, _) => {
            options.no_go.remove(index);
        }
        (ConstraintKind::SpeedCap, Change::Moved(_, step)) => options.speed_cap[index].max_speed_mps += step,
        (ConstraintKind::SpeedCap, _) => {
            options.speed_cap.remove(index);
        }
    }
    options
}

/// The options with the decisions about obstacles and pick-ups made.
fn decided(line: &Line, options: &LineOptions) -> LineOptions {
    let mut options = options.clone();
    if let Some(decisions) = &line.decisions {
        decisions.write_to(&mut options.obstacle, &mut options.pick_up, &mut options.no_go);
    }
    options
}

#[cfg(test)]
mod tests {
    use raceline_car::preset;
    use raceline_road::track::SpeedCap;

    use super::*;
    use crate::speed::SpeedOptions;
    use crate::test_roads::straight;

    #[test]
    fn a_change_of_a_speed_cap_leaves_the_others() {
        let track = straight(31, 4.0);
        let cap = |from_m: f64, max_speed_mps: f64| SpeedCap { from_m, to_m: from_m + 40.0, max_speed_mps };
        let speed_cap = vec![cap(30.0, 10.0), cap(130.0, 20.0), cap(230.0, 30.0)];
        let options = LineOptions { speed_cap, ..LineOptions::default() };
        let conditions = RoadConditions::on(&track, &options).unwrap();
        let constraints = conditions.constraints(&options, raceline_road::geometry::Vector::zeros());
        assert_eq!(constraints.len(), 3);
        let vehicle = preset("kart").unwrap();
        let places = [50.0, 150.0, 250.0].map(|x| Point::new(x, 0.0));
        let speeds_with = |change: Change| {
            let changed = changed(&options, &constraints, change);
            let conditions = with_caps_of(&changed, &conditions, &constraints, change);
            conditions.lap(&vehicle, SpeedOptions::default()).caps.unwrap().along(&places)
        };
        assert_eq!(speeds_with(Change::Nothing), [10.0, 20.0, 30.0]);
        for index in 0..3 {
            let mut expected = [10.0, 20.0, 30.0];
            expected[index] += 0.5;
            assert_eq!(speeds_with(Change::Moved(index, 0.5)), expected);
            expected[index] = f64::INFINITY;
            assert_eq!(speeds_with(Change::Removed(index)), expected);
        }
    }
}
