//! Pick-ups as heavy points of a chain of springs and hinges, as in drivers of racing games: each pulls the
//! relaxed line with a weight that grows with its worth, and the line takes those that it comes to.
//!
//! The chain's energy is `½ ∫ κ² ds`, so a second must be told in it. At the limit of grip a a line of
//! curvature κ is driven at √(a/κ), and a step ds of it takes `√(κ/a) ds`: by the chain rule the energy E costs
//! `dT/dE = 1/(2 √a κ^1.5) = v³/(2 a²)`, with v the speed at which κ takes all grip. What is slow also makes
//! the straight behind it slow, so the mean of this rate over the lap without pick-ups is taken; of 12 pick-ups on
//! four roads that chose better than the rate in each place. A pick-up x beyond its reach from that line, which is
//! worth T, gets the weight `2 T/(dT/dE)/x`, see [`Weight`].

use rayon::prelude::*;

use super::{Decisions, MOST_PICK_UPS, Obstacle, PassingTask, PickUp, PickedUp, decide_by_laps, out_of_reach, places};
use crate::barrier::Barrier;
use crate::relaxation::{Form, Settings, Weight, relaxation, relaxation_with};
use crate::speed::{DrivenLine, SpeedError};
use crate::{Corridor, SolveError};
use raceline_car::GgDiagram;
use raceline_road::geometry::Point;

/// The weights that are tried, as multiples of those that the energy tells.
const SCALES: [f64; 6] = [2.0, 1.0, 0.5, 0.25, 0.125, 0.0625];
/// Most rounds in which those that the line does not come to are left out.
const MOST_ROUNDS: usize = 10;
/// Most laps that look whether a pick-up is better left.
const MOST_LEFT_LAPS: usize = 60;
/// Least share of its radius that a weight beyond the line's bounds still reaches.
const LEAST_REACH_SHARE: f64 = 0.05;
/// Share of the reach by which a line that is nearly at rest may miss it.
const MISSED_SHARE: f64 = 0.02;

/// Decides about all obstacles by laps, then about all pick-ups by their weights.
pub(super) fn decide(
    task: PassingTask,
    obstacles: &[Obstacle],
    pick_ups: &[PickUp],
) -> Result<(Vec<Barrier>, Decisions), SolveError> {
    let (mut barriers, mut decisions) = decide_by_laps(task, obstacles, &[])?;
    let free = Corridor::new(&task.road.track, &task.road.edges, task.margin_m)?;
    let sites = sites(task, &free, pick_ups)?;
    let forced: Vec<&Site> = sites.iter().filter(|site| site.pick_up.take == Some(true)).collect();
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
    let search = Search { task, corridor: &corridor, sites: &sites, barriers: &barriers };
    for subset in search.subsets(&mut decisions.laps)? {
        if search.net_s(&subset) < search.net_s(&best) {
            best = subset;
        }
    }
    let Subset { taken, lap_s } = search.without_the_dear(best, &mut decisions.laps)?;
    decisions.detour_of_all_s = Some(lap_s - without_s);
    barriers.extend(taken.iter().flat_map(|&i| sites[i].gate.clone()));
    decisions.is_proven = false;
    decisions.pick_ups = pick_ups.iter().map(PickedUp::beside).collect();
    for (i, site) in sites.iter().enumerate() {
        let is_taken = site.pick_up.take == Some(true) || taken.contains(&i);
        decisions.pick_ups[site.index] = PickedUp { is_taken, detour_s: None, worth_s: site.pick_up.worth_s };
    }
    Ok((barriers, decisions))
}

/// Adds the gates of those that the options take, and returns the time of the lap through all.
fn lap_of_forced(
    task: PassingTask,
    barriers: &mut Vec<Barrier>,
    forced: &[&Site],
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
            return Err(out_of_reach(site.index, site.place, site.pick_up.radius_m, task.margin_m).into());
        }
    }
    Ok(f64::INFINITY)
}

/// A pick-up on the road.
struct Site {
    /// Its index in the options.
    index: usize,
    pick_up: PickUp,
    place: Point,
    section: usize,
    /// α of its place on the section, within the line's bounds.
    alpha: f64,
    reach_m: f64,
    gate: Vec<Barrier>,
}

fn sites(task: PassingTask, free: &Corridor, pick_ups: &[PickUp]) -> Result<Vec<Site>, SolveError> {
    let mut sites = Vec::new();
    for (index, pick_up) in pick_ups.iter().enumerate() {
        let Some(place) = task.place_in_reach(free, index, pick_up)? else { continue };
        let radius_m = pick_up.radius_m;
        let section = places::nearest_section(free, place);
        let span = free.sections[section].span();
        let own = (place - free.sections[section].right).dot(&span) / span.norm_squared();
        let alpha = own.clamp(free.low[section], free.high[section]);
        let reach_m = (radius_m - (own - alpha).abs() * span.norm()).max(LEAST_REACH_SHARE * radius_m);
        let gate = places::gate(free, place, radius_m, task.margin_m);
        sites.push(Site { index, pick_up: *pick_up, place, section, alpha, reach_m, gate });
    }
    Ok(sites)
}

/// Pick-ups by their index, and the lap that takes them.
struct Subset {
    taken: Vec<usize>,
    lap_s: f64,
}

