//! A straight piece between two points: the nearest point to another, distances and intersections.
//!
//! **Sides decide whether two segments intersect.** Each must have its ends on different sides of the
//! line through the other. An end that lies on the other segment is computed exactly where the two
//! have an end in common; [`Ends`] states whether it counts. Segments that are parallel do not
//! intersect, even where one lies on the other: they have no single point in common.

use super::{Point, Vector, cross};

/// A straight piece from one point to another; the two may be equal.
///
/// ```
/// use raceline_road::geometry::{Ends, Point, Segment};
///
/// let along = Segment::new(Point::new(0.0, 0.0), Point::new(4.0, 0.0));
/// assert_eq!(along.distance(Point::new(7.0, 4.0)), 5.0);
/// let across = Segment::new(Point::new(1.0, -1.0), Point::new(1.0, 3.0));
/// let place = along.intersection(across, Ends::Excluded).unwrap();
/// assert_eq!((place.fraction, place.other_fraction), (0.25, 0.25));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Where it starts.
    pub from: Point,
    /// Where it ends.
    pub to: Point,
}

/// Which ends belong to two segments whose intersection is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// None: segments that only touch do not intersect.
    Excluded,
    /// The starts. On a polyline, whose segments start where the one before ends, each intersection
    /// is then found once.
    Starts,
    /// Both: segments that touch intersect.
    Included,
}

/// A point that two segments have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Intersection {
    /// Place on the first segment, 0 at the start to 1 at the end.
    pub fraction: f64,
    /// Place on the other segment, likewise.
    pub other_fraction: f64,
}

impl Segment {
    /// The segment from one point to another.
    #[inline]
    #[must_use]
    pub fn new(from: Point, to: Point) -> Self {
        Self { from, to }
    }

    /// From the start to the end.
    #[inline]
    #[must_use]
    pub fn vector(self) -> Vector {
        self.to - self.from
    }

    /// The point at a fraction of the length: the start at 0, the end at 1.
    #[inline]
    #[must_use]
    pub fn at(self, fraction: f64) -> Point {
        self.from + self.vector() * fraction
    }

    /// Where the foot of the perpendicular from `p` lies, as a fraction of the length: below 0 before
    /// the start, above 1 beyond the end. Zero on a segment without length.
    #[inline]
    #[must_use]
    pub fn foot(self, p: Point) -> f64 {
        let along = self.vector();
        let length_squared = along.norm_squared();
        if length_squared > 0.0 { (p - self.from).dot(&along) / length_squared } else { 0.0 }
    }

    /// Where the nearest point to `p` lies, as a fraction of the length, 0 to 1.
    #[inline]
    #[must_use]
    pub fn nearest(self, p: Point) -> f64 {
        self.foot(p).clamp(0.0, 1.0)
    }

    /// Distance to `p`.
    #[inline]
    #[must_use]
    pub fn distance(self, p: Point) -> f64 {
        (p - self.at(self.nearest(p))).norm()
    }

    /// Distance to another segment; 0 where they cross.
    #[must_use]
    pub fn distance_to(self, other: Self) -> f64 {
        if self.meets(other, Ends::Excluded) {
            return 0.0;
        }
        let from_other = other.distance(self.from).min(other.distance(self.to));
        from_other.min(self.distance(other.from)).min(self.distance(other.to))
    }

    /// Whether two segments intersect.
    #[inline]
    #[must_use]
    pub fn meets(self, other: Self, ends: Ends) -> bool {
        let (along, across) = (self.vector(), other.vector());
        let own = [cross(across, self.from - other.from), cross(across, self.to - other.from)];
        let others = [cross(along, other.from - self.from), cross(along, other.to - self.from)];
        let is_divided = |[start, end]: [f64; 2]| match ends {
            Ends::Excluded => start * end < 0.0,
            Ends::Starts => start * end < 0.0 || (start == 0.0 && end != 0.0),
            Ends::Included => start * end <= 0.0,
        };
        // Both ends of both are on one line where they are parallel. Rounding may put pieces of one
        // line to both sides of each other, whose boxes lie apart.
        let is_parallel = own[0] == own[1] && others[0] == others[1];
        is_divided(own) && is_divided(others) && !is_parallel && overlap(&self.corners(), &other.corners())
    }

    /// Low and high corner of the segment's box along the axes.
    pub(super) fn corners(self) -> [Point; 2] {
        [self.from.inf(&self.to), self.from.sup(&self.to)]
    }

    /// Where two segments intersect.
    #[inline]
    #[must_use]
    pub fn intersection(self, other: Self, ends: Ends) -> Option<Intersection> {
        let (along, across, apart) = (self.vector(), other.vector(), other.from - self.from);
        let area = cross(along, across);
        if area == 0.0 || !self.meets(other, ends) {
            return None;
        }
        let (fraction, other_fraction) = (cross(apart, across) / area, cross(apart, along) / area);
        // Of segments that touch, rounding may put the point outside.
        Some(Intersection { fraction: fraction.clamp(0.0, 1.0), other_fraction: other_fraction.clamp(0.0, 1.0) })
    }
}

