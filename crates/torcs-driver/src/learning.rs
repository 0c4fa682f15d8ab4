//! Speeds by place, learned over laps and kept in a file.

use std::path::PathBuf;

use raceline_follower::{Command, LearnedSpeeds, LearningOptions, Path, VehicleGeometry, VehicleState, json};

use crate::configuration::{Configuration, numbered};
use crate::layout::CarState;

/// Learning of one car.
#[derive(Debug)]
pub struct Learning {
    speeds: LearnedSpeeds,
    /// Laps that are left, 0 when the factors are settled.
    laps: u32,
    file: Option<PathBuf>,
    lap_counted: bool,
}

impl Learning {
    /// What the configuration asks for; `path` gets the speeds that are remembered.
    ///
    /// # Errors
    /// The file with what is wrong with it.
    pub fn new(
        configuration: &Configuration,
        index: i32,
        path: &mut Path,
        geometry: VehicleGeometry,
    ) -> Result<Option<Self>, String> {
        let file = configuration.learned.as_ref().map(|file| numbered(file, index));
        let kept = file.as_ref().filter(|file| file.is_file());
        let laps = configuration.learn_laps;
        if laps == 0 && kept.is_none() {
            return Ok(None);
        }
        // TORCS reports walls touched and corners cut, and lets a car ride kerbs.
        let mut speeds = LearnedSpeeds::new(path, geometry, LearningOptions::of_reported_faults())
            .map_err(|error| error.to_string())?;
        if let Some(file) = kept {
            let given = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
            let bytes = std::fs::read(file).map_err(|error| given(&error))?;
            let remembered = json::read_learned(&bytes).map_err(|error| given(&error))?;
            speeds.restore(&remembered).map_err(|error| given(&error))?;
        }
        if laps == 0 {
            speeds.settle();
        }
        speeds.apply(path).map_err(|error| error.to_string())?;
        Ok(Some(Self { speeds, laps, file, lap_counted: true }))
    }

    /// Learns the speeds by place from a step.
    pub fn observe(
        &mut self,
        path: &mut Path,
        car: &CarState,
        (state, command): (&VehicleState, &Command),
        avoiding: bool,
        dt_s: f64,
    ) {
        if avoiding {
            self.speeds.interrupt();
        }
        // A wall was touched or a corner cut. Damage alone is none: a car that lands hard has some.
        if self.lap_counted && !car.lap_counts {
            self.speeds.fault();
        }
        self.lap_counted = car.lap_counts;
        if avoiding || self.speeds.observe(path, state, command, dt_s).is_none() {
            return;
        }
        if self.laps > 0 {
            self.laps -= 1;
            if self.laps == 0 {
                self.speeds.settle();
            }
        }
        // It was made for this path.
        let _ = self.speeds.apply(path);
    }

    /// Writes what was learned so far.
    pub fn write(&self) {
        if let Some(file) = &self.file {
            let text = json::write_learned(&self.speeds.remembered());
            if let Err(error) = std::fs::write(file, text) {
                eprintln!("raceline: {}: {error}", file.display());
            }
        }
    }
}
