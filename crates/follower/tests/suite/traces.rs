//! Drives that differ in one thing each, and what the commands of each add up to.
//!
//! A test of the outcome, as of the distance from the line, does not see a formula that is slightly wrong; the sums of
//! all numbers of a thousand commands do. See [`crate::recorded_sums`].

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::f64::consts::TAU;

use raceline_follower::{
    Body, CorridorOptions, CurveSpan, DeviationNoise, Follower, FollowerOptions, LearnedSpeeds, LearningOptions,
    LocalPlanner, LocalPlannerOptions, Neighbour, Path, PathInputs, PickUp, Scene, SpeedMode, VehicleGeometry,
    VehicleKind, VehicleState, Waypoint, deviations,
};
use raceline_vehicle_simulation::{BicycleState, Controls};

use crate::agent_traces;
use crate::common::{Car, FRAME_S, numbers, waypoint};
use crate::racing::{self, car_with, dynamics, geometry, seen};
use crate::recorded_sums::{Sums, check_row, record, recorded_names};

/// A closed, hilly line of about 430 m with bends to both sides, uneven distances of its points, a speed profile and a
/// corridor whose sides differ.
pub fn hilly() -> Path {
    let at = |i: u32| {
        let t = TAU * (f64::from(i) + 0.3 * (1.3 * f64::from(i)).sin()) / 180.0;
        let radius = 62.0 + 14.0 * (3.0 * t).cos();
        Waypoint {
            position_m: [radius * t.cos(), radius * t.sin(), 3.0 * (2.0 * t).sin()],
            left_m: 4.0 + (5.0 * t).cos(),
            right_m: 5.0 + (4.0 * t).sin(),
            speed_mps: 11.0 + 3.0 * (3.0 * t).sin(),
            ..Waypoint::default()
        }
    };
    Path::new((0..180).map(at).collect(), true).unwrap()
}

/// An open line of straight legs with sharp corners to both sides.
pub fn corners() -> Path {
    let corners = [[0.0, 0.0], [60.0, 0.0], [60.0, 40.0], [20.0, 60.0], [70.0, 95.0], [120.0, 60.0], [120.0, 0.0]];
    Path::new(corners.map(|[x, y]| waypoint(x, y)).to_vec(), false).unwrap()
}

/// A drive of a car that rolls without slip, among others at each time; `blocked` are the frames in which it stands.
fn driven(
    path: &Path,
    mut follower: Follower,
    mut car: Car,
    frames: usize,
    (velocity_known, blocked): (bool, &dyn Fn(usize) -> bool),
    around: &dyn Fn(f64) -> (Vec<Neighbour>, Vec<Body>, Vec<PickUp>),
) -> Vec<f64> {
    let mut sums = Sums::default();
    for frame in 0..frames {
        let time = frame as f64 * FRAME_S;
        car.blocked = blocked(frame);
        let mut state = car.state();
        state.position_m[2] = 0.4;
        if velocity_known {
            let (sin, cos) = car.heading.sin_cos();
            state.velocity_mps = [car.speed * cos, car.speed * sin, 0.0];
            state.yaw_rate_radps = car.speed * car.steering.tan() / car.vehicle.wheelbase_m;
        }
        let (neighbours, obstacles, pick_ups) = around(time);
        let mut scene = Scene::EMPTY;
        if !neighbours.is_empty() {
            scene = scene.with_neighbours(&neighbours);
        }
        if !obstacles.is_empty() {
            scene = scene.with_obstacles(&obstacles);
        }
        if !pick_ups.is_empty() {
            scene = scene.with_pick_ups(&pick_ups);
        }
        let command = follower.step(path, &state, &scene, FRAME_S);
        let [left, right] = follower.planner().map_or([0.0; 2], LocalPlanner::offsets_m);
        sums.add_command(&command, &[follower.shift_m(), left + 2.0 * right]);
        car.drive(&command, FRAME_S);
    }
    sums.row()
}

