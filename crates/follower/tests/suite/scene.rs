//! One step with any scene: what is in it, alone and together.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::f64::consts::PI;

use crate::common::{Car, FRAME_S, numbers, path, stadium};
use crate::traffic::separation;
use raceline_follower::{
    Body, Follower, FollowerOptions, LocalPlanner, LocalPlannerOptions, Neighbour, Path, PickUp, Scene,
    VehicleGeometry, VehicleState,
};

fn road() -> Path {
    path(&[[-60.0, 0.0], [600.0, 0.0]], false)
}

fn follower(planner: bool) -> Follower {
    let mut options = FollowerOptions::default();
    options.target_speed.max_speed_mps = 10.0;
    let mut follower = Follower::new(options, Car::new([0.0; 2], 0.0, 0.0).vehicle).unwrap();
    follower.set_planner(planner.then(|| LocalPlanner::new(LocalPlannerOptions::default()).unwrap()));
    follower
}

fn car_at(x: f64, y: f64, speed: f64) -> Neighbour {
    Neighbour {
        position_m: [x, y, 0.0],
        velocity_mps: [speed, 0.0, 0.0],
        heading_rad: 0.0,
        length_m: 4.4,
        width_m: 1.8,
    }
}

fn body_of(car: &Car) -> Neighbour {
    // The reference point of this car is the middle of its body.
    let ([x, y], (sin, cos)) = (car.position(), car.heading.sin_cos());
    Neighbour { velocity_mps: [car.speed * cos, car.speed * sin, 0.0], heading_rad: car.heading, ..car_at(x, y, 0.0) }
}

/// How a drive along the road went.
#[derive(Debug)]
struct Drive {
    /// Distance along the road, m.
    x: f64,
    /// Smallest distance of the body to another, m.
    clearance: f64,
    /// Whether each pick-up was collected.
    taken: Vec<bool>,
}

/// Drives from the road's beginning, forwards or in reverse.
fn drive(
    follower: &mut Follower,
    (others, obstacles): (&[Neighbour], &[Body]),
    pick_ups: &[PickUp],
    reverse: bool,
    seconds: f64,
) -> Drive {
    let road = road();
    let (heading, speed) = if reverse { (PI, -6.0) } else { (0.0, 6.0) };
    let mut car = Car::new([0.0, 0.0], heading, speed);
    let mut drive = Drive { x: 0.0, clearance: f64::INFINITY, taken: vec![false; pick_ups.len()] };
    for frame in 0..(seconds / FRAME_S) as usize {
        let time = frame as f64 * FRAME_S;
        let at = |other: &Neighbour| {
            car_at(other.position_m[0] + other.velocity_mps[0] * time, other.position_m[1], other.velocity_mps[0])
        };
        let others: Vec<Neighbour> = others.iter().map(at).collect();
        let scene = Scene::EMPTY.with_neighbours(&others).with_obstacles(obstacles).with_pick_ups(pick_ups);
        let command = follower.step(&road, &car.state(), &scene.with_reverse(reverse), FRAME_S);
        assert!(command.event.is_none(), "stuck at {:?}", car.position());
        car.drive(&command, FRAME_S);
        let [x, y] = car.position();
        drive.x = x;
        for other in &others {
            drive.clearance = drive.clearance.min(separation(&body_of(&car), other));
        }
        for obstacle in obstacles {
            let square = Neighbour {
                length_m: 2.0 * obstacle.radius_m,
                width_m: 2.0 * obstacle.radius_m,
                ..car_at(obstacle.position_m[0], obstacle.position_m[1], 0.0)
            };
            drive.clearance = drive.clearance.min(separation(&body_of(&car), &square));
        }
        for (taken, pick_up) in drive.taken.iter_mut().zip(pick_ups) {
            *taken |= (pick_up.position_m[0] - x).hypot(pick_up.position_m[1] - y) <= pick_up.radius_m;
        }
    }
    drive
}

fn obstacle(x: f64, y: f64) -> Body {
    Body { position_m: [x, y], velocity_mps: [0.0; 2], radius_m: 0.6 }
}

fn pick_up(x: f64, y: f64) -> PickUp {
    PickUp { position_m: [x, y, 0.0], radius_m: 0.8 }
}

