//! File → decoded picture → road mask.
//!
//! Everything irregular about image formats and colours is resolved here. [`read`] returns a
//! [`Picture`]: one grey value per pixel along the picture's direction of strongest contrast.
//! [`road_mask`] returns a [`RoadMask`]: the fraction of each pixel that is road.
//!
//! The road is found by its shape, not by its brightness: it is the one ring that does not touch
//! the picture's border, or, if there is none, the one long and narrow region. Every candidate
//! threshold of the histogram divides the picture into a tree of nested regions. The first
//! threshold with exactly one ring is used. A ring between two thin lines that is as bright as the
//! ground beyond them is the road of an outline. A further style is one more file beside `solid`
//! and `outline` that turns a picture into coverage.

mod aerial;
mod attempts;
mod axes;
mod bridges;
mod children;
pub mod contours;
mod decode;
mod error;
mod free_cells;
mod gaps;
mod grey;
mod ink;
pub(crate) mod islands;
mod legend;
mod map_yaml;
mod mask;
mod obstacle;
mod options;
mod outline;
mod photograph;
mod regions;
mod rings;
mod road_colour;
mod solid;
mod stroke_ends;
mod strokes;
mod style;
mod sub_pixels;
mod threshold;

pub use attempts::{Attempt, Attempts, Preparation};
pub use axes::without_axes;
pub use decode::decoded;
pub use decode::{check_format, read, read_bytes};
pub use error::{PictureError, Pixel};
pub use free_cells::free_cells;
pub use map_yaml::{MapYaml, MapYamlError};
pub use mask::{Grey, Picture, RoadMask};
pub use options::{PictureOptions, RoadStyle};
pub use road_colour::{ParseColourError, RoadColour};
pub use style::{StyleTrial, road_mask, road_mask_of_map, try_styles};