fn nobody(_: f64) -> (Vec<Neighbour>, Vec<Body>, Vec<PickUp>) {
    Default::default()
}

const FREE: (bool, &dyn Fn(usize) -> bool) = (false, &|_| false);
const KNOWN: (bool, &dyn Fn(usize) -> bool) = (true, &|_| false);

/// The car at a place of a line, beside it and turned from it.
fn beside(path: &Path, s: f64, offset: f64, turned: f64, speed: f64, vehicle: VehicleGeometry) -> Car {
    let place = path.sample(s);
    let (sin, cos) = place.heading_rad.sin_cos();
    let [x, y, _] = place.position_m;
    let mut car = Car::new([x - offset * sin, y + offset * cos], place.heading_rad + turned, speed);
    car.vehicle = vehicle;
    car
}

/// A vehicle that moves along a line at a speed and an offset.
fn along(path: &Path, s: f64, offset: f64, speed: f64) -> Neighbour {
    let place = path.sample(s);
    let (sin, cos) = place.heading_rad.sin_cos();
    let [x, y, z] = place.position_m;
    Neighbour {
        position_m: [x - offset * sin, y + offset * cos, z],
        velocity_mps: [speed * cos, speed * sin, 0.0],
        heading_rad: place.heading_rad,
        length_m: 4.4,
        width_m: 1.8,
    }
}

fn options(change: impl FnOnce(&mut FollowerOptions)) -> FollowerOptions {
    let mut options = FollowerOptions::default();
    change(&mut options);
    options
}

/// The car at the limit of its grip, with its tyres' slip, among others.
fn at_the_limit(
    path: &Path,
    options: FollowerOptions,
    (grip, delay, dt): (f64, usize, f64),
    frames: usize,
    around: &dyn Fn(f64) -> Vec<Neighbour>,
) -> Vec<f64> {
    let (car, mut follower) = (car_with(grip), Follower::new(options, geometry()).unwrap());
    let mut state = racing::moving_along(path, 5.0, 0.4, 0.6 * path.sample(5.0).speed_mps);
    let mut pending = vec![Controls::default(); delay];
    let mut sums = Sums::default();
    for frame in 0..frames {
        let neighbours = around(frame as f64 * dt);
        let scene = if neighbours.is_empty() { Scene::EMPTY } else { Scene::EMPTY.with_neighbours(&neighbours) };
        let command = follower.step(path, &seen(&state), &scene, dt);
        sums.add_command(&command, &[follower.shift_m()]);
        pending.push(Controls { pedal: command.pedal, steering_rad: command.steering_rad, ..Controls::default() });
        let controls = pending.remove(0);
        for _ in 0..16 {
            car.advance(&mut state, &controls, dt / 16.0);
        }
    }
    sums.row()
}

/// A circuit with its profile, heights, banking, grip and inputs, driven with dynamics.
fn surfaced(circuit: &Path) -> Path {
    let wave = |i: usize, n: f64| (TAU * n * i as f64 / 700.0).sin();
    circuit
        .clone()
        .with_dynamics(&dynamics())
        .with_heights(|i, _| 4.0 * wave(i, 3.0))
        .with_banking(|i, _| 0.06 * wave(i, 5.0))
        .with_grip(|i, _| 1.0 + 0.08 * wave(i, 7.0))
}

type Case<'a> = (&'static str, Box<dyn Fn() -> Vec<f64> + 'a>);

fn among<'a>(path: &'a Path) -> impl Fn(f64) -> (Vec<Neighbour>, Vec<Body>, Vec<PickUp>) + 'a {
    move |time: f64| {
        let neighbours = vec![
            along(path, 25.0 + 4.0 * time, 0.6, 4.0),
            along(path, 60.0 + 6.0 * time, 1.5 * (0.5 * time).sin(), 6.0),
            along(path, -20.0 + 9.0 * time, -2.2, 9.0),
            along(path, 200.0 - 5.0 * time, 3.0, -5.0),
        ];
        let standing = along(path, 330.0, -1.0, 0.0).position_m;
        let obstacles = vec![Body { position_m: [standing[0], standing[1]], velocity_mps: [0.0; 2], radius_m: 0.7 }];
        (neighbours, obstacles, Vec::new())
    }
}

