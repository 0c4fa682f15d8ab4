//! Steering behaviours: closed forms, then what agents do with them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::{FRAME_S, circle, path};
use proptest::prelude::*;
use raceline_follower::behaviours::*;
use raceline_follower::{VehicleGeometry, VehicleState};

pub(crate) fn agent(position: [f64; 2], velocity: [f64; 2]) -> Agent {
    let heading_rad = velocity[1].atan2(velocity[0]);
    Agent { body: body(position, velocity, 0.5), heading_rad, ..Agent::default() }
}

pub(crate) fn body(position_m: [f64; 2], velocity_mps: [f64; 2], radius_m: f64) -> Body {
    Body { position_m, velocity_mps, radius_m }
}

pub(crate) fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

pub(crate) fn assert_near(a: [f64; 2], b: [f64; 2]) {
    assert!(distance(a, b) < 1e-9, "{a:?} is not {b:?}");
}

/// Moves an agent for some seconds; `steer` is also given the time.
fn run(agent: &mut Agent, seconds: f64, mut steer: impl FnMut(&Agent, f64) -> [f64; 2]) {
    for frame in 0..(seconds / FRAME_S) as usize {
        let acceleration = steer(agent, frame as f64 * FRAME_S);
        agent.advance(acceleration, FRAME_S);
    }
}

#[test]
fn seek_and_flee_are_the_missing_velocity_by_the_response() {
    let fast = Agent { max_acceleration_mps2: 100.0, ..agent([0.0; 2], [4.0, 0.0]) };
    assert_near(seek(&fast, [0.0, 30.0]), [-8.0, 20.0]);
    assert_near(flee(&fast, [0.0, 30.0]), [-8.0, -20.0]);
    // Truncated, in the same direction.
    let slow = Agent { max_acceleration_mps2: 1.0, ..fast };
    let size = 8.0_f64.hypot(20.0);
    assert_near(seek(&slow, [0.0, 30.0]), [-8.0 / size, 20.0 / size]);
    // On the spot, fleeing has a direction all the same.
    assert!(flee(&agent([3.0, 3.0], [0.0; 2]), [3.0, 3.0])[0] > 0.0);
}

#[test]
fn arrival_stops_at_the_target() {
    // Within the slowing distance D the velocity follows x' = v x / D: it dies away, never past.
    let mut one = agent([0.0; 2], [0.0; 2]);
    let mut beyond = 0.0_f64;
    run(&mut one, 20.0, |agent, _| {
        beyond = beyond.max(agent.body.position_m[0] - 40.0);
        arrival(agent, [40.0, 0.0], 15.0)
    });
    assert!(distance(one.body.position_m, [40.0, 0.0]) < 1e-3, "{:?}", one.body);
    assert!(one.body.velocity_mps[0].abs() < 1e-3 && beyond < 0.5, "{beyond}");
    assert_near(arrival(&agent([37.0, 0.0], [2.0, 0.0]), [40.0, 0.0], 15.0), [0.0; 2]);
}

#[test]
fn interception_is_the_root_of_the_meeting() {
    // 3-4-5: the quarry drives 3 m/s across, 8 m away; at 5 m/s they meet after 2 s.
    let quarry = body([8.0, 0.0], [0.0, 3.0], 0.5);
    assert!((interception_time_s([0.0; 2], 5.0, &quarry).unwrap() - 2.0).abs() < 1e-12);
    // As fast as this one and coming: half-way. Getting away: never.
    let coming = body([8.0, 0.0], [-4.0, 0.0], 0.5);
    assert!((interception_time_s([0.0; 2], 4.0, &coming).unwrap() - 1.0).abs() < 1e-12);
    assert_eq!(interception_time_s([0.0; 2], 4.0, &body([8.0, 0.0], [4.5, 0.0], 0.5)), None);
    assert_eq!(interception_time_s([8.0, 0.0], 4.0, &coming), Some(0.0));
    let hunter = Agent { max_speed_mps: 5.0, ..agent([0.0; 2], [0.0; 2]) };
    let [x, y] = pursuit(&hunter, &quarry, 10.0);
    assert!((y / x - 0.75).abs() < 1e-12, "towards (8, 6)");
    assert_near(evasion(&hunter, &quarry, 10.0), [-x, -y]);
}

