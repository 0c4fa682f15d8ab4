//! The corners of a road, which have the same numbers for every line on it.
//!
//! The middle of the road is made of its edges alone, and the curvature of the middle is smoothed by
//! a Gaussian whose standard deviation is the road's width. A corner of the road is where the middle
//! bends with a radius of at most [`MAX_RADIUS_WIDTHS`] widths, by at least the given angle. Bends to
//! one side with less than [`MERGE_WIDTHS`] widths between them are one corner.
//!
//! On 13 of 18 circuits these are, within one, as many corners as the circuit itself numbers
//! (docs/notes/inspect.md).

use super::lap::Lap;
use super::turn::{Bending, Turn, bending, side_of_all};
use crate::file::EdgeCoordinates;
use crate::geometry::{Point, Polyline, Segment};
use raceline_numerics::{math, wrap_angle};

/// Maximum radius of a corner, in widths of the road.
const MAX_RADIUS_WIDTHS: f64 = 30.0;

/// Standard deviation of the Gaussian that smooths the curvature, in widths of the road.
const SMOOTHING_WIDTHS: f64 = 1.0;

/// Bends to one side with a shorter gap are one corner, in widths of the road.
const MERGE_WIDTHS: f64 = 2.0;

/// Places of the middle in each width of the road.
const PLACES_PER_WIDTH: f64 = 8.0;

/// Maximum number of places of the middle for each vertex of the edges, which bounds the work on
/// very narrow roads.
const MAX_PLACES_PER_VERTEX: usize = 64;

/// Minimum number of steps of an edge and of the middle.
const MIN_STEPS: usize = 8;

/// Stretches of the middle that are searched beside a line's next point, in addition to twice the
/// distance from the point before.
const WINDOW_WIDTHS: f64 = 2.0;

/// A corner of the road.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RoadCorner {
    /// Number, from 1 in the order of travel from the line's start line.
    pub number: usize,
    /// Direction.
    pub turn: Turn,
    /// Where it begins, m along the middle of the road.
    from_m: f64,
    /// Where it ends, m; beyond the length where the corner is across the middle's first place.
    to_m: f64,
}

/// The corners of the road about a line.
#[derive(Clone, Debug)]
pub(super) struct RoadCorners {
    middle: Middle,
    corners: Vec<RoadCorner>,
    /// The place of the middle beside each point of the line and, of a closed line, beside its end, m;
    /// above the length beyond the middle's first place.
    beside_m: Vec<f64>,
}

impl RoadCorners {
    /// The corners of the line's road that turn by at least `min_angle_rad`; `None` where the edges
    /// enclose no road.
    pub fn of(lap: Lap, min_angle_rad: f64) -> Option<Self> {
        let middle = Middle::between(&lap.line.edges, lap.line.closed)?;
        let beside_m = middle.beside(lap)?;
        let start_m = *beside_m.first()?;
        let mut corners = middle.corners(min_angle_rad);
        let after_start = |corner: &RoadCorner| {
            let place = f64::midpoint(corner.from_m, corner.to_m) - start_m;
            if middle.closed { place.rem_euclid(middle.length_m()) } else { place }
        };
        corners.sort_by(|a, b| after_start(a).total_cmp(&after_start(b)));
        for (i, corner) in corners.iter_mut().enumerate() {
            corner.number = i + 1;
        }
        Some(Self { middle, corners, beside_m })
    }

    /// The corners in the order of their numbers.
    pub fn corners(&self) -> &[RoadCorner] {
        &self.corners
    }

