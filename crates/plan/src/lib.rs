//! Free space of a map → a path from a point to another, and the road about it.
//!
//! [`FreeSpace`] has the clearance of each cell of an occupancy grid or picture. A [`Planner`]
//! searches a path between two points in it; there is one file per family of planners. [`plan`]
//! searches the legs between the stops, pulls each taut (`taut`) and estimates its time
//! (`travel_time`). [`road_about`] gives the two edges of the free space about a path, for
//! [`track::cut`](raceline_road::track::cut).
//!
//! Paths are compared by the same measure whatever their planner, because each is pulled taut. The
//! searches of a graph are those of the crate `pathfinding`.
//!
//! [`GridPlanner`] repairs a path while the grid changes, [`AnytimeSearch`] improves one as long as
//! there is time, and [`discover`] drives through a map that is seen by a lidar during the drive.
//! [`tile_race`] drives over the road tiles of a map through checkpoints, and chooses among all routes of some tiles.
//! A [`NavigationMesh`] has the free space as triangles, and paths for discs of any radius.
//! [`deepen`] searches graphs too large for a list of their nodes. A [`Roadmap`] is kept for many paths on
//! one map.
//!
//! [`network`] finds routes through streets with junctions.
//!
//! ```
//! use image::{GrayImage, Luma};
//! use raceline_plan::{FreeSpace, PlanOptions, PlannerKind, plan};
//! use raceline_road::frame::PictureFrame;
//! use raceline_road::geometry::Point;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A hall of 20 m by 10 m, for a robot whose centre needs 0.5 m of clearance.
//! let free = GrayImage::from_pixel(200, 100, Luma([255]));
//! let frame = PictureFrame { metres_per_pixel: 0.1, origin_m: Point::origin(), width_px: 200, height_px: 100 };
//! let space = FreeSpace::new(&free, frame, 0.5);
//! let (stops, robot) = ([Point::new(2.0, 5.0), Point::new(18.0, 5.0)], raceline_car::preset("robot-car")?);
//! let found = plan(PlannerKind::Voronoi, &PlanOptions::default(), &space, &stops, false, &robot, 1)?;
//! assert!((found.length_m - 16.0).abs() < 0.5);
//! # Ok(())
//! # }
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod arc_taut;
mod axis_paths;
mod cells;
mod corridor;
mod deepening;
mod discovery;
mod dubins;
mod elastic_band;
mod error;
mod escape;
mod free_space;
mod funnel;
mod gaussian;
mod grid_a_star;
mod grid_search;
mod heuristic;
mod hybrid_a_star;
mod ida_star;
mod lidar;
mod medial_graph;
mod mesh_search;
mod navigation_mesh;
pub mod network;
mod options;
mod path;
#[cfg(test)]
mod planner_tests;
mod potential_field;
mod prm;
mod quadtree;
mod repulsion;
mod roadmap;
mod rrt;
mod sampler;
mod search;
mod tasks;
mod taut;
#[cfg(test)]
mod test_maps;
mod tile_race;
mod tiles_raced;
mod travel_time;
mod visibility_prm;
mod voronoi;

pub use corridor::{road_about, road_about_arcs};
pub use deepening::{Deepening, DeepeningLimits, deepen};
pub use discovery::{Discovery, FromScratch, discover};
pub use dubins::{ArcPath, Pose, dubins};
pub use error::{MeshError, PlanError, RaceError, RoadmapError};
pub use free_space::FreeSpace;
pub use grid_a_star::shortest_on_grid;
pub use heuristic::Heuristic;
pub use mesh_search::MeshPath;
pub use navigation_mesh::NavigationMesh;
pub use options::{PlanOptions, PlannerKind, PotentialEscape};
pub use path::{Plan, drivable_instead, plan, plan_on, planner};
pub use raceline_grid::{
    AnytimePath, AnytimeSearch, Grid, GridError, GridPath, GridPlanner, LookAhead, TileDriver, TileMap, TileRoute,
};
pub use roadmap::Roadmap;
pub use search::{Planner, Query, Search, Status};
pub use tasks::tasks;
pub use taut::length_of;
pub use tile_race::{TileRace, TileRaceOptions, tile_race};
pub use tiles_raced::{TilesDriven, TilesRaced, race_over};
pub use travel_time::bends;
pub use travel_time::estimated_time_s;
