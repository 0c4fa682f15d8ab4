//! Negative coordinates on the command line, and a file in place of the coordinates of a start.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The arguments with a blank before each that begins with a negative coordinate, as `-60,2`: the parser
/// takes what begins with a hyphen for a flag, unless it is one number. Values are trimmed when they are
/// read.
pub fn as_values(arguments: &[OsString]) -> Vec<Cow<'_, OsStr>> {
    let as_value = |argument: &'_ OsString| {
        let text = argument.to_str().filter(|text| is_negative_coordinate(text))?;
        Some(OsString::from(format!(" {text}")))
    };
    let mut values: Vec<Cow<'_, OsStr>> =
        arguments.iter().map(|one| as_value(one).map_or(Cow::Borrowed(one.as_os_str()), Cow::Owned)).collect();
    start_from_files(&mut values);
    values
}

/// A file as the value of `--start` is the line from which the search starts.
fn start_from_files(values: &mut [Cow<'_, OsStr>]) {
    const FLAG: &str = "--start";
    const OF_FILE: &str = "--initial-line";
    for k in 0..values.len() {
        let joined = values[k].to_str().and_then(|text| text.strip_prefix("--start="));
        if let Some(file) = joined.filter(|file| Path::new(file).is_file()) {
            values[k] = Cow::Owned(format!("{OF_FILE}={file}").into());
        } else if *values[k] == *FLAG && values.get(k + 1).is_some_and(|value| Path::new(value).is_file()) {
            values[k] = Cow::Borrowed(OsStr::new(OF_FILE));
        }
    }
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

    #[test]
    fn a_file_as_the_start_is_the_line_to_start_from() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let joined = format!("--start={file}");
        let arguments = ["optimize", "--start", file, &joined, "--start", "1,2", "--start"].map(OsString::from);
        let changed: Vec<String> = as_values(&arguments).iter().map(|value| value.display().to_string()).collect();
        let of_file = format!("--initial-line={file}");
        assert_eq!(changed, ["optimize", "--initial-line", file, &of_file, "--start", "1,2", "--start"]);
    }
}
