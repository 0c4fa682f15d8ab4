//! The dynamic bicycle: a rigid body in the plane on two axles, each one brush tyre.
//!
//! With the velocity (u, v) of the centre of gravity along and across the body, yaw rate r, steering angle δ, and distances a and b from
//! the centre of gravity to the axles, a + b = L:
//!
//! ```text
//! slip angles       α_f = δ - atan((v + a r) / u)          α_r = -atan((v - b r) / u)
//! axle limits       X_i = m_i A_x(u²)      Y_i = (1 + reserve_i) m_i A_y(u²)      m_f = m b / L,  m_r = m a / L
//! axle forces       (x_i / X_i, y_i / Y_i) = (asked for / X_i, share(α_i)), brought inside |·|^p + |·|^p ≤ 1
//! m (u' - v r)      = x_f cos δ - y_f sin δ + x_r - resistance
//! m (v' + u r)      = y_f cos δ + x_f sin δ + y_r
//! I r'              = a (y_f cos δ + x_f sin δ) - b y_r    I = index · m a b
//! ```
//!
//! A_x, A_y, the drive limit, the resistance and p are those of [`GgDiagram`], the very limits that a line's speed profile is made with;
//! downforce is in them. m_i is the static share of the mass: there is no load transfer, as there is none in the point mass, and braking
//! and drive are spread over the axles in the same shares. So both tyres reach their ellipse at once, and the bicycle can do what the
//! point mass can, as far as its inertia in yaw lets it.
//!
//! Below a speed the slip angles lose their meaning and the equations become stiff. There, lateral velocity and yaw rate follow a bicycle
//! that rolls without slip, r = u tan δ / L and v = b r, and between two speeds the rates of both are mixed, as in Kabzan et al., *AMZ
//! Driverless: the full autonomous racing system*, Journal of Field Robotics 37 (2020), section 6. Deviation: the rolling
//! bicycle's values are approached with a time constant instead of differentiated, so that nothing drifts. In reverse it is the rolling
//! bicycle alone.
//!
//! Sources: Rajamani, *Vehicle Dynamics and Control* (2nd ed., 2012), chapters 2 and 4; Milliken and Milliken, *Race Car Vehicle
//! Dynamics* (1995), chapter 5, where the closed forms of the tests are.

use super::actuators::Controls;
use super::error::DriveError;
use super::options::BicycleOptions;
use super::tyre::{BrushTyre, inside_ellipse};
use crate::geometry::{Point, Vector, left_of};
use crate::vehicle::{GgDiagram, Vehicle};

/// The lateral motion takes so long, s, to become that of a rolling bicycle where it is slow.
const ROLLING_TIME_S: f64 = 0.02;

/// Where the bicycle is and how it moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BicycleState {
    /// Centre of gravity, m to the right.
    pub x_m: f64,
    /// Centre of gravity, m up.
    pub y_m: f64,
    /// Direction of the body, rad counter-clockwise from +x, not wrapped.
    pub heading_rad: f64,
    /// Velocity along the body, m/s, negative in reverse.
    pub forward_mps: f64,
    /// Velocity across the body, m/s, positive to the left.
    pub leftward_mps: f64,
    /// Yaw rate, rad/s, counter-clockwise.
    pub yaw_rate_radps: f64,
    /// Angle of the front wheel, rad, positive to the left.
    pub steering_rad: f64,
}

impl BicycleState {
    /// Centre of gravity, m.
    pub fn position(&self) -> Point {
        Point::new(self.x_m, self.y_m)
    }

    /// A unit vector along the body.
    pub fn forward(&self) -> Vector {
        Vector::new(self.heading_rad.cos(), self.heading_rad.sin())
    }

    /// Velocity in the world, m/s.
    pub fn velocity(&self) -> Vector {
        let forward = self.forward();
        forward * self.forward_mps + left_of(forward) * self.leftward_mps
    }

