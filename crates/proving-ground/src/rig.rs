//! A vehicle in the engine: built from its model, moved by commands, with its state for the
//! follower.

use raceline_follower::{Command, VehicleState};
use raceline_numerics::STANDARD_GRAVITY;
use rapier3d::control::{DynamicRayCastVehicleController, WheelTuning};
use rapier3d::math::{Pose, Vector};
use rapier3d::prelude::{
    ColliderBuilder, MassProperties, PhysicsWorld, QueryFilter, RigidBodyBuilder, RigidBodyHandle,
};

use crate::frame;
use crate::terrain::{HULL_FRICTION, Terrain};
use crate::vehicle::{Drive, VehicleModel};

/// Rest length of the springs in addition to the static compression, metres.
const SPARE_TRAVEL_M: f64 = 0.25;
/// Damping of the springs as a fraction of critical damping.
const DAMPING_RATIO: f64 = 0.45;
/// Below this speed, m/s, forces against the motion fade, so that they stop it instead of reversing
/// it.
const REST_MPS: f64 = 0.5;
/// Yaw rate error over which the tracks' whole moment is used, rad/s.
const YAW_BAND_RADPS: f64 = 0.04;
/// Fraction of sideways grip of a track's outer wheels: a track pivots about its middle.
const TRACK_END_GRIP: f64 = 0.05;

/// A vehicle in a world.
pub struct Rig {
    /// The model that it was built from.
    pub model: VehicleModel,
    controller: DynamicRayCastVehicleController,
    body: RigidBodyHandle,
    pedal: f64,
    steering_rad: f64,
}

/// A pose of a vehicle on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose2 {
    /// x and y, metres.
    pub at_m: [f64; 2],
    /// Radians.
    pub heading_rad: f64,
}

impl Rig {
    /// Builds the vehicle at `pose` on `terrain`, at rest.
    pub fn new(world: &mut PhysicsWorld, terrain: &Terrain, model: &VehicleModel, pose: Pose2) -> Self {
        let [length, width] = model.size_m;
        let (bottom, top) = (model.hull_m[0], model.hull_m[1]);
        let height = top - bottom;
        let mass = model.mass_kg;
        // A box's inertia about its middle: roll, yaw, pitch.
        let inertia = Vector::new(
            (mass * (width * width + height * height) / 12.0) as f32,
            (mass * (length * length + width * width) / 12.0) as f32,
            (mass * (length * length + height * height) / 12.0) as f32,
        );
        // The body's origin is its centre of mass, above the middle of the wheelbase.
        let body = RigidBodyBuilder::dynamic()
            .pose(standing(terrain, model, pose))
            .additional_mass_properties(MassProperties::new(Vector::ZERO, mass as f32, inertia))
            .can_sleep(false);
        let hull = ColliderBuilder::cuboid(length as f32 / 2.0, height as f32 / 2.0, width as f32 / 2.0)
            .translation(Vector::new(0.0, ((bottom + top) / 2.0 - model.centre_of_mass_m) as f32, 0.0))
            .friction(HULL_FRICTION)
            .density(0.0);
        let (body, _) = world.insert(body, hull);
        let mut controller = DynamicRayCastVehicleController::new(body);
        let wheels = 2 * model.axles;
        // The engine multiplies stiffness and damping by the mass.
        let omega = std::f64::consts::TAU * model.suspension_hz;
        let stiffness = omega * omega / wheels as f64;
        let damping = 2.0 * DAMPING_RATIO * omega / wheels as f64;
        let compressed = STANDARD_GRAVITY / (omega * omega);
        let tuning = WheelTuning {
            suspension_stiffness: stiffness as f32,
            suspension_compression: damping as f32,
            suspension_damping: damping as f32,
            max_suspension_travel: (compressed + SPARE_TRAVEL_M) as f32,
            side_friction_stiffness: 1.0,
            friction_slip: model.friction as f32,
            max_suspension_force: f32::MAX,
        };
        let rest = compressed + SPARE_TRAVEL_M;
        let mount = model.wheel_radius_m + SPARE_TRAVEL_M - model.centre_of_mass_m;
        for axle in 0..model.axles {
            let x = model.wheelbase_m * (0.5 - axle as f64 / (model.axles - 1).max(1) as f64);
            for side in [-1.0, 1.0] {
                let at = Vector::new(x as f32, mount as f32, (side * model.track_m / 2.0) as f32);
                let radius = model.wheel_radius_m as f32;
                let wheel = controller.add_wheel(at, -Vector::Y, Vector::Z, rest as f32, radius, &tuning);
                if matches!(model.drive, Drive::Tracks { .. }) && (axle == 0 || axle + 1 == model.axles) {
                    wheel.side_friction_stiffness = TRACK_END_GRIP as f32;
                }
            }
        }
        Self { model: *model, controller, body, pedal: 0.0, steering_rad: 0.0 }
    }

