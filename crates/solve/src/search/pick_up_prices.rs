//! What pick-ups take of a lap of the method that was asked for.
//!
//! The pick-ups are chosen by laps of the time-optimal line of a point mass. Other methods lose
//! more on a detour, or less, so that each is searched again with one choice changed.

use raceline_file::Method;

use super::line::Line;
use crate::passing::{Obstacle, PickUp};
use crate::{LineOptions, SolveError};

/// Replaces the prices of the pick-ups in the line's decisions by those of its own method. `lap_s`
/// is the lap of that method with these obstacles and pick-ups, all of them decided.
///
/// # Errors
/// Those of `lap_s`; a road that is too narrow and a line that is not sound are an infinite lap.
pub(super) fn measure(
    line: &mut Line,
    options: &LineOptions,
    lap_s: impl Fn(&[Obstacle], &[PickUp]) -> Result<f64, SolveError>,
) -> Result<(), SolveError> {
    let Some(decisions) = line.decisions.as_mut().filter(|_| options.method != Method::TimeOptimal) else {
        return Ok(());
    };
    let mut obstacles = options.obstacle.clone();
    for (obstacle, side) in obstacles.iter_mut().zip(&decisions.sides) {
        if let Some(side) = side {
            obstacle.set_side(*side);
        }
    }
    let lap_with_s = |taken: &[bool]| {
        let decided = options.pick_up.iter().zip(taken).map(|(pick_up, &take)| PickUp { take: Some(take), ..*pick_up });
        match lap_s(&obstacles, &decided.collect::<Vec<_>>()) {
            Err(SolveError::RoadTooNarrow { .. } | SolveError::NoSoundLine { .. }) => Ok(f64::INFINITY),
            other => other,
        }
    };
    let taken: Vec<bool> = decisions.pick_ups.iter().map(|pick_up| pick_up.is_taken).collect();
    for (index, pick_up) in decisions.pick_ups.iter_mut().enumerate() {
        // One that no line can take keeps its infinite price, one without a price has none.
        if pick_up.detour_s.is_some_and(f64::is_finite) {
            let mut other = taken.clone();
            other[index] = !other[index];
            let change_s = lap_with_s(&other)? - line.lap_time_s;
            pick_up.detour_s = Some(if taken[index] { -change_s } else { change_s });
        }
    }
    if decisions.detour_of_all_s.is_some() {
        decisions.detour_of_all_s = Some(line.lap_time_s - lap_with_s(&vec![false; taken.len()])?);
    }
    Ok(())
}
