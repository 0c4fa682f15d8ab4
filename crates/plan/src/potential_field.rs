//! A potential field: attraction of the goal, repulsion of obstacles.
//!
//! O. Khatib, "Real-time obstacle avoidance for manipulators and mobile robots" (1986), for the
//! repulsion ½ (1/ρ - 1/ρ₀)². Steepest descent ends in local minima. Each is detected and reported,
//! and left by the best-first search of J. Barraquand and J.-C. Latombe, "Robot motion planning: a
//! distributed representation approach" (1991): the basin is filled cell by cell, the lowest first,
//! until a cell lies lower than the minimum. The cells are finite, so the search always ends.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::FreeSpace;
use super::grid_search::through;
use super::search::{Planner, Query, Search, Status};
use raceline_road::geometry::Point;

/// Obstacles repel within this many times the needed clearance.
const REACH: f64 = 3.0;
/// Strength of the repulsion beside the attraction of one per metre, as a factor on the needed
/// clearance squared.
const REPULSION: f64 = 0.2;

/// Descent of a potential field.
pub(super) struct PotentialField;

impl Planner for PotentialField {
    fn search(&self, query: &Query) -> Search {
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

/// The potential of a cell, metres.
fn potential(space: &FreeSpace, cell: u32, goal: Point) -> f64 {
    let attraction = (goal - space.centre(cell)).norm();
    let (clearance, reach) = (space.clearance_m(cell), REACH * space.needed_m);
    if clearance >= reach {
        return attraction;
    }
    let excess = 1.0 / clearance.max(1e-6) - 1.0 / reach;
    let strength = REPULSION * space.needed_m * space.needed_m;
    attraction + 0.5 * strength * excess * excess
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use image::{GrayImage, Luma};
    use raceline_road::frame::PictureFrame;

    use super::{FreeSpace, Point, potential};

    #[test]
    fn walls_repel_within_three_clearances_by_khatibs_potential() {
        let free = GrayImage::from_fn(200, 120, |_, row| Luma([if row < 10 { 0 } else { 255 }]));
        let frame = PictureFrame { metres_per_pixel: 0.1, origin_m: Point::origin(), width_px: 200, height_px: 120 };
        let space = FreeSpace::new(&free, frame, 0.5);
        let goal = space.frame.to_world(190.0, 60.0);
        let repulsion = |row: f64| {
            let cell = space.cell_at(space.frame.to_world(100.0, row)).unwrap();
            (space.clearance_m(cell), potential(&space, cell, goal) - (goal - space.centre(cell)).norm())
        };
        for row in [16.5, 18.5, 22.5] {
            let (clearance, found) = repulsion(row);
            let known = 0.5 * 0.2 * 0.25 * (1.0 / clearance - 1.0 / 1.5_f64).powi(2);
            assert!((found - known).abs() < 1e-9, "{clearance} m: {found} for {known}");
        }
        let (clearance, found) = repulsion(26.5);
        assert!(clearance > 1.5 && found.abs() < 1e-12, "{clearance} m: {found}");
    }
}
