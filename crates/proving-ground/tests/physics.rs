//! The vehicles against closed forms: whoever doubts a table can see here that the engine drives as
//! vehicles do.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails the test")]

use raceline_follower::{Command, Path, PathFollower, Scene, VehicleState, Waypoint};
use raceline_numerics::STANDARD_GRAVITY;
use raceline_proving_ground::rig::{Pose2, Rig};
use raceline_proving_ground::scene;
use raceline_proving_ground::settings;
use raceline_proving_ground::terrain::Terrain;
use raceline_proving_ground::trial::STEP_S;
use raceline_proving_ground::vehicle::{Drive, VEHICLES, VehicleModel};
use rapier3d::prelude::PhysicsWorld;

/// A command with nothing pressed, from a follower whose inputs were all invalid.
fn idle() -> Command {
    let waypoint = |x| Waypoint { position_m: [x, 0.0, 0.0], ..Waypoint::default() };
    let path = Path::new(vec![waypoint(0.0), waypoint(10.0)], false).unwrap();
    let mut follower = settings::ours().build(&VEHICLES[0]).unwrap();
    let nowhere = VehicleState::new([f64::NAN; 3], 0.0, 0.0);
    Command {
        pedal: 0.0,
        steering_rad: 0.0,
        reverse: false,
        ..PathFollower::step(follower.as_mut(), &path, &nowhere, &Scene::EMPTY, STEP_S)
    }
}

struct Stand {
    world: PhysicsWorld,
    rig: Rig,
}

impl Stand {
    fn new(model: &VehicleModel, heading_rad: f64, height_m: impl Fn(f64, f64) -> f64) -> Self {
        let terrain = Terrain::new([-120.0; 2], [120.0; 2], height_m);
        let mut world = scene::world(&terrain, &[], STEP_S);
        let rig = Rig::new(&mut world, &terrain, model, Pose2 { at_m: [0.0, 0.0], heading_rad });
        let mut stand = Self { world, rig };
        // Settles on its springs; then the pedal's lag is let die down.
        stand.run(1.5, &Command { pedal: -1.0, ..idle() });
        stand.run(1.5, &idle());
        stand
    }

    fn run(&mut self, time_s: f64, command: &Command) -> VehicleState {
        for _ in 0..(time_s / STEP_S).round() as usize {
            self.rig.drive(&mut self.world, command, STEP_S);
            self.world.step();
        }
        self.rig.state(&self.world)
    }
}

#[test]
fn coasting_on_level_ground_goes_straight_and_slows_by_rolling_resistance() {
    for model in &VEHICLES {
        // Across the grid's cells at an odd angle, so that triangle edges show if they disturb.
        let heading = 0.4;
        let mut stand = Stand::new(model, heading, |_, _| 0.0);
        let before = stand.rig.state(&stand.world);
        stand.rig.set_speed(&mut stand.world, 5.0);
        let after = stand.run(4.0, &idle());
        let (dx, dy) = (after.position_m[0] - before.position_m[0], after.position_m[1] - before.position_m[1]);
        let sideways = -dx * f64::sin(heading) + dy * f64::cos(heading);
        assert!(sideways.abs() < 0.05, "{}: {sideways} m sideways", model.name);
        assert!((after.heading_rad - heading).abs() < 0.01, "{}: faces {}", model.name, after.heading_rad);
        // Rolling resistance and drag at 5 m/s, and no other loss.
        let max = 4.0 * (model.rolling_resistance * STANDARD_GRAVITY + 25.0 * model.drag_kgpm / model.mass_kg);
        let lost = 5.0 - after.speed_mps;
        assert!(lost > 0.6 * max && lost < 1.1 * max + 0.02, "{}: lost {lost} m/s of at most {max}", model.name);
    }
}

/// Distance from 10 m/s to rest at this pedal.
fn braking_distance_m(model: &VehicleModel, pedal: f64) -> f64 {
    let mut stand = Stand::new(model, 0.0, |_, _| 0.0);
    stand.rig.set_speed(&mut stand.world, 10.0);
    let from = stand.rig.state(&stand.world).position_m[0];
    let command = Command { pedal, ..idle() };
    for _ in 0..2000 {
        let state = stand.run(STEP_S, &command);
        if state.speed_mps < 0.05 {
            return state.position_m[0] - from;
        }
    }
    f64::INFINITY
}

