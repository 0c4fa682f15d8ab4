//! The shortest path of a disc through a corridor of portals.
//!
//! D. T. Lee and F. P. Preparata, "Euclidean shortest paths in the presence of rectilinear barriers"
//! (1984), section 3, for a point: the funnel is a chain from the left to the right end of the last portal,
//! with the apex between. D. Demyen and M. Buro, "Efficient triangulation-based pathfinding" (AAAI 2006),
//! for a disc of radius r: its path consists of arcs of this radius about corners and of common tangents.
//!
//! Deviation: the paper widens the funnel itself. Here the path of the point is widened: as long as it passes
//! a corner at less than r, it touches the corner passed at the smallest distance, and a corner from which
//! it turns away is let go. At the end each corner is passed on its side at r or more, and the path turns
//! only towards what it touches: it is the shortest one.

use std::collections::VecDeque;

use raceline_numerics::math;
use raceline_road::geometry::{Point, Vector, cross, left_of};

/// Largest turn of the path at a point of an arc, radians. A smaller one follows the circle more closely,
/// with more points.
const ARC_STEP_RAD: f64 = 0.2;
/// A corner is touched if it is nearer than the radius by more than this, metres.
const ROUNDING_M: f64 = 1e-9;

/// The two ends of a side that the path crosses, seen along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Portal {
    pub left: Point,
    pub right: Point,
}

/// A corner beside the path, or one of the path's ends.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Corner {
    at: Point,
    /// On which side of the corner the path passes: 1 to the left, -1 to the right, 0 for an end.
    side: f64,
    /// The first and the last portal that end there.
    portals: [usize; 2],
}

impl Corner {
    fn is(&self, other: &Self) -> bool {
        self.at == other.at && self.side == other.side
    }

    /// Where a path in this direction touches the circle about it.
    fn contact(&self, direction: Vector, radius: f64) -> Point {
        self.at + left_of(direction) * (self.side * radius)
    }
}

/// The shortest path of a disc from `from` through the portals to `to`; arcs are drawn outside the circles,
/// so that the path is at smallest `radius` from each end of a portal, and from the `beside` corners of the first
/// and the last triangle, as far as there is room.
pub(super) fn pulled(from: Point, portals: &[Portal], to: Point, radius: f64, beside: [&[Point]; 2]) -> Vec<Point> {
    let mut corners: Vec<Corner> = Vec::new();
    // A corner's portals follow one another.
    let mut last = [None::<usize>; 2];
    let mut ends = Vec::with_capacity(portals.len());
    for (number, portal) in portals.iter().enumerate() {
        for (k, (at, side)) in [(portal.left, -1.0), (portal.right, 1.0)].into_iter().enumerate() {
            match last[k].filter(|&known| corners[known].at == at) {
                Some(known) => corners[known].portals[1] = number,
                None => {
                    last[k] = Some(corners.len());
                    corners.push(Corner { at, side, portals: [number; 2] });
                }
            }
        }
        ends.extend([last[0].zip(last[1])]);
    }
    let [start, goal] =
        [(from, 0), (to, portals.len())].map(|(at, portal)| Corner { at, side: 0.0, portals: [portal; 2] });
    let mut funnel = Funnel { chain: VecDeque::from([start]), apex: 0, path: vec![start] };
    for (left, right) in ends.into_iter().flatten() {
        funnel.add_left(corners[left]);
        funnel.add_right(corners[right]);
    }
    funnel.add_left(goal);
    let touched = funnel.path_to_left();
    let lines = [touched.first().zip(touched.get(1)), touched.iter().nth_back(1).zip(touched.last())];
    for ((line, points), portal) in lines.into_iter().zip(beside).zip([0, portals.len()]) {
        let Some((a, b)) = line else { continue };
        corners.extend(points.iter().map(|&at| {
            let is_left = cross(b.at - a.at, at - a.at) > 0.0;
            Corner { at, side: if is_left { -1.0 } else { 1.0 }, portals: [portal; 2] }
        }));
    }
    let touched = if radius > 0.0 { widened(touched, &corners, radius) } else { touched };
    with_arcs(&touched, radius)
}

/// A chain from the left to the right end of a portal. The elements before the apex turn to the left as seen
/// from it, those after it to the right.
struct Funnel {
    chain: VecDeque<Corner>,
    apex: usize,
    /// What the path touches up to the apex.
    path: Vec<Corner>,
}

impl Funnel {
    /// Narrows the funnel to a new left end.
    fn add_left(&mut self, new: Corner) {
        if self.chain.front().is_some_and(|known| known.is(&new)) {
            return;
        }
        // Elements on the left that the new one makes slack.
        while self.apex > 0 && turn([self.chain[1], self.chain[0], new]) < 0.0 {
            self.chain.pop_front();
            self.apex -= 1;
        }
        // Beyond the right side, the path winds round the elements there.
        while self.apex == 0 && self.chain.len() > 1 && turn([self.chain[1], self.chain[0], new]) > 0.0 {
            self.chain.pop_front();
            self.path.extend(self.chain.front());
        }
        self.chain.push_front(new);
        self.apex += 1;
    }

