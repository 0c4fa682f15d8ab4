//! What a stint needs to know of the car beside its vehicle file: fuel, tyres and battery.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::StintError;
use crate::files::{self, LARGEST_OPTIONS_FILE};
use crate::solve::car::Powertrain;

/// Fuel, tyres and battery of a car in a stint. What is left out does not change.
///
/// ```
/// use raceline::stint::StintCar;
///
/// let car = StintCar::from_toml("[fuel]\nwork_jpkg = 1.3e7\n", "race.toml")?;
/// assert!(car.fuel.is_some_and(|fuel| fuel.start_kg.is_none()) && car.tyres.is_none());
/// # Ok::<(), raceline::stint::StintError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StintCar {
    /// Fuel, whose mass is added to that of the vehicle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fuel: Option<Fuel>,
    /// Tyres that wear.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tyres: Option<Tyres>,
    /// A motor with a battery.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub battery: Option<Battery>,
}

/// Fuel.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fuel {
    /// Work at the wheels that a kilogram gives, J/kg: the fuel's heat times the efficiency of engine
    /// and transmission. About 1.3e7 for petrol with 30 %.
    pub work_jpkg: f64,
    /// Fuel at the start, kg. Default: as much as is used, so that less fuel is a lighter car.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_kg: Option<f64>,
    /// Minimum fuel at the end, kg. Default: 0.
    #[serde(default)]
    pub end_kg: f64,
}

/// Tyres that wear.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tyres {
    /// Work of the tyres' sliding that wears them out, J, 1 to 1e100.
    pub life_j: f64,
    /// Fraction of the grip that worn out tyres have lost, 0 to 0.9; in between the loss grows with the
    /// wear.
    pub worn_grip_loss: f64,
    /// Wear at the start, 0 to 1. Default: 0.
    #[serde(default)]
    pub start_wear: f64,
    /// Largest wear at the end, 0 to 1. Default: 1.
    #[serde(default = "one")]
    pub max_wear: f64,
    /// Temperature of the tyres. Default: it stays where the grip is best.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<Temperature>,
}

/// Temperature of the tyres: heat by their sliding, cooled by the air,
/// `C dT/dt = f P - h (T - T_air)`, with the mean power P of a lap. The grip of a lap is that of the
/// temperature at its start, `1 - loss (1 - exp(-((T - best) / width)² / 2))`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Temperature {
    /// Temperature with the most grip, °C.
    pub best_c: f64,
    /// Width of the bell, °C.
    pub width_c: f64,
    /// Fraction of the grip that is lost far from the best temperature, 0 to 0.9.
    pub grip_loss: f64,
    /// h: cooling of all tyres, W/K.
    pub cooling_wpk: f64,
    /// C: heat capacity of all tyres, J/K.
    pub heat_capacity_jpk: f64,
    /// f: fraction of the sliding's work that heats the tyres, and not the road, 0 to 1. Default: 0.5.
    #[serde(default = "half")]
    pub heat_fraction: f64,
    /// Temperature of the air, °C. Default: 20.
    #[serde(default = "mild")]
    pub air_c: f64,
    /// Temperature at the start, °C. Default: the best one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_c: Option<f64>,
}

/// A motor with a battery. The vehicle's drive is that of engine and motor together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Battery {
    /// Largest power of the engine at the wheels, W, up to 1e9; 0 for an electric car. What the vehicle's drive has
    /// beyond it comes from the battery.
    pub engine_power_w: f64,
    /// Usable capacity, J, 1 to 1e100: the charge is between 0 and this at the end of every lap.
    pub capacity_j: f64,
    /// Charge at the start, J. Default: the capacity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_j: Option<f64>,
    /// Minimum charge at the end, J. Default: 0.
    #[serde(default)]
    pub end_j: f64,
    /// Fraction of the brakes' work that charges the battery, 0 to 1. Default: 0.
    #[serde(default)]
    pub recuperation: f64,
    /// Largest power with which it is charged, W, up to 1e9. Default: no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recuperation_power_w: Option<f64>,
    /// Largest energy with which it is charged in a lap, J, up to 1e100. Default: no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_recuperated_j: Option<f64>,
}

/// Largest power, W, and energy, J, whose squares are numbers: far above those of any vehicle.
const MAX_POWER_W: f64 = 1e9;
const MAX_ENERGY_J: f64 = 1e100;

fn one() -> f64 {
    1.0
}

fn half() -> f64 {
    0.5
}

fn mild() -> f64 {
    20.0
}

impl StintCar {
    /// Reads and checks the file at `path`.
    ///
    /// # Errors
    /// A file that cannot be read, and those of [`Self::from_toml`].
    pub fn read(path: &Path) -> Result<Self, StintError> {
        let file = path.to_string_lossy();
        let text = files::read_to_string(path, LARGEST_OPTIONS_FILE)
            .map_err(|error| StintError::Unreadable { file: file.to_string(), message: error.to_string() })?;
        Self::from_toml(&text, &file)
    }

