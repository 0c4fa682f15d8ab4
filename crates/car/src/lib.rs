//! Vehicle parameters, the g-g diagram and presets.
//!
//! A vehicle is a point mass. Its lateral acceleration a_y and longitudinal acceleration a_x lie
//! inside the friction ellipse `|a_x / a_x,max|^p + |a_y / a_y,max|^p ≤ 1`; tyre limits, drive,
//! drag and downforce are functions of the speed. [`Vehicle`] contains the parameters as users
//! specify them; [`GgDiagram`] is its compiled form for fast evaluation, with each limit over speed
//! as a [`SpeedCurve`], which has derivatives.
//!
//! Sources: the ellipse of exponent p and the drive table are those of Heilmeier et al., *Minimum
//! curvature trajectory planning and control for an autonomous race car*, Vehicle System Dynamics
//! 58 (2020), section 3. Milliken and Milliken, *Race Car Vehicle Dynamics* (1995), chapter 9,
//! describe g-g diagrams in general.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

#[cfg(test)]
mod closeness;
mod dynamics;
mod error;
mod gear_change;
mod gg_diagram;
pub mod handling;
pub mod lean;
#[cfg(feature = "serde")]
mod parameters;
#[cfg(feature = "toml")]
mod preset;
mod ranges;
#[cfg(test)]
mod sample;
mod speed_curve;
#[cfg(feature = "toml")]
mod table_csv;
#[cfg(feature = "toml")]
mod toml_file;
mod turning;
mod validation;
mod vehicle;
mod wheels;

pub use dynamics::{SPEED_TABLE_VALUES, SpeedTable, VehicleDynamics};
pub use error::VehicleError;
pub use gg_diagram::GgDiagram;
pub use gg_diagram::Superellipse;
pub use handling::Handling;
#[cfg(feature = "serde")]
pub use parameters::{GRIP, Parameter, unit_of};
#[cfg(feature = "toml")]
pub use preset::{Preset, preset, presets};
pub use ranges::NumberRange;
pub use speed_curve::Piece;
pub use speed_curve::{Jet, SpeedCurve};

pub use turning::Turning;

pub use raceline_numerics::{STANDARD_GRAVITY, TyreSlip};
pub use vehicle::{DriveLimit, Vehicle};
pub use wheels::{UsableLoad, Wheels};
