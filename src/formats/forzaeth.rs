//! `global_waypoints.json` of ForzaETH's race stack for ROS 2: the messages that its global planner
//! publishes, as one JSON object.
//!
//! psi is 0 along +x. The widths are along the normal (-sin ψ, cos ψ) and its opposite. The stack's
//! planner computes two trajectories, by iterative minimum curvature (`iqp`) and by the shortest
//! path (`sp`); here both are the racing line. The markers are what RViz shows: the trajectory as
//! cylinders as high as its speed, the middle and the bounds of the road as spheres.

use serde::Serialize;
use serde_json::{Value, json};

use super::lap_points::lap_points;
use super::road_across::{Across, road_across};
use super::{FormatError, FormatOptions};
use crate::RacingLine;
use crate::file::{LinePoint, round_to};
use crate::geometry::{Point, SplineCurve};
use raceline_file::ObjectText;
use raceline_numerics::math;

/// A waypoint, `f110_msgs/Wpnt`.
#[derive(Serialize)]
struct Waypoint {
    id: usize,
    s_m: f64,
    d_m: f64,
    x_m: f64,
    y_m: f64,
    d_right: f64,
    d_left: f64,
    psi_rad: f64,
    kappa_radpm: f64,
    vx_mps: f64,
    ax_mps2: f64,
}

impl Waypoint {
    fn new(id: usize, point: &LinePoint, across: &Across) -> Self {
        Self {
            id,
            s_m: round_to(point.s_m, 5),
            d_m: 0.0,
            x_m: round_to(point.x_m, 5),
            y_m: round_to(point.y_m, 5),
            d_right: round_to(across.right_m, 5),
            d_left: round_to(across.left_m, 5),
            psi_rad: round_to(point.heading_rad, 8),
            kappa_radpm: round_to(point.curvature_radpm, 8),
            vx_mps: round_to(point.speed_mps, 4),
            ax_mps2: round_to(point.accel_mps2, 4),
        }
    }
}

pub(super) fn write(line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    let across = road_across(line);
    let trajectory = waypoints(line, options, &across);
    let (middle, halves) = middle_of_road(line, &across);
    let centre = waypoints(&middle, options, &halves);
    let top_mps = line.points.iter().map(|point| point.speed_mps).fold(0.0, f64::max);
    let about =
        format!("{}: estimated lap time: {:.4}s; maximum speed: {top_mps:.4}m/s; ", line.generator, line.lap_time_s);
    let bounds = [&line.edges.left, &line.edges.right].into_iter().flatten().copied();
    let of_waypoints = |waypoints: &[Waypoint]| -> Vec<[f64; 3]> {
        waypoints.iter().map(|waypoint| [waypoint.x_m, waypoint.y_m, waypoint.vx_mps]).collect()
    };
    let on_ground = |places: Vec<[f64; 3]>| places.into_iter().map(|[x, y, _]| [x, y, 0.0]).collect::<Vec<_>>();
    // Sizes as fractions of the road's width, on maps of any scale.
    let widths = across.iter().map(|across| across.left_m + across.right_m);
    let size_m = MARKER_WIDTHS * widths.sum::<f64>() / across.len().max(1) as f64;
    let mut text = ObjectText::begin();
    text.value("map_info_str", &json!({ "data": about }))?;
    text.value("est_lap_time", &json!({ "data": round_to(line.lap_time_s, 5) }))?;
    markers(&mut text, "centerline_markers", &on_ground(of_waypoints(&centre)), size_m, [0.0, 0.0, 1.0])?;
    message(&mut text, "centerline_waypoints", &centre)?;
    for method in ["iqp", "sp"] {
        let key = format!("global_traj_markers_{method}");
        markers(&mut text, &key, &of_waypoints(&trajectory), size_m, [1.0, 0.0, 0.0])?;
        message(&mut text, &format!("global_traj_wpnts_{method}"), &trajectory)?;
    }
    let bounds: Vec<[f64; 3]> = bounds.map(|[x, y]| [round_to(x, 5), round_to(y, 5), 0.0]).collect();
    markers(&mut text, "trackbounds_markers", &bounds, size_m, [0.5, 0.5, 0.5])?;
    Ok(text.end())
}

