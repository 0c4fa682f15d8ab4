//! Subsets of pick-ups found by weights at a chain of springs and hinges, as in drivers of racing
//! games: each pick-up pulls the relaxed line towards itself with a force that grows with its
//! worth, and the line takes the pick-ups that it reaches.
//!
//! The chain's potential energy E stands for time T, so the worth W of a pick-up in seconds is
//! converted. With κ the curvature of the chain, and v the speed at which κ takes all of the
//! lateral grip a,
//!
//! ```text
//! E = ½ ∫ κ² ds        T = ∫ √(κ/a) ds,  since v = √(a/κ)                                    (1)
//! dT/dE = 1 / (2 √a κ^1.5) = v³ / 2 a²                                                       (2)
//! F = 2 W / (x dT/dE)                                                                        (3)
//! ```
//!
//! (2) follows from (1) by the chain rule. A slow corner makes the straight behind it slow too, so
//! the mean of (2) over the lap without pick-ups is used; for 12 pick-ups on four roads that chose
//! better than (2) at each place. (3) is the force of a pick-up that lies x beyond its reach from
//! the line without pick-ups: a force F that moves the chain by x adds `½ F x` to E, see
//! [`Weight`], so the chain reaches the pick-up where that costs less than W.
//!
//! The line that the weights give decides only which pick-ups are taken; the laps through their
//! gates are those of the time-optimal line.

use rayon::prelude::*;

use super::site::{PickUpSite, pick_ups_in_reach};
use super::{Decisions, MAX_SEARCHED_PICK_UPS, Obstacle, PassingTask, PickUp, PickedUp};
use super::{allowed_laps, lap_search, places};
use crate::barrier::Barrier;
use crate::relaxation::{Form, Settings, Weight, relaxation, relaxation_with};
use crate::speed::{DrivenLine, SpeedError};
use crate::{Corridor, SolveError};
use raceline_car::GgDiagram;
use raceline_numerics::math;
use raceline_road::geometry::Segment;

/// The sizes of the weights that are tried, as multiples of (3).
const SCALES: [f64; 6] = [2.0, 1.0, 0.5, 0.25, 0.125, 0.0625];
/// Limit of rounds in which pick-ups that the line does not reach are left out.
const MAX_ROUNDS: usize = 10;
/// Limit of laps that measure whether a pick-up is better left.
const MAX_LAPS_OF_LEAVING: usize = 60;
/// Reach of a weight beyond the line's bounds, as a fraction of its radius: at least this.
const MIN_REACH_FRACTION: f64 = 0.05;
/// A line that is nearly at rest may miss the reach by this fraction of it.
const MISSED_FRACTION: f64 = 0.02;

/// Decides about all obstacles by laps, then about all pick-ups by their weights.
pub(super) fn decide(
    task: PassingTask,
    obstacles: &[Obstacle],
    pick_ups: &[PickUp],
) -> Result<(Vec<Barrier>, Decisions), SolveError> {
    let (mut barriers, mut decisions) = lap_search::decide(task, obstacles, &[])?;
    let free = Corridor::new(&task.road.track, &task.road.edges, task.margin_m)?;
    let sites = pick_ups_in_reach(task, &free, pick_ups)?;
    let targets: Vec<Target> = sites.into_iter().map(|site| Target::new(&free, site)).collect();
    let is_forced = |target: &&Target| target.site.pick_up.take == Some(true);
    let forced: Vec<&PickUpSite> = targets.iter().filter(is_forced).map(|target| &target.site).collect();
    decisions.laps += 1;
    let without = task.lap_between(&barriers)?;
    let without_s = without.as_ref().map_or(f64::INFINITY, DrivenLine::lap_time_s);
    let mut best = Subset { taken: Vec::new(), lap_s: without_s };
    if !forced.is_empty() {
        best.lap_s = lap_of_forced(task, &mut barriers, &forced, &mut decisions.laps)?;
    }
    let edges = task.road.edges.with_barriers(barriers.clone());
    let mut corridor = Corridor::new(&task.road.track, &edges, task.margin_m)?;
    corridor.pin_ends(task.options);
    let search = WeightedSearch { task, corridor: &corridor, targets: &targets, barriers: &barriers };
    for subset in search.subsets(&mut decisions.laps)? {
        if search.net_s(&subset) < search.net_s(&best) {
            best = subset;
        }
    }
    let Subset { taken, lap_s } = search.without_unprofitable(best, &mut decisions.laps)?;
    decisions.detour_of_all_s = Some(lap_s - without_s);
    barriers.extend(taken.iter().flat_map(|&i| targets[i].site.gate.clone()));
    decisions.is_proven = false;
    decisions.pick_ups = pick_ups.iter().map(PickedUp::beside).collect();
    for (i, Target { site, .. }) in targets.iter().enumerate() {
        let is_taken = site.pick_up.take == Some(true) || taken.contains(&i);
        decisions.pick_ups[site.index] = PickedUp { is_taken, detour_s: None, worth_s: site.pick_up.worth_s };
    }
    Ok((barriers, decisions))
}

