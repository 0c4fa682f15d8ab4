//! Anytime repairing A*: a path at once, and better ones as long as there is time.
//!
//! M. Likhachev, G. Gordon and S. Thrun, "ARA*: Anytime A* with provable bounds on sub-optimality"
//! (NIPS 2003), figures 3 and 4. A search with the heuristic times ε finds a path of at most ε times
//! the minimum cost. The next search, with a smaller ε, goes on with the costs of the last one: it
//! expands only cells whose cost has fallen since they were expanded.
//!
//! ε counts in thousandths, so that priorities are whole numbers.

use std::collections::BTreeSet;

use super::error::GridError;
use super::grid::{Grid, NO_PATH};

/// Range of the first factor.
const FACTOR: [f64; 2] = [1.0, 100.0];
/// Range of the step by which the factor falls.
const STEP: [f64; 2] = [0.001, 100.0];
/// Thousandths in one.
const SCALE: u64 = 1000;

/// A path that the search has published.
#[derive(Clone, Debug, PartialEq)]
pub struct AnytimePath {
    /// The cells from the start to the goal.
    pub cells: Vec<u32>,
    /// Cost of the moves, thousandths of a cell's side.
    pub cost: u64,
    /// The cost is at most this many times the minimum cost; 1 for the last path.
    pub factor: f64,
    /// Number of cells expanded since the path before.
    pub expanded: usize,
}

/// Publishes better and better paths, one with each call of `next`. The last one is of minimum cost;
/// where there is no path, there is none at all.
///
/// Prefer it where a path is needed at a deadline that a search for the minimum cost may miss. All
/// paths together need more expansions than one search for the minimum cost (`raceline_plan::shortest_on_grid`).
///
/// ```
/// use raceline_grid::{AnytimeSearch, Grid};
///
/// let grid = Grid::new(40, 30, vec![false; 1200])?;
/// let published: Vec<_> = AnytimeSearch::new(grid, 0, 1199, 3.0, 0.5)?.collect();
/// let last = published.last().ok_or("no path")?;
/// assert_eq!((last.factor, last.cost), (1.0, 29 * 1414 + 10 * 1000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct AnytimeSearch {
    grid: Grid,
    start: u32,
    goal: u32,
    /// ε and the step by which it falls, thousandths.
    factor: u64,
    step: u64,
    g: Vec<u64>,
    parent: Vec<u32>,
    /// In which search a cell was expanded last.
    closed_in: Vec<u32>,
    round: u32,
    open: BTreeSet<(u64, u32)>,
    /// Cells whose cost has fallen after they were expanded (`INCONS`).
    inconsistent: BTreeSet<u32>,
    expanded: usize,
    best: Option<AnytimePath>,
    is_done: bool,
}

impl AnytimeSearch {
    /// A search whose first path costs at most `factor` times the minimum, 1 to 100, and whose factor
    /// then falls by `step`, 0.001 to 100, for each further one. Both are rounded to thousandths.
    ///
    /// # Errors
    /// [`GridError::Outside`] if an end is not on the grid, [`GridError::OutOfRange`] for a number.
    pub fn new(grid: Grid, start: u32, goal: u32, factor: f64, step: f64) -> Result<Self, GridError> {
        grid.check("start", start)?;
        grid.check("goal", goal)?;
        GridError::check_range("factor", factor, FACTOR)?;
        GridError::check_range("step", step, STEP)?;
        let thousandths = |value: f64| (value * SCALE as f64).round() as u64;
        let cells = grid.len();
        let is_done = grid.is_blocked(start) || grid.is_blocked(goal);
        let mut search = Self {
            grid,
            start,
            goal,
            factor: thousandths(factor),
            step: thousandths(step),
            g: vec![NO_PATH; cells],
            parent: vec![start; cells],
            closed_in: vec![0; cells],
            round: 0,
            open: BTreeSet::new(),
            inconsistent: BTreeSet::new(),
            expanded: 0,
            best: None,
            is_done,
        };
        search.g[start as usize] = 0;
        search.inconsistent.insert(start);
        Ok(search)
    }

    /// The grid that is searched.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The path that was published last, which costs no more than those before it; `None` before the first.
    #[must_use]
    pub fn best(&self) -> Option<&AnytimePath> {
        self.best.as_ref()
    }

    /// Number of cells that were expanded since the search was made.
    #[must_use]
    pub fn expanded(&self) -> usize {
        self.expanded
    }

    /// The priority of a cell (`fvalue`), thousandths of its cost.
    fn priority(&self, cell: u32) -> u64 {
        SCALE * self.g[cell as usize] + self.factor * self.grid.octile(cell, self.goal)
    }

    /// Searches until no open cell can lead to a path within the factor (`ImprovePath`); the number of
    /// expanded cells.
    fn improve(&mut self) -> usize {
        let goal = self.goal as usize;
        let mut expanded = 0;
        while let Some(&(priority, cell)) = self.open.first() {
            if self.g[goal] != NO_PATH && SCALE * self.g[goal] <= priority {
                break;
            }
            self.open.pop_first();
            self.closed_in[cell as usize] = self.round;
            expanded += 1;
            let near: Vec<(u32, u64)> = self.grid.neighbours(cell).collect();
            for (next, cost) in near {
                let through = self.g[cell as usize] + cost;
                if through >= self.g[next as usize] {
                    continue;
                }
                if self.g[next as usize] != NO_PATH {
                    self.open.remove(&(self.priority(next), next));
                }
                self.g[next as usize] = through;
                self.parent[next as usize] = cell;
                if self.closed_in[next as usize] == self.round {
                    self.inconsistent.insert(next);
                } else {
                    self.open.insert((self.priority(next), next));
                }
            }
        }
        expanded
    }

