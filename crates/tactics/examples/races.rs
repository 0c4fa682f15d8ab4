//! Plans of 200 races with safety cars and collisions: made again at each event, made once, and none.
//!
//! `cargo run --release -p raceline-tactics --example races`; figures are in docs/notes/tactics.md.

use raceline_numerics::SplitMix64;
use raceline_tactics::race::{Race, RaceError, RacePlan, SafetyCar, Situation, Stop, plan};

const RACES: u64 = 200;

/// Numbers from a seed.
struct Numbers(SplitMix64);

impl Numbers {
    /// 0 to 1.
    fn next(&mut self) -> f64 {
        self.0.uniform()
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

/// What happens in a race.
struct Events {
    /// Known from the end of the lap before its first one.
    safety_car: Option<SafetyCar>,
    /// The lap at whose end the vehicle is damaged.
    damage: Option<u32>,
}

/// A race before anything has happened, and what happens.
fn drawn(seed: u64) -> (Race, Events) {
    let mut numbers = Numbers(SplitMix64::new(seed));
    let laps = numbers.between(40.0, 70.0) as u32;
    let fuel_per_lap_kg = numbers.between(1.8, 3.0);
    let race = Race {
        laps,
        lap_time_s: 90.0,
        fuel_per_lap_kg,
        tank_kg: fuel_per_lap_kg * numbers.between(20.0, 50.0),
        lap_s_per_kg: numbers.between(0.02, 0.04),
        wear_s_per_lap: numbers.between(0.02, 0.12),
        tyre_life_laps: None,
        pit_loss_s: numbers.between(18.0, 30.0),
        change_loss_s: 3.0,
        refuel_s_per_kg: 0.0,
        damage_s_per_lap: numbers.between(0.2, 1.0),
        repair_loss_s: Some(numbers.between(4.0, 12.0)),
        safety_car: None,
    };
    let first_lap = numbers.between(2.0, f64::from(laps)) as u32;
    let car = SafetyCar {
        first_lap,
        last_lap: first_lap + numbers.between(2.0, 5.0) as u32,
        pit_loss_s: race.pit_loss_s * 0.45,
    };
    let safety_car = (numbers.next() < 0.6).then_some(car);
    let lap = numbers.between(1.0, f64::from(laps)) as u32;
    (race, Events { safety_car, damage: (numbers.next() < 0.4).then_some(lap) })
}

/// What a driver does about stops.
#[derive(Clone, Copy, PartialEq)]
enum Policy {
    /// Plans again whenever something happens.
    Replanned,
    /// Keeps the first plan; damage is repaired at the next stop.
    Fixed,
    /// Drives until the tank is empty and fills it; new tyres and repairs at each stop.
    Push,
}

/// Time of a race, lap by lap, s.
fn driven_s(race: &Race, events: &Events, policy: Policy) -> Result<f64, RaceError> {
    let calm = Race { damage_s_per_lap: 0.0, repair_loss_s: None, ..race.clone() };
    let mut planned: RacePlan = plan(&calm, None)?;
    let full = race.tank_laps();
    let mut now = Situation {
        fuel_laps: match policy {
            Policy::Push => full.min(race.laps),
            _ => (planned.start_fuel_kg / race.fuel_per_lap_kg).round() as u32,
        },
        ..Situation::default()
    };
    let is_out = |lap: u32| events.safety_car.is_some_and(|car| (car.first_lap..=car.last_lap).contains(&lap));
    let mut time_s = 0.0;
    while now.lap < race.laps {
        assert!(now.fuel_laps > 0, "the vehicle stands in lap {}", now.lap + 1);
        time_s += race.lap_time_s;
        if !is_out(now.lap + 1) {
            time_s += race.lap_s_per_kg * race.fuel_per_lap_kg * (f64::from(now.fuel_laps) - 0.5);
            time_s += race.wear_s_per_lap * f64::from(now.tyre_laps);
            time_s += if now.is_damaged { race.damage_s_per_lap } else { 0.0 };
        }
        now = Situation { lap: now.lap + 1, fuel_laps: now.fuel_laps - 1, tyre_laps: now.tyre_laps + 1, ..now };
        let is_hit = events.damage == Some(now.lap);
        now.is_damaged |= is_hit;
        let car_comes = is_out(now.lap + 1) && !is_out(now.lap);
        if policy == Policy::Replanned && (is_hit || car_comes) {
            let known = events.safety_car.filter(|car| car.first_lap <= now.lap + 1);
            planned = plan(&Race { safety_car: known, ..race.clone() }, Some(&now))?;
        }
        let stop = match policy {
            Policy::Push => {
                let left = race.laps - now.lap;
                let fuel_kg = f64::from(full.min(left)) * race.fuel_per_lap_kg;
                let is_empty = now.fuel_laps == 0 && left > 0;
                is_empty.then_some(Stop { lap: now.lap, fuel_kg, change: true, repair: now.is_damaged })
            }
            Policy::Fixed => {
                let stop = planned.stops.iter().find(|stop| stop.lap == now.lap);
                stop.map(|stop| Stop { repair: now.is_damaged, ..*stop })
            }
            Policy::Replanned => planned.stops.iter().find(|stop| stop.lap == now.lap).copied(),
        };
        let Some(stop) = stop else { continue };
        time_s += match events.safety_car {
            Some(car) if is_out(now.lap) => car.pit_loss_s,
            _ => race.pit_loss_s,
        };
        now.fuel_laps += (stop.fuel_kg / race.fuel_per_lap_kg).round() as u32;
        if stop.change {
            (now.tyre_laps, time_s) = (0, time_s + race.change_loss_s);
        }
        if stop.repair {
            (now.is_damaged, time_s) = (false, time_s + race.repair_loss_s.unwrap_or(0.0));
        }
    }
    Ok(time_s)
}

fn main() -> Result<(), RaceError> {
    let mut losses = [Vec::new(), Vec::new()];
    let (mut eventful, mut eventful_losses) = (0, [0.0, 0.0]);
    for seed in 0..RACES {
        let (race, events) = drawn(seed);
        let replanned_s = driven_s(&race, &events, Policy::Replanned)?;
        let others = [Policy::Fixed, Policy::Push].map(|policy| driven_s(&race, &events, policy));
        let has_event = events.safety_car.is_some() || events.damage.is_some();
        eventful += u32::from(has_event);
        for (k, other) in others.into_iter().enumerate() {
            let loss_s = other? - replanned_s;
            losses[k].push(loss_s);
            eventful_losses[k] += if has_event { loss_s } else { 0.0 };
        }
    }
    println!("{RACES} races, {eventful} of them with an event; time lost against the plan that is made again, s");
    for (k, name) in ["the first plan kept", "until the tank is empty"].into_iter().enumerate() {
        let found = &mut losses[k];
        found.sort_by(f64::total_cmp);
        let mean = found.iter().sum::<f64>() / found.len() as f64;
        let faster = found.iter().filter(|loss_s| **loss_s < -1e-6).count();
        println!(
            "{name}: mean {mean:.2}, median {:.2}, largest {:.2}, smallest {:.2}; {:.2} where something happened; \
             faster in {faster} races",
            found[found.len() / 2],
            found[found.len() - 1],
            found[0],
            eventful_losses[k] / f64::from(eventful)
        );
    }
    Ok(())
}
