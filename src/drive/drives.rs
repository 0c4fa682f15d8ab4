//! A drive from its options to its result: the vehicles, the follower, what is around them, the laps.

use std::sync::Arc;

use raceline_follower::{LearnedSpeeds, LearningOptions, RememberedSpeeds};

use super::course::Course;
use super::driver;
use super::error::DriveError;
use super::follower_kind::FollowerKind;
use super::measures::Measures;
use super::noise::DrawnNoise;
use super::options::DriveOptions;
use super::run::{Run, STOP_MPS};
use super::simulated_vehicle::SimulatedVehicle;
use super::simulation::Simulation;
use super::surroundings::Surroundings;
use super::trace::TraceRow;
use super::traffic::Traffic;
use crate::file::RacingLine;
use crate::vehicle::Vehicle;

/// A drive is aborted after this multiple of the profile's lap time per lap,
const PATIENCE: f64 = 10.0;
/// plus this, s.
const PATIENCE_S: f64 = 30.0;
/// A drive with errors is given up this far beyond the edge of the road, m: whether and when it returns does not
/// matter.
const LOST_BEYOND_M: f64 = 3.0;

/// The result of a drive.
#[derive(Clone, Debug, PartialEq)]
pub struct Drive {
    /// The figures.
    pub measures: Measures,
    /// One row per frame.
    pub trace: Vec<TraceRow>,
    /// Places of the other vehicles, m, every 0.1 s.
    pub others_m: Vec<Vec<[f64; 2]>>,
    /// What the follower learned or remembered.
    pub learned: Option<RememberedSpeeds>,
}

/// Drives `line` with `vehicle`, which may differ from the vehicle that the line was computed for.
///
/// # Errors
/// [`DriveError`] for a vehicle, an option or a line that cannot be used. Incomplete laps are no
/// error: see [`Measures::is_complete`].
pub fn drive(line: &RacingLine, vehicle: &Vehicle, options: &DriveOptions) -> Result<Drive, DriveError> {
    drive_as(line, (vehicle, options), (vehicle, options), &Simulation::default(), None)
}

/// A drive of `line` with a grip by place that the follower does not know, and with what it
/// remembers.
///
/// # Errors
/// Those of [`drive()`]; [`DriveError::Learning`] for what was learned on another line.
pub fn drive_in(
    line: &RacingLine,
    vehicle: &Vehicle,
    options: &DriveOptions,
    simulation: &Simulation<'_>,
) -> Result<Drive, DriveError> {
    drive_as(line, (vehicle, options), (vehicle, options), simulation, None)
}

/// Drives `line` with a vehicle and options, where the follower was given different ones, and with the
/// errors of its measurements.
pub(super) fn drive_as(
    line: &RacingLine,
    given: (&Vehicle, &DriveOptions),
    (vehicle, options): (&Vehicle, &DriveOptions),
    simulation: &Simulation<'_>,
    noise: Option<DrawnNoise>,
) -> Result<Drive, DriveError> {
    given.1.validate()?;
    options.validate()?;
    let course = Arc::new(Course::new(line, vehicle, simulation.grip, &options.frames())?);
    let loaded = driver::Loaded::new(line, given.0)?;
    let stop_at_end = !line.closed && line.points.last().is_some_and(|point| point.speed_mps < STOP_MPS);
    let empty = Surroundings::default();
    let surroundings = simulation.surroundings.unwrap_or(&empty);
    surroundings.validate()?;
    let driver_of = |options: &DriveOptions| {
        if surroundings.is_empty() {
            return driver::driver(&loaded, options, stop_at_end, simulation.network);
        }
        let planning = driver::planning_driver(&loaded, options, stop_at_end)?;
        Ok(Box::new(planning) as Box<dyn raceline_follower::PathFollower>)
    };
    let on_line = || SimulatedVehicle::new(Arc::clone(&course));
    let size_m = [vehicle.length_m, vehicle.width_m];
    let distance = (course.reference.length_m(), line.closed);
    let traffic = Traffic::new(surroundings, size_m, distance, options.frame_rate_hz.recip(), |speed_share| {
        Ok((on_line(), driver_of(&DriveOptions { speed_share, ..*given.1 })?))
    })?;
    let learning = learning(&loaded.path, loaded.geometry, options, simulation)?;
    let half = size_m.map(|size| size / 2.0);
    let driver = driver_of(given.1)?;
    let is_noisy = noise.is_some();
    let mut run =
        Run::new(Arc::clone(&course), loaded.path, half, (on_line().with_noise(noise), driver), traffic, learning);
    if is_noisy {
        run.lost_beyond_m = LOST_BEYOND_M;
    }
    let patience_s = PATIENCE * line.lap_time_s + PATIENCE_S;
    let timed_from = if line.closed {
        run.drive_laps(options.learn_laps, options.laps, patience_s)
    } else {
        let first_speed_mps = line.points.first().map_or(0.0, |point| point.speed_mps);
        for _ in 0..options.learn_laps {
            run.drive_to_end(0, first_speed_mps, patience_s);
        }
        let timed_from = run.begin_timed_laps();
        for lap in 1..=options.laps {
            run.drive_to_end(lap, first_speed_mps, patience_s);
        }
        timed_from
    };
    let Run { lap_times_s, stuck_events, placements, trace, learning, traffic, .. } = run;
    let mut measures = Measures {
        lap_times_s,
        laps_asked: options.laps,
        profile_lap_time_s: line.lap_time_s,
        stuck_events,
        placements,
        encounters: (!surroundings.is_empty()).then(|| traffic.contacts().encounters.clone()),
        ..Measures::default()
    };
    // A follower that learns may leave the road in its laps of learning.
    let judged_from = if options.learn_laps > 0 { timed_from.min(trace.len()) } else { 0 };
    measures.of_trace(&trace[judged_from..], timed_from - judged_from);
    Ok(Drive { measures, trace, others_m: traffic.traces, learned: learning.map(|speeds| speeds.remembered()) })
}

/// The learning that the options ask for.
fn learning(
    path: &raceline_follower::Path,
    geometry: raceline_follower::VehicleGeometry,
    options: &DriveOptions,
    simulation: &Simulation<'_>,
) -> Result<Option<LearnedSpeeds>, DriveError> {
    if options.learn_laps == 0 && simulation.remembered.is_none() {
        return Ok(None);
    }
    if !matches!(options.follower, FollowerKind::Both | FollowerKind::Profile) {
        return Err(DriveError::NothingToLearn { follower: options.follower.name() });
    }
    let mut speeds = LearnedSpeeds::new(path, geometry, LearningOptions::default())?;
    if let Some(remembered) = simulation.remembered {
        speeds.restore(remembered)?;
    }
    if options.learn_laps == 0 {
        speeds.settle();
    }
    Ok(Some(speeds))
}
