//! Plans of a race against an exhaustive search, and against what is known in closed form.

use proptest::prelude::*;
use raceline_tactics::planning::{Domain, Expansion, Goal};
use raceline_tactics::race::{Race, RaceError, RacePlan, SafetyCar, Situation, plan, plan_with_stops};

fn race(laps: u32) -> Race {
    Race {
        laps,
        lap_time_s: 90.0,
        fuel_per_lap_kg: 2.0,
        tank_kg: 200.0,
        lap_s_per_kg: 0.03,
        wear_s_per_lap: 0.06,
        tyre_life_laps: None,
        pit_loss_s: 25.0,
        change_loss_s: 0.0,
        refuel_s_per_kg: 0.0,
        damage_s_per_lap: 0.0,
        repair_loss_s: None,
        safety_car: None,
    }
}

/// Time of a plan, driven lap by lap; `None` where fuel or tyres do not last.
fn driven_s(race: &Race, begin: Option<Situation>, start_laps: u32, stops: &[(u32, u32, bool, bool)]) -> Option<f64> {
    let mut now = begin.unwrap_or(Situation { fuel_laps: start_laps, ..Situation::default() });
    let mut time_s = 0.0;
    let is_slow = |lap: u32| race.safety_car.is_some_and(|car| car.first_lap <= lap && lap <= car.last_lap);
    loop {
        if let Some(&(_, fuel, change, repair)) = stops.iter().find(|stop| stop.0 == now.lap) {
            time_s += if is_slow(now.lap) { race.safety_car?.pit_loss_s } else { race.pit_loss_s };
            time_s += race.refuel_s_per_kg * race.fuel_per_lap_kg * f64::from(fuel);
            now.fuel_laps += fuel;
            if change {
                (now.tyre_laps, time_s) = (0, time_s + race.change_loss_s);
            }
            if repair {
                (now.is_damaged, time_s) = (false, time_s + race.repair_loss_s?);
            }
            if f64::from(now.fuel_laps) * race.fuel_per_lap_kg > race.tank_kg + 1e-6 {
                return None;
            }
        }
        if now.lap == race.laps {
            return Some(time_s);
        }
        if now.fuel_laps == 0 || race.tyre_life_laps.is_some_and(|life| now.tyre_laps >= life) {
            return None;
        }
        time_s += race.lap_time_s;
        if !is_slow(now.lap + 1) {
            time_s += race.lap_s_per_kg * race.fuel_per_lap_kg * (f64::from(now.fuel_laps) - 0.5);
            time_s += race.wear_s_per_lap * f64::from(now.tyre_laps);
            time_s += if now.is_damaged { race.damage_s_per_lap } else { 0.0 };
        }
        (now.lap, now.fuel_laps, now.tyre_laps) = (now.lap + 1, now.fuel_laps - 1, now.tyre_laps + 1);
    }
}

/// The smallest time of all plans: every set of laps with stops, every amount of fuel before the start, and
/// all work that is possible at each stop; fuel at a stop is what the next stint needs.
fn exhaustive_s(race: &Race, begin: Option<Situation>) -> Option<f64> {
    let first = begin.map_or(0, |now| now.lap);
    // In a race that has begun, the vehicle may stop at once.
    let first_stop = if begin.is_some() { first } else { first + 1 };
    let places = race.laps - first_stop;
    let mut best: Option<f64> = None;
    for set in 0..1_u32 << places {
        let laps: Vec<u32> = (0..places).filter(|i| set >> i & 1 == 1).map(|i| first_stop + i).collect();
        let starts = if begin.is_some() { 0..=0 } else { 1..=race.tank_laps().min(race.laps) };
        for start in starts {
            for work in 0..1_u32 << (2 * laps.len()) {
                let mut fuel = begin.map_or(start, |now| now.fuel_laps);
                let mut from = first;
                let mut stops = Vec::new();
                let mut is_possible = true;
                for (i, &lap) in laps.iter().enumerate() {
                    is_possible &= fuel >= lap - from;
                    fuel = fuel.saturating_sub(lap - from);
                    from = lap;
                    let next = laps.get(i + 1).copied().unwrap_or(race.laps) - lap;
                    let loaded = next.saturating_sub(fuel);
                    fuel += loaded;
                    stops.push((lap, loaded, work >> (2 * i) & 1 == 1, work >> (2 * i + 1) & 1 == 1));
                }
                if f64::from(start) * race.fuel_per_lap_kg > race.tank_kg + 1e-6 || !is_possible {
                    continue;
                }
                if let Some(time_s) = driven_s(race, begin, start, &stops) {
                    best = Some(best.map_or(time_s, |best: f64| best.min(time_s)));
                }
            }
        }
    }
    best
}

