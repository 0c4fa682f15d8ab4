//! Options as keyword arguments: the names of the sidecar, its checks and its messages.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use raceline::Options;
use raceline::files::Reach;
use raceline::options::{Layer, sidecar_of};
use raceline::vehicle::Vehicle;
use serde_json::{Map, Value};

use crate::error::{self, OptionsError, chain};

/// The layer of keyword arguments; `None` is an option that is not given.
///
/// `allow_outside` lets the files of the run name files outside their folders.
pub fn layer(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Layer> {
    let mut values = Map::new();
    let mut reach = Reach::WithinFolder;
    for (key, value) in keywords.into_iter().flatten() {
        let key: String = key.extract()?;
        if key == "allow_outside" {
            if value.extract()? {
                reach = Reach::Anywhere;
            }
        } else if !value.is_none() {
            values.insert(key, json(&value)?);
        }
    }
    Ok(Layer::from_keywords(&values).map_err(|wrong| error::options(&wrong))?.reaching(reach))
}

/// The layer of the sidecar of `input`, if there is one, whose files lie within `reach`.
pub fn sidecar(input: &Path, reach: Reach) -> PyResult<Option<Layer>> {
    sidecar_of(input).map(|path| Layer::read_within(&path, reach)).transpose().map_err(|wrong| error::options(&wrong))
}

/// The options of layers, later ones over earlier ones.
pub fn options(layers: &[Layer]) -> PyResult<Options> {
    Options::from_layers(layers).map_err(|wrong| error::options(&wrong))
}

/// A vehicle as a caller names it: a preset, a path, or a dictionary with the keys of a vehicle
/// file. `None` is that of the options.
pub fn vehicle(given: Option<&Bound<'_, PyAny>>, options: &mut Options) -> PyResult<Vehicle> {
    if let Some(given) = given {
        if let Ok(values) = given.cast::<PyDict>() {
            let wrong = |text: String| OptionsError::new_err(format!("vehicle: {text}"));
            let toml = toml::to_string(&json(values)?).map_err(|error| wrong(chain(&error)))?;
            return Vehicle::from_toml(&toml, "vehicle")
                .and_then(|vehicle| options.adapt_vehicle(vehicle))
                .map_err(|error| OptionsError::new_err(chain(&error)));
        }
        let name: PathBuf = given.extract().map_err(|_| {
            let kind = given.get_type();
            OptionsError::new_err(format!("vehicle is {kind}: give the name of a preset, a path or a dictionary"))
        })?;
        options.vehicle = Some(name.to_string_lossy().into_owned());
    }
    options.load_vehicle().map_err(|wrong| error::options(&wrong))
}

/// A Python value as JSON: None, numbers, text, paths, lists, tuples, arrays and dictionaries.
fn json(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if value.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(flag) = value.extract::<bool>() {
        return Ok(Value::Bool(flag));
    }
    if let Ok(whole) = value.extract::<i64>() {
        return Ok(whole.into());
    }
    if let Ok(number) = value.extract::<f64>() {
        // Infinities and NaN become null, which no option accepts.
        return Ok(number.into());
    }
    if let Ok(text) = value.extract::<String>() {
        return Ok(text.into());
    }
    if let Ok(values) = value.cast::<PyDict>() {
        let entry = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| Ok((key.extract()?, json(&value)?));
        return Ok(Value::Object(values.iter().map(entry).collect::<PyResult<_>>()?));
    }
    if value.cast::<PyList>().is_ok() || value.cast::<PyTuple>().is_ok() {
        return Ok(Value::Array(value.try_iter()?.map(|entry| json(&entry?)).collect::<PyResult<_>>()?));
    }
    if let Ok(list) = value.call_method0("tolist") {
        return json(&list);
    }
    let path: PathBuf = value.extract()?;
    Ok(path.to_string_lossy().into_owned().into())
}