#[test]
fn braking_distance_is_that_of_the_force_and_never_less_than_grip_allows() {
    for model in &VEHICLES {
        let force_n = match model.drive {
            Drive::Hover { backwards } => backwards * model.drive_force_n,
            _ => model.brake_force_n,
        };
        // Half the pedal: no wheel, unloaded as the rear ones are, comes to its grip. The pedal's
        // lag costs its time constant at full speed. v² is 50 on the mean over the distance.
        let drag = 50.0 * model.drag_kgpm / model.mass_kg;
        let deceleration = 0.5 * force_n / model.mass_kg + model.rolling_resistance * STANDARD_GRAVITY + drag;
        let expected = 50.0 / deceleration + 10.0 * model.pedal_lag_s;
        let driven = braking_distance_m(model, -0.5);
        assert!((driven / expected - 1.0).abs() < 0.12, "{}: {driven} m, expected {expected}", model.name);
        if !matches!(model.drive, Drive::Hover { .. }) {
            let min = 100.0 / (2.0 * model.friction * STANDARD_GRAVITY);
            let driven = braking_distance_m(model, -1.0);
            assert!(driven > min && driven < 2.0 * min, "{}: {driven} m, v²/2μg is {min}", model.name);
        }
    }
}

#[test]
fn slow_turns_have_the_bicycle_models_radius() {
    for model in &VEHICLES {
        let steering_rad = 0.8 * model.max_steering_rad;
        let radius = model.wheelbase_m / steering_rad.tan();
        let mut stand = Stand::new(model, 0.0, |_, _| 0.0);
        let speed = 1.5;
        // A throttle by hand that holds the speed.
        let (mut turned, mut driven) = (0.0, 0.0);
        for i in 0..1200 {
            let state = stand.rig.state(&stand.world);
            let pedal = (0.8 * (speed - state.speed_mps)).clamp(-1.0, 1.0);
            let command = Command { pedal, steering_rad, ..idle() };
            stand.rig.drive(&mut stand.world, &command, STEP_S);
            stand.world.step();
            if i >= 400 {
                turned += state.yaw_rate_radps * STEP_S;
                driven += state.speed_mps * STEP_S;
            }
        }
        // The speed is the middle's along the heading, which is the rear axle's too.
        let found = driven / turned;
        // Tracks slip a little against the ground that they turn on.
        let tolerance = if matches!(model.drive, Drive::Tracks { .. }) { 0.16 } else { 0.08 };
        assert!(
            turned > 0.0 && (found / radius - 1.0).abs() < tolerance,
            "{}: {found} m, expected {radius}",
            model.name
        );
    }
}

#[test]
fn every_vehicle_climbs_the_steepest_hill_and_brakes_on_it() {
    // The ramp of the ten paths.
    let slope = 0.3;
    for model in &VEHICLES {
        let mut stand = Stand::new(model, 0.0, |x, _| slope * x);
        let climbed = stand.run(6.0, &Command { pedal: 1.0, ..idle() });
        assert!(climbed.speed_mps > 2.0, "{}: climbs at {}", model.name, climbed.speed_mps);
        if matches!(model.drive, Drive::Hover { .. }) {
            // Its brake is its fan, which only acts against motion: it creeps down, slowly.
            continue;
        }
        stand.run(4.0, &Command { pedal: -1.0, ..idle() });
        let before = stand.rig.state(&stand.world).position_m[0];
        let after = stand.run(5.0, &Command { pedal: -1.0, ..idle() });
        assert!((after.position_m[0] - before).abs() < 0.3, "{}: slid {}", model.name, after.position_m[0] - before);
    }
}

#[test]
fn the_hovercraft_runs_wide_where_wheels_grip() {
    let widening = |model: &VehicleModel| {
        let steering_rad = 0.2;
        let mut stand = Stand::new(model, 0.0, |_, _| 0.0);
        stand.rig.set_speed(&mut stand.world, 8.0);
        let (mut turned, mut driven) = (0.0, 0.0);
        for i in 0..240 {
            let state = stand.rig.state(&stand.world);
            let pedal = (8.0 - state.speed_mps).clamp(-1.0, 1.0);
            stand.run(STEP_S, &Command { pedal, steering_rad, ..idle() });
            if i >= 60 {
                turned += state.yaw_rate_radps * STEP_S;
                driven += state.velocity_mps[0].hypot(state.velocity_mps[1]) * STEP_S;
            }
        }
        driven / turned / (model.wheelbase_m / steering_rad.tan())
    };
    let (hover, car) = (widening(&VEHICLES[5]), widening(&VEHICLES[1]));
    assert!(hover > 1.25 && car < 1.15, "times the bicycle model's radius: hovercraft {hover}, light 4x4 {car}");
}
