//! Lines in other programs' formats, read back by readers that aren't ours.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

use raceline::RacingLine;
use raceline::file::WriteError;
use raceline::formats::{FORMATS, Format, FormatError, FormatOptions};
use resvg::usvg::roxmltree::{Document, Node};
use serde_json::Value;

use crate::sample_lines;

const MILAN: FormatOptions = FormatOptions {
    geographic_origin_deg: Some([9.2811, 45.6189]),
    flow_field_cell_m: Some(10.0),
    flow_field_margin_m: None,
    spacing_m: None,
    speed_factor: None,
    closed_repeat: None,
};

fn write(format: &str, line: &RacingLine) -> String {
    String::from_utf8(Format::named(format).unwrap().write(line, &MILAN).unwrap()).unwrap()
}

/// The formats of text.
fn text_formats() -> impl Iterator<Item = &'static Format> {
    FORMATS.iter().filter(|format| !["png", "ai"].contains(&format.extension))
}

/// An open line: the stadium's first half.
fn open_line() -> RacingLine {
    let mut line = sample_lines::stadium();
    let half = line.points.len() / 2;
    line.closed = false;
    line.points.truncate(half);
    let last = line.points[half - 1];
    (line.length_m, line.lap_time_s) = (last.s_m, last.time_s);
    line.candidates.clear();
    line.sections.clear();
    line
}

/// The numbers of a table after `skip` lines.
fn table(text: &str, skip: usize, separator: char) -> Vec<Vec<f64>> {
    text.lines().skip(skip).map(|row| row.split(separator).map(|cell| cell.trim().parse().unwrap()).collect()).collect()
}

fn assert_near(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b} within {tolerance}");
}

/// A small circle in every format, as it was looked at.
#[test]
fn goldens() {
    let line = sample_lines::circle(50.0, 3);
    for format in text_formats() {
        insta::with_settings!({snapshot_path => "formats", prepend_module_to_snapshot => false}, {
            insta::assert_snapshot!(format.name, write(format.name, &line));
        });
    }
}

#[test]
fn names_are_unique_and_the_docs_have_a_section_for_each() {
    let docs = include_str!("../../docs/reference/export-formats.md");
    let sections: Vec<&str> = docs.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let mut names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
    for format in FORMATS {
        // A section may be that of several formats, as `unity` is that of `unity-csv`.
        let is_named = |section: &str| section.split(" and ").any(|name| format.name.starts_with(name));
        assert!(sections.iter().any(|section| is_named(section)), "docs/reference/export-formats.md: {}", format.name);
        assert!(!format.description.is_empty());
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), FORMATS.len());
    assert!(Format::named("nosuch").is_none());
}

#[test]
fn every_format_takes_open_lines_and_odd_names() {
    let mut line = open_line();
    line.name = "A<B> & \"C\"\n\u{1}".to_owned();
    line.vehicle.name = "x\ny".to_owned();
    for format in text_formats() {
        let text = write(format.name, &line);
        let numbers = text.replace("map_info_str", "");
        assert!(!numbers.contains("NaN") && !numbers.contains("inf") && text.ends_with('\n'), "{}", format.name);
        assert_eq!(text, write(format.name, &line));
    }
}

#[test]
fn a_line_that_no_file_holds_is_refused_by_its_place() {
    let mut line = sample_lines::circle(50.0, 8);
    line.points[3].x_m = f64::NAN;
    for format in FORMATS {
        match format.write(&line, &MILAN) {
            Err(FormatError::Line(WriteError::NotFinite { place, .. })) => assert_eq!(place, "points[3].x_m"),
            other => panic!("{}: {other:?}", format.name),
        }
    }
    line.points.clear();
    for format in FORMATS {
        assert!(
            matches!(format.write(&line, &MILAN), Err(FormatError::Line(WriteError::Inconsistent(_)))),
            "{}",
            format.name
        );
    }
}

