//! Free space of a map → a way from a point to another, and the road about it.
//!
//! [`FreeSpace`] has the clearance of each cell of an occupancy grid or picture. A [`Planner`]
//! searches a way between two points in it; there is one file per family of planners. [`plan`]
//! searches the legs between the stops, pulls each taut (`taut`) and estimates its time
//! (`travel_time`). [`road_about`] gives the two edges of the free space about a way, for
//! [`track::cut`](crate::track::cut).
//!
//! Ways are compared by the same measure whatever their planner, because each is pulled taut. The
//! searches of a graph are those of the crate `pathfinding`.

#[cfg(feature = "picture")]
mod arc_taut;
#[cfg(feature = "picture")]
mod axis_ways;
#[cfg(feature = "picture")]
mod cells;
#[cfg(feature = "picture")]
mod corridor;
#[cfg(feature = "picture")]
mod dubins;
#[cfg(feature = "picture")]
mod elastic_band;
mod error;
#[cfg(feature = "picture")]
mod free_space;
#[cfg(feature = "picture")]
mod grid_search;
#[cfg(feature = "picture")]
mod hybrid_a_star;
#[cfg(feature = "picture")]
mod ida_star;
#[cfg(feature = "picture")]
mod medial_graph;
mod options;
#[cfg(feature = "picture")]
mod potential_field;
#[cfg(feature = "picture")]
mod prm;
#[cfg(feature = "picture")]
mod rrt;
#[cfg(feature = "picture")]
mod search;
#[cfg(feature = "picture")]
mod tasks;
#[cfg(feature = "picture")]
mod taut;
#[cfg(feature = "picture")]
mod travel_time;
#[cfg(feature = "picture")]
mod visibility_prm;
#[cfg(feature = "picture")]
mod voronoi;
#[cfg(feature = "picture")]
mod way;

#[cfg(feature = "picture")]
pub use corridor::{road_about, road_about_arcs};
#[cfg(feature = "picture")]
pub use dubins::{ArcWay, Pose, dubins};
pub use error::PlanError;
#[cfg(feature = "picture")]
pub use free_space::FreeSpace;
#[cfg(feature = "picture")]
pub(crate) use medial_graph::{MedialEdge, MedialGraph};
pub use options::{PlanOptions, PlannerKind};
#[cfg(feature = "picture")]
pub use search::{Planner, Query, Search, Status};
#[cfg(feature = "picture")]
pub use tasks::tasks;
#[cfg(feature = "picture")]
pub use taut::{length_of, pulled_taut};
#[cfg(feature = "picture")]
pub(crate) use travel_time::bends;
#[cfg(feature = "picture")]
pub use travel_time::estimated_time_s;
#[cfg(feature = "picture")]
pub use way::{Plan, drivable_instead, plan, planner};
