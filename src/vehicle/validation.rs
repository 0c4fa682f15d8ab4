//! The ranges of a vehicle's numbers. They are wide on purpose: they catch a wrong unit, a wrong sign and a slip of the
//! decimal point, from a robot that fits in a hand to a land-speed record car, and keep every later formula finite.

use super::{DriveLimit, Vehicle, VehicleError};

/// Highest speed that a vehicle may name, m/s.
const SPEED_CEILING: f64 = 1000.0;
/// Highest acceleration that a vehicle may name, m/s².
const ACCELERATION_CEILING: f64 = 1000.0;

impl Vehicle {
    /// Checks every number against its range and stops at the first that lies outside.
    pub fn validate(&self) -> Result<(), VehicleError> {
        let within = |key: &'static str, value: f64, low: f64, high: f64, unit: &'static str| {
            if (low..=high).contains(&value) {
                return Ok(());
            }
            Err(VehicleError::OutOfRange { vehicle: self.name.clone(), key, value, low, high, unit })
        };
        within("mass_kg", self.mass_kg, 0.001, 1e6, "kg")?;
        within("width_m", self.width_m, 0.001, 100.0, "m")?;
        within("length_m", self.length_m, 0.001, 100.0, "m")?;
        within("wheelbase_m", self.wheelbase_m, 0.001, 100.0, "m")?;
        within("safety_distance_m", self.safety_distance_m, 0.0, 100.0, "m")?;
        within("lateral_limit_mps2", self.lateral_limit_mps2, 0.01, ACCELERATION_CEILING, "m/s²")?;
        within("longitudinal_limit_mps2", self.longitudinal_limit_mps2, 0.01, ACCELERATION_CEILING, "m/s²")?;
        within("ellipse_exponent", self.ellipse_exponent, 1.0, 10.0, "(1 is a diamond, 2 an ellipse)")?;
        within("drag_kgpm", self.drag_kgpm, 0.0, 1000.0, "kg/m")?;
        within("downforce_kgpm", self.downforce_kgpm, 0.0, 1000.0, "kg/m")?;
        within("max_speed_mps", self.max_speed_mps, 0.1, SPEED_CEILING, "m/s")?;
        within("max_curvature_radpm", self.max_curvature_radpm, 1e-4, 1000.0, "1/m")?;
        match &self.drive {
            DriveLimit::TableMps2(points) => self.validate_drive_table(points),
            DriveLimit::PowerAndForce { power_w, force_n } => {
                within("drive.power_and_force.power_w", *power_w, 0.001, 1e9, "W")?;
                within("drive.power_and_force.force_n", *force_n, 0.001, 1e9, "N")
            }
        }
    }

    fn validate_drive_table(&self, points: &[[f64; 2]]) -> Result<(), VehicleError> {
        if points.is_empty() {
            return Err(VehicleError::EmptyDriveTable { vehicle: self.name.clone() });
        }
        let mut previous_speed = f64::NEG_INFINITY;
        for (index, &[speed, acceleration]) in points.iter().enumerate() {
            let fix = if !(0.0..=SPEED_CEILING).contains(&speed) {
                "give a speed from 0 to 1000 m/s"
            } else if speed <= previous_speed {
                "put the points in the order of rising speed, each speed once"
            } else if !(0.0..=ACCELERATION_CEILING).contains(&acceleration) {
                "give an acceleration from 0 to 1000 m/s²"
            } else if index == 0 && acceleration == 0.0 {
                "give a positive acceleration, or the vehicle can't start"
            } else {
                previous_speed = speed;
                continue;
            };
            return Err(VehicleError::DrivePoint {
                vehicle: self.name.clone(),
                number: index + 1,
                speed,
                acceleration,
                fix,
            });
        }
        Ok(())
    }
}
