//! A number that is tuned: its name and range.
//!
//! The methods see each parameter as a number u from 0 to 1:
//!
//! ```text
//! linear        v = l + u (h - l)
//! logarithmic   v = l (h / l)^u
//! ```
//!
//! with l and h the range; of an integer, half a step beyond it at both ends, so that each has its part,
//! rounded.

use serde::{Deserialize, Serialize};

use crate::error::TuneError;
use crate::short::short;
use raceline_numerics::math;

/// Largest number of characters of a name.
const LONGEST_NAME: usize = 200;
/// Largest magnitude of a value.
const LARGEST_VALUE: f64 = 1e15;

/// How a parameter's range is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Equal differences count the same.
    #[default]
    Linear,
    /// Equal ratios count the same: for gains and times over more than a decade.
    Logarithmic,
}

/// A number that is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// Name, of 1 to 200 characters, and no other parameter's.
    pub name: String,
    /// Smallest value; above 0 on a logarithmic scale.
    pub min: f64,
    /// Largest value, above `min`.
    pub max: f64,
    /// Scale. Default: linear.
    #[serde(default)]
    pub scale: Scale,
    /// Whether it takes integers alone; its bounds are integers then. Default: false.
    #[serde(default)]
    pub integer: bool,
    /// Value at which tuning begins. Default: the middle of the scale. If any parameter has one, the first
    /// trial is this start, so that it is seen what tuning gains.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
}

impl Parameter {
    /// A parameter on a linear scale from `min` to `max`.
    #[must_use]
    pub fn linear(name: impl Into<String>, min: f64, max: f64) -> Self {
        Self { name: name.into(), min, max, scale: Scale::Linear, integer: false, start: None }
    }

    /// A parameter on a logarithmic scale from `min` to `max`.
    #[must_use]
    pub fn logarithmic(name: impl Into<String>, min: f64, max: f64) -> Self {
        Self { scale: Scale::Logarithmic, ..Self::linear(name, min, max) }
    }

    /// An integer from `min` to `max`.
    #[must_use]
    pub fn integer(name: impl Into<String>, min: i32, max: i32) -> Self {
        Self { integer: true, ..Self::linear(name, f64::from(min), f64::from(max)) }
    }

    /// With the value at which tuning begins.
    #[must_use]
    pub fn starting_at(self, value: f64) -> Self {
        Self { start: Some(value), ..self }
    }

    /// Checks the range.
    ///
    /// # Errors
    /// [`TuneError::Parameter`] with what is wrong.
    pub fn validate(&self) -> Result<(), TuneError> {
        let Self { min, max, .. } = *self;
        let length = self.name.chars().count();
        let (low, high) = (short(min), short(max));
        let start = self.start.unwrap_or(min);
        let reason = if !(1..=LONGEST_NAME).contains(&length) {
            format!("has a name of {length} characters: give 1 to {LONGEST_NAME}")
        } else if !(min < max && min.abs() <= LARGEST_VALUE && max.abs() <= LARGEST_VALUE) {
            format!("ranges from {low} to {high}: give numbers within ±{LARGEST_VALUE:e}, the smaller one first")
        } else if self.scale == Scale::Logarithmic && min <= 0.0 {
            format!("begins at {low} on a logarithmic scale: begin above 0, or make it linear")
        } else if self.integer && (min.fract() != 0.0 || max.fract() != 0.0) {
            format!("is an integer from {low} to {high}: give integers as bounds")
        } else if !(min..=max).contains(&start) {
            format!("starts at {}, but ranges from {low} to {high}", short(start))
        } else if self.integer && start.fract() != 0.0 {
            format!("is an integer, but starts at {}", short(start))
        } else {
            return Ok(());
        };
        let name = self.name.chars().take(LONGEST_NAME).collect();
        Err(TuneError::Parameter { name, reason })
    }

    /// The ends of the scale.
    fn ends(&self) -> [f64; 2] {
        let beyond = if self.integer { 0.5 } else { 0.0 };
        [self.min - beyond, self.max + beyond]
    }

    /// The value at `unit`, 0 to 1.
    pub(crate) fn value_at(&self, unit: f64) -> f64 {
        let [low, high] = self.ends();
        let value = match self.scale {
            Scale::Linear => low + unit * (high - low),
            Scale::Logarithmic => low * math::powf(high / low, unit),
        };
        let value = if self.integer { value.round() } else { value };
        value.clamp(self.min, self.max)
    }

    /// The place of a value on the scale, 0 to 1.
    pub(crate) fn unit_of(&self, value: f64) -> f64 {
        let [low, high] = self.ends();
        match self.scale {
            Scale::Linear => (value - low) / (high - low),
            Scale::Logarithmic => math::ln(value / low) / math::ln(high / low),
        }
    }

    /// The place of what [`Self::value_at`] gives: that of the nearest integer, if it is one.
    pub(crate) fn rounded(&self, unit: f64) -> f64 {
        if self.integer { self.unit_of(self.value_at(unit)) } else { unit }
    }

    /// The place of the start.
    pub(crate) fn start_unit(&self) -> f64 {
        self.rounded(self.start.map_or(0.5, |start| self.unit_of(start)))
    }

    /// Width of the narrowest integer's part of the scale; 0 of other parameters.
    pub(crate) fn step_unit(&self) -> f64 {
        if !self.integer {
            return 0.0;
        }
        // On a logarithmic scale that of the largest.
        let [low, high] = self.ends();
        match self.scale {
            Scale::Linear => 1.0 / (high - low),
            Scale::Logarithmic => math::ln(high / (high - 1.0)) / math::ln(high / low),
        }
    }
}

/// A number of any size reflected at 0 and 1 into the range between.
pub(crate) fn reflected(x: f64) -> f64 {
    let turn = x.rem_euclid(2.0);
    if turn > 1.0 { 2.0 - turn } else { turn }
}
