//! The input of decisions about obstacles and pick-ups, and the decisions.

use super::{Obstacle, PickUp, PickUpSearch, places};
use crate::barrier::{Barrier, PassingSide};
use crate::min_curvature::min_curvature;
use crate::soundness::MAX_MISSING_FRACTION;
use crate::speed::{DrivenLine, Lap};
use crate::time_optimal::{Task, time_optimal};
use crate::{Corridor, LocalRoad, NoGo, SolveError, SolveOptions};

/// Input of a search for the sides and the pick-ups.
///
/// ```
/// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// use raceline_car::preset;
/// use raceline_road::frame::Spot;
/// use raceline_solve::passing::{CircleObstacle, Obstacle, PassingTask, PickUpSearch, decide};
/// use raceline_solve::{LocalRoad, PassingSide, SolveOptions};
///
/// // On a ring driven counter-clockwise, the shorter path leads past the left of an obstacle.
/// let (vehicle, road, options) = (preset("kart")?, LocalRoad::new(&track), SolveOptions::default());
/// let obstacle = Obstacle::Circle(CircleObstacle { at: Spot::Metres([60.0, 0.0]), radius_m: 0.5, side: None });
/// let task = PassingTask {
///     road: &road,
///     margin_m: vehicle.margin_m(),
///     lap: (&vehicle).into(),
///     pick_up_search: PickUpSearch::Exact,
///     is_route: false,
///     options: &options,
/// };
/// let (barriers, decisions) = decide(task, &[obstacle], &[])?;
/// assert_eq!(decisions.sides, [Some(PassingSide::Left)]);
/// assert_eq!(barriers.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct PassingTask<'a> {
    /// The road.
    pub road: &'a LocalRoad,
    /// Margin to edges and obstacles, m.
    pub margin_m: f64,
    /// The vehicle with the speeds at the ends, the grip and the heights.
    pub lap: Lap<'a>,
    /// How the pick-ups are decided.
    pub pick_up_search: PickUpSearch,
    /// Whether the road is a route through a map, which leaves pick-ups beside it; elsewhere they
    /// are an error.
    pub is_route: bool,
    /// The options of the search for lines.
    pub options: &'a SolveOptions,
}

/// A pick-up, taken or left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PickedUp {
    /// Whether the line takes it.
    pub is_taken: bool,
    /// Time that taking it adds to the lap of the options' method, s: the difference of the laps
    /// with it and without it, the other choices as they are. 0 where the line passes it anyway;
    /// infinite where no line can take it; `None` where it isn't measured, with
    /// [`PickUpSearch::HeavyPoints`].
    pub detour_s: Option<f64>,
    /// Worth of the pick-up, s.
    pub worth_s: f64,
}

impl PickedUp {
    /// A pick-up that the line cannot take.
    pub(super) fn beside(pick_up: &PickUp) -> Self {
        Self { is_taken: false, detour_s: Some(f64::INFINITY), worth_s: pick_up.worth_s }
    }
}

/// How the obstacles are passed, and which pick-ups are taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Decisions {
    /// The side of each obstacle on which the line passes it; `None` for one that does not reach
    /// into the corridor.
    pub sides: Vec<Option<PassingSide>>,
    /// The side of each polygon of `no_go` on which the line passes it, where laps decided it.
    pub no_go_sides: Vec<Option<PassingSide>>,
    /// The pick-ups.
    pub pick_ups: Vec<PickedUp>,
    /// Time that all pick-ups that are taken add to the lap together, s; `None` with
    /// [`PickUpSearch::Exact`], which measures each of them.
    pub detour_of_all_s: Option<f64>,
    /// Laps searched.
    pub laps: usize,
    /// Whether no other combination of such laps is better. Otherwise there were too many choices,
    /// or the search ended at its limit of laps.
    pub is_proven: bool,
    /// Whether the choices were decided more simply than the options specify, because their laps
    /// would take too much work on this road.
    pub is_simplified: bool,
}

impl Decisions {
    /// Writes what was decided into the options of the obstacles, pick-ups and regions that it was
    /// decided for.
    pub fn write_to(&self, obstacles: &mut [Obstacle], pick_ups: &mut [PickUp], no_go: &mut [NoGo]) {
        for (region, side) in no_go.iter_mut().zip(&self.no_go_sides) {
            if let Some(side) = side {
                region.set_side(*side);
            }
        }
        for (obstacle, side) in obstacles.iter_mut().zip(&self.sides) {
            if let Some(side) = side {
                obstacle.set_side(*side);
            }
        }
        for (pick_up, decision) in pick_ups.iter_mut().zip(&self.pick_ups) {
            pick_up.take = Some(decision.is_taken);
        }
    }
}

impl PassingTask<'_> {
    /// The time-optimal lap between barriers; `None` where they leave no room for one.
    pub(super) fn lap_between(&self, barriers: &[Barrier]) -> Result<Option<DrivenLine>, SolveError> {
        let Self { road, margin_m, lap, options, .. } = *self;
        let edges = road.edges.with_barriers(barriers.to_vec());
        let mut corridor = match Corridor::new(&road.track, &edges, margin_m) {
            Ok(corridor) => corridor,
            Err(SolveError::RoadTooNarrow { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        corridor.pin_ends(options);
        let start = min_curvature(&corridor, options, &corridor.middle())?;
        let task = Task { corridor: &corridor, edges: &edges, margin_m, spacing_m: road.track.spacing_m, lap };
        let found = time_optimal(task, &start.alpha)?;
        let driven = DrivenLine::through(&found.points, corridor.closed, lap)?;
        // What a line lacks to the edges themselves is judged with the line that is found in the
        // end.
        let all = driven.points.iter().map(|point| point.position).chain(driven.between());
        let is_lap = places::missing_m(all, barriers, margin_m) <= MAX_MISSING_FRACTION * margin_m;
        Ok(is_lap.then_some(driven))
    }
}

#[cfg(test)]
mod tests {
    use super::{Decisions, Obstacle, PassingSide, PickUp, PickedUp};
    use crate::passing::CircleObstacle;
    use crate::{NoGo, PolygonNoGo};
    use raceline_road::frame::Spot;

    #[test]
    fn what_was_decided_is_written_to_the_object_that_it_is_about() {
        let at = Spot::Metres([0.0, 0.0]);
        let obstacle = |side| Obstacle::Circle(CircleObstacle { at, radius_m: 1.0, side });
        let pick_up = |take| PickUp { at, radius_m: 1.0, worth_s: 1.0, take };
        let picked_up = |is_taken| PickedUp { is_taken, detour_s: None, worth_s: 1.0 };
        let decisions = Decisions {
            sides: vec![None, Some(PassingSide::Left), Some(PassingSide::Right)],
            no_go_sides: vec![None, Some(PassingSide::Right)],
            pick_ups: vec![picked_up(true), picked_up(false)],
            detour_of_all_s: None,
            laps: 1,
            is_proven: true,
            is_simplified: false,
        };
        let (mut obstacles, mut pick_ups) = ([None; 3].map(obstacle), [None; 2].map(pick_up));
        let polygon = || NoGo::Polygon(PolygonNoGo { polygon: vec![at; 3], side: None });
        let mut no_go = [polygon(), polygon()];
        decisions.write_to(&mut obstacles, &mut pick_ups, &mut no_go);
        assert_eq!(no_go.map(|one| one.may_be_searched()), [true, false]);
        assert_eq!(obstacles, [None, Some(PassingSide::Left), Some(PassingSide::Right)].map(obstacle));
        assert_eq!(pick_ups, [Some(true), Some(false)].map(pick_up));
    }
}
