//! The structs of the steering behaviours.

use super::sized::sized;
use crate::behaviours::{
    Agent, AvoidanceOptions, Body, Flock, FlockRule, LeaderOptions, Neighbourhood, PathFollowingOptions, WallOptions,
    WanderOptions,
};

sized! {
    /// [`Agent`], its body inline.
    RacelineAgent {
        /// Always 0.
        reserved: u32 = 0,
        /// Metres.
        position_m: [f64; 2] = [0.0; 2],
        /// m/s.
        velocity_mps: [f64; 2] = [0.0; 2],
        /// Metres.
        radius_m: f64 = Agent::default().body.radius_m,
        /// Radians.
        heading_rad: f64 = Agent::default().heading_rad,
        /// m/s.
        max_speed_mps: f64 = Agent::default().max_speed_mps,
        /// m/s².
        max_acceleration_mps2: f64 = Agent::default().max_acceleration_mps2,
        /// Seconds.
        response_s: f64 = Agent::default().response_s,
    }
}

impl RacelineAgent {
    /// The agent at the place to which `to` has moved, with its other values.
    pub(super) fn moved(self, to: &Agent) -> Self {
        let Body { position_m, velocity_mps, .. } = to.body;
        Self { position_m, velocity_mps, heading_rad: to.heading_rad, ..self }
    }
}

impl From<RacelineAgent> for Agent {
    fn from(agent: RacelineAgent) -> Self {
        Self {
            body: Body { position_m: agent.position_m, velocity_mps: agent.velocity_mps, radius_m: agent.radius_m },
            heading_rad: agent.heading_rad,
            max_speed_mps: agent.max_speed_mps,
            max_acceleration_mps2: agent.max_acceleration_mps2,
            response_s: agent.response_s,
        }
    }
}

sized! {
    /// [`AvoidanceOptions`].
    RacelineAvoidanceOptions {
        /// Always 0.
        reserved: u32 = 0,
        /// Seconds.
        horizon_s: f64 = AvoidanceOptions::default().horizon_s,
        /// Metres.
        gap_m: f64 = AvoidanceOptions::default().gap_m,
    }
}

sized! {
    /// [`Neighbourhood`].
    RacelineNeighbourhood {
        /// Always 0.
        reserved: u32 = 0,
        /// Metres.
        radius_m: f64 = Neighbourhood::default().radius_m,
        /// Radians.
        view_rad: f64 = Neighbourhood::default().view_rad,
    }
}

sized! {
    /// [`Flock`], its rules inline.
    RacelineFlock {
        /// Always 0.
        reserved: u32 = 0,
        /// Factor.
        separation_weight: f64 = Flock::default().separation.weight,
        /// Metres.
        separation_radius_m: f64 = Flock::default().separation.neighbourhood.radius_m,
        /// Radians.
        separation_view_rad: f64 = Flock::default().separation.neighbourhood.view_rad,
        /// Factor.
        cohesion_weight: f64 = Flock::default().cohesion.weight,
        /// Metres.
        cohesion_radius_m: f64 = Flock::default().cohesion.neighbourhood.radius_m,
        /// Radians.
        cohesion_view_rad: f64 = Flock::default().cohesion.neighbourhood.view_rad,
        /// Factor.
        alignment_weight: f64 = Flock::default().alignment.weight,
        /// Metres.
        alignment_radius_m: f64 = Flock::default().alignment.neighbourhood.radius_m,
        /// Radians.
        alignment_view_rad: f64 = Flock::default().alignment.neighbourhood.view_rad,
    }
}

impl From<RacelineFlock> for Flock {
    fn from(flock: RacelineFlock) -> Self {
        let rule =
            |weight, radius_m, view_rad| FlockRule { weight, neighbourhood: Neighbourhood { radius_m, view_rad } };
        Self {
            separation: rule(flock.separation_weight, flock.separation_radius_m, flock.separation_view_rad),
            cohesion: rule(flock.cohesion_weight, flock.cohesion_radius_m, flock.cohesion_view_rad),
            alignment: rule(flock.alignment_weight, flock.alignment_radius_m, flock.alignment_view_rad),
        }
    }
}

sized! {
    /// [`WallOptions`].
    RacelineWallOptions {
        /// Always 0.
        reserved: u32 = 0,
        /// Metres.
        distance_m: f64 = WallOptions::default().distance_m,
        /// Seconds.
        prediction_s: f64 = WallOptions::default().prediction_s,
    }
}

impl From<RacelineWallOptions> for WallOptions {
    fn from(RacelineWallOptions { distance_m, prediction_s, .. }: RacelineWallOptions) -> Self {
        Self { distance_m, prediction_s }
    }
}

sized! {
    /// [`LeaderOptions`], its neighbourhood inline.
    RacelineLeaderOptions {
        /// Always 0.
        reserved: u32 = 0,
        /// Metres.
        behind_m: f64 = LeaderOptions::default().behind_m,
        /// Metres.
        clear_m: f64 = LeaderOptions::default().clear_m,
        /// Seconds.
        clear_s: f64 = LeaderOptions::default().clear_s,
        /// Metres.
        slowing_m: f64 = LeaderOptions::default().slowing_m,
        /// Metres.
        separation_radius_m: f64 = LeaderOptions::default().separation.radius_m,
        /// Radians.
        separation_view_rad: f64 = LeaderOptions::default().separation.view_rad,
    }
}

sized! {
    /// [`PathFollowingOptions`].
    RacelinePathFollowingOptions {
        /// Always 0.
        reserved: u32 = 0,
        /// Seconds.
        prediction_s: f64 = PathFollowingOptions::default().prediction_s,
        /// Metres.
        tube_m: f64 = PathFollowingOptions::default().tube_m,
        /// Metres.
        ahead_m: f64 = PathFollowingOptions::default().ahead_m,
    }
}

sized! {
    /// [`FlowField`](crate::behaviours::FlowField).
    RacelineFlowField {
        /// Cells in a row, above 0.
        columns: u32 = 0,
        /// Metres.
        origin_m: [f64; 2] = [0.0; 2],
        /// Metres.
        cell_m: f64 = 1.0,
        /// x and y of each cell, m/s.
        velocities_mps: *const [f32; 2] = std::ptr::null(),
        /// Number of cells.
        cell_count: usize = 0,
    }
}

sized! {
    /// [`WanderOptions`].
    RacelineWanderOptions {
        /// Always 0.
        reserved: u32 = 0,
        /// Metres.
        radius_m: f64 = WanderOptions::default().radius_m,
        /// Metres.
        distance_m: f64 = WanderOptions::default().distance_m,
        /// Radians.
        rate_rad: f64 = WanderOptions::default().rate_rad,
        /// m/s.
        speed_mps: f64 = WanderOptions::default().speed_mps,
        /// Any number.
        seed: u64 = WanderOptions::default().seed,
    }
}

impl From<RacelineAvoidanceOptions> for AvoidanceOptions {
    fn from(RacelineAvoidanceOptions { horizon_s, gap_m, .. }: RacelineAvoidanceOptions) -> Self {
        Self { horizon_s, gap_m }
    }
}

impl From<RacelineNeighbourhood> for Neighbourhood {
    fn from(RacelineNeighbourhood { radius_m, view_rad, .. }: RacelineNeighbourhood) -> Self {
        Self { radius_m, view_rad }
    }
}