    /// The state after `h` seconds at `rate`.
    fn after(&self, h: f64, rate: &Rate) -> Self {
        Self {
            x_m: self.x_m + h * rate[0],
            y_m: self.y_m + h * rate[1],
            heading_rad: self.heading_rad + h * rate[2],
            forward_mps: self.forward_mps + h * rate[3],
            leftward_mps: self.leftward_mps + h * rate[4],
            yaw_rate_radps: self.yaw_rate_radps + h * rate[5],
            steering_rad: self.steering_rad,
        }
    }
}

/// Time derivatives of a state's fields in their order, but for the steering.
type Rate = [f64; 6];

/// What the bicycle's tyres do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forces {
    /// Longitudinal and lateral force at the front wheel, N, in its own direction.
    pub front_n: [f64; 2],
    /// The same at the rear.
    pub rear_n: [f64; 2],
    /// Slip angles, front and rear, rad.
    pub slip_rad: [f64; 2],
}

/// The vehicle, compiled for integration.
#[derive(Clone, Debug)]
pub struct Bicycle {
    diagram: GgDiagram,
    mass: f64,
    /// Distances from the centre of gravity to the front and the rear axle.
    to_front: f64,
    to_rear: f64,
    yaw_inertia: f64,
    tyres: [BrushTyre; 2],
    /// 1 + the reserve of each axle.
    lateral_factors: [f64; 2],
    max_steering: f64,
    max_speed: f64,
    options: BicycleOptions,
}

impl Bicycle {
    /// Validates `vehicle` and `options` and compiles them.
    ///
    /// # Errors
    /// Those of [`Vehicle::validate`], and [`DriveError::Option`] for an option out of its range.
    pub fn new(vehicle: &Vehicle, options: &BicycleOptions) -> Result<Self, DriveError> {
        let diagram = GgDiagram::new(vehicle)?;
        options.validate()?;
        let to_front = (1.0 - options.front_weight_share) * vehicle.wheelbase_m;
        let to_rear = options.front_weight_share * vehicle.wheelbase_m;
        Ok(Self {
            diagram,
            mass: vehicle.mass_kg,
            to_front,
            to_rear,
            yaw_inertia: options.yaw_inertia_index * vehicle.mass_kg * to_front * to_rear,
            tyres: [BrushTyre::new(options.front_peak_slip_rad), BrushTyre::new(options.rear_peak_slip_rad)],
            lateral_factors: [1.0 + options.front_grip_reserve, 1.0 + options.rear_grip_reserve],
            max_steering: (vehicle.wheelbase_m * vehicle.max_curvature_radpm).atan() + options.front_peak_slip_rad,
            max_speed: vehicle.max_speed_mps,
            options: *options,
        })
    }

    /// Distance from the centre of gravity to the rear axle, m.
    pub fn to_rear_m(&self) -> f64 {
        self.to_rear
    }

    /// The largest steering angle, rad: that of the vehicle's largest curvature when rolling, and the front tyre's slip angle at its peak,
    /// so that this curvature is reached at the limit too.
    pub fn max_steering_rad(&self) -> f64 {
        self.max_steering
    }

    /// The limits of the vehicle.
    pub fn diagram(&self) -> &GgDiagram {
        &self.diagram
    }

    /// Understeer gradient at low lateral acceleration and speed, rad per m/s²: `m_f / C_f - m_r / C_r`.
    pub fn understeer_gradient(&self) -> f64 {
        let limit = self.diagram.lateral_limit(0.0);
        let compliance = |i: usize| 1.0 / (self.tyres[i].stiffness() * self.lateral_factors[i] * limit);
        compliance(0) - compliance(1)
    }

