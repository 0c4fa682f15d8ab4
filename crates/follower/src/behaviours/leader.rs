//! Leader following.

use super::agent::Agent;
use super::blending::blend_by_priority;
use super::flocking::{Neighbourhood, separation};
use super::targets::arrival;
use super::vector::{add, dot, left_of, length, scale, unit};
use crate::bodies::Body;

/// Options of [`follow_leader`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeaderOptions {
    /// Distance to stay behind the leader, metres, above 0; default 4.
    pub behind_m: f64,
    /// Half the width of the strip ahead of the leader that is left free, metres, 0 or more; default 2.
    pub clear_m: f64,
    /// Length of that strip by the leader's speed, seconds, 0 or more; default 1.5.
    pub clear_s: f64,
    /// Within this distance of the place behind the leader it is approached more slowly, metres,
    /// above 0; default 5.
    pub slowing_m: f64,
    /// Others that are kept apart from; default within 3 m.
    pub separation: Neighbourhood,
}

impl Default for LeaderOptions {
    fn default() -> Self {
        Self {
            behind_m: 4.0,
            clear_m: 2.0,
            clear_s: 1.5,
            slowing_m: 5.0,
            separation: Neighbourhood { radius_m: 3.0, ..Neighbourhood::default() },
        }
    }
}

/// Behind a leader, apart from its other followers, and clear of its path (section "Leader Following"):
/// one in the strip ahead of the leader leaves it sideways; else separation comes first and arrival
/// at the place behind the leader second.
///
/// Deviation: that place moves with the leader, so the velocity wanted at it is the leader's, and a
/// follower stays there instead of falling behind in proportion to the speed.
#[must_use]
pub fn follow_leader(agent: &Agent, leader: &Body, others: &[Body], options: &LeaderOptions) -> [f64; 2] {
    let speed = length(leader.velocity_mps);
    let course = if speed > 0.0 { unit(leader.velocity_mps) } else { agent.forward() };
    let from_leader = scale(agent.to(leader.position_m), -1.0);
    let (ahead, aside) = (dot(from_leader, course), dot(from_leader, left_of(course)));
    let strip = speed * options.clear_s + leader.radius_m + agent.body.radius_m;
    if ahead > 0.0 && ahead < strip && aside.abs() < options.clear_m {
        let side = if aside < 0.0 { -1.0 } else { 1.0 };
        let out = scale(left_of(course), side * agent.max_speed_mps);
        return agent.towards_velocity(add(out, scale(leader.velocity_mps, 0.5)));
    }
    let place = add(leader.position_m, scale(course, -options.behind_m));
    // Arrival in the frame that moves with the leader.
    let moving = Agent {
        body: Body { velocity_mps: [0, 1].map(|k| agent.body.velocity_mps[k] - leader.velocity_mps[k]), ..agent.body },
        ..*agent
    };
    let apart = separation(agent, others, &options.separation);
    blend_by_priority(agent, &[apart, arrival(&moving, place, options.slowing_m)])
}
