//! Access to a vehicle's numbers by their keys, for sweeps and sensitivities.
//!
//! The keys are those of a vehicle TOML, nested ones joined by dots: `mass_kg`,
//! `drive.power_and_force.power_w`. They are read from the vehicle's serialised form, so a new
//! field needs no code here. [`GRIP`] is an additional pseudo-parameter.

use serde_json::{Map, Number, Value};

use super::{Vehicle, VehicleError};

/// Key of the pseudo-parameter that multiplies the tyres' lateral and longitudinal limits; its
/// value in any vehicle is 1.
pub const GRIP: &str = "grip";

/// Keys that are for driving and for the car's model: no lap time of a point mass depends on them.
const DRIVING_KEYS: [&str; 10] = [
    "max_steering_rad",
    "centre_of_gravity_m",
    "front_brake_fraction",
    "front_drive_fraction",
    "rear_grip_reserve",
    "front_track_width_m",
    "rear_track_width_m",
    "front_roll_stiffness_fraction",
    "tyre_load_sensitivity",
    "differential_lock_fraction",
];

/// What a lap leaves to the driver: not numbers of the vehicle's lap, but of how it is searched.
const RESERVES: [&str; 3] = ["longitudinal_reserve", "rear_reserve", "crest_reserve"];

/// Units by the endings of keys; a longer ending precedes those that it contains.
const UNITS: [(&str, &str); 12] = [
    ("_per_rad", "1/rad"),
    ("_kgm2", "kg m²"),
    ("_radps", "rad/s"),
    ("_mps2", "m/s²"),
    ("_mps", "m/s"),
    ("_radpm", "1/m"),
    ("_kgpm", "kg/m"),
    ("_kg", "kg"),
    ("_rad", "rad"),
    ("_m", "m"),
    ("_w", "W"),
    ("_n", "N"),
];

/// A number of a vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Key of the parameter, nested keys joined by dots.
    pub key: String,
    /// Value, in `unit`.
    pub value: f64,
    /// Unit, derived from the key's ending; empty for a number without a unit.
    pub unit: &'static str,
}

/// The unit of `key`, derived from its ending; empty for a number without a unit.
#[must_use]
pub fn unit_of(key: &str) -> &'static str {
    UNITS.iter().find(|(ending, _)| key.ends_with(ending)).map_or("", |&(_, unit)| unit)
}

impl Vehicle {
    /// All numbers of the vehicle that a point mass's lap depends on, sorted by key, and [`GRIP`] at
    /// the end. Lists, such as a drive table, are not included.
    ///
    /// # Errors
    /// [`VehicleError::Unwritable`] when the vehicle cannot be serialised.
    pub fn parameters(&self) -> Result<Vec<Parameter>, VehicleError> {
        let mut parameters = self.all_parameters()?;
        parameters.retain(|parameter| !DRIVING_KEYS.contains(&parameter.key.as_str()));
        Ok(parameters)
    }

    /// All parameters, with those that only a car with axles has. The reserves are not among them.
    ///
    /// # Errors
    /// [`VehicleError::Unwritable`] when the vehicle cannot be serialised.
    pub fn all_parameters(&self) -> Result<Vec<Parameter>, VehicleError> {
        let mut parameters = Vec::new();
        collect("", &self.to_values()?, &mut parameters);
        parameters.retain(|parameter| !RESERVES.contains(&parameter.key.as_str()));
        parameters.push(Parameter { key: GRIP.to_owned(), value: 1.0, unit: "" });
        Ok(parameters)
    }

    /// The value of the number `key`; `None` for a number that this vehicle omits.
    ///
    /// # Errors
    /// [`VehicleError::UnknownParameter`] with the available keys, [`VehicleError::NotANumber`] for
    /// a key whose value is not a number.
    pub fn parameter(&self, key: &str) -> Result<Option<f64>, VehicleError> {
        if key == GRIP {
            return Ok(Some(1.0));
        }
        let mut place = &self.to_values()?;
        let mut rest = key;
        loop {
            let (step, deeper) = rest.split_once('.').map_or((rest, None), |(step, deeper)| (step, Some(deeper)));
            let found = place.get(step);
            match (found, deeper) {
                (Some(Value::Object(map)), Some(deeper)) => (place, rest) = (map, deeper),
                (Some(value), None) => match value.as_f64() {
                    Some(number) => return Ok(Some(number)),
                    None if value.is_null() => return Ok(None),
                    None => return Err(self.not_a_number(key, value)),
                },
                // An optional number is absent from the serialised form; whether the key exists is
                // determined by setting it.
                (None, None) => return self.with_parameters(&[(key, 1.0)]).map(|_| None),
                _ => return Err(self.unknown_parameter(key)),
            }
        }
    }

