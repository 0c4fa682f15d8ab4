//! The judge of racing-line files.

use raceline_verify::{Against, VerifyError, prove, read};

use super::calls::{Fault, RacelineStatus, guarded, many};
use super::limits::LONGEST_JSON;

/// See the header.
///
/// # Safety
/// `bytes` refers to `count` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_verify(bytes: *const u8, count: usize) -> RacelineStatus {
    guarded(|| {
        // SAFETY: the caller's promise.
        let bytes = unsafe { many(bytes, count, LONGEST_JSON, "bytes")? };
        let line = read(bytes).map_err(|error| Fault(RacelineStatus::Json, error.to_string()))?;
        prove(&line, &Against::of(&line)).map_err(|error| {
            let status = match error {
                VerifyError::Line(_) => RacelineStatus::Json,
                VerifyError::Vehicle(_) => RacelineStatus::Value,
                _ => RacelineStatus::Unsound,
            };
            Fault(status, error.to_string())
        })
    })
}
