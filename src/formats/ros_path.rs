//! A `nav_msgs/msg/Path` of ROS 2 as YAML. The message has no speed; the stamp of each pose is the
//! time since the start line.

use std::fmt::Write;

use super::heights::height;
use super::lap_points::{lap_points, quaternion};
use super::number::fixed;
use super::{FormatError, FormatOptions};
use crate::RacingLine;

pub(super) fn write(line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    let mut text = "header:\n  stamp: {sec: 0, nanosec: 0}\n  frame_id: map\nposes:\n".to_owned();
    for point in lap_points(line, options) {
        let nanoseconds = (point.time_s * 1e9).round().max(0.0);
        let (sec, nanosec) = ((nanoseconds / 1e9).floor(), nanoseconds % 1e9);
        let [z, w] = quaternion(point.heading_rad);
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "- header: {{stamp: {{sec: {sec}, nanosec: {nanosec}}}, frame_id: map}}\n  pose: {{position: {{x: {}, y: {}, z: {}}}, \
             orientation: {{x: 0.0, y: 0.0, z: {}, w: {}}}}}",
            fixed(point.x_m, 4),
            fixed(point.y_m, 4),
            height(&point),
            fixed(z, 9),
            fixed(w, 9)
        );
    }
    Ok(text.into_bytes())
}