    /// Length of a corner that a part of the line passes, m along the middle: from `from_m` to `to_m`
    /// along the line, which may lie beyond the lap. Not positive where they are apart.
    pub fn passed_m(&self, lap: Lap, corner: &RoadCorner, from_m: f64, to_m: f64) -> f64 {
        let (from, to) = (self.place_beside(lap, from_m), self.place_beside(lap, to_m));
        let length = self.middle.length_m();
        let turns = if self.middle.closed { -2..=2 } else { 0..=0 };
        let overlap = |turn: i32| {
            let shift = f64::from(turn) * length;
            to.min(corner.to_m + shift) - from.max(corner.from_m + shift)
        };
        turns.map(overlap).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The corner whose part of the middle is nearest to a position, m.
    pub fn nearest(&self, position: [f64; 2]) -> Option<&RoadCorner> {
        let place = self.middle.nearest_place(Point::from(position));
        let distance = |corner: &RoadCorner| {
            let ahead = |from: f64, to: f64| match self.middle.closed {
                true => (to - from).rem_euclid(self.middle.length_m()),
                false => (to - from).max(0.0),
            };
            let inside = match self.middle.closed {
                true => ahead(corner.from_m, place) <= corner.to_m - corner.from_m,
                false => (corner.from_m..=corner.to_m).contains(&place),
            };
            match (inside, self.middle.closed) {
                (true, _) => 0.0,
                (false, true) => ahead(place, corner.from_m).min(ahead(corner.to_m, place)),
                (false, false) => ahead(place, corner.from_m).max(ahead(corner.to_m, place)),
            }
        };
        self.corners.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    /// The place of the middle beside a distance along the line, which may lie beyond the lap.
    fn place_beside(&self, lap: Lap, s_m: f64) -> f64 {
        let laps = if lap.line.closed { (s_m / lap.line.length_m).floor() } else { 0.0 };
        let s = if lap.line.closed { s_m - laps * lap.line.length_m } else { lap.within(s_m) };
        let points = lap.points();
        let i = points.partition_point(|point| point.s_m <= s).saturating_sub(1).min(self.beside_m.len() - 2);
        let step = lap.distance(i + 1) - points[i].s_m;
        let fraction = if step > 0.0 { ((s - points[i].s_m) / step).clamp(0.0, 1.0) } else { 0.0 };
        let place = self.beside_m[i] + fraction * (self.beside_m[i + 1] - self.beside_m[i]);
        place + laps * self.middle.length_m()
    }
}

/// The middle of a road, at places of equal distance.
#[derive(Clone, Debug)]
struct Middle {
    points: Vec<Point>,
    step_m: f64,
    width_m: f64,
    closed: bool,
}

impl Middle {
    /// The middle between the edges.
    fn between(edges: &EdgeCoordinates, closed: bool) -> Option<Self> {
        let min_vertices = if closed { 3 } else { 2 };
        if edges.left.len().min(edges.right.len()) < min_vertices {
            return None;
        }
        // Vertices are far apart on straights and close in bends, where chords between them slant. The
        // edges are divided evenly, by a first width from the chords between their vertices.
        let (_, first_width_m) = chords(&edges.left, &edges.right, closed);
        let [left, right] = [&edges.left, &edges.right].map(|edge| divided(edge, closed, first_width_m));
        let (chords, width_m) = chords(&left, &right, closed);
        let line = Polyline { points: chords, closed };
        let arc_lengths = line.arc_lengths();
        let length = line.length();
        if !(width_m > 0.0 && length > 0.0 && width_m.is_finite() && length.is_finite()) {
            return None;
        }
        let steps = steps_of(length, width_m, edges.left.len() + edges.right.len());
        let step_m = length / steps as f64;
        let count = if closed { steps } else { steps + 1 };
        let points = (0..count).map(|i| line.point_at(&arc_lengths, i as f64 * step_m)).collect();
        Some(Self { points, step_m, width_m, closed })
    }

    fn length_m(&self) -> f64 {
        self.steps() as f64 * self.step_m
    }

    fn steps(&self) -> usize {
        if self.closed { self.points.len() } else { self.points.len() - 1 }
    }

    fn segment(&self, step: usize) -> Segment {
        Segment::new(self.points[step % self.points.len()], self.points[(step + 1) % self.points.len()])
    }

    /// The place nearest to `position`, m along the middle.
    fn nearest_place(&self, position: Point) -> f64 {
        let on_step = |step: usize| {
            let segment = self.segment(step);
            let fraction = segment.nearest(position);
            ((position - segment.at(fraction)).norm_squared(), (step as f64 + fraction) * self.step_m)
        };
        (0..self.steps()).map(on_step).min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0.0, |(_, place)| place)
    }

    /// The place beside each point of a line, and beside the end of a closed one, never falling.
    fn beside(&self, lap: Lap) -> Option<Vec<f64>> {
        let leads_along = |step: usize, heading: f64| {
            let along = self.segment(step).vector();
            along.x * math::cos(heading) + along.y * math::sin(heading) > 0.0
        };
        let first = lap.points().first()?;
        let squared = |step: usize, point: Point| {
            let segment = self.segment(step);
            (point - segment.at(segment.nearest(point))).norm_squared()
        };
        let start_point = Point::new(first.x_m, first.y_m);
        let start = (0..self.steps())
            .filter(|&step| leads_along(step, first.heading_rad))
            .min_by(|&a, &b| squared(a, start_point).total_cmp(&squared(b, start_point)))?;
        let mut beside_m = Vec::with_capacity(lap.points().len() + 1);
        let mut step = start;
        let mut min_m = f64::NEG_INFINITY;
        for (i, point) in lap.points().iter().enumerate() {
            let moved = if i == 0 { 0.0 } else { point.s_m - lap.points()[i - 1].s_m };
            let window =
                (((WINDOW_WIDTHS * self.width_m + 2.0 * moved) / self.step_m).ceil() as usize).min(self.steps());
            let last = if self.closed { step + window } else { (step + window).min(self.steps() - 1) };
            let position = Point::new(point.x_m, point.y_m);
            let nearest = (step..=last).min_by(|&a, &b| squared(a, position).total_cmp(&squared(b, position)))?;
            let place = (nearest as f64 + self.segment(nearest).nearest(position)) * self.step_m;
            step = nearest;
            min_m = place.max(min_m);
            beside_m.push(min_m);
        }
        if self.closed {
            beside_m.push((beside_m[0] + self.length_m()).max(min_m));
        }
        (beside_m.len() >= 2).then_some(beside_m)
    }

    /// Curvature at each place of the middle, smoothed, 1/m.
    fn curvature(&self) -> Vec<f64> {
        let n = self.points.len();
        let heading = |step: usize| {
            let along = self.segment(step).vector();
            math::atan2(along.y, along.x)
        };
        let turned = |i: usize| match self.closed {
            true => wrap_angle(heading(i) - heading((i + n - 1) % n)),
            false if i == 0 || i + 1 == n => 0.0,
            false => wrap_angle(heading(i) - heading(i - 1)),
        };
        let turned: Vec<f64> = (0..n).map(turned).collect();
        // Of a road wider than long, no farther than the whole middle.
        let reach = ((3.0 * SMOOTHING_WIDTHS * self.width_m / self.step_m).ceil() as usize).min(n);
        let weight = |k: usize| {
            let deviations = k as f64 * self.step_m / (SMOOTHING_WIDTHS * self.width_m);
            math::exp(-0.5 * deviations * deviations)
        };
        let weights: Vec<f64> = (0..=reach).map(weight).collect();
        let total: f64 = weights[0] + 2.0 * weights[1..].iter().sum::<f64>();
        let smoothed = |i: usize| {
            let at = |k: isize| {
                let index = i as isize + k;
                match self.closed {
                    true => turned[index.rem_euclid(n as isize) as usize],
                    false => usize::try_from(index).ok().and_then(|index| turned.get(index)).copied().unwrap_or(0.0),
                }
            };
            let sides = |k: usize| weights[k] * (at(k as isize) + at(-(k as isize)));
            (weights[0] * at(0) + (1..=reach).map(sides).sum::<f64>()) / total / self.step_m
        };
        (0..n).map(smoothed).collect()
    }

    /// The corners, in the order of the middle, without numbers.
    fn corners(&self, min_angle_rad: f64) -> Vec<RoadCorner> {
        let curvature = self.curvature();
        let n = curvature.len();
        let threshold = 1.0 / (MAX_RADIUS_WIDTHS * self.width_m);
        if let Some(turn) = side_of_all(&curvature, threshold).filter(|_| self.closed) {
            // A circle is one corner.
            return vec![RoadCorner { number: 0, turn, from_m: 0.0, to_m: self.length_m() }];
        }
        let gap = (MERGE_WIDTHS * self.width_m / self.step_m) as usize;
        let mut bends: Vec<Bending> = Vec::new();
        for bend in bending(&curvature, threshold, self.closed).into_iter().flatten() {
            match bends.last_mut() {
                Some(last) if last.turn == bend.turn && bend.from - last.to < gap => last.to = bend.to,
                _ => bends.push(bend),
            }
        }
        if let [first, .., last] = bends[..]
            && self.closed
            && first.turn == last.turn
            && first.from + n - last.to < gap
        {
            bends.remove(0);
            bends.pop();
            bends.push(Bending { to: first.to + n, ..last });
        }
        let angle = |bend: &Bending| (bend.from..bend.to).map(|k| curvature[k % n]).sum::<f64>() * self.step_m;
        let corner = |Bending { from, to, turn }: Bending| {
            let [from_m, to_m] = [from, to].map(|place| place as f64 * self.step_m);
            RoadCorner { number: 0, turn, from_m, to_m }
        };
        bends.into_iter().filter(|bend| angle(bend).abs() >= min_angle_rad).map(corner).collect()
    }
}

/// Number of steps of a line of a length on a road of a width, for a number of vertices.
fn steps_of(length_m: f64, width_m: f64, vertices: usize) -> usize {
    let wanted = (length_m / width_m * PLACES_PER_WIDTH).ceil();
    (wanted as usize).clamp(MIN_STEPS, vertices.saturating_mul(MAX_PLACES_PER_VERTEX))
}

/// An edge at places of equal distance.
fn divided(edge: &[[f64; 2]], closed: bool, width_m: f64) -> Vec<[f64; 2]> {
    let line = Polyline { points: edge.iter().map(|&vertex| Point::from(vertex)).collect(), closed };
    let arc_lengths = line.arc_lengths();
    let steps = steps_of(line.length(), width_m, edge.len());
    let count = if closed { steps } else { steps + 1 };
    let place = |i: usize| line.point_at(&arc_lengths, line.length() * i as f64 / steps as f64);
    (0..count).map(|i| <[f64; 2]>::from(place(i).coords)).collect()
}

/// Middles of chords from edge to edge, in the order of travel, and the median of their lengths. From each chord to the
/// next one, the edge moves on whose next vertex makes the shorter chord.
fn chords(left: &[[f64; 2]], right: &[[f64; 2]], closed: bool) -> (Vec<Point>, f64) {
    let along = |edge: &[[f64; 2]], i: usize| {
        let (a, b) = (edge[i % edge.len()], edge[(i + 1) % edge.len()]);
        [b[0] - a[0], b[1] - a[1]]
    };
    let squared = |a: [f64; 2], b: [f64; 2]| {
        let [x, y] = [b[0] - a[0], b[1] - a[1]];
        x * x + y * y
    };
    // Of a closed road, the vertex of the right edge beside the left edge's first one: the nearest of
    // those where the road leads the same direction, as another leg may be nearer.
    let start = if closed {
        let [x, y] = along(left, 0);
        let same_direction = |&i: &usize| {
            let [dx, dy] = along(right, i);
            x * dx + y * dy > 0.0
        };
        let nearest = |a: &usize, b: &usize| squared(right[*a], left[0]).total_cmp(&squared(right[*b], left[0]));
        (0..right.len()).filter(same_direction).min_by(nearest).unwrap_or(0)
    } else {
        0
    };
    let (n, m) = (left.len(), right.len());
    let at = |i: usize, j: usize| (left[i % n], right[(start + j) % m]);
    // The last vertices; a closed edge ends at its first one, which is not repeated.
    let (last_left, last_right) = if closed { (n, m) } else { (n - 1, m - 1) };
    let (mut i, mut j) = (0, 0);
    let mut chords = vec![at(0, 0)];
    while i < last_left || j < last_right {
        let (with_left, with_right) = (at(i + 1, j), at(i, j + 1));
        let left_moves = j == last_right
            || i < last_left && squared(with_left.0, with_left.1) <= squared(with_right.0, with_right.1);
        if left_moves {
            i += 1;
        } else {
            j += 1;
        }
        if !closed || i < last_left || j < last_right {
            chords.push(at(i, j));
        }
    }
    let middle = |&(a, b): &([f64; 2], [f64; 2])| Point::new(f64::midpoint(a[0], b[0]), f64::midpoint(a[1], b[1]));
    let width = |&(a, b): &([f64; 2], [f64; 2])| squared(a, b).sqrt();
    let mut widths: Vec<f64> = chords.iter().map(width).collect();
    widths.sort_by(f64::total_cmp);
    (chords.iter().map(middle).collect(), widths[widths.len() / 2])
}
