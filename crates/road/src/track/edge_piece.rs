//! The piece of an edge beside a stretch of road.

use super::Track;
use super::cross_section::CrossSection;
use super::edge_stretch::RoadSide;
use super::places::Places;
use super::stretch::{Extent, Stretch, StretchError};
use crate::geometry::{Point, Polyline, SegmentIndex};

/// The piece of one edge beside a stretch of road.
///
/// ```
/// use raceline_road::edges::RoadShape;
/// use raceline_road::track::{RoadSide, Track, TrackOptions};
///
/// let edge = |y: f64| (0..=20).map(|i| [10.0 * f64::from(i), y]).collect::<Vec<_>>();
/// let track = Track::from_points(&edge(8.0), &edge(0.0), RoadShape::Open, &TrackOptions::default())?;
/// let pieces = track.edge_pieces("no_go", 1, [45.0, 95.0], RoadSide::Right)?;
/// assert_eq!(pieces.len(), 1);
/// assert!((pieces[0].line.length() - 50.0).abs() < 1e-6 && pieces[0].line.points[0].y.abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct EdgePiece {
    /// The edge, in the direction of travel; closed for a whole lap.
    pub line: Polyline,
    /// Whether it is the left edge.
    pub is_left: bool,
    /// The cross-sections at its ends; `None` for a whole lap.
    pub gates: Option<[CrossSection; 2]>,
}

/// Two vertices nearer than this are one, metres.
const SAME_VERTEX_M: f64 = 1e-6;

impl Track {
    /// The pieces of the edges on `side` from one distance along the centre line to another,
    /// metres; on a closed track, an end before the beginning leads over the start line. `list` and
    /// `number` name the stretch in errors.
    ///
    /// # Errors
    /// [`StretchError`] for a stretch that is out of range, beyond the road's end or without length.
    pub fn edge_pieces(
        &self,
        list: &'static str,
        number: usize,
        ends_m: [f64; 2],
        side: RoadSide,
    ) -> Result<Vec<EdgePiece>, StretchError> {
        let places = Places::new(self);
        let extent = Extent { length_m: places.length_m(), closed: places.closed };
        let stretch = Stretch::fit(list, number, ends_m, extent)?;
        let is_lap = self.closed && stretch.reach_m >= extent.length_m;
        let gates = [stretch.from_m, stretch.from_m + stretch.reach_m].map(|end| places.section_at(end));
        let mut pieces = Vec::new();
        for (is_left, edge) in [(true, &self.left_edge), (false, &self.right_edge)] {
            if side == if is_left { RoadSide::Right } else { RoadSide::Left } {
                continue;
            }
            if is_lap {
                pieces.push(EdgePiece { line: edge.clone(), is_left, gates: None });
                continue;
            }
            let ends = gates.map(|gate| if is_left { gate.left } else { gate.right });
            pieces.push(EdgePiece { line: between(edge, ends, self.mean_width()), is_left, gates: Some(gates) });
        }
        Ok(pieces)
    }
}

/// The part of `edge` between the places on it that are nearest to `ends`.
fn between(edge: &Polyline, ends: [Point; 2], cell_m: f64) -> Polyline {
    let index = SegmentIndex::new(edge, cell_m);
    let [from, to] = ends.map(|end| index.nearest(end).map_or((0.0, end), |nearest| (nearest.s, nearest.point)));
    let lengths = edge.arc_lengths();
    let whole = lengths.last().copied().unwrap_or_default();
    let to_s = if edge.closed && to.0 <= from.0 { to.0 + whole } else { to.0 };
    let laps = if edge.closed { 2 } else { 1 };
    let mut points = vec![from.1];
    for lap in 0..laps {
        for (&vertex, &s) in edge.points.iter().zip(&lengths) {
            let s = s + f64::from(lap) * whole;
            if s > from.0 + SAME_VERTEX_M && s < to_s - SAME_VERTEX_M {
                points.push(vertex);
            }
        }
    }
    points.push(to.1);
    Polyline::open(points)
}

#[cfg(test)]
mod tests;
