//! `raceline calibrate`: a vehicle fitted to driven data.

use std::path::{Path, PathBuf};

use anyhow::Context;
use raceline::Options;
use raceline_calibrate::{Calibration, DrivenLine, Run, Telemetry, calibrate, calibrate_rounds, csv, run_of};
use raceline_car::Vehicle;
use raceline_file::files::{self, LARGEST_TELEMETRY, Reach};
use raceline_laps::SessionOptions;
use raceline_read::input::LogKind;

use super::GlobalFlags;
use super::calibrate_report;
use super::file_guard;
use super::line_file::read_line;
use super::log_file::session_of;
use super::option_flags::vehicle_files;
use super::output::Output;
use super::report::{self, Failure};

/// Fit a vehicle to telemetry: tyre limits, drive, drag, downforce
///
/// Reads what a car did, from any simulator, game or robot, and writes the vehicle that does it: a
/// g-g-v table of braking and lateral limits, the force of the drive over speed, drag, rolling
/// resistance and the exponent of the friction ellipse. Mass, sizes and steering cannot be seen in
/// telemetry and are those of the base vehicle.
///
/// A CSV has a header with time_s, speed_mps, and lateral_accel_mps2 or yaw_rate_radps. Optional
/// columns: accel_mps2, throttle, brake (0 to 1), gear, grip (factor of the road), grade_rad,
/// banking_rad, vertical_curvature_radpm or normal_accel_mps2, load_front_n, load_rear_n. The trace
/// of `raceline drive` is read as it is. docs/guides/calibrate.md describes columns and methods.
///
/// With --line, the line that each file drove, the laps count as well: limits are held at what they
/// bear, a round that was worse is not followed, and the result states what to do next.
///
/// Drive at the limit: full throttle up to the top speed, full braking on straights, bends at many
/// speeds, and coasting. What was not reached is filled and named.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Telemetry files or logs, one for each run
    #[arg(value_name = "TELEMETRY", required = true)]
    telemetry: Vec<PathBuf>,
    /// A preset, or a vehicle file ending in .toml: what telemetry does not show
    #[arg(long, value_name = "VEHICLE")]
    base: String,
    /// The line that a telemetry file drove: one for each, in the order of the rounds
    #[arg(long = "line", value_name = "LINE.json")]
    lines: Vec<PathBuf>,
    /// Where to write the vehicle: a file, or - for stdout
    #[arg(long, short, value_name = "OUT.toml")]
    output: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  raceline calibrate practice.csv --base gt -o my-car.toml
  Several runs of a car whose mass and sizes are in a file, all figures for a program:
    raceline calibrate run1.csv run2.csv --base car.toml -o car-fitted.toml --json > fit.json
  Which vehicle a drive of a line implies:
    raceline drive club.raceline.json -o trace.csv
    raceline calibrate trace.csv --base tum-racecar -o fitted.toml
  The second round of a line, a drive and a fit:
    raceline calibrate 1.csv 2.csv --line 1.json --line 2.json --base gt -o my-car.toml

Exit codes: 0 done, 1 the job failed, 2 wrong usage.";

impl Arguments {
    /// Reads the telemetry, fits the vehicle, writes it and prints how sure it is.
    pub fn run(self, flags: GlobalFlags) -> Result<(), Failure> {
        let output = self.output.as_deref().map(Output::new);
        let read = [self.telemetry.clone(), self.lines.clone(), vehicle_files(Some(&self.base))].concat();
        file_guard::check(&read, &output)?;
        if let Some(output) = &output {
            output.check()?;
        }
        if !self.lines.is_empty() && self.lines.len() != self.telemetry.len() {
            let (files, lines) = (self.telemetry.len(), self.lines.len());
            return Err(Failure::usage(format!(
                "there are {files} telemetry files and {lines} lines: give --line once for each file, in their order"
            )));
        }
        let base = self.base_vehicle(flags.reach())?;
        if !self.lines.is_empty() {
            return self.run_rounds(&base, output.as_ref(), flags);
        }
        let runs = self.telemetry.iter().map(|path| read_run(path, flags)).collect::<Result<_, _>>()?;
        let mut calibration = calibrate(&Telemetry { runs }, &base)?;
        name_vehicle(&mut calibration, output.as_ref());
        if let Some(output) = &output {
            output.write(calibration.to_toml()?.as_bytes())?;
        }
        print_notes(&calibration, flags);
        let text =
            if self.json { calibrate_report::json(&calibration)? } else { calibrate_report::table(&calibration) };
        print_beside(&text, output.as_ref(), flags)
    }

