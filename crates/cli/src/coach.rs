//! `raceline coach`: a track day's log beside the ideal lap, on one page.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use raceline::analysis::{AnalysisOptions, Losses, decimals_of, losses};
use raceline::file::json;
use raceline::pipeline::{self, Extraction, Request, log_reference};
use raceline::{Options, RacingLine};
use raceline_calibrate::{Telemetry, calibrate, run_of};
use raceline_car::Vehicle;
use raceline_laps::{Log, RoadOptions, Session, SessionOptions};
use raceline_render::html::{self, HtmlOptions};
use raceline_road::frame::Spot;

use super::GlobalFlags;
use super::advice::warning_with_advice;
use super::comparison_sheets::losses_sheet;
use super::file_guard;
use super::laps::lap_text;
use super::log_file::{driven_of, options_beside, pair, read_log, session_of};
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
    #[arg(long, value_name = "VEHICLE", default_value = "gt", conflicts_with = "vehicle")]
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

/// Beyond the outermost wheels a road of laps has this much, m.
const MARGIN_M: f64 = 0.3;

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
        if let Some(width_m) = self.track_width_m.filter(|&width_m| !(0.5..=100.0).contains(&width_m)) {
            return Err(Failure::usage(format!("--track-width-m is {width_m}: it must be from 0.5 to 100")));
        }
        let log = read_log(&self.log)?;
        let start = SessionOptions { start: self.start, ..SessionOptions::default() };
        let base = vehicle_named(named, flags)?;
        let (options, extraction, session) = match &self.track {
            Some(track) => self.on_track(track, &log, flags)?,
            None => self.on_own_road(&log, &start, &base, flags)?,
        };
        let mut vehicle = if self.vehicle.is_some() { base } else { self.fitted(&session, &base, flags)? };
        if self.track.is_none() {
            // What the laps used is the road: no more of it is given away.
            vehicle.safety_distance_m = 0.0;
        }
        let name = name_of(&self.log);
        for warning in extraction.warnings_for(&vehicle).iter().filter(|_| !flags.quiet) {
            report::print_warning(&format!("{name}: {}", warning_with_advice(warning)), flags.colour());
        }
        let outcome = {
            let progress = progress::watch(flags, &name);
            let request = Request::new(&options, &vehicle).verify(!flags.no_verify).progress(&*progress);
            pipeline::optimize(extraction, &request)?
        };
        let line = outcome.line;
        // The laps are laid on the road again, now from the line's start on.
        let again = SessionOptions { reference: Some(log_reference(&line)), ..SessionOptions::default() };
        let session = session_of(&log, &again, GlobalFlags { quiet: true, ..flags })?;
        let driven = driven_of(&session, &line, self.lap)?;
        let lost = losses(&line, &driven, &AnalysisOptions::of(&line))?;
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
        if output == Output::Stdout {
            report::to_stderr(&text);
        } else {
            report::to_stdout(&text)?;
        }
        Ok(())
    }

    /// The track that is given, and the laps on it.
    fn on_track(&self, track: &Path, log: &Log, flags: GlobalFlags) -> Result<(Options, Extraction, Session), Failure> {
        let options = options_beside(track, flags.reach())?;
        let extraction = pipeline::extract(track, &options, &pipeline::Silent)?;
        let reference = Some(extraction.log_reference());
        let session =
            session_of(log, &SessionOptions { start: self.start, reference, ..SessionOptions::default() }, flags)?;
        Ok((options, extraction, session))
    }

    /// The road of the laps.
    fn on_own_road(
        &self,
        log: &Log,
        start: &SessionOptions,
        base: &Vehicle,
        flags: GlobalFlags,
    ) -> Result<(Options, Extraction, Session), Failure> {
        let session = session_of(log, start, flags)?;
        let road_options =
            RoadOptions { width_m: self.track_width_m, vehicle_width_m: base.width_m, margin_m: MARGIN_M };
        let road = session.road(&road_options).ok_or_else(|| anyhow!("{}: no lap is whole", log.name))?;
        let mut options = Options::default();
        options.track.start = Some(Spot::Metres(session.table.start.position_m));
        options.route.shape = raceline::edges::RoadShape::Closed;
        let mut extraction = pipeline::extract_centre_line(
            &name_of(&self.log),
            &road.points,
            &road.widths_m,
            &options,
            &pipeline::Silent,
        )?;
        extraction.source.geographic_origin_deg = session.geographic_origin_deg;
        if !flags.quiet {
            let width: f64 = road.widths_m.iter().flatten().sum::<f64>() / road.widths_m.len().max(1) as f64;
            report::to_stderr(&format!(
                "{}: a road {width:.1} m wide of {} laps, which lie {:.1} m apart on average\n",
                log.name, road.laps, road.spread_m
            ));
        }
        Ok((options, extraction, session))
    }

    /// The vehicle that drove.
    fn fitted(&self, session: &Session, base: &Vehicle, flags: GlobalFlags) -> Result<Vehicle, Failure> {
        let name = self.log.display().to_string();
        let telemetry = Telemetry { runs: vec![run_of(session, &name)] };
        let mut fitted = calibrate(&telemetry, base).map_err(|error| {
            anyhow::Error::from(error)
                .context(format!("{name}: no vehicle can be fitted to it: name one with --vehicle"))
        })?;
        for note in fitted.notes.iter().filter(|_| !flags.quiet) {
            report::print_warning(&note.to_string(), flags.colour());
        }
        fitted.vehicle.name = name_of(&self.log);
        if let Some(path) = &self.vehicle_output {
            Output::new(path).write(fitted.to_toml()?.as_bytes())?;
        }
        Ok(fitted.vehicle)
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
