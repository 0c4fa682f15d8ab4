//! Decisions: behaviour trees and state machines, stepped once a frame.

use std::ffi::{CStr, c_char};
use std::ptr::null_mut;
use std::sync::Arc;

use raceline_tactics::{Runner, Status, Tactics};

use super::calls::{Fault, RacelineStatus, checked, exclusive, free, guarded, many, put, put_text, shared};
use super::limits::LONGEST_JSON;

/// Number of characters of an unknown name that a message shows.
const SHOWN: usize = 80;

/// See the header.
///
/// # Safety
/// `bytes` refers to `count` bytes, `tactics` to memory for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_tactics_from_toml(
    bytes: *const u8,
    count: usize,
    tactics: *mut *mut Arc<Tactics>,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        put(tactics, null_mut(), "tactics")?;
        let bytes = many(bytes, count, LONGEST_JSON, "bytes")?;
        let fault = |message: String| Fault(RacelineStatus::Json, message);
        let text = std::str::from_utf8(bytes).map_err(|e| fault(format!("the bytes are not UTF-8: {e}")))?;
        let built = Tactics::from_toml(text).map_err(|e| fault(e.to_string()))?;
        put(tactics, Box::into_raw(Box::new(Arc::new(built))), "tactics")
    })
}

/// See the header.
///
/// # Safety
/// `tactics` are decisions or null, and are not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_tactics_free(tactics: *mut Arc<Tactics>) {
    // SAFETY: the caller's promise.
    unsafe { free(tactics) };
}

/// Writes to `number` what `find` finds by a name.
///
/// # Safety
/// As of [`raceline_tactics_input`].
unsafe fn found(
    tactics: *const Arc<Tactics>,
    name: *const c_char,
    number: *mut u32,
    what: &str,
    find: impl Fn(&Tactics, &str) -> Option<u32>,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        checked(number, "number")?;
        let tactics = shared(tactics, "tactics")?;
        checked(name, "name")?;
        let name = CStr::from_ptr(name).to_string_lossy();
        let unknown = || {
            let shown: String = name.chars().take(SHOWN).collect();
            Fault(RacelineStatus::Value, format!("there is no {what} {shown}"))
        };
        put(number, find(tactics, &name).ok_or_else(unknown)?, "number")
    })
}

/// See the header.
///
/// # Safety
/// `tactics` are decisions or null, `name` is null or a text that ends with 0, `number` refers to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_tactics_input(
    tactics: *const Arc<Tactics>,
    name: *const c_char,
    number: *mut u32,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    unsafe { found(tactics, name, number, "input", |tactics, name| tactics.input(name).map(|place| place as u32)) }
}

/// See the header.
///
/// # Safety
/// As of [`raceline_tactics_input`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_tactics_output(
    tactics: *const Arc<Tactics>,
    name: *const c_char,
    number: *mut u32,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    unsafe { found(tactics, name, number, "output", |tactics, name| tactics.output(name).map(|place| place as u32)) }
}

/// See the header.
///
/// # Safety
/// As of [`raceline_tactics_input`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_tactics_state(
    tactics: *const Arc<Tactics>,
    name: *const c_char,
    number: *mut u32,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    unsafe { found(tactics, name, number, "state", |tactics, name| tactics.state(name).map(|state| state.number())) }
}

/// See the header.
///
/// # Safety
/// `tactics` are decisions or null, `runner` refers to memory for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_runner_new(tactics: *const Arc<Tactics>, runner: *mut *mut Runner) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        put(runner, null_mut(), "runner")?;
        let tactics = Arc::clone(shared(tactics, "tactics")?);
        put(runner, Box::into_raw(Box::new(Runner::new(tactics))), "runner")
    })
}

/// See the header.
///
/// # Safety
/// `runner` is a runner or null, `inputs` refers to `input_count` numbers, `outputs` to memory for
/// `output_count` numbers, `result` to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_runner_step(
    runner: *mut Runner,
    inputs: *const f64,
    input_count: usize,
    step_s: f64,
    outputs: *mut f64,
    output_count: usize,
    result: *mut i32,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        let runner = exclusive(runner, "runner")?;
        checked(result, "result")?;
        let declared = runner.outputs().len();
        if output_count != declared {
            let message = format!("there is room for {output_count} outputs, but {declared} are declared");
            return Err(Fault(RacelineStatus::Value, message));
        }
        if declared > 0 {
            checked(outputs, "outputs")?;
        }
        let inputs = many(inputs, input_count, runner.tactics().inputs().len(), "inputs")?;
        let status = runner.step(inputs, step_s).map_err(|e| Fault(RacelineStatus::Value, e.to_string()))?;
        for (i, value) in runner.outputs().iter().enumerate() {
            put(outputs.add(i), *value, "outputs")?;
        }
        let number = match status {
            Status::Running => 0,
            Status::Success => 1,
            Status::Failure => 2,
        };
        put(result, number, "result")
    })
}

/// See the header.
///
/// # Safety
/// `runner` is a runner or null, `is_active` refers to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_runner_is_active(
    runner: *const Runner,
    state: u32,
    is_active: *mut i32,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        checked(is_active, "is_active")?;
        let runner = shared(runner, "runner")?;
        let unknown = || Fault(RacelineStatus::Value, format!("there is no state of the number {state}"));
        let id = runner.tactics().state_of(state).ok_or_else(unknown)?;
        put(is_active, i32::from(runner.is_active(id)), "is_active")
    })
}

/// See the header.
///
/// # Safety
/// `runner` is a runner or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_runner_set_tracing(runner: *mut Runner, is_on: i32) -> RacelineStatus {
    // SAFETY: the caller's promise.
    guarded(|| unsafe {
        exclusive(runner, "runner")?.set_tracing(is_on != 0);
        Ok(())
    })
}

/// See the header.
///
/// # Safety
/// `runner` is a runner or null, `bytes` refers to memory for `capacity` bytes, `count` to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_runner_trace(
    runner: *const Runner,
    bytes: *mut u8,
    capacity: usize,
    count: *mut usize,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        let runner = shared(runner, "runner")?;
        let lines = runner.trace().iter().map(|event| runner.tactics().describe(event) + "\n");
        put_text(&lines.collect::<String>(), bytes, capacity, count)
    })
}

/// See the header.
///
/// # Safety
/// `runner` is a runner or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_runner_reset(runner: *mut Runner) -> RacelineStatus {
    // SAFETY: the caller's promise.
    guarded(|| unsafe {
        exclusive(runner, "runner")?.reset();
        Ok(())
    })
}

/// See the header.
///
/// # Safety
/// `runner` is a runner or null, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_runner_free(runner: *mut Runner) {
    // SAFETY: the caller's promise.
    unsafe { free(runner) };
}
