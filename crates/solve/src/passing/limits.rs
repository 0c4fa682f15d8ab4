//! Up to how many choices all combinations are searched.

/// Number of obstacles in the corridor up to which all combinations of their sides are searched.
/// The sides of more are decided one after the other.
pub const MAX_SEARCHED_OBSTACLES: usize = 12;
/// Number of pick-ups up to which all their subsets are searched. More are decided one after the
/// other.
pub const MAX_SEARCHED_PICK_UPS: usize = 20;
