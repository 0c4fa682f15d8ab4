//! Races of several cars, as tables and as JSON.

use std::fmt::Write as _;

use raceline_torcs::contacts::Contact;
use raceline_torcs::pit_stop::Stop;
use serde::Serialize;

/// Damage by what was touched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Damage {
    pub ahead: i32,
    pub beside: i32,
    pub behind: i32,
    pub wall: i32,
}

/// A car of a race.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Car {
    /// Module and index.
    pub driver: String,
    pub car: String,
    /// Whether it is this robot's.
    pub own: bool,
    /// Places at the start and at the end.
    pub start: usize,
    pub place: usize,
    pub laps: u32,
    pub time_s: f64,
    pub best_lap_s: Option<f64>,
    pub pit_stops: u32,
    pub damage: f64,
    /// Known of this robot's cars.
    pub damage_by: Option<Damage>,
    pub contacts: Vec<Contact>,
    pub stops: Vec<Stop>,
}

/// A race, its cars from the first on.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Race {
    pub track: String,
    /// Where this robot's cars start.
    pub grid: String,
    pub laps: u32,
    pub cars: Vec<Car>,
}

/// All of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Standings {
    pub races: Vec<Race>,
}

impl Race {
    /// A line a car.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{}, {} laps, from the {}\n{:>5} {:>5} {:14} {:12} {:>4} {:>8} {:>8} {:>4} {:>6} {:>6} {:>6} {:>6} {:>6}\n",
            self.track,
            self.laps,
            self.grid,
            "place",
            "start",
            "driver",
            "car",
            "laps",
            "time s",
            "best s",
            "pits",
            "damage",
            "ahead",
            "beside",
            "behind",
            "wall"
        );
        for car in &self.cars {
            let best = car.best_lap_s.map_or_else(|| "-".to_owned(), |best| format!("{best:.3}"));
            let _ = write!(
                text,
                "{:5} {:5} {:14} {:12} {:4} {:8.1} {best:>8} {:4} {:6.0}",
                car.place, car.start, car.driver, car.car, car.laps, car.time_s, car.pit_stops, car.damage
            );
            if let Some(Damage { ahead, beside, behind, wall }) = car.damage_by {
                let _ = write!(text, " {ahead:6} {beside:6} {behind:6} {wall:6}");
            }
            text.push('\n');
            for stop in &car.stops {
                let _ = writeln!(
                    text,
                    "{:12}stop in lap {}: {:.1} l, {} points repaired, {:.1} s with the routes in and out",
                    "", stop.lap, stop.fuel_l, stop.repair, stop.took_s
                );
            }
        }
        text
    }
}

impl Standings {
    /// The robot's cars of all races, a line a race.
    pub fn text(&self) -> String {
        let mut text = format!("\n{:12} {:7} {:30} {}\n", "track", "from", "places and damage", "of it from behind");
        for race in &self.races {
            let own: Vec<&Car> = race.cars.iter().filter(|car| car.own).collect();
            let places: Vec<String> = own.iter().map(|car| format!("{}: {:.0}", car.place, car.damage)).collect();
            let behind: Vec<String> =
                own.iter().map(|car| car.damage_by.map_or(0, |damage| damage.behind).to_string()).collect();
            let _ = writeln!(text, "{:12} {:7} {:30} {}", race.track, race.grid, places.join(", "), behind.join(", "));
        }
        text
    }

    /// As JSON.
    pub fn json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::{Car, Damage, Race, Standings, Stop};

    #[test]
    fn tables_have_a_line_a_car_and_a_line_a_race() {
        let own = Car {
            driver: "raceline:1".to_owned(),
            own: true,
            place: 1,
            damage: 120.0,
            damage_by: Some(Damage { behind: 100, wall: 20, ..Damage::default() }),
            stops: vec![Stop { time_s: 900.0, lap: 11, fuel_l: 40.0, repair: 350, took_s: 41.5 }],
            ..Car::default()
        };
        let other = Car { driver: "bt:2".to_owned(), place: 2, ..Car::default() };
        let race = Race { track: "forza".to_owned(), grid: "back".to_owned(), laps: 10, cars: vec![own, other] };
        let text = race.text();
        assert_eq!(text.lines().count(), 5, "{text}");
        assert!(text.contains("stop in lap 11: 40.0 l, 350 points repaired, 41.5 s"), "{text}");
        assert!(text.contains("raceline:1") && text.contains("bt:2"));
        let standings = Standings { races: vec![race] };
        assert!(standings.text().contains("1: 120"), "{}", standings.text());
        let json: serde_json::Value = serde_json::from_str(&standings.json().unwrap()).unwrap();
        assert_eq!(json["races"][0]["cars"][0]["damage_by"]["behind"], 100);
        assert_eq!(json["races"][0]["cars"][0]["stops"][0]["lap"], 11);
        assert!(json["races"][0]["cars"][1]["damage_by"].is_null());
    }
}
