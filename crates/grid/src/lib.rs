//! Grids of cells that become blocked and free, and paths on them: repaired after each change, or improved as long
//! as there is time.
//!
//! [`Grid`] has the cells and the moves between them. [`GridPlanner`] keeps the path of minimum cost to a
//! goal while the grid changes and the start moves. [`AnytimeSearch`] has a path at once and improves it as
//! long as there is time. [`TileDriver`] races over road tiles, a [`TileMap`], through checkpoints. Searches from scratch on a grid, and searches of a map's free space, are in
//! `raceline-plan`.
//!
//! ```
//! use raceline_grid::{Grid, GridPlanner};
//!
//! let mut planner = GridPlanner::new(Grid::new(3, 2, vec![false; 6])?, 0, 2)?;
//! assert_eq!(planner.path().ok_or("no path")?.cost, 2000);
//! planner.update(&[(1, true)])?;
//! assert_eq!(planner.path().ok_or("no path")?.cost, 4000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod ara_star;
mod d_star_lite;
mod error;
mod grid;
mod moves;
#[cfg(test)]
mod test_costs;
mod tile_driver;
mod tile_map;

pub use ara_star::{AnytimePath, AnytimeSearch};
pub use d_star_lite::GridPlanner;
pub use error::GridError;
pub use grid::{Grid, GridPath, NO_PATH};
pub use moves::{CORNER_COST, SIDE_COST, apart, beside, moves, octile};
pub use tile_driver::{LookAhead, TileDriver, TileRoute};
pub use tile_map::TileMap;
