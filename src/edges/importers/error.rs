//! What can be wrong with a track's file, and what mends it. The caller puts the file's name before the message.

/// Why a file gives no edges.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// Bytes that aren't text.
    #[error("line {line}: byte {byte} of the file isn't UTF-8 text: save the file as UTF-8")]
    NotText {
        /// Line of the byte, from 1.
        line: usize,
        /// Place of the byte in the file, from 0.
        byte: usize,
    },
    /// A file without a row of numbers.
    #[error("the file has no row of numbers: give one row for each point, as {example}")]
    Empty {
        /// A row as it could be.
        example: &'static str,
    },
    /// A quotation mark that nothing closes.
    #[error("line {line}, column {column}: the quotation mark is never closed: close it or take it out")]
    OpenQuote {
        /// Line, from 1.
        line: usize,
        /// Column of the table, from 1.
        column: usize,
    },
    /// A header that names no column that is needed.
    #[error("line {line}: the header has no column {missing} among {}: add it; {known}", .found.join(", "))]
    MissingColumn {
        /// Line of the header, from 1.
        line: usize,
        /// The column that is missing.
        missing: &'static str,
        /// The columns that are there.
        found: Vec<String>,
        /// The sets of columns that would do.
        known: &'static str,
    },
    /// Two columns of one name or meaning.
    #[error("line {line}, column {column}: {name} is here for the second time: keep one of them")]
    DoubleColumn {
        /// Line of the header, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The name.
        name: String,
    },
    /// A table without a header whose columns can't be told by their number.
    #[error("line {line}: {found} columns without a header: {known}")]
    ColumnCount {
        /// Line of the first row, from 1.
        line: usize,
        /// Number of columns.
        found: usize,
        /// The sets of columns that would do.
        known: &'static str,
    },
    /// A row that is shorter or longer than the others.
    #[error("line {line}: {found} columns, but line {first} has {wanted}: give every row the same columns")]
    UnevenRow {
        /// Line, from 1.
        line: usize,
        /// Number of columns here.
        found: usize,
        /// The line that the row is held against.
        first: usize,
        /// Number of columns there.
        wanted: usize,
    },
    /// A field that isn't a finite number.
    #[error("line {line}, column {column} ({name}): {found:?} isn't a finite number: {fix}")]
    NotANumber {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// Name of the column.
        name: &'static str,
        /// What is there.
        found: String,
        /// What mends it.
        fix: &'static str,
    },
    /// A number that no track has.
    #[error("line {line}, column {column} ({name}): {found} must be {must_be}")]
    OutOfRange {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// Name of the column.
        name: &'static str,
        /// What is there.
        found: f64,
        /// What it must be.
        must_be: &'static str,
    },
    /// Too few points for a road.
    #[error("{what} has {found} points that differ, {needed} are needed: add points, a few metres apart")]
    TooFewPoints {
        /// The line.
        what: &'static str,
        /// How many it has.
        found: usize,
        /// How many it needs.
        needed: usize,
    },
    /// A bend so tight for the road's width that the edge on its inside folds over and has no way round.
    #[error(
        "the road is too wide for its bend at ({x_m:.1} m, {y_m:.1} m){}: its {side} edge folds over and finds no way \
         round; make it narrower there, or the bend wider",
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
    /// A line longer than any track.
    #[error("the centre line is {length_km:.0} km long, more than {limit_km:.0} km: give coordinates in metres")]
    TooLong {
        /// Its length, km.
        length_km: f64,
        /// The most that is allowed, km.
        limit_km: f64,
    },
    /// A road without any width.
    #[error("the road has no area between its edges: give it a width above zero, or edges that lie apart")]
    NoArea,
    /// One edge closed, the other open.
    #[error(
        "one edge is closed and the other is open: end both where they begin or neither, or say which with the option shape"
    )]
    HalfClosed,
    /// Smoothing out of its range.
    #[error("smoothing_m = {value} must be from 0 m to a quarter of the line's length, {most:.1} m")]
    Smoothing {
        /// What was given, metres.
        value: f64,
        /// The most that is allowed, metres.
        most: f64,
    },
    /// Text that isn't JSON or not GeoJSON.
    #[error("{message}: give GeoJSON (RFC 7946) with a centre line or two edges")]
    GeoJson {
        /// What the parser said, with line and column where they are known.
        message: String,
    },
    /// GeoJSON that shows no road.
    #[error("{place}: {problem}: {fix}")]
    Geometry {
        /// Where in the file.
        place: String,
        /// What is wrong.
        problem: String,
        /// What mends it.
        fix: &'static str,
    },
    /// A position that isn't on the globe.
    #[error(
        "{place}: ({longitude}, {latitude}) isn't a longitude from -180 to 180 and a latitude from -90 to 90 degrees, as \
         GeoJSON has them: convert it to degrees, or put coordinates in metres into a CSV"
    )]
    NotDegrees {
        /// Where in the file.
        place: String,
        /// First coordinate.
        longitude: f64,
        /// Second coordinate.
        latitude: f64,
    },
    /// Positions too far apart for one flat track.
    #[error(
        "the positions lie up to {extent_km:.0} km from their middle, more than {limit_km:.0} km: GeoJSON has longitude and latitude \
         in degrees; put coordinates in metres into a CSV"
    )]
    TooLarge {
        /// Distance of the farthest position from the middle, km.
        extent_km: f64,
        /// The most that is allowed, km.
        limit_km: f64,
    },
    /// Text that isn't an SVG.
    #[error("the file is no SVG that can be read ({message}): save it as plain SVG")]
    Svg {
        /// What the parser said.
        message: String,
    },
    /// An SVG whose paths show no road.
    #[error(
        "the SVG shows {found}, from which no road can be told: draw the road as one stroked path whose stroke is as wide as the road, \
         or as two paths along its edges, and leave nothing else visible"
    )]
    NoRoad {
        /// What it shows.
        found: String,
    },
}
