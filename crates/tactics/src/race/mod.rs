//! The plan of a race: when to stop, and what to do there.
//!
//! A lap takes the lap time of a vehicle with new tyres and an empty tank, and more for each kilogram of
//! fuel, for each lap that the tyres have done and for damage. A stop costs time, and more for tyres,
//! repairs and fuel. The plan with the smallest sum is searched by [`planning`](crate::planning):
//!
//! - the task *race* is done by driving to the end, or by a stint of n laps, a stop, and *race* again;
//! - operators are *fuel*, *drive* and *stop*;
//! - axioms are whether fuel and tyres reach a lap, and whether the vehicle is at its box.
//!
//! Fuel is loaded for whole laps, at a stop no more than to the next one: what is carried longer costs time.
//! Where refuelling takes time, more may be loaded before the start, which takes none.

mod domain;
mod parameters;
mod strategy;

pub use parameters::{Race, RaceError, SafetyCar, Situation};
pub use strategy::{RacePlan, Stop, plan, plan_with_stops};
