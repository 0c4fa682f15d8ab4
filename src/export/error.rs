//! Why a file can't be written, read or drawn.

use crate::RacingLine;
use crate::analysis::ComparisonError;

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

/// Why a line can't be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// There is no line to draw.
    #[error("there is no line to draw: give at least one")]
    NoLine,
    /// The picture would be too small to read or too large to hold.
    #[error(
        "a picture of {width_px} x {height_px} pixels can't be drawn: width and height must be {min} to {max} pixels"
    )]
    Size {
        /// Width asked for, pixels.
        width_px: u32,
        /// Height asked for or found, pixels.
        height_px: u32,
        /// Smallest side, pixels.
        min: u32,
        /// Largest side, pixels.
        max: u32,
    },
    /// The points span no area to draw.
    #[error("line {name:?} has no extent: its points and edges lie on one spot")]
    NoExtent {
        /// Name of the line.
        name: String,
    },
    /// The cross-sections are wanted but the file has none.
    #[error(
        "line {name:?} carries no cross-sections: make it again with `raceline optimize --detail`, or draw it without \
         them"
    )]
    NoSections {
        /// Name of the line.
        name: String,
    },
    /// A deviation is wanted of one line.
    #[error(
        "a deviation is that of one line from another, and there is only one: give the line to measure from as the second"
    )]
    NoSecondLine,
    /// A page is wanted that is coloured by a deviation.
    #[error(
        "a page has no colours of a deviation: draw an .svg or .png, or colour by speed, acceleration or curvature"
    )]
    NoDeviationOnPage,
    /// A picture is wanted behind a line that doesn't come from one.
    #[error(
        "line {name:?} doesn't say how large a pixel is, because its source {source_file:?} is no picture: leave the picture behind it away"
    )]
    NoScale {
        /// Name of the line.
        name: String,
        /// Name of its source.
        source_file: String,
    },
    /// The picture behind the map can't be read.
    #[error("{0}")]
    Backdrop(String),
    /// A sweep that a picture can't show.
    #[error("a picture shows one varied number as a line or two as a map, and {varied}: {fix}")]
    Axes {
        /// What varies.
        varied: String,
        /// What mends it.
        fix: &'static str,
    },
    /// No combination of a sweep has a lap.
    #[error("no combination has a lap time to draw")]
    NoLap,
    /// A line that can't be taken apart, or laid beside another.
    #[error("line {name:?} can't be shown: {error}")]
    Analysis {
        /// Name of the line.
        name: String,
        /// Why.
        error: Box<ComparisonError>,
    },
    /// The page's data can't be written as JSON.
    #[error("the page's data can't be written: {0}")]
    Data(String),
    /// The SVG could not be turned into pixels.
    #[error("the picture can't be turned into pixels: {0}")]
    Raster(String),
}

impl RenderError {
    /// What was wrong with `line`.
    pub(super) fn analysis(line: &RacingLine, error: impl Into<ComparisonError>) -> Self {
        Self::Analysis { name: line.name.clone(), error: Box::new(error.into()) }
    }
}
