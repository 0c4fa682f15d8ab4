//! Obstacles and pick-ups: on which side the line passes what stands on the road, and which detours are
//! worth their time.
//!
//! Both become barriers, which count as parts of an edge
//! ([`with_barriers`](super::EdgeDistance::with_barriers)): an obstacle
//! that the line passes on its left is a part of the right edge; a pick-up that it takes is a gate, a
//! wall from either edge that ends the margin and the pick-up's radius before it. So every method
//! passes them as it passes the edges, with the same margin.
//!
//! Two searches decide, [`PickUpSearch`]:
//!
//! - `lap_search` compares laps of the time-optimal line, started from the line of minimum curvature
//!   between the barriers, with [`branch_and_bound`]. It minimises the lap time less what the pick-ups on
//!   the line are worth. Each lap is a local optimum, so the answer is the best combination of such laps.
//!   It needs at least one lap for each pick-up.
//! - `weighted_search` is for hundreds of pick-ups: they pull at a chain of springs and hinges, which takes
//!   milliseconds.

mod branch_and_bound;
mod lap_search;
mod objects;
mod places;
mod site;
mod task;
mod weighted_search;

pub use super::choices::PickUpSearch;
pub use branch_and_bound::{Best, Choice, Failure, Limits, Made, Relaxed, branch_and_bound};
pub use objects::{CircleObstacle, Obstacle, PickUp, PolygonObstacle};
pub use site::decided_barriers;
pub use task::{Decisions, PassingTask, PickedUp};

use super::SolveError;
use super::barrier::Barrier;

/// Number of obstacles in the corridor up to which all combinations of their sides are searched. The sides
/// of more are decided one after the other.
pub const MAX_SEARCHED_OBSTACLES: usize = 12;
/// Number of pick-ups up to which all their subsets are searched. More are decided one after the other.
pub const MAX_SEARCHED_PICK_UPS: usize = 20;

/// Maximum number of cross-sections in the laps of a search together: a lap takes about 0.07 ms for each.
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
fn allowed_laps(sections: usize) -> usize {
    (MAX_LAP_SECTIONS / sections.max(1)).clamp(MIN_LAPS, MAX_LAPS)
}

/// Whether the laps for these choices are too many on a road with this many cross-sections.
fn is_too_much(sections: usize, obstacles: usize, pick_ups: usize) -> bool {
    let laps = obstacles.saturating_mul(LAPS_OF_OBSTACLE).saturating_add(pick_ups.saturating_mul(LAPS_OF_PICK_UP));
    laps > allowed_laps(sections)
}

/// Decides about all obstacles and pick-ups. Returns the barriers that follow.
///
/// Where the laps would take too much work, pick-ups are decided by [`PickUpSearch::HeavyPoints`] and
/// obstacles are passed where the road is wider; see [`Decisions::is_simplified`].
///
/// # Errors
/// [`SolveError::Passing`] for what cannot be passed; those of the searches for lines.
pub fn decide(
    task: PassingTask,
    obstacles: &[Obstacle],
    pick_ups: &[PickUp],
) -> Result<(Vec<Barrier>, Decisions), SolveError> {
    let sections = task.road.track.sections.len();
    let too_many = !pick_ups.is_empty() && is_too_much(sections, obstacles.len(), pick_ups.len());
    match task.pick_up_search {
        PickUpSearch::HeavyPoints if !pick_ups.is_empty() => weighted_search::decide(task, obstacles, pick_ups),
        _ if too_many => {
            let (barriers, decisions) = weighted_search::decide(task, obstacles, pick_ups)?;
            Ok((barriers, Decisions { is_simplified: true, ..decisions }))
        }
        _ => lap_search::decide(task, obstacles, pick_ups),
    }
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
