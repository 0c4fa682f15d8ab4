//! The two edges, each as a polyline.

use super::surface::RoadSurface;
use crate::frame::{PictureFrame, Scale};
use crate::geometry::{Point, Polyline, Vector, turns_counterclockwise};

/// The two edges of a road, in metres.
///
/// ```
/// use raceline_road::edges::Edges;
/// use raceline_road::geometry::{Point, Polyline};
///
/// let line = |y: f64| Polyline::open(vec![Point::new(0.0, y), Point::new(100.0, y)]);
/// let edges = Edges::between(line(8.0), line(0.0));
/// assert!(!edges.is_closed());
/// assert_eq!((edges.area(), edges.mean_width()), (800.0, 8.0));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Edges {
    /// The edge on the left of the direction of travel, in that direction; closed when the road is.
    pub left: Polyline,
    /// The edge on the right, in the same direction and also closed when the road is.
    pub right: Polyline,
    /// Pieces of `left` and `right` that lead straight across another leg of the road, where it
    /// crosses itself: limits of this leg, but not walls. Each is one whole piece of its edge.
    pub crossings: Vec<[Point; 2]>,
    /// Whether the edges are in the direction of travel of the source; false for a picture.
    pub directed: bool,
    /// Largest expected distance of the traced edges from the road's own, metres. It is added to
    /// the margin of lines. Zero when the edges are exact.
    pub uncertainty_m: f64,
    /// The source picture; `None` for a file of coordinates.
    pub frame: Option<PictureFrame>,
    /// Height, grip and kinds of edges; `None` for a level road of even grip.
    pub surface: Option<RoadSurface>,
}

impl Edges {
    /// A ring-shaped road between `outer`, which encloses it, and `inner`, which it encloses. Both
    /// must be closed and counter-clockwise. Exact, without a picture.
    #[must_use]
    pub fn ring(outer: Polyline, inner: Polyline) -> Self {
        Self::between(inner, outer)
    }

    /// A road between its two edges, both in the direction of travel; exact, without a picture and
    /// without crossings.
    #[must_use]
    pub fn between(left: Polyline, right: Polyline) -> Self {
        Self { left, right, crossings: Vec::new(), directed: false, uncertainty_m: 0.0, frame: None, surface: None }
    }

    /// Whether the road leads back to its start.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.left.closed && self.right.closed
    }

    /// Whether a closed road runs counter-clockwise at its easternmost point.
    #[must_use]
    pub fn runs_counterclockwise(&self) -> bool {
        turns_counterclockwise(&[&self.left, &self.right])
    }

    /// Returns the road moved by `offset`, without its picture.
    #[must_use]
    pub fn moved_by(&self, offset: Vector) -> Self {
        Self {
            left: self.left.moved_by(offset),
            right: self.right.moved_by(offset),
            crossings: self.crossings.iter().map(|piece| piece.map(|end| end + offset)).collect(),
            frame: None,
            surface: self.surface.as_ref().map(|surface| surface.moved_by(offset)),
            ..self.clone()
        }
    }

    /// Returns the road in the opposite direction.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            left: self.right.reversed(),
            right: self.left.reversed(),
            surface: self.surface.map(RoadSurface::reversed),
            ..self
        }
    }

    /// Area of the road, m². It is also correct for a road that crosses itself (Steiner's formula).
    #[must_use]
    pub fn area(&self) -> f64 {
        if self.is_closed() {
            return self.right.signed_area() - self.left.signed_area();
        }
        let round = self.right.points.iter().chain(self.left.points.iter().rev());
        Polyline::closed(round.copied().collect()).signed_area()
    }

    /// [`Self::area`] divided by [`Self::centre_length`], metres.
    #[must_use]
    pub fn mean_width(&self) -> f64 {
        self.area().abs() / self.centre_length()
    }

    /// Mean of the two edges' lengths, metres: the length of the centre line for edges at a
    /// constant distance from it (Steiner's formula for parallel curves).
    #[must_use]
    pub fn centre_length(&self) -> f64 {
        f64::midpoint(self.left.length(), self.right.length())
    }
}

/// Side of a pixel, metres, for a picture with this scale and the edges `in_pixels`.
#[must_use]
pub fn metres_per_pixel(scale: Scale, in_pixels: &Edges) -> f64 {
    match scale {
        Scale::MetresPerPixel(metres) => metres,
        Scale::TrackLength(metres) => metres / in_pixels.centre_length(),
        Scale::TrackWidth(metres) => metres / in_pixels.mean_width(),
    }
}
