//! Why a line can't be drawn.

use crate::RacingLine;
use crate::analysis::ComparisonError;

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
    #[error("line {name:?} carries no cross-sections")]
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
    #[error("line {name:?} can't be shown")]
    Analysis {
        /// Name of the line.
        name: String,
        /// Why.
        #[source]
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
