//! Laps of cars.

use super::{Place, bulging, is, of_points, short, sums};
use raceline_car::preset;
use raceline_road::track::GripStretch;
use raceline_solve::car::{
    CarLap, CarOptions, CarState, Energy, EnergyLimit, Powertrain, Reserve, Uses, car_lap, car_lap_from, stint_lap,
};
use raceline_solve::time_optimal::{Task, time_optimal};
use raceline_solve::{LineOptions, RoadConditions};

fn of_lap(lap: &CarLap) -> Vec<f64> {
    let states = |value: fn(&CarState) -> f64| sums(lap.states.iter().map(value));
    let numbers = [
        states(|state| state.speed_mps),
        states(|state| state.sideslip_rad),
        states(|state| state.yaw_rate_radps),
        states(|state| state.steering_rad),
        states(|state| state.pedal),
        [lap.lap_time_s, lap.energy_j],
        [lap.iterations as f64, lap.factorisations as f64],
    ];
    [of_points(&lap.points), numbers.concat()].concat()
}

/// The lap of a car on a road with these options.
fn lap_on(place: &Place, name: &str, options: CarOptions) -> CarLap {
    let vehicle = preset(name).unwrap();
    let task = place.task(&vehicle);
    let start = time_optimal(task, &place.corridor.middle()).unwrap();
    car_lap(task, &start, options, &|_| {}).unwrap()
}

#[test]
fn a_lap_of_a_closed_road() {
    is("a_lap_of_a_closed_road", &of_lap(&lap_on(&Place::on(short()), "gt", CarOptions::default())));
}

#[test]
fn a_lap_of_an_open_road() {
    is(
        "a_lap_of_an_open_road",
        &of_lap(&lap_on(&Place::on(bulging(22.0, 0.15, false)), "kart", CarOptions::default())),
    );
}

fn saving(limit: EnergyLimit, recuperation: f64) -> CarLap {
    let reserve = Reserve { longitudinal: 0.1, rear: 0.05 };
    lap_on(&Place::on(short()), "gt", CarOptions { reserve, energy: Energy { limit, recuperation } })
}

#[test]
fn a_lap_with_a_price_of_energy() {
    is("a_lap_with_a_price_of_energy", &of_lap(&saving(EnergyLimit::Price(1e-6), 0.5)));
}

#[test]
fn a_lap_with_a_budget_of_energy() {
    let lap = saving(EnergyLimit::Budget(1e5), 0.0);
    is("a_lap_with_a_budget_of_energy", &[of_lap(&lap), vec![1e6 * lap.energy_price_spj]].concat());
}

#[test]
fn a_lap_of_a_stint() {
    let lap = lap_on(&Place::on(short()), "gt", CarOptions::default());
    let vehicle = preset("gt").unwrap();
    let powertrain = Powertrain { engine_power_w: 2e5, recuperation_power_w: 5e4, recuperation: 0.4 };
    let prices = Uses { engine: 4e-7, deployed: 3e-7, recuperated: 2e-7, friction: 5e-7 };
    let heavier = vehicle.with_parameters(&[("mass_kg", vehicle.mass_kg + 15.0)]).unwrap();
    let found = stint_lap(&lap.optimum, &heavier, powertrain, prices, &|_| {}).unwrap();
    let Uses { engine, deployed, recuperated, friction } = found.uses;
    is(
        "a_lap_of_a_stint",
        &[of_lap(&found.lap), vec![engine, deployed, recuperated, friction, found.value_s]].concat(),
    );
}

#[test]
fn a_lap_of_a_varied_car_on_a_wet_road() {
    let (place, vehicle) = (Place::on(short()), preset("gt").unwrap());
    let wet = GripStretch { from_m: 20.0, to_m: 60.0, factor: 0.7, ramp_m: 8.0 };
    let options = LineOptions { grip: vec![wet.into()], ..LineOptions::default() };
    let conditions = RoadConditions::on(&place.track, &options).unwrap();
    let task = Task { lap: conditions.lap(&vehicle, Default::default()), ..place.task(&vehicle) };
    let start = time_optimal(task, &place.corridor.middle()).unwrap();
    let lap = car_lap(task, &start, CarOptions::default(), &|_| {}).unwrap();
    let changed = vehicle.with_parameters(&[("front_brake_fraction", 0.6), ("downforce_kgpm", 1.0)]).unwrap();
    let near = car_lap_from(&lap.optimum, &changed, &|_| {}).unwrap();
    is("a_lap_of_a_varied_car_on_a_wet_road", &[of_lap(&lap), of_lap(&near)].concat());
}
