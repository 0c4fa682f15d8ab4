//! What stands between a command and the wheels: it is held from frame to frame, and reaches them after a delay.

use std::collections::VecDeque;

/// What a driver asks of a vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Controls {
    /// From -1, all that the brakes can do, to 1, all that the drive can do.
    pub pedal: f64,
    /// Whether the drive pushes backwards.
    pub reverse: bool,
    /// The wanted angle of the front wheel, rad, positive to the left.
    pub steering_rad: f64,
}

/// Commands on their way.
#[derive(Clone, Debug)]
pub struct Actuators {
    delay_s: f64,
    acting: Controls,
    /// Commands that don't act yet, with the times from which they do, s.
    waiting: VecDeque<(f64, Controls)>,
}

impl Actuators {
    /// Actuators at rest that let a command through after `delay_s`.
    pub fn new(delay_s: f64) -> Self {
        Self { delay_s, acting: Controls::default(), waiting: VecDeque::new() }
    }

    /// Takes a command at `time_s`. A number that is none counts as 0, as no command.
    pub fn command(&mut self, time_s: f64, controls: Controls) {
        let plain = |value: f64| if value.is_finite() { value } else { 0.0 };
        let controls = Controls {
            pedal: plain(controls.pedal),
            steering_rad: plain(controls.steering_rad),
            reverse: controls.reverse,
        };
        self.waiting.push_back((time_s + self.delay_s, controls));
    }

    /// What acts at `time_s`; times must not fall from call to call.
    pub fn acting(&mut self, time_s: f64) -> Controls {
        // Half a nanosecond covers the rounding of sums of time steps.
        while let Some(&(_, controls)) = self.waiting.front().filter(|(from_s, _)| *from_s <= time_s + 5e-10) {
            self.acting = controls;
            self.waiting.pop_front();
        }
        self.acting
    }
}
