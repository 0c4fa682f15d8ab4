//! Stretches of road with their own grip.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::part_ranges::check_factor;
use super::stretch::{Stretch, check_ends};

/// A stretch of road with its own grip.
///
/// ```
/// use raceline_road::track::GripStretch;
///
/// let wet = GripStretch { from_m: 50.0, to_m: 100.0, factor: 0.7, ramp_m: 5.0 };
/// assert!(wet.validate().is_ok());
/// assert!(GripStretch { factor: -1.0, ..wet }.validate().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GripStretch {
    /// Beginning: distance along the centre line from the start line, metres.
    pub from_m: f64,
    /// End, likewise; on a closed track, an end before the beginning leads over the start line.
    pub to_m: f64,
    /// Factor on both tyre limits, 0.05 to 3: about 0.7 for wet asphalt, 0.3 for snow. Where
    /// stretches overlap, their factors are multiplied.
    pub factor: f64,
    /// Length over which the grip changes, inside the stretch at either end, metres; 0 is a step.
    /// Default: 5.
    #[serde(default = "default_ramp_m")]
    pub ramp_m: f64,
}

pub(super) fn default_ramp_m() -> f64 {
    5.0
}

impl GripStretch {
    /// Checks the ranges that do not depend on a track.
    ///
    /// # Errors
    /// The number that is outside its range, and the range.
    pub fn validate(&self) -> Result<(), (f64, &'static str)> {
        check_factor(self.factor)?;
        check_ends(self.from_m, self.to_m)?;
        if !(0.0..=1e7).contains(&self.ramp_m) {
            return Err((self.ramp_m, "a ramp of 0 m or more"));
        }
        Ok(())
    }
}

/// The factor of one stretch.
pub(super) fn factor_of(reach: &Stretch, stretch: &GripStretch, distance: f64) -> f64 {
    let Some(from_end) = reach.distance_to_end(distance) else { return 1.0 };
    let ramp = stretch.ramp_m.min(reach.reach_m / 2.0);
    if from_end >= ramp {
        return stretch.factor;
    }
    // Smooth at both ends, for gradient-based solvers.
    let fraction = from_end / ramp;
    1.0 + (stretch.factor - 1.0) * fraction * fraction * (3.0 - 2.0 * fraction)
}
