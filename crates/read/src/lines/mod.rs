//! A line that exists, from a file of any kind: its points in the order of travel, and what the
//! file states of it. [`read`] is for those who drive the line; [`road`] makes a road of a file
//! that holds nothing else.
//!
//! | Module | Files |
//! |---|---|
//! | `table` | CSV by names or by the order of the columns |
//! | `json` | racing lines, and the points of games and race stacks |
//! | `geographic` | GeoJSON, KML, GPX |
//! | `svg` | drawings |
//! | `dxf` | drawings of CAD |
//! | `godot` | curves of Godot |
//! | `poses` | paths of ROS |
//! | `fast_lane` | ideal lines of Assetto Corsa |

mod dxf;
mod fast_lane;
mod geographic;
mod godot;
mod json;
mod kind;
mod line_file;
mod poses;
mod reading;
mod svg;
mod table;

pub use kind::LineKind;
pub use line_file::{LineFile, Positions};
pub use reading::{read, road};
