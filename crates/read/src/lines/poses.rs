//! A `nav_msgs/Path` of ROS as YAML: the positions of its poses.

use raceline_file::table::text;
use raceline_road::construction::ImportError;
use raceline_road::geometry::Point;
use serde::Deserialize;

use super::line_file::{LineFile, no_line};

#[derive(Deserialize)]
struct Path {
    poses: Vec<Stamped>,
}

#[derive(Deserialize)]
struct Stamped {
    pose: Pose,
}

#[derive(Deserialize)]
struct Pose {
    position: Position,
}

#[derive(Deserialize)]
struct Position {
    x: f64,
    y: f64,
}

pub(super) fn read(bytes: &[u8]) -> Result<LineFile, ImportError> {
    let path: Path = serde_saphyr::from_str(text(bytes)?)
        .map_err(|error| no_line(format!("a YAML that is no path of ROS ({error})")))?;
    let points: Vec<Point> =
        path.poses.iter().map(|stamped| Point::new(stamped.pose.position.x, stamped.pose.position.y)).collect();
    if points.iter().any(|point| !(point.x.abs() <= 1e8 && point.y.abs() <= 1e8)) {
        return Err(no_line("a path of ROS with coordinates that are not metres"));
    }
    Ok(LineFile::new("the poses of a path of ROS", points))
}
