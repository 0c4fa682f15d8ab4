//! Errors of planning.

use raceline_grid::GridError;
use raceline_road::range::OutOfRange;

/// Why outlines or polygons are no navigation mesh.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// Two sides cross.
    #[error(
        "two sides of polygons cross near ({x_m:.3} m, {y_m:.3} m): a navigation mesh is flat, so that no polygon lies over \
         another; export one level of it"
    )]
    Crosses {
        /// An end of one of them, metres.
        x_m: f64,
        /// An end of one of them, metres.
        y_m: f64,
    },
    /// A coordinate that is no number of metres.
    #[error("the corner ({x_m} m, {y_m} m) is no place of a mesh: coordinates are numbers of at most {max_m} m")]
    Coordinate {
        /// As specified.
        x_m: f64,
        /// As specified.
        y_m: f64,
        /// Largest coordinate, metres.
        max_m: f64,
    },
    /// Too many sides.
    #[error(
        "the polygons have {sides} sides, but a navigation mesh has at most {max}: export a part of them, or simplify it"
    )]
    TooLarge {
        /// Number of sides.
        sides: usize,
        /// Largest number of them.
        max: usize,
    },
    /// Polygons without an area.
    #[error("the polygons have no area of at least a cell of {cell_m} m: check their scale, which is metres")]
    Empty {
        /// Side of a cell, metres.
        cell_m: f64,
    },
}

/// Why a kept roadmap cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RoadmapError {
    /// Not a roadmap's file, or one that was changed.
    #[error("it is no roadmap of raceline {reason}: delete it, and it is written anew")]
    Damaged {
        /// What is wrong, and where.
        reason: String,
    },
    /// The roadmap of another map, or of a vehicle that needs another clearance.
    #[error(
        "it belongs to another map, or to a vehicle or a safety_distance_m with another needed clearance: name another file"
    )]
    OtherMap,
    /// A planner that has no roadmap to keep.
    #[error("the planner {planner} has no roadmap that can be kept: use prm or gaussian-prm")]
    Planner {
        /// Name of the planner.
        planner: &'static str,
    },
    /// The roadmap of another planner than specified.
    #[error("it is a roadmap of the planner {planner}: specify this one, or name another file")]
    OtherPlanner {
        /// Name of the planner of the file.
        planner: &'static str,
    },
}

