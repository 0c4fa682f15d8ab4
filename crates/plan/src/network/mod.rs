//! Streets with junctions → a route, and the road along it.
//!
//! [`Network`] has junctions and ends as nodes and pieces of street between them. Its sources are
//! lines in GeoJSON ([`geojson_streets`]) and SVG (`svg_streets`), and the medial axis of a
//! picture's free space (`Network::of_free_space`). [`route`] finds a path through stops: the
//! shortest, the fastest with its turns, or the best score of all paths of a number of pieces.
//! [`road_along`] gives the two edges of the road along it, for [`track::cut`](raceline_road::track::cut).
//!
//! The graph search is that of the crate `pathfinding`.

mod error;
mod exhaustive;
mod geojson;
mod junctions;
mod medial;
mod options;
mod road;
mod route;
mod search;
mod stops;
mod streets;
mod timing;

pub use error::NetworkError;
pub use geojson::{GeoStreets, geojson_streets};
pub use options::{NetworkOptions, OneWay, RouteKind, RouteWeights, ViaOrder};
pub use road::road_along;
pub use route::{Answer, PickUp, Route, Task, route};
pub use streets::{Directions, Network, Piece, Street};
pub use timing::Directed;