    /// Puts the vehicle at `pose`, at rest, pedals free and wheels straight.
    pub fn place(&mut self, world: &mut PhysicsWorld, terrain: &Terrain, pose: Pose2) {
        let body = &mut world.bodies[self.body];
        body.set_position(standing(terrain, &self.model, pose), true);
        body.set_linvel(Vector::ZERO, true);
        body.set_angvel(Vector::ZERO, true);
        (self.pedal, self.steering_rad) = (0.0, 0.0);
    }

    /// Gives the body a speed along its heading, m/s. For tests.
    pub fn set_speed(&self, world: &mut PhysicsWorld, speed_mps: f64) {
        let body = &mut world.bodies[self.body];
        let ahead = *body.rotation() * Vector::X;
        body.set_linvel(ahead * speed_mps as f32, true);
    }

    /// Position and motion of the vehicle. Its reference point is the middle of the wheelbase at
    /// the ground.
    pub fn state(&self, world: &PhysicsWorld) -> VehicleState {
        let body = &world.bodies[self.body];
        let up = *body.rotation() * Vector::Y;
        let ahead = *body.rotation() * Vector::X;
        let foot = body.translation() - up * self.model.centre_of_mass_m as f32;
        VehicleState {
            position_m: frame::to_follower(foot),
            heading_rad: frame::heading(*body.rotation()),
            speed_mps: f64::from(ahead.dot(body.linvel())),
            velocity_mps: frame::to_follower(body.linvel()),
            yaw_rate_radps: f64::from(body.angvel().y),
        }
    }

    /// How upright it is: 1 on its wheels, -1 on its roof.
    pub fn upright(&self, world: &PhysicsWorld) -> f64 {
        f64::from((*world.bodies[self.body].rotation() * Vector::Y).y)
    }

    /// Applies `command` for one step of `dt_s`; the caller steps the world after it.
    pub fn drive(&mut self, world: &mut PhysicsWorld, command: &Command, dt_s: f64) {
        let model = self.model;
        self.pedal += (command.pedal.clamp(-1.0, 1.0) - self.pedal) * (dt_s / (model.pedal_lag_s + dt_s));
        let wanted = command.steering_rad.clamp(-model.max_steering_rad, model.max_steering_rad);
        let max = model.steering_rate_radps * dt_s;
        self.steering_rad += (wanted - self.steering_rad).clamp(-max, max);

        let state = self.state(world);
        let speed = state.speed_mps;
        let gear = if command.reverse { -1.0 } else { 1.0 };
        let throttle = self.pedal.max(0.0);
        let brake = (-self.pedal).max(0.0);
        let drive_n = gear * throttle * model.drive_force_n.min(model.drive_power_w / speed.abs().max(0.1));
        let against = (speed / REST_MPS).clamp(-1.0, 1.0);
        let rolling_n = model.rolling_resistance * model.mass_kg * STANDARD_GRAVITY;
        match model.drive {
            Drive::Wheels => {
                self.drive_wheels(drive_n - rolling_n * against * f64::from(throttle > 0.0), brake, rolling_n, dt_s)
            }
            Drive::Tracks { max_yaw_rate_radps, max_moment_nm } => {
                let curvature = self.steering_rad.tan() / model.wheelbase_m;
                let yaw = (speed * curvature).clamp(-max_yaw_rate_radps, max_yaw_rate_radps);
                let moment = max_moment_nm * ((yaw - state.yaw_rate_radps) / YAW_BAND_RADPS).clamp(-1.0, 1.0);
                self.drive_tracks(drive_n, (brake * model.brake_force_n + rolling_n) * against, moment, speed, dt_s);
            }
            Drive::Hover { backwards } => {
                let thrust_n = if drive_n < 0.0 { drive_n * backwards } else { drive_n };
                let braking_n = (brake * backwards * model.drive_force_n + rolling_n) * against;
                self.steer();
                let body = &mut world.bodies[self.body];
                let ahead = *body.rotation() * Vector::X;
                body.apply_impulse(ahead * ((thrust_n - braking_n) * dt_s) as f32, true);
            }
        }
        let body = &mut world.bodies[self.body];
        let velocity = body.linvel();
        body.apply_impulse(velocity * (-model.drag_kgpm * f64::from(velocity.length()) * dt_s) as f32, true);
        let queries = world.broad_phase.as_query_pipeline_mut(
            world.narrow_phase.query_dispatcher(),
            &mut world.bodies,
            &mut world.colliders,
            QueryFilter::exclude_dynamic(),
        );
        self.controller.update_vehicle(dt_s as f32, queries);
    }

