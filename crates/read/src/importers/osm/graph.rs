//! Ways that have nodes in common as a graph, and its roads.

use std::collections::BTreeMap;

use super::data::MapData;
use super::joined_road::Road;
use super::tags::{OneWay, one_way};
use raceline_numerics::math;
use raceline_road::geometry::{Point, wrap_angle};

/// A way from a junction or an end to the next, as ranges of nodes of ways.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    /// Junctions or ends at which it begins and ends.
    pub ends: [usize; 2],
    /// Nodes.
    nodes: Vec<usize>,
    /// For each step from a node to the next, the way.
    ways: Vec<usize>,
    /// Whether it may be driven in the order of its nodes and against it.
    directions: [bool; 2],
}

/// The roads of a net of ways that is connected.
pub(super) struct Roads {
    /// Circuits, or the open road if there is none.
    pub roads: Vec<Road>,
    /// Whether there are more circuits than are searched for.
    pub is_cut_off: bool,
}

/// The graph of some ways of a map.
pub(super) struct Graph<'a> {
    map: &'a MapData,
    /// Each node on the plane, metres.
    points: &'a [Point],
    pub chains: Vec<Chain>,
}

impl<'a> Graph<'a> {
    /// The graph of the ways `chosen`.
    pub fn new(map: &'a MapData, points: &'a [Point], chosen: &[usize]) -> Self {
        let mut uses: BTreeMap<usize, usize> = BTreeMap::new();
        let lines = || chosen.iter().filter_map(|&index| Some((index, map.ways.get(index)?)));
        for (_, way) in lines() {
            for (place, &node) in way.nodes.iter().enumerate() {
                let is_end = place == 0 || place + 1 == way.nodes.len();
                *uses.entry(node).or_default() += if is_end { 1 } else { 2 };
            }
        }
        let mut chains = Vec::new();
        for (index, way) in lines() {
            let directions = match one_way(&way.tags) {
                OneWay::No => [true, true],
                OneWay::Forward => [true, false],
                OneWay::Backward => [false, true],
            };
            let mut from = 0;
            for place in 1..way.nodes.len() {
                let is_last = place + 1 == way.nodes.len();
                if !is_last && uses.get(&way.nodes[place]).is_none_or(|&count| count < 3) {
                    continue;
                }
                let nodes = way.nodes[from..=place].to_vec();
                let ends = [way.nodes[from], way.nodes[place]];
                chains.push(Chain { ends, ways: vec![index; nodes.len() - 1], nodes, directions });
                from = place;
            }
        }
        Self { map, points, chains }
    }

    /// The roads of each net of ways, in the order of its first way.
    pub fn roads(mut self) -> Vec<Roads> {
        let mut nets = Vec::new();
        for chains in connected(&self.chains) {
            let all = std::mem::replace(&mut self.chains, chains);
            nets.push(self.roads_of_net());
            self.chains = all;
        }
        nets
    }

    fn roads_of_net(&mut self) -> Roads {
        let whole = self.chains.clone();
        self.remove_dead_ends();
        if self.chains.is_empty() {
            self.chains = whole;
            let roads = self.longest_open().into_iter().collect();
            return Roads { roads, is_cut_off: false };
        }
        self.join();
        let (mut circuits, is_cut_off) = self.circuits();
        // A road that crosses itself on one level goes straight on there.
        if let Some(whole) = circuits.iter().find(|circuit| circuit.len() == self.chains.len()) {
            circuits = vec![whole.clone()];
        }
        // What the one-way ways allow counts before what they forbid.
        if circuits.iter().any(|circuit| self.is_allowed(circuit)) {
            circuits.retain(|circuit| self.is_allowed(circuit));
        }
        if circuits.is_empty() {
            self.chains = whole;
            return Roads { roads: self.longest_open().into_iter().collect(), is_cut_off };
        }
        Roads { roads: circuits.iter().map(|circuit| self.road(circuit, true)).collect(), is_cut_off }
    }