    /// Narrows the funnel to a new right end.
    fn add_right(&mut self, new: Corner) {
        if self.chain.back().is_some_and(|known| known.is(&new)) {
            return;
        }
        let end = |funnel: &Self, k: usize| funnel.chain[funnel.chain.len() - k];
        while self.apex + 1 < self.chain.len() && turn([end(self, 2), end(self, 1), new]) > 0.0 {
            self.chain.pop_back();
        }
        while self.apex + 1 == self.chain.len() && self.chain.len() > 1 && turn([end(self, 2), end(self, 1), new]) < 0.0
        {
            self.chain.pop_back();
            self.apex = self.chain.len() - 1;
            self.path.extend(self.chain.back());
        }
        self.chain.push_back(new);
    }

    /// What the path to the left end of the funnel touches.
    fn path_to_left(mut self) -> Vec<Corner> {
        self.path.extend((0..self.apex).rev().map(|index| self.chain[index]));
        self.path
    }
}

/// Twice the area of a triangle: above 0 if the path through its corners turns to the left.
fn turn([a, b, c]: [Corner; 3]) -> f64 {
    cross(b.at - a.at, c.at - b.at)
}

/// What the path of a disc touches, from what the path of a point does.
fn widened(mut touched: Vec<Corner>, corners: &[Corner], radius: f64) -> Vec<Corner> {
    // Each step touches a corner or lets one go; a corridor with too little room may have no end of it.
    for _ in 0..4 * (corners.len() + touched.len()) {
        let directions = directions(&touched, radius);
        let slack = (1..touched.len() - 1)
            .map(|k| (turn_at(directions[k - 1], directions[k]) * touched[k].side, k))
            .filter(|&(slack, _)| slack > 1e-12)
            .max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, index)) = slack {
            touched.remove(index);
            continue;
        }
        match nearest(&touched, &directions, corners, radius) {
            Some((corner, before)) => touched.insert(before, corner),
            None => break,
        }
    }
    touched
}

/// The corner that a path passes at the smallest distance below `radius`, and before which touched one it
/// comes.
fn nearest(touched: &[Corner], directions: &[Vector], corners: &[Corner], radius: f64) -> Option<(Corner, usize)> {
    let mut found: Option<(f64, Corner, usize)> = None;
    let mut consider = |distance: f64, corner: Corner, before: usize| {
        if distance < radius - ROUNDING_M && found.is_none_or(|(smallest, ..)| distance < smallest) {
            found = Some((distance, corner, before));
        }
    };
    for (k, &along) in directions.iter().enumerate() {
        let (from, to) = (touched[k], touched[k + 1]);
        let begin = from.contact(along, radius);
        let length = (to.contact(along, radius) - begin).dot(&along);
        let arc = k.checked_sub(1).map(|before| directions[before]);
        for &corner in corners.iter().filter(|corner| !corner.is(&from) && !corner.is(&to)) {
            let beside = corner.at - begin;
            let is_here = corner.portals[0] <= to.portals[1] && corner.portals[1] >= from.portals[0];
            if is_here && (0.0..=length).contains(&beside.dot(&along)) {
                consider(-corner.side * cross(along, beside), corner, k + 1);
            }
            // Beside the arc before this line.
            let Some(before) = arc.filter(|_| corner.side == from.side && is_here) else { continue };
            let off = corner.at - from.at;
            if off.dot(&before) >= 0.0 && off.dot(&along) <= 0.0 && off.norm() > 0.0 {
                consider(radius - off.norm(), corner, if off.dot(&(before + along)) < 0.0 { k } else { k + 1 });
            }
        }
    }
    found.map(|(_, corner, before)| (corner, before))
}

/// Directions of the lines from each touched corner to the next.
fn directions(touched: &[Corner], radius: f64) -> Vec<Vector> {
    touched.windows(2).map(|pair| direction(&pair[0], &pair[1], radius)).collect()
}

/// Direction of the common tangent from one circle to another, on the sides where the path passes them.
/// Where two circles on either side of the path overlap, that across the line between them.
fn direction(from: &Corner, to: &Corner, radius: f64) -> Vector {
    let between = to.at - from.at;
    let distance = between.norm();
    if distance < 1e-12 {
        return Vector::zeros();
    }
    let sine = ((from.side - to.side) * radius / distance).clamp(-1.0, 1.0);
    let unit = between / distance;
    unit * (1.0 - sine * sine).sqrt() - left_of(unit) * sine
}

/// Turn from a direction to another, radians, positive to the left.
fn turn_at(before: Vector, after: Vector) -> f64 {
    math::atan2(cross(before, after), before.dot(&after))
}

