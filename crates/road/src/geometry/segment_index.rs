//! Nearest point on a polyline, by a uniform grid whose cells list the segments that pass through
//! them.

use std::collections::BTreeSet;

use super::{Ends, Point, Polyline, Segment, Vector};

/// The nearest point of a polyline to a query point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// The point on the polyline.
    pub point: Point,
    /// Distance from the query point, metres.
    pub distance: f64,
    /// Arc length along the polyline at that point, metres.
    pub s: f64,
}

/// Answers nearest-point queries on a polyline in about constant time when the query lies within a
/// few cells of it.
///
/// ```
/// use raceline_road::geometry::{Point, Polyline, SegmentIndex};
///
/// let square = [(0.0, 0.0), (8.0, 0.0), (8.0, 8.0), (0.0, 8.0)].map(|(x, y)| Point::new(x, y));
/// let index = SegmentIndex::new(&Polyline::closed(square.to_vec()), 2.0);
/// let nearest = index.nearest(Point::new(7.0, 3.0)).unwrap();
/// assert_eq!((nearest.point, nearest.distance, nearest.s), (Point::new(8.0, 3.0), 1.0, 11.0));
/// ```
#[derive(Clone, Debug)]
pub struct SegmentIndex {
    pieces: Vec<Segment>,
    /// Numbers of the segments that queries skip.
    left_out: BTreeSet<usize>,
    arc_lengths: Vec<f64>,
    closed: bool,
    low: Point,
    cell: f64,
    columns: usize,
    rows: usize,
    /// `starts[c]..starts[c + 1]` are the entries of `members` in cell `c`.
    starts: Vec<u32>,
    members: Vec<u32>,
}

/// Maximum number of cells per segment, so that memory stays linear.
const CELLS_PER_PIECE: f64 = 8.0;
/// A query along the polyline looks at fewer segments than this one by one, and beyond that at cells: below it,
/// that is faster.
const MAX_WINDOW: usize = 128;

impl SegmentIndex {
    /// Indexes `polyline` with cells of about `cell` metres (the distance at which queries are
    /// expected).
    #[must_use]
    pub fn new(polyline: &Polyline, cell: f64) -> Self {
        Self::without(polyline, cell, &[])
    }

