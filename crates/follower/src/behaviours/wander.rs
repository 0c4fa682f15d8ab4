//! Wander: a random walk of the direction.

use raceline_numerics::{SplitMix64, math};

use super::agent::Agent;
use super::vector::{add, left_of, scale, unit};

/// Options of [`Wander`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WanderOptions {
    /// Radius of the circle on which the target walks, metres, above 0; default 3.
    pub radius_m: f64,
    /// Distance of its middle ahead of the agent, metres, above 0; default 5. The direction that is
    /// wanted stays within asin(radius / distance) of the agent's.
    pub distance_m: f64,
    /// How fast the target walks round: standard deviation of its angle after one second, radians,
    /// 0 or more; default 2.
    pub rate_rad: f64,
    /// Speed, m/s, 0 or more; default 5.
    pub speed_mps: f64,
    /// Seed of the random numbers: equal seeds give equal walks; default 0.
    pub seed: u64,
}

impl Default for WanderOptions {
    fn default() -> Self {
        Self { radius_m: 3.0, distance_m: 5.0, rate_rad: 2.0, speed_mps: 5.0, seed: 0 }
    }
}

/// The walk of one agent (section "Wander").
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wander {
    options: WanderOptions,
    angle_rad: f64,
    random: SplitMix64,
}

impl Wander {
    /// A walk from straight ahead.
    #[must_use]
    pub fn new(options: WanderOptions) -> Self {
        Self { options, angle_rad: 0.0, random: SplitMix64::new(options.seed) }
    }

    /// The acceleration of this frame, which is `dt_s` seconds long: the target on the circle moves
    /// on by a random angle, whose deviation grows with √`dt_s`, so that frames of any length give
    /// walks of the same kind.
    pub fn step(&mut self, agent: &Agent, dt_s: f64) -> [f64; 2] {
        let options = self.options;
        // A uniform number in ±√3 has the deviation 1.
        let random = 3.0_f64.sqrt() * (2.0 * self.random.uniform() - 1.0);
        let angle = self.angle_rad + random * options.rate_rad * dt_s.max(0.0).sqrt();
        self.angle_rad = if angle.is_finite() { angle % std::f64::consts::TAU } else { 0.0 };
        let (sin, cos) = math::sin_cos(self.angle_rad);
        let forward = agent.forward();
        let ahead = scale(forward, options.distance_m + options.radius_m * cos);
        let target = add(ahead, scale(left_of(forward), options.radius_m * sin));
        agent.towards_velocity(scale(unit(target), options.speed_mps))
    }
}