/// The time of a plan as [`driven_s`] has it.
fn checked_s(race: &Race, begin: Option<Situation>, plan: &RacePlan) -> f64 {
    let laps = |fuel_kg: f64| (fuel_kg / race.fuel_per_lap_kg).round() as u32;
    let stops: Vec<_> =
        plan.stops.iter().map(|stop| (stop.lap, laps(stop.fuel_kg), stop.change, stop.repair)).collect();
    driven_s(race, begin, laps(plan.start_fuel_kg), &stops).expect("the plan reaches the end")
}

#[test]
fn without_fuel_and_limits_stints_are_equal_and_stops_are_those_of_the_closed_form() {
    for (laps, wear) in [(48, 0.1), (60, 0.05), (60, 0.2)] {
        let race = Race { lap_s_per_kg: 0.0, wear_s_per_lap: wear, ..race(laps) };
        let found = plan(&race, None).unwrap();
        assert!(found.is_cheapest);
        // k stints of n / k laps cost k · wear · m (m - 1) / 2 with m = n / k, and k - 1 stops.
        let cost = |k: u32| {
            let stint = |m: u32| wear * f64::from(m) * f64::from(m - 1) / 2.0;
            let (short, longer) = (laps / k, laps % k);
            f64::from(k - longer) * stint(short) + f64::from(longer) * stint(short + 1) + 25.0 * f64::from(k - 1)
        };
        let best = (1..20).map(cost).fold(f64::INFINITY, f64::min);
        assert!((found.time_s - f64::from(laps) * 90.0 - best).abs() < 1e-6, "{laps} {wear}");
        let mut ends: Vec<u32> = found.stops.iter().map(|stop| stop.lap).collect();
        ends.push(laps);
        let mut stints: Vec<u32> = [0].iter().chain(&ends).zip(&ends).map(|(from, to)| to - from).collect();
        stints.sort_unstable();
        assert!(stints[stints.len() - 1] - stints[0] <= 1, "{stints:?}");
    }
}

#[test]
fn plans_with_a_number_of_stops_are_no_better_than_the_cheapest() {
    let race = race(50);
    let best = plan(&race, None).unwrap();
    let times: Vec<f64> = (0..6).map(|stops| plan_with_stops(&race, None, stops).unwrap().time_s).collect();
    let smallest = times.iter().copied().fold(f64::INFINITY, f64::min);
    assert!((smallest - best.time_s).abs() < 1e-6, "{times:?}");
    assert!((times[best.stops.len()] - best.time_s).abs() < 1e-6, "{times:?}");
    // Each stop more gains less than the one before.
    assert!(times.windows(3).all(|three| three[0] - three[1] >= three[1] - three[2] - 1e-6), "{times:?}");
}

#[test]
fn a_cheap_stop_behind_the_safety_car_is_taken() {
    let calm = race(50);
    let planned = plan(&calm, None).unwrap();
    let out = Race { safety_car: Some(SafetyCar { first_lap: 13, last_lap: 15, pit_loss_s: 10.0 }), ..calm };
    let now = planned.at(12).unwrap();
    let again = plan(&out, Some(&now)).unwrap();
    assert!(again.stops.iter().any(|stop| (13..=15).contains(&stop.lap)), "{:?}", again.stops);
    assert!((again.time_s - checked_s(&out, Some(now), &again)).abs() < 1e-6);
}

