//! Options as keyword arguments: the names of the sidecar, its checks and its messages.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use raceline::Options;
use raceline::files::Reach;
use raceline::options::{Layer, sidecar_of};
use raceline::vehicle;
use serde_json::{Map, Value};

use crate::error::{self, OptionsError, with_causes};
use crate::values;
use crate::vehicle::Vehicle;

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
            // A key that is a word of Python has an underscore: `from_`.
            let json = values::json(&value).map_err(|_| {
                OptionsError::new_err(format!(
                    "{key} is {}: give numbers, text, lists or dictionaries",
                    value.get_type()
                ))
            })?;
            values.insert(key.trim_end_matches('_').to_owned(), json);
        }
    }
    Ok(Layer::from_keywords(&values).map_err(|wrong| error::options(&wrong))?.reaching(reach))
}

/// The layer of `keywords` with those that a function has by name, which come first.
pub fn layer_with(keywords: Option<&Bound<'_, PyDict>>, named: &Bound<'_, PyDict>) -> PyResult<Layer> {
    let all = match keywords {
        Some(keywords) => keywords.copy()?,
        None => PyDict::new(named.py()),
    };
    all.update(named.as_mapping())?;
    layer(Some(&all))
}

/// The layer of the sidecar of `input`, if there is one, whose files lie within `reach`.
pub fn sidecar(input: &Path, reach: Reach) -> PyResult<Option<Layer>> {
    sidecar_of(input).map(|path| Layer::read_within(&path, reach)).transpose().map_err(|wrong| error::options(&wrong))
}

/// The options of layers, later ones over earlier ones.
pub fn options(layers: &[Layer]) -> PyResult<Options> {
    Options::from_layers(layers).map_err(|wrong| error::options(&wrong))
}

/// A vehicle as a caller names it: a preset, a path, a dictionary with the keys of a vehicle file, or a
/// `Vehicle`. `None` is `usual`, or without one that of the options.
pub fn vehicle(
    given: Option<&Bound<'_, PyAny>>,
    usual: Option<&vehicle::Vehicle>,
    options: &mut Options,
) -> PyResult<vehicle::Vehicle> {
    let made = match given.filter(|given| !given.is_none()) {
        None => usual.cloned(),
        Some(given) => match (given.cast::<Vehicle>(), given.cast::<PyDict>()) {
            (Ok(vehicle), _) => Some(vehicle.get().vehicle.clone()),
            (_, Ok(values)) => match values::json(values)? {
                Value::Object(values) => Some(Vehicle::of_values(&values)?.vehicle),
                _ => None,
            },
            _ => {
                let name: PathBuf = given.extract().map_err(|_| {
                    OptionsError::new_err(format!(
                        "vehicle is {}: give the name of a preset, a path, a dictionary or a raceline.Vehicle",
                        given.get_type()
                    ))
                })?;
                options.vehicle = Some(name.to_string_lossy().into_owned());
                None
            }
        },
    };
    let Some(vehicle) = made else { return options.load_vehicle().map_err(|wrong| error::options(&wrong)) };
    options.adapt_vehicle(vehicle).map_err(|error| OptionsError::new_err(with_causes(&error)))
}
