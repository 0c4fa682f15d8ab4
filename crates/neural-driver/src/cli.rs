//! The command line: `train`, `evolve` and `compare`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use raceline::RacingLine;
use raceline::file::json as line_file;
use raceline::files::{self, LARGEST_LINE_FILE, LARGEST_OPTIONS_FILE};
use raceline_follower::json;
use raceline_follower::neural::Network;

use crate::{Course, TrainError, TrainOptions, compare, evolve, generated, table, train};

/// Train a neural driver that imitates the follower, or compare one with it
#[derive(Debug, Parser)]
#[command(name = "raceline-neural-driver", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Train a driver on racing lines, by data aggregation
    Train(TrainArguments),
    /// Change the last layer of a trained driver by evolution on its lap times
    Evolve(EvolveArguments),
    /// Drive lines with the follower and with a trained driver, and print a table
    Compare(CompareArguments),
}

/// The lines.
#[derive(Debug, Args)]
struct Lines {
    /// Racing-line files, as `raceline optimize` writes them
    #[arg(value_name = "LINE")]
    lines: Vec<PathBuf>,
    /// Number of roads that are generated besides, with the lines of several presets
    #[arg(long, value_name = "N", default_value_t = 0)]
    generated: u32,
    /// Seed of the first generated road; the following roads have the next ones
    #[arg(long, value_name = "SEED", default_value_t = 1000)]
    first_seed: u64,
}

#[derive(Debug, Args)]
struct TrainArguments {
    #[command(flatten)]
    lines: Lines,
    /// Where to write the driver
    #[arg(long, short, value_name = "DRIVER.json")]
    output: PathBuf,
    /// Units of the hidden layers, 1 to 3 layers of 1 to 128 units
    #[arg(long, value_name = "UNITS,...", value_delimiter = ',', default_values_t = TrainOptions::default().hidden)]
    hidden: Vec<usize>,
    /// Sizes of one hidden layer to try in the end; the smallest that is about as good as the best is
    /// kept
    #[arg(long, value_name = "UNITS,...", value_delimiter = ',')]
    sizes: Vec<usize>,
    /// Rounds of data aggregation, 1 to 100
    #[arg(long, value_name = "N", default_value_t = TrainOptions::default().rounds)]
    rounds: u32,
    /// Drives per round
    #[arg(long, value_name = "N", default_value_t = TrainOptions::default().episodes)]
    episodes: u32,
    /// Length of a drive, s
    #[arg(long, value_name = "S", default_value_t = TrainOptions::default().episode_s)]
    episode_s: f64,
    /// Passes over the samples per round; four times as many after the last
    #[arg(long, value_name = "N", default_value_t = TrainOptions::default().epochs)]
    epochs: u32,
    /// Learning rate
    #[arg(long, value_name = "RATE", default_value_t = TrainOptions::default().learning_rate)]
    learning_rate: f64,
    /// Generations of evolution of the last layer on the lap time; 0 for none
    #[arg(long, value_name = "N", default_value_t = TrainOptions::default().evolve)]
    evolve: u32,
    /// Number of lines that the evolution drives
    #[arg(long, value_name = "N", default_value_t = TrainOptions::default().evolve_lines)]
    evolve_lines: u32,
    /// Seed of all random numbers
    #[arg(long, value_name = "SEED", default_value_t = TrainOptions::default().seed)]
    seed: u64,
}

#[derive(Debug, Args)]
struct EvolveArguments {
    #[command(flatten)]
    lines: Lines,
    /// The trained driver
    #[arg(long, value_name = "DRIVER.json")]
    driver: PathBuf,
    /// Where to write the evolved one
    #[arg(long, short, value_name = "EVOLVED.json")]
    output: PathBuf,
    /// Generations
    #[arg(long, value_name = "N", default_value_t = 20)]
    evolve: u32,
    /// Number of lines that are driven
    #[arg(long, value_name = "N", default_value_t = TrainOptions::default().evolve_lines)]
    evolve_lines: u32,
    /// Seed of all random numbers
    #[arg(long, value_name = "SEED", default_value_t = TrainOptions::default().seed)]
    seed: u64,
}

