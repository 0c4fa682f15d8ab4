//! Why a file can't be written, read or drawn.

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
    /// A line that can't be taken apart, or laid beside the first on a page.
    #[error("line {name:?} can't be shown: {error}")]
    Analysis {
        /// Name of the line.
        name: String,
        /// Why.
        error: Box<ComparisonError>,
    },
    /// A picture is to lie behind a line whose source was no picture.
    #[error(
        "line {name:?} was not made from a picture, so that the place of one behind it isn't known: draw it without a \
         background picture"
    )]
    NoPicturePlace {
        /// Name of the line.
        name: String,
    },
    /// The page's data can't be written as JSON.
    #[error("the page's data can't be written: {0}")]
    Data(String),
    /// The SVG could not be turned into pixels.
    #[error("the picture can't be turned into pixels: {0}")]
    Raster(String),
}
