//! A vehicle: of a preset, of a file, or of a dictionary.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use raceline::Options;
use raceline::vehicle::{self, VehicleError};
use serde_json::{Map, Value};

use crate::error::{self, InputError, OptionsError, with_causes};
use crate::pickling::{Reduced, reduced};
use crate::values;

/// A vehicle with its limits: what `vehicle=` takes everywhere.
///
/// `Vehicle(name)` is a preset; `raceline.vehicles()` lists them. All numbers are in SI units, under the
/// keys of a vehicle file.
///
/// >>> import raceline
/// >>> kart = raceline.Vehicle("kart")
/// >>> kart["mass_kg"], kart.replace(name="light", mass_kg=140.0)["mass_kg"]
/// (150.0, 140.0)
/// >>> wet = kart.replace(grip=0.6)
/// >>> round(wet["lateral_limit_mps2"] / kart["lateral_limit_mps2"], 3)
/// 0.6
#[pyclass(frozen, eq, module = "raceline")]
#[derive(Clone, PartialEq)]
pub struct Vehicle {
    pub vehicle: vehicle::Vehicle,
}

fn wrong(error: &VehicleError) -> PyErr {
    OptionsError::new_err(with_causes(error))
}

impl Vehicle {
    /// The vehicle of the values of a vehicle file.
    pub fn of_values(values: &Map<String, Value>) -> PyResult<Self> {
        let wrong_value = |text: String| OptionsError::new_err(format!("vehicle: {text}"));
        // A key without a value is one that is not given.
        let given: Map<String, Value> = values
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let toml = toml::to_string(&given).map_err(|error| wrong_value(with_causes(&error)))?;
        let vehicle = vehicle::Vehicle::from_toml(&toml, "vehicle").map_err(|error| wrong(&error))?;
        Ok(Self { vehicle })
    }

    fn values(&self) -> PyResult<Map<String, Value>> {
        match serde_json::to_value(&self.vehicle) {
            Ok(Value::Object(values)) => Ok(values),
            Ok(_) => Err(OptionsError::new_err("the vehicle has no keys")),
            Err(error) => Err(OptionsError::new_err(with_causes(&error))),
        }
    }
}

/// A vehicle of the TOML of its file, as it is pickled.
#[pyfunction]
pub fn _vehicle(toml: &str) -> PyResult<Vehicle> {
    Ok(Vehicle { vehicle: vehicle::Vehicle::from_toml(toml, "vehicle").map_err(|error| wrong(&error))? })
}

#[pymethods]
impl Vehicle {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        if name.ends_with(".toml") {
            return Err(OptionsError::new_err(format!("{name:?} is a file: use raceline.Vehicle.from_file({name:?})")));
        }
        Ok(Self { vehicle: vehicle::preset(name).map_err(|error| wrong(&error))? })
    }

    /// The vehicle in a file, TOML as `raceline vehicles NAME` prints it.
    #[staticmethod]
    fn from_file(path: PathBuf) -> PyResult<Self> {
        let named = path.to_string_lossy().into_owned();
        if !named.ends_with(".toml") {
            return Err(OptionsError::new_err(format!("{named}: a vehicle file ends in .toml")));
        }
        let options = Options { vehicle: Some(named), reach: raceline::files::Reach::Anywhere, ..Options::default() };
        Ok(Self { vehicle: options.load_vehicle().map_err(|wrong| error::options(&wrong))? })
    }

    /// The vehicle of a dictionary with the keys of a vehicle file. Keys that are missing are those of
    /// `base`, the name of a preset, or without one have their defaults.
    ///
    /// >>> import raceline
    /// >>> raceline.Vehicle.from_dict({"name": "mine", "mass_kg": 160.0}, base="kart")["mass_kg"]
    /// 160.0
    #[staticmethod]
    #[pyo3(signature = (values, *, base = None))]
    fn from_dict(values: &Bound<'_, PyAny>, base: Option<&str>) -> PyResult<Self> {
        let Value::Object(given) = values::json(values)? else {
            return Err(OptionsError::new_err(format!("values is {}: give a dictionary", values.get_type())));
        };
        let mut all = match base {
            Some(base) => Self::new(base)?.values()?,
            None => Map::new(),
        };
        all.extend(given);
        Self::of_values(&all)
    }

    /// The vehicle with other values: keys of a vehicle file, and `grip`, a factor on all limits of
    /// the tyres. A nested number is given as `**{"drive.power_and_force.power_w": 30000.0}`.
    ///
    /// >>> import raceline
    /// >>> raceline.Vehicle("gt").replace(max_speed_mps=50.0)["max_speed_mps"]
    /// 50.0
    #[pyo3(signature = (**changes))]
    fn replace(&self, changes: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut values = self.values()?;
        let mut numbers: Vec<(String, f64)> = Vec::new();
        for (key, value) in changes.into_iter().flatten() {
            let key: String = key.extract()?;
            if key == "grip" || key.contains('.') {
                let number = value.extract().map_err(|_| OptionsError::new_err(format!("{key} is no number")))?;
                numbers.push((key, number));
            } else {
                values.insert(key, values::json(&value)?);
            }
        }
        let changed = Self::of_values(&values)?;
        let numbers: Vec<(&str, f64)> = numbers.iter().map(|(key, value)| (key.as_str(), *value)).collect();
        let vehicle = changed.vehicle.with_parameters(&numbers).map_err(|error| wrong(&error))?;
        vehicle.validate().map_err(|error| wrong(&error))?;
        Ok(Self { vehicle })
    }

    /// Name of the vehicle.
    #[getter]
    fn name(&self) -> &str {
        &self.vehicle.name
    }

    /// All values under the keys of a vehicle file.
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        values::python(py, &self.vehicle)
    }

    /// The text of a vehicle file, TOML.
    fn to_toml(&self) -> PyResult<String> {
        self.vehicle.to_toml().map_err(|error| wrong(&error))
    }

    /// Writes a vehicle file, which ends in `.toml`.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        if path.extension().is_none_or(|ending| ending != "toml") {
            return Err(InputError::new_err(format!("{}: a vehicle file ends in .toml", path.display())));
        }
        crate::output::write(&path, self.to_toml()?.as_bytes())
    }

    /// The keys that the vehicle has.
    fn keys(&self) -> PyResult<Vec<String>> {
        Ok(self.values()?.keys().cloned().collect())
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyAny>> {
        let values = self.values()?;
        let value = values.get(key).ok_or_else(|| PyKeyError::new_err(key.to_owned()))?;
        values::of_json(py, value)
    }

    fn __contains__(&self, key: &str) -> PyResult<bool> {
        Ok(self.values()?.contains_key(key))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (String,)> {
        reduced(py, "_vehicle", (self.to_toml()?,))
    }

    fn __hash__(&self) -> PyResult<u64> {
        let mut hasher = DefaultHasher::new();
        self.to_toml()?.hash(&mut hasher);
        Ok(hasher.finish())
    }

    fn __repr__(&self) -> String {
        let vehicle::Vehicle { name, mass_kg, .. } = &self.vehicle;
        format!("<raceline.Vehicle {name:?}: {mass_kg} kg>")
    }
}
