//! What every call of the C interface does: it checks its arguments and reports its failure.

use std::cell::RefCell;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

/// The result of a call.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RacelineStatus {
    /// Done.
    Ok = 0,
    /// A pointer is null or misaligned.
    Pointer = 1,
    /// A number, an option or a text is not valid.
    Value = 2,
    /// The waypoints do not form a path.
    Path = 3,
    /// The bytes are not a file of the expected format.
    Json = 4,
    /// A defect of this library; the effect of the call is undefined.
    Internal = 5,
    /// The line is not sound.
    Unsound = 6,
}

thread_local! {
    pub(super) static LAST_ERROR: RefCell<CString> = RefCell::new(CString::default());
}

/// The reason that a call failed.
pub(super) struct Fault(pub(super) RacelineStatus, pub(super) String);

/// What the body of a call returns.
pub(super) type Outcome = Result<(), Fault>;

/// Runs the body of a call: its failure becomes the thread's last error, a panic becomes
/// [`RacelineStatus::Internal`].
pub(super) fn guarded(body: impl FnOnce() -> Outcome) -> RacelineStatus {
    let outcome = catch_unwind(AssertUnwindSafe(body));
    let Fault(status, message) = match outcome {
        Ok(Ok(())) => return RacelineStatus::Ok,
        Ok(Err(fault)) => fault,
        Err(_) => Fault(RacelineStatus::Internal, "a defect in raceline_follower: please report it".to_owned()),
    };
    let text = CString::new(message.replace('\0', " ")).unwrap_or_default();
    // A thread that ends has no message any more, and no panic may leave the call.
    let _ = LAST_ERROR.try_with(|last| {
        if let Ok(mut last) = last.try_borrow_mut() {
            *last = text;
        }
    });
    status
}

pub(super) fn checked<T>(pointer: *const T, name: &str) -> Outcome {
    if pointer.is_null() {
        Err(Fault(RacelineStatus::Pointer, format!("{name} is null")))
    } else if !pointer.is_aligned() {
        Err(Fault(RacelineStatus::Pointer, format!("{name} isn't aligned to {} bytes", align_of::<T>())))
    } else {
        Ok(())
    }
}

/// The value at `pointer`.
///
/// # Safety
/// A pointer that is neither null nor misaligned must refer to a valid `T` that is not written
/// while the reference lives.
pub(super) unsafe fn shared<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Fault> {
    checked(pointer, name)?;
    // SAFETY: neither null nor misaligned, and the rest is this function's own condition.
    Ok(unsafe { &*pointer })
}

/// The mutable value at `pointer`.
///
/// # Safety
/// A pointer that is neither null nor misaligned must refer to a valid `T` that is not used
/// elsewhere while the reference lives.
pub(super) unsafe fn exclusive<'a, T>(pointer: *mut T, name: &str) -> Result<&'a mut T, Fault> {
    checked(pointer, name)?;
    // SAFETY: neither null nor misaligned, and the rest is this function's own condition.
    Ok(unsafe { &mut *pointer })
}

/// Writes through `pointer` without reading the old value, which may be uninitialised.
///
/// # Safety
/// A pointer that is neither null nor misaligned must refer to writable memory for a `T`.
pub(super) unsafe fn put<T>(pointer: *mut T, value: T, name: &str) -> Outcome {
    checked(pointer, name)?;
    // SAFETY: neither null nor misaligned, and the rest is this function's own condition.
    unsafe { pointer.write(value) };
    Ok(())
}

/// Writes a value where the caller asks for it: null is allowed.
///
/// # Safety
/// As for [`put`].
pub(super) unsafe fn put_optional<T>(pointer: *mut T, value: T, name: &str) -> Outcome {
    // SAFETY: the function's own condition.
    if pointer.is_null() { Ok(()) } else { unsafe { put(pointer, value, name) } }
}

/// Writes values, if there is room for all of them, and their number.
///
/// # Safety
/// `pointer` refers to writable memory for `capacity` values, `count` to that for a number.
pub(super) unsafe fn put_many<T: Copy>(
    values: &[T],
    pointer: *mut T,
    capacity: usize,
    count: *mut usize,
    name: &str,
) -> Outcome {
    // SAFETY: the function's own condition.
    unsafe {
        put(count, values.len(), "count")?;
        if values.len() <= capacity && !values.is_empty() {
            checked(pointer, name)?;
            pointer.copy_from_nonoverlapping(values.as_ptr(), values.len());
        }
    }
    Ok(())
}

/// Writes a text, if there is room for it, and its number of bytes.
///
/// # Safety
/// `bytes` refers to writable memory for `capacity` bytes, `count` to that for a number.
pub(super) unsafe fn put_text(text: &str, bytes: *mut u8, capacity: usize, count: *mut usize) -> Outcome {
    // SAFETY: the function's own condition.
    unsafe { put_many(text.as_bytes(), bytes, capacity, count, "bytes") }
}

/// Drops the value of a handle; null has no effect.
///
/// # Safety
/// A pointer that is neither null nor misaligned must come from [`Box::into_raw`] and not be used
/// again.
pub(super) unsafe fn free<T>(pointer: *mut T) {
    let _ = guarded(|| {
        if checked(pointer, "handle").is_ok() {
            // SAFETY: the function's own condition.
            drop(unsafe { Box::from_raw(pointer) });
        }
        Ok(())
    });
}

/// `count` values from `pointer` on; none for a count of 0, with any pointer.
///
/// # Safety
/// A pointer that is neither null nor misaligned must refer to `count` valid values that are not
/// written while the slice lives.
pub(super) unsafe fn many<'a, T>(
    pointer: *const T,
    count: usize,
    max_count: usize,
    name: &str,
) -> Result<&'a [T], Fault> {
    if count == 0 {
        return Ok(&[]);
    }
    checked(pointer, name)?;
    if count > max_count {
        return Err(Fault(RacelineStatus::Value, format!("{name} has {count} entries, more than {max_count}")));
    }
    // SAFETY: neither null nor misaligned, `max_count` keeps the size below isize::MAX, and the rest is
    // this function's own condition.
    Ok(unsafe { slice::from_raw_parts(pointer, count) })
}
