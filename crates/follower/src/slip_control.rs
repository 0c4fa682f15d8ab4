//! Traction control and anti-lock brakes for vehicles whose game reports the speeds of the wheels.
//!
//! A follower's pedal asks for an acceleration; a wheel that spins or locks gives less of it, and
//! nothing across. The pedal passes in full up to a slip and not at all from another on:
//!
//! ```text
//! slip     spin · radius / v - 1                    of the wheel that slips most             (1)
//! passes   (none - |slip|) / (none - full)          at once when it falls                    (2)
//! ```
//!
//! and it comes back within `recovery_s`, so that a wheel which has just caught the road again is
//! not torn off it in the next frame.

use crate::error::OptionsError;
use crate::options::{by_key, options};

options! {
    /// Options of [`SlipControl`].
    SlipControlOptions, "slip_control." {
        /// Slip of a driven wheel up to which the throttle passes in full.
        drive_full: f64 = 0.12, [from 0.01 to 2];
        /// Slip from which none of it passes, above `drive_full`.
        drive_none: f64 = 0.4, [above drive_full to 5];
        /// Slip of a braked wheel up to which the brake passes in full.
        brake_full: f64 = 0.12, [from 0.01 to 1];
        /// Slip from which none of it passes, above `brake_full`.
        brake_none: f64 = 0.4, [above brake_full to 2];
        /// Time in which a pedal that was taken back returns in full.
        recovery_s: f64 = 0.15, [from 0 to 5], "s";
        /// Below this speed slip is by this speed rather than by the vehicle's: from a standstill a wheel
        /// must spin, and a game's wheels tremble there.
        min_mps: f64 = 10.0, [from 0.1 to 20], "m/s";
    }
}

by_key!(SlipControlOptions, " of the slip control");

/// A wheel in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelMotion {
    /// Speed of its tread, spin times radius, m/s, negative in reverse.
    pub tread_mps: f64,
    /// Speed of the ground below it along the wheel's plane, m/s.
    pub ground_mps: f64,
    /// Whether the engine drives it.
    pub driven: bool,
}

impl WheelMotion {
    /// Slip: positive where it spins faster than it rolls, -1 where it is locked.
    pub fn slip(&self, min_mps: f64) -> f64 {
        let forwards = if self.ground_mps < 0.0 { -1.0 } else { 1.0 };
        // Equation (1).
        let slip = forwards * (self.tread_mps - self.ground_mps) / self.ground_mps.abs().max(min_mps);
        if slip.is_finite() { slip } else { 0.0 }
    }
}

/// Takes the pedals back where wheels slip. One for each vehicle; a step does not allocate.
///
/// ```
/// use raceline_follower::slip_control::{SlipControl, SlipControlOptions, WheelMotion};
///
/// let mut control = SlipControl::new(SlipControlOptions::default())?;
/// let wheel = |tread_mps| WheelMotion { tread_mps, ground_mps: 20.0, driven: true };
/// assert_eq!(control.pedal(&[wheel(20.5); 4], 1.0, 0.02), 1.0);
/// assert!(control.pedal(&[wheel(26.0); 4], 1.0, 0.02) < 0.6);
/// # Ok::<(), raceline_follower::OptionsError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SlipControl {
    options: SlipControlOptions,
    throttle: f64,
    brake: f64,
}

impl SlipControl {
    /// A control with these options.
    ///
    /// # Errors
    /// The first option out of its documented range.
    pub fn new(options: SlipControlOptions) -> Result<Self, OptionsError> {
        options.validate()?;
        Ok(Self { options, throttle: 1.0, brake: 1.0 })
    }

    /// Lets both pedals pass in full again.
    pub fn reset(&mut self) {
        (self.throttle, self.brake) = (1.0, 1.0);
    }

