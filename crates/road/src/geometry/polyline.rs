//! Open and closed polylines: length, area, resampling and simplification.

use super::{Point, Segment, Vector, cross};

/// A chain of straight segments. A closed one does not repeat its first point.
///
/// ```
/// use raceline_road::geometry::{Point, Polyline};
///
/// let corners = [(0.0, 0.0), (4.0, 0.0), (4.0, 3.0)].map(|(x, y)| Point::new(x, y)).to_vec();
/// assert_eq!(Polyline::open(corners.clone()).length(), 7.0);
/// let triangle = Polyline::closed(corners);
/// assert_eq!((triangle.length(), triangle.signed_area()), (12.0, 6.0));
/// ```
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Polyline {
    /// The vertices in order.
    pub points: Vec<Point>,
    /// Whether a segment leads from the last point back to the first.
    pub closed: bool,
}

impl Polyline {
    /// A closed polyline through `points`, which must not repeat the first one.
    #[must_use]
    pub fn closed(points: Vec<Point>) -> Self {
        Self { points, closed: true }
    }

    /// An open polyline through `points`.
    #[must_use]
    pub fn open(points: Vec<Point>) -> Self {
        Self { points, closed: false }
    }

    /// Returns the polyline moved by `offset`.
    #[must_use]
    pub fn moved_by(&self, offset: Vector) -> Self {
        Self { points: self.points.iter().map(|p| p + offset).collect(), closed: self.closed }
    }

    /// Number of segments.
    #[must_use]
    pub(crate) fn piece_count(&self) -> usize {
        match (self.points.len(), self.closed) {
            (0 | 1, _) => 0,
            (n, true) => n,
            (n, false) => n - 1,
        }
    }

    /// The segment `index`, with `index < piece_count()`.
    #[must_use]
    pub fn piece(&self, index: usize) -> (Point, Point) {
        let next = if index + 1 == self.points.len() { 0 } else { index + 1 };
        (self.points[index], self.points[next])
    }

