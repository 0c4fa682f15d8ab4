//! The decision about all obstacles and pick-ups, by one of the two searches.

use super::objects::{Obstacle, PickUp};
use super::task::{Decisions, PassingTask};
use super::{PickUpSearch, is_too_much, lap_search, weighted_search};
use crate::SolveError;
use crate::barrier::Barrier;

/// Decides about all obstacles and pick-ups. Returns the barriers that follow.
///
/// Where the laps would take too much work, pick-ups are decided by [`PickUpSearch::HeavyPoints`]
/// and obstacles are passed where the road is wider; see [`Decisions::is_simplified`].
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
