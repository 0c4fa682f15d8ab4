//! Stints of a car whose lap has a value in closed form, against optima in closed form and against
//! brute force.

use super::{Course, Task};
use crate::stint::StintCar;
use crate::stint::value::{AXES, DEPLOYED, ENGINE, FRICTION, GRIP, LapValue, MASS, Place, RECUPERATED, Value};

const MASS_KG: f64 = 1000.0;
const LAP_S: f64 = 80.0;
/// Uses without a price, J, and by how much they fall with their price, J²/s.
const USE_J: f64 = 2e7;
const FALL: f64 = 1e13;
const RECUPERATED_J: f64 = 5e6;
const SLIDING_J: f64 = 4e6;
const BY_MASS: f64 = 0.03;
const BY_GRIP: f64 = -30.0;

/// V of a car whose uses fall linearly with their own prices, and whose time is linear in mass and grip.
fn lap(place: &Place) -> Value {
    let uses = [USE_J, USE_J, -RECUPERATED_J, SLIDING_J];
    let falls = [FALL, FALL, 0.1 * FALL, 0.05 * FALL];
    let mut value_s = LAP_S + BY_MASS * (place[MASS] - MASS_KG) + BY_GRIP * (place[GRIP] - 1.0);
    let mut slopes = [0.0; AXES];
    (slopes[MASS], slopes[GRIP]) = (BY_MASS, BY_GRIP);
    for (k, axis) in (ENGINE..AXES).enumerate() {
        value_s += (uses[k] - 0.5 * falls[k] * place[axis]) * place[axis];
        slopes[axis] = uses[k] - falls[k] * place[axis];
    }
    Value { value_s, slopes }
}

fn value() -> LapValue {
    let mut laps = Vec::new();
    for step in [0.0, 1.0, 2.0, 3.0] {
        for axis in 0..AXES {
            let mut place = [MASS_KG, 1.0, 0.0, 0.0, 0.0, 0.0];
            place[axis] += step * [60.0, 0.05, 2e-6, 2e-6, 8e-6, 8e-6][axis];
            laps.push((place, lap(&place), 0));
        }
    }
    LapValue::through(&laps)
}

fn solved(toml: &str, laps: usize) -> Course {
    let (car, value) = (StintCar::from_toml(toml, "car").unwrap(), value());
    let task = Task { car: &car, mass_kg: MASS_KG, laps, value: &value, max_prices: [1e-5; AXES] };
    let course = Course::solve(&task, None);
    assert!(course.stationarity < 1e-9 && course.excess < 1e-6, "{} {}", course.stationarity, course.excess);
    course
}

/// Time of a lap that uses less than without a price: each joule costs as much as its price.
fn slower_s(saved_j: f64, fall: f64) -> f64 {
    0.5 * saved_j * saved_j / fall
}

#[test]
fn a_fixed_amount_of_fuel_is_burnt_early() {
    // n laps save S in total. One more joule in lap k makes the n - 1 - k laps after it faster by
    // g = BY_MASS / c: prices are those of the last lap less g for each of these laps.
    let (n, work, start_kg) = (6, 1e7, 11.0);
    let course = solved(&format!("[fuel]\nwork_jpkg = {work}\nstart_kg = {start_kg}\n"), n);
    let saved = n as f64 * USE_J - start_kg * work;
    let gain = BY_MASS / work;
    let mean = saved / (n as f64 * FALL);
    for (k, lap) in course.laps.iter().enumerate() {
        let expected = mean + gain * (k as f64 - 0.5 * (n as f64 - 1.0));
        assert!((lap.place[ENGINE] / expected - 1.0).abs() < 1e-3, "{k}: {} {expected}", lap.place[ENGINE]);
    }
    assert!(course.end.fuel_kg.abs() < 1e-6);
}

#[test]
fn fuel_that_is_taken_along_as_needed_is_saved_at_the_end_above_all() {
    let (n, work) = (5, 1e7);
    let course = solved(&format!("[fuel]\nwork_jpkg = {work}\nend_kg = 1.0\n"), n);
    for (k, lap) in course.laps.iter().enumerate() {
        let expected = BY_MASS / work * (k as f64 + 1.0);
        assert!((lap.place[ENGINE] / expected - 1.0).abs() < 1e-3, "{k}");
    }
    assert!((course.end.fuel_kg - 1.0).abs() < 1e-6);
}