#[test]
fn pursuit_is_sooner_than_seek_and_evasion_later_than_flight() {
    let caught = |steer: &dyn Fn(&Agent, &Body) -> [f64; 2]| {
        let mut hunter = agent([0.0; 2], [0.0; 2]);
        let at = |time: f64| body([30.0, 6.0 * time], [0.0, 6.0], 0.5);
        let mut first = f64::INFINITY;
        run(&mut hunter, 30.0, |agent, time| {
            if distance(agent.body.position_m, at(time).position_m) < 1.0 {
                first = first.min(time);
            }
            steer(agent, &at(time))
        });
        first
    };
    let pursued = caught(&|agent, quarry| pursuit(agent, quarry, 10.0));
    let sought = caught(&|agent, quarry| seek(agent, quarry.position_m));
    assert!(pursued + 1.0 < sought, "{pursued} and {sought}");
    let nearest = |evades: bool| {
        let mut prey = Agent { max_speed_mps: 6.0, ..agent([0.0; 2], [0.0; 2]) };
        let mut smallest = f64::INFINITY;
        run(&mut prey, 8.0, |agent, time| {
            let pursuer = body([-20.0 + 9.0 * time, -6.0 + 2.0 * time], [9.0, 2.0], 0.5);
            smallest = smallest.min(distance(agent.body.position_m, pursuer.position_m));
            if evades { evasion(agent, &pursuer, 5.0) } else { flee(agent, pursuer.position_m) }
        });
        smallest
    };
    assert!(nearest(true) > nearest(false) + 0.5, "{} and {}", nearest(true), nearest(false));
}

