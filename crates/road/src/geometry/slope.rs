//! A height over the plane with its derivatives.

use super::Vector;

/// A surface over the plane, at a place of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slope {
    /// Height, m.
    pub height_m: f64,
    /// Gradient of the height.
    pub gradient: Vector,
    /// Second derivatives of the height, 1/m: those of x twice, x and y, y twice.
    pub bending: [f64; 3],
}