fn pick_ups(path: &Path) -> Vec<PickUp> {
    let mut random = numbers(7);
    let at = |k: u32, offset: f64, radius_m: f64| {
        let [x, y, z] = along(path, 13.0 * f64::from(k), offset, 0.0).position_m;
        PickUp { position_m: [x, y, z + 0.2], radius_m }
    };
    (0..30).map(|k| at(k, 8.0 * random() - 4.0, 0.3 + random())).collect()
}

fn kinds(path: &Path, kind: VehicleKind, known: bool) -> Vec<f64> {
    let vehicle = VehicleGeometry {
        kind,
        max_steering_rad: 0.9,
        rear_axle_m: 0.9,
        grip_g: 0.8,
        max_yaw_rate_radps: 1.4,
        ..VehicleGeometry::default()
    };
    let follower = Follower::new(options(|options| options.target_speed.max_speed_mps = 16.0), vehicle).unwrap();
    let hold: (bool, &dyn Fn(usize) -> bool) = (known, &|_| false);
    driven(path, follower, beside(path, 30.0, 2.0, 0.4, 3.0, vehicle), 1500, hold, &nobody)
}

/// What the commands of the drive of this name add up to; of every drive without a name.
fn drives(wanted: Option<&str>) -> Vec<(&'static str, Vec<f64>)> {
    let (hilly, corners, (circuit, _)) = (hilly(), corners(), racing::circuit());
    let surfaced = surfaced(&circuit);
    let vehicle = VehicleGeometry::default();
    let follower = |options: FollowerOptions| Follower::new(options, vehicle).unwrap();
    let start = |path: &Path| beside(path, 20.0, -1.2, 0.15, 5.0, vehicle);
    let limits = FollowerOptions::for_vehicle(&dynamics(), &geometry());
    let rivals = |path: &Path, time: f64| {
        vec![along(path, 60.0 + 24.0 * time, 1.0, 24.0), along(path, 30.0 + 28.0 * time, -1.5, 28.0)]
    };
    let racing_among = |overtakes: bool| {
        let mut options = limits;
        options.traffic.overtakes = overtakes;
        at_the_limit(&surfaced, options, (0.97, 0, FRAME_S), 900, &|time| rivals(&surfaced, time))
    };
    let stretched = |count: usize| {
        let points: Vec<Waypoint> = hilly.waypoints().iter().step_by(2).copied().collect();
        let line = Path::new(points, true).unwrap();
        let found = line.minimum_curvature(&CorridorOptions::default()).unwrap();
        let mut sums = Sums::default();
        for i in 0..count {
            let place = found.sample(found.length_m() * i as f64 / count as f64);
            let [x, y, _] = place.position_m;
            sums.add(&[x, y, place.heading_rad, 100.0 * place.curvature_radpm, place.left_m, place.right_m]);
        }
        sums.row()
    };
    let strayed = || {
        let noise = DeviationNoise { position_m: 0.1, side_mps2: 0.5, ..DeviationNoise::default() };
        let mut sums = Sums::default();
        for place in deviations(&surfaced, &limits, &geometry(), &noise, FRAME_S) {
            let rate = place.offset_rate_mps;
            sums.add(&[place.s_m, place.offset_m, place.heading_rad, place.offset_ahead_m(1.5), rate]);
        }
        sums.row()
    };
    let learned = |learning: LearningOptions, grip: f64| {
        let mut path = circuit.clone().with_dynamics(&dynamics());
        let mut speeds = LearnedSpeeds::new(&path, geometry(), learning).unwrap();
        let (car, mut follower) = (car_with(grip), Follower::new(limits, geometry()).unwrap());
        let mut state: BicycleState = racing::moving_along(&path, 5.0, 0.0, 0.9 * path.sample(5.0).speed_mps);
        let mut sums = Sums::default();
        for frame in 0..9000 {
            let seen: VehicleState = seen(&state);
            let command = follower.step(&path, &seen, &Scene::EMPTY, FRAME_S);
            if frame % 1900 == 1800 {
                speeds.fault();
            }
            if let Some(lap) = speeds.observe(&path, &seen, &command, FRAME_S) {
                let factors = (0..150).map(|k| speeds.factor(10.0 * f64::from(k))).collect::<Vec<_>>();
                sums.add(&[factors, vec![lap.time_s.unwrap_or(-1.0)]].concat());
                speeds.apply(&mut path).unwrap();
            }
            let controls = Controls { pedal: command.pedal, steering_rad: command.steering_rad, ..Controls::default() };
            for _ in 0..4 {
                car.advance(&mut state, &controls, FRAME_S / 4.0);
            }
        }
        let row = sums.row();
        // The sums over all places, lap by lap.
        vec![row.iter().sum(), row.iter().zip(0_u32..).map(|(value, k)| value * f64::from(k % 13)).sum()]
    };
    let planned = LocalPlannerOptions::default();
    let planning = |path: &Path| {
        let mut follower = follower(options(|options| options.target_speed.max_speed_mps = 12.0));
        follower.set_planner(Some(LocalPlanner::new(planned).unwrap()));
        driven(path, follower, start(path), 900, KNOWN, &among(path))
    };
    let cases: Vec<Case<'_>> = vec![
        (
            "default",
            Box::new(|| driven(&hilly, follower(FollowerOptions::default()), start(&hilly), 2000, FREE, &nobody)),
        ),
        ("paper", Box::new(|| driven(&hilly, follower(FollowerOptions::paper()), start(&hilly), 1500, FREE, &nobody))),
        (
            "racing",
            Box::new(|| driven(&hilly, follower(FollowerOptions::for_racing()), start(&hilly), 1500, KNOWN, &nobody)),
        ),
        (
            "profile",
            Box::new(|| {
                let options = options(|options| {
                    (options.target_speed.mode, options.target_speed.profile_scale) = (SpeedMode::Profile, 0.9);
                    options.steering.understeer_radpmps2 = 0.002;
                    options.steering.curvature_feedforward = 0.5;
                });
                driven(&hilly, follower(options), start(&hilly), 1500, KNOWN, &nobody)
            }),
        ),
        (
            "corners",
            Box::new(|| driven(&corners, follower(FollowerOptions::default()), start(&corners), 2500, FREE, &nobody)),
        ),
        (
            "early turn",
            Box::new(|| {
                let options = options(|options| {
                    (options.steering.early_turn, options.target_speed.span) = (1.0, CurveSpan::Midpoints);
                });
                driven(&corners, follower(options), start(&corners), 2500, FREE, &nobody)
            }),
        ),
        (
            "points",
            Box::new(|| {
                let options = options(|options| {
                    (options.target_speed.mode, options.target_speed.span) = (SpeedMode::Both, CurveSpan::Points);
                    options.target_speed.braking_mps2 = f64::INFINITY;
                });
                driven(&hilly, follower(options), start(&hilly), 1200, FREE, &nobody)
            }),
        ),
        (
            "far off",
            Box::new(|| {
                driven(
                    &hilly,
                    follower(FollowerOptions::default()),
                    beside(&hilly, 100.0, 35.0, 2.5, 0.0, vehicle),
                    1200,
                    FREE,
                    &nobody,
                )
            }),
        ),
        (
            "stuck",
            Box::new(|| {
                let blocked: (bool, &dyn Fn(usize) -> bool) = (false, &|frame| (200..1500).contains(&frame));
                driven(&hilly, follower(FollowerOptions::default()), start(&hilly), 2400, blocked, &nobody)
            }),
        ),
        ("skid steer", Box::new(|| kinds(&hilly, VehicleKind::SkidSteer, false))),
        ("skid steer on corners", Box::new(|| kinds(&corners, VehicleKind::SkidSteer, true))),
        ("hover", Box::new(|| kinds(&hilly, VehicleKind::Hover, true))),
        (
            "pick-ups",
            Box::new(|| {
                let pick_ups = pick_ups(&hilly);
                driven(&hilly, follower(FollowerOptions::default()), start(&hilly), 2000, KNOWN, &|_| {
                    (Vec::new(), Vec::new(), pick_ups.clone())
                })
            }),
        ),
        (
            "traffic",
            Box::new(|| {
                driven(&hilly, follower(FollowerOptions::default()), start(&hilly), 1800, KNOWN, &among(&hilly))
            }),
        ),
        ("planner", Box::new(|| planning(&hilly))),
        ("limit", Box::new(|| at_the_limit(&surfaced, limits, (0.95, 0, FRAME_S), 1500, &|_| Vec::new()))),
        (
            "limit with delay",
            Box::new(|| {
                let mut options = limits;
                options.limit.delay_s = 0.08;
                at_the_limit(&surfaced, options, (0.95, 4, 0.02), 1200, &|_| Vec::new())
            }),
        ),
        (
            "limit with inputs",
            Box::new(|| {
                let path = surfaced.clone().with_inputs(|i, _| {
                    let wave = (TAU * i as f64 / 50.0).sin();
                    Some(PathInputs {
                        steering_rad: 0.03 * wave,
                        pedal: 0.5 * wave,
                        sideslip_rad: -0.02 * wave,
                        yaw_rate_radps: 0.3 * wave,
                    })
                });
                at_the_limit(&path, limits, (1.0, 0, FRAME_S), 900, &|_| Vec::new())
            }),
        ),
        ("limit in traffic", Box::new(|| racing_among(false))),
        ("overtaking", Box::new(|| racing_among(true))),
        ("minimum curvature", Box::new(|| stretched(300))),
        ("deviations", Box::new(strayed)),
        ("learning", Box::new(|| learned(LearningOptions::default(), 0.97))),
        ("learning from faults", Box::new(|| learned(LearningOptions::of_reported_faults(), 1.05))),
    ];
    let is_wanted = |name: &str| wanted.is_none_or(|wanted| wanted == name);
    cases.into_iter().filter(|(name, _)| is_wanted(name)).map(|(name, drive)| (name, drive())).collect()
}

