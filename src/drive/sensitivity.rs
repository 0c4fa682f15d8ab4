//! A drive in a vehicle other than the follower was given: by how much may grip, mass, delay and
//! frame rate be off?

use rayon::prelude::*;

use super::drives::drive_as;
use super::{DriveError, DriveOptions, Measures, Simulation};
use crate::file::RacingLine;
use crate::vehicle::{GRIP, Vehicle};

/// The fraction by which each quantity is off.
const CHANGE: f64 = 0.1;

/// The quantity that differs from what the follower was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The tyres' limits.
    Grip,
    /// The mass, with the same drag, downforce, engine and tyre limits per mass.
    Mass,
    /// The delay from the vehicle's state to the command's effect, which includes one frame.
    Delay,
    /// The follower's frame rate.
    FrameRate,
}

impl Quantity {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Grip, Self::Mass, Self::Delay, Self::FrameRate];

    /// Name in tables and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Grip => "grip",
            Self::Mass => "mass",
            Self::Delay => "delay",
            Self::FrameRate => "frame rate",
        }
    }
}

/// A drive with one quantity off.
#[derive(Clone, Debug, PartialEq)]
pub struct Disturbance {
    /// What is off.
    pub quantity: Quantity,
    /// By which fraction: -0.1 or 0.1.
    pub change: f64,
    /// How the line was driven.
    pub measures: Measures,
}

/// Drives `line` with each [`Quantity`] 10 % lower and 10 % higher than the follower was given. A
/// delay does not become negative.
///
/// # Errors
/// Those of [`drive_in()`](super::drive_in()).
pub fn sensitivity(
    line: &RacingLine,
    vehicle: &Vehicle,
    options: &DriveOptions,
    simulation: &Simulation<'_>,
) -> Result<Vec<Disturbance>, DriveError> {
    let cases: Vec<(Quantity, f64)> =
        Quantity::ALL.into_iter().flat_map(|quantity| [(quantity, -CHANGE), (quantity, CHANGE)]).collect();
    cases
        .into_par_iter()
        .map(|(quantity, change)| {
            let (mut vehicle_off, mut options_off) = (vehicle.clone(), *options);
            match quantity {
                Quantity::Grip => vehicle_off = vehicle.with_parameters(&[(GRIP, 1.0 + change)])?,
                Quantity::Mass => vehicle_off.mass_kg *= 1.0 + change,
                Quantity::Delay => {
                    let whole = options.actuation_delay_s + options.frame_rate_hz.recip();
                    options_off.actuation_delay_s = (options.actuation_delay_s + change * whole).max(0.0);
                }
                Quantity::FrameRate => options_off.frame_rate_hz *= 1.0 + change,
            }
            let measures = drive_as(line, (vehicle, options), (&vehicle_off, &options_off), simulation, None)?.measures;
            Ok(Disturbance { quantity, change, measures })
        })
        .collect()
}
