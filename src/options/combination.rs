//! The options of several layers together, and what a run takes of them.

use std::borrow::Cow;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::error::OptionsError;
use super::known::{ValueKind, known_option};
use super::layer::{self, Entry, Layer};
use super::reference::Reference;
use super::run_options::{Options, SCALE_KEYS};
use crate::files::Reach;
use crate::frame::Spot;
use crate::solve::{LineOptions, NoGo, Pin};
use crate::track::{EdgeCorrection, EdgeStretch, Grip, SpeedCap};
use crate::vehicle::{Vehicle, VehicleError, preset};

impl Options {
    /// The preset that is used where no vehicle is specified.
    pub const DEFAULT_VEHICLE: &str = "tum-racecar";

    /// The defaults, overridden by `layers` in their order.
    ///
    /// # Errors
    /// A number out of its range, and a layer with several keys for the scale.
    pub fn from_layers(layers: &[Layer]) -> Result<Self, OptionsError> {
        let mut merged = Map::new();
        for layer in layers {
            let scales: Vec<_> =
                layer.entries.iter().filter(|entry| SCALE_KEYS.contains(&entry.key.as_str())).collect();
            // Length and width together describe a schematic map.
            let is_schematic = |key: &str| scales.iter().filter(|entry| entry.key == key).count() == 1;
            let is_pair = scales.len() == 2 && is_schematic("track_length_m") && is_schematic("track_width_m");
            if let Some(first) = scales.first() {
                if let Some(second) = scales.get(1).filter(|_| !is_pair) {
                    return Err(OptionsError::SeveralScales {
                        first: layer.place_of(first),
                        second: layer.place_of(second),
                    });
                }
                merged.retain(|key: &String, _| !SCALE_KEYS.contains(&key.as_str()));
            }
            for entry in &layer.entries {
                let number = entry.value.as_f64();
                if let Some((option, number)) = known_option(&entry.key).zip(number)
                    && option.range.is_some_and(|range| !range.contains(number))
                {
                    return Err(OptionsError::OutOfRange {
                        place: layer.place_of(entry),
                        found: entry.value.to_string(),
                        range: option.allowed(),
                    });
                }
                check_stretches(layer, entry)?;
                merged.insert(entry.key.clone(), entry.value.clone());
            }
        }
        // Each value was checked when its layer was made, so the whole is valid too.
        let options: Self = serde_json::from_value(Value::Object(merged)).map_err(|error| OptionsError::Value {
            place: "options".to_owned(),
            found: "a combination that is not valid".to_owned(),
            expected: error.to_string(),
        })?;
        let is_anywhere = layers.iter().any(|layer| layer.reach() == Reach::Anywhere);
        Ok(Self { reach: if is_anywhere { Reach::Anywhere } else { Reach::WithinFolder }, ..options })
    }

