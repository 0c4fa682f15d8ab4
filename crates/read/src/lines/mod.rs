//! A line that exists, from a file of any kind: its points in the order of travel, and what the file states of
//! it. [`read`] is for those who drive the line; [`road`] makes a road of a file that holds nothing else.
//!
//! | Module | Files |
//! |---|---|
//! | `table` | CSV by names or by the order of the columns |
//! | `json` | racing lines, and the points of games and race stacks |
//! | `geographic` | GeoJSON, KML, GPX |
//! | `svg` | drawings |
//! | `dxf` | drawings of CAD |
//! | `godot` | curves of Godot |
//! | `poses` | paths of ROS |
//! | `fast_lane` | ideal lines of Assetto Corsa |

mod dxf;
mod fast_lane;
mod geographic;
mod godot;
mod json;
mod kind;
mod poses;
mod svg;
mod table;

use raceline_road::construction::{
    CentreLine, EdgePair, ImportError, ImportNote, ImportOptions, Imported, Sides, SpecifiedClosed, Station,
};
use raceline_road::geometry::{Point, Projection};

pub use kind::LineKind;

/// The points of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Positions {
    /// Metres.
    Metres(Vec<Point>),
    /// Longitude and latitude, degrees.
    Degrees(Vec<[f64; 2]>),
}

impl Positions {
    /// The points in metres. Degrees are projected about `origin_deg`, longitude and latitude.
    #[must_use]
    pub fn about(&self, origin_deg: [f64; 2]) -> Vec<Point> {
        match self {
            Self::Metres(points) => points.clone(),
            Self::Degrees(degrees) => {
                let projection = Projection::at(origin_deg);
                degrees.iter().map(|&position| projection.project(position)).collect()
            }
        }
    }

    /// Longitude and latitude of the middle of the points; `None` in metres.
    #[must_use]
    pub fn middle_deg(&self) -> Option<[f64; 2]> {
        match self {
            Self::Metres(_) => None,
            Self::Degrees(degrees) => Some(Projection::about(degrees).middle),
        }
    }

    /// Number of points.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Metres(points) => points.len(),
            Self::Degrees(degrees) => degrees.len(),
        }
    }

    /// Whether there is no point.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A line in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct LineFile {
    /// How the points were found, as "columns x_m, y_m and vx_mps by name".
    pub layout: String,
    /// Points in the order of travel.
    pub positions: Positions,
    /// Speed at each point, m/s, where the file has it.
    pub speeds_mps: Option<Vec<f64>>,
    /// Whether the last point leads back to the first, where the file states it.
    pub closed: Option<bool>,
    /// Left and right edge of the road, in the unit of the points, where the file has both.
    pub edges: Option<[Positions; 2]>,
    /// Distance from each point to the left and to the right edge, metres, where the file has it.
    pub widths_m: Option<Vec<[f64; 2]>>,
    /// What the file calls the line or its track.
    pub name: Option<String>,
}

impl LineFile {
    /// A line of points in metres, about which nothing else is known.
    fn new(layout: impl Into<String>, points: Vec<Point>) -> Self {
        Self {
            layout: layout.into(),
            positions: Positions::Metres(points),
            speeds_mps: None,
            closed: None,
            edges: None,
            widths_m: None,
            name: None,
        }
    }

    /// Time of the lap at the speeds in the file, s: each step at the mean of its ends' speeds. `None` without
    /// speeds, and where the line stands still.
    #[must_use]
    pub fn stated_lap_time_s(&self, points: &[Point], closed: bool) -> Option<f64> {
        let speeds = self.speeds_mps.as_ref().filter(|speeds| speeds.len() == points.len())?;
        let (first, last) = (points.first()?, points.last()?);
        let repeats_first = first == last;
        let steps = points.windows(2).zip(speeds.windows(2)).map(|(ends, speeds)| {
            let step_m = (ends[1] - ends[0]).norm();
            if step_m > 0.0 { 2.0 * step_m / (speeds[0] + speeds[1]) } else { 0.0 }
        });
        let closing_s = if closed && !repeats_first {
            2.0 * (first - last).norm() / (speeds.first()? + speeds.last()?)
        } else {
            0.0
        };
        Some(steps.sum::<f64>() + closing_s).filter(|time_s| time_s.is_finite() && *time_s > 0.0)
    }
}

/// Reads the line in a file of this kind. `metres_per_unit` is the length of a user unit of a drawing; `None`:
/// that which the drawing states, else 1 m.
///
/// # Errors
/// See [`ImportError`]; each names the place and the remedy.
pub fn read(kind: LineKind, bytes: &[u8], metres_per_unit: Option<f64>) -> Result<LineFile, ImportError> {
    match kind {
        LineKind::Csv => table::read(bytes),
        LineKind::RacingLine => json::racing_line(bytes),
        LineKind::Json => json::read(bytes),
        LineKind::GeoJson => geographic::geojson(bytes),
        LineKind::Kml => geographic::kml(bytes),
        LineKind::Gpx => geographic::gpx(bytes),
        LineKind::Svg => svg::read(bytes, metres_per_unit),
        LineKind::Dxf => dxf::read(bytes),
        LineKind::Godot => godot::read(bytes),
        LineKind::Poses => poses::read(bytes),
        LineKind::FastLane => fast_lane::read(bytes),
    }
}

/// The road in a file that holds a line: between the edges in it, else about the line, as wide as the file or
/// the options state.
///
/// # Errors
/// See [`ImportError`]; a line without edges and without a width is one.
pub fn road(
    kind: LineKind,
    bytes: &[u8],
    closed: SpecifiedClosed,
    options: &ImportOptions,
) -> Result<Imported, ImportError> {
    let line = read(kind, bytes, None)?;
    let middle_deg = line.positions.middle_deg();
    let closed = closed.or(line.closed);
    let metres = |positions: &Positions| positions.about(middle_deg.unwrap_or_default());
    let is_width_used = line.edges.is_none() && line.widths_m.is_none();
    let mut imported = match (&line.edges, &line.widths_m, options.width_m) {
        (Some([left, right]), ..) => EdgePair {
            first: metres(left),
            second: metres(right),
            sides: Sides::Named,
            in_travel_order: true,
            levels: None,
        }
        .imported(closed, options)?,
        (None, widths_m, width_m) => {
            let points = metres(&line.positions);
            let widths_m = match (widths_m, width_m) {
                (Some(widths_m), _) => widths_m.clone(),
                (None, Some(width_m)) => vec![[width_m / 2.0; 2]; points.len()],
                (None, None) => {
                    return Err(ImportError::Geometry {
                        place: line.layout,
                        problem: "the file holds a line and no width of a road".to_owned(),
                        fix: "specify track_width_m to make a road about it, or give the line its speeds with \
                              `raceline profile`",
                    });
                }
            };
            let station = |(&position, &[left_m, right_m]): (&Point, &[f64; 2])| Station {
                position,
                right_m,
                left_m,
                line: None,
                level: None,
            };
            CentreLine::new(points.iter().zip(&widths_m).map(station).collect()).imported(closed, options)?
        }
    };
    if options.width_m.is_some() && !is_width_used {
        imported.notes.push(ImportNote::WidthNotUsed);
    }
    imported.geographic_origin_deg = middle_deg;
    imported.name = line.name;
    Ok(imported)
}

/// The error for a file that holds no line.
fn no_line(found: impl Into<String>) -> ImportError {
    ImportError::NoLine { found: found.into() }
}
