//! The road of raceline: geometry, frames, edges, cross-sections, and the track file.
//!
//! Everything irregular about a track ends at [`track::Track`]: its edges do not cross, its
//! cross-sections do not cross, and every width is positive.
//!
//! # From a centre line to cross-sections
//!
//! ```
//! use raceline_road::edges::RoadShape;
//! use raceline_road::track::{Track, TrackOptions};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let corner = |i: u32| 0.1 * std::f64::consts::TAU * f64::from(i);
//! let circle: Vec<[f64; 2]> = (0..10).map(|i| [80.0 * corner(i).cos(), 80.0 * corner(i).sin()]).collect();
//! // Distances to the left and to the right edge.
//! let widths_m = [[5.0, 5.0]; 10];
//! let track = Track::from_centre_line(&circle, &widths_m, RoadShape::Closed, &TrackOptions::default())?;
//! assert!(track.sections.len() > 50);
//! # Ok(())
//! # }
//! ```
//!
//! # Distances to an edge
//!
//! ```
//! use raceline_road::geometry::{Point, Polyline, SegmentIndex};
//!
//! let wall = Polyline::open(vec![Point::new(0.0, 0.0), Point::new(100.0, 0.0)]);
//! let nearest = SegmentIndex::new(&wall, 1.0).nearest(Point::new(30.0, 4.0));
//! assert_eq!(nearest.map(|nearest| nearest.distance), Some(4.0));
//! ```
//!
//! # The scale of a picture
//!
//! ```
//! use raceline_road::frame::PictureFrame;
//! use raceline_road::geometry::Point;
//!
//! let frame = PictureFrame { metres_per_pixel: 0.5, origin_m: Point::origin(), width_px: 300, height_px: 200 };
//! // The centre of the pixel in the lower left corner.
//! assert_eq!(frame.to_world(0.5, 199.5), Point::new(0.25, 0.25));
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod construction;
pub mod edges;
pub mod frame;
pub mod geometry;
mod position_grid;
pub mod range;
pub mod road_length;
pub mod track;
pub mod track_file;

pub use position_grid::on_grid;
