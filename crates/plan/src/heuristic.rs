//! Heuristics of the searches on cells, by name.
//!
//! Each is a norm of the columns and rows between two cells. By the triangle inequality, a norm that
//! does not exceed the cost of any single move exceeds that of no path; so
//! [`overestimate`](Heuristic::overestimate) looks at the two kinds of move.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use raceline_grid::{CORNER_COST, SIDE_COST, apart, octile};
use raceline_numerics::math;

/// Estimate of the cost between two cells: what A* adds to the cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Heuristic {
    /// The cost of the moves without obstacles: the largest lower bound, which expands the smallest number of cells.
    #[default]
    Octile,
    /// The straight line.
    Euclidean,
    /// The columns or the rows, whichever are more.
    Chebyshev,
    /// The columns and the rows together, up to 1.42 times the cost: for `weighted-a-star` only.
    Manhattan,
}

impl Heuristic {
    /// All heuristics, the default first.
    pub const ALL: [Self; 4] = [Self::Octile, Self::Euclidean, Self::Chebyshev, Self::Manhattan];

    /// The name as used in options.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Octile => "octile",
            Self::Euclidean => "euclidean",
            Self::Chebyshev => "chebyshev",
            Self::Manhattan => "manhattan",
        }
    }

    /// The estimate between two cells of a map of this width, thousandths of a cell's side, rounded down.
    ///
    /// ```
    /// use raceline_plan::Heuristic;
    ///
    /// // From the first cell of a map of 10 columns to column 4, row 3.
    /// let estimates = Heuristic::ALL.map(|heuristic| heuristic.between(10, 0, 34));
    /// assert_eq!(estimates, [5242, 4999, 4000, 7000]);
    /// ```
    ///
    /// # Panics
    /// If the width is 0.
    #[must_use]
    pub fn between(self, width: u32, a: u32, b: u32) -> u64 {
        let (columns, rows) = apart(width, a, b);
        match self {
            Self::Octile => octile(width, a, b),
            // A move over a corner costs a little less than √2, and so must the line along corners.
            Self::Euclidean => {
                let side = CORNER_COST as f64 / 2_f64.sqrt();
                math::hypot(f64::from(columns), f64::from(rows)).mul_add(side, -1e-6) as u64
            }
            Self::Chebyshev => SIDE_COST * u64::from(columns.max(rows)),
            Self::Manhattan => SIDE_COST * (u64::from(columns) + u64::from(rows)),
        }
    }

    /// How many times the cost of a path the estimate may be, at least 1.
    ///
    /// ```
    /// use raceline_plan::Heuristic;
    ///
    /// assert_eq!(Heuristic::Octile.overestimate(), 1.0);
    /// assert!((Heuristic::Manhattan.overestimate() - 2.0 / 1.414).abs() < 1e-12);
    /// ```
    #[must_use]
    pub fn overestimate(self) -> f64 {
        // On two columns: a move over a side leads from cell 0 to 1, one over a corner from 0 to 3.
        let side = self.between(2, 0, 1) as f64 / SIDE_COST as f64;
        let corner = self.between(2, 0, 3) as f64 / CORNER_COST as f64;
        side.max(corner).max(1.0)
    }

    /// Whether the estimate never exceeds the cost of a path: then A* finds the path of minimum cost.
    #[must_use]
    pub fn is_admissible(self) -> bool {
        self.overestimate() <= 1.0
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use pathfinding::directed::astar::astar;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::{Grid, shortest_on_grid};

    #[test]
    fn an_admissible_one_never_exceeds_the_cost_without_obstacles_and_another_keeps_its_factor() {
        for heuristic in Heuristic::ALL {
            let mut exceeds = false;
            for cell in 0..300 * 300 {
                let (estimate, cost) = (heuristic.between(300, 0, cell), octile(300, 0, cell));
                exceeds |= estimate > cost;
                assert!(estimate as f64 <= heuristic.overestimate() * cost as f64 + 1e-9, "{cell}");
                assert_eq!(estimate, heuristic.between(300, cell, 0));
            }
            assert_eq!(exceeds, !heuristic.is_admissible(), "{}", heuristic.name());
        }
        // Each bound is below the next.
        let all = [Heuristic::Chebyshev, Heuristic::Euclidean, Heuristic::Octile, Heuristic::Manhattan];
        assert!(all.map(|heuristic| heuristic.between(100, 0, 4030)).is_sorted());
    }

    #[test]
    fn a_star_with_an_admissible_one_finds_the_minimum_cost_of_random_grids() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let (mut compared, mut above) = (0, 0);
        for _ in 0..600 {
            let density = random.random_range(0.1..0.4);
            let blocked = (0..600).map(|_| random.random::<f64>() < density).collect();
            let grid = Grid::new(30, 20, blocked).unwrap();
            let (start, goal) = (random.random_range(0..600), random.random_range(0..600));
            let Some(known) = shortest_on_grid(&grid, start, goal) else { continue };
            compared += 1;
            for heuristic in Heuristic::ALL {
                let beside = |&cell: &u32| grid.neighbours(cell).collect::<Vec<_>>();
                let found = astar(&start, beside, |&cell| heuristic.between(30, cell, goal), |&cell| cell == goal);
                let cost = found.unwrap().1;
                if heuristic.is_admissible() {
                    assert_eq!(cost, known.cost, "{}", heuristic.name());
                } else {
                    above += usize::from(cost > known.cost);
                    assert!(cost as f64 <= heuristic.overestimate() * known.cost as f64);
                }
            }
        }
        assert!(compared > 60 && above > 3, "{compared} {above}");
    }
}
