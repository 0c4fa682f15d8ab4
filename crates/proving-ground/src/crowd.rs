//! What a frame of a crowd costs: a flock that steps all of its agents, agents that each look for their
//! neighbours in a grid, and agents that look at all.

use std::fmt::Write as _;
use std::time::Instant;

use raceline_follower::behaviours::{Agent, Body, Flock, NeighbourGrid};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Sizes of the crowds.
const COUNTS: [usize; 5] = [100, 1000, 1024, 5000, 10_000];
/// Ground of an agent, m².
const GROUND_M2: f64 = 16.0;
const FRAME_S: f64 = 1.0 / 60.0;
/// Frames that are measured of each search, but for those of all pairs of many agents; the median counts.
const FRAMES: usize = 60;
const FRAMES_OF_PAIRS: usize = 5;

/// How the neighbours are found.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Neighbours {
    /// By [`Flock::step`].
    Flock,
    /// By the grid, for each agent anew.
    Grid,
    /// Not at all: each looks at all.
    Pairs,
}

/// A crowd and its grid.
struct Crowd {
    agents: Vec<Agent>,
    bodies: Vec<Body>,
    wanted: Vec<[f64; 2]>,
    grid: NeighbourGrid,
    flock: Flock,
}

impl Crowd {
    fn new(count: usize, seed: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let side = (count as f64 * GROUND_M2).sqrt();
        let mut agents = vec![Agent { max_speed_mps: 3.0, ..Agent::default() }; count];
        for agent in &mut agents {
            agent.body.position_m = [side * random.random::<f64>(), side * random.random::<f64>()];
            agent.body.velocity_mps = [2.0 * random.random::<f64>() - 1.0, 2.0 * random.random::<f64>() - 1.0];
        }
        let flock = Flock::default();
        let grid = NeighbourGrid::new(count, flock.reach_m());
        Self { agents, bodies: Vec::with_capacity(count), wanted: Vec::with_capacity(count), grid, flock }
    }

    /// One frame; all agents see each other where they are at its beginning.
    fn step(&mut self, by: Neighbours) {
        let Self { agents, bodies, wanted, grid, flock } = self;
        if by == Neighbours::Flock {
            return flock.step(agents, grid, FRAME_S);
        }
        bodies.clear();
        bodies.extend(agents.iter().map(|agent| agent.body));
        grid.rebuild(bodies);
        wanted.resize(agents.len(), [0.0; 2]);
        for number in grid.numbers() {
            let agent = &agents[number];
            wanted[number] = if by == Neighbours::Grid {
                let others = grid.near(agent.body.position_m, flock.reach_m());
                flock.acceleration(agent, others.map(|(_, other)| other))
            } else {
                flock.acceleration(agent, &*bodies)
            };
        }
        agents.iter_mut().zip(wanted).for_each(|(agent, wanted)| agent.advance(*wanted, FRAME_S));
    }

    /// The mean number of others within reach of an agent.
    fn neighbours(&mut self) -> f64 {
        self.step(Neighbours::Grid);
        let near = |body: &Body| self.grid.near(body.position_m, self.flock.reach_m()).count() - 1;
        self.bodies.iter().map(near).sum::<usize>() as f64 / self.bodies.len() as f64
    }
}

/// Milliseconds of a frame by each search, the median, and the mean number of neighbours. The frames of the
/// alternate, so that what else the machine does slows all of them.
fn measured(count: usize) -> ([f64; 3], f64) {
    let searches = [Neighbours::Flock, Neighbours::Grid, Neighbours::Pairs];
    let mut crowds = searches.map(|_| Crowd::new(count, 1));
    let mut times = [const { Vec::new() }; 3];
    for frame in 0..FRAMES {
        for ((by, crowd), times) in searches.into_iter().zip(&mut crowds).zip(&mut times) {
            // All pairs of many agents take seconds.
            if by == Neighbours::Pairs && frame >= FRAMES_OF_PAIRS && count > COUNTS[0] {
                continue;
            }
            let begun = Instant::now();
            crowd.step(by);
            times.push(begun.elapsed().as_secs_f64() * 1e3);
        }
    }
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    (times.map(median), crowds[0].neighbours())
}

/// The table, in Markdown.
#[must_use]
pub fn table() -> String {
    let mut text =
        "| agents | neighbours | flock, ms a frame | µs an agent | grid, ms | times the flock | all pairs, ms | \
                    times the flock |\n|--:|--:|--:|--:|--:|--:|--:|--:|\n"
            .to_owned();
    for count in COUNTS {
        let ([flock_ms, grid_ms, pairs_ms], neighbours) = measured(count);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {count} | {neighbours:.1} | {flock_ms:.3} | {:.2} | {grid_ms:.3} | {:.1} | {pairs_ms:.2} | {:.1} |",
            flock_ms * 1e3 / count as f64,
            grid_ms / flock_ms,
            pairs_ms / flock_ms
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_moves_alike_however_its_neighbours_are_found() {
        let [mut flock, mut grid, mut pairs] = [(); 3].map(|()| Crowd::new(60, 2));
        for _ in 0..30 {
            flock.step(Neighbours::Flock);
            grid.step(Neighbours::Grid);
            pairs.step(Neighbours::Pairs);
        }
        for ((a, b), c) in flock.agents.iter().zip(&grid.agents).zip(&pairs.agents) {
            for other in [b, c] {
                let apart = [0, 1].map(|k| a.body.position_m[k] - other.body.position_m[k]);
                // Sums in another order.
                assert!(apart[0].hypot(apart[1]) < 1e-6, "{a:?} {other:?}");
            }
        }
        assert!(flock.neighbours() > 5.0);
    }
}
