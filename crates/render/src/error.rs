//! The errors of drawing a line.

use raceline::RacingLine;
use raceline::analysis::ComparisonError;

/// The reason that a line cannot be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// There is no line to draw.
    #[error("there is no line to draw: specify at least one")]
    NoLine,
    /// The picture would be too small to read or too large to hold.
    #[error(
        "a picture of {width_px} x {height_px} pixels can't be drawn: width and height must be {min} to {max} pixels"
    )]
    Size {
        /// Specified width, pixels.
        width_px: u32,
        /// Specified or computed height, pixels.
        height_px: u32,
        /// Smallest side, pixels.
        min: u32,
        /// Largest side, pixels.
        max: u32,
    },
    /// The points span no area to draw.
    #[error("line {name:?} has no extent: its points and edges coincide")]
    NoExtent {
        /// Name of the line.
        name: String,
    },
    /// The cross-sections are to be drawn, but the file contains none.
    #[error("line {name:?} contains no cross-sections")]
    NoSections {
        /// Name of the line.
        name: String,
    },
    /// A grade requires heights.
    #[error("line {name:?} contains no heights, so that it has no grade to show")]
    NoHeights {
        /// Name of the line.
        name: String,
    },
    /// A deviation or a ratio requires a second line.
    #[error(
        "a deviation or a ratio requires two lines, but only one is specified: specify the line to measure from as the second"
    )]
    NoSecondLine,
    /// A page cannot be coloured by a difference of two lines.
    #[error(
        "a page cannot be coloured by {by}: draw an .svg or .png, or colour by speed, acceleration, curvature or grade"
    )]
    NotOnPage {
        /// The quantity.
        by: &'static str,
    },
    /// A background picture requires a line that was read from a picture.
    #[error(
        "line {name:?} has no pixel size, because its source {source_file:?} is not a picture: draw it without a background picture"
    )]
    NoScale {
        /// Name of the line.
        name: String,
        /// Name of its source.
        source_file: String,
    },
    /// The picture behind the map cannot be read.
    #[error("{0}")]
    Backdrop(String),
    /// A sweep that a picture cannot show.
    #[error("a picture requires one varied number (a line) or two (a map), but {varied}: {fix}")]
    Axes {
        /// The numbers that vary.
        varied: String,
        /// The remedy.
        fix: &'static str,
    },
    /// No combination of a sweep has a lap.
    #[error("no combination has a lap time to draw")]
    NoLap,
    /// A line that cannot be analysed or compared with another.
    #[error("line {name:?} can't be shown")]
    Analysis {
        /// Name of the line.
        name: String,
        /// The cause.
        #[source]
        error: Box<ComparisonError>,
    },
    /// The page's data cannot be written as JSON.
    #[error("the page's data can't be written: {0}")]
    Data(String),
    /// The SVG could not be rasterised.
    #[error("the picture can't be rasterised: {0}")]
    Raster(String),
}

impl RenderError {
    /// The error of an analysis of `line`.
    pub(super) fn analysis(line: &RacingLine, error: impl Into<ComparisonError>) -> Self {
        Self::Analysis { name: line.name.clone(), error: Box::new(error.into()) }
    }
}
