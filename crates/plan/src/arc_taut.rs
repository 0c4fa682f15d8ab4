//! A path with a turning circle pulled taut: shortest paths with the same circle between its poses,
//! as
//! `taut` does with straight lines.

use super::FreeSpace;
use super::dubins::{ArcPath, Pose, dubins, from_point, to_point};
use raceline_numerics::math;

/// Poses of the path between which shorter paths are tried in one round.
const MAX_POSES: usize = 90;
/// Number of rounds; in each, the poses lie elsewhere on the path. More shorten it further, at a
/// cost in proportion.
const ROUNDS: usize = 3;

/// The path through `pieces`, one after the other, pulled taut with turns of `radius_m`, as poses
/// half a cell apart. Where an end is free, its heading is too.
pub(super) fn pulled_taut_by_arcs(
    space: &FreeSpace,
    pieces: &[ArcPath],
    free_ends: [bool; 2],
    radius_m: f64,
) -> Vec<Pose> {
    let mut path = pieces.to_vec();
    for _ in 0..ROUNDS {
        let total: f64 = path.iter().map(ArcPath::length_m).sum();
        let step = (total / MAX_POSES as f64).max(space.frame.metres_per_pixel);
        let shorter = round(space, &poses_of(&path, step), free_ends, radius_m);
        let new_total: f64 = shorter.iter().map(ArcPath::length_m).sum();
        // The poses of a path that was cut into pieces are joined by paths no longer than the pieces.
        if shorter.is_empty() || new_total >= total {
            break;
        }
        path = shorter;
    }
    poses_of(&path, 0.5 * space.frame.metres_per_pixel)
}

/// The poses of paths, one after the other.
fn poses_of(paths: &[ArcPath], step_m: f64) -> Vec<Pose> {
    let mut poses: Vec<Pose> = Vec::new();
    for path in paths {
        poses.extend(path.poses(step_m).into_iter().skip(usize::from(!poses.is_empty())));
    }
    poses
}

/// The shortest of the paths through some of the poses; empty if rounding left none.
fn round(space: &FreeSpace, poses: &[Pose], free_ends: [bool; 2], radius_m: f64) -> Vec<ArcPath> {
    let count = poses.len();
    let mut min = vec![f64::INFINITY; count];
    let mut before: Vec<Option<(usize, ArcPath)>> = vec![None; count];
    min[0] = 0.0;
    for j in 1..count {
        for i in (0..j).rev() {
            let straight = (poses[j].at - poses[i].at).norm();
            if min[i] + straight >= min[j] {
                continue;
            }
            let is_first = i == 0 && free_ends[0];
            let is_last = j + 1 == count && free_ends[1];
            let path = match (is_first, is_last) {
                (true, true) if space.is_clear(poses[i].at, poses[j].at) => {
                    let across = poses[j].at - poses[i].at;
                    let start = Pose { at: poses[i].at, heading_rad: math::atan2(across.y, across.x) };
                    Some(ArcPath { start, pieces: vec![[0.0, straight]] })
                }
                (true, false) => from_point(poses[i].at, poses[j], radius_m),
                (false, true) => to_point(poses[i], poses[j].at, radius_m),
                _ => None,
            };
            let path = path.or_else(|| dubins(poses[i], poses[j], radius_m));
            let Some(path) = path else { continue };
            let through = min[i] + path.length_m();
            // Neighbours lie on a path that is free already.
            if through < min[j] - 1e-9 && (j == i + 1 || path.is_clear(space)) {
                (min[j], before[j]) = (through, Some((i, path)));
            }
        }
    }
    let mut path = Vec::new();
    let mut at = count - 1;
    while let Some((from, piece)) = before[at].take() {
        path.push(piece);
        at = from;
    }
    path.reverse();
    if at == 0 { path } else { Vec::new() }
}