#[test]
fn damage_is_repaired_where_that_is_faster() {
    let damaged = Race { damage_s_per_lap: 0.3, repair_loss_s: Some(3.0), ..race(50) };
    let now = Situation { is_damaged: true, ..plan(&race(50), None).unwrap().at(12).unwrap() };
    let again = plan(&damaged, Some(&now)).unwrap();
    assert!(again.stops[0].repair && !again.stops[1..].iter().any(|stop| stop.repair), "{:?}", again.stops);
    let costly = Race { repair_loss_s: Some(80.0), ..damaged };
    assert!(!plan(&costly, Some(&now)).unwrap().stops.iter().any(|stop| stop.repair));
}

#[test]
fn what_cannot_be_planned_is_refused() {
    // An empty tank and tyres at their end lead to a stop at once.
    let empty = Situation { lap: 3, ..Situation::default() };
    assert_eq!(plan(&race(10), Some(&empty)).unwrap().stops[0].lap, 3);
    let old = Situation { lap: 3, fuel_laps: 7, tyre_laps: 10, is_damaged: false };
    assert_eq!(plan(&race(10), Some(&old)).unwrap().stops.len(), 0);
    let stops = plan(&Race { tyre_life_laps: Some(10), ..race(10) }, Some(&old)).unwrap().stops;
    assert_eq!((stops.len(), stops[0].lap, stops[0].fuel_kg), (1, 3, 0.0));
    assert!(matches!(plan_with_stops(&race(3), None, 3), Err(RaceError::NoPlan { stops: Some(3) })));
    for (broken, name) in [
        (Race { laps: 0, ..race(10) }, "laps"),
        (Race { laps: 1001, ..race(10) }, "laps"),
        (Race { lap_time_s: f64::NAN, ..race(10) }, "lap_time_s"),
        (Race { tank_kg: 1.0, ..race(10) }, "tank_kg"),
        (Race { wear_s_per_lap: -0.1, ..race(10) }, "wear_s_per_lap"),
        (Race { pit_loss_s: f64::INFINITY, ..race(10) }, "pit_loss_s"),
        (Race { tyre_life_laps: Some(0), ..race(10) }, "tyre_life_laps"),
        (
            Race { safety_car: Some(SafetyCar { first_lap: 3, last_lap: 2, pit_loss_s: 1.0 }), ..race(10) },
            "safety_car.last_lap",
        ),
    ] {
        let error = plan(&broken, None).unwrap_err();
        assert!(error.to_string().starts_with(&format!("{name} is ")), "{error}");
    }
    assert!(plan(&race(10), Some(&Situation { lap: 11, ..Situation::default() })).is_err());
    // The race is over: nothing is left.
    let over = plan(&race(10), Some(&Situation { lap: 10, ..Situation::default() })).unwrap();
    assert_eq!((over.time_s, over.stops.len()), (0.0, 0));
}

