//! `raceline club.png` for `raceline optimize club.png`, and the flag that is meant by another's name.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;

use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

/// Names of flags that other programs have, and those that are meant, the first that the command has.
pub const MEANT: [(&str, &[&str]); 12] = [
    ("car", &["vehicle"]),
    ("length", &["track-length-m"]),
    ("mpp", &["metres-per-pixel"]),
    ("m-per-px", &["metres-per-pixel"]),
    ("meters-per-pixel", &["metres-per-pixel"]),
    ("out", &["output"]),
    ("pixel-size", &["metres-per-pixel"]),
    ("resolution", &["metres-per-pixel"]),
    ("scale", &["metres-per-pixel"]),
    ("speed-fraction", &["speed-share"]),
    ("step", &["spacing-m", "point-spacing-m"]),
    ("width", &["track-width-m", "width-m"]),
];

/// The arguments with `optimize` before them if the first that is no flag is a file and no command.
pub fn with_command<'a>(mut values: Vec<Cow<'a, OsStr>>, command: &Command) -> Vec<Cow<'a, OsStr>> {
    let takes_value = |flag: &str| {
        let mut global = command.get_arguments().filter(|argument| argument.get_action().takes_values());
        flag.strip_prefix("--").is_some_and(|name| global.any(|argument| argument.get_long() == Some(name)))
    };
    let mut rest = values.iter().skip(1);
    let first = loop {
        match rest.next() {
            None => return values,
            Some(value) if value.to_str().is_some_and(|text| text.len() > 1 && text.starts_with('-')) => {
                if value.to_str().is_some_and(takes_value) {
                    rest.next();
                }
            }
            Some(value) => break value,
        }
    };
    let is_command = first.to_str().is_some_and(|name| name == "help" || command.find_subcommand(name).is_some());
    // A name of a file that is not there gets the message of a file.
    let is_file = Path::new(first).is_file() || Path::new(first).extension().is_some();
    if is_file && !is_command {
        values.insert(1, Cow::Borrowed(OsStr::new("optimize")));
    }
    values
}

/// The error with a hint at the flag that is meant by an unknown one.
pub fn with_meant_flag(mut error: Error, values: &[Cow<'_, OsStr>], command: &Command) -> Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg) else { return error };
    let unknown = unknown.trim_start_matches('-').to_owned();
    let named = values.iter().skip(1).filter_map(|value| value.to_str());
    let Some(called) = named.filter_map(|name| command.find_subcommand(name)).next() else { return error };
    let has = |flag: &&&str| called.get_arguments().any(|argument| argument.get_long() == Some(**flag));
    let meant = MEANT.iter().filter(|(name, _)| *name == unknown).find_map(|(_, flags)| flags.iter().find(has));
    if let Some(meant) = meant {
        error.remove(ContextKind::Suggested);
        error.insert(ContextKind::SuggestedArg, ContextValue::String(format!("--{meant}")));
        error.insert(ContextKind::Usage, ContextValue::StyledStr(called.clone().render_usage()));
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command() -> Command {
        let flag = |name: &'static str| clap::Arg::new(name).long(name);
        let input = clap::Arg::new("input").num_args(0..);
        let with = |name: &'static str, flags: [&'static str; 2]| {
            Command::new(name).arg(input.clone()).args(flags.map(flag)).arg(clap::Arg::new("o").short('o'))
        };
        Command::new("raceline")
            .subcommand_required(true)
            .arg(flag("threads").global(true))
            .arg(flag("quiet").short('q').action(clap::ArgAction::SetTrue).global(true))
            .subcommand(with("optimize", ["metres-per-pixel", "track-width-m"]))
            .subcommand(with("generate", ["style", "width-m"]))
            .subcommand(with("drive", ["vehicle", "laps"]))
    }

    fn completed(line: &str) -> String {
        let values = line.split(' ').map(|word| Cow::Borrowed(OsStr::new(word))).collect();
        let values = with_command(values, &command());
        values.iter().map(|value| value.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_file_in_place_of_a_command_is_optimized() {
        assert_eq!(completed("raceline club.png -o a.json"), "raceline optimize club.png -o a.json");
        assert_eq!(completed("raceline -q --threads 2 ./club.yaml"), "raceline optimize -q --threads 2 ./club.yaml");
        for as_is in [
            "raceline",
            "raceline -q",
            "raceline drive a.json",
            "raceline help drive",
            "raceline optimise",
            "raceline --help",
        ] {
            assert_eq!(completed(as_is), as_is);
        }
    }

    #[test]
    fn names_of_other_programs_hint_at_the_flag() {
        for (line, flag) in [
            ("raceline optimize a.png --mpp 0.5", "'--metres-per-pixel'"),
            ("raceline optimize a.png --width=12", "'--track-width-m'"),
            ("raceline generate --style kart --width 12", "'--width-m'"),
            ("raceline drive a.json --car gt", "'--vehicle'"),
        ] {
            let values: Vec<Cow<'_, OsStr>> = line.split(' ').map(|word| Cow::Borrowed(OsStr::new(word))).collect();
            let mut command = command();
            let Err(error) = command.try_get_matches_from_mut(&values) else { unreachable!("{line}") };
            let message = with_meant_flag(error, &values, &command).to_string();
            assert!(message.contains(&format!("a similar argument exists: {flag}")), "{message}");
        }
    }
}
