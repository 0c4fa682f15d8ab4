//! The error of a parameter outside its range.

use std::fmt::{Display, Formatter};

/// A parameter outside its range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutOfRange {
    /// Name of the field.
    pub name: &'static str,
    /// Value.
    pub value: f64,
    /// The permitted range in words, such as `from 0.1 to 0.9`.
    pub range: &'static str,
}

impl Display for OutOfRange {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is {}: it must be {}", self.name, self.value, self.range)
    }
}

impl std::error::Error for OutOfRange {}

/// Checks that `value` is a number from `min` to `max`; `range` states the same in words.
///
/// # Errors
/// [`OutOfRange`] for any other value, NaN included.
pub fn check_range(name: &'static str, value: f64, min: f64, max: f64, range: &'static str) -> Result<(), OutOfRange> {
    if (min..=max).contains(&value) { Ok(()) } else { Err(OutOfRange { name, value, range }) }
}
