//! The cheapest sequence of gates: a beam search, one cone a step.

use std::collections::{HashMap, HashSet};

use super::ConeColour;
use super::gates::Gates;
use raceline_numerics::math;

/// Sequences that are followed at a time. More find no better roads on the generated circuits; fewer lose
/// them where several cones in a row are missing.
const BEAM: usize = 120;
/// Sequences that may pass one gate at a time.
const BEAM_OF_GATE: usize = 3;
/// Cost of a cone on the side that its colour contradicts.
const WRONG_COLOUR: f64 = 1.0;
/// Cost of a gate that is wider or narrower than usual by the usual width.
const WIDTH_WEIGHT: f64 = 0.6;
/// Cost of a gap between two cones of an edge that is longer than usual by the usual distance.
const GAP_WEIGHT: f64 = 0.3;
/// Cost of a turn of an edge by a radian, squared, at a cone.
const TURN_WEIGHT: f64 = 0.3;
/// Gates wider than this many usual widths are none, and gaps longer than as many usual distances.
const WIDEST_GATE: f64 = 4.0;
const LONGEST_GAP: f64 = 8.0;
/// A closed road has at least this many cones.
const MIN_CONES: usize = 8;
/// What a cone that is left out costs, beside what those cost that are used.
pub(super) const LEFT_OUT: f64 = 0.6;

/// A gate: a cone of the left edge and one of the right edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Gate {
    pub left: usize,
    pub right: usize,
}

/// Both edges as indices of cones, in the direction of travel.
#[derive(Clone, Debug, Default)]
pub(super) struct Edges {
    pub left: Vec<usize>,
    pub right: Vec<usize>,
    pub closed: bool,
    /// The sum of the costs of its cones.
    pub cost: f64,
}

impl Edges {
    pub(super) fn used(&self) -> usize {
        self.left.len() + self.right.len()
    }
}

/// A step of a sequence, which leads back to the start by `before`.
struct Step {
    gate: Gate,
    before: Option<usize>,
    cost: f64,
    count: usize,
}

/// The roads that begin at `start`: the cheapest closed one, and the cheapest open one. They have at most
/// `max_cones` cones, and none of `taken`.
pub(super) fn roads_from(
    gates: &Gates,
    start: Gate,
    max_cones: usize,
    taken: &HashSet<usize>,
) -> (Option<Edges>, Edges) {
    let mut steps = vec![Step { gate: start, before: None, cost: gate_cost(gates, start), count: 2 }];
    let mut beam = vec![Sequence { last: 0, used: Used::new(gates, [start.left, start.right].iter().chain(taken)) }];
    let total = |steps: &[Step], step: usize| steps[step].cost - LEFT_OUT * steps[step].count as f64;
    let (mut closed, mut open): (Option<usize>, usize) = (None, 0);
    while !beam.is_empty() {
        let mut next: Vec<Candidate> = Vec::new();
        for (sequence, &Sequence { last: at, ref used }) in beam.iter().enumerate() {
            for (gate, cost) in successors(gates, &steps, at) {
                let added = if gate.left == steps[at].gate.left { gate.right } else { gate.left };
                let returns = added == start.left && gate.left == added || added == start.right && gate.right == added;
                if !returns && used.has(added) {
                    continue;
                }
                let count = steps[at].count + usize::from(!returns);
                steps.push(Step { gate, before: Some(at), cost: steps[at].cost + cost, count });
                let step = steps.len() - 1;
                if gate == start {
                    if count >= MIN_CONES && closed.is_none_or(|best| total(&steps, step) < total(&steps, best)) {
                        closed = Some(step);
                    }
                } else if count < max_cones {
                    next.push(Candidate { step, sequence, added });
                    if total(&steps, step) < total(&steps, open) {
                        open = step;
                    }
                }
            }
        }
        // The gates as a second key, so that the order does not depend on the map's.
        next.sort_by(|a, b| {
            let [a, b] = [a, b].map(|candidate| &steps[candidate.step]);
            let key = |step: &Step| (step.gate.left, step.gate.right);
            a.cost.total_cmp(&b.cost).then_with(|| key(a).cmp(&key(b)))
        });
        let mut of_gate: HashMap<Gate, usize> = HashMap::new();
        next.retain(|candidate| {
            let count = of_gate.entry(steps[candidate.step].gate).or_default();
            *count += 1;
            *count <= BEAM_OF_GATE
        });
        next.truncate(BEAM);
        // Only what stays in the beam is given cones of its own.
        let kept = |Candidate { step, sequence, added }| Sequence { last: step, used: beam[sequence].used.with(added) };
        beam = next.into_iter().map(kept).collect();
    }
    (closed.map(|step| edges(&steps, step, true)), edges(&steps, open, false))
}

