//! The program: its commands, and what runs each.

use std::ffi::OsString;

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

use super::report::{self, Failure};
use super::{GlobalFlags, coordinates, shorthand};
use super::{
    batch, calibrate, coach, compare, completions, demo, drive, export, extract, generate, inspect, laps, man,
    optimize, plan, profile, render, schema, serve, setup, stint, strategy, sweep, vehicles, verify,
};

/// Parses `arguments`, the first of which is the program's name, runs the command and reports:
/// what the program `raceline` does. The result is the exit code; help, the version and wrong usage end
/// the process.
#[must_use]
pub fn main(arguments: &[OsString]) -> u8 {
    let colour = report::colour_choice(arguments);
    let cli = match Cli::parse_with_colour(arguments, colour) {
        Ok(cli) => cli,
        // Help and version are errors of clap too, which selects the stream and the exit code.
        Err(error) => error.exit(),
    };
    match cli.run() {
        Ok(()) | Err(Failure::BrokenPipe) => 0,
        Err(failure) => {
            report::print_failure(&failure, colour);
            failure.exit_code()
        }
    }
}

/// All commands and flags, as completions and manual pages describe them.
#[must_use]
pub fn command() -> clap::Command {
    Cli::command()
}

/// Finds the racing line of a track: a picture in, the fast line with its speed profile out.
#[derive(Debug, Parser)]
#[command(name = "raceline", version, max_term_width = 100, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    global: GlobalFlags,
}

const AFTER_HELP: &str = "\
Examples:
  Racing line of a track whose picture shows half a metre per pixel:
    raceline optimize monza.png --metres-per-pixel 0.5 -o monza.raceline.json
  For short:
    raceline monza.png --metres-per-pixel 0.5
  A picture of it:
    raceline render monza.raceline.json -o monza.svg

Exit codes: 0 done, 1 the job failed, 2 wrong usage.";