/// Compares the sums of a drive with those that are recorded.
#[track_caller]
fn check(name: &str) {
    check_row(name, &drives(Some(name)).pop().unwrap().1);
}

#[test]
fn every_drive_is_recorded() {
    if std::env::var_os("RACELINE_BLESS").is_some() {
        let mut rows = drives(None);
        rows.extend(agent_traces::NAMES.iter().map(|&name| (name, agent_traces::row(name))));
        record(&rows);
    }
    assert_eq!(recorded_names(), [NAMES, agent_traces::NAMES].concat());
}

/// A test for each drive, so that a failure names it.
macro_rules! each {
    ($($test:ident: $name:literal,)*) => {
        const NAMES: &[&str] = &[$($name),*];
        mod sums_of {
            $(
                #[test]
                fn $test() {
                    super::check($name);
                }
            )*
        }
    };
}

each! {
    default: "default",
    paper: "paper",
    racing: "racing",
    profile: "profile",
    corners: "corners",
    early_turn: "early turn",
    points: "points",
    far_off: "far off",
    stuck: "stuck",
    skid_steer: "skid steer",
    skid_steer_on_corners: "skid steer on corners",
    hover: "hover",
    pick_ups: "pick-ups",
    traffic: "traffic",
    planner: "planner",
    limit: "limit",
    limit_with_delay: "limit with delay",
    limit_with_inputs: "limit with inputs",
    limit_in_traffic: "limit in traffic",
    overtaking: "overtaking",
    minimum_curvature: "minimum curvature",
    deviations: "deviations",
    learning: "learning",
    learning_from_faults: "learning from faults",
}
