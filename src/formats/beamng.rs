//! JSON for BeamNG's AI: `line` is the argument of BeamNGpy's `set_line` (a polyline with speeds),
//! `script` that of `execute_script` (positions with times).

use serde_json::Value;

use super::lap_points::lap_points;
use super::{FormatError, FormatOptions};
use crate::RacingLine;
use crate::file::{LinePoint, round_to};
use raceline_file::ObjectText;

pub(super) fn write(line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    #[derive(serde::Serialize)]
    struct Node {
        pos: [f64; 3],
        speed: f64,
    }
    #[derive(serde::Serialize)]
    struct Step {
        x: f64,
        y: f64,
        z: f64,
        t: f64,
    }
    let points = lap_points(line, options);
    let position = |value| round_to(value, 4);
    let height = |point: &LinePoint| position(point.z_m.unwrap_or(0.0));
    let nodes = points.iter().map(|point| Node {
        pos: [position(point.x_m), position(point.y_m), height(point)],
        speed: round_to(point.speed_mps, 4),
    });
    let steps = points.iter().map(|point| Step {
        x: position(point.x_m),
        y: position(point.y_m),
        z: height(point),
        t: round_to(point.time_s, 4),
    });
    let mut text = ObjectText::begin();
    text.value("name", &Value::from(line.name.as_str()))?;
    text.value("closed", &line.closed)?;
    text.rows("line", &nodes.collect::<Vec<_>>())?;
    text.rows("script", &steps.collect::<Vec<_>>())?;
    Ok(text.end())
}
