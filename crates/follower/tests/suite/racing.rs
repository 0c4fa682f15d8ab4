//! A fast car with sliding tyres on a racing line driven at its limit.

// A test that can't start should fail with a message.
#![allow(clippy::expect_used)]

use crate::common;
use crate::common::FRAME_S;
use raceline_follower::{
    Follower, FollowerOptions, Path, Scene, SpeedMode, VehicleDynamics, VehicleGeometry, VehicleState, Waypoint,
};
use raceline_vehicle_simulation::{
    Bicycle, BicycleParameters, BicycleState, ConstantLimits, Controls, HandlingParameters, TyreSlip,
};

/// Tyres carry this in each direction, m/s², on a circle; the drive gives at most `DRIVE`.
pub const GRIP: f64 = 12.0;
const DRIVE: f64 = 5.3;
const TOP: f64 = 70.0;
/// Slip angle at which a tyre slides completely, radians.
pub const PEAK: f64 = 0.12;
pub const WHEELBASE: f64 = 2.9;
const MAX_STEERING: f64 = 0.5;

/// A car with brush tyres and a friction circle on each axle; the front wheel turns at 1 rad/s at
/// most.
pub fn car() -> Bicycle<ConstantLimits> {
    car_with(1.0)
}

/// The car with a fraction of the grip.
pub fn car_with(grip: f64) -> Bicycle<ConstantLimits> {
    let limits = ConstantLimits {
        longitudinal_mps2: grip * GRIP,
        lateral_mps2: grip * GRIP,
        drive_mps2: DRIVE,
        resistance_mps2: 0.0,
        ellipse_exponent: 2.0,
    };
    let parameters = BicycleParameters {
        mass_kg: 1200.0,
        wheelbase_m: WHEELBASE,
        max_steering_rad: MAX_STEERING,
        max_speed_mps: TOP,
        handling: HandlingParameters {
            front_tyre: TyreSlip::brush(PEAK),
            rear_tyre: TyreSlip::brush(PEAK),
            rear_grip_reserve: 0.05,
            ..HandlingParameters::default()
        },
    };
    Bicycle::new(limits, &parameters).expect("valid")
}

/// What a file contains of this car.
pub fn dynamics() -> VehicleDynamics {
    VehicleDynamics {
        steering_rate_radps: 1.0,
        peak_slip_rad: PEAK,
        centre_of_gravity_m: 0.0,
        front_brake_fraction: 0.5,
        front_drive_fraction: 0.5,
        ..VehicleDynamics::constant(GRIP, GRIP, DRIVE)
    }
}

pub fn geometry() -> VehicleGeometry {
    VehicleGeometry {
        wheelbase_m: WHEELBASE,
        max_steering_rad: MAX_STEERING,
        rear_axle_m: car().to_rear_m(),
        ..VehicleGeometry::default()
    }
}

pub fn seen(state: &BicycleState) -> VehicleState {
    let ([x, y], [x_mps, y_mps]) = (state.position_m(), state.velocity_mps());
    VehicleState {
        velocity_mps: [x_mps, y_mps, 0.0],
        yaw_rate_radps: state.yaw_rate_radps,
        ..VehicleState::new([x, y, 0.0], state.heading_rad, state.forward_mps)
    }
}

/// A smooth circuit of about a kilometre and a half with bends to both sides, and its speed profile by
/// forward and backward passes.
pub fn circuit() -> (Path, f64) {
    let at = |t: f64| {
        let (a, b) = (240.0 * t.cos() + 45.0 * (3.0 * t).cos(), 130.0 * t.sin() + 40.0 * (2.0 * t).sin());
        [a, b + 12.0 * (5.0 * t).sin()]
    };
    let fine: Vec<[f64; 2]> = (0..200_000).map(|i| at(f64::from(i) / 200_000.0 * std::f64::consts::TAU)).collect();
    let step = |i: usize| {
        let (a, b) = (fine[i % fine.len()], fine[(i + 1) % fine.len()]);
        (b[0] - a[0]).hypot(b[1] - a[1])
    };
    let length: f64 = (0..fine.len()).map(step).sum();
    let count = (length / 2.0).round() as usize;
    let spacing = length / count as f64;
    let mut points = Vec::new();
    let mut s = 0.0;
    for (i, &point) in fine.iter().enumerate() {
        if s >= points.len() as f64 * spacing && points.len() < count {
            points.push(point);
        }
        s += step(i);
    }
    let line = common::path(&points, true);
    let curvature: Vec<f64> =
        (0..count).map(|i| line.sample(i as f64 * line.length_m() / count as f64).curvature_radpm).collect();
    let mut squares: Vec<f64> = curvature.iter().map(|k| (GRIP / k.abs()).min(TOP * TOP)).collect();
    let room = |square: f64, k: f64| (GRIP * GRIP - (square * k).powi(2)).max(0.0).sqrt();
    for _ in 0..2 {
        for i in 0..count {
            let (a, b) = (i, (i + 1) % count);
            let gain = 2.0 * spacing * room(squares[a], curvature[a]).min(DRIVE);
            squares[b] = squares[b].min(squares[a] + gain);
        }
        for i in (0..count).rev() {
            let (a, b) = (i, (i + 1) % count);
            squares[a] = squares[a].min(squares[b] + 2.0 * spacing * room(squares[b], curvature[b]));
        }
    }
    let time = (0..count).map(|i| 2.0 * spacing / (squares[i].sqrt() + squares[(i + 1) % count].sqrt())).sum();
    let waypoints = points
        .iter()
        .zip(&squares)
        .map(|(&[x, y], square)| Waypoint { speed_mps: square.sqrt(), ..common::waypoint(x, y) });
    (Path::new(waypoints.collect(), true).expect("a path"), time)
}