#[test]
fn an_obstacle_is_passed_with_its_gap() {
    let options = AvoidanceOptions::default();
    let obstacle = body([30.0, 0.4], [0.0; 2], 3.0);
    let mut one = agent([0.0; 2], [10.0, 0.0]);
    // 2 m / t² with m = 3 + 0.5 + 0.5 - 0.4 and t = 3 s, to the right.
    assert_near(avoid_obstacles(&one, &[obstacle], &options), [0.0, -2.0 * 3.6 / 9.0]);
    assert_eq!(avoid_obstacles(&one, &[body([30.0, 4.1], [0.0; 2], 3.0)], &options), [0.0; 2]);
    assert_eq!(avoid_obstacles(&one, &[body([-5.0, 0.0], [0.0; 2], 3.0)], &options), [0.0; 2]);
    let mut smallest = f64::INFINITY;
    run(&mut one, 8.0, |agent, _| {
        smallest = smallest.min(distance(agent.body.position_m, obstacle.position_m) - 3.5);
        blend_by_priority(agent, &[avoid_obstacles(agent, &[obstacle], &options), arrival(agent, [60.0, 0.0], 10.0)])
    });
    assert!(smallest > 0.2, "{smallest}");
    assert!(distance(one.body.position_m, [60.0, 0.0]) < 1.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Two that would collide at any angle pass without contact.
    #[test]
    fn unaligned_bodies_do_not_touch(angle in 0.4_f64..std::f64::consts::PI, miss in -0.9_f64..0.9) {
        let goals = [[40.0, 0.0], [40.0 * angle.cos(), 40.0 * angle.sin()]];
        let (sin, cos) = angle.sin_cos();
        let mut agents = [
            agent([-40.0, 0.0], [8.0, 0.0]),
            agent([-40.0 * cos - miss * sin, -40.0 * sin + miss * cos], [8.0 * cos, 8.0 * sin]),
        ];
        for one in &mut agents {
            one.max_speed_mps = 8.0;
        }
        let mut smallest = f64::INFINITY;
        for _ in 0..(12.0 / FRAME_S) as usize {
            smallest = smallest.min(distance(agents[0].body.position_m, agents[1].body.position_m) - 1.0);
            let bodies = agents.map(|agent| agent.body);
            for (one, other, goal) in [(0, 1, goals[0]), (1, 0, goals[1])] {
                let avoid = avoid_bodies(&agents[one], &bodies[other..=other], &AvoidanceOptions::default());
                let wanted = blend_by_priority(&agents[one], &[avoid, arrival(&agents[one], goal, 5.0)]);
                agents[one].advance(wanted, FRAME_S);
            }
        }
        prop_assert!(smallest > 0.0, "{smallest} m");
        for (agent, goal) in agents.iter().zip(goals) {
            prop_assert!(distance(agent.body.position_m, goal) < 2.0, "{:?}", agent.body);
        }
    }

    /// Whatever comes in, the acceleration is a finite one within the limit.
    #[test]
    fn no_input_makes_an_unusable_acceleration(numbers in prop::array::uniform12(prop::num::f64::ANY)) {
        let [a, b, c, d, e, f, g, h, i, j, k, l] = numbers;
        let one = Agent { body: body([a, b], [c, d], 0.5), heading_rad: e, ..Agent::default() };
        let other = body([f, g], [h, i], j);
        let near = Neighbourhood { radius_m: 1e300, view_rad: l };
        let cells = [[a as f32, b as f32]; 4];
        let field = FlowField::new([0.0; 2], 1.0, 2, &cells).unwrap();
        let lap = circle(20.0, 40);
        let avoidance = AvoidanceOptions { horizon_s: 3.0, gap_m: k };
        let all = [
            seek(&one, [f, g]), flee(&one, [f, g]), arrival(&one, [f, g], k), pursuit(&one, &other, k),
            evasion(&one, &other, k), avoid_obstacles(&one, &[other], &avoidance),
            avoid_bodies(&one, &[other], &avoidance), separation(&one, &[other], &near),
            cohesion(&one, &[other], &near), alignment(&one, &[other], &near),
            follow_leader(&one, &other, &[other], &LeaderOptions::default()),
            follow_flow_field(&one, &field, k),
            follow_path(&one, &lap, &mut (0.0 + k), &PathFollowingOptions::default()),
            Wander::new(WanderOptions::default()).step(&one, k),
            blend_weighted(&one, &[(k, [f, g])]), blend_by_priority(&one, &[[f, g], [h, i]]),
        ];
        for (index, acceleration) in all.into_iter().enumerate() {
            let size = acceleration[0].hypot(acceleration[1]);
            prop_assert!(size <= one.max_acceleration_mps2 * (1.0 + 1e-9), "{index}: {acceleration:?}");
        }
    }
}

#[test]
fn wandering_stays_within_its_cone_and_repeats() {
    let walk = |seed, seconds| {
        let mut wander = Wander::new(WanderOptions { seed, ..WanderOptions::default() });
        let mut one = agent([0.0; 2], [5.0, 0.0]);
        let mut turned = [0.0_f64; 2];
        run(&mut one, seconds, |agent, _| {
            let acceleration = wander.step(agent, FRAME_S);
            let across = acceleration[1] * agent.heading_rad.cos() - acceleration[0] * agent.heading_rad.sin();
            turned = [turned[0].min(across), turned[1].max(across)];
            // v sin(asin(r / d)) by the response, at a constant speed.
            assert!(across.abs() <= 5.0 * 0.6 / 0.5 + 0.1, "{across}");
            acceleration
        });
        (one, turned)
    };
    let (a, turned) = walk(7, 60.0);
    assert_eq!((a, turned), walk(7, 60.0));
    assert_ne!(a, walk(8, 60.0).0);
    assert!(turned[0] < -1.0 && turned[1] > 1.0, "to both sides: {turned:?}");
}

#[test]
fn a_path_is_followed_within_its_tube() {
    let lap = circle(40.0, 120);
    let options = PathFollowingOptions::default();
    let mut one = agent([52.0, 0.0], [0.0, 0.0]);
    let (mut place, mut worst) = (0.0, 0.0_f64);
    run(&mut one, 60.0, |agent, time| {
        if time > 10.0 {
            worst = worst.max((agent.body.position_m[0].hypot(agent.body.position_m[1]) - 40.0).abs());
        }
        follow_path(agent, &lap, &mut place, &options)
    });
    assert!(worst < options.tube_m + 0.5, "{worst}");
    // Within the tube and along the path nothing is steered.
    let straight = path(&[[0.0, 0.0], [100.0, 0.0]], false);
    assert_eq!(follow_path(&agent([20.0, 0.5], [10.0, 0.0]), &straight, &mut 20.0, &options), [0.0; 2]);
    assert!(follow_path(&agent([20.0, 1.5], [10.0, 0.0]), &straight, &mut 20.0, &options)[1] < 0.0);
}

#[test]
fn a_flow_field_is_interpolated_and_followed() {
    // Two columns, two rows: to the right below, upwards above.
    let cells = [[4.0, 0.0], [4.0, 0.0], [0.0, 2.0], [0.0, 2.0]];
    let field = FlowField::new([10.0, 20.0], 2.0, 2, &cells).unwrap();
    assert_near(field.velocity_mps([11.0, 21.0]), [4.0, 0.0]);
    assert_near(field.velocity_mps([-90.0, 0.0]), [4.0, 0.0]);
    // Half-way the direction is half-way and the speed is the mean.
    let half = 3.0 * 0.5_f64.sqrt();
    assert_near(field.velocity_mps([12.0, 22.0]), [half, half]);
    // Opposite ones do not cancel.
    let opposite = [[4.0, 0.0], [-4.0, 0.0]];
    let field = FlowField::new([0.0, 0.0], 2.0, 2, &opposite).unwrap();
    assert_near(field.velocity_mps([1.9, 1.0]), [4.0, 0.0]);
    assert_near(field.velocity_mps([2.1, 1.0]), [-4.0, 0.0]);
    let one = agent([1.0, 1.0], [4.0, 0.0]);
    assert_near(follow_flow_field(&one, &field, 0.0), [0.0; 2]);
    assert!(follow_flow_field(&one, &field, 0.5)[0] < 0.0, "where it will be");
    assert!(FlowField::new([0.0, 0.0], 0.0, 2, &opposite).unwrap_err().to_string().contains("above 0"));
    assert!(FlowField::new([0.0, 0.0], 1.0, 3, &opposite).unwrap_err().to_string().contains("rows of 3"));
}

#[test]
fn the_rules_of_a_flock() {
    let near = Neighbourhood::default();
    let one = agent([0.0; 2], [5.0, 0.0]);
    let pair = [body([2.0, 2.0], [1.0, 4.0], 0.5), body([2.0, -2.0], [3.0, 2.0], 0.5)];
    // Each pushes with 1/r along its direction; the parts across cancel.
    assert_near(separation(&one, &pair, &near), [-0.1 * 10.0 * 6.0 * 2.0 * 2.0 / 8.0, 0.0]);
    // To the middle, 2 m away, at 0.2 of the speed; to the mean velocity.
    assert_near(cohesion(&one, &pair, &near), [-6.0, 0.0]);
    assert_near(alignment(&one, &pair, &near), [-6.0 * 0.5_f64.sqrt(), 6.0 * 0.5_f64.sqrt()]);
    let behind = [body([-2.0, 0.0], [0.0; 2], 0.5)];
    let ahead_only = Neighbourhood { view_rad: 1.0, ..near };
    assert_eq!(separation(&one, &behind, &ahead_only), [0.0; 2]);
    assert_eq!(cohesion(&one, &behind, &ahead_only), [0.0; 2]);
    assert_eq!(alignment(&one, &[body([11.0, 0.0], [9.0, 9.0], 0.5)], &near), [0.0; 2]);
    // Together: a scattered crowd becomes a flock that moves in one direction and keeps apart.
    let mut flock: Vec<Agent> = (0..12)
        .map(|i| {
            let (sin, cos) = (f64::from(i) * 2.4).sin_cos();
            agent([3.0 * f64::from(i).sqrt() * cos, 3.0 * f64::from(i).sqrt() * sin], [4.0 + sin, 3.0 * cos])
        })
        .collect();
    let everyone = Neighbourhood { radius_m: 30.0, ..near };
    let close = Neighbourhood { radius_m: 3.0, ..near };
    for _ in 0..1800 {
        let bodies: Vec<Body> = flock.iter().map(|agent| agent.body).collect();
        for (i, agent) in flock.iter_mut().enumerate() {
            let others: Vec<Body> = bodies.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, body)| *body).collect();
            let wanted = blend_weighted(
                agent,
                &[
                    (1.5, separation(agent, &others, &close)),
                    (0.3, cohesion(agent, &others, &everyone)),
                    (1.0, alignment(agent, &others, &everyone)),
                ],
            );
            agent.advance(wanted, FRAME_S);
        }
    }
    let mean = [0, 1].map(|k| flock.iter().map(|agent| agent.body.velocity_mps[k]).sum::<f64>() / 12.0);
    for (i, a) in flock.iter().enumerate() {
        assert!(distance(a.body.velocity_mps, mean) < 0.5, "{:?} of {mean:?}", a.body.velocity_mps);
        for b in &flock[..i] {
            assert!(distance(a.body.position_m, b.body.position_m) > 1.0);
            assert!(distance(a.body.position_m, b.body.position_m) < 30.0);
        }
    }
}