/// Adds the gates of the pick-ups that the options take, and returns the time of the lap through
/// all, s.
fn lap_of_forced(
    task: PassingTask,
    barriers: &mut Vec<Barrier>,
    forced: &[&PickUpSite],
    laps: &mut usize,
) -> Result<f64, SolveError> {
    let before = barriers.len();
    barriers.extend(forced.iter().flat_map(|site| site.gate.clone()));
    *laps += 1;
    if let Some(lap) = task.lap_between(barriers)? {
        return Ok(lap.lap_time_s());
    }
    // One by one, to name the first that is too many.
    barriers.truncate(before);
    for site in forced {
        barriers.extend(site.gate.iter().cloned());
        if task.lap_between(barriers)?.is_none() {
            return Err(site.out_of_reach(task.margin_m).into());
        }
    }
    Ok(f64::INFINITY)
}

/// A pick-up as a weight at the chain.
struct Target {
    site: PickUpSite,
    /// The nearest section.
    section: usize,
    /// α of the place on the section, within the line's bounds.
    alpha: f64,
    /// Distance from that α within which the pick-up is taken, m.
    reach_m: f64,
}

impl Target {
    fn new(free: &Corridor, site: PickUpSite) -> Self {
        let radius_m = site.pick_up.radius_m;
        let section = places::nearest_section(free, site.place);
        let across = Segment::new(free.sections[section].right, free.sections[section].left);
        let own = across.foot(site.place);
        let alpha = own.clamp(free.low[section], free.high[section]);
        let reach_m = (radius_m - (own - alpha).abs() * across.vector().norm()).max(MIN_REACH_FRACTION * radius_m);
        Self { site, section, alpha, reach_m }
    }
}

/// Pick-ups by their index, and the lap that takes them.
struct Subset {
    taken: Vec<usize>,
    lap_s: f64,
}

struct WeightedSearch<'a> {
    task: PassingTask<'a>,
    corridor: &'a Corridor,
    targets: &'a [Target],
    barriers: &'a [Barrier],
}

