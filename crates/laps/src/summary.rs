//! What is reported of a log and its laps, for programs.

use serde::Serialize;

use super::gate::Gate;
use super::lap_table::LapTable;
use super::log::{Log, LogFrame, Quantity};
use super::note::SessionNote;
use super::path::Noise;
use super::session::Session;

/// A log and its laps, as `raceline laps --json` and Python report them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LogSummary {
    /// Name of the file.
    pub file: String,
    /// What wrote it.
    pub kind: &'static str,
    /// Number of rows.
    pub rows: usize,
    /// What its positions are.
    pub frame: Option<LogFrame>,
    /// The columns that were read.
    pub columns: Vec<ReadColumn>,
    /// The columns that were not.
    pub unused: Vec<String>,
    /// Mean time between two positions, s.
    pub step_s: f64,
    /// The noise that was measured.
    pub noise: Noise,
    /// What was done, as sentences.
    pub notes: Vec<String>,
    /// Likewise with its numbers.
    pub details: Vec<SessionNote>,
    /// Longitude and latitude of the frame's origin, degrees.
    pub geographic_origin_deg: Option<[f64; 2]>,
    /// The ends of the sectors before the start line.
    pub sector_ends: Vec<Gate>,
    /// The laps.
    #[serde(flatten)]
    pub table: LapTable,
}

/// A column that was read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReadColumn {
    /// What it holds.
    pub quantity: Quantity,
    /// The name in the file.
    pub name: String,
    /// The unit; empty where none is stated.
    pub unit: String,
}

impl LogSummary {
    /// Of a log and its session.
    #[must_use]
    pub fn new(log: &Log, session: &Session) -> Self {
        let column = |channel: &super::log::Channel| ReadColumn {
            quantity: channel.quantity,
            name: channel.name.clone(),
            unit: channel.unit.clone(),
        };
        Self {
            file: log.name.clone(),
            kind: log.kind.described(),
            rows: log.len(),
            frame: log.frame(),
            columns: log.channels.iter().map(column).collect(),
            unused: log.unused.clone(),
            step_s: session.step_s,
            noise: session.noise,
            notes: session.notes.iter().map(ToString::to_string).collect(),
            details: session.notes.clone(),
            geographic_origin_deg: session.geographic_origin_deg,
            sector_ends: session.table.sector_ends().to_vec(),
            table: session.table.clone(),
        }
    }
}
