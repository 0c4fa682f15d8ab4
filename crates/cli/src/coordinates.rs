//! Negative coordinates on the command line.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};

/// The arguments with a blank before each that begins with a negative coordinate, as `-60,2`: the parser
/// takes what begins with a hyphen for a flag, unless it is one number. Values are trimmed when they are
/// read.
pub fn as_values(arguments: &[OsString]) -> Vec<Cow<'_, OsStr>> {
    let as_value = |argument: &'_ OsString| {
        let text = argument.to_str().filter(|text| is_negative_coordinate(text))?;
        Some(OsString::from(format!(" {text}")))
    };
    arguments.iter().map(|one| as_value(one).map_or(Cow::Borrowed(one.as_os_str()), Cow::Owned)).collect()
}

/// Whether `text` is a hyphen, a number, a comma, and more.
fn is_negative_coordinate(text: &str) -> bool {
    let Some((first, _)) = text.split_once(',') else { return false };
    first.starts_with('-')
        && first.trim_end_matches("px").trim_end_matches("deg").parse::<f64>().is_ok_and(f64::is_finite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_values_and_flags_stay_flags() {
        let arguments =
            ["-60,2", "-.5,-3px", "-1e3px,4px", "-0.5,51deg", "-8", "-q", "-q,3", "--from=-1,2", "-inf,2", "-", "3,-4"];
        let arguments = arguments.map(OsString::from);
        let changed = as_values(&arguments);
        for (k, (argument, changed)) in arguments.iter().zip(changed).enumerate() {
            let expected = if k < 4 { format!(" {}", argument.display()).into() } else { argument.clone() };
            assert_eq!(changed, expected);
        }
    }
}
