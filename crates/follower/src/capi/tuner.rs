//! Tuning by scores of the game's own simulator: trials out, scores in.

use raceline_tune::{TuneError, Tuner};

use super::calls::{Fault, Outcome, RacelineStatus, checked, exclusive, free, guarded, many, put, put_text, shared};
use super::limits::LONGEST_JSON;

/// What a tuner refuses.
fn refused(error: &TuneError) -> Fault {
    Fault(RacelineStatus::Value, error.to_string())
}

/// Checks that `values` has room for one value per parameter, and for no other number.
fn check_room(tuner: &Tuner, values: *mut f64, count: usize) -> Outcome {
    let declared = tuner.parameters().len();
    if count != declared {
        let message = format!("there is room for {count} values, but there are {declared} parameters");
        return Err(Fault(RacelineStatus::Value, message));
    }
    checked(values, "values")
}

/// See the header.
///
/// # Safety
/// `bytes` refers to `count` bytes, `tuner` to memory for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_tuner_from_json(
    bytes: *const u8,
    count: usize,
    tuner: *mut *mut Tuner,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        put(tuner, std::ptr::null_mut(), "tuner")?;
        let bytes = many(bytes, count, LONGEST_JSON, "bytes")?;
        let fault = |message: String| Fault(RacelineStatus::Json, message);
        let text = std::str::from_utf8(bytes).map_err(|e| fault(format!("the bytes are not UTF-8: {e}")))?;
        let loaded = Tuner::load(text).map_err(|e| fault(e.to_string()))?;
        put(tuner, Box::into_raw(Box::new(loaded)), "tuner")
    })
}

/// See the header.
///
/// # Safety
/// `tuner` is a tuner or null, `trial` refers to a number, `values` to memory for `count` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_tuner_ask(
    tuner: *mut Tuner,
    trial: *mut u64,
    values: *mut f64,
    count: usize,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        let tuner = exclusive(tuner, "tuner")?;
        checked(trial, "trial")?;
        // Before the trial is out, so that none is lost to a wrong count.
        check_room(tuner, values, count)?;
        let asked = tuner.ask().map_err(|error| refused(&error))?;
        values.copy_from_nonoverlapping(asked.values.as_ptr(), count);
        put(trial, asked.id, "trial")
    })
}

/// See the header.
///
/// # Safety
/// `tuner` is a tuner or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_tuner_tell(tuner: *mut Tuner, trial: u64, score: f64) -> RacelineStatus {
    // SAFETY: the caller's promise.
    guarded(|| unsafe { exclusive(tuner, "tuner")?.tell(trial, score).map_err(|error| refused(&error)) })
}

/// See the header.
///
/// # Safety
/// `tuner` is a tuner or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_tuner_tell_failed(tuner: *mut Tuner, trial: u64) -> RacelineStatus {
    // SAFETY: the caller's promise.
    guarded(|| unsafe { exclusive(tuner, "tuner")?.tell_failed(trial).map_err(|error| refused(&error)) })
}

/// See the header.
///
/// # Safety
/// `tuner` is a tuner or null, `values` refers to memory for `count` numbers, `score` and `deviation` to
/// numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_tuner_best(
    tuner: *const Tuner,
    values: *mut f64,
    count: usize,
    score: *mut f64,
    deviation: *mut f64,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        let tuner = shared(tuner, "tuner")?;
        checked(score, "score")?;
        checked(deviation, "deviation")?;
        let sheet = tuner.sheet().map_err(|error| refused(&error))?;
        let best = sheet.standings.first().ok_or_else(|| refused(&TuneError::NoScore))?;
        check_room(tuner, values, count)?;
        values.copy_from_nonoverlapping(best.values.as_ptr(), count);
        let [expected, of_expected] = best.estimate.unwrap_or([best.score, f64::NAN]);
        put(score, expected, "score")?;
        put(deviation, of_expected, "deviation")
    })
}

/// See the header.
///
/// # Safety
/// `tuner` is a tuner or null, `bytes` refers to memory for `capacity` bytes, `count` to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_tuner_save(
    tuner: *const Tuner,
    bytes: *mut u8,
    capacity: usize,
    count: *mut usize,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe { put_text(&shared(tuner, "tuner")?.save(), bytes, capacity, count) })
}

/// See the header.
///
/// # Safety
/// As of [`raceline_tuner_save`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_tuner_report(
    tuner: *const Tuner,
    bytes: *mut u8,
    capacity: usize,
    count: *mut usize,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        let sheet = shared(tuner, "tuner")?.sheet().map_err(|error| refused(&error))?;
        put_text(&sheet.to_string(), bytes, capacity, count)
    })
}

/// See the header.
///
/// # Safety
/// `tuner` is a tuner or null, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_tuner_free(tuner: *mut Tuner) {
    // SAFETY: the caller's promise.
    unsafe { free(tuner) };
}
