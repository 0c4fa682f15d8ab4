//! Why a line is not proven.

use super::report::Unsound;
use raceline_car::VehicleError;
use raceline_file::Inconsistency;

/// Why a line is not proven.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The line violates a rule of the file.
    #[error(transparent)]
    Line(#[from] Inconsistency),
    /// The vehicle is not valid.
    #[error(transparent)]
    Vehicle(#[from] VehicleError),
    /// The line violates a rule of the judge.
    #[error(transparent)]
    Unsound(Box<Unsound>),
}

impl From<Unsound> for VerifyError {
    fn from(unsound: Unsound) -> Self {
        Self::Unsound(Box::new(unsound))
    }
}
