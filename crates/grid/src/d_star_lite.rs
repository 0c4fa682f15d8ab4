//! D* Lite: a path to a goal that is repaired where the grid changes, while its start moves.
//!
//! S. Koenig and M. Likhachev, "D* Lite" (AAAI 2002), figure 4, the optimized version. It searches
//! from the goal to the start. `g` is the cost from a cell to the goal when it was last expanded, and
//! `rhs` the minimum over its neighbours of the cost of the move and their `g`; a cell of which both
//! differ is in the queue. A change of the grid changes the `rhs` of few cells, and only cells whose
//! cost follows from theirs, and that matter for the path, are expanded again.
//!
//! Deviation: the changes of a cell are applied first and the `rhs` of the cells about it computed
//! anew, in place of one edge after another.

use std::collections::BTreeSet;

use super::error::GridError;
use super::grid::{Grid, GridPath, NO_PATH};

/// Priority of a cell in the queue.
type Key = (u64, u64);

/// Plans a path on a grid of which cells become blocked and free, from a start that moves.
///
/// Prefer it to a search from scratch where the grid changes often, far from the goal and near the
/// start, as when a robot discovers a map with a lidar. Where the grid doesn't change,
/// A* from scratch (`raceline_plan::shortest_on_grid`) expands fewer cells or as many, and needs less memory: the planner keeps two
/// costs for each cell.
///
/// ```
/// use raceline_grid::{Grid, GridPlanner};
///
/// // Unknown cells count as free: the planner starts with an empty grid of 3 by 2 cells.
/// let mut planner = GridPlanner::new(Grid::new(3, 2, vec![false; 6])?, 0, 2)?;
/// assert_eq!(planner.path().ok_or("no path")?.cells, [0, 1, 2]);
/// // The robot sees that the cell in the middle of the upper row is blocked.
/// planner.update(&[(1, true)])?;
/// assert_eq!(planner.path().ok_or("no path")?.cells, [0, 3, 4, 5, 2]);
/// planner.move_to(3)?;
/// assert_eq!(planner.path().ok_or("no path")?.cost, 3000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GridPlanner {
    grid: Grid,
    start: u32,
    goal: u32,
    /// The start for which the keys in the queue were computed last, without `key_offset`.
    last_start: u32,
    /// Added to the keys, so that those computed for an earlier start remain lower bounds; `k_m`.
    key_offset: u64,
    g: Vec<u64>,
    rhs: Vec<u64>,
    queue: BTreeSet<(Key, u32)>,
    /// The key of each cell in the queue.
    queued: Vec<Option<Key>>,
    expanded: usize,
}

impl GridPlanner {
    /// A planner from `start` to `goal`. Either may be blocked: there is no path then.
    ///
    /// # Errors
    /// [`GridError::Outside`] if one of them is not on the grid.
    pub fn new(grid: Grid, start: u32, goal: u32) -> Result<Self, GridError> {
        grid.check("start", start)?;
        grid.check("goal", goal)?;
        let cells = grid.len();
        let mut planner = Self {
            grid,
            start,
            goal,
            last_start: start,
            key_offset: 0,
            g: vec![NO_PATH; cells],
            rhs: vec![NO_PATH; cells],
            queue: BTreeSet::new(),
            queued: vec![None; cells],
            expanded: 0,
        };
        planner.rhs[goal as usize] = 0;
        planner.requeue(goal);
        Ok(planner)
    }

    /// The grid as it is known.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The cell from which the path leads.
    #[must_use]
    pub fn start(&self) -> u32 {
        self.start
    }

    /// Number of cells that were expanded since the planner was made.
    #[must_use]
    pub fn expanded(&self) -> usize {
        self.expanded
    }

    /// Moves the start.
    ///
    /// # Errors
    /// [`GridError::Outside`] if the cell is not on the grid.
    pub fn move_to(&mut self, start: u32) -> Result<(), GridError> {
        self.grid.check("start", start)?;
        self.start = start;
        Ok(())
    }

