//! Streets with junctions → a route, and the road along it.
//!
//! [`Network`] has junctions and ends as nodes and pieces of street between them. Its sources are
//! lines in GeoJSON ([`geojson_streets`]) and SVG (`svg_streets`), and the medial axis of a
//! picture's free space (`Network::of_free_space`). [`route`] finds a way through stops: the
//! shortest, the fastest with its turns, or the best score of all ways of a number of pieces.
//! [`road_along`] gives the two edges of the road along it, for [`track::cut`](crate::track::cut).
//!
//! The graph search is that of the crate `pathfinding`.

mod error;
#[cfg(feature = "picture")]
mod exhaustive;
#[cfg(feature = "picture")]
mod geojson;
#[cfg(feature = "picture")]
mod junctions;
#[cfg(feature = "picture")]
mod medial;
mod options;
#[cfg(feature = "picture")]
mod road;
#[cfg(feature = "picture")]
mod route;
#[cfg(feature = "picture")]
mod search;
#[cfg(feature = "picture")]
mod stops;
#[cfg(feature = "picture")]
mod streets;
#[cfg(feature = "picture")]
mod timing;

pub use error::NetworkError;
#[cfg(feature = "picture")]
pub use geojson::{GeoStreets, geojson_streets};
pub use options::{NetworkOptions, OneWay, RouteKind, RouteWeights, ViaOrder};
#[cfg(feature = "picture")]
pub use road::road_along;
#[cfg(feature = "picture")]
pub use route::{Answer, PickUp, Route, Task, route};
#[cfg(feature = "picture")]
pub use streets::{Directions, Network, Piece, Street};
#[cfg(feature = "picture")]
pub use timing::Directed;
