//! The scale of a picture, as the user specifies it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::geometry::Point;
use crate::range::Range;

/// Range of every length that specifies the scale.
const SCALE_LENGTH: Range = Range::above(0.0).in_metres();

/// The size of a pixel in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// Side of a pixel, metres.
    MetresPerPixel(f64),
    /// Length of the centre line, metres: the mean of the lengths of the two edges, which is exact
    /// for edges at a constant distance from it.
    TrackLength(f64),
    /// Mean width of the road, metres: its area divided by the length of its centre line.
    TrackWidth(f64),
}

/// The scale as the user specifies it: one of the first three, or `track_length_m` and
/// `track_width_m` together for a schematic map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ScaleOptions {
    /// Side of a pixel, metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = SCALE_LENGTH))]
    pub metres_per_pixel: Option<f64>,
    /// Length of the centre line, metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = SCALE_LENGTH))]
    pub track_length_m: Option<f64>,
    /// Mean width of the road, metres. Together with `track_length_m`, the picture is a schematic
    /// map: the length gives the scale, and the road has this width about the drawn line.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = SCALE_LENGTH))]
    pub track_width_m: Option<f64>,
    /// World position of the picture's bottom-left corner, metres. Default: (0, 0).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-kind" = "position"))]
    pub origin_m: Option<[f64; 2]>,
}

impl ScaleOptions {
    /// Whether a scale is specified.
    #[must_use]
    pub fn has_scale(&self) -> bool {
        self.metres_per_pixel.or(self.track_length_m).or(self.track_width_m).is_some()
    }

    /// The keys of the scales that are specified.
    #[must_use]
    pub fn given(&self) -> Vec<&'static str> {
        let all = [
            ("metres_per_pixel", self.metres_per_pixel),
            ("track_length_m", self.track_length_m),
            ("track_width_m", self.track_width_m),
        ];
        all.into_iter().filter_map(|(key, value)| value.map(|_| key)).collect()
    }

    /// The one scale that is specified.
    ///
    /// ```
    /// use raceline_road::frame::{Scale, ScaleOptions};
    ///
    /// let options = ScaleOptions { track_length_m: Some(5793.0), ..ScaleOptions::default() };
    /// assert_eq!(options.scale()?, Scale::TrackLength(5793.0));
    /// # Ok::<(), raceline_road::frame::ScaleError>(())
    /// ```
    ///
    /// # Errors
    /// [`ScaleError::Missing`], [`ScaleError::Several`], and [`ScaleError::NotPositive`] for zero,
    /// negative, infinite values and NaN.
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
            // The width is that of the road, not of the drawing.
            [length @ ("track_length_m", ..), ("track_width_m", ..)] => match *length {
                (_, value, kind) if SCALE_LENGTH.contains(value) => Ok(kind(value)),
                (key, value, _) => Err(ScaleError::NotPositive { key, value }),
            },
            several => Err(ScaleError::Several { given: several.iter().map(|&(key, ..)| key).collect() }),
        }
    }

    /// Width of the road on a schematic map, metres: `None` unless length and width are specified.
    #[must_use]
    pub fn schematic_width_m(&self) -> Option<f64> {
        self.track_length_m.and(self.track_width_m)
    }

    /// World position of the picture's bottom-left corner, metres.
    ///
    /// # Errors
    /// [`ScaleError::BadOrigin`] when it is not finite.
    pub fn origin(&self) -> Result<Point, ScaleError> {
        let [x, y] = self.origin_m.unwrap_or_default();
        if x.is_finite() && y.is_finite() { Ok(Point::new(x, y)) } else { Err(ScaleError::BadOrigin { x, y }) }
    }
}

/// An error in a scale.
#[derive(Debug, thiserror::Error, PartialEq)]
#[non_exhaustive]
pub enum ScaleError {
    /// No scale is specified.
    #[error("the picture has no scale: none of metres_per_pixel, track_length_m and track_width_m is given")]
    Missing,
    /// More than one scale is specified.
    #[error("the scale is given more than once ({}): keep one of them", .given.join(", "))]
    Several {
        /// The keys that are specified.
        given: Vec<&'static str>,
    },
    /// A length that is not positive.
    #[error("{key} is {value}, but must be a number of metres above zero")]
    NotPositive {
        /// The key.
        key: &'static str,
        /// Value of the option.
        value: f64,
    },
    /// A scale for a file of coordinates.
    #[error("{key} is for pictures, and coordinates are in metres")]
    NotForCoordinates {
        /// The key.
        key: &'static str,
    },
    /// An origin that is not a point.
    #[error("origin_m is ({x}, {y}), but must be two finite numbers of metres")]
    BadOrigin {
        /// x as specified.
        x: f64,
        /// y as specified.
        y: f64,
    },
}
