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

/// Checks numbers against a table whose rows are a name, its value, the smallest and the largest
/// valid number, and a unit. Returns [`OutOfRange`] from the function around it for the first that
/// does not fit. Each bound stands once: the words of the message are made from it.
///
/// ```
/// use raceline_vehicle_simulation::{OutOfRange, check_ranges};
///
/// fn check(laps: u32, delay_s: f64) -> Result<(), OutOfRange> {
///     check_ranges! {
///         laps = f64::from(laps), 1 to 1000;
///         delay_s = delay_s, 0 to 0.5, "s";
///     }
///     Ok(())
/// }
/// assert_eq!(check(3, 0.7).unwrap_err().to_string(), "delay_s is 0.7: it must be from 0 to 0.5 s");
/// ```
#[macro_export]
macro_rules! check_ranges {
    ($($name:ident = $value:expr, $low:literal to $high:literal $(, $unit:literal)?;)*) => {
        $($crate::check_range(
            stringify!($name),
            $value,
            f64::from($low),
            f64::from($high),
            concat!("from ", stringify!($low), " to ", stringify!($high) $(, " ", $unit)?),
        )?;)*
    };
}