#[test]
fn followers_stay_behind_their_leader_and_out_of_its_path() {
    let options = LeaderOptions::default();
    let leader_at = |time: f64| body([5.0 * time, 0.0], [5.0, 0.0], 0.5);
    // Ahead of the leader, a little to its left: out to the left.
    assert!(follow_leader(&agent([4.0, 0.5], [0.0; 2]), &leader_at(0.0), &[], &options)[1] > 0.0);
    assert!(follow_leader(&agent([4.0, -0.5], [0.0; 2]), &leader_at(0.0), &[], &options)[1] < 0.0);
    let mut one = agent([-30.0, 12.0], [0.0; 2]);
    run(&mut one, 30.0, |agent, time| follow_leader(agent, &leader_at(time), &[], &options));
    let end = leader_at(30.0).position_m;
    assert!(distance(one.body.position_m, [end[0] - options.behind_m, end[1]]) < 0.3, "{:?}", one.body);
    let mut pair = [agent([-10.0, 1.0], [0.0; 2]), agent([-10.0, -1.0], [0.0; 2])];
    for frame in 0..1800 {
        let bodies = pair.map(|agent| agent.body);
        for (agent, other) in pair.iter_mut().zip([bodies[1], bodies[0]]) {
            let leader = leader_at(f64::from(frame) * FRAME_S);
            agent.advance(follow_leader(agent, &leader, &[other], &options), FRAME_S);
        }
    }
    let apart = distance(pair[0].body.position_m, pair[1].body.position_m);
    assert!(apart > 1.0, "{apart}");
}

