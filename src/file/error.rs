//! Why a file can't be written or read.

/// Why a value can't become a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// JSON has no infinities and no NaN.
    #[error("{place} is {value}, which a file can't hold: only finite numbers can be written")]
    NotFinite {
        /// The key, as `points[3].speed_mps`.
        place: String,
        /// The number as text.
        value: String,
    },
    /// The value breaks a rule of the format, so that no reader would take the file.
    #[error("the result breaks the rules of its own format: {0}")]
    Inconsistent(#[from] Inconsistency),
    /// A format of places on earth, and a line that doesn't tell where it lies.
    #[error(
        "{format} holds longitudes and latitudes, and this line doesn't say where on earth it lies: pass --origin-longitude and \
         --origin-latitude, the degrees of its point (0 m, 0 m)"
    )]
    NoGeographicOrigin {
        /// Name of the format.
        format: &'static str,
    },
    /// An origin that is no place on earth.
    #[error(
        "longitude {longitude}°, latitude {latitude}° is no place on earth: pass --origin-longitude from -180 to 180 and --origin-latitude from -90 to 90"
    )]
    GeographicOrigin {
        /// Degrees.
        longitude: f64,
        /// Degrees.
        latitude: f64,
    },
    /// A point farther from the origin than the projection is good for.
    #[error(
        "{place} lies {distance_km:.0} km from (0 m, 0 m), more than {limit_km:.0} km: longitudes and latitudes would be wrong; \
         make the line again from a source whose origin is near"
    )]
    FarFromOrigin {
        /// The key, as `points[3]`.
        place: String,
        /// How far, km.
        distance_km: f64,
        /// How far it may be, km.
        limit_km: f64,
    },
    /// A value that has no place in JSON, such as a map with keys that are no text.
    #[error("{place} can't be written as JSON: {message}")]
    Unwritable {
        /// The key.
        place: String,
        /// The serializer's message.
        message: String,
    },
}

/// A rule of a format that a value breaks.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct Inconsistency {
    /// The key, as `points[3].s_m`.
    pub place: String,
    /// What is wrong there and what would be right.
    pub problem: String,
}

impl Inconsistency {
    /// A rule broken at `place`.
    pub(crate) fn new(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { place: place.into(), problem: problem.into() }
    }
}

/// Why bytes are not the file that was expected.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Not JSON, or a key is missing or of the wrong type.
    #[error("line {line}, column {column}: {message}")]
    Json {
        /// Line of text, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What was expected there.
        message: String,
    },
    /// JSON, but of another kind.
    #[error("\"format\" is {found}, expected \"{expected}\": {hint}")]
    Format {
        /// The value that was found, or `missing`.
        found: String,
        /// The value of this format.
        expected: &'static str,
        /// How to come by the right file.
        hint: &'static str,
    },
    /// A version that this program doesn't know.
    #[error("\"version\" is {found}, this program reads version {supported}: {hint}")]
    Version {
        /// The value that was found, or `missing`.
        found: String,
        /// The version that is understood.
        supported: u32,
        /// How to come by the right file.
        hint: &'static str,
    },
    /// The values contradict each other.
    #[error(transparent)]
    Inconsistent(#[from] Inconsistency),
}
