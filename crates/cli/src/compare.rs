//! `raceline compare`: where one line gains and loses time against another.

use std::path::PathBuf;

use anyhow::{Context, anyhow};
use raceline::analysis::{AnalysisError, Comparison, ComparisonError, compare, decimals_of};
use raceline::units::Decimals;
use serde::Serialize;

use super::GlobalFlags;
use super::analysis_flags::AnalysisFlags;
use super::comparison_sheets::sheets;
use super::file_guard;
use super::line_file::read_with_doubts;
use super::report::{self, Failure};
use super::sheet::{self, Format};

/// Show where one racing line gains and loses time against another
///
/// Compares lines of one track: two methods, two vehicles, two versions. The first is the
/// reference; its sectors and corners divide the lap. A negative time difference is a gain against
/// the reference.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// The line that the other lines are compared with
    #[arg(value_name = "REFERENCE")]
    reference: PathBuf,
    /// The other lines
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
    #[arg(long, value_name = "NAME", value_parser = ["sectors", "corners", "straights", "along"])]
    table: Option<String>,
    #[command(flatten)]
    analysis: AnalysisFlags,
}

const AFTER_HELP: &str = "\
Examples:
  The gain of the time-optimal line over the blend, corner by corner:
    raceline compare blend.json time-optimal.json
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
        let reference = read_with_doubts(&self.reference, flags)?;
        let options = self.analysis.options(&reference);
        let mut compared = Vec::new();
        for path in &self.lines {
            let line = read_with_doubts(path, flags)?;
            let comparison = compare(&reference, &line, &options).map_err(|error| match error {
                ComparisonError::Analysis(AnalysisError::NotPositive { .. }) => Failure::Usage(error.into()),
                ComparisonError::Analysis(_) => {
                    Failure::Job(anyhow::Error::from(error).context(self.reference.display().to_string()))
                }
                error => Failure::Job(anyhow::Error::from(error).context(path.display().to_string())),
            })?;
            compared.push(Compared {
                file: path.display().to_string(),
                name: line.name,
                method: line.method.name(),
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

    /// One line's heading and tables.
    fn part(&self, line: &Compared, format: Format, decimals: Decimals) -> String {
        let all = sheets(&line.comparison, decimals);
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
