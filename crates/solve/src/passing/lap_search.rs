//! Sides of obstacles and subsets of pick-ups, decided by laps: every combination that is compared
//! is driven by a time-optimal lap between its barriers, and [`branch_and_bound`] chooses the
//! combinations.

use super::branch_and_bound::{Best, Choice, Failure, Limits, Made, Relaxed, branch_and_bound};
use super::places;
use super::site::{ObstacleSite, PickUpSite, obstacles_in_corridor, pick_ups_in_reach};
use super::{Decisions, MAX_SEARCHED_OBSTACLES, MAX_SEARCHED_PICK_UPS, Obstacle, PassingTask, PickUp, PickedUp};
use super::{allowed_laps, is_too_much};
use crate::barrier::{Barrier, PassingSide};
use crate::{Corridor, PassingError, SolveError};
use raceline_road::geometry::{Point, Polyline};

/// Combinations that are better by less than this fraction of the lap are not searched.
const GAP_FRACTION: f64 = 1e-4;
/// Choices nearer than this along the road may make one another cheaper, in mean widths of the
/// road.
const LINK_WIDTHS: f64 = 10.0;
/// An obstacle is passed by a line that lacks at most this fraction of the margin.
const PASSED_FRACTION: f64 = 0.01;

/// A place that needs a choice.
enum Site {
    Obstacle(ObstacleSite),
    PickUp(PickUpSite),
}

impl Site {
    fn place(&self) -> Point {
        match self {
            Self::Obstacle(site) => site.outline.centre(),
            Self::PickUp(site) => site.place,
        }
    }

    /// Radius of a disc about the place that covers the site, m.
    fn reach_m(&self) -> f64 {
        match self {
            Self::Obstacle(site) => site.outline.reach_m(),
            Self::PickUp(site) => site.pick_up.radius_m,
        }
    }

    /// The choice that the options make.
    fn specified(&self) -> Option<bool> {
        match self {
            Self::Obstacle(site) => site.side.map(|side| side == PassingSide::Left),
            Self::PickUp(site) => site.pick_up.take,
        }
    }
}

/// Decides about all obstacles and pick-ups. Returns the barriers that follow.
///
/// # Errors
/// [`SolveError::Passing`] for what cannot be passed; those of the searches for lines.
pub(super) fn decide(
    task: PassingTask,
    obstacles: &[Obstacle],
    pick_ups: &[PickUp],
) -> Result<(Vec<Barrier>, Decisions), SolveError> {
    let PassingTask { road, margin_m, .. } = task;
    let free = Corridor::new(&road.track, &road.edges, margin_m)?;
    let mut in_corridor = obstacles_in_corridor(task, &free, obstacles)?;
    let sections = road.track.sections.len();
    let is_simplified = is_too_much(sections, in_corridor.len(), 0);
    if is_simplified {
        for site in &mut in_corridor {
            let (left_m, right_m) = places::rooms_m(&free, &site.outline);
            site.side = site.side.or(Some(side(left_m >= right_m)));
        }
    }
    let greedy = in_corridor.len() > MAX_SEARCHED_OBSTACLES || pick_ups.len() > MAX_SEARCHED_PICK_UPS;
    let in_reach = pick_ups_in_reach(task, &free, pick_ups)?;
    let sites: Vec<Site> =
        in_corridor.into_iter().map(Site::Obstacle).chain(in_reach.into_iter().map(Site::PickUp)).collect();
    let search = LapSearch { task, sites: &sites };
    let choices = search.choices(&free);
    let made: Made = sites.iter().map(Site::specified).collect();
    let scale_s = search.lap(&vec![None; sites.len()])?.map_or(0.0, |found| found.time_s);
    let limits = Limits { laps: allowed_laps(sections), gap_s: GAP_FRACTION * scale_s, greedy };
    let best = branch_and_bound(&choices, made.clone(), limits, |made| search.lap(made))
        .map_err(|failure| search.error(failure, &free, &made))?;
    let chosen: Vec<bool> = (0..sites.len())
        .map(|i| match (&sites[i], best.made[i]) {
            (_, Some(made)) => made,
            (Site::Obstacle(site), None) => {
                places::side_of(&best.relaxed.lap, free.closed, site.outline.centre()) == PassingSide::Left
            }
            (Site::PickUp(_), None) => best.relaxed.satisfied[i],
        })
        .collect();
    let mut sides = vec![None; obstacles.len()];
    let mut picked: Vec<PickedUp> = pick_ups.iter().map(PickedUp::beside).collect();
    let mut laps = best.laps;
    for (i, site) in sites.iter().enumerate() {
        match site {
            Site::Obstacle(site) => sides[site.index] = Some(side(chosen[i])),
            Site::PickUp(site) => {
                let is_free = chosen[i] && best.made[i].is_none();
                let detour_s = if is_free { 0.0 } else { search.detour_s(&best, i, &mut laps)? };
                if chosen[i] && !detour_s.is_finite() {
                    return Err(site.out_of_reach(margin_m).into());
                }
                let worth_s = site.pick_up.worth_s;
                picked[site.index] = PickedUp { is_taken: chosen[i], detour_s: Some(detour_s), worth_s };
            }
        }
    }
    let barriers = search.barriers(&chosen.iter().map(|&choice| Some(choice)).collect());
    let is_proven = best.is_proven && !is_simplified;
    Ok((
        barriers,
        Decisions {
            sides,
            no_go_sides: Vec::new(),
            pick_ups: picked,
            detour_of_all_s: None,
            laps,
            is_proven,
            is_simplified,
        },
    ))
}

