//! Minimum costs by Dijkstra's algorithm, which tests compare with.

use pathfinding::directed::dijkstra::dijkstra;

use crate::Grid;

/// The minimum cost between two cells; `None` where there is no path.
pub fn known_cost(grid: &Grid, start: u32, goal: u32) -> Option<u64> {
    if grid.is_blocked(start) {
        return None;
    }
    dijkstra(&start, |&cell| grid.neighbours(cell).collect::<Vec<_>>(), |&cell| cell == goal).map(|found| found.1)
}
