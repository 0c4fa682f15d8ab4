//! Errors of a stint.

use crate::pipeline;
use crate::solve::SolveError;

/// Why no stint is found. Each message names the key and the remedy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StintError {
    /// The stint's file cannot be read.
    #[error("{file}: {message}")]
    Unreadable {
        /// The file.
        file: String,
        /// What failed.
        message: String,
    },
    /// The stint's file is not TOML, or has a wrong key.
    #[error("{file}: {message}")]
    Toml {
        /// The file.
        file: String,
        /// What is wrong, and where.
        message: String,
    },
    /// A number outside its range.
    #[error("{key} = {value}: specify from {low} to {high}")]
    Number {
        /// The key.
        key: &'static str,
        /// The number.
        value: f64,
        /// Smallest allowed number.
        low: f64,
        /// Largest allowed number.
        high: f64,
    },
    /// The number of laps is outside its range.
    #[error("a stint has from 1 to {max} laps, not {laps}")]
    Laps {
        /// Number of laps.
        laps: usize,
        /// Largest allowed number.
        max: usize,
    },
    /// A lap that the stint does not have.
    #[error("the stint has no lap {lap}: specify from 1 to {laps}")]
    NoLap {
        /// The lap.
        lap: usize,
        /// Number of laps.
        laps: usize,
    },
    /// The road leads to no lap.
    #[error("a stint needs a closed circuit: an open road has no laps")]
    OpenRoad,
    /// Options whose laps have no prices.
    #[error("a stint needs {needed}, not {given}: leave {flag} out")]
    Options {
        /// What a stint needs.
        needed: &'static str,
        /// What the options have.
        given: &'static str,
        /// The flag.
        flag: &'static str,
    },
    /// No lap of the car is found.
    #[error("{file}: no lap of the car is found at lap {lap} of the stint: {error}")]
    NoLapFound {
        /// The track's file.
        file: String,
        /// The lap.
        lap: usize,
        /// The cause.
        error: SolveError,
    },
    /// A budget that is not kept.
    #[error("{budget} is not kept: the stint {found}; allow more, or drive fewer laps")]
    Budget {
        /// What limits.
        budget: &'static str,
        /// What was found.
        found: String,
    },
    /// The search has not settled.
    #[error(
        "laps and prices do not agree after {laps} laps were searched: the times differ by {error_s:.3} s; make the budgets larger"
    )]
    NotSettled {
        /// Number of laps searched.
        laps: usize,
        /// Largest difference of a lap's time, s.
        error_s: f64,
    },
    /// The vehicle has no line on this road.
    #[error(transparent)]
    Line(#[from] pipeline::Error),
}
