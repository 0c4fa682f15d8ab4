//! Offline racing-line optimizer: a picture of a track in, the fast line with its speed profile
//! out. This package is the facade that a library user adds; the program is the package
//! `raceline-cli`, and what a game links is `raceline-follower`.
//!
//! # From a picture to a file
//!
//! ```no_run
//! use raceline::pipeline::{Request, optimize};
//! use raceline::{Options, file, vehicle};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut options = Options::default();
//! options.scale.metres_per_pixel = Some(0.5);
//! let car = vehicle::preset("tum-racecar")?;
//! let outcome = optimize("monza.png", &Request::new(&options, &car))?;
//! println!("{:.3} s over {:.0} m", outcome.line.lap_time_s, outcome.line.length_m);
//! std::fs::write("monza.raceline.json", file::json::write(&outcome.line)?)?;
//! # Ok(())
//! # }
//! ```
//!
//! # A finished line: corners, other formats
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let line = raceline::file::json::read(&std::fs::read("monza.raceline.json")?)?;
//! let analysis = raceline::analysis::analyse(&line, &Default::default())?;
//! println!("{} corners", analysis.corners.len());
//! # Ok(())
//! # }
//! ```
//!
//! # A finished line, driven by the follower
//!
//! ```no_run
//! use raceline::drive::{DriveOptions, drive};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let line = raceline::file::json::read(&std::fs::read("monza.raceline.json")?)?;
//! let driven = drive(&line, &line.vehicle, &DriveOptions::default())?;
//! println!("best lap {:?} s", driven.measures.best_lap_s());
//! # Ok(())
//! # }
//! ```
//!
//! # From arrays to a line
//!
//! Without a file: a track of points in metres, and the same search.
//!
//! ```
//! use raceline::edges::RoadShape;
//! use raceline::track::{Track, TrackOptions};
//! use raceline::{LineOptions, LineStatus, optimize, vehicle};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let edge = |y: f64| -> Vec<[f64; 2]> {
//!     (0..=30).map(f64::from).map(|i| [10.0 * i, y + 9.0 * (0.4 * i).sin()]).collect()
//! };
//! let track = Track::from_points(&edge(8.0), &edge(0.0), RoadShape::Open, &TrackOptions::default())?;
//! let line = optimize(&track, &vehicle::preset("gt")?, &LineOptions::default())?;
//! assert_eq!(line.status, LineStatus::Solved);
//! for point in line.points() {
//!     println!("{:.2} {:.2} m, {:.1} m/s at {:.2} s", point.x_m, point.y_m, point.speed_mps, point.time_s);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # The stages
//!
//! [`pipeline`] is the only module that knows their order. Each stage is a function with one input
//! type and one output type, and can be called separately:
//!
//! | Stage | Function | Result |
//! |---|---|---|
//! | A file and its kind, from its content and its ending | [`input::read`] | [`input::Input`] |
//! | The grey values of a picture | [`picture::read_bytes`] | [`picture::Picture`] |
//! | The coverage of each pixel by the road | [`picture::road_mask`] | [`picture::RoadMask`] |
//! | The road's two edges at sub-pixel accuracy, metres | [`tracing::trace`] | [`edges::Edges`] |
//! | The edges in a track file, in place of the three stages above | [`importers`] | [`edges::Edges`] |
//! | A path through the free space of a map, and the edges of the road about it | [`plan::plan`], [`plan::road_about`] | [`edges::Edges`] |
//! | A route through streets, and the edges of the road along it | [`network::route`], [`network::road_along`] | [`edges::Edges`] |
//! | Cross-sections of the road, which do not cross each other | [`track::cut`] | [`track::Track`] |
//! | The range of the vehicle's centre on each cross-section | [`solve::Corridor::new`] | [`solve::Corridor`] |
//! | The shortest path | [`solve::shortest_path::shortest_path`] | [`solve::Parent`] |
//! | The minimum-curvature line: least squared curvature | [`solve::min_curvature::min_curvature`] | [`solve::Parent`] |
//! | The mixture of both that has the minimum lap time | [`solve::blend::blend`] | [`solve::blend::Blend`] |
//! | The line of minimum lap time, starting from another line | [`solve::time_optimal::time_optimal`] | [`solve::time_optimal::TimeOptimal`] |
//! | Curvature, speed and time at each point | [`speed::DrivenLine::through`] | [`speed::DrivenLine`] |
//! | The file | [`file::json::write`] | bytes |
//! | A file's line driven by a follower, in a simulation with tyres | [`drive::drive`] | [`drive::Drive`] |
//!
//! Everything irregular (formats, colours, titles beside the road, gaps, staircases) is resolved
//! before [`track::Track`]. `docs/architecture.md` describes packages and modules.
//!
//! # Frames and units
//!
//! - **World**: metres, x to the right, y up. A picture's bottom-left corner is (0, 0) unless the
//!   options or a map's YAML give an origin. Pixel centres lie at half-integers: of a picture H
//!   rows high, pixel (column c, row r) covers x from c to c + 1 and y from H - r - 1 to H - r,
//!   each times the metres per pixel.
//! - **Heading**: radians, counter-clockwise from +x, in (-π, π]. **Curvature**: 1/m, positive to
//!   the left. Left and right are seen in the direction of travel.
//! - **Cross-section**: from its right end R to its left end L; a point on it is R + α (L - R) with
//!   α from 0 to 1.
//! - **Units** are SI, and the name of a public field ends in its unit: `_m`, `_mps`, `_mps2`,
//!   `_rad`, `_radpm` (1/m), `_kg`, `_s`.
//!
//! # Guarantees
//!
//! - Bad input gives a typed error whose message names the place and the remedy.
//! - The same input and options give the same result, with any number of threads. It depends
//!   neither on the time nor on the folder.
//! - Neither a blend nor a time-optimal line of a point mass is slower than the shortest path or the
//!   minimum-curvature line in its file.
//!
//! # Errors, warnings and new fields
//!
//! - An error states the problem. Its `source()` is the error that it wraps; its own `Display` does
//!   not repeat that text. Print the chain to see all of it, for instance with anyhow's `{:#}`. The
//!   command line adds the flags that solve the problem.
//! - A [`pipeline::Warning`] concerns a result that was produced nevertheless. Its numbers are
//!   fields; `Display` gives the sentence.
//! - Errors, warnings and the types that only the library constructs, such as
//!   [`pipeline::Outcome`], are `#[non_exhaustive]`. Options and vehicles are plain structs, so
//!   that `..Default::default()` and `..vehicle` work. They may gain a field in any release before
//!   1.0: set fields by name and take the rest from a default.
//!
//! # Features
//!
//! | Feature | What it adds |
//! |---|---|
//! | `osqp` | OSQP as the solver of the quadratic programs; on by default, needs CMake |
//! | `cmaes` | Covariance matrix adaptation as the blend's search |
//!
//! Lines from arrays need neither pictures nor files: depend on `raceline-solve` then.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod analysis;
pub mod batch;
pub mod confidence;
pub mod drive;
pub mod file;
pub mod formats;
pub mod options;
pub mod pipeline;
pub mod set_up;
pub mod stint;
pub mod sweep;
pub mod units;

pub use raceline_car as vehicle;
pub use raceline_file::{files, table, with_causes};
pub use raceline_laps as laps;
pub use raceline_plan::{self as plan, network};
pub use raceline_read::{cones, importers, input, lines, picture, tracing};
pub use raceline_road::{construction, edges, frame, geometry, range, track, track_file};
pub use raceline_solve::{self as solve, speed};
pub use raceline_verify as verify;

pub use file::RacingLine;
pub use options::run_options::Options;
pub use raceline_solve::{Line, LineOptions, LineStatus, optimize};

/// The examples of the guides, compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../docs/guides/rust-library.md")]
mod guides {}
