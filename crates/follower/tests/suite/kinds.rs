//! Vehicles without steered wheels: tracks and hovercraft, in models without an engine.

#![allow(clippy::expect_used, reason = "a helper of a test fails the test")]

use crate::common::{FRAME_S, circle, numbers, path, waypoint};
use raceline_follower::{
    Command, CurveSpan, Follower, FollowerOptions, Path, Scene, VehicleGeometry, VehicleKind, VehicleState,
};

const TRACKED: VehicleGeometry = VehicleGeometry {
    kind: VehicleKind::SkidSteer,
    wheelbase_m: 3.6,
    max_steering_rad: 0.6,
    length_m: 6.0,
    width_m: 2.9,
    rear_axle_m: 0.0,
    grip_g: 0.8,
    max_yaw_rate_radps: 0.45,
};

/// A fan on a cushion of air: no grip sideways.
const AIR_CUSHION: VehicleGeometry = VehicleGeometry {
    kind: VehicleKind::Hover,
    wheelbase_m: 3.2,
    max_steering_rad: 0.8,
    length_m: 5.0,
    width_m: 2.4,
    rear_axle_m: 0.0,
    grip_g: 1e-6,
    max_yaw_rate_radps: f64::INFINITY,
};
const THRUST: f64 = 4.0;
const REVERSE: f64 = 3.0;

fn options() -> FollowerOptions {
    let mut options = FollowerOptions::paper();
    let speed = &mut options.target_speed;
    (speed.span, speed.spacing_m, speed.points, speed.preview_s) = (CurveSpan::Headings, 3.0, 16, 0.2);
    (speed.max_speed_mps, speed.lateral_acceleration_g) = (15.0, 1.0);
    (options.steering.curvature_feedforward, options.steering.preview_s) = (1.0, 0.3);
    options.lookahead.time_s = 0.8;
    options.speed_control.full_throttle_mps2 = THRUST;
    options.speed_control.full_brake_mps2 = REVERSE;
    options
}

fn follower(options: FollowerOptions, vehicle: VehicleGeometry) -> Follower {
    Follower::new(options, vehicle).expect("valid")
}

/// A body in the plane with a velocity of its own and a yaw rate that follows the demand.
#[derive(Clone, Copy)]
struct Body {
    vehicle: VehicleGeometry,
    at: [f64; 2],
    heading: f64,
    velocity: [f64; 2],
    yaw_rate: f64,
}

impl Body {
    fn new(vehicle: VehicleGeometry, at: [f64; 2], heading: f64, speed: f64) -> Self {
        let velocity = [speed * heading.cos(), speed * heading.sin()];
        Self { vehicle, at, heading, velocity, yaw_rate: 0.0 }
    }

    fn along(&self) -> f64 {
        self.velocity[0] * self.heading.cos() + self.velocity[1] * self.heading.sin()
    }

    fn state(&self) -> VehicleState {
        VehicleState {
            velocity_mps: [self.velocity[0], self.velocity[1], 0.0],
            yaw_rate_radps: self.yaw_rate,
            ..VehicleState::new([self.at[0], self.at[1], 0.0], self.heading, self.along())
        }
    }

    fn drive(&mut self, command: &Command) {
        let speed = if self.vehicle.kind == VehicleKind::Hover {
            self.velocity[0].hypot(self.velocity[1])
        } else {
            self.along()
        };
        let limit = self.vehicle.max_yaw_rate_radps;
        let demand = (speed * command.steering_rad.tan() / self.vehicle.wheelbase_m).clamp(-limit, limit);
        // The hull's inertia: 1.8 rad/s² at most.
        let step = (demand - self.yaw_rate).clamp(-1.8 * FRAME_S, 1.8 * FRAME_S);
        self.yaw_rate += step;
        self.heading += self.yaw_rate * FRAME_S;
        let force = command.pedal * if command.pedal > 0.0 { THRUST } else { REVERSE };
        let (sin, cos) = self.heading.sin_cos();
        if self.vehicle.kind == VehicleKind::Hover {
            self.velocity[0] += force * cos * FRAME_S;
            self.velocity[1] += force * sin * FRAME_S;
        } else {
            let along = (self.along() + force * FRAME_S).max(0.0);
            self.velocity = [along * cos, along * sin];
        }
        self.at[0] += self.velocity[0] * FRAME_S;
        self.at[1] += self.velocity[1] * FRAME_S;
    }
}

