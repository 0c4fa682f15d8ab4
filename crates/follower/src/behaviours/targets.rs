//! Behaviours with one target: a point or another body.

use super::agent::Agent;
use super::vector::{ZERO, add, dot, finite, left_of, length, scale, subtract, unit};
use crate::bodies::Body;

/// Time in which a place beside another body is reached, in times of an agent's response.
const SETTLING: f64 = 4.0;

/// Towards a point at full speed (section "Seek").
#[must_use]
pub fn seek(agent: &Agent, target_m: [f64; 2]) -> [f64; 2] {
    agent.towards_velocity(scale(unit(finite(agent.to(target_m))), agent.max_speed_mps))
}

/// Away from a point at full speed (section "Flee"). On the point itself: straight on.
#[must_use]
pub fn flee(agent: &Agent, from_m: [f64; 2]) -> [f64; 2] {
    let away = scale(finite(agent.to(from_m)), -1.0);
    let away = if away == ZERO { agent.forward() } else { unit(away) };
    agent.towards_velocity(scale(away, agent.max_speed_mps))
}

/// To a point and stop there (section "Arrival"): within `slowing_m`, metres, above 0, of it the
/// speed is proportional to the distance.
#[must_use]
pub fn arrival(agent: &Agent, target_m: [f64; 2], slowing_m: f64) -> [f64; 2] {
    let to = finite(agent.to(target_m));
    agent.towards_velocity(scale(to, agent.max_speed_mps / length(to).max(slowing_m)))
}

/// To where another body will be when it can be met (section "Pursuit"), at most `max_s` seconds
/// ahead, which also counts where it gets away.
#[must_use]
pub fn pursuit(agent: &Agent, quarry: &Body, max_s: f64) -> [f64; 2] {
    seek(agent, met_at(agent, quarry, max_s))
}

/// Away from where another body could meet this one (section "Evasion"), at most `max_s` seconds
/// ahead.
#[must_use]
pub fn evasion(agent: &Agent, pursuer: &Body, max_s: f64) -> [f64; 2] {
    flee(agent, met_at(agent, pursuer, max_s))
}

/// Beside another body (section "Offset Pursuit"): to the point `offset_m`, metres ahead of it and to
/// its left, which moves along with it; at most `max_s` seconds ahead. A body that stands has +x
/// ahead.
///
/// From afar it is the pursuit of that point. Where the point can be met within four times
/// [`Agent::response_s`], the wanted velocity is the other's plus the distance to the point divided by
/// that time, so that the point is reached without overshoot: with the response ρ and the time T, the
/// distance e of an agent whose acceleration suffices follows e'' + e' / ρ + e / (ρ T) = 0, which is
/// critically damped for T = 4 ρ.
#[must_use]
pub fn offset_pursuit(agent: &Agent, other: &Body, offset_m: [f64; 2], max_s: f64) -> [f64; 2] {
    let ahead = if other.velocity_mps == ZERO { [1.0, 0.0] } else { unit(finite(other.velocity_mps)) };
    let offset = add(scale(ahead, offset_m[0]), scale(left_of(ahead), offset_m[1]));
    let beside = Body { position_m: add(other.position_m, offset), ..*other };
    let settling_s = SETTLING * agent.response_s;
    let time = interception_time_s(agent.body.position_m, agent.max_speed_mps, &beside);
    if time.is_some_and(|time| time < settling_s) {
        let closing = scale(agent.to(beside.position_m), 1.0 / settling_s);
        return agent.towards_velocity(add(other.velocity_mps, closing));
    }
    pursuit(agent, &beside, max_s)
}

fn met_at(agent: &Agent, other: &Body, max_s: f64) -> [f64; 2] {
    let time = interception_time_s(agent.body.position_m, agent.max_speed_mps, other).unwrap_or(max_s).min(max_s);
    add(other.position_m, scale(other.velocity_mps, time))
}

/// The first time, s, at which one that starts at `from_m` and drives straight at `speed_mps` can
/// meet a body that keeps its velocity: the smaller positive root of |d + u t| = v t. `None` if it
/// gets away.
#[must_use]
pub fn interception_time_s(from_m: [f64; 2], speed_mps: f64, quarry: &Body) -> Option<f64> {
    let (d, u) = (subtract(quarry.position_m, from_m), quarry.velocity_mps);
    // a t² + 2 b t + c = 0, in the form that does not cancel.
    let (a, b, c) = (dot(u, u) - speed_mps * speed_mps, dot(d, u), dot(d, d));
    if c == 0.0 {
        return Some(0.0);
    }
    // Not a number where it gets away.
    let root = (b * b - a * c).sqrt();
    let q = -(b + root.copysign(b));
    let times = [c / q, q / a];
    let time = times.into_iter().filter(|time| time.is_finite() && *time >= 0.0).fold(f64::INFINITY, f64::min);
    time.is_finite().then_some(time)
}
