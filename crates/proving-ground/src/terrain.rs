//! Terrain: heights on a square grid, in the follower's frame.

use rapier3d::geometry::{Array2, ColliderBuilder};
use rapier3d::math::Vector;
use rapier3d::prelude::{Collider, SharedShape};

use crate::frame;

/// Distance between the grid's points, metres.
pub const CELL_M: f64 = 1.0;
/// Friction of hulls against ground and walls. Wheels have their own.
pub const HULL_FRICTION: f32 = 0.3;

/// Heights over a rectangle, and the engine's shape of them, which trials use in common.
#[derive(Clone)]
pub struct Terrain {
    min_m: [f64; 2],
    columns: usize,
    rows: usize,
    /// Row by row, y rising, x rising within.
    heights_m: Vec<f64>,
    shape: SharedShape,
}

impl Terrain {
    /// Heights `height_m(x, y)` over the rectangle from `min_m` to at least `max_m`, metres.
    pub fn new(min_m: [f64; 2], max_m: [f64; 2], height_m: impl Fn(f64, f64) -> f64) -> Self {
        let points = |axis: usize| (((max_m[axis] - min_m[axis]) / CELL_M).ceil() as usize).max(1) + 1;
        let (columns, rows) = (points(0), points(1));
        let mut heights_m = Vec::with_capacity(columns * rows);
        for row in 0..rows {
            for column in 0..columns {
                heights_m.push(height_m(min_m[0] + column as f64 * CELL_M, min_m[1] + row as f64 * CELL_M));
            }
        }
        // The engine's rows run along +z, which is -y.
        let mut grid = Array2::repeat(rows, columns, 0.0_f32);
        for row in 0..rows {
            for column in 0..columns {
                grid[(rows - 1 - row, column)] = heights_m[row * columns + column] as f32;
            }
        }
        // The scale is the whole extent, not a cell's.
        let scale = Vector::new((columns - 1) as f32 * CELL_M as f32, 1.0, (rows - 1) as f32 * CELL_M as f32);
        Self { min_m, columns, rows, heights_m, shape: SharedShape::heightfield(grid, scale) }
    }

    /// The engine's collider.
    #[must_use]
    pub fn collider(&self) -> Collider {
        let centre = |axis: usize, points: usize| self.min_m[axis] + (points - 1) as f64 * CELL_M / 2.0;
        let middle = [centre(0, self.columns), centre(1, self.rows), 0.0];
        ColliderBuilder::new(self.shape.clone()).translation(frame::to_engine(middle)).friction(HULL_FRICTION).build()
    }

    /// Height at a place, metres, bilinear between the grid's points; beyond the rectangle the
    /// edge's.
    #[must_use]
    pub fn height_m(&self, x_m: f64, y_m: f64) -> f64 {
        let cell = |value: f64, min: f64, points: usize| {
            let along = ((value - min) / CELL_M).clamp(0.0, (points - 1) as f64);
            let index = (along.floor() as usize).min(points - 2);
            (index, along - index as f64)
        };
        let (column, u) = cell(x_m, self.min_m[0], self.columns);
        let (row, v) = cell(y_m, self.min_m[1], self.rows);
        let at = |r: usize, c: usize| self.heights_m[r * self.columns + c];
        let low = at(row, column) * (1.0 - u) + at(row, column + 1) * u;
        let high = at(row + 1, column) * (1.0 - u) + at(row + 1, column + 1) * u;
        low * (1.0 - v) + high * v
    }

    /// Upward unit normal at a place, from differences over two metres.
    #[must_use]
    pub fn normal(&self, x_m: f64, y_m: f64) -> [f64; 3] {
        let slope_x = (self.height_m(x_m + 1.0, y_m) - self.height_m(x_m - 1.0, y_m)) / 2.0;
        let slope_y = (self.height_m(x_m, y_m + 1.0) - self.height_m(x_m, y_m - 1.0)) / 2.0;
        let length = (1.0 + slope_x * slope_x + slope_y * slope_y).sqrt();
        [-slope_x / length, -slope_y / length, 1.0 / length]
    }
}