/// Why a race over tiles can't be driven.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RaceError {
    /// No route leads to a place.
    #[error("no route leads over the tiles from place {leg} of the race to the one after it, counted from 0")]
    NoRoute {
        /// Number of the place before.
        leg: usize,
    },
    /// Wrong tiles, or numbers of the look-ahead.
    #[error(transparent)]
    Grid(#[from] GridError),
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// An end of the path is not specified.
    #[error(
        "the planned path has no {missing}: specify from and to, or from, via and shape = \"closed\" for one that leads back"
    )]
    NoEnd {
        /// `from`, `to` or `via`.
        missing: &'static str,
    },
    /// A stop in degrees where there is no place on the globe.
    #[error("{stop} is in degrees, but the file has no longitudes and latitudes: specify it in metres, as x,y")]
    NoGlobe {
        /// Which stop.
        stop: &'static str,
    },
    /// A stop that is not on the map.
    #[error(
        "{stop} ({x_m:.2} m, {y_m:.2} m) is not on the map, which reaches from ({left_m:.2} m, {bottom_m:.2} m) to \
         ({right_m:.2} m, {top_m:.2} m)"
    )]
    OutsideMap {
        /// Which stop.
        stop: String,
        /// As specified, metres.
        x_m: f64,
        /// As specified, metres.
        y_m: f64,
        /// Minimum x of the map, metres.
        left_m: f64,
        /// Minimum y of the map, metres.
        bottom_m: f64,
        /// Greatest x of the map, metres.
        right_m: f64,
        /// Greatest y of the map, metres.
        top_m: f64,
    },
    /// A stop without room for the vehicle.
    #[error(
        "{stop} ({x_m:.2} m, {y_m:.2} m) has a clearance of {clearance_m:.2} m, but the vehicle with its margin needs \
         {needed_m:.2} m: {}", nearest_text(*nearest_m)
    )]
    NoRoom {
        /// Which stop.
        stop: String,
        /// As specified, metres.
        x_m: f64,
        /// As specified, metres.
        y_m: f64,
        /// Distance to the nearest obstacle, metres; zero inside of one.
        clearance_m: f64,
        /// Half the width, the safety distance and a cell, metres.
        needed_m: f64,
        /// The nearest place with room, metres.
        nearest_m: Option<[f64; 2]>,
    },
    /// The planner searched everything and found no path.
    #[error(
        "no path leads from ({}, {}) to ({}, {}) with a clearance of {needed_m:.2} m: choose other ends, or a narrower \
         vehicle or a smaller safety_distance_m",
        .from_m[0], .from_m[1], .to_m[0], .to_m[1]
    )]
    NoPath {
        /// Start of the leg, metres.
        from_m: [f64; 2],
        /// End of the leg, metres.
        to_m: [f64; 2],
        /// Needed clearance, metres.
        needed_m: f64,
    },
    /// There is a path, but not for a vehicle that only drives forwards.
    #[error(
        "no path leads from ({:.2} m, {:.2} m) to ({:.2} m, {:.2} m) for a vehicle that turns with a radius of {radius_m:.2} m \
         and does not reverse: choose other ends or headings, or a vehicle with a larger max_curvature_radpm",
        .from_m[0], .from_m[1], .to_m[0], .to_m[1]
    )]
    NoTurn {
        /// Start of the leg, metres.
        from_m: [f64; 2],
        /// End of the leg, metres.
        to_m: [f64; 2],
        /// Minimum turning radius, metres.
        radius_m: f64,
    },
    /// The planner reached its limit of samples without a path; there may be one.
    #[error("the planner {planner} found no path within its limit of nodes: use planner = \"voronoi\"")]
    GaveUp {
        /// Name of the planner.
        planner: &'static str,
    },
    /// A heuristic that may exceed the cost of a path, for a planner that promises the minimum.
    #[error(
        "the heuristic {heuristic} may be {factor:.2} times the cost of a path, so that a-star would miss the minimum: \
         use heuristic = \"octile\", or planner = \"weighted-a-star\""
    )]
    Inadmissible {
        /// Name of the heuristic.
        heuristic: &'static str,
        /// How many times the cost it may be.
        factor: f64,
    },
    /// An option that the planner does not have.
    #[error("the planner {planner} has no {option}: remove it, or use {planners}")]
    Unused {
        /// The option.
        option: &'static str,
        /// Name of the planner.
        planner: &'static str,
        /// Planners that have it.
        planners: &'static str,
    },
    /// A path that comes back to itself has no road of its own there.
    #[error(
        "the path crosses or meets itself near ({x_m:.2} m, {y_m:.2} m), where it has no room of its own: choose vias \
         that lead past"
    )]
    MeetsItself {
        /// Place, metres.
        x_m: f64,
        /// Place, metres.
        y_m: f64,
    },
    /// The file has no cells.
    #[error(
        "the file has no free space: a path is planned on a picture, a map's YAML or a mesh; for a route through the streets of \
         GeoJSON, SVG, OpenStreetMap or OpenDRIVE, specify the options from and to"
    )]
    NoFreeSpace,
    /// A path without length.
    #[error("the path is only {length_m:.2} m long: choose ends that are farther apart, or vias")]
    TooShort {
        /// Length, metres.
        length_m: f64,
    },
    /// A lidar that doesn't reach beyond the obstacles that the vehicle would touch.
    #[error(
        "a lidar with a radius of {radius_m:.2} m sees too little to drive by: the vehicle with its margin needs \
         {min_m:.2} m: specify a larger radius"
    )]
    ShortSight {
        /// As specified, metres.
        radius_m: f64,
        /// Clearance that the vehicle needs and two cells, metres.
        min_m: f64,
    },
    /// Tiles that are smaller than the cells of the map, or no number of metres.
    #[error("tiles of {tile_m} m have no cell of the map, which are {cell_m:.3} m: specify a larger side")]
    SmallTile {
        /// As specified, metres.
        tile_m: f64,
        /// Side of a cell, metres.
        cell_m: f64,
    },
    /// A driver over tiles who doesn't see the next one.
    #[error("with a radius of {radius_m:.2} m the driver sees no other tile of {tile_m:.2} m: specify a larger radius")]
    UnseenTiles {
        /// As specified, metres.
        radius_m: f64,
        /// Side of a tile, metres.
        tile_m: f64,
    },
    /// A stop on a tile without a road through its middle.
    #[error(
        "{stop} ({x_m:.2} m, {y_m:.2} m) is on a tile of {tile_m:.2} m whose middle ({:.2} m, {:.2} m) has no room for the \
         vehicle: choose a stop on a road, or the side of the map's own tiles",
        .middle_m[0], .middle_m[1]
    )]
    NoTile {
        /// Which stop.
        stop: String,
        /// As specified, metres.
        x_m: f64,
        /// As specified, metres.
        y_m: f64,
        /// Side of a tile, metres.
        tile_m: f64,
        /// Middle of the tile, metres.
        middle_m: [f64; 2],
    },
    /// Polygons that are no navigation mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// Wrong cells of a grid.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// An option out of its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
}

fn nearest_text(nearest_m: Option<[f64; 2]>) -> String {
    match nearest_m {
        Some([x, y]) => format!("the nearest place with room is ({x:.2} m, {y:.2} m)"),
        None => "the map has no place with room; check its scale".to_owned(),
    }
}
