//! Crowds of agents, simpler followers, a network, gears and wheels, and what their numbers add up to: see
//! [`crate::traces`].

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::sync::Arc;

use raceline_follower::baselines::{PaperBaseline, PaperBaselineOptions, Reynolds, ReynoldsOptions};
use raceline_follower::behaviours::{
    Agent, AvoidanceOptions, Body, Flock, FlowField, LeaderOptions, NeighbourGrid, Neighbourhood, PathFollowingOptions,
    WallOptions, Wander, WanderOptions, alignment, arrival, avoid_bodies, avoid_obstacles, blend_by_priority,
    blend_weighted, car_controls, cohesion, evasion, flee, follow_flow_field, follow_leader, follow_path, follow_wall,
    interception_time_s, offset_pursuit, pursuit, seek, separation,
};
use raceline_follower::bezier::QuadraticBezier;
use raceline_follower::gearbox::{Drivetrain, Gearbox, GearboxOptions};
use raceline_follower::neural::{INPUTS, Layer, Network, NeuralDriver, NeuralDriverOptions, OUTPUTS};
use raceline_follower::slip_control::{SlipControl, SlipControlOptions, WheelMotion};
use raceline_follower::{Path, PathFollower, Scene, VehicleGeometry, VehicleState};
use raceline_vehicle_simulation::Controls;

use crate::common::{Car, FRAME_S, numbers};
use crate::racing::{self, car_with, circuit, dynamics, geometry, seen};
use crate::recorded_sums::{Sums, check_row};
use crate::traces::{corners, hilly};

fn agents(count: usize, size_m: f64) -> Vec<Agent> {
    let mut random = numbers(count as u64);
    let mut next = |low: f64, high: f64| low + (high - low) * random();
    (0..count)
        .map(|_| Agent {
            body: Body {
                position_m: [next(-size_m, size_m), next(-size_m, size_m)],
                velocity_mps: [next(-4.0, 4.0), next(-4.0, 4.0)],
                radius_m: next(0.2, 0.8),
            },
            heading_rad: next(-3.1, 3.1),
            max_speed_mps: next(4.0, 9.0),
            max_acceleration_mps2: next(2.0, 8.0),
            ..Agent::default()
        })
        .collect()
}

fn bodies(agents: &[Agent]) -> Vec<Body> {
    agents.iter().map(|agent| agent.body).collect()
}

/// Each behaviour alone, for many agents among others.
fn behaviours() -> Vec<f64> {
    let (all, path) = (agents(60, 20.0), hilly());
    let others = bodies(&all);
    let walls = [[[-20.0, -15.0], [25.0, -18.0]], [[25.0, -18.0], [22.0, 20.0]], [[-18.0, 14.0], [-18.0, -10.0]]];
    let at = |i: u8| [0.5 * f32::from(i % 17) - 4.0, 4.0 - 0.25 * f32::from(i % 31)];
    let flow: Vec<[f32; 2]> = (0..120).map(at).collect();
    let field = FlowField::new([-25.0, -25.0], 5.0, 10, &flow).unwrap();
    let near = Neighbourhood { radius_m: 9.0, view_rad: 2.0 };
    let mut sums = Sums::default();
    for (i, agent) in all.iter().enumerate() {
        let rest: Vec<Body> = others.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, body)| *body).collect();
        let quarry = rest[i % rest.len()];
        let mut place = 7.0 * i as f64;
        let mut wander = Wander::new(WanderOptions { seed: i as u64, ..WanderOptions::default() });
        let wandering =
            (0..5).map(|_| wander.step(agent, 0.05)).fold([0.0; 2], |sum, next| [sum[0] + next[0], sum[1] + next[1]]);
        let found = [
            seek(agent, [3.0, -5.0]),
            flee(agent, [1.0, 2.0]),
            arrival(agent, [8.0, 9.0], 12.0),
            pursuit(agent, &quarry, 3.0),
            evasion(agent, &quarry, 2.0),
            offset_pursuit(agent, &quarry, [-3.0, 1.5], 4.0),
            avoid_obstacles(agent, &rest, &AvoidanceOptions::default()),
            avoid_bodies(agent, &rest, &AvoidanceOptions::default()),
            separation(agent, &rest, &near),
            cohesion(agent, &rest, &near),
            alignment(agent, &rest, &near),
            follow_leader(agent, &quarry, &rest, &LeaderOptions::default()),
            follow_path(agent, &path, &mut place, &PathFollowingOptions::default()),
            follow_wall(agent, &walls, &WallOptions::default()),
            follow_flow_field(agent, &field, 0.4),
            field.velocity_mps(agent.body.position_m),
            Flock::default().acceleration(agent, &rest),
            wandering,
        ];
        let blended = [
            blend_weighted(agent, &[(0.7, found[0]), (1.3, found[7]), (0.4, found[8])]),
            blend_by_priority(agent, &[found[6], found[7], found[0]]),
            agent.towards_velocity(quarry.velocity_mps),
            agent.limited([found[0][0] * 3.0, found[0][1] * 3.0]),
            agent.forward(),
        ];
        let state = VehicleState::new([0.0; 3], agent.heading_rad, 3.0 - 0.2 * i as f64);
        let controls = car_controls(found[0], &state, &VehicleGeometry::default(), [5.0, 8.0]);
        let time = interception_time_s(agent.body.position_m, agent.max_speed_mps, &quarry).unwrap_or(-1.0);
        let mut moved = *agent;
        moved.advance(found[0], 0.1);
        let more = [controls.pedal, controls.steering_rad, time, place, moved.body.position_m[0], moved.heading_rad];
        sums.add(&[found.concat(), blended.concat(), more.to_vec()].concat());
    }
    sums.row()
}

