//! Sizes of what a caller passes.

/// Largest accepted file, bytes.
pub(super) const LONGEST_JSON: usize = 1 << 30;
