//! Random circuits and stages from a seed, for training, tests and games.
//!
//! Each style draws a polygon: `tour` (circuits, kart tracks), `lattice` (streets, mazes), `oval` and
//! `stage`. `rounding` turns its corners into arcs and scales it to its length, `contact` refuses a
//! road that folds or touches itself. A refused road is drawn again with the next random stream and
//! fewer corners, so that the result depends on nothing but the options.
//!
//! [`Road::csv`] is the centre line as the importers read it, [`Road::track`] the extracted track;
//! `picture` draws pictures and maps.
//!
//! ```
//! use raceline_generate::{GenerateOptions, Style, generate};
//!
//! # fn main() -> Result<(), raceline_generate::GenerateError> {
//! let kart = generate(&GenerateOptions { style: Style::Kart, seed: 3, ..GenerateOptions::default() })?;
//! assert!(kart.csv().starts_with(b"# x_m,y_m,"));
//! # Ok(())
//! # }
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod contact;
mod corners;
mod error;
mod generation;
mod lattice;
mod options;
mod oval;
pub mod picture;
mod road;
mod rounding;
mod size;
mod stage;
mod style;
mod tour;

pub use error::GenerateError;
pub use generation::generate;
pub use options::GenerateOptions;
pub use road::Road;
pub use style::Style;
