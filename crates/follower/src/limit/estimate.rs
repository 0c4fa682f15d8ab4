//! Where the vehicle is relative to its path, from what is measured of it.
//!
//! A measured heading that is wrong for long leads beside the path: with 1° at 50 m/s, by a third of a metre. The
//! offset e and the heading θ relative to the path, of curvature κ, are those of an observer of the measured offset
//! e_m, speed v, yaw rate r and course θ + β, with the sideslip β:
//!
//! ```text
//! e' = v sin(θ + β) + 2 Λ (e_m - e)          θ' = r - κ v / (1 - κ e) + Λ²/v (e_m - e)       (1)
//! ```
//!
//! (Luenberger, *Observing the state of a linear system*, IEEE Transactions on Military Electronics 8, 1964.) Both
//! errors fade as (1 + Λ t) e^(-Λ t). The measured heading counts where the estimate begins, and no longer after.

use super::motion::Motion;
use raceline_numerics::math;

/// The offset and the heading of a vehicle relative to its path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Estimate {
    offset: f64,
    heading: f64,
}

/// Λ of equation (1), rad/s. A larger one follows a measured position sooner, with its jumps; a smaller one believes
/// longer what was wrong.
pub(super) const TRUST_RADPS: f64 = 2.0;
/// Distance from the estimate, m, beyond which a measurement is one of another place or path.
const OTHER_PLACE_M: f64 = 1.0;
/// Smallest fraction of a bend's radius that a path beside its path may have: beyond, it is no path.
const MIN_RADIUS_LEFT: f64 = 0.2;

impl Estimate {
    /// The estimate that follows `before` by `dt`, from the motion `now` relative to a path of `curvature`.
    pub(super) fn after(before: Option<Self>, now: &Motion, curvature: f64, dt: f64) -> Self {
        let measured = Self { offset: now.offset, heading: now.heading };
        let Some(Self { offset, heading }) = before else { return measured };
        let moving = now.speed.max(1.0);
        // Equation (1).
        let course = heading + math::atan2(now.across, moving);
        let left = (1.0 - curvature * offset).max(MIN_RADIUS_LEFT);
        let offset = offset + now.speed * math::sin(course) * dt;
        let heading = heading + (now.yaw_rate - curvature * now.speed / left) * dt;
        let missing = measured.offset - offset;
        if missing.abs() > OTHER_PLACE_M {
            return measured;
        }
        Self {
            offset: offset + 2.0 * TRUST_RADPS * dt * missing,
            heading: heading + TRUST_RADPS * TRUST_RADPS * dt / moving * missing,
        }
    }

    /// `now` with the offset and the heading of the estimate.
    pub(super) fn applied(self, now: Motion) -> Motion {
        Motion { offset: self.offset, heading: self.heading, ..now }
    }
}

#[cfg(test)]
mod tests {
    use super::{Estimate, Motion};

    const STILL: Motion = Motion { advance: 0.0, offset: 0.0, heading: 0.0, speed: 20.0, across: 0.0, yaw_rate: 0.0 };

    /// On a straight at a measured heading of 2° that is 0: the estimate's error fades as (1 + Λ t) e^(-Λ t) with Λ = 2
    /// rad/s, by the double root of equation (3), and what is measured of the heading no longer counts.
    #[test]
    fn a_heading_that_is_measured_wrong_is_found_out() {
        let (measured, dt) = (Motion { heading: 0.035, ..STILL }, 1e-3);
        let mut estimate = Estimate::after(None, &measured, 0.0, dt);
        assert_eq!(estimate.applied(measured), measured);
        for step in 1..=3000 {
            estimate = Estimate::after(Some(estimate), &measured, 0.0, dt);
            let t = 2.0 * f64::from(step) * dt;
            let expected = 0.035 * (1.0 + t) * (-t).exp();
            assert!((estimate.heading - expected).abs() < 2e-4, "{step}: {} {expected}", estimate.heading);
        }
    }

    #[test]
    fn another_place_is_believed_at_once() {
        let estimate = Estimate::after(None, &STILL, 0.0, 0.01);
        let elsewhere = Motion { offset: 1.5, heading: 0.1, ..STILL };
        assert_eq!(Estimate::after(Some(estimate), &elsewhere, 0.0, 0.01).applied(elsewhere), elsewhere);
        let near = Motion { offset: 0.5, ..elsewhere };
        assert!(Estimate::after(Some(estimate), &near, 0.0, 0.01).offset < 0.1);
    }

    /// A steady circle 2 m inside of a path of 50 m: no error arises from the smaller radius.
    #[test]
    fn beside_a_bend_the_radius_is_another() {
        let inside = Motion { offset: 2.0, yaw_rate: 20.0 / 48.0, ..STILL };
        let mut estimate = Estimate::after(None, &inside, 0.02, 0.01);
        for _ in 0..500 {
            estimate = Estimate::after(Some(estimate), &inside, 0.02, 0.01);
        }
        assert!((estimate.offset - 2.0).abs() < 1e-9 && estimate.heading.abs() < 1e-9, "{estimate:?}");
    }
}