#[test]
fn what_is_far_away_changes_nothing_to_the_bit() {
    let lap = stadium(120.0, 30.0, 2.0);
    let others = [car_at(5e3, 5e3, 3.0)];
    let (obstacles, pick_ups) = ([obstacle(-4e3, 0.0)], [pick_up(5e3, 5.0)]);
    let scene = Scene::EMPTY.with_neighbours(&others).with_obstacles(&obstacles).with_pick_ups(&pick_ups);
    for planner in [false, true] {
        let (mut alone, mut among) = (follower(false), follower(planner));
        let mut car = Car::new([0.0, 0.8], 0.1, 5.0);
        for _ in 0..1200 {
            let command = alone.step(&lap, &car.state(), &Scene::EMPTY, FRAME_S);
            assert_eq!(among.step(&lap, &car.state(), &scene, FRAME_S), command);
            assert!(!among.is_avoiding() && among.shift_m() == 0.0);
            car.drive(&command, FRAME_S);
        }
    }
}

#[test]
fn without_a_planner_obstacles_are_standing_vehicles() {
    let obstacles = [obstacle(60.0, 0.0), obstacle(110.0, -1.0)];
    let squares = obstacles.map(|obstacle| Neighbour {
        length_m: 1.2,
        width_m: 1.2,
        ..car_at(obstacle.position_m[0], obstacle.position_m[1], 0.0)
    });
    let (mut by_obstacles, mut by_cars) = (follower(false), follower(false));
    let mut car = Car::new([0.0, 0.0], 0.0, 6.0);
    for _ in 0..1800 {
        let command = by_obstacles.step(&road(), &car.state(), &Scene::EMPTY.with_obstacles(&obstacles), FRAME_S);
        assert_eq!(by_cars.step(&road(), &car.state(), &Scene::EMPTY.with_neighbours(&squares), FRAME_S), command);
        car.drive(&command, FRAME_S);
    }
    assert!(car.position()[0] > 130.0, "{:?}", car.position());
}

#[test]
fn obstacles_and_neighbours_are_avoided_together_with_a_planner_and_without() {
    for planner in [false, true] {
        let drive =
            drive(&mut follower(planner), (&[car_at(40.0, 0.0, 3.0)], &[obstacle(130.0, 0.3)]), &[], false, 40.0);
        assert!(drive.clearance > 0.2 && drive.x > 180.0, "{planner}: {drive:?}");
    }
}

#[test]
fn in_reverse_obstacles_and_neighbours_are_avoided_as_well() {
    for planner in [false, true] {
        let drive =
            drive(&mut follower(planner), (&[car_at(50.0, 0.0, 0.0)], &[obstacle(110.0, 0.3)]), &[], true, 40.0);
        assert!(drive.clearance > 0.1 && drive.x > 150.0, "{planner}: {drive:?}");
    }
}

/// What one that drives ahead allows depends on the outlines of both, not on the point that locates this one.
#[test]
fn the_point_that_locates_the_body_makes_no_difference_to_others() {
    let middle = Car::new([0.0; 2], 0.0, 0.0).vehicle;
    let rear = VehicleGeometry { rear_axle_m: 0.0, ..middle };
    for (reverse, planner) in [(false, false), (true, false), (false, true), (true, true)] {
        let allowed = |vehicle: VehicleGeometry| {
            let mut options = FollowerOptions::default();
            options.target_speed.max_speed_mps = 10.0;
            let mut follower = Follower::new(options, vehicle).unwrap();
            follower.set_planner(planner.then(|| LocalPlanner::new(LocalPlannerOptions::default()).unwrap()));
            let (heading, speed) = if reverse { (PI, -9.0) } else { (0.0, 9.0) };
            // The body's middle is at the origin.
            let back = 0.5 * vehicle.wheelbase_m - vehicle.rear_axle_m;
            let state = VehicleState::new([-back * f64::cos(heading), 0.0, 0.0], heading, speed);
            let others = [car_at(8.0, 0.0, 4.0)];
            let scene = Scene::EMPTY.with_neighbours(&others).with_reverse(reverse);
            follower.step(&road(), &state, &scene, FRAME_S).target_speed_mps
        };
        let (own, other) = (allowed(middle), allowed(rear));
        assert!(own < 9.0 && (own - other).abs() < 1e-9, "{reverse} {planner}: {own} {other}");
    }
}

