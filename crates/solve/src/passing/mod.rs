//! Obstacles and pick-ups: on which side the line passes what stands on the road, and which detours are
//! worth their time.
//!
//! Both become barriers, which count as parts of an edge
//! ([`with_barriers`](super::EdgeDistance::with_barriers)): an obstacle
//! that the line passes on its left is a part of the right edge; a pick-up that it takes is a gate, a
//! wall from either edge that ends the margin and the pick-up's radius before it. So every method
//! passes them as it passes the edges, with the same margin.
//!
//! Which sides and which pick-ups is decided by the laps of the time-optimal line, started from the
//! line of least curvature between the barriers, with [`branch_and_bound`]. It minimises the lap time
//! less what the pick-ups on the line are worth. Each lap is a local optimum, so the answer is the best
//! combination of such laps.
//!
//! That takes at least a lap for each pick-up. [`PickUpSearch::HeavyPoints`] is for hundreds of them: they
//! pull at a chain of springs and hinges, in milliseconds.

mod branch_and_bound;
mod heavy_points;
mod places;
mod sites;

pub use super::choices::PickUpSearch;
pub use branch_and_bound::{Best, Choice, Failure, Limits, Made, Relaxed, branch_and_bound};
pub use sites::{CircleObstacle, Obstacle, PickUp, PolygonObstacle};

use super::barrier::{Barrier, Outline, PassingSide};
use super::min_curvature::min_curvature;
use super::time_optimal::{Task, time_optimal};
use super::{Corridor, LocalRoad, PassingError, SolveError, SolveOptions};
use crate::speed::{DrivenLine, Lap};
use raceline_road::geometry::{Point, Polyline};

/// Most obstacles in the way whose sides are searched; of more they are decided one after the other.
pub const MOST_OBSTACLES: usize = 12;
/// Most pick-ups that are searched, likewise.
pub const MOST_PICK_UPS: usize = 20;
/// Most laps of a search.
const MOST_LAPS: usize = 500;
/// Combinations that are better by less than this fraction of the lap are not searched.
const GAP_SHARE: f64 = 1e-4;
/// Choices nearer than this along the road may make one another cheaper, in mean widths of the road.
const LINK_WIDTHS: f64 = 10.0;
/// An obstacle is passed by a line that lacks at most this fraction of the margin.
const PASSED_SHARE: f64 = 0.01;
/// A lap that lacks more than this fraction of the margin is none.
const MOST_MISSING_SHARE: f64 = 0.1;

/// What a search for the sides and the pick-ups needs.
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
    /// Whether the road is a route through a map, which leaves pick-ups beside it; elsewhere they are an error.
    pub is_route: bool,
    /// The options of the search for lines.
    pub options: &'a SolveOptions,
}

impl PickedUp {
    /// One that the line cannot take.
    fn beside(pick_up: &PickUp) -> Self {
        Self { is_taken: false, detour_s: Some(f64::INFINITY), worth_s: pick_up.worth_s }
    }
}

impl PassingTask<'_> {
    /// The place of a pick-up; `None` beside a route.
    fn place_in_reach(&self, free: &Corridor, index: usize, pick_up: &PickUp) -> Result<Option<Point>, PassingError> {
        let place = pick_up.place(index + 1, self.road.origin)?;
        if places::is_in_reach(free, place, pick_up.radius_m) {
            return Ok(Some(place));
        }
        if self.is_route && pick_up.take != Some(true) {
            return Ok(None);
        }
        Err(out_of_reach(index, place, pick_up.radius_m, self.margin_m))
    }

    /// The time-optimal lap between barriers; `None` where they leave no way.
    fn lap_between(&self, barriers: &[Barrier]) -> Result<Option<DrivenLine>, SolveError> {
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
        // What a line lacks to the edges themselves is judged with the line that is found in the end.
        let all = driven.points.iter().map(|point| point.position).chain(driven.between());
        let is_lap = places::missing_m(all, barriers, margin_m) <= MOST_MISSING_SHARE * margin_m;
        Ok(is_lap.then_some(driven))
    }
}

/// A pick-up, taken or left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PickedUp {
    /// Whether the line takes it.
    pub is_taken: bool,
    /// What taking it adds to the lap, s: the difference of the laps with it and without it, the other
    /// choices as they are. 0 where the line passes it anyway; `None` where it isn't measured, with
    /// [`PickUpSearch::HeavyPoints`].
    pub detour_s: Option<f64>,
    /// What it is worth, s.
    pub worth_s: f64,
}

/// How the obstacles are passed, and which pick-ups are taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Decisions {
    /// The side of each obstacle on which the line passes it; `None` for one that is not in the way.
    pub sides: Vec<Option<PassingSide>>,
    /// The pick-ups.
    pub pick_ups: Vec<PickedUp>,
    /// What all that are taken add to the lap together, s; `None` with [`PickUpSearch::Exact`], which tells
    /// what each adds.
    pub detour_of_all_s: Option<f64>,
    /// Laps searched.
    pub laps: usize,
    /// Whether no other combination of such laps is better. Otherwise there were too many choices, or
    /// the search ended at its limit of laps.
    pub is_proven: bool,
}

