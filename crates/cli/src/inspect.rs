//! `raceline inspect`: the analysis of a racing-line file, and the sensitivities of its lap time.

use std::path::{Path, PathBuf};

use anyhow::Context;
use raceline::RacingLine;
use raceline::analysis::{Analysis, AnalysisError, AnalysisOptions, analyse, decimals_of};
use raceline::pipeline::{self, Redriven};
use raceline::units::{Decimals, KMH_PER_MPS};
use raceline_solve::speed::{Effect, Sensitivity};
use serde::Serialize;

use super::GlobalFlags;
use super::analysis_flags::AnalysisFlags;
use super::analysis_sheets::sheets;
use super::file_guard;
use super::line_file::read_with_doubts;
use super::report::{self, Failure};
use super::sheet::{self, Format, Sheet};
use super::text_table::text_table;

/// A simulated lap time that differs from the file's by more than this fraction is reported.
const LAP_TOLERANCE: f64 = 1e-3;

/// Analyse a racing line: corners, sectors, straights, extremes, margins
///
/// A corner is a bend of the road in which the line's curvature is larger than the vehicle's grip
/// allows at the lap's top speed. Its number belongs to the road: all lines have it there. Bends of
/// the line to the same side with less than half a second between them are one corner, as 3-4.
/// Sectors are thirds of the lap, or those of the options that the line was made with.
///
/// With --sensitivities: the change of the lap time with each number of the vehicle, the largest
/// first: on the file's own line, or, for a line of --model car, of the car's fastest lap. Numbers
/// that change which lines are possible are listed without a sensitivity; `raceline sweep` varies
/// them.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// A racing-line file, as `raceline optimize` writes it
    #[arg(value_name = "LINE")]
    line: PathBuf,
    /// Print the change of the lap time with each number of the vehicle
    #[arg(long)]
    sensitivities: bool,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Print only this table
    #[arg(long, value_name = "NAME", value_parser = ["corners", "sectors", "straights", "extremes", "crests", "balance", "sensitivities"])]
    table: Option<String>,
    #[command(flatten)]
    analysis: AnalysisFlags,
}

const AFTER_HELP: &str = "\
Examples:
  raceline inspect monza.raceline.json
  The corners for a spreadsheet, the sectors for a pull request, everything for a program:
    raceline inspect monza.raceline.json --format csv > corners.csv
    raceline inspect monza.raceline.json --format markdown --table sectors
    raceline inspect monza.raceline.json --format json
  The effect of one percent of grip, mass or drag:
    raceline inspect monza.raceline.json --sensitivities";

/// The output as JSON.
#[derive(Debug, Serialize)]
struct Overview<'a> {
    name: &'a str,
    closed: bool,
    method: &'static str,
    length_m: f64,
    lap_time_s: f64,
    vehicle: &'a str,
    #[serde(flatten)]
    analysis: Analysis,
    #[serde(skip_serializing_if = "Option::is_none")]
    sensitivities: Option<Vec<Sensitivity>>,
}

impl Arguments {
    /// Reads the line and prints the tables.
    pub fn run(mut self, flags: GlobalFlags) -> Result<(), Failure> {
        if self.json {
            self.format = Format::Json;
        }
        file_guard::check([&self.line], [])?;
        let line = read_with_doubts(&self.line, flags)?;
        let options = self.analysis.options(&line);
        let overview = Overview {
            name: &line.name,
            closed: line.closed,
            method: line.method.name(),
            length_m: line.length_m,
            lap_time_s: line.lap_time_s,
            vehicle: &line.vehicle.name,
            analysis: analysed(&line, &self.line, &options)?,
            sensitivities: self.sensitivities_wanted().then(|| self.sensitivities_of(&line, flags)).transpose()?,
        };
        let decimals = decimals_of(&line);
        let text = match self.format {
            Format::Json => serde_json::to_string_pretty(&overview)? + "\n",
            format => {
                let mut all = sheets(&overview.analysis, decimals);
                all.extend(overview.sensitivities.as_deref().map(sensitivity_sheet));
                let tables = sheet::chosen(&all, format, self.table.as_deref());
                if tables.is_empty() && !flags.quiet {
                    let reason = why_absent(self.table.as_deref());
                    report::print_warning(&format!("{}: {reason}", self.line.display()), flags.colour());
                }
                let tables: String = tables.into_iter().map(|sheet| sheet.print(format)).collect();
                let whole = self.table.is_none();
                let head = if whole && format != Format::Csv { overview.head(format, decimals) } else { String::new() };
                let tail = if whole && format == Format::Text { overview.road_numbers() } else { String::new() };
                format!("{head}{tables}{tail}").trim_start_matches('\n').to_owned()
            }
        };
        Ok(report::to_stdout(&text)?)
    }

    fn sensitivities_wanted(&self) -> bool {
        self.sensitivities || self.table.as_deref() == Some("sensitivities")
    }

