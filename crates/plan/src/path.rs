//! A plan through several stops.

use super::cells::Cells;
use super::corridor::bends_tighter_than;
use super::grid_search::GridSearch;
use super::hybrid_a_star::HybridAStar;
use super::ida_star::IdaStar;
use super::mesh_search::MeshPlanner;
use super::potential_field::PotentialField;
use super::prm::{Prm, Sampling};
use super::quadtree::QuadtreeSearch;
use super::roadmap::Roadmap;
use super::rrt::Rrt;
use super::search::{Planner, Query, Status};
use super::taut::{length_of, pulled_taut};
use super::travel_time::estimated_time_s;
use super::visibility_prm::VisibilityPrm;
use super::voronoi::Voronoi;
use super::{FreeSpace, PlanError, PlanOptions, PlannerKind};
use raceline_car::Vehicle;
use raceline_road::geometry::Point;

/// The planner of a kind with its options.
///
/// # Errors
/// [`PlanError::OutOfRange`] for the weight, [`PlanError::Inadmissible`] for a heuristic with which
/// `a-star` would miss the minimum, [`PlanError::Unused`] for an option that the planner does not have.
pub fn planner(kind: PlannerKind, options: &PlanOptions) -> Result<Box<dyn Planner>, PlanError> {
    let weight = options.weight()?;
    options.check_used_by(kind)?;
    let heuristic = options.heuristic.unwrap_or_default();
    if kind == PlannerKind::AStar && !heuristic.is_admissible() {
        return Err(PlanError::Inadmissible { heuristic: heuristic.name(), factor: heuristic.overestimate() });
    }
    Ok(match kind {
        PlannerKind::Voronoi => Box::new(Voronoi),
        PlannerKind::AStar => Box::new(GridSearch { heuristic: Some((heuristic, 1.0)) }),
        PlannerKind::WeightedAStar => Box::new(GridSearch { heuristic: Some((heuristic, weight)) }),
        PlannerKind::Dijkstra => Box::new(GridSearch { heuristic: None }),
        PlannerKind::IdaStar => Box::new(IdaStar),
        PlannerKind::Cells => Box::new(Cells),
        PlannerKind::NavigationMesh => Box::new(MeshPlanner),
        PlannerKind::Quadtree => Box::new(QuadtreeSearch),
        PlannerKind::PotentialField => Box::new(PotentialField(options.potential_escape.unwrap_or_default())),
        PlannerKind::Prm => Box::new(Prm(Sampling::Uniform)),
        PlannerKind::GaussianPrm => Box::new(Prm(Sampling::Gaussian)),
        PlannerKind::VisibilityPrm => Box::new(VisibilityPrm),
        PlannerKind::Rrt => Box::new(Rrt { rewires: false }),
        PlannerKind::RrtStar => Box::new(Rrt { rewires: true }),
        PlannerKind::HybridAStar => Box::new(HybridAStar),
    })
}

/// A path through all stops.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The planner.
    pub planner: PlannerKind,
    /// The path, pulled taut between the stops, metres. A closed one doesn't repeat its first point.
    pub path: Vec<Point>,
    /// Whether it leads back to its start.
    pub closed: bool,
    /// Whether the vehicle can drive it as it is, forwards; then it is not pulled taut.
    pub is_drivable: bool,
    /// What the planner minimised, before the path was pulled taut: metres, or seconds for
    /// `voronoi`.
    pub cost: f64,
    /// Length of the path, metres.
    pub length_m: f64,
    /// Time from standstill along the path with its corners rounded, s.
    pub estimated_time_s: f64,
    /// Number of nodes expanded.
    pub nodes_expanded: usize,
    /// Places of the expanded nodes, metres.
    pub expanded: Vec<Point>,
    /// Local minima of a potential field that the search had to leave, metres.
    pub minima: Vec<Point>,
}

/// Plans a path through `stops` in their order, and back to the first if `closed`.
///
/// # Errors
/// [`PlanError::OutsideMap`] and [`PlanError::NoRoom`] for a stop, [`PlanError::NoPath`],
/// [`PlanError::NoTurn`] and [`PlanError::GaveUp`] for a leg, [`PlanError::NoEnd`] for fewer than two stops,
/// and those of [`planner`].
pub fn plan(
    kind: PlannerKind,
    options: &PlanOptions,
    space: &FreeSpace,
    stops: &[Point],
    closed: bool,
    vehicle: &Vehicle,
    seed: u64,
) -> Result<Plan, PlanError> {
    plan_with(&*planner(kind, options)?, kind, options, space, stops, closed, vehicle, seed)
}

