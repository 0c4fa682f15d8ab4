//! Descent of a potential field, whose local minima are detected, reported and left.
//!
//! By default they are left by the best-first search of J. Barraquand and J.-C. Latombe, "Robot motion
//! planning: a distributed representation approach" (1991): the basin is filled cell by cell, the
//! lowest first, until a cell lies lower than the minimum. The cells are finite, so the search always
//! ends. The other escapes are those of `escape`.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::escape::descend;
use super::grid_search::through;
use super::options::PotentialEscape;
use super::repulsion::potential;
use super::search::{Planner, Query, Search, Status};

/// Descent of a potential field, and how it leaves local minima.
pub(super) struct PotentialField(pub PotentialEscape);

impl Planner for PotentialField {
    fn search(&self, query: &Query) -> Search {
        match self.0 {
            PotentialEscape::Fill => filling(query),
            escape => descend(query, escape),
        }
    }
}

/// Best-first search.
fn filling(query: &Query) -> Search {
    let Query { space, from, to, .. } = *query;
    let (Some(start), Some(goal)) = (space.cell_at(from), space.cell_at(to)) else {
        return Search::without_path(Status::NoPath, Vec::new());
    };
    let value = |cell: u32| if cell == goal { -1.0 } else { potential(space, cell, to) };
    let mut before: BTreeMap<u32, (u32, f64)> = BTreeMap::new();
    before.insert(start, (start, 0.0));
    let mut open = BinaryHeap::from([(Reverse(Level(value(start))), Reverse(start))]);
    let (mut expanded, mut minima) = (Vec::new(), Vec::new());
    // The lowest value so far, and whether the search is filling the basin of a minimum.
    let (mut lowest, mut is_filling) = (f64::INFINITY, false);
    while let Some((Reverse(Level(level)), Reverse(cell))) = open.pop() {
        if cell == goal {
            let (cells, length) = cells_to(&before, goal);
            let path = through(space, from, &cells, to);
            return Search { minima, ..Search::found(path, length * space.frame.metres_per_pixel, expanded) };
        }
        expanded.push(space.centre(cell));
        if level < lowest {
            (lowest, is_filling) = (level, false);
        }
        let length = before.get(&cell).map_or(0.0, |&(_, length)| length);
        let mut falls = false;
        for (next, step) in space.neighbours(cell) {
            let next_level = value(next);
            falls |= next_level < level;
            before.entry(next).or_insert_with(|| {
                open.push((Reverse(Level(next_level)), Reverse(next)));
                (cell, length + step as f64 / 1000.0)
            });
        }
        if !falls && !is_filling {
            minima.push(space.centre(cell));
            is_filling = true;
        }
    }
    Search { minima, ..Search::without_path(Status::NoPath, expanded) }
}

/// A value of the field with a total order.
#[derive(Clone, Copy, PartialEq)]
struct Level(f64);

impl Eq for Level {}

impl PartialOrd for Level {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Level {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// The cells from the start to `goal`, and the length in cells.
fn cells_to(before: &BTreeMap<u32, (u32, f64)>, goal: u32) -> (Vec<u32>, f64) {
    let mut cells = vec![goal];
    let mut at = goal;
    while let Some(&(previous, _)) = before.get(&at).filter(|&&(previous, _)| previous != at) {
        cells.push(previous);
        at = previous;
    }
    cells.reverse();
    (cells, before.get(&goal).map_or(0.0, |&(_, length)| length))
}
