//! The dynamic bicycle: a rigid body in the plane on two axles, each with one brush tyre.
//!
//! Symbols: velocity (u, v) of the centre of gravity along and across the body, yaw rate r,
//! steering angle δ, distances a and b from the centre of gravity to the front and the rear axle,
//! wheelbase L = a + b, mass m, moment of inertia I.
//!
//! ```text
//! slip angles     α_f = δ - atan((v + a r) / u)     α_r = -atan((v - b r) / u)
//! axle limits     X_i = k n_i m_i A_x(u²)   Y_i = (1 + reserve_i) m_i A_y(u²) n_i / min(n_f, n_r)
//!                 m_f = m b / L             m_r = m a / L
//! loads           n_f = 1 - a_x h / (b g')  n_r = 1 + a_x h / (a g')     g' = g A_y(u²) / A_y(0)
//! axle forces     (x_i / X_i, y_i / Y_i) = (γ_i demand / X_i, f(α_i)), inside |·|^p + |·|^p ≤ 1
//! m (u' - v r)  = x_f cos δ - y_f sin δ + x_r - resistance
//! m (v' + u r)  = y_f cos δ + x_f sin δ + y_r
//! I r'          = a (y_f cos δ + x_f sin δ) - b y_r     I = index · m a b
//! ```
//!
//! A_x, A_y, p, the drive limit and the resistance are those of [`AccelerationLimits`]; f is the
//! brush tyre's force fraction. m_i is the axle's part of the mass at rest, h the height of the
//! centre of gravity and a_x the acceleration by the tyres' longitudinal forces, whose load
//! transfer acts at once: the suspension's delay is not modelled. Downforce grows with the tyres'
//! limits and presses on the axles like the weight, unless the front's fraction φ of it is given: n_f
//! is then (g + φ L D / b) / (g + D) at rest, n_r likewise, with the downforce D by the mass, and the
//! axle with the smaller load by its weight has exactly its part of the lateral limit.
//!
//! **Brakes and drive.** γ_i are the fractions of the brake force, or of the drive force, on the axles. Full brakes demand
//! A_x of the vehicle; k is the [`braking_factor`] with which they reach it on a level straight. Without
//! [fractions](HandlingParameters::front_brake_fraction), the axles' parts are in proportion to their loads, and k is 1:
//! both tyres then use the same part of their longitudinal limit.
//!
//! **Four wheels.** With [`wheels`](HandlingParameters::wheels), Y_i has the factor C_i / N_i of
//! [`Wheels`](raceline_car::Wheels) and its equation (8), and X_i the factor X_i / N_i there, by the loads n_i
//! of above and the lateral forces, which are computed in turns with the loads.
//!
//! The limits A_x and A_y are those of the whole vehicle, with its load transfer: in a steady state
//! the bicycle reaches the limits of the point mass. Therefore the axle that lost load has exactly
//! its part of the lateral limit, and the other has more: the car oversteers where it brakes in a
//! bend and understeers where it accelerates. The cornering stiffness of an axle is proportional to
//! its load, so the slip of the peak grows with the inverse of min(n_f, n_r).
//!
//! **Two wheels.** A vehicle with a [lean rate](HandlingParameters::lean_rate_radps) p is a motorcycle whose rider
//! keeps it up: the tyres slip by nothing, the lateral acceleration y = u r is that of the lean angle φ (see
//! [`lean`]), and the steering angle asks for the lean of its curvature, which is reached in the
//! time T and no faster than p:
//!
//! ```text
//! tan φ = y / g     φ' = min(p, max(-p, (φ_d - φ) / T))     tan φ_d = u² tan δ / (L g)
//! ```
//!
//! where the tyres' limit bounds the demand. Brakes and drive have what the ellipse leaves beside y. Deviation: a tyre
//! that loses its grip in a bend does not throw the rider off; the vehicle runs wide.
//!
//! **Low speed.** The slip angles are undefined at rest and the equations are stiff near it. There,
//! lateral velocity and yaw rate follow a bicycle that rolls without slip, r = u tan δ / L and
//! v = b r. Between two speeds the rates of both models are mixed, as in Kabzan et al., *AMZ
//! Driverless: the full autonomous racing system*, Journal of Field Robotics 37 (2020), section 6.
//! Deviation: the rolling bicycle's values are approached with a time constant instead of
//! differentiated, which prevents drift. In reverse only the rolling bicycle applies.
//!
//! Sources: Rajamani, *Vehicle Dynamics and Control* (2nd ed., 2012), chapters 2 and 4; Milliken
//! and Milliken, *Race Car Vehicle Dynamics* (1995), chapter 5, which has the closed forms of the
//! tests.

