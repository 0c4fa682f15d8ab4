//! A folder of tracks → one racing-line file each: found, told from what is up to date, made in parallel within the memory that there is.
//!
//! [`find`] gives the [`Task`]s of a folder, [`state`] whether a task's file is up to date, and [`run`]
//! makes or checks them. A check compares each line with the one that is kept
//! ([`analysis::drift`](crate::analysis::drift)). The caller writes the files.
//!
//! One track is one task with one input and one output, and no task knows another, so that any engine can run them one by one.

mod error;
mod freshness;
mod queue;
mod report;
mod run;
mod size;
mod task;

pub use error::{FindError, StoreError, TaskError};
pub use freshness::{State, state};
pub use report::{Report, StageTime, Status, TaskReport};
pub use run::{Action, Observer, Request, Write, run};
pub use size::Size;
pub use task::{DEFAULTS, ENDING, Task, find};
