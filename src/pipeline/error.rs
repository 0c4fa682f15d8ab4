//! Errors of a run.

use std::path::{Path, PathBuf};

use super::AbsurdScale;
use crate::construction::ImportError;
use crate::edges::EdgeError;
use crate::file::{RacingLine, ReadError};
use crate::frame::ScaleError;
use crate::input::InputError;
use crate::network::NetworkError;
use crate::options::OptionsError;
use crate::picture::PictureError;
use crate::plan::PlanError;
use crate::solve::SolveError;
use crate::track::{EdgeCorrectionError, PointsError, SurfaceError, TrackError};
use crate::verify::VerifyError;

/// Why a run failed: one variant per stage. Each message names the file;
/// [`source`](std::error::Error::source) gives the place in it and the reason.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The picture cannot be decoded, or no road is found in it.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// The scale is missing or invalid.
    #[error("{}: {}", file.display(), match error {
        ScaleError::NotForCoordinates { .. } => "the file has no pixels",
        _ => "pixels can't be converted to metres",
    })]
    Scale {
        /// The picture.
        file: PathBuf,
        /// The problem.
        #[source]
        error: ScaleError,
    },
    /// An option names a file that cannot be read.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The scale makes the road larger than any.
    #[error("{}: the size of the track is impossible", file.display())]
    Absurd {
        /// The input.
        file: PathBuf,
        /// The problem.
        #[source]
        error: AbsurdScale,
    },
    /// Arrays of numbers that are no centre line.
    #[error("{}: the arrays are no road", track.display())]
    Points {
        /// Name of the track.
        track: PathBuf,
        /// The problem.
        #[source]
        error: PointsError,
    },
    /// The road has no usable edges.
    #[error("{}: the road has no usable edges", file.display())]
    Edges {
        /// The picture.
        file: PathBuf,
        /// The problem.
        #[source]
        error: EdgeError,
    },
    /// The line would cover only a part of the drawn road.
    #[error(
        "{}: the line would cover {:.0} % of the drawn road",
        file.display(),
        100.0 * covered_fraction
    )]
    Partial {
        /// The picture.
        file: PathBuf,
        /// How much it would cover, 0 to 1.
        covered_fraction: f64,
    },
    /// The road cannot be cut into cross-sections.
    #[error("{}: the road can't be cut into cross-sections", file.display())]
    Track {
        /// The input.
        file: PathBuf,
        /// The problem.
        #[source]
        error: TrackError,
    },
    /// An edge cannot pass through a place of the options.
    #[error("{}: an edge can't be moved", file.display())]
    EdgePoint {
        /// The input.
        file: PathBuf,
        /// The problem.
        #[source]
        error: EdgeCorrectionError,
    },
    /// A profile of heights or banking does not fit the track.
    #[error("{}: the profile of the road does not fit it", file.display())]
    Surface {
        /// The input.
        file: PathBuf,
        /// The problem.
        #[source]
        error: SurfaceError,
    },
    /// No path through free space was found.
    #[error("{}: no path was planned", file.display())]
    Plan {
        /// The input.
        file: PathBuf,
        /// The problem.
        #[source]
        error: PlanError,
    },
    /// No route through streets was found.
    #[error("{}: no route was found", file.display())]
    Network {
        /// The input.
        file: PathBuf,
        /// The problem.
        #[source]
        error: NetworkError,
    },
    /// An extracted track cannot be read.
    #[error("{}: the track can't be read", file.display())]
    TrackFile {
        /// The file.
        file: PathBuf,
        /// The problem.
        #[source]
        error: ReadError,
    },
    /// A track file of another program cannot be read.
    #[error("{}: the track can't be read", file.display())]
    Import {
        /// The file.
        file: PathBuf,
        /// The problem.
        #[source]
        error: ImportError,
    },
    /// A file with streets, through which a route leads, and not with one road.
    #[error("{}: the track can't be read", file.display())]
    Streets {
        /// The file.
        file: PathBuf,
        /// Why it is not one road.
        #[source]
        error: ImportError,
    },
    /// No line was found.
    #[error("{}: no line was found", file.display())]
    Solve {
        /// The input.
        file: PathBuf,
        /// The problem.
        #[source]
        error: SolveError,
    },
    /// The line that was found is not sound: a defect of the search, or a road beyond its limits.
    #[error("{}: the line that was found is not sound", file.display())]
    Unsound {
        /// The input.
        file: PathBuf,
        /// The line.
        line: Box<RacingLine>,
        /// The violated rule and its place.
        #[source]
        error: VerifyError,
    },
}

impl Error {
    /// The option that the input needs before anything else: `metres_per_pixel` for a picture without a scale,
    /// `track_width_m` for a line without a width, `from` for a picture or map without a road, where a path can be
    /// planned, and for streets, `None` for any other error.
    #[must_use]
    pub fn missing_option(&self) -> Option<&'static str> {
        match self {
            Self::Scale { error: ScaleError::Missing, .. } => Some("metres_per_pixel"),
            Self::Import { error, .. } if error.is_without_width() => Some("track_width_m"),
            Self::Picture(PictureError::NoRing { .. } | PictureError::NoBand { .. }) | Self::Streets { .. } => {
                Some("from")
            }
            _ => None,
        }
    }

    pub(super) fn scale(file: &Path, error: ScaleError) -> Self {
        Self::Scale { file: file.to_owned(), error }
    }

    pub(super) fn track(file: &Path, error: TrackError) -> Self {
        Self::Track { file: file.to_owned(), error }
    }
}
