//! Kinds of edges on stretches along the road, for sources that do not contain them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::stretch::{Extent, Stretch, StretchError, check_ends};
use super::{SectionSurface, Track};
use crate::edges::EdgeKind;

/// Sides of a road, seen in the direction of travel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RoadSide {
    /// The left edge.
    Left,
    /// The right edge.
    Right,
    /// Both edges.
    #[default]
    Both,
}

/// A stretch of road with a kind of edge.
///
/// ```
/// use raceline_road::edges::EdgeKind;
/// use raceline_road::track::{EdgeStretch, RoadSide};
///
/// let wall = EdgeStretch { from_m: 30.0, to_m: 80.0, side: RoadSide::Left, kind: EdgeKind::Wall };
/// assert!(wall.validate().is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EdgeStretch {
    /// Beginning: distance along the centre line from the start line, metres.
    pub from_m: f64,
    /// End, likewise; on a closed track, an end before the beginning leads over the start line.
    pub to_m: f64,
    /// The edges that it is about, seen in the direction of travel. Default: both.
    #[serde(default)]
    pub side: RoadSide,
    /// What they are made of. Where stretches overlap, the last one counts.
    pub kind: EdgeKind,
}

impl EdgeStretch {
    /// Checks the ranges that do not depend on a track.
    ///
    /// # Errors
    /// The number that is outside its range, and the range.
    pub fn validate(&self) -> Result<(), (f64, &'static str)> {
        check_ends(self.from_m, self.to_m)
    }
}

impl Track {
    /// Returns the road with the kinds of edges of these stretches, in place of those that it has
    /// there.
    ///
    /// Kinds belong to cross-sections. A wall also counts on the sections just before and after it,
    /// so that the road is as narrow as it has to be from the wall's first metre to its last.
    ///
    /// ```
    /// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
    /// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
    /// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
    /// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
    /// use raceline_road::edges::EdgeKind;
    /// use raceline_road::track::{EdgeStretch, RoadSide};
    ///
    /// let wall = EdgeStretch { from_m: 50.0, to_m: 100.0, side: RoadSide::Left, kind: EdgeKind::Wall };
    /// assert!(!track.with_edge_kinds(&[wall])?.has_only_lines());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`StretchError`] for a stretch that is out of range, beyond the road's end or without length.
    pub fn with_edge_kinds(mut self, stretches: &[EdgeStretch]) -> Result<Self, StretchError> {
        if stretches.is_empty() {
            return Ok(self);
        }
        let (distances, count) = (self.centre_line().arc_lengths(), self.sections.len());
        let extent = Extent { length_m: distances.last().copied().unwrap_or_default(), closed: self.closed };
        let surface = self.surface.get_or_insert_with(|| vec![SectionSurface::LEVEL; count]);
        for (i, stretch) in stretches.iter().enumerate() {
            let reach = Stretch::fit("edge", i + 1, [stretch.from_m, stretch.to_m], extent)?;
            let mut covered: Vec<bool> =
                distances[..count].iter().map(|&s| reach.distance_to_end(s).is_some()).collect();
            if stretch.kind == EdgeKind::Wall {
                for (before, ends) in distances.windows(2).enumerate() {
                    if reach.covers_part_of(ends[0], ends[1]) {
                        (covered[before], covered[(before + 1) % count]) = (true, true);
                    }
                }
            }
            for (surface, _) in surface.iter_mut().zip(covered).filter(|(_, covered)| *covered) {
                if stretch.side != RoadSide::Left {
                    surface.right.kind = stretch.kind;
                }
                if stretch.side != RoadSide::Right {
                    surface.left.kind = stretch.kind;
                }
            }
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests;
