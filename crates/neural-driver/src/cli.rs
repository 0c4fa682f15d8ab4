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
use raceline::files::{self, LARGEST_LINE_FILE, LARGEST_OPTIONS_FILE, LARGEST_TELEMETRY};
use raceline_calibrate::csv;
use raceline_follower::json;
use raceline_follower::neural::Network;

use crate::{
    Course, RecordingOptions, Samples, TrainError, TrainOptions, compare, evolve, generated, recorded_samples, table,
    train,
};

/// Train a neural driver that imitates the follower or a person, or compare one with the follower
#[derive(Debug, Parser)]
#[command(name = "raceline-neural-driver", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Train a driver on racing lines, by data aggregation, or on recorded driving
    ///
    /// With lines, the follower shows how to drive them. With recordings, what a person did is imitated,
    /// alone or beside the follower.
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
    /// A racing-line file and driving that was recorded along it, as CSV; may be repeated. Columns: those
    /// of `raceline calibrate` with throttle and brake, and x_m, y_m, heading_rad, steering_rad
    #[arg(long, num_args = 2, value_names = ["LINE", "DRIVE.csv"])]
    recording: Vec<PathBuf>,
    /// Fraction of the loss that recordings have beside the follower, 0.01 to 0.99
    #[arg(long, value_name = "FRACTION", default_value_t = TrainOptions::default().recorded_fraction)]
    recorded_fraction: f64,
    /// Steering angle in the recordings per angle of the front wheels, 0.1 to 100
    #[arg(long, value_name = "RATIO", default_value_t = RecordingOptions::default().steering_ratio)]
    steering_ratio: f64,
    /// Copies of each recorded sample with the vehicle moved aside and the steering corrected, 0 to 20
    #[arg(long, value_name = "N", default_value_t = RecordingOptions::default().disturbed_copies)]
    disturbed_copies: u32,
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
    /// Rounds of data aggregation, 1 to 100; recordings alone have one, with all the passes
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

fn read_line(path: &Path) -> anyhow::Result<RacingLine> {
    let bytes = files::read(path, LARGEST_LINE_FILE).with_context(|| format!("can't read {}", path.display()))?;
    line_file::read(&bytes).with_context(|| path.display().to_string())
}

impl Lines {
    fn read(&self) -> anyhow::Result<Vec<RacingLine>> {
        let mut lines = self.lines.iter().map(|path| read_line(path)).collect::<anyhow::Result<Vec<_>>>()?;
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
            recorded_fraction: self.recorded_fraction,
            seed: self.seed,
        };
        let (steering_ratio, disturbed_copies, seed) = (self.steering_ratio, self.disturbed_copies, self.seed);
        let recording = RecordingOptions { steering_ratio, disturbed_copies, seed };
        // Before anything is read or driven.
        options.validate()?;
        recording.validate()?;
        let recorded = recorded(&self.recording, &recording)?;
        let lines = self.lines.read()?;
        let courses = lines.into_iter().map(Course::new).collect::<Result<Vec<_>, _>>()?;
        report(&format!("{} lines", courses.len()));
        write(&self.output, &train(&courses, &recorded, &options, &report)?.network)
    }
}

/// The samples of pairs of a line and a recording along it.
fn recorded(files: &[PathBuf], options: &RecordingOptions) -> anyhow::Result<Samples> {
    let mut all = Samples::new();
    for (k, pair) in (0..).zip(files.chunks_exact(2)) {
        let seed = options.seed.wrapping_add(k);
        let (line, drive) = (&pair[0], &pair[1]);
        let course = Course::new(read_line(line)?)?;
        let bytes = files::read(drive, LARGEST_TELEMETRY).with_context(|| format!("can't read {}", drive.display()))?;
        let driven = csv::read_driven(&bytes, &drive.display().to_string())?;
        let samples = recorded_samples(&course, &driven, &RecordingOptions { seed, ..*options })?;
        report(&format!("{}: {} samples along {}", drive.display(), samples.len(), course.line.name));
        all.extend(samples);
    }
    Ok(all)
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
