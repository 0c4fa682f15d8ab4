//! The time of changing gear, as a drive that is weaker above the speeds of the changes.
//!
//! A point mass has no gears. A change up at the speed u that costs the time t is spread over the
//! band of speeds from u to u + 2δ: with the acceleration a(v) on a straight, the changed one is
//!
//! ```text
//! 1 / a'(v) = 1 / a(v) + t h(v)        h(v) = cos²(π (v - u - δ) / 2δ) / δ
//! ```
//!
//! The band lies above u, so that the vehicle that changes gear at u is nowhere ahead of the point
//! mass: a driver who follows the speeds of the lap would lift the throttle there.
//!
//! Since the integral of h is 1, the time to accelerate through the band, ∫ dv / a, grows by t; and
//! since h and its slope vanish at the ends, the drive stays continuously differentiable. A vehicle
//! that uses a part of the band loses a part of the time, so that lap times change continuously.
//!
//! The drive has the form of a [`SpeedCurve`], parabolas in v, so it follows the formula between
//! knots only roughly; and where the tyres limit the acceleration, less drive costs less time. The
//! factor t of h is therefore the one with which the band costs the wanted time exactly, on a
//! straight, a level road and a grip of 1.

use std::f64::consts::FRAC_PI_2;

use super::SpeedCurve;
use raceline_numerics::math;

/// Half width of a band as a fraction of the speed of the change. A wider one makes the drive smoother, a narrower
/// one puts the loss where it occurs.
const HALF_WIDTH: f64 = 0.1;
/// Intervals between the knots of a band.
const INTERVALS: usize = 16;
/// Most of the speeds from the change to the vehicle's highest that a band covers.
const MOST_OF_REST: f64 = 0.5;
/// Accuracy of the time, as a fraction.
const TOLERANCE: f64 = 1e-9;
const MAX_ROUNDS: usize = 60;
/// Places and weights of the Gauss-Legendre rule of five points from 0 to 1.
const GAUSS: [[f64; 2]; 5] = [
    [0.046_910_077_030_668, 0.118_463_442_528_094_5],
    [0.230_765_344_947_158_5, 0.239_314_335_249_683_2],
    [0.5, 0.284_444_444_444_444_4],
    [0.769_234_655_052_841_5, 0.239_314_335_249_683_2],
    [0.953_089_922_969_332, 0.118_463_442_528_094_5],
];

/// What accelerates a vehicle on a straight.
#[derive(Clone, Copy)]
pub(super) struct Straight<'a> {
    /// Limit of the tyres while driving, m/s².
    pub tyres: &'a SpeedCurve,
    /// c_d / m, 1/m.
    pub drag_over_mass: f64,
    /// c_r g, m/s².
    pub rolling_mps2: f64,
    /// The highest speed, m/s.
    pub highest_mps: f64,
}

/// `drive` with changes of gear at `speeds`, m/s, which cost `seconds` each. Changes at speeds that
/// the vehicle does not reach cost nothing.
pub(super) fn slowed(drive: &SpeedCurve, straight: Straight, speeds: &[f64], seconds: f64) -> SpeedCurve {
    let mut drive = drive.clone();
    for (i, &speed) in speeds.iter().enumerate() {
        let to_next = speeds.get(i + 1).map_or(f64::INFINITY, |after| after - speed);
        let to_highest = MOST_OF_REST * (straight.highest_mps - speed);
        let half = (HALF_WIDTH * speed).min(0.5 * to_next).min(0.5 * to_highest);
        if half > 0.0 {
            let band = Band { straight, drive: &drive, middle: speed + half, half };
            drive = band.slowed(seconds).unwrap_or(drive);
        }
    }
    drive
}

/// The speeds above a change.
struct Band<'a> {
    straight: Straight<'a>,
    drive: &'a SpeedCurve,
    middle: f64,
    half: f64,
}