#[test]
fn tum_has_three_comment_lines_psi_from_y_and_is_closed() {
    let line = sample_lines::winding();
    let text = write("tum", &line);
    let comments: Vec<&str> = text.lines().filter(|row| row.starts_with('#')).collect();
    assert_eq!(comments.len(), 3);
    assert_eq!(comments[2], "# s_m; x_m; y_m; psi_rad; kappa_radpm; vx_mps; ax_mps2");
    assert!(text.lines().take(3).all(|row| row.starts_with('#')));
    let rows = table(&text, 3, ';');
    assert_eq!(rows.len(), line.points.len() + 1);
    for (row, point) in rows.iter().zip(&line.points) {
        assert_eq!(row.len(), 7);
        for (value, expected) in
            row.iter().zip([point.s_m, point.x_m, point.y_m, row[3], point.curvature_radpm, point.speed_mps])
        {
            assert_near(*value, expected, 1e-7);
        }
        assert_near(row[6], point.accel_mps2, 1e-7);
        assert!(row[3] > -PI && row[3] <= PI);
        // Zero at +y, counter-clockwise: the direction is (-sin ψ, cos ψ).
        assert_near(-row[3].sin(), point.heading_rad.cos(), 2e-7);
        assert_near(row[3].cos(), point.heading_rad.sin(), 2e-7);
    }
    let (first, last) = (&rows[0], rows.last().unwrap());
    assert_eq!(first[1..], last[1..]);
    assert_near(last[0], line.length_m, 1e-7);
    assert_eq!(table(&write("tum", &open_line()), 3, ';').len(), open_line().points.len());
}

#[test]
fn f1tenth_gym_has_the_columns_of_tum_and_the_heading_from_x() {
    let line = sample_lines::winding();
    let text = write("f1tenth-gym", &line);
    let (rows, of_tum) = (table(&text, 3, ';'), table(&write("tum", &line), 3, ';'));
    assert_eq!(rows.len(), of_tum.len());
    for ((row, tum), point) in rows.iter().zip(&of_tum).zip(&line.points) {
        assert_eq!((&row[..3], &row[4..]), (&tum[..3], &tum[4..]));
        assert!(row[3] > -PI && row[3] <= PI);
        assert_near((row[3] - point.heading_rad).sin(), 0.0, 2e-7);
        assert!((row[3] - point.heading_rad).cos() > 0.0);
    }
}

#[test]
fn psi_stays_in_its_range_at_the_seam() {
    let mut line = sample_lines::circle(50.0, 4);
    for (heading, psi) in [(-FRAC_PI_2, PI), (-FRAC_PI_2 + 1e-12, -PI), (FRAC_PI_2, 0.0), (PI, FRAC_PI_2)] {
        line.points[0].heading_rad = heading;
        let value = table(&write("tum", &line), 3, ';')[0][3];
        assert!(value > -PI && value <= PI, "{value}");
        assert_near(value, psi, 2e-7);
    }
}

#[test]
fn ltpl_meets_line_and_edges() {
    for line in [sample_lines::circle(50.0, 40), sample_lines::stadium(), sample_lines::winding()] {
        let text = write("tum-ltpl", &line);
        assert_eq!(text.lines().filter(|row| row.starts_with('#')).count(), 3);
        let rows = table(&text, 3, ';');
        assert_eq!(rows.len(), line.points.len() + 1);
        for (row, point) in rows.iter().zip(&line.points) {
            let [x, y, right, left, nx, ny, alpha] = row[..7] else { panic!("{row:?}") };
            assert_eq!(row.len(), 12);
            assert_near(nx.hypot(ny), 1.0, 1e-6);
            assert_near(x + alpha * nx, point.x_m, 1e-6);
            assert_near(y + alpha * ny, point.y_m, 1e-6);
            // To the right of the direction of travel.
            assert_near(nx * point.heading_rad.sin() - ny * point.heading_rad.cos(), 1.0, 1e-6);
            for (edge, width) in [(&line.edges.right, right), (&line.edges.left, -left)] {
                let end = [x + width * nx, y + width * ny];
                assert!(distance(end, edge) < 2e-6, "{end:?} is {} m from the edge", distance(end, edge));
            }
            assert_near(row[7], point.s_m, 1e-7);
        }
        assert_eq!(rows[0][..7], rows.last().unwrap()[..7]);
        assert_near(rows.last().unwrap()[7], line.length_m, 1e-7);
    }
}

