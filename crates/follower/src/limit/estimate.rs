//! Where a vehicle is relative to its path, whatever its heading is measured to be.
//!
//! The offset e and the heading θ relative to the path, of curvature κ, are those of an observer of the measured offset
//! e_m, speed v, yaw rate r and course θ + β, with the sideslip β; the measured heading is only where it begins:
//!
//! ```text
//! e' = v sin(θ + β) + 2 Λ (e_m - e)          θ' = r - κ v + Λ²/v (e_m - e)                   (1)
//! ```
//!
//! (Luenberger, *Observing the state of a linear system*, 1964.) A heading that is measured 0.5° wrong would be followed
//! at a distance of 0.3 m, and one that jumps by 0.1° from frame to frame would ask a vehicle on two wheels for leans that
//! take all of their rate.

use super::motion::Motion;
use raceline_numerics::math;

/// Where the vehicle is relative to its path: its offset e and heading θ, by equation (1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Estimate {
    offset: f64,
    heading: f64,
}

/// Λ of equation (1), rad/s. A larger one follows a measured position sooner, with its jumps; a smaller one believes
/// longer what was wrong.
const TRUST_RADPS: f64 = 2.0;
/// Distance from the estimate, m, beyond which a measurement is one of another place or path.
const OTHER_PLACE_M: f64 = 1.0;

impl Estimate {
    /// The estimate that follows `before` by `dt`, from the motion `now` on a path of `curvature`.
    pub(super) fn after(before: Option<Self>, now: &Motion, curvature: f64, dt: f64) -> Self {
        let measured = Self { offset: now.offset, heading: now.heading };
        let Some(Self { offset, heading }) = before else { return measured };
        let moving = now.speed.max(1.0);
        // Equation (1).
        let course = heading + math::atan2(now.across, moving);
        let offset = offset + now.speed * math::sin(course) * dt;
        let heading = heading + (now.yaw_rate - curvature * now.speed) * dt;
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
    /// rad/s, by the double root of equation (1), and what is measured of the heading no longer counts.
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
}
