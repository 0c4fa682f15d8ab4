//! Places across the track at which times are taken.

use serde::Serialize;

use super::path::Node;
use raceline_numerics::math;

/// A line across the track, passed in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Gate {
    /// The middle, m.
    pub position_m: [f64; 2],
    /// Direction of travel across it, rad counter-clockwise from +x.
    pub heading_rad: f64,
    /// From its middle to either end, m.
    pub half_width_m: f64,
}

/// A passage of a gate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Crossing {
    /// Time, s.
    pub time_s: f64,
    /// The node before it.
    pub node: usize,
    /// Part of the time to the next node.
    pub fraction: f64,
}

/// The vehicle must go this far from a gate before it can pass it again, m.
const AWAY_M: f64 = 30.0;
/// Passages are within this angle of the gate's direction: its cosine.
const ALONG: f64 = 0.5;
/// Bisections of the step in which a gate is passed.
const BISECTIONS: usize = 40;

impl Gate {
    /// Distance beyond the gate and to the left of its middle, m.
    pub(crate) fn beyond(&self, position_m: [f64; 2]) -> [f64; 2] {
        let (sine, cosine) = math::sin_cos(self.heading_rad);
        let [x, y] = [position_m[0] - self.position_m[0], position_m[1] - self.position_m[1]];
        [x * cosine + y * sine, y * cosine - x * sine]
    }

    /// The passages of a path, in the order of time.
    pub(crate) fn crossings(&self, nodes: &[Node]) -> Vec<Crossing> {
        let mut crossings = Vec::new();
        let mut may_pass = true;
        let mut from = nodes.first().map(|node| self.beyond(node.position_m));
        for (index, pair) in nodes.windows(2).enumerate() {
            let [before, after] = pair else { continue };
            let (Some(start), end) = (from, self.beyond(after.position_m)) else { continue };
            from = Some(end);
            may_pass |= math::hypot(end[0], end[1]) > AWAY_M;
            let turn = after.heading_rad() - self.heading_rad;
            if !(may_pass && start[0] < 0.0 && end[0] >= 0.0 && math::cos(turn) > ALONG) {
                continue;
            }
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..BISECTIONS {
                let middle = 0.5 * (low + high);
                if self.beyond(before.between(after, middle).position_m)[0] < 0.0 {
                    low = middle
                } else {
                    high = middle
                }
            }
            let here = before.between(after, high);
            if self.beyond(here.position_m)[1].abs() <= self.half_width_m {
                crossings.push(Crossing { time_s: here.time_s, node: index, fraction: high });
                may_pass = false;
            }
        }
        crossings
    }
}
