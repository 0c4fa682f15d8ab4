//! `raceline setup`: the fastest set-up of a vehicle on one track.

use std::path::PathBuf;

use anyhow::anyhow;
use raceline::pipeline::{self, Request};
use raceline::set_up::{FoundKey, Free, SetUp, SetUpError, set_up};
use serde::Serialize;

use super::option_flags::{Layered, OptionFlags};
use super::report::{self, Failure};
use super::result_and_line::ResultAndLine;
use super::text_table::text_table;
use super::track_name::name_of;
use super::{GlobalFlags, progress};

/// Find the fastest set-up of the vehicle on a track
///
/// Searches the numbers of the vehicle file that --free names within their ranges, together with the
/// line, and prints the fastest values. Each lap of the search has the derivatives by all of them, so
/// a few laps are enough where a sweep needs every combination. The tyres stay those of the vehicle
/// as given: another brake balance changes how hard the car can brake, and the vehicle file that -o
/// writes has these limits.
///
/// KEY is a number of the vehicle (`raceline vehicles NAME` lists them), a nested number with dots as
/// in drive.power_and_force.power_w, or grip. FROM and TO are numbers in the key's unit, factors on
/// the vehicle's own value as 0.9x, or changes as -10%. Keys with commas between them move together,
/// each from its first value to its second.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// A picture, map YAML, extracted track or track file, as for `raceline optimize`
    #[arg(value_name = "INPUT")]
    input: PathBuf,
    /// A number that is free within a range, or several that move together
    #[arg(long, value_name = "KEY=FROM:TO", required = true)]
    free: Vec<Free>,
    /// Where to write the vehicle with the fastest set-up: a file, or - for stdout
    #[arg(long, short, value_name = "OUT.toml")]
    output: Option<PathBuf>,
    /// Where to write its racing line
    #[arg(long, value_name = "OUT.json")]
    line: Option<PathBuf>,
    /// Print the result as JSON: on stdout, or on stderr if the vehicle is there
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: OptionFlags,
}

const AFTER_HELP: &str = "\
Examples:
  Brake balance and balance of the downforce:
    raceline setup club.png --vehicle gt --free front_brake_fraction=0.5:0.7 \\
      --free front_downforce_fraction=0.4:0.5 -o gt-club.toml
  A wing, whose downforce costs drag:
    raceline setup club.png --vehicle gt --free downforce_kgpm=1:3,drag_kgpm=0.7:1.1";

/// What `--json` prints.
#[derive(Serialize)]
struct Summary<'a> {
    track: &'a str,
    vehicle: &'a str,
    keys: &'a [FoundKey],
    base_lap_time_s: f64,
    lap_time_s: f64,
    gain_s: f64,
    laps: usize,
    settled: bool,
    warnings: Vec<String>,
}

impl Arguments {
    /// Searches the set-up, writes its vehicle and its line, prints its numbers.
    pub fn run(self, flags: GlobalFlags) -> Result<(), Failure> {
        let (result, line) = (self.output.as_deref(), self.line.as_deref());
        let outputs = ResultAndLine::checked("vehicle", result, line, &self.options.files(&self.input))?;
        let layered = self.options.layered(&self.input)?;
        let vehicle = layered.load_vehicle()?;
        let name = name_of(&self.input);
        let (track, found) = {
            let progress = progress::watch(flags, &name);
            let options = &layered.options;
            let extraction =
                pipeline::extract(&self.input, options, &*progress).map_err(|error| layered.failure(error))?;
            let request = Request::new(options, &vehicle).verify(!flags.no_verify).progress(&*progress);
            let found = set_up(&extraction, &request, &self.free).map_err(|error| failure(error, &layered))?;
            (extraction.name, found)
        };
        outputs.write(|| Ok(found.vehicle.to_toml()?), &found.best.line, &self.input)?;
        flags.warn(self.input.display(), &found.best.warnings);
        if !flags.quiet {
            let handling = found.vehicle.handling();
            if found.gain_s() > 0.0 && handling.front_downforce_fraction > handling.front_weight_fraction {
                let message = "front_downforce_fraction is above front_weight_fraction: the faster this car is, the more \
                               it oversteers; drive its line with `raceline drive`, or lower the end of the range";
                report::print_warning(message, flags.colour());
            }
            if !found.settled {
                let message =
                    format!("the search ended after {} laps, before it settled: narrow the ranges", found.laps);
                report::print_warning(&message, flags.colour());
            }
        }
        if self.json {
            return outputs.print(&json_of(&track, &vehicle.name, &found)?);
        }
        if flags.quiet { Ok(()) } else { outputs.print_table(&table_of(&track, &vehicle.name, &found)) }
    }
}

/// A set-up or a method that cannot be searched is wrong usage; a road without a line is a failed job.
fn failure(error: SetUpError, layered: &Layered) -> Failure {
    match error {
        SetUpError::Line(error) => layered.failure(error),
        error => Failure::Usage(anyhow!(error).context("--free can't be searched")),
    }
}

fn table_of(track: &str, vehicle: &str, found: &SetUp) -> String {
    let numbers = if found.keys.len() == 1 { "1 number" } else { &format!("{} numbers", found.keys.len()) };
    let mut text = format!("{track}: set-up of {vehicle}, {numbers}, {} laps\n", found.laps);
    let mut rows = vec![["", "own", "fastest", "range", ""].map(str::to_owned).to_vec()];
    for key in &found.keys {
        let unit = if key.unit.is_empty() { String::new() } else { format!(" {}", key.unit) };
        rows.push(vec![
            key.key.clone(),
            key.own.map_or_else(|| "-".to_owned(), |own| own.to_string()),
            key.best.to_string(),
            format!("{} to {}{unit}", key.range[0], key.range[1]),
            if key.at_end { "at its end".to_owned() } else { String::new() },
        ]);
    }
    let (base_s, best_s) = (found.base.line.lap_time_s, found.best.line.lap_time_s);
    rows.push(vec![
        "lap time s".to_owned(),
        format!("{base_s:.3}"),
        format!("{best_s:.3}"),
        if found.gain_s() > 0.0 {
            format!("{:.3} s, {:.2} % faster", found.gain_s(), 100.0 * found.gain_s() / base_s)
        } else {
            "nothing faster in these ranges".to_owned()
        },
        String::new(),
    ]);
    text.push_str(&text_table(&rows, 1));
    text
}

fn json_of(track: &str, vehicle: &str, found: &SetUp) -> anyhow::Result<String> {
    let summary = Summary {
        track,
        vehicle,
        keys: &found.keys,
        base_lap_time_s: found.base.line.lap_time_s,
        lap_time_s: found.best.line.lap_time_s,
        gain_s: found.gain_s(),
        laps: found.laps,
        settled: found.settled,
        warnings: found.best.warnings.iter().map(ToString::to_string).collect(),
    };
    Ok(serde_json::to_string_pretty(&summary)? + "\n")
}
