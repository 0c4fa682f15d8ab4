//! Physical constants.

/// Standard gravity, m/s², as defined by the 3rd General Conference on Weights and Measures in
/// 1901.
pub const STANDARD_GRAVITY: f64 = 9.80665;
