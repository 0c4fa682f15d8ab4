//! Why obstacles or pick-ups cannot be passed.

use raceline_road::geometry::Vector;

/// Why obstacles or pick-ups cannot be passed. Numbers count the entries of the options from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PassingError {
    /// An obstacle without a shape.
    #[error("obstacle {number} has no shape: {problem}")]
    Shape {
        /// Number of the obstacle, from 1.
        number: usize,
        /// The problem.
        problem: &'static str,
    },
    /// A pick-up with numbers out of their range.
    #[error("pick_up {number} can't be used: {problem}")]
    PickUp {
        /// Number of the pick-up, from 1.
        number: usize,
        /// The problem.
        problem: &'static str,
    },
    /// Coordinates that are not finite.
    #[error("{key} {number} has a coordinate that is not finite: give two finite coordinates")]
    NotFinite {
        /// `obstacle` or `pick_up`.
        key: &'static str,
        /// Number of the entry, from 1.
        number: usize,
    },
    /// Pixels without a picture.
    #[error("{key} {number} is in pixels, but the track does not come from a picture: specify it in metres")]
    NoPicture {
        /// `obstacle` or `pick_up`.
        key: &'static str,
        /// Number of the entry, from 1.
        number: usize,
    },
    /// Degrees without a place on the globe.
    #[error(
        "{key} {number} is in degrees, but the file of the track has no longitudes and latitudes: specify it in metres"
    )]
    NoGlobe {
        /// `obstacle` or `pick_up`.
        key: &'static str,
        /// Number of the entry, from 1.
        number: usize,
    },
    /// An obstacle that leaves no side with room.
    #[error(
        "obstacle {number} at ({x_m:.1} m, {y_m:.1} m) leaves {left_m:.2} m on its left and {right_m:.2} m on its right, \
         the vehicle with its safety distance on both sides needs {needed_m:.2} m{}: move the obstacle, choose a \
         narrower vehicle or lower safety_distance_m",
        specified(*.side)
    )]
    Blocked {
        /// Number of the obstacle, from 1.
        number: usize,
        /// x of its centre, metres.
        x_m: f64,
        /// y of its centre, metres.
        y_m: f64,
        /// Room between it and the left edge, metres.
        left_m: f64,
        /// Room between it and the right edge, metres.
        right_m: f64,
        /// Twice the margin, metres.
        needed_m: f64,
        /// The side that the options specify.
        side: Option<&'static str>,
    },
    /// Each obstacle can be passed, but not all of them by one line.
    #[error(
        "no line passes all of the obstacles {numbers}: the sides with room, or those that `side` specifies, can't be \
         joined: move one of them, remove a `side` or choose a narrower vehicle"
    )]
    BlockedTogether {
        /// Numbers of the obstacles, separated by commas.
        numbers: String,
    },
    /// A pick-up that no line comes near.
    #[error(
        "pick_up {number} at ({x_m:.1} m, {y_m:.1} m) is out of reach: no line that keeps the margin of {margin_m:.2} m \
         comes within its radius_m = {radius_m}: move it onto the road or raise radius_m"
    )]
    OutOfReach {
        /// Number of the pick-up, from 1.
        number: usize,
        /// x, metres.
        x_m: f64,
        /// y, metres.
        y_m: f64,
        /// Radius of the pick-up, metres.
        radius_m: f64,
        /// The margin to the edges, metres.
        margin_m: f64,
    },
}

/// The side that the options specify, for a message.
fn specified(side: Option<&str>) -> String {
    side.map(|side| format!(" (side = \"{side}\")")).unwrap_or_default()
}

impl PassingError {
    /// Moves the place in the error by `offset`, metres.
    #[must_use]
    pub fn moved_by(self, offset: Vector) -> Self {
        match self {
            Self::Blocked { number, x_m, y_m, left_m, right_m, needed_m, side } => {
                Self::Blocked { number, x_m: x_m + offset.x, y_m: y_m + offset.y, left_m, right_m, needed_m, side }
            }
            Self::OutOfReach { number, x_m, y_m, radius_m, margin_m } => {
                Self::OutOfReach { number, x_m: x_m + offset.x, y_m: y_m + offset.y, radius_m, margin_m }
            }
            other => other,
        }
    }
}
