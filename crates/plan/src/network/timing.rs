//! What a piece of street and the turn into the next cost: length, or time by the vehicle's speed
//! profile.
//!
//! The state of a search is a piece with its direction. A step leads from the middle of a piece to
//! the middle of the next and so contains one turn. Its time is that of the speed profile along both
//! pieces, which may begin and end as fast as the pieces allow. What comes before and after can only
//! slow the vehicle, so that the sum of the steps is, but for rounding, at most the time of the
//! whole route.

use std::collections::BTreeMap;

use super::streets::{Directions, Network, Piece};
use crate::bends;
use raceline_car::Vehicle;
use raceline_numerics::math;
use raceline_road::geometry::{Point, Vector, cross};
use raceline_solve::speed::{Course, SpeedSolver};

/// A piece with its direction: twice the piece's number, and one more against its line.
pub type Directed = u32;

/// A change of heading at a junction from which on it counts as a turn, 30°.
const TURN_RAD: f64 = std::f64::consts::FRAC_PI_6;
/// The heading of a piece at its end is that of a chord of so many half-widths.
const HEADING_HALF_WIDTHS: f64 = 2.0;
/// Minimum distance that a vehicle may leave a corner by, as a fraction of the street's half-width.
const MIN_ASIDE: f64 = 0.1;
const FREE: Course = Course::Open { start_speed_mps: None, end_speed_mps: None };

/// The piece of a directed piece.
pub(super) fn piece(network: &Network, directed: Directed) -> &Piece {
    &network.pieces[(directed / 2) as usize]
}

/// The piece of `directed` in the opposite direction.
pub(super) fn back(directed: Directed) -> Directed {
    directed ^ 1
}

/// The node in which a directed piece ends.
pub(super) fn head(network: &Network, directed: Directed) -> usize {
    piece(network, directed).ends[if directed & 1 == 0 { 1 } else { 0 }]
}

/// Whether it may be driven.
fn is_allowed(network: &Network, directed: Directed) -> bool {
    match piece(network, directed).directions {
        Directions::Both => true,
        Directions::Forward => directed & 1 == 0,
        Directions::Backward => directed & 1 == 1,
    }
}

/// The line of a directed piece, in its direction.
pub(super) fn line(network: &Network, directed: Directed) -> Vec<Point> {
    let line = &piece(network, directed).line;
    if directed & 1 == 0 { line.clone() } else { line.iter().rev().copied().collect() }
}

/// The directed pieces that lead out of each node.
pub(super) fn outgoing(network: &Network) -> Vec<Vec<Directed>> {
    let mut out = vec![Vec::new(); network.nodes.len()];
    for directed in (0..2 * network.pieces.len() as u32).filter(|&directed| is_allowed(network, directed)) {
        out[head(network, back(directed))].push(directed);
    }
    out
}

/// How far a vehicle may leave the middle of streets of this half-width, metres.
pub(super) fn aside_m(half_width_m: f64, vehicle: &Vehicle) -> f64 {
    (half_width_m - vehicle.width_m / 2.0 - vehicle.safety_distance_m).max(MIN_ASIDE * half_width_m)
}

/// Whether a junction is turned at, from piece to piece.
pub(super) fn is_turn(network: &Network, before: Directed, after: Directed) -> bool {
    let out = |directed: Directed| -> Vector {
        let chord_m = HEADING_HALF_WIDTHS * piece(network, directed).half_width_m;
        let line = line(network, directed);
        let Some(&first) = line.first() else { return Vector::zeros() };
        let far = line.iter().find(|&&point| (point - first).norm() >= chord_m).or(line.last());
        far.map_or(Vector::zeros(), |far| far - first)
    };
    let (a, b) = (-out(back(before)), out(after));
    math::atan2(cross(a, b), a.dot(&b)).abs() > TURN_RAD
}

/// What the steps of a search cost.
pub(super) struct Steps<'a> {
    pub network: &'a Network,
    pub outgoing: Vec<Vec<Directed>>,
    vehicle: &'a Vehicle,
    /// Whether time is measured, not length.
    is_time: bool,
    known: BTreeMap<(Directed, Directed), f64>,
}

impl<'a> Steps<'a> {
    pub fn new(network: &'a Network, vehicle: &'a Vehicle, is_time: bool) -> Self {
        Self { network, outgoing: outgoing(network), vehicle, is_time, known: BTreeMap::new() }
    }

