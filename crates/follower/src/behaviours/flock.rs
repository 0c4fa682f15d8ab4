//! A flock: its three rules as one type, for one agent or for all of a frame.

use super::agent::Agent;
use super::flocking::{Neighbourhood, Sector, aligned, gathered, push, separated, sums};
use super::neighbour_grid::{LANES, NeighbourGrid, Window};
use super::vector::{Vector, ZERO};
use crate::bodies::Body;

/// Agents of a batch are so near one another along their row, in reaches: with more, batches are fuller, and look at
/// more others in vain.
const BATCH_REACHES: f64 = 0.5;

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
        let near = self.neighbourhoods();
        let sums = sums(agent, others, near, |rule, to, squared, other| match rule {
            0 => push(to, squared),
            1 => to,
            _ => other.velocity_mps,
        });
        self.blended(agent, sums)
    }

    /// The accelerations of all agents, m/s², in their order: each one's among the others, found by `grid`,
    /// which forgets what was in it. They are in the grid's memory until it is changed.
    ///
    /// They are those of [`Self::acceleration`] but for the rounding of sums in another order. After a
    /// frame with as many agents, a frame allocates nothing. A grid for [`Self::reach_m`] is the fastest.
    pub fn accelerations<'a>(&self, agents: &[Agent], grid: &'a mut NeighbourGrid) -> &'a [[f64; 2]] {
        grid.rebuild_of(agents.iter().map(|agent| agent.body));
        let mut wanted = std::mem::take(&mut grid.wanted_mps2);
        wanted.clear();
        wanted.resize(agents.len(), ZERO);
        let (sectors, reach) = (self.neighbourhoods().map(Sector::new), self.reach_m());
        // As a rule, the agents whose middle is sought are those whose velocity is taken: one test less.
        let is_same = self.cohesion.neighbourhood == self.alignment.neighbourhood;
        let look = if is_same { Batch::sums::<true> } else { Batch::sums::<false> };
        for numbers in grid.batches(BATCH_REACHES * reach) {
            let batch = Batch::of(agents, numbers);
            let sums = look(&batch, grid, reach, sectors);
            for (k, &number) in numbers.iter().enumerate().take(batch.count) {
                if let (Some(agent), Some(wanted)) = (agents.get(number as usize), wanted.get_mut(number as usize)) {
                    *wanted = self.blended(agent, sums.of(k));
                }
            }
        }
        grid.wanted_mps2 = wanted;
        &grid.wanted_mps2
    }

    /// Moves all agents for `dt_s` seconds, 0 or more, by [`Self::accelerations`]: each by what it sees at
    /// the beginning of the frame, so that their order does not matter.
    ///
    /// ```
    /// use raceline_follower::behaviours::{Agent, Flock, NeighbourGrid};
    ///
    /// let mut agents = [Agent::default(), Agent::default()];
    /// agents[1].body.position_m = [1.0, 0.0];
    /// let flock = Flock::default();
    /// let mut grid = NeighbourGrid::new(agents.len(), flock.reach_m());
    /// flock.step(&mut agents, &mut grid, 1.0 / 60.0);
    /// // Apart.
    /// assert!(agents[0].body.velocity_mps[0] < 0.0 && agents[1].body.velocity_mps[0] > 0.0);
    /// ```
    pub fn step(&self, agents: &mut [Agent], grid: &mut NeighbourGrid, dt_s: f64) {
        let wanted = self.accelerations(agents, grid);
        agents.iter_mut().zip(wanted).for_each(|(agent, wanted)| agent.advance(*wanted, dt_s));
    }

    fn neighbourhoods(&self) -> [&Neighbourhood; 3] {
        [&self.separation, &self.cohesion, &self.alignment].map(|rule| &rule.neighbourhood)
    }

    /// Of each rule's sum and number of others.
    fn blended(&self, agent: &Agent, [pushes, middles, velocities]: [(Vector, f64); 3]) -> [f64; 2] {
        let [apart, together, _] = self.neighbourhoods();
        let wanted = [
            (self.separation.weight, separated(agent, pushes, apart)),
            (self.cohesion.weight, gathered(agent, middles, together)),
            (self.alignment.weight, aligned(agent, velocities)),
        ];
        super::blend_weighted(agent, &wanted)
    }

    /// The largest distance at which another counts, metres: the radius to look for others within.
    #[must_use]
    pub fn reach_m(&self) -> f64 {
        self.neighbourhoods().into_iter().map(|near| near.radius_m).fold(0.0, f64::max)
    }
}

