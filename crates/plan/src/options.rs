//! The options of a path through free space.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::PlanError;
use super::heuristic::Heuristic;
use raceline_road::frame::Spot;
use raceline_road::range::{OutOfRange, Range};

/// Range of `planner_weight`.
const WEIGHT: Range = Range::between(1.0, 100.0);
/// Default of `planner_weight`.
const DEFAULT_WEIGHT: f64 = 1.5;
/// Range of `from_heading_deg` and `to_heading_deg`.
const HEADING: Range = Range::between(-360.0, 360.0);

/// The planners with a choice of heuristic.
const WITH_HEURISTIC: [PlannerKind; 2] = [PlannerKind::AStar, PlannerKind::WeightedAStar];

/// How a path through free space is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PlannerKind {
    /// Routes on the medial axis of the free space and the shortest path on its cells, of which the
    /// one with the smallest estimated time is taken.
    #[default]
    Voronoi,
    /// A* on the cells.
    AStar,
    /// A* on the cells with its heuristic multiplied by `planner_weight`.
    WeightedAStar,
    /// Dijkstra's algorithm on the cells.
    Dijkstra,
    /// Iterative deepening A* on the medial axis, in whole steps of half the needed clearance.
    IdaStar,
    /// Exact cell decomposition: A* over the sides that trapezoids of the free space have in common.
    Cells,
    /// Navigation mesh: A* over the triangles between obstacles, then the shortest path through them.
    NavigationMesh,
    /// A* over the squares of a quadtree, for maps of very many cells.
    Quadtree,
    /// Steepest descent of a potential field; best-first search out of its local minima.
    PotentialField,
    /// Probabilistic roadmap: seeded random points, joined where the straight line is free.
    Prm,
    /// Probabilistic roadmap with its points beside obstacles, where narrow passages are.
    GaussianPrm,
    /// Roadmap of the few random points that see what no other does, or that join several.
    VisibilityPrm,
    /// Rapidly exploring random tree.
    Rrt,
    /// Rapidly exploring random tree whose branches are rewired, which shortens the path as it grows.
    RrtStar,
    /// A* on place and heading: a path that the vehicle can drive forwards, with its turning circle.
    HybridAStar,
}

impl PlannerKind {
    /// All planners, the default first.
    pub const ALL: [Self; 15] = [
        Self::Voronoi,
        Self::AStar,
        Self::WeightedAStar,
        Self::Dijkstra,
        Self::IdaStar,
        Self::Cells,
        Self::NavigationMesh,
        Self::Quadtree,
        Self::PotentialField,
        Self::Prm,
        Self::GaussianPrm,
        Self::VisibilityPrm,
        Self::Rrt,
        Self::RrtStar,
        Self::HybridAStar,
    ];

    /// The name as used in options.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Voronoi => "voronoi",
            Self::AStar => "a-star",
            Self::WeightedAStar => "weighted-a-star",
            Self::Dijkstra => "dijkstra",
            Self::IdaStar => "ida-star",
            Self::Cells => "cells",
            Self::NavigationMesh => "navigation-mesh",
            Self::Quadtree => "quadtree",
            Self::PotentialField => "potential-field",
            Self::Prm => "prm",
            Self::GaussianPrm => "gaussian-prm",
            Self::VisibilityPrm => "visibility-prm",
            Self::Rrt => "rrt",
            Self::RrtStar => "rrt-star",
            Self::HybridAStar => "hybrid-a-star",
        }
    }
}

/// How the planner `potential-field` leaves a local minimum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PotentialEscape {
    /// Best-first search, which fills the minimum: it finds every path.
    #[default]
    Fill,
    /// Random walks, until one descends lower.
    RandomWalk,
    /// Random places from which the goal is reached by descent, directly or over one another.
    BackwardChaining,
    /// A random roadmap, to the first place that lies lower.
    Roadmap,
}

impl PotentialEscape {
    /// All escapes, the default first.
    pub const ALL: [Self; 4] = [Self::Fill, Self::RandomWalk, Self::BackwardChaining, Self::Roadmap];
}

