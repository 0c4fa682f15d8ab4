//! Paths.

use super::calls::{Fault, RacelineStatus, free, guarded, many, put, shared};
use super::limits::LONGEST_JSON;
use super::sized::{each, read, read_or_default, write};
use super::types::{RacelineCorridorOptions, RacelineLineInfo, RacelinePathSample, RacelineVehicle, RacelineWaypoint};
use crate::error::PathError;
use crate::json::{self, RacingLine};
use crate::minimum_curvature::CorridorOptions;
use crate::path::Path;

/// See the header.
///
/// # Safety
/// `waypoints` refers to `count` waypoints, `path` to memory for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_path_new(
    waypoints: *const RacelineWaypoint,
    count: usize,
    closed: i32,
    path: *mut *mut Path,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        put(path, std::ptr::null_mut(), "path")?;
        if count > Path::MAX_WAYPOINTS {
            let message = format!("waypoints has {count} entries, more than {}", Path::MAX_WAYPOINTS);
            return Err(Fault(RacelineStatus::Value, message));
        }
        let mut taken = Vec::with_capacity(count);
        each(waypoints, count, count, "waypoints", |waypoint: RacelineWaypoint| taken.push(waypoint.into()))?;
        let built = Path::new(taken, closed != 0).map_err(|e| Fault(RacelineStatus::Path, e.to_string()))?;
        put(path, Box::into_raw(Box::new(built)), "path")
    })
}

/// See the header.
///
/// # Safety
/// `path` is null or a path of this library, `options` is null or refers to its struct, `line` refers to
/// memory for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_path_minimum_curvature(
    path: *const Path,
    options: *const RacelineCorridorOptions,
    line: *mut *mut Path,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        put(line, std::ptr::null_mut(), "line")?;
        let path = shared(path, "path")?;
        let RacelineCorridorOptions { fraction, clearance_m, spacing_m, .. } = read_or_default(options, "options")?;
        let options = CorridorOptions { fraction, clearance_m, spacing_m };
        let built = path.minimum_curvature(&options).map_err(|e| match e {
            PathError::BadOption(_) => Fault(RacelineStatus::Value, e.to_string()),
            _ => Fault(RacelineStatus::Path, e.to_string()),
        })?;
        put(line, Box::into_raw(Box::new(built)), "line")
    })
}

/// The line in a file.
///
/// # Safety
/// `bytes` refers to `count` bytes.
pub(super) unsafe fn read_line(bytes: *const u8, count: usize) -> Result<RacingLine, Fault> {
    // SAFETY: the function's own condition.
    let bytes = unsafe { many(bytes, count, LONGEST_JSON, "bytes")? };
    json::read(bytes).map_err(|e| Fault(RacelineStatus::Json, e.to_string()))
}

/// See the header.
///
/// # Safety
/// `bytes` refers to `count` bytes, `path` to memory for a pointer; `info` and `vehicle` are null or
/// refer to their structs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_path_from_json(
    bytes: *const u8,
    count: usize,
    path: *mut *mut Path,
    info: *mut RacelineLineInfo,
    vehicle: *mut RacelineVehicle,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        put(path, std::ptr::null_mut(), "path")?;
        let line = read_line(bytes, count)?;
        if !info.is_null() {
            let found = RacelineLineInfo { lap_time_s: line.lap_time_s, ..RacelineLineInfo::default() };
            write(info, &found, "info")?;
        }
        if !vehicle.is_null() {
            write(vehicle, &line.vehicle.into(), "vehicle")?;
        }
        put(path, Box::into_raw(Box::new(line.path)), "path")
    })
}

/// See the header.
///
/// # Safety
/// `path` is a path or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_path_length_m(path: *const Path) -> f64 {
    let mut length = f64::NAN;
    guarded(|| {
        // SAFETY: the caller's promise.
        length = unsafe { shared(path, "path")? }.length_m();
        Ok(())
    });
    length
}

/// See the header.
///
/// # Safety
/// `path` is a path or null, `sample` refers to its struct.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_path_sample_at(
    path: *const Path,
    s_m: f64,
    sample: *mut RacelinePathSample,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        read(sample, "sample")?;
        write(sample, &shared(path, "path")?.sample(s_m).into(), "sample")
    })
}

/// See the header.
///
/// # Safety
/// `path` is a path or null, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_path_free(path: *mut Path) {
    // SAFETY: the caller's promise.
    unsafe { free(path) };
}
