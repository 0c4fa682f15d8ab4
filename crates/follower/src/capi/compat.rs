//! The interface before version 1, as much of it as programs that cannot be changed use: a follower
//! that drives along the line of a file. `include/raceline_follower_rlf.h` declares it. Nothing is added
//! to it.

use std::ffi::c_char;

use super::calls::{RacelineStatus, checked, exclusive, free, guarded, put, shared};
use super::follower::{set_option, value_fault};
use super::path::read_line;
use super::types::{RacelineCommand, RacelineOption};
use crate::follower::Follower;
use crate::options::FollowerOptions;
use crate::path::Path;
use crate::scene::Scene;
use crate::vehicle::{VehicleGeometry, VehicleKind, VehicleState};

/// What [`rlf_abi_version`] returns.
pub const RLF_ABI_VERSION: u32 = 1;

/// [`VehicleState`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RlfVehicleState {
    /// Metres.
    pub position_m: [f64; 3],
    /// Radians.
    pub heading_rad: f64,
    /// m/s.
    pub speed_mps: f64,
    /// m/s, NaN if unknown.
    pub velocity_mps: [f64; 3],
    /// rad/s, NaN if unknown.
    pub yaw_rate_radps: f64,
}

/// [`VehicleGeometry`] of a vehicle on wheels.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RlfVehicleGeometry {
    /// Metres.
    pub wheelbase_m: f64,
    /// Radians.
    pub max_steering_rad: f64,
    /// Metres.
    pub length_m: f64,
    /// Metres.
    pub width_m: f64,
    /// Metres.
    pub rear_axle_m: f64,
    /// In units of g.
    pub grip_g: f64,
    /// rad/s.
    pub max_yaw_rate_radps: f64,
}

/// The contents of a racing-line file besides the line.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RlfLineInfo {
    /// Lap time by the file's speed profile, seconds.
    pub lap_time_s: f64,
    /// The file's vehicle; the default one if `has_vehicle` is 0.
    pub vehicle: RlfVehicleGeometry,
    /// 1 or 0.
    pub has_vehicle: u8,
    /// Always 0.
    pub reserved: [u8; 7],
}

/// [`RacelineCommand`] without its later fields.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RlfCommand {
    /// -1 to 1.
    pub pedal: f64,
    /// Radians.
    pub steering_rad: f64,
    /// m/s.
    pub target_speed_mps: f64,
    /// Metres.
    pub target_point_m: [f64; 3],
    /// Metres.
    pub nearest_point_m: [f64; 3],
    /// Metres.
    pub s_m: f64,
    /// Metres.
    pub cross_track_error_m: f64,
    /// Metres.
    pub place_position_m: [f64; 3],
    /// Radians.
    pub place_heading_rad: f64,
    /// As in [`RacelineCommand`].
    pub state: i32,
    /// As in [`RacelineCommand`].
    pub event_from: i32,
    /// As in [`RacelineCommand`].
    pub event_cause: i32,
    /// As in [`RacelineCommand`].
    pub event_attempt: u32,
    /// 1 or 0.
    pub reverse: u8,
    /// 1 or 0.
    pub boost: u8,
    /// 1 or 0.
    pub arrived: u8,
    /// 1 or 0.
    pub inside_corridor: u8,
    /// 1 or 0.
    pub place_back: u8,
    /// Always 0.
    pub reserved: [u8; 3],
}

impl From<RacelineCommand> for RlfCommand {
    fn from(command: RacelineCommand) -> Self {
        Self {
            pedal: command.pedal,
            steering_rad: command.steering_rad,
            target_speed_mps: command.target_speed_mps,
            target_point_m: command.target_point_m,
            nearest_point_m: command.nearest_point_m,
            s_m: command.s_m,
            cross_track_error_m: command.cross_track_error_m,
            place_position_m: command.place_position_m,
            place_heading_rad: command.place_heading_rad,
            state: command.state,
            event_from: command.event_from,
            event_cause: command.event_cause,
            event_attempt: command.event_attempt,
            reverse: command.reverse,
            boost: command.boost,
            arrived: command.arrived,
            inside_corridor: command.inside_corridor,
            place_back: command.place_back,
            reserved: [0; 3],
        }
    }
}

/// 1: see the header of this part.
#[unsafe(no_mangle)]
pub extern "C" fn rlf_abi_version() -> u32 {
    RLF_ABI_VERSION
}

