//! The visibility-based roadmap of T. Siméon, J.-P. Laumond and C. Nissoux, "Visibility-based
//! probabilistic roadmaps for motion planning", Advanced Robotics 14 (2000), section 3.
//!
//! A sample is kept only if no guard sees it, as a new guard, or if guards of several components see
//! it, as their connector. So the roadmap has a few nodes where that of [`Prm`](super::prm::Prm) has
//! hundreds, but its paths are no shorter than they must be to join the guards.
//!
//! Deviations: the two ends are the first guards, and the search ends when they are joined.

use pathfinding::directed::astar::astar;

use super::sampler::Sampler;
use super::search::{Planner, Query, Search, Status};
use raceline_road::geometry::Point;

/// The search gives up after so many samples in a row that add nothing.
const MAX_REFUSED: usize = 20_000;

/// Visibility-based probabilistic roadmap.
pub(super) struct VisibilityPrm;

impl Planner for VisibilityPrm {
    fn search(&self, query: &Query) -> Search {
        let Query { space, from, to, seed, .. } = *query;
        let mut sampler = Sampler::new(space, seed);
        let mut map = Roadmap { places: vec![from, to], component: vec![0, 1], joined: vec![Vec::new(); 2] };
        let mut guards = vec![0, 1];
        if space.is_clear(from, to) {
            map.join(0, 1);
        }
        let mut refused = 0;
        while map.component[0] != map.component[1] {
            if refused == MAX_REFUSED {
                return Search::without_path(Status::GaveUp, map.places);
            }
            let sample = sampler.sample();
            // The first guard of each component that sees the sample.
            let mut seen: Vec<usize> = Vec::new();
            for &guard in &guards {
                let is_new = seen.iter().all(|&other| map.component[other] != map.component[guard]);
                if is_new && space.is_clear(map.places[guard], sample) {
                    seen.push(guard);
                }
            }
            refused += 1;
            if seen.len() == 1 {
                continue;
            }
            refused = 0;
            let node = map.add(sample);
            if seen.is_empty() {
                guards.push(node);
            }
            for guard in seen {
                map.join(guard, node);
            }
        }
        let cost = |a: usize, b: usize| ((map.places[b] - map.places[a]).norm() * 1e6) as u64;
        let found = astar(
            &0,
            |&node| map.joined[node].iter().map(|&next| (next, cost(node, next))).collect::<Vec<_>>(),
            |&node| cost(node, 1),
            |&node| node == 1,
        );
        match found {
            Some((nodes, cost)) => {
                let path = nodes.into_iter().map(|node| map.places[node]).collect();
                Search::found(path, cost as f64 * 1e-6, map.places)
            }
            None => Search::without_path(Status::GaveUp, map.places),
        }
    }
}

/// Guards and connectors.
struct Roadmap {
    /// Places of the guards and connectors, metres.
    places: Vec<Point>,
    /// The component of each.
    component: Vec<usize>,
    /// The guards and connectors that each is joined to, in both directions.
    joined: Vec<Vec<usize>>,
}

impl Roadmap {
    /// Adds a node in a component of its own.
    fn add(&mut self, place: Point) -> usize {
        let node = self.places.len();
        self.places.push(place);
        self.component.push(node);
        self.joined.push(Vec::new());
        node
    }

    /// Joins two nodes and their components.
    fn join(&mut self, a: usize, b: usize) {
        self.joined[a].push(b);
        self.joined[b].push(a);
        let (kept, merged) = (self.component[a], self.component[b]);
        self.component.iter_mut().filter(|component| **component == merged).for_each(|component| *component = kept);
    }
}
