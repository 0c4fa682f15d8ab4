//! What drives a car along a path, where its line contains it.

use crate::geometry::mix;

/// What a car does at a waypoint when it drives the path's profile: the solution of a search for
/// the fastest lap of a car, for example.
///
/// ```
/// use raceline_follower::{Path, PathInputs, Waypoint};
///
/// let at = |x| Waypoint { position_m: [x, 0.0, 0.0], speed_mps: 10.0, ..Waypoint::default() };
/// let path = Path::new(vec![at(0.0), at(10.0)], false)?;
/// let path = path.with_inputs(|k, _| Some(PathInputs { pedal: k as f64, ..PathInputs::default() }));
/// assert_eq!(path.inputs(5.0).map(|inputs| inputs.pedal), Some(0.5));
/// # Ok::<(), raceline_follower::PathError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PathInputs {
    /// Angle of the front wheels, rad, positive to the left.
    pub steering_rad: f64,
    /// Drive as a fraction of the drive's limit at this speed, or the negative of braking as a fraction of
    /// the tyres' longitudinal limit on a level road of grip 1, at most 4.
    pub pedal: f64,
    /// Angle from the body to the direction in which the centre of gravity travels, rad, positive to
    /// the left.
    pub sideslip_rad: f64,
    /// rad/s, positive to the left.
    pub yaw_rate_radps: f64,
}

/// Largest angle, pedal or yaw rate that is taken. Where the road grips more than usual or presses the
/// tyres, braking exceeds 1.
const MAX: [f64; 4] = [1.57, 4.0, 1.57, 20.0];

impl PathInputs {
    fn numbers(&self) -> [f64; 4] {
        [self.steering_rad, self.pedal, self.sideslip_rad, self.yaw_rate_radps]
    }

    pub(super) fn is_usable(&self) -> bool {
        self.numbers().iter().zip(MAX).all(|(value, max)| value.abs() <= max)
    }

    /// The inputs at the fraction `t` from these to `other`.
    pub(super) fn mixed(&self, other: &Self, t: f64) -> Self {
        let (a, b) = (self.numbers(), other.numbers());
        let [steering_rad, pedal, sideslip_rad, yaw_rate_radps] = std::array::from_fn(|k| mix(a[k], b[k], t));
        Self { steering_rad, pedal, sideslip_rad, yaw_rate_radps }
    }
}
