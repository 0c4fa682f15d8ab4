//! The decision about all obstacles and pick-ups, by one of the two searches.

use super::objects::{Obstacle, PickUp};
use super::task::{Decisions, PassingTask};
use super::{PickUpSearch, lap_search, weighted_search};
use crate::SolveError;
use crate::barrier::Barrier;

/// Decides about all obstacles and pick-ups. Returns the barriers that follow.
///
/// # Errors
/// [`SolveError::Passing`] for what cannot be passed; those of the searches for lines.
pub fn decide(
    task: PassingTask,
    obstacles: &[Obstacle],
    pick_ups: &[PickUp],
) -> Result<(Vec<Barrier>, Decisions), SolveError> {
    match task.pick_up_search {
        PickUpSearch::HeavyPoints if !pick_ups.is_empty() => weighted_search::decide(task, obstacles, pick_ups),
        _ => lap_search::decide(task, obstacles, pick_ups),
    }
}
