//! The cells of the grid.

/// The grid: velocities row by row from the bottom.
pub(super) struct Grid {
    /// Bottom left corner, m.
    pub(super) origin_m: [f64; 2],
    pub(super) cell_m: f64,
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// The line's largest speed, m/s.
    pub(super) max_speed_mps: f64,
    /// Of the cells' middles, m/s.
    pub(super) velocities_mps: Vec<[f64; 2]>,
}

impl Grid {
    /// The middle of a cell, m.
    pub(super) fn middle(&self, cell: usize) -> [f64; 2] {
        let at = |axis: usize, index: usize| self.origin_m[axis] + (index as f64 + 0.5) * self.cell_m;
        [at(0, cell % self.columns), at(1, cell / self.columns)]
    }

    /// The cell that contains a place; the nearest for one beyond the grid.
    pub(super) fn cell_of(&self, place: [f64; 2]) -> usize {
        let index = |axis: usize, count: usize| {
            (((place[axis] - self.origin_m[axis]) / self.cell_m).max(0.0) as usize).min(count - 1)
        };
        index(1, self.rows) * self.columns + index(0, self.columns)
    }
}
