//! `raceline verify`: an independent judge of racing-line files.

use std::path::{Path, PathBuf};

use anyhow::Context;
use raceline::Options;
use raceline::file::EdgeCoordinates;
use raceline::options::{Layer, sidecar_of};
use raceline::pipeline::{self, Silent};
use raceline::verify::{Check, Report};
use raceline_car::Vehicle;
use serde::Serialize;

use super::file_guard;
use super::line_file::read_line;
use super::output::Output;
use super::refusal;
use super::report::{self, Failure};
use super::text_table::text_table;
use super::{GlobalFlags, picture_format};

/// Judge racing lines: geometry, times, margins and the vehicle's limits
///
/// Proves from the numbers of a file alone, without the code that makes lines, that positions, arc
/// length, heading, curvature, speeds, times and distances to the edges describe one line, that the
/// vehicle keeps its margin, and that its accelerations lie inside its g-g diagram, with heights,
/// banking and grip. The table lists for each rule the place where the line is closest
/// to its limit.
///
/// Every command proves a line before it writes one; --no-verify skips that.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Racing-line files, as `raceline optimize` writes them
    #[arg(value_name = "LINE", required = true)]
    lines: Vec<PathBuf>,
    /// Judge the margin to the edges of this track in place of those in the file: any input of
    /// `raceline optimize`, with its sidecar
    #[arg(long, value_name = "TRACK")]
    track: Option<PathBuf>,
    /// Judge with this vehicle in place of that in the file: a preset or a TOML file
    #[arg(long, value_name = "VEHICLE")]
    vehicle: Option<String>,
    /// Print the judgement as JSON
    #[arg(long)]
    json: bool,
    /// Draw the place of the first violated rule to this file, .svg or .png; for one line
    #[arg(long, value_name = "OUT")]
    drawing: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Examples:
  raceline verify monza.raceline.json
  All lines of a folder, and the line of one car judged with another:
    raceline verify tracks/*.raceline.json
    raceline verify monza.raceline.json --vehicle kart
  A picture of the place where a rule is violated:
    raceline verify monza.raceline.json --drawing place.svg

Exit codes: 0 all lines are sound, 1 the job failed or a line is not sound, 2 wrong usage.";

/// The judgement of a file, as JSON.
#[derive(Debug, Serialize)]
struct Judgement {
    file: String,
    name: String,
    sound: bool,
    #[serde(flatten)]
    report: Report,
}

impl Arguments {
    /// Judges every line, also after one that is not sound.
    pub fn run(self, flags: GlobalFlags) -> Result<(), Failure> {
        if self.drawing.is_some() && self.lines.len() > 1 {
            return Err(Failure::usage("--drawing shows one line: name one, or leave it out"));
        }
        let outputs: Vec<Output> = self.drawing.iter().map(|path| Output::new(path)).collect();
        let format = self.drawing.as_deref().map(|path| picture_format(path, ".svg or .png")).transpose()?;
        file_guard::check(self.lines.iter().chain(&self.track), &outputs)?;
        outputs.iter().try_for_each(Output::check)?;
        let edges = self.track.as_deref().map(|track| edges_of(track, flags)).transpose()?;
        let vehicle = self.vehicle.as_deref().map(vehicle_of).transpose()?;
        let mut judgements = Vec::new();
        for path in &self.lines {
            let line = read_line(path)?;
            let report =
                pipeline::judge(&line, vehicle.as_ref(), edges.as_ref()).with_context(|| path.display().to_string())?;
            if let (Some(finding), Some(output), Some(format)) = (report.findings().next(), outputs.first(), format) {
                output.write(&format.bytes_of(refusal::drawing(&line, finding))?)?;
            }
            judgements.push(Judgement {
                file: path.display().to_string(),
                name: line.name,
                sound: report.is_sound(),
                report,
            });
        }
        let text = if self.json {
            serde_json::to_string_pretty(&judgements).context("can't write JSON")? + "\n"
        } else {
            judgements.iter().map(|judgement| listing(judgement, flags.quiet)).collect()
        };
        report::to_stdout(&text)?;
        let failed = judgements.iter().filter(|judgement| !judgement.sound).count();
        if failed > 0 { Err(Failure::Reported { failed, total: judgements.len() }) } else { Ok(()) }
    }
}

/// The edges of a track, which is read as `raceline optimize` reads it.
fn edges_of(track: &Path, flags: GlobalFlags) -> Result<EdgeCoordinates, Failure> {
    let sidecar = sidecar_of(track).map(|path| Layer::read_within(&path, flags.reach())).transpose()?;
    let options = Options::from_layers(sidecar.as_slice())?;
    let extraction = pipeline::extract(track, &*options.resolved()?, &Silent)?;
    let of = |edge: &raceline_road::geometry::Polyline| edge.points.iter().map(|point| [point.x, point.y]).collect();
    Ok(EdgeCoordinates { left: of(&extraction.track.left_edge), right: of(&extraction.track.right_edge) })
}

fn vehicle_of(name: &str) -> Result<Vehicle, Failure> {
    let options = Options { vehicle: Some(name.to_owned()), ..Options::default() };
    options.load_vehicle().map_err(|error| Failure::options(error, true))
}

/// A line's judgement as text: only what is violated where `is_short`.
fn listing(judgement: &Judgement, is_short: bool) -> String {
    let Judgement { file, sound, report, .. } = judgement;
    let verdict = if *sound { "sound" } else { "not sound" };
    let mut text = format!("{file}: {verdict}\n");
    if !is_short {
        let headings = ["rule", "measured", "allowed", "unit", "s m", "x m", "y m"].map(str::to_owned).to_vec();
        let rows = std::iter::once(headings).chain(report.checks.iter().map(row)).collect::<Vec<_>>();
        text.push_str(&text_table(&rows, 1));
    }
    for finding in report.findings() {
        text.push_str(&format!("  {finding}\n"));
    }
    text
}

fn row(check: &Check) -> Vec<String> {
    let number = |value: f64| if value == 0.0 { "0".to_owned() } else { format!("{value:.2e}") };
    let place = check.place.map_or([const { String::new() }; 3], |place| {
        [place.s_m, place.x_m, place.y_m].map(|value| format!("{value:.3}"))
    });
    let unit = check.rule.unit().to_owned();
    [check.rule.to_string(), number(check.measured), number(check.allowed), unit].into_iter().chain(place).collect()
}
