//! The cross-sections of each level, from coarse to fine.

use crate::Corridor;

/// Minimum number of points on the coarsest level.
const MIN_POINTS: usize = 16;
/// Largest distance between the points of a level, in mean widths of the road: farther apart they
/// pass by corners.
const LONGEST_WIDTHS: f64 = 6.0;

/// The step of each level and its sections: those that the step divides, and the last of an open road.
/// Each level contains the one before; the last is all.
pub(super) fn levels(corridor: &Corridor) -> Vec<(usize, Vec<usize>)> {
    let n = corridor.len();
    let length: f64 = corridor.step_lengths(&corridor.points(&corridor.middle())).iter().sum();
    let spacing = (length / n.max(1) as f64).max(f64::MIN_POSITIVE);
    let longest = LONGEST_WIDTHS * corridor.mean_width() / spacing;
    let mut step = 1;
    while n / (2 * step) >= MIN_POINTS && (2 * step) as f64 <= longest {
        step *= 2;
    }
    let mut levels = Vec::new();
    loop {
        let mut places: Vec<usize> = (0..n).step_by(step).collect();
        if !corridor.closed && places.last() != n.checked_sub(1).as_ref() {
            places.push(n - 1);
        }
        levels.push((step, places));
        if step == 1 {
            return levels;
        }
        step /= 2;
    }
}
