//! Vehicles as TOML files.

use std::path::Path;

use super::{Vehicle, VehicleError};

impl Vehicle {
    /// Reads and validates a vehicle. Every key must be there but `name`, which defaults to the file's name without its
    /// ending; a key that no vehicle has is an error. `file_name` is for that and for messages: nothing is opened.
    pub fn from_toml(text: &str, file_name: &str) -> Result<Self, VehicleError> {
        let mut vehicle: Self = toml::from_str(text).map_err(|error| VehicleError::Toml {
            file: file_name.to_owned(),
            message: error.to_string().trim_end().to_owned(),
        })?;
        if vehicle.name.is_empty() {
            let stem = Path::new(file_name).file_stem().unwrap_or_default();
            vehicle.name = stem.to_string_lossy().into_owned();
        }
        vehicle.validate()?;
        Ok(vehicle)
    }

    /// The vehicle as TOML that [`Self::from_toml`] reads back to an equal one.
    pub fn to_toml(&self) -> Result<String, VehicleError> {
        toml::to_string(self)
            .map_err(|error| VehicleError::Unwritable { vehicle: self.name.clone(), message: error.to_string() })
    }
}
