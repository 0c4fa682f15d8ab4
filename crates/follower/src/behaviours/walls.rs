//! Wall following.

use super::agent::Agent;
use super::targets::seek;
use super::vector::{Vector, ZERO, add, dot, finite, scale, subtract, unit};
use crate::geometry::segment_distance_squared;

/// Options of [`follow_wall`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallOptions {
    /// Distance to keep from the wall, metres, 0 or more; default 2.
    pub distance_m: f64,
    /// Time ahead at which the position is predicted, seconds, above 0; default 0.5.
    pub prediction_s: f64,
}

impl Default for WallOptions {
    fn default() -> Self {
        Self { distance_m: 2.0, prediction_s: 0.5 }
    }
}

/// Along a wall at a distance (section "Wall Following"): the predicted position is projected onto the
/// nearest wall, and the point at the distance from there, on the agent's side, is sought. `walls` are
/// straight pieces from one point to another, metres. `[0.0, 0.0]` without walls.
///
/// ```
/// use raceline_follower::behaviours::{Agent, WallOptions, follow_wall};
///
/// let wall = [[[-50.0, 0.0], [50.0, 0.0]]];
/// let mut agent = Agent::default();
/// agent.body.position_m = [0.0, 6.0];
/// agent.body.velocity_mps = [5.0, 0.0];
/// // Too far away: towards the wall.
/// assert!(follow_wall(&agent, &wall, &WallOptions::default())[1] < 0.0);
/// ```
#[must_use]
pub fn follow_wall(agent: &Agent, walls: &[[[f64; 2]; 2]], options: &WallOptions) -> [f64; 2] {
    let predicted = add(agent.body.position_m, scale(agent.body.velocity_mps, options.prediction_s));
    let flat = |[x, y]: Vector| [x, y, 0.0];
    let nearest = walls
        .iter()
        .map(|&[from, to]| {
            let (squared, fraction) = segment_distance_squared(flat(predicted), flat(from), flat(to));
            (squared, add(from, scale(subtract(to, from), fraction)))
        })
        .filter(|(squared, _)| squared.is_finite())
        .min_by(|a, b| a.0.total_cmp(&b.0));
    let Some((_, at)) = nearest else { return ZERO };
    // From the wall to where the agent is; the prediction may already be behind it.
    let away = unit(finite(subtract(agent.body.position_m, at)));
    let across = subtract(predicted, at);
    let side = if dot(across, away) > 0.0 { unit(across) } else { away };
    seek(agent, add(at, scale(side, options.distance_m)))
}
