//! The input of the simulation.

/// What a driver demands of a vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Controls {
    /// Pedal from -1, full brakes, to 1, full drive. Values beyond are clamped. Default: 0.
    pub pedal: f64,
    /// Whether the drive pushes backwards. Default: no.
    pub reverse: bool,
    /// Demanded angle of the front wheel, rad, positive to the left. Default: 0.
    pub steering_rad: f64,
}

impl Controls {
    /// Controls with 0 in place of numbers that are not finite.
    #[must_use]
    pub fn finite(self) -> Self {
        let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
        Self { pedal: finite(self.pedal), steering_rad: finite(self.steering_rad), reverse: self.reverse }
    }
}
