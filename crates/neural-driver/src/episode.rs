//! One drive from a disturbed start, with the follower's answer in every frame.

use std::sync::Arc;

use raceline_follower::neural::{Network, NeuralDriver, NeuralDriverOptions};
use raceline_follower::{PathFollower, Scene, StuckState, VehicleState};
use raceline_vehicle_simulation::{BicycleState, Controls};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::course::Course;
use crate::error::TrainError;
use crate::samples::{Sample, Samples};

/// Frame rate of the followers, and integration steps per frame.
const FRAME_S: f64 = 1.0 / 60.0;
const STEPS: u32 = 9;
/// Frames between two samples: neighbours are nearly the same.
const STRIDE: u32 = 3;
/// Largest heading error at the start, rad.
const HEADING_RAD: f64 = 0.12;
/// Fraction of drives that begin nearly at rest, and their largest speed, m/s.
const STANDING: f64 = 0.1;
const STANDING_MPS: f64 = 2.0;
/// Minimum fraction of the profile's speed at the start of the other drives, and the maximum.
const SPEED: [f64; 2] = [0.5, 1.04];
/// Fraction of drives at lower speeds than the profile's, and the minimum fraction of it.
const SLOWER: f64 = 0.3;
const MIN_FRACTION: f64 = 0.7;
/// A push of the controls begins with this rate, 1/s, and lasts this long, s.
const PUSHES_PER_S: f64 = 0.4;
const PUSH_S: f64 = 0.25;
/// The largest push of the steering, in slips at the tyres' peak, and of the pedal.
const PUSH: [f64; 2] = [0.6, 0.6];
/// A drive ends where the vehicle is farther from the road than this, m, or turned by more, rad.
pub(crate) const OFF_ROAD_M: f64 = 1.5;
const TURNED_RAD: f64 = 0.9;

/// Who drives.
#[derive(Clone, Copy, Debug)]
pub enum Wheel<'a> {
    /// The follower that is imitated.
    Follower,
    /// A network.
    Network(&'a Arc<Network>),
}

/// A drive's samples and how it went.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Episode {
    /// Frames with the follower's answers.
    pub samples: Samples,
    /// Distance along the line, m.
    pub driven_m: f64,
    /// Whether it ended because the vehicle left the road or turned round.
    pub lost: bool,
}

/// Drives `course` for `seconds` from a random place. A network without weights shows what the driver
/// sees where the follower drives.
///
/// # Errors
/// [`TrainError::Follower`] for a vehicle that is rejected.
pub fn drive_episode(
    course: &Course,
    wheel: Wheel<'_>,
    blank: &Arc<Network>,
    seconds: f64,
    random: &mut ChaCha8Rng,
) -> Result<Episode, TrainError> {
    let mut between = |low: f64, high: f64| low + (high - low) * random.random::<f64>();
    let fraction = if between(0.0, 1.0) < SLOWER { between(MIN_FRACTION, 1.0) } else { 1.0 };
    let mut follower = course.follower(fraction)?;
    let network = match wheel {
        Wheel::Follower => blank,
        Wheel::Network(network) => network,
    };
    let options = NeuralDriverOptions { profile_scale: fraction, ..NeuralDriverOptions::default() };
    let rejected = |source| TrainError::Follower { name: course.line.name.clone(), source };
    let mut driver = NeuralDriver::new(Arc::clone(network), options, course.loaded.geometry).map_err(rejected)?;
    let start = course.loaded.path.sample(between(0.0, course.loaded.path.length_m()));
    let half = 0.5 * course.loaded.geometry.width_m;
    let (left, right) = ((start.left_m - half).clamp(0.0, 3.0), (start.right_m - half).clamp(0.0, 3.0));
    let offset = between(-right, left);
    let heading = start.heading_rad + between(-HEADING_RAD, HEADING_RAD);
    let speed = if between(0.0, 1.0) < STANDING {
        between(0.0, STANDING_MPS)
    } else {
        fraction * start.speed_mps * between(SPEED[0], SPEED[1])
    };
    let (sin, cos) = start.heading_rad.sin_cos();
    let mut state = BicycleState {
        x_m: start.position_m[0] - offset * sin,
        y_m: start.position_m[1] + offset * cos,
        heading_rad: heading,
        forward_mps: speed,
        yaw_rate_radps: start.curvature_radpm * speed,
        steering_rad: (course.loaded.geometry.wheelbase_m * start.curvature_radpm).atan(),
        ..BicycleState::default()
    };
    let peak = course.bicycle.parameters().handling.front_tyre.peak_rad();
    let mut episode = Episode::default();
    let (mut push, mut push_until_s) = ([0.0; 2], 0.0);
    let mut before_s = start.s_m;
    let frames = (seconds / FRAME_S).ceil() as u32;
    for frame in 0..frames {
        let now_s = f64::from(frame) * FRAME_S;
        let [x_mps, y_mps] = state.velocity_mps();
        let seen = VehicleState {
            position_m: [state.x_m, state.y_m, 0.0],
            heading_rad: state.heading_rad,
            speed_mps: state.forward_mps,
            velocity_mps: [x_mps, y_mps, 0.0],
            yaw_rate_radps: state.yaw_rate_radps,
        };
        let asked = follower.step(&course.loaded.path, &seen, &Scene::EMPTY, FRAME_S);
        let own = driver.step(&course.loaded.path, &seen, &Scene::EMPTY, FRAME_S);
        if frame % STRIDE == 0
            && asked.state == StuckState::Driving
            && !asked.arrived
            && let Some(inputs) = driver.inputs()
            && let Some(outputs) = driver.outputs_for(&course.loaded.path, asked.steering_rad, asked.pedal)
        {
            episode.samples.push(Sample { inputs: *inputs, outputs, weight: 1.0 });
        }
        let here = course.loaded.path.sample(asked.s_m);
        let turned = (state.heading_rad - here.heading_rad).sin().abs();
        episode.driven_m += course.distance_along(before_s, asked.s_m);
        before_s = asked.s_m;
        episode.lost = course.outside_m(&asked) > OFF_ROAD_M || turned > TURNED_RAD.sin();
        if episode.lost || asked.arrived {
            break;
        }
        let command = match wheel {
            Wheel::Follower => asked,
            Wheel::Network(_) => own,
        };
        if now_s >= push_until_s {
            push = [0.0; 2];
            if between(0.0, 1.0) < PUSHES_PER_S * FRAME_S {
                push = PUSH.map(|max| between(-max, max));
                push_until_s = now_s + PUSH_S;
            }
        }
        let controls = Controls {
            pedal: (command.pedal + push[1]).clamp(-1.0, 1.0),
            reverse: command.reverse,
            steering_rad: command.steering_rad + push[0] * peak,
        };
        for _ in 0..STEPS {
            course.bicycle.advance(&mut state, &controls, FRAME_S / f64::from(STEPS));
        }
    }
    Ok(episode)
}