    /// Removes what leads to an end, again and again.
    fn remove_dead_ends(&mut self) {
        let at = chains_by_end(&self.chains);
        let mut counts: BTreeMap<usize, usize> = at.iter().map(|(&node, chains)| (node, chains.len())).collect();
        let mut removed = vec![false; self.chains.len()];
        let mut ends: Vec<usize> = counts.iter().filter(|(_, count)| **count == 1).map(|(&node, _)| node).collect();
        while let Some(end) = ends.pop() {
            let Some(&index) = at.get(&end).and_then(|chains| chains.iter().find(|&&index| !removed[index])) else {
                continue;
            };
            removed[index] = true;
            for other in self.chains[index].ends {
                let count = counts.entry(other).or_default();
                *count = count.saturating_sub(1);
                if *count == 1 {
                    ends.push(other);
                }
            }
        }
        let mut kept = removed.iter().map(|removed| !removed);
        self.chains.retain(|_| kept.next().unwrap_or(true));
    }

    /// Joins chains that meet where no third one does.
    fn join(&mut self) {
        let at = chains_by_end(&self.chains);
        let is_plain = |node: usize| at.get(&node).is_some_and(|chains| chains.len() == 2 && chains[0] != chains[1]);
        let mut used = vec![false; self.chains.len()];
        let mut joined = Vec::new();
        // Chains that begin at a junction first, then rings without any.
        let starts = (0..self.chains.len())
            .flat_map(|index| [(index, false), (index, true)])
            .filter(|&(index, reversed)| !is_plain(self.chains[index].ends[usize::from(reversed)]));
        let rings = (0..self.chains.len()).map(|index| (index, false));
        for (index, reversed) in starts.chain(rings) {
            if used[index] {
                continue;
            }
            used[index] = true;
            let mut chain = directed(&self.chains[index], reversed);
            while is_plain(chain.ends[1]) {
                let next = at.get(&chain.ends[1]).and_then(|chains| chains.iter().find(|&&next| !used[next]));
                let Some(&next) = next else { break };
                used[next] = true;
                let after = directed(&self.chains[next], self.chains[next].ends[0] != chain.ends[1]);
                chain.nodes.extend(&after.nodes[1..]);
                chain.ways.extend(&after.ways);
                chain.ends[1] = after.ends[1];
                for (may, after) in chain.directions.iter_mut().zip(after.directions) {
                    *may &= after;
                }
            }
            joined.push(chain);
        }
        self.chains = joined;
    }

    /// Whether the one-way ways allow this circuit in one of its directions.
    fn is_allowed(&self, circuit: &[(usize, bool)]) -> bool {
        let may = |reversed: bool| {
            circuit.iter().all(|&(index, turned)| self.chains[index].directions[usize::from(turned != reversed)])
        };
        may(false) || may(true)
    }

    pub fn start(&self, (index, reversed): (usize, bool)) -> usize {
        self.chains[index].ends[usize::from(reversed)]
    }

    pub fn end(&self, (index, reversed): (usize, bool)) -> usize {
        self.chains[index].ends[usize::from(!reversed)]
    }

    /// The turn from the end of a chain to the beginning of the next, radians.
    pub fn turn(&self, from: (usize, bool), to: (usize, bool)) -> f64 {
        let heading = |a: usize, b: usize| {
            let step = self.points[b] - self.points[a];
            math::atan2(step.y, step.x)
        };
        let ends = |(index, reversed): (usize, bool), is_last: bool| {
            let nodes = &self.chains[index].nodes;
            let count = nodes.len();
            match (is_last, reversed) {
                (true, false) => heading(nodes[count - 2], nodes[count - 1]),
                (true, true) => heading(nodes[1], nodes[0]),
                (false, false) => heading(nodes[0], nodes[1]),
                (false, true) => heading(nodes[count - 1], nodes[count - 2]),
            }
        };
        wrap_angle(ends(to, false) - ends(from, true))
    }

    /// The road along chains, in the direction of its one-way ways, else in that of most of its length.
    fn road(&self, chains: &[(usize, bool)], closed: bool) -> Road {
        let (mut nodes, mut ways) = (Vec::new(), Vec::new());
        for &(index, reversed) in chains {
            let chain = directed(&self.chains[index], reversed);
            nodes.extend(&chain.nodes[usize::from(!nodes.is_empty())..]);
            ways.extend(&chain.ways);
        }
        if closed {
            nodes.pop();
        }
        let mut road = Road { nodes, ways, closed };
        if self.runs_back(&road) {
            road.reverse();
        }
        road.begin_at_first_way(&self.map.ways);
        road
    }

