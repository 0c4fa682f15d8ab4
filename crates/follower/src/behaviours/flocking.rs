//! Separation, cohesion and alignment: the three rules of a flock.

use super::agent::Agent;
use super::vector::{Vector, ZERO, add, dot, scale};
use crate::bodies::Body;
use raceline_numerics::math;

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

/// The limits of a [`Neighbourhood`], by which no square root is needed for each other agent.
#[derive(Clone, Copy)]
pub(super) struct Sector {
    max_squared: f64,
    /// Smallest cosine, squared, with its sign; with a little room so that π is all around.
    min_square: f64,
}

impl Sector {
    pub(super) fn new(of: &Neighbourhood) -> Self {
        let min_cosine = math::cos(of.view_rad) - 1e-12;
        Self { max_squared: of.radius_m * of.radius_m, min_square: min_cosine * min_cosine.abs() }
    }

    /// Whether so near, `squared` being the squared distance, others may count.
    pub(super) fn reaches(self, squared: f64) -> bool {
        squared < self.max_squared
    }

    /// Whether another agent counts: `squared` is its squared distance, `along` the part of its
    /// distance in the agent's direction. along / distance is the cosine, and the squares of cosines
    /// with their signs have the order of the cosines. An agent at the same place has no direction and
    /// does not count.
    pub(super) fn has(self, squared: f64, along: f64) -> bool {
        // Without `&&`, which may branch.
        (0.0 < squared) & (squared < self.max_squared) & (along * along.abs() >= self.min_square * squared)
    }
}

/// For each rule, the sum over the others that count, and their number. `value` gives what a rule, by
/// its place in `near`, adds up of another: from the vector to it, its square, and itself.
pub(super) fn sums<'a, const N: usize>(
    agent: &Agent,
    others: impl IntoIterator<Item = &'a Body>,
    near: [&Neighbourhood; N],
    value: impl Fn(usize, Vector, f64, &Body) -> Vector,
) -> [(Vector, f64); N] {
    let forward = agent.forward();
    let sectors = near.map(Sector::new);
    let mut sums = [(ZERO, 0.0); N];
    others.into_iter().for_each(|other| {
        let to = agent.to(other.position_m);
        let (squared, along) = (dot(to, to), dot(to, forward));
        for (rule, (sum, sector)) in sums.iter_mut().zip(sectors).enumerate() {
            if sector.has(squared, along) {
                *sum = (add(sum.0, value(rule, to, squared, other)), sum.1 + 1.0);
            }
        }
    });
    sums
}

/// The push of a neighbour: away from it, by its distance.
pub(super) fn push(to: Vector, squared: f64) -> Vector {
    scale(to, -1.0 / squared)
}

/// Away from the others (section "Separation"): each pushes with its direction divided by its
/// distance, in units of the neighbourhood's radius; at a tenth of it with `max_acceleration_mps2`.
#[must_use]
pub fn separation(agent: &Agent, others: &[Body], neighbourhood: &Neighbourhood) -> [f64; 2] {
    let [sum] = sums(agent, others, [neighbourhood], |_, to, squared, _| push(to, squared));
    separated(agent, sum, neighbourhood)
}

/// To the middle of the others (section "Cohesion"), slower within the neighbourhood's radius of it.
/// `[0.0, 0.0]` if there are none.
#[must_use]
pub fn cohesion(agent: &Agent, others: &[Body], neighbourhood: &Neighbourhood) -> [f64; 2] {
    let [sum] = sums(agent, others, [neighbourhood], |_, to, _, _| to);
    gathered(agent, sum, neighbourhood)
}

/// To the others' mean velocity (section "Alignment"). `[0.0, 0.0]` if there are none.
#[must_use]
pub fn alignment(agent: &Agent, others: &[Body], neighbourhood: &Neighbourhood) -> [f64; 2] {
    let [sum] = sums(agent, others, [neighbourhood], |_, _, _, other| other.velocity_mps);
    aligned(agent, sum)
}

pub(super) fn separated(agent: &Agent, sum: (Vector, f64), neighbourhood: &Neighbourhood) -> Vector {
    agent.limited(scale(sum.0, 0.1 * neighbourhood.radius_m * agent.max_acceleration_mps2))
}

pub(super) fn gathered(agent: &Agent, sum: (Vector, f64), neighbourhood: &Neighbourhood) -> Vector {
    mean(sum).map_or(ZERO, |to| super::arrival(agent, add(agent.body.position_m, to), neighbourhood.radius_m))
}

pub(super) fn aligned(agent: &Agent, sum: (Vector, f64)) -> Vector {
    mean(sum).map_or(ZERO, |velocity| agent.towards_velocity(velocity))
}

fn mean((sum, count): (Vector, f64)) -> Option<Vector> {
    (count > 0.0).then(|| scale(sum, 1.0 / count))
}
