//! Why no line keeps the pins and the speed caps.

use raceline_road::geometry::Vector;

/// Why no line keeps the pins and the speed caps. Numbers count the entries of the options from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConstraintError {
    /// A tolerance out of its range.
    #[error("pin {number}: {value} must be {range}")]
    Tolerance {
        /// Number of the pin, from 1.
        number: usize,
        /// As specified.
        value: f64,
        /// The allowed range.
        range: &'static str,
    },
    /// Coordinates that are not finite.
    #[error("pin {number} has a coordinate that is not finite: give two finite coordinates")]
    NotFinite {
        /// Number of the pin, from 1.
        number: usize,
    },
    /// Pixels without a picture.
    #[error("pin {number} is in pixels, but the track does not come from a picture: specify it in metres")]
    NoPicture {
        /// Number of the pin, from 1.
        number: usize,
    },
    /// Degrees without a place on the globe.
    #[error(
        "pin {number} is in degrees, but the file of the track has no longitudes and latitudes: specify it in metres"
    )]
    NoGlobe {
        /// Number of the pin, from 1.
        number: usize,
    },
    /// More entries than a search takes.
    #[error("{list} has {count} entries, and the limit is {limit}: leave the ones out that change nothing")]
    TooMany {
        /// `pin` or `speed_cap`.
        list: &'static str,
        /// Number of entries.
        count: usize,
        /// Maximum number of entries.
        limit: usize,
    },
    /// A place beside the road.
    #[error("pin {number} at ({x_m:.1} m, {y_m:.1} m) lies beside the road: move it between the edges")]
    OffRoad {
        /// Number of the pin, from 1.
        number: usize,
        /// x, metres.
        x_m: f64,
        /// y, metres.
        y_m: f64,
    },
    /// A place nearer to an edge or an obstacle than the margin.
    #[error(
        "pin {number} at ({x_m:.1} m, {y_m:.1} m) is out of reach: a line that keeps the margin to the edges and to what \
         stands on the road passes it {missing_m:.3} m beyond its tolerance_m: move it, raise tolerance_m or lower \
         safety_distance_m"
    )]
    OutOfReach {
        /// Number of the pin, from 1.
        number: usize,
        /// x, metres.
        x_m: f64,
        /// y, metres.
        y_m: f64,
        /// How much larger its tolerance would have to be, metres.
        missing_m: f64,
    },
    /// Two pins on one cross-section.
    #[error(
        "pin {number} at ({x_m:.1} m, {y_m:.1} m) contradicts pin {other}: no line passes both within their tolerance_m: \
         remove one of them, move it or raise tolerance_m"
    )]
    Contradiction {
        /// Number of the pin, from 1.
        number: usize,
        /// Number of the other pin.
        other: usize,
        /// x, metres.
        x_m: f64,
        /// y, metres.
        y_m: f64,
    },
}

impl ConstraintError {
    /// Moves the place in the error by `offset`, metres.
    #[must_use]
    pub fn moved_by(mut self, offset: Vector) -> Self {
        if let Self::OffRoad { x_m, y_m, .. }
        | Self::OutOfReach { x_m, y_m, .. }
        | Self::Contradiction { x_m, y_m, .. } = &mut self
        {
            (*x_m, *y_m) = (*x_m + offset.x, *y_m + offset.y);
        }
        self
    }
}
