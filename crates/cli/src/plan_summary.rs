//! What `raceline plan --json` prints: one object per planner or kind of route, in SI units.

use raceline_plan::network::{Answer, RouteKind};
use raceline_plan::{Plan, PlannerKind};
use serde::Serialize;

/// The path of one planner.
#[derive(Debug, Serialize)]
pub struct PlanSummary {
    planner: &'static str,
    /// `found`, `no way` or `gave up`.
    status: &'static str,
    #[serde(flatten)]
    #[serde(rename = "way")]
    path: Option<PathSummary>,
}

/// A path that was found.
#[derive(Debug, Serialize)]
struct PathSummary {
    /// Metres, or seconds of the planner `voronoi`.
    cost: f64,
    length_m: f64,
    estimated_time_s: f64,
    nodes_expanded: usize,
    /// Positions of the path, m.
    #[serde(rename = "way_m")]
    path_m: Vec<[f64; 2]>,
}

impl PlanSummary {
    /// The summary of a path.
    pub fn found(plan: &Plan) -> Self {
        let path = PathSummary {
            cost: plan.cost,
            length_m: plan.length_m,
            estimated_time_s: plan.estimated_time_s,
            nodes_expanded: plan.nodes_expanded,
            path_m: plan.path.iter().map(|point| [point.x, point.y]).collect(),
        };
        Self { planner: plan.planner.name(), status: "found", path: Some(path) }
    }

    /// The summary of a planner without a path.
    pub fn missing(planner: PlannerKind, status: &'static str) -> Self {
        Self { planner: planner.name(), status, path: None }
    }
}

/// A route through streets.
#[derive(Debug, Serialize)]
pub struct RouteSummary {
    route: &'static str,
    /// `found`, `gave up`, or why no line is found along the route.
    status: &'static str,
    #[serde(flatten)]
    found: Option<FoundRoute>,
}

/// A route that was found.
#[derive(Debug, Serialize)]
struct FoundRoute {
    length_m: f64,
    estimated_time_s: f64,
    turns: usize,
    straights: usize,
    pieces: usize,
    /// Estimated time with the penalties of turns, s.
    score_s: f64,
}

impl RouteSummary {
    /// The summary of `answer` with its `status`.
    pub fn new(answer: &Answer, status: &'static str) -> Self {
        let route = &answer.route;
        let found = FoundRoute {
            length_m: route.length_m,
            estimated_time_s: route.estimated_time_s,
            turns: route.turns,
            straights: route.straights,
            pieces: route.pieces.len(),
            score_s: route.score_s,
        };
        Self { route: route.kind.name(), status, found: Some(found) }
    }

    /// The summary of a kind whose search gave up.
    pub fn missing(kind: RouteKind, status: &'static str) -> Self {
        Self { route: kind.name(), status, found: None }
    }
}