/// A path from a point to another on a map or picture whose free space is no single road. `via` and
/// `shape` of the route apply too: with `shape = "closed"` the path leads back to `from`.
///
/// ```
/// use raceline_plan::{PlanOptions, PlannerKind};
/// use raceline_road::frame::Spot;
///
/// let at = |x, y| Some(Spot::Metres([x, y]));
/// let options = PlanOptions { from: at(2.0, 5.0), to: at(18.0, 5.0), ..PlanOptions::default() };
/// assert_eq!((options.is_planned(), options.kind()), (true, PlannerKind::Voronoi));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PlanOptions {
    /// Start of a path through free space, as `road_at`. With it, a map or picture is no road but
    /// free space, in which a path is planned. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-kind" = "spot"))]
    pub from: Option<Spot>,
    /// End of a path through free space, as `road_at`. Default: none; a closed path needs none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-kind" = "spot"))]
    pub to: Option<Spot>,
    /// The search of a path through free space. Default: `voronoi`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planner: Option<PlannerKind>,
    /// Estimate of the cost to the goal of `a-star` and `weighted-a-star`. Default: `octile`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heuristic: Option<Heuristic>,
    /// Factor on the heuristic of `weighted-a-star`: the path costs at most this many times the minimum
    /// cost, with the heuristic `manhattan` 1.42 times as much. Default: 1.5.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = WEIGHT))]
    pub planner_weight: Option<f64>,
    /// How `potential-field` leaves a local minimum. Default: `fill`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub potential_escape: Option<PotentialEscape>,
    /// Heading of the vehicle at `from`, degrees counter-clockwise from the x axis. The path is then
    /// searched with hybrid A*. Default: any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = HEADING))]
    pub from_heading_deg: Option<f64>,
    /// Heading of the vehicle at `to`, degrees counter-clockwise from the x axis. The path is then
    /// searched with hybrid A*. Default: any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-range" = HEADING))]
    pub to_heading_deg: Option<f64>,
}

impl PlanOptions {
    /// Whether a path is to be planned.
    #[must_use]
    pub fn is_planned(&self) -> bool {
        self.from.is_some() || self.to.is_some()
    }

    /// Whether an option specifies how to search the path.
    #[must_use]
    pub fn chooses_search(&self) -> bool {
        self.planner.is_some()
            || self.heuristic.is_some()
            || self.potential_escape.is_some()
            || self.from_heading_deg.is_some()
            || self.to_heading_deg.is_some()
    }

    /// The specified planner; without one, `hybrid-a-star` if a heading is specified, else the default.
    #[must_use]
    pub fn kind(&self) -> PlannerKind {
        let has_heading = self.from_heading_deg.or(self.to_heading_deg).is_some();
        self.planner.unwrap_or(if has_heading { PlannerKind::HybridAStar } else { PlannerKind::default() })
    }

    /// The headings at the start and at the end, radians.
    ///
    /// # Errors
    /// [`OutOfRange`] if one is not from -360 to 360 degrees.
    pub(crate) fn headings_rad(&self) -> Result<[Option<f64>; 2], OutOfRange> {
        for (name, heading) in [("from_heading_deg", self.from_heading_deg), ("to_heading_deg", self.to_heading_deg)] {
            heading.map_or(Ok(()), |heading| HEADING.check(name, heading))?;
        }
        Ok([self.from_heading_deg, self.to_heading_deg].map(|heading| heading.map(f64::to_radians)))
    }

    /// The options that a planner has, where others are compared with it.
    ///
    /// ```
    /// use raceline_plan::{Heuristic, PlanOptions, PlannerKind};
    ///
    /// let options = PlanOptions { heuristic: Some(Heuristic::Euclidean), ..PlanOptions::default() };
    /// assert_eq!(options.for_planner(PlannerKind::AStar), options);
    /// assert_eq!(options.for_planner(PlannerKind::Voronoi), PlanOptions::default());
    /// ```
    #[must_use]
    pub fn for_planner(&self, kind: PlannerKind) -> Self {
        let mut options = self.clone();
        options.heuristic = options.heuristic.filter(|_| WITH_HEURISTIC.contains(&kind));
        options.potential_escape = options.potential_escape.filter(|_| kind == PlannerKind::PotentialField);
        options
    }

    /// Checks that the planner has each option that is specified.
    ///
    /// # Errors
    /// [`PlanError::Unused`].
    pub(crate) fn check_used_by(&self, kind: PlannerKind) -> Result<(), PlanError> {
        let unused = |option, planners| Err(PlanError::Unused { option, planner: kind.name(), planners });
        if self.heuristic.is_some() && !WITH_HEURISTIC.contains(&kind) {
            return unused("heuristic", "a-star or weighted-a-star");
        }
        if self.potential_escape.is_some() && kind != PlannerKind::PotentialField {
            return unused("potential_escape", "potential-field");
        }
        Ok(())
    }

    /// The specified or default weight.
    ///
    /// # Errors
    /// [`OutOfRange`] if it is not from 1 to 100.
    pub fn weight(&self) -> Result<f64, OutOfRange> {
        let weight = self.planner_weight.unwrap_or(DEFAULT_WEIGHT);
        WEIGHT.check("planner_weight", weight).map(|()| weight)
    }
}
