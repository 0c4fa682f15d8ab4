//! Logs of track days → laps.
//!
//! ```text
//! read             bytes → Log                 columns and units by name, in SI
//! Session::new     Log → Session               metres, noise measured and smoothed, laps, drift
//! Session::laps    laps, sectors, best sectors, ideal lap
//! Session::driven  one lap as a table that the other commands read
//! Session::road    the road that the laps used
//! ```
//!
//! The path is smoothed by a Kalman filter and the smoother of Rauch, Tung and Striebel, *Maximum
//! likelihood estimates of linear dynamic systems*, AIAA Journal 3 (1965). The noise is that of greatest
//! likelihood of the log itself (Bar-Shalom, Li and Kirubarajan, *Estimation with Applications to
//! Tracking and Navigation*, 2001, chapters 5 and 6).
//!
//! ```no_run
//! use raceline_laps::{Session, SessionOptions, read};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let log = read(&std::fs::read("morning.vbo")?, "morning.vbo")?;
//! let session = Session::new(&log, &SessionOptions::default())?;
//! for lap in &session.table.laps {
//!     println!("{}: {:.3} s", lap.number, lap.time_s);
//! }
//! # Ok(())
//! # }
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod alignment;
mod columns;
mod drift;
mod error;
mod gate;
mod lap_table;
mod log;
mod measured;
mod note;
mod path;
mod readers;
mod road;
mod session;
mod summary;
mod times;
mod units;

pub use alignment::{Alignment, Reference};
pub use error::LogError;
pub use gate::Gate;
pub use lap_table::{LapTable, LoggedLap};
pub use log::{Channel, Log, LogFrame, Quantity};
pub use note::SessionNote;
pub use path::{Node, Noise};
pub use readers::read;
pub use road::{DrivenRoad, RoadOptions};
pub use session::{Session, SessionOptions};
pub use summary::{LogSummary, ReadColumn};
