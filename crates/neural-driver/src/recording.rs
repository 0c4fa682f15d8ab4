//! Recorded driving to samples: what the driver's network would have been shown in each row, with what the
//! person did.
//!
//! A network that has seen nothing but a good drive cannot return to it: a little off, it is where no
//! row was recorded. So each sample has disturbed copies, in which the vehicle is moved to the side, turned,
//! slides and yaws, and the steering is corrected, as Pomerleau (*Rapidly Adapting Artificial Neural Networks
//! for Autonomous Navigation*, NIPS 1990) did with shifted pictures of a road. The correction is the
//! follower's: the difference of its steering in the disturbed and in the recorded motion. The place to which
//! it brings the vehicle back remains the person's, and so does the pedal: below its own speeds the follower
//! asks for all of the throttle, and a difference from that is no correction for a slower person.

use std::sync::Arc;

use raceline_calibrate::Driven;
use raceline_follower::neural::{Network, NeuralDriver, NeuralDriverOptions};
use raceline_follower::{PathFollower, Scene, StuckOptions, VehicleState};
use raceline_vehicle_simulation::{OutOfRange, check_range};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::course::Course;
use crate::episode::OFF_ROAD_M;
use crate::error::{RecordingError, TrainError};
use crate::fitting::first_network;
use crate::samples::{Sample, Samples};

/// A vehicle below this speed stands or reverses, which the network can't imitate, m/s.
const MIN_SPEED_MPS: f64 = 0.5;
/// A longer time between two rows is a gap, s.
const MAX_STEP_S: f64 = 0.25;
/// Minimum number of samples of a recording: 10 s at 20 Hz.
const MIN_SAMPLES: usize = 200;
/// Steering beyond the vehicle's is an error of rounding up to this, rad.
const STEERING_TOLERANCE_RAD: f64 = 1e-3;
/// Largest disturbance to the side, m, of the heading and of the sideslip, rad, and of the yaw rate, rad/s.
const DISTURBANCE: [f64; 4] = [1.0, 0.06, 0.06, 0.3];

/// How recorded driving becomes samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordingOptions {
    /// Steering angle in the recording per angle of the front wheels, 0.1 to 100: 1 for the wheels'
    /// angle, 12 to 18 for that of a car's steering wheel. Default: 1.
    pub steering_ratio: f64,
    /// Disturbed copies of each sample, 0 to 20. Default: 3.
    pub disturbed_copies: u32,
    /// Seed of the disturbances. Default: 1.
    pub seed: u64,
}

impl Default for RecordingOptions {
    fn default() -> Self {
        Self { steering_ratio: 1.0, disturbed_copies: 3, seed: 1 }
    }
}

impl RecordingOptions {
    /// Checks every range.
    ///
    /// # Errors
    /// The first option out of its range.
    pub fn validate(&self) -> Result<(), OutOfRange> {
        check_range("steering_ratio", self.steering_ratio, 0.1, 100.0, "from 0.1 to 100")?;
        check_range("disturbed_copies", f64::from(self.disturbed_copies), 0.0, 20.0, "from 0 to 20")?;
        Ok(())
    }
}

/// The samples of a drive along the line of `course`: one for each row at 0.5 m/s or faster, followed by its
/// disturbed copies. A gap in time, as where rows were removed, is allowed.
///
/// # Errors
/// [`TrainError::Option`], [`TrainError::Recording`] with the row, and [`TrainError::Follower`] for a vehicle
/// that the follower rejects.
pub fn recorded_samples(course: &Course, driven: &Driven, options: &RecordingOptions) -> Result<Samples, TrainError> {
    options.validate()?;
    let file = || driven.run.name.clone();
    let path = &course.loaded.path;
    let mut driver = watching_driver(course)?;
    let follower = course.follower(1.0)?;
    let mut random = ChaCha8Rng::seed_from_u64(options.seed);
    let mut samples = Samples::new();
    let (mut rows, mut before_s) = (0, f64::NEG_INFINITY);
    let (mut beside, mut against): (Option<(usize, f64)>, Option<usize>) = (None, None);
    let (mut beside_count, mut against_count) = (0, 0);
    for row in 0..driven.run.len() {
        let Some((state, [steering_rad, pedal])) = seen(course, driven, options, row)? else { continue };
        let step_s = driven.run.time_s[row] - before_s;
        before_s = driven.run.time_s[row];
        let is_continued = step_s <= MAX_STEP_S;
        if !is_continued {
            driver.reset();
        }
        let dt_s = if is_continued { step_s } else { 0.0 };
        let driver_before = driver.clone();
        let command = driver.step(path, &state, &Scene::EMPTY, dt_s);
        let outside_m = course.outside_m(&command);
        if outside_m > OFF_ROAD_M {
            beside.get_or_insert((row, outside_m));
            beside_count += 1;
        }
        if (state.heading_rad - path.sample(command.s_m).heading_rad).cos() < 0.0 {
            against.get_or_insert(row);
            against_count += 1;
        }
        let (Some(&inputs), Some(outputs)) = (driver.inputs(), driver.outputs_for(path, steering_rad, pedal)) else {
            return Err(RecordingError::Size { file: file(), line: driven.lines[row] }.into());
        };
        rows += 1;
        samples.push(Sample { inputs, outputs, weight: 1.0 });
        // A follower that saw the row before takes a vehicle that is elsewhere for one that is measured wrong.
        let answer_rad = |state: &VehicleState| {
            let mut follower = follower;
            follower.step(path, state, &Scene::EMPTY, dt_s).steering_rad
        };
        let asked_rad = answer_rad(&state);
        for _ in 0..options.disturbed_copies {
            let aside = DISTURBANCE.map(|max| max * (2.0 * random.random::<f64>() - 1.0));
            let moved = disturbed(&state, aside);
            let mut driver = driver_before.clone();
            driver.step(path, &moved, &Scene::EMPTY, dt_s);
            let steering_rad = steering_rad + answer_rad(&moved) - asked_rad;
            if let (Some(&inputs), Some(outputs)) = (driver.inputs(), driver.outputs_for(path, steering_rad, pedal)) {
                samples.push(Sample { inputs, outputs, weight: 1.0 });
            }
        }
    }
    if let Some((row, beside_m)) = beside {
        let (x_m, y_m, line) = (driven.x_m[row], driven.y_m[row], driven.lines[row]);
        let (course, others) = (course.line.name.clone(), beside_count - 1);
        return Err(RecordingError::BesideRoad { file: file(), line, x_m, y_m, beside_m, course, others }.into());
    }
    if let Some(row) = against {
        let (course, others) = (course.line.name.clone(), against_count - 1);
        return Err(RecordingError::Against { file: file(), line: driven.lines[row], course, others }.into());
    }
    if rows < MIN_SAMPLES {
        let (required, min_speed_mps) = (MIN_SAMPLES, MIN_SPEED_MPS);
        return Err(RecordingError::TooShort { file: file(), samples: rows, required, min_speed_mps }.into());
    }
    Ok(samples)
}

