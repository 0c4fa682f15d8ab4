//! What `raceline optimize --json` prints: one object per input, on a line of its own.

use std::path::Path;

use raceline::confidence::Survival;
use raceline::pipeline::{CandidateSummary, Outcome};
use raceline::solve::Model;
use raceline_file::Constraint;
use serde::Serialize;

use super::advice::warning_with_advice;
use super::output::Output;
use super::report::{self, Failure};

/// A line that was found, in SI units.
#[derive(Debug, Serialize)]
pub struct OptimizeSummary {
    /// The input file, `-` for stdin.
    input: String,
    /// The file that was written, `-` for stdout.
    output: String,
    /// Name of the track.
    name: String,
    /// Whether the road leads back to its start.
    closed: bool,
    /// Direction of travel.
    direction: raceline_road::track::Direction,
    /// Name of the vehicle.
    vehicle: String,
    /// Method of the line.
    method: &'static str,
    /// Lap time, s.
    lap_time_s: f64,
    /// Length, m.
    length_m: f64,
    /// Confidence that the road is the intended one, 0 to 1.
    confidence: f64,
    /// Mean width of the road, m.
    mean_width_m: f64,
    /// Energy of a car's lap, J.
    #[serde(skip_serializing_if = "Option::is_none")]
    energy_j: Option<f64>,
    /// The compared lines; the last column of the table, `gain_s`, is against the slowest of them.
    lines: Vec<LineSummary>,
    /// What the line was made to survive.
    #[serde(skip_serializing_if = "Option::is_none")]
    survival: Option<Survival>,
    /// What pins and speed caps cost.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    constraints: Vec<Constraint>,
    /// The warnings, with their remedies.
    warnings: Vec<String>,
}

/// One of the compared lines.
#[derive(Debug, Serialize)]
struct LineSummary {
    method: &'static str,
    /// Laps of a point mass and of a car are not comparable.
    model: Model,
    lap_time_s: f64,
    length_m: f64,
    top_speed_mps: f64,
    lowest_speed_mps: f64,
    gain_s: f64,
}

impl OptimizeSummary {
    /// The summary of `outcome`, whose line was written to `output`.
    pub fn new(input: &Path, output: &Output, outcome: &Outcome, survival: Option<Survival>) -> Self {
        let line = &outcome.line;
        let slowest_s = outcome.summaries.iter().map(|summary| summary.lap_time_s).fold(f64::NEG_INFINITY, f64::max);
        let of_line = |summary: &CandidateSummary| LineSummary {
            method: summary.method.name(),
            model: summary.model,
            lap_time_s: summary.lap_time_s,
            length_m: summary.length_m,
            top_speed_mps: summary.top_speed_mps,
            lowest_speed_mps: summary.lowest_speed_mps,
            gain_s: slowest_s - summary.lap_time_s,
        };
        Self {
            input: input.display().to_string(),
            output: match output {
                Output::Stdout => "-".to_owned(),
                Output::File(path) => path.display().to_string(),
            },
            name: line.name.clone(),
            closed: line.closed,
            direction: line.direction,
            vehicle: line.vehicle.name.clone(),
            method: line.method.name(),
            lap_time_s: line.lap_time_s,
            length_m: line.length_m,
            confidence: outcome.extraction.confidence,
            mean_width_m: outcome.extraction.mean_width_m,
            energy_j: outcome.energy.map(|energy| energy.energy_j),
            lines: outcome.summaries.iter().map(of_line).collect(),
            survival,
            constraints: line.constraints.clone(),
            warnings: outcome.warnings.iter().map(warning_with_advice).collect(),
        }
    }

    /// Prints the summary on stdout, or on stderr if the line is there.
    pub fn print(&self, output: &Output) -> Result<(), Failure> {
        let text = serde_json::to_string(self)? + "\n";
        Ok(report::beside(&text, output.is_stdout())?)
    }
}