use crate::axle::{Axle, AxleLoad, TyreLimits};
use crate::controls::Controls;
use crate::limits::{AccelerationLimits, STANDARD_GRAVITY};
use crate::parameters::BicycleParameters;
use crate::range::OutOfRange;
use crate::state::{BicycleState, Rate};
use crate::surface::Surface;
use crate::tyre::Tyre;
use raceline_car::Superellipse;
use raceline_car::handling::{braking_factor, moved_by_braking};
use raceline_car::lean::{self, LEANING_TIME_S};
use raceline_numerics::math;

/// Time constant, s, with which the lateral motion approaches that of a rolling bicycle at low
/// speed.
const ROLLING_TIME_S: f64 = 0.02;

/// Minimum load of an axle as a multiple of its load at rest: it stays on the ground.
const MIN_LOAD: f64 = 0.1;
/// The loads follow from the longitudinal force, which is limited by the loads: this many times the
/// forces are computed again with the loads of their last values. More are more exact, at a cost in
/// proportion.
const LOAD_ROUNDS: usize = 2;
/// As [`LOAD_ROUNDS`], for a car with wheels: each round leaves a third of the error, since lateral forces move load
/// too. After two, a rear axle that brakes in a bend gives 15 % too much, after six 0.2 %.
const LOAD_ROUNDS_OF_WHEELS: usize = 6;

/// The forces of both tyres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TyreForces {
    /// Longitudinal and lateral force at the front wheel, N, along and across the wheel.
    pub front_n: [f64; 2],
    /// Longitudinal and lateral force at the rear wheel, N.
    pub rear_n: [f64; 2],
    /// Slip angles, front and rear, rad.
    pub slip_rad: [f64; 2],
}

/// A vehicle with the limits `L`, compiled for integration.
#[derive(Clone, Debug)]
pub struct Bicycle<L> {
    limits: L,
    parameters: BicycleParameters,
    /// Distances from the centre of gravity to the front and the rear axle, m.
    to_front: f64,
    to_rear: f64,
    /// kg m².
    yaw_inertia: f64,
    front: Axle,
    rear: Axle,
    /// k.
    braking_factor: f64,
}

impl<L: AccelerationLimits> Bicycle<L> {
    /// Validates `parameters` and compiles them.
    ///
    /// # Errors
    /// [`OutOfRange`] for the first parameter outside its range.
    pub fn new(limits: L, parameters: &BicycleParameters) -> Result<Self, OutOfRange> {
        parameters.validate()?;
        let BicycleParameters { mass_kg: mass, wheelbase_m, handling, .. } = *parameters;
        let to_front = (1.0 - handling.front_weight_fraction) * wheelbase_m;
        let to_rear = handling.front_weight_fraction * wheelbase_m;
        let wheelbase = to_front + to_rear;
        let front = Axle {
            ahead_m: to_front,
            carried_mass_kg: mass * to_rear / wheelbase,
            tyre: Tyre::new(handling.front_tyre),
            lateral_factor: 1.0 + handling.front_grip_reserve,
        };
        let rear = Axle {
            ahead_m: -to_rear,
            carried_mass_kg: mass * to_front / wheelbase,
            tyre: Tyre::new(handling.rear_tyre),
            lateral_factor: 1.0 + handling.rear_grip_reserve,
        };
        let yaw_inertia = handling.yaw_inertia_index * mass * to_front * to_rear;
        let braking_factor = braking_factor(
            handling.front_brake_fraction,
            handling.front_weight_fraction,
            moved_by_braking(limits.longitudinal_limit_mps2(0.0), handling.centre_of_gravity_m, wheelbase),
            handling.wheels.as_ref(),
        );
        Ok(Self { limits, parameters: *parameters, to_front, to_rear, yaw_inertia, front, rear, braking_factor })
    }

    /// The limits of tyres and drive.
    pub fn limits(&self) -> &L {
        &self.limits
    }

    /// The parameters that it was constructed with.
    pub fn parameters(&self) -> &BicycleParameters {
        &self.parameters
    }

    /// Distance from the centre of gravity to the rear axle, m.
    pub fn to_rear_m(&self) -> f64 {
        self.to_rear
    }

