//! Paths through free space, and routes through streets.

use std::path::{Path, PathBuf};

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use raceline::Options;
use raceline::geometry::Point;
use raceline::network::{Answer, RouteKind};
use raceline::pipeline::{self, Error};
use raceline::plan::{
    FreeSpace, LookAhead, Plan, PlanError, PlannerKind, TileRaceOptions, discover as driven, estimated_time_s,
    plan as planned, tile_race as raced,
};
use raceline::vehicle::Vehicle;

use crate::error::{self, InputError};
use crate::interruptible::{Reports, run};
use crate::keywords;
use crate::source::Given;

/// The options and the vehicle of a plan or a route between two ends, with the option `choice`.
fn options_of(
    py: Python<'_>,
    map: &Path,
    ends: [(&str, Option<&Bound<'_, PyAny>>); 3],
    (choice, chosen): (&str, Option<&str>),
    vehicle: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<(Options, Vehicle)> {
    let named = ends.into_py_dict(py)?;
    named.set_item(choice, chosen)?;
    Given::File(map.to_owned()).options(keywords::layer_with(options, &named)?, vehicle)
}

fn path_of<'py>(py: Python<'py>, found: &Bound<'py, PyDict>, points: &[Point]) -> PyResult<()> {
    found.set_item("x", PyArray1::from_vec(py, points.iter().map(|point| point.x).collect()))?;
    found.set_item("y", PyArray1::from_vec(py, points.iter().map(|point| point.y).collect()))
}

/// What `search` finds between the stops of the options on a map with free space.
fn on_map<T: Send + 'static>(
    py: Python<'_>,
    map: PathBuf,
    (options, vehicle): (Options, Vehicle),
    search: impl FnOnce(&FreeSpace, (&[Point], bool), (&Options, &Vehicle)) -> Result<T, PlanError> + Send + 'static,
) -> PyResult<T> {
    run(py, &Reports::default(), move |_| {
        let wrong = |error| error::pipeline(&Error::Plan { file: map.clone(), error });
        let space = pipeline::free_space(&map, &options, &vehicle).map_err(|failed| error::pipeline(&failed))?;
        let (stops, closed) = pipeline::stops(&options, &space.frame).map_err(wrong)?;
        search(&space, (&stops, closed), (&options, &vehicle)).map_err(wrong)
    })
}

/// Plans a path from a point to another through the free space of a map.
///
/// map: the path of a ROS map's YAML or of a picture whose light pixels are free.
/// from_, to: the ends, (x, y) in m, or text as "120,80px" in pixels. via: points between them, in order.
/// planner: "voronoi", "grid" or another; `raceline plan --help` lists them. "all" tries each.
/// vehicle, options: as for `optimize`.
///
/// Returns a dictionary: "planner", "x" and "y" of the path in m, "length_m", "estimated_time_s", "cost" and
/// "nodes_expanded"; for "all" a list of them, without the planners that find none. `optimize` with the same
/// arguments as options finds the fastest line along the path. Raises `InputError` where there is no path.
///
/// >>> import pathlib, raceline, tempfile
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     hall = pathlib.Path(folder) / "hall.pgm"
/// ...     _ = hall.write_bytes(b"P5 200 100 255\n" + bytes([0]) * 1000 + bytes([254]) * 19000)
/// ...     found = raceline.plan(hall, (2.0, 5.0), (18.0, 5.0), vehicle="robot-car", metres_per_pixel=0.1)
/// >>> round(found["length_m"]), float(found["x"][0])
/// (16, 2.0)
#[pyfunction]
#[pyo3(signature = (map, from_, to, *, via = None, planner = None, vehicle = None, **options))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn plan<'py>(
    py: Python<'py>,
    map: PathBuf,
    from_: &Bound<'py, PyAny>,
    to: &Bound<'py, PyAny>,
    via: Option<&Bound<'py, PyAny>>,
    planner: Option<&str>,
    vehicle: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let is_all = planner == Some("all");
    let ends = [("from", Some(from_)), ("to", Some(to)), ("via", via)];
    let given = options_of(py, &map, ends, ("planner", planner.filter(|_| !is_all)), vehicle, options)?;
    let plans = on_map(py, map, given, move |space, (stops, closed), (options, vehicle)| {
        let options_of = |kind| if is_all { options.plan.for_planner(kind) } else { options.plan.clone() };
        let of = |kind| planned(kind, &options_of(kind), space, stops, closed, vehicle, options.solve.seed);
        if !is_all {
            return Ok(vec![of(options.plan.kind())?]);
        }
        let mut plans = Vec::new();
        for kind in PlannerKind::ALL {
            match of(kind) {
                Ok(plan) => plans.push(plan),
                Err(PlanError::NoPath { .. } | PlanError::NoTurn { .. } | PlanError::GaveUp { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(plans)
    })?;
    let of = |plan: &Plan| {
        let found = PyDict::new(py);
        found.set_item("planner", plan.planner.name())?;
        path_of(py, &found, &plan.path)?;
        found.set_item("cost", plan.cost)?;
        found.set_item("length_m", plan.length_m)?;
        found.set_item("estimated_time_s", plan.estimated_time_s)?;
        found.set_item("nodes_expanded", plan.nodes_expanded)?;
        Ok(found)
    };
    let found = plans.iter().map(of).collect::<PyResult<Vec<_>>>()?;
    match (is_all, found.into_iter()) {
        (true, found) => Ok(found.collect::<Vec<_>>().into_pyobject(py)?),
        (false, mut found) => match found.next() {
            Some(found) => Ok(found.into_any()),
            None => Err(InputError::new_err("no path was found")),
        },
    }
}

/// Drives through the free space of a map that a lidar discovers during the drive.
///
/// map, from_, to, via, vehicle, options: as for `plan`.
/// compare: count what A* from scratch would expand.
/// radius: of the lidar, m. Walls hide what is behind them; unknown cells count as free.
///
/// Returns a dictionary: "x" and "y" of the path that was driven in m, its "length_m" and "estimated_time_s",
/// "known_length_m" of the shortest path on the cells with the map known, the number of "replans", and the nodes that
/// D* Lite expanded for them, "nodes_expanded". With compare, A* from scratch is counted too: "a_star_expanded" for all
/// replans, "a_star_if_blocked_expanded" for those where the path was blocked; else they are None. Raises `InputError`
/// where there is no path.
///
/// >>> import pathlib, raceline, tempfile
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     hall = pathlib.Path(folder) / "hall.pgm"
/// ...     rows = bytes([254] * 95 + [0] * 10 + [254] * 95) * 60 + bytes([254]) * 8000
/// ...     _ = hall.write_bytes(b"P5 200 100 255\n" + rows)
/// ...     keywords = dict(radius=3.0, vehicle="robot-car", metres_per_pixel=0.1, compare=True)
/// ...     found = raceline.discover(hall, (2.0, 7.0), (18.0, 7.0), **keywords)
/// >>> found["length_m"] > found["known_length_m"], found["nodes_expanded"] < found["a_star_expanded"]
/// (True, True)
#[pyfunction]
#[pyo3(signature = (map, from_, to, *, radius, compare = false, via = None, vehicle = None, **options))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn discover<'py>(
    py: Python<'py>,
    map: PathBuf,
    from_: &Bound<'py, PyAny>,
    to: &Bound<'py, PyAny>,
    radius: f64,
    compare: bool,
    via: Option<&Bound<'py, PyAny>>,
    vehicle: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let ends = [("from", Some(from_)), ("to", Some(to)), ("via", via)];
    let given = options_of(py, &map, ends, ("planner", None), vehicle, options)?;
    let (found, estimated_time_s) = on_map(py, map, given, move |space, (stops, closed), (_, vehicle)| {
        let found = driven(space, stops, closed, radius, compare)?;
        let estimated_time_s = estimated_time_s(&found.path, space.needed_m, vehicle);
        Ok((found, estimated_time_s))
    })?;
    let result = PyDict::new(py);
    path_of(py, &result, &found.path)?;
    result.set_item("length_m", found.length_m)?;
    result.set_item("known_length_m", found.known_length_m)?;
    result.set_item("estimated_time_s", estimated_time_s)?;
    result.set_item("replans", found.replans)?;
    result.set_item("nodes_expanded", found.nodes_expanded)?;
    result.set_item("a_star_expanded", found.a_star.map(|a_star| a_star.expanded))?;
    result.set_item("a_star_if_blocked_expanded", found.a_star.map(|a_star| a_star.if_blocked_expanded))?;
    Ok(result)
}

/// Races over the road tiles of a map through checkpoints, and sees the tiles within a radius.
///
/// map, from_, to, vehicle, options: as for `plan`. via: the checkpoints between the ends, in order.
/// radius: tiles whose middle is so near are seen, m. tile: side of a tile, m; tiles begin at the upper left corner.
/// turn_tiles: what a turn by a quarter costs, in tiles, 0 to 1000.
/// compare: let D* Lite drive the same race.
///
/// In each tile the route is chosen anew among all of up to so many tiles as the option depth has, 11 by default;
/// unknown tiles count as passable. Returns a dictionary: "x" and "y" of the path through the middles of tiles in m,
/// its "length_m" and "estimated_time_s", the numbers of "tiles", of "turns" by a quarter and of "nodes_expanded", and
/// those of the shortest routes with the map known, "known_tiles", "known_turns" and "known_nodes_expanded". With
/// compare, those of D* Lite too, "d_star_lite_tiles" and so on; else they are None. Raises `InputError` where there
/// is no route.
///
/// >>> import pathlib, raceline, tempfile
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     town = pathlib.Path(folder) / "town.pgm"
/// ...     street, block = bytes([254] * 60), bytes([254] * 10 + [0] * 40 + [254] * 10)
/// ...     _ = town.write_bytes(b"P5 60 60 255\n" + street * 10 + block * 40 + street * 10)
/// ...     keywords = dict(radius=20.0, tile=10.0, vehicle="robot-car", metres_per_pixel=1.0, compare=True)
/// ...     found = raceline.tile_race(town, (5.0, 5.0), (55.0, 5.0), via=[(55.0, 55.0)], **keywords)
/// >>> found["tiles"], found["known_tiles"], found["d_star_lite_tiles"]
/// (15, 15, 15)
#[pyfunction]
#[pyo3(signature = (map, from_, to, *, radius, tile, turn_tiles = 0.0, compare = false, via = None, vehicle = None, **options))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn tile_race<'py>(
    py: Python<'py>,
    map: PathBuf,
    from_: &Bound<'py, PyAny>,
    to: &Bound<'py, PyAny>,
    radius: f64,
    tile: f64,
    turn_tiles: f64,
    compare: bool,
    via: Option<&Bound<'py, PyAny>>,
    vehicle: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let ends = [("from", Some(from_)), ("to", Some(to)), ("via", via)];
    let given = options_of(py, &map, ends, ("planner", None), vehicle, options)?;
    let (found, estimated_time_s) = on_map(py, map, given, move |space, (stops, closed), (options, vehicle)| {
        let look_ahead = LookAhead { depth: options.network.depth(), turn_tiles };
        let race = TileRaceOptions { tile_m: tile, radius_m: radius, look_ahead, compares: compare };
        let found = raced(space, stops, closed, &race)?;
        let estimated_time_s = estimated_time_s(&found.path, space.needed_m, vehicle);
        Ok((found, estimated_time_s))
    })?;
    let result = PyDict::new(py);
    path_of(py, &result, &found.path)?;
    result.set_item("length_m", found.length_m)?;
    result.set_item("estimated_time_s", estimated_time_s)?;
    let drives = [("", Some(found.driven)), ("known_", Some(found.known)), ("d_star_lite_", found.d_star_lite)];
    for (prefix, driven) in drives {
        result.set_item(format!("{prefix}tiles"), driven.map(|driven| driven.tiles))?;
        result.set_item(format!("{prefix}turns"), driven.map(|driven| driven.turns))?;
        result.set_item(format!("{prefix}nodes_expanded"), driven.map(|driven| driven.nodes_expanded))?;
    }
    Ok(result)
}

/// Finds a route through streets.
///
/// map: the path of streets as GeoJSON or SVG, of a map of OpenStreetMap, of roads of OpenDRIVE, or of a
/// picture of streets.
/// from_, to: the ends, (x, y) in m, or text in pixels or degrees. via: points between them.
/// kind: "shortest", "fastest" or "exhaustive". Default: "fastest".
/// vehicle, options: as for `optimize`.
///
/// Returns a dictionary: "route", the kind, "x" and "y" of the route in m, "length_m", "estimated_time_s",
/// "turns", "straights" and "score_s". `optimize` with the same arguments as options finds the fastest line
/// along it.
///
/// >>> import pathlib, raceline, tempfile
/// >>> streets = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0H100V80M0 0V80H100"/></svg>'
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     map = pathlib.Path(folder) / "streets.svg"
/// ...     _ = map.write_text(streets)
/// ...     found = raceline.route(map, (0.0, 80.0), (100.0, 0.0), metres_per_pixel=1.0, street_width_m=8.0)
/// >>> round(found["length_m"]), found["turns"]
/// (180, 0)
#[pyfunction]
#[pyo3(signature = (map, from_, to, *, via = None, kind = None, vehicle = None, **options))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn route<'py>(
    py: Python<'py>,
    map: PathBuf,
    from_: &Bound<'py, PyAny>,
    to: &Bound<'py, PyAny>,
    via: Option<&Bound<'py, PyAny>>,
    kind: Option<&str>,
    vehicle: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let kind = kind.unwrap_or(RouteKind::Fastest.name());
    let ends = [("from", Some(from_)), ("to", Some(to)), ("via", via)];
    let (options, vehicle) = options_of(py, &map, ends, ("route", Some(kind)), vehicle, options)?;
    let answer: Answer = run(py, &Reports::default(), move |_| {
        let streets = pipeline::streets(&map, &options, &vehicle).map_err(|failed| error::pipeline(&failed))?;
        let streets = streets
            .ok_or_else(|| InputError::new_err(format!("{}: it has no streets: use raceline.plan", map.display())))?;
        streets.route(&options, &vehicle).map_err(|error| error::pipeline(&Error::Network { file: map.clone(), error }))
    })?;
    let route = &answer.route;
    let found = PyDict::new(py);
    found.set_item("route", route.kind.name())?;
    path_of(py, &found, &route.path)?;
    found.set_item("closed", route.closed)?;
    found.set_item("length_m", route.length_m)?;
    found.set_item("estimated_time_s", route.estimated_time_s)?;
    found.set_item("turns", route.turns)?;
    found.set_item("straights", route.straights)?;
    found.set_item("pieces", route.pieces.len())?;
    found.set_item("score_s", route.score_s)?;
    Ok(found)
}
