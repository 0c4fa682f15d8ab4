//! The road as the later stages take it.

use super::cross_section::CrossSection;
use super::section_surface::SectionSurface;
use crate::geometry::{Point, Polyline, Vector};
use raceline_file::Direction;

/// A road divided into cross-sections. Sections do not cross one another, each reaches from edge to
/// edge inside the road, and every width is positive.
///
/// ```
/// use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// assert!(track.closed && (track.mean_width() - 10.0).abs() < 0.01);
/// assert!((track.centre_line().length() - 120.0 * std::f64::consts::PI).abs() < 1.0);
/// # Ok::<(), raceline_road::track::PointsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Whether the last section leads back to the first.
    pub closed: bool,
    /// The direction of travel.
    pub direction: Direction,
    /// Distance between sections along the centre line on straights, metres.
    pub spacing_m: f64,
    /// Largest expected distance of the edges from the road's own, metres; it is added to the
    /// margin of lines.
    pub edge_uncertainty_m: f64,
    /// The cuts in the order of travel; the first is at the start line.
    pub sections: Vec<CrossSection>,
    /// The left edge in the order of travel, metres.
    pub left_edge: Polyline,
    /// The right edge in the order of travel, metres.
    pub right_edge: Polyline,
    /// Pieces of the edges that lead across another leg of the road, where it crosses itself: not
    /// walls.
    pub crossings: Vec<[Point; 2]>,
    /// Height, grip and kind of edge at the ends of each section; `None` for a level road of even
    /// grip.
    pub surface: Option<Vec<SectionSurface>>,
}

impl Track {
    /// Returns the track moved by `offset`.
    #[must_use]
    pub fn moved_by(&self, offset: Vector) -> Self {
        Self {
            sections: self.sections.iter().map(|section| section.moved_by(offset)).collect(),
            left_edge: self.left_edge.moved_by(offset),
            right_edge: self.right_edge.moved_by(offset),
            crossings: self.crossings.iter().map(|piece| piece.map(|end| end + offset)).collect(),
            ..self.clone()
        }
    }

    /// Mean width of the sections, metres.
    pub fn mean_width(&self) -> f64 {
        self.sections.iter().map(CrossSection::width).sum::<f64>() / self.sections.len().max(1) as f64
    }

    /// The middles of the sections, metres.
    pub fn centre_line(&self) -> Polyline {
        Polyline { points: self.sections.iter().map(CrossSection::middle).collect(), closed: self.closed }
    }
}
