//! Points, scales and picture frames: how pixels of a picture become metres of the world.
//!
//! World frame: metres, x to the right, y up. Pixel coordinates are continuous: columns to the
//! right and rows downwards from the top-left corner, pixel centres at half-integers.

mod picture_frame;
mod scale;
mod spot;

pub use picture_frame::PictureFrame;
pub use scale::{Scale, ScaleError, ScaleOptions};
pub use spot::{Spot, SpotError};