    /// Reads and checks text in TOML; `file` is its name in messages.
    ///
    /// # Errors
    /// Text that is not TOML, a missing or an unknown key, and a number outside its range.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, StintError> {
        let car: Self = toml::from_str(text).map_err(|error| StintError::Toml {
            file: file.to_owned(),
            message: error.to_string().trim_end().to_owned(),
        })?;
        car.validate()?;
        Ok(car)
    }

    /// Checks that every number is within its range.
    ///
    /// # Errors
    /// [`StintError::Number`] for the first that is not.
    pub fn validate(&self) -> Result<(), StintError> {
        let mut ranges: Vec<(&'static str, f64, [f64; 2])> = Vec::new();
        if let Some(fuel) = &self.fuel {
            ranges.push(("fuel.work_jpkg", fuel.work_jpkg, [1e5, 1e9]));
            ranges.push(("fuel.end_kg", fuel.end_kg, [0.0, 1e5]));
            ranges.extend(fuel.start_kg.map(|start_kg| ("fuel.start_kg", start_kg, [fuel.end_kg, 1e5])));
        }
        if let Some(tyres) = &self.tyres {
            ranges.push(("tyres.life_j", tyres.life_j, [1.0, MAX_ENERGY_J]));
            ranges.push(("tyres.worn_grip_loss", tyres.worn_grip_loss, [0.0, 0.9]));
            ranges.push(("tyres.start_wear", tyres.start_wear, [0.0, 1.0]));
            ranges.push(("tyres.max_wear", tyres.max_wear, [tyres.start_wear, 1.0]));
            if let Some(temperature) = &tyres.temperature {
                let celsius = [-100.0, 1000.0];
                ranges.push(("tyres.temperature.best_c", temperature.best_c, celsius));
                ranges.push(("tyres.temperature.width_c", temperature.width_c, [1.0, 1000.0]));
                ranges.push(("tyres.temperature.grip_loss", temperature.grip_loss, [0.0, 0.9]));
                ranges.push(("tyres.temperature.cooling_wpk", temperature.cooling_wpk, [1e-3, 1e9]));
                ranges.push(("tyres.temperature.heat_capacity_jpk", temperature.heat_capacity_jpk, [1.0, 1e9]));
                ranges.push(("tyres.temperature.heat_fraction", temperature.heat_fraction, [0.0, 1.0]));
                ranges.push(("tyres.temperature.air_c", temperature.air_c, celsius));
                ranges.push(("tyres.temperature.start_c", temperature.start_c(), celsius));
            }
        }
        if let Some(battery) = &self.battery {
            ranges.push(("battery.engine_power_w", battery.engine_power_w, [0.0, MAX_POWER_W]));
            ranges.push(("battery.capacity_j", battery.capacity_j, [1.0, MAX_ENERGY_J]));
            ranges.push(("battery.start_j", battery.start_j(), [0.0, battery.capacity_j]));
            ranges.push(("battery.end_j", battery.end_j, [0.0, battery.capacity_j]));
            ranges.push(("battery.recuperation", battery.recuperation, [0.0, 1.0]));
            ranges
                .extend(battery.recuperation_power_w.map(|w| ("battery.recuperation_power_w", w, [0.0, MAX_POWER_W])));
            ranges.extend(battery.max_recuperated_j.map(|j| ("battery.max_recuperated_j", j, [0.0, MAX_ENERGY_J])));
        }
        let outside = ranges.into_iter().find(|&(_, value, [low, high])| !(low <= value && value <= high));
        match outside {
            Some((key, value, range)) => Err(StintError::Number { key, value, low: range[0], high: range[1] }),
            None => Ok(()),
        }
    }

    /// Engine and motor.
    pub(super) fn powertrain(&self) -> Powertrain {
        self.battery.as_ref().map_or(Powertrain::ENGINE, |battery| Powertrain {
            engine_power_w: battery.engine_power_w,
            recuperation_power_w: battery.recuperation_power_w.unwrap_or(f64::INFINITY),
            recuperation: battery.recuperation,
        })
    }
}

impl Temperature {
    /// Temperature at the start, °C.
    pub(super) fn start_c(&self) -> f64 {
        self.start_c.unwrap_or(self.best_c)
    }
}

impl Battery {
    /// Charge at the start, J.
    pub(super) fn start_j(&self) -> f64 {
        self.start_j.unwrap_or(self.capacity_j)
    }
}

#[cfg(test)]
mod tests {
    use super::StintCar;
    use crate::stint::StintError;

    #[test]
    fn numbers_outside_their_range_are_refused_by_name() {
        let refused = |text: &str| StintCar::from_toml(text, "race.toml").unwrap_err();
        for (text, named) in [
            ("[fuel]\nwork_jpkg = 0.0", "fuel.work_jpkg"),
            ("[fuel]\nwork_jpkg = 1e7\nstart_kg = 1.0\nend_kg = 2.0", "fuel.start_kg"),
            ("[tyres]\nlife_j = nan\nworn_grip_loss = 0.1", "tyres.life_j"),
            ("[tyres]\nlife_j = 1e9\nworn_grip_loss = 0.1\nmax_wear = 1.5", "tyres.max_wear"),
            ("[battery]\nengine_power_w = 0.0\ncapacity_j = 4e6\nend_j = 5e6", "battery.end_j"),
            ("[battery]\nengine_power_w = 1e300\ncapacity_j = 4e6", "battery.engine_power_w"),
            (
                "[battery]\nengine_power_w = 0.0\ncapacity_j = 4e6\nrecuperation_power_w = 1e300",
                "battery.recuperation_power_w",
            ),
        ] {
            let error = refused(text);
            assert!(matches!(error, StintError::Number { key, .. } if key == named), "{error}");
        }
        assert!(refused("[fuel]\nwork_jpkg = 1e7\nlitres = 3").to_string().contains("litres"));
        assert!(refused("[tyres]\nlife_j = 1e9").to_string().contains("worn_grip_loss"));
    }
}
