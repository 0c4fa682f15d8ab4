//! A folder of tracks → one racing-line file per track. Files that are up to date are skipped; the
//! rest is made in parallel within a limit of memory.
//!
//! [`find`] returns the [`Task`]s of a folder, [`state`] whether a task's file is up to date, and
//! [`run`] makes or checks them. A check compares each line with the existing one
//! ([`analysis::drift`](crate::analysis::drift)). The caller writes the files.
//!
//! One track is one task with one input and one output. Tasks are independent, so another scheduler
//! can run them one by one.

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
pub use task::{ENDING, Task, find};