/// The vehicle moved to its left, turned, sliding to its left and yawing by `aside`: m, rad, rad, rad/s.
fn disturbed(state: &VehicleState, [left_m, turn_rad, sideslip_rad, yaw_radps]: [f64; 4]) -> VehicleState {
    let [x, y, z] = state.position_m;
    let [x_mps, y_mps, up_mps] = state.velocity_mps;
    let (sin, cos) = state.heading_rad.sin_cos();
    let (turn_sin, turn_cos) = (turn_rad + sideslip_rad).sin_cos();
    VehicleState {
        position_m: [x - left_m * sin, y + left_m * cos, z],
        heading_rad: state.heading_rad + turn_rad,
        velocity_mps: [x_mps * turn_cos - y_mps * turn_sin, x_mps * turn_sin + y_mps * turn_cos, up_mps],
        yaw_rate_radps: state.yaw_rate_radps + yaw_radps,
        ..*state
    }
}

/// A driver that is shown what its network would see. It never counts as stuck: a person may wait.
fn watching_driver(course: &Course) -> Result<NeuralDriver, TrainError> {
    let blank: Arc<Network> = Arc::new(first_network(&[], 0)?);
    let stuck = StuckOptions { enabled: false, ..StuckOptions::default() };
    let options = NeuralDriverOptions { stuck, ..NeuralDriverOptions::default() };
    let rejected = |source| TrainError::Follower { name: course.line.name.clone(), source };
    NeuralDriver::new(blank, options, course.loaded.geometry).map_err(rejected)
}

/// What a row shows, and the steering angle of the wheels, rad, and the pedal in it; `None` for a vehicle that
/// stands or reverses.
fn seen(
    course: &Course,
    driven: &Driven,
    options: &RecordingOptions,
    row: usize,
) -> Result<Option<(VehicleState, [f64; 2])>, TrainError> {
    let run = &driven.run;
    let of = |column: &Option<Vec<f64>>| column.as_ref().map(|values| values[row]);
    let forward_mps = run.speed_mps[row];
    if forward_mps < MIN_SPEED_MPS {
        return Ok(None);
    }
    let leftward_mps = of(&run.leftward_mps).unwrap_or(0.0);
    let heading_rad = driven.heading_rad[row];
    let (sin, cos) = heading_rad.sin_cos();
    let yaw_rate = of(&run.yaw_rate_radps).or_else(|| Some(of(&run.lateral_accel_mps2)? / forward_mps));
    let state = VehicleState {
        position_m: [driven.x_m[row], driven.y_m[row], 0.0],
        heading_rad,
        speed_mps: forward_mps,
        velocity_mps: [forward_mps * cos - leftward_mps * sin, forward_mps * sin + leftward_mps * cos, 0.0],
        // NaN: from the change of the heading.
        yaw_rate_radps: yaw_rate.unwrap_or(f64::NAN),
    };
    let steering_rad = driven.steering_rad[row] / options.steering_ratio;
    let max_rad = course.loaded.geometry.max_steering_rad;
    if steering_rad.abs() > max_rad + STEERING_TOLERANCE_RAD {
        let (file, line, vehicle) = (run.name.clone(), driven.lines[row], course.line.vehicle.name.clone());
        return Err(RecordingError::Steering { file, line, steering_rad, max_rad, vehicle }.into());
    }
    Ok(Some((state, [steering_rad, of(&run.throttle).unwrap_or(0.0) - of(&run.brake).unwrap_or(0.0)])))
}
