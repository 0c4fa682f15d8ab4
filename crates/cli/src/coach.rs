//! `raceline coach`: a track day's log beside the ideal lap, on one page.

use std::path::{Path, PathBuf};

use anyhow::Context;
use raceline::analysis::{Losses, decimals_of};
use raceline::file::json;
use raceline::pipeline;
use raceline::{Options, RacingLine};
use raceline_calibrate::{CoachError, CoachNote, CoachOptions, CoachRoad, CoachVehicle, Coached, coach};
use raceline_car::Vehicle;
use raceline_laps::LogError;
use raceline_render::html::{self, HtmlOptions};

use super::GlobalFlags;
use super::comparison_sheets::losses_sheet;
use super::file_guard;
use super::laps::lap_text;
use super::log_file::{options_beside, pair, read_log};
use super::option_flags::vehicle_files;
use super::output::Output;
use super::progress;
use super::report::{self, Failure};
use super::sheet::Format;
use super::track_name::name_of;

/// Show where a driver loses time against the ideal lap, from a log alone
///
/// Reads a log as `raceline laps` does, makes the road of its laps unless a track is given, fits a
/// vehicle to what was driven unless one is given, finds the ideal lap of that vehicle on that road, and
/// writes a page: the map with both lines, their traces over distance, and the time lost at each
/// corner by braking, apex speed, line and throttle.
///
/// The road of a few laps is hardly wider than what was driven, so the ideal lap is no wider either:
/// give the track, or its width.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// The log
    #[arg(value_name = "LOG")]
    log: PathBuf,
    /// Where to write the page: a file, or - for stdout
    #[arg(long, short, value_name = "OUT.html")]
    output: PathBuf,
    /// The track that was driven [default: the road that the laps used]
    #[arg(long, value_name = "TRACK", conflicts_with = "track_width_m")]
    track: Option<PathBuf>,
    /// Width of the road that is made of the laps, m [default: what they used]
    #[arg(long, value_name = "NUMBER")]
    track_width_m: Option<f64>,
    /// The vehicle: a preset, or a file ending in .toml [default: fitted to the log]
    #[arg(long, value_name = "VEHICLE")]
    vehicle: Option<String>,
    /// What a log does not show of a fitted vehicle, as mass and sizes: a preset or a file
    #[arg(long, value_name = "VEHICLE", default_value = CoachOptions::BASE, conflicts_with = "vehicle")]
    base: String,
    /// A place on the start line: longitude,latitude, or x,y of a log in metres
    #[arg(long, value_name = "A,B", value_parser = pair)]
    start: Option<[f64; 2]>,
    /// The lap that is shown [default: the fastest]
    #[arg(long, value_name = "N")]
    lap: Option<usize>,
    /// Write the ideal lap too, as a racing line
    #[arg(long, value_name = "LINE.json")]
    line: Option<PathBuf>,
    /// Write the fitted vehicle too
    #[arg(long, value_name = "OUT.toml", conflicts_with = "vehicle")]
    vehicle_output: Option<PathBuf>,
    /// Print the losses as JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  raceline coach morning.vbo -o morning.html
  On a known track, with a known car:
    raceline coach morning.vbo --track club.geojson --vehicle my-car.toml -o morning.html

Exit codes: 0 done, 1 the job failed, 2 wrong usage.";

