//! A plan through several stops, and seeded tasks.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::grid_search::GridSearch;
use super::potential_field::PotentialField;
use super::prm::Prm;
use super::rrt::Rrt;
use super::search::{Planner, Query, Status};
use super::taut::{length_of, pulled_taut};
use super::travel_time::estimated_time_s;
use super::visibility_prm::VisibilityPrm;
use super::voronoi::Voronoi;
use super::{FreeSpace, PlanError, PlanOptions, PlannerKind};
use crate::geometry::Point;
use crate::vehicle::Vehicle;

/// The planner of a kind; `weight` is that of `weighted-a-star`.
#[must_use]
pub fn planner(kind: PlannerKind, weight: f64) -> Box<dyn Planner> {
    match kind {
        PlannerKind::Voronoi => Box::new(Voronoi),
        PlannerKind::AStar => Box::new(GridSearch { weight: Some(1.0) }),
        PlannerKind::WeightedAStar => Box::new(GridSearch { weight: Some(weight) }),
        PlannerKind::Dijkstra => Box::new(GridSearch { weight: None }),
        PlannerKind::PotentialField => Box::new(PotentialField),
        PlannerKind::Prm => Box::new(Prm),
        PlannerKind::VisibilityPrm => Box::new(VisibilityPrm),
        PlannerKind::Rrt => Box::new(Rrt { rewires: false }),
        PlannerKind::RrtStar => Box::new(Rrt { rewires: true }),
    }
}

/// A way through all stops.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The planner.
    pub planner: PlannerKind,
    /// The way, pulled taut between the stops, metres. A closed one doesn't repeat its first point.
    pub way: Vec<Point>,
    /// Whether it leads back to its start.
    pub closed: bool,
    /// What the planner minimised, before the way was pulled taut: metres, or seconds for
    /// `voronoi`.
    pub cost: f64,
    /// Length of the way, metres.
    pub length_m: f64,
    /// Time from standstill along the way with its corners rounded, s.
    pub estimated_time_s: f64,
    /// Number of nodes expanded.
    pub nodes_expanded: usize,
    /// Their places, metres.
    pub expanded: Vec<Point>,
    /// Local minima of a potential field that the search had to leave, metres.
    pub minima: Vec<Point>,
}

/// Plans a way through `stops` in their order, and back to the first if `closed`.
///
/// # Errors
/// [`PlanError::OutsideMap`] and [`PlanError::NoRoom`] for a stop, [`PlanError::NoWay`] and
/// [`PlanError::GaveUp`] for a leg, [`PlanError::NoEnd`] for fewer than two stops.
pub fn plan(
    kind: PlannerKind,
    options: &PlanOptions,
    space: &FreeSpace,
    stops: &[Point],
    closed: bool,
    vehicle: &Vehicle,
    seed: u64,
) -> Result<Plan, PlanError> {
    let planner = planner(kind, options.weight()?);
    if stops.len() < 2 {
        return Err(PlanError::NoEnd { missing: "to" });
    }
    for (number, &stop) in stops.iter().enumerate() {
        let name = match number {
            0 => "from".to_owned(),
            _ if !closed && number + 1 == stops.len() => "to".to_owned(),
            _ => format!("via {number}"),
        };
        space.check_stop(&name, stop)?;
    }
    let mut result = Plan {
        planner: kind,
        way: vec![stops[0]],
        closed,
        cost: 0.0,
        length_m: 0.0,
        estimated_time_s: 0.0,
        nodes_expanded: 0,
        expanded: Vec::new(),
        minima: Vec::new(),
    };
    let legs = if closed { stops.len() } else { stops.len() - 1 };
    for leg in 0..legs {
        let (from, to) = (stops[leg], stops[(leg + 1) % stops.len()]);
        let found = planner.search(&Query { space, from, to, seed: seed.wrapping_add(leg as u64), vehicle });
        match found.status {
            Status::Found => {}
            Status::NoWay => {
                return Err(PlanError::NoWay {
                    from_m: [from.x, from.y],
                    to_m: [to.x, to.y],
                    needed_m: space.needed_m,
                });
            }
            Status::GaveUp => return Err(PlanError::GaveUp { planner: kind.name() }),
        }
        result.cost += found.cost;
        result.nodes_expanded += found.nodes_expanded;
        result.expanded.extend(found.expanded);
        result.minima.extend(found.minima);
        result.way.extend(pulled_taut(space, &found.way).into_iter().skip(1));
    }
    result.length_m = length_of(&result.way);
    result.estimated_time_s = estimated_time_s(&result.way, space.needed_m, vehicle);
    if closed {
        result.way.pop();
    }
    Ok(result)
}

/// Pairs of places with room, uniformly drawn; each pair has a stream of random numbers of its own.
/// Empty if the map has no room.
#[must_use]
pub fn tasks(space: &FreeSpace, count: usize, seed: u64) -> Vec<[Point; 2]> {
    let free: Vec<u32> = (0..space.cell_count() as u32).filter(|&cell| space.is_free(cell)).collect();
    if free.is_empty() {
        return Vec::new();
    }
    let task = |number: usize| {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(number as u64);
        [(); 2].map(|()| space.centre(free[random.random_range(0..free.len())]))
    };
    (0..count).map(task).collect()
}
