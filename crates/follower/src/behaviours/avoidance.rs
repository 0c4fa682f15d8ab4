//! Obstacle avoidance and unaligned collision avoidance.

use super::agent::Agent;
use super::vector::{Vector, ZERO, add, dot, finite, left_of, length, scale, subtract};
use crate::bodies::Body;

/// Options of [`avoid_obstacles`] and [`avoid_bodies`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AvoidanceOptions {
    /// Time that is looked ahead, seconds, above 0; default 3.
    pub horizon_s: f64,
    /// Distance to keep between the outlines, metres, 0 or more; default 0.5.
    pub gap_m: f64,
}

impl Default for AvoidanceOptions {
    fn default() -> Self {
        Self { horizon_s: 3.0, gap_m: 0.5 }
    }
}

/// Shortest time for which an acceleration is computed, s.
const SHORTEST_S: f64 = 0.05;

/// Past the first of the fixed obstacles ahead that the body would touch (section "Obstacle
/// Avoidance"): sideways, away from its middle, with the acceleration 2 m / t² that makes up the
/// missing distance m in the time t until it is abreast; what exceeds the largest acceleration
/// becomes braking. `[0.0, 0.0]` if there is no obstacle ahead.
#[must_use]
pub fn avoid_obstacles(agent: &Agent, obstacles: &[Body], options: &AvoidanceOptions) -> [f64; 2] {
    let (speed, forward) = (agent.speed(), agent.forward());
    let mut nearest: Option<(f64, f64, f64)> = None;
    for obstacle in obstacles {
        let to = agent.to(obstacle.position_m);
        let (ahead, aside) = (dot(to, forward), dot(to, left_of(forward)));
        let reach = obstacle.radius_m + agent.body.radius_m + options.gap_m;
        let obstructs = ahead > 0.0 && ahead - reach < speed * options.horizon_s && aside.abs() < reach;
        if obstructs && nearest.is_none_or(|(first, ..)| ahead < first) {
            nearest = Some((ahead, aside, reach));
        }
    }
    let Some((ahead, aside, reach)) = nearest else { return ZERO };
    let time = (ahead / speed.max(1e-3)).max(SHORTEST_S);
    let needed = 2.0 * (reach - aside.abs()) / (time * time);
    // One straight ahead is passed on its left.
    let away = if aside > 0.0 { -1.0 } else { 1.0 };
    let limit = agent.max_acceleration_mps2;
    let braking = (needed - limit).clamp(0.0, speed / agent.response_s.max(SHORTEST_S));
    let sideways = scale(left_of(forward), away * needed.min(limit));
    agent.limited(add(sideways, scale(forward, -braking)))
}

/// Past others that move in any direction (section "Unaligned Collision Avoidance"): of
/// those that will come too near within the horizon, the first is evaded, along the line between the
/// two at their nearest approach, with the acceleration 2 m / t² for the missing distance m. Where
/// they would meet centre to centre, each goes to its own right.
#[must_use]
pub fn avoid_bodies(agent: &Agent, others: &[Body], options: &AvoidanceOptions) -> [f64; 2] {
    let mut soonest: Option<(f64, Vector)> = None;
    for other in others {
        let apart = scale(agent.to(other.position_m), -1.0);
        let closing = subtract(agent.body.velocity_mps, other.velocity_mps);
        let reach = other.radius_m + agent.body.radius_m + options.gap_m;
        let squared = dot(closing, closing);
        // Where |apart + closing t| is smallest.
        let time = if squared > 0.0 { -dot(apart, closing) / squared } else { 0.0 };
        if !(0.0..options.horizon_s).contains(&time) || soonest.is_some_and(|(first, _)| first <= time) {
            continue;
        }
        let then = add(apart, scale(closing, time));
        let distance = length(then);
        if distance.is_nan() || distance >= reach {
            continue;
        }
        let right = scale(left_of(agent.forward()), -1.0);
        let away = if distance > 1e-3 * reach { scale(then, 1.0 / distance) } else { right };
        let time_left = time.max(SHORTEST_S);
        soonest = Some((time, scale(away, 2.0 * (reach - distance) / (time_left * time_left))));
    }
    agent.limited(finite(soonest.map_or(ZERO, |(_, acceleration)| acceleration)))
}
