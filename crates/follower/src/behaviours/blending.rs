//! One acceleration of several.

use super::agent::Agent;
use super::vector::{ZERO, add, dot, finite, length, scale, unit};

/// The sum of accelerations, each times its weight, at most the agent's largest (section "Combining
/// Behaviors"). Behaviours that contradict each other cancel: use [`blend_by_priority`] for those
/// that must win.
#[must_use]
pub fn blend_weighted(agent: &Agent, wanted_mps2: &[(f64, [f64; 2])]) -> [f64; 2] {
    agent.limited(wanted_mps2.iter().fold(ZERO, |sum, (weight, wanted)| add(sum, finite(scale(*wanted, *weight)))))
}

/// The accelerations in their order, each as far as those before it leave something of the agent's
/// largest acceleration: the last one is shortened, later ones have nothing. What one would take back
/// of those before it is left out, so that seeking a target does not undo an avoidance. One that is
/// zero takes nothing, so that with all-or-nothing behaviours it is Reynolds' blending by priority.
#[must_use]
pub fn blend_by_priority(agent: &Agent, wanted_mps2: &[[f64; 2]]) -> [f64; 2] {
    let limit = agent.max_acceleration_mps2;
    let mut sum = ZERO;
    for wanted in wanted_mps2 {
        let wanted = finite(*wanted);
        let before = unit(sum);
        let wanted = add(wanted, scale(before, -dot(wanted, before).min(0.0)));
        let whole = add(sum, wanted);
        if length(whole) <= limit {
            sum = whole;
            continue;
        }
        // The largest fraction t of it with |sum + t wanted| = limit.
        let (a, b, c) = (dot(wanted, wanted), dot(sum, wanted), dot(sum, sum) - limit * limit);
        let fraction = if a > 0.0 { ((b * b - a * c).max(0.0).sqrt() - b) / a } else { 0.0 };
        return agent.limited(add(sum, scale(wanted, fraction.clamp(0.0, 1.0))));
    }
    sum
}
