//! Numbers that JSON can hold: finite ones.

use std::fmt::Display;

use serde::Serialize;
use serde_json::Value;

use super::WriteError;

/// Refuses `value` unless it's finite.
pub(super) fn finite(place: impl Display, value: f64) -> Result<(), WriteError> {
    if value.is_finite() {
        Ok(())
    } else {
        Err(WriteError::NotFinite { place: place.to_string(), value: value.to_string() })
    }
}

/// Refuses `values` unless all are finite.
pub(super) fn finite_all(place: impl Display, values: &[f64]) -> Result<(), WriteError> {
    values.iter().try_for_each(|&value| finite(&place, value))
}

/// `value` as JSON with its keys sorted, refused where it has a null: serde_json makes one of a number that isn't
/// finite, and no key of a vehicle or of options is null otherwise.
pub(super) fn finite_object(place: &str, value: &impl Serialize) -> Result<Value, WriteError> {
    let value = serde_json::to_value(value)
        .map_err(|error| WriteError::Unwritable { place: place.to_owned(), message: error.to_string() })?;
    match null_place(place.to_owned(), &value) {
        Some(place) => Err(WriteError::NotFinite { place, value: "infinite or NaN".to_owned() }),
        None => Ok(value),
    }
}

/// The first null in `value`, if it has one.
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
