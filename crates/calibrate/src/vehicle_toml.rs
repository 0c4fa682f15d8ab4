//! A calibration as a vehicle file, with how sure each number is as comments.

use std::fmt::Write;

use super::calibration::{Calibration, CurvePoint, Estimate};
use raceline_car::{DriveLimit, VehicleError};

impl Calibration {
    /// The vehicle as TOML. Comments beside the fitted numbers give standard errors, and state
    /// which were not measured.
    ///
    /// # Errors
    /// [`VehicleError::Unwritable`].
    pub fn to_toml(&self) -> Result<String, VehicleError> {
        let plain = self.vehicle.to_toml()?;
        let mut text = format!(
            "# Fitted to {} samples in {:.0} s, up to {:.1} m/s. Mass, sizes and steering are the base vehicle's.\n",
            self.samples, self.seconds, self.fastest_mps
        );
        for note in &self.notes {
            let _ = writeln!(text, "# Note: {note}.");
        }
        let of_number = |line: &str| {
            let key = line.split(" = ").next().unwrap_or_default();
            let estimate = match key {
                "drag_kgpm" => &self.drag_kgpm,
                "rolling_resistance" => &self.rolling_resistance,
                "ellipse_exponent" => &self.ellipse_exponent,
                _ => return None,
            };
            Some(comment(estimate))
        };
        for line in plain.lines() {
            if line.starts_with("ggv_table = ") {
                text.push_str("# Speed m/s, longitudinal m/s², lateral m/s²; standard errors and origins of both.\nggv_table = [\n");
                let points = self.braking.points.iter().zip(&self.lateral.points);
                for ([speed, along, across], (brake, side)) in self.vehicle.ggv_table.iter().zip(points) {
                    let _ = writeln!(
                        text,
                        "    [{speed:?}, {along:?}, {across:?}], # {}, {}",
                        reported(brake, 1.0),
                        reported(side, 1.0)
                    );
                }
                text.push_str("]\n");
            } else if let (true, Some(driving)) = (line.starts_with("driving_limit_table = "), &self.driving) {
                text.push_str("# Speed m/s, what the tyres transmit m/s²; standard errors and origins.\ndriving_limit_table = [\n");
                for ([speed, limit], point) in self.vehicle.driving_limit_table.iter().zip(&driving.points) {
                    let _ = writeln!(text, "    [{speed:?}, {limit:?}], # {}", reported(point, 1.0));
                }
                text.push_str("]\n");
            } else if let (true, DriveLimit::TableN(table)) = (line.starts_with("table_n = "), &self.vehicle.drive) {
                text.push_str("# Speed m/s, force N; standard errors and origins.\ntable_n = [\n");
                for ([speed, force], point) in table.iter().zip(&self.drive.points) {
                    let _ = writeln!(text, "    [{speed:?}, {force:?}], # {}", reported(point, self.vehicle.mass_kg));
                }
                text.push_str("]\n");
            } else if let Some(comment) = of_number(line) {
                let _ = writeln!(text, "{line} # {comment}");
            } else {
                let _ = writeln!(text, "{line}");
            }
        }
        Ok(text)
    }
}

/// Error and origin of a point, with its value multiplied by `scale`.
fn reported(point: &CurvePoint, scale: f64) -> String {
    let origin = point.origin.name();
    match point.standard_error_mps2 {
        Some(error) => format!("±{:.*} {origin}", if scale > 1.0 { 0 } else { 2 }, error * scale),
        None => origin.to_owned(),
    }
}

fn comment(estimate: &Estimate) -> String {
    match estimate.standard_error {
        Some(error) => format!("±{error:.2e}, {} samples", estimate.samples),
        None => "of the base".to_owned(),
    }
}
