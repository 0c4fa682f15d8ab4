//! A kinematic test car, paths and numbers for the tests.

// A test that can't start should fail with a message.
#![allow(clippy::expect_used)]
// Each test file uses a part of it.
#![allow(dead_code)]

use raceline_follower::{Command, Path, PathFollower, Scene, VehicleGeometry, VehicleState, Waypoint};

pub const FRAME_S: f64 = 1.0 / 60.0;

/// A bicycle without slip: the rear axle moves along the heading. Pedal and gravity make its
/// acceleration.
#[derive(Clone, Copy, Debug)]
pub struct Car {
    pub vehicle: VehicleGeometry,
    pub rear: [f64; 2],
    pub heading: f64,
    pub speed: f64,
    /// Acceleration at full throttle and full brake, m/s².
    pub throttle: f64,
    pub brake: f64,
    /// Sine of the slope driven up.
    pub slope: f64,
    /// The wheels' angle follows the command with this time constant, seconds; 0 at once.
    pub steering_lag: f64,
    pub steering: f64,
    /// A wall: the car doesn't move while this is on.
    pub blocked: bool,
}

impl Car {
    pub fn new(position: [f64; 2], heading: f64, speed: f64) -> Self {
        let vehicle = VehicleGeometry::default();
        let rear =
            [position[0] - vehicle.rear_axle_m * heading.cos(), position[1] - vehicle.rear_axle_m * heading.sin()];
        let (throttle, brake) = (5.0, 8.0);
        Self {
            vehicle,
            rear,
            heading,
            speed,
            throttle,
            brake,
            slope: 0.0,
            steering_lag: 0.0,
            steering: 0.0,
            blocked: false,
        }
    }

    pub fn position(&self) -> [f64; 2] {
        let ahead = self.vehicle.rear_axle_m;
        [self.rear[0] + ahead * self.heading.cos(), self.rear[1] + ahead * self.heading.sin()]
    }

    pub fn state(&self) -> VehicleState {
        let [x, y] = self.position();
        VehicleState::new([x, y, 0.0], self.heading, self.speed)
    }

    pub fn drive(&mut self, command: &Command, dt: f64) {
        if self.blocked {
            self.speed = 0.0;
            return;
        }
        let keep = if self.steering_lag > 0.0 { (-dt / self.steering_lag).exp() } else { 0.0 };
        self.steering = command.steering_rad + (self.steering - command.steering_rad) * keep;
        let gravity = -9.80665 * self.slope;
        if command.pedal >= 0.0 {
            let forward = if command.reverse { -1.0 } else { 1.0 };
            self.speed += dt * (forward * command.pedal * self.throttle + gravity);
        } else {
            // Brakes work against the motion, and hold.
            let rolling = self.speed + dt * gravity;
            let change = -command.pedal * self.brake * dt;
            self.speed = if rolling.abs() <= change { 0.0 } else { rolling - change * rolling.signum() };
        }
        // The exact arc of a constant steering angle.
        let distance = self.speed * dt;
        let turn = distance * self.steering.tan() / self.vehicle.wheelbase_m;
        let chord = if turn.abs() < 1e-12 { distance } else { distance * (turn / 2.0).sin() / (turn / 2.0) };
        let towards = self.heading + turn / 2.0;
        self.rear[0] += chord * towards.cos();
        self.rear[1] += chord * towards.sin();
        self.heading += turn;
    }
}

/// Drives for a time and returns the last command; `watch` sees every frame's.
pub fn drive(
    follower: &mut dyn PathFollower,
    path: &Path,
    car: &mut Car,
    seconds: f64,
    mut watch: impl FnMut(&Car, &Command),
) -> Command {
    let mut last = None;
    for _ in 0..(seconds / FRAME_S).round() as usize {
        let command = follower.step(path, &car.state(), &Scene::EMPTY, FRAME_S);
        watch(car, &command);
        car.drive(&command, FRAME_S);
        last = Some(command);
    }
    last.expect("at least one frame")
}

pub fn waypoint(x: f64, y: f64) -> Waypoint {
    Waypoint { position_m: [x, y, 0.0], left_m: 4.0, right_m: 4.0, ..Waypoint::default() }
}

pub fn path(points: &[[f64; 2]], closed: bool) -> Path {
    Path::new(points.iter().map(|&[x, y]| waypoint(x, y)).collect(), closed).expect("a good path")
}

/// Counter-clockwise about the origin from (r, 0).
pub fn circle(radius: f64, points: usize) -> Path {
    let at = |i: usize| (i as f64 / points as f64 * std::f64::consts::TAU).sin_cos();
    path(&(0..points).map(|i| [radius * at(i).1, radius * at(i).0]).collect::<Vec<_>>(), true)
}

/// Two straights joined by two half circles, counter-clockwise from the middle of the lower
/// straight.
pub fn stadium(straight: f64, radius: f64, spacing: f64) -> Path {
    let half = std::f64::consts::PI * radius;
    let lap = 2.0 * (straight + half);
    let count = (lap / spacing).round() as usize;
    let point = |i: usize| {
        let s = (i as f64 / count as f64 * lap + straight / 2.0) % lap;
        let bend = |centre: f64, angle: f64| [centre + radius * angle.cos(), radius + radius * angle.sin()];
        let (a, b) = (straight, straight + half);
        let quarter = std::f64::consts::FRAC_PI_2;
        if s < a {
            [s - straight / 2.0, 0.0]
        } else if s < b {
            bend(straight / 2.0, (s - a) / radius - quarter)
        } else if s < b + straight {
            [straight / 2.0 - (s - b), 2.0 * radius]
        } else {
            bend(-straight / 2.0, (s - b - straight) / radius + quarter)
        }
    };
    path(&(0..count).map(point).collect::<Vec<_>>(), true)
}

/// Numbers in 0..1 from a linear congruential generator (Knuth's constants).
pub fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    }
}