fn side(is_first: bool) -> PassingSide {
    if is_first { PassingSide::Left } else { PassingSide::Right }
}

struct LapSearch<'a> {
    task: PassingTask<'a>,
    sites: &'a [Site],
}

impl LapSearch<'_> {
    /// The choices at the sites; those near one another are linked.
    fn choices(&self, free: &Corridor) -> Vec<Choice> {
        let middle = Polyline { points: free.points(&vec![0.5; free.len()]), closed: free.closed };
        let lengths = middle.arc_lengths();
        let whole = lengths.last().copied().unwrap_or_default();
        let along = |site: &Site| (lengths[places::nearest_section(free, site.place())], site.reach_m());
        let along: Vec<(f64, f64)> = self.sites.iter().map(along).collect();
        let longest = LINK_WIDTHS * free.mean_width();
        let is_near = |i: usize, j: usize| {
            let apart = (along[i].0 - along[j].0).abs();
            let apart = if free.closed { apart.min(whole - apart) } else { apart };
            apart - along[i].1 - along[j].1 < longest
        };
        let count = self.sites.len();
        let choice = |i: usize| {
            let (worth_s, may_be_left) = match &self.sites[i] {
                Site::Obstacle(_) => (0.0, false),
                Site::PickUp(site) => (site.pick_up.worth_s, true),
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
                (Site::Obstacle(site), Some(first)) => {
                    barriers.push(Barrier::new(site.outline.clone(), side(*first)));
                }
                (Site::PickUp(site), Some(true)) => barriers.extend(site.gate.iter().cloned()),
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
        let is_satisfied = |site: &Site| match site {
            Site::Obstacle(site) => {
                let nearest = all().map(|p| site.outline.distance(p)).fold(f64::INFINITY, f64::min);
                nearest >= (1.0 - PASSED_FRACTION) * margin_m
            }
            Site::PickUp(site) => places::distance_m(&line, closed, site.place) <= site.pick_up.radius_m,
        };
        let satisfied = self.sites.iter().map(is_satisfied).collect();
        Ok(Some(Relaxed { time_s: driven.lap_time_s(), satisfied, lap: line }))
    }

    /// Time that taking pick-up `i` adds to the lap, s; infinite where it cannot be taken.
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
        match failure {
            Failure::Lap(error) => error,
            Failure::Impossible(i) => self.blocked(i, free, made).into(),
            Failure::NoneTogether => {
                // Of the choices that the options make, one alone may be the cause.
                for i in (0..self.sites.len()).filter(|&i| made[i].is_some()) {
                    let mut alone: Made = vec![None; made.len()];
                    alone[i] = made[i];
                    if matches!(self.lap(&alone), Ok(None)) {
                        return self.blocked(i, free, made).into();
                    }
                }
                let number = |site: &Site| match site {
                    Site::Obstacle(site) => Some((site.index + 1).to_string()),
                    Site::PickUp(_) => None,
                };
                let numbers: Vec<String> = self.sites.iter().filter_map(number).collect();
                PassingError::BlockedTogether { numbers: numbers.join(", ") }.into()
            }
        }
    }

    /// The error for site `i`, past or through which no line leads.
    fn blocked(&self, i: usize, free: &Corridor, made: &Made) -> PassingError {
        let margin_m = self.task.margin_m;
        match &self.sites[i] {
            Site::Obstacle(site) => {
                let centre = site.outline.centre();
                let (left_m, right_m) = places::rooms_m(free, &site.outline);
                PassingError::Blocked {
                    number: site.index + 1,
                    x_m: centre.x,
                    y_m: centre.y,
                    left_m,
                    right_m,
                    needed_m: 2.0 * margin_m,
                    side: made[i].map(|first| side(first).name()),
                }
            }
            Site::PickUp(site) => site.out_of_reach(margin_m),
        }
    }
}
