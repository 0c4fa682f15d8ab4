//! `raceline inspect`: what a racing-line file holds, and what the vehicle's numbers do to its lap.

use std::path::{Path, PathBuf};

use anyhow::Context;
use raceline::RacingLine;
use raceline::export::json;
use raceline::pipeline;
use raceline::speed::{Effect, Sensitivity, sensitivities};
use serde::Serialize;

use super::GlobalFlags;
use super::report::{self, Failure};
use super::text_table::text_table;

/// Kilometres an hour in a metre a second.
const KMH_PER_MPS: f64 = 3.6;
/// A simulated lap that leaves the file's by more than this share is told.
const LAP_TOLERANCE: f64 = 1e-3;

/// Tell what a racing line is, and what each number of its vehicle does to the lap
///
/// With --sensitivities: by how much the lap time changes with each number of the vehicle, on the file's own line, the
/// strongest first. Numbers that change where on the road a line may lie are listed without; `raceline sweep` varies them.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// A file that `raceline optimize` made
    #[arg(value_name = "LINE")]
    line: PathBuf,
    /// The change of the lap time with each number of the vehicle
    #[arg(long)]
    sensitivities: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  raceline inspect monza.raceline.json
  What a percent of grip, mass or drag is worth:
    raceline inspect monza.raceline.json --sensitivities
  The same for another program:
    raceline inspect monza.raceline.json --sensitivities --json";

/// What is printed, as JSON.
#[derive(Debug, Serialize)]
struct Overview<'a> {
    name: &'a str,
    closed: bool,
    method: &'static str,
    length_m: f64,
    lap_time_s: f64,
    top_speed_mps: f64,
    lowest_speed_mps: f64,
    vehicle: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    sensitivities: Option<Vec<Sensitivity>>,
}

impl Arguments {
    /// Reads the line and prints what was asked for.
    pub fn run(self, flags: GlobalFlags) -> Result<(), Failure> {
        let line = read_line(&self.line)?;
        let speeds = line.points.iter().map(|point| point.speed_mps);
        let overview = Overview {
            name: &line.name,
            closed: line.closed,
            method: line.method.name(),
            length_m: line.length_m,
            lap_time_s: line.lap_time_s,
            top_speed_mps: speeds.clone().fold(0.0, f64::max),
            lowest_speed_mps: speeds.fold(f64::INFINITY, f64::min),
            vehicle: &line.vehicle.name,
            sensitivities: self.sensitivities.then(|| self.sensitivities_of(&line, flags)).transpose()?,
        };
        let text = if self.json { serde_json::to_string_pretty(&overview)? + "\n" } else { overview.text() };
        Ok(report::to_stdout(text.as_bytes())?)
    }

    fn sensitivities_of(&self, line: &RacingLine, flags: GlobalFlags) -> anyhow::Result<Vec<Sensitivity>> {
        let place = || self.line.display().to_string();
        let driven = pipeline::redrive(line).with_context(place)?;
        let simulated_s = driven.lap_time_s();
        if !flags.quiet && (simulated_s - line.lap_time_s).abs() > LAP_TOLERANCE * line.lap_time_s {
            let message = format!(
                "{}: its points take {simulated_s:.3} s in simulation, the file says {:.3} s: \
                 it was changed, or made by another version; the sensitivities are those of its points",
                place(),
                line.lap_time_s
            );
            report::print_warning(&message, flags.colour());
        }
        sensitivities(driven.fixed(), &line.vehicle).with_context(place)
    }
}

impl Overview<'_> {
    fn text(&self) -> String {
        let speed = |mps: f64| format!("{mps:.2} m/s, {:.1} km/h", mps * KMH_PER_MPS);
        let shape = if self.closed { "closed" } else { "open" };
        let rows = [
            ("road", shape.to_owned()),
            ("method", self.method.to_owned()),
            ("vehicle", self.vehicle.to_owned()),
            ("length", format!("{:.1} m", self.length_m)),
            ("lap time", format!("{:.3} s", self.lap_time_s)),
            ("top speed", speed(self.top_speed_mps)),
            ("lowest speed", speed(self.lowest_speed_mps)),
        ];
        let rows: Vec<Vec<String>> = rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
        let mut text = format!("{}\n{}", self.name, text_table(&rows, 2));
        if let Some(sensitivities) = &self.sensitivities {
            text.push_str("\nlap time by the vehicle's numbers, on this line:\n");
            let headings = ["number", "unit", "value", "d lap / d number", "s for +1 %"].map(str::to_owned).to_vec();
            let rows = std::iter::once(headings).chain(sensitivities.iter().filter_map(cells)).collect::<Vec<_>>();
            text.push_str(&text_table(&rows, 2));
            let road = sensitivities.iter().filter(|sensitivity| sensitivity.effect == Effect::Road);
            let road: Vec<&str> = road.map(|sensitivity| sensitivity.key.as_str()).collect();
            text.push_str(&format!("  change the road and need a new line (raceline sweep): {}\n", road.join(", ")));
        }
        text
    }
}

/// A sensitivity's row; none for a number that changes the road.
fn cells(Sensitivity { key, value, unit, effect }: &Sensitivity) -> Option<Vec<String>> {
    let Effect::LapTime { s_per_unit, s_per_percent } = *effect else { return None };
    let (per_unit, per_percent) = match s_per_percent {
        // A number that the lap doesn't depend on.
        Some(0.0) => ("0".to_owned(), "0".to_owned()),
        Some(seconds) => (significant(s_per_unit), format!("{seconds:+.4}")),
        None => (significant(s_per_unit), "-".to_owned()),
    };
    Some(vec![key.clone(), (*unit).to_owned(), value.to_string(), per_unit, per_percent])
}

/// A number to four significant digits, with its sign.
fn significant(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude != 0.0 && !(1e-3..1e5).contains(&magnitude) {
        return format!("{value:+.3e}");
    }
    let whole_digits = if magnitude >= 1.0 { magnitude.log10().floor() as usize + 1 } else { 1 };
    format!("{value:+.*}", 5usize.saturating_sub(whole_digits))
}

/// The racing line in a file.
pub fn read_line(path: &Path) -> anyhow::Result<RacingLine> {
    let bytes = std::fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
    json::read(&bytes).with_context(|| path.display().to_string())
}
