//! A grid of cells that are free or blocked, with the moves between them.

use super::error::GridError;
use super::moves::{moves, octile};

/// Cost where there is no path.
pub const NO_PATH: u64 = u64::MAX;

/// Cells in rows from the top: number `row * width + column`.
///
/// A move leads to one of the eight neighbours, for 1000 over a side and 1414 over a corner. A move
/// over a corner needs both cells beside it, so that none leads between two blocked cells that touch.
///
/// ```
/// use raceline_grid::Grid;
///
/// // A wall between two columns, open at its lower end: no move over its corner.
/// let grid = Grid::new(3, 2, vec![false, true, false, false, false, false])?;
/// assert_eq!(grid.neighbours(0).collect::<Vec<_>>(), [(3, 1000)]);
/// # Ok::<(), raceline_grid::GridError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    width: u32,
    height: u32,
    is_blocked: Vec<bool>,
}

/// A path on a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridPath {
    /// The cells from the start to the goal.
    pub cells: Vec<u32>,
    /// Cost of the moves, thousandths of a cell's side.
    pub cost: u64,
    /// Number of cells that the search expanded for it.
    pub expanded: usize,
}

impl Grid {
    /// A grid of `width` by `height` cells, one value of `is_blocked` for each.
    ///
    /// # Errors
    /// [`GridError::Size`] if the number of values is not that of the cells, or zero.
    pub fn new(width: u32, height: u32, is_blocked: Vec<bool>) -> Result<Self, GridError> {
        let count = u64::from(width) * u64::from(height);
        // The highest number stands for no cell.
        if count == 0 || count >= u64::from(u32::MAX) || is_blocked.len() as u64 != count {
            return Err(GridError::Size { width, height, values: is_blocked.len() });
        }
        Ok(Self { width, height, is_blocked })
    }

    /// Number of columns.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Number of rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Whether a cell is blocked or not on the grid.
    #[must_use]
    pub fn is_blocked(&self, cell: u32) -> bool {
        self.is_blocked.get(cell as usize).copied().unwrap_or(true)
    }

    /// Blocks or frees a cell; whether that changed it. A cell that is not on the grid stays so.
    pub(crate) fn set_blocked(&mut self, cell: u32, is_blocked: bool) -> bool {
        self.is_blocked.get_mut(cell as usize).is_some_and(|old| std::mem::replace(old, is_blocked) != is_blocked)
    }

    /// Number of cells, at least 1.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a grid has a cell")]
    pub fn len(&self) -> usize {
        self.is_blocked.len()
    }

    /// Checks that a cell is on the grid; `name` is its name in messages.
    ///
    /// # Errors
    /// [`GridError::Outside`].
    pub fn check(&self, name: &'static str, cell: u32) -> Result<(), GridError> {
        let cells = self.len();
        if (cell as usize) < cells { Ok(()) } else { Err(GridError::Outside { name, cell, cells }) }
    }

    /// The free cells beside a free one with the cost of the move; none beside a blocked one.
    ///
    /// # Panics
    /// If the cell is not on the grid.
    pub fn neighbours(&self, cell: u32) -> impl Iterator<Item = (u32, u64)> + '_ {
        let moves = moves(cell, (self.width, self.height), |cell| !self.is_blocked[cell as usize]);
        moves.filter(move |_| !self.is_blocked[cell as usize])
    }

    /// The cells of the square of three by three about a cell, itself included.
    pub(crate) fn square(&self, cell: u32) -> impl Iterator<Item = u32> + use<> {
        let (width, column, row) = (self.width, cell % self.width, cell / self.width);
        let columns = column.saturating_sub(1)..(column + 2).min(self.width);
        let rows = row.saturating_sub(1)..(row + 2).min(self.height);
        rows.flat_map(move |row| columns.clone().map(move |column| row * width + column))
    }

    /// The cost between two cells without obstacles.
    #[must_use]
    pub fn octile(&self, a: u32, b: u32) -> u64 {
        octile(self.width, a, b)
    }
}
