//! A step allocates nothing, whatever it meets.

// A test that can't start should fail with a message.
#![allow(clippy::expect_used)]

#[path = "suite/common/mod.rs"]
mod common;

use common::{FRAME_S, circle, numbers, path};
use raceline_follower::baselines::{PaperBaseline, PaperBaselineOptions, Reynolds, ReynoldsOptions};
use raceline_follower::{
    CurveSpan, Follower, FollowerOptions, LearnedSpeeds, LearningOptions, Neighbour, Path, PathFollower, PickUp, Scene,
    VehicleDynamics, VehicleGeometry, VehicleKind, VehicleState, Waypoint,
};

fn allocations(work: impl FnOnce()) -> u64 {
    allocation_counter::measure(work).count_total
}

#[test]
fn a_step_allocates_nothing() {
    assert!(allocations(|| drop(std::hint::black_box(vec![1, 2, 3]))) > 0, "the counter counts");
    let vehicle = VehicleGeometry::default();
    let (lap, dense, open) =
        (circle(50.0, 200), circle(50.0, 50_000), path(&[[0.0, 0.0], [9.0, 0.0], [9.0, 90.0]], false));
    let mut racing = FollowerOptions::for_racing();
    racing.target_speed.points = 64;
    let pick_ups = [PickUp { position_m: [52.0, 10.0, 0.0], radius_m: 1.0 }; 100];
    let mut headings = FollowerOptions::default();
    (headings.target_speed.span, headings.target_speed.points) = (CurveSpan::Headings, 64);
    let kind = |kind| VehicleGeometry { kind, ..vehicle };
    let mut followers = [
        (FollowerOptions::default(), vehicle),
        (racing, vehicle),
        (headings, kind(VehicleKind::SkidSteer)),
        (headings, kind(VehicleKind::Hover)),
    ]
    .map(|(options, vehicle)| Follower::new(options, vehicle).expect("valid"));
    let mut baseline = PaperBaseline::new(PaperBaselineOptions::default(), vehicle).expect("valid");
    let mut reynolds = Reynolds::new(ReynoldsOptions::default(), vehicle).expect("valid");
    let mut next = numbers(5);
    let counted = allocations(|| {
        for i in 0..20_000 {
            // Now driving, now standing stuck, now somewhere else, now nonsense.
            let angle = f64::from(i % 5000) * 0.002;
            let mut state =
                VehicleState::new([50.0 * angle.cos(), 50.0 * angle.sin(), 0.0], angle + 1.57, 5.0 * next());
            match i % 1000 {
                0..300 => state.position_m = [50.0, 1.0, 0.0],
                300 => state.position_m = [900.0 * next(), -900.0 * next(), 0.0],
                301 => state.heading_rad = f64::NAN,
                302 => state.position_m[2] = f64::INFINITY,
                _ => {}
            }
            let path = [&lap, &dense, &open][(i / 3000) as usize % 3];
            for follower in &mut followers {
                std::hint::black_box(follower.step(path, &state, &Scene::EMPTY.with_pick_ups(&pick_ups), FRAME_S));
                std::hint::black_box(follower.step(path, &state, &Scene::EMPTY.with_reverse(true), FRAME_S));
            }
            std::hint::black_box(baseline.step(path, &state, &Scene::EMPTY, FRAME_S));
            std::hint::black_box(reynolds.step(path, &state, &Scene::EMPTY, FRAME_S));
        }
    });
    assert_eq!(counted, 0);
}

#[test]
fn neither_traffic_nor_learning_allocates() {
    let waypoints = circle(50.0, 200).waypoints().iter().map(|point| Waypoint { speed_mps: 18.0, ..*point }).collect();
    let dynamics = VehicleDynamics::constant(10.0, 8.0, 5.0);
    let mut lap = Path::new(waypoints, true).expect("a circle").with_dynamics(&dynamics);
    let vehicle = VehicleGeometry::default();
    let mut follower = Follower::new(FollowerOptions::for_racing(), vehicle).expect("valid");
    let mut learning = LearnedSpeeds::new(&lap, vehicle, LearningOptions::default()).expect("a profile");
    let mut next = numbers(7);
    let mut laps = 0;
    let counted = allocations(|| {
        for i in 0..10_000 {
            let angle = f64::from(i) * 0.006;
            let (heading, speed) = (angle + 1.57, 18.0 + next());
            let (sin, cos) = heading.sin_cos();
            let state = VehicleState {
                velocity_mps: [speed * cos, speed * sin, 0.0],
                yaw_rate_radps: 0.36,
                ..VehicleState::new([50.0 * angle.cos(), 50.0 * angle.sin(), 0.0], heading, speed)
            };
            let neighbours: [Neighbour; 20] = std::array::from_fn(|_| Neighbour {
                position_m: [100.0 * next() - 50.0, 100.0 * next() - 50.0, 0.0],
                velocity_mps: [20.0 * next(), 20.0 * next(), 0.0],
                heading_rad: 6.0 * next(),
                length_m: 4.0,
                width_m: 2.0,
            });
            std::hint::black_box(follower.step(&lap, &state, &Scene::EMPTY.with_neighbours(&neighbours), FRAME_S));
            let command = follower.step(&lap, &state, &Scene::EMPTY, FRAME_S);
            if learning.observe(&lap, &state, &command, FRAME_S).is_some() {
                learning.apply(&mut lap).expect("its own path");
                laps += 1;
            }
        }
    });
    assert_eq!(counted, 0);
    assert!(laps > 5, "{laps} laps");
}