#[test]
fn blending_by_weight_and_by_priority() {
    let one = agent([0.0; 2], [0.0; 2]);
    assert_near(blend_weighted(&one, &[(0.5, [4.0, 0.0]), (2.0, [0.0, 1.0])]), [2.0, 2.0]);
    assert_near(blend_weighted(&one, &[(2.0, [6.0, 0.0])]), [6.0, 0.0]);
    // The second has what is left: 6² = 3.6² + 4.8².
    assert_near(blend_by_priority(&one, &[[3.6, 0.0], [0.0, 9.0], [-9.0, 0.0]]), [3.6, 4.8]);
    assert_near(blend_by_priority(&one, &[[0.0, 0.0], [2.0, 0.0], [1.0, 1.0]]), [3.0, 1.0]);
    assert_near(blend_by_priority(&one, &[[60.0, 0.0], [0.0, 6.0]]), [6.0, 0.0]);
    // What would undo the first is left out, what goes with it is not.
    assert_near(blend_by_priority(&one, &[[0.0, 1.0], [2.0, -5.0]]), [2.0, 1.0]);
}

#[test]
fn a_car_has_the_acceleration_across_as_curvature() {
    let vehicle = VehicleGeometry::default();
    let state = VehicleState::new([0.0; 3], 0.5, 10.0);
    let (sin, cos) = 0.5_f64.sin_cos();
    // 2 m/s² ahead and 3 m/s² to the left.
    let wanted = [2.0 * cos - 3.0 * sin, 2.0 * sin + 3.0 * cos];
    let controls = car_controls(wanted, &state, &vehicle, [5.0, 8.0]);
    assert!((controls.pedal - 0.4).abs() < 1e-12);
    assert!((controls.steering_rad - (0.03 * vehicle.wheelbase_m).atan()).abs() < 1e-12);
    let braking = car_controls([-4.0 * cos, -4.0 * sin], &state, &vehicle, [5.0, 8.0]);
    assert!((braking.pedal + 0.5).abs() < 1e-12 && braking.steering_rad.abs() < 1e-12);
    let nonsense = car_controls([f64::NAN, 1.0], &VehicleState::new([0.0; 3], f64::NAN, 1.0), &vehicle, [5.0, 8.0]);
    assert_eq!(nonsense, CarControls::default());
}

