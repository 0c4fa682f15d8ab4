//! Making a follower and driving with it.

use std::ffi::CStr;

use super::calls::{Fault, Outcome, RacelineStatus, checked, exclusive, free, guarded, many, put, shared};
use super::scene::{RacelineScene, with_scene};
use super::sized::{read, read_or_default, write};
use super::types::{RacelineCommand, RacelineFollowerOptions, RacelineOption, RacelinePlannerOptions, RacelineState};
use crate::follower::Follower;
use crate::local_planner::{LocalPlanner, LocalPlannerOptions};
use crate::options::{FollowerOptions, validate_vehicle};
use crate::path::Path;
use raceline_car::VehicleDynamics;

/// Largest length of an option's key, bytes.
const LONGEST_KEY: usize = 256;
/// Largest accepted number of options.
const MAX_OPTIONS: usize = 1000;

pub(super) fn value_fault(message: impl ToString) -> Fault {
    Fault(RacelineStatus::Value, message.to_string())
}

/// Sets the option with a zero-terminated key.
///
/// # Safety
/// `key` is null or a zero-terminated text.
pub(super) unsafe fn set_option(options: &mut FollowerOptions, option: &RacelineOption) -> Outcome {
    checked(option.key, "key")?;
    // SAFETY: the function's own condition.
    let key = Some(unsafe { CStr::from_ptr(option.key) }).filter(|key| key.to_bytes().len() <= LONGEST_KEY);
    let key = key.and_then(|key| key.to_str().ok()).ok_or_else(|| value_fault("key is not the name of an option"))?;
    options.set(key, option.value).map_err(value_fault)
}

/// Declares `planner_of` with all fields of the options.
macro_rules! planner_of {
    ($($field:ident),*) => {
        /// A planner with the given options; those that are NaN have the usual values.
        fn planner_of(given: &RacelinePlannerOptions, usual: LocalPlannerOptions) -> Result<LocalPlanner, Fault> {
            let options = LocalPlannerOptions {
                $($field: if given.$field.is_nan() { usual.$field } else { given.$field },)*
            };
            LocalPlanner::new(options).map_err(value_fault)
        }
    };
}

planner_of!(
    gap_m,
    edge_m,
    following_m,
    following_s,
    braking_mps2,
    driving_mps2,
    lateral_mps2,
    horizon_m,
    clearance_s,
    smoothness_s,
    off_path_s,
    change_s
);

/// The follower that is described.
///
/// # Safety
/// The pointers of `given` refer to what the header requires, or are null.
unsafe fn made(given: &RacelineFollowerOptions) -> Result<Follower, Fault> {
    // SAFETY: the function's own condition.
    unsafe {
        let vehicle = read_or_default(given.vehicle, "vehicle")?.geometry()?;
        validate_vehicle(&vehicle).map_err(value_fault)?;
        let dynamics: Option<&VehicleDynamics> = match given.path.is_null() {
            true => None,
            false => shared(given.path, "path")?.dynamics(),
        };
        let mut options = match (given.preset, dynamics) {
            (0, _) => FollowerOptions::default(),
            (1, _) => FollowerOptions::for_racing(),
            (2, Some(dynamics)) => FollowerOptions::for_vehicle(dynamics, &vehicle),
            (2, None) => {
                return Err(value_fault(
                    "preset is RACELINE_PRESET_LIMIT, but path has no vehicle: take one of \
                     raceline_path_from_json, whose file has its limits",
                ));
            }
            (3, _) => FollowerOptions::paper(),
            (preset, _) => return Err(value_fault(format!("preset is {preset}, but must be 0, 1, 2 or 3"))),
        };
        for option in many(given.options, given.option_count, MAX_OPTIONS, "options")? {
            set_option(&mut options, option)?;
        }
        Follower::new(options, vehicle).map_err(value_fault)
    }
}

/// See the header.
///
/// # Safety
/// `options` is null or refers to options, `follower` to memory for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_follower_new(
    options: *const RacelineFollowerOptions,
    follower: *mut *mut Follower,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        put(follower, std::ptr::null_mut(), "follower")?;
        let made = made(&read_or_default(options, "options")?)?;
        put(follower, Box::into_raw(Box::new(made)), "follower")
    })
}

/// See the header. A function of its own, so that a program that does not call it links no planner.
///
/// # Safety
/// `follower` is a follower or null, `path` is a path or null, `options` is null or refers to its struct.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_follower_set_planner(
    follower: *mut Follower,
    path: *const Path,
    options: *const RacelinePlannerOptions,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        let follower = exclusive(follower, "follower")?;
        let dynamics = if path.is_null() { None } else { shared(path, "path")?.dynamics() };
        let usual = dynamics.map_or_else(LocalPlannerOptions::default, |dynamics| {
            LocalPlannerOptions::for_vehicle(dynamics, follower.vehicle())
        });
        follower.set_planner(Some(planner_of(&read_or_default(options, "options")?, usual)?));
        Ok(())
    })
}

/// See the header.
///
/// # Safety
/// `follower` is a follower or null, `path` is a path or null, `state` refers to a state, `scene` is
/// null or refers to a scene, `command` refers to a command.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_follower_step(
    follower: *mut Follower,
    path: *const Path,
    state: *const RacelineState,
    scene: *const RacelineScene,
    dt_s: f64,
    command: *mut RacelineCommand,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        read(command, "command")?;
        let (state, path) = (read(state, "state")?.into(), shared(path, "path")?);
        let follower = exclusive(follower, "follower")?;
        with_scene(scene, |scene| {
            let step = follower.step(path, &state, scene, dt_s);
            write(command, &RacelineCommand::of(&step, follower), "command")
        })
    })
}

/// See the header.
///
/// # Safety
/// `follower` is a follower or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_follower_reset(follower: *mut Follower) -> RacelineStatus {
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
pub unsafe extern "C" fn raceline_follower_free(follower: *mut Follower) {
    // SAFETY: the caller's promise.
    unsafe { free(follower) };
}
