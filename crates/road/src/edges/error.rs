//! Errors of finding the edges of a road.

use crate::road_length::RoadTooLong;

/// A mask or a track file has no usable edges.
#[derive(Clone, Debug, thiserror::Error, PartialEq)]
#[non_exhaustive]
pub enum EdgeError {
    /// The mask contains no road.
    #[error("the road mask is empty: no pixel is more than half covered by road")]
    NoRoad,
    /// The road does not lead back to its start.
    #[error(
        "the road that reaches from ({left:.0}, {top:.0}) to ({right:.0}, {bottom:.0}) pixels is not a circuit: no route leads \
         back to its start"
    )]
    NotClosed {
        /// Leftmost column of the road, pixels.
        left: f64,
        /// Topmost row, pixels.
        top: f64,
        /// Rightmost column, pixels.
        right: f64,
        /// Lowest row, pixels.
        bottom: f64,
    },
    /// The road has no two ends.
    #[error("the road that reaches from ({left:.0}, {top:.0}) to ({right:.0}, {bottom:.0}) pixels has no two ends")]
    NoEnds {
        /// Leftmost column of the road, pixels.
        left: f64,
        /// Topmost row, pixels.
        top: f64,
        /// Rightmost column, pixels.
        right: f64,
        /// Lowest row, pixels.
        bottom: f64,
    },
    /// A circuit that is cut off at the picture's border.
    #[error(
        "the road touches the picture's border at ({column:.0}, {row:.0}) and comes back at ({back_column:.0}, \
         {back_row:.0})"
    )]
    LeavesPicture {
        /// Where it leaves, pixels from the left.
        column: f64,
        /// Where it leaves, pixels from the top.
        row: f64,
        /// Where it comes back, pixels from the left.
        back_column: f64,
        /// Where it comes back, pixels from the top.
        back_row: f64,
    },
    /// A circuit with a piece missing.
    #[error("the road ends at ({column:.0}, {row:.0}) and begins again at ({back_column:.0}, {back_row:.0}) pixels")]
    Gap {
        /// One end, pixels from the left.
        column: f64,
        /// One end, pixels from the top.
        row: f64,
        /// The other end, pixels from the left.
        back_column: f64,
        /// The other end, pixels from the top.
        back_row: f64,
    },
    /// A road that is too long for its width.
    #[error(transparent)]
    TooLong(#[from] RoadTooLong),
    /// More junctions than can be searched.
    #[error(
        "the road that reaches from ({left:.0}, {top:.0}) to ({right:.0}, {bottom:.0}) pixels has too many branches to search: \
         blank out the side roads"
    )]
    TooManyBranches {
        /// Leftmost column of the road, pixels.
        left: f64,
        /// Topmost row, pixels.
        top: f64,
        /// Rightmost column, pixels.
        right: f64,
        /// Lowest row, pixels.
        bottom: f64,
    },
    /// The road's contours meet.
    #[error(
        "the edges of the road that reaches from ({left:.0}, {top:.0}) to ({right:.0}, {bottom:.0}) pixels touch one another or \
         enclose nothing: draw the picture larger"
    )]
    Tangled {
        /// Leftmost column of the road, pixels.
        left: f64,
        /// Topmost row, pixels.
        top: f64,
        /// Rightmost column, pixels.
        right: f64,
        /// Lowest row, pixels.
        bottom: f64,
    },
    /// A via point that is not on the road.
    #[error("the via point ({column:.0}, {row:.0}) pixels lies {distance_px:.0} pixels off the road")]
    OffRoad {
        /// Pixels from the left.
        column: f64,
        /// Pixels from the top.
        row: f64,
        /// Distance to the road's middle, pixels.
        distance_px: f64,
    },
    /// No route passes the specified points.
    #[error("no route along the road passes every via point without turning back")]
    NoRouteVia,
    /// A point in metres in a picture whose scale is only known after the road is found.
    #[error("the via point {x},{y} is in metres, but the scale is not known until the route is found")]
    NeedsPixels {
        /// x as specified.
        x: f64,
        /// y as specified.
        y: f64,
    },
    /// A point in degrees in a picture.
    #[error("the via point {longitude},{latitude}deg is in degrees, which a picture has none of")]
    NoGlobe {
        /// Longitude as specified.
        longitude: f64,
        /// Latitude as specified.
        latitude: f64,
    },
    /// A road that lies on itself, as several recorded laps do.
    #[error(
        "it lies on itself around ({x_m:.1} m, {y_m:.1} m) and elsewhere: its edges cross or touch one another in more than \
         {limit} places; give every stretch of the road once, and only one of several laps"
    )]
    LiesOnItself {
        /// One such place, metres.
        x_m: f64,
        /// One such place, metres.
        y_m: f64,
        /// Maximum number of such places.
        limit: usize,
    },
}
