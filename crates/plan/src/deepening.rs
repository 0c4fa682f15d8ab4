//! Iterative deepening A* on an implicit graph, with a transposition table of bounded size.
//!
//! R. Korf, "Depth-first iterative-deepening: an optimal admissible tree search" (1985), with a table
//! against paths that meet again: A. Reinefeld and T. Marsland, "Enhanced iterative-deepening search"
//! (1994), section III. Deviation: the table keeps the cost at which a node was reached in the present
//! round, in place of a bound on what is left, which cycles would falsify. A node that is reached again in
//! the same round at no lower cost is left out: what could be found behind it, the first visit has found or
//! is about to find.
//!
//! Each node has one place in the table, where it replaces another. A small table costs time; the path is
//! the same whatever its size.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Limits of a search by iterative deepening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeepeningLimits {
    /// Number of nodes that the table holds; 0 is plain IDA*.
    pub cached: usize,
    /// Number of expanded nodes after which the search gives up.
    pub expanded: usize,
}

/// How a search by iterative deepening ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deepening<N> {
    /// A path of minimum cost.
    Found {
        /// The nodes from the start to the goal.
        path: Vec<N>,
        /// Sum of the costs between them.
        cost: u64,
    },
    /// Everything was searched: there is no path.
    NoPath,
    /// The limit of expanded nodes was reached.
    GaveUp,
}

/// Searches a path of minimum cost from `start` to a node that `is_goal`. `successors` are the nodes after
/// one with the cost to each, which counts as 1 if it is 0; `estimate` never exceeds the cost to a goal.
///
/// Memory is that of the path and the table, whatever the size of the graph: prefer it to A* where the open
/// list would not fit, and costs have few different sums. Each round searches all paths whose cost with the
/// estimate stays within a bound. On a finite graph without a path to a goal the rounds end; the search may
/// reach its limit before, and does where paths grow without end.
///
/// ```
/// use raceline_plan::{Deepening, DeepeningLimits, deepen};
///
/// // A grid without end.
/// let beside = |&(x, y): &(i32, i32)| vec![((x + 1, y), 1), ((x - 1, y), 1), ((x, y + 1), 1), ((x, y - 1), 1)];
/// let limits = DeepeningLimits { cached: 4096, expanded: 100_000 };
/// let estimate = |&(x, y): &(i32, i32)| u64::from(x.abs_diff(9) + y.abs_diff(-5));
/// let found = deepen(&(0, 0), beside, estimate, |&at| at == (9, -5), limits);
/// assert!(matches!(found, Deepening::Found { cost: 14, .. }));
/// ```
pub fn deepen<N: Clone + Eq + Hash>(
    start: &N,
    mut successors: impl FnMut(&N) -> Vec<(N, u64)>,
    estimate: impl Fn(&N) -> u64,
    is_goal: impl Fn(&N) -> bool,
    limits: DeepeningLimits,
) -> Deepening<N> {
    if is_goal(start) {
        return Deepening::Found { path: vec![start.clone()], cost: 0 };
    }
    let mut table = Table { places: vec![None; limits.cached] };
    let (mut bound, mut expanded, mut round) = (estimate(start), 0, 0);
    loop {
        // The minimum of cost and estimate beyond the bound.
        let mut beyond = u64::MAX;
        let mut path = vec![(start.clone(), 0_u64)];
        // The nodes after each node of the path that are still to be searched, the best one last.
        let mut open: Vec<Vec<(N, u64)>> = Vec::new();
        table.is_new(start, 0, round);
        while let Some((node, cost)) = path.last() {
            if open.len() < path.len() {
                if expanded == limits.expanded {
                    return Deepening::GaveUp;
                }
                expanded += 1;
                let mut next = Vec::new();
                for (after, step) in successors(node) {
                    let cost = cost.saturating_add(step.max(1));
                    let total = cost.saturating_add(estimate(&after));
                    if total > bound {
                        beyond = beyond.min(total);
                    } else {
                        next.push((total, after, cost));
                    }
                }
                next.sort_by_key(|&(total, ..)| std::cmp::Reverse(total));
                open.push(next.into_iter().map(|(_, after, cost)| (after, cost)).collect());
            }
            let Some((node, cost)) = open.last_mut().and_then(Vec::pop) else {
                open.pop();
                path.pop();
                continue;
            };
            if is_goal(&node) {
                let path = path.into_iter().map(|(node, _)| node).chain([node]).collect();
                return Deepening::Found { path, cost };
            }
            if table.is_new(&node, cost, round) {
                path.push((node, cost));
            }
        }
        if beyond == u64::MAX {
            return Deepening::NoPath;
        }
        bound = beyond;
        round += 1;
    }
}

