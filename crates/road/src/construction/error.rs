//! Errors of reading a track file. Each message contains the remedy; the caller adds the name of
//! the file.

use raceline_file::table::TableError;
use raceline_numerics::math;

/// A track file has no usable edges.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// A table that cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A table without a header whose number of columns is ambiguous.
    #[error("line {line}: the table has no header, and its number of columns is {found}: {known}")]
    ColumnCount {
        /// Line of the first row, from 1.
        line: usize,
        /// Number of columns.
        found: usize,
        /// The accepted sets of columns.
        known: &'static str,
    },
    /// An edge of an unknown kind.
    #[error("line {line}, column {column} ({name}): {found:?} is no kind of edge: write line, kerb or wall")]
    UnknownKind {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// Name of the column.
        name: &'static str,
        /// The field.
        found: String,
    },
    /// Too few points for a road.
    #[error("{what} has too few distinct points, {found} of the {needed} required: add points, a few metres apart")]
    TooFewPoints {
        /// The line.
        what: &'static str,
        /// How many it has.
        found: usize,
        /// How many are required.
        needed: usize,
    },
    /// A bend so tight for the road's width that the edge on its inside folds over.
    #[error(
        "the road is too wide for its bend at ({x_m:.1} m, {y_m:.1} m){}: its {side} edge folds over; make \
         the road narrower there, or the bend wider",
        .line.map(|line| format!(", line {line}")).unwrap_or_default()
    )]
    FoldedEdge {
        /// The edge.
        side: &'static str,
        /// Place of the centre line, metres.
        x_m: f64,
        /// Place of the centre line, metres.
        y_m: f64,
        /// Line of the nearest point in the file, where there are lines.
        line: Option<usize>,
    },
    /// A road whose size is not that of a road in metres.
    #[error(
        "the road is {width_m} m wide and {length_m} m long{}: give coordinates and widths in metres",
        .likely.as_ref().map(|likely| format!(", which looks like {likely}")).unwrap_or_default(),
        width_m = three_digits(*.width_m), length_m = three_digits(*.length_m)
    )]
    Units {
        /// Mean width, metres if the file is in metres.
        width_m: f64,
        /// Length of the centre line, likewise.
        length_m: f64,
        /// What the numbers probably are.
        likely: Option<String>,
    },
    /// A line that crosses itself too often for a road.
    #[error(
        "the centre line crosses itself {} times{}: put its points into the order of travel",
        at_least(*.crossings, *.limit), .line.map_or_else(String::new, |line| format!(", first after line {line}"))
    )]
    OutOfOrder {
        /// Number of crossings that were counted.
        crossings: usize,
        /// Number at which counting ended.
        limit: usize,
        /// Line in the file of the first crossing, where there are lines.
        line: Option<usize>,
    },
    /// A line longer than any track.
    #[error("the centre line is {length_km:.0} km long, more than {limit_km:.0} km: give coordinates in metres")]
    TooLong {
        /// Length of the centre line, km.
        length_km: f64,
        /// The limit, km.
        limit_km: f64,
    },
    /// A road without area.
    #[error("the road has no area between its edges: give it a width above zero, or edges that lie apart")]
    NoArea,
    /// One edge closed, the other open.
    #[error(
        "one edge is closed and the other is open: end both where they begin or neither, or specify the option shape"
    )]
    HalfClosed,
    /// Smoothing outside its range.
    #[error("smoothing_m = {value} must be from 0 m to a quarter of the line's length, {max_m:.1} m")]
    Smoothing {
        /// The value, metres.
        value: f64,
        /// The limit, metres.
        max_m: f64,
    },
    /// Text that is not JSON or not GeoJSON.
    #[error("{message}: give GeoJSON (RFC 7946) with a centre line or two edges")]
    GeoJson {
        /// The parser's message, with line and column if known.
        message: String,
    },
    /// Text that is not KML, or an archive without one.
    #[error("{message}: give KML or KMZ with a centre line or two edges")]
    Kml {
        /// The parser's message.
        message: String,
    },
    /// Text that is not GPX.
    #[error("{message}: give GPX with one track for the centre line, or two for the edges")]
    Gpx {
        /// The parser's message.
        message: String,
    },
    /// A file that is no readable map of OpenStreetMap.
    #[error("{message}: give OpenStreetMap XML (of Overpass or JOSM) or PBF")]
    Osm {
        /// What is wrong and where.
        message: String,
    },
    /// A file that is no readable OpenDRIVE.
    #[error("line {line}: {message}: give OpenDRIVE (.xodr) of version 1.4 to 1.8")]
    OpenDrive {
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// A file of a game that cannot be read.
    #[error("{message}")]
    GameLine {
        /// What is wrong, where and the remedy.
        message: String,
    },
    /// A mesh without a road.
    #[error("{message}")]
    Mesh {
        /// What is wrong, where and the remedy.
        message: String,
    },
    /// A file with several roads.
    #[error("the file has {count} roads: {list}: specify the one that is meant by the option part")]
    SeveralRoads {
        /// How many.
        count: usize,
        /// Names and lengths of the roads.
        list: String,
    },
    /// A name in the option `part` that nothing in the file has.
    #[error(
        "nothing in the file is called {part:?}, as the option part requires; the file has {known}: name one of them"
    )]
    NoSuchPart {
        /// The name.
        part: String,
        /// The names of what the file has.
        known: String,
    },
    /// A file that holds no edge of a road, where one is required by the option `right`.
    #[error(
        "the option right is for a road with one edge in each of two files, as CSV, GeoJSON, KML or GPX, and this \
         file is of another kind: give two such files, or leave right out"
    )]
    NotAnEdge,
    /// A file that holds no line, or several of which none is recognisable as the one.
    #[error(
        "the file is {found}: give one line, as a CSV with x_m and y_m, a racing-line file, GeoJSON, KML, GPX, SVG, DXF, \
         a curve of Godot or a list of points in JSON"
    )]
    NoLine {
        /// What the file is.
        found: String,
    },
    /// A map of cones that shows no road.
    #[error("{message}")]
    Cones {
        /// What is wrong, where and the remedy.
        message: String,
    },
    /// One edge in metres, the other in degrees.
    #[error(
        "the right edge is not in {kind} as the left one is, so that their places cannot be compared: give both in {kind}"
    )]
    DifferentUnits {
        /// The left edge's unit.
        kind: &'static str,
    },
    /// A file in degrees without a road.
    #[error("{place}: {problem}: {fix}")]
    Geometry {
        /// Where in the file.
        place: String,
        /// What is wrong.
        problem: String,
        /// The remedy.
        fix: &'static str,
    },
    /// Lines and polygons of which none is the one road.
    #[error("the file: it contains {found}: {fix}")]
    SeveralLines {
        /// Number of lines.
        lines: usize,
        /// Numbers of lines and polygons, with the names of the lines.
        found: String,
        /// The remedy.
        fix: &'static str,
    },
    /// A map of OpenStreetMap without a race track.
    #[error("the map: {problem}: {fix}")]
    NoRaceTrack {
        /// What is missing.
        problem: &'static str,
        /// The remedy.
        fix: &'static str,
    },
    /// A line without a width, which the option `track_width_m` gives.
    #[error("{place}: {problem}: {fix}")]
    NoWidth {
        /// Where in the file.
        place: String,
        /// What is missing.
        problem: &'static str,
        /// The remedy.
        fix: &'static str,
    },
    /// A position that is not on the globe.
    #[error(
        "{place}: ({longitude}, {latitude}) is not a longitude from -180 to 180 and a latitude from -90 to 90 degrees, in \
         this order: convert it to degrees, or put coordinates in metres into a CSV"
    )]
    NotDegrees {
        /// Where in the file.
        place: String,
        /// First coordinate.
        longitude: f64,
        /// Second coordinate.
        latitude: f64,
    },
    /// Positions too far apart for one plane projection.
    #[error(
        "the positions lie up to {extent_km:.0} km from their middle, more than {limit_km:.0} km: they are longitude and latitude \
         in degrees; put coordinates in metres into a CSV"
    )]
    TooLarge {
        /// Distance of the farthest position from the middle, km.
        extent_km: f64,
        /// The limit, km.
        limit_km: f64,
    },
    /// Text that is not an SVG.
    #[error("the file is not a readable SVG ({message}): save it as plain SVG")]
    Svg {
        /// The parser's message.
        message: String,
    },
    /// An SVG that would take too much memory or time.
    #[error("the SVG is too large: {found} {what}, more than {limit}: save only the road's path, as plain SVG")]
    SvgTooLarge {
        /// What there is too much of, with everything that the file repeats by reference.
        what: &'static str,
        /// How much there is, at most.
        found: u64,
        /// The limit.
        limit: u64,
    },
    /// Text that is not well-formed XML.
    #[error("line {line}: {message}: save the file as well-formed XML")]
    Xml {
        /// Line, from 1.
        line: usize,
        /// The parser's message.
        message: String,
    },
    /// A track in XML that makes no road.
    #[error("line {line}, {place}: {problem}: {fix}")]
    TrackXml {
        /// Line, from 1.
        line: usize,
        /// The section.
        place: String,
        /// What is wrong.
        problem: String,
        /// The remedy.
        fix: &'static str,
    },
    /// A track in XML whose last segment does not end where its first begins.
    #[error(
        "the last segment ends {gap_m:.1} m from the start of the first, {height_m:.1} m above or below it, \
         {turn_deg:.0} degrees off its direction: add what is missing, or specify the option shape for an open road"
    )]
    EndsApart {
        /// Distance in the plane, metres.
        gap_m: f64,
        /// Difference in height, metres.
        height_m: f64,
        /// Difference in direction, degrees.
        turn_deg: f64,
    },
    /// An SVG whose paths show no road.
    #[error(
        "the SVG shows {found}, which is not recognisable as a road: draw the road as one stroked path whose stroke is as wide as the road, \
         or as two paths along its edges, and hide everything else"
    )]
    NoRoad {
        /// What the SVG shows.
        found: String,
    },
}

