//! Many drives of a line, each with errors of its own: how often does the vehicle stay on the road?

use rayon::prelude::*;

use super::drives::{Drive, drive_as};
use super::noise::{DrawnNoise, Noise};
use super::{DriveError, DriveOptions, Simulation};
use crate::file::RacingLine;
use crate::vehicle::{GRIP, Vehicle};

/// Standard normal quantile of a two-sided interval of 95 %.
const QUANTILE_95: f64 = 1.96;
/// Number of drives between two looks at whether more are needed. Fewer end sooner, and leave cores without work.
const DRIVES_AT_ONCE: u32 = 16;

/// A timed lap of a drive with errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoisyLap {
    /// Number of the drive, from 0.
    pub drive: u32,
    /// Factor of the tyres' grip in this drive.
    pub grip: f64,
    /// Delay of this drive's commands beside the known one, s.
    pub delay_s: f64,
    /// Lap time, s; `None` for a lap that was not completed.
    pub lap_time_s: Option<f64>,
    /// Smallest distance of the body's outermost corner from the road's edge, m; negative off the road.
    pub min_room_m: f64,
    /// Position of that place along the line, m.
    pub min_room_at_m: f64,
}

impl NoisyLap {
    /// A lap that was not begun.
    const UNKNOWN: Self =
        Self { drive: 0, grip: 1.0, delay_s: 0.0, lap_time_s: None, min_room_m: f64::NEG_INFINITY, min_room_at_m: 0.0 };

    /// Whether the lap was completed with the whole body on the road.
    #[must_use]
    pub fn stayed_on_road(&self) -> bool {
        self.lap_time_s.is_some() && self.min_room_m >= 0.0
    }
}

/// The timed laps of many drives with errors.
#[derive(Clone, Debug, PartialEq)]
pub struct NoisyDrives {
    /// The laps, in the order of the drives; those that were not completed too.
    pub laps: Vec<NoisyLap>,
}

impl NoisyDrives {
    /// Number of laps that were completed on the road. A drive is given up 3 m off the road; laps that it had not
    /// begun by then do not count.
    #[must_use]
    pub fn on_road(&self) -> usize {
        self.laps.iter().filter(|lap| lap.stayed_on_road()).count()
    }

    /// The fraction of the laps that were completed on the road, 0 to 1.
    #[must_use]
    pub fn on_road_fraction(&self) -> f64 {
        self.on_road() as f64 / self.laps.len().max(1) as f64
    }

    /// The range in which the probability of such a lap lies with 95 %, as if each lap were drawn by
    /// itself (E. B. Wilson, *Probable inference, the law of succession, and statistical inference*,
    /// Journal of the American Statistical Association 22, 1927, equation 1).
    #[must_use]
    pub fn on_road_range(&self) -> [f64; 2] {
        let (n, p) = (self.laps.len().max(1) as f64, self.on_road_fraction());
        let z2 = QUANTILE_95 * QUANTILE_95 / n;
        let middle = p + 0.5 * z2;
        let half = (z2 * (p * (1.0 - p) + 0.25 * z2)).sqrt();
        [(middle - half) / (1.0 + z2), (middle + half) / (1.0 + z2)].map(|end| end.clamp(0.0, 1.0))
    }

    /// Mean of the completed laps, s.
    #[must_use]
    pub fn mean_lap_s(&self) -> Option<f64> {
        let times: Vec<f64> = self.laps.iter().filter_map(|lap| lap.lap_time_s).collect();
        (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64)
    }

    /// The lap that came nearest to an edge or went farthest beyond it.
    #[must_use]
    pub fn worst(&self) -> Option<&NoisyLap> {
        self.laps.iter().min_by(|a, b| a.min_room_m.total_cmp(&b.min_room_m))
    }
}

/// Drives `line` once with errors drawn from `noise`: those of the drive `number` of `seed`.
///
/// # Errors
/// Those of [`drive_in()`](super::drive_in()); [`DriveError::Option`] for noise out of its range.
pub fn drive_once_with_noise(
    line: &RacingLine,
    vehicle: &Vehicle,
    options: &DriveOptions,
    simulation: &Simulation<'_>,
    (noise, number, seed): (&Noise, u32, u64),
) -> Result<Drive, DriveError> {
    noise.validate()?;
    driven(line, vehicle, options, simulation, DrawnNoise::new(*noise, seed, u64::from(number)))
}

