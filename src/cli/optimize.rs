//! `raceline optimize`: from a picture to the racing line.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::file::json;
use crate::files;
use crate::pipeline::{LapEnergy, Request, Warning};
use crate::units::Decimals;
use crate::{batch, pipeline};
use anyhow::{Context, anyhow};

use super::advice::warning_with_advice;
use super::file_guard;
use super::optimize_summary::OptimizeSummary;
use super::option_flags::OptionFlags;
use super::output::Output;
use super::passing_lines::passing_lines;
use super::report::{self, Failure};
use super::summary_table::summary_table;
use super::{GlobalFlags, progress};

/// Find the racing line of a track and its speed profile
///
/// Reads a picture of a road (PNG, JPEG, BMP, TIFF, WebP, PNM), a ROS map YAML, a track file, or a
/// track from `raceline extract`. Finds the shortest path, the minimum-curvature line, the blend of
/// the two with the lowest lap time, and from there the time-optimal line. Writes the line as JSON
/// and prints the gain of each line.
///
/// A picture requires a scale: --metres-per-pixel, --track-length-m, --track-width-m, a map YAML,
/// or a sidecar. A sidecar is a TOML file beside the input with the same name. Its keys are the
/// flags below with underscores; a flag overrides the sidecar.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Pictures, map YAMLs, extracted tracks or track files: CSV, GeoJSON, SVG or XML of TORCS; - for
    /// stdin
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Where to write: a file, - for stdout, or with several inputs a folder, in which each line is
    /// <NAME>.raceline.json [default: <NAME>.raceline.json in the current folder,
    /// stdout for stdin]
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Name of the track [default: that of the input file, stdin for stdin]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Print the summary as JSON, one line per input
    #[arg(long)]
    json: bool,
    /// Store the compared lines' points and the cross-sections too, for `raceline render`
    #[arg(long)]
    detail: bool,
    #[command(flatten)]
    options: OptionFlags,
}

