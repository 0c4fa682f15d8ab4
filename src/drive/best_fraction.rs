//! The highest fraction of the profile's speed at which a line is driven cleanly.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::{Drive, DriveError, DriveOptions, Simulation, drive_in};
use crate::file::RacingLine;
use crate::solve::Progress;
use crate::vehicle::Vehicle;

/// Fractions are multiples of 1 / this: cleanness is not quite monotone, so finer ones mean little.
const PER_UNIT: i32 = 100;
/// Lowest and highest fraction, as multiples.
const FRACTIONS: (i32, i32) = (30, 110);
/// Number of fractions that are tried above the highest clean one.
const PROBES: i32 = 4;
/// Parts into which the search divides the range at a time, so that several drives run side by side.
const PARTS: i32 = 4;

/// The result of the search.
#[derive(Clone, Debug, PartialEq)]
pub struct BestFraction {
    /// The highest clean fraction. `None` where the lowest, 0.3, is not clean.
    pub speed_share: Option<f64>,
    /// The drive at that fraction, or at the lowest one.
    pub drive: Drive,
    /// The fractions that were tried, in ascending order, and whether each was clean.
    pub tried: Vec<(f64, bool)>,
}

/// Drives `line` at fractions from 0.3 to 1.1 in steps of 0.01: bisection, then the four fractions
/// above the result, again from the highest clean one of these. `progress` gets a stage for those
/// that are driven side by side.
///
/// # Errors
/// Those of [`drive_in()`].
pub fn best_fraction(
    line: &RacingLine,
    vehicle: &Vehicle,
    options: &DriveOptions,
    simulation: &Simulation<'_>,
    progress: &dyn Progress,
) -> Result<BestFraction, DriveError> {
    let at = |fraction: i32| {
        drive_in(line, vehicle, &DriveOptions { speed_share: in_units(fraction), ..*options }, simulation)
    };
    let mut tried = BTreeMap::new();
    // Side by side; those that were tried before are not driven again.
    let mut are_clean = |fractions: &[i32]| -> Result<Vec<bool>, DriveError> {
        let new: Vec<i32> = fractions.iter().filter(|fraction| !tried.contains_key(*fraction)).copied().collect();
        let named: Vec<String> = new.iter().map(|&fraction| format!("{:.2}", in_units(fraction))).collect();
        if !named.is_empty() {
            progress.stage(&format!("driven at {} of the speed", named.join(", ")));
        }
        let judge = |fraction: i32| Ok((fraction, at(fraction)?.measures.is_clean()));
        tried.extend(new.into_par_iter().map(judge).collect::<Result<Vec<_>, DriveError>>()?);
        Ok(fractions.iter().map(|fraction| tried.get(fraction) == Some(&true)).collect())
    };
    let (lowest, highest) = FRACTIONS;
    let mut best = are_clean(&[lowest])?[0].then_some(lowest);
    if let Some(clean) = &mut best {
        let mut unclean = highest + 1;
        while unclean - *clean > 1 {
            let gap = unclean - *clean;
            // Each part of the range is at least one step wide.
            let parts = gap.min(PARTS);
            let fractions: Vec<i32> = (1..parts).map(|k| *clean + k * gap / parts).collect();
            let judged = are_clean(&fractions)?;
            let first_unclean = judged.iter().position(|is_clean| !is_clean);
            if let Some(k) = first_unclean {
                unclean = fractions[k];
            }
            let last_clean = first_unclean.unwrap_or(fractions.len());
            if last_clean > 0 {
                *clean = fractions[last_clean - 1];
            }
        }
        loop {
            let above: Vec<i32> = (*clean + 1..=(*clean + PROBES).min(highest)).collect();
            let judged = are_clean(&above)?;
            match above.iter().zip(judged).rev().find(|(_, is_clean)| *is_clean) {
                Some((&fraction, _)) => *clean = fraction,
                None => break,
            }
        }
    }
    Ok(BestFraction {
        speed_share: best.map(in_units),
        drive: at(best.unwrap_or(lowest))?,
        tried: tried.into_iter().map(|(fraction, is_clean)| (in_units(fraction), is_clean)).collect(),
    })
}

fn in_units(fraction: i32) -> f64 {
    f64::from(fraction) / f64::from(PER_UNIT)
}