#[derive(Debug, Subcommand)]
enum Command {
    Optimize(optimize::Arguments),
    Profile(profile::Arguments),
    Batch(batch::Arguments),
    Extract(extract::Arguments),
    Generate(generate::Arguments),
    Demo(demo::Arguments),
    Render(render::Arguments),
    Export(export::Arguments),
    Serve(serve::Arguments),
    Plan(plan::Arguments),
    Sweep(sweep::Arguments),
    Setup(setup::Arguments),
    Stint(stint::Arguments),
    Strategy(strategy::Arguments),
    Inspect(inspect::Arguments),
    Compare(compare::Arguments),
    Drive(drive::Arguments),
    Verify(verify::Arguments),
    Calibrate(calibrate::Arguments),
    Laps(laps::Arguments),
    Coach(coach::Arguments),
    Vehicles(vehicles::Arguments),
    Schema(schema::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

impl Cli {
    /// Parses the arguments; help and errors are coloured by `colour`.
    fn parse_with_colour(arguments: &[OsString], colour: ColorChoice) -> Result<Self, clap::Error> {
        let mut command = Self::command().color(colour);
        let values = shorthand::with_command(coordinates::as_values(arguments), &command);
        let matches = command.try_get_matches_from_mut(&values);
        let matches = matches.map_err(|error| shorthand::with_meant_flag(error, &values, &command))?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }

    /// Runs the subcommand.
    fn run(self) -> Result<(), Failure> {
        if let Some(threads) = self.global.threads {
            rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads)).build_global()?;
        }
        match self.command {
            Command::Optimize(arguments) => arguments.run(self.global),
            Command::Profile(arguments) => arguments.run(self.global),
            Command::Batch(arguments) => arguments.run(self.global),
            Command::Extract(arguments) => arguments.run(self.global),
            Command::Generate(arguments) => arguments.run(self.global),
            Command::Demo(arguments) => arguments.run(self.global),
            Command::Render(arguments) => arguments.run(self.global),
            Command::Export(arguments) => arguments.run(self.global),
            Command::Serve(arguments) => arguments.run(self.global),
            Command::Plan(arguments) => arguments.run(self.global),
            Command::Sweep(arguments) => arguments.run(self.global),
            Command::Setup(arguments) => arguments.run(self.global),
            Command::Stint(arguments) => arguments.run(self.global),
            Command::Strategy(arguments) => arguments.run(self.global),
            Command::Inspect(arguments) => arguments.run(self.global),
            Command::Compare(arguments) => arguments.run(self.global),
            Command::Drive(arguments) => arguments.run(self.global),
            Command::Verify(arguments) => arguments.run(self.global),
            Command::Calibrate(arguments) => arguments.run(self.global),
            Command::Laps(arguments) => arguments.run(self.global),
            Command::Coach(arguments) => arguments.run(self.global),
            Command::Vehicles(arguments) => arguments.run(),
            Command::Schema(arguments) => arguments.run(),
            Command::Completions(arguments) => arguments.run(command()),
            Command::Man(arguments) => arguments.run(self.global, command()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use clap::ValueEnum;
    use clap_complete::Shell;

    use super::command;
    use super::completions::script;
    use super::shorthand::MEANT;
    use crate::man::pages;

    #[test]
    fn every_shell_completes_every_command() {
        let names: Vec<String> = command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
        assert!(names.len() > 10);
        for &shell in Shell::value_variants() {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut command(), "raceline", &mut script);
            let script = String::from_utf8_lossy(&script);
            for name in &names {
                assert!(script.contains(name.as_str()), "{shell} lacks {name}");
            }
            assert!(script.contains("metres-per-pixel"), "{shell}");
        }
    }

    /// What bash would offer for the words, the last of which is begun.
    fn offered_by_bash(folder: &std::path::Path, words: &[&str]) -> Option<Vec<String>> {
        let script = script(Shell::Bash, command()).unwrap();
        let call = format!(
            "{script}\nCOMP_WORDS=({}); COMP_CWORD={}; COMPREPLY=(); _raceline raceline '{}' '{}'\n\
             printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" "),
            words.len() - 1,
            words[words.len() - 1],
            words[words.len() - 2],
        );
        let output = std::process::Command::new("bash").current_dir(folder).args(["-c", &call]).output().ok()?;
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let lines = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect::<Vec<_>>();
        Some(lines.into_iter().filter(|line| !line.is_empty()).collect())
    }

    #[test]
    fn bash_offers_files_where_a_command_takes_them_and_presets_as_well_as_files_for_a_vehicle() {
        let folder = std::env::temp_dir().join(format!("raceline-completions-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("kart-of-mine.toml"), "").unwrap();
        let offered = |words: &[&str]| offered_by_bash(&folder, words);
        let Some(commands) = offered(&["raceline", "opt"]) else {
            println!("skipped: there is no bash");
            return;
        };
        assert_eq!(commands, ["optimize"]);
        // An empty answer has bash complete names of files.
        assert_eq!(offered(&["raceline", "optimize", ""]).unwrap(), [""; 0]);
        assert_eq!(offered(&["raceline", "drive", "-q", "ta"]).unwrap(), [""; 0]);
        assert!(offered(&["raceline", "optimize", "--metres"]).unwrap().contains(&"--metres-per-pixel".to_owned()));
        assert_eq!(offered(&["raceline", "completions", "zs"]).unwrap(), ["zsh"]);
        let mut vehicles = offered(&["raceline", "optimize", "--vehicle", "kar"]).unwrap();
        vehicles.sort();
        assert_eq!(vehicles, ["kart", "kart-of-mine.toml"]);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn each_flag_that_a_hint_names_exists() {
        for (name, flags) in MEANT {
            for flag in flags {
                let has = |one: &clap::Command| one.get_arguments().any(|argument| argument.get_long() == Some(flag));
                assert!(command().get_subcommands().any(has), "{name}: {flag}");
            }
        }
    }

    #[test]
    fn every_command_has_a_page_and_the_first_names_them() {
        let all = pages(command()).unwrap();
        let (name, first) = &all[0];
        assert_eq!(name, "raceline.1");
        let first = String::from_utf8_lossy(first);
        assert_eq!(all.len(), command().get_subcommands().count() + 1);
        for command in command().get_subcommands() {
            let name = format!("raceline-{}.1", command.get_name());
            let (_, page) = all.iter().find(|(found, _)| *found == name).unwrap();
            let page = String::from_utf8_lossy(page);
            assert!(page.contains(".SH OPTIONS") && page.contains(".SH SYNOPSIS"), "{name}");
            assert!(page.contains("\n.SH EXAMPLES\n.nf\n  ") && !page.contains("EXTRA"), "{name}");
            assert!(first.contains(&format!("raceline\\-{}", command.get_name())), "raceline.1 lacks {name}");
        }
        assert_eq!(all, pages(command()).unwrap());
    }
}
