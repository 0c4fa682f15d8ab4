//! A racing line for other programs: one file per format. [`FORMATS`] lists them; the command line,
//! the docs' test and the goldens use this list.
//!
//! Two rules hold for all. Positions are in the frame that the format's readers use, in metres
//! unless a column's name has another unit; the height of a road without heights is 0. A closed line
//! repeats its first point at the end, with the lap's length and time, unless the format marks a line as closed.
//! `docs/reference/export-formats.md` describes columns, units and frames.

mod autoware;
mod beamng;
mod csv;
mod dxf;
mod error;
mod f1tenth;
mod fast_lane;
mod flow_field;
mod format;
mod forzaeth;
mod geographic;
mod geojson;
mod godot;
mod gpx;
mod heights;
mod kml;
mod lanelet2;
mod lap_points;
mod number;
mod open_drive;
mod options;
mod registry;
mod resample;
mod road_across;
mod ros_path;
mod svg_path;
mod tum;
mod tum_ltpl;
mod unity;
mod unreal;
mod vbo;
pub mod xml_text;

pub use error::FormatError;
pub use format::{Closing, Format};
pub use options::FormatOptions;
pub use registry::FORMATS;
