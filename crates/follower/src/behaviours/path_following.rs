//! Path following for agents.

use super::agent::Agent;
use super::targets::seek;
use super::vector::{ZERO, add, finite, scale};
use crate::nearest_point::near;
use crate::path::Path;
use raceline_numerics::math;

/// Options of [`follow_path`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathFollowingOptions {
    /// Time for which the position is predicted, seconds, 0 or more; default 0.5.
    pub prediction_s: f64,
    /// Radius of the tube about the path, metres, 0 or more; default 1.
    pub tube_m: f64,
    /// Distance of the point that is sought ahead of the predicted one on the path, metres, above 0;
    /// default 4.
    pub ahead_m: f64,
}

impl Default for PathFollowingOptions {
    fn default() -> Self {
        Self { prediction_s: 0.5, tube_m: 1.0, ahead_m: 4.0 }
    }
}

/// Within this time the nearest point of the path does not get further, s, nor by more than this, m.
const WINDOW_S: f64 = 0.5;
const WINDOW_M: f64 = 5.0;

/// Along a path (section "Path Following"): while the predicted position is within the tube and
/// moves on, straight on at full speed; else the path's point ahead of it is sought. `place_m` is the
/// arc length of the agent's nearest point, metres, which is kept from frame to frame; begin with
/// that of its start.
#[must_use]
pub fn follow_path(agent: &Agent, path: &Path, place_m: &mut f64, options: &PathFollowingOptions) -> [f64; 2] {
    let height = path.sample(*place_m).position_m[2];
    let in_space = |[x, y]: [f64; 2]| [x, y, height];
    let reach = WINDOW_S * agent.max_speed_mps + WINDOW_M;
    if finite(agent.body.position_m) != agent.body.position_m {
        return ZERO;
    }
    (*place_m, _) = near(path, in_space(agent.body.position_m), *place_m - reach, *place_m + reach);
    let predicted = add(agent.body.position_m, scale(agent.body.velocity_mps, options.prediction_s));
    let window = reach + options.prediction_s * agent.max_speed_mps;
    let (s, away) = near(path, in_space(predicted), *place_m - window, *place_m + window);
    let [x, y, _] = path.sample(s + options.ahead_m).position_m;
    let (sin, cos) = math::sin_cos(path.sample(s).heading_rad);
    let [vx, vy] = agent.body.velocity_mps;
    // An agent that stands or drives against the path does not follow it, however near it is.
    if away <= options.tube_m && vx * cos + vy * sin > 0.1 * agent.max_speed_mps {
        return agent.towards_velocity(scale(agent.forward(), agent.max_speed_mps));
    }
    seek(agent, [x, y])
}
