//! The ranges of options. Each is a constant beside the struct that holds the option. The field's
//! attribute `#[schemars(extend("x-range" = …))]` puts it into the option's schema, and the
//! struct's `validate` checks it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The finite numbers that an option may take, in SI units.
///
/// ```
/// use raceline_road::range::Range;
///
/// const SPEED: Range = Range::between(0.0, 1000.0).in_metres_per_second();
/// assert!(SPEED.contains(70.0) && !SPEED.contains(-1.0) && !SPEED.contains(f64::NAN));
/// assert_eq!(SPEED.to_string(), "from 0 to 1000 m/s");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Range {
    low: Low,
    high: Option<f64>,
    unit: Unit,
}

/// The lower end of a range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Low {
    None,
    AtLeast(f64),
    Above(f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Unit {
    #[serde(rename = "")]
    None,
    #[serde(rename = "m")]
    Metres,
    #[serde(rename = "m/s")]
    MetresPerSecond,
}

impl Range {
    /// Numbers greater than `low`.
    #[must_use]
    pub const fn above(low: f64) -> Self {
        Self { low: Low::Above(low), high: None, unit: Unit::None }
    }

    /// `low` and greater numbers.
    #[must_use]
    pub const fn at_least(low: f64) -> Self {
        Self { low: Low::AtLeast(low), high: None, unit: Unit::None }
    }

    /// `high` and smaller numbers.
    #[must_use]
    pub const fn at_most(high: f64) -> Self {
        Self { low: Low::None, high: Some(high), unit: Unit::None }
    }

    /// Numbers from `low` to `high`, both included.
    #[must_use]
    pub const fn between(low: f64, high: f64) -> Self {
        Self { low: Low::AtLeast(low), high: Some(high), unit: Unit::None }
    }

    /// Returns the range for a length in metres.
    #[must_use]
    pub const fn in_metres(self) -> Self {
        Self { unit: Unit::Metres, ..self }
    }

    /// Returns the range for a speed in metres per second.
    #[must_use]
    pub const fn in_metres_per_second(self) -> Self {
        Self { unit: Unit::MetresPerSecond, ..self }
    }

    /// Whether `value` is finite and in the range.
    #[must_use]
    pub fn contains(self, value: f64) -> bool {
        let high_enough = match self.low {
            Low::None => true,
            Low::AtLeast(low) => value >= low,
            Low::Above(low) => value > low,
        };
        value.is_finite() && high_enough && self.high.is_none_or(|high| value <= high)
    }

    /// Checks the value of the option named `option`.
    ///
    /// # Errors
    /// [`OutOfRange`] where the range does not contain `value`.
    pub fn check(self, option: &'static str, value: f64) -> Result<(), OutOfRange> {
        if self.contains(value) { Ok(()) } else { Err(OutOfRange { option, value, range: self }) }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = match self.unit {
            Unit::None => "",
            Unit::Metres => " m",
            Unit::MetresPerSecond => " m/s",
        };
        match (self.low, self.high) {
            (Low::None, None) => write!(f, "a finite number"),
            (Low::None, Some(high)) => write!(f, "at most {high}{unit}"),
            (Low::AtLeast(low), None) => write!(f, "{low}{unit} or more"),
            (Low::AtLeast(low), Some(high)) => write!(f, "from {low} to {high}{unit}"),
            (Low::Above(low), None) => write!(f, "above {low}{unit}"),
            (Low::Above(low), Some(high)) => write!(f, "above {low} and at most {high}{unit}"),
        }
    }
}

/// A number outside its range.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{option} = {value} must be {range}")]
#[non_exhaustive]
pub struct OutOfRange {
    /// The option's key.
    pub option: &'static str,
    /// Value of the option.
    pub value: f64,
    /// The allowed range.
    pub range: Range,
}

#[cfg(test)]
mod tests {
    use super::Range;

    #[test]
    fn ends_belong_to_a_range_unless_it_lies_above_them() {
        assert!(!Range::above(0.0).contains(0.0) && Range::above(0.0).contains(1e-9));
        assert!(Range::at_least(0.0).contains(0.0) && !Range::at_least(0.0).contains(-1e-9));
        assert!(Range::at_most(5.0).contains(5.0) && !Range::at_most(5.0).contains(5.1));
        assert!(Range::between(1.0, 2.0).contains(1.0) && Range::between(1.0, 2.0).contains(2.0));
        assert!([f64::NAN, f64::INFINITY, f64::NEG_INFINITY].iter().all(|&value| !Range::at_most(5.0).contains(value)));
        assert!(!Range::above(0.0).contains(f64::INFINITY));
    }

    #[test]
    fn a_range_survives_its_schema() {
        for range in
            [Range::above(0.0).in_metres(), Range::at_most(1e5), Range::between(0.0, 9.0).in_metres_per_second()]
        {
            let value = serde_json::to_value(range).unwrap();
            assert_eq!(serde_json::from_value::<Range>(value).unwrap(), range);
        }
        assert_eq!(Range::above(0.0).in_metres().to_string(), "above 0 m");
        assert_eq!(Range::at_least(1.0).to_string(), "1 or more");
        assert_eq!(Range::at_most(1e5).to_string(), "at most 100000");
    }
}
