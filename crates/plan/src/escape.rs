//! Escapes from the local minima of a potential field.
//!
//! The search descends steepest until no neighbour lies lower. Where that is not the goal,
//! - a random walk leads to a place from which the descent ends lower: J. Barraquand and J.-C. Latombe,
//!   "Robot motion planning: a distributed representation approach" (1991), section 6;
//! - backward chaining collects random places from which the goal, or a place that is collected already,
//!   is reached by descent, until the minimum descends to one: the random subgoals of B. Glavina,
//!   "Solving findpath by combination of goal-directed and randomized search" (ICRA 1990), taken from
//!   the goal backwards;
//! - a roadmap leads to the first place on the path to the goal that lies lower.
//!
//! The first and the last reach a place lower than the minimum, so that no minimum is met twice; backward
//! chaining reaches the goal.

use std::f64::consts::TAU;

use super::free_space::Connected;
use super::grid_search::through;
use super::options::PotentialEscape;
use super::repulsion::potential;
use super::roadmap::Roadmap;
use super::sampler::Sampler;
use super::search::{Planner, Query, Search, Status};
use super::taut::length_of;
use super::{FreeSpace, PlannerKind};
use raceline_numerics::math;
use raceline_road::geometry::Vector;

/// Longest step of a random walk in needed clearances. Longer ones leave large pockets sooner and are
/// stopped more often in narrow places.
const STEP: f64 = 4.0;
/// After so many walks without success, walks have one step more.
const WALKS_PER_STEP: usize = 8;
/// The search gives up after so many random walks or places.
const MAX_DRAWN: usize = 5000;
/// From a new place, descents to so many of the nearest collected ones are tried. More collect places
/// sooner, at a cost in proportion.
const NEAREST: usize = 4;

/// Searches by descent, and leaves local minima by `escape`.
pub(super) fn descend(query: &Query, escape: PotentialEscape) -> Search {
    let Query { space, from, to, seed, .. } = *query;
    let Some(Connected { start, goal, .. }) = space.connected(from, to) else {
        return Search::without_path(Status::NoPath, Vec::new());
    };
    let field = Field { space, goal };
    let mut escapes = Escapes { query, field, sampler: Sampler::new(space, seed), drawn: 0, roadmap: None };
    let (mut cells, mut minima) = (vec![start], Vec::new());
    loop {
        let held = field.descend(&mut cells);
        if held == goal {
            break;
        }
        minima.push(space.centre(held));
        let out = match escape {
            PotentialEscape::Fill | PotentialEscape::RandomWalk => escapes.walk_out(held),
            PotentialEscape::BackwardChaining => escapes.chain_out(held),
            PotentialEscape::Roadmap => escapes.roadmap_out(held),
        };
        match out {
            Some(out) => cells.extend(out),
            None => {
                let expanded = cells.into_iter().map(|cell| space.centre(cell)).collect();
                return Search { minima, ..Search::without_path(Status::GaveUp, expanded) };
            }
        }
    }
    cells.dedup();
    let path = through(space, from, &cells, to);
    let cost = length_of(&path);
    Search { minima, ..Search::found(path, cost, cells.into_iter().map(|cell| space.centre(cell)).collect()) }
}

/// The potential towards the cell of a goal.
#[derive(Clone, Copy)]
struct Field<'a> {
    space: &'a FreeSpace,
    goal: u32,
}

impl Field<'_> {
    fn value(&self, cell: u32) -> f64 {
        if cell == self.goal { -1.0 } else { potential(self.space, cell, self.space.centre(self.goal)) }
    }

    /// Goes down from the last of `cells`, to which it adds those passed, until no neighbour lies lower;
    /// the last one.
    fn descend(&self, cells: &mut Vec<u32>) -> u32 {
        let mut at = cells.last().copied().unwrap_or(self.goal);
        let mut level = self.value(at);
        loop {
            let beside = self.space.neighbours(at).map(|(cell, _)| (self.value(cell), cell));
            match beside.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))) {
                Some((lower, cell)) if lower < level => {
                    (at, level) = (cell, lower);
                    cells.push(cell);
                }
                _ => return at,
            }
        }
    }
}

