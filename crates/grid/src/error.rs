//! Errors of grids and of the searches on them.

use std::fmt;

/// What is wrong with a grid, with cells of it or with a number of a search.
#[derive(Clone, Debug, PartialEq)]
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
    /// A number outside its range.
    OutOfRange {
        /// Which number.
        name: &'static str,
        /// As specified.
        value: f64,
        /// The ends of its range, both included.
        range: [f64; 2],
    },
    /// More partial routes than a choice may try.
    TooManyRoutes {
        /// As specified, tiles.
        depth: u32,
        /// Largest number of partial routes.
        max: usize,
    },
}

impl GridError {
    /// Checks a number.
    pub(crate) fn check_range(name: &'static str, value: f64, range: [f64; 2]) -> Result<(), Self> {
        if (range[0]..=range[1]).contains(&value) { Ok(()) } else { Err(Self::OutOfRange { name, value, range }) }
    }
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
            Self::OutOfRange { name, value, range: [min, max] } => {
                write!(f, "{name} = {value} must be from {min} to {max}")
            }
            Self::TooManyRoutes { depth, max } => {
                write!(f, "there are more than {max} partial routes of up to {depth} tiles: specify a smaller depth")
            }
        }
    }
}

impl std::error::Error for GridError {}
