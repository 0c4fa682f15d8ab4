//! Separation, cohesion and alignment: the three rules of a flock.

use super::agent::Agent;
use super::vector::{Vector, ZERO, add, dot, length, scale, unit};
use crate::bodies::Body;

/// Which others count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbourhood {
    /// Largest distance of the middles, metres, above 0; default 10.
    pub radius_m: f64,
    /// Largest angle from the agent's direction to either side, radians, 0 to π; default π: all
    /// around.
    pub view_rad: f64,
}

impl Default for Neighbourhood {
    fn default() -> Self {
        Self { radius_m: 10.0, view_rad: std::f64::consts::PI }
    }
}

impl Neighbourhood {
    /// The vectors to those that count, and themselves.
    fn of<'a>(&self, agent: &'a Agent, others: &'a [Body]) -> impl Iterator<Item = (Vector, &'a Body)> {
        let (radius, min_cosine) = (self.radius_m, self.view_rad.cos());
        others.iter().filter_map(move |other| {
            let to = agent.to(other.position_m);
            let seen = dot(unit(to), agent.forward()) >= min_cosine - 1e-12;
            // A middle on the agent's own has no direction.
            (to != ZERO && length(to) < radius && seen).then_some((to, other))
        })
    }
}

/// Away from the others (section "Separation"): each pushes with its direction divided by its
/// distance, in units of the neighbourhood's radius; at a tenth of it with `max_acceleration_mps2`.
#[must_use]
pub fn separation(agent: &Agent, others: &[Body], neighbourhood: &Neighbourhood) -> [f64; 2] {
    let push = neighbourhood.of(agent, others).fold(ZERO, |sum, (to, _)| add(sum, scale(to, -1.0 / dot(to, to))));
    agent.limited(scale(push, 0.1 * neighbourhood.radius_m * agent.max_acceleration_mps2))
}

/// To the middle of the others (section "Cohesion"), slower within the neighbourhood's radius of it.
/// `[0.0, 0.0]` if there are none.
#[must_use]
pub fn cohesion(agent: &Agent, others: &[Body], neighbourhood: &Neighbourhood) -> [f64; 2] {
    let sum = neighbourhood.of(agent, others).fold((ZERO, 0.0), |(sum, count), (to, _)| (add(sum, to), count + 1.0));
    mean(sum).map_or(ZERO, |to| super::arrival(agent, add(agent.body.position_m, to), neighbourhood.radius_m))
}

/// To the others' mean velocity (section "Alignment"). `[0.0, 0.0]` if there are none.
#[must_use]
pub fn alignment(agent: &Agent, others: &[Body], neighbourhood: &Neighbourhood) -> [f64; 2] {
    let sum = neighbourhood
        .of(agent, others)
        .fold((ZERO, 0.0), |(sum, count), (_, other)| (add(sum, other.velocity_mps), count + 1.0));
    mean(sum).map_or(ZERO, |velocity| agent.towards_velocity(velocity))
}

fn mean((sum, count): (Vector, f64)) -> Option<Vector> {
    (count > 0.0).then(|| scale(sum, 1.0 / count))
}
