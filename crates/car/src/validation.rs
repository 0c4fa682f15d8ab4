//! What a vehicle must fulfil: each number within its range, tables sorted by speed, and numbers that belong
//! together.

use raceline_numerics::math;

use super::ranges::{ACCELERATION_CEILING, FORCE_CEILING, MIN_TYRE_LIMIT, SPEED_CEILING};
use super::{DriveLimit, STANDARD_GRAVITY, Vehicle, VehicleError};

/// Smallest distance between the speeds of a table, m/s; closer points would be practically a jump.
pub(super) const MIN_SPEED_STEP: f64 = 1e-3;
/// Fraction by which `max_curvature_radpm` may exceed what the wheels reach: people round both.
const ROUNDED: f64 = 0.01;

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
        self.validate_numbers()?;
        self.validate_tyre_limits()?;
        if self.front_downforce_fraction.is_some() && self.front_weight_fraction.is_none() {
            let (key, needed) = ("front_downforce_fraction", "front_weight_fraction");
            return Err(VehicleError::MissingBeside { vehicle: self.name.clone(), key, needed });
        }
        self.validate_steering()?;
        self.validate_lean()?;
        self.validate_wheels()?;
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
            DriveLimit::PowerAndForce { .. } => {}
        }
        self.validate_start()
    }

    /// The largest curvature is one that the front wheels reach.
    fn validate_steering(&self) -> Result<(), VehicleError> {
        let Some(steering_rad) = self.max_steering_rad else { return Ok(()) };
        let reached_radpm = math::tan(steering_rad) / self.wheelbase_m;
        if self.max_curvature_radpm <= reached_radpm * (1.0 + ROUNDED) {
            return Ok(());
        }
        Err(VehicleError::SteersTooLittle {
            vehicle: self.name.clone(),
            steering_rad,
            curvature_radpm: self.max_curvature_radpm,
            reached_radpm,
            needed_rad: math::atan(self.max_curvature_radpm * self.wheelbase_m),
        })
    }

    /// A vehicle that leans needs its place of the centre of gravity: a guessed one would allow brakes that turn it over.
    fn validate_lean(&self) -> Result<(), VehicleError> {
        let needed = [
            ("centre_of_gravity_m", self.centre_of_gravity_m.filter(|height| *height > 0.0)),
            ("front_weight_fraction", self.front_weight_fraction),
        ];
        match (self.lean_rate_radps, needed.into_iter().find(|(_, value)| value.is_none())) {
            (Some(_), Some((needed, _))) => {
                let (vehicle, key) = (self.name.clone(), "lean_rate_radps");
                Err(VehicleError::MissingBeside { vehicle, key, needed })
            }
            _ => Ok(()),
        }
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

#[cfg(test)]
mod tests;