/// Nodes with the cost at which they were reached, and the round.
struct Table<N> {
    places: Vec<Option<(N, u64, u64)>>,
}

impl<N: Clone + Eq + Hash> Table<N> {
    /// Whether a node is not known to be reached at this cost or less in this round; from now on it is.
    fn is_new(&mut self, node: &N, cost: u64, round: u64) -> bool {
        if self.places.is_empty() {
            return true;
        }
        let mut hasher = DefaultHasher::new();
        node.hash(&mut hasher);
        let place = (hasher.finish() % self.places.len() as u64) as usize;
        let is_known = self.places[place]
            .as_ref()
            .is_some_and(|(known, reached, when)| known == node && *when == round && *reached <= cost);
        if !is_known {
            self.places[place] = Some((node.clone(), cost, round));
        }
        !is_known
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::{Grid, Heuristic, shortest_on_grid};

    #[test]
    fn its_cost_is_that_of_a_star_whatever_the_size_of_the_table() {
        let mut random = ChaCha8Rng::seed_from_u64(11);
        let mut found = [0; 4];
        for _ in 0..40 {
            let blocked = (0..99).map(|_| random.random::<f64>() < 0.3).collect();
            let grid = Grid::new(11, 9, blocked).unwrap();
            let (start, goal) = (random.random_range(0..99), random.random_range(0..99));
            let Some(known) = shortest_on_grid(&grid, start, goal) else { continue };
            let mut paths = Vec::new();
            for (cached, found) in [1, 7, 64, 4096].into_iter().zip(&mut found) {
                let limits = DeepeningLimits { cached, expanded: 300_000 };
                let answer = deepen(
                    &start,
                    |&cell| grid.neighbours(cell).collect(),
                    |&cell| Heuristic::Octile.between(11, cell, goal),
                    |&cell| cell == goal,
                    limits,
                );
                match answer {
                    Deepening::Found { path, cost } => {
                        assert_eq!((cost, path.first(), path.last()), (known.cost, Some(&start), Some(&goal)));
                        assert!(path.windows(2).all(|pair| grid.neighbours(pair[0]).any(|next| next.0 == pair[1])));
                        *found += 1;
                        paths.push(path);
                    }
                    answer => assert!(cached < 4096 && answer == Deepening::GaveUp, "{cached} {answer:?}"),
                }
            }
            paths.dedup();
            assert_eq!(paths.len(), 1, "the table changes the path");
        }
        assert!(found[3] >= 10 && found[0] > 0, "{found:?}");
    }

    #[test]
    fn a_table_saves_expansions() {
        let beside = |&(x, y): &(i32, i32)| vec![((x + 1, y), 1), ((x - 1, y), 1), ((x, y + 1), 1), ((x, y - 1), 1)];
        // A wall between, so that the estimate is too low.
        let is_free = |&(x, y): &(i32, i32)| x != 3 || y.abs() > 3;
        let expanded = |cached: usize| {
            let mut count = 0;
            let next = |at: &(i32, i32)| {
                count += 1;
                beside(at).into_iter().filter(|(at, _)| is_free(at)).collect()
            };
            let estimate = |&(x, y): &(i32, i32)| u64::from(x.abs_diff(6) + y.abs_diff(0));
            let limits = DeepeningLimits { cached, expanded: 10_000_000 };
            let found = deepen(&(0, 0), next, estimate, |&at| at == (6, 0), limits);
            assert!(matches!(found, Deepening::Found { cost: 14, .. }), "{found:?}");
            count
        };
        let (with, without) = (expanded(1 << 12), expanded(0));
        assert!(20 * with < without, "{with} {without}");
    }

    #[test]
    fn without_a_path_it_ends_or_gives_up() {
        let beside = |&x: &u8| if x < 20 { vec![(x + 1, 1), (x.saturating_sub(1), 1)] } else { Vec::new() };
        let limits = DeepeningLimits { cached: 512, expanded: 10_000 };
        assert_eq!(deepen(&0, beside, |_| 0, |&x| x == 99, limits), Deepening::NoPath);
        let none = DeepeningLimits { cached: 0, expanded: 10_000 };
        assert_eq!(deepen(&0, beside, |_| 0, |&x| x == 99, none), Deepening::GaveUp);
    }
}
