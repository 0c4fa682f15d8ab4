//! What a page needs for its g-g diagram and its chart of grip beside the points: the limits of the
//! vehicle by speed, and the grip along the line.

use serde::Serialize;

use super::columns::{Column, Precision};
use raceline::RacingLine;
use raceline::file::LinePoint;
use raceline::pipeline::grip_along;
use raceline_car::{GgDiagram, Vehicle};
use raceline_file::round_to;

/// Number of speeds at which a page knows the vehicle's limits; between them it interpolates.
const SPEEDS: usize = 48;

/// The vehicle's limits at ascending speeds, m/s and m/s², on a level road with a grip of 1, and the
/// exponents of its ellipses.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Limits {
    speed_mps: Vec<f64>,
    across_mps2: Vec<f64>,
    braking_mps2: Vec<f64>,
    driving_mps2: Vec<f64>,
    /// Of the drive.
    drive_mps2: Vec<f64>,
    resistance_mps2: Vec<f64>,
    braking_exponent: f64,
    driving_exponent: f64,
}

/// The limits of the vehicle of `line`; `None` if it is none that can drive.
pub(super) fn limits(line: &RacingLine) -> Option<Limits> {
    let top_mps = line.points.iter().map(|point| point.speed_mps).fold(0.0, f64::max);
    let speed_mps = (0..SPEEDS).map(|i| round_to(top_mps * i as f64 / (SPEEDS - 1) as f64, 3)).collect();
    limits_at(&line.vehicle, speed_mps)
}

/// The limits of `vehicle` at ascending speeds, m/s; `None` if it is none that can drive.
pub(super) fn limits_at(vehicle: &Vehicle, speed_mps: Vec<f64>) -> Option<Limits> {
    let diagram = GgDiagram::new(vehicle).ok()?;
    let column = |value: &dyn Fn(f64) -> f64| speed_mps.iter().map(|v| round_to(value(v * v), 3)).collect();
    Some(Limits {
        across_mps2: column(&|w| diagram.lateral_limit(w)),
        braking_mps2: column(&|w| diagram.longitudinal_limit(w)),
        driving_mps2: column(&|w| diagram.driving_limit_jet(w).value),
        drive_mps2: column(&|w| diagram.drive_jet(w).value),
        resistance_mps2: column(&|w| diagram.resistance(w)),
        braking_exponent: diagram.exponent(),
        driving_exponent: diagram.driving_exponent(),
        speed_mps,
    })
}

/// Factor on both limits at each point, the grip of surface and stretches times the load of the tyres;
/// `None` where it is 1 everywhere.
pub(super) fn grip_factor(line: &RacingLine, precision: Precision) -> Option<Column> {
    // A line whose road cannot be made again is drawn without its stretches.
    let grip = grip_along(line).ok().flatten();
    let of_point =
        |(i, point): (usize, &LinePoint)| grip.as_ref().map_or(1.0, |grip| grip[i]) * point.load.unwrap_or(1.0);
    let factors: Vec<f64> = line.points.iter().enumerate().map(of_point).collect();
    factors.iter().any(|&factor| factor != 1.0).then(|| precision.speeds(factors.into_iter()))
}
