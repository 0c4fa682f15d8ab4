//! Separation, cohesion and alignment: the three rules of a flock.

use super::agent::Agent;
use super::vector::{Vector, ZERO, add, dot, scale};
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
        let (seen, forward) = (Seen::by(self), agent.forward());
        others.iter().filter_map(move |other| {
            let to = agent.to(other.position_m);
            let squared = dot(to, to);
            seen.has(squared, dot(to, forward) / squared.sqrt()).then_some((to, other))
        })
    }
}

/// A neighbourhood's limits in the form that is compared.
#[derive(Clone, Copy)]
struct Seen {
    squared_m2: f64,
    min_cosine: f64,
}

impl Seen {
    fn by(neighbourhood: &Neighbourhood) -> Self {
        // With a little room, so that π is all around.
        let min_cosine = neighbourhood.view_rad.cos() - 1e-12;
        Self { squared_m2: neighbourhood.radius_m * neighbourhood.radius_m, min_cosine }
    }

    /// Whether one counts at a squared distance, m², in a direction whose angle to the agent's has this
    /// cosine. A middle on the agent's own has no direction, so that its cosine is no number.
    fn has(&self, squared_m2: f64, cosine: f64) -> bool {
        squared_m2 < self.squared_m2 && cosine >= self.min_cosine
    }
}

/// Away from the others (section "Separation"): each pushes with its direction divided by its
/// distance, in units of the neighbourhood's radius; at a tenth of it with `max_acceleration_mps2`.
#[must_use]
pub fn separation(agent: &Agent, others: &[Body], neighbourhood: &Neighbourhood) -> [f64; 2] {
    let push = neighbourhood.of(agent, others).fold(ZERO, |sum, (to, _)| add(sum, scale(to, -1.0 / dot(to, to))));
    separated(agent, push, neighbourhood)
}

/// To the middle of the others (section "Cohesion"), slower within the neighbourhood's radius of it.
/// `[0.0, 0.0]` if there are none.
#[must_use]
pub fn cohesion(agent: &Agent, others: &[Body], neighbourhood: &Neighbourhood) -> [f64; 2] {
    let sum = neighbourhood.of(agent, others).fold((ZERO, 0.0), |(sum, count), (to, _)| (add(sum, to), count + 1.0));
    gathered(agent, sum, neighbourhood)
}

/// To the others' mean velocity (section "Alignment"). `[0.0, 0.0]` if there are none.
#[must_use]
pub fn alignment(agent: &Agent, others: &[Body], neighbourhood: &Neighbourhood) -> [f64; 2] {
    let sum = neighbourhood
        .of(agent, others)
        .fold((ZERO, 0.0), |(sum, count), (_, other)| (add(sum, other.velocity_mps), count + 1.0));
    aligned(agent, sum)
}

fn separated(agent: &Agent, push: Vector, neighbourhood: &Neighbourhood) -> Vector {
    agent.limited(scale(push, 0.1 * neighbourhood.radius_m * agent.max_acceleration_mps2))
}

fn gathered(agent: &Agent, sum: (Vector, f64), neighbourhood: &Neighbourhood) -> Vector {
    mean(sum).map_or(ZERO, |to| super::arrival(agent, add(agent.body.position_m, to), neighbourhood.radius_m))
}

fn aligned(agent: &Agent, sum: (Vector, f64)) -> Vector {
    mean(sum).map_or(ZERO, |velocity| agent.towards_velocity(velocity))
}

/// One rule of a [`Flock`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlockRule {
    /// Factor of the rule's acceleration, 0 or more.
    pub weight: f64,
    /// Which others count.
    pub neighbourhood: Neighbourhood,
}

/// The three rules of a flock, each with its weight, distance and angle (section "Flocking").
///
/// ```
/// use raceline_follower::behaviours::{Agent, Body, Flock};
///
/// let flock = Flock::default();
/// let others = [Body { position_m: [3.0, 0.0], velocity_mps: [0.0, 2.0], radius_m: 0.5 }];
/// let wanted = flock.acceleration(&Agent::default(), &others);
/// assert!(wanted[1] > 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flock {
    /// Away from those that are very near; default weight 1.5 within 3 m.
    pub separation: FlockRule,
    /// To the middle of the others; default weight 1 within 10 m, 2.4 rad to either side.
    pub cohesion: FlockRule,
    /// To their mean velocity; default weight 1 within 10 m, 2.4 rad to either side.
    pub alignment: FlockRule,
}

impl Default for Flock {
    fn default() -> Self {
        let rule =
            |weight, radius_m, view_rad| FlockRule { weight, neighbourhood: Neighbourhood { radius_m, view_rad } };
        let ahead = rule(1.0, 10.0, 2.4);
        Self { separation: rule(1.5, 3.0, std::f64::consts::PI), cohesion: ahead, alignment: ahead }
    }
}

impl Flock {
    /// The weighted sum of the three accelerations, m/s², in one pass over the others.
    #[must_use]
    pub fn acceleration<'a>(&self, agent: &Agent, others: impl IntoIterator<Item = &'a Body>) -> [f64; 2] {
        let forward = agent.forward();
        let rules = [&self.separation, &self.cohesion, &self.alignment].map(|rule| Seen::by(&rule.neighbourhood));
        let (mut push, mut middle, mut velocity) = (ZERO, (ZERO, 0.0), (ZERO, 0.0));
        others.into_iter().for_each(|other| {
            let to = agent.to(other.position_m);
            let squared = dot(to, to);
            let cosine = dot(to, forward) / squared.sqrt();
            if rules[0].has(squared, cosine) {
                push = add(push, scale(to, -1.0 / squared));
            }
            if rules[1].has(squared, cosine) {
                middle = (add(middle.0, to), middle.1 + 1.0);
            }
            if rules[2].has(squared, cosine) {
                velocity = (add(velocity.0, other.velocity_mps), velocity.1 + 1.0);
            }
        });
        let wanted = [
            (self.separation.weight, separated(agent, push, &self.separation.neighbourhood)),
            (self.cohesion.weight, gathered(agent, middle, &self.cohesion.neighbourhood)),
            (self.alignment.weight, aligned(agent, velocity)),
        ];
        super::blend_weighted(agent, &wanted)
    }

    /// The largest distance at which another counts, metres: the radius to look for others within.
    #[must_use]
    pub fn reach_m(&self) -> f64 {
        let radii = [&self.separation, &self.cohesion, &self.alignment].map(|rule| rule.neighbourhood.radius_m);
        radii.into_iter().fold(0.0, f64::max)
    }
}

fn mean((sum, count): (Vector, f64)) -> Option<Vector> {
    (count > 0.0).then(|| scale(sum, 1.0 / count))
}
