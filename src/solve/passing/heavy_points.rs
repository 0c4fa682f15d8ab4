//! Pick-ups as heavy points of a chain of springs and hinges, as in drivers of racing games: each pulls the
//! relaxed line with a weight that grows with its worth, and the line takes those that it comes to.
//!
//! The chain's energy is `½ ∫ κ² ds`, so a second must be told in it. At the limit of grip a a line of
//! curvature κ is driven at √(a/κ), and a step ds of it takes `√(κ/a) ds`: by the chain rule the energy E costs
//! `dT/dE = 1/(2 √a κ^1.5) = v³/(2 a²)`, with v the speed at which κ takes all grip. The line without pick-ups
//! has v; where it is slower than its curvature allows, on straights, this overestimates what a detour costs,
//! so fewer are taken. A pick-up x beyond its reach from that line, which is worth T, gets the weight
//! `2 T/(dT/dE)/x`, see [`Weight`].

use super::{Decisions, Obstacle, PassingTask, PickUp, PickedUp, decide_by_laps, out_of_reach, places};
use crate::solve::barrier::Barrier;
use crate::solve::relaxation::{Form, Settings, Weight, relaxation, relaxation_with};
use crate::solve::{Corridor, SolveError};
use crate::speed::{DrivenLine, SpeedError};
use crate::vehicle::GgDiagram;

/// Most rounds in which those that the line does not come to are left out.
const MOST_ROUNDS: usize = 10;
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
    let forced = |site: &&Site| site.pick_up.take == Some(true);
    barriers.extend(sites.iter().filter(forced).flat_map(|site| site.gate.clone()));
    let edges = task.road.edges.with_barriers(barriers.clone());
    let mut corridor = Corridor::new(&task.road.track, &edges, task.margin_m)?;
    corridor.pin_ends(task.options);
    let mut taken = pulled(task, &corridor, &sites)?;
    let without = task.lap_between(&barriers)?;
    let with = loop {
        let gates = taken.iter().flat_map(|&i| sites[i].gate.clone());
        let all: Vec<Barrier> = barriers.iter().cloned().chain(gates).collect();
        decisions.laps += 1;
        let lap = task.lap_between(&all)?;
        if lap.is_some() || taken.is_empty() {
            barriers = all;
            break lap;
        }
        // Gates too near to each other for a line: the one of least worth goes.
        let worth_s = |i: usize| sites[i].pick_up.worth_s;
        let least = (0..taken.len()).min_by(|&a, &b| worth_s(taken[a]).total_cmp(&worth_s(taken[b])));
        taken.remove(least.unwrap_or_default());
    };
    let time_s = |lap: &DrivenLine| lap.lap_time_s();
    decisions.laps += 1;
    decisions.detour_of_all_s = with.as_ref().map(time_s).zip(without.as_ref().map(time_s)).map(|(a, b)| a - b);
    decisions.is_proven &= pick_ups.is_empty();
    decisions.pick_ups = (sites.iter().enumerate())
        .map(|(i, site)| PickedUp {
            is_taken: forced(&site) || taken.contains(&i),
            detour_s: None,
            worth_s: site.pick_up.worth_s,
        })
        .collect();
    Ok((barriers, decisions))
}

/// A pick-up on the road.
struct Site {
    pick_up: PickUp,
    section: usize,
    /// α of its place on the section, within the line's bounds.
    alpha: f64,
    reach_m: f64,
    gate: Vec<Barrier>,
}

fn sites(task: PassingTask, free: &Corridor, pick_ups: &[PickUp]) -> Result<Vec<Site>, SolveError> {
    let site = |(index, pick_up): (usize, &PickUp)| {
        let place = pick_up.place(index + 1, task.road.origin)?;
        let radius_m = pick_up.radius_m;
        if !places::is_in_reach(free, place, radius_m) {
            return Err(SolveError::from(out_of_reach(index, place, radius_m, task.margin_m)));
        }
        let section = places::nearest_section(free, place);
        let span = free.sections[section].span();
        let own = (place - free.sections[section].right).dot(&span) / span.norm_squared();
        let alpha = own.clamp(free.low[section], free.high[section]);
        let reach_m = (radius_m - (own - alpha).abs() * span.norm()).max(LEAST_REACH_SHARE * radius_m);
        let gate = places::gate(free, place, radius_m, task.margin_m);
        Ok(Site { pick_up: *pick_up, section, alpha, reach_m, gate })
    };
    pick_ups.iter().enumerate().map(site).collect()
}

/// Those that pull the relaxed line to them, by their index.
fn pulled(task: PassingTask, corridor: &Corridor, sites: &[Site]) -> Result<Vec<usize>, SolveError> {
    let settings = Settings { form: Form::SpringsAndHinges, ..task.options.relaxation_settings() };
    let away_m = |alpha: &[f64], site: &Site| {
        (site.alpha - alpha[site.section]).abs() * corridor.sections[site.section].width() - site.reach_m
    };
    let base = relaxation(corridor, settings).alpha;
    let lap = DrivenLine::through(&corridor.points(&base), corridor.closed, task.lap)?;
    let diagram = GgDiagram::new(task.lap.vehicle).map_err(SpeedError::from)?;
    let weight = |site: &Site| {
        let speed = lap.profile.speed_mps[site.section];
        let grip = lap.grip.as_ref().map_or(1.0, |grip| grip[site.section]);
        let limit = grip * diagram.lateral_limit(speed * speed);
        let seconds_per_energy = speed.powi(3) / (2.0 * limit * limit);
        let depth = site.pick_up.worth_s / seconds_per_energy.max(f64::MIN_POSITIVE);
        let away = away_m(&base, site).max(site.reach_m);
        Weight { section: site.section, alpha: site.alpha, reach_m: site.reach_m, force: 2.0 * depth / away }
    };
    let mut taken: Vec<usize> = (0..sites.len()).filter(|&i| sites[i].pick_up.take.is_none()).collect();
    for _ in 0..MOST_ROUNDS {
        let weights: Vec<Weight> = taken.iter().map(|&i| weight(&sites[i])).collect();
        let line = relaxation_with(corridor, settings, &weights).alpha;
        let before = taken.len();
        taken.retain(|&i| away_m(&line, &sites[i]) <= MISSED_SHARE * sites[i].reach_m);
        if taken.len() == before {
            break;
        }
    }
    Ok(taken)
}
