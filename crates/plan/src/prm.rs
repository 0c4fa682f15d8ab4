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

impl Sampling {
    /// A random place.
    pub fn sample(self, sampler: &mut Sampler) -> Point {
        match self {
            Self::Uniform => sampler.sample(),
            Self::Gaussian => gaussian::sample(sampler),
        }
    }
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
                samples.push(self.0.sample(&mut sampler));
            }
            let joined = joined_to_nearest(space, &samples);
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
pub(super) fn joined_to_nearest(space: &FreeSpace, samples: &[Point]) -> Vec<Vec<usize>> {
    let mut joined = vec![Vec::new(); samples.len()];
    for (index, &sample) in samples.iter().enumerate() {
        for other in nearest_seen(space, samples, sample, Some(index)) {
            joined[index].push(other);
            joined[other].push(index);
        }
    }
    for list in &mut joined {
        list.sort_unstable();
        list.dedup();
    }
    joined
}

/// Which of the nearest samples a place sees; `own` is its own number.
pub(super) fn nearest_seen(space: &FreeSpace, samples: &[Point], place: Point, own: Option<usize>) -> Vec<usize> {
    let others = samples.iter().enumerate().filter(|&(other, _)| Some(other) != own);
    let mut nearest: Vec<(f64, usize)> = others.map(|(other, point)| ((point - place).norm_squared(), other)).collect();
    let kept = NEIGHBOURS.min(nearest.len());
    if kept == 0 {
        return Vec::new();
    }
    nearest.select_nth_unstable_by(kept - 1, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let kept = nearest[..kept].iter().map(|&(_, other)| other);
    kept.filter(|&other| space.is_clear(place, samples[other])).collect()
}
