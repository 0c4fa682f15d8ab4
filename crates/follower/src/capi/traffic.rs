//! Driving among other vehicles.

use super::calls::{checked, exclusive, guarded, many, put, shared};
use super::types::{RlfCommand, RlfNeighbour, RlfStatus, RlfVehicleState};
use crate::follower::Follower;
use crate::path::Path;
use crate::scene::Scene;
use crate::traffic::{MAX_NEIGHBOURS, Neighbour};

/// Largest accepted number of neighbours.
const MOST_NEIGHBOURS: usize = 1 << 20;

/// See the header.
///
/// # Safety
/// `follower` is a follower or null, `path` is a path or null, `state` refers to a state,
/// `neighbours` to `count` neighbours, `command` to memory for a command.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_follower_step_in_traffic(
    follower: *mut Follower,
    path: *const Path,
    state: *const RlfVehicleState,
    neighbours: *const RlfNeighbour,
    count: usize,
    dt_s: f64,
    command: *mut RlfCommand,
) -> RlfStatus {
    guarded(|| {
        checked(command, "command")?;
        // SAFETY: the caller's promises.
        unsafe {
            let given = many(neighbours, count, MOST_NEIGHBOURS, "neighbours")?;
            let nobody = Neighbour {
                position_m: [f64::NAN; 3],
                velocity_mps: [0.0; 3],
                heading_rad: 0.0,
                length_m: 0.0,
                width_m: 0.0,
            };
            let mut seen = [nobody; MAX_NEIGHBOURS];
            let count = count.min(MAX_NEIGHBOURS);
            for (to, from) in seen.iter_mut().zip(given) {
                *to = (*from).into();
            }
            let state = (*shared(state, "state")?).into();
            let path = shared(path, "path")?;
            let step = exclusive(follower, "follower")?.step(
                path,
                &state,
                &Scene::EMPTY.with_neighbours(&seen[..count]),
                dt_s,
            );
            put(command, RlfCommand::from(&step), "command")
        }
    })
}

/// See the header.
///
/// # Safety
/// `follower` is a follower or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rlf_follower_is_avoiding(follower: *const Follower) -> i32 {
    let mut avoiding = 0;
    guarded(|| {
        // SAFETY: the caller's promise.
        avoiding = i32::from(unsafe { shared(follower, "follower")? }.is_avoiding());
        Ok(())
    });
    avoiding
}