/// As [`plan`], by a roadmap that is kept.
///
/// # Errors
/// As [`plan`]; [`PlanError::Unused`] for an option that roadmaps do not have.
pub fn plan_on(
    roadmap: &Roadmap,
    options: &PlanOptions,
    space: &FreeSpace,
    stops: &[Point],
    closed: bool,
    vehicle: &Vehicle,
) -> Result<Plan, PlanError> {
    options.check_used_by(roadmap.kind())?;
    plan_with(roadmap, roadmap.kind(), options, space, stops, closed, vehicle, roadmap.seed())
}

#[expect(clippy::too_many_arguments, reason = "those of plan, and the planner")]
fn plan_with(
    planner: &dyn Planner,
    kind: PlannerKind,
    options: &PlanOptions,
    space: &FreeSpace,
    stops: &[Point],
    closed: bool,
    vehicle: &Vehicle,
    seed: u64,
) -> Result<Plan, PlanError> {
    let [first_heading, last_heading] = options.headings_rad()?;
    if stops.len() < 2 {
        return Err(PlanError::NoEnd { missing: "to" });
    }
    space.cells_of_stops(stops, closed)?;
    let mut result = Plan {
        planner: kind,
        path: vec![stops[0]],
        closed,
        is_drivable: kind == PlannerKind::HybridAStar,
        cost: 0.0,
        length_m: 0.0,
        estimated_time_s: 0.0,
        nodes_expanded: 0,
        expanded: Vec::new(),
        minima: Vec::new(),
    };
    let legs = if closed { stops.len() } else { stops.len() - 1 };
    let mut heading = first_heading;
    for leg in 0..legs {
        let (from, to) = (stops[leg], stops[(leg + 1) % stops.len()]);
        let headings_rad = [heading, last_heading.filter(|_| leg + 1 == legs)];
        let query = Query { space, from, to, headings_rad, seed: seed.wrapping_add(leg as u64), vehicle };
        let found = planner.search(&query);
        match found.status {
            Status::Found => {}
            Status::NoPath => {
                return Err(PlanError::NoPath {
                    from_m: [from.x, from.y],
                    to_m: [to.x, to.y],
                    needed_m: space.needed_m,
                });
            }
            Status::NoTurn => {
                return Err(PlanError::NoTurn {
                    from_m: [from.x, from.y],
                    to_m: [to.x, to.y],
                    radius_m: 1.0 / vehicle.max_curvature_radpm,
                });
            }
            Status::GaveUp => return Err(PlanError::GaveUp { planner: kind.name() }),
        }
        result.cost += found.cost;
        result.nodes_expanded += found.nodes_expanded;
        result.expanded.extend(found.expanded);
        result.minima.extend(found.minima);
        // The next leg goes on with the heading of this one.
        heading = found.end_heading_rad;
        let path = if result.is_drivable { found.path } else { pulled_taut(space, &found.path) };
        result.path.extend(path.into_iter().skip(1));
    }
    result.length_m = length_of(&result.path);
    result.estimated_time_s = estimated_time_s(&result.path, space.needed_m, vehicle);
    if closed {
        result.path.pop();
    }
    Ok(result)
}

/// The path of hybrid A* in place of one whose road would bend tighter than the vehicle turns; `None`
/// if it bends less, or if there is no such path.
///
/// # Errors
/// Those of [`plan`] but for a leg without path.
pub fn drivable_instead(
    found: &Plan,
    options: &PlanOptions,
    space: &FreeSpace,
    stops: &[Point],
    vehicle: &Vehicle,
    seed: u64,
) -> Result<Option<Plan>, PlanError> {
    if found.is_drivable || !bends_tighter_than(space, &found.path, found.closed, vehicle.max_curvature_radpm) {
        return Ok(None);
    }
    let kind = PlannerKind::HybridAStar;
    match plan(kind, &options.for_planner(kind), space, stops, found.closed, vehicle, seed) {
        Ok(drivable) => Ok(Some(drivable)),
        Err(PlanError::NoPath { .. } | PlanError::NoTurn { .. } | PlanError::GaveUp { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
