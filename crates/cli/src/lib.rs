//! The command line's types, and one file per subcommand. No mathematics here.

#![allow(rustdoc::invalid_html_tags, reason = "the comments are help texts, in which <NAME> stands for a name")]

mod advice;
mod analysis_flags;
mod analysis_sheets;
mod batch;
mod batch_progress;
mod batch_selection;
mod calibrate;
mod calibrate_report;
mod coach;
mod compare;
mod comparison_sheets;
mod completions;
mod coordinates;
mod drive;
mod drive_report;
mod drive_surroundings;
mod explanation;
mod export;
mod extract;
mod file_guard;
mod folder_page;
mod following;
mod generate;
mod git_history;
mod initial_line_table;
mod inspect;
mod junit;
mod laps;
mod line_file;
mod line_making;
mod log_file;
mod man;
mod memory;
mod optimize;
mod optimize_summary;
mod option_flags;
mod output;
mod page_server;
mod passing_lines;
mod plan;
mod plan_streets;
mod plan_summary;
mod plan_tasks;
mod profile;
mod progress;
mod refusal;
mod render;
mod report;
mod schema;
mod serve;
mod sheet;
mod special_output;
mod summary_table;
mod sweep;
mod sweep_summary;
mod text_table;
mod track_name;
mod vehicles;
mod verify;

use std::ffi::OsString;
use std::path::Path;

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

use output::Output;
use raceline_file::files::Reach;
use report::Failure;

pub use completions::command;
pub use page_server::{answers, edited_by};

/// Writes a file as the commands do: whole or not at all.
///
/// # Errors
/// The system's message, with the path.
pub fn write_whole(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    Output::File(path.to_owned()).write(bytes)
}

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
  A picture of it:
    raceline render monza.raceline.json -o monza.svg

Exit codes: 0 done, 1 the job failed, 2 wrong usage.";

/// Flags of every command.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Everywhere")]
pub struct GlobalFlags {
    /// Print errors and results only: no progress, no warnings, no table
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Print details of the solvers
    #[arg(long, short, global = true)]
    verbose: bool,
    /// When to colour messages and help; NO_COLOR is honoured
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
    /// Number of threads; it does not affect the result [default: one per core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Let a file name files outside its folder: a sidecar its vehicle, a map its picture
    #[arg(long, global = true)]
    allow_outside: bool,
    /// Write lines that are not proven to be sound: see `raceline verify`
    #[arg(long, global = true)]
    no_verify: bool,
}

impl GlobalFlags {
    /// Which files a file may name.
    fn reach(self) -> Reach {
        if self.allow_outside { Reach::Anywhere } else { Reach::WithinFolder }
    }

    /// When to colour messages.
    fn colour(self) -> ColorChoice {
        self.color
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    Optimize(optimize::Arguments),
    Profile(profile::Arguments),
    Batch(batch::Arguments),
    Extract(extract::Arguments),
    Generate(generate::Arguments),
    Render(render::Arguments),
    Export(export::Arguments),
    Serve(serve::Arguments),
    Plan(plan::Arguments),
    Sweep(sweep::Arguments),
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
        let matches = command.try_get_matches_from_mut(coordinates::as_values(arguments))?;
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
            Command::Render(arguments) => arguments.run(self.global),
            Command::Export(arguments) => arguments.run(self.global),
            Command::Serve(arguments) => arguments.run(self.global),
            Command::Plan(arguments) => arguments.run(self.global),
            Command::Sweep(arguments) => arguments.run(self.global),
            Command::Inspect(arguments) => arguments.run(self.global),
            Command::Compare(arguments) => arguments.run(self.global),
            Command::Drive(arguments) => arguments.run(self.global),
            Command::Verify(arguments) => arguments.run(self.global),
            Command::Calibrate(arguments) => arguments.run(self.global),
            Command::Laps(arguments) => arguments.run(self.global),
            Command::Coach(arguments) => arguments.run(self.global),
            Command::Vehicles(arguments) => arguments.run(),
            Command::Schema(arguments) => arguments.run(),
            Command::Completions(arguments) => arguments.run(),
            Command::Man(arguments) => arguments.run(self.global),
        }
    }
}

/// The formats of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PictureFormat {
    Svg,
    Png,
}

/// The format by the ending of `path`, SVG for stdout; `endings` are those that the command accepts.
fn picture_format(path: &Path, endings: &str) -> Result<PictureFormat, Failure> {
    // What goes through a pipe is text, if it can be.
    if path == Path::new("-") {
        return Ok(PictureFormat::Svg);
    }
    match path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).as_deref() {
        Some("svg") => Ok(PictureFormat::Svg),
        Some("png") => Ok(PictureFormat::Png),
        _ => Err(Failure::usage(format!("{}: unknown format: use a name that ends in {endings}", path.display()))),
    }
}