#[derive(Debug, Args)]
struct CompareArguments {
    #[command(flatten)]
    lines: Lines,
    /// The driver
    #[arg(long, value_name = "DRIVER.json")]
    driver: PathBuf,
    /// Timed laps per line
    #[arg(long, value_name = "N", default_value_t = 1)]
    laps: u32,
}

/// Runs the command line. Exit codes: 0 success, 1 the job failed, 2 wrong usage.
#[must_use]
pub fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // A closed stderr is no reason to fail otherwise.
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Train(arguments) => arguments.run(),
        Command::Evolve(arguments) => arguments.run(),
        Command::Compare(arguments) => arguments.run(),
    }
}

fn report(message: &str) {
    let _ = writeln!(std::io::stderr(), "{message}");
}

impl Lines {
    fn read(&self) -> anyhow::Result<Vec<RacingLine>> {
        let read = |path: &PathBuf| {
            let bytes =
                files::read(path, LARGEST_LINE_FILE).with_context(|| format!("can't read {}", path.display()))?;
            line_file::read(&bytes).with_context(|| path.display().to_string())
        };
        let mut lines = self.lines.iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
        lines.extend(generated(self.generated, self.first_seed)?);
        Ok(lines)
    }
}

impl TrainArguments {
    fn run(self) -> anyhow::Result<()> {
        let options = TrainOptions {
            hidden: self.hidden,
            sizes: self.sizes,
            rounds: self.rounds,
            episodes: self.episodes,
            episode_s: self.episode_s,
            epochs: self.epochs,
            learning_rate: self.learning_rate,
            evolve: self.evolve,
            evolve_lines: self.evolve_lines,
            seed: self.seed,
        };
        // Before anything is read or driven.
        options.validate()?;
        let lines = self.lines.read()?;
        let courses = lines.into_iter().map(Course::new).collect::<Result<Vec<_>, _>>()?;
        report(&format!("{} lines", courses.len()));
        write(&self.output, &train(&courses, &options, &report)?.network)
    }
}

impl EvolveArguments {
    fn run(self) -> anyhow::Result<()> {
        let (evolve_generations, evolve_lines, seed) = (self.evolve, self.evolve_lines, self.seed);
        let options = TrainOptions { evolve: evolve_generations, evolve_lines, seed, ..TrainOptions::default() };
        options.validate()?;
        let network = read_driver(&self.driver)?;
        let courses = self.lines.read()?.into_iter().map(Course::new).collect::<Result<Vec<_>, _>>()?;
        if courses.is_empty() {
            return Err(TrainError::NoLine.into());
        }
        write(&self.output, &evolve(&network, &courses, &options, &report)?)
    }
}

impl CompareArguments {
    fn run(self) -> anyhow::Result<()> {
        let network = read_driver(&self.driver)?;
        let rows = compare(&self.lines.read()?, &network, self.laps)?;
        std::io::stdout().write_all(table(&rows).as_bytes())?;
        Ok(())
    }
}

fn read_driver(path: &Path) -> anyhow::Result<Arc<Network>> {
    let bytes = files::read(path, LARGEST_OPTIONS_FILE).with_context(|| format!("can't read {}", path.display()))?;
    Ok(Arc::new(json::read_network(&bytes).with_context(|| path.display().to_string())?))
}

fn write(path: &Path, network: &Network) -> anyhow::Result<()> {
    write_whole(path, &json::write_network(network)).with_context(|| format!("can't write {}", path.display()))?;
    report(&format!("written to {}", path.display()));
    Ok(())
}

/// Writes a file whole or not at all.
fn write_whole(path: &Path, text: &str) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // A temporary file is its owner's alone.
        file.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
    }
    file.persist(path)?;
    Ok(())
}