impl Band<'_> {
    /// The drive that costs `seconds` more; `None` where the vehicle cannot pass the band, or could not with it: parabolas
    /// between the knots miss a valley of the drive that is narrower than their distance.
    fn slowed(&self, seconds: f64) -> Option<SpeedCurve> {
        let before = self.time(self.drive);
        if !before.is_finite() {
            return None;
        }
        let excess = |factor: f64| {
            let lost = self.time(&self.with_factor(factor)) - before;
            lost.is_finite().then_some(lost - seconds)
        };
        // The cost grows with the factor: bracketed by doubling, then by the Illinois method.
        let (mut low, mut high) = ((0.0, -seconds), (seconds, excess(seconds)?));
        for _ in 0..MAX_ROUNDS {
            if high.1 >= 0.0 {
                break;
            }
            low = high;
            high = (2.0 * high.0, excess(2.0 * high.0)?);
        }
        let mut was_low = None;
        for _ in 0..MAX_ROUNDS {
            if high.1.abs() <= TOLERANCE * seconds {
                break;
            }
            let factor = low.0 - low.1 * (high.0 - low.0) / (high.1 - low.1);
            let value = excess(factor)?;
            if value.abs() <= TOLERANCE * seconds {
                return Some(self.with_factor(factor));
            }
            let is_low = value < 0.0;
            if is_low {
                low = (factor, value);
                high.1 *= if was_low == Some(true) { 0.5 } else { 1.0 };
            } else {
                high = (factor, value);
                low.1 *= if was_low == Some(false) { 0.5 } else { 1.0 };
            }
            was_low = Some(is_low);
        }
        Some(self.with_factor(high.0))
    }

    /// The speed of a knot, m/s.
    fn place(&self, knot: f64) -> f64 {
        self.middle + self.half * (2.0 * knot / INTERVALS as f64 - 1.0)
    }

    /// The drive with `factor` in place of t.
    fn with_factor(&self, factor: f64) -> SpeedCurve {
        let knot = |i: usize| {
            let v = self.place(i as f64);
            let (drive, resistance) = (self.drive.jet(v * v), self.resistance(v));
            let acceleration = drive.value - resistance;
            // Slopes with respect to v.
            let (drive_slope, resistance_slope) = (2.0 * v * drive.slope, 2.0 * v * self.straight.drag_over_mass);
            let angle = FRAC_PI_2 * (v - self.middle) / self.half;
            let (mut loss, mut loss_slope) = (
                factor * math::powi(math::cos(angle), 2) / self.half,
                -factor * FRAC_PI_2 * math::sin(2.0 * angle) / (self.half * self.half),
            );
            if i == 0 || i == INTERVALS {
                (loss, loss_slope) = (0.0, 0.0);
            }
            let rest = 1.0 + acceleration * loss;
            let slope = (drive_slope - resistance_slope - acceleration * acceleration * loss_slope) / (rest * rest);
            [v, resistance + acceleration / rest, resistance_slope + slope]
        };
        let knots: Vec<[f64; 3]> = (0..=INTERVALS).map(knot).collect();
        self.drive.through_knots(&knots)
    }

    /// The acceleration on a straight with `drive`, m/s².
    fn acceleration(&self, drive: &SpeedCurve, v: f64) -> f64 {
        drive.at(v * v).min(self.straight.tyres.at(v * v)) - self.resistance(v)
    }

    /// The deceleration by drag and rolling resistance, m/s².
    fn resistance(&self, v: f64) -> f64 {
        self.straight.rolling_mps2 + self.straight.drag_over_mass * v * v
    }

    /// The time through the band, s; infinite where it cannot be passed.
    fn time(&self, drive: &SpeedCurve) -> f64 {
        let step = self.half / INTERVALS as f64;
        let mut sum = 0.0;
        for i in 0..2 * INTERVALS {
            for [place, weight] in GAUSS {
                let acceleration = self.acceleration(drive, self.place(0.5 * (i as f64 + place)));
                if acceleration <= 0.0 {
                    return f64::INFINITY;
                }
                sum += weight * step / acceleration;
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests;
