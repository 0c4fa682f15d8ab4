//! The probability of leaving the road, by drives in the simulation.

use super::options::ConfidenceOptions;
use crate::drive::{DriveError, DriveOptions, Noise, risk_of_lap};
use crate::file::RacingLine;
use crate::vehicle::Vehicle;

/// Number of drives by the allowed probability, and its bounds. More find a probability with less error, and take
/// longer; of a line that leaves the road as often as allowed, this many would be lost if all drives counted alike.
const DRIVES: f64 = 5.0;
const MIN_DRIVES: f64 = 200.0;
const MAX_DRIVES: f64 = 2500.0;
/// Standard deviations of the number of lost drives by which fewer than allowed may be lost: their number has an error,
/// and of all lines that are tried the one is taken that chance favoured. More make slower lines, of which fewer are
/// less sure than promised.
const DEVIATIONS: f64 = 1.0;
/// Smallest part of the allowed probability that drives may show, where they are too few for it.
const MIN_PART: f64 = 0.3;
/// Smallest allowed probability that drives alone show.
const MIN_SHOWN: f64 = 1e-3;
/// Longest step of the integration, s: with 0.001 a drive takes nearly twice as long, and as many leave the road.
const TIME_STEP_S: f64 = 2e-3;
/// Seed of the drives, another one than that of a drive by which a user judges the line.
const SEED: u64 = 0x5eed;

/// Whether drives alone show the probability that is allowed.
pub(super) fn show(options: &ConfidenceOptions) -> bool {
    // A confidence of 0.999 allows a little less than 0.001 in floating point.
    options.allowed() > (1.0 - 1e-9) * MIN_SHOWN
}

/// Number of drives that show whether a line has the allowed probability.
fn count(options: &ConfidenceOptions) -> f64 {
    (DRIVES / options.allowed()).ceil().clamp(MIN_DRIVES, MAX_DRIVES)
}

/// The largest probability of leaving the road that drives may show of a line that is taken.
pub(super) fn limit(options: &ConfidenceOptions) -> f64 {
    // Where n drives are lost on the mean, their number has the standard deviation √n.
    let lost = options.allowed() * count(options);
    options.allowed() * (1.0 - DEVIATIONS / lost.sqrt()).max(MIN_PART)
}

/// The probability that `vehicle` leaves the road in a lap of `line`. Above `limit` it is a lower bound: the drives
/// end there.
///
/// # Errors
/// Those of a drive.
pub(super) fn risk(
    line: &RacingLine,
    vehicle: &Vehicle,
    options: &ConfidenceOptions,
    limit: f64,
) -> Result<f64, DriveError> {
    let time_step_s = options.drive.time_step_s.max(TIME_STEP_S);
    let drive = DriveOptions { laps: 1, learn_laps: 0, time_step_s, ..options.drive };
    // Without errors, all drives are the same.
    let is_certain =
        options.noise == Noise { side_correlation_s: options.noise.side_correlation_s, ..Noise::default() };
    let drives = if is_certain { 1 } else { count(options) as u32 };
    risk_of_lap(line, vehicle, &drive, (&options.noise, drives, SEED), limit)
}
