//! A race in numbers, and a vehicle in it.

use std::error::Error;
use std::fmt;

/// Largest number of laps of a race.
const MAX_LAPS: u32 = 1000;
/// Fraction of a lap's fuel by which a tank may be too small for the laps that it is counted for: what
/// remains of a division.
const ROUNDING: f64 = 1e-9;

/// A race, and what a lap and a stop of one vehicle take in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Race {
    /// Number of laps, 1 to 1000.
    pub laps: u32,
    /// Time of a lap with new tyres and an empty tank, s; above 0.
    pub lap_time_s: f64,
    /// Fuel per lap, kg; above 0.
    pub fuel_per_lap_kg: f64,
    /// Fuel that the tank holds, kg; at least that of a lap.
    pub tank_kg: f64,
    /// Time per lap and kilogram of fuel on board, s; 0 or more.
    pub lap_s_per_kg: f64,
    /// Time per lap for each lap that the tyres have done, s; 0 or more.
    pub wear_s_per_lap: f64,
    /// Number of laps that tyres last; `None` for any number.
    pub tyre_life_laps: Option<u32>,
    /// Time that a stop costs against driving past, without work on the vehicle, s; 0 or more.
    pub pit_loss_s: f64,
    /// Time of a change of tyres, s; 0 or more.
    pub change_loss_s: f64,
    /// Time per kilogram of fuel at a stop, s; 0 or more.
    pub refuel_s_per_kg: f64,
    /// Time that damage costs per lap, s; 0 or more.
    pub damage_s_per_lap: f64,
    /// Time of the repair at a stop, s; `None` where the damage cannot be repaired.
    pub repair_loss_s: Option<f64>,
    /// The safety car, if it is out.
    pub safety_car: Option<SafetyCar>,
}

/// Laps behind the safety car. Their time does not depend on the vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SafetyCar {
    /// First lap, from 1.
    pub first_lap: u32,
    /// Last lap.
    pub last_lap: u32,
    /// What a stop at the end of one of these laps costs in place of [`Race::pit_loss_s`], s; 0 or more.
    pub pit_loss_s: f64,
}

/// A vehicle in a race, at the end of a lap and before a stop there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Situation {
    /// Number of laps that are done.
    pub lap: u32,
    /// Number of laps for which there is fuel on board.
    pub fuel_laps: u32,
    /// Number of laps that the tyres have done.
    pub tyre_laps: u32,
    /// Whether the vehicle is damaged, which costs [`Race::damage_s_per_lap`].
    pub is_damaged: bool,
}

/// A race that cannot be planned.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RaceError {
    /// A number outside its range.
    Range {
        /// Name of the field.
        name: &'static str,
        /// The number.
        value: f64,
        /// What it must be.
        must: &'static str,
    },
    /// No plan reaches the end of the race.
    NoPlan {
        /// Number of stops that was asked for.
        stops: Option<u32>,
    },
}

impl fmt::Display for RaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range { name, value, must } => write!(f, "{name} is {value}: it must be {must}"),
            Self::NoPlan { stops: None } => {
                write!(f, "no plan reaches the end of the race: fuel or tyres do not last to the end of the lap")
            }
            Self::NoPlan { stops: Some(stops) } => write!(f, "no plan with {stops} stops reaches the end of the race"),
        }
    }
}

impl Error for RaceError {}

impl Race {
    /// Checks every number.
    ///
    /// # Errors
    /// The first that is out of its range.
    pub fn validate(&self) -> Result<(), RaceError> {
        let check = |name, value: f64, is_right: bool, must| {
            if is_right && value.is_finite() { Ok(()) } else { Err(RaceError::Range { name, value, must }) }
        };
        let laps = f64::from(self.laps);
        check("laps", laps, (1..=MAX_LAPS).contains(&self.laps), "1 to 1000")?;
        for (name, value) in [("lap_time_s", self.lap_time_s), ("fuel_per_lap_kg", self.fuel_per_lap_kg)] {
            check(name, value, value > 0.0, "above 0")?;
        }
        check("tank_kg", self.tank_kg, self.tank_kg >= self.fuel_per_lap_kg, "at least fuel_per_lap_kg")?;
        let life = self.tyre_life_laps.map_or(1.0, f64::from);
        check("tyre_life_laps", life, life >= 1.0, "1 or more")?;
        for (name, value) in [
            ("lap_s_per_kg", self.lap_s_per_kg),
            ("wear_s_per_lap", self.wear_s_per_lap),
            ("pit_loss_s", self.pit_loss_s),
            ("change_loss_s", self.change_loss_s),
            ("refuel_s_per_kg", self.refuel_s_per_kg),
            ("damage_s_per_lap", self.damage_s_per_lap),
            ("repair_loss_s", self.repair_loss_s.unwrap_or(0.0)),
            ("safety_car.pit_loss_s", self.safety_car.map_or(0.0, |car| car.pit_loss_s)),
        ] {
            check(name, value, value >= 0.0, "0 or more")?;
        }
        if let Some(car) = self.safety_car {
            let first = f64::from(car.first_lap);
            check("safety_car.first_lap", first, car.first_lap >= 1, "1 or more")?;
            let last = f64::from(car.last_lap);
            check("safety_car.last_lap", last, car.last_lap >= car.first_lap, "at least safety_car.first_lap")?;
        }
        Ok(())
    }

    /// Number of laps for which the full tank has fuel.
    #[must_use]
    pub fn tank_laps(&self) -> u32 {
        (self.tank_kg / self.fuel_per_lap_kg + ROUNDING).floor().min(f64::from(MAX_LAPS)) as u32
    }

    /// Whether a lap, from 1, is behind the safety car.
    pub(super) fn is_behind_safety_car(&self, lap: u32) -> bool {
        self.safety_car.is_some_and(|car| (car.first_lap..=car.last_lap).contains(&lap))
    }

    /// What a stop at the end of lap `lap` costs without work on the vehicle, s.
    pub(super) fn stop_loss_s(&self, lap: u32) -> f64 {
        match self.safety_car {
            Some(car) if self.is_behind_safety_car(lap) => car.pit_loss_s,
            _ => self.pit_loss_s,
        }
    }

    /// Whether the tyres last another lap.
    pub(super) fn tyres_last(&self, tyre_laps: u32) -> bool {
        self.tyre_life_laps.is_none_or(|life| tyre_laps < life)
    }
}