    /// Moves `state` on by `step_s` under constant controls: the steering at its rate, then one step of the fourth-order Runge-Kutta method.
    pub fn advance(&self, state: &mut BicycleState, controls: &Controls, step_s: f64) {
        let wanted = controls.steering_rad.clamp(-self.max_steering, self.max_steering);
        let reach = self.options.steering_rate_radps * step_s;
        state.steering_rad += (wanted - state.steering_rad).clamp(-reach, reach);
        let before = *state;
        let h = step_s;
        let k1 = self.rate(&before, controls);
        let k2 = self.rate(&before.after(h / 2.0, &k1), controls);
        let k3 = self.rate(&before.after(h / 2.0, &k2), controls);
        let k4 = self.rate(&before.after(h, &k3), controls);
        let mean: Rate = std::array::from_fn(|i| (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]) / 6.0);
        *state = before.after(h, &mean);
        // Brakes and resistance bring it to rest and no further; only a drive against the motion goes through it.
        let direction = if controls.reverse { -1.0 } else { 1.0 };
        let driven_back = controls.pedal * direction * before.forward_mps < 0.0 && controls.pedal > 0.0;
        if !driven_back && before.forward_mps * (before.forward_mps + h * k1[3]) < 0.0 {
            state.forward_mps = 0.0;
        }
    }

    /// What the tyres do in `state` under `controls`.
    pub fn forces(&self, state: &BicycleState, controls: &Controls) -> Forces {
        let u = state.forward_mps;
        let w = u * u;
        let slip_of = |distance: f64| {
            let across = state.leftward_mps + distance * state.yaw_rate_radps;
            if u > 0.0 { across.atan2(u) } else { 0.0 }
        };
        let slips = [state.steering_rad - slip_of(self.to_front), -slip_of(-self.to_rear)];
        let asked = self.longitudinal_share(u, controls);
        let (longitudinal, lateral) = (self.diagram.longitudinal_limit_jet(w).value, self.diagram.lateral_limit(w));
        let wheelbase = self.to_front + self.to_rear;
        let masses = [self.mass * self.to_rear / wheelbase, self.mass * self.to_front / wheelbase];
        let axle = |i: usize| {
            let (x, y) = inside_ellipse(asked, self.tyres[i].share(slips[i]), self.diagram.exponent());
            [x * masses[i] * longitudinal, y * masses[i] * lateral * self.lateral_factors[i]]
        };
        Forces { front_n: axle(0), rear_n: axle(1), slip_rad: slips }
    }

    /// What the pedal asks of the tyres, as a share of their longitudinal limit; positive is forwards.
    fn longitudinal_share(&self, u: f64, controls: &Controls) -> f64 {
        let pedal = controls.pedal.clamp(-1.0, 1.0);
        if pedal < 0.0 {
            return if u == 0.0 { 0.0 } else { pedal.abs() * -u.signum() };
        }
        let direction = if controls.reverse { -1.0 } else { 1.0 };
        if u * direction >= self.max_speed {
            return 0.0;
        }
        let w = u * u;
        direction * pedal * self.diagram.drive_jet(w).value / self.diagram.longitudinal_limit_jet(w).value
    }

    fn rate(&self, state: &BicycleState, controls: &Controls) -> Rate {
        let (u, v, r) = (state.forward_mps, state.leftward_mps, state.yaw_rate_radps);
        let BicycleOptions { rolling_below_mps, sliding_above_mps, .. } = self.options;
        let sliding = ((u - rolling_below_mps) / (sliding_above_mps - rolling_below_mps)).clamp(0.0, 1.0);
        let rolling = 1.0 - sliding;
        let (sin, cos) = state.steering_rad.sin_cos();
        let Forces { front_n: [xf, yf], rear_n: [xr, yr], .. } = self.forces(state, controls);
        let resistance = if u == 0.0 { 0.0 } else { self.diagram.resistance(u * u) * u.signum() };
        // What the front wheel does along and across the body; on a rolling bicycle its lateral force does no work.
        let front_along = xf * cos - sliding * yf * sin;
        let front_across = yf * cos + xf * sin;
        let rolling_yaw = u * state.steering_rad.tan() / (self.to_front + self.to_rear);
        let (heading_sin, heading_cos) = state.heading_rad.sin_cos();
        let slide = [
            (front_across + yr) / self.mass - u * r,
            (self.to_front * front_across - self.to_rear * yr) / self.yaw_inertia,
        ];
        let roll = [(self.to_rear * rolling_yaw - v) / ROLLING_TIME_S, (rolling_yaw - r) / ROLLING_TIME_S];
        [
            u * heading_cos - v * heading_sin,
            u * heading_sin + v * heading_cos,
            r,
            (front_along + xr) / self.mass - resistance + sliding * v * r,
            sliding * slide[0] + rolling * roll[0],
            sliding * slide[1] + rolling * roll[1],
        ]
    }
}