    /// The vehicle with `changes`, pairs of key and value, applied. [`GRIP`] is applied last, so
    /// that it also multiplies a changed tyre limit. The result is not validated.
    ///
    /// # Errors
    /// Those of [`Self::parameter`], and [`VehicleError::ParameterValue`] for a number that the key
    /// does not accept.
    pub fn with_parameters(&self, changes: &[(&str, f64)]) -> Result<Self, VehicleError> {
        let mut values = self.to_values()?;
        let mut grip = 1.0;
        for &(key, value) in changes {
            if key == GRIP {
                grip *= value;
            } else {
                self.set(&mut values, key, value)?;
            }
        }
        let vehicle: Self = match serde_json::from_value(Value::Object(values)) {
            Ok(vehicle) => vehicle,
            Err(error) => return Err(self.refusal(changes, &error)),
        };
        Ok(vehicle.with_grip(grip))
    }

    fn set(&self, values: &mut Map<String, Value>, key: &str, value: f64) -> Result<(), VehicleError> {
        let number = Number::from_f64(value).ok_or_else(|| VehicleError::ParameterValue {
            vehicle: self.name.clone(),
            key: key.to_owned(),
            value,
            message: "it must be finite".to_owned(),
        })?;
        let (groups, leaf) = key.rsplit_once('.').map_or((None, key), |(groups, leaf)| (Some(groups), leaf));
        let mut place = values;
        for group in groups.into_iter().flat_map(|groups| groups.split('.')) {
            place = match place.get_mut(group) {
                Some(Value::Object(map)) => map,
                _ => return Err(self.unknown_parameter(key)),
            };
        }
        match place.get(leaf) {
            Some(Value::Number(_) | Value::Null) | None => {
                place.insert(leaf.to_owned(), Value::Number(number));
            }
            Some(other) => return Err(self.not_a_number(key, other)),
        }
        Ok(())
    }

    /// Why the serialised form with `changes` cannot be deserialised: the first change of a number that no
    /// vehicle has.
    fn refusal(&self, changes: &[(&str, f64)], error: &serde_json::Error) -> VehicleError {
        let unknown = changes.iter().find(|(key, _)| Self::number_ranges().iter().all(|range| range.key != *key));
        match (unknown, changes.first()) {
            (Some((key, _)), _) => self.unknown_parameter(key),
            (None, Some(&(key, value))) => VehicleError::ParameterValue {
                vehicle: self.name.clone(),
                key: key.to_owned(),
                value,
                message: error.to_string(),
            },
            (None, None) => VehicleError::Unwritable { vehicle: self.name.clone(), message: error.to_string() },
        }
    }

    fn to_values(&self) -> Result<Map<String, Value>, VehicleError> {
        let unwritable = |message: String| VehicleError::Unwritable { vehicle: self.name.clone(), message };
        match serde_json::to_value(self).map_err(|error| unwritable(error.to_string()))? {
            Value::Object(values) => Ok(values),
            other => Err(unwritable(format!("it is {other}, not a set of keys"))),
        }
    }

    fn unknown_parameter(&self, key: &str) -> VehicleError {
        let keys: Vec<String> = self.parameters().unwrap_or_default().into_iter().map(|p| p.key).collect();
        VehicleError::UnknownParameter { vehicle: self.name.clone(), key: key.to_owned(), known: keys.join(", ") }
    }

    fn not_a_number(&self, key: &str, value: &Value) -> VehicleError {
        let inside = |map: &Map<String, Value>| {
            let mut parameters = Vec::new();
            collect(&format!("{key}."), map, &mut parameters);
            parameters.into_iter().map(|parameter| parameter.key).collect::<Vec<_>>().join(", ")
        };
        let found = match value {
            Value::String(_) => "text".to_owned(),
            Value::Array(_) => "a list".to_owned(),
            Value::Object(map) => match inside(map) {
                keys if keys.is_empty() => "a group without numbers".to_owned(),
                keys => format!("a group that contains {keys}"),
            },
            _ => "of another kind".to_owned(),
        };
        VehicleError::NotANumber { vehicle: self.name.clone(), key: key.to_owned(), found }
    }
}

/// Adds the numbers in `map` and in the groups inside it.
fn collect(prefix: &str, map: &Map<String, Value>, parameters: &mut Vec<Parameter>) {
    for (name, value) in map {
        let key = format!("{prefix}{name}");
        if let Value::Object(group) = value {
            collect(&format!("{key}."), group, parameters);
        } else if let Some(value) = value.as_f64() {
            parameters.push(Parameter { unit: unit_of(&key), key, value });
        }
    }
}

#[cfg(test)]
mod tests;