/// Drives `line` `drives` times, each time with errors drawn from `noise`: the drive of the number k
/// has those of `seed` and k, whatever the number of drives and threads.
///
/// # Errors
/// See [`drive_once_with_noise`].
pub fn drive_with_noise(
    line: &RacingLine,
    vehicle: &Vehicle,
    options: &DriveOptions,
    simulation: &Simulation<'_>,
    (noise, drives, seed): (&Noise, u32, u64),
) -> Result<NoisyDrives, DriveError> {
    let drawn = |number| DrawnNoise::new(*noise, seed, number);
    noisy_laps(line, vehicle, options, simulation, (noise, drives, &drawn))
}

/// Drives `line` with another grip and a longer delay than the follower knows, and no other errors.
pub(crate) fn drive_with_grip_and_delay(
    line: &RacingLine,
    vehicle: &Vehicle,
    options: &DriveOptions,
    (grip, delay_s): (f64, f64),
) -> Result<Drive, DriveError> {
    let drawn = DrawnNoise::new(Noise::default(), 0, 0).with_grip_and_delay(grip, delay_s);
    driven(line, vehicle, options, &Simulation::default(), drawn)
}

/// The probability of leaving the road in a lap, from at most `drives` drives with errors drawn from `noise`. The
/// drives begin at the lowest grip and end as soon as the probability is above `limit`, whatever the others do: the
/// value is then a lower bound.
///
/// Slides are rare and occur at the lowest grips: of the grips drawn, the place x from 0 to 1 is that of u³ for u
/// evenly spaced, so that half of the drives have less than an eighth of the range, and each stands for the part
/// dx / du = 3 u² of all drives (importance sampling and stratification: A. B. Owen, *Monte Carlo theory, methods and
/// examples*, 2013, sections 8.4 and 9.1).
///
/// # Errors
/// See [`drive_once_with_noise`].
pub(crate) fn risk_of_lap(
    line: &RacingLine,
    vehicle: &Vehicle,
    options: &DriveOptions,
    (noise, drives, seed): (&Noise, u32, u64),
    limit: f64,
) -> Result<f64, DriveError> {
    noise.validate()?;
    let total = f64::from(drives.max(1));
    let has_grips = noise.grip_fraction > 0.0;
    let is_lost = |number: u32| -> Result<f64, DriveError> {
        let drawn = DrawnNoise::new(*noise, seed, u64::from(number));
        let delay_s = drawn.delay_s;
        let (place, weight) = if has_grips { low_place(number, drives) } else { (0.5, 1.0) };
        let grip = 1.0 + noise.grip_fraction * (2.0 * place - 1.0);
        let unknown = NoisyLap { drive: number, grip, delay_s, ..NoisyLap::UNKNOWN };
        let drive = driven(line, vehicle, options, &Simulation::default(), drawn.with_grip_and_delay(grip, delay_s))?;
        let stayed = laps_of(&drive, options.laps, unknown).iter().all(NoisyLap::stayed_on_road);
        Ok(if stayed { 0.0 } else { weight })
    };
    let mut sum = 0.0;
    // Parts of one size, so that the number of threads does not change where the drives end.
    for from in (0..drives).step_by(DRIVES_AT_ONCE as usize) {
        let lost: Result<Vec<f64>, DriveError> =
            (from..drives.min(from + DRIVES_AT_ONCE)).into_par_iter().map(is_lost).collect();
        sum += lost?.iter().sum::<f64>();
        if sum / total > limit {
            break;
        }
    }
    Ok((sum / total).min(1.0))
}

/// Place of the grip of a drive of [`risk_of_lap`] between the lowest and the highest, 0 to 1, and how many drives it
/// stands for, on the mean 1.
fn low_place(number: u32, drives: u32) -> (f64, f64) {
    let u = (f64::from(number) + 0.5) / f64::from(drives);
    (u * u * u, 3.0 * u * u)
}

