//! The decimals that suit the size of a line's track.

use crate::RacingLine;
use crate::units::Decimals;

/// The decimals in which the numbers of `line` are shown: by its length, and by the mean distance
/// between the edges beside it.
#[must_use]
pub fn decimals_of(line: &RacingLine) -> Decimals {
    let widths = line.points.iter().map(|point| point.left_m + point.right_m);
    Decimals::of(line.length_m, widths.sum::<f64>() / line.points.len().max(1) as f64)
}
