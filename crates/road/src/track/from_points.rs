//! Arrays of points → track, without a file.

use super::{CrossSection, Direction, Track, TrackError, TrackOptions, cut};
use crate::construction::{
    CentreLine, EdgePair, ImportError, ImportNote, ImportOptions, Imported, LONGEST_M, Sides, Station,
};
use crate::edges::{EdgeError, RoadShape, with_crossings_marked};
use crate::geometry::{Point, Polyline};

/// Largest coordinate, metres: that of maps.
const FARTHEST_M: f64 = 1e8;
/// Largest distance from a centre line to an edge, metres.
const WIDEST_M: f64 = 1e4;

/// Why points are not a track.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PointsError {
    /// A number that is not finite or out of its range.
    #[error("{what}[{index}] has the number {found}: {must_be}")]
    Number {
        /// The array.
        what: &'static str,
        /// Index of the entry, from 0.
        index: usize,
        /// The number.
        found: f64,
        /// The requirement.
        must_be: &'static str,
    },
    /// Arrays of different lengths.
    #[error("there are {widths} entries of widths for {points} points of the centre line: give one for each")]
    Lengths {
        /// Number of points.
        points: usize,
        /// Number of widths.
        widths: usize,
    },
    /// The left edge lies on the right of the right one, in the direction of travel.
    #[error("the left edge lies to the right of the right one, seen in the order of its points: swap the edges")]
    Swapped,
    /// Points between which there is no road.
    #[error("the points are no road")]
    Road(#[source] ImportError),
    /// Edges that cross or touch.
    #[error("the edges of the road cannot be used")]
    Edges(#[source] EdgeError),
    /// A road that cannot be divided into cross-sections.
    #[error("the road cannot be cut into cross-sections")]
    Track(#[from] TrackError),
}

impl Track {
    /// The level road of these cross-sections, in the order of travel and about `spacing_m` apart, whose edges
    /// lead through their ends. It has no crossings; nothing is checked.
    #[must_use]
    pub fn from_sections(sections: Vec<CrossSection>, closed: bool, direction: Direction, spacing_m: f64) -> Self {
        let edge = |end: fn(&CrossSection) -> Point| Polyline { points: sections.iter().map(end).collect(), closed };
        Self {
            closed,
            direction,
            spacing_m,
            edge_uncertainty_m: 0.0,
            left_edge: edge(|section| section.left),
            right_edge: edge(|section| section.right),
            crossings: Vec::new(),
            surface: None,
            sections,
        }
    }

    /// The road between the points of its left and its right edge, `[x, y]` in metres, both in the direction
    /// of travel. The edges need not have the same number of points.
    ///
    /// `shape` is whether the road is a circuit; [`RoadShape::Auto`] takes one for it whose ends are near each
    /// other. A circuit may repeat its first point. The points are taken as they are, without smoothing.
    ///
    /// ```
    /// use raceline_road::edges::RoadShape;
    /// use raceline_road::track::{Track, TrackOptions};
    ///
    /// let edge = |y: f64| (0..=20).map(|i| [10.0 * f64::from(i), y]).collect::<Vec<_>>();
    /// let track = Track::from_points(&edge(8.0), &edge(0.0), RoadShape::Open, &TrackOptions::default())?;
    /// assert!(!track.closed && (track.mean_width() - 8.0).abs() < 1e-9);
    /// # Ok::<(), raceline_road::track::PointsError>(())
    /// ```
    ///
    /// # Errors
    /// See [`PointsError`].
    pub fn from_points(
        left: &[[f64; 2]],
        right: &[[f64; 2]],
        shape: RoadShape,
        options: &TrackOptions,
    ) -> Result<Self, PointsError> {
        let imported = EdgePair::from_arrays(left, right)?
            .imported(shape.specified(), &as_they_are())
            .map_err(PointsError::Road)?;
        if imported.notes.contains(&ImportNote::EdgesSwapped) {
            return Err(PointsError::Swapped);
        }
        of_imported(imported, options)
    }

    /// The road about the points of its centre line, `[x, y]` in metres, in the direction of travel. `widths_m`
    /// has the distances from each point to the left and to the right edge, `[left, right]` in metres.
    ///
    /// The centre line is a cubic spline through the points; points that nearly coincide are one. `shape` is
    /// that of [`Self::from_points`].
    ///
    /// ```
    /// use raceline_road::edges::RoadShape;
    /// use raceline_road::track::{Track, TrackOptions};
    ///
    /// let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
    /// let points: Vec<[f64; 2]> = (0..48).map(|i| [80.0 * angle(i).cos(), 50.0 * angle(i).sin()]).collect();
    /// let track = Track::from_centre_line(&points, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
    /// assert!(track.closed && (track.mean_width() - 10.0).abs() < 0.01);
    /// # Ok::<(), raceline_road::track::PointsError>(())
    /// ```
    ///
    /// # Errors
    /// See [`PointsError`].
    pub fn from_centre_line(
        points: &[[f64; 2]],
        widths_m: &[[f64; 2]],
        shape: RoadShape,
        options: &TrackOptions,
    ) -> Result<Self, PointsError> {
        let line = CentreLine::from_arrays(points, widths_m)?;
        of_imported(line.imported(shape.specified(), &as_they_are()).map_err(PointsError::Road)?, options)
    }
}

impl EdgePair {
    /// The edges through `left` and `right`, `[x, y]` in metres, both in the direction of travel.
    ///
    /// # Errors
    /// [`PointsError::Number`] for a number out of its range, and an edge longer than any track.
    pub fn from_arrays(left: &[[f64; 2]], right: &[[f64; 2]]) -> Result<Self, PointsError> {
        check_points("left", left)?;
        check_points("right", right)?;
        let pair = Self {
            first: points(left),
            second: points(right),
            sides: Sides::Named,
            in_travel_order: true,
            levels: None,
        };
        for edge in [&pair.first, &pair.second] {
            let length_m: f64 = edge.windows(2).map(|ends| (ends[1] - ends[0]).norm()).sum();
            if length_m > LONGEST_M {
                let error = ImportError::TooLong { length_km: length_m / 1e3, limit_km: LONGEST_M / 1e3 };
                return Err(PointsError::Road(error));
            }
        }
        Ok(pair)
    }
}

impl CentreLine {
    /// The centre line through `points`, `[x, y]` in metres, in the direction of travel. `widths_m` has the
    /// distances from each point to the left and to the right edge, `[left, right]` in metres, from 0 to 10 km.
    ///
    /// # Errors
    /// [`PointsError::Number`] for a number out of its range, [`PointsError::Lengths`] for arrays of different
    /// lengths.
    pub fn from_arrays(points: &[[f64; 2]], widths_m: &[[f64; 2]]) -> Result<Self, PointsError> {
        check_points("points", points)?;
        let must_be = "a distance to an edge is from 0 m to 10 km";
        check("widths_m", widths_m, must_be, |width| (0.0..=WIDEST_M).contains(&width))?;
        if points.len() != widths_m.len() {
            return Err(PointsError::Lengths { points: points.len(), widths: widths_m.len() });
        }
        let station = |(&[x, y], &[left_m, right_m]): (&[f64; 2], &[f64; 2])| Station {
            position: Point::new(x, y),
            right_m,
            left_m,
            line: None,
            level: None,
        };
        Ok(Self::new(points.iter().zip(widths_m).map(station).collect()))
    }
}

fn as_they_are() -> ImportOptions {
    ImportOptions { smoothing_m: Some(0.0), ..ImportOptions::default() }
}

fn points(coordinates: &[[f64; 2]]) -> Vec<Point> {
    coordinates.iter().map(|&[x, y]| Point::new(x, y)).collect()
}

fn check_points(what: &'static str, points: &[[f64; 2]]) -> Result<(), PointsError> {
    let must_be = "a coordinate is finite and at most 100 000 km, in metres";
    check(what, points, must_be, |coordinate| coordinate.abs() <= FARTHEST_M)
}

/// Checks each number; one that is not finite fails any range.
fn check(
    what: &'static str,
    entries: &[[f64; 2]],
    must_be: &'static str,
    is_valid: impl Fn(f64) -> bool,
) -> Result<(), PointsError> {
    for (index, entry) in entries.iter().enumerate() {
        if let Some(&found) = entry.iter().find(|&&number| !is_valid(number)) {
            return Err(PointsError::Number { what, index, found, must_be });
        }
    }
    Ok(())
}

fn of_imported(imported: Imported, options: &TrackOptions) -> Result<Track, PointsError> {
    let edges = with_crossings_marked(imported.edges).map_err(PointsError::Edges)?;
    Ok(cut(&edges, options)?)
}

#[cfg(test)]
mod tests;
