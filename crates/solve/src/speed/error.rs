//! Errors in the input of a speed profile.

use raceline_car::VehicleError;

/// Why a speed profile cannot be computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SpeedError {
    /// The vehicle is invalid.
    #[error(transparent)]
    Vehicle(#[from] VehicleError),
    /// A line needs at least two points.
    #[error("a speed profile requires at least two points, but the line has {points}")]
    TooFewPoints {
        /// Number of points.
        points: usize,
    },
    /// No curve passes through the points.
    #[error(
        "no curve passes through the {points} points of the line: neighbouring points must differ, and a closed line needs \
         three points, an open one two"
    )]
    NoCurve {
        /// Number of points.
        points: usize,
    },
    /// The number of steps does not match the number of points.
    #[error("the number of step lengths is {steps}, but a line of {points} points requires {expected}")]
    StepCount {
        /// Number of points.
        points: usize,
        /// Number of steps.
        steps: usize,
        /// Required number of steps: as many as points when closed, one less when open.
        expected: usize,
    },
    /// A step length is not a finite positive number.
    #[error("step {index} of the line is {value} m long: the points of a line must lie apart and be finite")]
    Step {
        /// Index of the step, from 0.
        index: usize,
        /// Length of the step, m.
        value: f64,
    },
    /// A curvature is not finite.
    #[error("the line's curvature at point {index} is {value} 1/m: it must be finite")]
    Curvature {
        /// Index of the point, from 0.
        index: usize,
        /// Curvature at the point, 1/m.
        value: f64,
    },
    /// The speed at an end of an open course is not finite, or negative.
    #[error("the {place} speed is {value} m/s: it must be finite and not negative")]
    EndSpeed {
        /// Which end: `start` or `end`.
        place: &'static str,
        /// The speed, m/s.
        value: f64,
    },
    /// The number of grip factors does not match the number of points.
    #[error("the number of grip factors is {factors}, but a line of {points} points requires {points}")]
    GripCount {
        /// Number of points.
        points: usize,
        /// Number of factors.
        factors: usize,
    },
    /// A grip factor is not a finite positive number.
    #[error("the grip factor at point {index} is {value}: it must be finite and positive")]
    Grip {
        /// Index of the point, from 0.
        index: usize,
        /// The factor.
        value: f64,
    },
    /// The number of maximum speeds does not match the number of points.
    #[error("the number of maximum speeds is {caps}, but a line of {points} points requires {points}")]
    CapCount {
        /// Number of points.
        points: usize,
        /// Number of maximum speeds.
        caps: usize,
    },
    /// A maximum speed is not positive.
    #[error("the maximum speed at point {index} is {value} m/s: it must be positive")]
    Cap {
        /// Index of the point, from 0.
        index: usize,
        /// The maximum speed, m/s.
        value: f64,
    },
}

/// A text that does not specify a speed at an end of the road.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is neither a speed in m/s nor `free`")]
pub struct ParseEndSpeedError {
    /// The text.
    pub text: String,
}
