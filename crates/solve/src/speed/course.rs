//! Whether a course is closed, and the speeds at the ends of an open one.

/// Whether a course is closed.
///
/// ```
/// use raceline_solve::speed::Course;
///
/// let to_a_stop = Course::Open { start_speed_mps: Some(20.0), end_speed_mps: Some(0.0) };
/// assert_ne!(to_a_stop, Course::FROM_STANDSTILL);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Course {
    /// A lap that repeats: the last step leads back to the first point.
    Closed,
    /// An open course, from the first point to the last.
    Open {
        /// Speed at the first point, m/s, or `None` where it is free: as fast as the line allows.
        /// The profile begins slower where cornering or braking requires it.
        start_speed_mps: Option<f64>,
        /// Highest speed at the last point, m/s, or `None` where it is free.
        end_speed_mps: Option<f64>,
    },
}

impl Course {
    /// An open course from standstill to a free end.
    pub const FROM_STANDSTILL: Self = Self::Open { start_speed_mps: Some(0.0), end_speed_mps: None };
}