    /// Blocks (`true`) or frees (`false`) cells. The path is repaired by the next call of
    /// [`path`](Self::path).
    ///
    /// # Errors
    /// [`GridError::Outside`] if a cell is not on the grid; nothing is changed then.
    pub fn update(&mut self, changes: &[(u32, bool)]) -> Result<(), GridError> {
        for &(cell, _) in changes {
            self.grid.check("a changed cell", cell)?;
        }
        self.follow_start();
        let mut touched = BTreeSet::new();
        for &(cell, is_blocked) in changes {
            if self.grid.set_blocked(cell, is_blocked) {
                touched.extend(self.grid.square(cell));
            }
        }
        for cell in touched {
            self.look_ahead(cell);
            self.requeue(cell);
        }
        Ok(())
    }

    /// The path of minimum cost on the grid as it is known; `None` if there is none.
    pub fn path(&mut self) -> Option<GridPath> {
        self.follow_start();
        let expanded = self.search();
        if self.grid.is_blocked(self.start) || self.rhs[self.start as usize] == NO_PATH {
            return None;
        }
        let mut cells = vec![self.start];
        let mut at = self.start;
        while at != self.goal {
            // Each move leads to a cell of smaller cost, so that the path ends.
            at = self
                .grid
                .neighbours(at)
                .min_by_key(|&(next, cost)| (cost.saturating_add(self.g[next as usize]), next))?
                .0;
            cells.push(at);
        }
        Some(GridPath { cells, cost: self.rhs[self.start as usize], expanded })
    }

    /// Expands cells until the start has its minimum cost (`ComputeShortestPath`); their number.
    fn search(&mut self) -> usize {
        let before = self.expanded;
        while let Some(&(old_key, cell)) = self.queue.first() {
            let start = self.start as usize;
            if old_key >= self.key(self.start) && self.rhs[start] <= self.g[start] {
                break;
            }
            let new_key = self.key(cell);
            if old_key < new_key {
                self.requeue(cell);
                continue;
            }
            self.expanded += 1;
            let at = cell as usize;
            if self.g[at] > self.rhs[at] {
                self.g[at] = self.rhs[at];
                self.requeue(cell);
                let near: Vec<(u32, u64)> = self.grid.neighbours(cell).collect();
                for (next, cost) in near {
                    let through = cost.saturating_add(self.g[at]);
                    if next != self.goal && through < self.rhs[next as usize] {
                        self.rhs[next as usize] = through;
                        self.requeue(next);
                    }
                }
            } else {
                let old = std::mem::replace(&mut self.g[at], NO_PATH);
                let near: Vec<(u32, u64)> = self.grid.neighbours(cell).chain([(cell, 0)]).collect();
                for (next, cost) in near {
                    if self.rhs[next as usize] == cost.saturating_add(old) {
                        self.look_ahead(next);
                    }
                    self.requeue(next);
                }
            }
        }
        self.expanded - before
    }

    /// Computes the `rhs` of a cell from its neighbours.
    fn look_ahead(&mut self, cell: u32) {
        if cell != self.goal {
            let costs = self.grid.neighbours(cell).map(|(next, cost)| cost.saturating_add(self.g[next as usize]));
            self.rhs[cell as usize] = costs.min().unwrap_or(NO_PATH);
        }
    }

    /// Puts a cell into the queue with its present key, or takes it out if it is consistent
    /// (`UpdateVertex`).
    fn requeue(&mut self, cell: u32) {
        let at = cell as usize;
        let key = (self.g[at] != self.rhs[at]).then(|| self.key(cell));
        if key == self.queued[at] {
            return;
        }
        if let Some(old) = std::mem::replace(&mut self.queued[at], key) {
            self.queue.remove(&(old, cell));
        }
        if let Some(key) = key {
            self.queue.insert((key, cell));
        }
    }

    /// The key of a cell (`CalculateKey`).
    fn key(&self, cell: u32) -> Key {
        let cost = self.g[cell as usize].min(self.rhs[cell as usize]);
        (cost.saturating_add(self.grid.octile(self.start, cell)).saturating_add(self.key_offset), cost)
    }