    /// Whether more of the road's length runs against its ways than along them; those of one direction decide.
    fn runs_back(&self, road: &Road) -> bool {
        let (mut by_rule, mut by_order) = (0.0, 0.0);
        for (step, &index) in road.ways.iter().enumerate() {
            let (from, to) = (road.nodes[step], road.nodes[(step + 1) % road.nodes.len()]);
            let Some(way) = self.map.ways.get(index) else { continue };
            let length = (self.points[to] - self.points[from]).norm();
            let along = if way.nodes.windows(2).any(|pair| pair == [from, to]) { length } else { -length };
            by_order += along;
            by_rule += match one_way(&way.tags) {
                OneWay::No => 0.0,
                OneWay::Forward => along,
                OneWay::Backward => -along,
            };
        }
        if by_rule == 0.0 { by_order < 0.0 } else { by_rule < 0.0 }
    }

    /// The longest of the shortest connections between two ends of a net without circuits.
    fn longest_open(&mut self) -> Option<Road> {
        self.join();
        let first = self.chains.first()?.ends[0];
        let (far, _) = self.farthest(first)?;
        let (_, path) = self.farthest(far)?;
        (!path.is_empty()).then(|| self.road(&path, false))
    }

    /// The node that is farthest from `from`, and the path to it.
    fn farthest(&self, from: usize) -> Option<(usize, Vec<(usize, bool)>)> {
        let at = chains_by_end(&self.chains);
        let length = |index: usize| -> f64 {
            self.chains[index].nodes.windows(2).map(|pair| (self.points[pair[1]] - self.points[pair[0]]).norm()).sum()
        };
        let mut reached: BTreeMap<usize, (f64, Option<(usize, bool)>)> = BTreeMap::from([(from, (0.0, None))]);
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            let so_far = reached.get(&node)?.0;
            for &index in at.get(&node)? {
                let ends = self.chains[index].ends;
                let (next, reversed) = if ends[0] == node { (ends[1], false) } else { (ends[0], true) };
                if let std::collections::btree_map::Entry::Vacant(entry) = reached.entry(next) {
                    entry.insert((so_far + length(index), Some((index, reversed))));
                    open.push(next);
                }
            }
        }
        let (&node, _) = reached.iter().max_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
        let mut path = Vec::new();
        let mut here = node;
        while let Some(&(_, Some(step))) = reached.get(&here) {
            path.push(step);
            here = self.start(step);
        }
        path.reverse();
        Some((node, path))
    }
}

/// The chain, turned round if `reversed`.
fn directed(chain: &Chain, reversed: bool) -> Chain {
    let mut chain = chain.clone();
    if reversed {
        chain.ends.reverse();
        chain.nodes.reverse();
        chain.ways.reverse();
        chain.directions.reverse();
    }
    chain
}

/// The chains that begin or end at each node, twice those that do both.
pub(super) fn chains_by_end(chains: &[Chain]) -> BTreeMap<usize, Vec<usize>> {
    let mut at: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, chain) in chains.iter().enumerate() {
        for &end in &chain.ends {
            at.entry(end).or_default().push(index);
        }
    }
    at
}

/// The chains of each connected net.
fn connected(chains: &[Chain]) -> Vec<Vec<Chain>> {
    let at = chains_by_end(chains);
    let mut seen = vec![false; chains.len()];
    let mut nets = Vec::new();
    for start in 0..chains.len() {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let (mut net, mut open) = (Vec::new(), vec![start]);
        while let Some(index) = open.pop() {
            net.push(index);
            for end in chains[index].ends {
                for &next in at.get(&end).map_or(&[][..], Vec::as_slice) {
                    if !std::mem::replace(&mut seen[next], true) {
                        open.push(next);
                    }
                }
            }
        }
        net.sort_unstable();
        nets.push(net.into_iter().map(|index| chains[index].clone()).collect());
    }
    nets
}