impl WeightedSearch<'_> {
    /// The lap less what its pick-ups are worth, s.
    fn net_s(&self, subset: &Subset) -> f64 {
        subset.lap_s - subset.taken.iter().map(|&i| self.targets[i].site.pick_up.worth_s).sum::<f64>()
    }

    /// The subsets that weights of several sizes pull the line to, each with its lap.
    fn subsets(&self, laps: &mut usize) -> Result<Vec<Subset>, SolveError> {
        let weights = self.weights()?;
        let mut subsets: Vec<Subset> = Vec::new();
        for scale in SCALES {
            let mut taken = self.pulled(&weights, scale);
            while !taken.is_empty() && subsets.iter().all(|known| known.taken != taken) {
                *laps += 1;
                if let Some(found) = self.lap_through(taken.clone())? {
                    subsets.push(found);
                    break;
                }
                // Gates too near to each other for a line: the one of the smallest worth goes.
                let worth_s = |i: usize| self.targets[i].site.pick_up.worth_s;
                let cheapest = (0..taken.len()).min_by(|&a, &b| worth_s(taken[a]).total_cmp(&worth_s(taken[b])));
                taken.remove(cheapest.unwrap_or_default());
            }
        }
        Ok(subsets)
    }

    /// The lap through a subset; `None` where there is none.
    fn lap_through(&self, taken: Vec<usize>) -> Result<Option<Subset>, SolveError> {
        let gates = taken.iter().flat_map(|&i| self.targets[i].site.gate.clone());
        let all: Vec<Barrier> = self.barriers.iter().cloned().chain(gates).collect();
        Ok(self.task.lap_between(&all)?.map(|lap| Subset { lap_s: lap.lap_time_s(), taken }))
    }

    /// Leaves the pick-ups that add more to the lap than they are worth. A round drives a lap
    /// without each of them alone and one without all whose absence is a gain, and keeps the best
    /// of these laps. Not for more than [`MAX_SEARCHED_PICK_UPS`]: of many, one changes little and
    /// its lap takes as long.
    fn without_unprofitable(&self, mut best: Subset, laps: &mut usize) -> Result<Subset, SolveError> {
        let last = (*laps + MAX_LAPS_OF_LEAVING).min(allowed_laps(self.task.road.track.sections.len()));
        while best.taken.len() <= MAX_SEARCHED_PICK_UPS && *laps + best.taken.len() < last && !best.taken.is_empty() {
            let without = |left: &[usize]| best.taken.iter().copied().filter(|i| !left.contains(i)).collect();
            let alone = best.taken.par_iter().map(|&i| Ok((i, self.lap_through(without(&[i]))?)));
            let alone = alone.collect::<Result<Vec<(usize, Option<Subset>)>, SolveError>>()?;
            *laps += alone.len();
            let better = |found: &Subset| self.net_s(found) < self.net_s(&best);
            let mut found: Vec<(usize, Subset)> =
                alone.into_iter().filter_map(|(i, lap)| Some((i, lap.filter(better)?))).collect();
            let unprofitable: Vec<usize> = found.iter().map(|(i, _)| *i).collect();
            if unprofitable.len() > 1 {
                *laps += 1;
                found.extend(self.lap_through(without(&unprofitable))?.map(|together| (usize::MAX, together)));
            }
            let next = found.into_iter().min_by(|(_, a), (_, b)| self.net_s(a).total_cmp(&self.net_s(b)));
            let Some((_, next)) = next else { break };
            best = next;
        }
        Ok(best)
    }

    /// How far the place of a pick-up is beyond its reach from a line, m.
    fn away_m(&self, alpha: &[f64], target: &Target) -> f64 {
        let width = self.corridor.sections[target.section].width();
        (target.alpha - alpha[target.section]).abs() * width - target.reach_m
    }

    fn settings(&self) -> Settings {
        Settings { form: Form::SpringsAndHinges, ..self.task.options.relaxation_settings() }
    }

    /// The weights of the pick-ups, (3).
    fn weights(&self) -> Result<Vec<Weight>, SolveError> {
        let Self { task, corridor, targets, .. } = self;
        let base = relaxation(corridor, self.settings()).alpha;
        let lap = DrivenLine::through(&corridor.points(&base), corridor.closed, task.lap)?;
        let diagram = GgDiagram::new(task.lap.vehicle).map_err(SpeedError::from)?;
        // dT/dE, which follows from equation (1).
        let rate = |i: usize| {
            let speed = lap.profile.speed_mps[i];
            let grip = lap.grip.as_ref().map_or(1.0, |grip| grip[i]);
            math::powi(speed, 3) / (2.0 * math::powi(grip * diagram.lateral_limit(speed * speed), 2)) // equation (2)
        };
        let seconds_per_energy = (0..corridor.len()).map(rate).sum::<f64>() / corridor.len() as f64;
        let weight = |target: &Target| {
            let &Target { section, alpha, reach_m, ref site } = target;
            let depth = site.pick_up.worth_s / seconds_per_energy.max(f64::MIN_POSITIVE);
            // At least its reach: next to the line the force would grow without bound.
            let away = self.away_m(&base, target).max(reach_m);
            Weight { section, alpha, reach_m, force: 2.0 * depth / away } // equation (3)
        };
        Ok(targets.iter().map(weight).collect())
    }

    /// The pick-ups that pull the relaxed line to them, by their index.
    fn pulled(&self, weights: &[Weight], scale: f64) -> Vec<usize> {
        let targets = self.targets;
        let is_open = |&i: &usize| targets[i].site.pick_up.take.is_none();
        let mut taken: Vec<usize> = (0..targets.len()).filter(is_open).collect();
        for _ in 0..MAX_ROUNDS {
            let weight = |&i: &usize| Weight { force: scale * weights[i].force, ..weights[i] };
            let weights: Vec<Weight> = taken.iter().map(weight).collect();
            let line = relaxation_with(self.corridor, self.settings(), &weights).alpha;
            let before = taken.len();
            taken.retain(|&i| self.away_m(&line, &targets[i]) <= MISSED_FRACTION * targets[i].reach_m);
            if taken.len() == before {
                break;
            }
        }
        taken
    }
}
