//! A neural driver.

use std::ptr::null;
use std::sync::Arc;

use super::calls::{Fault, RacelineStatus, exclusive, free, guarded, many, put, shared};
use super::follower::value_fault;
use super::limits::LONGEST_JSON;
use super::scene::{RacelineScene, with_scene};
use super::sized::{read, read_or_default, sized, write};
use super::types::{RacelineCommand, RacelineState, RacelineVehicle};
use crate::follower::PathFollower;
use crate::json;
use crate::neural::{Network, NeuralDriver, NeuralDriverOptions};
use crate::path::Path;

sized! {
    /// Everything that a neural driver is made of.
    RacelineNeuralDriverOptions {
        /// Always 0.
        reserved: u32 = 0,
        /// The network, which the driver keeps alive.
        network: *const Arc<Network> = null(),
        /// Null for the default.
        vehicle: *const RacelineVehicle = null(),
        /// 0.05 to 2.
        profile_scale: f64 = NeuralDriverOptions::default().profile_scale,
    }
}

/// See the header.
///
/// # Safety
/// `bytes` refers to `count` bytes, `network` to memory for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_network_from_json(
    bytes: *const u8,
    count: usize,
    network: *mut *mut Arc<Network>,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        put(network, std::ptr::null_mut(), "network")?;
        let bytes = many(bytes, count, LONGEST_JSON, "bytes")?;
        let read = json::read_network(bytes).map_err(|e| Fault(RacelineStatus::Json, e.to_string()))?;
        put(network, Box::into_raw(Box::new(Arc::new(read))), "network")
    })
}

/// See the header.
///
/// # Safety
/// `network` is a network or null, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_network_free(network: *mut Arc<Network>) {
    // SAFETY: the caller's promise.
    unsafe { free(network) };
}

/// See the header.
///
/// # Safety
/// `options` refers to options, `driver` to memory for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_neural_driver_new(
    options: *const RacelineNeuralDriverOptions,
    driver: *mut *mut NeuralDriver,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        put(driver, std::ptr::null_mut(), "driver")?;
        let given = read(options, "options")?;
        let network = Arc::clone(shared(given.network, "network")?);
        let vehicle = read_or_default(given.vehicle, "vehicle")?.geometry()?;
        let options = NeuralDriverOptions { profile_scale: given.profile_scale, ..NeuralDriverOptions::default() };
        let made = NeuralDriver::new(network, options, vehicle).map_err(value_fault)?;
        put(driver, Box::into_raw(Box::new(made)), "driver")
    })
}

/// See the header.
///
/// # Safety
/// `driver` is a neural driver or null, `path` is a path or null, `state` refers to a state, `scene` is
/// null or refers to a scene, `command` refers to a command.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_neural_driver_step(
    driver: *mut NeuralDriver,
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
        let driver = exclusive(driver, "driver")?;
        with_scene(scene, |scene| {
            let step = driver.step(path, &state, scene, dt_s);
            write(command, &RacelineCommand::from(&step), "command")
        })
    })
}

/// See the header.
///
/// # Safety
/// `driver` is a neural driver or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_neural_driver_reset(driver: *mut NeuralDriver) -> RacelineStatus {
    guarded(|| {
        // SAFETY: the caller's promise.
        unsafe { exclusive(driver, "driver")? }.reset();
        Ok(())
    })
}

/// See the header.
///
/// # Safety
/// `driver` is a neural driver or null, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_neural_driver_free(driver: *mut NeuralDriver) {
    // SAFETY: the caller's promise.
    unsafe { free(driver) };
}
