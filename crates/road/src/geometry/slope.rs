//! A height over the plane with its derivatives.

use super::Vector;

/// A surface over the plane, at a place of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slope {
    /// Height, m.
    pub height_m: f64,
    /// Its gradient.
    pub gradient: Vector,
    /// Its second derivatives, 1/m: those of x twice, x and y, y twice.
    pub bending: [f64; 3],
}
