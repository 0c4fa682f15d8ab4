//! The delay between a command and its effect. A command is held until the next one takes effect.

use std::collections::VecDeque;

use crate::controls::Controls;

/// A queue of delayed commands.
///
/// ```
/// use raceline_vehicle_simulation::{Actuators, Controls};
///
/// let mut actuators = Actuators::new(0.1);
/// actuators.command(0.0, Controls { pedal: 1.0, ..Controls::default() });
/// assert_eq!((actuators.acting(0.05).pedal, actuators.acting(0.15).pedal), (0.0, 1.0));
/// ```
#[derive(Clone, Debug)]
pub struct Actuators {
    delay_s: f64,
    acting: Controls,
    /// Commands without effect yet, each with the time at which it takes effect, s.
    waiting: VecDeque<(f64, Controls)>,
}

impl Actuators {
    /// Actuators without a command, with a delay of `delay_s`, s.
    #[must_use]
    pub fn new(delay_s: f64) -> Self {
        Self { delay_s, acting: Controls::default(), waiting: VecDeque::new() }
    }

    /// Adds a command given at `time_s`, s. Numbers that are not finite count as 0.
    pub fn command(&mut self, time_s: f64, controls: Controls) {
        self.waiting.push_back((time_s + self.delay_s, controls.finite()));
    }

    /// The command in effect at `time_s`, s. Times must not decrease from call to call.
    pub fn acting(&mut self, time_s: f64) -> Controls {
        // Half a nanosecond covers the rounding of sums of time steps.
        while let Some(&(_, controls)) = self.waiting.front().filter(|(from_s, _)| *from_s <= time_s + 5e-10) {
            self.acting = controls;
            self.waiting.pop_front();
        }
        self.acting
    }
}