    /// The options with the start and the direction of the reference line `like`, if there is one.
    /// Only these depend on a file beside the input, so that a racing-line file contains all that
    /// shaped it.
    ///
    /// # Errors
    /// [`OptionsError::Reference`] for a reference that cannot be read.
    pub fn resolved(&self) -> Result<Cow<'_, Self>, OptionsError> {
        let Some(like) = &self.like else { return Ok(Cow::Borrowed(self)) };
        let Reference { start_m, direction } = Reference::read(Path::new(like))?;
        let mut options = Self { like: None, ..self.clone() };
        options.track.start = options.track.start.or(Some(Spot::Metres(start_m)));
        options.track.direction = options.track.direction.or(direction);
        Ok(Cow::Owned(options))
    }

    /// What the search for a line takes of these options. Places must be in metres: those in pixels are errors
    /// of the search.
    #[must_use]
    pub fn line_options(&self) -> LineOptions {
        LineOptions {
            method: self.method,
            solve: self.solve.clone(),
            speed: self.speed,
            grip: self.grip.clone(),
            speed_cap: self.speed_cap.clone(),
            pin: self.pin.clone(),
            no_go: self.no_go.clone(),
            clearance: self.clearance,
            edge_margin: self.edge_margin.clone(),
            spacing_m: self.track.spacing_m,
            relief: self.relief,
            load: self.load,
            obstacle: self.obstacle.clone(),
            pick_up: self.pick_up.clone(),
            // A file, which the pipeline reads.
            initial_line: None,
            is_route: self.plan.is_planned(),
            point_spacing_m: self.point_spacing_m,
            prices: true,
        }
    }

    /// The options as a racing-line file contains them: without the vehicle's name.
    #[must_use]
    pub fn without_vehicle(&self) -> Self {
        Self { vehicle: None, ..self.clone() }
    }

    /// The options as those of a line, whose file has the vehicle, and of other files the names alone.
    pub(crate) fn in_file(&self) -> Self {
        let name = |file: &String| Path::new(file).file_name().map(|name| name.to_string_lossy().into_owned());
        Self { initial_line: self.initial_line.as_ref().and_then(name), ..self.without_vehicle() }
    }

    /// The specified vehicle, read from its preset or file, with the safety distance and the fraction
    /// of the grip of the options.
    ///
    /// # Errors
    /// An unknown preset, a file that cannot be read, and a vehicle with a number out of its range.
    pub fn load_vehicle(&self) -> Result<Vehicle, OptionsError> {
        let name = self.vehicle.as_deref().unwrap_or(Self::DEFAULT_VEHICLE);
        let vehicle = if layer::is_vehicle_file(name) {
            Vehicle::read_within(Path::new(name), self.reach).map_err(|error| match error {
                // These errors already name the file.
                VehicleError::Toml { .. } | VehicleError::Unreadable { .. } | VehicleError::TableFile { .. } => {
                    error.into()
                }
                error => OptionsError::VehicleFile { file: name.to_owned(), error },
            })?
        } else {
            preset(name)?
        };
        Ok(self.adapt_vehicle(vehicle)?)
    }

    /// A vehicle of any origin with the safety distance and the fraction of the grip of the options.
    ///
    /// # Errors
    /// A number out of its range.
    pub fn adapt_vehicle(&self, vehicle: Vehicle) -> Result<Vehicle, VehicleError> {
        let mut vehicle = match self.grip_fraction {
            Some(fraction) => vehicle.with_grip(fraction),
            None => vehicle,
        };
        if let Some(safety_distance_m) = self.safety_distance_m {
            vehicle.safety_distance_m = safety_distance_m;
        }
        vehicle.validate()?;
        Ok(vehicle)
    }
}

/// Checks the numbers in a list of stretches, each of which has its own range.
fn check_stretches(layer: &Layer, entry: &Entry) -> Result<(), OptionsError> {
    fn first_wrong<T: DeserializeOwned>(
        value: &Value,
        validate: fn(&T) -> Result<(), (f64, &'static str)>,
    ) -> Result<(), (f64, &'static str)> {
        // What is no list of stretches was refused when the layer was made.
        let stretches: Vec<T> = serde_json::from_value(value.clone()).unwrap_or_default();
        stretches.iter().try_for_each(validate)
    }
    // Every kind is named, so that a new one does not compile before its check is decided.
    let checked = match known_option(&entry.key).map(|option| &option.kind) {
        Some(ValueKind::Grip) => first_wrong(&entry.value, Grip::validate),
        Some(ValueKind::SpeedCap) => first_wrong(&entry.value, SpeedCap::validate),
        Some(ValueKind::Pin) => first_wrong(&entry.value, Pin::validate),
        Some(ValueKind::NoGo) => first_wrong(&entry.value, NoGo::validate),
        Some(ValueKind::Edge) => first_wrong(&entry.value, EdgeStretch::validate),
        Some(ValueKind::EdgePoint) => first_wrong(&entry.value, EdgeCorrection::validate),
        Some(
            ValueKind::Number
            | ValueKind::Switch
            | ValueKind::Count
            | ValueKind::Choice(_)
            | ValueKind::Position
            | ValueKind::Spot
            | ValueKind::Spots
            | ValueKind::Colour
            | ValueKind::EndSpeed
            | ValueKind::EdgeMargin
            | ValueKind::Elevation
            | ValueKind::Banking
            | ValueKind::Obstacle
            | ValueKind::PickUp
            | ValueKind::Corner
            | ValueKind::Numbers
            | ValueKind::OneWay
            | ValueKind::Text,
        )
        | None => Ok(()),
    };
    checked.map_err(|(value, range)| OptionsError::OutOfRange {
        place: layer.place_of(entry),
        found: value.to_string(),
        range: range.to_owned(),
    })
}
