//! Checks for finite numbers, because JSON has no others.

use std::fmt::Display;

use serde::Serialize;
use serde_json::Value;

use super::{Source, WriteError};

/// Fails unless `value` is finite.
pub fn finite(place: impl Display, value: f64) -> Result<(), WriteError> {
    if value.is_finite() {
        Ok(())
    } else {
        Err(WriteError::NotFinite { place: place.to_string(), value: value.to_string() })
    }
}

/// Fails unless all `values` are finite.
pub fn finite_all(place: impl Display, values: &[f64]) -> Result<(), WriteError> {
    values.iter().try_for_each(|&value| finite(&place, value))
}

impl Source {
    /// Fails unless all its numbers are finite.
    pub fn finite(&self) -> Result<(), WriteError> {
        finite_all("source.metres_per_pixel", self.metres_per_pixel.as_slice())?;
        finite_all("source.origin_m", &self.origin_m)?;
        finite_all("source.geographic_origin_deg", self.geographic_origin_deg.as_slice().as_flattened())?;
        finite_all("source.covered_fraction", self.covered_fraction.as_slice())?;
        for (index, stretch) in self.edge_uncertainty.iter().enumerate() {
            let values = [stretch.from_m, stretch.to_m, stretch.edge_uncertainty_m];
            finite_all(format_args!("source.edge_uncertainty[{index}]"), &values)?;
        }
        Ok(())
    }
}

/// `value` as JSON with its keys sorted. Fails if it contains a null: serde_json writes null for a
/// number that is not finite, and no key of a vehicle or of options is null otherwise.
pub fn finite_object(place: &str, value: &impl Serialize) -> Result<Value, WriteError> {
    let mut value = serde_json::to_value(value)
        .map_err(|error| WriteError::Unwritable { place: place.to_owned(), message: error.to_string() })?;
    // Sorted already, unless another package enables serde_json's feature `preserve_order`.
    value.sort_all_objects();
    match null_place(place.to_owned(), &value) {
        Some(place) => Err(WriteError::NotFinite { place, value: "infinite or NaN".to_owned() }),
        None => Ok(value),
    }
}

/// The first null in `value`, if any.
fn null_place(place: String, value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(place),
        Value::Array(items) => {
            items.iter().enumerate().find_map(|(index, item)| null_place(format!("{place}[{index}]"), item))
        }
        Value::Object(map) => map.iter().find_map(|(key, item)| null_place(format!("{place}.{key}"), item)),
        _ => None,
    }
}