    /// Fits to rounds of lines and drives, writes the vehicle and prints how the rounds went.
    fn run_rounds(&self, base: &Vehicle, output: Option<&Output>, flags: GlobalFlags) -> Result<(), Failure> {
        let read = |(path, line): (&PathBuf, &PathBuf)| -> Result<DrivenLine, Failure> {
            let (name, bytes) = read_telemetry(path)?;
            Ok(DrivenLine::read(read_line(line)?, &bytes, &name)?)
        };
        let driven = self.telemetry.iter().zip(&self.lines).map(read).collect::<Result<Vec<_>, _>>()?;
        let mut refined = calibrate_rounds(driven, base)?;
        name_vehicle(&mut refined.calibration, output);
        if let Some(output) = output {
            output.write(refined.to_toml()?.as_bytes())?;
        }
        print_notes(&refined.calibration, flags);
        let file = match output {
            Some(Output::File(path)) => path.display().to_string(),
            _ => "MY-CAR.toml".to_owned(),
        };
        let text =
            if self.json { calibrate_report::json(&refined)? } else { calibrate_report::rounds_table(&refined, &file) };
        print_beside(&text, output, flags)
    }

    fn base_vehicle(&self, reach: Reach) -> Result<Vehicle, Failure> {
        let options = Options { vehicle: Some(self.base.clone()), reach, ..Options::default() };
        options.load_vehicle().map_err(|error| Failure::options(error, true))
    }
}

/// Names the vehicle as the file that it is written to.
fn name_vehicle(calibration: &mut Calibration, output: Option<&Output>) {
    if let Some(Output::File(path)) = output
        && let Some(stem) = path.file_stem()
    {
        calibration.vehicle.name = stem.to_string_lossy().into_owned();
    }
}

fn print_notes(calibration: &Calibration, flags: GlobalFlags) {
    for note in calibration.notes.iter().filter(|_| !flags.quiet) {
        report::print_warning(&note.to_string(), flags.colour());
    }
}

/// Prints a report where the vehicle is not written.
fn print_beside(text: &str, output: Option<&Output>, flags: GlobalFlags) -> Result<(), Failure> {
    let stdout_is_taken = output == Some(&Output::Stdout);
    if stdout_is_taken && flags.quiet { Ok(()) } else { Ok(report::beside(text, stdout_is_taken)?) }
}

/// A telemetry file's name and content.
fn read_telemetry(path: &Path) -> Result<(String, Vec<u8>), Failure> {
    let name = path.display().to_string();
    let bytes = files::read(path, LARGEST_TELEMETRY).with_context(|| format!("{name}: can't be read"))?;
    Ok((name, bytes))
}

fn read_run(path: &Path, flags: GlobalFlags) -> Result<Run, Failure> {
    let (name, bytes) = read_telemetry(path)?;
    // A plain table has the accelerations themselves; those of a logger follow from its positions.
    if LogKind::of(&bytes).is_none_or(|kind| kind == LogKind::Csv) {
        return Ok(csv::read(&bytes, &name)?);
    }
    let log = raceline_laps::read(&bytes, &name).with_context(|| name.clone())?;
    let session = session_of(&log, &SessionOptions::default(), flags)?;
    if session.step_s > SLOWEST_STEP_S && !flags.quiet {
        let message = format!(
            "{name}: a position every {:.1} s shows too little of a corner: limits come out too low; log at 5 Hz or more",
            session.step_s
        );
        report::print_warning(&message, flags.colour());
    }
    Ok(run_of(&session, &name))
}

/// Positions farther apart smooth the accelerations of a corner, s.
const SLOWEST_STEP_S: f64 = 0.25;
