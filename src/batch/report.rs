//! The report of a batch.

use serde::Serialize;

use crate::analysis::drift::Drift;
use crate::pipeline::Warning;

/// The report of a batch.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The program and its version.
    pub generator: &'static str,
    /// Seconds from beginning to end.
    pub seconds: f64,
    /// Largest number of tasks that ran at a time.
    pub jobs: usize,
    /// Threads per task.
    pub threads_per_job: usize,
    /// Limit of the estimated memory of all running tasks, bytes; absent without a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_memory_bytes: Option<u64>,
    /// Each task, by name.
    pub tracks: Vec<TaskReport>,
}

/// How a task ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// The line was made and written.
    Made,
    /// The file was up to date.
    UpToDate,
    /// The line that was made again agrees with the kept one within the tolerances.
    Matches,
    /// The line that was made again differs from the kept one beyond the tolerances.
    Drifted,
    /// No line was found, or it could not be written.
    Failed,
    /// Not begun, because another task failed.
    NotRun,
}

impl Status {
    /// Whether the batch fails because of it.
    #[must_use]
    pub fn is_bad(self) -> bool {
        matches!(self, Self::Drifted | Self::Failed)
    }
}

/// The report of a task.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TaskReport {
    /// The track's path below the folder, without ending.
    pub name: String,
    /// The input, as specified.
    pub input: String,
    /// The racing-line file.
    pub output: String,
    /// How it ended.
    pub status: Status,
    /// Why the file had to be made; absent if it was up to date.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why it failed, where, and the remedy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What differs from the kept line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drift: Option<Drift>,
    /// Lap time, s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lap_time_s: Option<f64>,
    /// Length of the lap, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length_m: Option<f64>,
    /// Lap times of all candidate lines, by method.
    pub candidates: Vec<(&'static str, f64)>,
    /// The warnings.
    pub warnings: Vec<Warning>,
    /// Time, s.
    pub seconds: f64,
    /// Seconds of each stage, in their order.
    pub stages: Vec<StageTime>,
}

/// How long a stage took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StageTime {
    /// The stage's name, as in the progress.
    pub stage: String,
    /// Seconds.
    pub seconds: f64,
}
