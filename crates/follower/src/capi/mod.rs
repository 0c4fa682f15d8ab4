//! The C interface. `include/raceline_follower.h` is its documentation; a test compiles a C program
//! against it.
//!
//! Every pointer is checked for null and alignment, every number by its target type; no panic
//! leaves a call. The caller is responsible for the rest: a pointer must refer to as much memory as
//! the call states, a handle must come from this library and must not have been freed, and a
//! follower or a set of options must not be used by two threads at once.

#![allow(unsafe_code, reason = "raw pointers of a caller in another language")]

mod calls;
mod learning;
mod traffic;
mod types;

use std::ffi::{CStr, c_char};

use crate::error::PathError;
use crate::follower::Follower;
use crate::json;
use crate::minimum_curvature::CorridorOptions;
use crate::options::{FollowerOptions, validate_vehicle};
use crate::path::Path;
use crate::scene::Scene;
use crate::vehicle::{VehicleGeometry, VehicleKind};

use calls::{Fault, LAST_ERROR, checked, exclusive, free, guarded, many, put, shared};

pub use learning::{
    rlf_learning_apply, rlf_learning_fault, rlf_learning_free, rlf_learning_interrupt, rlf_learning_new,
    rlf_learning_new_told, rlf_learning_observe, rlf_learning_recall, rlf_learning_remember, rlf_learning_settle,
};
pub use traffic::{rlf_follower_is_avoiding, rlf_follower_step_in_traffic};
pub use types::{RlfCommand, RlfLineInfo, RlfNeighbour, RlfStatus, RlfVehicleGeometry, RlfVehicleState, RlfWaypoint};

/// Incremented when a changed struct or function requires programs to be recompiled.
pub const ABI_VERSION: u32 = 1;
/// Largest accepted file, bytes.
const LONGEST_JSON: usize = 1 << 30;
/// Largest length of an option's key, bytes.
const LONGEST_KEY: usize = 256;

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn rlf_abi_version() -> u32 {
    ABI_VERSION
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn rlf_last_error() -> *const c_char {
    static NOTHING: &CStr = c"";
    LAST_ERROR.with(|last| last.try_borrow().map_or(NOTHING.as_ptr(), |last| last.as_ptr()))
}

/// See the header.
///
/// # Safety
/// `waypoints` refers to `count` waypoints, `path` to memory for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_path_new(
    waypoints: *const RlfWaypoint,
    count: usize,
    closed: i32,
    path: *mut *mut Path,
) -> RlfStatus {
    guarded(|| {
        // SAFETY: the caller's promises.
        unsafe {
            put(path, std::ptr::null_mut(), "path")?;
            let waypoints = many(waypoints, count, Path::MAX_WAYPOINTS, "waypoints")?;
            let waypoints = waypoints.iter().map(|&waypoint| waypoint.into()).collect();
            let built = Path::new(waypoints, closed != 0).map_err(|e| Fault(RlfStatus::Path, e.to_string()))?;
            put(path, Box::into_raw(Box::new(built)), "path")
        }
    })
}

/// See the header.
///
/// # Safety
/// `path` is null or a path of this library, `line` refers to memory for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_path_minimum_curvature(
    path: *const Path,
    share: f64,
    clearance_m: f64,
    spacing_m: f64,
    line: *mut *mut Path,
) -> RlfStatus {
    guarded(|| {
        // SAFETY: the caller's promises.
        unsafe {
            put(line, std::ptr::null_mut(), "line")?;
            let path = shared(path, "path")?;
            let options = CorridorOptions { share, clearance_m, spacing_m };
            let built = path.minimum_curvature(&options).map_err(|e| match e {
                PathError::BadOption(_) => Fault(RlfStatus::Value, e.to_string()),
                _ => Fault(RlfStatus::Path, e.to_string()),
            })?;
            put(line, Box::into_raw(Box::new(built)), "line")
        }
    })
}

