//! The fastest lap of a car whose energy is limited.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use raceline::Options;
use raceline::edges::Edges;
use raceline::file::Method;
use raceline::geometry::{Point, Polyline};
use raceline::solve::car::{CarLap, CarOptions, Energy, EnergyLimit, Status, car_lap_from};
use raceline::solve::{Model, Objective, SolveError, SolveOptions, optimize};
use raceline::speed::{EndSpeed, SpeedOptions};
use raceline::track::{TrackOptions, cut};
use raceline::vehicle::{DriveLimit, Vehicle, preset};

use crate::{car, roads};

/// The lap within `limit` of `vehicle`, of whose brakes' work the fraction `recuperation` returns.
fn search(
    edges: &Edges,
    vehicle: &Vehicle,
    speeds: SpeedOptions,
    limit: EnergyLimit,
    recuperation: f64,
) -> Result<CarLap, SolveError> {
    let options = CarOptions { energy: Energy { limit, recuperation }, ..CarOptions::default() };
    car::search(edges, vehicle, speeds, options).1
}

fn lap(edges: &Edges, vehicle: &Vehicle, limit: EnergyLimit) -> CarLap {
    let lap = search(edges, vehicle, SpeedOptions::default(), limit, 0.0).unwrap();
    assert_eq!(lap.status, Status::Converged, "{limit:?}: {} steps", lap.iterations);
    lap
}

/// A straight road of 600 m.
fn straight() -> Edges {
    let side = |y: f64| Polyline::open((0..=200).map(|i| Point::new(3.0 * f64::from(i), y)).collect());
    Edges::between(side(5.0), side(-5.0))
}

/// A car that neither air nor road slows down, driven by 4 m/s².
fn without_resistance() -> Vehicle {
    Vehicle {
        drag_kgpm: 0.0,
        rolling_resistance: 0.0,
        drive: DriveLimit::TableMps2(vec![[0.0, 4.0]]),
        max_speed_mps: 300.0,
        ..preset("tum-racecar").unwrap()
    }
}

#[test]
fn without_resistance_a_car_spends_its_energy_first_and_then_rolls() {
    let vehicle = without_resistance();
    let speeds = SpeedOptions { start_speed_mps: Some(EndSpeed::Given(20.0)), ..SpeedOptions::default() };
    // From 20 to 60 m/s.
    let budget_j = 0.5 * vehicle.mass_kg * (3600.0 - 400.0);
    let car = search(&straight(), &vehicle, speeds, EnergyLimit::Budget(budget_j), 0.0).unwrap();
    assert_eq!(car.status, Status::Converged);
    let length: f64 = car.points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
    let accelerated_m = 3200.0 / (2.0 * 4.0);
    let time_s = 40.0 / 4.0 + (length - accelerated_m) / 60.0;
    assert!((car.lap_time_s / time_s - 1.0).abs() < 2e-3, "{} {time_s}", car.lap_time_s);
    let last = car.states.last().unwrap();
    assert!((last.speed_mps / 60.0 - 1.0).abs() < 2e-3, "{last:?}");
    assert!((car.energy_j / budget_j - 1.0).abs() < 2e-4, "{} {budget_j}", car.energy_j);
    // One more joule is a little more speed for the rest of the distance: d(L - s)/v at the speed
    // v.
    let expected = (length - accelerated_m) / (vehicle.mass_kg * 60.0_f64.powi(3));
    assert!((car.energy_price_spj / expected - 1.0).abs() < 0.05, "{} {expected}", car.energy_price_spj);
}

#[test]
fn a_budget_counts_what_a_standing_start_takes() {
    let vehicle = without_resistance();
    // To 60 m/s.
    let budget_j = 0.5 * vehicle.mass_kg * 3600.0;
    let within = |budget_j| search(&straight(), &vehicle, SpeedOptions::default(), EnergyLimit::Budget(budget_j), 0.0);
    let car = within(budget_j).unwrap();
    assert_eq!(car.status, Status::Converged);
    assert!((car.energy_j / budget_j - 1.0).abs() < 2e-3, "{} {budget_j}", car.energy_j);
    let last = car.states.last().unwrap();
    assert!((last.speed_mps / 60.0 - 1.0).abs() < 5e-3, "{last:?}");
    // Less than the first metres take.
    let error = within(100.0).unwrap_err();
    assert!(matches!(error, SolveError::EnergyBudget { budget_j: 100.0, min_j } if min_j > 1000.0), "{error}");
}

#[test]
fn on_a_ring_the_speed_is_that_at_which_time_and_drag_cost_the_same() {
    // Far below the limit of the tyres, and hardly steered.
    let vehicle = Vehicle { rolling_resistance: 0.0, ..preset("tum-racecar").unwrap() };
    let (speed, ring) = (20.0_f64, roads::ring(494.0, 506.0));
    // The minimum of 1/v + λ c v² by length is at 1 = 2 λ c v³.
    let price = 1.0 / (2.0 * vehicle.drag_kgpm * speed.powi(3));
    let car = lap(&ring, &vehicle, EnergyLimit::Price(price));
    for state in &car.states {
        assert!((state.speed_mps / speed - 1.0).abs() < 0.01, "{state:?}");
    }
    let work = vehicle.drag_kgpm * speed * speed * speed * car.lap_time_s;
    assert!((car.energy_j / work - 1.0).abs() < 0.03, "{} {work}", car.energy_j);
}

