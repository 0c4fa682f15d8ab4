//! Where a vehicle is relative to its path, whatever its heading is measured to be.
//!
//! A measured heading that is wrong for long leads beside the path: with 1° at 50 m/s, by a third of a metre. One that jumps
//! by 0.1° from frame to frame asks a vehicle on two wheels for leans that take all of their rate. So the offset e and the
//! heading θ relative to the path, of curvature κ, are those of an observer of the measured offset e_m, velocities along the
//! body v and across it u, and yaw rate r:
//!
//! ```text
//! e' = v sin θ + u cos θ + 2 Λ (e_m - e)                                                     (1)
//! θ' = r - κ s' + Λ²/v (e_m - e)                                                             (2)
//! s' = (v cos θ - u sin θ) / (1 - κ e)                                                       (3)
//! ```
//!
//! (Luenberger, *Observing the state of a linear system*, IEEE Transactions on Military Electronics 8, 1964.) Both
//! errors fade as (1 + Λ t) e^(-Λ t). The measured heading counts where the estimate begins, and no longer after.
//! Equation (3) matters: a robot slides through a bend at an angle of 0.15 rad, and by v in the place of s' its bend would
//! be shorter by a hundredth, for which it would drive a tenth of a metre beside the path.

use super::motion::Motion;
use raceline_numerics::math;

/// Offset and heading of a vehicle relative to its path, with what the next estimate needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Estimate {
    /// The motion that was measured, with the offset and the heading of the estimate.
    motion: Motion,
    /// Rates of equations (1) and (2) without what is measured of the offset, m/s and rad/s.
    rates: [f64; 2],
    /// Angle of the path from the reference point to the centre of gravity, rad.
    bend: f64,
}

/// Λ of equation (1), rad/s. A larger one follows a measured position sooner, with its jumps; a smaller one believes
/// longer what was wrong.
pub(super) const TRUST_RADPS: f64 = 2.0;
/// Distance from the estimate, m, beyond which a measurement is one of another place or path.
const OTHER_PLACE_M: f64 = 1.0;
/// Smallest fraction of a bend's radius that a path beside its path may have: beyond, it is no path.
const MIN_RADIUS_LEFT: f64 = 0.2;

impl Estimate {
    /// The estimate that follows `before` by `dt`, from the measured motion `now` relative to a path of `curvature`.
    pub(super) fn after(before: Option<Self>, now: &Motion, curvature: f64, dt: f64) -> Self {
        let measured = Self::of(*now, curvature);
        let Some(before) = before else { return measured };
        // By the trapezoidal rule: what a frame of a robot adds to its rates is not little.
        let expected = |rates: [f64; 2]| Motion {
            offset: before.motion.offset + 0.5 * (before.rates[0] + rates[0]) * dt,
            heading: before.motion.heading + 0.5 * (before.rates[1] + rates[1]) * dt - (measured.bend - before.bend),
            ..*now
        };
        let mut motion = expected(before.rates);
        motion = expected(Self::of(motion, curvature).rates);
        let missing = now.offset - motion.offset;
        if missing.abs() > OTHER_PLACE_M {
            return measured;
        }
        motion.offset += 2.0 * TRUST_RADPS * dt * missing;
        motion.heading += TRUST_RADPS * TRUST_RADPS * dt / now.speed.max(1.0) * missing;
        Self::of(motion, curvature)
    }

    fn of(motion: Motion, curvature: f64) -> Self {
        let (sin, cos) = math::sin_cos(motion.heading);
        let left = (1.0 - curvature * motion.offset).max(MIN_RADIUS_LEFT);
        // Equation (3).
        let along = (motion.speed * cos - motion.across * sin) / left;
        Self {
            motion,
            rates: [motion.speed * sin + motion.across * cos, motion.yaw_rate - curvature * along],
            bend: curvature * motion.advance,
        }
    }

    /// The measured motion with the offset and the heading of the estimate.
    pub(super) fn motion(&self) -> Motion {
        self.motion
    }
}

#[cfg(test)]
mod tests {
    use super::{Estimate, Motion};

    const STILL: Motion = Motion { advance: 0.0, offset: 0.0, heading: 0.0, speed: 20.0, across: 0.0, yaw_rate: 0.0 };

    /// On a straight at a measured heading of 2° that is 0: the estimate's error fades as (1 + Λ t) e^(-Λ t) with Λ = 2
    /// rad/s, by the double root of equations (1) and (2), and what is measured of the heading no longer counts.
    #[test]
    fn a_heading_that_is_measured_wrong_is_found_out() {
        let (measured, dt) = (Motion { heading: 0.035, ..STILL }, 1e-3);
        let mut estimate = Estimate::after(None, &measured, 0.0, dt);
        assert_eq!(estimate.motion(), measured);
        for step in 1..=3000 {
            estimate = Estimate::after(Some(estimate), &measured, 0.0, dt);
            let t = 2.0 * f64::from(step) * dt;
            let expected = 0.035 * (1.0 + t) * (-t).exp();
            assert!((estimate.motion.heading - expected).abs() < 2e-4, "{step}: {estimate:?} {expected}");
        }
    }

    #[test]
    fn another_place_is_believed_at_once() {
        let estimate = Estimate::after(None, &STILL, 0.0, 0.01);
        let elsewhere = Motion { offset: 1.5, heading: 0.1, ..STILL };
        assert_eq!(Estimate::after(Some(estimate), &elsewhere, 0.0, 0.01).motion(), elsewhere);
        let near = Motion { offset: 0.5, ..elsewhere };
        assert!(Estimate::after(Some(estimate), &near, 0.0, 0.01).motion.offset < 0.1);
    }

    /// A steady circle 2 m inside of a path of 50 m, with a slide of 0.15 rad: no error arises.
    #[test]
    fn a_slide_through_a_bend_keeps_its_angle() {
        let slide = 0.15_f64;
        let inside = Motion {
            offset: 2.0,
            heading: -slide,
            speed: 20.0 * slide.cos(),
            across: 20.0 * slide.sin(),
            yaw_rate: 20.0 / 48.0,
            ..STILL
        };
        let mut estimate = Estimate::after(None, &inside, 0.02, 0.01);
        for _ in 0..500 {
            estimate = Estimate::after(Some(estimate), &inside, 0.02, 0.01);
        }
        let Motion { offset, heading, .. } = estimate.motion;
        assert!((offset - 2.0).abs() < 1e-9 && (heading + slide).abs() < 1e-9, "{estimate:?}");
    }

    /// The curvature grows by 0.001 in a metre. The centre of gravity is 1.5 m ahead of the reference point, and along the
    /// path there: the body turns by the curvature there.
    #[test]
    fn the_path_at_the_centre_of_gravity_counts() {
        let (dt, growth, advance) = (0.02, 1e-3, 1.5);
        let at = |step: u32| {
            let curvature = growth * 20.0 * dt * f64::from(step);
            (Motion { advance, yaw_rate: 20.0 * (curvature + growth * advance), ..STILL }, curvature)
        };
        let mut estimate = Estimate::after(None, &at(0).0, 0.0, dt);
        for step in 1..=100 {
            let (motion, curvature) = at(step);
            estimate = Estimate::after(Some(estimate), &motion, curvature, dt);
            assert!(estimate.motion.heading.abs() < 1e-12 && estimate.motion.offset.abs() < 1e-12, "{estimate:?}");
        }
    }
}
