//! Learning over laps.

use super::calls::{Fault, checked, exclusive, free, guarded, many, put, shared};
use super::types::{RlfCommand, RlfStatus, RlfVehicleGeometry, RlfVehicleState};
use crate::json;
use crate::learning::{LearnedSpeeds, LearningError, LearningOptions};
use crate::path::Path;

/// Largest accepted file, bytes.
const LONGEST_JSON: usize = 1 << 30;

fn fault(error: &LearningError) -> Fault {
    let status = match error {
        LearningError::Options(_) => RlfStatus::Value,
        _ => RlfStatus::Path,
    };
    Fault(status, error.to_string())
}

/// See the header.
///
/// # Safety
/// `path` is a path or null, `vehicle` is a vehicle or null, `learning` refers to memory for a
/// pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_learning_new(
    path: *const Path,
    vehicle: *const RlfVehicleGeometry,
    lowest: f64,
    highest: f64,
    learning: *mut *mut LearnedSpeeds,
) -> RlfStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe { made(path, vehicle, [lowest, highest], LearningOptions::default(), learning) })
}

/// See the header.
///
/// # Safety
/// As for [`rlf_learning_new`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_learning_new_told(
    path: *const Path,
    vehicle: *const RlfVehicleGeometry,
    lowest: f64,
    highest: f64,
    learning: *mut *mut LearnedSpeeds,
) -> RlfStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe { made(path, vehicle, [lowest, highest], LearningOptions::told(), learning) })
}

/// # Safety
/// As for [`rlf_learning_new`].
unsafe fn made(
    path: *const Path,
    vehicle: *const RlfVehicleGeometry,
    [lowest, highest]: [f64; 2],
    usual: LearningOptions,
    learning: *mut *mut LearnedSpeeds,
) -> Result<(), Fault> {
    // SAFETY: the caller's promises.
    unsafe {
        put(learning, std::ptr::null_mut(), "learning")?;
        let or = |value: f64, usual: f64| if value.is_nan() { usual } else { value };
        let (lowest, highest) = (or(lowest, usual.lowest), or(highest, usual.highest));
        let options = LearningOptions { lowest, highest, ..usual };
        let (path, vehicle) = (shared(path, "path")?, (*shared(vehicle, "vehicle")?).into());
        let made = LearnedSpeeds::new(path, vehicle, options).map_err(|error| fault(&error))?;
        put(learning, Box::into_raw(Box::new(made)), "learning")
    }
}

/// See the header.
///
/// # Safety
/// `learning` is learning or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_learning_fault(learning: *mut LearnedSpeeds) -> RlfStatus {
    guarded(|| {
        // SAFETY: the caller's promise.
        unsafe { exclusive(learning, "learning")? }.fault();
        Ok(())
    })
}

/// See the header.
///
/// # Safety
/// `learning` is learning or null, `path` is a path or null, `state` and `command` refer to their
/// structs, `lap_time_s` is null or refers to memory for a number, `ended` to memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_learning_observe(
    learning: *mut LearnedSpeeds,
    path: *const Path,
    state: *const RlfVehicleState,
    command: *const RlfCommand,
    dt_s: f64,
    ended: *mut i32,
    lap_time_s: *mut f64,
) -> RlfStatus {
    guarded(|| {
        checked(ended, "ended")?;
        // SAFETY: the caller's promises.
        unsafe {
            let (state, command) = ((*shared(state, "state")?).into(), shared(command, "command")?.observed());
            let lap = exclusive(learning, "learning")?.observe(shared(path, "path")?, &state, &command, dt_s);
            if !lap_time_s.is_null() {
                put(lap_time_s, lap.and_then(|lap| lap.time_s).unwrap_or(f64::NAN), "lap_time_s")?;
            }
            put(ended, i32::from(lap.is_some()), "ended")
        }
    })
}

/// See the header.
///
/// # Safety
/// `learning` is learning or null, `path` is a path or null that nothing else uses meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_learning_apply(learning: *mut LearnedSpeeds, path: *mut Path) -> RlfStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        exclusive(learning, "learning")?.apply(exclusive(path, "path")?).map_err(|error| fault(&error))
    })
}

/// See the header.
///
/// # Safety
/// `learning` is learning or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_learning_interrupt(learning: *mut LearnedSpeeds) -> RlfStatus {
    guarded(|| {
        // SAFETY: the caller's promise.
        unsafe { exclusive(learning, "learning")? }.interrupt();
        Ok(())
    })
}

/// See the header.
///
/// # Safety
/// `learning` is learning or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_learning_settle(learning: *mut LearnedSpeeds) -> RlfStatus {
    guarded(|| {
        // SAFETY: the caller's promise.
        unsafe { exclusive(learning, "learning")? }.settle();
        Ok(())
    })
}

/// See the header.
///
/// # Safety
/// `learning` is learning or null, `bytes` refers to `capacity` bytes, `count` to memory for a
/// number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_learning_remember(
    learning: *const LearnedSpeeds,
    bytes: *mut u8,
    capacity: usize,
    count: *mut usize,
) -> RlfStatus {
    guarded(|| {
        // SAFETY: the caller's promises.
        unsafe {
            let text = json::write_learned(&shared(learning, "learning")?.remembered());
            put(count, text.len(), "count")?;
            if text.len() <= capacity {
                checked(bytes, "bytes")?;
                std::ptr::copy_nonoverlapping(text.as_ptr(), bytes, text.len());
            }
            Ok(())
        }
    })
}

/// See the header.
///
/// # Safety
/// `learning` is learning or null, `bytes` refers to `count` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_learning_recall(
    learning: *mut LearnedSpeeds,
    bytes: *const u8,
    count: usize,
) -> RlfStatus {
    guarded(|| {
        // SAFETY: the caller's promises.
        unsafe {
            let bytes = many(bytes, count, LONGEST_JSON, "bytes")?;
            let remembered = json::read_learned(bytes).map_err(|e| Fault(RlfStatus::Json, e.to_string()))?;
            exclusive(learning, "learning")?.restore(&remembered).map_err(|error| fault(&error))
        }
    })
}

/// See the header.
///
/// # Safety
/// `learning` is learning or null, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_learning_free(learning: *mut LearnedSpeeds) {
    // SAFETY: the caller's promise.
    unsafe { free(learning) };
}