    fn sensitivities_of(&self, line: &RacingLine, flags: GlobalFlags) -> anyhow::Result<Vec<Sensitivity>> {
        let place = || self.line.display().to_string();
        let again = pipeline::redrive(line).with_context(place)?;
        let found_s = again.lap_time_s();
        if !flags.quiet && (found_s - line.lap_time_s).abs() > LAP_TOLERANCE * line.lap_time_s {
            let stated_s = line.lap_time_s;
            let message = match again {
                Redriven::Car(_) => format!(
                    "{}: its car's fastest lap between its edges is {found_s:.3} s, but the file states {stated_s:.3} s: \
                     the sensitivities are those of the former",
                    place()
                ),
                Redriven::PointMass(_) => format!(
                    "{}: its points take {found_s:.3} s in simulation, but the file states {stated_s:.3} s: \
                     the file was edited, or made by another version; the sensitivities are computed from its points",
                    place()
                ),
            };
            report::print_warning(&message, flags.colour());
        }
        again.sensitivities(&line.vehicle).with_context(place)
    }
}

/// Why a line lacks the table of this name.
fn why_absent(table: Option<&str>) -> &'static str {
    match table {
        Some("balance") => {
            "no table of the balance: the line has no inputs of a car's axles, as `raceline optimize --model car` writes"
        }
        Some("crests") => "no table of crests: the road of the line is level",
        _ => "the line has no such table",
    }
}

impl Overview<'_> {
    /// The summary above the tables.
    fn head(&self, format: Format, decimals: Decimals) -> String {
        let extremes = &self.analysis.extremes;
        let margins = self.analysis.margins;
        let speed = |mps: f64| format!("{mps:.2} m/s, {:.1} km/h", mps * KMH_PER_MPS);
        let rows = [
            ("road", if self.closed { "closed" } else { "open" }.to_owned()),
            ("method", self.method.to_owned()),
            ("vehicle", self.vehicle.to_owned()),
            ("length", format!("{} m", decimals.place(self.length_m))),
            ("lap time", format!("{:.3} s", self.lap_time_s)),
            ("top speed", speed(extremes.top_speed_mps.value)),
            ("lowest speed", speed(extremes.lowest_speed_mps.value)),
            ("margin", format!("{:.2} m, minimum spare distance {:+.3} m", margins.margin_m, margins.min_spare_m)),
            ("at the margin", format!("{:.0} % of the lap", 100.0 * margins.fraction_at_margin)),
        ]
        .into_iter()
        .chain(
            self.analysis.relief.iter().map(|relief| ("climb", format!("{} m a lap", decimals.place(relief.climb_m)))),
        )
        .chain(self.analysis.balance.iter().flat_map(|balance| {
            let percent = |fraction: f64| format!("{:.0} %", 100.0 * fraction);
            let [drive, brakes] = [balance.drive_energy_j, balance.brake_energy_j].map(|joules| 1e-6 * joules);
            let uses = format!("front {}, rear {} of", percent(balance.front_use), percent(balance.rear_use));
            [
                ("tyres", format!("{uses} their limits, {} of the lap at a limit", percent(balance.fraction_at_limit))),
                ("energy", format!("drive {drive:.2} MJ, brakes {brakes:.2} MJ a lap")),
            ]
        }))
        .collect::<Vec<_>>();
        if format == Format::Markdown {
            let rows: String = rows.iter().map(|(name, value)| format!("| {name} | {value} |\n")).collect();
            return format!("## {}\n\n| | |\n|---|---|\n{rows}", self.name);
        }
        let rows: Vec<Vec<String>> = rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
        format!("{}\n{}", self.name, text_table(&rows, 2))
    }

    /// The vehicle's numbers without a sensitivity, below the tables.
    fn road_numbers(&self) -> String {
        let Some(sensitivities) = &self.sensitivities else { return String::new() };
        let road = sensitivities.iter().filter(|sensitivity| sensitivity.effect == Effect::Road);
        let road: Vec<&str> = road.map(|sensitivity| sensitivity.key.as_str()).collect();
        format!("  change which lines are possible and require a new line (raceline sweep): {}\n", road.join(", "))
    }
}

/// Whether the line is that of a car with axles.
/// An invalid option is wrong usage; an invalid line is a failed job.
fn analysed(line: &RacingLine, path: &Path, options: &AnalysisOptions) -> Result<Analysis, Failure> {
    analyse(line, options).map_err(|error| match error {
        AnalysisError::NotPositive { .. } => Failure::Usage(error.into()),
        error => Failure::Job(anyhow::Error::from(error).context(path.display().to_string())),
    })
}

fn sensitivity_sheet(sensitivities: &[Sensitivity]) -> Sheet {
    Sheet {
        name: "sensitivities",
        title: "sensitivity of the lap time to the vehicle's numbers".to_owned(),
        headings: vec!["number", "unit", "value", "d lap / d number", "s for +1 %"],
        rows: sensitivities.iter().filter_map(cells).collect(),
        names: 2,
    }
}

/// A sensitivity's row; none for a number that changes which lines are possible.
fn cells(Sensitivity { key, value, unit, effect }: &Sensitivity) -> Option<Vec<String>> {
    let Effect::LapTime { s_per_unit, s_per_percent } = *effect else { return None };
    let (per_unit, per_percent) = match s_per_percent {
        // The lap time does not depend on this number.
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
