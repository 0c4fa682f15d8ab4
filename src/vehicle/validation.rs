//! The ranges of a vehicle's numbers. They are wide on purpose: they catch a wrong unit, a wrong sign and a slip of the
//! decimal point, from a robot that fits in a hand to a land-speed record car, and keep every later formula finite.

use super::{DriveLimit, STANDARD_GRAVITY, Vehicle, VehicleError};

/// Highest speed that a vehicle may name, m/s.
const SPEED_CEILING: f64 = 1000.0;
/// Highest acceleration that a vehicle may name, m/s².
const ACCELERATION_CEILING: f64 = 1000.0;
/// Highest force that a vehicle may name, N.
const FORCE_CEILING: f64 = 1e9;
/// Lowest tyre limit that a vehicle may name, m/s².
const LEAST_TYRE_LIMIT: f64 = 0.01;
/// Points of a table must lie this far apart, m/s; closer ones would be a jump in all but name.
const LEAST_SPEED_STEP: f64 = 1e-3;

/// A column of a table beside its speeds.
struct Column {
    low: f64,
    high: f64,
    fix: &'static str,
}

impl Vehicle {
    /// Checks every number against its range and stops at the first that lies outside.
    ///
    /// # Errors
    /// The first number that lies outside its range, by its key.
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
        self.validate_tyre_limits()?;
        within("ellipse_exponent", self.ellipse_exponent, 1.0, 10.0, "(1 is a diamond, 2 an ellipse)")?;
        within("drag_kgpm", self.drag_kgpm, 0.0, 1000.0, "kg/m")?;
        within("downforce_kgpm", self.downforce_kgpm, 0.0, 1000.0, "kg/m")?;
        within("rolling_resistance", self.rolling_resistance, 0.0, 1.0, "(a share of the weight)")?;
        within("max_speed_mps", self.max_speed_mps, 0.1, SPEED_CEILING, "m/s")?;
        within("max_curvature_radpm", self.max_curvature_radpm, 1e-4, 1000.0, "1/m")?;
        match &self.drive {
            DriveLimit::TableMps2(points) => {
                let fix = "give an acceleration from 0 to 1000 m/s²";
                self.validate_drive_table("drive.table_mps2", points, "acceleration m/s²", ACCELERATION_CEILING, fix)?;
            }
            DriveLimit::TableN(points) => {
                let fix = "give a force from 0 to 1e9 N";
                self.validate_drive_table("drive.table_n", points, "force N", FORCE_CEILING, fix)?;
            }
            DriveLimit::PowerAndForce { power_w, force_n } => {
                within("drive.power_and_force.power_w", *power_w, 0.001, 1e9, "W")?;
                within("drive.power_and_force.force_n", *force_n, 0.001, FORCE_CEILING, "N")?;
            }
        }
        self.validate_start()
    }

    fn validate_tyre_limits(&self) -> Result<(), VehicleError> {
        let vehicle = || self.name.clone();
        let constants = [
            ("lateral_limit_mps2", self.lateral_limit_mps2),
            ("longitudinal_limit_mps2", self.longitudinal_limit_mps2),
        ];
        if self.ggv_table.is_empty() {
            for (key, value) in constants {
                let (low, high, unit) = (LEAST_TYRE_LIMIT, ACCELERATION_CEILING, "m/s²");
                if !(low..=high).contains(&value) {
                    return Err(VehicleError::OutOfRange { vehicle: vehicle(), key, value, low, high, unit });
                }
            }
            return Ok(());
        }
        if let Some((key, _)) = constants.into_iter().find(|(_, value)| *value != 0.0) {
            let fix = "leave one of them out, the table has both tyre limits at every speed";
            return Err(VehicleError::BesideGgvTable { vehicle: vehicle(), key, fix });
        }
        if self.downforce_kgpm != 0.0 {
            let fix = "set downforce_kgpm = 0, the table has what downforce adds";
            return Err(VehicleError::BesideGgvTable { vehicle: vehicle(), key: "downforce_kgpm", fix });
        }
        let columns = [
            "give a longitudinal limit (second number) from 0.01 to 1000 m/s²",
            "give a lateral limit (third number) from 0.01 to 1000 m/s²",
        ]
        .map(|fix| Column { low: LEAST_TYRE_LIMIT, high: ACCELERATION_CEILING, fix });
        self.validate_table("ggv_table", &self.ggv_table, &columns)
    }

    fn validate_drive_table(
        &self,
        key: &'static str,
        points: &[[f64; 2]],
        unit: &'static str,
        high: f64,
        fix: &'static str,
    ) -> Result<(), VehicleError> {
        let Some(&first) = points.first() else {
            return Err(VehicleError::EmptyTable { vehicle: self.name.clone(), key, unit });
        };
        self.validate_table(key, points, &[Column { low: 0.0, high, fix }])?;
        if first[1] == 0.0 {
            let fix = "give a positive value at the lowest speed, or the vehicle can't start";
            let (vehicle, point) = (self.name.clone(), first.to_vec());
            return Err(VehicleError::TablePoint { vehicle, key, number: 1, point, fix });
        }
        Ok(())
    }

    /// Checks the points of a table over speed, `columns` beside the speed.
    fn validate_table<const N: usize>(
        &self,
        key: &'static str,
        points: &[[f64; N]],
        columns: &[Column],
    ) -> Result<(), VehicleError> {
        let mut previous_speed = f64::NEG_INFINITY;
        for (index, point) in points.iter().enumerate() {
            let speed = point[0];
            let wrong = columns.iter().zip(&point[1..]).find(|(column, v)| !(column.low..=column.high).contains(*v));
            let fix = if !(0.0..=SPEED_CEILING).contains(&speed) {
                "give a speed from 0 to 1000 m/s"
            } else if speed < previous_speed + LEAST_SPEED_STEP {
                "put the points in the order of rising speed, each at least 0.001 m/s above the one before"
            } else if let Some((column, _)) = wrong {
                column.fix
            } else {
                previous_speed = speed;
                continue;
            };
            return Err(VehicleError::TablePoint {
                vehicle: self.name.clone(),
                key,
                number: index + 1,
                point: point.to_vec(),
                fix,
            });
        }
        Ok(())
    }

    fn validate_start(&self) -> Result<(), VehicleError> {
        let tyres = self.ggv_table.first().map_or(self.longitudinal_limit_mps2, |point| point[1]);
        let drive = match &self.drive {
            DriveLimit::TableMps2(points) => points.first().map_or(0.0, |point| point[1]),
            DriveLimit::TableN(points) => points.first().map_or(0.0, |point| point[1] / self.mass_kg),
            DriveLimit::PowerAndForce { force_n, .. } => force_n / self.mass_kg,
        };
        let (acceleration, deceleration) = (drive.min(tyres), self.rolling_resistance * STANDARD_GRAVITY);
        if deceleration < acceleration {
            return Ok(());
        }
        let (vehicle, coefficient) = (self.name.clone(), self.rolling_resistance);
        Err(VehicleError::HeldByRolling { vehicle, coefficient, deceleration, acceleration })
    }
}
