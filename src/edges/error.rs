//! What can be wrong with a mask or a scale, and what mends it.

/// Why a mask gives no edges.
#[derive(Debug, thiserror::Error, PartialEq)]
#[non_exhaustive]
pub enum EdgeError {
    /// The mask holds no road at all.
    #[error("the road mask is empty: no pixel is more than half covered by road")]
    NoRoad,
    /// The road has no hole to go round.
    #[error(
        "the road that reaches from ({left:.0}, {top:.0}) to ({right:.0}, {bottom:.0}) pixels isn't a ring: it goes round nothing; \
         widen the gap between its legs or draw the picture larger"
    )]
    NoHole {
        /// Leftmost column of the road, pixels.
        left: f64,
        /// Topmost row, pixels.
        top: f64,
        /// Rightmost column, pixels.
        right: f64,
        /// Lowest row, pixels.
        bottom: f64,
    },
}

/// Why a scale can't be used.
#[derive(Debug, thiserror::Error, PartialEq)]
#[non_exhaustive]
pub enum ScaleError {
    /// None was given.
    #[error(
        "the picture has no scale: give one of --metres-per-pixel, --track-length-m or --track-width-m, or one of the keys \
         metres_per_pixel, track_length_m and track_width_m in the sidecar TOML"
    )]
    Missing,
    /// More than one was given.
    #[error("the scale is given more than once ({}): keep one of them", .given.join(", "))]
    Several {
        /// The keys that were given.
        given: Vec<&'static str>,
    },
    /// A length that no picture can have.
    #[error("{key} is {value}, but must be a number of metres above zero")]
    NotPositive {
        /// The key.
        key: &'static str,
        /// Its value.
        value: f64,
    },
    /// An origin that is not a point.
    #[error("origin_m is ({x}, {y}), but must be two finite numbers of metres")]
    BadOrigin {
        /// x as given.
        x: f64,
        /// y as given.
        y: f64,
    },
}
