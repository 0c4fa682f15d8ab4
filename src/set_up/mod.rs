//! The fastest set-up of a vehicle on one track: brake balance, wing, weight, whatever number of
//! the vehicle file is free within a range.
//!
//! A [`Free`] specifies numbers and their ranges, [`set_up()`] searches. Each lap that it finds gives
//! the derivatives by all free numbers at once ([`Optimum`](crate::solve::car::Optimum), and
//! [`FixedLine`](crate::speed::FixedLine) for a point mass), so that the number of laps hardly grows
//! with that of numbers, where a [sweep](crate::sweep) needs the product of their values.
//!
//! The tyres stay those of the vehicle as given; see
//! [`on_tyres_of`](crate::solve::car::on_tyres_of). `docs/guides/setup.md` describes the grammar, and
//! `docs/notes/sweep.md` compares with sweeps.

mod bounded_step;
mod descent;
mod error;
mod found;
mod free;
mod laps;
mod range;

pub use error::SetUpError;
pub use found::{FoundKey, SetUp, set_up};
pub use free::{Free, FreeKey};
pub use range::MAX_FREE;
