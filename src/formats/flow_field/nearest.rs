//! The nearest cross-section of the road for every cell of a grid.
//!
//! The cells that a section passes through begin with it; from them the sections spread to their
//! neighbours in the order of the distance, as in Dijkstra's algorithm. The distance is that to the
//! section itself, so a cell has the nearest section or one that is nearer by less than a cell.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::grid::Grid;
use super::sections::Section;

/// Of two legs of the road one above the other, the one whose line is nearer counts: weight of the
/// distance from the line in the square of the distance.
const FROM_LINE: f64 = 1e-4;
/// No section.
const NONE: u32 = u32::MAX;
/// Squares of distances are ordered as multiples of this, m², with the cell's number behind it, so that
/// the order is the same everywhere.
const QUANTUM_M2: f64 = 1e-7;

/// The index of the nearest section for every cell.
pub(super) fn nearest_sections(grid: &Grid, sections: &[Section], closed: bool) -> Vec<u32> {
    let mut nearest = vec![NONE; grid.columns * grid.rows];
    let mut waiting = BinaryHeap::new();
    let cost = |section: u32, cell: usize| {
        let squared = distance_squared(&sections[section as usize], grid.middle(cell));
        (squared / QUANTUM_M2) as u64
    };
    for (number, section) in sections.iter().enumerate() {
        let number = number as u32;
        let steps = ((section.left_m + section.right_m) / (0.5 * grid.cell_m)).ceil().max(1.0) as usize;
        let mut last = usize::MAX;
        for step in 0..=steps {
            let offset = -section.right_m + (section.left_m + section.right_m) * step as f64 / steps as f64;
            let cell = grid.cell_of(section.place(offset));
            if cell != last {
                waiting.push(Reverse((cost(number, cell), cell, number)));
                last = cell;
            }
        }
    }
    let count = sections.len() as u32;
    while let Some(Reverse((_, cell, section))) = waiting.pop() {
        if nearest[cell] != NONE {
            continue;
        }
        nearest[cell] = section;
        let (column, row) = (cell % grid.columns, cell / grid.columns);
        let beside = [
            (column > 0).then(|| cell - 1),
            (column + 1 < grid.columns).then_some(cell + 1),
            (row > 0).then(|| cell - grid.columns),
            (row + 1 < grid.rows).then_some(cell + grid.columns),
        ];
        for other in beside.into_iter().flatten().filter(|&other| nearest[other] == NONE) {
            // Its own section or the best of those next to it along the line.
            let (mut best, mut min) = (section, cost(section, other));
            for forwards in [true, false] {
                let mut here = best;
                while let Some(next) = next_to(here, forwards, count, closed) {
                    let then = cost(next, other);
                    if then >= min {
                        break;
                    }
                    (here, best, min) = (next, next, then);
                }
            }
            waiting.push(Reverse((min, other, best)));
        }
    }
    nearest
}

fn next_to(section: u32, forwards: bool, count: u32, closed: bool) -> Option<u32> {
    match (forwards, section) {
        (true, last) if last + 1 == count => closed.then_some(0),
        (true, section) => Some(section + 1),
        (false, 0) => closed.then_some(count - 1),
        (false, section) => Some(section - 1),
    }
}

/// Square of the distance from a place to a section, m², and a little for that from the line.
fn distance_squared(section: &Section, place: [f64; 2]) -> f64 {
    let (along, offset) = section.coordinates(place);
    let beyond = (offset - section.left_m).max(-section.right_m - offset).max(0.0);
    along * along + beyond * beyond + FROM_LINE * offset * offset
}
