//! Errors of routes through road networks.

use raceline_road::construction::ImportError;
use raceline_road::range::OutOfRange;

/// Why there is no route.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// The file's lines cannot be read.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// No streets.
    #[error("the file has no streets: give at least one line of two points along each street")]
    NoStreets,
    /// Too much for one network.
    #[error("the streets have more than {limit} points or crossings: cut out the part that is needed")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// A stop in pixels where there is no picture.
    #[error("{stop} is in pixels, but the file has none: give it in metres, as x,y")]
    NoPixels {
        /// Which stop.
        stop: String,
    },
    /// A stop beside all streets.
    #[error(
        "{stop} ({x_m:.2} m, {y_m:.2} m) is {distance_m:.1} m from the nearest street: the nearest place on one is \
         ({near_x_m:.2} m, {near_y_m:.2} m)"
    )]
    NotOnStreet {
        /// Which stop.
        stop: String,
        /// As specified, metres.
        x_m: f64,
        /// As specified, metres.
        y_m: f64,
        /// Distance to the nearest street's centre line, metres.
        distance_m: f64,
        /// The nearest place, metres.
        near_x_m: f64,
        /// The nearest place, metres.
        near_y_m: f64,
    },
    /// No street leads there.
    #[error(
        "no route leads from ({}, {}) through all vias to ({}, {}){}", .from_m[0], .from_m[1], .to_m[0], .to_m[1],
        no_route_text(*despite_one_way)
    )]
    NoRoute {
        /// Start, metres.
        from_m: [f64; 2],
        /// End, metres.
        to_m: [f64; 2],
        /// Whether a route exists if every street may be driven in both directions.
        despite_one_way: bool,
    },
    /// More vias than any order is searched for.
    #[error("the best order of {count} vias is not searched: give at most {limit}, or set via_order = \"given\"")]
    TooManyVias {
        /// Number of vias.
        count: usize,
        /// The limit.
        limit: usize,
    },
    /// The exhaustive search has too much to do.
    #[error("there are more than {limit} routes of up to {depth} pieces: lower depth, or set route = \"fastest\"")]
    TooManyRoutes {
        /// The limit.
        limit: usize,
        /// Maximum number of pieces.
        depth: u32,
    },
    /// No route of so few pieces.
    #[error("no route of up to {depth} pieces leads through all stops, the graph search's has {needed}: raise depth")]
    TooShallow {
        /// Maximum number of pieces.
        depth: u32,
        /// Pieces of the graph search's route.
        needed: usize,
    },
    /// A street is driven twice.
    #[error(
        "the route drives the street at ({x_m:.2} m, {y_m:.2} m) twice, where the road has no room for two legs: choose \
         other vias or via_order = \"any\", or optimise the legs between the stops one by one"
    )]
    RepeatsStreet {
        /// Middle of the street, metres.
        x_m: f64,
        /// Middle of the street, metres.
        y_m: f64,
    },
    /// A street that is narrower than the vehicle.
    #[error(
        "the street at ({x_m:.2} m, {y_m:.2} m) is {width_m:.2} m wide, but the vehicle with its margin needs \
         {needed_m:.2} m: choose a narrower vehicle, a smaller safety_distance_m or a larger street width"
    )]
    TooNarrow {
        /// Middle of the street, metres.
        x_m: f64,
        /// Middle of the street, metres.
        y_m: f64,
        /// Width, metres.
        width_m: f64,
        /// The needed width, metres.
        needed_m: f64,
    },
    /// An option out of its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
}

fn no_route_text(despite_one_way: bool) -> &'static str {
    if despite_one_way {
        ": one-way streets forbid it; with all streets in both directions there is a route. Check their directions"
    } else {
        ": the streets are not connected there. Lines must have a point in common at a junction"
    }
}