/// What the escapes from the minima of one search have in common.
struct Escapes<'a> {
    query: &'a Query<'a>,
    field: Field<'a>,
    sampler: Sampler<'a>,
    /// Number of random walks or places so far.
    drawn: usize,
    /// Made at the first minimum.
    roadmap: Option<Roadmap>,
}

impl Escapes<'_> {
    /// Cells from `held` to a place from which the descent ends lower; `None` if no walk found one.
    fn walk_out(&mut self, held: u32) -> Option<Vec<u32>> {
        let space = self.field.space;
        let step_m = STEP * space.needed_m;
        let level = self.field.value(held);
        let mut walks = 0;
        while self.drawn < MAX_DRAWN {
            self.drawn += 1;
            walks += 1;
            let mut cells = vec![held];
            let mut at = space.centre(held);
            for _ in 0..usize::div_ceil(walks, WALKS_PER_STEP) {
                let (sin, cos) = math::sin_cos(TAU * self.sampler.fraction());
                let next = at + step_m * self.sampler.fraction() * Vector::new(cos, sin);
                let next = space.cell_at(next).filter(|&cell| space.is_clear(at, space.centre(cell)));
                if let Some(cell) = next {
                    cells.push(cell);
                    at = space.centre(cell);
                }
            }
            let end = self.field.descend(&mut cells);
            if self.field.value(end) < level {
                return Some(cells);
            }
        }
        None
    }

    /// Cells from `held` over collected places to the goal; `None` if too few were found.
    fn chain_out(&mut self, held: u32) -> Option<Vec<u32>> {
        let space = self.field.space;
        // Each place with the cells to the one from which it was collected.
        let mut places: Vec<(u32, usize, Vec<u32>)> = vec![(self.field.goal, 0, Vec::new())];
        while self.drawn < MAX_DRAWN {
            self.drawn += 1;
            let Some(place) = space.cell_at(self.sampler.sample()) else { continue };
            let distance = |cell: u32| (space.centre(cell) - space.centre(place)).norm_squared();
            let mut nearest: Vec<(f64, usize)> =
                places.iter().enumerate().map(|(index, (cell, ..))| (distance(*cell), index)).collect();
            nearest.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let reached = nearest
                .iter()
                .take(NEAREST)
                .find_map(|&(_, index)| Some((index, descent_between(space, place, places[index].0)?)));
            let Some((before, cells)) = reached else { continue };
            places.push((place, before, cells));
            if let Some(mut cells) = descent_between(space, held, place) {
                let mut at = places.len() - 1;
                while at != 0 {
                    let (_, before, on) = &places[at];
                    cells.extend(on);
                    at = *before;
                }
                return Some(cells);
            }
        }
        None
    }

    /// Cells from `held` along a roadmap to the first place that lies lower; `None` if it has none.
    fn roadmap_out(&mut self, held: u32) -> Option<Vec<u32>> {
        let Field { space, goal } = self.field;
        if self.roadmap.is_none() {
            self.roadmap = Roadmap::new(PlannerKind::Prm, space, self.query.seed).ok();
        }
        let query = Query { from: space.centre(held), to: space.centre(goal), ..*self.query };
        let found = self.roadmap.as_ref()?.search(&query);
        let level = self.field.value(held);
        let mut cells = Vec::new();
        for cell in found.path.iter().filter_map(|&point| space.cell_at(point)) {
            cells.push(cell);
            if self.field.value(cell) < level {
                return Some(cells);
            }
        }
        None
    }
}

/// The cells by which the descent towards `to` leads there from `from`; `None` if it ends elsewhere.
fn descent_between(space: &FreeSpace, from: u32, to: u32) -> Option<Vec<u32>> {
    let mut cells = vec![from];
    (Field { space, goal: to }.descend(&mut cells) == to).then_some(cells)
}