/// [`raceline_last_error`](super::raceline_last_error).
#[unsafe(no_mangle)]
pub extern "C" fn rlf_last_error() -> *const c_char {
    super::raceline_last_error()
}

/// [`raceline_path_from_json`](super::raceline_path_from_json).
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
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        put(path, std::ptr::null_mut(), "path")?;
        let line = read_line(bytes, count)?;
        if !info.is_null() {
            let VehicleGeometry {
                kind: _,
                wheelbase_m,
                max_steering_rad,
                length_m,
                width_m,
                rear_axle_m,
                grip_g,
                max_yaw_rate_radps,
            } = line.vehicle;
            let vehicle = RlfVehicleGeometry {
                wheelbase_m,
                max_steering_rad,
                length_m,
                width_m,
                rear_axle_m,
                grip_g,
                max_yaw_rate_radps,
            };
            let has_vehicle = 1;
            put(info, RlfLineInfo { lap_time_s: line.lap_time_s, vehicle, has_vehicle, reserved: [0; 7] }, "info")?;
        }
        put(path, Box::into_raw(Box::new(line.path)), "path")
    })
}

/// [`raceline_path_free`](super::raceline_path_free).
///
/// # Safety
/// `path` is a path or null, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_path_free(path: *mut Path) {
    // SAFETY: the caller's promise.
    unsafe { free(path) };
}

/// Options of the preset of a game, or with `racing` of that for racing.
///
/// # Safety
/// `options` refers to memory for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_options_new(racing: i32, options: *mut *mut FollowerOptions) -> RacelineStatus {
    guarded(|| {
        checked(options, "options")?;
        let values = if racing == 0 { FollowerOptions::default() } else { FollowerOptions::for_racing() };
        // SAFETY: the caller's promise.
        unsafe { put(options, Box::into_raw(Box::new(values)), "options") }
    })
}

/// Sets one option by its name.
///
/// # Safety
/// `options` are options or null, `key` is a zero-terminated text or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_options_set(
    options: *mut FollowerOptions,
    key: *const c_char,
    value: f64,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe { set_option(exclusive(options, "options")?, &RacelineOption { key, value }) })
}

/// Frees options.
///
/// # Safety
/// `options` are options or null, and are not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_options_free(options: *mut FollowerOptions) {
    // SAFETY: the caller's promise.
    unsafe { free(options) };
}

/// A follower for a vehicle on wheels.
///
/// # Safety
/// `options` are options or null, `vehicle` is a vehicle or null, `follower` refers to memory for a
/// pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_follower_new(
    options: *const FollowerOptions,
    vehicle: *const RlfVehicleGeometry,
    follower: *mut *mut Follower,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        put(follower, std::ptr::null_mut(), "follower")?;
        let options = *shared(options, "options")?;
        let RlfVehicleGeometry {
            wheelbase_m,
            max_steering_rad,
            length_m,
            width_m,
            rear_axle_m,
            grip_g,
            max_yaw_rate_radps,
        } = *shared(vehicle, "vehicle")?;
        let vehicle = VehicleGeometry {
            kind: VehicleKind::Wheels,
            wheelbase_m,
            max_steering_rad,
            length_m,
            width_m,
            rear_axle_m,
            grip_g,
            max_yaw_rate_radps,
        };
        let made = Follower::new(options, vehicle).map_err(value_fault)?;
        put(follower, Box::into_raw(Box::new(made)), "follower")
    })
}

/// A step with an empty scene.
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
) -> RacelineStatus {
    guarded(|| {
        checked(command, "command")?;
        // SAFETY: the caller's promises.
        unsafe {
            let RlfVehicleState { position_m, heading_rad, speed_mps, velocity_mps, yaw_rate_radps } =
                *shared(state, "state")?;
            let state = VehicleState { position_m, heading_rad, speed_mps, velocity_mps, yaw_rate_radps };
            let step = exclusive(follower, "follower")?.step(shared(path, "path")?, &state, &Scene::EMPTY, dt_s);
            put(command, RacelineCommand::from(&step).into(), "command")
        }
    })
}

/// [`raceline_follower_free`](super::raceline_follower_free).
///
/// # Safety
/// `follower` is a follower or null, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_follower_free(follower: *mut Follower) {
    // SAFETY: the caller's promise.
    unsafe { free(follower) };
}