/// What may stand or lie on the road.
enum Site {
    /// The index in the options and the shape.
    Obstacle(usize, Outline),
    /// The index in the options, the place and the gate.
    PickUp(usize, Point, f64, Vec<Barrier>),
}

impl Site {
    fn place(&self) -> Point {
        match self {
            Self::Obstacle(_, outline) => outline.centre(),
            Self::PickUp(_, place, ..) => *place,
        }
    }
}

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
        PickUpSearch::HeavyPoints if !pick_ups.is_empty() => heavy_points::decide(task, obstacles, pick_ups),
        _ => decide_by_laps(task, obstacles, pick_ups),
    }
}

fn decide_by_laps(
    task: PassingTask,
    obstacles: &[Obstacle],
    pick_ups: &[PickUp],
) -> Result<(Vec<Barrier>, Decisions), SolveError> {
    let PassingTask { road, margin_m, .. } = task;
    let free = Corridor::new(&road.track, &road.edges, margin_m)?;
    let mut sites = Vec::new();
    for (index, obstacle) in obstacles.iter().enumerate() {
        let outline = obstacle.outline(index + 1, road.origin)?;
        if places::is_in_the_way(&free, &outline, margin_m) {
            sites.push(Site::Obstacle(index, outline));
        }
    }
    let in_the_way = sites.len();
    for (index, pick_up) in pick_ups.iter().enumerate() {
        if let Some(place) = task.place_in_reach(&free, index, pick_up)? {
            let radius_m = pick_up.radius_m;
            sites.push(Site::PickUp(index, place, radius_m, places::gate(&free, place, radius_m, margin_m)));
        }
    }
    let search = Search { task, sites: &sites };
    let choices = search.choices(&free, pick_ups);
    let made: Made = sites
        .iter()
        .map(|site| match site {
            Site::Obstacle(index, _) => obstacles[*index].side().map(|side| side == PassingSide::Left),
            Site::PickUp(index, ..) => pick_ups[*index].take,
        })
        .collect();
    let scale_s = search.lap(&vec![None; sites.len()])?.map_or(0.0, |found| found.time_s);
    let limits = Limits {
        laps: MOST_LAPS,
        gap_s: GAP_SHARE * scale_s,
        greedy: in_the_way > MOST_OBSTACLES || pick_ups.len() > MOST_PICK_UPS,
    };
    let best = branch_and_bound(&choices, made.clone(), limits, |made| search.lap(made))
        .map_err(|failure| search.error(failure, &free, &made))?;
    let chosen: Vec<bool> = (0..sites.len())
        .map(|i| match (&sites[i], best.made[i]) {
            (_, Some(made)) => made,
            (Site::Obstacle(_, outline), None) => {
                places::side_of(&best.relaxed.lap, free.closed, outline.centre()) == PassingSide::Left
            }
            (Site::PickUp(..), None) => best.relaxed.satisfied[i],
        })
        .collect();
    let mut sides = vec![None; obstacles.len()];
    let mut picked: Vec<PickedUp> = pick_ups.iter().map(PickedUp::beside).collect();
    let mut laps = best.laps;
    for (i, site) in sites.iter().enumerate() {
        match site {
            Site::Obstacle(index, _) => sides[*index] = Some(side(chosen[i])),
            Site::PickUp(index, place, radius_m, _) => {
                let is_free = chosen[i] && best.made[i].is_none();
                let detour_s = if is_free { 0.0 } else { search.detour_s(&best, i, &mut laps)? };
                if chosen[i] && !detour_s.is_finite() {
                    return Err(out_of_reach(*index, *place, *radius_m, margin_m).into());
                }
                picked[*index] = PickedUp { is_taken: chosen[i], detour_s: Some(detour_s), ..picked[*index] };
            }
        }
    }
    let barriers = search.barriers(&chosen.iter().map(|&choice| Some(choice)).collect());
    Ok((barriers, Decisions { sides, pick_ups: picked, detour_of_all_s: None, laps, is_proven: best.is_proven }))
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

fn out_of_reach(index: usize, place: Point, radius_m: f64, margin_m: f64) -> PassingError {
    PassingError::OutOfReach { number: index + 1, x_m: place.x, y_m: place.y, radius_m, margin_m }
}

fn side(is_first: bool) -> PassingSide {
    if is_first { PassingSide::Left } else { PassingSide::Right }
}

struct Search<'a> {
    task: PassingTask<'a>,
    sites: &'a [Site],
}

