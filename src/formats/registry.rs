//! The list of the formats.

use super::{
    Closing, Format, autoware, beamng, csv, dxf, f1tenth, fast_lane, flow_field, forzaeth, geojson, godot, gpx, kml,
    lanelet2, open_drive, ros_path, svg_path, tum, tum_ltpl, unity, unreal, vbo,
};

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

impl Format {
    /// The format with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }
}
