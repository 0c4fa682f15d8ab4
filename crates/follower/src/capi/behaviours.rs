//! Steering behaviours for agents.

use super::behaviour_structs::{
    RacelineAgent, RacelineAvoidanceOptions, RacelineFlowField, RacelineLeaderOptions, RacelineNeighbourhood,
    RacelinePathFollowingOptions, RacelineWallOptions, RacelineWanderOptions,
};
use super::calls::{Outcome, RacelineStatus, checked, exclusive, free, guarded, many, put, shared};
use super::follower::value_fault;
use super::scene::{List, RacelineBody};
use super::sized::{each, read, read_or_default, write};
use super::types::{RacelineState, RacelineVehicle};
use crate::behaviours::{
    self, Agent, Body, FlowField, LeaderOptions, Neighbourhood, PathFollowingOptions, Wander, WanderOptions,
};
use crate::path::Path;

/// Largest number of other agents and obstacles that are looked at.
pub const MAX_BODIES: usize = 64;
/// Largest number of accelerations that are blended.
const MAX_BLENDED: usize = 64;
/// Largest accepted number of walls.
const MAX_WALLS: usize = 1 << 20;
/// Largest accepted number of cells of a flow field.
const MAX_CELLS: usize = 1 << 28;

/// Writes the acceleration that `wanted` gives for an agent.
///
/// # Safety
/// `agent` is null or refers to an agent, `acceleration_mps2` is null or refers to memory for two numbers.
unsafe fn answer(
    agent: *const RacelineAgent,
    acceleration_mps2: *mut [f64; 2],
    wanted: impl FnOnce(&Agent) -> Result<[f64; 2], super::calls::Fault>,
) -> RacelineStatus {
    // SAFETY: the function's own condition.
    guarded(|| unsafe {
        let agent = read(agent, "agent")?.into();
        put(acceleration_mps2, wanted(&agent)?, "acceleration_mps2")
    })
}

/// Calls `use_them` with the first [`MAX_BODIES`] of `count` entries. Allocates nothing.
///
/// # Safety
/// `bodies` is null or refers to `count` entries.
unsafe fn with_bodies<T>(
    bodies: *const RacelineBody,
    count: usize,
    use_them: impl FnOnce(&[Body]) -> T,
) -> Result<T, super::calls::Fault> {
    let mut list = List { items: [Body::default(); MAX_BODIES], count: 0 };
    // SAFETY: the function's own condition.
    unsafe { each(bodies, count, MAX_BODIES, "bodies", |body: RacelineBody| list.push(body.into()))? };
    Ok(use_them(list.as_slice()))
}

/// See the header.
///
/// # Safety
/// `agent` is null or refers to an agent, `acceleration_mps2` is null or refers to two numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_agent_advance(
    agent: *mut RacelineAgent,
    acceleration_mps2: *const [f64; 2],
    dt_s: f64,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        let before = read(agent, "agent")?;
        let mut moved: Agent = before.into();
        moved.advance(*shared(acceleration_mps2, "acceleration_mps2")?, dt_s);
        write(agent, &before.moved(&moved), "agent")
    })
}

/// See the header.
///
/// # Safety
/// `acceleration_mps2` is null or refers to two numbers, `state` and `vehicle` are null or refer to their
/// structs, `pedal` and `steering_rad` are null or refer to memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_car_controls(
    acceleration_mps2: *const [f64; 2],
    state: *const RacelineState,
    vehicle: *const RacelineVehicle,
    full_throttle_mps2: f64,
    full_brake_mps2: f64,
    pedal: *mut f64,
    steering_rad: *mut f64,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        let state = read(state, "state")?.into();
        let vehicle = read_or_default(vehicle, "vehicle")?.geometry()?;
        let wanted = *shared(acceleration_mps2, "acceleration_mps2")?;
        let controls = behaviours::car_controls(wanted, &state, &vehicle, [full_throttle_mps2, full_brake_mps2]);
        put(pedal, controls.pedal, "pedal")?;
        put(steering_rad, controls.steering_rad, "steering_rad")
    })
}

/// Declares behaviours with a point as their target.
macro_rules! towards_point {
    ($($name:ident($($number:ident)?) = $behaviour:ident;)*) => {$(
        /// See the header.
        ///
        /// # Safety
        /// `agent` is null or refers to an agent, `target_m` to two numbers, `acceleration_mps2` to memory
        /// for two.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            agent: *const RacelineAgent,
            target_m: *const [f64; 2],
            $($number: f64,)?
            acceleration_mps2: *mut [f64; 2],
        ) -> RacelineStatus {
            // SAFETY: the caller's promises.
            unsafe {
                answer(agent, acceleration_mps2, |agent| {
                    Ok(behaviours::$behaviour(agent, *shared(target_m, "target_m")? $(, $number)?))
                })
            }
        }
    )*};
}