    /// As [`Self::new`], but queries skip the segments in `left_out`, which still count for arc
    /// lengths.
    #[must_use]
    pub fn without(polyline: &Polyline, cell: f64, left_out: &[[Point; 2]]) -> Self {
        let pieces: Vec<Segment> = polyline.pieces().map(Segment::from).collect();
        let arc_lengths = polyline.arc_lengths();
        let mut low = Point::new(f64::INFINITY, f64::INFINITY);
        let mut high = Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY);
        for p in &polyline.points {
            low = Point::new(low.x.min(p.x), low.y.min(p.y));
            high = Point::new(high.x.max(p.x), high.y.max(p.y));
        }
        if pieces.is_empty() {
            (low, high) = (Point::origin(), Point::origin());
        }
        let extent = high - low;
        let budget = (pieces.len() as f64 * CELLS_PER_PIECE).max(16.0);
        let cell = cell.max((extent.x * extent.y / budget).sqrt()).max(extent.max() / budget).max(1e-9);
        let columns = (extent.x / cell) as usize + 1;
        let rows = (extent.y / cell) as usize + 1;
        let mut index = Self {
            pieces,
            left_out: BTreeSet::new(),
            arc_lengths,
            closed: polyline.closed,
            low,
            cell,
            columns,
            rows,
            starts: vec![0; columns * rows + 1],
            members: Vec::new(),
        };
        index.fill(left_out);
        index
    }

    fn fill(&mut self, left_out: &[[Point; 2]]) {
        let mut cells_of = Vec::new();
        let left_out: BTreeSet<[u64; 4]> = left_out.iter().map(|&[a, b]| key(a, b)).collect();
        for (number, &Segment { from: a, to: b }) in self.pieces.iter().enumerate() {
            if left_out.contains(&key(a, b)) || left_out.contains(&key(b, a)) {
                self.left_out.insert(number);
                continue;
            }
            let (ca, ra) = self.cell_of(a);
            let (cb, rb) = self.cell_of(b);
            for row in ra.min(rb)..=ra.max(rb) {
                for column in ca.min(cb)..=ca.max(cb) {
                    cells_of.push((row * self.columns + column, number as u32));
                }
            }
        }
        for &(cell, _) in &cells_of {
            self.starts[cell + 1] += 1;
        }
        for cell in 1..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
        let mut next = self.starts.clone();
        self.members = vec![0; cells_of.len()];
        for (cell, number) in cells_of {
            self.members[next[cell] as usize] = number;
            next[cell] += 1;
        }
    }

    fn cell_of(&self, p: Point) -> (usize, usize) {
        let at = |value: f64, low: f64, count: usize| (((value - low) / self.cell).max(0.0) as usize).min(count - 1);
        (at(p.x, self.low.x, self.columns), at(p.y, self.low.y, self.rows))
    }

    /// Whether queries skip the segment `number`.
    pub(crate) fn is_left_out(&self, number: usize) -> bool {
        self.left_out.contains(&number)
    }

    /// Total length of the polyline, metres.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.arc_lengths.last().copied().unwrap_or(0.0)
    }

    /// The point at arc length `s`, wrapped on a closed polyline, clamped to the ends of an open
    /// one.
    #[must_use]
    pub fn point_at(&self, s: f64) -> Point {
        let length = self.length();
        let s = match self.closed {
            true if length > 0.0 => s.rem_euclid(length),
            _ => s.clamp(0.0, length),
        };
        let number = self.arc_lengths.partition_point(|&l| l <= s).saturating_sub(1);
        let number = number.min(self.pieces.len().saturating_sub(1));
        let Some(&piece) = self.pieces.get(number) else { return self.low };
        let length = piece.vector().norm();
        if length > 0.0 { piece.at(((s - self.arc_lengths[number]) / length).clamp(0.0, 1.0)) } else { piece.from }
    }

    /// The nearest point of the polyline to `p`; `None` for a polyline without segments.
    #[must_use]
    pub fn nearest(&self, p: Point) -> Option<Nearest> {
        self.nearest_where(p, |_| true)
    }

    /// The nearest point of the polyline to `p` if it is nearer than `distance`, metres: sooner than
    /// [`Self::nearest`] where the polyline is seldom so near.
    #[must_use]
    pub fn nearest_within(&self, p: Point, distance: f64) -> Option<Nearest> {
        let mut best = None;
        let reach = Vector::new(distance, distance);
        self.in_box(p - reach, p + reach).for_each(|number| self.nearer(p, number, &mut best));
        self.found(best).filter(|nearest| nearest.distance < distance)
    }

    /// The nearest point among the segments within `reach` of arc length `s`; `None` where there is
    /// none.
    #[must_use]
    pub fn nearest_along(&self, p: Point, s: f64, reach: f64) -> Option<Nearest> {
        let length = self.length();
        let fits = |number: usize| {
            let (from, to) = (self.arc_lengths[number], self.arc_lengths[number + 1]);
            let off = f64::midpoint(from, to) - s;
            let off = if self.closed && length > 0.0 { off - length * (off / length).round() } else { off };
            off.abs() <= reach + (to - from) / 2.0
        };
        match self.window(s, &fits) {
            Some(numbers) => {
                let mut best = None;
                numbers.filter(|&number| !self.left_out.contains(&number)).for_each(|n| self.nearer(p, n, &mut best));
                self.found(best)
            }
            None => self.nearest_where(p, fits),
        }
    }

    /// The segments about arc length `s` that fit, which follow each other; `None` where they are many or where
    /// that at `s` is none of them.
    fn window(&self, s: f64, fits: &impl Fn(usize) -> bool) -> Option<impl Iterator<Item = usize>> {
        let count = self.pieces.len();
        let length = self.length();
        if !(length > 0.0 && s.is_finite()) {
            return None;
        }
        let s = if self.closed { s.rem_euclid(length) } else { s };
        let here = self.arc_lengths.partition_point(|&l| l <= s).saturating_sub(1).min(count - 1);
        if !fits(here) {
            return None;
        }
        let max = MAX_WINDOW.min(count);
        let step = |number: usize, k: usize| (number + k) % count;
        let is_inside = |k: &usize| self.closed || here + k < count;
        let after = (1..max).take_while(|k| is_inside(k) && fits(step(here, *k))).count();
        let is_inside = |k: &usize| self.closed || *k <= here;
        let before = (1..max).take_while(|k| is_inside(k) && fits(step(here, count - k))).count();
        let first = step(here, count - before);
        (after + before + 1 < max).then(move || (0..=after + before).map(move |k| (first + k) % count))
    }

    /// Replaces `best` by the nearest point of a segment if that is nearer. On a tie the lower number wins, so that
    /// the result does not depend on the order.
    fn nearer(&self, p: Point, number: usize, best: &mut Option<(f64, usize, f64)>) {
        let piece = self.pieces[number];
        let t = piece.nearest(p);
        let distance_squared = (p - piece.at(t)).norm_squared();
        if best.is_none_or(|(d, n, _)| distance_squared < d || (distance_squared == d && number < n)) {
            *best = Some((distance_squared, number, t));
        }
    }

    fn found(&self, best: Option<(f64, usize, f64)>) -> Option<Nearest> {
        best.map(|(distance_squared, number, t)| {
            let s = self.arc_lengths[number] + t * (self.arc_lengths[number + 1] - self.arc_lengths[number]);
            Nearest { point: self.pieces[number].at(t), distance: distance_squared.sqrt(), s }
        })
    }

    fn nearest_where(&self, p: Point, fits: impl Fn(usize) -> bool) -> Option<Nearest> {
        let (column, row) = self.cell_of(p);
        let mut best: Option<(f64, usize, f64)> = None;
        let farthest_ring = self.columns.max(self.rows);
        for ring in 0..=farthest_ring {
            if let Some((distance_squared, ..)) = best
                && distance_squared.sqrt() <= self.clearance(p, column, row, ring)
            {
                break;
            }
            self.visit_ring(column, row, ring, |number| {
                if fits(number) {
                    self.nearer(p, number, &mut best);
                }
            });
        }
        self.found(best)
    }

    /// Whether a segment meets the polyline; touching counts.
    #[must_use]
    pub fn meets(&self, segment: Segment) -> bool {
        self.find_near(segment, |piece| segment.meets(piece, Ends::Included).then_some(())).is_some()
    }

    /// A point where a segment crosses the polyline from one side to the other; touching does not
    /// count.
    #[must_use]
    pub fn crossing(&self, segment: Segment) -> Option<Point> {
        self.find_near(segment, |piece| {
            segment.intersection(piece, Ends::Excluded).map(|found| segment.at(found.fraction))
        })
    }

    /// Numbers of the segments in the cells of a box, given by two opposite corners; some more than once.
    fn in_box(&self, corner: Point, opposite: Point) -> impl Iterator<Item = usize> {
        let ((ca, ra), (cb, rb)) = (self.cell_of(corner), self.cell_of(opposite));
        (ra.min(rb)..=ra.max(rb)).flat_map(move |row| {
            // The cells of a row follow each other.
            let row = row * self.columns;
            let members = self.starts[row + ca.min(cb)] as usize..self.starts[row + ca.max(cb) + 1] as usize;
            self.members[members].iter().map(|&number| number as usize)
        })
    }

    /// The first result of `look` among the pieces in the cells of a segment's box.
    fn find_near<T>(&self, segment: Segment, look: impl Fn(Segment) -> Option<T>) -> Option<T> {
        self.in_box(segment.from, segment.to).find_map(|number| look(self.pieces[number]))
    }

    /// Distance from `p` below which every segment is in a ring before `ring`.
    fn clearance(&self, p: Point, column: usize, row: usize, ring: usize) -> f64 {
        let local = p - self.low;
        let margin = |value: f64, index: usize| {
            let low = index as f64 * self.cell;
            (value - low).min(low + self.cell - value)
        };
        let inside = margin(local.x, column).min(margin(local.y, row));
        if ring == 0 { f64::NEG_INFINITY } else { inside + (ring - 1) as f64 * self.cell }
    }

    fn visit_ring(&self, column: usize, row: usize, ring: usize, mut visit: impl FnMut(usize)) {
        let mut cell = |c: isize, r: isize| {
            if c < 0 || r < 0 || c as usize >= self.columns || r as usize >= self.rows {
                return;
            }
            let index = r as usize * self.columns + c as usize;
            for &member in &self.members[self.starts[index] as usize..self.starts[index + 1] as usize] {
                visit(member as usize);
            }
        };
        let (c, r, k) = (column as isize, row as isize, ring as isize);
        if ring == 0 {
            cell(c, r);
            return;
        }
        for i in -k..=k {
            cell(c + i, r - k);
            cell(c + i, r + k);
        }
        for j in 1 - k..k {
            cell(c - k, r + j);
            cell(c + k, r + j);
        }
    }
}

