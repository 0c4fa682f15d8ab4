//! Learning, the neural driver and the steering behaviours through the C interface.

#![cfg(feature = "capi")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]
#![allow(unsafe_code, reason = "calls the C interface")]

use std::ptr::{null, null_mut};

use raceline_follower::capi::*;
use raceline_follower::{Body, PathFollower, Scene, VehicleGeometry, json};

use crate::capi::{Handles, last_error, square, state};

#[test]
fn learning_through_c_remembers_and_refuses() {
    let mut waypoints = square();
    let (mut path, mut other, mut learning) = (null_mut(), null_mut(), null_mut());
    let handles = Handles::new(&RacelineFollowerOptions::default());
    let at = state([5.0, 0.5, 0.0], 0.0, 3.0);
    let mut command = RacelineCommand::default();
    // SAFETY: every pointer leads to what the documentation of the calls requires, and all is freed once.
    unsafe {
        let new = |path, lowest, learning| {
            let options = RacelineLearningOptions { lowest, ..RacelineLearningOptions::default() };
            raceline_learning_new(path, null(), &raw const options, learning)
        };
        assert_eq!(new(handles.0, f64::NAN, &raw mut learning), RacelineStatus::Path);
        assert!(last_error().starts_with("waypoint 0 has no speed") && learning.is_null());
        waypoints.iter_mut().for_each(|waypoint| waypoint.speed_mps = 5.0);
        assert_eq!(raceline_path_new(waypoints.as_ptr(), 4, 1, &raw mut path), RacelineStatus::Ok);
        assert_eq!(raceline_path_new(waypoints.as_ptr(), 3, 1, &raw mut other), RacelineStatus::Ok);
        assert_eq!(new(path, 0.1, &raw mut learning), RacelineStatus::Value);
        assert_eq!(new(path, 0.9, &raw mut learning), RacelineStatus::Ok);
        let status = raceline_follower_step(handles.1, path, &raw const at, null(), 1.0 / 60.0, &raw mut command);
        assert_eq!(status, RacelineStatus::Ok);
        let mut lap = RacelineLap { ended: -1, ..RacelineLap::default() };
        let (at, command) = (&raw const at, &raw const command);
        let status = raceline_learning_observe(learning, path, at, command, 0.02, &raw mut lap);
        assert!(status == RacelineStatus::Ok && lap.ended == 0 && lap.time_s.is_nan());
        let status = raceline_learning_observe(learning, path, at, command, 0.02, null_mut());
        assert_eq!(status, RacelineStatus::Pointer);
        assert_eq!(raceline_learning_apply(learning, path), RacelineStatus::Ok);
        assert_eq!(raceline_learning_apply(learning, other), RacelineStatus::Path);
        let mut count = 0;
        assert_eq!(raceline_learning_remember(learning, null_mut(), 0, &raw mut count), RacelineStatus::Ok);
        let mut bytes = vec![0_u8; count];
        let status = raceline_learning_remember(learning, bytes.as_mut_ptr(), count, &raw mut count);
        assert!(status == RacelineStatus::Ok && bytes.starts_with(b"{\"format\":\"raceline-learned\""));
        assert_eq!(raceline_learning_recall(learning, bytes.as_ptr(), count), RacelineStatus::Ok);
        assert_eq!(raceline_learning_recall(learning, bytes.as_ptr(), 5), RacelineStatus::Json);
        assert_eq!(raceline_learning_interrupt(learning), RacelineStatus::Ok);
        raceline_learning_free(learning);
        for (highest, expected) in [(1.6, RacelineStatus::Value), (f64::NAN, RacelineStatus::Ok)] {
            let options = RacelineLearningOptions { faults_reported: 1, highest, ..Default::default() };
            let status = raceline_learning_new(path, null(), &raw const options, &raw mut learning);
            assert_eq!((status, learning.is_null()), (expected, expected != RacelineStatus::Ok));
        }
        assert_eq!(raceline_learning_fault(learning), RacelineStatus::Ok);
        assert_eq!(raceline_learning_fault(null_mut()), RacelineStatus::Pointer);
        assert_eq!(raceline_learning_settle(learning), RacelineStatus::Ok);
        assert_eq!(raceline_learning_settle(null_mut()), RacelineStatus::Pointer);
        raceline_learning_free(learning);
        raceline_learning_free(null_mut());
        raceline_path_free(path);
        raceline_path_free(other);
    }
}

#[test]
fn a_neural_driver_through_c_is_that_of_rust() {
    use raceline_follower::neural::{INPUTS, Layer, Network, NeuralDriver, NeuralDriverOptions, OUTPUTS};
    let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tracks/club.raceline.json")).unwrap();
    let line = json::read(&bytes).unwrap();
    let weights = (0..INPUTS * OUTPUTS).map(|k| 0.02 * (k % 5) as f64 - 0.03).collect();
    let network = Network::new(vec![Layer { weights, biases: vec![0.1; OUTPUTS] }]).unwrap();
    let text = json::write_network(&network);
    let there = line.path.sample(50.0);
    let at = state(there.position_m, there.heading_rad, 12.0);
    let options = NeuralDriverOptions { profile_scale: 0.9, ..NeuralDriverOptions::default() };
    let mut driver = NeuralDriver::new(network.into(), options, VehicleGeometry::default()).unwrap();
    let expected = driver.step(&line.path, &at.into(), &Scene::EMPTY, 0.02);
    let (mut path, mut net, mut driver) = (null_mut(), null_mut(), null_mut());
    let mut command = RacelineCommand::default();
    // SAFETY: every pointer leads to what the documentation of the calls requires, and all is freed once.
    unsafe {
        raceline_path_from_json(bytes.as_ptr(), bytes.len(), &raw mut path, null_mut(), null_mut());
        let status = raceline_network_from_json(text.as_ptr(), text.len(), &raw mut net);
        assert_eq!(status, RacelineStatus::Ok, "{}", last_error());
        let mut options = RacelineNeuralDriverOptions { network: net, profile_scale: 0.9, ..Default::default() };
        assert_eq!(raceline_neural_driver_new(&raw const options, &raw mut driver), RacelineStatus::Ok);
        let status = raceline_neural_driver_step(driver, path, &raw const at, null(), 0.02, &raw mut command);
        assert_eq!(status, RacelineStatus::Ok);
        raceline_neural_driver_free(driver);
        options.profile_scale = 9.0;
        assert_eq!(raceline_neural_driver_new(&raw const options, &raw mut driver), RacelineStatus::Value);
        assert_eq!(raceline_network_from_json(text.as_ptr(), 9, &raw mut net), RacelineStatus::Json);
        assert!(net.is_null() && driver.is_null());
        raceline_network_free(options.network.cast_mut());
        raceline_path_free(path);
    }
    assert_eq!((command.pedal, command.steering_rad), (expected.pedal, expected.steering_rad));
    assert!(command.steering_rad != 0.0);
}