/// Distance of a place from a closed polyline.
fn distance(place: [f64; 2], polyline: &[[f64; 2]]) -> f64 {
    let piece = |i: usize| {
        let (a, b) = (polyline[i], polyline[(i + 1) % polyline.len()]);
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let fraction = ((place[0] - a[0]) * dx + (place[1] - a[1]) * dy) / (dx * dx + dy * dy);
        let fraction = fraction.clamp(0.0, 1.0);
        (a[0] + fraction * dx - place[0]).hypot(a[1] + fraction * dy - place[1])
    };
    (0..polyline.len()).map(piece).fold(f64::INFINITY, f64::min)
}

#[test]
fn ltpl_takes_its_own_leg_of_a_road_that_doubles_back() {
    // Two straights 16 m apart, the road 10 m wide: the other leg's near edge lies 6 m behind the
    // own one.
    let corners = [
        [0., 0.],
        [50., 0.],
        [100., 0.],
        [150., 0.],
        [200., 0.],
        [207., 3.],
        [210., 8.],
        [207., 13.],
        [200., 16.],
        [150., 16.],
        [100., 16.],
        [50., 16.],
        [0., 16.],
        [-7., 13.],
        [-10., 8.],
        [-7., 3.],
    ];
    let line = sample_lines::circuit("hairpins", &corners, 10.0);
    let rows = table(&write("tum-ltpl", &line), 3, ';');
    let straight: Vec<_> = rows.iter().filter(|row| (50.0..150.0).contains(&row[0])).collect();
    assert!(straight.len() > 40);
    let odd: Vec<_> = straight.iter().filter(|row| (row[2] + row[3] - 10.0).abs() > 0.3).collect();
    assert!(odd.is_empty(), "{odd:?}");
}

#[test]
fn f1tenth_and_autoware_tables() {
    let line = sample_lines::winding();
    let rows = table(&write("f1tenth", &line), 1, ',');
    assert_eq!(rows.len(), line.points.len() + 1);
    for (row, point) in rows.iter().zip(&line.points) {
        for (value, expected) in row.iter().zip([point.x_m, point.y_m, point.heading_rad, point.speed_mps]) {
            assert_near(*value, expected, 6e-5);
        }
    }
    let text = write("autoware", &line);
    assert_eq!(text.lines().next(), Some("x,y,z,x_quat,y_quat,z_quat,w_quat,speed"));
    for (row, point) in table(&text, 1, ',').iter().zip(&line.points) {
        let [x, y, height, qx, qy, qz, qw, speed] = row[..] else { panic!("{row:?}") };
        assert_eq!([height, qx, qy], [0.0; 3]);
        assert_near(qz.hypot(qw), 1.0, 1e-8);
        // The quaternion turns +x into the direction of travel.
        assert_near(1.0 - 2.0 * qz * qz, point.heading_rad.cos(), 1e-8);
        assert_near(2.0 * qz * qw, point.heading_rad.sin(), 1e-8);
        assert_near(x, point.x_m, 6e-5);
        assert_near(y, point.y_m, 6e-5);
        assert_near(speed, point.speed_mps, 6e-5);
    }
}

