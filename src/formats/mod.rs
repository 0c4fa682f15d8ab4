//! A racing line for other programs: one file per format. [`FORMATS`] lists them; the command line,
//! the docs' test and the goldens use this list.
//!
//! Two rules hold for all. Positions are in the frame that the format's readers use, in metres
//! unless a column's name has another unit, and height is 0. A closed line repeats its first point
//! at the end, with the lap's length and time, unless the format marks a line as closed.
//! `docs/reference/export-formats.md` describes columns, units and frames.

mod autoware;
mod beamng;
mod csv;
mod dxf;
mod error;
mod f1tenth;
mod fast_lane;
mod flow_field;
mod forzaeth;
mod geographic;
mod geojson;
mod godot;
mod gpx;
mod kml;
mod lanelet2;
mod lap_points;
mod number;
mod open_drive;
mod resample;
mod road_across;
mod ros_path;
mod svg_path;
mod tum;
mod tum_ltpl;
mod unity;
mod unreal;
mod vbo;
pub mod xml_text;

pub use error::FormatError;

use crate::RacingLine;
use crate::file::json;

/// Options of a format.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FormatOptions {
    /// Longitude (-180 to 180) and latitude (-90 to 90) of the line's point (0, 0), degrees.
    /// Default: the origin of the line's source.
    pub geographic_origin_deg: Option<[f64; 2]>,
    /// Size of the cells of a flow field, metres, 0.01 to 100000. Default: such that the longer side
    /// has at most 512 of them, but at least 1.
    pub flow_field_cell_m: Option<f64>,
    /// Width of a flow field's border about the road, metres, 0 to 100000; default 20.
    pub flow_field_margin_m: Option<f64>,
    /// Distance between the points, metres, 0.001 to 1000, changed slightly so that the points
    /// divide the line evenly. Default: the points of the line.
    pub spacing_m: Option<f64>,
    /// Factor on the speeds, 0.01 to 2; accelerations scale with its square, times with its inverse.
    /// Default 1.
    pub speed_factor: Option<f64>,
    /// Whether the first point of a closed line is repeated at the end, with the lap's length and
    /// time. Default: as the format's readers expect.
    pub closed_repeat: Option<bool>,
}

/// How a format closes a lap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    /// The first point is repeated, unless the options specify otherwise.
    Repeated,
    /// Each point is written once, unless the options specify otherwise.
    Once,
    /// The file states that the line is closed, and each point is written once.
    Stated,
    /// The file has no points of the line.
    NoPoints,
}

/// A format of other programs.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Name on the command line.
    pub name: &'static str,
    /// The usual extension of its files.
    pub extension: &'static str,
    /// Contents and the programs that read it, in one line.
    pub description: &'static str,
    /// How it closes a lap.
    pub closing: Closing,
    write: fn(&RacingLine, &FormatOptions) -> Result<Vec<u8>, FormatError>,
}

impl Format {
    /// The format with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }

    /// The bytes of a file with `line`.
    ///
    /// # Errors
    /// A line that is not valid in a racing-line file ([`json::write`]), an option out of its range,
    /// and more than a million points. A choice of `closed_repeat` where the format has none. For `geojson`, `gpx`,
    /// `kml` and `vbo` also: no origin, an origin that is not a position on earth, and points more than 100 km from
    /// it. For `flow-field` and `flow-field-png`: an option out of its range, and more than 4096
    /// cells along a side.
    pub fn write(&self, line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
        json::check(line)?;
        let reason = match self.closing {
            Closing::Stated => "its files state that the line is closed",
            Closing::NoPoints => "its files have no points of the line",
            Closing::Repeated | Closing::Once => "",
        };
        if options.closed_repeat.is_some() && !reason.is_empty() {
            return Err(FormatError::NoRepeat { format: self.name, reason });
        }
        let is_repeated = options.closed_repeat.unwrap_or(self.closing == Closing::Repeated);
        let line = resample::resampled(line, options)?;
        (self.write)(&line, &FormatOptions { closed_repeat: Some(is_repeated), ..*options })
    }
}

