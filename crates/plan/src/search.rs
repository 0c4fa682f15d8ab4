//! What a planner is asked and what it answers.

use super::FreeSpace;
use raceline_car::Vehicle;
use raceline_road::geometry::Point;

/// A search from a point to another; both have room.
///
/// ```
/// use image::{GrayImage, Luma};
/// use raceline_plan::{FreeSpace, PlanOptions, PlannerKind, Query, Status, planner};
/// use raceline_road::{frame::PictureFrame, geometry::Point};
///
/// let free = GrayImage::from_pixel(80, 40, Luma([255]));
/// let frame = PictureFrame { metres_per_pixel: 0.25, origin_m: Point::origin(), width_px: 80, height_px: 40 };
/// let (space, vehicle) = (FreeSpace::new(&free, frame, 0.5), raceline_car::preset("robot-car")?);
/// let (from, to) = (Point::new(2.0, 5.0), Point::new(18.0, 5.0));
/// let query = Query { space: &space, from, to, headings_rad: [None; 2], seed: 1, vehicle: &vehicle };
/// assert_eq!(planner(PlannerKind::AStar, &PlanOptions::default())?.search(&query).status, Status::Found);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The free space.
    pub space: &'a FreeSpace,
    /// Start, metres.
    pub from: Point,
    /// End, metres.
    pub to: Point,
    /// Headings at the start and at the end, radians counter-clockwise from the x axis; `None` leaves
    /// them open. Only `hybrid-a-star` regards them.
    pub headings_rad: [Option<f64>; 2],
    /// Seed of the planner's random numbers.
    pub seed: u64,
    /// The vehicle, for estimated times.
    pub vehicle: &'a Vehicle,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A path was found.
    Found,
    /// Everything was searched: there is no path between the cells.
    NoPath,
    /// Everything was searched: there is a path, but none that a vehicle with this turning circle
    /// drives forwards.
    NoTurn,
    /// The limit of samples was reached.
    GaveUp,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// How it ended.
    pub status: Status,
    /// The path from start to end, metres; empty unless found.
    pub path: Vec<Point>,
    /// What the planner minimises: metres of its path, seconds for `voronoi`.
    pub cost: f64,
    /// Number of nodes whose neighbours were asked for; samples of a random planner.
    pub nodes_expanded: usize,
    /// Places of the expanded nodes, metres.
    pub expanded: Vec<Point>,
    /// Local minima in which a potential field held the search, metres.
    pub minima: Vec<Point>,
    /// Heading at the end of a path that the vehicle can drive as it is, radians; `None` for the paths
    /// of planners that know no heading.
    pub end_heading_rad: Option<f64>,
}

impl Search {
    /// A search that ended without a path.
    pub(super) fn without_path(status: Status, expanded: Vec<Point>) -> Self {
        Self {
            status,
            path: Vec::new(),
            cost: f64::INFINITY,
            nodes_expanded: expanded.len(),
            expanded,
            minima: Vec::new(),
            end_heading_rad: None,
        }
    }

    /// A search that found `way`.
    pub(super) fn found(path: Vec<Point>, cost: f64, expanded: Vec<Point>) -> Self {
        let nodes_expanded = expanded.len();
        let minima = Vec::new();
        Self { status: Status::Found, path, cost, nodes_expanded, expanded, minima, end_heading_rad: None }
    }
}

/// Searches a path through free space.
pub trait Planner {
    /// Searches a path. The same query gives the same result.
    fn search(&self, query: &Query) -> Search;
}