/// Size of a marker in widths of the road.
const MARKER_WIDTHS: f64 = 0.05;
/// Types of `visualization_msgs/Marker`.
const SPHERE: u8 = 2;
const CYLINDER: u8 = 3;
/// Height of a cylinder for a speed, m per m/s.
const HEIGHT_PER_SPEED: f64 = 0.1;

/// A `visualization_msgs/MarkerArray` with a marker at each place, whose third number is a speed, 0
/// for none.
fn markers(
    text: &mut ObjectText,
    key: &str,
    places: &[[f64; 3]],
    size_m: f64,
    [r, g, b]: [f64; 3],
) -> Result<(), FormatError> {
    let size_m = round_to(size_m, 4);
    let marker = |(id, &[x, y, speed_mps]): (usize, &[f64; 3])| {
        let height_m = round_to(HEIGHT_PER_SPEED * speed_mps, 4);
        let (kind, height_m) = if height_m > 0.0 { (CYLINDER, height_m) } else { (SPHERE, size_m) };
        let z = if kind == CYLINDER { round_to(height_m / 2.0, 4) } else { 0.0 };
        json!({
            "header": { "stamp": { "sec": 0, "nanosec": 0 }, "frame_id": "map" },
            "id": id,
            "type": kind,
            "pose": { "position": { "x": x, "y": y, "z": z }, "orientation": { "x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0 } },
            "scale": { "x": size_m, "y": size_m, "z": height_m },
            "color": { "r": r, "g": g, "b": b, "a": 1.0 },
        })
    };
    let markers: Vec<Value> = places.iter().enumerate().map(marker).collect();
    text.object(key, |text| text.rows("markers", &markers))?;
    Ok(())
}

/// A `f110_msgs/WpntArray`.
fn message(text: &mut ObjectText, key: &str, waypoints: &[Waypoint]) -> Result<(), FormatError> {
    let header: Value = json!({ "stamp": { "sec": 0, "nanosec": 0 }, "frame_id": "map" });
    text.object(key, |text| {
        text.value("header", &header)?;
        text.rows("wpnts", waypoints)
    })?;
    Ok(())
}

fn waypoints(line: &RacingLine, options: &FormatOptions, across: &[Across]) -> Vec<Waypoint> {
    let points = lap_points(line, options);
    let pairs = points.iter().zip(across.iter().cycle());
    pairs.enumerate().map(|(id, (point, across))| Waypoint::new(id, point, across)).collect()
}

/// The middle of the road across the line, at rest, and half the road's width at each point.
fn middle_of_road(line: &RacingLine, across: &[Across]) -> (RacingLine, Vec<Across>) {
    let mut middle = line.clone();
    let mut halves = Vec::with_capacity(across.len());
    for (point, &Across { left_m, right_m }) in middle.points.iter_mut().zip(across) {
        let (sin, cos) = math::sin_cos(point.heading_rad);
        let (half_m, to_left_m) = ((left_m + right_m) / 2.0, (left_m - right_m) / 2.0);
        point.x_m -= to_left_m * sin;
        point.y_m += to_left_m * cos;
        (point.speed_mps, point.accel_mps2) = (0.0, 0.0);
        halves.push(Across { left_m: half_m, right_m: half_m });
    }
    let places: Vec<Point> = middle.points.iter().map(|point| Point::new(point.x_m, point.y_m)).collect();
    // Two equal points in a row, where the road's middle turns on the spot, keep the line's
    // direction.
    if let Some(curve) = SplineCurve::through(&places, line.closed) {
        for (point, &s_m) in middle.points.iter_mut().zip(curve.positions()) {
            let place = curve.at(s_m);
            point.s_m = s_m;
            (point.heading_rad, point.curvature_radpm) = (place.heading(), place.curvature());
        }
        middle.length_m = curve.length();
    }
    (middle, halves)
}