#[test]
fn a_ros_path_is_read_by_a_yaml_parser() {
    #[derive(serde::Deserialize)]
    struct Stamp {
        sec: i32,
        nanosec: u32,
    }
    #[derive(serde::Deserialize)]
    struct Header {
        stamp: Stamp,
        frame_id: String,
    }
    #[derive(serde::Deserialize)]
    struct Pose {
        position: BTreeMap<String, f64>,
        orientation: BTreeMap<String, f64>,
    }
    #[derive(serde::Deserialize)]
    struct PoseStamped {
        header: Header,
        pose: Pose,
    }
    #[derive(serde::Deserialize)]
    struct Path {
        header: Header,
        poses: Vec<PoseStamped>,
    }
    let line = sample_lines::stadium();
    let path: Path = serde_saphyr::from_str(&write("ros-path", &line)).unwrap();
    assert_eq!(path.header.frame_id, "map");
    assert_eq!(path.header.stamp.sec, 0);
    assert_eq!(path.poses.len(), line.points.len() + 1);
    for (stamped, point) in path.poses.iter().zip(&line.points) {
        assert_eq!(stamped.header.frame_id, "map");
        let seconds = f64::from(stamped.header.stamp.sec) + f64::from(stamped.header.stamp.nanosec) * 1e-9;
        assert_near(seconds, point.time_s, 1e-8);
        let Pose { position, orientation } = &stamped.pose;
        assert_near(position["x"], point.x_m, 6e-5);
        assert_near(position["y"], point.y_m, 6e-5);
        assert_eq!([position["z"], orientation["x"], orientation["y"]], [0.0; 3]);
        assert_near(2.0 * orientation["z"].atan2(orientation["w"]), point.heading_rad, 1e-8);
    }
}

#[test]
fn beamng_has_a_line_with_speeds_and_a_script_with_times() {
    let line = sample_lines::stadium();
    let file: Value = serde_json::from_str(&write("beamng", &line)).unwrap();
    let (places, script) = (file["line"].as_array().unwrap(), file["script"].as_array().unwrap());
    assert_eq!((places.len(), script.len()), (line.points.len() + 1, line.points.len() + 1));
    for ((place, step), point) in places.iter().zip(script).zip(&line.points) {
        assert_near(place["pos"][0].as_f64().unwrap(), point.x_m, 6e-5);
        assert_near(place["pos"][1].as_f64().unwrap(), point.y_m, 6e-5);
        assert_near(place["speed"].as_f64().unwrap(), point.speed_mps, 6e-5);
        assert_eq!((&step["x"], &step["y"], &step["z"]), (&place["pos"][0], &place["pos"][1], &place["pos"][2]));
        assert_near(step["t"].as_f64().unwrap(), point.time_s, 6e-5);
    }
    assert_near(script.last().unwrap()["t"].as_f64().unwrap(), line.lap_time_s, 6e-5);
}

/// A point of a cubic Bézier curve half-way.
fn middle(corners: [[f64; 2]; 4]) -> [f64; 2] {
    std::array::from_fn(|axis| {
        (corners[0][axis] + 3.0 * corners[1][axis] + 3.0 * corners[2][axis] + corners[3][axis]) / 8.0
    })
}

#[test]
fn godot_handles_follow_a_circle() {
    let line = sample_lines::circle(50.0, 24);
    let text = write("godot", &line);
    let between = |from: &str, to: &str| {
        let start = text.find(from).unwrap() + from.len();
        text[start..start + text[start..].find(to).unwrap()].to_owned()
    };
    let numbers = |from: &str| -> Vec<f64> {
        between(from, ")").split(',').map(|number| number.trim().parse().unwrap()).collect()
    };
    let points = numbers("\"points\": PackedVector3Array(");
    let count: usize = between("point_count = ", "\n").parse().unwrap();
    assert_eq!((count, points.len()), (25, 25 * 9), "in, out and position of each, the first again");
    assert_eq!(numbers("\"tilts\": PackedFloat32Array(").len(), 25);
    assert_eq!(numbers("metadata/speed_mps = PackedFloat32Array("), [20.0; 25]);
    assert_near(*numbers("metadata/distance_m = PackedFloat32Array(").last().unwrap(), TAU * 50.0, 1e-3);
    // On the ground, seen from above: x to the right and z downwards.
    let vector = |point: usize, part: usize| {
        let at = 9 * point + 3 * part;
        assert_eq!(points[at + 1], 0.0);
        [points[at], -points[at + 2]]
    };
    for i in 0..24 {
        let (a, out, into, b) = (vector(i, 2), vector(i, 1), vector(i + 1, 0), vector(i + 1, 2));
        let corners = [a, [a[0] + out[0], a[1] + out[1]], [b[0] + into[0], b[1] + into[1]], b];
        let [x, y] = middle(corners);
        assert_near(x.hypot(y), 50.0, 2e-3);
        assert_near(a[0].hypot(a[1]), 50.0, 1e-3);
    }
    assert_near(vector(0, 2)[1], 0.0, 1e-9);
    assert!(vector(1, 2)[1] > 0.0, "counter-clockwise");
}