towards_point! {
    raceline_seek() = seek;
    raceline_flee() = flee;
    raceline_arrival(slowing_m) = arrival;
}

/// Declares behaviours with another body as their target.
macro_rules! towards_body {
    ($($name:ident = $behaviour:ident;)*) => {$(
        /// See the header.
        ///
        /// # Safety
        /// `agent` is null or refers to an agent, `other` to a body, `acceleration_mps2` to memory for two
        /// numbers.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            agent: *const RacelineAgent,
            other: *const RacelineBody,
            max_s: f64,
            acceleration_mps2: *mut [f64; 2],
        ) -> RacelineStatus {
            // SAFETY: the caller's promises.
            unsafe {
                answer(agent, acceleration_mps2, |agent| {
                    Ok(behaviours::$behaviour(agent, &read(other, "other")?.into(), max_s))
                })
            }
        }
    )*};
}

towards_body! {
    raceline_pursuit = pursuit;
    raceline_evasion = evasion;
}

/// See the header.
///
/// # Safety
/// `agent` is null or refers to an agent, `other` to a body, `offset_m` to two numbers, `acceleration_mps2`
/// to memory for two.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_offset_pursuit(
    agent: *const RacelineAgent,
    other: *const RacelineBody,
    offset_m: *const [f64; 2],
    max_s: f64,
    acceleration_mps2: *mut [f64; 2],
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    unsafe {
        answer(agent, acceleration_mps2, |agent| {
            let (other, offset) = (read(other, "other")?.into(), *shared(offset_m, "offset_m")?);
            Ok(behaviours::offset_pursuit(agent, &other, offset, max_s))
        })
    }
}

/// See the header.
///
/// # Safety
/// `agent` is null or refers to an agent, `walls_m` to `count` pieces of two points, `options` is null or
/// refers to its struct, `acceleration_mps2` to memory for two numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_follow_wall(
    agent: *const RacelineAgent,
    walls_m: *const [[f64; 2]; 2],
    count: usize,
    options: *const RacelineWallOptions,
    acceleration_mps2: *mut [f64; 2],
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    unsafe {
        answer(agent, acceleration_mps2, |agent| {
            let options = read_or_default(options, "options")?.into();
            Ok(behaviours::follow_wall(agent, many(walls_m, count, MAX_WALLS, "walls_m")?, &options))
        })
    }
}

/// Declares behaviours among other agents or obstacles.
macro_rules! among_bodies {
    ($($name:ident($options:ty) = $behaviour:ident;)*) => {$(
        /// See the header.
        ///
        /// # Safety
        /// `agent` is null or refers to an agent, `bodies` to `count` entries, `options` is null or refers to
        /// its struct, `acceleration_mps2` to memory for two numbers.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            agent: *const RacelineAgent,
            bodies: *const RacelineBody,
            count: usize,
            options: *const $options,
            acceleration_mps2: *mut [f64; 2],
        ) -> RacelineStatus {
            // SAFETY: the caller's promises.
            unsafe {
                answer(agent, acceleration_mps2, |agent| {
                    let options = read_or_default(options, "options")?.into();
                    with_bodies(bodies, count, |bodies| behaviours::$behaviour(agent, bodies, &options))
                })
            }
        }
    )*};
}

among_bodies! {
    raceline_avoid_obstacles(RacelineAvoidanceOptions) = avoid_obstacles;
    raceline_avoid_bodies(RacelineAvoidanceOptions) = avoid_bodies;
    raceline_separation(RacelineNeighbourhood) = separation;
    raceline_cohesion(RacelineNeighbourhood) = cohesion;
    raceline_alignment(RacelineNeighbourhood) = alignment;
}

/// See the header.
///
/// # Safety
/// `agent` is null or refers to an agent, `leader` to a body, `bodies` to `count` entries, `options` is
/// null or refers to its struct, `acceleration_mps2` to memory for two numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_follow_leader(
    agent: *const RacelineAgent,
    leader: *const RacelineBody,
    bodies: *const RacelineBody,
    count: usize,
    options: *const RacelineLeaderOptions,
    acceleration_mps2: *mut [f64; 2],
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    unsafe {
        answer(agent, acceleration_mps2, |agent| {
            let (leader, given) = (read(leader, "leader")?.into(), read_or_default(options, "options")?);
            let separation = Neighbourhood { radius_m: given.separation_radius_m, view_rad: given.separation_view_rad };
            let options = LeaderOptions {
                behind_m: given.behind_m,
                clear_m: given.clear_m,
                clear_s: given.clear_s,
                slowing_m: given.slowing_m,
                separation,
            };
            with_bodies(bodies, count, |bodies| behaviours::follow_leader(agent, &leader, bodies, &options))
        })
    }
}