#[test]
fn behaviours_through_c_are_those_of_rust() {
    use raceline_follower::behaviours::{Agent, Neighbourhood, avoid_obstacles, separation};
    let agent = RacelineAgent { velocity_mps: [4.0, 1.0], heading_rad: 0.2, ..RacelineAgent::default() };
    let bodies: Vec<RacelineBody> = (0..100)
        .map(|k| RacelineBody { position_m: [3.0 + f64::from(k), 0.1 * f64::from(k)], ..RacelineBody::default() })
        .collect();
    let (of_rust, seen): (Agent, Vec<Body>) = (agent.into(), bodies.iter().map(|body| (*body).into()).collect());
    let mut wanted = [0.0; 2];
    // SAFETY: every pointer leads to what the documentation of the calls requires.
    unsafe {
        let status = raceline_separation(&raw const agent, bodies.as_ptr(), 100, null(), &raw mut wanted);
        assert_eq!(status, RacelineStatus::Ok);
        assert_eq!(wanted, separation(&of_rust, &seen[..MAX_BODIES], &Neighbourhood::default()));
        let status = raceline_avoid_obstacles(&raw const agent, bodies.as_ptr(), 100, null(), &raw mut wanted);
        assert_eq!(status, RacelineStatus::Ok);
        assert_eq!(wanted, avoid_obstacles(&of_rust, &seen[..MAX_BODIES], &Default::default()));
        assert_eq!(raceline_seek(&raw const agent, null(), &raw mut wanted), RacelineStatus::Pointer);
        assert_eq!(raceline_seek(null(), &raw const wanted, &raw mut wanted), RacelineStatus::Pointer);
        assert_eq!(raceline_seek(&raw const agent, &raw const wanted, null_mut()), RacelineStatus::Pointer);
    }
}

#[test]
fn a_flock_through_c_is_that_of_rust() {
    use raceline_follower::behaviours::{Agent, Flock, NeighbourGrid};
    let mut agents: Vec<RacelineAgent> = (0..200)
        .map(|k| {
            let angle = 2.4 * f64::from(k);
            let position_m = [1.5 * f64::from(k).sqrt() * angle.cos(), 1.5 * f64::from(k).sqrt() * angle.sin()];
            RacelineAgent { position_m, velocity_mps: [1.0, angle.sin()], heading_rad: angle, ..Default::default() }
        })
        .collect();
    let mut of_rust: Vec<Agent> = agents.iter().map(|agent| (*agent).into()).collect();
    let options = RacelineFlock { cohesion_view_rad: 1.5, alignment_weight: 0.4, ..Default::default() };
    let flock: Flock = options.into();
    let expected = flock.accelerations(&of_rust, &mut NeighbourGrid::new(200, 10.0)).to_vec();
    let mut wanted = vec![[0.0; 2]; 200];
    let mut grid = null_mut();
    // SAFETY: every pointer leads to what the documentation of the calls requires.
    unsafe {
        assert_eq!(raceline_neighbour_grid_new(0, 10.0, &raw mut grid), RacelineStatus::Ok);
        let accelerations =
            |count, to| raceline_flock_accelerations(&raw const options, grid, agents.as_ptr(), count, to);
        assert_eq!(accelerations(200, wanted.as_mut_ptr()), RacelineStatus::Ok);
        assert_eq!(wanted, expected);
        assert_eq!(accelerations(200, null_mut()), RacelineStatus::Pointer);
        assert_eq!(accelerations(MAX_AGENTS + 1, wanted.as_mut_ptr()), RacelineStatus::Value);
        assert_eq!(accelerations(0, null_mut()), RacelineStatus::Ok);
        let moved = raceline_flock_step(&raw const options, grid, agents.as_mut_ptr(), 200, 0.1);
        assert_eq!(moved, RacelineStatus::Ok);
        flock.step(&mut of_rust, &mut NeighbourGrid::new(200, 10.0), 0.1);
        let after: Vec<Agent> = agents.iter().map(|agent| (*agent).into()).collect();
        assert_eq!(after, of_rust);
        // One whose size differs is found before anything is moved.
        agents[150].struct_size = 24;
        let refused = raceline_flock_step(&raw const options, grid, agents.as_mut_ptr(), 200, 0.1);
        assert_eq!((refused, agents[0].position_m), (RacelineStatus::Value, after[0].body.position_m));
        raceline_neighbour_grid_free(grid);
    }
}