fn drive(follower: &mut Follower, path: &Path, body: &mut Body, seconds: f64, mut watch: impl FnMut(f64, &Command)) {
    for i in 0..(seconds / FRAME_S) as usize {
        let command = follower.step(path, &body.state(), &Scene::EMPTY, FRAME_S);
        watch(i as f64 * FRAME_S, &command);
        body.drive(&command);
    }
}

#[test]
fn tracks_hold_a_circle_at_their_yaw_rate() {
    for (radius, fraction) in [(10.0, 0.9), (25.0, 0.9), (25.0, 0.7)] {
        let mut options = options();
        options.target_speed.yaw_rate_fraction = fraction;
        let mut body = Body::new(TRACKED, [radius, 0.0], 1.57, 0.0);
        let lap = circle(radius, 2000);
        let (mut worst, mut speed) = (0.0_f64, 0.0);
        drive(&mut follower(options, TRACKED), &lap, &mut body, 40.0, |time, command| {
            if time > 10.0 {
                worst = worst.max(command.cross_track_error_m.abs());
            }
            speed = command.target_speed_mps;
        });
        // v κ is the yaw rate: 0.45 rad/s.
        let expected = fraction * 0.45 * radius;
        assert!((speed / expected - 1.0).abs() < 0.02, "{speed} m/s on {radius} m, expected {expected}");
        assert!((body.along() / expected - 1.0).abs() < 0.05, "{} m/s", body.along());
        assert!(worst < 0.1, "{worst} m off on {radius} m");
    }
}

#[test]
fn no_steering_demands_more_yaw_rate_than_tracks_have() {
    let mut next = numbers(3);
    let lap = circle(30.0, 500);
    let mut options = options();
    options.steering.yaw_damping_s = 0.5;
    let mut follower = follower(options, TRACKED);
    for _ in 0..2000 {
        let mut body = Body::new(TRACKED, [30.0 + 8.0 * (next() - 0.5), 0.0], 1.57 + next() - 0.5, 14.0 * next());
        body.yaw_rate = next() - 0.5;
        follower.reset();
        let command = follower.step(&lap, &body.state(), &Scene::EMPTY, FRAME_S);
        let demand = body.along().max(0.5) * command.steering_rad.tan() / TRACKED.wheelbase_m;
        assert!(demand.abs() < 0.45 + 1e-9, "{demand} rad/s at {} m/s", body.along());
    }
}

#[test]
fn tracks_slow_down_until_they_can_turn_as_the_steering_wants() {
    // Faster than it can turn back, and off the path: the target falls below that of the path.
    let straight = path(&[[0.0, 0.0], [400.0, 0.0]], false);
    let astray = Body::new(TRACKED, [50.0, 5.0], 0.5, 12.0);
    let target = follower(options(), TRACKED).step(&straight, &astray.state(), &Scene::EMPTY, FRAME_S).target_speed_mps;
    let on = Body::new(TRACKED, [50.0, 0.0], 0.0, 12.0);
    let free = follower(options(), TRACKED).step(&straight, &on.state(), &Scene::EMPTY, FRAME_S).target_speed_mps;
    assert!(target < 0.7 * free && free == 15.0, "{target} m/s for {free}");
}

