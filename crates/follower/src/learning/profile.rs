//! The speed profile of a path with factors of the grip.
//!
//! With the squares w of the profile's speeds, its accelerations a between waypoints, and the factor
//! f of a place:
//!
//! ```text
//! limit        w* ≤ f² w (1 + 2 q)        q: |a| beyond 0.1 of the reference braking, by it
//! backwards    w*_i ≤ w*_i+1 + 2 ds f² b  b: the profile's deceleration, or the next one beyond
//!                                            it, times what cornering leaves of the friction circle
//! forwards     w*_i+1 ≤ w*_i + 2 ds f² a  a: the same with its acceleration
//! ```
//!
//! The limit holds where the profile is slowest or steady; where it brakes or accelerates, the
//! passes decide. With factors of 1 the result is the profile itself. A change of w at the slowest
//! place of a bend is carried along unchanged over braking and acceleration, as for any profile of
//! the same accelerations: at 60 m/s, 5 % of the speed of a bend of 20 m/s move the braking point by
//! 1.3 m and no more.

use super::options::LearningError;
use crate::path::Path;
use raceline_numerics::math;

/// Fraction of the reference deceleration, 0 to 1, below which the profile counts as steady: there
/// the speed is that of the bend, elsewhere it follows from braking.
const STEADY: f64 = 0.1;
/// Fraction of it, 0 to 1, from which on the profile's own acceleration is used; below, it may be
/// rounding.
const OWN: f64 = 0.02;
/// Quantile of the profile's decelerations, accelerations and lateral accelerations that stands for
/// their limit, 0 to 1. At 1 a single sample would decide; a smaller one takes the limit as lower.
const QUANTILE: f64 = 0.95;
/// Smallest reference of a profile that hardly brakes or accelerates, m/s².
const MIN_MPS2: f64 = 0.5;
/// Smallest fraction of the friction circle, 0 to 1, that is left beside cornering: with less, a
/// faster bend could not be approached at all.
const MIN_LEFT: f64 = 0.1;

/// The profile of a path as it was, and what is computed from it.
#[derive(Clone, Debug, Default)]
pub(super) struct Profile {
    /// At each waypoint: arc length, square of the speed, what cornering leaves, factor of the limit.
    nodes: Vec<Node>,
    /// Length of the segment behind each waypoint, and the profile's acceleration there.
    legs: Vec<Leg>,
    closed: bool,
    braking: f64,
    driving: f64,
    /// Squares of the factors, and of the speeds.
    grip: Vec<f64>,
    squares: Vec<f64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    s: f64,
    square: f64,
    left: f64,
    slack: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Leg {
    length: f64,
    acceleration: f64,
}

impl Profile {
    pub(super) fn new(path: &Path) -> Result<Self, LearningError> {
        let waypoints = path.waypoints();
        let count = waypoints.len();
        if let Some(waypoint) = waypoints.iter().position(|waypoint| !waypoint.speed_mps.is_finite()) {
            return Err(LearningError::NoProfile { waypoint });
        }
        let places = path.nodes();
        let square = |i: usize| math::powi(waypoints[i % count].speed_mps, 2);
        let legs: Vec<Leg> = (0..path.segments())
            .map(|i| {
                let length = places[i + 1].s - places[i].s;
                Leg { length, acceleration: (square(i + 1) - square(i)) / (2.0 * length) }
            })
            .collect();
        let braking = quantile(legs.iter().map(|leg| (-leg.acceleration).max(0.0)).filter(|a| *a > 0.0).collect());
        let driving = quantile(legs.iter().map(|leg| leg.acceleration.max(0.0)).filter(|a| *a > 0.0).collect());
        let (braking, driving) = (braking.max(MIN_MPS2), driving.max(MIN_MPS2));
        let lateral = |i: usize| path.sample(places[i].s).curvature_radpm.abs() * square(i);
        let limit = quantile((0..count).map(lateral).collect()).max(MIN_MPS2);
        let last = legs.len() - 1;
        let nodes = (0..count)
            .map(|i| {
                let before = if i > 0 || path.closed() { legs[(i + last) % (last + 1)].acceleration } else { 0.0 };
                let after = legs.get(i).map_or(0.0, |leg| leg.acceleration);
                // The bottom of a valley is a limit, whatever the slopes beside it.
                let steep = if before * after > 0.0 {
                    before.abs().min(after.abs())
                } else if before > 0.0 {
                    before.max(-after)
                } else {
                    0.0
                };
                let used = (lateral(i) / limit).min(1.0);
                Node {
                    s: places[i].s,
                    square: square(i),
                    left: (1.0 - used * used).sqrt().max(MIN_LEFT),
                    slack: 1.0 + 2.0 * (steep / braking - STEADY).max(0.0),
                }
            })
            .collect();
        Ok(Self {
            nodes,
            legs,
            closed: path.closed(),
            braking,
            driving,
            grip: vec![1.0; count],
            squares: vec![0.0; count],
        })
    }

    /// Number of waypoints.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Writes the profile with the factors `factor`, a function of the arc length, into `path`.
    pub(super) fn write(&mut self, path: &mut Path, factor: impl Fn(f64) -> f64) {
        let mut changed = false;
        for ((node, grip), square) in self.nodes.iter().zip(&mut self.grip).zip(&mut self.squares) {
            let factor = factor(node.s);
            changed |= (factor - 1.0).abs() > 1e-12;
            *grip = factor * factor;
            *square = *grip * node.square * node.slack;
        }
        if changed {
            self.backwards();
            self.forwards();
        } else {
            for (node, square) in self.nodes.iter().zip(&mut self.squares) {
                *square = node.square;
            }
        }
        path.set_profile(|i| (self.squares[i], if changed { self.grip[i] } else { 1.0 }));
    }

    fn rounds(&self) -> usize {
        if self.closed { 2 } else { 1 }
    }

    fn backwards(&mut self) {
        let count = self.nodes.len();
        let mut beyond = self.braking;
        for _ in 0..self.rounds() {
            for (i, leg) in self.legs.iter().enumerate().rev() {
                let own = -leg.acceleration;
                let braking = if own > OWN * self.braking {
                    beyond = own;
                    own
                } else {
                    (beyond * self.nodes[i].left).max(own)
                };
                let limit = self.squares[(i + 1) % count] + 2.0 * leg.length * braking * self.grip[i];
                self.squares[i] = self.squares[i].min(limit);
            }
        }
    }

    fn forwards(&mut self) {
        let count = self.nodes.len();
        let mut before = self.driving;
        for _ in 0..self.rounds() {
            for (i, leg) in self.legs.iter().enumerate() {
                let own = leg.acceleration;
                let driving = if own > OWN * self.braking {
                    before = own;
                    own
                } else {
                    (before * self.nodes[i].left).max(own)
                };
                let next = (i + 1) % count;
                let limit = self.squares[i] + 2.0 * leg.length * driving * self.grip[i];
                self.squares[next] = self.squares[next].min(limit);
            }
        }
    }
}

fn quantile(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get((QUANTILE * values.len() as f64) as usize).or(values.last()).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests;