    /// Accounts for a start that has moved.
    fn follow_start(&mut self) {
        let moved = self.grid.octile(self.last_start, self.start);
        self.key_offset = self.key_offset.saturating_add(moved);
        self.last_start = self.start;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use pathfinding::directed::astar::astar;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::test_costs::known_cost;

    #[test]
    fn after_every_change_the_cost_is_that_of_a_fresh_search() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let (mut with_path, mut without) = (0, 0);
        for _ in 0..60 {
            let (width, height) = (random.random_range(1..24_u32), random.random_range(1..18_u32));
            let cells = width * height;
            let density = random.random_range(0.0..0.5);
            let blocked = (0..cells).map(|_| random.random::<f64>() < density).collect();
            let (start, goal) = (random.random_range(0..cells), random.random_range(0..cells));
            let mut planner = GridPlanner::new(Grid::new(width, height, blocked).unwrap(), start, goal).unwrap();
            for _ in 0..60 {
                let found = planner.path();
                let known = known_cost(planner.grid(), planner.start(), goal);
                assert_eq!(found.as_ref().map(|path| path.cost), known);
                if let Some(path) = &found {
                    assert_eq!((path.cells[0], *path.cells.last().unwrap()), (planner.start(), goal));
                    let step =
                        |pair: &[u32]| planner.grid().neighbours(pair[0]).find(|next| next.0 == pair[1]).unwrap().1;
                    assert_eq!(path.cells.windows(2).map(step).sum::<u64>(), path.cost);
                    with_path += 1;
                } else {
                    without += 1;
                }
                // The start moves on along its path, stays, or is put elsewhere.
                match (random.random_range(0..4), &found) {
                    (0 | 1, Some(path)) => planner.move_to(path.cells[path.cells.len().min(3) - 1]).unwrap(),
                    (2, _) => planner.move_to(random.random_range(0..cells)).unwrap(),
                    _ => {}
                }
                let count = random.random_range(0..6);
                let change =
                    |random: &mut ChaCha8Rng| (random.random_range(0..cells), random.random::<f64>() < density);
                let changes: Vec<(u32, bool)> = (0..count).map(|_| change(&mut random)).collect();
                planner.update(&changes).unwrap();
            }
        }
        assert!(with_path > 1000 && without > 500, "{with_path} {without}");
    }

    #[test]
    fn a_change_off_the_path_costs_no_expansion_and_one_near_the_start_few() {
        // A wall across the grid that is open at its lower end.
        let wall = |cell: u32| cell % 60 == 30 && cell / 60 < 36;
        let grid = Grid::new(60, 40, (0..2400).map(wall).collect()).unwrap();
        let mut planner = GridPlanner::new(grid, 0, 59).unwrap();
        let path = planner.path().unwrap();
        // A corner of the grid that is off the path.
        planner.update(&[(39 * 60, true)]).unwrap();
        assert_eq!(planner.path().unwrap().expanded, 0);
        planner.update(&[(path.cells[2], true)]).unwrap();
        let repaired = planner.path().unwrap();
        let (grid, mut expanded) = (planner.grid(), 0);
        let successors = |&cell: &u32| {
            expanded += 1;
            grid.neighbours(cell).collect::<Vec<_>>()
        };
        let fresh = astar(&0, successors, |&cell| grid.octile(cell, 59), |&cell| cell == 59).unwrap();
        assert_eq!(repaired.cost, fresh.1);
        assert!(10 * repaired.expanded < expanded, "{} {expanded}", repaired.expanded);
    }

    #[test]
    fn cells_that_are_not_on_the_grid_are_refused_and_change_nothing() {
        let grid = Grid::new(3, 1, vec![false; 3]).unwrap();
        assert_eq!(
            GridPlanner::new(grid.clone(), 3, 0).unwrap_err(),
            GridError::Outside { name: "start", cell: 3, cells: 3 }
        );
        let mut planner = GridPlanner::new(grid.clone(), 0, 2).unwrap();
        assert!(planner.update(&[(1, true), (7, true)]).is_err() && planner.move_to(9).is_err());
        assert_eq!((planner.grid(), planner.start()), (&grid, 0));
        assert!(matches!(Grid::new(2, 2, vec![false; 3]), Err(GridError::Size { values: 3, .. })));
        assert!(Grid::new(0, 4, Vec::new()).is_err());
    }
}