const AFTER_HELP: &str = "\
Examples:
  A picture that shows half a metre per pixel:
    raceline optimize monza.png --metres-per-pixel 0.5
  One with a known lap length, driven by a kart, counter-clockwise:
    raceline optimize club.jpg --track-length-m 1210 --vehicle kart --direction counterclockwise
  The same options in a sidecar club.toml:
    track_length_m = 1210
    vehicle = \"kart\"
    direction = \"counterclockwise\"
  In a pipe:
    curl https://example.org/club.png | raceline optimize - --metres-per-pixel 0.5 > club.raceline.json
  Every track of a folder:
    raceline optimize tracks/*.png -o lines/";

/// What the car's lap takes, below the table.
fn energy_line(energy: LapEnergy) -> String {
    // A model car takes joules, a racing car millions of them.
    let (unit, joules) = match energy.energy_j {
        few if few < 1e3 => ("J", 1.0),
        more if more < 1e6 => ("kJ", 1e3),
        _ => ("MJ", 1e6),
    };
    let saved = joules * energy.seconds_per_joule;
    let price = if saved > 0.0 { format!("; one more {unit} saves {saved:.3} s") } else { String::new() };
    format!("  energy {:.3} {unit}{price}\n", energy.energy_j / joules)
}

impl Arguments {
    /// Runs every input, also after one has failed.
    pub fn run(self, flags: GlobalFlags) -> Result<(), Failure> {
        let outputs = self.outputs()?;
        let read: Vec<PathBuf> = self.inputs.iter().flat_map(|input| self.options.files(input)).collect();
        file_guard::check(&read, &outputs)?;
        let jobs: Vec<(&PathBuf, Output)> = self.inputs.iter().zip(outputs).collect();
        if let [(input, output)] = jobs.as_slice() {
            return self.optimize(input, output, flags);
        }
        let mut failed = 0;
        for (input, output) in &jobs {
            match self.optimize(input, output, flags) {
                // Wrong usage would be the same for every input.
                Err(failure @ (Failure::Usage(_) | Failure::BrokenPipe)) => return Err(failure),
                Err(failure) => {
                    report::print_failure(&failure, flags.colour());
                    failed += 1;
                }
                Ok(()) => {}
            }
        }
        if failed > 0 { Err(Failure::Reported { failed, total: jobs.len() }) } else { Ok(()) }
    }

    fn optimize(&self, input: &Path, output: &Output, flags: GlobalFlags) -> Result<(), Failure> {
        let layered = self.options.layered(input)?;
        let vehicle = layered.load_vehicle()?;
        output.check()?;
        let name = name_of(input);
        let mut extraction = {
            let progress = progress::watch(flags, &name);
            pipeline::extract(input, &layered.options, &*progress).map_err(|error| layered.failure(error))?
        };
        if let Some(name) = &self.name {
            extraction.name.clone_from(name);
            extraction.report.name.clone_from(name);
        }
        // Before the search, which may take long on a track that is not one.
        let mut told = extraction.report.warnings.clone();
        told.extend(pipeline::doubts_for(&extraction.track, &vehicle));
        let warn = |warnings: &[Warning]| {
            for warning in warnings.iter().filter(|_| !flags.quiet) {
                let warning = warning_with_advice(warning);
                report::print_warning(&format!("{}: {warning}", input.display()), flags.colour());
            }
        };
        warn(&told);
        let outcome = {
            let progress = progress::watch(flags, &name);
            let request = Request::new(&layered.options, &vehicle).detail(self.detail).progress(&*progress);
            pipeline::find_line(input, extraction, &request)?
        };
        output.write(&json::write(&outcome.line).with_context(|| format!("the line of {}", input.display()))?)?;
        if flags.quiet && !self.json {
            return Ok(());
        }
        if flags.verbose {
            outcome.details.iter().for_each(|detail| report::print_detail(&detail.to_string()));
        }
        warn(&outcome.warnings[told.len()..]);
        if self.json {
            let summary = OptimizeSummary::new(input, output, &outcome);
            return summary.print(output);
        }
        let heading = format!("{}: {}", outcome.line.name, outcome.extraction.line());
        let decimals = Decimals::of(outcome.extraction.length_m, outcome.extraction.mean_width_m);
        let mut table = summary_table(&heading, &outcome.summaries, outcome.line.method, decimals);
        if let Some(energy) = outcome.energy {
            table.push_str(&energy_line(energy));
        }
        if let Some(decisions) = &outcome.decisions {
            table.push_str(&passing_lines(decisions));
        }
        match output {
            // Stdout is reserved for the line.
            Output::Stdout => report::to_stderr(&table),
            Output::File(path) => report::to_stdout(&format!("{table}  -> {}\n", path.display()))?,
        }
        Ok(())
    }

    /// The output of each input.
    fn outputs(&self) -> Result<Vec<Output>, Failure> {
        let folder = match &self.output {
            // What is read from a pipe goes into one.
            None if matches!(self.inputs.as_slice(), [input] if files::is_standard_input(input)) => {
                return Ok(vec![Output::Stdout]);
            }
            None => PathBuf::new(),
            Some(path) if path.is_dir() || path.as_os_str().to_string_lossy().ends_with('/') => {
                if Path::new(path.to_string_lossy().trim_end_matches('/')).is_file() {
                    let path = path.display();
                    return Err(
                        anyhow!("can't write to {path}: it is a file: specify a folder, or remove the slash").into()
                    );
                }
                fs::create_dir_all(path).with_context(|| format!("can't create the folder {}", path.display()))?;
                path.clone()
            }
            Some(path) if self.inputs.len() == 1 => return Ok(vec![Output::new(path)]),
            Some(path) => {
                let path = path.display();
                return Err(Failure::usage(format!(
                    "{} inputs require an output folder, but {path} is not one: pass -o {path}/",
                    self.inputs.len()
                )));
            }
        };
        let mut writers = BTreeMap::new();
        let mut outputs = Vec::new();
        for input in &self.inputs {
            let mut name = stem_of(input).to_owned();
            name.push(batch::ENDING);
            let path = folder.join(name);
            if let Some(other) = writers.insert(path.clone(), input) {
                return Err(Failure::usage(format!(
                    "{} and {} would both be written to {}: run them separately",
                    other.display(),
                    input.display(),
                    path.display()
                )));
            }
            outputs.push(Output::File(path));
        }
        Ok(outputs)
    }
}

/// The track's name: the file's without its ending, and without the `.track` of an extracted one.
pub fn name_of(input: &Path) -> String {
    stem_of(input).to_string_lossy().into_owned()
}

/// The same as the system has it, which need not be Unicode.
fn stem_of(input: &Path) -> &OsStr {
    if files::is_standard_input(input) {
        return OsStr::new("stdin");
    }
    let stem = input.file_stem().unwrap_or(input.as_os_str());
    let inner = Path::new(stem);
    if inner.extension() == Some(OsStr::new("track")) { inner.file_stem().unwrap_or(stem) } else { stem }
}