impl ImportError {
    /// Whether the file holds a line that the option `track_width_m` makes a road.
    #[must_use]
    pub fn is_without_width(&self) -> bool {
        matches!(
            self,
            Self::NoWidth { .. }
                | Self::Table(TableError::MissingColumn { missing: "width_m", .. })
                | Self::ColumnCount { found: 2, .. }
        )
    }

    /// Whether the file has several lines or roads and none of them is the one that is meant, as streets have.
    #[must_use]
    pub fn is_of_several_roads(&self) -> bool {
        match self {
            Self::SeveralLines { lines, .. } => *lines > 2,
            Self::SeveralRoads { .. } | Self::NoRoad { .. } | Self::NoRaceTrack { .. } => true,
            _ => false,
        }
    }
}

/// The number with three significant digits, without an exponent.
fn three_digits(value: f64) -> String {
    let decimals = (2.0 - math::log10(value.abs().max(1e-9)).floor()).clamp(0.0, 9.0) as usize;
    format!("{value:.decimals$}")
}

/// The count, with a word if counting ended at the limit.
fn at_least(count: usize, limit: usize) -> String {
    if count < limit { count.to_string() } else { format!("at least {count}") }
}

/// The count with its noun: `1 line`, `2 lines`.
#[must_use]
pub fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
