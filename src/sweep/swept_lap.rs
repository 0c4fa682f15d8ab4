//! The lap of one vehicle of a sweep, and the count of those that are done.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::pipeline::{CandidateSummary, Progress, Warning, missing_m};
use crate::solve::{Line, LineWarning, SolveError};
use crate::speed::SpeedError;
use crate::vehicle::Vehicle;

/// The lap of one vehicle.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SweptLap {
    /// Lap time, length and speeds of the line that the options' method selects.
    pub summary: CandidateSummary,
    /// The warnings.
    pub warnings: Vec<Warning>,
}

impl SweptLap {
    pub(super) fn of(line: &Line) -> Self {
        Self { summary: line.summary(), warnings: line.warnings.iter().copied().map(Warning::Line).collect() }
    }

    /// The warning that the lap is a point mass's, as that of the car was not found.
    pub(super) fn point_mass_instead(&self) -> Option<Warning> {
        let instead = |warning: &&Warning| matches!(warning, Warning::Line(LineWarning::PointMassInstead { .. }));
        self.warnings.iter().find(instead).cloned()
    }

    /// By how much its line is reported to miss its margin, m; 0 if it is not.
    pub(super) fn missing_m(&self) -> f64 {
        let of_line = self.warnings.iter().filter_map(|warning| match warning {
            Warning::Line(warning) => Some(warning),
            _ => None,
        });
        missing_m(self.summary.method, of_line)
    }
}

/// Checks the vehicle.
pub(super) fn validated(vehicle: &Vehicle) -> Result<(), SolveError> {
    vehicle.validate().map_err(|error| SolveError::Speed(SpeedError::Vehicle(error)))
}

/// Counts laps for a progress.
pub(super) struct Watch<'a> {
    progress: &'a dyn Progress,
    done: AtomicUsize,
    total: usize,
}

impl<'a> Watch<'a> {
    pub(super) fn new(progress: &'a dyn Progress, stage: &str, total: usize) -> Self {
        progress.stage(stage);
        Self { progress, done: AtomicUsize::new(0), total }
    }

    pub(super) fn done(&self, lap: &Result<SweptLap, SolveError>) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let note = match lap {
            Ok(lap) => format!("lap {:.3} s", lap.summary.lap_time_s),
            Err(_) => "failed".to_owned(),
        };
        self.progress.step(done, self.total, &note);
    }
}