#[test]
fn a_step_at_the_limit_allocates_nothing() {
    let waypoints = circle(50.0, 200).waypoints().iter().map(|point| Waypoint { speed_mps: 20.0, ..*point }).collect();
    // An exponent other than 2 takes another branch of the ellipse.
    let dynamics = VehicleDynamics { ellipse_exponent: 1.5, ..VehicleDynamics::constant(10.0, 8.0, 5.0) };
    let lap = Path::new(waypoints, true).expect("a circle").with_dynamics(&dynamics);
    let mut follower = Follower::new(FollowerOptions::for_racing(), VehicleGeometry::default()).expect("valid");
    let mut next = numbers(6);
    let counted = allocations(|| {
        for i in 0..20_000 {
            let angle = f64::from(i) * 0.005;
            let (heading, speed) = (angle + 1.57 + 0.1 * next(), 20.0 + 5.0 * next());
            let (sin, cos) = heading.sin_cos();
            let state = VehicleState {
                velocity_mps: [speed * cos - next() * sin, speed * sin + next() * cos, 0.0],
                yaw_rate_radps: 0.4 + 0.1 * next(),
                ..VehicleState::new([50.0 * angle.cos() + next(), 50.0 * angle.sin() + next(), 0.0], heading, speed)
            };
            std::hint::black_box(follower.step(&lap, &state, &Scene::EMPTY, FRAME_S));
        }
    });
    assert_eq!(counted, 0);
}

#[test]
fn no_behaviour_allocates() {
    use raceline_follower::behaviours::*;
    let lap = circle(50.0, 200);
    let cells = vec![[3.0_f32, 1.0]; 100];
    let field = FlowField::new([-50.0; 2], 10.0, 10, &cells).expect("whole rows");
    let mut wander = Wander::new(WanderOptions::default());
    let (mut agent, mut place) = (Agent::default(), 0.0);
    let mut next = numbers(8);
    let mut grid = NeighbourGrid::new(16, 10.0);
    let walls = [[[-50.0, 0.0], [50.0, 0.0]], [[50.0, 0.0], [50.0, 90.0]]];
    let counted = allocations(|| {
        for _ in 0..5_000 {
            let mut found = [Body::default(); 16];
            let others: [Body; 16] = std::array::from_fn(|_| Body {
                position_m: [100.0 * next() - 50.0, 100.0 * next() - 50.0],
                velocity_mps: [10.0 * next(), 10.0 * next()],
                radius_m: 1.0,
            });
            let near = Neighbourhood::default();
            grid.rebuild(&others);
            let wanted = [
                Flock::default().acceleration(&agent, grid.others(0, 20.0, &mut found)),
                offset_pursuit(&agent, &others[0], [-2.0, 2.0], 5.0),
                follow_wall(&agent, &walls, &WallOptions::default()),
                avoid_obstacles(&agent, &others, &AvoidanceOptions::default()),
                avoid_bodies(&agent, &others, &AvoidanceOptions::default()),
                separation(&agent, &others, &near),
                cohesion(&agent, &others, &near),
                alignment(&agent, &others, &near),
                follow_leader(&agent, &others[0], &others[1..], &LeaderOptions::default()),
                pursuit(&agent, &others[0], 5.0),
                evasion(&agent, &others[1], 5.0),
                arrival(&agent, [0.0; 2], 5.0),
                follow_path(&agent, &lap, &mut place, &PathFollowingOptions::default()),
                follow_flow_field(&agent, &field, 0.5),
                wander.step(&agent, FRAME_S),
            ];
            agent.advance(blend_by_priority(&agent, &wanted), FRAME_S);
            agent.advance(blend_weighted(&agent, &wanted.map(|wanted| (0.1, wanted))), FRAME_S);
        }
    });
    assert_eq!(counted, 0);
}

