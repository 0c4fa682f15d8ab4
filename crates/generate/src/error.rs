//! Why no road was drawn.

use raceline_road::construction::ImportError;
use raceline_road::edges::EdgeError;
use raceline_road::range::OutOfRange;
use raceline_road::track::TrackError;

/// Why no road was drawn or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// An option is outside its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// The road is too short for its width.
    #[error(
        "a {style} of {length_m} m is too short for a width of {width_m} m: length_m must be at least {min_m:.1} m, or \
         width_m less"
    )]
    TooShort {
        /// Name of the style.
        style: &'static str,
        /// Length, m.
        length_m: f64,
        /// Width, m.
        width_m: f64,
        /// Minimum length, m.
        min_m: f64,
    },
    /// The road would have too many points.
    #[error("a road of {length_m} m is too long for a width of {width_m} m: length_m must be at most {max_m:.1} m")]
    TooLong {
        /// Length, m.
        length_m: f64,
        /// Width, m.
        width_m: f64,
        /// Largest length, m.
        max_m: f64,
    },
    /// The style has no crossings.
    #[error("a {style} has no crossings: they are for the styles circuit and kart")]
    NoCrossings {
        /// Name of the style.
        style: &'static str,
    },
    /// Every attempt folded or touched itself.
    #[error(
        "seed {seed} gave no {style} of {length_m} m that is {width_m} m wide and does not touch itself in {attempts} \
         attempts: use another seed, a greater length_m or a smaller width_m"
    )]
    NoRoad {
        /// Name of the style.
        style: &'static str,
        /// The seed.
        seed: u64,
        /// Number of attempts.
        attempts: u64,
        /// Length, m.
        length_m: f64,
        /// Width, m.
        width_m: f64,
    },
    /// The picture would be too large.
    #[error(
        "a picture of {columns} x {rows} pixels at {metres_per_pixel} m per pixel is too large: metres_per_pixel must be at \
         least {min_m:.3}"
    )]
    PictureTooLarge {
        /// Width, pixels.
        columns: u64,
        /// Height, pixels.
        rows: u64,
        /// Side of a pixel, m.
        metres_per_pixel: f64,
        /// Minimum side of a pixel, m.
        min_m: f64,
    },
    /// The pixels are too large to show the road.
    #[error("{metres_per_pixel} m per pixel is too coarse for a road {width_m} m wide: use at most {max_m:.3}")]
    PictureTooCoarse {
        /// Side of a pixel, m.
        metres_per_pixel: f64,
        /// Width of the road, m.
        width_m: f64,
        /// Largest side of a pixel, m.
        max_m: f64,
    },
    /// The picture cannot be encoded.
    #[error("the picture cannot be encoded: {0}")]
    Encoding(String),
    /// The centre line has no edges.
    #[error("the edges of the road cannot be drawn")]
    Import(#[from] ImportError),
    /// The edges lie on one another.
    #[error("the edges of the road meet too often")]
    Edges(#[from] EdgeError),
    /// The road cannot be cut.
    #[error("the road cannot be cut into cross-sections")]
    Track(#[from] TrackError),
}
