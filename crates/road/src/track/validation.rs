//! Checks of the guarantees for later stages.

use super::options::{MIN_SECTIONS, SPACING};
use super::{CrossSection, Track, TrackError, TrackOptions};
use crate::frame::Spot;
use crate::geometry::{Ends, Segment};

/// Number of following sections with which each section is compared.
const CROSSING_REACH: usize = 24;

impl TrackOptions {
    /// Checks the range of every option.
    ///
    /// # Errors
    /// [`TrackError::OutOfRange`] with the option, its value and its range;
    /// [`TrackError::StartNotFinite`].
    pub fn validate(&self) -> Result<(), TrackError> {
        if let Some(spacing_m) = self.spacing_m {
            SPACING.check("spacing_m", spacing_m)?;
        }
        match self.start {
            Some(Spot::Metres([x, y]) | Spot::Pixels([x, y]) | Spot::Degrees([x, y]))
                if !(x.is_finite() && y.is_finite()) =>
            {
                Err(TrackError::StartNotFinite { x, y })
            }
            _ => Ok(()),
        }
    }
}

impl Track {
    /// Checks that there are enough sections, that each is finite and has a width, and that none
    /// crosses one of the next ones. Two sections may have an end in common, as at an inner corner without
    /// radius.
    ///
    /// # Errors
    /// [`TrackError::TooFewSections`], [`TrackError::EmptySection`] or
    /// [`TrackError::CrossedSections`], with the place.
    pub fn validate(&self) -> Result<(), TrackError> {
        let n = self.sections.len();
        if n < MIN_SECTIONS {
            return Err(TrackError::TooFewSections { count: n });
        }
        for (index, section) in self.sections.iter().enumerate() {
            let finite = section.right.coords.iter().chain(section.left.coords.iter()).all(|value| value.is_finite());
            if !finite || section.width() <= 0.0 {
                let middle = section.middle();
                return Err(TrackError::EmptySection { index, x_m: middle.x, y_m: middle.y });
            }
        }
        for index in 0..n {
            let until =
                if self.closed { index + CROSSING_REACH.min(n / 2) } else { (index + CROSSING_REACH).min(n - 1) };
            for other in index + 1..=until {
                if cross_each_other(&self.sections[index], &self.sections[other % n]) {
                    let at = self.sections[index].middle();
                    return Err(TrackError::CrossedSections { index, other: other % n, x_m: at.x, y_m: at.y });
                }
            }
        }
        Ok(())
    }
}

/// Whether two sections have a common point other than a shared end.
#[must_use]
pub fn cross_each_other(a: &CrossSection, b: &CrossSection) -> bool {
    const INSET: f64 = 1e-6;
    let inner = |section: &CrossSection| Segment::new(section.point(INSET), section.point(1.0 - INSET));
    inner(a).meets(inner(b), Ends::Included)
}

#[cfg(test)]
mod tests;
