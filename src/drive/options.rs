//! How a line is driven: follower, laps, simulated vehicle.

use raceline_vehicle_simulation::check_ranges;

use super::course::Frames;
use super::error::DriveError;
use super::follower_kind::FollowerKind;

/// How a line is driven.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriveOptions {
    /// The follower. Default: [`FollowerKind::Both`].
    pub follower: FollowerKind,
    /// Timed laps, 1 to 1000, after a warm-up lap from standstill; on an open line, runs from end
    /// to end. Default: 3.
    pub laps: u32,
    /// Laps between the warm-up and the timed ones in which the follower learns its speeds by place
    /// ([`raceline_follower::LearnedSpeeds`]), 0 to 1000. The timed ones are driven with those of the
    /// fastest lap. Default: 0, no learning.
    pub learn_laps: u32,
    /// Follower steps per second, Hz, 10 to 1000. Default: 60.
    pub frame_rate_hz: f64,
    /// Target speed of the follower as a fraction of the profile's speed, 0.1 to 1.1. Default: 1.
    pub speed_share: f64,
    /// Delay from a command to its effect, s, 0 to 1. Default: 0. A command is held for a frame in
    /// any case.
    pub actuation_delay_s: f64,
    /// Longest step of the integration, s, 1e-5 to 2e-3. Default: 0.001. A frame is divided into
    /// equal steps.
    pub time_step_s: f64,
}

impl Default for DriveOptions {
    fn default() -> Self {
        Self {
            follower: FollowerKind::Both,
            laps: 3,
            learn_laps: 0,
            frame_rate_hz: 60.0,
            speed_share: 1.0,
            actuation_delay_s: 0.0,
            time_step_s: 1e-3,
        }
    }
}

impl DriveOptions {
    pub(super) fn frames(&self) -> Frames {
        let &Self { frame_rate_hz: rate_hz, time_step_s, actuation_delay_s, .. } = self;
        Frames { rate_hz, time_step_s, actuation_delay_s }
    }

    /// Checks every range.
    ///
    /// # Errors
    /// [`DriveError::Option`] names the first option that is out of its range.
    pub fn validate(&self) -> Result<(), DriveError> {
        // Every field is named, so that a new one does not compile without its range.
        let &Self { follower: _, laps, learn_laps, frame_rate_hz, speed_share, actuation_delay_s, time_step_s } = self;
        check_ranges! {
            laps = f64::from(laps), 1 to 1000;
            learn_laps = f64::from(learn_laps), 0 to 1000;
            frame_rate_hz = frame_rate_hz, 10 to 1000, "Hz";
            speed_share = speed_share, 0.1 to 1.1;
            actuation_delay_s = actuation_delay_s, 0 to 1, "s";
            time_step_s = time_step_s, 0.00001 to 0.002, "s";
        }
        Ok(())
    }
}
