//! Stability of the control at the limit: the poles of the closed loop over speed, grip, frame rate
//! and delay.
//!
//! The loop is the linear bicycle about the path and the follower itself: what a small offset,
//! heading, velocity across and yaw rate change of its steering angle is measured on the follower,
//! so that nothing of it is repeated here.

// A test that can't start should fail with a message.
#![allow(clippy::expect_used)]

mod plot;

use crate::racing::{GRIP, PEAK, WHEELBASE, dynamics, geometry};
use raceline_follower::{Follower, FollowerOptions, Path, Scene, VehicleState, Waypoint};

/// A matrix of the closed loop: offset, heading, velocity across, yaw rate, then the commands that
/// have not acted yet, the oldest first.
type Matrix = Vec<Vec<f64>>;

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

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let entry = |i: usize, j: usize| (0..b.len()).map(|k| a[i][k] * b[k][j]).sum();
    (0..a.len()).map(|i| (0..b.len()).map(|j| entry(i, j)).collect()).collect()
}

/// The slowest decay of the loop's motions, 1/s, negative when one grows: from the norm of a high
/// power of the matrix, which its largest eigenvalue decides.
fn slowest_decay(one_frame: &Matrix, frame_s: f64) -> f64 {
    let (mut power, mut frames, mut logarithm) = (one_frame.clone(), 1.0, 0.0);
    for _ in 0..20 {
        power = product(&power, &power);
        (frames, logarithm) = (2.0 * frames, 2.0 * logarithm);
        let size = power.iter().flatten().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
        power.iter_mut().flatten().for_each(|entry| *entry /= size);
        logarithm += size.ln();
    }
    -logarithm / (frames * frame_s)
}

/// Change of the follower's steering angle by offset, heading, velocity across and yaw rate on a
/// straight at `speed`, with the delay known.
fn feedback(speed: f64, timing: Timing) -> [f64; 4] {
    let straight = [0.0, 1000.0].map(|x| Waypoint {
        position_m: [x, 0.0, 0.0],
        speed_mps: speed,
        curvature_radpm: 0.0,
        ..Waypoint::default()
    });
    let path = Path::new(straight.to_vec(), false).expect("a straight").with_dynamics(&dynamics());
    let mut options = FollowerOptions::for_racing();
    options.target_speed.stop_at_end = false;
    options.limit.delay_s = timing.delay_s;
    let angle = |[offset, heading, across, yaw_rate]: [f64; 4]| {
        let (sin, cos) = heading.sin_cos();
        let state = VehicleState {
            velocity_mps: [speed * cos - across * sin, speed * sin + across * cos, 0.0],
            yaw_rate_radps: yaw_rate,
            ..VehicleState::new([400.0, offset, 0.0], heading, speed)
        };
        let mut follower = Follower::new(options, geometry()).expect("valid");
        follower.step(&path, &state, &Scene::EMPTY, timing.frame_s).steering_rad
    };
    std::array::from_fn(|i| {
        let small = 1e-4;
        let mut state = [0.0; 4];
        state[i] = small;
        (angle(state) - angle(state.map(|x| -x))) / (2.0 * small)
    })
}

/// One frame of the linear bicycle under the follower. The axles keep the fractions `front` and
/// `rear` of the cornering stiffness of fresh tyres.
fn closed_loop(feedback: &[f64; 4], speed: f64, [front, rear]: [f64; 2], timing: Timing) -> Matrix {
    let (a, b) = (WHEELBASE / 2.0, WHEELBASE / 2.0);
    let stiffness = 3.0 / PEAK * GRIP;
    let (front, rear) = (front * stiffness * b / WHEELBASE, rear * stiffness * a / WHEELBASE);
    let gyration = a * b;
    let rate = |[_, heading, across, turning]: [f64; 4], steering: f64| {
        let by_front = front * (steering - (across + a * turning) / speed);
        let by_rear = -rear * (across - b * turning) / speed;
        [
            speed * heading + across,
            turning,
            by_front + by_rear - speed * turning,
            (a * by_front - b * by_rear) / gyration,
        ]
    };
    // A command acts after whole frames and a part of one.
    let steps = 64_u32;
    let late = timing.delay_s / timing.frame_s;
    let whole = (late + 1e-9).floor();
    let part = ((late - whole).max(0.0) * f64::from(steps)).round();
    let waiting = whole as usize + usize::from(part > 0.0);
    let size = 4 + waiting;
    let mut matrix = vec![vec![0.0; size]; size];
    for column in 0..size {
        let mut unit = vec![0.0; size];
        unit[column] = 1.0;
        let mut state: [f64; 4] = std::array::from_fn(|i| unit[i]);
        let command: f64 = feedback.iter().zip(&state).map(|(gain, x)| gain * x).sum();
        let mut commands = unit[4..].to_vec();
        commands.push(command);
        for step in 0..steps {
            // The oldest command acts until the next one's delay is over.
            let old = part > 0.0 && f64::from(step) < part;
            let steering = commands[usize::from(part > 0.0 && !old)];
            // The midpoint rule.
            let step = timing.frame_s / f64::from(steps);
            let first = rate(state, steering);
            let middle = std::array::from_fn(|i| state[i] + 0.5 * step * first[i]);
            let second = rate(middle, steering);
            state = std::array::from_fn(|i| state[i] + step * second[i]);
        }
        commands.remove(0);
        for (row, value) in state.iter().chain(&commands).enumerate() {
            matrix[row][column] = *value;
        }
    }
    matrix
}

/// Slowest decay of the follower's loop for each pair of `tyres`, which are fractions of the
/// cornering stiffness of the front and the rear tyres, 1/s.
pub fn decays<const N: usize>(speed: f64, timing: Timing, tyres: [[f64; 2]; N]) -> [f64; N] {
    let feedback = feedback(speed, timing);
    tyres.map(|tyres| slowest_decay(&closed_loop(&feedback, speed, tyres, timing), timing.frame_s))
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
fn without_feedback_the_matrix_is_that_of_a_neutral_car() {
    let (speed, timing) = (20.0, Timing::new(60.0, 0.0));
    let free = closed_loop(&[0.0; 4], speed, [1.0, 1.0], timing);
    // With a = b and k² = a b, yaw rate and velocity across decay at c / v, c the stiffness of both
    // axles, and the yaw rate turns the velocity by -v T of itself.
    let kept = (-3.0 / PEAK * GRIP / speed * timing.frame_s).exp();
    assert!((free[3][3] - kept).abs() < 1e-5 && (free[2][2] - kept).abs() < 1e-5, "{free:?} {kept}");
    assert!((free[2][3] + speed * timing.frame_s * kept).abs() < 1e-4, "{free:?} {kept}");
    assert!((free[0][1] - speed * timing.frame_s).abs() < 1e-12, "{free:?}");
}

#[test]
fn a_delay_of_a_part_of_a_frame_lies_between_whole_frames() {
    let decay = |delay_s| decays(40.0, Timing::new(30.0, delay_s), [[1.0, 1.0]])[0];
    let (none, part, whole) = (decay(0.0), decay(0.5 / 30.0), decay(1.0 / 30.0));
    assert!((none - part).signum() == (part - whole).signum(), "{none} {part} {whole}");
}