impl Arguments {
    /// Runs the whole chain and writes the page.
    pub fn run(self, flags: GlobalFlags) -> Result<(), Failure> {
        let output = Output::new(&self.output);
        let others = [&self.line, &self.vehicle_output].into_iter().flatten().map(|path| Output::new(path));
        let outputs: Vec<Output> = std::iter::once(output.clone()).chain(others).collect();
        let named = self.vehicle.as_deref().unwrap_or(&self.base);
        let read = [vec![self.log.clone()], vehicle_files(Some(named)), self.track.iter().cloned().collect()].concat();
        file_guard::check(&read, &outputs)?;
        outputs.iter().try_for_each(Output::check)?;
        let (narrowest, widest) = CoachRoad::WIDTH_M.into_inner();
        if let Some(width_m) = self.track_width_m.filter(|width_m| !CoachRoad::WIDTH_M.contains(width_m)) {
            return Err(Failure::usage(format!(
                "--track-width-m is {width_m}: it must be from {narrowest} to {widest}"
            )));
        }
        let log = read_log(&self.log)?;
        let base = vehicle_named(named, flags)?;
        let options = CoachOptions {
            road: self.road(flags)?,
            vehicle: if self.vehicle.is_some() { CoachVehicle::Given(base) } else { CoachVehicle::Fitted(base) },
            start: self.start,
            lap: self.lap,
            verify: !flags.no_verify,
        };
        let name = name_of(&self.log);
        let coached = {
            let progress = progress::watch(flags, &name);
            let notify = &mut |note| self.report(&note, flags);
            coach(&log, &name, options, notify, &*progress).map_err(|error| self.failure(error))?
        };
        flags.warn(&name, &coached.warnings);
        if let (Some(path), Some(fitted)) = (&self.vehicle_output, &coached.calibration) {
            Output::new(path).write(fitted.to_toml()?.as_bytes())?;
        }
        let Coached { line, driven, losses: lost, .. } = coached;
        let page = HtmlOptions { losses: Some(lost.clone()), ..HtmlOptions::default() };
        let html = html::render(&[line.clone(), driven.clone()], &page)?;
        output.write(html.as_bytes())?;
        if let Some(path) = &self.line {
            Output::new(path).write(&json::write(&line)?)?;
        }
        let text = if self.json {
            serde_json::to_string_pretty(&lost).context("can't write JSON")? + "\n"
        } else {
            summary(&line, &driven, &lost, &self.output)
        };
        Ok(report::beside(&text, output.is_stdout())?)
    }

    /// The road that the options name.
    fn road(&self, flags: GlobalFlags) -> Result<CoachRoad, Failure> {
        let Some(track) = &self.track else { return Ok(CoachRoad::OfLaps { width_m: self.track_width_m }) };
        let options = options_beside(track, flags.reach())?;
        let extraction = pipeline::extract(track, &options, &pipeline::Silent)?;
        Ok(CoachRoad::Given { options: Box::new(options), extraction: Box::new(extraction) })
    }

    /// The failure with the log's name, and the option that helps.
    fn failure(&self, error: CoachError) -> Failure {
        let name = self.log.display().to_string();
        match error {
            error @ CoachError::Log(LogError::NoSuchLap { .. }) => Failure::Usage(error.into()),
            CoachError::Line(error) => error.into(),
            CoachError::Calibrate(error) => anyhow::Error::from(error)
                .context(format!("{name}: no vehicle can be fitted to it: name one with --vehicle"))
                .into(),
            error => anyhow::Error::from(error).context(name).into(),
        }
    }

    /// Prints what to know of the log, the road and the vehicle.
    fn report(&self, note: &CoachNote, flags: GlobalFlags) {
        if flags.quiet {
            return;
        }
        let file = self.log.display();
        match note {
            CoachNote::Log(_) => report::print_warning(&format!("{file}: {note}"), flags.colour()),
            CoachNote::Road(_) => report::to_stderr(&format!("{file}: {note}\n")),
            CoachNote::Vehicle(_) => report::print_warning(&note.to_string(), flags.colour()),
        }
    }
}

fn vehicle_named(name: &str, flags: GlobalFlags) -> Result<Vehicle, Failure> {
    let options = Options { vehicle: Some(name.to_owned()), reach: flags.reach(), ..Options::default() };
    options.load_vehicle().map_err(|error| Failure::options(error, true))
}

fn summary(line: &RacingLine, driven: &RacingLine, lost: &Losses, output: &Path) -> String {
    let sheet = losses_sheet(lost, decimals_of(line));
    format!(
        "{}: driven {}, ideal {}, {:+.3} s\n{}  -> {}\n",
        line.name,
        lap_text(driven.lap_time_s),
        lap_text(line.lap_time_s),
        lost.total_s,
        sheet.print(Format::Text),
        output.display()
    )
}