/// How laps are driven.
#[derive(Clone, Copy, Debug)]
pub struct Drive {
    pub frame_s: f64,
    /// From a command to its effect, rounded to frames.
    pub delay_s: f64,
    /// Fraction of the grip that the car really has.
    pub grip: f64,
}

/// Best lap time, worst distance from the line after the first second, smallest and greatest speed.
#[derive(Clone, Copy, Debug)]
pub struct Driven {
    pub best_s: f64,
    pub worst_m: f64,
    pub slowest_mps: f64,
    pub fastest_mps: f64,
}

pub fn drive(options: FollowerOptions, path: &Path, how: &Drive) -> Driven {
    let frame_s = how.frame_s;
    let car = car_with(how.grip);
    let mut follower = Follower::new(options, geometry()).expect("valid");
    let mut queued = std::collections::VecDeque::new();
    let late = (how.delay_s / frame_s).round() as usize;
    // Where the path is straightest and the profile fast.
    let starts = (0..200).map(|i| path.sample(f64::from(i) / 200.0 * path.length_m()));
    let start = starts.min_by(|a, b| a.curvature_radpm.abs().total_cmp(&b.curvature_radpm.abs())).expect("places");
    let mut state = BicycleState {
        x_m: start.position_m[0],
        y_m: start.position_m[1],
        heading_rad: start.heading_rad,
        forward_mps: 0.9 * start.speed_mps,
        ..BicycleState::default()
    };
    let (mut time, mut since, mut last, mut lap) = (0.0, 0.0, start.s_m, 0);
    let (mut best, mut worst, mut slowest, mut fastest) = (f64::INFINITY, 0.0_f64, f64::INFINITY, 0.0_f64);
    while lap < 3 && time < 300.0 {
        let command = follower.step(path, &seen(&state), &Scene::EMPTY, frame_s);
        assert!(command.event.is_none());
        if command.s_m < last - 0.5 * path.length_m() {
            if lap > 0 {
                best = best.min(time - since);
            }
            (since, lap) = (time, lap + 1);
        }
        last = command.s_m;
        if time > 1.0 {
            worst = worst.max(command.cross_track_error_m.abs());
            (slowest, fastest) = (slowest.min(state.forward_mps), fastest.max(state.forward_mps));
        }
        let controls = Controls { pedal: command.pedal, reverse: command.reverse, steering_rad: command.steering_rad };
        queued.push_back(controls);
        let acting = if queued.len() > late { queued.pop_front() } else { None };
        for _ in 0..16 {
            car.advance(&mut state, &acting.unwrap_or(controls), frame_s / 16.0);
        }
        time += frame_s;
    }
    Driven { best_s: best, worst_m: worst, slowest_mps: slowest, fastest_mps: fastest }
}

pub fn racing(mode: SpeedMode, scale: f64) -> FollowerOptions {
    let mut options = FollowerOptions::for_racing();
    options.target_speed.mode = mode;
    options.target_speed.lateral_acceleration_g = 1.5 * GRIP / 9.80665;
    options.target_speed.max_speed_mps = TOP;
    options.target_speed.braking_mps2 = 0.8 * GRIP;
    options.target_speed.profile_scale = scale;
    options.speed_control.full_throttle_mps2 = DRIVE;
    options.speed_control.full_brake_mps2 = GRIP;
    options
}

#[test]
fn a_racing_line_is_driven_within_three_percent_and_half_a_metre() {
    let (path, profile) = circuit();
    for mode in [SpeedMode::Profile, SpeedMode::Both] {
        let driven = drive(racing(mode, 0.985), &path, &Drive { frame_s: FRAME_S, delay_s: 0.0, grip: 1.0 });
        assert!(driven.best_s < 1.03 * profile, "{driven:?} of {profile} s");
        assert!(driven.worst_m < 0.3, "{driven:?}");
        assert!(driven.fastest_mps > 50.0 && driven.slowest_mps < 25.0);
    }
}

/// A car that moves along `path` at arc length `s`, `offset` metres to its left.
pub fn moving_along(path: &Path, s: f64, offset: f64, speed: f64) -> BicycleState {
    let start = path.sample(s);
    let (sin, cos) = start.heading_rad.sin_cos();
    BicycleState {
        x_m: start.position_m[0] - offset * sin,
        y_m: start.position_m[1] + offset * cos,
        heading_rad: start.heading_rad,
        forward_mps: speed,
        yaw_rate_radps: speed * start.curvature_radpm,
        ..BicycleState::default()
    }
}
