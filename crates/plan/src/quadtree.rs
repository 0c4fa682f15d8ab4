//! A* on the leaves of a quadtree: for maps of many cells with few corners.
//!
//! H. Samet, "The quadtree and related hierarchical data structures" (1984), for region quadtrees and the
//! leaves beside a leaf; S. Kambhampati and L. Davis, "Multiresolution path planning for mobile robots"
//! (1986), for the search on them.
//!
//! Deviations: the paths lead over the middles of the borders that two leaves have in common, not over their
//! centres, which would turn at each; all leaves are searched at once, none is grey.

use pathfinding::directed::astar::astar;

use super::FreeSpace;
use super::search::{Planner, Query, Search, Status};
use raceline_road::geometry::Point;

/// A leaf without a cell with room, and one with no other.
const BLOCKED: u32 = u32::MAX;
const FREE: u32 = u32::MAX - 1;

/// Search on the leaves of a quadtree.
pub(super) struct QuadtreeSearch;

impl Planner for QuadtreeSearch {
    fn search(&self, query: &Query) -> Search {
        let Query { space, from, to, .. } = *query;
        let tree = Quadtree::new(space);
        let leaf_of = |point: Point| {
            let (column, row) = space.place(space.cell_at(point)?);
            tree.leaf_at(column, row)
        };
        let (Some(first), Some(last)) = (leaf_of(from), leaf_of(to)) else {
            return Search::without_path(Status::NoPath, Vec::new());
        };
        if first == last {
            return Search::found(vec![from, to], (to - from).norm(), vec![from]);
        }
        let place = |node: Node| match node {
            Node::Start => from,
            Node::Goal => to,
            Node::Border { middle: [column, row], .. } => {
                space.frame.to_world(f64::from(column) / 2.0, f64::from(row) / 2.0)
            }
        };
        let cost = |a: Node, b: Node| ((place(b) - place(a)).norm() * 1e6) as u64;
        let mut expanded = Vec::new();
        let successors = |&node: &Node| {
            expanded.push(place(node));
            let (leaf, before) = match node {
                Node::Start => (first, None),
                Node::Goal => return Vec::new(),
                Node::Border { entered, left, .. } => (entered, Some(left)),
            };
            let end = (leaf == last).then_some(Node::Goal);
            let beside = tree.beside(leaf).into_iter().filter(|(next, _)| Some(*next) != before);
            let beside = beside.map(|(next, middle)| Node::Border { entered: next, left: leaf, middle });
            beside.chain(end).map(|next| (next, cost(node, next))).collect::<Vec<_>>()
        };
        match astar(&Node::Start, successors, |&node| cost(node, Node::Goal), |&node| node == Node::Goal) {
            Some((nodes, cost)) => Search::found(nodes.into_iter().map(place).collect(), cost as f64 * 1e-6, expanded),
            None => Search::without_path(Status::NoPath, expanded),
        }
    }
}

/// A place of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    Start,
    Goal,
    /// The middle of the border between two leaves, in half cells from the top left.
    Border {
        entered: Leaf,
        left: Leaf,
        middle: [u32; 2],
    },
}

/// A square of cells with room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Leaf {
    column: u32,
    row: u32,
    side: u32,
}

/// Squares of cells that all have room, or none.
struct Quadtree {
    /// For each square, the number of the first of its four quarters, or what it is as a leaf. Quarters
    /// follow one another: upper left, upper right, lower left, lower right.
    squares: Vec<u32>,
    /// Side of the first square, a power of two.
    side: u32,
}

impl Quadtree {
    fn new(space: &FreeSpace) -> Self {
        let (width, height) = (space.frame.width_px, space.frame.height_px);
        let side = width.max(height).max(1).next_power_of_two();
        let mut tree = Self { squares: vec![BLOCKED], side };
        tree.squares[0] = tree.divided(
            &|column, row| column < width && row < height && space.is_free(row * width + column),
            [0, 0],
            side,
            [width, height],
        );
        tree
    }

