//! The probabilistic roadmap of L. Kavraki, P. Švestka, J.-C. Latombe and M. Overmars,
//! "Probabilistic roadmaps for path planning in high-dimensional configuration spaces" (1996).
//!
//! Deviation: the map is planned on once, so the roadmap grows until it joins the two ends.

use pathfinding::directed::astar::astar;

use super::sampler::Sampler;
use super::search::{Planner, Query, Search, Status};
use super::{FreeSpace, gaussian};
use raceline_road::geometry::Point;

/// Number of samples of the first roadmap and of the largest; each has twice as many as the last.
/// More find a shorter path, at a cost in proportion.
const FIRST_SAMPLES: usize = 400;
const MAX_SAMPLES: usize = 6400;
/// Each sample is joined to so many of its nearest ones. More find shorter paths, and each is
/// tested.
const NEIGHBOURS: usize = 12;

/// Where the points of a roadmap are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sampling {
    /// Anywhere with room.
    Uniform,
    /// With room, near places that have none.
    Gaussian,
}

/// Probabilistic roadmap.
pub(super) struct Prm(pub Sampling);

impl Planner for Prm {
    fn search(&self, query: &Query) -> Search {
        let Query { space, from, to, seed, .. } = *query;
        let mut sampler = Sampler::new(space, seed);
        let mut samples = vec![from, to];
        let mut count = FIRST_SAMPLES;
        while count <= MAX_SAMPLES {
            while samples.len() < count {
                samples.push(match self.0 {
                    Sampling::Uniform => sampler.sample(),
                    Sampling::Gaussian => gaussian::sample(&mut sampler),
                });
            }
            let joined = roadmap(space, &samples);
            let cost = |a: usize, b: usize| ((samples[b] - samples[a]).norm() * 1e6) as u64;
            let found = astar(
                &0,
                |&node| joined[node].iter().map(|&next| (next, cost(node, next))).collect::<Vec<_>>(),
                |&node| cost(node, 1),
                |&node| node == 1,
            );
            if let Some((nodes, cost)) = found {
                let path = nodes.into_iter().map(|node| samples[node]).collect();
                return Search::found(path, cost as f64 * 1e-6, samples);
            }
            count *= 2;
        }
        Search::without_path(Status::GaveUp, samples)
    }
}

/// Which samples each is joined to, in both directions.
fn roadmap(space: &FreeSpace, samples: &[Point]) -> Vec<Vec<usize>> {
    let mut joined = vec![Vec::new(); samples.len()];
    let mut nearest: Vec<(f64, usize)> = Vec::new();
    for (index, &sample) in samples.iter().enumerate() {
        nearest.clear();
        let others = samples.iter().enumerate().filter(|&(other, _)| other != index);
        nearest.extend(others.map(|(other, point)| ((point - sample).norm_squared(), other)));
        let kept = NEIGHBOURS.min(nearest.len());
        if kept == 0 {
            continue;
        }
        nearest.select_nth_unstable_by(kept - 1, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for &(_, other) in &nearest[..kept] {
            if space.is_clear(sample, samples[other]) {
                joined[index].push(other);
                joined[other].push(index);
            }
        }
    }
    for list in &mut joined {
        list.sort_unstable();
        list.dedup();
    }
    joined
}
