//! Road tiles: squares that are joined where a road passes the side between them.

use super::error::GridError;
use super::grid::Grid;
use super::moves::{apart, beside};

/// The sides of a tile in the order of their bits, as columns and rows to the neighbour: right, up, left, down.
const SIDES: [[i64; 2]; 4] = [[1, 0], [0, -1], [-1, 0], [0, 1]];

/// A map of road tiles: straights, bends, crossings and ends of roads, in rows from the top; tile number
/// `row * width + column`.
///
/// A byte has the openings of a tile: 1 to the right, 2 up, 4 to the left, 8 down. A straight from left to right is 5,
/// a bend from the left down 12, a crossing 15, a tile without a road 0. Two neighbours are joined where both are
/// open to each other.
///
/// Searches run on its [`grid`](Self::grid), which has a cell for each tile and one for each side between two: free if
/// they are joined. From tile to tile are two moves over sides; nothing leads over a corner.
///
/// ```
/// use raceline_grid::{GridPlanner, TileMap};
///
/// // ╔═╗  the lower road has an end on its right
/// // ╚═
/// let tiles = TileMap::new(3, 2, &[9, 5, 12, 3, 5, 0])?;
/// assert_eq!(tiles.joined(0).map(|(_, tile)| tile).collect::<Vec<_>>(), [1, 3]);
/// let (start, goal) = (tiles.cell(4), tiles.cell(2));
/// let path = GridPlanner::new(tiles.grid().clone(), start, goal)?.path().ok_or("no path")?;
/// assert_eq!(path.cells.iter().filter_map(|&cell| tiles.tile_at(cell)).collect::<Vec<_>>(), [4, 3, 0, 1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileMap {
    width: u32,
    height: u32,
    grid: Grid,
}

impl TileMap {
    /// A map of tiles of which nothing was seen: all neighbours count as joined.
    ///
    /// # Errors
    /// [`GridError::Size`] for a map without tiles, or with more than 1 073 741 823.
    pub fn unknown(width: u32, height: u32) -> Result<Self, GridError> {
        let side = |tiles: u32| (2 * u64::from(tiles)).saturating_sub(1);
        let (columns, rows) = (side(width), side(height));
        let fits = columns.saturating_mul(rows) < u64::from(u32::MAX);
        let (Some(columns), Some(rows), true) = (u32::try_from(columns).ok(), u32::try_from(rows).ok(), fits) else {
            return Err(GridError::Size { width, height, values: 0 });
        };
        let is_corner = |column: u32, row: u32| column % 2 == 1 && row % 2 == 1;
        let is_blocked = (0..rows).flat_map(|row| (0..columns).map(move |column| is_corner(column, row))).collect();
        let grid = Grid::new(columns, rows, is_blocked).map_err(|_| GridError::Size { width, height, values: 0 })?;
        Ok(Self { width, height, grid })
    }

    /// A map that is known, with the openings of each tile.
    ///
    /// # Errors
    /// [`GridError::Size`] if the number of openings is not that of the tiles, or as for [`unknown`](Self::unknown).
    pub fn new(width: u32, height: u32, openings: &[u8]) -> Result<Self, GridError> {
        if openings.len() as u64 != u64::from(width) * u64::from(height) {
            return Err(GridError::Size { width, height, values: openings.len() });
        }
        let mut map = Self::unknown(width, height)?;
        for (tile, &openings) in openings.iter().enumerate() {
            map.see(tile as u32, openings)?;
        }
        Ok(map)
    }

    /// Closes the sides of a tile to which it has no opening; the cells of the grid that this blocks, as
    /// [`GridPlanner::update`](crate::GridPlanner::update) takes them. What was closed before stays so.
    ///
    /// # Errors
    /// [`GridError::Outside`] if the tile is not on the map.
    pub fn see(&mut self, tile: u32, openings: u8) -> Result<Vec<(u32, bool)>, GridError> {
        self.check("a seen tile", tile)?;
        let mut blocked = Vec::new();
        for side in (0..SIDES.len()).filter(|side| openings & (1 << side) == 0) {
            if let Some((_, cell)) = self.beyond(tile, side)
                && self.grid.set_blocked(cell, true)
            {
                blocked.push((cell, true));
            }
        }
        Ok(blocked)
    }

    /// The tile beyond a side and the cell of the side; `None` at the border.
    fn beyond(&self, tile: u32, side: usize) -> Option<(u32, u32)> {
        let next = beside(tile, (self.width, self.height), SIDES[side])?;
        let cell = beside(self.cell(tile), (self.grid.width(), self.grid.height()), SIDES[side])?;
        Some((next, cell))
    }

