//! What a batch did, for people and machines.

use serde::Serialize;

use crate::analysis::drift::Drift;
use crate::pipeline::Warning;

/// What a batch did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The program and its version.
    pub generator: &'static str,
    /// Seconds from beginning to end.
    pub seconds: f64,
    /// Tasks that ran at one time, at most.
    pub jobs: usize,
    /// Threads of each.
    pub threads_per_job: usize,
    /// Memory that the running tasks were estimated to take together at most, bytes; absent without a limit.
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
    /// The line that was made again is the kept one, within the tolerances.
    Matches,
    /// The line that was made again differs from the kept one.
    Drifted,
    /// There is no line, or it couldn't be written.
    Failed,
    /// Not begun, because another failed before.
    NotRun,
}

impl Status {
    /// Whether the batch is to be called a failure because of it.
    pub fn is_bad(self) -> bool {
        matches!(self, Self::Drifted | Self::Failed)
    }
}

/// What a task did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaskReport {
    /// The track's path below the folder, without ending.
    pub name: String,
    /// The input, as it was given.
    pub input: String,
    /// The racing-line file.
    pub output: String,
    /// How it ended.
    pub status: Status,
    /// Why the file had to be made; absent where it hadn't.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why it failed, where, and what mends it.
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
    /// Lap times of the lines that were found on the way, by method.
    pub candidates: Vec<(&'static str, f64)>,
    /// What the user should know.
    pub warnings: Vec<Warning>,
    /// Seconds that it took.
    pub seconds: f64,
    /// Seconds of each stage, in their order.
    pub stages: Vec<StageTime>,
}

/// How long a stage took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StageTime {
    /// The stage, as its progress calls it.
    pub stage: String,
    /// Seconds.
    pub seconds: f64,
}