#[test]
fn unity_is_left_handed_with_y_up() {
    let line = sample_lines::winding();
    let file: Value = serde_json::from_str(&write("unity", &line)).unwrap();
    let points = file["points"].as_array().unwrap();
    assert_eq!(points.len(), line.points.len(), "closed implies it, no point is repeated");
    assert_eq!(file["closed"], true);
    let number = |value: &Value| value.as_f64().unwrap();
    for (knot, point) in points.iter().zip(&line.points) {
        assert_near(number(&knot["position_m"]["x"]), point.x_m, 6e-5);
        assert_near(number(&knot["position_m"]["z"]), point.y_m, 6e-5);
        assert_eq!(number(&knot["position_m"]["y"]), 0.0);
        let yaw = number(&knot["yaw_deg"]).to_radians();
        // Forward is +z turned clockwise by yaw: (sin, cos) in x and z.
        assert_near(yaw.sin(), point.heading_rad.cos(), 2e-6);
        assert_near(yaw.cos(), point.heading_rad.sin(), 2e-6);
        let out = &knot["tangent_out_m"];
        assert!(number(&out["x"]) * yaw.sin() + number(&out["z"]) * yaw.cos() > 0.0);
        assert_near(number(&knot["speed_mps"]), point.speed_mps, 6e-5);
    }
    let rows = table(&write("unity-csv", &line), 1, ',');
    assert_eq!(rows.len(), line.points.len() + 1);
    for (row, knot) in rows.iter().zip(points) {
        assert_near(row[0], number(&knot["position_m"]["x"]), 1e-9);
        assert_near(row[2], number(&knot["position_m"]["z"]), 1e-9);
        assert_near(row[3], number(&knot["yaw_deg"]), 1e-9);
        assert_near(row[8], number(&knot["time_s"]), 1e-9);
    }
}

#[test]
fn unreal_counts_in_centimetres_with_y_to_the_right() {
    let line = sample_lines::winding();
    let rows: Vec<Value> = serde_json::from_str(&write("unreal", &line)).unwrap();
    let text = write("unreal-csv", &line);
    let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let table = table(&text, 1, ',');
    assert_eq!((rows.len(), table.len()), (line.points.len() + 1, line.points.len() + 1));
    let number = |row: &Value, column: &str| row[column].as_f64().unwrap();
    for (index, (row, point)) in rows.iter().zip(&line.points).enumerate() {
        assert_eq!(row["Name"], index.to_string());
        assert_near(number(row, "XCm"), 100.0 * point.x_m, 6e-3);
        assert_near(number(row, "YCm"), -100.0 * point.y_m, 6e-3);
        let yaw = number(row, "YawDeg").to_radians();
        assert_near(yaw.cos(), point.heading_rad.cos(), 2e-6);
        assert_near(yaw.sin(), -point.heading_rad.sin(), 2e-6);
        let (tx, ty) = (number(row, "TangentXCm"), number(row, "TangentYCm"));
        assert_near(ty.atan2(tx).sin(), yaw.sin(), 1e-3);
        let next = line.points.get(index + 1).map_or(line.length_m, |next| next.s_m);
        assert_near(tx.hypot(ty), 100.0 * (next - point.s_m), 2e-2);
        assert_near(number(row, "SpeedCmps"), 100.0 * point.speed_mps, 6e-3);
        for (column, value) in header.iter().zip(&table[index]).skip(1) {
            assert_near(number(row, column), *value, 1e-9);
        }
    }
}