/// See the header.
///
/// # Safety
/// `bytes` refers to `count` bytes, `path` to memory for a pointer; `info` is null or refers to
/// memory for its struct.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_path_from_json(
    bytes: *const u8,
    count: usize,
    path: *mut *mut Path,
    info: *mut RlfLineInfo,
) -> RlfStatus {
    guarded(|| {
        // SAFETY: the caller's promises.
        unsafe {
            put(path, std::ptr::null_mut(), "path")?;
            let bytes = many(bytes, count, LONGEST_JSON, "bytes")?;
            let line = json::read(bytes).map_err(|e| Fault(RlfStatus::Json, e.to_string()))?;
            if !info.is_null() {
                let vehicle = line.vehicle.unwrap_or_default().into();
                let has_vehicle = u8::from(line.vehicle.is_some());
                put(info, RlfLineInfo { lap_time_s: line.lap_time_s, vehicle, has_vehicle, reserved: [0; 7] }, "info")?;
            }
            put(path, Box::into_raw(Box::new(line.path)), "path")
        }
    })
}

/// See the header.
///
/// # Safety
/// `path` is a path or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_path_length_m(path: *const Path) -> f64 {
    let mut length = f64::NAN;
    guarded(|| {
        // SAFETY: the caller's promise.
        length = unsafe { shared(path, "path")? }.length_m();
        Ok(())
    });
    length
}

/// See the header. A function of its own, because a field of the waypoint would change the struct.
///
/// # Safety
/// `path` is a path or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_path_height_m(path: *const Path, s_m: f64) -> f64 {
    let mut height = f64::NAN;
    guarded(|| {
        // SAFETY: the caller's promise.
        height = unsafe { shared(path, "path")? }.height_m(s_m);
        Ok(())
    });
    height
}

/// See the header.
///
/// # Safety
/// `path` is a path or null, `waypoint` refers to memory for a waypoint.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_path_sample(
    path: *const Path,
    s_m: f64,
    waypoint: *mut RlfWaypoint,
    heading_rad: *mut f64,
) -> RlfStatus {
    guarded(|| {
        // SAFETY: the caller's promises.
        unsafe {
            let at = shared(path, "path")?.sample(s_m);
            put(heading_rad, at.heading_rad, "heading_rad")?;
            let sampled = RlfWaypoint {
                position_m: at.position_m,
                left_m: at.left_m,
                right_m: at.right_m,
                speed_mps: at.speed_mps,
                curvature_radpm: at.curvature_radpm,
            };
            put(waypoint, sampled, "waypoint")
        }
    })
}

/// See the header.
///
/// # Safety
/// `path` is a path or null, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_path_free(path: *mut Path) {
    // SAFETY: the caller's promise.
    unsafe { free(path) };
}

/// See the header.
///
/// # Safety
/// `options` refers to memory for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_options_new(racing: i32, options: *mut *mut FollowerOptions) -> RlfStatus {
    guarded(|| {
        checked(options, "options")?;
        let values = if racing == 0 { FollowerOptions::default() } else { FollowerOptions::for_racing() };
        // SAFETY: the caller's promise.
        unsafe { put(options, Box::into_raw(Box::new(values)), "options") }
    })
}

/// See the header.
///
/// # Safety
/// `path` is a path or null, `vehicle` is a vehicle or null, `options` refers to memory for a
/// pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_options_for_path(
    path: *const Path,
    vehicle: *const RlfVehicleGeometry,
    options: *mut *mut FollowerOptions,
) -> RlfStatus {
    guarded(|| {
        // SAFETY: the caller's promises.
        unsafe {
            put(options, std::ptr::null_mut(), "options")?;
            let geometry: VehicleGeometry = (*shared(vehicle, "vehicle")?).into();
            let dynamics = shared(path, "path")?.dynamics().ok_or_else(|| {
                let message = "the path has no vehicle: take one of rlf_path_from_json, whose file has its limits";
                Fault(RlfStatus::Value, message.to_owned())
            })?;
            validate_vehicle(&geometry).map_err(|e| Fault(RlfStatus::Value, e.to_string()))?;
            let values = FollowerOptions::for_vehicle(dynamics, &geometry);
            put(options, Box::into_raw(Box::new(values)), "options")
        }
    })
}

