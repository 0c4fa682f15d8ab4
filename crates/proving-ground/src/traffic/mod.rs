//! Vehicles in traffic: ten obstacle courses, and twenty vehicles on a ring and on a figure of eight
//! whose legs cross on one level. Counts contacts per vehicle kilometre, with the local planner of the
//! follower crate and with Reynolds' behaviours.

pub(crate) mod contacts;
mod driver;
mod places;
mod sheet;
mod table;

pub use driver::{DRIVERS, DriverKind};
pub use places::{Place, Start, places};
pub use sheet::svg;
pub use table::markdown;

use raceline_follower::behaviours::Body;
use raceline_follower::{Neighbour, VehicleState};

use crate::rig::{Pose2, Rig};
use crate::scene;
use crate::trial::STEP_S;
use crate::vehicle::VehicleModel;
use contacts::Contacts;
use driver::Driver;

/// Other vehicles further away than this are not reported, metres.
const REPORTED_M: f64 = 80.0;
/// Within this distance of an open path's end it is driven, metres.
const END_M: f64 = 15.0;
/// Time between two points of a trace, in steps.
const TRACE_STEPS: usize = 12;

/// The result of a drive in traffic.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Vehicles, and those that reached the end of an open path.
    pub vehicles: usize,
    /// Vehicles at the end of an open path.
    pub finished: usize,
    /// Contacts with other vehicles.
    pub contacts: usize,
    /// Contacts with obstacles.
    pub hits: usize,
    /// Stuck events.
    pub stuck_events: usize,
    /// Sum of the vehicles' distances, metres, and of their times, seconds.
    pub distance_m: f64,
    /// Seconds.
    pub time_s: f64,
    /// Of this, the time with the middle of the vehicle outside the corridor, seconds.
    pub outside_s: f64,
    /// The vehicles' traces, metres.
    pub traces: Vec<Vec<[f64; 2]>>,
    /// Where contacts began, metres.
    pub contacts_at_m: Vec<[f64; 2]>,
}

/// Drives all vehicles of a place with drivers of one kind.
///
/// # Errors
/// Options of a driver that are not valid, which would be a defect.
pub fn run(place: &Place, model: &VehicleModel, kind: DriverKind) -> anyhow::Result<Outcome> {
    let mut world = scene::world(&place.terrain, &place.blocks, STEP_S);
    let mut rigs: Vec<Rig> = place
        .starts
        .iter()
        .map(|start| {
            let there = place.path.sample(start.s_m);
            let (sin, cos) = there.heading_rad.sin_cos();
            let [x, y, _] = there.position_m;
            let at_m = [x - start.offset_m * sin, y + start.offset_m * cos];
            Rig::new(&mut world, &place.terrain, model, Pose2 { at_m, heading_rad: there.heading_rad })
        })
        .collect();
    let mut drivers: Vec<Driver> =
        place.starts.iter().map(|start| Driver::new(kind, model, start)).collect::<Result<_, _>>()?;
    let fixed: Vec<Neighbour> = place.blocks.iter().map(contacts::body_of_block).collect();
    let obstacles: Vec<Body> = place.blocks.iter().map(contacts::circle_of_block).collect();
    let count = rigs.len();
    let mut contacts = Contacts::new(count, fixed.len());
    let mut outcome = Outcome { vehicles: count, traces: vec![Vec::new(); count], ..Outcome::default() };
    let mut done = vec![false; count];
    for step in 0..(place.limit_s / STEP_S) as usize {
        let states: Vec<VehicleState> = rigs.iter().map(|rig| rig.state(&world)).collect();
        let bodies: Vec<Neighbour> = states.iter().map(|state| contacts::body_of(state, model)).collect();
        let (begun, hit) = contacts.update(step as f64 * STEP_S, &bodies, &fixed);
        outcome.contacts += begun.len();
        outcome.hits += hit.len();
        outcome.contacts_at_m.extend(begun.into_iter().chain(hit));
        for (i, rig) in rigs.iter_mut().enumerate() {
            let state = &states[i];
            let at = [state.position_m[0], state.position_m[1]];
            let near = nearest_others(&bodies, i);
            let obstacles = nearest_obstacles(&obstacles, at);
            let command = drivers[i].command(&place.path, state, &obstacles, &near);
            if !done[i] {
                outcome.distance_m += state.speed_mps.abs() * STEP_S;
                outcome.time_s += STEP_S;
                outcome.outside_s += if command.inside_corridor { 0.0 } else { STEP_S };
                outcome.stuck_events += usize::from(command.event.is_some_and(|event| event.is_stuck()));
            }
            if !place.path.closed() && command.s_m > place.path.length_m() - END_M {
                done[i] = true;
            }
            if step % TRACE_STEPS == 0 {
                outcome.traces[i].push(at);
            }
            rig.drive(&mut world, &command, STEP_S);
        }
        if done.iter().all(|done| *done) {
            break;
        }
        world.step();
    }
    outcome.finished = done.iter().filter(|done| **done).count();
    Ok(outcome)
}

/// The other vehicles by their distance.
pub(crate) fn nearest_others(bodies: &[Neighbour], own: usize) -> Vec<Neighbour> {
    let away = |body: &Neighbour| {
        let [a, b] = [body.position_m, bodies[own].position_m];
        (a[0] - b[0]).hypot(a[1] - b[1])
    };
    let mut near: Vec<Neighbour> = (0..bodies.len()).filter(|k| *k != own).map(|k| bodies[k]).collect();
    near.retain(|body| away(body) < REPORTED_M);
    near.sort_by(|a, b| away(a).total_cmp(&away(b)));
    near
}

fn nearest_obstacles(obstacles: &[Body], at: [f64; 2]) -> Vec<Body> {
    let away = |obstacle: &Body| (obstacle.position_m[0] - at[0]).hypot(obstacle.position_m[1] - at[1]);
    let mut near: Vec<Body> = obstacles.iter().copied().filter(|obstacle| away(obstacle) < REPORTED_M).collect();
    near.sort_by(|a, b| away(a).total_cmp(&away(b)));
    near
}
