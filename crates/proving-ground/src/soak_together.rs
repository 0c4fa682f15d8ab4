//! The soak in one world: the vehicles of two teams on the same roads, where they meet.
//!
//! Half of the vehicles begin in the west of the map, half in the east, each on a road of its own. They drive random
//! roads as in the [soak](crate::soak), and each knows those about it. Ours has the local planner; the paper's
//! baseline and Reynolds' path following know no others. Who asks to be placed back is once the place is clear.

use raceline_follower::{Neighbour, Path, PathFollower, Scene};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;

use crate::contender::Entry;
use crate::courses::Map;
use crate::scene;
use crate::soak::{LEGS, RENEW_M, SoakOptions};
use crate::tracker::RoadPosition;
use crate::traffic::contacts::{Contacts, body_of};
use crate::traffic::nearest_others;
use crate::trial::{Drive, Next, Outcome, STEP_S, Watch};
use crate::vehicle::{VEHICLES, VehicleModel};

/// No vehicle begins, or is placed back, nearer than this to another, metres.
const CLEAR_M: f64 = 12.0;
/// Attempts to find a road for a vehicle, on which no other begins.
const MAX_DRAWS: usize = 100_000;

/// Outcomes seed by seed, vehicle by vehicle within, and the number of contacts of each seed.
pub type Together = (Vec<Outcome>, Vec<usize>);

/// Runs `entry`, all vehicles of a seed in one world.
///
/// # Errors
/// An entry that cannot be built for a vehicle, roads that do not form a path, and more vehicles than the map has room
/// for.
pub fn run(entry: &Entry, map: &Map, options: SoakOptions) -> anyhow::Result<Together> {
    let seeds: Vec<u64> = (1..=options.seeds).collect();
    let found: Vec<World> =
        seeds.par_iter().map(|&seed| one(entry, map, seed, options, false)).collect::<anyhow::Result<_>>()?;
    let contacts = found.iter().map(|world| world.contacts_at_m.len()).collect();
    Ok((found.into_iter().flat_map(|world| world.outcomes).collect(), contacts))
}

/// What happened in the world of a seed.
pub(crate) struct World {
    /// Vehicle by vehicle.
    pub outcomes: Vec<Outcome>,
    /// Where contacts between vehicles began, metres.
    pub contacts_at_m: Vec<[f64; 2]>,
}

/// A vehicle with its driver and the junctions that it came from last.
struct Member {
    model: &'static VehicleModel,
    follower: Box<dyn PathFollower>,
    random: ChaCha8Rng,
    last: (usize, usize),
    drive: Drive,
}

/// The world of one seed.
///
/// # Errors
/// Those of [`run`].
pub(crate) fn one(entry: &Entry, map: &Map, seed: u64, options: SoakOptions, traces: bool) -> anyhow::Result<World> {
    let mut world = scene::world(&map.terrain, &map.blocks, STEP_S);
    let mut members: Vec<Member> = Vec::new();
    let mut begun: Vec<[f64; 2]> = Vec::new();
    for index in 0..options.vehicles {
        let model = &VEHICLES[index % VEHICLES.len()];
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(index as u64);
        let (path, last) = start_of_its_own(map, &mut random, index % 2, &mut begun)?;
        let follower = entry.of(model).build_for_traffic(model)?;
        let drive = Drive::new(&mut world, &map.terrain, model, path);
        members.push(Member { model, follower, random, last, drive });
    }
    let watch = Watch { limit_s: options.time_s, trace: traces, ..Watch::default() };
    let mut contacts = Contacts::new(members.len(), 0);
    let mut contacts_at_m = Vec::new();
    for step in 0_u64.. {
        let states = members.iter().map(|member| body_of(&member.drive.state(&world), member.model));
        let bodies: Vec<Neighbour> = states.collect();
        contacts_at_m.extend(contacts.update(step as f64 * STEP_S, &bodies, &[]).0);
        let mut is_over = true;
        for (number, member) in members.iter_mut().enumerate() {
            let mut failed = None;
            let Member { follower, random, last, drive, .. } = member;
            let mut next = |place: RoadPosition, length_m: f64| {
                if length_m - place.s_m > RENEW_M {
                    return Next::Later;
                }
                match map.walk(random, Some(*last), LEGS) {
                    Ok((path, end)) => {
                        *last = end;
                        Next::Now(path)
                    }
                    Err(error) => {
                        failed = Some(error);
                        Next::End
                    }
                }
            };
            let state = drive.observe(&world, watch, &mut next);
            if let Some(error) = failed {
                return Err(error.into());
            }
            let Some(state) = state else { continue };
            is_over = false;
            let others = nearest_others(&bodies, number);
            let command = follower.step(drive.path(), &state, &Scene::EMPTY.with_neighbours(&others), STEP_S);
            let is_clear = |at: [f64; 2]| others.iter().all(|other| away(other.position_m, at) >= CLEAR_M);
            drive.act(&mut world, &map.terrain, &state, &command, traces, is_clear);
        }
        if is_over {
            break;
        }
        world.step();
    }
    Ok(World { outcomes: members.into_iter().map(|member| member.drive.outcome()).collect(), contacts_at_m })
}

/// A walk of a team that begins where no other does.
fn start_of_its_own(
    map: &Map,
    random: &mut ChaCha8Rng,
    team: usize,
    begun: &mut Vec<[f64; 2]>,
) -> anyhow::Result<(Path, (usize, usize))> {
    for _ in 0..MAX_DRAWS {
        let road = map.road_of_team(random, team);
        let (path, last) = map.walk(random, Some(road), LEGS)?;
        let [x, y, _] = path.waypoints()[0].position_m;
        if begun.iter().all(|other| away([other[0], other[1], 0.0], [x, y]) >= CLEAR_M) {
            begun.push([x, y]);
            return Ok((path, last));
        }
    }
    anyhow::bail!("the map has no room for {} vehicles that begin {CLEAR_M} m apart", begun.len() + 1)
}

fn away(a: [f64; 3], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::courses::soak_map;
    use crate::settings;

    #[test]
    fn teams_begin_apart_on_their_sides_and_all_drive_for_the_whole_time() -> anyhow::Result<()> {
        let map = soak_map();
        let mut begun = Vec::new();
        for index in 0..64 {
            let mut random = ChaCha8Rng::seed_from_u64(1);
            random.set_stream(index);
            start_of_its_own(&map, &mut random, index as usize % 2, &mut begun)?;
        }
        let mean_x = |team: usize| begun.iter().skip(team).step_by(2).map(|at| at[0]).sum::<f64>() / 32.0;
        assert!(mean_x(1) - mean_x(0) > 80.0, "{} {}", mean_x(0), mean_x(1));
        let entry = Entry::for_all("ours", settings::start());
        let options = SoakOptions { vehicles: 6, time_s: 4.0, seeds: 2 };
        let (outcomes, contacts) = run(&entry, &map, options)?;
        assert_eq!((outcomes.len(), contacts), (12, vec![0, 0]));
        assert!(outcomes.iter().all(|outcome| (outcome.time_s - 4.0).abs() < 0.1));
        assert!(outcomes.iter().map(|outcome| outcome.distance_m).sum::<f64>() > 60.0);
        assert_eq!(run(&entry, &map, options)?.0, outcomes);
        Ok(())
    }
}
