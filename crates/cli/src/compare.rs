//! `raceline compare`: where one line gains and loses time against another.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use raceline::analysis::{AnalysisError, Comparison, ComparisonError, Losses, compare, decimals_of, losses};
use raceline::units::Decimals;
use serde::Serialize;

use super::GlobalFlags;
use super::analysis_flags::AnalysisFlags;
use super::comparison_sheets::{losses_sheet, sheets};
use super::file_guard;
use super::line_file::read_with_doubts;
use super::log_file::{driven_line, is_log};
use super::report::{self, Failure};
use super::sheet::{self, Format};

/// Show where one racing line gains and loses time against another
///
/// Compares lines of one track: two methods, two vehicles, two versions. The first is the
/// reference; its sectors and corners divide the lap. A negative time difference is a gain against
/// the reference.
///
/// One of the files may be the log of a drive, as `raceline laps` reads: its fastest lap is compared
/// with the first racing line, with the time lost at each corner by braking, apex speed, line and
/// throttle.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// The line that the other lines are compared with; of logs and lines the first line
    #[arg(value_name = "REFERENCE")]
    reference: PathBuf,
    /// The other lines and logs
    #[arg(required = true, value_name = "LINE")]
    lines: Vec<PathBuf>,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Print only this table; `along` is the cumulative difference over the lap, which otherwise
    /// only JSON contains
    #[arg(long, value_name = "NAME", value_parser = ["losses", "sectors", "corners", "straights", "along"])]
    table: Option<String>,
    /// The lap of a log that is compared [default: the fastest]
    #[arg(long, value_name = "N")]
    lap: Option<usize>,
    #[command(flatten)]
    analysis: AnalysisFlags,
}

const AFTER_HELP: &str = "\
Examples:
  The gain of the time-optimal line over the blend, corner by corner:
    raceline compare blend.json time-optimal.json
  Where and why the fastest lap of a track day loses time:
    raceline compare morning.vbo club.raceline.json --table losses
  The cumulative time difference over distance, for a chart:
    raceline compare old.json new.json --format csv --table along > difference.csv";

/// The comparison of a line with the reference, as JSON.
#[derive(Debug, Serialize)]
struct Compared {
    file: String,
    name: String,
    method: &'static str,
    vehicle: String,
    lap_time_s: f64,
    #[serde(flatten)]
    comparison: Comparison,
    /// Of a driven lap.
    #[serde(skip_serializing_if = "Option::is_none")]
    losses: Option<Losses>,
}

impl Arguments {
    /// Reads the lines and prints where they differ.
    pub fn run(mut self, flags: GlobalFlags) -> Result<(), Failure> {
        if self.json {
            self.format = Format::Json;
        }
        if self.format == Format::Csv && self.lines.len() > 1 {
            return Err(Failure::Usage(anyhow!(
                "CSV can contain only one comparison: compare one line, or pass --format json"
            )));
        }
        file_guard::check(self.lines.iter().chain([&self.reference]), [])?;
        self.put_a_line_first()?;
        let reference = read_with_doubts(&self.reference, flags)?;
        let options = self.analysis.options(&reference);
        let failure = |error: ComparisonError, path: &Path| match error {
            ComparisonError::Analysis(AnalysisError::NotPositive { .. }) => Failure::Usage(error.into()),
            ComparisonError::Analysis(_) => {
                Failure::Job(anyhow::Error::from(error).context(self.reference.display().to_string()))
            }
            error => Failure::Job(anyhow::Error::from(error).context(path.display().to_string())),
        };
        let mut compared = Vec::new();
        for path in &self.lines {
            let is_driven = is_log(path);
            let line = if is_driven {
                driven_line(path, &reference, self.lap, flags)?
            } else {
                read_with_doubts(path, flags)?
            };
            let comparison = compare(&reference, &line, &options).map_err(|error| failure(error, path))?;
            let lost = || losses(&reference, &line, &options).map_err(|error| failure(error, path));
            compared.push(Compared {
                file: path.display().to_string(),
                losses: if is_driven { Some(lost()?) } else { None },
                name: line.name,
                method: if is_driven { "driven" } else { line.method.name() },
                vehicle: line.vehicle.name,
                lap_time_s: line.lap_time_s,
                comparison,
            });
        }
        let text = match self.format {
            Format::Json => serde_json::to_string_pretty(&compared).context("can't write JSON")? + "\n",
            format => {
                let parts: Vec<String> =
                    compared.iter().map(|line| self.part(line, format, decimals_of(&reference))).collect();
                parts.join(if format == Format::Csv { "" } else { "\n" })
            }
        };
        Ok(report::to_stdout(&text)?)
    }

    /// Makes the first racing line the reference; logs are compared with it.
    fn put_a_line_first(&mut self) -> Result<(), Failure> {
        if !is_log(&self.reference) {
            return Ok(());
        }
        let Some(line) = self.lines.iter_mut().find(|line| !is_log(line)) else {
            return Err(Failure::usage(
                "only logs are compared: give a racing line too, as `raceline optimize` and `raceline coach --line` write",
            ));
        };
        std::mem::swap(&mut self.reference, line);
        Ok(())
    }

    /// One line's heading and tables.
    fn part(&self, line: &Compared, format: Format, decimals: Decimals) -> String {
        let mut all = sheets(&line.comparison, decimals);
        if let Some(losses) = &line.losses {
            all.insert(0, losses_sheet(losses, decimals));
        }
        let tables = sheet::chosen(&all, format, self.table.as_deref());
        // The table with one row per point is printed only when it is selected.
        let tables = tables.into_iter().filter(|sheet| sheet.name != "along" || self.table.is_some());
        let tables: String = tables.map(|sheet| sheet.print(format)).collect();
        let heading = format!(
            "{}: {}, {}, {:.3} s, {:+.3} s and {:+.*} m against {}",
            line.file,
            line.method,
            line.vehicle,
            line.lap_time_s,
            line.comparison.lap_difference_s,
            decimals.place,
            line.comparison.length_difference_m,
            self.reference.display()
        );
        match format {
            Format::Csv => tables,
            Format::Markdown => format!("## {heading}\n{tables}"),
            Format::Text | Format::Json => format!("{heading}\n{tables}"),
        }
    }
}
