//! Stability of the control at the limit: how motions of the closed loop decay over speed, grip,
//! frame rate and delay.
//!
//! The loop is the linear bicycle about a straight and the follower itself, which drives it: a small
//! disturbance is left alone, and the decay of what remains is measured, so that nothing of the
//! follower is repeated here.

// A test that can't start should fail with a message.
#![allow(clippy::expect_used)]

mod plot;

use crate::racing::{GRIP, PEAK, WHEELBASE, dynamics, geometry};
use raceline_follower::{Follower, FollowerOptions, Path, Scene, VehicleState, Waypoint};

/// Offset, heading, velocity across and yaw rate.
type State = [f64; 4];

/// When the follower is called and when its command acts.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    pub frame_s: f64,
    pub delay_s: f64,
}

impl Timing {
    pub fn new(rate_hz: f64, delay_s: f64) -> Self {
        Self { frame_s: 1.0 / rate_hz, delay_s }
    }
}

/// The linear bicycle at a speed, and the commands that have not acted yet. The axles keep fractions
/// of the cornering stiffness of fresh tyres.
struct Plant {
    speed: f64,
    /// Cornering stiffness of the axles by the mass, m/s² per rad.
    stiffness: [f64; 2],
    timing: Timing,
    state: State,
    /// The oldest first.
    waiting: Vec<f64>,
}

impl Plant {
    /// Steps of a frame.
    const STEPS: u32 = 64;

    fn new(speed: f64, [front, rear]: [f64; 2], timing: Timing, state: State) -> Self {
        let whole = 0.5 * 3.0 / PEAK * GRIP;
        let (_, waiting) = Self::late(timing);
        Self { speed, stiffness: [front * whole, rear * whole], timing, state, waiting: vec![0.0; waiting] }
    }

    /// Steps of a frame in which the command before the one that is due still acts, and the number of
    /// commands that wait: a command acts after whole frames and a part of one.
    fn late(timing: Timing) -> (u32, usize) {
        let late = timing.delay_s / timing.frame_s;
        let whole = (late + 1e-9).floor();
        let part = ((late - whole).max(0.0) * f64::from(Self::STEPS)).round() as u32;
        (part, whole as usize + usize::from(part > 0))
    }

    fn rate(&self, [_, heading, across, turning]: State, steering: f64) -> State {
        let (a, b) = (WHEELBASE / 2.0, WHEELBASE / 2.0);
        let [front, rear] = self.stiffness;
        let by_front = front * (steering - (across + a * turning) / self.speed);
        let by_rear = -rear * (across - b * turning) / self.speed;
        [
            self.speed * heading + across,
            turning,
            by_front + by_rear - self.speed * turning,
            (a * by_front - b * by_rear) / (a * b),
        ]
    }

    /// A frame with a new command.
    fn frame(&mut self, command: f64) {
        self.waiting.push(command);
        let (part, _) = Self::late(self.timing);
        let step = self.timing.frame_s / f64::from(Self::STEPS);
        for i in 0..Self::STEPS {
            // The oldest command acts until the next one's delay is over.
            let steering = self.waiting[usize::from(part > 0 && i >= part)];
            // The midpoint rule.
            let first = self.rate(self.state, steering);
            let middle = std::array::from_fn(|k| self.state[k] + 0.5 * step * first[k]);
            let second = self.rate(middle, steering);
            self.state = std::array::from_fn(|k| self.state[k] + step * second[k]);
        }
        self.waiting.remove(0);
    }
}

/// Size of the disturbances, in m, rad, m/s and rad/s.
const SMALL: f64 = 1e-4;
/// Times between which the largest motions are compared, s.
const WINDOWS_S: [[f64; 2]; 2] = [[3.0, 5.0], [8.0, 10.0]];

