//! The program on every few of its nodes first: nearly all steps are then taken where a step is
//! cheap.
//!
//! The coarse program is solved for the first barrier only. Its lap with its multipliers, between
//! its nodes interpolated, is where the whole program starts: well inside its limits, with speeds
//! and steering that fit each other. The price of an energy budget is found on it as well
//! (`coarse_budget`).

use super::problem::{EQUATIONS, HEADING, LIMITS, Node, OFFSET, Point, Problem, RATES, UNKNOWNS};
use super::program::{Duals, Progress, Settings, Solution, Status, solve};
use crate::SolveError;

/// Every how many nodes the coarse program has one.
const STRIDE: usize = 4;
/// The coarse program has at least this many nodes.
const MIN_NODES: usize = 40;
/// Multipliers of the coarse program are kept within this factor of those of the slacks.
pub(super) const BAND: f64 = 10.0;
/// Tolerance of the coarse program, whose own error is larger.
pub(super) const COARSE_TOLERANCE: f64 = 100.0;

/// Solves `problem` from `start`, on a coarse mesh first.
///
/// # Errors
/// [`SolveError::Program`] for a start that does not fit.
pub fn solve_by_meshes(
    problem: &Problem,
    start: Point,
    settings: &Settings,
    watch: &dyn Fn(Progress),
) -> Result<Solution, SolveError> {
    let Some(coarse) = Coarse::new(problem) else {
        return Ok(solve(problem, start, None, settings, watch)?);
    };
    let point = coarse.start(&start);
    let coarsely = Settings { last_barrier: settings.first_barrier, tolerance: COARSE_TOLERANCE, ..*settings };
    let finely = Settings { resumed_barrier: settings.first_barrier, resumed_band: BAND, ..*settings };
    let found = solve(&coarse.problem, point, None, &coarsely, watch)?;
    let (mut iterations, mut factorisations) = (found.iterations, found.factorisations);
    let mut fine = None;
    if found.status == Status::Converged {
        let (point, duals) = coarse.refined(problem, &found.point, &found.duals);
        fine = Some(solve(problem, point, Some(&duals), &finely, watch)?);
    }
    // Where the coarse lap leads nowhere, the search begins where it would without.
    let mut fine = match fine {
        Some(fine) if fine.status == Status::Converged => fine,
        other => {
            iterations += other.as_ref().map_or(0, |fine| fine.iterations);
            factorisations += other.as_ref().map_or(0, |fine| fine.factorisations);
            solve(problem, start, None, settings, watch)?
        }
    };
    iterations += fine.iterations;
    factorisations += fine.factorisations;
    (fine.iterations, fine.factorisations) = (iterations, factorisations);
    Ok(fine)
}

/// The program on some of the nodes.
pub(super) struct Coarse<'a> {
    pub problem: Problem<'a>,
    /// The nodes.
    kept: Vec<usize>,
    /// Coarse interval of each node, and the place of the node on it, 0 to 1.
    places: Vec<(usize, f64)>,
}

impl<'a> Coarse<'a> {
    /// The coarse program; `None` for a short course, which has too few nodes for one.
    pub fn new(problem: &Problem<'a>) -> Option<Self> {
        let intervals = problem.intervals();
        let count = (intervals / STRIDE).max(1);
        // Both ends of an open road are nodes.
        let mut kept: Vec<usize> = (0..=count).map(|k| k * intervals / count).collect();
        let mut places = Vec::with_capacity(problem.nodes.len());
        let mut nodes: Vec<Node> = Vec::with_capacity(kept.len());
        for (interval, ends) in kept.windows(2).enumerate() {
            let own = &problem.nodes[ends[0]..ends[1]];
            let length_m: f64 = own.iter().map(|node| node.length_m).sum();
            let mut along = 0.0;
            for node in own {
                places.push((interval, along / length_m));
                along += node.length_m;
            }
            let turn_rad = own.iter().map(|node| node.turn_rad).sum();
            nodes.push(Node { length_m, turn_rad, ..own[0] });
        }
        if problem.closed {
            kept.truncate(count);
        } else {
            nodes.extend(problem.nodes.last());
            places.push((count - 1, 1.0));
        }
        let last = problem.nodes.len() - 1;
        let fixed =
            problem.fixed.iter().map(|&(node, unknown)| (if node == last { kept.len() - 1 } else { node }, unknown));
        let coarse = Problem {
            fixed: fixed.collect(),
            per_second: problem.per_second * nodes.len() as f64 / problem.nodes.len() as f64,
            nodes,
            ..problem.clone()
        };
        (kept.len() >= MIN_NODES).then_some(Self { problem: coarse, kept, places })
    }