/// A sequence in the beam.
struct Sequence {
    last: usize,
    used: Used,
}

/// A sequence of the beam with one more cone.
struct Candidate {
    step: usize,
    sequence: usize,
    added: usize,
}

/// A set of cones, one bit each.
#[derive(Clone)]
struct Used(Vec<u64>);

impl Used {
    fn new<'a>(gates: &Gates, cones: impl Iterator<Item = &'a usize>) -> Self {
        let mut used = Self(vec![0; gates.cones.len().div_ceil(64)]);
        cones.for_each(|&cone| used.insert(cone));
        used
    }

    fn has(&self, cone: usize) -> bool {
        self.0[cone / 64] >> (cone % 64) & 1 == 1
    }

    fn insert(&mut self, cone: usize) {
        self.0[cone / 64] |= 1 << (cone % 64);
    }

    fn with(&self, cone: usize) -> Self {
        let mut more = self.clone();
        more.insert(cone);
        more
    }
}

/// The gates after the last one of a sequence, with their costs.
fn successors(gates: &Gates, steps: &[Step], at: usize) -> Vec<(Gate, f64)> {
    let gate = steps[at].gate;
    let Some(apex) = gates.ahead(gate.left, gate.right) else { return Vec::new() };
    let sides = [
        (Gate { left: apex, ..gate }, gate.left, ConeColour::Right),
        (Gate { right: apex, ..gate }, gate.right, ConeColour::Left),
    ];
    let cost = |(next, from, wrong): (Gate, usize, ConeColour)| {
        let width = gates.distance(next.left, next.right) / gates.width_m;
        let gap = gates.distance(from, apex) / gates.spacing_m;
        if width > WIDEST_GATE || gap > LONGEST_GAP {
            return None;
        }
        let colour = if gates.cones[apex].colour == wrong { WRONG_COLOUR } else { 0.0 };
        let turn = turn_rad(gates, steps, at, from, apex, wrong == ConeColour::Right);
        let gap = GAP_WEIGHT * huber((gap - 1.0).max(0.0));
        Some((next, colour + gate_cost(gates, next) + gap + TURN_WEIGHT * turn * turn))
    };
    sides.into_iter().filter_map(cost).collect()
}

fn gate_cost(gates: &Gates, gate: Gate) -> f64 {
    WIDTH_WEIGHT * huber(gates.distance(gate.left, gate.right) / gates.width_m - 1.0)
}

/// The square of a small difference, and linear for a larger one: where cones are missing, a gate is wide
/// for a good reason.
fn huber(difference: f64) -> f64 {
    let size = difference.abs();
    if size < 0.5 { size * size } else { size - 0.25 }
}

/// The turn of an edge at the cone `from`, where it goes on to `to`, radians.
fn turn_rad(gates: &Gates, steps: &[Step], mut at: usize, from: usize, to: usize, of_left: bool) -> f64 {
    let side = |gate: Gate| if of_left { gate.left } else { gate.right };
    while side(steps[at].gate) == from {
        match steps[at].before {
            Some(before) => at = before,
            None => return 0.0,
        }
    }
    let [before, from, to] = [side(steps[at].gate), from, to].map(|cone| gates.cones[cone].position);
    let (a, b) = (from - before, to - from);
    math::atan2(a.x * b.y - a.y * b.x, a.dot(&b)).abs()
}

/// The edges of the sequence that ends with `step`.
fn edges(steps: &[Step], step: usize, closed: bool) -> Edges {
    let mut sequence = Vec::new();
    let mut at = Some(step);
    while let Some(index) = at {
        sequence.push(steps[index].gate);
        at = steps[index].before;
    }
    sequence.reverse();
    let mut found = Edges { closed, cost: steps[step].cost, ..Edges::default() };
    for gate in sequence {
        for (edge, cone) in [(&mut found.left, gate.left), (&mut found.right, gate.right)] {
            if edge.last() != Some(&cone) {
                edge.push(cone);
            }
        }
    }
    if closed {
        // The last gate is the first one.
        for edge in [&mut found.left, &mut found.right] {
            if edge.len() > 1 && edge.first() == edge.last() {
                edge.pop();
            }
        }
    }
    found
}
