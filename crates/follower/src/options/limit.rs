//! Options of the control at the limit of grip.

use super::SpeedControlOptions;
use super::table::options;
use raceline_numerics::math;

options! {
    /// Steering and pedal for cars at the limit of grip on a path with a speed profile; in place of
    /// [`super::SteeringOptions`] and most of [`super::SpeedControlOptions`] where it is on, the path
    /// has a profile and the vehicle is near the path.
    ///
    /// Times, rates and gains per time or length are those of a wheelbase of 2.5 m or more. For a shorter
    /// one, lengths shrink with the wheelbase and times with its root, since accelerations are alike (as
    /// Froude's number has it).
    LimitOptions, "limit." {
        /// Whether it is on; for racing it is.
        enabled: bool = false, [switch];
        /// Steering angle per angle between the course and the path.
        heading_gain: f64 = 1.4, [from 0.01 to 10];
        /// Upper limit of the rate at which that turns the vehicle back, `gain · speed / wheelbase`. It
        /// lowers the gain of short vehicles.
        heading_rate_radps: f64 = 25.0, [from 0.1 to 200], "rad/s";
        /// Time in which the vehicle aims to be back on the path: an offset e counts as an angle of
        /// `e / (return_s · speed)`. The value is for wheels that turn at 0.4 rad/s and is less for
        /// faster ones, down to 0.4 of it, and for a vehicle that is short as well.
        return_s: f64 = 0.7, [from 0.05 to 10], "s";
        /// Steering angle per shortfall of the yaw rate.
        yaw_damping_s: f64 = 0.12, [from 0 to 2], "s";
        /// Preview time of the steering.
        preview_s: f64 = 0.1, [from 0 to 1], "s";
        /// Largest slip angle of the front wheels in slip angles of the tyres' peak.
        max_slip: f64 = 1.1, [from 0.5 to 3];
        /// Acceleration per missing speed.
        speed_gain: f64 = 3.0, [from 0 to 50], "1/s";
        /// Preview time of the profile.
        speed_preview_s: f64 = 0.02, [from 0 to 1], "s";
        /// Fraction of the measured sideslip, rather than that of the steady turn, in the course that is
        /// fed back.
        course_fraction: f64 = 0.3, [from 0 to 1];
        /// Fraction of the braking limit with which braking is planned.
        braking_fraction: f64 = 0.8, [from 0.1 to 1];
        /// Largest brake pedal.
        full_brake_fraction: f64 = 1.0, [from 0.1 to 1];
        /// Slip of the rear tyres, in slip angles of their peak, up to which they take the pedal that
        /// cornering leaves.
        slide_full: f64 = 0.55, [from 0 to 5];
        /// The slip from which they take none, above `slide_full`. More suits tyres that give nearly as
        /// much beyond their peak.
        slide_none: f64 = 0.95, [above slide_full to 10];
        /// Whether the full brake pedal brakes as hard as the tyres can at each speed, as anti-lock
        /// brakes do, rather than with `speed_control.full_brake_mps2`; it does for a vehicle whose
        /// limits are known.
        brakes_at_limit: bool = false, [switch];
        /// Time of the pedal from nothing to full braking for a wheelbase of 2.5 m. It grows with the
        /// root of the wheelbase. A jump of the pedal shifts the load at once and upsets a car at its
        /// limit.
        pedal_s: f64 = 0.16, [from 0.001 to 2], "s";
        /// Rate at which the slip of the rear tyres in bends is learned as a multiple of the expected
        /// one.
        slip_learning: f64 = 1.0, [from 0 to 20], "1/s";
        /// Rate at which it is learned how much less the brakes give in bends than the ellipse leaves. 0
        /// leaves it at what the inner wheels lose of their load.
        brake_learning: f64 = 2.0, [from 0 to 20], "1/s";
        /// Known delay from a command to its effect. The vehicle's motion over it is predicted by
        /// the pending commands.
        delay_s: f64 = 0.0, [from 0 to 0.25], "s";
        /// Fraction by which the speed is lowered for each metre that the vehicle is off the path to the
        /// outside of a bend.
        slower_off_path: f64 = 0.05, [from 0 to 1], "1/m";
        /// Fraction by which steering and pedal follow the inputs that the path gives
        /// (`Path::with_inputs`) in place of this control's own plan.
        inputs_fraction: f64 = 1.0, [from 0 to 1];
    }
}

/// The wheelbase, m, and the steering rate, rad/s, that the options are for: shorter vehicles have
/// shorter times and distances, with a larger wheelbase here even more so.
pub(crate) const WHEELBASE_M: f64 = 2.5;
const STEERING_RATE_RADPS: f64 = 0.4;
/// Smallest factor on the time of return for wheels that turn faster, 0 to 1. A smaller one returns
/// to the path sooner, until the car swings about it.
const FASTEST_RETURN: f64 = 0.4;
/// Exponent of the weaker of both reasons to return sooner, a short wheelbase and fast steering, 0 to 1.
/// With 0, three of 13 drives of robot cars on generated roads left the road, with 0.25 one, and karts
/// were as fast and 3 to 8 % nearer to the path. Above 0.5 robot cars swing about it.
const BOTH_EXPONENT: f64 = 0.25;

impl LimitOptions {
    /// What the full brake pedal gives, m/s², where the tyres give `tyres_mps2` along.
    pub(crate) fn full_brake_mps2(&self, control: &SpeedControlOptions, tyres_mps2: f64) -> f64 {
        if self.brakes_at_limit { tyres_mps2 } else { control.full_brake_mps2 }
    }

    pub(crate) fn for_racing() -> Self {
        Self { enabled: true, ..Self::default() }
    }

    /// The options for a vehicle of this wheelbase, m, and steering rate, rad/s.
    pub(crate) fn scaled(&self, wheelbase: f64, steering_rate: f64) -> Self {
        let length = (wheelbase / WHEELBASE_M).min(1.0);
        let time = length.sqrt();
        let agility = (STEERING_RATE_RADPS / steering_rate).sqrt().clamp(FASTEST_RETURN, 1.0);
        Self {
            heading_rate_radps: self.heading_rate_radps / time,
            return_s: self.return_s * time.min(agility) * math::powf(time.max(agility), BOTH_EXPONENT),
            yaw_damping_s: self.yaw_damping_s * time,
            preview_s: self.preview_s * time,
            speed_gain: self.speed_gain / time,
            speed_preview_s: self.speed_preview_s * time,
            slower_off_path: self.slower_off_path / length,
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LimitOptions, STEERING_RATE_RADPS, WHEELBASE_M};

    #[test]
    fn short_vehicles_and_fast_steering_return_sooner_and_both_more_so() {
        let options = LimitOptions::default();
        let factor =
            |wheelbase: f64, steering_rate: f64| options.scaled(wheelbase, steering_rate).return_s / options.return_s;
        let near = |value: f64, expected: f64| assert!((value - expected).abs() < 1e-12, "{value} {expected}");
        near(factor(WHEELBASE_M, STEERING_RATE_RADPS), 1.0);
        // A quarter of the length: half the time. Four times the rate: half of it as well.
        near(factor(WHEELBASE_M / 4.0, STEERING_RATE_RADPS), 0.5);
        near(factor(WHEELBASE_M, 4.0 * STEERING_RATE_RADPS), 0.5);
        near(factor(WHEELBASE_M / 4.0, 4.0 * STEERING_RATE_RADPS), 0.5 * 0.5_f64.powf(0.25));
    }
}