    /// Understeer gradient at low lateral acceleration and speed, rad per m/s²: `m_f / C_f - m_r /
    /// C_r` with the cornering stiffnesses C_f and C_r.
    pub fn understeer_gradient(&self) -> f64 {
        let limit = self.limits.lateral_limit_mps2(0.0);
        self.front.compliance(limit) - self.rear.compliance(limit)
    }

    /// Moves `state` on by `step_s` seconds under constant `controls`: the steering at its rate,
    /// then one step of the classical fourth-order Runge-Kutta method.
    ///
    /// `step_s` must be well below 0.02 s, the time constant of the model at low speed; 1 ms is
    /// usual.
    pub fn advance(&self, state: &mut BicycleState, controls: &Controls, step_s: f64) {
        self.advance_on(&Surface::LEVEL, state, controls, step_s);
    }

    /// As [`Self::advance`], on a road that is not level or has another grip.
    pub fn advance_on(&self, surface: &Surface, state: &mut BicycleState, controls: &Controls, step_s: f64) {
        let max_steering = self.parameters.max_steering_rad;
        let demanded = controls.steering_rad.clamp(-max_steering, max_steering);
        let reach = self.parameters.handling.steering_rate_radps * step_s;
        state.steering_rad += (demanded - state.steering_rad).clamp(-reach, reach);
        let before = *state;
        let h = step_s;
        let k1 = self.rate(surface, &before, controls);
        let k2 = self.rate(surface, &before.after(h / 2.0, &k1), controls);
        let k3 = self.rate(surface, &before.after(h / 2.0, &k2), controls);
        let k4 = self.rate(surface, &before.after(h, &k3), controls);
        let mean: Rate = std::array::from_fn(|i| (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]) / 6.0);
        *state = before.after(h, &mean);
        // Brakes and resistance stop the vehicle; only the drive can reverse its motion.
        let direction = if controls.reverse { -1.0 } else { 1.0 };
        let driven_back = controls.pedal * direction * before.forward_mps < 0.0 && controls.pedal > 0.0;
        if !driven_back && before.forward_mps * (before.forward_mps + h * k1[3]) < 0.0 {
            state.forward_mps = 0.0;
        }
    }

    /// The forces of the tyres in `state` under `controls`.
    pub fn forces(&self, state: &BicycleState, controls: &Controls) -> TyreForces {
        self.forces_on(&Surface::LEVEL, state, controls)
    }

    /// As [`Self::forces`], on `surface`.
    fn forces_on(&self, surface: &Surface, state: &BicycleState, controls: &Controls) -> TyreForces {
        if self.parameters.handling.lean_rate_radps.is_some() {
            return self.leaning_forces(surface, state, controls);
        }
        let u = state.forward_mps;
        let w = u * u;
        let slip_rad = [state.steering_rad - self.front.drift_rad(state), -self.rear.drift_rad(state)];
        let demand = self.longitudinal_demand(surface, u, controls);
        let driven = controls.pedal > 0.0;
        // The loads are those of the vehicle on a level road; the surface changes the tyres alone.
        let level_mps2 = self.limits.lateral_limit_mps2(w);
        let limits = surface.axle_grip.map(|of_axle| TyreLimits {
            longitudinal_mps2: of_axle * surface.grip * self.limits.longitudinal_limit_mps2(w),
            lateral_mps2: of_axle * surface.grip * level_mps2,
            ellipse_exponent: self.limits.ellipse_exponent(),
        });
        let with_loads = |loads: [AxleLoad; 2]| {
            let parts = self.parts(driven, &loads);
            let forces_n = |i: usize, axle: &Axle| axle.forces_n(&limits[i], parts[i] * demand, slip_rad[i], loads[i]);
            TyreForces { front_n: forces_n(0, &self.front), rear_n: forces_n(1, &self.rear), slip_rad }
        };
        let drives = f64::from(u8::from(driven));
        let loads = |along: f64, across: f64| self.loads(along, w, level_mps2, [across, surface.load, drives]);
        // What pedal and brakes ask for is what they get on a straight.
        let mut forces = with_loads(loads(demand / self.parameters.mass_kg, 0.0));
        if self.parameters.handling.centre_of_gravity_m > 0.0 {
            let has_wheels = self.parameters.handling.wheels.is_some();
            for _ in 0..if has_wheels { LOAD_ROUNDS_OF_WHEELS } else { LOAD_ROUNDS } {
                let [along, across] = [0, 1].map(|i| (forces.front_n[i] + forces.rear_n[i]) / self.parameters.mass_kg);
                forces = with_loads(loads(along, across));
            }
        }
        forces
    }

    /// The forces of a vehicle on two wheels: across those of its lean, along what the ellipse leaves.
    fn leaning_forces(&self, surface: &Surface, state: &BicycleState, controls: &Controls) -> TyreForces {
        let (u, mass) = (state.forward_mps, self.parameters.mass_kg);
        let across = u * state.yaw_rate_radps - surface.across_mps2;
        let used = (across.abs() / (surface.grip * self.limits.lateral_limit_mps2(u * u))).min(1.0);
        let left = Superellipse::with_exponent(self.limits.ellipse_exponent()).remaining(used);
        let limit = if controls.pedal > 0.0 {
            self.limits.driving_limit_mps2(u * u)
        } else {
            self.limits.longitudinal_limit_mps2(u * u)
        };
        let max_along_n = mass * surface.grip * limit * left;
        let along_n = self.longitudinal_demand(surface, u, controls).clamp(-max_along_n, max_along_n);
        let at_rest = AxleLoad { carried: 1.0, longitudinal: 1.0, lateral: 1.0, slip: 1.0 };
        let [front, rear] = self.parts(controls.pedal > 0.0, &[at_rest; 2]);
        TyreForces {
            front_n: [front * along_n, self.front.carried_mass_kg * across],
            rear_n: [rear * along_n, self.rear.carried_mass_kg * across],
            slip_rad: [0.0; 2],
        }
    }

    /// Yaw acceleration of a vehicle on two wheels whose lean changes by at most `lean_rate`, rad/s, at the
    /// acceleration `along`, m/s².
    fn leaning_turn(&self, surface: &Surface, state: &BicycleState, lean_rate: f64, along: f64) -> f64 {
        let (u, r) = (state.forward_mps.max(self.parameters.handling.rolling_below_mps), state.yaw_rate_radps);
        let limit = surface.grip * self.limits.lateral_limit_mps2(u * u);
        let wheelbase = self.to_front + self.to_rear;
        let demanded = (u * u * math::tan(state.steering_rad) / wheelbase - surface.across_mps2).clamp(-limit, limit);
        let across = u * r;
        let missing = lean::lean_rad(demanded + surface.across_mps2) - lean::lean_rad(across);
        let leaning = (missing / LEANING_TIME_S).clamp(-lean_rate, lean_rate);
        (leaning / lean::lean_rad_per_mps2(across).value - r * along) / u
    }

    /// Loads of the axles at the acceleration `along` by the tyres, m/s², the squared speed `w` and
    /// the lateral limit `lateral_mps2`. Wheels need the acceleration `across` by the tyres, m/s², the road's load by that of
    /// a level road, and whether the vehicle drives.
    fn loads(&self, along: f64, w: f64, lateral_mps2: f64, [across, road, drives]: [f64; 3]) -> [AxleLoad; 2] {
        let handling = &self.parameters.handling;
        let (gravity, front, rear) = match handling.front_downforce_fraction {
            None => (STANDARD_GRAVITY * lateral_mps2 / self.limits.lateral_limit_mps2(0.0), 1.0, 1.0),
            Some(of_downforce) => {
                let downforce = self.limits.downforce_mps2(w);
                let gravity = STANDARD_GRAVITY + downforce;
                let of_weight = handling.front_weight_fraction;
                let load = |downforce_by_weight: f64| (STANDARD_GRAVITY + downforce_by_weight * downforce) / gravity;
                (gravity, load(of_downforce / of_weight), load((1.0 - of_downforce) / (1.0 - of_weight)))
            }
        };
        let level = [front, rear];
        let transfer = along * handling.centre_of_gravity_m / gravity;
        let lifts = |load: f64| (load - MIN_LOAD).max(0.0);
        let transfer = transfer.clamp(-lifts(rear) * self.to_front, lifts(front) * self.to_rear);
        let (front, rear) = (front - transfer / self.to_rear, rear + transfer / self.to_front);
        let min = front.min(rear);
        let mut loads = [front, rear].map(|load| AxleLoad {
            carried: load,
            longitudinal: self.braking_factor * load,
            lateral: load / min,
            slip: min,
        });
        if let Some(wheels) = &handling.wheels {
            let weights = [handling.front_weight_fraction, 1.0 - handling.front_weight_fraction];
            let carried: [f64; 2] = std::array::from_fn(|i| weights[i] * gravity * [front, rear][i] * road);
            let level: [f64; 2] = std::array::from_fn(|i| weights[i] * gravity * level[i]);
            let usable = wheels.usable_loads(carried, level, across, drives);
            for (load, (usable, carried)) in loads.iter_mut().zip(usable.into_iter().zip(carried)) {
                load.lateral *= wheels.lateral_factor() * usable.across / carried;
                load.longitudinal *= usable.along / carried;
            }
        }
        loads
    }

    /// γ of both axles, of the drive or of the brakes.
    fn parts(&self, driven: bool, [front, rear]: &[AxleLoad; 2]) -> [f64; 2] {
        let handling = &self.parameters.handling;
        let given = if driven { handling.front_drive_fraction } else { handling.front_brake_fraction };
        let in_front = given.unwrap_or_else(|| {
            let carried = self.front.carried_mass_kg * front.carried;
            carried / (carried + self.rear.carried_mass_kg * rear.carried)
        });
        [in_front, 1.0 - in_front]
    }

    /// The longitudinal force that the pedal demands of all tyres, N; positive is forwards.
    fn longitudinal_demand(&self, surface: &Surface, u: f64, controls: &Controls) -> f64 {
        let pedal = controls.pedal.clamp(-1.0, 1.0);
        let (w, mass) = (u * u, self.parameters.mass_kg);
        if pedal < 0.0 {
            let limit = surface.grip * self.limits.longitudinal_limit_mps2(w);
            return if u == 0.0 { 0.0 } else { pedal * u.signum() * mass * limit };
        }
        let direction = if controls.reverse { -1.0 } else { 1.0 };
        if u * direction >= self.parameters.max_speed_mps {
            return 0.0;
        }
        direction * pedal * mass * self.limits.drive_limit_mps2(w)
    }

    /// The equations of motion.
    fn rate(&self, surface: &Surface, state: &BicycleState, controls: &Controls) -> Rate {
        let (u, v, r) = (state.forward_mps, state.leftward_mps, state.yaw_rate_radps);
        let handling = &self.parameters.handling;
        let (rolling_below, sliding_above) = (handling.rolling_below_mps, handling.sliding_above_mps);
        let mass = self.parameters.mass_kg;
        let sliding = ((u - rolling_below) / (sliding_above - rolling_below)).clamp(0.0, 1.0);
        let rolling = 1.0 - sliding;
        let (sin, cos) = math::sin_cos(state.steering_rad);
        let TyreForces { front_n: [xf, yf], rear_n: [xr, yr], .. } = self.forces_on(surface, state, controls);
        let resistance = if u == 0.0 { 0.0 } else { self.limits.resistance_mps2(u * u) * u.signum() };
        // The front wheel's force along and across the body. On a rolling bicycle the lateral force
        // does no work.
        let front_along = xf * cos - sliding * yf * sin;
        let front_across = yf * cos + xf * sin;
        let rolling_yaw = u * math::tan(state.steering_rad) / (self.to_front + self.to_rear);
        let (heading_sin, heading_cos) = math::sin_cos(state.heading_rad);
        if let Some(lean_rate) = handling.lean_rate_radps {
            let along = (xf + xr) / mass - resistance + surface.along_mps2;
            let turn = self.leaning_turn(surface, state, lean_rate, along);
            let yaw = sliding * turn + rolling * (rolling_yaw - r) / ROLLING_TIME_S;
            let across = (self.to_rear * r - v) / ROLLING_TIME_S;
            return [u * heading_cos - v * heading_sin, u * heading_sin + v * heading_cos, r, along, across, yaw];
        }
        let slide = [
            (front_across + yr) / mass - u * r + surface.across_mps2,
            (self.to_front * front_across - self.to_rear * yr) / self.yaw_inertia,
        ];
        let roll = [(self.to_rear * rolling_yaw - v) / ROLLING_TIME_S, (rolling_yaw - r) / ROLLING_TIME_S];
        [
            u * heading_cos - v * heading_sin,
            u * heading_sin + v * heading_cos,
            r,
            (front_along + xr) / mass - resistance + surface.along_mps2 + sliding * v * r,
            sliding * slide[0] + rolling * roll[0],
            sliding * slide[1] + rolling * roll[1],
        ]
    }
}