    fn steer(&mut self) {
        // Both front wheels turn by the same angle, as in the bicycle model.
        for wheel in self.controller.wheels_mut().iter_mut().take(2) {
            wheel.steering = self.steering_rad as f32;
        }
    }

    fn drive_wheels(&mut self, drive_n: f64, brake: f64, rolling_n: f64, dt_s: f64) {
        self.steer();
        let friction = self.model.friction;
        let wheels = self.controller.wheels_mut();
        let fraction = 1.0 / wheels.len() as f64;
        let brake_n = brake * self.model.brake_force_n + if drive_n == 0.0 { rolling_n } else { 0.0 };
        for wheel in wheels {
            // The engine counts forces along the wheel half in its circle of friction; the limit
            // here keeps them within the grip.
            let grip_n = friction * f64::from(wheel.wheel_suspension_force);
            wheel.engine_force = (drive_n * fraction).clamp(-grip_n, grip_n) as f32;
            wheel.brake = ((brake_n * fraction).min(grip_n) * dt_s) as f32;
        }
    }

    fn drive_tracks(&mut self, drive_n: f64, against_n: f64, moment_nm: f64, speed: f64, dt_s: f64) {
        let model = self.model;
        let standing = drive_n == 0.0 && speed.abs() < REST_MPS && moment_nm.abs() < 0.2 * model.brake_force_n;
        let wheels = self.controller.wheels_mut();
        let fraction = 1.0 / wheels.len() as f64;
        for (i, wheel) in wheels.iter_mut().enumerate() {
            // Wheels alternate left and right; the right track drives a turn to the left.
            let side = if i % 2 == 0 { -1.0 } else { 1.0 };
            let grip_n = model.friction * f64::from(wheel.wheel_suspension_force);
            let force_n = (drive_n - against_n) * fraction + side * moment_nm / (model.track_m / 2.0) * fraction;
            wheel.engine_force = if standing { 0.0 } else { force_n.clamp(-grip_n, grip_n) as f32 };
            wheel.brake =
                if standing { (self.pedal.min(0.0).abs() * model.brake_force_n * fraction * dt_s) as f32 } else { 0.0 };
        }
    }
}

fn standing(terrain: &Terrain, model: &VehicleModel, pose: Pose2) -> Pose {
    let [x, y] = pose.at_m;
    let normal = terrain.normal(x, y);
    // A little above, so that no wheel starts in the ground.
    let lift = model.centre_of_mass_m + 0.05;
    let foot = [x, y, terrain.height_m(x, y)];
    let origin = [foot[0] + normal[0] * lift, foot[1] + normal[1] * lift, foot[2] + normal[2] * lift];
    Pose::from_parts(frame::to_engine(origin), frame::on_ground(pose.heading_rad, normal))
}
