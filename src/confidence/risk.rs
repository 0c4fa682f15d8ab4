//! The probability of leaving the road.
//!
//! Where the offset of a vehicle is a stationary normal process of the deviation σ, whose rate has the
//! deviation σ', it passes a level r above its mean at the rate
//!
//! ```text
//! ν = σ' / (2π σ) e^(-r² / 2σ²)                                                             (1)
//! ```
//!
//! (S. O. Rice, *Mathematical Analysis of Random Noise*, Bell System Technical Journal 24, 1945, section
//! 3.3.) Passages of a high level are rare and hardly depend on each other, so that in a lap
//!
//! ```text
//! P = 1 - e^(-∫ν dt)                                                                        (2)
//! ```
//!
//! and the mean over the cases of a drive, each with its weight, is the probability of leaving the road.

use raceline_numerics::math;
use std::f64::consts::TAU;

/// Deviation below which nothing strays, m.
const MIN_DEVIATION_M: f64 = 1e-9;

/// A moment of a drive: the room to the nearer edge, and how far the vehicle strays there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moment {
    /// Distance of the body from the nearer edge, m; negative off the road.
    pub room_m: f64,
    /// Standard deviation of the body's offset, m.
    pub deviation_m: f64,
    /// Standard deviation of the rate at which the offset changes, m/s.
    pub rate_mps: f64,
}

/// The probability of leaving the road in a lap of moments of `frame_s` each: equations (1) and (2).
pub(super) fn of_lap(moments: &[Moment], frame_s: f64) -> f64 {
    let mut passages = 0.0;
    for moment in moments {
        if moment.room_m < 0.0 {
            return 1.0;
        }
        if moment.deviation_m > MIN_DEVIATION_M {
            let level = moment.room_m / moment.deviation_m;
            passages += moment.rate_mps / (TAU * moment.deviation_m) * math::exp(-0.5 * level * level) * frame_s;
        }
    }
    -math::exp_m1(-passages)
}

/// The number of deviations of room that allows a probability of `allowed` where one of `deviations` had
/// `risk`: both fall as e^(-z²/2).
pub(super) fn deviations_for(deviations: f64, risk: f64, allowed: f64) -> f64 {
    (deviations * deviations + 2.0 * math::ln(risk / allowed)).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::{Moment, deviations_for, of_lap};

    const STILL: Moment = Moment { room_m: 0.3, deviation_m: 0.1, rate_mps: 0.2 };

    #[test]
    fn passages_of_a_level_are_those_of_rice() {
        // 100 s at 3 deviations: ν = 2 / 2π e^-4.5 a second.
        let expected: f64 = 100.0 * 2.0 / std::f64::consts::TAU * (-4.5_f64).exp();
        let found = of_lap(&[STILL; 5000], 0.02);
        assert!((found - (1.0 - (-expected).exp())).abs() < 1e-12, "{found}");
    }

    #[test]
    fn off_the_road_and_without_noise_the_answer_is_certain() {
        assert_eq!(of_lap(&[STILL, Moment { room_m: -0.01, ..STILL }], 0.02), 1.0);
        assert_eq!(of_lap(&[Moment { deviation_m: 0.0, ..STILL }; 10], 0.02), 0.0);
    }

    #[test]
    fn as_many_deviations_as_asked_give_the_allowed_risk() {
        let risk = |level: f64| of_lap(&[Moment { room_m: 0.1 * level, ..STILL }; 500], 0.02);
        let level = deviations_for(3.0, risk(3.0), 1e-4);
        assert!((risk(level) / 1e-4 - 1.0).abs() < 0.03, "{level} {}", risk(level));
    }
}
