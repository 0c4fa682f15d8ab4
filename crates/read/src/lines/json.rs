//! Lines in JSON: racing-line files, the waypoints of race stacks and games, and lists of points.

use raceline_file::table::text;
use raceline_road::construction::ImportError;
use raceline_road::geometry::Point;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::line_file::{LineFile, Positions, no_line};

/// Keys of lists of points, in the order in which they are looked for. Those of race stacks and
/// games come first, whose files have several.
const LISTS: [&str; 9] =
    ["global_traj_wpnts_iqp", "wpnts", "waypoints", "points", "line", "path", "trajectory", "poses", "positions"];
/// Keys of the parts of a point.
const PLACES: [&str; 5] = ["position_m", "pos", "position", "pose", "point"];
const X_KEYS: [&str; 4] = ["x_m", "x", "pos_x", "X"];
const Y_KEYS: [&str; 4] = ["y_m", "y", "pos_y", "Y"];
const SPEED_KEYS: [&str; 6] = ["vx_mps", "speed_mps", "speed", "velocity", "v", "vx"];
/// Lists within objects are looked for to this depth.
const MAX_DEPTH: usize = 4;
/// Minimum number of points of a line.
const MIN_POINTS: usize = 3;

/// Whether `text` is JSON with a list of points, as a line of another program.
#[must_use]
pub fn is_line(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|value| find(&value, 0).is_some())
}

/// Reads the points of a JSON of another program.
pub(super) fn read(bytes: &[u8]) -> Result<LineFile, ImportError> {
    let value: Value = serde_json::from_str(text(bytes)?).map_err(|error| no_line(format!("no JSON ({error})")))?;
    let found = find(&value, 0).ok_or_else(|| no_line("JSON without a list of points with x and y"))?;
    let speeds_mps = found.points.iter().map(|point| point.speed_mps).collect();
    let points = found.points.iter().map(|point| point.position).collect();
    let top = value.as_object();
    let name = top.and_then(|top| top.get("name")?.as_str()).map(str::to_owned);
    let closed = top.and_then(|top| top.get("closed")?.as_bool());
    let layout = match found.key {
        Some(key) => format!("the points of the list {key}"),
        None => "a list of points".to_owned(),
    };
    Ok(LineFile { speeds_mps, closed, name, widths_m: found.widths_m, ..LineFile::new(layout, points) })
}

struct Found {
    key: Option<String>,
    points: Vec<Listed>,
    widths_m: Option<Vec<[f64; 2]>>,
}

struct Listed {
    position: Point,
    speed_mps: Option<f64>,
}

/// The first list of points in a value.
fn find(value: &Value, depth: usize) -> Option<Found> {
    match value {
        Value::Array(list) => {
            let points: Option<Vec<Listed>> = list.iter().map(point).collect();
            let points = points.filter(|points| points.len() >= MIN_POINTS)?;
            let widths_m = list.iter().map(widths).collect();
            Some(Found { key: None, points, widths_m })
        }
        Value::Object(object) if depth < MAX_DEPTH => {
            let named = LISTS.iter().find_map(|&key| {
                let found = find(object.get(key)?, depth + 1)?;
                Some(Found { key: Some(key.to_owned()), ..found })
            });
            named.or_else(|| object.values().filter(|value| value.is_object()).find_map(|value| find(value, depth + 1)))
        }
        _ => None,
    }
}

fn point(value: &Value) -> Option<Listed> {
    match value {
        Value::Array(numbers) => {
            let [x, y, ..] = numbers.as_slice() else { return None };
            Some(Listed { position: finite(x.as_f64()?, y.as_f64()?)?, speed_mps: None })
        }
        Value::Object(object) => {
            let position = place(object, 0)?;
            Some(Listed { position, speed_mps: number(object, &SPEED_KEYS).or_else(|| scaled(object, "SpeedCmps")) })
        }
        _ => None,
    }
}

/// The position of a point.
fn place(object: &Map<String, Value>, depth: usize) -> Option<Point> {
    if let Some((x, y)) = scaled(object, "XCm").zip(scaled(object, "YCm")) {
        // Unreal Engine's axis points in the opposite direction.
        return finite(x, -y);
    }
    let inner = PLACES.iter().find_map(|&key| Some((key, object.get(key)?)));
    match inner {
        // Unity's second axis is z.
        Some(("position_m", Value::Object(inner))) => finite(number(inner, &["x"])?, number(inner, &["z"])?),
        Some((_, Value::Object(inner))) if depth < MAX_DEPTH => place(inner, depth + 1),
        Some((_, Value::Array(numbers))) => finite(numbers.first()?.as_f64()?, numbers.get(1)?.as_f64()?),
        _ => finite(number(object, &X_KEYS)?, number(object, &Y_KEYS)?),
    }
}

/// Distances to the edges, in ForzaETH's waypoints and in ours.
fn widths(value: &Value) -> Option<[f64; 2]> {
    let object = value.as_object()?;
    Some([number(object, &["d_left", "left_m"])?, number(object, &["d_right", "right_m"])?])
}

fn number(object: &Map<String, Value>, keys: &[&str]) -> Option<f64> {
    keys.iter().find_map(|&key| object.get(key)?.as_f64())
}

/// A number in centimetres, or in centimetres a second.
fn scaled(object: &Map<String, Value>, key: &str) -> Option<f64> {
    Some(object.get(key)?.as_f64()? / 100.0)
}

fn finite(x: f64, y: f64) -> Option<Point> {
    let limit = 1e8;
    (x.abs() <= limit && y.abs() <= limit).then(|| Point::new(x, y))
}

/// Any object.
#[derive(Deserialize)]
struct Ignored {
    #[serde(flatten)]
    _all: std::collections::BTreeMap<String, IgnoredAny>,
}

/// Reads a racing-line file.
pub(super) fn racing_line(bytes: &[u8]) -> Result<LineFile, ImportError> {
    let line = raceline_file::read::<Ignored, Ignored>(bytes)
        .map_err(|error| no_line(format!("a racing-line file that can't be read ({error})")))?;
    let points = line.points.iter().map(|point| Point::new(point.x_m, point.y_m)).collect();
    let edge = |edge: &[[f64; 2]]| Positions::Metres(edge.iter().copied().map(Point::from).collect());
    Ok(LineFile {
        speeds_mps: Some(line.points.iter().map(|point| point.speed_mps).collect()),
        closed: Some(line.closed),
        edges: Some([edge(&line.edges.left), edge(&line.edges.right)]),
        name: Some(line.name),
        ..LineFile::new("the points of a racing-line file", points)
    })
}
