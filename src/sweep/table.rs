//! The results of a sweep, one row per combination.

use super::{Axis, Plan, Sweep, SweepMode, SweptLap};
use crate::file::{Method, round_to};
use crate::pipeline::CandidateSummary;
use crate::solve::SolveError;

/// Decimals of a lap time in a table.
const TIME_DECIMALS: i32 = 4;

/// The laps of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Name of the track.
    pub track: String,
    /// Name of the vehicle that was varied.
    pub vehicle: String,
    /// The method.
    pub method: Method,
    /// Whether a line was found for each vehicle.
    pub mode: SweepMode,
    /// The numbers that vary.
    pub axes: Vec<Axis>,
    /// The lap of the base vehicle; `None` if it failed.
    pub base: Option<CandidateSummary>,
    /// One row per combination; the last axis changes fastest.
    pub rows: Vec<Row>,
}

/// A combination and its lap.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The values, one per axis.
    pub values: Vec<f64>,
    /// Lap; `None` if it failed.
    pub lap: Option<CandidateSummary>,
    /// The error of a failed combination, or the warnings; empty if there are none.
    pub message: String,
}

impl Table {
    /// The table of `sweep`, the laps of `plan`'s vehicles.
    #[must_use]
    pub fn new((track, vehicle): (&str, &str), (method, mode): (Method, SweepMode), plan: Plan, sweep: &Sweep) -> Self {
        let row = |(index, lap): (usize, &Result<SweptLap, SolveError>)| {
            let (lap, message) = match lap {
                Ok(lap) => {
                    let warnings: Vec<String> = lap.warnings.iter().map(ToString::to_string).collect();
                    (Some(lap.summary), warnings.join("; "))
                }
                Err(error) => (None, error.to_string()),
            };
            Row { values: plan.combination(index), lap, message }
        };
        let rows = sweep.laps.iter().enumerate().map(row).collect();
        Self {
            track: track.to_owned(),
            vehicle: vehicle.to_owned(),
            method,
            mode,
            base: sweep.base.as_ref().ok().map(|base| base.summary),
            rows,
            axes: plan.axes,
        }
    }

    /// The gain of a row's lap over the base's, s and %, from lap times rounded as in the table;
    /// positive is faster.
    #[must_use]
    pub fn gain(&self, row: &Row) -> Option<(f64, f64)> {
        let rounded = |lap: Option<CandidateSummary>| lap.map(|lap| round_to(lap.lap_time_s, TIME_DECIMALS));
        let (base, lap) = (rounded(self.base)?, rounded(row.lap)?);
        Some((base - lap, 100.0 * (base - lap) / base))
    }

    /// The row of the fastest lap; among equals the first.
    #[must_use]
    pub fn fastest(&self) -> Option<&Row> {
        self.laps().min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(row, _)| row)
    }

    /// The row of the slowest lap; among equals the first.
    #[must_use]
    pub fn slowest(&self) -> Option<&Row> {
        self.laps().min_by(|(_, a), (_, b)| b.total_cmp(a)).map(|(row, _)| row)
    }

    /// Number of combinations that failed.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.rows.iter().filter(|row| row.lap.is_none()).count()
    }

    fn laps(&self) -> impl Iterator<Item = (&Row, f64)> {
        self.rows.iter().filter_map(|row| row.lap.map(|lap| (row, lap.lap_time_s)))
    }
}
