//! Up to how many choices all combinations are searched, and how many laps a search may have.

/// Number of obstacles in the corridor up to which all combinations of their sides are searched.
/// The sides of more are decided one after the other.
pub const MAX_SEARCHED_OBSTACLES: usize = 12;
/// Number of pick-ups up to which all their subsets are searched. More are decided one after the
/// other.
pub const MAX_SEARCHED_PICK_UPS: usize = 20;

/// Maximum number of cross-sections in the laps of a search together: a lap takes about 0.07 ms for
/// each.
pub const MAX_LAP_SECTIONS: usize = 110_000;
/// Laps that a search may have on a road of any length.
const MIN_LAPS: usize = 8;
/// Maximum number of laps of a search.
const MAX_LAPS: usize = 500;
/// Laps for each obstacle that is decided: one on either side.
const LAPS_OF_OBSTACLE: usize = 2;
/// Laps for each pick-up that is decided: with it, without it, and to measure its detour.
const LAPS_OF_PICK_UP: usize = 3;

/// Number of laps that a search may have on a road with this many cross-sections.
pub(crate) fn allowed_laps(sections: usize) -> usize {
    (MAX_LAP_SECTIONS / sections.max(1)).clamp(MIN_LAPS, MAX_LAPS)
}

/// Whether the laps for these choices are too many on a road with this many cross-sections.
pub(crate) fn is_too_much(sections: usize, obstacles: usize, pick_ups: usize) -> bool {
    let laps = obstacles.saturating_mul(LAPS_OF_OBSTACLE).saturating_add(pick_ups.saturating_mul(LAPS_OF_PICK_UP));
    laps > allowed_laps(sections)
}

#[cfg(test)]
mod tests {
    use super::{MAX_LAP_SECTIONS, allowed_laps, is_too_much};

    #[test]
    fn the_laps_of_a_search_are_fewer_on_a_longer_road() {
        assert_eq!([allowed_laps(0), allowed_laps(100), allowed_laps(1000)], [500, 500, 110]);
        // Spa-Francorchamps.
        assert_eq!(allowed_laps(4307), 25);
        assert!(!is_too_much(4307, 12, 0) && is_too_much(4307, 13, 0));
        assert!(!is_too_much(4307, 0, 8) && is_too_much(4307, 0, 9) && is_too_much(0, 0, usize::MAX));
        assert_eq!(allowed_laps(usize::MAX), 8);
        for sections in [220, 1000, 9000] {
            assert!(allowed_laps(sections) * sections <= MAX_LAP_SECTIONS);
        }
    }
}