#[test]
fn less_energy_costs_time_at_the_rate_that_its_price_implies() {
    let (stadium, vehicle) = (roads::stadium(300.0, 40.0, 52.0), preset("tum-racecar").unwrap());
    let free = lap(&stadium, &vehicle, EnergyLimit::None);
    assert!(free.energy_price_spj == 0.0);
    let budget_j = 0.8 * free.energy_j;
    let min = lap(&stadium, &vehicle, EnergyLimit::Budget(budget_j));
    assert!((min.energy_j / budget_j - 1.0).abs() < 2e-4, "{} {budget_j}", min.energy_j);
    assert!(min.lap_time_s > 1.001 * free.lap_time_s, "{} {}", min.lap_time_s, free.lap_time_s);
    let [more, fewer] = [1.01, 0.99].map(|fraction| lap(&stadium, &vehicle, EnergyLimit::Budget(fraction * budget_j)));
    let rate = (fewer.lap_time_s - more.lap_time_s) / (more.energy_j - fewer.energy_j);
    assert!((rate / min.energy_price_spj - 1.0).abs() < 0.02, "{rate} {}", min.energy_price_spj);
    // The same price leads to the same lap.
    let priced = lap(&stadium, &vehicle, EnergyLimit::Price(min.energy_price_spj));
    assert!((priced.lap_time_s / min.lap_time_s - 1.0).abs() < 1e-4, "{}", priced.lap_time_s);
    // And sensitivities are those within the budget.
    let lighter = Vehicle { mass_kg: 0.99 * vehicle.mass_kg, ..vehicle.clone() };
    let neighbour = car_lap_from(&min.optimum, &lighter, &|_| {}).unwrap();
    let anew = lap(&stadium, &lighter, EnergyLimit::Budget(budget_j));
    assert_eq!(neighbour.status, Status::Converged);
    assert!((neighbour.lap_time_s / anew.lap_time_s - 1.0).abs() < 2e-4, "{}", neighbour.lap_time_s);
}

#[test]
fn a_budget_above_what_the_fastest_lap_takes_limits_nothing() {
    let (stadium, vehicle) = (roads::stadium(300.0, 40.0, 52.0), preset("tum-racecar").unwrap());
    let free = lap(&stadium, &vehicle, EnergyLimit::None);
    let ample = lap(&stadium, &vehicle, EnergyLimit::Budget(1.5 * free.energy_j));
    assert!(ample.lap_time_s.to_bits() == free.lap_time_s.to_bits() && ample.energy_price_spj == 0.0);
}

#[test]
fn a_budget_below_what_road_and_air_take_is_refused_with_the_minimum_energy() {
    let (stadium, vehicle) = (roads::stadium(300.0, 40.0, 52.0), preset("tum-racecar").unwrap());
    let found = search(&stadium, &vehicle, SpeedOptions::default(), EnergyLimit::Budget(1e3), 0.0);
    match found {
        Err(SolveError::EnergyBudget { budget_j, min_j }) => {
            assert!(budget_j == 1e3 && min_j > 1e4, "{min_j}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_the_brakes_give_back_is_time_within_the_same_budget() {
    let (stadium, vehicle) = (roads::stadium(300.0, 40.0, 52.0), preset("tum-racecar").unwrap());
    let budget_j = 0.8 * lap(&stadium, &vehicle, EnergyLimit::None).energy_j;
    let times = [0.0, 0.3, 0.6].map(|fraction| {
        let car = search(&stadium, &vehicle, SpeedOptions::default(), EnergyLimit::Budget(budget_j), fraction).unwrap();
        assert_eq!(car.status, Status::Converged);
        assert!(car.energy_j <= 1.0002 * budget_j, "{fraction}: {}", car.energy_j);
        car.lap_time_s
    });
    assert!(times[0] > 1.001 * times[1] && times[1] > times[2], "{times:?}");
}

#[test]
fn options_of_energy_that_do_not_fit_each_other_are_refused() {
    let (track, vehicle) = {
        let options = TrackOptions::default();
        (cut(&roads::ring(44.0, 56.0), &options).unwrap(), preset("tum-racecar").unwrap())
    };
    let energy = SolveOptions { objective: Objective::Energy, model: Some(Model::Car), ..SolveOptions::default() };
    let reported = |solve: SolveOptions, method: Method| {
        let options = Options { solve, method, ..Options::default() };
        optimize(&track, &vehicle, &options.line_options()).map(|_| ()).unwrap_err().to_string()
    };
    let limited = SolveOptions { energy_j: Some(1e6), ..energy.clone() };
    let fastest = Method::TimeOptimal;
    for (solve, method, message) in [
        (energy.clone(), fastest, "objective = energy requires energy_j or energy_price_spj"),
        (
            SolveOptions { energy_price_spj: Some(1e-7), ..limited.clone() },
            fastest,
            "objective = energy takes energy_j or energy_price_spj, not both",
        ),
        (
            SolveOptions { model: Some(Model::PointMass), ..limited.clone() },
            fastest,
            "objective = energy requires model = car",
        ),
        (limited.clone(), Method::Blend, "objective = energy requires method = time-optimal"),
        (
            SolveOptions { objective: Objective::Time, ..limited.clone() },
            fastest,
            "energy_j requires objective = energy",
        ),
        (SolveOptions { energy_j: Some(0.0), ..energy }, fastest, "energy_j = 0 must be above 0"),
        (SolveOptions { recuperation: Some(1.5), ..limited }, fastest, "recuperation = 1.5 must be from 0 to 1"),
    ] {
        assert_eq!(reported(solve, method), message);
    }
}