/// Equal for equal segments: zero has one sign.
fn key(a: Point, b: Point) -> [u64; 4] {
    [a.x, a.y, b.x, b.y].map(|value| (value + 0.0).to_bits())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::SegmentIndex;
    use crate::geometry::{Point, Polyline};

    #[test]
    fn the_nearest_along_is_the_nearest_of_the_segments_within_reach() {
        let points = (0..400).map(|i| {
            let angle = f64::from(i) * std::f64::consts::TAU / 400.0;
            let radius = 40.0 + 12.0 * (5.0 * angle).sin();
            Point::new(radius * angle.cos(), radius * angle.sin())
        });
        let points: Vec<Point> = points.collect();
        for polyline in [Polyline::closed(points.clone()), Polyline::open(points.clone())] {
            let left_out = [[points[20], points[21]], [points[200], points[199]]];
            let index = SegmentIndex::without(&polyline, 1.0, &left_out);
            let length = index.length();
            for k in 0..2000 {
                let (s, reach) = (length * (f64::from(k) * 0.618).fract(), 0.1 * f64::from(k % 300));
                let p = index.point_at(s + 3.0) + nalgebra::Vector2::new(0.7, -0.4) * f64::from(k % 7);
                let near = |number: &usize| {
                    let middle = f64::midpoint(index.arc_lengths[*number], index.arc_lengths[number + 1]);
                    let off = middle - s;
                    let off = if polyline.closed { off - length * (off / length).round() } else { off };
                    let half = 0.5 * (index.arc_lengths[number + 1] - index.arc_lengths[*number]);
                    off.abs() <= reach + half && !index.left_out.contains(number)
                };
                let distances = (0..index.pieces.len()).filter(near).map(|number| {
                    let piece = index.pieces[number];
                    (p - piece.at(piece.nearest(p))).norm()
                });
                let expected = distances.fold(f64::INFINITY, f64::min);
                let found = index.nearest_along(p, s, reach).map_or(f64::INFINITY, |nearest| nearest.distance);
                assert!(found == expected || (found - expected).abs() < 1e-12, "{k}: {found}, {expected}");
                // The nearest of all, if it is near enough: the same point of the same segment.
                let all = index.nearest(p);
                for limit in [-1.0, 0.01, 0.5, 2.0, 60.0] {
                    let expected = all.filter(|nearest| nearest.distance < limit);
                    assert_eq!(index.nearest_within(p, limit), expected, "{k}, {limit}");
                }
            }
            assert_eq!(index.left_out.len(), 2);
        }
    }
}
