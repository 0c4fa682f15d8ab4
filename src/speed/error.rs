//! What can be wrong with the input of a speed profile.

use crate::vehicle::VehicleError;

/// Why there is no speed profile.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SpeedError {
    /// The vehicle is not valid.
    #[error(transparent)]
    Vehicle(#[from] VehicleError),
    /// A line needs at least two points.
    #[error("a speed profile needs at least two points, the line has {points}")]
    TooFewPoints {
        /// Points of the line.
        points: usize,
    },
    /// The number of steps doesn't fit the number of points.
    #[error("a line of {points} points needs {expected} step lengths, there are {steps}")]
    StepCount {
        /// Points of the line.
        points: usize,
        /// Steps that were given.
        steps: usize,
        /// Steps that it needs: as many as points when closed, one less when open.
        expected: usize,
    },
    /// A step length isn't a positive number.
    #[error("step {index} of the line is {value} m long: the points of a line must lie apart and be finite")]
    Step {
        /// Index of the step, from 0.
        index: usize,
        /// Its length, m.
        value: f64,
    },
    /// A curvature isn't a number.
    #[error("the line's curvature at point {index} is {value} 1/m: it must be finite")]
    Curvature {
        /// Index of the point, from 0.
        index: usize,
        /// Its curvature, 1/m.
        value: f64,
    },
    /// The speed at an end of an open course isn't a number, or negative.
    #[error("the {place} speed is {value} m/s: it must be finite and not negative")]
    EndSpeed {
        /// Which end: `start` or `end`.
        place: &'static str,
        /// The speed, m/s.
        value: f64,
    },
    /// The number of grip factors doesn't fit the number of points.
    #[error("a line of {points} points needs as many grip factors, there are {factors}")]
    GripCount {
        /// Points of the line.
        points: usize,
        /// Factors that were given.
        factors: usize,
    },
    /// A grip factor isn't a positive number.
    #[error("the grip factor at point {index} is {value}: it must be finite and positive")]
    Grip {
        /// Index of the point, from 0.
        index: usize,
        /// The factor.
        value: f64,
    },
}

/// Why a text is no speed at an end of the road.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is neither a speed in m/s nor `free`")]
pub struct ParseEndSpeedError {
    /// The text.
    pub text: String,
}
