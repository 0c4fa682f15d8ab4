//! The reserve of the tyres that a lap leaves to the driver.

/// Fractions of the tyres' limits that a lap leaves to the driver.
///
/// A lap on paper ends where the tyres do; no driver can correct anything there, and brakes that
/// lock on a wave of the road stop neither the car nor its turning.
///
/// ```
/// use raceline_solve::car::Reserve;
///
/// let careful = Reserve { rear: 0.1, ..Reserve::default() };
/// assert_eq!((careful.longitudinal, careful.rear), (0.05, 0.1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reserve {
    /// Of each axle's longitudinal limit, 0 to 0.5. Default: 0.05.
    pub longitudinal: f64,
    /// Of the rear axle's lateral limit, 0 to 0.5: an axle at its limit that loads it further by
    /// turning in is not stable. Default: 0.
    pub rear: f64,
}

impl Reserve {
    /// All of the limits.
    pub const NONE: Self = Self { longitudinal: 0.0, rear: 0.0 };
}

impl Default for Reserve {
    fn default() -> Self {
        Self { longitudinal: 0.05, rear: 0.0 }
    }
}
