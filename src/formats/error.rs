//! The errors of writing a line in a format of other programs.

use crate::file::WriteError;
use crate::range::OutOfRange;

/// The reason that a line cannot be written in a format of other programs.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// A line that is not valid.
    #[error(transparent)]
    Line(#[from] WriteError),
    /// The format requires geographic positions, but the line's position on earth is unknown.
    #[error("{format} requires longitudes and latitudes, but the line's position on earth is unknown")]
    NoGeographicOrigin {
        /// Name of the format.
        format: &'static str,
    },
    /// An origin that is not a position on earth.
    #[error(
        "longitude {longitude}°, latitude {latitude}° is not a position on earth: longitudes must be from -180 to 180, \
         latitudes from -90 to 90"
    )]
    GeographicOrigin {
        /// Degrees.
        longitude: f64,
        /// Degrees.
        latitude: f64,
    },
    /// An option of a flow field out of its range.
    #[error("{field} is {value}, but must be {must}")]
    Grid {
        /// Name of the option.
        field: &'static str,
        /// Value.
        value: f64,
        /// Permitted range.
        must: &'static str,
    },
    /// A flow field with too many cells.
    #[error(
        "the flow field would have {columns} x {rows} cells of {cell_m} m, more than {max} along a side: make the cells \
         larger or the margin smaller"
    )]
    TooManyCells {
        /// Cells along x.
        columns: usize,
        /// Cells along y.
        rows: usize,
        /// Largest number along a side.
        max: usize,
        /// Size of the cells, metres.
        cell_m: f64,
    },
    /// An option out of its range.
    #[error(transparent)]
    Option(#[from] OutOfRange),
    /// A spacing that gives too many points.
    #[error("the spacing gives {count:.0} points, more than {max:.0}: make it larger")]
    TooManyPoints {
        /// Number of points.
        count: f64,
        /// Largest number.
        max: f64,
    },
    /// A format without a choice of the repeated point.
    #[error("{format} has no repeated first point to choose: {reason}")]
    NoRepeat {
        /// Name of the format.
        format: &'static str,
        /// Why.
        reason: &'static str,
    },
    /// A picture that cannot be encoded.
    #[error("the picture cannot be written: {message}")]
    Picture {
        /// The encoder's message.
        message: String,
    },
    /// A point too far from the origin for the projection.
    #[error(
        "{place} lies {distance_km:.0} km from (0 m, 0 m), more than {limit_km:.0} km: longitudes and latitudes would be \
         inaccurate; compute the line from a source whose origin is nearer"
    )]
    FarFromOrigin {
        /// The key, as `points[3]`.
        place: String,
        /// Distance from the origin, km.
        distance_km: f64,
        /// Largest permitted distance, km.
        limit_km: f64,
    },
}
