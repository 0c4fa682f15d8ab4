//! A road with one edge in each of two files.

use super::centre_line_csv;
use super::geographic::Geographic;
use super::{geojson, gpx, kml};
use raceline_road::construction::{EdgeLevel, EdgePair, Sides};
use raceline_road::construction::{ImportError, ImportOptions, Imported, SpecifiedClosed};

/// The bytes of a file with one line: an edge of a road.
#[derive(Clone, Copy, Debug)]
pub enum EdgeFile<'a> {
    /// CSV with `x_m`, `y_m` and optionally `z_m`.
    Csv(&'a [u8]),
    /// GeoJSON.
    GeoJson(&'a [u8]),
    /// KML or KMZ.
    Kml(&'a [u8]),
    /// GPX.
    Gpx(&'a [u8]),
}

impl<'a> EdgeFile<'a> {
    /// The file's bytes.
    #[must_use]
    pub fn bytes(self) -> &'a [u8] {
        match self {
            Self::Csv(bytes) | Self::GeoJson(bytes) | Self::Kml(bytes) | Self::Gpx(bytes) => bytes,
        }
    }

    /// What is in a file with degrees; `None` for a CSV.
    fn geographic(self) -> Result<Option<Geographic>, ImportError> {
        match self {
            Self::Csv(_) => Ok(None),
            Self::GeoJson(bytes) => geojson::read(bytes).map(Some),
            Self::Kml(bytes) => kml::read(bytes).map(Some),
            Self::Gpx(bytes) => gpx::read(bytes).map(Some),
        }
    }
}

/// Reads a road whose left edge is in one file and whose right edge is in another: two CSVs in metres,
/// or two files in degrees. The direction of the left edge is the direction of travel; if `left` lies on
/// the right of it, the edges are swapped, which is reported.
///
/// # Errors
/// See [`ImportError`]: files that hold no single line, a CSV and a file in degrees together, and edges
/// without a road between them.
pub fn two_files(
    left: EdgeFile<'_>,
    right: EdgeFile<'_>,
    closed: SpecifiedClosed,
    options: &ImportOptions,
) -> Result<Imported, ImportError> {
    match (left.geographic()?, right.geographic()?) {
        (Some(left), Some(right)) => left.with_right(right)?.imported(closed, options),
        (None, None) => {
            let (first, left_m) = centre_line_csv::line(left.bytes())?;
            let (second, right_m) = centre_line_csv::line(right.bytes())?;
            let level = |height_m| EdgeLevel { height_m, ..EdgeLevel::default() };
            let levels = left_m
                .zip(right_m)
                .map(|heights| <[Vec<f64>; 2]>::from(heights).map(|edge| edge.into_iter().map(level).collect()));
            EdgePair { first, second, sides: Sides::Named, in_travel_order: true, levels }.imported(closed, options)
        }
        (Some(_), None) => Err(ImportError::DifferentUnits { kind: "degrees" }),
        (None, Some(_)) => Err(ImportError::DifferentUnits { kind: "metres" }),
    }
}
