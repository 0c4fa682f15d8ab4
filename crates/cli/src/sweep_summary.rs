//! The table at the end of `sweep`, or its JSON: base, fastest and slowest combination.

use raceline::pipeline::CandidateSummary;
use raceline::sweep::{Row, SweepMode, Table};
use serde::Serialize;

use super::text_table::text_table;

/// The summary as text; `road` describes the road in one line.
pub fn sweep_summary(table: &Table, road: &str) -> String {
    let line = match table.mode {
        SweepMode::Reoptimize => format!("a new {} line for each", table.method.name()),
        SweepMode::FixedLine => format!("all on the base's {} line", table.method.name()),
    };
    let failed = match table.failed() {
        0 => String::new(),
        failed => format!(", {failed} failed"),
    };
    let mut text = format!("{}: {road}\n", table.track);
    let combinations = if table.rows.len() == 1 { "combination" } else { "combinations" };
    text.push_str(&format!("  {} {combinations} of {}, {line}{failed}\n", table.rows.len(), table.vehicle));
    let mut headings = vec![String::new()];
    headings.extend(table.axes.iter().map(|axis| axis.key.clone()));
    headings.extend(["lap time s", "gain s", "gain %"].map(str::to_owned));
    let cells = |name: &str, values: Vec<Option<f64>>, lap: Option<CandidateSummary>, gain: Option<(f64, f64)>| {
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let mut cells = vec![name.to_owned()];
        cells.extend(values.into_iter().map(|value| or_dash(value.map(|value| value.to_string()))));
        cells.push(or_dash(lap.map(|lap| format!("{:.3}", lap.lap_time_s))));
        cells.push(or_dash(gain.map(|(seconds, _)| format!("{seconds:.3}"))));
        cells.push(or_dash(gain.map(|(_, percent)| format!("{percent:.2}"))));
        cells
    };
    let row = |name: &str, row: &Row| {
        cells(name, row.values.iter().map(|&value| Some(value)).collect(), row.lap, table.gain(row))
    };
    let mut rows = vec![headings];
    rows.push(cells("base", table.axes.iter().map(|axis| axis.own).collect(), table.base, None));
    rows.extend(table.fastest().map(|fastest| row("fastest", fastest)));
    rows.extend(table.slowest().map(|slowest| row("slowest", slowest)));
    text.push_str(&text_table(&rows, 1));
    text
}

/// The summary as JSON.
#[derive(Debug, Serialize)]
struct SweepSummary<'a> {
    track: &'a str,
    vehicle: &'a str,
    method: &'static str,
    /// Whether all vehicles drive the base's line.
    fixed_line: bool,
    combinations: usize,
    failed: usize,
    /// The varied numbers.
    varied: Vec<&'a str>,
    base: Option<LapSummary>,
    fastest: Option<LapSummary>,
    slowest: Option<LapSummary>,
}

/// One combination's lap.
#[derive(Debug, Serialize)]
struct LapSummary {
    /// In the order of `varied`; `null` where the base has none.
    values: Vec<Option<f64>>,
    lap_time_s: Option<f64>,
    /// Against the base, s.
    gain_s: Option<f64>,
}

/// The summary as JSON.
pub fn sweep_json(table: &Table) -> anyhow::Result<String> {
    let of_row = |row: &Row| LapSummary {
        values: row.values.iter().map(|&value| Some(value)).collect(),
        lap_time_s: row.lap.map(|lap| lap.lap_time_s),
        gain_s: table.gain(row).map(|(seconds, _)| seconds),
    };
    let base = table.base.map(|lap| LapSummary {
        values: table.axes.iter().map(|axis| axis.own).collect(),
        lap_time_s: Some(lap.lap_time_s),
        gain_s: Some(0.0),
    });
    let summary = SweepSummary {
        track: &table.track,
        vehicle: &table.vehicle,
        method: table.method.name(),
        fixed_line: table.mode == SweepMode::FixedLine,
        combinations: table.rows.len(),
        failed: table.failed(),
        varied: table.axes.iter().map(|axis| axis.key.as_str()).collect(),
        base,
        fastest: table.fastest().map(of_row),
        slowest: table.slowest().map(of_row),
    };
    Ok(serde_json::to_string_pretty(&summary)? + "\n")
}