struct Search<'a> {
    task: PassingTask<'a>,
    corridor: &'a Corridor,
    sites: &'a [Site],
    barriers: &'a [Barrier],
}

impl Search<'_> {
    /// The lap less what its pick-ups are worth.
    fn net_s(&self, subset: &Subset) -> f64 {
        subset.lap_s - subset.taken.iter().map(|&i| self.sites[i].pick_up.worth_s).sum::<f64>()
    }

    /// What weights of several sizes pull the line to, each with its lap.
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
                // Gates too near to each other for a line: the one of least worth goes.
                let worth_s = |i: usize| self.sites[i].pick_up.worth_s;
                let least = (0..taken.len()).min_by(|&a, &b| worth_s(taken[a]).total_cmp(&worth_s(taken[b])));
                taken.remove(least.unwrap_or_default());
            }
        }
        Ok(subsets)
    }

    /// The lap through a subset; `None` where there is none.
    fn lap_through(&self, taken: Vec<usize>) -> Result<Option<Subset>, SolveError> {
        let gates = taken.iter().flat_map(|&i| self.sites[i].gate.clone());
        let all: Vec<Barrier> = self.barriers.iter().cloned().chain(gates).collect();
        Ok(self.task.lap_between(&all)?.map(|lap| Subset { lap_s: lap.lap_time_s(), taken }))
    }

    /// Leaves those that add more to the lap than they are worth: each is left alone, then all together that
    /// it paid to leave, or else the one that paid most. Of many, one counts for little and takes as long.
    fn without_the_dear(&self, mut best: Subset, laps: &mut usize) -> Result<Subset, SolveError> {
        let last = *laps + MOST_LEFT_LAPS;
        while best.taken.len() <= MOST_PICK_UPS && *laps + best.taken.len() < last && !best.taken.is_empty() {
            let without = |left: &[usize]| best.taken.iter().copied().filter(|i| !left.contains(i)).collect();
            let alone = best.taken.par_iter().map(|&i| Ok((i, self.lap_through(without(&[i]))?)));
            let alone = alone.collect::<Result<Vec<(usize, Option<Subset>)>, SolveError>>()?;
            *laps += alone.len();
            let better = |found: &Subset| self.net_s(found) < self.net_s(&best);
            let mut found: Vec<(usize, Subset)> =
                alone.into_iter().filter_map(|(i, lap)| Some((i, lap.filter(better)?))).collect();
            let dear: Vec<usize> = found.iter().map(|(i, _)| *i).collect();
            if dear.len() > 1 {
                *laps += 1;
                found.extend(self.lap_through(without(&dear))?.map(|together| (usize::MAX, together)));
            }
            let least = found.into_iter().min_by(|(_, a), (_, b)| self.net_s(a).total_cmp(&self.net_s(b)));
            let Some((_, least)) = least else { break };
            best = least;
        }
        Ok(best)
    }

    /// How far the place of a pick-up is beyond its reach from a line, m.
    fn away_m(&self, alpha: &[f64], site: &Site) -> f64 {
        (site.alpha - alpha[site.section]).abs() * self.corridor.sections[site.section].width() - site.reach_m
    }

    fn settings(&self) -> Settings {
        Settings { form: Form::SpringsAndHinges, ..self.task.options.relaxation_settings() }
    }

    fn weights(&self) -> Result<Vec<Weight>, SolveError> {
        let Self { task, corridor, sites, .. } = self;
        let base = relaxation(corridor, self.settings()).alpha;
        let lap = DrivenLine::through(&corridor.points(&base), corridor.closed, task.lap)?;
        let diagram = GgDiagram::new(task.lap.vehicle).map_err(SpeedError::from)?;
        let rate = |i: usize| {
            let speed = lap.profile.speed_mps[i];
            let grip = lap.grip.as_ref().map_or(1.0, |grip| grip[i]);
            speed.powi(3) / (2.0 * (grip * diagram.lateral_limit(speed * speed)).powi(2))
        };
        let seconds_per_energy = (0..corridor.len()).map(rate).sum::<f64>() / corridor.len() as f64;
        let weight = |site: &Site| {
            let depth = site.pick_up.worth_s / seconds_per_energy.max(f64::MIN_POSITIVE);
            let away = self.away_m(&base, site).max(site.reach_m);
            Weight { section: site.section, alpha: site.alpha, reach_m: site.reach_m, force: 2.0 * depth / away }
        };
        Ok(sites.iter().map(weight).collect())
    }

    /// Those that pull the relaxed line to them, by their index.
    fn pulled(&self, weights: &[Weight], scale: f64) -> Vec<usize> {
        let sites = self.sites;
        let mut taken: Vec<usize> = (0..sites.len()).filter(|&i| sites[i].pick_up.take.is_none()).collect();
        for _ in 0..MOST_ROUNDS {
            let weight = |&i: &usize| Weight { force: scale * weights[i].force, ..weights[i] };
            let weights: Vec<Weight> = taken.iter().map(weight).collect();
            let line = relaxation_with(self.corridor, self.settings(), &weights).alpha;
            let before = taken.len();
            taken.retain(|&i| self.away_m(&line, &sites[i]) <= MISSED_SHARE * sites[i].reach_m);
            if taken.len() == before {
                break;
            }
        }
        taken
    }
}
