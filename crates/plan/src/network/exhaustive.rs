//! All routes of up to a given number of pieces.

use std::collections::VecDeque;

use super::NetworkError;
use super::search::Stops;
use super::timing::{Directed, Steps, back, head};

/// Maximum number of partial paths.
const MAX_ROUTES: usize = 3_000_000;

/// Every route of at most `depth` pieces from the first stop through all vias to the last that
/// drives no street twice, as directed pieces in a fixed order.
///
/// # Errors
/// [`NetworkError::TooManyRoutes`].
pub(super) fn all_routes(steps: &Steps, stops: &Stops, depth: u32) -> Result<Vec<Vec<Directed>>, NetworkError> {
    let hops = hops_to(steps, stops.to);
    let mut paths = Vec::new();
    let mut count = 0;
    // Each entry: a directed piece, the vias visited, the number of pieces before it.
    let mut pending: Vec<(Directed, u32, usize)> = Vec::new();
    let mut path: Vec<Directed> = Vec::new();
    let at_start = stops.visited(0, stops.from);
    for &first in steps.outgoing[stops.from].iter().rev() {
        pending.push((first, stops.visited(at_start, head(steps.network, first)), 0));
    }
    while let Some((directed, visited, before)) = pending.pop() {
        path.truncate(before);
        path.push(directed);
        count += 1;
        if count > MAX_ROUTES {
            return Err(NetworkError::TooManyRoutes { limit: MAX_ROUTES, depth });
        }
        let node = head(steps.network, directed);
        if node == stops.to && stops.is_complete(visited) && !(stops.closed && path[0] == back(directed)) {
            paths.push(path.clone());
        }
        for &next in steps.outgoing[node].iter().rev() {
            let is_new = !path.iter().any(|&driven| driven / 2 == next / 2);
            let after = head(steps.network, next);
            // What cannot reach the end within the depth is no path.
            if is_new && path.len() + 1 + hops[after] <= depth as usize {
                pending.push((next, stops.visited(visited, after), path.len()));
            }
        }
    }
    Ok(paths)
}

/// Minimum number of pieces from each node to `to`.
fn hops_to(steps: &Steps, to: usize) -> Vec<usize> {
    let mut towards = vec![Vec::new(); steps.outgoing.len()];
    for (node, out) in steps.outgoing.iter().enumerate() {
        for &directed in out {
            towards[head(steps.network, directed)].push(node);
        }
    }
    // Half of the largest number, so that sums don't overflow.
    let mut hops = vec![usize::MAX / 2; towards.len()];
    hops[to] = 0;
    let mut open = VecDeque::from([to]);
    while let Some(node) = open.pop_front() {
        for &before in &towards[node] {
            if hops[before] > hops[node] + 1 {
                hops[before] = hops[node] + 1;
                open.push_back(before);
            }
        }
    }
    hops
}