    /// The tiles that are joined with one, each after the number of the side: 0 right, 1 up, 2 left, 3 down.
    ///
    /// # Panics
    /// If the tile is not on the map.
    pub fn joined(&self, tile: u32) -> impl Iterator<Item = (usize, u32)> + '_ {
        (0..SIDES.len()).filter_map(move |side| {
            let (next, cell) = self.beyond(tile, side)?;
            (!self.grid.is_blocked(cell)).then_some((side, next))
        })
    }

    /// The openings of a tile to those with which it is joined.
    ///
    /// # Panics
    /// If the tile is not on the map.
    #[must_use]
    pub fn openings(&self, tile: u32) -> u8 {
        self.joined(tile).fold(0, |openings, (side, _)| openings | 1 << side)
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

    /// Number of tiles, at least 1.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a map has a tile")]
    pub fn len(&self) -> u32 {
        self.width * self.height
    }

    /// The grid on which searches run.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The cell of the grid that stands for a tile of the map.
    #[must_use]
    pub fn cell(&self, tile: u32) -> u32 {
        2 * (tile / self.width) * self.grid.width() + 2 * (tile % self.width)
    }

    /// The tile for which a cell of the grid stands; `None` for a side or a corner.
    #[must_use]
    pub fn tile_at(&self, cell: u32) -> Option<u32> {
        let (column, row) = (cell % self.grid.width(), cell / self.grid.width());
        (column % 2 == 0 && row % 2 == 0).then_some(row / 2 * self.width + column / 2)
    }

    /// Number of tiles from one to another where all are joined.
    #[must_use]
    pub fn apart(&self, a: u32, b: u32) -> u32 {
        let (columns, rows) = apart(self.width, a, b);
        columns + rows
    }

    /// Checks that a tile is on the map; `name` is its name in messages.
    ///
    /// # Errors
    /// [`GridError::Outside`].
    pub fn check(&self, name: &'static str, tile: u32) -> Result<(), GridError> {
        let cells = self.len();
        if tile < cells { Ok(()) } else { Err(GridError::Outside { name, cell: tile, cells: cells as usize }) }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn two_tiles_are_joined_where_both_are_open_to_each_other() {
        let map = TileMap::new(2, 2, &[1 + 8, 4, 0, 15]).unwrap();
        let joined = |tile| map.joined(tile).collect::<Vec<_>>();
        assert_eq!((joined(0), joined(1), joined(2), joined(3)), (vec![(0, 1)], vec![(2, 0)], vec![], vec![]));
        assert_eq!((map.grid().width(), map.grid().height()), (3, 3));
        assert_eq!((0..4).map(|tile| map.tile_at(map.cell(tile)).unwrap()).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(map.tile_at(1), None);
        assert_eq!((0..4).map(|tile| map.openings(tile)).collect::<Vec<_>>(), [1, 4, 0, 0]);
    }

    #[test]
    fn nothing_leads_over_a_corner_between_tiles() {
        let map = TileMap::unknown(3, 3).unwrap();
        for cell in 0..map.grid().len() as u32 {
            for (next, cost) in map.grid().neighbours(cell) {
                assert_eq!(cost, crate::SIDE_COST, "{cell} {next}");
            }
        }
        assert_eq!(map.joined(4).map(|(_, tile)| tile).collect::<Vec<_>>(), [5, 1, 3, 7]);
    }

    #[test]
    fn a_side_that_was_closed_stays_closed_and_is_reported_once() {
        let mut map = TileMap::unknown(2, 1).unwrap();
        assert_eq!(map.see(0, 0).unwrap(), [(1, true)]);
        assert_eq!(map.see(0, 0).unwrap(), []);
        assert_eq!(map.see(1, 15).unwrap(), []);
        assert_eq!(map.joined(1).count(), 0);
    }

    #[test]
    fn wrong_sizes_and_tiles_are_refused() {
        for (width, height) in [(0, 3), (3, 0), (u32::MAX, 1), (1 << 20, 1 << 20)] {
            assert!(matches!(TileMap::unknown(width, height), Err(GridError::Size { .. })), "{width} {height}");
        }
        assert!(matches!(TileMap::new(2, 2, &[0; 3]), Err(GridError::Size { values: 3, .. })));
        assert!(matches!(TileMap::unknown(2, 2).unwrap().see(4, 0), Err(GridError::Outside { cell: 4, .. })));
    }
}
