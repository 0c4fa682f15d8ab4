//! Why a line is no racing line.

use std::fmt;

use raceline_road::geometry::Vector;

/// Why a line is no racing line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// The line bends more sharply than the vehicle can turn.
    Steering {
        /// Place, metres.
        x_m: f64,
        /// Place, metres.
        y_m: f64,
        /// Curvature there, 1/m.
        curvature_radpm: f64,
        /// The vehicle's largest curvature, 1/m.
        limit_radpm: f64,
    },
    /// The line leaves its margin.
    Margin {
        /// Place, metres.
        x_m: f64,
        /// Place, metres.
        y_m: f64,
        /// Violation of the margin there, metres.
        missing_m: f64,
        /// The margin, metres.
        margin_m: f64,
    },
    /// The line does not pass a pin.
    Pin {
        /// Number of the pin in the options, from 1.
        number: usize,
        /// Place of the pin, metres.
        x_m: f64,
        /// Place of the pin, metres.
        y_m: f64,
        /// Distance of the line from it, metres.
        distance_m: f64,
        /// The largest allowed distance, metres.
        tolerance_m: f64,
    },
    /// The line is longer than the road.
    Length {
        /// Length of the line, metres.
        length_m: f64,
        /// Length of the longest line along the road, metres.
        longest_m: f64,
    },
}

impl Fault {
    /// Moves the place of the fault by `offset`, metres.
    #[must_use]
    pub fn moved_by(mut self, offset: Vector) -> Self {
        if let Self::Steering { x_m, y_m, .. } | Self::Margin { x_m, y_m, .. } | Self::Pin { x_m, y_m, .. } = &mut self
        {
            (*x_m, *y_m) = (*x_m + offset.x, *y_m + offset.y);
        }
        self
    }

    /// What its reader may do about it, where no line is sound.
    pub(crate) fn remedy(&self) -> &'static str {
        match self {
            Self::Steering { .. } => "choose a vehicle that turns more sharply, or check the scale",
            _ => "the road may be a hall, or the scale wrong",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Steering { x_m, y_m, curvature_radpm, limit_radpm } => write!(
                f,
                "at ({x_m:.1} m, {y_m:.1} m) its curvature is {curvature_radpm:.3} 1/m, but the vehicle's steering allows at \
                 most {limit_radpm:.3} 1/m"
            ),
            Self::Margin { x_m, y_m, missing_m, margin_m } => write!(
                f,
                "at ({x_m:.1} m, {y_m:.1} m) it is {missing_m:.3} m nearer to an edge than the margin of {margin_m:.3} m"
            ),
            Self::Pin { number, x_m, y_m, distance_m, tolerance_m } => write!(
                f,
                "it passes pin {number} at ({x_m:.1} m, {y_m:.1} m) at {distance_m:.3} m, but its tolerance_m is {tolerance_m:.3} m: \
                 raise it, or move the pin"
            ),
            Self::Length { length_m, longest_m } => {
                write!(f, "its length is {length_m:.0} m, but no line along the road is longer than {longest_m:.0} m")
            }
        }
    }
}