#[test]
fn a_flock_allocates_in_its_first_frame_alone() {
    use raceline_follower::behaviours::*;
    let mut next = numbers(11);
    let flock = Flock::default();
    let mut agents = vec![Agent::default(); 500];
    let mut grid = NeighbourGrid::new(0, flock.reach_m());
    assert!(allocations(|| flock.step(&mut agents, &mut grid, FRAME_S)) > 0, "the grid grows");
    let counted = allocations(|| {
        for frame in 0..200 {
            // Now near each other, now far apart, now fewer.
            let side = [10.0, 100.0, 1e9, f64::INFINITY][frame % 4];
            for agent in &mut agents {
                agent.body.position_m = [side * next(), side * next()];
            }
            flock.step(&mut agents[..500 - frame], &mut grid, FRAME_S);
        }
    });
    assert_eq!(counted, 0);
}

#[test]
fn the_local_planner_allocates_nothing() {
    use raceline_follower::{Body, LocalPlanner, LocalPlannerOptions};
    let lap = circle(50.0, 200);
    let mut follower = Follower::new(FollowerOptions::default(), VehicleGeometry::default()).expect("valid");
    follower.set_planner(Some(LocalPlanner::new(LocalPlannerOptions::default()).expect("valid")));
    let mut next = numbers(9);
    let mut shifted = 0;
    let counted = allocations(|| {
        for i in 0..5_000 {
            let angle = f64::from(i) * 0.003;
            let mut near = || {
                let (sin, cos) = (angle + 0.1 + 1.5 * next()).sin_cos();
                let radius = 46.0 + 8.0 * next();
                [radius * cos, radius * sin, 0.0]
            };
            let obstacles: [Body; 20] = std::array::from_fn(|_| {
                let [x, y, _] = near();
                Body { position_m: [x, y], velocity_mps: [0.0; 2], radius_m: 0.5 }
            });
            let others: [Neighbour; 20] = std::array::from_fn(|_| Neighbour {
                position_m: near(),
                velocity_mps: [8.0, 2.0, 0.0],
                heading_rad: 0.3,
                length_m: 4.0,
                width_m: 2.0,
            });
            let state = VehicleState::new([50.0 * angle.cos(), 50.0 * angle.sin(), 0.0], angle + 1.57, 9.0);
            let (obstacles, others) = (&obstacles[..(i % 20) as usize], &others[..(i % 7) as usize]);
            let scene = Scene::EMPTY.with_obstacles(obstacles).with_neighbours(others);
            std::hint::black_box(follower.step(&lap, &state, &scene, FRAME_S));
            shifted += usize::from(follower.planner().is_some_and(|planner| planner.offsets_m()[1] != 0.0));
        }
    });
    assert_eq!(counted, 0);
    assert!(shifted > 500, "{shifted} frames with a curve");
}

#[test]
fn a_neural_driver_allocates_nothing() {
    use raceline_follower::neural::{INPUTS, Layer, Network, NeuralDriver, NeuralDriverOptions, OUTPUTS};
    let waypoints = circle(50.0, 200).waypoints().iter().map(|point| Waypoint { speed_mps: 20.0, ..*point }).collect();
    let lap = Path::new(waypoints, true).expect("a circle").with_dynamics(&VehicleDynamics::constant(10.0, 8.0, 5.0));
    let mut next = numbers(10);
    let mut layer = |inputs: usize, units: usize| Layer {
        weights: (0..inputs * units).map(|_| next() - 0.5).collect(),
        biases: vec![0.0; units],
    };
    let layers = vec![layer(INPUTS, 40), layer(40, 128), layer(128, OUTPUTS)];
    let network = std::sync::Arc::new(Network::new(layers).expect("a network"));
    let mut driver =
        NeuralDriver::new(network, NeuralDriverOptions::default(), VehicleGeometry::default()).expect("valid");
    let mut shown = 0;
    let counted = allocations(|| {
        for i in 0..5_000 {
            let angle = f64::from(i) * 0.005;
            let mut state = VehicleState::new([50.0 * angle.cos(), 50.0 * angle.sin(), 0.0], angle + 1.57, 20.0);
            if i % 100 == 7 {
                state.heading_rad = f64::NAN;
            }
            std::hint::black_box(driver.step(&lap, &state, &Scene::EMPTY, FRAME_S));
            shown += usize::from(driver.inputs().is_some());
        }
    });
    assert_eq!(counted, 0);
    assert!(shown > 4_000, "{shown} frames of the network");
}
