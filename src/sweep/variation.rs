//! The grammar of a variation:
//!
//! ```text
//! variation = key "=" ( range | list )
//! range     = value ":" value ":" count       evenly spaced, both ends included; count at least 2
//! list      = value { "," value }
//! value     = number                          in the key's unit
//!           | number "x"                      times the vehicle's own value
//!           | ( "+" | "-" ) number "%"        a change relative to the vehicle's own value
//! ```
//!
//! A percentage must have its sign: `90%` could mean 90 % of the value or 90 % more.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use super::SweepError;

/// A key and its values, as written.
///
/// ```
/// use raceline::sweep::{Plan, Variation};
///
/// let axes = ["mass_kg=-10%:+10%:3", "grip=0.8,1"].map(str::parse::<Variation>);
/// let axes = axes.into_iter().collect::<Result<Vec<_>, _>>()?;
/// let plan = Plan::new(&raceline::vehicle::preset("gt")?, &axes)?;
/// assert_eq!(plan.count(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    /// The vehicle's key, or `grip`.
    pub key: String,
    /// Values.
    pub values: Values,
}

/// The values of a variation.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Evenly spaced, both ends included.
    Range {
        /// The first value.
        from: Amount,
        /// The last value.
        to: Amount,
        /// Number of values, at least 2.
        count: usize,
    },
    /// One after another.
    List(Vec<Amount>),
}

/// A value, absolute or relative to the vehicle's own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// In the key's unit.
    Absolute(f64),
    /// Times the vehicle's own value.
    Factor(f64),
    /// A change in percent of the vehicle's own value.
    Percent(f64),
}

impl FromStr for Variation {
    type Err = SweepError;

    fn from_str(text: &str) -> Result<Self, SweepError> {
        let form = || SweepError::Form { text: text.to_owned() };
        let (key, spec) = text.split_once('=').ok_or_else(form)?;
        let (key, spec) = (key.trim(), spec.trim());
        if key.is_empty() || spec.is_empty() {
            return Err(form());
        }
        let amount = |text: &str| {
            Amount::parse(text.trim()).map_err(|fix| SweepError::Value {
                key: key.to_owned(),
                text: text.to_owned(),
                fix: range_of_two(text).unwrap_or_else(|| fix.to_owned()),
            })
        };
        let values = if spec.contains(':') {
            let range = || SweepError::Range { key: key.to_owned(), text: spec.to_owned() };
            let parts: Vec<&str> = spec.split(':').collect();
            let [from, to, count] = parts[..] else { return Err(range()) };
            let count: usize = count.trim().parse().map_err(|_| range())?;
            if count < 2 {
                return Err(range());
            }
            Values::Range { from: amount(from)?, to: amount(to)?, count }
        } else {
            Values::List(spec.split(',').map(amount).collect::<Result<_, _>>()?)
        };
        Ok(Self { key: key.to_owned(), values })
    }
}

/// The remedy for two numbers with a dash or dots between them, which are meant as a range.
fn range_of_two(text: &str) -> Option<String> {
    let is_number = |part: &str| part.trim().parse::<f64>().is_ok_and(f64::is_finite);
    let dash = text.match_indices(['-', '–']).map(|(at, dash)| (&text[..at], &text[at + dash.len()..]));
    let dots = text.split_once("...").or_else(|| text.split_once(".."));
    let (from, to) = dots.into_iter().chain(dash).find(|(from, to)| is_number(from) && is_number(to))?;
    Some(format!("for a range write FROM:TO:COUNT, as {}:{}:5", from.trim(), to.trim()))
}

impl Amount {
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        let number = |text: &str| match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => Err("write a number, a factor as 1.1x, or a change as +10%"),
        };
        if let Some(factor) = text.strip_suffix('x') {
            return Ok(Self::Factor(number(factor)?));
        }
        if let Some(percent) = text.strip_suffix('%') {
            let percent_number = number(percent)?;
            let signed = percent.starts_with(['+', '-']) || percent_number == 0.0;
            return if signed {
                Ok(Self::Percent(percent_number))
            } else {
                Err("a percentage is a change and needs its sign: write +10% for 1.1x and -10% for 0.9x")
            };
        }
        Ok(Self::Absolute(number(text)?))
    }

    /// The value if the vehicle's own is `own`.
    ///
    /// # Errors
    /// What the own number is, where a value is relative to it: "0" or "none".
    pub(crate) fn of(self, own: Option<f64>) -> Result<f64, &'static str> {
        let own = match (self, own) {
            (Self::Absolute(value), _) => return Ok(value),
            (_, Some(own)) if own != 0.0 => own,
            (_, Some(_)) => return Err("0"),
            (_, None) => return Err("none"),
        };
        Ok(match self {
            Self::Absolute(value) => value,
            Self::Factor(factor) => factor * own,
            Self::Percent(percent) => own + own * percent / 100.0,
        })
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absolute(value) => write!(f, "{value}"),
            Self::Factor(factor) => write!(f, "{factor}x"),
            Self::Percent(percent) => write!(f, "{percent:+}%"),
        }
    }
}

impl Variation {
    /// Number of values.
    #[must_use]
    pub fn count(&self) -> usize {
        match &self.values {
            Values::Range { count, .. } => *count,
            Values::List(amounts) => amounts.len(),
        }
    }

    /// The values for a vehicle called `vehicle` whose own value is `own`, rounded to twelve
    /// digits.
    pub(super) fn resolve(&self, vehicle: &str, own: Option<f64>) -> Result<Vec<f64>, SweepError> {
        let of = |amount: Amount| {
            amount.of(own).map_err(|own| SweepError::NoBase {
                key: self.key.clone(),
                text: amount.to_string(),
                vehicle: vehicle.to_owned(),
                own,
            })
        };
        let values: Vec<f64> = match &self.values {
            Values::List(amounts) => amounts.iter().map(|&amount| of(amount)).collect::<Result<_, _>>()?,
            &Values::Range { from, to, count } => {
                let (from, to, gaps) = (of(from)?, of(to)?, (count - 1) as f64);
                (0..count).map(|i| from + (to - from) * i as f64 / gaps).collect()
            }
        };
        let values: Vec<f64> = values.into_iter().map(|value| to_digits(value, DIGITS)).collect();
        let mut seen = BTreeSet::new();
        match values.iter().find(|value| !seen.insert(value.to_bits())) {
            Some(&value) => Err(SweepError::Twice { key: self.key.clone(), value }),
            None => Ok(values),
        }
    }
}

/// Digits of the values of a variation.
const DIGITS: usize = 12;

/// `value` rounded to so many digits, so that the simulated value is the one that is shown.
pub(crate) fn to_digits(value: f64, digits: usize) -> f64 {
    // -0.0 + 0.0 is 0.0. The digits of a finite number can always be parsed.
    format!("{value:.*e}", digits - 1).parse().unwrap_or(value) + 0.0
}