/// A flock of so many agents, step by step, by the grid of neighbours.
fn flock(count: usize) -> Vec<f64> {
    let (flock, mut all) = (Flock::default(), agents(count, 18.0));
    let mut grid = NeighbourGrid::new(count, flock.reach_m());
    let mut sums = Sums::default();
    for _ in 0..60 {
        flock.step(&mut all, &mut grid, 0.05);
        let sum =
            |of: &dyn Fn(&Agent) -> f64| all.iter().zip(1_u32..).map(|(agent, k)| of(agent) * f64::from(k % 5)).sum();
        grid.rebuild(&bodies(&all));
        let near: f64 = grid.near([2.0, -3.0], 6.0).map(|(number, body)| number as f64 + body.position_m[0]).sum();
        let mut found = [Body::default(); 12];
        let others: f64 = grid.others(3, 7.0, &mut found).iter().map(|body| body.position_m[1]).sum();
        sums.add(&[
            sum(&|agent| agent.body.position_m[0]),
            sum(&|agent| agent.body.position_m[1]),
            sum(&|agent| agent.body.velocity_mps[0]),
            sum(&|agent| agent.heading_rad),
            near,
            others,
            grid.numbers().count() as f64,
        ]);
    }
    sums.row()
}

/// A drive with a simpler follower.
fn simple(mut follower: impl PathFollower, path: &Path, frames: usize) -> Vec<f64> {
    let place = path.sample(20.0);
    let mut car = Car::new([place.position_m[0] + 1.0, place.position_m[1]], place.heading_rad + 0.2, 4.0);
    let mut sums = Sums::default();
    for _ in 0..frames {
        let command = follower.step(path, &car.state(), &Scene::EMPTY, FRAME_S);
        sums.add_command(&command, &[]);
        car.drive(&command, FRAME_S);
    }
    sums.row()
}

/// A car at the limit that a network of random weights steers, and the network's inputs.
fn network() -> Vec<f64> {
    let mut random = numbers(5);
    let mut layer = |inputs: usize, units: usize| Layer {
        weights: (0..inputs * units).map(|_| 0.3 * (random() - 0.5)).collect(),
        biases: (0..units).map(|_| 0.4 * (random() - 0.2)).collect(),
    };
    let network = Arc::new(Network::new(vec![layer(INPUTS, 8), layer(8, OUTPUTS)]).unwrap());
    let mut driver = NeuralDriver::new(network, NeuralDriverOptions::default(), geometry()).unwrap();
    let path = circuit().0.with_dynamics(&dynamics());
    let (car, mut state) = (car_with(1.0), racing::moving_along(&path, 5.0, 0.3, 20.0));
    let mut sums = Sums::default();
    for _ in 0..300 {
        let command = driver.step(&path, &seen(&state), &Scene::EMPTY, FRAME_S);
        let inputs = driver.inputs().copied().unwrap_or([0.0; INPUTS]);
        let outputs = driver.outputs_for(&path, command.steering_rad, command.pedal).unwrap();
        sums.add(&[&inputs[..], &outputs, &[command.target_speed_mps, command.target_point_m[0]]].concat());
        let controls = Controls { pedal: command.pedal, steering_rad: command.steering_rad, ..Controls::default() };
        car.advance(&mut state, &controls, FRAME_S);
    }
    sums.row()
}

