//! A line that is driven for training, with its vehicle.

use raceline::drive::driver::{self, Loaded};
use raceline::drive::{DriveError, DriveOptions, bicycle_of};
use raceline::pipeline::{self, Request};
use raceline::vehicle::{GgDiagram, Vehicle, preset};
use raceline::{Options, RacingLine};
use raceline_follower::{Command, Follower};
use raceline_generate::{GenerateOptions, Style, generate};
use raceline_vehicle_simulation::Bicycle;
use rayon::prelude::*;

use crate::error::TrainError;

/// Roads and vehicles of generated lines, in turn.
const GENERATED: [(Style, &str); 8] = [
    (Style::Circuit, "tum-racecar"),
    (Style::Circuit, "gt"),
    (Style::Kart, "kart"),
    (Style::Circuit, "formula"),
    (Style::Street, "gt"),
    (Style::Oval, "tum-racecar"),
    (Style::Circuit, "torcs-car1-trb1"),
    (Style::Street, "tum-racecar"),
];
/// Below this speed the profile of an open line ends in a stop, m/s.
const STOP_MPS: f64 = 1.0;

/// A line with its vehicle, ready to be driven.
#[derive(Debug)]
pub struct Course {
    /// The line.
    pub line: RacingLine,
    /// What the follower has of it: the path and the vehicle's geometry.
    pub loaded: Loaded,
    /// The simulated vehicle.
    pub bicycle: Bicycle<GgDiagram>,
}

impl Course {
    /// The course of a line with its own vehicle.
    ///
    /// # Errors
    /// [`TrainError::Line`] for a line that cannot be driven.
    pub fn new(line: RacingLine) -> Result<Self, TrainError> {
        let prepared = || -> Result<_, DriveError> {
            let vehicle = &line.vehicle;
            Ok((Loaded::new(&line, vehicle)?, bicycle_of(vehicle)?))
        };
        match prepared() {
            Ok((loaded, bicycle)) => Ok(Self { line, loaded, bicycle }),
            Err(source) => Err(TrainError::Line { name: line.name, source }),
        }
    }

    /// The follower that is imitated, at a fraction of the profile's speeds.
    ///
    /// # Errors
    /// [`TrainError::Follower`] for a vehicle that it rejects.
    pub fn follower(&self, speed_share: f64) -> Result<Follower, TrainError> {
        let stops = !self.line.closed && self.line.points.last().is_some_and(|point| point.speed_mps < STOP_MPS);
        let asked = DriveOptions { speed_share, ..DriveOptions::default() };
        let not_drivable = |source| TrainError::Line { name: self.line.name.clone(), source };
        let mut options = driver::follower_options(&self.loaded, &asked, stops).map_err(not_drivable)?;
        // The follower is asked about drives of other drivers, from which it must not learn how its
        // brakes act.
        options.limit.brake_learning = 0.0;
        let failed = |source| TrainError::Follower { name: self.line.name.clone(), source };
        Follower::new(options, self.loaded.geometry).map_err(failed)
    }

    /// By how far the centre of gravity is beyond the road's edge where a command was given, m; negative on
    /// the road.
    pub(crate) fn outside_m(&self, command: &Command) -> f64 {
        let here = self.loaded.path.sample(command.s_m);
        (command.cross_track_error_m - here.left_m).max(-command.cross_track_error_m - here.right_m)
    }

    /// The distance along the line from one place to the next, m.
    pub(crate) fn distance_along(&self, from_m: f64, to_m: f64) -> f64 {
        let (distance, length) = (to_m - from_m, self.loaded.path.length_m());
        if self.line.closed { distance - length * (distance / length).round() } else { distance }
    }
}

/// The lines of `count` generated roads from `seed` on: circuits, streets, kart tracks and ovals with
/// the presets that suit them, in turn.
///
/// # Errors
/// A road that cannot be generated, or that has no line.
pub fn generated(count: u32, seed: u64) -> Result<Vec<RacingLine>, TrainError> {
    let roads: Vec<(u64, (Style, &str))> = (seed..).zip(GENERATED.into_iter().cycle()).take(count as usize).collect();
    roads.into_par_iter().map(|(seed, (style, vehicle))| line_on(style, seed, &preset(vehicle)?)).collect()
}

/// The line of a vehicle on the road of a seed.
fn line_on(style: Style, seed: u64, vehicle: &Vehicle) -> Result<RacingLine, TrainError> {
    let road = generate(&GenerateOptions { style, seed, ..GenerateOptions::default() })?;
    let folder = tempfile::tempdir()?;
    let file = folder.path().join(format!("{}.csv", road.name));
    std::fs::write(&file, road.csv())?;
    let options = Options::default();
    let found = pipeline::optimize(&file, &Request::new(&options, vehicle));
    Ok(found.map_err(|source| TrainError::Pipeline { name: road.name, source: Box::new(source) })?.line)
}