/// Whether two boxes, each with its low and its high corner, have a place in common.
pub(super) fn overlap([low, high]: &[Point; 2], [other_low, other_high]: &[Point; 2]) -> bool {
    low.x <= other_high.x && other_low.x <= high.x && low.y <= other_high.y && other_low.y <= high.y
}

impl From<(Point, Point)> for Segment {
    fn from((from, to): (Point, Point)) -> Self {
        Self { from, to }
    }
}

impl From<[Point; 2]> for Segment {
    fn from([from, to]: [Point; 2]) -> Self {
        Self { from, to }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment([x0, y0]: [f64; 2], [x1, y1]: [f64; 2]) -> Segment {
        Segment::new(Point::new(x0, y0), Point::new(x1, y1))
    }

    /// Under which rules two segments intersect.
    fn rules(a: Segment, b: Segment) -> [bool; 3] {
        let rules = [Ends::Excluded, Ends::Starts, Ends::Included];
        assert!(rules.iter().all(|&ends| a.intersection(b, ends).is_some() == a.meets(b, ends)));
        assert!(rules.iter().all(|&ends| b.meets(a, ends) == a.meets(b, ends)));
        rules.map(|ends| a.meets(b, ends))
    }

    #[test]
    fn inner_points_intersect_under_every_rule() {
        let (a, b) = (segment([0.0, 0.0], [4.0, 4.0]), segment([0.0, 2.0], [4.0, 0.0]));
        assert_eq!(rules(a, b), [true; 3]);
        let found = a.intersection(b, Ends::Excluded).unwrap();
        assert!((a.at(found.fraction) - b.at(found.other_fraction)).norm() < 1e-12, "{found:?}");
        assert_eq!(rules(a, segment([0.0, 2.0], [1.0, 1.5])), [false; 3]);
    }

    #[test]
    fn ends_count_as_their_rule_states() {
        let a = segment([0.1, 0.3], [0.7, 0.4]);
        let inner = Point::new(0.5, 7.0);
        // An end in common, in the four combinations: the rule of starts takes that of the two starts.
        assert_eq!(rules(a, Segment::new(a.from, inner)), [false, true, true]);
        assert_eq!(rules(a, Segment::new(inner, a.from)), [false, false, true]);
        assert_eq!(rules(a, Segment::new(a.to, inner)), [false, false, true]);
        assert_eq!(rules(a, Segment::new(inner, a.to)), [false, false, true]);
        // An end inside of the other one.
        let level = segment([0.0, 0.0], [4.0, 0.0]);
        assert_eq!(rules(level, segment([1.0, 0.0], [1.0, 1.0])), [false, true, true]);
        assert_eq!(rules(level, segment([1.0, 1.0], [1.0, 0.0])), [false, false, true]);
    }

    #[test]
    fn parallel_segments_do_not_intersect() {
        let level = segment([0.0, 0.0], [4.0, 0.0]);
        for other in [
            level,
            segment([4.0, 0.0], [8.0, 0.0]),
            segment([1.0, 0.0], [3.0, 0.0]),
            segment([0.0, 1.0], [4.0, 1.0]),
            segment([1.0, 0.0], [1.0, 0.0]),
        ] {
            assert_eq!(rules(level, other), [false; 3], "{other:?}");
        }
    }

    #[test]
    fn pieces_that_lie_apart_on_one_line_do_not_intersect() {
        for k in 0..20_000 {
            let (sin, cos) = (f64::from(k) * 0.37).sin_cos();
            let at = |along: f64| [3.1 + along * cos, 7.7 + along * sin];
            let (a, b) = (segment(at(0.3), at(1.1)), segment(at(1.9), at(2.6)));
            assert_eq!(rules(a, b), [false; 3], "{k}");
        }
    }

    #[test]
    fn distances_are_those_to_the_line_or_to_an_end() {
        let a = segment([0.0, 0.0], [4.0, 0.0]);
        for (x, y, distance) in [(1.0, 2.0, 2.0), (-3.0, 4.0, 5.0), (7.0, -4.0, 5.0), (4.0, 0.0, 0.0)] {
            assert!((a.distance(Point::new(x, y)) - distance).abs() < 1e-12);
        }
        assert_eq!((a.foot(Point::new(6.0, 1.0)), a.nearest(Point::new(6.0, 1.0))), (1.5, 1.0));
        let point = segment([1.0, 1.0], [1.0, 1.0]);
        assert_eq!((point.nearest(Point::new(9.0, 1.0)), point.distance(Point::new(4.0, 5.0))), (0.0, 5.0));
        assert_eq!(a.distance_to(segment([1.0, 1.0], [1.0, -1.0])), 0.0);
        assert_eq!(a.distance_to(segment([7.0, 4.0], [7.0, 9.0])), 5.0);
        assert_eq!(a.distance_to(segment([4.0, 0.0], [7.0, 9.0])), 0.0);
    }
}
