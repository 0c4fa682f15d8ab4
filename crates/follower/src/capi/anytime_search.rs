//! Paths on a grid that are improved as long as there is time.

use raceline_grid::AnytimeSearch;

use super::calls::{RacelineStatus, checked, exclusive, free, guarded, put, put_many, put_optional, shared};
use super::grid_planner::{grid_of, wrong};

/// See the header.
///
/// # Safety
/// `blocked` is null or refers to `width` times `height` bytes, `search` is null or refers to memory for
/// a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_anytime_search_new(
    width: u32,
    height: u32,
    blocked: *const u8,
    start: u32,
    goal: u32,
    factor: f64,
    step: f64,
    search: *mut *mut AnytimeSearch,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        put(search, std::ptr::null_mut(), "search")?;
        let grid = grid_of(width, height, blocked)?;
        let made = AnytimeSearch::new(grid, start, goal, factor, step).map_err(|error| wrong(&error))?;
        put(search, Box::into_raw(Box::new(made)), "search")
    })
}

/// See the header.
///
/// # Safety
/// `search` is a search or null, `factor` and `expanded` are null or refer to memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_anytime_search_improve(
    search: *mut AnytimeSearch,
    factor: *mut f64,
    expanded: *mut usize,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        checked(factor, "factor")?;
        let search = exclusive(search, "search")?;
        let before = search.expanded();
        search.next();
        put_optional(expanded, search.expanded() - before, "expanded")?;
        put(factor, search.best().map_or(0.0, |path| path.factor), "factor")
    })
}

/// See the header.
///
/// # Safety
/// `search` is a search or null, `cells` is null or refers to memory for `capacity` values, `count` and
/// `cost` are null or refer to memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_anytime_search_path(
    search: *const AnytimeSearch,
    cells: *mut u32,
    capacity: usize,
    count: *mut usize,
    cost: *mut u64,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        let best = shared(search, "search")?.best();
        put_optional(cost, best.map_or(0, |path| path.cost), "cost")?;
        put_many(best.map_or(&[], |path| &path.cells), cells, capacity, count, "cells")
    })
}

/// See the header.
///
/// # Safety
/// `search` is null or a search that is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_anytime_search_free(search: *mut AnytimeSearch) {
    // SAFETY: the caller's promises.
    unsafe { free(search) };
}
