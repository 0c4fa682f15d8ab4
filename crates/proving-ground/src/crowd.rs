//! What a frame of a crowd costs: a flock whose agents look for their neighbours in a grid, and one
//! whose agents look at all.

use std::fmt::Write as _;
use std::time::Instant;

use raceline_follower::behaviours::{Agent, Body, Flock, NeighbourGrid};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Sizes of the crowds.
const COUNTS: [usize; 5] = [100, 1000, 2000, 5000, 10_000];
/// Above it, nobody looks at all: a frame would take seconds.
const LARGEST_OF_PAIRS: usize = 5000;
/// Ground of an agent, m².
const GROUND_M2: f64 = 16.0;
const FRAME_S: f64 = 1.0 / 60.0;
/// Frames that are measured, after as many that are not.
const FRAMES: usize = 30;

/// A crowd and its grid.
struct Crowd {
    agents: Vec<Agent>,
    bodies: Vec<Body>,
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
        Self { agents, bodies: Vec::with_capacity(count), grid: NeighbourGrid::new(count, flock.reach_m()), flock }
    }

    /// One frame; by the grid, the mean number of agents within reach, the agent's own too.
    fn step(&mut self, by_grid: bool) -> f64 {
        self.bodies.clear();
        self.bodies.extend(self.agents.iter().map(|agent| agent.body));
        self.grid.rebuild(&self.bodies);
        let mut neighbours = 0_usize;
        for number in self.grid.numbers() {
            let Some(agent) = self.agents.get_mut(number) else { continue };
            let wanted = if by_grid {
                let others = self.grid.near(agent.body.position_m, self.flock.reach_m());
                self.flock.acceleration(agent, others.map(|(_, other)| other).inspect(|_| neighbours += 1))
            } else {
                self.flock.acceleration(agent, &self.bodies)
            };
            agent.advance(wanted, FRAME_S);
        }
        neighbours as f64 / self.agents.len().max(1) as f64
    }
}

/// Milliseconds of a frame, and the mean number of neighbours in the last one.
fn measured(count: usize, by_grid: bool) -> (f64, f64) {
    let mut crowd = Crowd::new(count, 1);
    let frames = if by_grid { FRAMES } else { FRAMES / 10 };
    (0..frames).for_each(|_| {
        crowd.step(by_grid);
    });
    let begun = Instant::now();
    let neighbours = (0..frames).fold(0.0, |_, _| crowd.step(by_grid));
    (begun.elapsed().as_secs_f64() * 1e3 / frames as f64, neighbours)
}

/// The table, in Markdown.
#[must_use]
pub fn table() -> String {
    let mut text = "| agents | neighbours | ms a frame | µs an agent | all pairs, ms | times the grid |\n\
                    |--:|--:|--:|--:|--:|--:|\n"
        .to_owned();
    for count in COUNTS {
        let (grid_ms, neighbours) = measured(count, true);
        let pairs = (count <= LARGEST_OF_PAIRS).then(|| measured(count, false).0);
        let pairs =
            pairs.map_or(("-".to_owned(), "-".to_owned()), |ms| (format!("{ms:.2}"), format!("{:.0}", ms / grid_ms)));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {count} | {neighbours:.1} | {grid_ms:.2} | {:.2} | {} | {} |",
            grid_ms * 1e3 / count as f64,
            pairs.0,
            pairs.1
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_moves_alike_with_a_grid_and_with_all_pairs() {
        let (mut by_grid, mut by_pairs) = (Crowd::new(60, 2), Crowd::new(60, 2));
        for _ in 0..30 {
            by_grid.step(true);
            by_pairs.step(false);
        }
        for (a, b) in by_grid.agents.iter().zip(&by_pairs.agents) {
            let apart = [0, 1].map(|k| a.body.position_m[k] - b.body.position_m[k]);
            // Sums in another order.
            assert!(apart[0].hypot(apart[1]) < 1e-6, "{a:?} {b:?}");
        }
    }
}
