//! Drag and rolling resistance, by what the car does where the pedals are known.
//!
//! On straights the acceleration is a sum over the throttle p and the brake b,
//!
//! ```text
//! a = p F(v) - B(b) - b B_w v² - c_d v² / m - c_r g
//! ```
//!
//! with F linear between speeds and B linear between pedal positions. Samples with no pedal pressed
//! show the resistance alone. Racing drivers hardly coast, but the moments in which they change
//! pedals show it too, as far as the drive is proportional to the throttle.

use serde::Serialize;

use super::regression::{Fit, Rows};
use super::samples::{Sample, Samples, UP};
use super::statistics::quantile;
use super::telemetry::Telemetry;
use raceline_car::Vehicle;

/// Lateral acceleration up to this fraction of the greatest is a straight.
const STRAIGHT: f64 = 0.2;
/// Slower samples start from rest, with clutch and wheel spin, m/s.
const MIN_SPEED_MPS: f64 = 3.0;
/// Speeds at which the drive's force is fitted.
const DRIVE_KNOTS: usize = 10;
/// Pedal positions at which the brakes' force is fitted.
const BRAKE_KNOTS: usize = 4;
/// A pedal is down above this position, 0 to 1; up is below [`UP`].
pub(super) const DOWN: f64 = 0.97;
/// Maximum number of samples of a regression.
const MAX_ROWS: usize = 20_000;
/// Samples without pedals from which they are believed alone.
const COASTING: usize = 150;
/// Resistance that is known this well at the greatest speed is accepted, m/s².
const CERTAIN_MPS2: f64 = 0.25;
/// Residuals of more than this are alike, m/s².
const MAX_MISFIT_MPS2: f64 = 2.0;
/// Longest delay from a pedal to its effect that is looked for, s.
const LONGEST_LAG_S: f64 = 0.3;

/// How the resistance was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ResistanceSource {
    /// From samples without a pedal.
    Coasting,
    /// From all positions of the pedals, with a drive proportional to the throttle.
    Pedals,
    /// Not found: that of the base vehicle.
    Base,
}

impl ResistanceSource {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Coasting => "coasting",
            Self::Pedals => "pedals",
            Self::Base => "base",
        }
    }
}

/// What follows from the pedals.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PedalFit {
    /// c_d / m with its standard error, 1/m.
    pub drag_over_mass: [f64; 2],
    /// c_r g with its standard error, m/s².
    pub rolling_mps2: [f64; 2],
    pub source: ResistanceSource,
    pub samples: usize,
    /// The drive's acceleration at these speeds at full throttle, m/s².
    pub drive: Vec<[f64; 2]>,
    /// The brakes' deceleration at the full pedal and its growth by v², extrapolated where
    /// `max_brake` is less than 1; standard error of the first.
    pub brake: [f64; 2],
    pub brake_error: f64,
    /// The furthest that the brake pedal went.
    pub max_brake: f64,
}

/// The delay from the pedals to their effect with the smallest residuals, s. Held commands that act
/// from a sample on have 0, samples of moving pedals half a step less.
pub(super) fn pedal_lag_s(telemetry: &Telemetry, base: &Vehicle) -> f64 {
    let step_s = telemetry.runs.first().map_or(0.0, super::telemetry::Run::step_s);
    let has_pedals = telemetry.runs.iter().all(|run| run.throttle.is_some() && run.brake.is_some());
    if !has_pedals {
        return 0.0;
    }
    let mut best = (f64::INFINITY, 0.0);
    for halves in [0, -1, 1, 2, 3, 4, 6, 8, 12, 16, 24] {
        let lag_s = 0.5 * f64::from(halves) * step_s;
        if lag_s > LONGEST_LAG_S {
            break;
        }
        let samples = Samples::of(telemetry, base, lag_s);
        let fit = regression(&samples, &straight(&samples)).0.fit(samples.noise_along, MAX_MISFIT_MPS2);
        // Only a clear gain is a reason for another delay.
        if let Some(fit) = fit
            && fit.misfit < best.0 * (1.0 - 1e-3)
        {
            best = (fit.misfit, lag_s);
        }
    }
    best.1
}

/// The samples on straights.
fn straight(samples: &Samples) -> Vec<Sample> {
    let mut across: Vec<f64> = samples.all.iter().map(|sample| sample.across).collect();
    let max = STRAIGHT * quantile(&mut across, 0.99);
    let fits = |sample: &&Sample| sample.across <= max && sample.speed >= MIN_SPEED_MPS && !sample.shifts;
    let chosen: Vec<Sample> = samples.all.iter().filter(fits).copied().collect();
    let every = chosen.len().div_ceil(MAX_ROWS).max(1);
    chosen.into_iter().step_by(every).collect()
}

