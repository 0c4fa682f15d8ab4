//! Errors of grids.

use std::fmt;

/// What is wrong with a grid, or with cells of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GridError {
    /// The number of values is not that of the cells.
    Size {
        /// Number of columns.
        width: u32,
        /// Number of rows.
        height: u32,
        /// Number of values.
        values: usize,
    },
    /// A cell that is not on the grid.
    Outside {
        /// Which cell.
        name: &'static str,
        /// As specified.
        cell: u32,
        /// Number of cells.
        cells: usize,
    },
}

impl fmt::Display for GridError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { width, height, values } => write!(
                f,
                "a grid of {width} by {height} cells needs one value for each of them, at least 1 and at most 4294967294, but has \
                 {values}"
            ),
            Self::Outside { name, cell, cells } => {
                write!(f, "{name} is cell {cell}, but the grid has {cells} cells: specify row times width plus column")
            }
        }
    }
}

impl std::error::Error for GridError {}
