//! Offline racing-line optimizer: a picture of a track in, the fast line with its speed profile out.
//!
//! # From picture to file
//!
//! ```no_run
//! use std::path::Path;
//!
//! use raceline::pipeline::{Silent, optimize};
//! use raceline::{Options, file, vehicle};
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let mut options = Options::default();
//!     options.scale.metres_per_pixel = Some(0.5);
//!     let car = vehicle::preset("tum-racecar")?;
//!     let outcome = optimize(Path::new("monza.png"), &options, &car, false, &Silent)?;
//!     for warning in &outcome.warnings {
//!         eprintln!("{warning}");
//!     }
//!     println!("{:.3} s over {:.0} m", outcome.line.lap_time_s, outcome.line.length_m);
//!     std::fs::write("monza.raceline.json", file::json::write(&outcome.line)?)?;
//!     Ok(())
//! }
//! ```
//!
//! # The stages
//!
//! [`pipeline`] alone knows their order. Each is a function with one type in and one type out, and can be
//! called by itself:
//!
//! | Stage | Function | Result |
//! |---|---|---|
//! | A file, and what it is by its content and its ending | [`input::read`] | [`input::Input`] |
//! | Bytes of a picture to grey values | [`picture::read_bytes`] | [`picture::Picture`] |
//! | Which pixels are road, and how much of each | [`picture::road_mask`] | [`picture::RoadMask`] |
//! | The road's two edges at sub-pixel accuracy, metres | [`edges::trace`] | [`edges::Edges`] |
//! | Or a track file's edges, in place of the three before: CSV, GeoJSON, SVG | [`edges::importers`] | [`edges::Edges`] |
//! | Cuts across the road, none crossing another | [`track::cut`] | [`track::Track`] |
//! | Where on each cut the vehicle's middle may pass | [`solve::Corridor::new`] | [`solve::Corridor`] |
//! | The shortest line | [`solve::shortest_path::shortest_path`] | [`solve::Parent`] |
//! | The line of least squared curvature | [`solve::min_curvature::min_curvature`] | [`solve::Parent`] |
//! | The same on sections that are laid anew on each line | [`solve::min_curvature::iterated_min_curvature`] | [`solve::min_curvature::Iterated`] |
//! | Where the road is slippery, if anywhere | [`track::TrackGrip::new`] | [`track::TrackGrip`] |
//! | The mixture of shortest and least curved line that laps fastest | [`solve::blend::blend`] | [`solve::blend::Blend`] |
//! | From there, the line of least lap time | [`solve::time_optimal::time_optimal`] | [`solve::time_optimal::TimeOptimal`] |
//! | Curvature, speed and time at each point | [`speed::DrivenLine::through`] | [`speed::DrivenLine`] |
//! | The file | [`file::json::write`] | bytes |
//! | A file's line under a follower, in a simulation with tyres | [`drive::drive`] | [`drive::Drive`] |
//!
//! [`analysis::analyse`] takes a finished line apart, [`analysis::compare`] lays two beside each
//! other. [`batch`] runs a folder of tracks, [`sweep::sweep()`] many vehicles on one track.
//! [`speed::sensitivities`] gives the effect of each number of a vehicle on the lap time.
//! [`render`] draws a line, [`formats`] writes it for other programs.
//!
//! Everything irregular ends before [`track::Track`]: formats, colours, titles beside the road,
//! gaps, staircases. A module uses those before it in the list of `docs/architecture.md`, never
//! one after it; a test checks this. Methods, defaults, failures and deviations from the sources
//! are in `docs/pipeline.md`, the sources in `docs/references.md`.
//!
//! # Frames and units
//!
//! - **World**: metres, x to the right, y up. A picture's bottom-left corner is (0, 0) unless the options or a map's YAML give
//!   an origin. Pixel centres lie at half-integers: of a picture H rows high, pixel (column c, row r) covers x from c to c + 1
//!   and y from H - r - 1 to H - r, each times the metres per pixel.
//! - **Heading**: radians, counter-clockwise from +x, in (-π, π]. **Curvature**: 1/m, positive to the left. Left and right
//!   are seen in the direction of travel.
//! - **Cross-section**: from its right end R to its left end L; a point on it is R + α (L - R) with α from 0 to 1.
//! - **Units** are SI, and a field at the boundary carries its own in its name: `_m`, `_mps`, `_mps2`, `_rad`, `_radpm` (1/m),
//!   `_kg`, `_s`.
//!
//! # What can be relied on
//!
//! - Bad input is a typed error whose message names the place and the way out.
//! - The same input and options give the same result, with any number of threads. No time and no folder goes into it.
//! - A blend is never slower than the two lines that it mixes, nor is a file's time-optimal line slower than its blend.
//!
//! # Errors
//!
//! Each stage has an error type of its own. No text appears twice when an error is printed with its chain of
//! [`source`](std::error::Error::source)s: a variant that only passes an inner error on is transparent; one that adds
//! a place has either a message of its own and the inner error as its source, or a complete message, the inner error in
//! a public field, and no source.
//!
//! # Features
//!
//! `cli` (on by default) builds the command line. A library user drops it with `default-features = false`.

pub mod analysis;
pub mod batch;
pub mod drive;
pub mod edges;
pub mod file;
pub mod formats;
pub mod frame;
pub mod geometry;
pub mod input;
pub mod options;
pub mod picture;
pub mod pipeline;
pub mod range;
pub mod render;
pub mod solve;
pub mod speed;
pub mod sweep;
pub mod track;
pub mod vehicle;

pub use file::RacingLine;
pub use options::Options;
