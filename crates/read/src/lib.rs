//! The readers of raceline: pictures, maps, drawings and track files to the edges of a road.
//!
//! # What is this file?
//!
//! ```no_run
//! # fn main() -> Result<(), raceline_read::input::InputError> {
//! use raceline_read::input::{Input, read};
//!
//! if let Input::Picture(bytes) = read("monza.png".as_ref())? {
//!     println!("a picture of {} bytes", bytes.len());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # A picture's road
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use raceline_read::picture::{PictureOptions, read_bytes, road_mask};
//! use raceline_read::tracing::trace;
//! use raceline_road::{edges::RouteOptions, frame::Scale, geometry::Point};
//!
//! let options = PictureOptions::default();
//! let picture = read_bytes("monza.png", &std::fs::read("monza.png")?, &options)?;
//! let mask = road_mask(&picture, &options, None)?;
//! let traced = trace(&mask, Scale::MetresPerPixel(0.5), Point::origin(), &RouteOptions::default())?;
//! println!("{:.0} m", traced.edges.centre_length());
//! # Ok(())
//! # }
//! ```
//!
//! # A track file
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use raceline_read::importers::csv;
//! use raceline_road::construction::ImportOptions;
//!
//! let text = "# x_m,y_m,w_tr_right_m,w_tr_left_m\n0,0,5,5\n100,0,5,5\n150,60,5,5\n50,120,5,5\n-40,60,5,5\n";
//! let road = csv(text.as_bytes(), Some(true), &ImportOptions::default())?;
//! assert!(road.edges.is_closed());
//! # Ok(())
//! # }
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod cones;
mod content;
mod fast_lane;
pub mod importers;
pub mod input;
pub mod lines;
pub mod picture;
pub mod tracing;
