//! A road that several ways are joined to.

use super::data::Way;
use raceline_road::geometry::Point;

/// A road of ways, with its nodes in the direction of travel.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Road {
    /// Nodes. Those of a circuit do not repeat the first.
    pub nodes: Vec<usize>,
    /// For each step from a node to the next, the way.
    pub ways: Vec<usize>,
    /// Whether it leads back to its start.
    pub closed: bool,
}

impl Road {
    /// Turns the direction of travel round.
    pub fn reverse(&mut self) {
        self.nodes.reverse();
        self.ways.reverse();
        // The step from the last node to the first stays the last one.
        if self.closed && !self.ways.is_empty() {
            self.ways.rotate_left(1);
        }
    }

    /// Lets a circuit begin where its first way in the file does.
    pub fn begin_at_first_way(&mut self, ways: &[Way]) {
        if !self.closed {
            return;
        }
        let Some(first) = self.ways.iter().copied().min() else { return };
        let count = self.ways.len();
        let begins = |step: &usize| self.ways[*step] == first && self.ways[(step + count - 1) % count] != first;
        let start = (0..count).find(begins).or_else(|| {
            let node = ways.get(first)?.nodes.first()?;
            self.nodes.iter().position(|known| known == node)
        });
        if let Some(start) = start {
            self.nodes.rotate_left(start);
            self.ways.rotate_left(start);
        }
    }

    /// Length, metres.
    pub fn length_m(&self, points: &[Point]) -> f64 {
        let count = self.nodes.len();
        (0..self.ways.len())
            .map(|step| (points[self.nodes[(step + 1) % count]] - points[self.nodes[step]]).norm())
            .sum()
    }
}
