//! The state of the simulation and its time derivative.

use raceline_numerics::math;

/// Position and motion of a vehicle. Default: at rest in the origin, facing +x.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BicycleState {
    /// Centre of gravity, m to the right.
    pub x_m: f64,
    /// Centre of gravity, m up.
    pub y_m: f64,
    /// Direction of the body, rad counter-clockwise from +x, not wrapped.
    pub heading_rad: f64,
    /// u, velocity along the body, m/s, negative in reverse.
    pub forward_mps: f64,
    /// v, velocity across the body, m/s, positive to the left.
    pub leftward_mps: f64,
    /// r, yaw rate, rad/s, counter-clockwise.
    pub yaw_rate_radps: f64,
    /// δ, angle of the front wheel, rad, positive to the left.
    pub steering_rad: f64,
}

/// Time derivatives of a state's fields in their order, without that of the steering.
pub(crate) type Rate = [f64; 6];

impl BicycleState {
    /// Centre of gravity in the world, m.
    #[must_use]
    pub fn position_m(&self) -> [f64; 2] {
        [self.x_m, self.y_m]
    }

    /// Unit vector along the body, in the world.
    #[must_use]
    pub fn forward(&self) -> [f64; 2] {
        [math::cos(self.heading_rad), math::sin(self.heading_rad)]
    }

    /// Velocity of the centre of gravity in the world, m/s.
    #[must_use]
    pub fn velocity_mps(&self) -> [f64; 2] {
        let [x, y] = self.forward();
        [x * self.forward_mps + -y * self.leftward_mps, y * self.forward_mps + x * self.leftward_mps]
    }

    /// Speed of the centre of gravity, m/s, at least 0.
    #[must_use]
    pub fn speed_mps(&self) -> f64 {
        let [x, y] = self.velocity_mps();
        (x * x + y * y).sqrt()
    }

    /// The state after `step_s` seconds at a constant `rate`.
    pub(crate) fn after(&self, step_s: f64, rate: &Rate) -> Self {
        Self {
            x_m: self.x_m + step_s * rate[0],
            y_m: self.y_m + step_s * rate[1],
            heading_rad: self.heading_rad + step_s * rate[2],
            forward_mps: self.forward_mps + step_s * rate[3],
            leftward_mps: self.leftward_mps + step_s * rate[4],
            yaw_rate_radps: self.yaw_rate_radps + step_s * rate[5],
            steering_rad: self.steering_rad,
        }
    }
}