#[test]
fn the_longest_race_with_every_choice_is_planned_within_the_limit() {
    let race = Race { change_loss_s: 6.0, refuel_s_per_kg: 0.4, tank_kg: 40.0, ..race(100) };
    let found = plan(&race, None).unwrap();
    assert!(found.is_cheapest && found.expanded < 2_000_000, "{}", found.expanded);
    let longest = Race { tank_kg: 100.0, laps: 1000, ..race };
    assert!(checked_s(&longest, None, &plan(&longest, None).unwrap()) > 0.0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_plan_is_as_fast_as_that_of_an_exhaustive_search(
        laps in 2..8_u32,
        tank in 1..9_u32,
        [per_kg, wear, pit] in [0.0..0.3_f64, 0.0..3.0_f64, 0.0..12.0_f64],
        [change, refuel] in [prop::option::of(0.1..4.0_f64), prop::option::of(0.05..1.0_f64)],
        life in prop::option::of(1..8_u32),
        damage in prop::option::of((0.1..3.0_f64, prop::option::of(0.0..6.0_f64))),
        safety_car in prop::option::of((1..6_u32, 0..3_u32, 0.0..6.0_f64)),
        begun_race in prop::option::of((1..4_u32, 0..6_u32, 0..6_u32)),
    ) {
        let race = Race {
            tank_kg: f64::from(tank) * 2.0,
            lap_s_per_kg: per_kg,
            wear_s_per_lap: wear,
            pit_loss_s: pit,
            change_loss_s: change.unwrap_or(0.0),
            refuel_s_per_kg: refuel.unwrap_or(0.0),
            tyre_life_laps: life,
            damage_s_per_lap: damage.map_or(0.0, |(loss, _)| loss),
            repair_loss_s: damage.and_then(|(_, repair)| repair),
            safety_car: safety_car.map(|(first, more, loss)| SafetyCar { first_lap: first, last_lap: first + more, pit_loss_s: loss }),
            ..race(laps)
        };
        let begin = begun_race.map(|(lap, fuel, age)| Situation {
            lap: lap.min(laps - 1),
            fuel_laps: fuel.min(race.tank_laps()),
            tyre_laps: age,
            is_damaged: damage.is_some(),
        });
        let expected = exhaustive_s(&race, begin);
        match plan(&race, begin.as_ref()) {
            Ok(found) => {
                prop_assert!(found.is_cheapest);
                let expected = expected.expect("the exhaustive search has a plan too");
                prop_assert!((found.time_s - expected).abs() < 1e-6, "{} {expected} {found:?}", found.time_s);
                prop_assert!((checked_s(&race, begin, &found) - found.time_s).abs() < 1e-6);
            }
            Err(RaceError::NoPlan { stops: None }) => prop_assert_eq!(expected, None),
            Err(error) => prop_assert!(false, "{error}"),
        }
    }
}

/// Two children of a task, the first of which fails late.
struct Backtracking;

impl Domain for Backtracking {
    type State = Vec<u8>;
    type Task = u8;
    type Key = ();

    fn expand(&self, state: &Vec<u8>, task: &u8) -> Expansion<Vec<u8>, u8> {
        match task {
            0 => Expansion::Methods(vec![vec![10, 1], vec![11, 1], vec![12, 1]]),
            // Only what was done before decides.
            1 if state.contains(&10) => Expansion::Impossible,
            1 => Expansion::Methods(vec![vec![13]]),
            // Never ends.
            2 => Expansion::Methods(vec![vec![2]]),
            step => Expansion::Operator([state.as_slice(), &[*step]].concat(), f64::from(30 - step)),
        }
    }
}

#[test]
fn the_search_tracks_back_and_its_bound_holds() {
    use raceline_tactics::planning::plan;
    let first = plan(&Backtracking, Vec::new(), &[0], Goal::First, 100);
    assert_eq!(first.plan, Some((vec![11, 13], 19.0 + 17.0)));
    let cheapest = plan(&Backtracking, Vec::new(), &[0], Goal::Cheapest, 100);
    assert_eq!(cheapest.plan, Some((vec![12, 13], 18.0 + 17.0)));
    assert!(cheapest.is_complete);
    assert_eq!(plan(&Backtracking, Vec::new(), &[], Goal::First, 0).plan, Some((Vec::new(), 0.0)));
    let endless = plan(&Backtracking, Vec::new(), &[2], Goal::First, 1000);
    assert_eq!((endless.plan, endless.expanded, endless.is_complete), (None, 1000, false));
    let cut = plan(&Backtracking, Vec::new(), &[0], Goal::Cheapest, 7);
    assert!(cut.plan.is_some() && !cut.is_complete);
}
