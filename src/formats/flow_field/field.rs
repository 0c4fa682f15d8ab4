//! The velocities of the grid's cells, and its text.

use raceline_file::ObjectText;
use raceline_numerics::math;
use serde_json::Value;

use super::grid::Grid;
use super::nearest;
use super::sections::{Section, sections};
use crate::RacingLine;
use crate::file::round_to;
use crate::formats::{FormatError, FormatOptions};

/// Width of the grid's border about the road without an option, m.
const MARGIN_M: f64 = 20.0;

/// Smallest cell without an option, m, and the cells along the longer side that it aims at.
const MIN_CELL_M: f64 = 1.0;
const USUAL_CELLS: f64 = 512.0;

/// Largest number of cells along a side: a texture that every graphics card takes.
const MAX_CELLS: usize = 4096;

/// Approach length L: minimum, m, and by the line's speed, s.
const MIN_APPROACH_M: f64 = 10.0;
const APPROACH_S: f64 = 0.8;

/// Minimum factor on the square of the speed towards the inside of a bend.
const MIN_SQUARE: f64 = 0.04;

pub(in crate::formats) fn write(line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    let grid = Grid::new(line, options)?;
    let rounded = |velocity: &[f64; 2]| velocity.map(|value| round_to(value, 3));
    let rows: Vec<Vec<[f64; 2]>> =
        grid.velocities_mps.chunks(grid.columns).map(|row| row.iter().map(rounded).collect()).collect();
    let mut text = ObjectText::begin();
    text.value("name", &Value::from(line.name.as_str()))?;
    text.value("origin_m", &grid.origin_m)?;
    text.value("cell_m", &grid.cell_m)?;
    text.value("columns", &grid.columns)?;
    text.value("rows", &grid.rows)?;
    text.value("max_speed_mps", &round_to(grid.max_speed_mps, 3))?;
    text.rows("velocities_mps", &rows)?;
    Ok(text.end())
}

impl Grid {
    pub(super) fn new(line: &RacingLine, options: &FormatOptions) -> Result<Self, FormatError> {
        let check = |field, value: Option<f64>, min: f64, must| match value {
            Some(value) if !(min..=1e5).contains(&value) => Err(FormatError::Grid { field, value, must }),
            _ => Ok(()),
        };
        check("flow_field_cell_m", options.flow_field_cell_m, 0.01, "0.01 to 100000 m")?;
        check("flow_field_margin_m", options.flow_field_margin_m, 0.0, "0 to 100000 m")?;
        let margin = options.flow_field_margin_m.unwrap_or(MARGIN_M);
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        let places = line.points.iter().map(|point| [point.x_m, point.y_m]);
        for place in places.chain(line.edges.left.iter().copied()).chain(line.edges.right.iter().copied()) {
            for axis in 0..2 {
                low[axis] = low[axis].min(place[axis] - margin);
                high[axis] = high[axis].max(place[axis] + margin);
            }
        }
        let sides = [high[0] - low[0], high[1] - low[1]];
        let usual = (sides[0].max(sides[1]) / USUAL_CELLS * 10.0).ceil() / 10.0;
        let cell_m = options.flow_field_cell_m.unwrap_or(usual.max(MIN_CELL_M));
        let [columns, rows] = sides.map(|side| (side / cell_m).ceil().max(1.0) as usize);
        if columns.max(rows) > MAX_CELLS {
            return Err(FormatError::TooManyCells { columns, rows, max: MAX_CELLS, cell_m });
        }
        let origin_m = low.map(|value| round_to(value, 3));
        let sections = sections(line, 0.5 * cell_m);
        let mut grid = Self { origin_m, cell_m, columns, rows, max_speed_mps: 0.0, velocities_mps: Vec::new() };
        let nearest = nearest::nearest_sections(&grid, &sections, line.closed);
        grid.velocities_mps = nearest
            .iter()
            .enumerate()
            .map(|(cell, &section)| {
                let beyond_end = !line.closed && section as usize + 1 == sections.len();
                sections.get(section as usize).map_or([0.0; 2], |there| velocity(there, grid.middle(cell), beyond_end))
            })
            .collect();
        grid.max_speed_mps = line.points.iter().map(|point| point.speed_mps).fold(0.0, f64::max);
        Ok(grid)
    }
}

/// The velocity of the field at a place of a cross-section; none beyond the end of an open line.
fn velocity(there: &Section, place: [f64; 2], beyond_end: bool) -> [f64; 2] {
    let (along, offset) = there.coordinates(place);
    if beyond_end && along > 0.0 {
        return [0.0; 2];
    }
    // The section stands for a short piece of the road.
    let turned = there.curvature_radpm * along.clamp(-there.spacing_m, there.spacing_m);
    let approach = MIN_APPROACH_M.max(APPROACH_S * there.speed_mps);
    let angle = math::atan(offset / approach);
    let square = (1.0 - there.curvature_radpm * offset).clamp(MIN_SQUARE, 1.0);
    let speed = there.speed_mps * square.sqrt() * math::cos(angle);
    let (sin, cos) = math::sin_cos(there.heading_rad + turned - angle);
    [speed * cos, speed * sin]
}