    /// The pedal, -1 to 1, that passes of `pedal` with the wheels moving so; the last frame was
    /// `dt_s` ago. Negative is brake, positive throttle.
    pub fn pedal(&mut self, wheels: &[WheelMotion], pedal: f64, dt_s: f64) -> f64 {
        let options = &self.options;
        let (mut spinning, mut locking) = (0.0_f64, 0.0_f64);
        for wheel in wheels {
            let slip = wheel.slip(options.min_mps);
            locking = locking.max(-slip);
            if wheel.driven {
                spinning = spinning.max(slip);
            }
        }
        // Equation (2).
        let passes = |slip: f64, full: f64, none: f64| ((none - slip) / (none - full)).clamp(0.0, 1.0);
        let back = if options.recovery_s > 0.0 { dt_s.max(0.0) / options.recovery_s } else { 1.0 };
        self.throttle = passes(spinning, options.drive_full, options.drive_none).min(self.throttle + back);
        self.brake = passes(locking, options.brake_full, options.brake_none).min(self.brake + back);
        let passed = if pedal > 0.0 { pedal * self.throttle } else { pedal * self.brake };
        if passed.is_nan() { -1.0 } else { passed.clamp(-1.0, 1.0) }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::{SlipControl, SlipControlOptions, WheelMotion};

    fn wheels(slips: [f64; 4]) -> [WheelMotion; 4] {
        let ground_mps = 20.0;
        std::array::from_fn(|i| WheelMotion { tread_mps: ground_mps * (1.0 + slips[i]), ground_mps, driven: i > 1 })
    }

    #[test]
    fn slip_is_spin_by_roll() {
        let wheel = WheelMotion { tread_mps: 22.0, ground_mps: 20.0, driven: true };
        assert!((wheel.slip(3.0) - 0.1).abs() < 1e-12);
        assert_eq!(WheelMotion { tread_mps: 0.0, ..wheel }.slip(3.0), -1.0);
        // In reverse the same; at standstill by the minimum speed.
        assert!((WheelMotion { tread_mps: -22.0, ground_mps: -20.0, driven: true }.slip(3.0) - 0.1).abs() < 1e-12);
        assert_eq!(WheelMotion { tread_mps: 3.0, ground_mps: 0.0, driven: true }.slip(3.0), 1.0);
        assert_eq!(WheelMotion { tread_mps: f64::NAN, ..wheel }.slip(3.0), 0.0);
    }

    #[test]
    fn pedals_pass_in_full_below_the_slip_and_not_at_all_above_the_other() {
        let control = || SlipControl::new(SlipControlOptions::default()).unwrap();
        assert_eq!(control().pedal(&wheels([0.0, 0.0, 0.07, 0.05]), 0.7, 0.02), 0.7);
        assert_eq!(control().pedal(&wheels([0.0, 0.0, 0.41, 0.05]), 0.7, 0.02), 0.0);
        // Half way between 0.12 and 0.4.
        assert!((control().pedal(&wheels([0.0, 0.0, 0.26, 0.0]), 0.8, 0.02) - 0.4).abs() < 1e-12);
        // A wheel that is not driven cannot spin by the throttle.
        assert_eq!(control().pedal(&wheels([0.5, 0.5, 0.0, 0.0]), 0.7, 0.02), 0.7);
        // Any wheel locks; half way between 0.12 and 0.4.
        assert!((control().pedal(&wheels([-0.26, 0.0, 0.0, 0.0]), -1.0, 0.02) + 0.5).abs() < 1e-12);
        assert_eq!(control().pedal(&wheels([-1.0, 0.0, 0.0, 0.0]), -1.0, 0.02), 0.0);
        assert_eq!(control().pedal(&wheels([0.0; 4]), f64::NAN, 0.02), -1.0);
    }

    #[test]
    fn a_pedal_comes_back_within_its_time() {
        let mut control = SlipControl::new(SlipControlOptions { recovery_s: 0.1, ..Default::default() }).unwrap();
        assert_eq!(control.pedal(&wheels([-1.0; 4]), -1.0, 0.02), 0.0);
        for frame in 1..=5 {
            let pedal = control.pedal(&wheels([0.0; 4]), -1.0, 0.02);
            assert!((pedal + 0.2 * f64::from(frame)).abs() < 1e-12, "{pedal}");
        }
        // The other pedal was never taken back.
        assert_eq!(control.pedal(&wheels([0.0; 4]), 1.0, 0.02), 1.0);
    }

    #[test]
    fn options_out_of_range_are_reported() {
        let options = SlipControlOptions { brake_none: 0.1, ..Default::default() };
        assert_eq!(SlipControl::new(options).unwrap_err().field, "slip_control.brake_none");
    }
}