    /// From the middle of a piece to the middle of the next, s or metres.
    pub fn between(&mut self, before: Directed, after: Directed) -> f64 {
        if let Some(&known) = self.known.get(&(before, after)) {
            return known;
        }
        let (first, second) = (piece(self.network, before), piece(self.network, after));
        let cost = if self.is_time {
            let mut path = line(self.network, before);
            path.extend(line(self.network, after).into_iter().skip(1));
            let aside = aside_m(first.half_width_m.max(second.half_width_m), self.vehicle);
            let ends = [first.length_m / 2.0, second.length_m / 2.0];
            self.time_s(&path, aside, ends, FREE)
        } else {
            f64::midpoint(first.length_m, second.length_m)
        };
        self.known.insert((before, after), cost);
        cost
    }

    /// From the start of the first piece to its middle.
    pub fn beginning(&self, first: Directed) -> f64 {
        let piece = piece(self.network, first);
        let half = piece.length_m / 2.0;
        if !self.is_time {
            return half;
        }
        let aside = aside_m(piece.half_width_m, self.vehicle);
        self.time_s(&line(self.network, first), aside, [0.0, half], Course::FROM_STANDSTILL)
    }

    /// From the middle of the last piece to its end.
    pub fn end(&self, last: Directed) -> f64 {
        let piece = piece(self.network, last);
        let half = piece.length_m / 2.0;
        if !self.is_time {
            return half;
        }
        self.time_s(&line(self.network, last), aside_m(piece.half_width_m, self.vehicle), [half, 0.0], FREE)
    }

    /// Time along a path without `ends[0]` metres at its beginning and `ends[1]` at its end, s.
    fn time_s(&self, path: &[Point], aside_m: f64, ends: [f64; 2], course: Course) -> f64 {
        let Some((curvature, steps)) = bends(path, aside_m, self.vehicle) else { return 0.0 };
        let profile = SpeedSolver::new(self.vehicle, course).and_then(|mut it| it.profile(&curvature, &steps, None));
        let Ok(profile) = profile else { return f64::INFINITY };
        let whole: f64 = steps.iter().sum();
        let at = |s: f64| {
            let (mut before, mut index) = (0.0, 0);
            while index + 1 < steps.len() && before + steps[index] < s {
                before += steps[index];
                index += 1;
            }
            let fraction = ((s - before) / steps[index]).clamp(0.0, 1.0);
            let (from, to) = (profile.time_s[index], profile.time_s[index + 1]);
            from + fraction * (to - from)
        };
        (at(whole - ends[1]) - at(ends[0])).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::{Directions, Network, Piece, Point, is_turn};
    use raceline_road::geometry::Polyline;

    /// Two streets of a half-width of 4 m that meet at the origin.
    fn meeting(before: &[(f64, f64)], after: &[(f64, f64)]) -> Network {
        let piece = |ends: [usize; 2], line: &[(f64, f64)]| {
            let line: Vec<Point> = line.iter().map(|&(x, y)| Point::new(x, y)).collect();
            let length_m = Polyline::open(line.clone()).length();
            Piece { ends, line, half_width_m: 4.0, directions: Directions::Both, length_m }
        };
        let pieces = vec![piece([0, 1], before), piece([1, 2], after)];
        let end = |line: &[Point], last: bool| if last { line[line.len() - 1] } else { line[0] };
        let nodes = vec![end(&pieces[0].line, false), end(&pieces[0].line, true), end(&pieces[1].line, true)];
        Network { nodes, pieces }
    }

    #[test]
    fn a_turn_is_seen_over_two_half_widths() {
        let straight = [(-200.0, 0.0), (-100.0, 0.0), (0.0, 0.0)];
        assert!(is_turn(&meeting(&straight, &[(0.0, 0.0), (0.0, 20.0), (0.0, 100.0)]), 0, 2));
        // A thinned picture of a junction leaves steps of a pixel beside it.
        let steps = [(0.0, 0.0), (0.4, 0.5), (2.0, 0.5), (9.0, 0.0), (100.0, 0.0)];
        assert!(!is_turn(&meeting(&straight, &steps), 0, 2));
        // A bend far beyond the junction is none of its turns.
        let bends = [(0.0, 0.0), (10.0, 0.0), (30.0, 0.0), (30.0, 200.0)];
        assert!(!is_turn(&meeting(&straight, &bends), 0, 2));
    }
}
