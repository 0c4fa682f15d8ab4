//! A grid of velocities, and following it.

use std::fmt;

use super::agent::Agent;
use super::vector::{ZERO, add, finite, length, scale, unit};

/// A grid of velocities over the plane, borrowed from the game: `raceline export --format
/// flow-field` writes one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowField<'a> {
    origin_m: [f64; 2],
    cell_m: f64,
    columns: usize,
    velocities_mps: &'a [[f32; 2]],
}

/// The reason that numbers do not form a [`FlowField`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FlowFieldError {
    /// The origin is not finite, or the cells' size is not a number above 0.
    BadGrid {
        /// Size of the cells, metres.
        cell_m: f64,
    },
    /// The velocities do not fill whole rows, of which there must be at least one.
    BadLength {
        /// Number of velocities.
        cells: usize,
        /// Number of columns.
        columns: usize,
    },
}

impl fmt::Display for FlowFieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadGrid { cell_m } => {
                write!(f, "a flow field needs a finite origin and cells of a size above 0 m, not {cell_m} m")
            }
            Self::BadLength { cells, columns } => {
                write!(f, "{cells} velocities do not fill rows of {columns}: pass columns times rows of them")
            }
        }
    }
}

impl std::error::Error for FlowFieldError {}

/// Mean directions shorter than this are of vectors that contradict each other.
const CONTRADICTORY: f64 = 0.5;

impl<'a> FlowField<'a> {
    /// A field of square cells: `origin_m` is the bottom left corner of the first cell, metres;
    /// `cell_m` their size, metres, above 0; `velocities_mps` are those of the cells' middles, m/s,
    /// row by row from the bottom (smallest y), each from the left.
    ///
    /// # Errors
    /// [`FlowFieldError`] for a grid without a size and a slice that does not fill its rows.
    pub fn new(
        origin_m: [f64; 2],
        cell_m: f64,
        columns: usize,
        velocities_mps: &'a [[f32; 2]],
    ) -> Result<Self, FlowFieldError> {
        let usable = cell_m > 0.0 && cell_m.is_finite() && origin_m.iter().all(|x| x.is_finite());
        if !usable {
            return Err(FlowFieldError::BadGrid { cell_m });
        }
        if columns == 0 || velocities_mps.is_empty() || !velocities_mps.len().is_multiple_of(columns) {
            return Err(FlowFieldError::BadLength { cells: velocities_mps.len(), columns });
        }
        Ok(Self { origin_m, cell_m, columns, velocities_mps })
    }

    /// The velocity at a point, m/s: directions and speeds of the four nearest cells, each
    /// interpolated. Beyond the grid it is that of its edge. Where the directions contradict each
    /// other, as between two legs of a road, it is that of the nearest cell.
    #[must_use]
    pub fn velocity_mps(&self, at_m: [f64; 2]) -> [f64; 2] {
        let rows = self.velocities_mps.len() / self.columns;
        let place = |axis: usize, cells: usize| {
            let cell = (at_m[axis] - self.origin_m[axis]) / self.cell_m - 0.5;
            let cell = if cell.is_nan() { 0.0 } else { cell.clamp(0.0, (cells - 1) as f64) };
            let low = (cell as usize).min(cells.saturating_sub(2));
            (low, (low + 1).min(cells - 1), cell - low as f64)
        };
        let ((left, right, u), (low, high, v)) = (place(0, self.columns), place(1, rows));
        let corners = [
            (left, low, (1.0 - u) * (1.0 - v)),
            (right, low, u * (1.0 - v)),
            (left, high, (1.0 - u) * v),
            (right, high, u * v),
        ];
        let (mut direction, mut speed, mut heaviest) = (ZERO, 0.0, (0.0, ZERO));
        for (column, row, weight) in corners {
            let [x, y] = self.velocities_mps[row * self.columns + column];
            let velocity = finite([f64::from(x), f64::from(y)]);
            direction = add(direction, scale(unit(velocity), weight));
            speed += weight * length(velocity);
            if weight > heaviest.0 {
                heaviest = (weight, velocity);
            }
        }
        if length(direction) < CONTRADICTORY { heaviest.1 } else { scale(unit(direction), speed) }
    }
}

/// With a flow field (section "Flow Field Following"): to the velocity, m/s, that the field has where
/// the agent will be in `prediction_s` seconds, 0 or more; at most the agent's own largest speed.
#[must_use]
pub fn follow_flow_field(agent: &Agent, field: &FlowField<'_>, prediction_s: f64) -> [f64; 2] {
    let then = add(agent.body.position_m, scale(agent.body.velocity_mps, prediction_s));
    let wanted = field.velocity_mps(then);
    agent.towards_velocity(scale(unit(wanted), length(wanted).min(agent.max_speed_mps)))
}
