//! A cut across the road.

use crate::geometry::{Point, Vector};

/// A cut across the road from its right edge to its left edge, seen in the direction of travel.
///
/// ```
/// use raceline_road::geometry::Point;
/// use raceline_road::track::CrossSection;
///
/// let section = CrossSection { right: Point::new(0.0, 0.0), left: Point::new(0.0, 8.0) };
/// assert_eq!((section.width(), section.point(0.25)), (8.0, Point::new(0.0, 2.0)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrossSection {
    /// End on the right edge, α = 0, metres.
    pub right: Point,
    /// End on the left edge, α = 1, metres.
    pub left: Point,
}

impl CrossSection {
    /// Returns the section moved by `offset`.
    #[must_use]
    pub fn moved_by(&self, offset: Vector) -> Self {
        Self { right: self.right + offset, left: self.left + offset }
    }

    /// The point `right + α (left - right)`.
    #[inline]
    #[must_use]
    pub fn point(&self, alpha: f64) -> Point {
        self.right + (self.left - self.right) * alpha
    }

    /// From the right end to the left end, metres.
    #[inline]
    #[must_use]
    pub fn span(&self) -> Vector {
        self.left - self.right
    }

    /// The section at `fraction`, 0 to 1, of the road from this one to `next`.
    pub(super) fn towards(&self, next: &Self, fraction: f64) -> Self {
        Self {
            right: self.right + (next.right - self.right) * fraction,
            left: self.left + (next.left - self.left) * fraction,
        }
    }

    /// Width of the road along the section, metres.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.span().norm()
    }

    /// The middle of the section: a point of the centre line.
    #[must_use]
    pub fn middle(&self) -> Point {
        self.point(0.5)
    }
}
