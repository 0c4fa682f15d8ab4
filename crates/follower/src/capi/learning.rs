//! Learning over laps.

use super::calls::{Fault, RacelineStatus, checked, exclusive, free, guarded, many, put, shared};
use super::limits::LONGEST_JSON;
use super::sized::{read, read_or_default, sized, write};
use super::types::{RacelineCommand, RacelineState, RacelineVehicle};
use crate::json;
use crate::learning::{LearnedLap, LearnedSpeeds, LearningError, LearningOptions};
use crate::path::Path;

fn fault(error: &LearningError) -> Fault {
    let status = match error {
        LearningError::Options(_) => RacelineStatus::Value,
        _ => RacelineStatus::Path,
    };
    Fault(status, error.to_string())
}

sized! {
    /// [`LearningOptions`]; NaN for the usual value.
    RacelineLearningOptions {
        /// 1 where the game reports all faults, else 0.
        faults_reported: i32 = 0,
        /// 0.5 to 1.
        lowest: f64 = f64::NAN,
        /// 1 to 1.5.
        highest: f64 = f64::NAN,
        /// 0.001 to 0.1.
        step: f64 = f64::NAN,
        /// Metres.
        spacing_m: f64 = f64::NAN,
        /// Metres.
        wide_m: f64 = f64::NAN,
        /// Seconds.
        blame_s: f64 = f64::NAN,
    }
}

sized! {
    /// [`LearnedLap`].
    RacelineLap {
        /// 1 where a lap ended, else 0 and the rest does not count.
        ended: i32 = 0,
        /// NaN without a time.
        time_s: f64 = f64::NAN,
        /// 1 or 0.
        kept: i32 = 0,
        /// 1 or 0.
        clean: i32 = 0,
        /// Number of factors.
        raised: u32 = 0,
        /// Number of factors.
        lowered: u32 = 0,
    }
}

impl From<Option<LearnedLap>> for RacelineLap {
    fn from(lap: Option<LearnedLap>) -> Self {
        let Some(lap) = lap else { return Self::default() };
        Self {
            ended: 1,
            time_s: lap.time_s.unwrap_or(f64::NAN),
            kept: i32::from(lap.kept),
            clean: i32::from(lap.clean),
            raised: lap.raised as u32,
            lowered: lap.lowered as u32,
            ..Self::default()
        }
    }
}

/// See the header.
///
/// # Safety
/// `path` is a path or null, `vehicle` and `options` are null or refer to their structs, `learning`
/// refers to memory for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_learning_new(
    path: *const Path,
    vehicle: *const RacelineVehicle,
    options: *const RacelineLearningOptions,
    learning: *mut *mut LearnedSpeeds,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        put(learning, std::ptr::null_mut(), "learning")?;
        let given = read_or_default(options, "options")?;
        let usual =
            if given.faults_reported == 0 { LearningOptions::default() } else { LearningOptions::of_reported_faults() };
        let or = |value: f64, usual: f64| if value.is_nan() { usual } else { value };
        let options = LearningOptions {
            lowest: or(given.lowest, usual.lowest),
            highest: or(given.highest, usual.highest),
            step: or(given.step, usual.step),
            spacing_m: or(given.spacing_m, usual.spacing_m),
            wide_m: or(given.wide_m, usual.wide_m),
            blame_s: or(given.blame_s, usual.blame_s),
            ..usual
        };
        let vehicle = read_or_default(vehicle, "vehicle")?.geometry()?;
        let made = LearnedSpeeds::new(shared(path, "path")?, vehicle, options).map_err(|error| fault(&error))?;
        put(learning, Box::into_raw(Box::new(made)), "learning")
    })
}

/// See the header.
///
/// # Safety
/// `learning` is learning or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_learning_fault(learning: *mut LearnedSpeeds) -> RacelineStatus {
    guarded(|| {
        // SAFETY: the caller's promise.
        unsafe { exclusive(learning, "learning")? }.fault();
        Ok(())
    })
}

/// See the header.
///
/// # Safety
/// `learning` is learning or null, `path` is a path or null, `state`, `command` and `lap` refer to their
/// structs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_learning_observe(
    learning: *mut LearnedSpeeds,
    path: *const Path,
    state: *const RacelineState,
    command: *const RacelineCommand,
    dt_s: f64,
    lap: *mut RacelineLap,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        read(lap, "lap")?;
        let (state, command) = (read(state, "state")?.into(), read(command, "command")?.observed());
        let ended = exclusive(learning, "learning")?.observe(shared(path, "path")?, &state, &command, dt_s);
        write(lap, &ended.into(), "lap")
    })
}

/// See the header.
///
/// # Safety
/// `learning` is learning or null, `path` is a path or null that nothing else uses meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_learning_apply(learning: *mut LearnedSpeeds, path: *mut Path) -> RacelineStatus {
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
pub unsafe extern "C" fn raceline_learning_interrupt(learning: *mut LearnedSpeeds) -> RacelineStatus {
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
pub unsafe extern "C" fn raceline_learning_settle(learning: *mut LearnedSpeeds) -> RacelineStatus {
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
pub unsafe extern "C" fn raceline_learning_remember(
    learning: *const LearnedSpeeds,
    bytes: *mut u8,
    capacity: usize,
    count: *mut usize,
) -> RacelineStatus {
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
pub unsafe extern "C" fn raceline_learning_recall(
    learning: *mut LearnedSpeeds,
    bytes: *const u8,
    count: usize,
) -> RacelineStatus {
    guarded(|| {
        // SAFETY: the caller's promises.
        unsafe {
            let bytes = many(bytes, count, LONGEST_JSON, "bytes")?;
            let remembered = json::read_learned(bytes).map_err(|e| Fault(RacelineStatus::Json, e.to_string()))?;
            exclusive(learning, "learning")?.restore(&remembered).map_err(|error| fault(&error))
        }
    })
}

/// See the header.
///
/// # Safety
/// `learning` is learning or null, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_learning_free(learning: *mut LearnedSpeeds) {
    // SAFETY: the caller's promise.
    unsafe { free(learning) };
}