/// Metres to the east and north of `origin`, by the radii of curvature there (WGS 84): good to 1e-6
/// of short distances.
fn metres([longitude, latitude]: [f64; 2], origin: [f64; 2]) -> [f64; 2] {
    let (a, e2): (f64, f64) = (6_378_137.0, 6.694_379_990_141e-3);
    // Half-way between, where the change of the radii cancels.
    let sine = ((latitude + origin[1]) / 2.0).to_radians().sin();
    let shape = 1.0 - e2 * sine * sine;
    let (meridian, normal) = (a * (1.0 - e2) / shape.powf(1.5), a / shape.sqrt());
    let cosine = (1.0 - sine * sine).sqrt();
    [(longitude - origin[0]).to_radians() * normal * cosine, (latitude - origin[1]).to_radians() * meridian]
}

#[test]
fn geojson_is_read_by_its_crate() {
    let line = sample_lines::stadium();
    let file: geojson::FeatureCollection = write("geojson", &line).parse().unwrap();
    assert_eq!(file.features.len(), 3);
    let coordinates = |index: usize| -> Vec<[f64; 2]> {
        match &file.features[index].geometry.as_ref().unwrap().value {
            geojson::GeometryValue::LineString { coordinates } => {
                coordinates.iter().map(|position| [position[0], position[1]]).collect()
            }
            other => panic!("{other:?}"),
        }
    };
    let origin = MILAN.geographic_origin_deg.unwrap();
    let expected: [Vec<[f64; 2]>; 3] = [
        line.points.iter().map(|point| [point.x_m, point.y_m]).collect(),
        line.edges.left.clone(),
        line.edges.right.clone(),
    ];
    for (index, expected) in expected.iter().enumerate() {
        let found = coordinates(index);
        assert_eq!(found.len(), expected.len() + 1);
        assert_eq!(found.first(), found.last());
        for (&degrees, &[x, y]) in found.iter().zip(expected) {
            let [east, north] = metres(degrees, origin);
            // The longitude circles converge: a few millimetres at 500 m, which `metres` doesn't
            // know.
            assert_near(east, x, 3e-2);
            assert_near(north, y, 3e-2);
        }
    }
    let properties = file.features[0].properties.as_ref().unwrap();
    assert_eq!(properties["kind"], "racing-line");
    assert_eq!(properties["speed_mps"].as_array().unwrap().len(), line.points.len() + 1);
    assert_near(properties["speed_mps"][3].as_f64().unwrap(), line.points[3].speed_mps, 6e-4);
    assert_eq!(file.features[2].properties.as_ref().unwrap()["kind"], "right-edge");
}