/// Gears over a drive that speeds up, slips, slows down and reverses, and pedals over wheels that slip.
fn gears_and_wheels() -> Vec<f64> {
    let mut ratios = [0.0; raceline_follower::gearbox::MAX_GEARS];
    ratios[..5].copy_from_slice(&[12.0, 8.0, 6.0, 4.8, 4.0]);
    let drivetrain = Drivetrain { ratios, wheel_radius_m: 0.32, redline_radps: 900.0 };
    let mut gearbox = Gearbox::new(GearboxOptions::default(), drivetrain).unwrap();
    let mut control = SlipControl::new(SlipControlOptions::default()).unwrap();
    let mut sums = Sums::default();
    for frame in 0..1500_u32 {
        let t = f64::from(frame) * 0.02;
        let speed = 30.0 - 36.0 * (0.25 * t).cos();
        let slip = 0.3 * (1.7 * t).sin();
        let wheel = |k: f64| WheelMotion { tread_mps: speed * (1.0 + slip * k), ground_mps: speed, driven: k > 0.6 };
        let engine = drivetrain.engine_radps(1 + frame as usize % 5, speed * (1.0 + slip.max(0.0)));
        let choice = gearbox.choose(speed, engine, speed < 0.0, slip < 0.2, 0.02);
        let pedal = control.pedal(&[wheel(0.5), wheel(0.6), wheel(0.9), wheel(1.0)], (0.9 * t).sin(), 0.02);
        sums.add(&[f64::from(choice.gear), choice.clutch, pedal, engine.min(1e4)]);
    }
    sums.row()
}

/// Curves in space with kinks, cusps and straight ones among them.
fn curves() -> Vec<f64> {
    let mut random = numbers(11);
    let mut point = |size: f64| [size * (random() - 0.5), size * (random() - 0.5), 0.2 * size * (random() - 0.5)];
    let mut sums = Sums::default();
    for k in 0..400_u32 {
        let size = f64::from(1 + k % 5);
        let (start, control, mut end) = (point(size), point(size), point(size));
        if k % 7 == 0 {
            end = std::array::from_fn(|i| start[i] + 2.0 * (control[i] - start[i]));
        }
        let curve = QuadraticBezier { start, control, end };
        let [x, y, z] = curve.point(0.3);
        sums.add(&[
            x,
            y,
            z,
            curve.curvature(0.0).min(1e3),
            curve.curvature(0.6).min(1e3),
            curve.max_curvature().min(1e3),
        ]);
    }
    sums.row()
}

/// What adds up under this name.
pub fn row(name: &str) -> Vec<f64> {
    let vehicle = VehicleGeometry::default();
    match name {
        "behaviours" => behaviours(),
        "flock of 40" => flock(40),
        "flock of 333" => flock(333),
        "reynolds" => simple(Reynolds::new(ReynoldsOptions::default(), vehicle).unwrap(), &hilly(), 1500),
        "reynolds on corners" => simple(Reynolds::new(ReynoldsOptions::default(), vehicle).unwrap(), &corners(), 3000),
        "paper's baseline" => {
            simple(PaperBaseline::new(PaperBaselineOptions::default(), vehicle).unwrap(), &corners(), 3000)
        }
        "network" => network(),
        "gears and wheels" => gears_and_wheels(),
        "curves" => curves(),
        other => panic!("no drive {other}"),
    }
}

/// A test for each, so that a failure names it.
macro_rules! each {
    ($($test:ident: $name:literal,)*) => {
        pub const NAMES: &[&str] = &[$($name),*];
        mod sums_of {
            $(
                #[test]
                fn $test() {
                    super::check_row($name, &super::row($name));
                }
            )*
        }
    };
}

each! {
    behaviours: "behaviours",
    flock_of_40: "flock of 40",
    flock_of_333: "flock of 333",
    reynolds: "reynolds",
    reynolds_on_corners: "reynolds on corners",
    paper_baseline: "paper's baseline",
    network: "network",
    gears_and_wheels: "gears and wheels",
    curves: "curves",
}