#[test]
fn more_fuel_than_is_needed_costs_nothing_and_is_not_wasted() {
    let course = solved("[fuel]\nwork_jpkg = 1e7\nstart_kg = 50.0\n", 4);
    assert!(course.laps.iter().all(|lap| lap.place[ENGINE] == 0.0) && course.budgets.fuel_spkg == 0.0);
}

#[test]
fn tyres_are_saved_early_for_the_laps_after() {
    let (n, life, loss) = (7, 1e9, 0.3);
    let course = solved(&format!("[tyres]\nlife_j = {life}\nworn_grip_loss = {loss}\n"), n);
    for (k, lap) in course.laps.iter().enumerate() {
        // A joule wears 1 / life, which costs each lap to come BY_GRIP loss / life.
        let expected = -BY_GRIP * loss / life * (n - 1 - k) as f64;
        assert!((lap.place[FRICTION] - expected).abs() < 1e-3 * -BY_GRIP * loss / life, "{k}");
    }
}

#[test]
fn a_limit_of_the_wear_has_one_price() {
    let course = solved("[tyres]\nlife_j = 1e9\nworn_grip_loss = 0.0\nmax_wear = 0.018\n", 5);
    let expected = (SLIDING_J - 0.018e9 / 5.0) / (0.05 * FALL);
    assert!(course.laps.iter().all(|lap| (lap.place[FRICTION] / expected - 1.0).abs() < 1e-3));
    assert!((course.end.wear - 0.018).abs() < 1e-7);
}

#[test]
fn a_battery_is_emptied_at_equal_prices() {
    let battery = "[battery]\nengine_power_w = 1e5\ncapacity_j = 1e8\nstart_j = 4e7\nrecuperation = 0.5\n";
    let (n, course) = (4, solved(battery, 4));
    // Deployed less recuperated of all laps is the charge: (2e7 - 1e13 λ) - (5e6 + 1e12 λ) = 1e7.
    let expected = (USE_J - RECUPERATED_J - 4e7 / n as f64) / (1.1 * FALL);
    for lap in &course.laps {
        assert!((lap.place[DEPLOYED] / expected - 1.0).abs() < 1e-3 && lap.place[RECUPERATED] == lap.place[DEPLOYED]);
    }
    assert!(course.end.charge_j.abs() < 1e3);
}

#[test]
fn what_may_be_recuperated_has_a_lower_price_where_a_rule_limits_it() {
    let battery = "[battery]\nengine_power_w = 1e5\ncapacity_j = 1e8\nstart_j = 2e7\nrecuperation = 0.5\n\
                   max_recuperated_j = 5.2e6\n";
    let course = solved(battery, 4);
    let deployed = (USE_J - 5.2e6 - 5e6) / FALL;
    for lap in &course.laps {
        assert!((lap.uses.recuperated - 5.2e6).abs() < 1e2, "{}", lap.uses.recuperated);
        assert!((lap.place[DEPLOYED] / deployed - 1.0).abs() < 1e-3);
        assert!((lap.place[RECUPERATED] / (0.2e6 / (0.1 * FALL)) - 1.0).abs() < 0.02);
    }
}

#[test]
fn a_small_battery_has_another_price_where_it_is_empty() {
    // Heavy at first, as tyres are saved, the car wants to use the charge early: here by a large end charge of a
    // small battery, which it has to fill.
    let tyres = "[tyres]\nlife_j = 2e8\nworn_grip_loss = 0.5\n";
    let battery =
        "[battery]\nengine_power_w = 1e5\ncapacity_j = 3e6\nstart_j = 0.5e6\nend_j = 3e6\nrecuperation = 0.5\n";
    let course = solved(&format!("{tyres}{battery}"), 5);
    for lap in &course.laps {
        assert!((-10.0..=3e6 + 10.0).contains(&lap.state.charge_j), "{}", lap.state.charge_j);
    }
    assert!((course.end.charge_j - 3e6).abs() < 1e3);
}

/// Time of two laps that burn `first` and the rest of the fuel.
fn two_laps_s(first_j: f64, second_j: f64, start_kg: f64, work: f64) -> f64 {
    let mass = BY_MASS * (start_kg + (start_kg - first_j / work));
    2.0 * LAP_S + mass + slower_s(USE_J - first_j, FALL) + slower_s(USE_J - second_j, FALL)
}

