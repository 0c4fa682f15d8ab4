//! A race over road tiles through checkpoints.

use raceline_grid::{LookAhead, TileDriver, TileMap};

use super::calls::{Fault, RacelineStatus, checked, exclusive, free, guarded, many, put, put_many, put_optional};
use super::grid_planner::wrong;

/// Largest number of tiles of a map; a driver takes about five bytes for each, and more for those that it comes by.
pub const MAX_TILES: usize = 1 << 22;

/// See the header.
///
/// # Safety
/// `openings` is null or refers to `width` times `height` bytes, `checkpoints` is null or refers to `count` values,
/// `driver` is null or refers to memory for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_tile_driver_new(
    width: u32,
    height: u32,
    openings: *const u8,
    start: u32,
    checkpoints: *const u32,
    count: usize,
    depth: u32,
    turn_tiles: f64,
    driver: *mut *mut TileDriver,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        put(driver, std::ptr::null_mut(), "driver")?;
        let tiles = u64::from(width) * u64::from(height);
        let Some(tiles) = usize::try_from(tiles).ok().filter(|&tiles| tiles <= MAX_TILES) else {
            let message = format!("the map has {width} by {height} tiles, more than {MAX_TILES}");
            return Err(Fault(RacelineStatus::Value, message));
        };
        let map = if openings.is_null() {
            TileMap::unknown(width, height)
        } else {
            TileMap::new(width, height, many(openings, tiles, MAX_TILES, "openings")?)
        };
        let checkpoints = many(checkpoints, count, MAX_TILES, "checkpoints")?.to_vec();
        let made = map.and_then(|map| TileDriver::new(map, start, checkpoints, LookAhead { depth, turn_tiles }));
        put(driver, Box::into_raw(Box::new(made.map_err(|error| wrong(&error))?)), "driver")
    })
}

/// See the header.
///
/// # Safety
/// `driver` is a driver or null, `tiles` and `openings` are null or refer to `count` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_tile_driver_see(
    driver: *mut TileDriver,
    tiles: *const u32,
    openings: *const u8,
    count: usize,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        let driver = exclusive(driver, "driver")?;
        let (tiles, openings) =
            (many(tiles, count, MAX_TILES, "tiles")?, many(openings, count, MAX_TILES, "openings")?);
        for &tile in tiles {
            driver.tiles().check("a seen tile", tile).map_err(|error| wrong(&error))?;
        }
        for (&tile, &openings) in tiles.iter().zip(openings) {
            driver.see(tile, openings).map_err(|error| wrong(&error))?;
        }
        Ok(())
    })
}

/// See the header.
///
/// # Safety
/// `driver` is a driver or null, `tiles` is null or refers to memory for `capacity` values, `count`, `score` and
/// `expanded` are null or refer to memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_tile_driver_route(
    driver: *mut TileDriver,
    tiles: *mut u32,
    capacity: usize,
    count: *mut usize,
    score: *mut u64,
    expanded: *mut usize,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        checked(count, "count")?;
        let driver = exclusive(driver, "driver")?;
        let before = driver.expanded();
        let route = driver.route().map_err(|error| wrong(&error))?;
        put_optional(score, route.as_ref().map_or(0, |route| route.score), "score")?;
        put_optional(expanded, driver.expanded() - before, "expanded")?;
        put_many(route.as_ref().map_or(&[], |route| &route.tiles), tiles, capacity, count, "tiles")
    })
}

/// See the header.
///
/// # Safety
/// `driver` is a driver or null, `tile` and `passed` are null or refer to memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_tile_driver_advance(
    driver: *mut TileDriver,
    tile: *mut u32,
    passed: *mut usize,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        checked(tile, "tile")?;
        let driver = exclusive(driver, "driver")?;
        driver.advance().map_err(|error| wrong(&error))?;
        put_optional(passed, driver.passed(), "passed")?;
        put(tile, driver.at(), "tile")
    })
}

/// See the header.
///
/// # Safety
/// `driver` is null or a driver that is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_tile_driver_free(driver: *mut TileDriver) {
    // SAFETY: the caller's promises.
    unsafe { free(driver) };
}
