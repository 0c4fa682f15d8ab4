//! Routes through stops: the k best of a graph of directed pieces and visited vias.
//!
//! A state is a directed piece and what was visited on the route: the number of vias in the given
//! order, or the set of them for any order. The latter is the dynamic programme over subsets of
//! M. Held and R. Karp, "A dynamic programming approach to sequencing problems" (1962), with pieces
//! of street in place of cities, so that turns at the vias count too. The k best paths are those of
//! J. Yen, "Finding the k shortest loopless paths in a network" (1971), by the crate `pathfinding`.

use pathfinding::directed::yen::yen;

use super::timing::{Directed, Steps, back, head};

/// Maximum number of vias whose best order is searched.
pub(super) const MAX_ANY_ORDER: usize = 10;
/// Added for turning back in a street: more than any route without costs.
const TURN_BACK: f64 = 1e6;
/// Costs are compared as whole numbers of millionths.
const MILLIONTHS: f64 = 1e6;
/// Maximum number of routes that are compared, and the number of states for all of them together.
const ROUTES: usize = 12;
const STATES: usize = 200_000;

/// Where a route leads, as nodes.
#[derive(Clone, Debug)]
pub(super) struct Stops {
    pub from: usize,
    /// `from` for a closed route.
    pub to: usize,
    pub via: Vec<usize>,
    pub any_order: bool,
    pub closed: bool,
}

impl Stops {
    /// What is visited after `node`, from what was visited before.
    pub fn visited(&self, before: u32, node: usize) -> u32 {
        if self.any_order {
            let here = self.via.iter().enumerate().filter(|&(_, &via)| via == node);
            return here.fold(before, |visited, (index, _)| visited | 1 << index);
        }
        let mut next = before;
        while self.via.get(next as usize) == Some(&node) {
            next += 1;
        }
        next
    }

    /// Whether all vias are visited.
    pub fn is_complete(&self, visited: u32) -> bool {
        visited == if self.any_order { (1 << self.via.len()) - 1 } else { self.via.len() as u32 }
    }

    fn state_count(&self, steps: &Steps) -> usize {
        let visits = if self.any_order { 1 << self.via.len() } else { self.via.len() + 1 };
        visits * 2 * steps.network.pieces.len()
    }
}

/// A state of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    Start,
    On(Directed, u32),
    Goal,
}

/// The best routes, as directed pieces, with the smallest cost first; and the number of states
/// whose successors were asked for.
pub(super) fn best_routes(steps: &mut Steps, stops: &Stops) -> (Vec<Vec<Directed>>, usize) {
    let wanted = (STATES / stops.state_count(steps).max(1)).clamp(1, ROUTES);
    let starts = steps.outgoing[stops.from].clone();
    // A closed route ends with the turn into its first piece, so each first piece is a search.
    let firsts: Vec<Vec<Directed>> =
        if stops.closed { starts.into_iter().map(|first| vec![first]).collect() } else { vec![starts] };
    let mut expanded = 0;
    let mut found: Vec<(Vec<State>, u64)> = Vec::new();
    for first in &firsts {
        found.extend(yen(
            &State::Start,
            |state| {
                expanded += 1;
                successors(*state, first, steps, stops)
            },
            |state| *state == State::Goal,
            wanted,
        ));
    }
    found.sort_by_key(|&(_, cost)| cost);
    let pieces = |states: Vec<State>| {
        states.into_iter().filter_map(|state| match state {
            State::On(directed, _) => Some(directed),
            State::Start | State::Goal => None,
        })
    };
    (found.into_iter().map(|(states, _)| pieces(states).collect()).collect(), expanded)
}

fn successors(state: State, firsts: &[Directed], steps: &mut Steps, stops: &Stops) -> Vec<(State, u64)> {
    let whole = |cost: f64| (cost.clamp(0.0, 1e12) * MILLIONTHS) as u64 + 1;
    let network = steps.network;
    let (directed, visited) = match state {
        State::Goal => return Vec::new(),
        State::Start => {
            let begin = |&first: &Directed| {
                let cost = if stops.closed { 0.0 } else { steps.beginning(first) };
                let visited = stops.visited(stops.visited(0, stops.from), head(network, first));
                (State::On(first, visited), whole(cost))
            };
            return firsts.iter().map(begin).collect();
        }
        State::On(directed, visited) => (directed, visited),
    };
    let node = head(network, directed);
    let penalty = |next: Directed| if next == back(directed) { TURN_BACK } else { 0.0 };
    let mut next = Vec::new();
    if node == stops.to && stops.is_complete(visited) {
        let cost = match firsts {
            [first] if stops.closed => steps.between(directed, *first) + penalty(*first),
            _ => steps.end(directed),
        };
        next.push((State::Goal, whole(cost)));
    }
    for out in steps.outgoing[node].clone() {
        let cost = steps.between(directed, out) + penalty(out);
        next.push((State::On(out, stops.visited(visited, head(network, out))), whole(cost)));
    }
    next
}