#[test]
fn without_side_friction_the_thrust_keeps_a_hover_vehicle_on_a_circle() {
    for radius in [30.0, 60.0] {
        let mut options = options();
        options.target_speed.grip_fraction = 0.7;
        let mut body = Body::new(AIR_CUSHION, [radius, 0.0], 1.57, 0.0);
        let lap = circle(radius, 2000);
        let (mut worst, mut along, mut inwards) = (0.0_f64, f64::INFINITY, 0.0);
        let mut follower = follower(options, AIR_CUSHION);
        for i in 0..(90.0 / FRAME_S) as usize {
            let command = follower.step(&lap, &body.state(), &Scene::EMPTY, FRAME_S);
            body.drive(&command);
            if i as f64 * FRAME_S > 40.0 {
                worst = worst.max(command.cross_track_error_m.abs());
                let [x, y] = body.at;
                let distance = x.hypot(y);
                along = along.min((x * body.velocity[1] - y * body.velocity[0]) / distance);
                inwards = -(x * body.heading.cos() + y * body.heading.sin()) / distance;
            }
        }
        // The thrust that bends may take gives v² / r.
        let expected = (0.7 * 0.6 * THRUST * radius).sqrt();
        assert!(worst < 1.5, "{worst} m off on {radius} m");
        assert!(along > 0.85 * expected, "{along} m/s on {radius} m, expected {expected}");
        assert!(inwards > 0.8, "the nose points to the inside: {inwards}");
    }
}

#[test]
fn a_hover_vehicle_within_its_grip_steers_as_wheels_do() {
    let vehicle = VehicleGeometry { grip_g: 0.3, ..AIR_CUSHION };
    let radius = 30.0;
    let lap = circle(radius, 3000);
    let mut body = Body::new(vehicle, [radius, 0.0], std::f64::consts::FRAC_PI_2, 6.0);
    body.yaw_rate = 6.0 / radius;
    let command = follower(options(), vehicle).step(&lap, &body.state(), &Scene::EMPTY, FRAME_S);
    let expected = (vehicle.wheelbase_m / radius).atan();
    assert!((command.steering_rad - expected).abs() < 2e-3, "{} for {expected}", command.steering_rad);
    // One that slides to the outside turns its nose less, back towards its course.
    let outwards = std::f64::consts::FRAC_PI_2 - 0.1;
    body.velocity = [6.0 * outwards.cos(), 6.0 * outwards.sin()];
    let mut straight = body;
    straight.heading = outwards;
    let sliding = follower(options(), vehicle).step(&lap, &body.state(), &Scene::EMPTY, FRAME_S).steering_rad;
    let along = follower(options(), vehicle).step(&lap, &straight.state(), &Scene::EMPTY, FRAME_S).steering_rad;
    assert!(sliding < along - 0.05, "{sliding}, {along}");
}

#[test]
fn a_hover_vehicle_brakes_by_its_fan_whatever_the_ground_is_like() {
    let straight = path(&[[0.0, 0.0], [200.0, 0.0]], false);
    let target = |vehicle: VehicleGeometry, braking: f64| {
        let mut options = options();
        options.target_speed.braking_mps2 = braking;
        let body = Body::new(vehicle, [180.5, 0.0], 0.0, 5.0);
        follower(options, vehicle).step(&straight, &body.state(), &Scene::EMPTY, FRAME_S).target_speed_mps
    };
    // 19 m before the end: v² = 2 a d, and a is the fan's where the option is higher.
    for (braking, expected) in [(2.0, 2.0_f64), (9.0, REVERSE)] {
        let speed = target(AIR_CUSHION, braking);
        assert!((speed - (2.0 * expected * 19.0).sqrt()).abs() < 1e-6, "{speed}");
    }
    let slippery = VehicleGeometry { kind: VehicleKind::SkidSteer, grip_g: 0.1, ..TRACKED };
    assert!(target(slippery, 9.0) < 5.5, "tracks brake on the ground");
}

/// A counter-clockwise circle on ground that rises by `slope` along y.
fn tilted(radius: f64, slope: f64) -> Path {
    let points = (0..2000).map(|i| {
        let (sin, cos) = (f64::from(i) / 2000.0 * std::f64::consts::TAU).sin_cos();
        let mut point = waypoint(radius * cos, radius * sin);
        point.position_m[2] = slope * radius * sin;
        point
    });
    Path::new(points.collect(), true).expect("a path")
}

