//! A line that exists, from a file or from points.

use std::path::{Path, PathBuf};

use super::Error;
use crate::construction::ImportError;
use crate::geometry::Point;
use crate::input::{Digests, LineInput, read_line};
use crate::lines::{self, LineFile, Positions};
use crate::options::Options;

/// A line that exists: points in the order of travel, and what its file states of it.
#[derive(Clone, Debug)]
pub struct GivenLine {
    /// The file that it was read from, or its name in messages.
    pub file: PathBuf,
    /// What is in the file.
    pub content: LineFile,
    /// SHA-256 of the file's bytes, or of the points.
    pub sha256: String,
}

impl GivenLine {
    /// Reads the line in the file at `path`. Of `options`, the length of a user unit of a drawing
    /// (`metres_per_pixel`) counts.
    ///
    /// # Errors
    /// [`Error::Input`] for a file that cannot be read or holds no line, [`Error::Import`] for one
    /// that is not as its kind requires.
    pub fn read(path: &Path, options: &Options) -> Result<Self, Error> {
        let input = read_line(path, options.format_hint.as_deref())?;
        let sha256 = input.sha256();
        let LineInput { kind, bytes } = input;
        let content = lines::read(kind, &bytes, options.scale.metres_per_pixel)
            .map_err(|error| Error::Import { file: path.to_owned(), error })?;
        Ok(Self { file: path.to_owned(), content, sha256 })
    }

    /// A line through `points`, metres, in the direction of travel. `name` is its name.
    #[must_use]
    pub fn from_points(name: &str, points: &[[f64; 2]]) -> Self {
        let digests = Digests::of_numbers(points.iter().flatten().copied());
        let content = LineFile {
            layout: "points".to_owned(),
            positions: Positions::Metres(points.iter().copied().map(Point::from).collect()),
            speeds_mps: None,
            closed: None,
            edges: None,
            widths_m: None,
            name: Some(name.to_owned()),
        };
        Self { file: PathBuf::from(name), content, sha256: digests.sha256.unwrap_or_default() }
    }

    /// The points in metres, in the frame of a road whose point (0, 0) has this longitude and
    /// latitude.
    ///
    /// # Errors
    /// A line in degrees beside a road in metres.
    pub(super) fn points_beside(&self, origin_deg: Option<[f64; 2]>) -> Result<Vec<Point>, Error> {
        match (&self.content.positions, origin_deg) {
            (Positions::Metres(points), _) => Ok(points.clone()),
            (positions @ Positions::Degrees(_), Some(origin_deg)) => Ok(positions.about(origin_deg)),
            (Positions::Degrees(_), None) => {
                let error = ImportError::DifferentUnits { kind: "metres" };
                Err(Error::Import { file: self.file.clone(), error })
            }
        }
    }

    /// Whether it leads back to its start: what the options or the file state.
    pub(super) fn closed(&self, options: &Options) -> Option<bool> {
        options.route.shape.specified().or(self.content.closed)
    }
}