/// The regression over `chosen`, and the speeds of the drive's knots.
fn regression(samples: &Samples, chosen: &[Sample]) -> (Rows, Vec<f64>) {
    let fastest = samples.all.iter().map(|sample| sample.speed).fold(0.0, f64::max);
    let step = (fastest / (DRIVE_KNOTS - 1) as f64).max(0.1);
    let knots: Vec<f64> = (0..DRIVE_KNOTS).map(|i| i as f64 * step).collect();
    let mut rows = Rows::new(DRIVE_KNOTS + BRAKE_KNOTS + 3);
    for sample in chosen {
        let mut x = [0.0; DRIVE_KNOTS + BRAKE_KNOTS + 3];
        let (throttle, brake) = (sample.throttle.clamp(0.0, 1.0), sample.brake.clamp(0.0, 1.0));
        let w = sample.speed * sample.speed;
        let place = (sample.speed / step).clamp(0.0, (DRIVE_KNOTS - 1) as f64);
        let left = (place as usize).min(DRIVE_KNOTS - 2);
        let fraction = place - left as f64;
        x[left] = throttle * (1.0 - fraction);
        x[left + 1] = throttle * fraction;
        let place = brake * BRAKE_KNOTS as f64;
        let left = (place as usize).min(BRAKE_KNOTS - 1);
        let fraction = place - left as f64;
        if left > 0 {
            x[DRIVE_KNOTS + left - 1] = fraction - 1.0;
        }
        x[DRIVE_KNOTS + left] = -fraction;
        let rest = DRIVE_KNOTS + BRAKE_KNOTS;
        (x[rest], x[rest + 1], x[rest + 2]) = (-brake * w, -w, -1.0);
        rows.push(sample.clock_s, &x, sample.along);
    }
    (rows, knots)
}

/// What follows from the pedals; `None` where they are not known or were moved too little.
pub(super) fn pedal_fit(samples: &Samples) -> Option<PedalFit> {
    if !(samples.has_throttle && samples.has_brake) {
        return None;
    }
    let chosen = straight(samples);
    let is_coasting = |sample: &Sample| sample.throttle < UP && sample.brake < UP;
    let is_whole = |sample: &&Sample| sample.brake < UP && (sample.throttle < UP || sample.throttle > DOWN);
    let coasting = chosen.iter().filter(|sample| is_coasting(sample)).count();
    let fastest = chosen.iter().map(|sample| sample.speed).fold(0.0, f64::max);
    let max_brake = quantile(&mut samples.all.iter().map(|sample| sample.brake).collect::<Vec<_>>(), 0.999);
    let mut results = Vec::new();
    let (all, knots) = regression(samples, &chosen);
    let by_pedals = all.fit(samples.noise_along, MAX_MISFIT_MPS2);
    if coasting >= COASTING {
        let whole: Vec<Sample> = chosen.iter().filter(is_whole).copied().collect();
        let fit = regression(samples, &whole).0.fit(samples.noise_along, MAX_MISFIT_MPS2);
        results.extend(fit.map(|fit| (fit, ResistanceSource::Coasting, coasting)));
    }
    results.extend(by_pedals.clone().map(|fit| (fit, ResistanceSource::Pedals, all.len())));
    let rest = DRIVE_KNOTS + BRAKE_KNOTS;
    let is_certain = |fit: &Fit| {
        let (error, rolling_error) = (fit.standard_errors[rest + 1], fit.standard_errors[rest + 2]);
        let w = fastest * fastest;
        error * w < CERTAIN_MPS2 && rolling_error < CERTAIN_MPS2 && fit.values[rest + 1] > -3.0 * error
    };
    let (fit, source, count) = results.into_iter().find(|(fit, ..)| is_certain(fit))?;
    let by_pedals = by_pedals.unwrap_or_else(|| fit.clone());
    let (brake, brake_error) = full_brake(&by_pedals, max_brake);
    Some(PedalFit {
        drag_over_mass: [fit.values[rest + 1].max(0.0), fit.standard_errors[rest + 1]],
        rolling_mps2: [fit.values[rest + 2].max(0.0), fit.standard_errors[rest + 2]],
        source,
        samples: count,
        drive: knots.iter().zip(&by_pedals.values).map(|(v, a)| [*v, a.max(0.0)]).collect(),
        brake,
        brake_error,
        max_brake,
    })
}

/// The brakes at the full pedal, in proportion from the furthest position that was used.
fn full_brake(fit: &Fit, max_brake: f64) -> ([f64; 2], f64) {
    let place = (max_brake * BRAKE_KNOTS as f64).clamp(0.0, BRAKE_KNOTS as f64);
    let at = |values: &[f64], knot: usize| if knot == 0 { 0.0 } else { values[DRIVE_KNOTS + knot - 1] };
    let left = (place as usize).min(BRAKE_KNOTS - 1);
    let fraction = place - left as f64;
    let mixed = |values: &[f64]| (1.0 - fraction) * at(values, left) + fraction * at(values, left + 1);
    let growth = fit.values[DRIVE_KNOTS + BRAKE_KNOTS];
    let scale = max_brake.max(1e-3).recip();
    ([scale * mixed(&fit.values), growth], scale * mixed(&fit.standard_errors))
}