#[test]
fn a_place_on_earth_is_needed_and_checked() {
    let mut line = sample_lines::circle(50.0, 8);
    for name in ["geojson", "gpx"] {
        let format = Format::named(name).unwrap();
        let with = |origin| format.write(&line, &FormatOptions { geographic_origin_deg: origin, ..MILAN });
        let error = with(None).unwrap_err();
        assert!(matches!(error, FormatError::NoGeographicOrigin { .. }));
        let message = error.to_string();
        assert!(message.starts_with(name) && message.contains("position on earth is unknown"), "{message}");
        for origin in [[181.0, 0.0], [0.0, -91.0], [f64::NAN, 0.0]] {
            assert!(matches!(with(Some(origin)), Err(FormatError::GeographicOrigin { .. })), "{origin:?}");
        }
        assert!(with(Some([-180.0, 90.0])).is_ok());
    }
    let asked = write("gpx", &line);
    line.source.geographic_origin_deg = MILAN.geographic_origin_deg;
    let own = Format::named("gpx").unwrap().write(&line, &FormatOptions::default()).unwrap();
    assert_eq!(String::from_utf8(own).unwrap(), asked, "the source's own origin");
    line.points.iter_mut().for_each(|point| point.x_m += 2e5);
    match Format::named("gpx").unwrap().write(&line, &MILAN) {
        Err(FormatError::FarFromOrigin { place, .. }) => assert_eq!(place, "points[0]"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn gpx_is_read_by_an_xml_parser() {
    let mut line = sample_lines::stadium();
    line.name = "A <b> & c".to_owned();
    let text = write("gpx", &line);
    let document = Document::parse(&text).unwrap();
    let root = document.root_element();
    assert_eq!(root.tag_name().namespace(), Some("http://www.topografix.com/GPX/1/1"));
    assert_eq!(root.attribute("version"), Some("1.1"));
    let named = |name: &'static str| {
        document.descendants().filter(move |node| node.has_tag_name(("http://www.topografix.com/GPX/1/1", name)))
    };
    assert_eq!(named("name").next().unwrap().text(), Some("A <b> & c"));
    let points: Vec<Node> = named("trkpt").collect();
    assert_eq!(points.len(), line.points.len() + 1);
    let mut last = String::new();
    for (node, point) in points.iter().zip(&line.points) {
        let degrees = ["lon", "lat"].map(|name| node.attribute(name).unwrap().parse::<f64>().unwrap());
        let [east, north] = metres(degrees, MILAN.geographic_origin_deg.unwrap());
        assert_near(east, point.x_m, 3e-2);
        assert_near(north, point.y_m, 3e-2);
        let time = node.children().find(Node::is_element).unwrap().text().unwrap().to_owned();
        assert!(time > last, "{time} after {last}");
        last = time;
    }
}

#[test]
fn dxf_is_read_by_its_crate() {
    for line in [sample_lines::stadium(), open_line()] {
        let drawing = dxf::Drawing::load(&mut write("dxf", &line).as_bytes()).unwrap();
        let lines: Vec<(String, bool, Vec<[f64; 2]>)> = drawing
            .entities()
            .filter_map(|entity| match &entity.specific {
                dxf::entities::EntityType::Polyline(polyline) => Some((
                    entity.common.layer.clone(),
                    polyline.is_closed(),
                    polyline.vertices().map(|vertex| [vertex.location.x, vertex.location.y]).collect(),
                )),
                _ => None,
            })
            .collect();
        let names: Vec<&str> = lines.iter().map(|(layer, ..)| layer.as_str()).collect();
        assert_eq!(names, ["RACING_LINE", "LEFT_EDGE", "RIGHT_EDGE"]);
        assert!(lines.iter().all(|(_, closed, _)| *closed == line.closed));
        assert_eq!(lines[0].2.len(), line.points.len());
        for (found, point) in lines[0].2.iter().zip(&line.points) {
            assert_near(found[0], point.x_m, 6e-5);
            assert_near(found[1], point.y_m, 6e-5);
        }
        assert_eq!(lines[1].2.len(), line.edges.left.len());
        let layers: Vec<&str> = drawing.layers().map(|layer| layer.name.as_str()).collect();
        assert!(names.iter().all(|name| layers.contains(name)), "{layers:?}");
    }
}

#[test]
fn svg_paths_are_read_by_usvg() {
    use resvg::usvg::{Options, Tree, tiny_skia_path::PathSegment};
    let line = sample_lines::circle(50.0, 24);
    let text = write("svg-path", &line);
    let document = Document::parse(&text).unwrap();
    let ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    assert_eq!(ids, ["left-edge", "right-edge", "racing-line"]);
    // A millimetre a metre, the frame whole round the road.
    assert_eq!(document.root_element().attribute("width"), Some("130mm"));
    assert_eq!(document.root_element().attribute("viewBox"), Some("-65 -65 130 130"));
    let tree = Tree::from_str(&text, &Options::default()).unwrap();
    let resvg::usvg::Node::Path(path) = tree.node_by_id("racing-line").unwrap() else { panic!("no path") };
    let mut here = [0.0; 2];
    let mut curves = 0;
    for segment in path.data().segments() {
        let pair = |point: resvg::usvg::tiny_skia_path::Point| [f64::from(point.x), f64::from(point.y)];
        match segment {
            PathSegment::MoveTo(point) => here = pair(point),
            PathSegment::CubicTo(a, b, end) => {
                let [x, y] = middle([here, pair(a), pair(b), pair(end)]);
                assert_near(x.hypot(y), 50.0, 3e-3);
                here = pair(end);
                curves += 1;
            }
            PathSegment::Close => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(curves, 24);
}
