//! Physical constants.

/// Standard gravity, m/s²: the value that the 3rd General Conference on Weights and Measures fixed
/// in 1901.
pub const STANDARD_GRAVITY: f64 = 9.80665;
