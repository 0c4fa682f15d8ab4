//! The ranges of a vehicle's numbers. They are wide on purpose, from a robot of the size of a hand
//! to a land-speed record car. They detect wrong units, wrong signs and misplaced decimal points,
//! and keep all later formulas finite.

use super::{DriveLimit, STANDARD_GRAVITY, Vehicle, VehicleError};

/// Largest valid speed, m/s.
const SPEED_CEILING: f64 = 1000.0;
/// Largest valid acceleration, m/s².
const ACCELERATION_CEILING: f64 = 1000.0;
/// Largest valid force, N.
const FORCE_CEILING: f64 = 1e9;
/// Smallest valid tyre limit, m/s².
const MIN_TYRE_LIMIT: f64 = 0.01;
/// Smallest distance between the speeds of a table, m/s; closer points would be practically a jump.
const MIN_SPEED_STEP: f64 = 1e-3;

/// Longest change of gear, s.
const MAX_GEAR_CHANGE_S: f64 = 5.0;

/// A column of a table beside its speeds.
struct Column {
    low: f64,
    high: f64,
    fix: &'static str,
}

impl Vehicle {
    /// Checks every number against its range.
    ///
    /// # Errors
    /// The first number outside its range, by its key.
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
        let driving = self.driving_exponent.unwrap_or(self.ellipse_exponent);
        within("driving_exponent", driving, 1.0, 10.0, "(1 is a diamond, 2 an ellipse)")?;
        within("drag_kgpm", self.drag_kgpm, 0.0, 1000.0, "kg/m")?;
        within("downforce_kgpm", self.downforce_kgpm, 0.0, 1000.0, "kg/m")?;
        within("rolling_resistance", self.rolling_resistance, 0.0, 1.0, "(a fraction of the weight)")?;
        within("max_speed_mps", self.max_speed_mps, 0.1, SPEED_CEILING, "m/s")?;
        within("max_curvature_radpm", self.max_curvature_radpm, 1e-4, 1000.0, "1/m")?;
        let optional = |key: &'static str, value: Option<f64>, low: f64, high: f64, unit: &'static str| {
            value.map_or(Ok(()), |value| within(key, value, low, high, unit))
        };
        optional("table_downforce_kgpm", self.table_downforce_kgpm, 0.0, 1000.0, "kg/m")?;
        optional("max_steering_rad", self.max_steering_rad, 0.001, 1.5, "rad")?;
        optional("steering_rate_radps", self.steering_rate_radps, 0.01, 100.0, "rad/s")?;
        optional("peak_slip_rad", self.peak_slip_rad, 0.01, 1.0, "rad")?;
        optional("front_weight_fraction", self.front_weight_fraction, 0.1, 0.9, "(a fraction of the weight)")?;
        optional("front_downforce_fraction", self.front_downforce_fraction, 0.0, 1.0, "(a fraction of the downforce)")?;
        if self.front_downforce_fraction.is_some() && self.front_weight_fraction.is_none() {
            let (key, needed) = ("front_downforce_fraction", "front_weight_fraction");
            return Err(VehicleError::MissingBeside { vehicle: self.name.clone(), key, needed });
        }
        optional("yaw_inertia_kgm2", self.yaw_inertia_kgm2, 1e-9, 1e9, "kg m²")?;
        optional("centre_of_gravity_m", self.centre_of_gravity_m, 0.0, 100.0, "m")?;
        optional("front_brake_fraction", self.front_brake_fraction, 0.0, 1.0, "(a fraction of the force)")?;
        optional("front_drive_fraction", self.front_drive_fraction, 0.0, 1.0, "(a fraction of the force)")?;
        optional("rear_grip_reserve", self.rear_grip_reserve, 0.0, 1.0, "(a fraction of the limit)")?;
        within("gear_change_s", self.gear_change_s, 0.0, MAX_GEAR_CHANGE_S, "s")?;
        let changes: Vec<[f64; 1]> = self.gear_change_speeds_mps.iter().map(|speed| [*speed]).collect();
        self.validate_table("gear_change_speeds_mps", &changes, &[])?;
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
        if !self.driving_limit_table.is_empty() {
            let fix = "give a driving limit (second number) from 0.01 to 1000 m/s²";
            let column = Column { low: MIN_TYRE_LIMIT, high: ACCELERATION_CEILING, fix };
            self.validate_table("driving_limit_table", &self.driving_limit_table, &[column])?;
        }
        let constants = [
            ("lateral_limit_mps2", self.lateral_limit_mps2),
            ("longitudinal_limit_mps2", self.longitudinal_limit_mps2),
        ];
        if self.ggv_table.is_empty() {
            for (key, value) in constants {
                let (low, high, unit) = (MIN_TYRE_LIMIT, ACCELERATION_CEILING, "m/s²");
                if !(low..=high).contains(&value) {
                    return Err(VehicleError::OutOfRange { vehicle: vehicle(), key, value, low, high, unit });
                }
            }
            return Ok(());
        }
        if let Some((key, _)) = constants.into_iter().find(|(_, value)| *value != 0.0) {
            let fix = "remove one of them; the table contains both tyre limits at every speed";
            return Err(VehicleError::BesideGgvTable { vehicle: vehicle(), key, fix });
        }
        if self.downforce_kgpm != 0.0 {
            let fix = "set downforce_kgpm = 0; the table already includes downforce";
            return Err(VehicleError::BesideGgvTable { vehicle: vehicle(), key: "downforce_kgpm", fix });
        }
        let columns = [
            "give a longitudinal limit (second number) from 0.01 to 1000 m/s²",
            "give a lateral limit (third number) from 0.01 to 1000 m/s²",
        ]
        .map(|fix| Column { low: MIN_TYRE_LIMIT, high: ACCELERATION_CEILING, fix });
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
            let fix = "give a positive value at the lowest speed; otherwise the vehicle cannot start";
            let (vehicle, point) = (self.name.clone(), first.to_vec());
            return Err(VehicleError::TablePoint { vehicle, key, number: 1, point, fix });
        }
        Ok(())
    }

    /// Checks the points of a table over speed; `columns` are the columns beside the speed.
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
            } else if speed < previous_speed + MIN_SPEED_STEP {
                "sort the points by increasing speed, each at least 0.001 m/s above the previous one"
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
