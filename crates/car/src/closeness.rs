//! A check that the tests of closed forms have in common.

/// Fails where a value differs from its closed form by more than rounding.
pub fn assert_close(value: f64, expected: f64) {
    assert!((value - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{value} is not {expected}");
}
