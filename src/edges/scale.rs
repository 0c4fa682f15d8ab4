//! From what the user says about the scale to metres per pixel.

use super::{Edges, SCALE_LENGTH, Scale, ScaleError, ScaleOptions};
use crate::geometry::Point;

impl ScaleOptions {
    /// The one scale that was given.
    ///
    /// # Errors
    /// [`ScaleError::Missing`], [`ScaleError::Several`], and [`ScaleError::NotPositive`] for zero, negative,
    /// infinite values and NaN.
    pub fn scale(&self) -> Result<Scale, ScaleError> {
        type Kind = fn(f64) -> Scale;
        let all: [(&'static str, Option<f64>, Kind); 3] = [
            ("metres_per_pixel", self.metres_per_pixel, Scale::MetresPerPixel),
            ("track_length_m", self.track_length_m, Scale::TrackLength),
            ("track_width_m", self.track_width_m, Scale::TrackWidth),
        ];
        let given: Vec<_> = all.iter().filter_map(|&(key, value, kind)| Some((key, value?, kind))).collect();
        match given.as_slice() {
            [] => Err(ScaleError::Missing),
            &[(key, value, kind)] => {
                if SCALE_LENGTH.contains(value) {
                    Ok(kind(value))
                } else {
                    Err(ScaleError::NotPositive { key, value })
                }
            }
            several => Err(ScaleError::Several { given: several.iter().map(|&(key, ..)| key).collect() }),
        }
    }

    /// World position of the picture's bottom-left corner, metres.
    ///
    /// # Errors
    /// [`ScaleError::BadOrigin`] when it isn't finite.
    pub fn origin(&self) -> Result<Point, ScaleError> {
        let [x, y] = self.origin_m.unwrap_or_default();
        if x.is_finite() && y.is_finite() { Ok(Point::new(x, y)) } else { Err(ScaleError::BadOrigin { x, y }) }
    }
}

impl Scale {
    /// Side of a pixel, metres, for a road whose edges are given in pixels.
    pub fn metres_per_pixel(&self, in_pixels: &Edges) -> f64 {
        match *self {
            Self::MetresPerPixel(metres) => metres,
            Self::TrackLength(metres) => metres / in_pixels.centre_length(),
            Self::TrackWidth(metres) => metres / in_pixels.mean_width(),
        }
    }
}
