//! A flock: its three rules as one type, for one agent or for all of a frame.

use super::agent::Agent;
use super::flocking::{Neighbourhood, Sector, aligned, gathered, push, separated, sums};
use super::neighbour_grid::{LANES, NeighbourGrid, Window};
use super::vector::{Vector, ZERO, dot, subtract};
use crate::bodies::Body;

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
        let look = if is_same { LaneSums::of::<true> } else { LaneSums::of::<false> };
        for number in grid.numbers() {
            let (Some(agent), Some(wanted)) = (agents.get(number), wanted.get_mut(number)) else { continue };
            *wanted = self.blended(agent, look(agent, grid, reach, sectors).sums());
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

/// What the rules add up, lane by lane: pushes, vectors to the others, velocities, and how many they are.
#[derive(Default)]
struct LaneSums {
    pushes: [[f64; LANES]; 2],
    middles: [[f64; LANES]; 3],
    velocities: [[f64; LANES]; 3],
}

impl LaneSums {
    /// What an agent's rules add up of the others in a grid. With `SAME`, the last two sectors are equal.
    fn of<const SAME: bool>(agent: &Agent, grid: &NeighbourGrid, reach_m: f64, sectors: [Sector; 3]) -> Self {
        let (place, forward) = (agent.body.position_m, agent.forward());
        let mut sums = Self::default();
        for Window { slots, rows: [first, last] } in grid.windows(place, reach_m) {
            let count = slots.len();
            // Whole chunks, the last of which ends behind the window.
            let lanes = grid.lanes(slots.start..slots.end + LANES).map(|lane| lane.as_chunks::<LANES>().0);
            let [x, y, vx, vy, row] = lanes;
            let chunks = x.iter().zip(y).zip(vx).zip(vy).zip(row).take(count.div_ceil(LANES));
            for (n, ((((x, y), vx), vy), row)) in chunks.enumerate() {
                // Those who do not count are nowhere.
                let is_in = |k: usize| (n * LANES + k < count) & (first <= row[k]) & (row[k] <= last);
                let x = std::array::from_fn(|k| if is_in(k) { x[k] } else { f64::NAN });
                sums.add::<SAME>(place, forward, sectors, [&x, y, vx, vy]);
            }
        }
        if SAME {
            sums.velocities[2] = sums.middles[2];
        }
        sums
    }

    /// A chunk of others, without a branch, since whether one counts is as good as random.
    #[inline(always)]
    fn add<const SAME: bool>(
        &mut self,
        place: Vector,
        forward: Vector,
        [apart, together, alike]: [Sector; 3],
        [x, y, vx, vy]: [&[f64; LANES]; 4],
    ) {
        let alike = if SAME { together } else { alike };
        for k in 0..LANES {
            let to = subtract([x[k], y[k]], place);
            let (squared, along) = (dot(to, to), dot(to, forward));
            let counts = |sector: Sector, value: f64| if sector.has(squared, along) { value } else { 0.0 };
            let push = push(to, squared);
            self.pushes[0][k] += counts(apart, push[0]);
            self.pushes[1][k] += counts(apart, push[1]);
            self.middles[0][k] += counts(together, to[0]);
            self.middles[1][k] += counts(together, to[1]);
            self.middles[2][k] += counts(together, 1.0);
            self.velocities[0][k] += counts(alike, vx[k]);
            self.velocities[1][k] += counts(alike, vy[k]);
            if !SAME {
                self.velocities[2][k] += counts(alike, 1.0);
            }
        }
    }

    fn sums(&self) -> [(Vector, f64); 3] {
        let sum = |lanes: &[f64; LANES]| lanes.iter().sum();
        let [push_x, push_y] = self.pushes.each_ref().map(sum);
        let [x, y, count] = self.middles.each_ref().map(sum);
        let [vx, vy, alike] = self.velocities.each_ref().map(sum);
        [([push_x, push_y], 0.0), ([x, y], count), ([vx, vy], alike)]
    }
}