#[test]
fn in_reverse_pick_ups_are_taken_as_well() {
    let drive = drive(&mut follower(false), (&[], &[]), &[pick_up(70.0, 1.8), pick_up(140.0, -1.8)], true, 40.0);
    assert_eq!(drive.taken, [true, true], "{drive:?}");
}

#[test]
fn a_pick_up_is_taken_among_others_unless_one_of_them_obstructs_it() {
    let pick_ups = [pick_up(60.0, 2.0), pick_up(160.0, 2.0)];
    for planner in [false, true] {
        // One stands where the first lies, and nothing is near the second.
        for (others, obstacles) in [(vec![car_at(62.0, 3.0, 0.0)], vec![]), (vec![], vec![obstacle(60.0, 3.0)])] {
            let drive = drive(&mut follower(planner), (&others, &obstacles), &pick_ups, false, 40.0);
            assert!(drive.clearance > 0.0 && drive.x > 180.0, "{planner}: {drive:?}");
            assert_eq!(drive.taken, [false, true], "{planner}: {drive:?}");
        }
        // One drives abreast of the vehicle, between it and both.
        let abreast = drive(&mut follower(planner), (&[car_at(0.0, 3.0, 9.5)], &[]), &pick_ups, false, 16.0);
        assert!(abreast.clearance > 0.0 && abreast.taken == [false, false], "{planner}: {abreast:?}");
        // Far ahead, at the same speed, it obstructs nobody.
        let ahead = drive(&mut follower(planner), (&[car_at(160.0, 0.0, 10.0)], &[]), &pick_ups, false, 40.0);
        assert_eq!(ahead.taken, [true, true], "{planner}: {ahead:?}");
    }
}

#[test]
fn a_planner_is_reset_and_taken_away_with_its_memory() {
    let (mut with, mut plain) = (follower(true), follower(false));
    let obstacles = [obstacle(25.0, 0.0)];
    let near = Scene::EMPTY.with_obstacles(&obstacles);
    let state = Car::new([0.0, 0.0], 0.0, 8.0).state();
    for _ in 0..20 {
        with.step(&road(), &state, &near, FRAME_S);
    }
    assert!(with.is_avoiding() && with.planner().unwrap().offsets_m()[1] != 0.0);
    with.reset();
    assert!(!with.is_avoiding() && with.planner().is_some());
    assert_eq!(with.step(&road(), &state, &Scene::EMPTY, FRAME_S), plain.step(&road(), &state, &Scene::EMPTY, FRAME_S));
    with.set_planner(None);
    assert!(with.planner().is_none());
}

/// Whatever is in the scene, the numbers of the command are finite and in their ranges.
#[test]
fn any_scene_gives_a_usable_command() {
    let lap = stadium(120.0, 30.0, 2.0);
    let mut next = numbers(12);
    let (mut plain, mut planning) = (follower(false), follower(true));
    let mut car = Car::new([0.0, 0.0], 0.0, 5.0);
    for frame in 0..4000 {
        let mut odd = || match (30.0 * next()) as usize {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => -1e300,
            _ => 160.0 * next() - 80.0,
        };
        let neighbours: [Neighbour; 20] = std::array::from_fn(|_| Neighbour {
            position_m: [odd(), odd(), 0.0],
            velocity_mps: [odd(), odd(), odd()],
            heading_rad: odd(),
            length_m: odd(),
            width_m: odd(),
        });
        let obstacles: [Body; 20] =
            std::array::from_fn(|_| Body { position_m: [odd(), odd()], velocity_mps: [odd(), odd()], radius_m: odd() });
        let pick_ups: [PickUp; 70] =
            std::array::from_fn(|_| PickUp { position_m: [odd(), odd(), 0.0], radius_m: odd() });
        let scene = Scene::EMPTY.with_neighbours(&neighbours).with_obstacles(&obstacles).with_pick_ups(&pick_ups);
        let scene = scene.with_reverse(frame % 7 == 0);
        for follower in [&mut plain, &mut planning] {
            let command = follower.step(&lap, &car.state(), &scene, FRAME_S);
            let numbers = [command.target_speed_mps, command.s_m, command.target_point_m[0], follower.shift_m()];
            assert!(numbers.iter().all(|number| number.is_finite()) && command.target_speed_mps >= 0.0, "{command:?}");
            assert!(command.pedal.abs() <= 1.0 && command.steering_rad.abs() <= car.vehicle.max_steering_rad);
            car.drive(&command, FRAME_S);
        }
    }
}
