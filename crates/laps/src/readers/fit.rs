//! FIT, as sports watches write it: the messages `record` by the crate `fitparser`.

use fitparser::Value;
use fitparser::profile::MesgNum;
use raceline_read::input::LogKind;

use super::assembly;
use crate::error::LogError;
use crate::log::{Log, Quantity};

/// Fields of a record that are read, the preferred first, with the unit in which the crate gives them.
const FIELDS: [(&str, Quantity, &str); 7] = [
    ("timestamp", Quantity::Time, "s"),
    ("position_long", Quantity::Longitude, "deg"),
    ("position_lat", Quantity::Latitude, "deg"),
    ("enhanced_speed", Quantity::Speed, "m/s"),
    ("speed", Quantity::Speed, "m/s"),
    ("enhanced_altitude", Quantity::Height, "m"),
    ("altitude", Quantity::Height, "m"),
];

/// Degrees for each unit of a position: half a circle in 2³¹ parts.
const SEMICIRCLE_DEG: f64 = 180.0 / (1_u64 << 31) as f64;

pub(super) fn read(bytes: &[u8], name: &str) -> Result<Log, LogError> {
    let records = fitparser::from_bytes(bytes).map_err(|error| LogError::Format {
        place: "FIT".to_owned(),
        problem: error.to_string(),
        fix: "export the log again",
    })?;
    let mut columns: [Vec<f64>; FIELDS.len()] = Default::default();
    for record in records.iter().filter(|record| record.kind() == MesgNum::Record) {
        let mut row = [f64::NAN; FIELDS.len()];
        for field in record.fields() {
            let place = FIELDS.iter().position(|(name, ..)| *name == field.name());
            let Some((place, quantity)) = place.and_then(|place| Some((place, FIELDS.get(place)?.1))) else { continue };
            let value = number(field.value());
            let is_position = matches!(quantity, Quantity::Longitude | Quantity::Latitude);
            if let Some(slot) = row.get_mut(place) {
                *slot = if is_position { value * SEMICIRCLE_DEG } else { value };
            }
        }
        for (column, value) in columns.iter_mut().zip(row) {
            column.push(value);
        }
    }
    let mut channels: Vec<crate::log::Channel> = Vec::new();
    for (values, (field, quantity, unit)) in columns.into_iter().zip(FIELDS) {
        let is_new = channels.iter().all(|channel| channel.quantity != quantity);
        if is_new && values.iter().any(|value| value.is_finite()) {
            channels.push(assembly::channel(quantity, field, unit, values)?);
        }
    }
    Ok(Log {
        kind: LogKind::Fit,
        name: name.to_owned(),
        channels,
        unused: Vec::new(),
        start_line: None,
        beacons_s: Vec::new(),
    })
}

/// A value as a number; NaN for text and lists. A time is in seconds since 1970.
fn number(value: &Value) -> f64 {
    match value {
        Value::Timestamp(time) => time.timestamp_millis() as f64 / 1e3,
        Value::Byte(value) | Value::Enum(value) | Value::UInt8(value) | Value::UInt8z(value) => f64::from(*value),
        Value::SInt8(value) => f64::from(*value),
        Value::SInt16(value) => f64::from(*value),
        Value::UInt16(value) | Value::UInt16z(value) => f64::from(*value),
        Value::SInt32(value) => f64::from(*value),
        Value::UInt32(value) | Value::UInt32z(value) => f64::from(*value),
        Value::SInt64(value) => *value as f64,
        Value::UInt64(value) | Value::UInt64z(value) => *value as f64,
        Value::Float32(value) => f64::from(*value),
        Value::Float64(value) => *value,
        _ => f64::NAN,
    }
}
