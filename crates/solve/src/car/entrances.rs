//! Where the search for a car's lap starts: from the line of a point mass, or from any points.

use std::sync::Arc;

use super::energy;
use super::lap::CarLap;
use super::model::Car;
use super::optimum::{Frame, Optimum};
use super::options::CarOptions;
use super::price::EnergyLimit;
use super::program::{Progress, Status};
use super::reference::Reference;
use super::standing_end::{closer_at_standing_ends, first_step_m};
use crate::SolveError;
use crate::speed::SpeedError;
use crate::stations::{Margin, ReferenceLine, Room, Spacing, pin_ends, stations};
use crate::time_optimal::{Task, TimeOptimal};
use raceline_car::Vehicle;
use raceline_road::geometry::{Point, SplineCurve};

/// Finds the car's fastest lap near the line `start` of a point mass.
///
/// At an end of an open road at which the vehicle stands, the car has the point mass's line and
/// speeds, as far as its speed grows fast from point to point: see `standing_end`.
///
/// # Errors
/// [`SolveError::Degenerate`] when points of the line coincide, [`SolveError::Speed`] for a vehicle
/// that cannot be simulated, [`SolveError::EnergyBudget`] for a budget of energy that no lap keeps
/// to.
pub fn car_lap(
    task: Task,
    start: &TimeOptimal,
    options: CarOptions,
    watch: &dyn Fn(Progress),
) -> Result<CarLap, SolveError> {
    car_lap_on(task, start, task.lap.vehicle, options, watch)
}

/// Searches the lap of the car on the tyres of the vehicle `tyres`, of which the vehicle of the
/// task is a variation: the longitudinal friction then follows from the longitudinal limit and the
/// brake balance of `tyres`.
///
/// # Errors
/// The errors of [`car_lap`].
pub(crate) fn car_lap_on(
    task: Task,
    start: &TimeOptimal,
    tyres: &Vehicle,
    options: CarOptions,
    watch: &dyn Fn(Progress),
) -> Result<CarLap, SolveError> {
    let curve = SplineCurve::through(&start.points, task.corridor.closed).ok_or(SolveError::Degenerate)?;
    let line = ReferenceLine { curve, rooms: start.rooms.clone() };
    lap_along(task, &line, tyres, options, watch)
}

/// Searches the lap of the car near a line through `points`, from which the car may move by
/// `free_m` to the left and to the right, m, with the search's tolerance, and at most as far as
/// the margin to the edges of the road.
///
/// # Errors
/// The errors of [`car_lap`].
pub fn car_lap_near(
    task: Task,
    points: &[Point],
    free_m: &[[f64; 2]],
    options: CarOptions,
    watch: &dyn Fn(Progress),
) -> Result<CarLap, SolveError> {
    let curve = SplineCurve::through(points, task.corridor.closed).ok_or(SolveError::Degenerate)?;
    let width_m = task.corridor.mean_width();
    let rooms = free_m.iter().map(|&free_m| Room::beside(free_m, width_m)).collect();
    lap_along(task, &ReferenceLine { curve, rooms }, task.lap.vehicle, options, watch)
}

/// Searches the lap of the car near the line that crosses the corridor's sections at `alpha`, on
/// the tyres of `tyres`. It is searched from the solution `near`, of this line with somewhat other
/// limits, where that has as many nodes; where this does not converge, and without one, from the
/// line.
///
/// # Errors
/// The errors of [`car_lap`].
pub(crate) fn car_lap_through(
    task: Task,
    alpha: &[f64],
    tyres: &Vehicle,
    options: CarOptions,
    near: Option<&Optimum>,
) -> Result<CarLap, SolveError> {
    let line = ReferenceLine::through(task.corridor, alpha, task.margin_m)?;
    let (frame, car) = frame_along(task, &line, tyres, options)?;
    let vehicle = task.lap.vehicle;
    if let Some(near) = near.filter(|near| near.point.len() == frame.reference.node_count()) {
        let found = energy::search(Arc::clone(&frame), vehicle, &car, Some(near), &|_| {})?;
        if found.status == Status::Converged {
            return Ok(found);
        }
    }
    energy::search(frame, vehicle, &car, None, &|_| {})
}