    /// The cells to the goal and the cost of the moves between them: at most `g` of the goal, because
    /// the costs of cells before it may have fallen since.
    fn traced(&self) -> (u64, Vec<u32>) {
        let mut cells = vec![self.goal];
        let (mut at, mut cost) = (self.goal, 0);
        while at != self.start {
            let before = self.parent[at as usize];
            cost += self.grid.octile(before, at);
            cells.push(before);
            at = before;
        }
        cells.reverse();
        (cost, cells)
    }

    /// Opens the cells that this round must look at, with their priorities for its factor.
    fn begin_round(&mut self) {
        self.round += 1;
        let cells: Vec<u32> = std::mem::take(&mut self.open)
            .into_iter()
            .map(|(_, cell)| cell)
            .chain(std::mem::take(&mut self.inconsistent))
            .collect();
        self.open = cells.into_iter().map(|cell| (self.priority(cell), cell)).collect();
    }
}

impl Iterator for AnytimeSearch {
    type Item = AnytimePath;

    fn next(&mut self) -> Option<AnytimePath> {
        if self.is_done {
            return None;
        }
        self.begin_round();
        let expanded = self.improve();
        self.expanded += expanded;
        if self.g[self.goal as usize] == NO_PATH {
            self.is_done = true;
            return None;
        }
        let traced = self.traced();
        let (cost, cells) = match self.best.take() {
            Some(best) if best.cost <= traced.0 => (best.cost, best.cells),
            _ => traced,
        };
        // No path costs less than the smallest estimate over a cell that is still to be expanded.
        let waiting = self.open.iter().map(|&(_, cell)| cell).chain(self.inconsistent.iter().copied());
        let lowest = waiting.map(|cell| self.g[cell as usize] + self.grid.octile(cell, self.goal)).min();
        let bound = lowest.filter(|&lowest| lowest < cost).map_or(1.0, |lowest| cost as f64 / lowest as f64);
        let factor = bound.min(self.factor as f64 / SCALE as f64);
        self.is_done = factor <= 1.0;
        self.factor = ((factor * SCALE as f64).ceil() as u64).saturating_sub(self.step).max(SCALE);
        self.best = Some(AnytimePath { cells, cost, factor, expanded });
        self.best.clone()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::test_costs::known_cost;

    #[test]
    fn each_path_keeps_its_factor_costs_never_rise_and_the_last_is_of_minimum_cost() {
        let mut random = ChaCha8Rng::seed_from_u64(9);
        let (mut with_path, mut several, mut above) = (0, 0, 0);
        for _ in 0..150 {
            let (width, height) = (random.random_range(1..40_u32), random.random_range(1..30_u32));
            let cells = width * height;
            let density = random.random_range(0.0..0.45);
            let grid =
                Grid::new(width, height, (0..cells).map(|_| random.random::<f64>() < density).collect()).unwrap();
            let (start, goal) = (random.random_range(0..cells), random.random_range(0..cells));
            // With few rounds, a cell whose cost fell after it was expanded is not repaired by chance.
            let (factor, step) = (random.random_range(1.0..20.0), random.random_range(0.05..10.0));
            let known = known_cost(&grid, start, goal);
            let mut search = AnytimeSearch::new(grid.clone(), start, goal, factor, step).unwrap();
            let published: Vec<AnytimePath> = search.by_ref().collect();
            assert_eq!(search.best(), published.last());
            assert_eq!(published.last().map(|path| path.cost), known);
            let Some(known) = known else { continue };
            with_path += 1;
            several += usize::from(published.len() > 1);
            for path in &published {
                assert!(path.factor >= 1.0 && path.factor <= factor + 0.0006);
                assert!(path.cost as f64 <= path.factor * known as f64 * (1.0 + 1e-12), "{path:?} {known}");
                above += usize::from(path.cost > known);
                let step = |pair: &[u32]| grid.neighbours(pair[0]).find(|next| next.0 == pair[1]).unwrap().1;
                assert_eq!(path.cells.windows(2).map(step).sum::<u64>(), path.cost);
                assert_eq!((path.cells[0], *path.cells.last().unwrap()), (start, goal));
            }
            assert!(published.windows(2).all(|pair| pair[1].cost <= pair[0].cost && pair[1].factor < pair[0].factor));
            assert_eq!(published.last().unwrap().factor, 1.0);
        }
        assert!(with_path > 60 && several > 20 && above > 10, "{with_path} {several} {above}");
    }

    #[test]
    fn wrong_numbers_are_refused() {
        let grid = Grid::new(2, 2, vec![false; 4]).unwrap();
        for (factor, step, wrong) in
            [(0.9, 0.1, "factor"), (f64::NAN, 0.1, "factor"), (2.0, 0.0, "step"), (2.0, f64::INFINITY, "step")]
        {
            let error = AnytimeSearch::new(grid.clone(), 0, 3, factor, step).unwrap_err();
            assert!(matches!(error, GridError::OutOfRange { name, .. } if name == wrong), "{error}");
        }
        let error = AnytimeSearch::new(grid.clone(), 0, 3, 0.9, 0.1).unwrap_err();
        assert_eq!(error.to_string(), "factor = 0.9 must be from 1 to 100");
        assert_eq!(
            AnytimeSearch::new(grid, 0, 4, 2.0, 0.5).unwrap_err(),
            GridError::Outside { name: "goal", cell: 4, cells: 4 }
        );
    }
}