    /// The number of the first quarter of a square, whose quarters it adds, or what it is as a leaf.
    fn divided(
        &mut self,
        is_free: &dyn Fn(u32, u32) -> bool,
        [column, row]: [u32; 2],
        side: u32,
        size: [u32; 2],
    ) -> u32 {
        if column >= size[0] || row >= size[1] {
            return BLOCKED;
        }
        if side == 1 {
            return if is_free(column, row) { FREE } else { BLOCKED };
        }
        let half = side / 2;
        let corners = [[column, row], [column + half, row], [column, row + half], [column + half, row + half]];
        let quarters = corners.map(|corner| self.divided(is_free, corner, half, size));
        if quarters[0] >= FREE && quarters.iter().all(|&quarter| quarter == quarters[0]) {
            return quarters[0];
        }
        let first = self.squares.len() as u32;
        self.squares.extend(quarters);
        first
    }

    /// The square of a cell that is a leaf, and whether it has room.
    fn square_at(&self, column: u32, row: u32) -> (Leaf, bool) {
        let mut leaf = Leaf { column: 0, row: 0, side: self.side };
        let mut square = 0;
        loop {
            let first = self.squares[square];
            if first >= FREE {
                return (leaf, first == FREE);
            }
            leaf.side /= 2;
            let (right, below) = (column >= leaf.column + leaf.side, row >= leaf.row + leaf.side);
            leaf.column += if right { leaf.side } else { 0 };
            leaf.row += if below { leaf.side } else { 0 };
            square = first as usize + usize::from(right) + 2 * usize::from(below);
        }
    }

    /// The leaf with room of a cell.
    fn leaf_at(&self, column: u32, row: u32) -> Option<Leaf> {
        Some(self.square_at(column, row)).filter(|found| found.1).map(|found| found.0)
    }

    /// The leaves with room beside one, with the middle of the common border in half cells.
    fn beside(&self, leaf: Leaf) -> Vec<(Leaf, [u32; 2])> {
        let Leaf { column, row, side } = leaf;
        let mut found = Vec::new();
        // Whether the border is upright, the cells beyond it, and the border itself.
        let upright = [(true, column.checked_sub(1), column), (true, Some(column + side), column + side)];
        let level = [(false, row.checked_sub(1), row), (false, Some(row + side), row + side)];
        for (is_upright, beyond, border) in upright.into_iter().chain(level) {
            let Some(beyond) = beyond.filter(|&beyond| beyond < self.side) else { continue };
            let begin = if is_upright { row } else { column };
            let mut at = begin;
            while at < begin + side {
                let (square, is_free) =
                    if is_upright { self.square_at(beyond, at) } else { self.square_at(at, beyond) };
                let low = if is_upright { square.row } else { square.column };
                let (from, to) = (low.max(begin), (low + square.side).min(begin + side));
                if is_free {
                    found.push((square, if is_upright { [2 * border, from + to] } else { [from + to, 2 * border] }));
                }
                at = to;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::test_maps::space;

    #[test]
    fn leaves_are_the_largest_squares_and_hold_each_cell() {
        // With no needed clearance, all cells but one have room.
        let tree = Quadtree::new(&space(8, 8, 1e-6, |x, y| (x, y) == (7, 0)));
        assert_eq!(tree.leaf_at(3, 5), Some(Leaf { column: 0, row: 4, side: 4 }));
        assert_eq!(tree.leaf_at(5, 3), Some(Leaf { column: 4, row: 2, side: 2 }));
        assert_eq!((tree.leaf_at(6, 1), tree.leaf_at(7, 0)), (Some(Leaf { column: 6, row: 1, side: 1 }), None));
        // One square of 8, 4 of 4, 4 of 2 and 4 of 1.
        assert_eq!(tree.squares.len(), 13);
        let mut random = ChaCha8Rng::seed_from_u64(4);
        for _ in 0..20 {
            let (width, height) = (random.random_range(1..50), random.random_range(1..50));
            let walls: Vec<bool> = (0..width * height).map(|_| random.random::<f64>() < 0.1).collect();
            let space = space(width, height, 0.06, |x, y| walls[(y * width + x) as usize]);
            let tree = Quadtree::new(&space);
            for cell in 0..width * height {
                let (column, row) = space.place(cell);
                let leaf = tree.leaf_at(column, row);
                assert_eq!(leaf.is_some(), space.is_free(cell), "{column} {row}");
                for (other, _) in leaf.map(|leaf| tree.beside(leaf)).unwrap_or_default() {
                    assert!(tree.beside(other).iter().any(|&(back, _)| Some(back) == leaf), "{leaf:?} {other:?}");
                }
            }
        }
    }
}
