//! A stint: many laps with fuel, tyres and a battery, each lap as fast as the ones after it allow.
//!
//! [`stint()`] finds how much of each a lap uses. Fuel mass, tyre wear, tyre temperature and charge
//! change from lap to lap ([`StintCar`]), and within a lap the line, the speeds and the inputs are
//! those of a car's fastest lap with a price on what it uses ([`Uses`](crate::solve::car::Uses)).
//!
//! The stint is an optimal control problem whose stages are laps:
//!
//! ```text
//! minimise  Σ t_k    s_{k+1} = F(s_k, t_k, U_k)                                              (1)
//! ```
//!
//! where s are the states and t_k and U_k the time and the uses of lap k. By Pontryagin's principle
//! the best lap k is that of minimum `t + λ_k U`, whose prices λ_k follow from the costates of the
//! states after it: what a joule of lap k costs the laps to come, and the budgets. So a lap knows
//! the others by its prices alone. The value `V = t + λ U` of a lap has all of its derivatives, by
//! mass, grip and prices, from one solution (`value`), so that few exact laps give V along the
//! stint; the prices are iterated on V (`course`), and laps are searched at the prices found until
//! both agree (`found`).
//!
//! `docs/guides/stint.md` describes the file and the command, `docs/notes/stint.md` the checks.

mod car;
mod conditions;
mod course;
mod csv;
mod error;
mod found;
mod laps;
mod stretches;
mod value;

pub use car::{Battery, Fuel, StintCar, Temperature, Tyres};
pub use csv::write as csv;
pub use error::StintError;
pub use found::{Residuals, SearchedLap, Stint, StintOptions, StintRow, stint};
pub use stretches::{Saving, SavingStretch};
