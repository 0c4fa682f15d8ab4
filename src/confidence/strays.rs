//! How far a vehicle strays from its line: drives of the extremes, and deviations about them.

use raceline_follower::{Deviation, DeviationNoise, deviations};
use raceline_numerics::math;
use rayon::prelude::*;

use super::options::ConfidenceOptions;
use super::risk::{self, Moment};
use crate::drive::{DriveError, DriveOptions, Noise, ReferenceLine, TraceRow, drive_with_grip_and_delay, driver};
use crate::file::RacingLine;
use crate::vehicle::Vehicle;

/// The extremes of a drive: by how much of the noise the grip is off and the delay longer, and the
/// probability that the case stands for. The extremes stand for more than they are, since half of what is
/// drawn is nearer to the middle.
const CASES: [Case; 5] = [
    Case { grip: -1.0, delay: 1.0, weight: 0.125 },
    Case { grip: -1.0, delay: 0.0, weight: 0.125 },
    Case { grip: 0.0, delay: 1.0, weight: 0.25 },
    Case { grip: 0.0, delay: 0.0, weight: 0.25 },
    Case { grip: 1.0, delay: 0.5, weight: 0.25 },
];

#[derive(Clone, Copy, Debug, PartialEq)]
struct Case {
    grip: f64,
    delay: f64,
    weight: f64,
}

/// How far the body reaches from the line at a place, to the left and to the right, and its deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reach {
    /// Distance along the line, m.
    pub s_m: f64,
    /// To the left and to the right, m: half the width of the body that is on the line.
    pub sides_m: [f64; 2],
    /// Standard deviation of both, m.
    pub deviation_m: f64,
}

/// What became of the drives of a line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Strays {
    /// The probability of leaving the road in a lap.
    pub risk: f64,
    /// The places of all drives' timed laps.
    pub reaches: Vec<Reach>,
}

/// Drives `line` with `vehicle`, which may differ from the line's, in every case of the noise.
///
/// # Errors
/// Those of a drive.
pub(super) fn of_line(line: &RacingLine, vehicle: &Vehicle, options: &ConfidenceOptions) -> Result<Strays, DriveError> {
    let drive = DriveOptions { laps: 1, learn_laps: 0, ..options.drive };
    let noise = &options.noise;
    let frame_s = drive.frame_rate_hz.recip();
    let reference = ReferenceLine::new(line)?;
    let deviations = deviations_of(line, vehicle, &drive, noise)?;
    // Cases that are alike, where the noise has neither grip nor delay, are driven once.
    let mut cases: Vec<([f64; 2], f64)> = Vec::new();
    for Case { grip, delay, weight } in CASES {
        let values = [1.0 + grip * noise.grip_fraction, delay * noise.delay_s];
        match cases.iter_mut().find(|(known, _)| *known == values) {
            Some((_, sum)) => *sum += weight,
            None => cases.push((values, weight)),
        }
    }
    let driven: Result<Vec<_>, DriveError> = cases
        .into_par_iter()
        .map(|([grip, delay_s], weight)| {
            Ok((drive_with_grip_and_delay(line, vehicle, &drive, (grip, delay_s))?, weight))
        })
        .collect();
    let half_m = [vehicle.length_m, vehicle.width_m].map(|size| size / 2.0);
    let (mut risk, mut reaches) = (0.0, Vec::new());
    for (drive, weight) in driven? {
        let timed: Vec<&TraceRow> = drive.trace.iter().filter(|row| row.lap == 1).collect();
        let moments: Vec<Moment> = timed
            .iter()
            .map(|row| {
                let deviation = at(&deviations, row.s_m);
                Moment {
                    room_m: row.room_m,
                    deviation_m: of_body(deviation, half_m[0]),
                    rate_mps: deviation.map_or(0.0, |deviation| deviation.offset_rate_mps),
                }
            })
            .collect();
        risk += weight * if drive.measures.is_complete() { risk::of_lap(&moments, frame_s) } else { 1.0 };
        reaches.extend(timed.iter().zip(&moments).map(|(row, moment)| {
            let (_, heading_rad) = reference.at(row.s_m);
            let (sin, cos) = math::sin_cos(row.heading_rad - heading_rad);
            let half = half_m[0] * sin.abs() + half_m[1] * cos.abs();
            let sides_m = [half + row.cross_track_error_m, half - row.cross_track_error_m];
            Reach { s_m: row.s_m, sides_m, deviation_m: moment.deviation_m }
        }));
    }
    Ok(Strays { risk, reaches })
}

/// The deviations of the closed loop along the line.
fn deviations_of(
    line: &RacingLine,
    vehicle: &Vehicle,
    drive: &DriveOptions,
    noise: &Noise,
) -> Result<Vec<Deviation>, DriveError> {
    let loaded = driver::Loaded::new(line, vehicle)?;
    let options = driver::follower_options(&loaded, drive, false)?;
    let &Noise { position_m, correlation_s, side_mps2, side_correlation_s, .. } = noise;
    let noise = DeviationNoise { position_m, correlation_s, side_mps2, side_correlation_s };
    Ok(deviations(&loaded.path, &options, &loaded.geometry, &noise, drive.frame_rate_hz.recip()))
}

/// The deviation nearest to a distance along the line; `None` where there is none.
fn at(deviations: &[Deviation], s_m: f64) -> Option<&Deviation> {
    let after = deviations.partition_point(|deviation| deviation.s_m <= s_m);
    deviations.get(after.saturating_sub(1))
}

/// Standard deviation of the offset of the body's end that strays farther, m.
fn of_body(deviation: Option<&Deviation>, half_length_m: f64) -> f64 {
    deviation
        .map_or(0.0, |deviation| deviation.offset_ahead_m(half_length_m).max(deviation.offset_ahead_m(-half_length_m)))
}
