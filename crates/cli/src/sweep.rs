//! `raceline sweep`: the laps of many vehicles on one track.

use std::path::PathBuf;

use anyhow::anyhow;
use raceline::pipeline::{self, Request};
use raceline::sweep::csv as sweep_csv;
use raceline::sweep::{self, Plan, SweepMode, Table, Variation};
use raceline_render::sweep_chart;

use super::file_guard;
use super::option_flags::OptionFlags;
use super::output::{Output, written};
use super::report::{self, Failure};
use super::sweep_summary::{sweep_json, sweep_summary};
use super::track_name::name_of;
use super::{GlobalFlags, progress};

/// Vary the vehicle and tabulate the lap times
///
/// Runs every combination of the variations and writes one CSV row each: the varied values, lap
/// time, length, top and lowest speed, the gain over the base vehicle, and the error of a failed
/// combination.
///
/// KEY is a number of the vehicle (`raceline vehicles NAME` lists them), a nested number with dots
/// as in drive.power_and_force.power_w, or grip, a factor on both tyre limits. SPEC is a list A,B,C
/// or a range FROM:TO:COUNT with both ends included. A value is a number in the key's unit, a
/// factor on the vehicle's own value as 0.9x, or a change as -10%.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// A picture, map YAML, extracted track or track file, as for `raceline optimize`
    #[arg(value_name = "INPUT")]
    input: PathBuf,
    /// A number to vary; several give every combination, and the last one changes fastest
    #[arg(long, value_name = "KEY=SPEC", required = true)]
    vary: Vec<Variation>,
    /// Where to write the CSV: a file, or - for stdout [default: stdout; with --json, nowhere]
    #[arg(long, short, value_name = "OUT.csv")]
    output: Option<PathBuf>,
    /// Draw the lap time over one or two varied numbers; the ending selects the format, .svg or
    /// .png
    #[arg(long, value_name = "OUT")]
    heat_map: Option<PathBuf>,
    /// Find a new line for each vehicle; this is the default
    #[arg(long, conflicts_with = "fixed_line")]
    reoptimize: bool,
    /// Drive every vehicle on the line of the base vehicle: much faster
    #[arg(long)]
    fixed_line: bool,
    /// Print the summary as JSON: on stdout, or on stderr if -o - or --heat-map - has it
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: OptionFlags,
}

const AFTER_HELP: &str = "\
Examples:
  The effect of grip and top speed, as a table and as a picture:
    raceline sweep club.png --vary grip=0.8x:1.2x:5 --vary max_speed_mps=50:80:4 -o sweep.csv --heat-map sweep.png
  The effect of ballast without a new line:
    raceline sweep club.png --vehicle gt --vary mass_kg=+0%:+10%:11 --fixed-line
  Three engines with a small and a large safety distance:
    raceline sweep club.png --vehicle kart --vary drive.power_and_force.power_w=20000,25000,30000 \\
      --vary safety_distance_m=0.2,0.5

Exit codes: 0 done (rows may have failed), 1 the job or every row failed, 2 wrong usage.";

impl Arguments {
    /// Runs the sweep, writes table and picture.
    pub fn run(self, flags: GlobalFlags) -> Result<(), Failure> {
        let picture = self.heat_map.as_deref().map(|path| super::picture_format(path, ".svg or .png")).transpose()?;
        let layered = self.options.layered(&self.input)?;
        let vehicle = layered.load_vehicle()?;
        let options = &layered.options;
        let plan = Plan::new(&vehicle, &self.vary).map_err(|error| Failure::Usage(error.into()))?;
        if picture.is_some() {
            sweep_chart::check(&plan)
                .map_err(|error| Failure::Usage(anyhow::Error::from(error).context("--heat-map can't be drawn")))?;
        }
        let vehicles = plan.vehicles(&vehicle).map_err(|error| Failure::Usage(error.into()))?;
        let output = match &self.output {
            Some(path) => Some(Output::new(path)),
            None => (!self.json).then_some(Output::Stdout),
        };
        let picture = picture.zip(self.heat_map.as_deref().map(Output::new));
        let outputs = || output.iter().chain(picture.iter().map(|(_, output)| output));
        let on_stdout = outputs().filter(|output| **output == Output::Stdout).count();
        if on_stdout > 1 {
            return Err(Failure::usage(
                "the table and the picture can't both go to stdout: pass -o or --heat-map a file",
            ));
        }
        let inputs = self.options.files(&self.input);
        file_guard::check(&inputs, outputs())?;
        outputs().try_for_each(Output::check)?;

        let name = name_of(&self.input);
        let mode = if self.fixed_line { SweepMode::FixedLine } else { SweepMode::Reoptimize };
        let (extraction, sweep) = {
            let progress = progress::watch(flags, &name);
            let extraction =
                pipeline::extract(&self.input, options, &*progress).map_err(|error| layered.failure(error))?;
            let request = Request::new(options, &vehicle).progress(&*progress);
            let sweep = sweep::sweep(&extraction, &request, &vehicles, mode)
                .map_err(|error| pipeline::Error::Solve { file: self.input.clone(), error })?;
            (extraction, sweep)
        };
        let table = Table::new((&extraction.name, &vehicle.name), (options.method, mode), plan, &sweep);
        if let Some(output) = &output {
            output.write(sweep_csv::write(&table).as_bytes())?;
        }
        if table.failed() == table.rows.len() {
            let message = table.rows.first().map_or("", |row| row.message.as_str());
            return Err(Failure::Job(anyhow!(
                "{}: every combination failed, the first one with: {message}",
                self.input.display()
            )));
        }
        if let Some((format, output)) = &picture {
            output.write(&format.bytes_of(sweep_chart::svg(&table)?)?)?;
        }
        let stdout_is_taken = on_stdout > 0;
        if self.json {
            let text = sweep_json(&table)?;
            report::beside(&text, stdout_is_taken)?;
        }
        if flags.quiet {
            return Ok(());
        }
        flags.warn(self.input.display(), &extraction.report.warnings);
        match &sweep.base {
            Ok(base) => flags.warn(format_args!("{}: base", self.input.display()), &base.warnings),
            Err(error) => {
                let message = format!("{}: the base vehicle has no lap to compare with: {error}", self.input.display());
                report::print_warning(&message, flags.colour());
            }
        }
        if self.json {
            return Ok(());
        }
        let mut summary = sweep_summary(&table, &extraction.report.line());
        summary.push_str(&written(outputs()));
        Ok(report::beside(&summary, stdout_is_taken)?)
    }
}