/// Agents that are near one another in a row of the grid, whose others are looked for together.
struct Batch {
    /// Numbers of the agents in their slots.
    count: usize,
    /// Places, m, and directions; not a number for agents that are not there.
    place: [[f64; LANES]; 2],
    forward: [[f64; LANES]; 2],
}

/// What the rules add up for each agent of a batch: pushes, vectors to the others, velocities, and how many they are.
#[derive(Default)]
struct BatchSums {
    pushes: [[f64; LANES]; 2],
    middles: [[f64; LANES]; 3],
    velocities: [[f64; LANES]; 3],
}

impl Batch {
    fn of(agents: &[Agent], numbers: &[u32]) -> Self {
        let mut batch = Self { count: numbers.len(), place: [[f64::NAN; LANES]; 2], forward: [[f64::NAN; LANES]; 2] };
        for (k, agent) in numbers.iter().filter_map(|&number| agents.get(number as usize)).enumerate().take(LANES) {
            let ([x, y], [ahead_x, ahead_y]) = (agent.body.position_m, agent.forward());
            (batch.place[0][k], batch.place[1][k]) = (x, y);
            (batch.forward[0][k], batch.forward[1][k]) = (ahead_x, ahead_y);
        }
        batch
    }

    /// What the rules add up of the others in a grid. With `SAME`, the last two sectors are equal.
    fn sums<const SAME: bool>(&self, grid: &NeighbourGrid, reach_m: f64, sectors: [Sector; 3]) -> BatchSums {
        let bound = |join: fn(f64, f64) -> f64| self.place.map(|of| of.into_iter().reduce(join).unwrap_or(f64::NAN));
        let mut sums = BatchSums::default();
        for Window { slots, rows: [first, last] } in grid.windows_about(bound(f64::min), bound(f64::max), reach_m) {
            let [x, y, vx, vy, row] = grid.lanes(slots);
            for ((((&x, &y), &vx), &vy), &row) in x.iter().zip(y).zip(vx).zip(vy).zip(row) {
                if first <= row && row <= last {
                    sums.add::<SAME>(self, sectors, [x, y], [vx, vy]);
                }
            }
        }
        if SAME {
            sums.velocities[2] = sums.middles[2];
        }
        sums
    }
}

impl BatchSums {
    /// One other, without a branch for each agent, since whether it counts is as good as random.
    #[inline(always)]
    fn add<const SAME: bool>(
        &mut self,
        of: &Batch,
        [apart, together, alike]: [Sector; 3],
        at: Vector,
        velocity: Vector,
    ) {
        let alike = if SAME { together } else { alike };
        let (mut x, mut y) = ([0.0; LANES], [0.0; LANES]);
        let (mut squared, mut along) = ([0.0; LANES], [0.0; LANES]);
        for k in 0..LANES {
            x[k] = at[0] - of.place[0][k];
            y[k] = at[1] - of.place[1][k];
            squared[k] = x[k] * x[k] + y[k] * y[k];
            along[k] = x[k] * of.forward[0][k] + y[k] * of.forward[1][k];
        }
        for k in 0..LANES {
            let counts = |sector: Sector, value: f64| if sector.has(squared[k], along[k]) { value } else { 0.0 };
            self.middles[0][k] += counts(together, x[k]);
            self.middles[1][k] += counts(together, y[k]);
            self.middles[2][k] += counts(together, 1.0);
            self.velocities[0][k] += counts(alike, velocity[0]);
            self.velocities[1][k] += counts(alike, velocity[1]);
            if !SAME {
                self.velocities[2][k] += counts(alike, 1.0);
            }
        }
        // Few are so near, and a quotient takes long.
        if squared.iter().fold(false, |any, &squared| any | apart.reaches(squared)) {
            for k in 0..LANES {
                let push = push([x[k], y[k]], squared[k]);
                let counts = apart.has(squared[k], along[k]);
                self.pushes[0][k] += if counts { push[0] } else { 0.0 };
                self.pushes[1][k] += if counts { push[1] } else { 0.0 };
            }
        }
    }

    /// For each rule, its sum and the number of others, for one agent of the batch.
    fn of(&self, k: usize) -> [(Vector, f64); 3] {
        let [push_x, push_y] = self.pushes.map(|of| of[k]);
        let [x, y, count] = self.middles.map(|of| of[k]);
        let [vx, vy, alike] = self.velocities.map(|of| of[k]);
        [([push_x, push_y], 0.0), ([x, y], count), ([vx, vy], alike)]
    }
}