    /// The point `start` of the whole program at the coarse nodes.
    pub fn start(&self, start: &[[f64; UNKNOWNS]]) -> Point {
        self.kept.iter().map(|&i| start[i]).collect()
    }

    /// A point of the whole program with its multipliers, from those of the coarse one.
    pub fn refined(&self, problem: &Problem, coarse: &[[f64; UNKNOWNS]], duals: &Duals) -> (Point, Duals) {
        (self.point(problem, coarse), self.duals(problem, duals))
    }

    /// Unknowns at all nodes, from those of the coarse nodes.
    ///
    /// Between coarse nodes the car's own heading is linear, not that relative to the reference
    /// line, which bends in between; the offset follows from it.
    fn point(&self, problem: &Problem, coarse: &[[f64; UNKNOWNS]]) -> Point {
        let mut point: Point = (0..problem.nodes.len()).map(|i| self.between(i, coarse)).collect();
        let to_offset = problem.scales[HEADING] / problem.scales[OFFSET];
        let mut begin = 0;
        for (interval, long) in self.problem.nodes.iter().enumerate().take(self.problem.intervals()) {
            let end = begin + self.places[begin..].iter().take_while(|place| place.0 == interval).count();
            let own = begin..end.min(problem.intervals());
            let total = long.turn_rad / problem.scales[HEADING];
            let mut turned = 0.0;
            for i in own.clone() {
                point[i][HEADING] += self.places[i].1 * total - turned;
                turned += problem.nodes[i].turn_rad / problem.scales[HEADING];
            }
            // How far the offset departs from the straight line between both nodes.
            let after = coarse[self.problem.next(interval)][HEADING];
            let mut moved = vec![0.0];
            for i in own.clone() {
                let next = if i + 1 < own.end { point[i + 1][HEADING] } else { after };
                let mean = 0.5 * (point[i][HEADING] + next) * to_offset;
                moved.push(moved[i - begin] + mean * problem.nodes[i].length_m);
            }
            let all = moved[own.len()];
            for i in own {
                point[i][OFFSET] += moved[i - begin] - self.places[i].1 * all;
            }
            begin = end;
        }
        point
    }

    /// Linear interpolation of values at the coarse nodes.
    fn between<const N: usize>(&self, i: usize, coarse: &[[f64; N]]) -> [f64; N] {
        let (interval, fraction) = self.places[i];
        let (from, to) = (&coarse[interval], &coarse[self.problem.next(interval)]);
        std::array::from_fn(|k| from[k] + fraction * (to[k] - from[k]))
    }

    /// Multipliers at all nodes, from those of the coarse nodes.
    ///
    /// The multipliers of an interval's equations and rates are those of the time, whatever its
    /// length. The multipliers of a node's limits are interpolated, since each is for the length
    /// that the node stands for. The factor of the objective changes with the number of nodes.
    fn duals(&self, problem: &Problem, coarse: &Duals) -> Duals {
        let factor = problem.per_second / self.problem.per_second;
        let mut multipliers: Vec<[f64; LIMITS]> = Vec::with_capacity(self.places.len());
        let mut prices: Vec<[f64; EQUATIONS]> = Vec::with_capacity(self.places.len());
        for i in 0..self.places.len() {
            let interval = self.places[i].0;
            let mut own = self.between(i, &coarse.multipliers);
            for (entry, rate) in own.iter_mut().zip(&coarse.multipliers[interval]).take(RATES.end).skip(RATES.start) {
                *entry = factor * rate;
            }
            multipliers.push(own);
            prices.push(self.price(problem, i, &coarse.prices).map(|price| factor * price));
        }
        Duals { prices, multipliers }
    }

    /// Multipliers of the equations of interval `i`, between the middles of the coarse intervals.
    fn price(&self, problem: &Problem, i: usize, coarse: &[[f64; EQUATIONS]]) -> [f64; EQUATIONS] {
        if i >= problem.intervals() {
            return [0.0; EQUATIONS];
        }
        let (interval, fraction) = self.places[i];
        let middle = fraction + 0.5 * problem.nodes[i].length_m / self.problem.nodes[interval].length_m - 0.5;
        let other = if middle < 0.0 {
            self.problem.before(interval)
        } else {
            Some(self.problem.next(interval)).filter(|&next| next < self.problem.intervals())
        };
        let (own, other) = (&coarse[interval], &coarse[other.unwrap_or(interval)]);
        std::array::from_fn(|k| own[k] + middle.abs() * (other[k] - own[k]))
    }
}
