//! Why no line keeps the pins, the speed caps and the regions.

use raceline_road::geometry::Vector;

/// Why no line keeps the pins, the speed caps and the regions. Numbers count the entries of the
/// options from 1.
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
    #[error("{list} {number} has a coordinate that is not finite: give two finite coordinates")]
    NotFinite {
        /// `pin` or `no_go`.
        list: &'static str,
        /// Number of the entry, from 1.
        number: usize,
    },
    /// Pixels without a picture.
    #[error("{list} {number} is in pixels, but the track does not come from a picture: specify it in metres")]
    NoPicture {
        /// `pin` or `no_go`.
        list: &'static str,
        /// Number of the entry, from 1.
        number: usize,
    },
    /// Degrees without a place on the globe.
    #[error(
        "{list} {number} is in degrees, but the file of the track has no longitudes and latitudes: specify it in metres"
    )]
    NoGlobe {
        /// `pin` or `no_go`.
        list: &'static str,
        /// Number of the entry, from 1.
        number: usize,
    },
    /// More entries than a search takes.
    #[error("{list} has {count} entries, and the limit is {limit}: leave the ones out that change nothing")]
    TooMany {
        /// `pin`, `speed_cap` or `no_go`.
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
    /// A region with numbers out of their range.
    #[error("no_go {number}: {value} must be {range}")]
    OutOfRange {
        /// Number of the region, from 1.
        number: usize,
        /// As specified.
        value: f64,
        /// The allowed range.
        range: &'static str,
    },
    /// A region that leaves no road.
    #[error(
        "no_go {number} closes the road at ({x_m:.1} m, {y_m:.1} m): beside it the vehicle with its safety distance on \
         both sides needs {needed_m:.3} m: make it smaller, move it, choose a narrower vehicle or lower \
         safety_distance_m"
    )]
    NoGoCloses {
        /// Number of the region, from 1.
        number: usize,
        /// x, metres.
        x_m: f64,
        /// y, metres.
        y_m: f64,
        /// Twice the margin, metres.
        needed_m: f64,
    },
    /// A region on two parts of the road, which lines may pass on different sides.
    #[error(
        "no_go {number} lies on two parts of the road, one of them at ({x_m:.1} m, {y_m:.1} m): write a polygon for each \
         of them, or specify the side with pass"
    )]
    TwoParts {
        /// Number of the region, from 1.
        number: usize,
        /// x, metres.
        x_m: f64,
        /// y, metres.
        y_m: f64,
    },
    /// Regions and obstacles that can be passed one by one, but not all by one line.
    #[error(
        "no line passes all of the obstacles and of the no_go {numbers}: the sides with room, or those that are \
         specified, can't be joined: move one of them or choose a narrower vehicle"
    )]
    NoGoTogether {
        /// Numbers of the regions, separated by commas.
        numbers: String,
    },
}

impl ConstraintError {
    /// Moves the place in the error by `offset`, metres.
    #[must_use]
    pub fn moved_by(mut self, offset: Vector) -> Self {
        if let Self::OffRoad { x_m, y_m, .. }
        | Self::OutOfReach { x_m, y_m, .. }
        | Self::Contradiction { x_m, y_m, .. }
        | Self::NoGoCloses { x_m, y_m, .. }
        | Self::TwoParts { x_m, y_m, .. } = &mut self
        {
            (*x_m, *y_m) = (*x_m + offset.x, *y_m + offset.y);
        }
        self
    }
}
