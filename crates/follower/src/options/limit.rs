//! Options of the control at the limit of grip.

/// Steering and pedal for cars at the limit of grip on a path with a speed profile; in place of
/// [`super::SteeringOptions`] and most of [`super::SpeedControlOptions`] where it is on, the path
/// has a profile and the vehicle is near the path.
///
/// Times, rates and gains per time or length are those of a wheelbase of 2.5 m or more. For a shorter
/// one, lengths shrink with the wheelbase and times with its root, since accelerations are alike (as
/// Froude's number has it).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitOptions {
    /// Whether it is on; default false, for racing true.
    pub enabled: bool,
    /// Steering angle per angle between the course and the path, 0.01 to 10; default 1.4.
    pub heading_gain: f64,
    /// Upper limit of the rate at which that turns the vehicle back, `gain · speed / wheelbase`,
    /// rad/s, 0.1 to 200; default 25. It lowers the gain of short vehicles.
    pub heading_rate_radps: f64,
    /// Time in which the vehicle aims to be back on the path: an offset e counts as an angle of
    /// `e / (return_s · speed)`, s, 0.05 to 10; default 0.7 for wheels that turn at 0.4 rad/s, less for
    /// faster ones, down to 0.4 of it.
    pub return_s: f64,
    /// Steering angle per shortfall of the yaw rate, s, 0 to 2; default 0.12.
    pub yaw_damping_s: f64,
    /// Preview time of the steering, s, 0 to 1; default 0.1.
    pub preview_s: f64,
    /// Largest slip angle of the front wheels in slip angles of the tyres' peak, 0.5 to 3; default
    /// 1.1.
    pub max_slip: f64,
    /// Acceleration per missing speed, 1/s, 0 to 50; default 3.
    pub speed_gain: f64,
    /// Preview time of the profile, s, 0 to 1; default 0.02.
    pub speed_preview_s: f64,
    /// Fraction of the measured sideslip, rather than that of the steady turn, in the course that is
    /// fed back, 0 to 1; default 0.3.
    pub course_fraction: f64,
    /// Fraction of the braking limit with which braking is planned, 0.1 to 1; default 0.8.
    pub braking_fraction: f64,
    /// Greatest brake pedal, 0.1 to 1; default 1.
    pub full_brake_fraction: f64,
    /// Slip of the rear tyres, in slip angles of their peak, up to which they take the pedal that
    /// cornering leaves, 0 to 5; default 0.55.
    pub slide_full: f64,
    /// The slip from which they take none, above `slide_full`, at most 10; default 0.95. More suits
    /// tyres that give nearly as much beyond their peak.
    pub slide_none: f64,
    /// Whether the full brake pedal brakes as hard as the tyres can at each speed, as anti-lock
    /// brakes do, rather than with [`super::SpeedControlOptions::full_brake_mps2`]; default false,
    /// for a vehicle whose limits are known true.
    pub brakes_at_limit: bool,
    /// Time of the pedal from nothing to full braking for a wheelbase of 2.5 m, s, 0.001 to 2;
    /// default 0.16. It grows with the root of the wheelbase. A jump of the pedal shifts the load at
    /// once and upsets a car at its limit.
    pub pedal_s: f64,
    /// Rate at which the slip of the rear tyres in bends is learned as a multiple of the expected
    /// one, 1/s, 0 to 20; default 1.
    pub slip_learning: f64,
    /// Rate at which it is learned how much less the brakes give in bends than the ellipse leaves,
    /// 1/s, 0 to 20; default 2. 0 leaves it at what the inner wheels lose of their load.
    pub brake_learning: f64,
    /// Known delay from a command to its effect, s, 0 to 0.25; default 0. The vehicle's motion over
    /// it is predicted.
    pub delay_s: f64,
    /// Fraction by which the speed is lowered for each metre that the vehicle is off the path to the
    /// outside of a bend, 0 to 1; default 0.05.
    pub slower_off_path: f64,
    /// Fraction by which steering and pedal follow the inputs that the path
    /// gives ([`Path::with_inputs`](crate::Path::with_inputs)) in place of this control's own plan, 0 to 1;
    /// default 1.
    pub inputs_fraction: f64,
}

impl Default for LimitOptions {
    fn default() -> Self {
        Self {
            enabled: false,
            heading_gain: 1.4,
            heading_rate_radps: 25.0,
            return_s: 0.7,
            yaw_damping_s: 0.12,
            preview_s: 0.1,
            max_slip: 1.1,
            speed_gain: 3.0,
            speed_preview_s: 0.02,
            course_fraction: 0.3,
            braking_fraction: 0.8,
            full_brake_fraction: 1.0,
            slide_full: 0.55,
            slide_none: 0.95,
            brakes_at_limit: false,
            pedal_s: 0.16,
            slip_learning: 1.0,
            brake_learning: 2.0,
            delay_s: 0.0,
            slower_off_path: 0.05,
            inputs_fraction: 1.0,
        }
    }
}

/// The wheelbase, m, and the steering rate, rad/s, that the options are for.
const WHEELBASE_M: f64 = 2.5;
const STEERING_RATE_RADPS: f64 = 0.4;
/// A delay of 1 / this, s, halves the feedback.
pub(crate) const DELAY_SENSITIVITY: f64 = 12.0;
/// A delay weakens the feedback of a shorter vehicle more, since it turns sooner; of a vehicle below
/// this fraction of the wheelbase no more than of one of it.
const SHORTEST: f64 = 0.25;
/// Smallest factor on the time of return for wheels that turn faster.
const FASTEST_RETURN: f64 = 0.4;

impl LimitOptions {
    pub(crate) fn for_racing() -> Self {
        Self { enabled: true, ..Self::default() }
    }

    /// The options for a vehicle of this wheelbase, m, and steering rate, rad/s.
    pub(crate) fn scaled(&self, wheelbase: f64, steering_rate: f64) -> Self {
        let length = (wheelbase / WHEELBASE_M).min(1.0);
        let time = length.sqrt();
        let delay = DELAY_SENSITIVITY * self.delay_s;
        let late = (1.0 + delay) / (1.0 + delay / length.max(SHORTEST));
        let agility = (STEERING_RATE_RADPS / steering_rate).sqrt().clamp(FASTEST_RETURN, 1.0);
        Self {
            heading_gain: self.heading_gain * late,
            heading_rate_radps: self.heading_rate_radps * late / time,
            return_s: self.return_s * time.min(agility) * late.sqrt(),
            yaw_damping_s: self.yaw_damping_s * time * late,
            preview_s: self.preview_s * time,
            speed_gain: self.speed_gain / time,
            speed_preview_s: self.speed_preview_s * time,
            slower_off_path: self.slower_off_path / length,
            ..*self
        }
    }
}