#[test]
fn a_companion_drives_beside_another() {
    let mut leader = body([20.0, 0.0], [3.0, 4.0], 0.5);
    let mut one = agent([0.0; 2], [0.0; 2]);
    run(&mut one, 15.0, |agent, _| {
        leader.position_m = [0, 1].map(|k| leader.position_m[k] + leader.velocity_mps[k] * FRAME_S);
        offset_pursuit(agent, &leader, [-2.0, 3.0], 5.0)
    });
    // 2 m behind and 3 m to the left of one that drives along (0.6, 0.8) and has yet to move in this frame.
    leader.position_m = [0, 1].map(|k| leader.position_m[k] + leader.velocity_mps[k] * FRAME_S);
    let beside = [leader.position_m[0] - 2.0 * 0.6 - 3.0 * 0.8, leader.position_m[1] - 2.0 * 0.8 + 3.0 * 0.6];
    assert!(distance(one.body.position_m, beside) < 1e-3, "{:?} is not at {beside:?}", one.body.position_m);
    assert!(distance(one.body.velocity_mps, leader.velocity_mps) < 1e-3, "{:?}", one.body.velocity_mps);
    // Critically damped: e = (e0 + (v0 + e0 / 2 ρ) t) exp(-t / 2 ρ), and never past the place.
    let near = Agent { max_acceleration_mps2: 1e3, response_s: 0.5, ..agent([0.0; 2], [3.0, 0.0]) };
    let (mut one, mut time) = (near, 0.0);
    while time < 4.0 {
        let place = body([2.0 + 3.0 * time, 0.0], [3.0, 0.0], 0.5);
        one.advance(offset_pursuit(&one, &place, [0.0; 2], 5.0), 1e-4);
        time += 1e-4;
        let behind = 2.0 + 3.0 * time - one.body.position_m[0];
        let expected = (2.0 + 2.0 * time) * (-time).exp();
        assert!((behind - expected).abs() < 1e-3 && behind > 0.0, "{time} s: {behind} m, expected {expected} m");
    }
    let one = agent([0.0; 2], [0.0; 2]);
    assert_eq!(offset_pursuit(&one, &body([f64::NAN; 2], [1.0, 0.0], 0.5), [0.0; 2], 5.0), [0.0; 2]);
    let one = agent([90.0, 90.0], [0.0; 2]);
    assert_near(
        offset_pursuit(&one, &body([9.0, 9.0], [0.0; 2], 0.5), [2.0, 0.0], 5.0),
        pursuit(&one, &body([11.0, 9.0], [0.0; 2], 0.5), 5.0),
    );
}

#[test]
fn a_wall_is_followed_at_its_distance_and_around_a_corner() {
    let options = WallOptions::default();
    let walls = [[[-50.0, 0.0], [50.0, 0.0]], [[50.0, 0.0], [50.0, -60.0]]];
    let mut one = agent([-40.0, 7.0], [4.0, 0.0]);
    one.max_speed_mps = 5.0;
    let mut on_the_first = Vec::new();
    run(&mut one, 30.0, |agent, _| {
        let [x, y] = agent.body.position_m;
        if (-20.0..40.0).contains(&x) && y > 0.0 {
            on_the_first.push(y);
        }
        follow_wall(agent, &walls, &options)
    });
    assert!(on_the_first.len() > 500 && on_the_first.iter().all(|y| (y - 2.0).abs() < 0.5), "{on_the_first:?}");
    // Around the end of the first and along the second.
    let [x, y] = one.body.position_m;
    assert!((x - 52.0).abs() < 0.5 && y < -5.0, "{x}, {y}");
    // Along a long wall the distance comes to be the wanted one, and stays.
    let long = [[[-1e4, 0.0], [1e4, 0.0]]];
    run(&mut one, 60.0, |agent, _| follow_wall(agent, &long, &options));
    let [_, y] = one.body.position_m;
    assert!((y.abs() - 2.0).abs() < 1e-6 && one.body.velocity_mps[1].abs() < 1e-6, "{y}");
    assert_eq!(follow_wall(&one, &[], &options), [0.0; 2]);
    assert_eq!(follow_wall(&one, &[[[f64::NAN; 2]; 2]], &options), [0.0; 2]);
}
