//! Paths on a grid of cells that are discovered.

use raceline_grid::{Grid, GridPlanner};

use super::calls::{Fault, RacelineStatus, checked, exclusive, free, guarded, many, put, put_many, put_optional};

/// Largest number of cells of a grid; a planner takes about 50 bytes for each.
pub const MAX_CELLS: usize = 1 << 24;

pub(super) fn wrong(error: &impl ToString) -> Fault {
    Fault(RacelineStatus::Value, error.to_string())
}

/// A grid of one byte for each cell, or of free cells alone where the pointer is null.
///
/// # Safety
/// `blocked` is null or refers to `width` times `height` bytes.
pub(super) unsafe fn grid_of(width: u32, height: u32, blocked: *const u8) -> Result<Grid, Fault> {
    let count = u64::from(width) * u64::from(height);
    let Some(count) = usize::try_from(count).ok().filter(|&count| count <= MAX_CELLS) else {
        let message = format!("the grid has {width} by {height} cells, more than {MAX_CELLS}");
        return Err(Fault(RacelineStatus::Value, message));
    };
    let is_blocked = if blocked.is_null() {
        vec![false; count]
    } else {
        // SAFETY: the function's own condition.
        unsafe { many(blocked, count, MAX_CELLS, "blocked")? }.iter().map(|&byte| byte != 0).collect()
    };
    Grid::new(width, height, is_blocked).map_err(|error| wrong(&error))
}

/// See the header.
///
/// # Safety
/// `blocked` is null or refers to `width` times `height` bytes, `planner` is null or refers to memory for
/// a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_grid_planner_new(
    width: u32,
    height: u32,
    blocked: *const u8,
    start: u32,
    goal: u32,
    planner: *mut *mut GridPlanner,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        put(planner, std::ptr::null_mut(), "planner")?;
        let grid = grid_of(width, height, blocked)?;
        let made = GridPlanner::new(grid, start, goal).map_err(|error| wrong(&error))?;
        put(planner, Box::into_raw(Box::new(made)), "planner")
    })
}

/// See the header.
///
/// # Safety
/// `planner` is a planner or null, `cells` and `blocked` are null or refer to `count` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_grid_planner_update(
    planner: *mut GridPlanner,
    cells: *const u32,
    blocked: *const u8,
    count: usize,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        let planner = exclusive(planner, "planner")?;
        let (cells, blocked) = (many(cells, count, MAX_CELLS, "cells")?, many(blocked, count, MAX_CELLS, "blocked")?);
        let changes: Vec<(u32, bool)> = cells.iter().zip(blocked).map(|(&cell, &byte)| (cell, byte != 0)).collect();
        planner.update(&changes).map_err(|error| wrong(&error))
    })
}

/// See the header.
///
/// # Safety
/// `planner` is a planner or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_grid_planner_move_to(planner: *mut GridPlanner, start: u32) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe { exclusive(planner, "planner")?.move_to(start).map_err(|error| wrong(&error)) })
}

/// See the header.
///
/// # Safety
/// `planner` is a planner or null, `cells` is null or refers to memory for `capacity` values, `count`,
/// `cost` and `expanded` are null or refer to memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_grid_planner_path(
    planner: *mut GridPlanner,
    cells: *mut u32,
    capacity: usize,
    count: *mut usize,
    cost: *mut u64,
    expanded: *mut usize,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        checked(count, "count")?;
        let planner = exclusive(planner, "planner")?;
        let before = planner.expanded();
        let found = planner.path();
        put_optional(cost, found.as_ref().map_or(0, |path| path.cost), "cost")?;
        put_optional(expanded, planner.expanded() - before, "expanded")?;
        let path = found.map_or_else(Vec::new, |path| path.cells);
        put_many(&path, cells, capacity, count, "cells")
    })
}

/// See the header.
///
/// # Safety
/// `planner` is null or a planner that is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_grid_planner_free(planner: *mut GridPlanner) {
    // SAFETY: the caller's promises.
    unsafe { free(planner) };
}
