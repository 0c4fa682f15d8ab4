//! Comparisons of floating-point numbers in tests.

/// Whether the value is equal to the expected one to within 1e-9 of it, or 1e-9.
pub(crate) fn is_close(value: f64, expected: f64) -> bool {
    (value - expected).abs() < 1e-9 * (1.0 + expected.abs())
}

#[track_caller]
pub(crate) fn assert_close(value: f64, expected: f64) {
    assert!(is_close(value, expected), "{value} and {expected}");
}
