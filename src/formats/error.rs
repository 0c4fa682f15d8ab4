//! Why a line can't be written in a format of other programs.

use crate::file::WriteError;

/// Why a line can't be written in a format of other programs.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// A line that no file can hold.
    #[error(transparent)]
    Line(#[from] WriteError),
    /// A format of places on earth, and a line whose position on earth is unknown.
    #[error("{format} holds longitudes and latitudes, and the line's position on earth is unknown")]
    NoGeographicOrigin {
        /// Name of the format.
        format: &'static str,
    },
    /// An origin that is no place on earth.
    #[error(
        "longitude {longitude}°, latitude {latitude}° is no place on earth: longitudes are from -180 to 180, \
         latitudes from -90 to 90"
    )]
    GeographicOrigin {
        /// Degrees.
        longitude: f64,
        /// Degrees.
        latitude: f64,
    },
    /// A point farther from the origin than the projection is good for.
    #[error(
        "{place} lies {distance_km:.0} km from (0 m, 0 m), more than {limit_km:.0} km: longitudes and latitudes would \
         be wrong; make the line again from a source whose origin is near"
    )]
    FarFromOrigin {
        /// The key, as `points[3]`.
        place: String,
        /// How far, km.
        distance_km: f64,
        /// How far it may be, km.
        limit_km: f64,
    },
}