/// The laps of drives with the errors that `drawn` gives for the number of each.
fn noisy_laps(
    line: &RacingLine,
    vehicle: &Vehicle,
    options: &DriveOptions,
    simulation: &Simulation<'_>,
    (noise, drives, drawn): (&Noise, u32, &(dyn Fn(u64) -> DrawnNoise + Sync)),
) -> Result<NoisyDrives, DriveError> {
    noise.validate()?;
    let drive = |number: u32| {
        let drawn = drawn(u64::from(number));
        let unknown = NoisyLap { drive: number, grip: drawn.grip, delay_s: drawn.delay_s, ..NoisyLap::UNKNOWN };
        Ok(laps_of(&driven(line, vehicle, options, simulation, drawn)?, options.laps, unknown))
    };
    let laps: Result<Vec<Vec<NoisyLap>>, DriveError> = (0..drives).into_par_iter().map(drive).collect();
    Ok(NoisyDrives { laps: laps?.concat() })
}

/// A drive with these errors.
fn driven(
    line: &RacingLine,
    vehicle: &Vehicle,
    options: &DriveOptions,
    simulation: &Simulation<'_>,
    drawn: DrawnNoise,
) -> Result<Drive, DriveError> {
    let true_vehicle = vehicle.with_parameters(&[(GRIP, drawn.grip)])?;
    let true_options = DriveOptions { actuation_delay_s: options.actuation_delay_s + drawn.delay_s, ..*options };
    drive_as(line, (vehicle, options), (&true_vehicle, &true_options), simulation, Some(drawn))
}

/// The timed laps of a drive that were begun, or the first one; `unknown` has what they have in common.
fn laps_of(driven: &Drive, laps: u32, unknown: NoisyLap) -> Vec<NoisyLap> {
    let begun = driven.trace.last().map_or(1, |row| row.lap).clamp(1, laps);
    let lap = |lap: u32| {
        let rows = driven.trace.iter().filter(|row| row.lap == lap);
        let nearest = rows.min_by(|a, b| a.room_m.total_cmp(&b.room_m));
        NoisyLap {
            lap_time_s: driven.measures.lap_times_s.get(lap as usize - 1).copied(),
            min_room_m: nearest.map_or(f64::NEG_INFINITY, |row| row.room_m),
            min_room_at_m: nearest.map_or(0.0, |row| row.s_m),
            ..unknown
        }
    };
    (1..=begun).map(lap).collect()
}

#[cfg(test)]
mod tests {
    use super::{NoisyDrives, NoisyLap, low_place};

    fn drives(on_road: usize, laps: usize) -> NoisyDrives {
        let lap = |k: usize| NoisyLap {
            drive: k as u32,
            grip: 1.0,
            delay_s: 0.0,
            lap_time_s: Some(60.0),
            min_room_m: if k < on_road { 0.1 } else { -0.1 },
            min_room_at_m: 0.0,
        };
        NoisyDrives { laps: (0..laps).map(lap).collect() }
    }

    #[test]
    fn the_range_is_that_of_wilson() {
        let near = |[low, high]: [f64; 2], expected: [f64; 2]| {
            assert!((low - expected[0]).abs() < 1e-4 && (high - expected[1]).abs() < 1e-4, "{low} {high}");
        };
        // p = 1/2 of 100: (0.5 ± z / √n √(1/4 + z²/4n)) / (1 + z²/n) about 1/2.
        near(drives(50, 100).on_road_range(), [0.4038, 0.5962]);
        // No failure in n laps: the lower end is 1 / (1 + z²/n).
        near(drives(1000, 1000).on_road_range(), [1.0 / 1.003_841_6, 1.0]);
    }

    #[test]
    fn grips_drawn_more_often_where_they_are_low_stand_for_all() {
        let places: Vec<(f64, f64)> = (0..400).map(|number| low_place(number, 400)).collect();
        for below in [0.05, 0.25, 0.8, 1.0] {
            let part: f64 = places.iter().filter(|(place, _)| *place < below).map(|(_, weight)| weight / 400.0).sum();
            assert!((part - below).abs() < 0.01, "{part} for {below}");
        }
        assert_eq!(places.iter().filter(|(place, _)| *place < 0.125).count(), 200);
    }

    #[test]
    fn a_lap_that_was_not_completed_did_not_stay_on_the_road() {
        let mut drives = drives(10, 10);
        drives.laps[3].lap_time_s = None;
        assert_eq!((drives.on_road(), drives.on_road_fraction()), (9, 0.9));
        assert_eq!(drives.mean_lap_s(), Some(60.0));
    }
}
