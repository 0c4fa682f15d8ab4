//! Driven data → the vehicle that drove: g-g-v table, drive, drag and rolling resistance; and a log →
//! where its driver loses time against the ideal lap of that vehicle.
//!
//! ```text
//! csv::read        bytes → Run                columns and units by name
//! csv::read_driven bytes → Driven             with places, steering and pedals
//! run_of           Session → Run              the laps of a logger
//! calibrate        Telemetry, base → Calibration
//!   units            are the columns in SI units?
//!   samples          accelerations without noise, grade and banking
//!   loads            mass and downforce by the loads of the wheels
//!   resistance       drag and rolling, by coasting or by the pedals
//!   limits           braking and lateral limit over speed, exponent of the ellipse
//!   drive_curve      the drive at full throttle
//!   traction         what the tyres transmit of it
//! Rounds           laps driven, predicted → which vehicle is the best, how far the next may go
//! calibrate_rounds lines and how they were driven, base → Refined
//! coach            Log → Coached              road, vehicle, ideal lap, losses
//! ```
//!
//! A driver is at the limit now and then, mostly below it. A limit is therefore the place where the
//! accelerations of a speed end, beneath noise and outliers (`upper_edge`); a model of weight and
//! downforce through all speeds (`envelope`) shows where a driver stayed below it, and fills what was
//! not driven. Mass, sizes and steering cannot be seen in telemetry: they are the base vehicle's.
//!
//! Sources: Aigner, Lovell and Schmidt, *Formulation and estimation of stochastic frontier production
//! function models*, Journal of Econometrics 6 (1977), for a limit less a slack plus noise as a
//! likelihood; Huber and Ronchetti, *Robust Statistics* (2nd ed., 2009), for the regressions; Milliken
//! and Milliken, *Race Car Vehicle Dynamics* (1995), chapter 9, for g-g diagrams from driven data.
//!
//! ```no_run
//! use raceline_calibrate::{Telemetry, calibrate, csv};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let run = csv::read(&std::fs::read("laps.csv")?, "laps.csv")?;
//! let found = calibrate(&Telemetry { runs: vec![run] }, &raceline_car::preset("gt")?)?;
//! std::fs::write("driven.toml", found.to_toml()?)?;
//! # Ok(())
//! # }
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod calibration;
mod coach;
pub mod csv;
mod drive_bins;
mod drive_curve;
mod driven;
mod driven_line;
mod envelope;
mod error;
mod fit;
mod limits;
mod loads;
mod location;
mod log_run;
mod regression;
mod resistance;
mod result;
mod rounds;
mod samples;
mod smoothing;
mod statistics;
mod telemetry;
mod traction;
mod units;
mod upper_edge;
mod vehicle_toml;

pub use calibration::{Calibration, Curve, CurvePoint, Estimate, Note, Origin};
pub use coach::{CoachError, CoachNote, CoachOptions, CoachRoad, CoachVehicle, Coached, coach};
pub use driven::Driven;
pub use driven_line::{DrivenLine, Refined, calibrate_rounds};
pub use error::CalibrateError;
pub use fit::calibrate;
pub use log_run::run_of;
pub use resistance::ResistanceSource;
pub use rounds::{Round, Rounds};
pub use telemetry::{Run, Telemetry};
