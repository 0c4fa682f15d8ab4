//! A cross-section through a given place.

use super::Track;
use super::cross_section::CrossSection;
use super::places::Places;
use super::section_surface::{SectionSurface, SurfaceEnd};
use crate::geometry::{Point, cross};
use raceline_numerics::bisected;

/// The section through a place is as near to it as this fraction of its width.
const ON_SECTION_FRACTION: f64 = 1e-3;
/// Halvings of the distance between two sections in which the place is sought.
const HALVINGS: usize = 50;

impl Track {
    /// The track with its cross-section next to `place` moved so that it leads through it, and the index of that
    /// section; `None` where the place lies beyond the edges or the ends of the road. Sections in `kept` are not
    /// moved: where one of them is the nearest, the track stays as it is.
    ///
    /// ```
    /// use raceline_road::edges::RoadShape;
    /// use raceline_road::geometry::Point;
    /// use raceline_road::track::{Track, TrackOptions};
    ///
    /// let edge = |y: f64| (0..=20).map(|i| [10.0 * f64::from(i), y]).collect::<Vec<_>>();
    /// let track = Track::from_points(&edge(8.0), &edge(0.0), RoadShape::Open, &TrackOptions::default())?;
    /// let (moved, index) = track.with_section_through(Point::new(101.3, 2.0), &[]).unwrap();
    /// assert!((moved.sections[index].point(0.25) - Point::new(101.3, 2.0)).norm() < 1e-6);
    /// assert!(track.with_section_through(Point::new(101.3, 9.0), &[]).is_none());
    /// # Ok::<(), raceline_road::track::PointsError>(())
    /// ```
    #[must_use]
    pub fn with_section_through(&self, place: Point, kept: &[usize]) -> Option<(Self, usize)> {
        let count = self.sections.len();
        let found = Places::new(self).of(place);
        let (before, after) = (found.section, (found.section + 1) % count);
        let [from, to] = [before, after].map(|i| self.sections[i]);
        let at = |fraction: f64| from.towards(&to, fraction);
        // How far ahead of a section the place is, times the section's width.
        let ahead = |section: &CrossSection| -cross(section.span(), place - section.right);
        let [low, high] = bisected([0.0, 1.0], HALVINGS, |fraction| ahead(&at(fraction)) >= 0.0);
        let fraction = f64::midpoint(low, high);
        let section = at(fraction);
        let across = (place - section.right).dot(&section.span()) / section.span().norm_squared();
        let is_on = (section.point(across) - place).norm() <= ON_SECTION_FRACTION * section.width();
        if !is_on || !(0.0..=1.0).contains(&across) {
            return None;
        }
        let index = if fraction < 0.5 { before } else { after };
        // The ends of an open road stay where they are.
        let is_end = !self.closed && (index == 0 || index + 1 == count);
        if is_end || kept.contains(&index) {
            return Some((self.clone(), index));
        }
        let mut track = self.clone();
        track.sections[index] = section;
        if let (Some(own), Some(all)) = (&self.surface, &mut track.surface) {
            let (from, to) = (&own[before], &own[after]);
            let mixed = |a: SurfaceEnd, b: SurfaceEnd| SurfaceEnd {
                height_m: a.height_m + fraction * (b.height_m - a.height_m),
                grip: a.grip + fraction * (b.grip - a.grip),
                kind: if fraction < 0.5 { a.kind } else { b.kind },
            };
            all[index] = SectionSurface { right: mixed(from.right, to.right), left: mixed(from.left, to.left) };
        }
        Some((track, index))
    }
}

#[cfg(test)]
mod tests;
