//! The search for circuits in a graph of ways.

use std::collections::{BTreeMap, BTreeSet};

use super::graph::{Graph, chains_by_end};

/// A road does not turn more than this where two of its ways meet, radians: a circuit that goes back along its
/// pit lane does.
const MAX_TURN: f64 = 1.8;
/// Steps of the search for circuits, at most.
const MAX_STEPS: usize = 100_000;
/// Circuits of one net of ways, at most. More are reported, not listed.
const MAX_CIRCUITS: usize = 64;

impl Graph<'_> {
    /// Simple circuits, and those that go straight on at each junction, as chains with their direction.
    pub fn circuits(&self) -> (Vec<Vec<(usize, bool)>>, bool) {
        let at = chains_by_end(&self.chains);
        let mut found: Vec<Vec<(usize, bool)>> = Vec::new();
        let mut known: BTreeSet<Vec<usize>> = BTreeSet::new();
        let mut steps = 0;
        let mut add = |circuit: &[(usize, bool)], found: &mut Vec<Vec<(usize, bool)>>| {
            let mut set: Vec<usize> = circuit.iter().map(|&(index, _)| index).collect();
            set.sort_unstable();
            if known.insert(set) {
                found.push(circuit.to_vec());
            }
        };
        for start in 0..self.chains.len() {
            if let Some(circuit) = self.straight_on(&at, start, &mut steps) {
                add(&circuit, &mut found);
            }
            if steps > MAX_STEPS || found.len() > MAX_CIRCUITS {
                return (found, true);
            }
        }
        for first in 0..self.chains.len() {
            // Circuits whose chain with the lowest number is `first`.
            let mut path = vec![(first, false)];
            let mut options = vec![self.options(&at, &path, first)];
            if self.is_circuit(&path) {
                add(&path, &mut found);
            }
            while let Some(next) = options.last_mut() {
                steps += 1 + path.len() / 64;
                if steps > MAX_STEPS || found.len() > MAX_CIRCUITS {
                    return (found, true);
                }
                let Some(chosen) = next.pop() else {
                    options.pop();
                    path.pop();
                    continue;
                };
                path.push(chosen);
                if self.is_circuit(&path) {
                    add(&path, &mut found);
                    path.pop();
                    continue;
                }
                options.push(self.options(&at, &path, first));
            }
        }
        (found, false)
    }

    /// The circuit from the chain `start` that goes straight on at each junction.
    fn straight_on(
        &self,
        at: &BTreeMap<usize, Vec<usize>>,
        start: usize,
        steps: &mut usize,
    ) -> Option<Vec<(usize, bool)>> {
        let mut path = vec![(start, false)];
        let mut used = BTreeSet::from([start]);
        loop {
            *steps += 1;
            let here = *path.last()?;
            if *steps > MAX_STEPS {
                return None;
            }
            let turn_to = |next: (usize, bool)| self.turn(here, next).abs();
            let end = self.end(here);
            let mut options: Vec<(usize, bool)> = Vec::new();
            for &next in at.get(&end)? {
                let ends = self.chains[next].ends;
                options.extend((ends[0] == end && (next, false) != here).then_some((next, false)));
                options.extend((ends[1] == end && next != here.0).then_some((next, true)));
            }
            let next = options.into_iter().min_by(|&a, &b| turn_to(a).total_cmp(&turn_to(b)))?;
            if turn_to(next) > MAX_TURN {
                return None;
            }
            if next == (start, false) {
                return Some(path);
            }
            if !used.insert(next.0) {
                return None;
            }
            path.push(next);
        }
    }

    /// Chains after the last of `path` on new junctions, with numbers above `first`.
    fn options(&self, at: &BTreeMap<usize, Vec<usize>>, path: &[(usize, bool)], first: usize) -> Vec<(usize, bool)> {
        let Some(&here) = path.last() else { return Vec::new() };
        let end = self.end(here);
        if self.start(here) == end {
            return Vec::new();
        }
        let is_new = |node: usize| path.iter().skip(1).all(|&(index, reversed)| self.start((index, reversed)) != node);
        if !is_new(end) || path.len() > 1 && end == self.start(path[0]) {
            return Vec::new();
        }
        let chains = at.get(&end).map_or(&[][..], Vec::as_slice);
        let mut options: Vec<(usize, bool)> = Vec::new();
        for &next in chains.iter().filter(|&&next| next > first && path.iter().all(|&(used, _)| used != next)) {
            let ends = self.chains[next].ends;
            if ends[0] == ends[1] {
                continue;
            }
            options.push((next, ends[0] != end));
        }
        options.retain(|&next| self.turn(here, next).abs() <= MAX_TURN);
        options.sort_unstable();
        options.dedup();
        options.reverse();
        options
    }

    /// Whether `path` ends at its start, in a direction in which it goes on.
    fn is_circuit(&self, path: &[(usize, bool)]) -> bool {
        let (Some(&first), Some(&last)) = (path.first(), path.last()) else { return false };
        self.end(last) == self.start(first) && self.turn(last, first).abs() <= MAX_TURN
    }
}
