//! How a line is driven: the bicycle's numbers that a [`Vehicle`](crate::vehicle::Vehicle) doesn't have, the follower, the laps.

use super::driver::FollowerKind;
use super::error::DriveError;

/// How a line is driven.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriveOptions {
    /// Who drives. Default: [`FollowerKind::Both`].
    pub follower: FollowerKind,
    /// Timed laps, 1 to 1000, after a warm-up lap from standstill; runs from end to end of an open line. Default: 3.
    pub laps: u32,
    /// How often the follower is asked, Hz, 10 to 1000. Default: 60.
    pub frame_rate_hz: f64,
    /// The share of the profile's speed that the follower aims at, 0.1 to 1.1. Default: 0.99. The rest is what keeps the tyres off
    /// their limit, where nothing is left to steer with.
    pub speed_share: f64,
    /// What the vehicle's numbers don't say.
    pub bicycle: BicycleOptions,
}

impl Default for DriveOptions {
    fn default() -> Self {
        Self {
            follower: FollowerKind::Both,
            laps: 3,
            frame_rate_hz: 60.0,
            speed_share: 0.99,
            bicycle: BicycleOptions::default(),
        }
    }
}

impl DriveOptions {
    /// Checks every range.
    ///
    /// # Errors
    /// [`DriveError::Option`] names the first option that is out of its range.
    pub fn validate(&self) -> Result<(), DriveError> {
        check("laps", f64::from(self.laps), 1.0, 1000.0, "from 1 to 1000")?;
        check("frame_rate_hz", self.frame_rate_hz, 10.0, 1000.0, "from 10 to 1000 Hz")?;
        check("speed_share", self.speed_share, 0.1, 1.1, "from 0.1 to 1.1")?;
        self.bicycle.validate()
    }
}

/// What a point mass doesn't say about a vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BicycleOptions {
    /// Share of the weight on the front axle, 0.1 to 0.9. Default: 0.5.
    pub front_weight_share: f64,
    /// Moment of inertia in yaw as a multiple of mass times the axles' distances from the centre of gravity, 0.1 to 10. Default: 1, at
    /// which a force at one axle doesn't move the other; cars have 0.8 to 1.1 (Dixon, *Tires, Suspension and Handling*, 1996, section 1.9).
    pub yaw_inertia_index: f64,
    /// Slip angle at which the front tyre reaches its largest lateral force, rad, 0.01 to 1. Default: 0.12 (7°), a racing slick's;
    /// passenger tyres have 0.15 to 0.2.
    pub front_peak_slip_rad: f64,
    /// The same of the rear tyre. Default: 0.12.
    pub rear_peak_slip_rad: f64,
    /// By what share the front tyre's lateral limit exceeds its part of the vehicle's, 0 to 1. Default: 0: the front decides how
    /// fast a bend can be driven, and that is the vehicle's own limit.
    pub front_grip_reserve: f64,
    /// The same of the rear tyre. Default: 0.05: so the car slides over its front wheels first and doesn't spin.
    pub rear_grip_reserve: f64,
    /// How fast the front wheel turns, rad/s, 0.01 to 100. Default: 1.
    pub steering_rate_radps: f64,
    /// Time from a command to the wheels, s, 0 to 1. Default: 0; the command is held for a frame in any case.
    pub actuation_delay_s: f64,
    /// Speed up to which the bicycle rolls without slip, m/s, 0.1 to 100. Default: 1.
    pub rolling_below_mps: f64,
    /// Speed from which it is dynamic alone, m/s, above `rolling_below_mps`, to 100. Default: 3.
    pub sliding_above_mps: f64,
    /// Longest step of the integration, s, 1e-5 to 2e-3. Default: 0.001. A frame is divided into equal steps.
    pub time_step_s: f64,
}

impl Default for BicycleOptions {
    fn default() -> Self {
        Self {
            front_weight_share: 0.5,
            yaw_inertia_index: 1.0,
            front_peak_slip_rad: 0.12,
            rear_peak_slip_rad: 0.12,
            front_grip_reserve: 0.0,
            rear_grip_reserve: 0.05,
            steering_rate_radps: 1.0,
            actuation_delay_s: 0.0,
            rolling_below_mps: 1.0,
            sliding_above_mps: 3.0,
            time_step_s: 1e-3,
        }
    }
}

impl BicycleOptions {
    /// Checks every range.
    ///
    /// # Errors
    /// [`DriveError::Option`] names the first option that is out of its range.
    pub fn validate(&self) -> Result<(), DriveError> {
        check("front_weight_share", self.front_weight_share, 0.1, 0.9, "from 0.1 to 0.9")?;
        check("yaw_inertia_index", self.yaw_inertia_index, 0.1, 10.0, "from 0.1 to 10")?;
        check("front_peak_slip_rad", self.front_peak_slip_rad, 0.01, 1.0, "from 0.01 to 1 rad")?;
        check("rear_peak_slip_rad", self.rear_peak_slip_rad, 0.01, 1.0, "from 0.01 to 1 rad")?;
        check("front_grip_reserve", self.front_grip_reserve, 0.0, 1.0, "from 0 to 1")?;
        check("rear_grip_reserve", self.rear_grip_reserve, 0.0, 1.0, "from 0 to 1")?;
        check("steering_rate_radps", self.steering_rate_radps, 0.01, 100.0, "from 0.01 to 100 rad/s")?;
        check("actuation_delay_s", self.actuation_delay_s, 0.0, 1.0, "from 0 to 1 s")?;
        check("rolling_below_mps", self.rolling_below_mps, 0.1, 100.0, "from 0.1 to 100 m/s")?;
        let above = self.rolling_below_mps.next_up();
        check("sliding_above_mps", self.sliding_above_mps, above, 100.0, "above rolling_below_mps, to 100 m/s")?;
        check("time_step_s", self.time_step_s, 1e-5, 2e-3, "from 0.00001 to 0.002 s")
    }
}

/// Refuses a value that isn't a number from `least` to `most`.
pub(super) fn check(
    name: &'static str,
    value: f64,
    least: f64,
    most: f64,
    range: &'static str,
) -> Result<(), DriveError> {
    if (least..=most).contains(&value) { Ok(()) } else { Err(DriveError::Option { name, value, range }) }
}