    /// All segments in order.
    pub fn pieces(&self) -> impl Iterator<Item = (Point, Point)> + '_ {
        (0..self.piece_count()).map(|index| self.piece(index))
    }

    /// Total length, including the closing segment.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.pieces().map(|(a, b)| (b - a).norm()).sum()
    }

    /// Enclosed area of a closed polyline, positive when it runs counter-clockwise (shoelace
    /// formula).
    #[must_use]
    pub fn signed_area(&self) -> f64 {
        let Some(&origin) = self.points.first() else { return 0.0 };
        self.pieces().map(|(a, b)| cross(a - origin, b - origin)).sum::<f64>() / 2.0
    }

    /// Returns the points in the opposite order; a closed polyline keeps its first point.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.points.reverse();
        if self.closed {
            self.points.rotate_right(1);
        }
        self
    }

    /// Arc length from the first point to each point, and one more entry for the closing of a
    /// closed polyline.
    #[must_use]
    pub fn arc_lengths(&self) -> Vec<f64> {
        let mut lengths = Vec::with_capacity(self.points.len() + 1);
        let mut total = 0.0;
        lengths.push(0.0);
        for (a, b) in self.pieces() {
            total += (b - a).norm();
            lengths.push(total);
        }
        lengths
    }

    /// The point at arc length `s`, from the result of [`Self::arc_lengths`]; wrapped on a closed
    /// polyline, clamped to the ends of an open one.
    #[must_use]
    pub fn point_at(&self, arc_lengths: &[f64], s: f64) -> Point {
        let total = arc_lengths.last().copied().unwrap_or(0.0);
        let s = if self.closed && total > 0.0 { s.rem_euclid(total) } else { s.clamp(0.0, total) };
        let piece =
            arc_lengths.partition_point(|&l| l <= s).saturating_sub(1).min(self.piece_count().saturating_sub(1));
        if self.piece_count() == 0 {
            return self.points.first().copied().unwrap_or_default();
        }
        let (a, b) = self.piece(piece);
        let length = arc_lengths[piece + 1] - arc_lengths[piece];
        let t = if length > 0.0 { (s - arc_lengths[piece]) / length } else { 0.0 };
        a + (b - a) * t
    }

    /// Whether a closed polyline encloses `p` (even-odd rule).
    #[must_use]
    pub fn contains(&self, p: Point) -> bool {
        self.pieces().fold(false, |inside, (a, b)| {
            let straddles = (a.y > p.y) != (b.y > p.y);
            let crosses = straddles && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y);
            inside != crosses
        })
    }

    /// The simplified polyline: each dropped point lies within `tolerance` of the result (Ramer
    /// 1972, Douglas and Peucker 1973). A closed polyline is split at its first point and the point
    /// farthest from it.
    #[must_use]
    pub fn simplified(&self, tolerance: f64) -> Self {
        let n = self.points.len();
        if n < 4 {
            return self.clone();
        }
        let mut ring = self.points.clone();
        let mut keep = vec![false; n + 1];
        let mut spans = Vec::new();
        if self.closed {
            ring.push(self.points[0]);
            let far = (1..n)
                .max_by(|&i, &j| {
                    let (di, dj) = ((ring[i] - ring[0]).norm_squared(), (ring[j] - ring[0]).norm_squared());
                    di.total_cmp(&dj).then(j.cmp(&i))
                })
                .unwrap_or(1);
            keep[0] = true;
            keep[far] = true;
            spans.extend([(0, far), (far, n)]);
        } else {
            keep[0] = true;
            keep[n - 1] = true;
            spans.push((0, n - 1));
        }
        while let Some((first, last)) = spans.pop() {
            let chord = Segment::new(ring[first], ring[last]);
            let mut worst = (tolerance, None);
            for (i, &p) in ring.iter().enumerate().take(last).skip(first + 1) {
                let distance = chord.distance(p);
                if distance > worst.0 {
                    worst = (distance, Some(i));
                }
            }
            if let (_, Some(split)) = worst {
                keep[split] = true;
                spans.extend([(first, split), (split, last)]);
            }
        }
        let points = self.points.iter().zip(&keep).filter(|&(_, &kept)| kept).map(|(&p, _)| p).collect();
        Self { points, closed: self.closed }
    }
}

/// Whether the lines pass their easternmost vertex northwards. For a closed line that does not
/// cross itself this is the sign of its area; it is defined for other lines too.
#[must_use]
pub fn turns_counterclockwise(lines: &[&Polyline]) -> bool {
    let corner = |line: &Polyline, i: usize| {
        let n = line.points.len();
        (line.points[(i + n - 1) % n], line.points[i], line.points[(i + 1) % n])
    };
    let corners = lines.iter().flat_map(|line| (0..line.points.len()).map(|i| corner(line, i)));
    let easternmost = corners.max_by(|a, b| a.1.x.total_cmp(&b.1.x));
    easternmost.is_some_and(|(before, here, after)| {
        // Both neighbours lie to the west, so the turn at the vertex determines the direction,
        // unless the edge is vertical.
        let turn = cross(here - before, after - here);
        if turn == 0.0 { after.y > before.y } else { turn > 0.0 }
    })
}

/// An origin near the polylines, for computations that need differences of coordinates: the middle of
/// their extent, rounded to whole metres. Zero where there is none.
#[must_use]
pub fn local_origin(polylines: &[&Polyline]) -> Vector {
    let points = || polylines.iter().flat_map(|polyline| &polyline.points);
    let low = points().fold(Point::new(f64::INFINITY, f64::INFINITY), |low, p| low.inf(p));
    let high = points().fold(Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY), |high, p| high.sup(p));
    nalgebra::center(&low, &high).coords.map(|value| if value.is_finite() { value.round() } else { 0.0 })
}