/// The slowest decay of the follower's loop after a disturbance of each kind, 1/s, negative where a
/// motion grows; the follower knows the delay.
fn slowest_decay(speed: f64, tyres: [f64; 2], timing: Timing) -> f64 {
    let straight = [0.0, 5000.0].map(|x| Waypoint {
        position_m: [x, 0.0, 0.0],
        speed_mps: speed,
        curvature_radpm: 0.0,
        ..Waypoint::default()
    });
    let path = Path::new(straight.to_vec(), false).expect("a straight").with_dynamics(&dynamics());
    let mut options = FollowerOptions::for_racing();
    options.target_speed.stop_at_end = false;
    options.limit.delay_s = timing.delay_s;
    let decay = |kind: usize| {
        let mut disturbance = [0.0; 4];
        disturbance[kind] = SMALL;
        let mut plant = Plant::new(speed, tyres, timing, disturbance);
        let mut follower = Follower::new(options, geometry()).expect("valid");
        let frames = (WINDOWS_S[1][1] / timing.frame_s) as u32;
        let mut largest = [0.0_f64; 2];
        for frame in 0..frames {
            let time = f64::from(frame) * timing.frame_s;
            let [offset, heading, across, yaw_rate] = plant.state;
            let size = offset.abs().max(across.abs()).max((heading * speed).abs()).max(yaw_rate.abs());
            for (largest, [from, to]) in largest.iter_mut().zip(WINDOWS_S) {
                if (from..to).contains(&time) {
                    *largest = largest.max(size);
                }
            }
            let (sin, cos) = heading.sin_cos();
            let state = VehicleState {
                velocity_mps: [speed * cos - across * sin, speed * sin + across * cos, 0.0],
                yaw_rate_radps: yaw_rate,
                ..VehicleState::new([400.0 + speed * time, offset, 0.0], heading, speed)
            };
            plant.frame(follower.step(&path, &state, &Scene::EMPTY, timing.frame_s).steering_rad);
        }
        (largest[0] / largest[1]).ln() / (WINDOWS_S[1][0] - WINDOWS_S[0][0])
    };
    (0..4).map(decay).fold(f64::INFINITY, f64::min)
}

/// Slowest decay of the follower's loop for each pair of `tyres`, which are fractions of the
/// cornering stiffness of the front and the rear tyres, 1/s.
pub fn decays<const N: usize>(speed: f64, timing: Timing, tyres: [[f64; 2]; N]) -> [f64; N] {
    tyres.map(|tyres| slowest_decay(speed, tyres, timing))
}

/// The fraction of the stiffness of fresh tyres that brush tyres keep beside the fraction `used` of
/// the file's grip, when the road has the fraction `grip` of it.
pub fn stiffness(grip: f64, used: f64) -> f64 {
    grip * (1.0 - used / grip).max(0.0).powf(2.0 / 3.0)
}

/// Fractions of the cornering stiffness: fresh tyres, a front axle and both axles near their limit,
/// and a rear axle that brakes.
const TYRES: [[f64; 2]; 4] = [[1.0, 1.0], [0.3, 1.0], [0.3, 0.3], [1.0, 0.6]];

#[test]
fn the_closed_loop_is_stable_at_every_speed_and_grip_with_frames_of_30_to_120_hz_and_80_ms_of_delay() {
    println!("slowest decay, 1/s: m/s, Hz, ms, then fresh | front at limit | both at limit | rear brakes");
    for speed in [10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 80.0] {
        for (rate, delay_s) in [(30.0, 0.0), (60.0, 0.0), (120.0, 0.0), (60.0, 0.05), (60.0, 0.08)] {
            let decays = decays(speed, Timing::new(rate, delay_s), TYRES);
            let late = 1000.0 * delay_s;
            println!("{speed} {rate} {late:.0} {decays:.2?}");
            // With fresh tyres, and near the limit of both axles, always.
            assert!(decays[0] > 0.4 && decays[1] > 0.1, "{speed} m/s, {rate} Hz, {late} ms: {decays:?}");
            if delay_s == 0.0 {
                assert!(decays.iter().all(|decay| *decay > 0.0), "{speed} m/s, {rate} Hz: {decays:?}");
            }
        }
    }
}

#[test]
fn without_steering_the_motion_is_that_of_a_neutral_car() {
    let (speed, timing) = (20.0, Timing::new(60.0, 0.0));
    let after = |state: State| {
        let mut plant = Plant::new(speed, [1.0, 1.0], timing, state);
        plant.frame(0.0);
        plant.state
    };
    // With a = b and k² = a b, yaw rate and velocity across decay at c / v, c the stiffness of both
    // axles, and the yaw rate turns the velocity by -v T of itself.
    let kept = (-3.0 / PEAK * GRIP / speed * timing.frame_s).exp();
    let (across, turning) = (after([0.0, 0.0, 1.0, 0.0]), after([0.0, 0.0, 0.0, 1.0]));
    assert!((turning[3] - kept).abs() < 1e-5 && (across[2] - kept).abs() < 1e-5, "{across:?} {turning:?} {kept}");
    assert!((turning[2] + speed * timing.frame_s * kept).abs() < 1e-4, "{turning:?} {kept}");
    assert!((after([0.0, 1.0, 0.0, 0.0])[0] - speed * timing.frame_s).abs() < 1e-12);
}

#[test]
fn a_delay_of_a_part_of_a_frame_lies_between_whole_frames() {
    let after = |delay_s| {
        let mut plant = Plant::new(40.0, [1.0, 1.0], Timing::new(30.0, delay_s), [0.0; 4]);
        plant.frame(0.01);
        plant.state[3]
    };
    let (none, part, whole) = (after(0.0), after(0.5 / 30.0), after(1.0 / 30.0));
    assert!(none > part && part > 0.0 && whole == 0.0, "{none} {part} {whole}");
}
