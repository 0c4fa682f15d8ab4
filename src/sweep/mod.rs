//! Many vehicles on one track: the varied numbers, the resulting vehicles, and the table of their
//! laps.
//!
//! A [`Variation`] specifies a key of the vehicle and its values. [`Plan::new`] computes the
//! product of several variations, [`sweep()`] finds the laps, [`Table::new`] combines the two, and
//! [`csv`] writes the table. `docs/guides/sweep.md` describes the grammar and the meaning of the numbers.

pub mod csv;
mod error;
mod laps;
mod neighbours;
mod plan;
mod swept_lap;
mod table;
mod variation;

pub use error::SweepError;
pub use laps::{Sweep, SweepMode, sweep};
pub use plan::{Axis, MAX_COMBINATIONS, Plan};
pub use swept_lap::SweptLap;
pub use table::{Row, Table};
pub(crate) use variation::to_digits;
pub use variation::{Amount, Values, Variation};