fn lap_along(
    task: Task,
    line: &ReferenceLine,
    tyres: &Vehicle,
    options: CarOptions,
    watch: &dyn Fn(Progress),
) -> Result<CarLap, SolveError> {
    let (frame, car) = frame_along(task, line, tyres, options)?;
    energy::search(frame, task.lap.vehicle, &car, None, watch)
}

/// The program along a line, and the car in it.
fn frame_along(
    task: Task,
    line: &ReferenceLine,
    tyres: &Vehicle,
    options: CarOptions,
) -> Result<(Arc<Frame>, Car), SolveError> {
    let vehicle = task.lap.vehicle;
    if vehicle.lean_rate_radps.is_some() {
        return Err(SolveError::LeaningCar);
    }
    let tyres = Car::new(tyres, options.reserve).map_err(SpeedError::from)?.tyres();
    let car = Car::on_tyres(vehicle, tyres).map_err(SpeedError::from)?;
    let width_m = task.corridor.mean_width();
    let spacing = Spacing { longest_m: task.spacing_m, ..Spacing::of_stations(width_m) };
    let course = task.lap.speeds.course(task.corridor.closed);
    let (first_m, accel_mps2) = (first_step_m(width_m, vehicle), car.longitudinal_limit_mps2());
    let places = closer_at_standing_ends(spacing.places(&line.curve), course, first_m, accel_mps2);
    let mut stations = stations(line, places, Margin { edges: task.edges, distance_m: task.margin_m }, task.lap.caps);
    if !task.corridor.closed {
        pin_ends(&mut stations, task.corridor.pinned_ends());
    }
    let mut energy = options.energy;
    let reference = Reference::new(task, &line.curve, stations, (&car, energy))?;
    if let EnergyLimit::Budget(budget_j) = &mut energy.limit {
        let (whole_j, min_j) = (*budget_j, reference.energy_at_ends_j());
        *budget_j -= min_j;
        if *budget_j <= 0.0 {
            return Err(SolveError::EnergyBudget { budget_j: whole_j, min_j });
        }
    }
    let frame = Arc::new(Frame { reference, car: car.clone(), energy });
    Ok((frame, car))
}

#[cfg(test)]
mod tests {
    use raceline_car::preset;
    use raceline_road::geometry::SplineCurve;

    use super::{CarOptions, car_lap};
    use crate::test_roads::part_of_ring;
    use crate::time_optimal::{Task, time_optimal};
    use crate::{Corridor, EdgeDistance};

    #[test]
    fn the_car_between_two_points_is_between_their_states() {
        let kart = preset("kart").unwrap();
        let track = part_of_ring(40.0, [30, 48], 4.0, None);
        let (edges, margin_m, spacing_m) = (EdgeDistance::new(&track), kart.margin_m(), track.spacing_m);
        let corridor = Corridor::new(&track, &edges, margin_m).unwrap();
        let task = Task { corridor: &corridor, edges: &edges, margin_m, spacing_m, lap: (&kart).into() };
        let start = time_optimal(task, &corridor.middle()).unwrap();
        let lap = car_lap(task, &start, CarOptions::default(), &|_| {}).unwrap();
        let curve = SplineCurve::through(&lap.points, false).unwrap();
        let knots = curve.positions();
        for fraction in [0.0, 0.25, 0.5, 1.0] {
            let places: Vec<f64> = knots.windows(2).map(|pair| pair[0] + fraction * (pair[1] - pair[0])).collect();
            for (found, ends) in lap.along(&curve, &places).iter().zip(lap.states.windows(2)) {
                let between = |from: f64, to: f64| (1.0 - fraction) * from + fraction * to;
                let speed = between(ends[0].speed_mps.powi(2), ends[1].speed_mps.powi(2)).sqrt();
                assert!((found.speed_mps - speed).abs() < 1e-9, "{fraction}: {} for {speed}", found.speed_mps);
                assert!((found.steering_rad - between(ends[0].steering_rad, ends[1].steering_rad)).abs() < 1e-9);
                assert!((found.pedal - between(ends[0].pedal, ends[1].pedal)).abs() < 1e-9);
            }
        }
    }
}
