//! What a line must survive.

use super::error::ConfidenceError;
use crate::drive::{DriveOptions, Noise};

/// Smallest and largest confidence: below, a line needs no room at all; above, the tails of the noise are
/// not known.
const RANGE: [f64; 2] = [0.5, 0.999_99];

/// What a line must survive, and how surely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConfidenceOptions {
    /// Probability of staying on the road in a lap, 0.5 to 0.99999.
    pub confidence: f64,
    /// What the driver or the robot does not know.
    pub noise: Noise,
    /// How it is driven; the number of laps and what is learned do not count.
    pub drive: DriveOptions,
}

impl ConfidenceOptions {
    /// Checks every range.
    ///
    /// # Errors
    /// [`ConfidenceError::OutOfRange`] for the confidence, [`ConfidenceError::Drive`] for the noise and the
    /// options of the drive.
    pub fn validate(&self) -> Result<(), ConfidenceError> {
        let [low, high] = RANGE;
        if !(low..=high).contains(&self.confidence) {
            return Err(ConfidenceError::OutOfRange { confidence: self.confidence, low, high });
        }
        self.noise.validate()?;
        self.drive.validate()?;
        Ok(())
    }

    /// The probability of leaving the road that is allowed.
    pub(super) fn allowed(&self) -> f64 {
        1.0 - self.confidence
    }
}
