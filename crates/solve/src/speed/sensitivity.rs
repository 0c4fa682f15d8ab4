//! Derivatives of a line's lap time with respect to each number of the vehicle.
//!
//! The derivative is taken on the fixed line, by central differences of the simulated lap. For the
//! fastest line that the road allows, it is also the derivative of the fastest lap, to first order:
//! there the lap time is stationary in the line, so moving the line with the parameter gains only
//! to second order (the envelope theorem; Milgrom and Segal, *Envelope theorems for arbitrary
//! choice sets*, Econometrica 70 (2002), 583-601, theorem 1). This requires that the parameter does
//! not change which lines the road allows; [`Effect::Road`] marks those that do.

use serde::Serialize;

use super::{FixedLine, SpeedError};
use raceline_car::{Parameter, Vehicle, VehicleError};

/// Relative step of a parameter to either side. The truncation error falls with the square of the
/// step; the error from the solver's tolerance, about 1e-9 of the lap time, grows with its inverse.
pub const RELATIVE_STEP: f64 = 1e-4;
/// A parameter that is zero has no scale: its step grows tenfold from the first to the last of
/// these,
const FIRST_STEP_FROM_ZERO: f64 = 1e-6;
const LAST_STEP_FROM_ZERO: f64 = 1.0;
/// until the lap time changes by this fraction.
const SEEN_CHANGE: f64 = 1e-5;
/// A derivative that changes the lap by less than this fraction for a change of 1 % is rounding
/// noise and counts as zero.
const MIN_FRACTION_PER_PERCENT: f64 = 1e-9;

/// Parameters that determine where on the road a line may lie.
const ROAD_KEYS: [&str; 3] = ["max_curvature_radpm", "safety_distance_m", "width_m"];

/// Whether the vehicle's key `key` determines where on the road a line may lie, so that a fixed
/// line has no derivative by it.
#[must_use]
pub fn changes_the_road(key: &str) -> bool {
    ROAD_KEYS.contains(&key)
}

/// The effect of a parameter on a lap.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "effect")]
pub enum Effect {
    /// The lap time of the fixed line changes.
    LapTime {
        /// d(lap time) / d(parameter), s per the parameter's unit; negative where more is faster.
        s_per_unit: f64,
        /// Change of the lap time for 1 % more of the parameter, s; absent where the parameter is
        /// zero.
        #[serde(skip_serializing_if = "Option::is_none")]
        s_per_percent: Option<f64>,
    },
    /// The lines that the road allows change. A fixed line's lap time has no meaning here: a new
    /// line is required.
    Road,
}

/// A parameter and its effect on a lap.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sensitivity {
    /// The parameter's key, or `grip`.
    pub key: String,
    /// Value of the key, in `unit`.
    pub value: f64,
    /// Unit of the value; empty for a number without one.
    pub unit: &'static str,
    /// Effect of the key on the lap time.
    #[serde(flatten)]
    pub effect: Effect,
}

/// The effect of each number of `vehicle` on the lap time of a line. The largest effect per percent
/// comes first, then parameters that are zero, and last those that change the road.
///
/// # Errors
/// The errors of [`FixedLine::profile`].
pub fn sensitivities(line: FixedLine, vehicle: &Vehicle) -> Result<Vec<Sensitivity>, SpeedError> {
    // Checks the line, which a lap time alone does not.
    line.profile(vehicle)?;
    sensitivities_of(&|vehicle| line.lap_time(vehicle), vehicle, vehicle.parameters()?, MIN_FRACTION_PER_PERCENT)
}

/// The effect of each of `parameters` of `vehicle` on `lap_time`, s, sorted likewise. An effect of
/// less than `min_fraction` of the lap for a change of 1 % counts as zero.
///
/// # Errors
/// The errors of `lap_time`.
pub fn sensitivities_of(
    lap_time: &dyn Fn(&Vehicle) -> Result<f64, SpeedError>,
    vehicle: &Vehicle,
    parameters: Vec<Parameter>,
    min_fraction: f64,
) -> Result<Vec<Sensitivity>, SpeedError> {
    let base_s = lap_time(vehicle)?;
    let mut all = Vec::new();
    for Parameter { key, value, unit } in parameters {
        let effect = if changes_the_road(&key) {
            Effect::Road
        } else {
            match difference(lap_time, vehicle, (&key, value), RELATIVE_STEP, base_s) {
                Ok(s_per_unit) => {
                    let per_percent = 0.01 * value * s_per_unit;
                    let is_zero = value != 0.0 && per_percent.abs() < min_fraction * base_s;
                    let (s_per_unit, per_percent) = if is_zero { (0.0, 0.0) } else { (s_per_unit, per_percent) };
                    Effect::LapTime { s_per_unit, s_per_percent: (value != 0.0).then_some(per_percent) }
                }
                // A parameter that cannot change in small steps, such as a count, or that a table
                // replaces, has no derivative.
                Err(SpeedError::Vehicle(VehicleError::ParameterValue { .. } | VehicleError::BesideGgvTable { .. })) => {
                    continue;
                }
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
    // The sort is stable, so equals stay in the order of their keys.
    all.sort_by(|a, b| {
        let ((a, a_effect), (b, b_effect)) = (rank(a), rank(b));
        a.cmp(&b).then(b_effect.total_cmp(&a_effect))
    });
    Ok(all)
}

/// d(lap time) / d(`key`), s per the key's unit, by second-order differences with steps of
/// `relative_step` times the value: central, or one-sided where a step would leave the parameter's
/// range.
///
/// # Errors
/// The errors of [`FixedLine::profile`], and of [`Vehicle::parameter`] for the key.
pub fn derivative(line: FixedLine, vehicle: &Vehicle, key: &str, relative_step: f64) -> Result<f64, SpeedError> {
    let own = vehicle.parameter(key)?.unwrap_or(0.0);
    let lap_time = |vehicle: &Vehicle| line.lap_time(vehicle);
    difference(&lap_time, vehicle, (key, own), relative_step, line.profile(vehicle)?.lap_time_s)
}

/// Derivative of any lap time by a key of the vehicle, from the key's value and the known lap time
/// of `vehicle` itself, `base_s`.
fn difference(
    lap_time: &dyn Fn(&Vehicle) -> Result<f64, SpeedError>,
    vehicle: &Vehicle,
    (key, own): (&str, f64),
    relative_step: f64,
    base_s: f64,
) -> Result<f64, SpeedError> {
    let lap_at = |offset: f64| -> Result<f64, SpeedError> {
        let changed = vehicle.with_parameters(&[(key, own + offset)])?;
        lap_time(&changed)
    };
    let out_of_range = |error: &SpeedError| matches!(error, SpeedError::Vehicle(VehicleError::OutOfRange { .. }));
    if own == 0.0 {
        let mut step = FIRST_STEP_FROM_ZERO;
        while step < LAST_STEP_FROM_ZERO && (lap_at(step)? - base_s).abs() < SEEN_CHANGE * base_s {
            step *= 10.0;
        }
        // A fraction without an effect has no room for the last step.
        return match one_sided(&lap_at, base_s, step) {
            Err(error) if out_of_range(&error) => one_sided(&lap_at, base_s, 0.1 * step),
            found => found,
        };
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
