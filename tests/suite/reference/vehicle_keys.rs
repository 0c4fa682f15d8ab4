//! The keys of a vehicle and the presets.

use raceline::vehicle::{Vehicle, VehicleError, preset, presets};
use serde_json::{Map, Value};

use super::source_text::fields;
use super::table::{Table, escaped};

/// A row for each key, in the order of the struct. Ranges are those that a check of the vehicle states.
pub fn keys() -> String {
    let mut table = Table::new(&["Key", "Range", "Meaning", "Default"]);
    let (car, kart) = (stripped("gt"), stripped("kart"));
    for field in fields("crates/car/src", "Vehicle") {
        let key = field.name.as_str();
        let (meaning, default) = field.doc.rsplit_once(" Default: ").unwrap_or((&field.doc, ""));
        let default = match (is_required(key), default_of(&car, key), default_of(&kart, key)) {
            (true, ..) => "required".to_owned(),
            _ if !default.is_empty() => escaped(default.trim_end_matches('.')),
            (_, Some(one), Some(other)) if one.to_bits() == other.to_bits() => number(one),
            (_, Some(_), _) => "depends on the vehicle".to_owned(),
            _ => String::new(),
        };
        table.row(&[format!("`{key}`"), range(key).unwrap_or_default(), escaped(meaning), default]);
    }
    table.finish()
}

/// A row for each preset.
pub fn preset_table() -> String {
    let mut table = Table::new(&["Preset", "Vehicle", "Source of its numbers"]);
    for preset in presets() {
        let names: Vec<String> = std::iter::once(preset.name)
            .chain(preset.aliases.iter().copied())
            .map(|name| format!("`{name}`"))
            .collect();
        table.row(&[names.join(", "), escaped(preset.summary), escaped(preset.source)]);
    }
    table.finish()
}

fn object(vehicle: &Vehicle) -> Map<String, Value> {
    serde_json::to_value(vehicle).unwrap().as_object().unwrap().clone()
}

/// Whether a vehicle file without the key is refused.
fn is_required(key: &str) -> bool {
    let mut vehicle = object(&preset("gt").unwrap());
    vehicle.remove(key);
    serde_json::from_value::<Vehicle>(vehicle.into()).is_err()
}

/// The preset without the optional keys of its axles, tyres and steering.
fn stripped(name: &str) -> Vehicle {
    Vehicle {
        max_steering_rad: None,
        steering_rate_radps: None,
        peak_slip_rad: None,
        cornering_stiffness_per_rad: None,
        front_weight_fraction: None,
        front_downforce_fraction: None,
        yaw_inertia_kgm2: None,
        centre_of_gravity_m: None,
        front_brake_fraction: None,
        front_drive_fraction: None,
        rear_grip_reserve: None,
        front_track_width_m: None,
        rear_track_width_m: None,
        front_roll_stiffness_fraction: None,
        tyre_load_sensitivity: None,
        differential_lock_fraction: None,
        longitudinal_reserve: None,
        rear_reserve: None,
        crest_reserve: None,
        ..preset(name).unwrap()
    }
}

/// The number that stands for a missing key, if it is one of those that [`stripped`] removes.
fn default_of(stripped: &Vehicle, key: &str) -> Option<f64> {
    let completed = object(&stripped.with_defaults());
    if object(stripped).contains_key(key) { None } else { completed.get(key).and_then(Value::as_f64) }
}

/// The number with few digits: 0.5, 1e9.
fn number(value: f64) -> String {
    if value != 0.0 && !(1e-4..1e5).contains(&value.abs()) { format!("{value:e}") } else { value.to_string() }
}

/// The range of a number, with its unit.
fn range(key: &str) -> Option<String> {
    let mut vehicle = object(&preset("gt").unwrap());
    vehicle.insert("front_weight_fraction".to_owned(), 0.5.into());
    vehicle.insert(key.to_owned(), 1e300.into());
    let vehicle: Vehicle = serde_json::from_value(vehicle.into()).ok()?;
    match vehicle.validate() {
        Err(VehicleError::OutOfRange { key: found, low, high, unit, .. }) => {
            // Remarks on a number without a unit are in the meaning.
            let unit = if unit.starts_with('(') { "" } else { unit };
            assert_eq!(found, key);
            Some(format!("{} to {} {unit}", number(low), number(high)).trim_end().to_owned())
        }
        _ => None,
    }
}
