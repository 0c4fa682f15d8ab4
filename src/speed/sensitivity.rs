//! How the lap time of a line changes with each number of the vehicle.
//!
//! The derivative is taken on the fixed line, by central differences of the simulated lap. For a line that is the fastest of all
//! that the road allows it is also the derivative of the fastest lap, to first order: there the lap time doesn't change with the
//! line, so what the line would gain by moving with the parameter is of second order (the envelope theorem; Milgrom and Segal, *Envelope theorems
//! for arbitrary choice sets*, Econometrica 70 (2002), 583-601, theorem 1). That holds as long as the parameter doesn't change which lines the road allows;
//! [`Effect::Road`] marks those that do.

use serde::Serialize;

use super::{FixedLine, SpeedError};
use crate::vehicle::{Parameter, Vehicle, VehicleError};

/// A parameter changes by this share of itself to either side. The difference's own error falls with the square of the step;
/// what the solver's tolerance leaves in a lap time, a share of some 1e-9, grows with its inverse.
pub const RELATIVE_STEP: f64 = 1e-4;
/// A parameter that is zero has no scale of its own: its step grows tenfold from the first to the last of these …
const FIRST_STEP_FROM_ZERO: f64 = 1e-6;
const LAST_STEP_FROM_ZERO: f64 = 1.0;
/// … until the lap changes by this share of itself.
const SEEN_CHANGE: f64 = 1e-5;
/// A derivative that moves the lap by less than this share of it for a change of 1 % is what rounding leaves of zero.
const LEAST_SHARE_PER_PERCENT: f64 = 1e-9;

/// Numbers that say where on the road a line may lie.
const ROAD_KEYS: [&str; 3] = ["max_curvature_radpm", "safety_distance_m", "width_m"];

/// What a parameter does to a lap.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "effect")]
pub enum Effect {
    /// It changes the lap time of the fixed line.
    LapTime {
        /// d(lap time) / d(parameter), s per the parameter's unit; negative where more is faster.
        s_per_unit: f64,
        /// Change of the lap time for 1 % more of the parameter, s; absent where the parameter is zero.
        #[serde(skip_serializing_if = "Option::is_none")]
        s_per_percent: Option<f64>,
    },
    /// It changes which lines the road allows, and a fixed line's lap says nothing: it needs a new line.
    Road,
}

/// A parameter and what it does to a lap.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sensitivity {
    /// The parameter's key, or `grip`.
    pub key: String,
    /// Its value, in `unit`.
    pub value: f64,
    /// Its unit; empty for a number without one.
    pub unit: &'static str,
    /// What it does.
    #[serde(flatten)]
    pub effect: Effect,
}

/// What each number of `vehicle` does to the lap of a line, the strongest per percent first; then those that are zero, and last those that
/// change the road.
///
/// # Errors
/// Those of [`FixedLine::profile`].
pub fn sensitivities(line: FixedLine, vehicle: &Vehicle) -> Result<Vec<Sensitivity>, SpeedError> {
    let base_s = line.profile(vehicle)?.lap_time_s;
    let mut all = Vec::new();
    for Parameter { key, value, unit } in vehicle.parameters()? {
        let effect = if ROAD_KEYS.contains(&key.as_str()) {
            Effect::Road
        } else {
            match difference(line, vehicle, &key, RELATIVE_STEP, base_s) {
                Ok(s_per_unit) => {
                    let per_percent = 0.01 * value * s_per_unit;
                    let is_zero = value != 0.0 && per_percent.abs() < LEAST_SHARE_PER_PERCENT * base_s;
                    let (s_per_unit, per_percent) = if is_zero { (0.0, 0.0) } else { (s_per_unit, per_percent) };
                    Effect::LapTime { s_per_unit, s_per_percent: (value != 0.0).then_some(per_percent) }
                }
                // A number that can't change a little, such as a count, has no derivative.
                Err(SpeedError::Vehicle(VehicleError::ParameterValue { .. })) => continue,
                Err(error) => return Err(error),
            }
        };
        all.push(Sensitivity { key, value, unit, effect });
    }
    let rank = |sensitivity: &Sensitivity| match sensitivity.effect {
        Effect::LapTime { s_per_percent: Some(effect), .. } => (0, effect.abs()),
        Effect::LapTime { s_per_unit, .. } => (1, s_per_unit.abs()),
        Effect::Road => (2, 0.0),
    };
    // Stable, so equals stay in the order of their keys.
    all.sort_by(|a, b| {
        let ((a, a_effect), (b, b_effect)) = (rank(a), rank(b));
        a.cmp(&b).then(b_effect.total_cmp(&a_effect))
    });
    Ok(all)
}

/// d(lap time) / d(`key`), s per the key's unit, by the difference of second order with steps
/// of `relative_step` times the value: central, or one-sided where a step would leave the parameter's range.
///
/// # Errors
/// Those of [`FixedLine::profile`], and of [`Vehicle::parameter`] for the key.
pub fn derivative(line: FixedLine, vehicle: &Vehicle, key: &str, relative_step: f64) -> Result<f64, SpeedError> {
    difference(line, vehicle, key, relative_step, line.profile(vehicle)?.lap_time_s)
}

/// The same where the lap time of `vehicle` itself, `base_s`, is known.
fn difference(
    line: FixedLine,
    vehicle: &Vehicle,
    key: &str,
    relative_step: f64,
    base_s: f64,
) -> Result<f64, SpeedError> {
    let own = vehicle.parameter(key)?.unwrap_or(0.0);
    let lap_at = |offset: f64| -> Result<f64, SpeedError> {
        let changed = vehicle.with_parameters(&[(key, own + offset)])?;
        line.lap_time(&changed)
    };
    let out_of_range = |error: &SpeedError| matches!(error, SpeedError::Vehicle(VehicleError::OutOfRange { .. }));
    if own == 0.0 {
        let mut step = FIRST_STEP_FROM_ZERO;
        while step < LAST_STEP_FROM_ZERO && (lap_at(step)? - base_s).abs() < SEEN_CHANGE * base_s {
            step *= 10.0;
        }
        return one_sided(&lap_at, base_s, step);
    }
    let step = relative_step * own.abs();
    match (lap_at(step), lap_at(-step)) {
        (Ok(more), Ok(less)) => Ok((more - less) / (2.0 * step)),
        (Ok(_), Err(error)) if out_of_range(&error) => one_sided(&lap_at, base_s, step),
        (Err(error), Ok(_)) if out_of_range(&error) => one_sided(&lap_at, base_s, -step),
        (Err(error), _) | (_, Err(error)) => Err(error),
    }
}

/// (-3 f(0) + 4 f(h) - f(2h)) / 2h, for h of either sign.
fn one_sided(lap_at: &dyn Fn(f64) -> Result<f64, SpeedError>, base_s: f64, step: f64) -> Result<f64, SpeedError> {
    Ok((4.0 * lap_at(step)? - 3.0 * base_s - lap_at(2.0 * step)?) / (2.0 * step))
}
