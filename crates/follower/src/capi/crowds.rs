//! Crowds of agents: the grid of their neighbours, and flocks.

use super::behaviour_structs::{RacelineAgent, RacelineFlock};
use super::calls::{Fault, Outcome, RacelineStatus, checked, exclusive, free, guarded, put};
use super::scene::RacelineBody;
use super::sized::{each, read_or_default, replace_each};
use crate::behaviours::{Agent, Body, Flock, NeighbourGrid};

/// Largest number of agents in a grid.
pub const MAX_AGENTS: usize = 1 << 24;

/// A [`NeighbourGrid`], and memory for what a call passes to it.
pub struct RacelineNeighbourGrid {
    grid: NeighbourGrid,
    agents: Vec<Agent>,
    bodies: Vec<Body>,
}

fn bounded(count: usize, name: &str) -> Outcome {
    if count > MAX_AGENTS {
        return Err(Fault(RacelineStatus::Value, format!("{name} is {count}, but must be at most {MAX_AGENTS}")));
    }
    Ok(())
}

/// See the header.
///
/// # Safety
/// `grid` is null or refers to memory for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_neighbour_grid_new(
    capacity: usize,
    reach_m: f64,
    grid: *mut *mut RacelineNeighbourGrid,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        put(grid, std::ptr::null_mut(), "grid")?;
        bounded(capacity, "capacity")?;
        if !(reach_m > 0.0 && reach_m.is_finite()) {
            return Err(Fault(RacelineStatus::Value, format!("reach_m is {reach_m}, but must be above 0")));
        }
        let made = RacelineNeighbourGrid {
            grid: NeighbourGrid::new(capacity, reach_m),
            agents: Vec::with_capacity(capacity),
            bodies: Vec::with_capacity(capacity),
        };
        put(grid, Box::into_raw(Box::new(made)), "grid")
    })
}

/// See the header.
///
/// # Safety
/// `grid` is a grid or null, `bodies` is null or refers to `count` entries.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_neighbour_grid_rebuild(
    grid: *mut RacelineNeighbourGrid,
    bodies: *const RacelineBody,
    count: usize,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        let RacelineNeighbourGrid { grid, bodies: seen, .. } = exclusive(grid, "grid")?;
        bounded(count, "count")?;
        seen.clear();
        each(bodies, count, count, "bodies", |body: RacelineBody| seen.push(body.into()))?;
        grid.rebuild(seen);
        Ok(())
    })
}

/// See the header.
///
/// # Safety
/// `grid` is a grid or null, `bodies` is null or refers to writable memory for `capacity` entries of the size
/// that the first one states, `count` is null or refers to memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_neighbour_grid_others(
    grid: *mut RacelineNeighbourGrid,
    number: usize,
    radius_m: f64,
    bodies: *mut RacelineBody,
    capacity: usize,
    count: *mut usize,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        checked(count, "count")?;
        let RacelineNeighbourGrid { grid, bodies: found, .. } = exclusive(grid, "grid")?;
        // No more than there are can be found.
        found.resize(grid.numbers().count().min(capacity), Body::default());
        let others = grid.others(number, radius_m, found);
        let make = |index: usize, before| others.get(index).map_or(before, |&body| body.into());
        replace_each(bodies, others.len(), "bodies", make)?;
        put(count, others.len(), "count")
    })
}

/// See the header.
///
/// # Safety
/// `flock` is null or refers to its struct, `grid` is a grid or null, `agents` is null or refers to `count`
/// entries, `accelerations_mps2` is null or refers to memory for `count` pairs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_flock_accelerations(
    flock: *const RacelineFlock,
    grid: *mut RacelineNeighbourGrid,
    agents: *const RacelineAgent,
    count: usize,
    accelerations_mps2: *mut [f64; 2],
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        let (flock, RacelineNeighbourGrid { grid, agents: seen, .. }) = with_agents(flock, grid, agents, count)?;
        if count > 0 {
            checked(accelerations_mps2, "accelerations_mps2")?;
        }
        for (number, wanted) in flock.accelerations(seen, grid).iter().enumerate() {
            accelerations_mps2.add(number).write(*wanted);
        }
        Ok(())
    })
}

/// See the header.
///
/// # Safety
/// `flock` is null or refers to its struct, `grid` is a grid or null, `agents` is null or refers to `count`
/// writable entries.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_flock_step(
    flock: *const RacelineFlock,
    grid: *mut RacelineNeighbourGrid,
    agents: *mut RacelineAgent,
    count: usize,
    dt_s: f64,
) -> RacelineStatus {
    // SAFETY: the caller's promises.
    guarded(|| unsafe {
        let (flock, RacelineNeighbourGrid { grid, agents: moved, .. }) = with_agents(flock, grid, agents, count)?;
        flock.step(moved, grid, dt_s);
        let make = |number: usize, before: RacelineAgent| moved.get(number).map_or(before, |agent| before.moved(agent));
        replace_each(agents, count, "agents", make)
    })
}

/// The flock, and the grid with the agents.
///
/// # Safety
/// As for [`raceline_flock_accelerations`].
unsafe fn with_agents<'a>(
    flock: *const RacelineFlock,
    grid: *mut RacelineNeighbourGrid,
    agents: *const RacelineAgent,
    count: usize,
) -> Result<(Flock, &'a mut RacelineNeighbourGrid), Fault> {
    // SAFETY: the function's own condition.
    unsafe {
        let flock = read_or_default(flock, "flock")?.into();
        let grid = exclusive(grid, "grid")?;
        bounded(count, "count")?;
        grid.agents.clear();
        each(agents, count, count, "agents", |agent: RacelineAgent| grid.agents.push(agent.into()))?;
        Ok((flock, grid))
    }
}

/// See the header.
///
/// # Safety
/// `grid` is a grid or null, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn raceline_neighbour_grid_free(grid: *mut RacelineNeighbourGrid) {
    // SAFETY: the caller's promise.
    unsafe { free(grid) };
}
