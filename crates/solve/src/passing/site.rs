//! Sites: obstacles and pick-ups of the options that concern a line on this road, with their
//! shapes.

use super::places;
use super::{Obstacle, PassingTask, PickUp};
use crate::barrier::{Barrier, Outline, PassingSide};
use crate::{Corridor, LocalRoad, PassingError, SolveError};
use raceline_road::geometry::Point;

/// An obstacle that some line within the corridor would touch.
pub(super) struct ObstacleSite {
    /// Index in the options.
    pub index: usize,
    /// Shape about the origin of the road.
    pub outline: Outline,
    /// The side that the options specify.
    pub side: Option<PassingSide>,
}

/// A pick-up that some line within the corridor reaches.
pub(super) struct PickUpSite {
    /// Index in the options.
    pub index: usize,
    /// The pick-up as it is specified.
    pub pick_up: PickUp,
    /// Place about the origin of the road.
    pub place: Point,
    /// Walls that leave a gap around the place, see [`places::gate`].
    pub gate: Vec<Barrier>,
}

impl PickUpSite {
    /// The error for a pick-up through whose gate no line leads.
    pub fn out_of_reach(&self, margin_m: f64) -> PassingError {
        out_of_reach(self.index, self.place, self.pick_up.radius_m, margin_m)
    }
}

fn out_of_reach(index: usize, place: Point, radius_m: f64, margin_m: f64) -> PassingError {
    PassingError::OutOfReach { number: index + 1, x_m: place.x, y_m: place.y, radius_m, margin_m }
}

/// The obstacles that reach into the corridor.
///
/// # Errors
/// [`PassingError`] for a shape that is none.
pub(super) fn obstacles_in_corridor(
    task: PassingTask,
    free: &Corridor,
    obstacles: &[Obstacle],
) -> Result<Vec<ObstacleSite>, PassingError> {
    let mut sites = Vec::new();
    for (index, obstacle) in obstacles.iter().enumerate() {
        let outline = obstacle.outline(index + 1, task.road.origin)?;
        if places::is_in_corridor(free, &outline, task.margin_m) {
            sites.push(ObstacleSite { index, outline, side: obstacle.side() });
        }
    }
    Ok(sites)
}

/// The pick-ups that a line can take. A route through a map leaves those beside it; elsewhere they
/// are an error, as are those that the options take and no line reaches.
///
/// # Errors
/// [`PassingError`] for a pick-up out of reach, and for numbers out of their range.
pub(super) fn pick_ups_in_reach(
    task: PassingTask,
    free: &Corridor,
    pick_ups: &[PickUp],
) -> Result<Vec<PickUpSite>, PassingError> {
    let PassingTask { road, margin_m, is_route, .. } = task;
    let mut sites = Vec::new();
    for (index, pick_up) in pick_ups.iter().enumerate() {
        let place = pick_up.place(index + 1, road.origin)?;
        if places::is_in_reach(free, place, pick_up.radius_m) {
            let gate = places::gate(free, place, pick_up.radius_m, margin_m);
            sites.push(PickUpSite { index, pick_up: *pick_up, place, gate });
        } else if !is_route || pick_up.take == Some(true) {
            return Err(out_of_reach(index, place, pick_up.radius_m, margin_m));
        }
    }
    Ok(sites)
}

/// The barriers of obstacles and pick-ups that are all decided, on a road with these edges.
///
/// # Errors
/// [`PassingError`] for shapes that are none.
pub fn decided_barriers(
    road: &LocalRoad,
    margin_m: f64,
    obstacles: &[Obstacle],
    pick_ups: &[PickUp],
) -> Result<Vec<Barrier>, SolveError> {
    let mut barriers = Vec::new();
    for (index, obstacle) in obstacles.iter().enumerate() {
        let outline = obstacle.outline(index + 1, road.origin)?;
        barriers.extend(obstacle.side().map(|side| Barrier::new(outline, side)));
    }
    let taken = pick_ups.iter().enumerate().filter(|(_, pick_up)| pick_up.take == Some(true));
    let mut free = None;
    for (index, pick_up) in taken {
        let place = pick_up.place(index + 1, road.origin)?;
        if free.is_none() {
            free = Some(Corridor::new(&road.track, &road.edges, margin_m)?);
        }
        if let Some(free) = &free {
            barriers.extend(places::gate(free, place, pick_up.radius_m, margin_m));
        }
    }
    Ok(barriers)
}
