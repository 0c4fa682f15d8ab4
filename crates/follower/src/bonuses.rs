//! Pick-ups near the path.

/// At most so many pick-ups are looked at in a step.
pub const MAX_BONUSES: usize = 64;

/// A pick-up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bonus {
    /// Where it lies, metres.
    pub position_m: [f64; 3],
    /// It is taken by passing its position this near, metres, 0 or more.
    pub radius_m: f64,
}