/// Every format, in the order in which help and docs list them.
pub const FORMATS: &[Format] = &[
    Format {
        name: "csv",
        extension: "csv",
        description: "Plain table with units in its header: s, x, y, heading, curvature, speed, acceleration, time, widths",
        closing: Closing::Once,
        write: csv::write,
    },
    Format {
        name: "tum",
        extension: "csv",
        description: "TUM's race trajectory: s, x, y, psi from +y, kappa, v, a",
        closing: Closing::Repeated,
        write: tum::write,
    },
    Format {
        name: "tum-ltpl",
        extension: "csv",
        description: "TUM's local planner (graph_ltpl): reference line, widths and normals beside the trajectory, 12 columns",
        closing: Closing::Repeated,
        write: tum_ltpl::write,
    },
    Format {
        name: "f1tenth-gym",
        extension: "csv",
        description: "f1tenth_gym's raceline files: the columns of tum, psi from +x",
        closing: Closing::Repeated,
        write: tum::write_f1tenth_gym,
    },
    Format {
        name: "f1tenth",
        extension: "csv",
        description: "F1TENTH waypoints: x, y, yaw, speed",
        closing: Closing::Repeated,
        write: f1tenth::write,
    },
    Format {
        name: "f1tenth-planning",
        extension: "csv",
        description: "f1tenth_planning's controllers: x, y, speed, heading, curvature",
        closing: Closing::Repeated,
        write: f1tenth::write_planning,
    },
    Format {
        name: "forzaeth",
        extension: "json",
        description: "ForzaETH race stack (ROS 2): global_waypoints.json",
        closing: Closing::Repeated,
        write: forzaeth::write,
    },
    Format {
        name: "autoware",
        extension: "csv",
        description: "Autoware trajectory: x, y, z, quaternion, speed",
        closing: Closing::Repeated,
        write: autoware::write,
    },
    Format {
        name: "lanelet2",
        extension: "osm",
        description: "Lanelet2 map for Autoware: lanelets with the racing line as centre line",
        closing: Closing::Stated,
        write: lanelet2::write,
    },
    Format {
        name: "ros-path",
        extension: "yaml",
        description: "ROS 2 nav_msgs/Path as YAML; stamps are the times of passing",
        closing: Closing::Repeated,
        write: ros_path::write,
    },
    Format {
        name: "beamng",
        extension: "json",
        description: "BeamNG AI: a line with speeds and a script with times",
        closing: Closing::Repeated,
        write: beamng::write,
    },
    Format {
        name: "godot",
        extension: "tres",
        description: "Godot 4 Curve3D with cubic handles; speeds as metadata",
        closing: Closing::Repeated,
        write: godot::write,
    },
    Format {
        name: "godot3",
        extension: "tres",
        description: "The same curve for Godot 3",
        closing: Closing::Repeated,
        write: godot::write_godot3,
    },
    Format {
        name: "unity",
        extension: "json",
        description: "Unity, for JsonUtility: positions, handles, yaw, speed",
        closing: Closing::Stated,
        write: unity::write_json,
    },
    Format {
        name: "unity-csv",
        extension: "csv",
        description: "The same points as a table",
        closing: Closing::Repeated,
        write: unity::write_csv,
    },
    Format {
        name: "unreal",
        extension: "json",
        description: "Unreal Engine data table: centimetres, yaw, spline tangents, speed",
        closing: Closing::Repeated,
        write: unreal::write_json,
    },
    Format {
        name: "unreal-csv",
        extension: "csv",
        description: "The same data table as CSV",
        closing: Closing::Repeated,
        write: unreal::write_csv,
    },
    Format {
        name: "geojson",
        extension: "geojson",
        description: "GeoJSON (RFC 7946): line and edges on the map; needs a geographic origin",
        closing: Closing::Repeated,
        write: geojson::write,
    },
    Format {
        name: "gpx",
        extension: "gpx",
        description: "GPX 1.1 track with times, for GPS tools; needs a geographic origin",
        closing: Closing::Repeated,
        write: gpx::write,
    },
    Format {
        name: "kml",
        extension: "kml",
        description: "KML 2.2 (Google Earth): line and edges on the map; needs a geographic origin",
        closing: Closing::Repeated,
        write: kml::write,
    },
    Format {
        name: "vbo",
        extension: "vbo",
        description: "Racelogic .vbo: the lap at 20 Hz as a reference lap; needs a geographic origin",
        closing: Closing::Stated,
        write: vbo::write,
    },
    Format {
        name: "fast-lane",
        extension: "ai",
        description: "Assetto Corsa's fast_lane.ai: line, speeds and sides",
        closing: Closing::Stated,
        write: fast_lane::write,
    },
    Format {
        name: "opendrive",
        extension: "xodr",
        description: "OpenDRIVE 1.6 (esmini, CARLA): a road with one lane along the line",
        closing: Closing::Stated,
        write: open_drive::write,
    },
    Format {
        name: "dxf",
        extension: "dxf",
        description: "DXF (R12) polylines of line and edges on layers, for CAD",
        closing: Closing::Stated,
        write: dxf::write,
    },
    Format {
        name: "svg-path",
        extension: "svg",
        description: "Plain SVG paths of line and edges, 1 mm a metre, for drawing tools",
        closing: Closing::Stated,
        write: svg_path::write,
    },
    Format {
        name: "flow-field",
        extension: "json",
        description: "A grid of velocities that lead from anywhere back onto the line, for game agents",
        closing: Closing::NoPoints,
        write: flow_field::write,
    },
    Format {
        name: "flow-field-png",
        extension: "png",
        description: "The same grid for shaders: red and green direction, blue speed",
        closing: Closing::NoPoints,
        write: flow_field::write_png,
    },
];