/// The path along tangents and arcs.
fn with_arcs(touched: &[Corner], radius: f64) -> Vec<Point> {
    let directions = directions(touched, radius);
    let mut points = Vec::with_capacity(touched.len());
    for (index, corner) in touched.iter().enumerate() {
        let pair = index.checked_sub(1).and_then(|before| directions.get(before)).zip(directions.get(index));
        let Some((&before, &after)) = pair.filter(|_| radius > 0.0 && corner.side != 0.0) else {
            points.push(corner.at);
            continue;
        };
        // Against the corner there is only rounding.
        let turn = turn_at(before, after);
        let turn = if turn * corner.side < 0.0 { turn } else { 0.0 };
        let parts = (turn.abs() / ARC_STEP_RAD).ceil().max(1.0);
        let half = 0.5 * turn / parts;
        for part in 0..parts as usize {
            // Corners of the polygon about the circle, half a step from each contact.
            let (sin, cos) = math::sin_cos(turn * part as f64 / parts + half);
            points.push(corner.contact(before * cos + left_of(before) * sin, radius / math::cos(half)));
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::length_of;

    fn portal(left: [f64; 2], right: [f64; 2]) -> Portal {
        Portal { left: Point::from(left), right: Point::from(right) }
    }

    #[test]
    fn a_straight_line_touches_nothing() {
        let portals = [portal([1.0, 2.0], [1.0, -2.0]), portal([2.0, 2.0], [2.0, -2.0])];
        let path = pulled(Point::origin(), &portals, Point::new(3.0, 0.0), 0.5, [&[]; 2]);
        assert_eq!(path, [Point::origin(), Point::new(3.0, 0.0)]);
    }

    #[test]
    fn round_a_corner_the_path_is_two_tangents_and_an_arc() {
        // A corner on the right at the height of 3 m, half way.
        let (radius, up, across) = (0.5, 3.0, 4.0);
        for mirrored in [1.0, -1.0] {
            let (low, high) = ([across, mirrored * up], [across, mirrored * 20.0]);
            let portal = if mirrored > 0.0 { portal(high, low) } else { portal(low, high) };
            let path = pulled(Point::origin(), &[portal], Point::new(2.0 * across, 0.0), radius, [&[]; 2]);
            let distance = f64::hypot(up, across);
            let half_angle = (up / across).atan() + (radius / distance).asin();
            let taut = 2.0 * (distance * distance - radius * radius).sqrt() + 2.0 * radius * half_angle;
            assert!((0.0..3e-3).contains(&(length_of(&path) - taut)), "{} {taut}", length_of(&path));
            let corner = Point::from(low);
            for pair in path.windows(2) {
                let along =
                    ((corner - pair[0]).dot(&(pair[1] - pair[0])) / (pair[1] - pair[0]).norm_squared()).clamp(0.0, 1.0);
                assert!((pair[0] + (pair[1] - pair[0]) * along - corner).norm() > radius - 1e-9);
            }
        }
    }

    #[test]
    fn in_a_narrow_slanting_gap_the_nearer_corner_is_touched_first() {
        // Seen from the first corner, the second on the left hides what lies behind the one on the right.
        let portals = [
            portal([10.0, 20.0], [15.0, 12.0]),
            portal([23.0, 16.0], [15.0, 12.0]),
            portal([23.0, 16.0], [20.0, 12.0]),
        ];
        let radius = 2.45;
        let path = pulled(Point::new(4.0, 15.0), &portals, Point::new(36.0, 15.0), radius, [&[]; 2]);
        for corner in [[15.0, 12.0], [20.0, 12.0], [23.0, 16.0]].map(Point::from) {
            for pair in path.windows(2) {
                let along =
                    ((corner - pair[0]).dot(&(pair[1] - pair[0])) / (pair[1] - pair[0]).norm_squared()).clamp(0.0, 1.0);
                assert!((pair[0] + (pair[1] - pair[0]) * along - corner).norm() > radius - 1e-6, "{corner} {path:?}");
            }
        }
    }

    #[test]
    fn between_two_corners_on_either_side_it_takes_the_inner_tangent() {
        // A slalom: below (2, 1) on the left, above (4, -1) on the right.
        let portals = [portal([2.0, -1.0], [2.0, -9.0]), portal([4.0, 9.0], [4.0, 1.0])];
        let exact = pulled(Point::origin(), &portals, Point::new(6.0, 0.0), 0.0, [&[]; 2]);
        assert_eq!(exact, [[0.0, 0.0], [2.0, -1.0], [4.0, 1.0], [6.0, 0.0]].map(Point::from));
        let radius = 0.4;
        let path = pulled(Point::origin(), &portals, Point::new(6.0, 0.0), radius, [&[]; 2]);
        let (end, middle) = (5_f64.sqrt(), 8_f64.sqrt());
        let tangents = 2.0 * (end * end - radius * radius).sqrt() + (middle * middle - 4.0 * radius * radius).sqrt();
        let turn =
            (0.5_f64).atan() + (radius / end).asin() + std::f64::consts::FRAC_PI_4 + (2.0 * radius / middle).asin();
        let taut = tangents + 2.0 * radius * turn;
        assert!((0.0..5e-3).contains(&(length_of(&path) - taut)), "{} {taut}", length_of(&path));
    }
}