impl Search<'_> {
    fn choices(&self, free: &Corridor, pick_ups: &[PickUp]) -> Vec<Choice> {
        let middle = Polyline { points: free.points(&vec![0.5; free.len()]), closed: free.closed };
        let lengths = middle.arc_lengths();
        let whole = lengths.last().copied().unwrap_or_default();
        let along: Vec<(f64, f64)> = self
            .sites
            .iter()
            .map(|site| {
                let reach = match site {
                    Site::Obstacle(_, outline) => outline.reach_m(),
                    Site::PickUp(_, _, radius_m, _) => *radius_m,
                };
                (lengths[places::nearest_section(free, site.place())], reach)
            })
            .collect();
        let longest = LINK_WIDTHS * free.mean_width();
        let is_near = |i: usize, j: usize| {
            let apart = (along[i].0 - along[j].0).abs();
            let apart = if free.closed { apart.min(whole - apart) } else { apart };
            apart - along[i].1 - along[j].1 < longest
        };
        let count = self.sites.len();
        let choice = |i: usize| {
            let (worth_s, may_be_left) = match &self.sites[i] {
                Site::Obstacle(..) => (0.0, false),
                Site::PickUp(index, ..) => (pick_ups[*index].worth_s, true),
            };
            Choice { worth_s, may_be_left, linked: (0..count).filter(|&j| j != i && is_near(i, j)).collect() }
        };
        (0..count).map(choice).collect()
    }

    /// The barriers of the choices that are made.
    fn barriers(&self, made: &Made) -> Vec<Barrier> {
        let mut barriers = Vec::new();
        for (site, choice) in self.sites.iter().zip(made) {
            match (site, choice) {
                (Site::Obstacle(_, outline), Some(first)) => {
                    barriers.push(Barrier::new(outline.clone(), side(*first)));
                }
                (Site::PickUp(_, _, _, gate), Some(true)) => barriers.extend(gate.iter().cloned()),
                _ => {}
            }
        }
        barriers
    }

    /// The time-optimal lap between the barriers of the choices that are made.
    fn lap(&self, made: &Made) -> Result<Option<Relaxed<Vec<Point>>>, SolveError> {
        let margin_m = self.task.margin_m;
        let Some(driven) = self.task.lap_between(&self.barriers(made))? else { return Ok(None) };
        let line: Vec<Point> = driven.points.iter().map(|point| point.position).collect();
        let closed = self.task.road.track.closed;
        let all = || line.iter().copied().chain(driven.between());
        let satisfied = self
            .sites
            .iter()
            .map(|site| match site {
                Site::Obstacle(_, outline) => {
                    let nearest = all().map(|p| outline.distance(p)).fold(f64::INFINITY, f64::min);
                    nearest >= (1.0 - PASSED_SHARE) * margin_m
                }
                Site::PickUp(_, place, radius_m, _) => places::distance_m(&line, closed, *place) <= *radius_m,
            })
            .collect();
        Ok(Some(Relaxed { time_s: driven.lap_time_s(), satisfied, lap: line }))
    }

    /// What pick-up `i` adds to the lap; infinite where it cannot be taken.
    fn detour_s(&self, best: &Best<Vec<Point>>, i: usize, laps: &mut usize) -> Result<f64, SolveError> {
        let is_taken = best.made[i] == Some(true);
        let mut other = best.made.clone();
        other[i] = Some(!is_taken);
        *laps += 1;
        let Some(found) = self.lap(&other)? else { return Ok(f64::INFINITY) };
        let sign = if is_taken { 1.0 } else { -1.0 };
        Ok(sign * (best.relaxed.time_s - found.time_s))
    }

    fn error(&self, failure: Failure<SolveError>, free: &Corridor, made: &Made) -> SolveError {
        let margin_m = self.task.margin_m;
        let blocked = |i: usize| match &self.sites[i] {
            Site::Obstacle(index, outline) => {
                let centre = outline.centre();
                let (left_m, right_m) = places::rooms_m(free, outline);
                PassingError::Blocked {
                    number: index + 1,
                    x_m: centre.x,
                    y_m: centre.y,
                    left_m,
                    right_m,
                    needed_m: 2.0 * margin_m,
                    side: made[i].map(|first| side(first).name()),
                }
            }
            Site::PickUp(index, place, radius_m, _) => out_of_reach(*index, *place, *radius_m, margin_m),
        };
        match failure {
            Failure::Lap(error) => error,
            Failure::Impossible(i) => blocked(i).into(),
            Failure::NoneTogether => {
                // Of those that the options decide, one alone may be the cause.
                for i in (0..self.sites.len()).filter(|&i| made[i].is_some()) {
                    let mut alone: Made = vec![None; made.len()];
                    alone[i] = made[i];
                    if matches!(self.lap(&alone), Ok(None)) {
                        return blocked(i).into();
                    }
                }
                let number = |site: &Site| match site {
                    Site::Obstacle(index, _) => Some((index + 1).to_string()),
                    Site::PickUp(..) => None,
                };
                let numbers: Vec<String> = self.sites.iter().filter_map(number).collect();
                PassingError::BlockedTogether { numbers: numbers.join(", ") }.into()
            }
        }
    }
}
