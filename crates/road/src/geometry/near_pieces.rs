//! Pairs of neighbouring pieces of polylines, by a tree of bounding boxes over consecutive pieces.
//!
//! A grid needs a cell size, and no size suits pieces of very different lengths. The boxes follow
//! the pieces, so the work is about n log n plus the number of pairs, however they are spread.

use std::ops::ControlFlow;

use super::segment::{Segment, overlap};
use super::{Point, Polyline};

/// Calls `visit` with the numbers of every two pieces whose bounding boxes have a common point, the
/// lower number first, each pair once. Pieces are numbered through `lines` in their order.
///
/// Ends early when `visit` breaks, or when more than `max_steps` boxes have been compared.
///
/// # Errors
/// [`TooManyNeighbours`] with the piece that was compared last if `max_steps` did not suffice.
pub fn for_each_near_pair(
    lines: &[&Polyline],
    max_steps: usize,
    mut visit: impl FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<(), TooManyNeighbours> {
    let tree = BoxTree::new(lines);
    if tree.leaves == 0 {
        return Ok(());
    }
    let mut steps = 0;
    let mut pending = vec![(1, 1)];
    while let Some((a, b)) = pending.pop() {
        steps += 1;
        if steps > max_steps {
            return Err(TooManyNeighbours { piece: tree.first_piece(a) });
        }
        if a != b && !overlap(&tree.boxes[a], &tree.boxes[b]) {
            continue;
        }
        match (tree.piece(a), tree.piece(b)) {
            (Some(first), Some(second)) => {
                // The numbers of leaves increase with their place in the tree.
                if first != second && visit(first, second).is_break() {
                    return Ok(());
                }
            }
            _ if a == b => pending.extend([(2 * a + 1, 2 * a + 1), (2 * a, 2 * a + 1), (2 * a, 2 * a)]),
            // The node nearer to the root has the larger box.
            (None, _) if a.ilog2() <= b.ilog2() => pending.extend([(2 * a + 1, b), (2 * a, b)]),
            _ => pending.extend([(a, 2 * b + 1), (a, 2 * b)]),
        }
    }
    Ok(())
}

/// The majority of pieces lies close to so many others that comparing them takes too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyNeighbours {
    /// The number of one such piece.
    pub piece: usize,
}

/// A complete binary tree: node 1 is the root, the children of node i are 2i and 2i + 1.
struct BoxTree {
    /// Low and high corner of the pieces below each node; empty boxes overlap none.
    boxes: Vec<[Point; 2]>,
    leaves: usize,
}

impl BoxTree {
    fn new(lines: &[&Polyline]) -> Self {
        let count: usize = lines.iter().map(|line| line.piece_count()).sum();
        let leaves = if count == 0 { 0 } else { count.next_power_of_two() };
        let empty = [Point::new(f64::INFINITY, f64::INFINITY), Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY)];
        let mut boxes = vec![empty; 2 * leaves];
        for (number, piece) in lines.iter().flat_map(|line| line.pieces()).enumerate() {
            boxes[leaves + number] = Segment::from(piece).corners();
        }
        for node in (1..leaves).rev() {
            let [[low, high], [other_low, other_high]] = [boxes[2 * node], boxes[2 * node + 1]];
            boxes[node] = [low.inf(&other_low), high.sup(&other_high)];
        }
        Self { boxes, leaves }
    }

    /// The number of the piece, if the node is a leaf.
    fn piece(&self, node: usize) -> Option<usize> {
        node.checked_sub(self.leaves)
    }

    /// The number of the first piece below a node.
    fn first_piece(&self, node: usize) -> usize {
        (node << (self.leaves.ilog2() - node.ilog2())) - self.leaves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square spiral, whose arms lie side by side.
    fn spiral(count: usize) -> Polyline {
        let turn = |i: usize| [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][i % 4];
        let mut at = Point::origin();
        let points = (0..count).map(|i| {
            let (x, y) = turn(i);
            at = Point::new(at.x + x * i as f64, at.y + y * i as f64);
            at
        });
        Polyline::open(points.collect())
    }

    #[test]
    fn each_pair_of_neighbours_is_visited_once_and_no_other() {
        for count in [0, 1, 2, 3, 8, 9, 40] {
            let lines = [spiral(count), Polyline::closed(spiral(count).points.iter().map(|p| p / 2.0).collect())];
            let lines = [&lines[0], &lines[1]];
            let boxes: Vec<[Point; 2]> =
                lines.iter().flat_map(|line| line.pieces()).map(|(a, b)| [a.inf(&b), a.sup(&b)]).collect();
            let expected: Vec<(usize, usize)> = (0..boxes.len())
                .flat_map(|i| (i + 1..boxes.len()).map(move |j| (i, j)))
                .filter(|&(i, j)| overlap(&boxes[i], &boxes[j]))
                .collect();
            let mut found = Vec::new();
            let visited = for_each_near_pair(&lines, usize::MAX, |i, j| {
                found.push((i, j));
                ControlFlow::Continue(())
            });
            found.sort_unstable();
            assert_eq!((visited, found), (Ok(()), expected), "{count}");
        }
    }

    #[test]
    fn the_work_on_a_line_without_neighbours_is_about_linear() {
        // Legs side by side, driven there and back. On a spiral the boxes of whole turns lie one in
        // another, so it needs more.
        let legs = (0..4000).map(|i| {
            let (leg, along) = (i / 100, i % 100);
            Point::new(f64::from(if leg % 2 == 0 { along } else { 99 - along }), f64::from(2 * leg))
        });
        let line = Polyline::open(legs.collect());
        assert_eq!(for_each_near_pair(&[&line], 100 * 4000, |_, _| ControlFlow::Continue(())), Ok(()));
    }

    #[test]
    fn the_work_is_bounded() {
        let zigzag = (0..3000).map(|i| Point::new(f64::from(i % 2), f64::from(i % 2)));
        let line = Polyline::open(zigzag.collect());
        let ended = for_each_near_pair(&[&line], 1000, |_, _| ControlFlow::Continue(()));
        assert!(matches!(ended, Err(TooManyNeighbours { piece }) if piece < 3000));
        assert_eq!(for_each_near_pair(&[&line], 1000, |_, _| ControlFlow::Break(())), Ok(()));
    }
}
