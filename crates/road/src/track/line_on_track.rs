//! Where a line of points passes the cross-sections of a track, and the track in the other
//! direction.

use raceline_file::Direction;

use super::cross_section::CrossSection;
use super::road::Track;
use super::section_surface::SectionSurface;
use crate::geometry::{Point, cross};

/// A line passes a section up to this many widths beside it.
const REACH_WIDTHS: f64 = 1.0;

impl Track {
    /// α of the line through `points` on each cross-section: 0 at its right end, 1 at its left end,
    /// outside that range where the line leaves the road by up to its width; `None` where the line
    /// passes no nearer. A closed track has a closed line.
    ///
    /// ```
    /// use raceline_road::edges::RoadShape;
    /// use raceline_road::geometry::Point;
    /// use raceline_road::track::{Track, TrackOptions};
    ///
    /// let edge = |y: f64| (0..=20).map(|i| [10.0 * f64::from(i), y]).collect::<Vec<_>>();
    /// let track = Track::from_points(&edge(8.0), &edge(0.0), RoadShape::Open, &TrackOptions::default())?;
    /// let line = [Point::new(-1.0, 2.0), Point::new(201.0, 2.0)];
    /// assert!(track.fractions_of(&line).iter().all(|alpha| alpha.is_some_and(|alpha| (alpha - 0.25).abs() < 1e-9)));
    /// # Ok::<(), raceline_road::track::PointsError>(())
    /// ```
    #[must_use]
    pub fn fractions_of(&self, points: &[Point]) -> Vec<Option<f64>> {
        let pieces = if self.closed { points.len() } else { points.len().saturating_sub(1) };
        let off = |alpha: f64| (alpha - 0.5).abs();
        let mut fractions = Vec::with_capacity(self.sections.len());
        // The line and the track advance together, so that the search goes on from the last piece.
        let mut last: Option<usize> = None;
        for section in &self.sections {
            let mut found = (0..pieces).filter_map(|ahead| {
                let k = (last.unwrap_or(0) + ahead) % pieces;
                Some((k, crossing(section, points[k], points[(k + 1) % points.len()])?))
            });
            // Of the first section every piece counts.
            let found = match last {
                Some(_) => found.next(),
                None => found.min_by(|a, b| off(a.1).total_cmp(&off(b.1))),
            };
            last = found.map(|(k, _)| k).or(last);
            fractions.push(found.map(|(_, alpha)| alpha));
        }
        fractions
    }

    /// The track in the other direction of travel, from the same cross-section.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let turned = |section: &CrossSection| CrossSection { right: section.left, left: section.right };
        let mut sections: Vec<CrossSection> = self.sections.iter().rev().map(turned).collect();
        let turned = |surface: &SectionSurface| SectionSurface { right: surface.left, left: surface.right };
        let mut surface: Option<Vec<_>> =
            self.surface.as_ref().map(|surface| surface.iter().rev().map(turned).collect());
        if self.closed {
            sections.rotate_right(1);
            surface.iter_mut().for_each(|surface| surface.rotate_right(1));
        }
        Self {
            direction: match self.direction {
                Direction::Clockwise => Direction::Counterclockwise,
                Direction::Counterclockwise => Direction::Clockwise,
            },
            sections,
            surface,
            left_edge: self.right_edge.clone().reversed(),
            right_edge: self.left_edge.clone().reversed(),
            ..self.clone()
        }
    }
}

/// α at which the piece of a line from `a` to `b` crosses the section or its extension.
fn crossing(section: &CrossSection, a: Point, b: Point) -> Option<f64> {
    let span = section.left - section.right;
    let (from, to) = (cross(span, a - section.right), cross(span, b - section.right));
    let is_crossed = (from <= 0.0) != (to <= 0.0);
    let fraction = from / (from - to);
    let place = is_crossed.then(|| a + (b - a) * fraction)?;
    let alpha = (place - section.right).dot(&span) / span.norm_squared();
    (-REACH_WIDTHS..=1.0 + REACH_WIDTHS).contains(&alpha).then_some(alpha)
}

#[cfg(test)]
mod tests {
    use super::{CrossSection, Point, crossing};

    #[test]
    fn a_line_up_to_a_width_beside_the_road_passes_its_sections() {
        let section = CrossSection { right: Point::new(0.0, 0.0), left: Point::new(0.0, 10.0) };
        let at = |y: f64| crossing(&section, Point::new(-1.0, y), Point::new(1.0, y));
        for (y, alpha) in [(0.0, 0.0), (5.0, 0.5), (-9.0, -0.9), (19.0, 1.9)] {
            assert!((at(y).unwrap() - alpha).abs() < 1e-12, "{y}");
        }
        assert_eq!([at(-11.0), at(21.0)], [None; 2]);
    }
}
