//! A height over the plane with its derivatives.

use super::Vector;

/// A surface over the plane, at a place of it.
///
/// ```
/// use raceline_road::geometry::{Slope, Vector};
///
/// // A road that rises by 5 % to the east.
/// let slope = Slope { height_m: 12.0, gradient: Vector::new(0.05, 0.0), bending: [0.0; 3] };
/// assert_eq!(slope.gradient.dot(&Vector::new(0.0, 1.0)), 0.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slope {
    /// Height, m.
    pub height_m: f64,
    /// Gradient of the height.
    pub gradient: Vector,
    /// Second derivatives of the height, 1/m: those of x twice, x and y, y twice.
    pub bending: [f64; 3],
}