#[test]
fn no_split_of_the_fuel_over_two_laps_is_faster() {
    let (work, start_kg) = (1e7, 3.2);
    let course = solved(&format!("[fuel]\nwork_jpkg = {work}\nstart_kg = {start_kg}\n"), 2);
    let found: f64 = course.laps.iter().map(|lap| lap.time_s).sum();
    let split = |k: i32| {
        let first = 1e7 + 2e4 * f64::from(k);
        two_laps_s(first, start_kg * work - first, start_kg, work)
    };
    let best = (0..=600).map(split).fold(f64::INFINITY, f64::min);
    assert!(found <= best + 1e-3 && found > best - 1e-3, "{found} {best}");
}

#[test]
fn no_prices_near_the_found_ones_make_three_laps_faster() {
    // Everything at once: random changes of the prices that keep the fuel.
    let car = "[fuel]\nwork_jpkg = 1e7\n[tyres]\nlife_j = 1e9\nworn_grip_loss = 0.3\n[tyres.temperature]\n\
               best_c = 90.0\nwidth_c = 30.0\ngrip_loss = 0.1\ncooling_wpk = 400.0\nheat_capacity_jpk = 3e4\n\
               start_c = 70.0\n";
    let parsed = StintCar::from_toml(car, "car").unwrap();
    let value = value();
    let task = Task { car: &parsed, mass_kg: MASS_KG, laps: 3, value: &value, max_prices: [1e-5; AXES] };
    let course = Course::solve(&task, None);
    let prices: Vec<_> = course.laps.iter().map(|lap| super::prices_of(&lap.place)).collect();
    let total = |prices: &[crate::solve::car::Uses]| -> f64 {
        // The fuel is what the laps burn.
        let mut fuel_kg = course.laps[0].state.fuel_kg;
        for _ in 0..20 {
            fuel_kg = super::start_fuel_kg(&parsed, &super::forward(&task, prices, fuel_kg));
        }
        super::forward(&task, prices, fuel_kg).laps.iter().map(|lap| lap.time_s).sum()
    };
    let best = total(&prices);
    let mut slower = 0.0_f64;
    for lap in 0..3 {
        for axis in [ENGINE, FRICTION] {
            for sign in [-1.0, 1.0] {
                let mut moved = prices.clone();
                let price = super::price_of(&moved[lap], axis);
                super::set_price(&mut moved[lap], axis, (price + sign * 1e-8).max(0.0));
                let time_s = total(&moved);
                // A price of 0 may have its optimum below.
                assert!(time_s >= best - 1e-9 || (price == 0.0), "{lap} {axis} {sign}: {time_s} {best}");
                slower = slower.max(time_s - best);
            }
        }
    }
    assert!(slower > 1e-6, "the changes do something: {slower}");
    assert_eq!(course.laps[0].place[DEPLOYED] + course.laps[0].place[RECUPERATED], 0.0);
}

#[test]
fn a_stint_with_fuel_and_warm_tyres_is_that_of_ipopt() {
    // The same stint as one nonlinear program in CasADi 3.8.2, solved with IPOPT to 1e-12: docs/notes/stint.md.
    let car = "[fuel]\nwork_jpkg = 1e7\n[tyres]\nlife_j = 1e8\nworn_grip_loss = 0.3\n[tyres.temperature]\n\
               best_c = 90.0\nwidth_c = 30.0\ngrip_loss = 0.1\ncooling_wpk = 300.0\nheat_capacity_jpk = 3e4\n";
    let course = solved(car, 5);
    let time_s: f64 = course.laps.iter().map(|lap| lap.time_s).sum();
    assert!((time_s - 404.739_163_1).abs() < 2e-3, "{time_s}");
    let engine = [3.0e-9, 6.008_72e-9, 9.010_87e-9, 1.198_226_5e-8, 1.483_766_4e-8];
    let friction = [6.400_05e-7, 6.083_52e-7, 5.209_63e-7, 3.554_15e-7, 0.0];
    for (k, lap) in course.laps.iter().enumerate() {
        assert!((lap.place[ENGINE] / engine[k] - 1.0).abs() < 2e-3, "{k}: {}", lap.place[ENGINE]);
        assert!((lap.place[FRICTION] - friction[k]).abs() < 2e-3 * friction[0], "{k}: {}", lap.place[FRICTION]);
    }
}