/// See the header.
///
/// # Safety
/// `options` are options or null, `key` is a zero-terminated text or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_options_set(options: *mut FollowerOptions, key: *const c_char, value: f64) -> RlfStatus {
    guarded(|| {
        checked(key, "key")?;
        // SAFETY: the caller's promises.
        let (options, key) = unsafe { (exclusive(options, "options")?, CStr::from_ptr(key)) };
        let key = Some(key).filter(|key| key.to_bytes().len() <= LONGEST_KEY).and_then(|key| key.to_str().ok());
        let key = key.ok_or_else(|| Fault(RlfStatus::Value, "key is not the name of an option".to_owned()))?;
        options.set(key, value).map_err(|message| Fault(RlfStatus::Value, message))
    })
}

/// See the header.
///
/// # Safety
/// `options` are options or null, and are not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_options_free(options: *mut FollowerOptions) {
    // SAFETY: the caller's promise.
    unsafe { free(options) };
}

/// See the header.
///
/// # Safety
/// `vehicle` refers to memory for a vehicle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_vehicle_default(vehicle: *mut RlfVehicleGeometry) -> RlfStatus {
    // SAFETY: the caller's promise.
    guarded(|| unsafe { put(vehicle, VehicleGeometry::default().into(), "vehicle") })
}

/// See the header.
///
/// # Safety
/// `options` are options or null, `vehicle` is a vehicle or null, `follower` refers to memory for a
/// pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_follower_new(
    options: *const FollowerOptions,
    vehicle: *const RlfVehicleGeometry,
    follower: *mut *mut Follower,
) -> RlfStatus {
    // SAFETY: the caller's promises.
    unsafe { rlf_follower_new_of_kind(options, vehicle, 0, follower) }
}

/// See the header. A function of its own, because a field of the vehicle would change the struct.
///
/// # Safety
/// As for [`rlf_follower_new`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_follower_new_of_kind(
    options: *const FollowerOptions,
    vehicle: *const RlfVehicleGeometry,
    kind: i32,
    follower: *mut *mut Follower,
) -> RlfStatus {
    guarded(|| {
        // SAFETY: the caller's promises.
        unsafe {
            put(follower, std::ptr::null_mut(), "follower")?;
            let options = *shared(options, "options")?;
            let kind = match kind {
                0 => VehicleKind::Wheels,
                1 => VehicleKind::SkidSteer,
                2 => VehicleKind::Hover,
                _ => return Err(Fault(RlfStatus::Value, format!("kind is {kind}, but must be 0, 1 or 2"))),
            };
            let vehicle = VehicleGeometry { kind, ..(*shared(vehicle, "vehicle")?).into() };
            let made = Follower::new(options, vehicle).map_err(|e| Fault(RlfStatus::Value, e.to_string()))?;
            put(follower, Box::into_raw(Box::new(made)), "follower")
        }
    })
}

/// See the header.
///
/// # Safety
/// `follower` is a follower or null, `path` is a path or null, `state` refers to a state, `command`
/// to memory for a command.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_follower_step(
    follower: *mut Follower,
    path: *const Path,
    state: *const RlfVehicleState,
    dt_s: f64,
    command: *mut RlfCommand,
) -> RlfStatus {
    guarded(|| {
        checked(command, "command")?;
        // SAFETY: the caller's promises.
        unsafe {
            let state = (*shared(state, "state")?).into();
            let step = exclusive(follower, "follower")?.step(shared(path, "path")?, &state, &Scene::EMPTY, dt_s);
            put(command, RlfCommand::from(&step), "command")
        }
    })
}

/// See the header.
///
/// # Safety
/// `follower` is a follower or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_follower_reset(follower: *mut Follower) -> RlfStatus {
    guarded(|| {
        // SAFETY: the caller's promise.
        unsafe { exclusive(follower, "follower")? }.reset();
        Ok(())
    })
}

/// See the header.
///
/// # Safety
/// `follower` is a follower or null, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_follower_free(follower: *mut Follower) {
    // SAFETY: the caller's promise.
    unsafe { free(follower) };
}