#[test]
fn headings_know_bends_slopes_and_no_waves() {
    let radius = 20.0;
    let mut options = options();
    let speed = &mut options.target_speed;
    (speed.braking_mps2, speed.preview_s, speed.points) = (f64::INFINITY, 0.0, 8);
    (speed.lateral_acceleration_g, speed.grip_fraction, speed.min_speed_mps) = (0.4, 2.0, 0.5);
    let target = |path: &Path, at: [f64; 3], heading: f64| {
        let state = VehicleState::new(at, heading, 3.0);
        follower(options, VehicleGeometry::default()).step(path, &state, &Scene::EMPTY, FRAME_S).target_speed_mps
    };
    let lateral = 0.4 * 9.80665;
    // On the level: v² κ is the lateral acceleration. At the bottom of a tilted circle the inside is
    // uphill, at its top downhill.
    for (slope, bottom) in [(0.0, true), (0.1, true), (0.1, false)] {
        let lap = tilted(radius, slope);
        let side = if bottom { -1.0 } else { 1.0 };
        // The stretch ahead has its middle at the bottom or the top.
        let back = 1.5 / radius;
        let (heading, angle) =
            (0.5 * std::f64::consts::PI * (1.0 + side) - back, side * std::f64::consts::FRAC_PI_2 - back);
        let at = [radius * angle.cos(), radius * angle.sin(), slope * radius * angle.sin()];
        let expected = ((lateral + side * 9.80665 * slope) * radius).sqrt();
        let found = target(&lap, at, heading);
        assert!((found / expected - 1.0).abs() < 0.02, "{found} m/s, expected {expected}, slope {slope}, {bottom}");
    }
    // Waves of the ground bend curves through points in space, not headings.
    let waves = (0..100).map(|i| {
        let mut point = waypoint(2.0 * f64::from(i), 0.0);
        point.position_m[2] = 0.5 * (f64::from(i) * 0.8).sin();
        point
    });
    let waves = Path::new(waves.collect(), false).expect("a path");
    let slowest = |span: CurveSpan| {
        let mut options = options;
        options.target_speed.span = span;
        let mut follower = follower(options, VehicleGeometry::default());
        let speeds = (10..60).map(|x| {
            let state = VehicleState::new([f64::from(x), 0.0, 0.0], 0.0, 3.0);
            follower.step(&waves, &state, &Scene::EMPTY, FRAME_S).target_speed_mps
        });
        speeds.fold(f64::INFINITY, f64::min)
    };
    let (flat, bumpy) = (slowest(CurveSpan::Headings), slowest(CurveSpan::Points));
    assert!(flat == 15.0 && bumpy < 14.0, "{flat}, {bumpy}");
}

#[test]
fn braking_knows_the_slope_ahead() {
    // A straight, then a bend of 8 m: the target 20 m before it.
    let bend = |slope: f64| {
        let mut points: Vec<_> = (0..30).map(|i| waypoint(2.0 * f64::from(i), 0.0)).collect();
        points.extend((1..60).map(|i| {
            let (sin, cos) = (f64::from(i) * 0.05).sin_cos();
            waypoint(58.0 + 8.0 * sin, 8.0 - 8.0 * cos)
        }));
        for point in &mut points {
            point.position_m[2] = slope * point.position_m[0];
        }
        Path::new(points, false).expect("a path")
    };
    let mut options = options();
    (options.target_speed.braking_mps2, options.target_speed.lateral_acceleration_g) = (4.0, 0.4);
    options.target_speed.stop_at_end = false;
    let target = |slope: f64| {
        let state = VehicleState::new([38.0, 0.0, slope * 38.0], 0.0, 0.0);
        follower(options, VehicleGeometry::default())
            .step(&bend(slope), &state, &Scene::EMPTY, FRAME_S)
            .target_speed_mps
    };
    let level = target(0.0);
    // v² = v_bend² + 2 a d, less what the stretch across the beginning of the bend costs.
    let expected = (0.4 * 9.80665 * 8.0 + 2.0 * 4.0 * 20.0_f64).sqrt();
    assert!((level / expected - 1.0).abs() < 0.08, "{level} m/s, expected {expected}");
    assert!(target(0.1) > level + 0.8 && target(-0.1) < level - 0.8, "{}, {level}, {}", target(0.1), target(-0.1));
}