/// See the header.
///
/// # Safety
/// `agent` is null or refers to an agent, `path` is a path or null, `place_m` refers to a number,
/// `options` is null or refers to its struct, `acceleration_mps2` to memory for two numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_follow_path(
    agent: *const RacelineAgent,
    path: *const Path,
    place_m: *mut f64,
    options: *const RacelinePathFollowingOptions,
    acceleration_mps2: *mut [f64; 2],
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    unsafe {
        answer(agent, acceleration_mps2, |agent| {
            let RacelinePathFollowingOptions { prediction_s, tube_m, ahead_m, .. } =
                read_or_default(options, "options")?;
            let options = PathFollowingOptions { prediction_s, tube_m, ahead_m };
            Ok(behaviours::follow_path(agent, shared(path, "path")?, exclusive(place_m, "place_m")?, &options))
        })
    }
}

/// See the header.
///
/// # Safety
/// `agent` is null or refers to an agent, `field` to a flow field whose pointer refers to as many cells as
/// it states, `acceleration_mps2` to memory for two numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_follow_flow_field(
    agent: *const RacelineAgent,
    field: *const RacelineFlowField,
    prediction_s: f64,
    acceleration_mps2: *mut [f64; 2],
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    unsafe {
        answer(agent, acceleration_mps2, |agent| {
            let field = read(field, "field")?;
            let cells = many(field.velocities_mps, field.cell_count, MAX_CELLS, "velocities_mps")?;
            let field = FlowField::new(field.origin_m, field.cell_m, field.columns as usize, cells);
            Ok(behaviours::follow_flow_field(agent, &field.map_err(value_fault)?, prediction_s))
        })
    }
}

/// See the header.
///
/// # Safety
/// `options` is null or refers to its struct, `wander` to memory for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_wander_new(
    options: *const RacelineWanderOptions,
    wander: *mut *mut Wander,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        put(wander, std::ptr::null_mut(), "wander")?;
        let RacelineWanderOptions { radius_m, distance_m, rate_rad, speed_mps, seed, .. } =
            read_or_default(options, "options")?;
        let made = Wander::new(WanderOptions { radius_m, distance_m, rate_rad, speed_mps, seed });
        put(wander, Box::into_raw(Box::new(made)), "wander")
    })
}

/// See the header.
///
/// # Safety
/// `wander` is a walk or null, `agent` is null or refers to an agent, `acceleration_mps2` to memory for
/// two numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_wander_step(
    wander: *mut Wander,
    agent: *const RacelineAgent,
    dt_s: f64,
    acceleration_mps2: *mut [f64; 2],
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    unsafe { answer(agent, acceleration_mps2, |agent| Ok(exclusive(wander, "wander")?.step(agent, dt_s))) }
}

/// See the header.
///
/// # Safety
/// `wander` is a walk or null, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_wander_free(wander: *mut Wander) {
    // SAFETY: the caller's promise.
    unsafe { free(wander) };
}

/// See the header.
///
/// # Safety
/// `agent` is null or refers to an agent, `weights` to `count` numbers, `wanted_mps2` to `count` pairs,
/// `acceleration_mps2` to memory for two numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_blend_weighted(
    agent: *const RacelineAgent,
    weights: *const f64,
    wanted_mps2: *const [f64; 2],
    count: usize,
    acceleration_mps2: *mut [f64; 2],
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    unsafe {
        answer(agent, acceleration_mps2, |agent| {
            let weights = many(weights, count, MAX_BLENDED, "weights")?;
            let wanted = many(wanted_mps2, count, MAX_BLENDED, "wanted_mps2")?;
            let mut list = List { items: [(0.0, [0.0; 2]); MAX_BLENDED], count: 0 };
            weights.iter().zip(wanted).for_each(|(weight, wanted)| list.push((*weight, *wanted)));
            Ok(behaviours::blend_weighted(agent, list.as_slice()))
        })
    }
}

/// See the header.
///
/// # Safety
/// `agent` is null or refers to an agent, `wanted_mps2` to `count` pairs, `acceleration_mps2` to memory
/// for two numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_blend_by_priority(
    agent: *const RacelineAgent,
    wanted_mps2: *const [f64; 2],
    count: usize,
    acceleration_mps2: *mut [f64; 2],
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    unsafe {
        answer(agent, acceleration_mps2, |agent| {
            Ok(behaviours::blend_by_priority(agent, many(wanted_mps2, count, MAX_BLENDED, "wanted_mps2")?))
        })
    }
}

/// See the header.
///
/// # Safety
/// `from_m` is null or refers to two numbers, `other` to a body, `time_s` to memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_interception_time_s(
    from_m: *const [f64; 2],
    speed_mps: f64,
    other: *const RacelineBody,
    time_s: *mut f64,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| -> Outcome {
        unsafe {
            checked(time_s, "time_s")?;
            let time =
                behaviours::interception_time_s(*shared(from_m, "from_m")?, speed_mps, &read(other, "other")?.into());
            put(time_s, time.unwrap_or(f64::NAN), "time_s")
        }
    })
}
