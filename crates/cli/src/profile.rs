//! `raceline profile`: a line that exists gets speeds and a lap time.

use std::path::{Path, PathBuf};

use anyhow::Context;
use raceline::batch;
use raceline::file::json;
use raceline::pipeline::{self, GivenLine, Profiled, Request, TrackSource};
use raceline::units::Decimals;
use raceline_file::files;
use serde::Serialize;

use super::GlobalFlags;
use super::file_guard;
use super::option_flags::OptionFlags;
use super::output::{Output, written};
use super::progress;
use super::report::{self, Failure};
use super::track_name::{name_of, stem_of};

/// Give a line that exists its speeds and its lap time
///
/// The line stays as it is: a curve through its points is driven as fast as the vehicle can. The
/// result is a racing-line file, as `raceline optimize` writes it, which every other command takes.
///
/// Reads the line from a CSV (columns by name, or in the order of TUM, ForzaETH, F1TENTH or
/// donkeycar), a racing-line file, GeoJSON, KML, GPX, SVG, DXF, a curve of Godot, or JSON with a
/// list of points. Its edges are those of --track, else those in the file, else at half of
/// --track-width-m to either side. Options beside the track, else beside the line, are read too.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// The file with the line; - for stdin
    #[arg(value_name = "LINE")]
    line: PathBuf,
    /// The track that it runs along: any input of `raceline optimize`, with its sidecar
    #[arg(long, value_name = "TRACK")]
    track: Option<PathBuf>,
    /// Where to write: a file, or - for stdout [default: <NAME>.raceline.json in the current
    /// folder, stdout for stdin]
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Name of the track [default: that in the file, else that of the file]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: OptionFlags,
}

const AFTER_HELP: &str = "\
Examples:
  The lap of a kart on recorded waypoints, on a road 6 m wide:
    raceline profile waypoints.csv --vehicle kart --track-width-m 6 -o waypoints.raceline.json
  Another planner's line on the track that it was made for, beside ours:
    raceline profile traj_race_cl.csv --track berlin.csv -o theirs.json
    raceline optimize berlin.csv --start traj_race_cl.csv -o ours.json
    raceline compare theirs.json ours.json";

/// What `--json` prints.
#[derive(Serialize)]
struct Summary<'a> {
    input: String,
    output: Option<String>,
    name: &'a str,
    layout: &'a str,
    points: usize,
    closed: bool,
    lap_time_s: f64,
    length_m: f64,
    stated_lap_time_s: Option<f64>,
    warnings: Vec<String>,
}

impl Arguments {
    /// Reads the line, computes its speeds and writes the file.
    pub fn run(self, flags: GlobalFlags) -> Result<(), Failure> {
        let output = self.output();
        let with_options = self.track.as_ref().unwrap_or(&self.line);
        let mut read = self.options.files(with_options);
        read.push(self.line.clone());
        if self.track.is_none() {
            // The line alone, which is among its own files already.
            read.dedup();
            let is_line = |path: &PathBuf| *path == self.line;
            let first = read.iter().position(is_line);
            let mut index = 0;
            read.retain(|path| {
                index += 1;
                !is_line(path) || Some(index - 1) == first
            });
        }
        file_guard::check(&read, [&output])?;
        output.check()?;
        let layered = self.options.layered(with_options)?;
        let vehicle = layered.load_vehicle()?;
        let mut profiled = {
            let progress = progress::watch(flags, &name_of(&self.line));
            let request = Request::new(&layered.options, &vehicle).verify(!flags.no_verify).progress(&*progress);
            let given = GivenLine::read(&self.line, &layered.options).map_err(|error| layered.failure(error))?;
            let track = self.track.as_deref().map(TrackSource::from);
            pipeline::profile(&given, track, &request).map_err(|error| layered.failure(error))?
        };
        if let Some(name) = &self.name {
            profiled.line.name.clone_from(name);
        }
        flags.warn(self.line.display(), &profiled.warnings);
        let line = json::write(&profiled.line).with_context(|| format!("the line of {}", self.line.display()))?;
        output.write(&line)?;
        self.report(&profiled, &output, flags)
    }

    fn report(&self, profiled: &Profiled, output: &Output, flags: GlobalFlags) -> Result<(), Failure> {
        let Profiled { line, layout, points, stated_lap_time_s, warnings, .. } = profiled;
        let text = if self.json {
            let summary = Summary {
                input: self.line.display().to_string(),
                output: match output {
                    Output::Stdout => None,
                    Output::File(path) => Some(path.display().to_string()),
                },
                name: &line.name,
                layout,
                points: *points,
                closed: line.closed,
                lap_time_s: line.lap_time_s,
                length_m: line.length_m,
                stated_lap_time_s: *stated_lap_time_s,
                warnings: warnings.iter().map(ToString::to_string).collect(),
            };
            serde_json::to_string(&summary).context("can't write JSON")? + "\n"
        } else if flags.quiet {
            return Ok(());
        } else {
            let widths = line.points.iter().map(|point| point.left_m + point.right_m);
            let decimals = Decimals::of(line.length_m, widths.sum::<f64>() / line.points.len().max(1) as f64);
            let mut text = format!("{}: {layout}, {points} points\n", line.name);
            text.push_str(&format!(
                "  lap {:.3} s over {} m by {}\n",
                line.lap_time_s,
                decimals.place(line.length_m),
                line.vehicle.name
            ));
            if let Some(stated_s) = stated_lap_time_s {
                text.push_str(&format!("  at the speeds in the file {stated_s:.3} s\n"));
            }
            text.push_str(&written([output]));
            text
        };
        Ok(report::beside(&text, output.is_stdout())?)
    }

    fn output(&self) -> Output {
        match &self.output {
            Some(path) => Output::new(path),
            None if files::is_standard_input(&self.line) => Output::Stdout,
            None => {
                let mut name = stem_of(&self.line).to_owned();
                name.push(batch::ENDING);
                Output::File(Path::new("").join(name))
            }
        }
    }
}
