//! The message of the last call that failed.

use std::ffi::{CStr, c_char};

use super::calls::LAST_ERROR;

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn raceline_last_error() -> *const c_char {
    static NOTHING: &CStr = c"";
    let message = LAST_ERROR.try_with(|last| last.try_borrow().map_or(NOTHING.as_ptr(), |last| last.as_ptr()));
    message.unwrap_or(NOTHING.as_ptr())
}
