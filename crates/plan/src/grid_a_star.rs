//! A* on a grid, from scratch.

use pathfinding::directed::astar::astar;
use raceline_grid::{Grid, GridPath};

/// The path of minimum cost on a grid by A*; `None` if there is none.
///
/// ```
/// use raceline_plan::{Grid, shortest_on_grid};
///
/// // A wall between two columns, open at its lower end.
/// let grid = Grid::new(3, 2, vec![false, true, false, false, false, false])?;
/// let found = shortest_on_grid(&grid, 0, 2).ok_or("no path")?;
/// assert_eq!((found.cells, found.cost), (vec![0, 3, 4, 5, 2], 4000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn shortest_on_grid(grid: &Grid, start: u32, goal: u32) -> Option<GridPath> {
    shortest_with_expanded(grid, start, goal).0
}

/// The path of minimum cost, and the number of expanded cells, which is known without a path too.
pub(super) fn shortest_with_expanded(grid: &Grid, start: u32, goal: u32) -> (Option<GridPath>, usize) {
    if grid.is_blocked(start) || grid.is_blocked(goal) {
        return (None, 0);
    }
    let mut expanded = 0;
    let successors = |&cell: &u32| {
        expanded += 1;
        grid.neighbours(cell).collect::<Vec<_>>()
    };
    let found = astar(&start, successors, |&cell| grid.octile(cell, goal), |&cell| cell == goal);
    (found.map(|(cells, cost)| GridPath { cells, cost, expanded }), expanded)
}
