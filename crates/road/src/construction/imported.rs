//! A road read from a file.

use super::note::ImportNote;
use crate::edges::Edges;
use crate::geometry::Point;

/// A road read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The road's edges, metres; exact and without a picture.
    pub edges: Edges,
    /// Changes and assumptions to report: merged points, smoothing and its deviation, the origin of
    /// a projection.
    pub notes: Vec<ImportNote>,
    /// Longitude and latitude of the point (0, 0), degrees; `None` for a file in metres.
    pub geographic_origin_deg: Option<[f64; 2]>,
    /// Where the lap starts, on the road; `None` if the file does not specify it.
    pub start: Option<Point>,
    /// What the file calls the track; `None` if it does not.
    pub name: Option<String>,
}
