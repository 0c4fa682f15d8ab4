//! Tracks of TORCS in XML: closed forms, what lies beside the road, the start, errors and damage.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

use std::f64::consts::PI;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use raceline::Options;
use raceline::construction::{ImportError, ImportOptions, Imported};
use raceline::edges::{EdgeKind, EdgePoint, RoadSurface};
use raceline::frame::Spot;
use raceline::geometry::{Point, Polyline};
use raceline::importers::{torcs_surfaces_file, torcs_xml};
use raceline::input::{self, Input, InputKind};
use raceline::pipeline::{self, Silent};
use raceline::track::{TrackOptions, cut};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tempfile::TempDir;

const WIDTH: f64 = 10.0;

/// A number of a section; the unit is that of the name.
fn number(name: &str, value: f64, unit: &str) -> String {
    format!("<attnum name=\"{name}\" unit=\"{unit}\" val=\"{value}\"/>")
}

fn metres(name: &str, value: f64) -> String {
    number(name, value, "m")
}

fn text(name: &str, value: &str) -> String {
    format!("<attstr name=\"{name}\" val=\"{value}\"/>")
}

fn section(name: &str, content: &str) -> String {
    format!("<section name=\"{name}\">\n{content}</section>\n")
}

fn straight(length: f64, more: &str) -> String {
    format!("{}{}{more}", text("type", "str"), metres("lg", length))
}

fn bend(side: &str, radius: f64, degrees: f64, more: &str) -> String {
    format!("{}{}{}{more}", text("type", side), metres("radius", radius), number("arc", degrees, "deg"))
}

/// A file with these attributes of the track and these segments.
fn track(main: &str, segments: &[String]) -> String {
    let mut all = String::new();
    for (index, segment) in segments.iter().enumerate() {
        all += &section(&format!("segment {index}"), segment);
    }
    let main = format!("{}{main}{}", metres("width", WIDTH), section("Track Segments", &all));
    format!(
        "<?xml version=\"1.0\"?>\n<!-- a > b -->\n<params name=\"ring\">\n{}{}</params>\n",
        section("Surfaces", &section("tar", &number("friction", 1.1, ""))),
        section("Main Track", &main)
    )
}

/// A stadium: straights of 100 m and bends to the left with a radius of 50 m.
fn stadium(main: &str, more: [&str; 4]) -> String {
    let [first, second, third, fourth] = more;
    track(
        main,
        &[
            straight(100.0, first),
            bend("lft", 50.0, 180.0, second),
            straight(100.0, third),
            bend("lft", 50.0, 180.0, fourth),
        ],
    )
}

fn imported(text: &str) -> Imported {
    torcs_xml(text.as_bytes(), None, None, &ImportOptions::default()).unwrap()
}

/// The road as far as it goes.
fn open(text: &str) -> Imported {
    torcs_xml(text.as_bytes(), None, Some(false), &ImportOptions::default()).unwrap()
}

fn surface(imported: &Imported) -> &RoadSurface {
    imported.edges.surface.as_ref().unwrap()
}

/// The points of an edge at the ends of steps that are `step` long in the middle of the road, on a
/// straight along x that begins at `from`.
fn heights_along_x(edge: &[EdgePoint], from: f64, step: f64, count: usize) -> Vec<f64> {
    let at = |x: f64| edge.iter().find(|point| (point.position.x - x).abs() < 1e-6).unwrap().height_m;
    (0..=count).map(|k| at(from + step * k as f64)).collect()
}

// ---- Shape

#[test]
fn a_stadium_has_its_closed_form() {
    let imported = imported(&stadium("", [""; 4]));
    assert!(imported.edges.is_closed() && imported.edges.directed);
    assert_eq!(imported.notes.len(), 1, "{:?}", imported.notes);
    // The right edge starts in the origin, and the outer edge of the last bend reaches 55 m before
    // it: no coordinate is below 0.
    let start = imported.start.unwrap();
    assert!((start - Point::new(55.0, 5.0)).norm() < 1e-9, "{start}");
    let distance = |p: Point| (p - Point::new(p.x.clamp(55.0, 155.0), 55.0)).norm();
    for (edge, expected) in [(&imported.edges.left, 45.0), (&imported.edges.right, 55.0)] {
        for (a, b) in edge.pieces() {
            assert!((distance(a) - expected).abs() < 1e-9);
            let sagitta = expected - distance(nalgebra::center(&a, &b));
            assert!((-1e-9..0.005).contains(&sagitta), "{sagitta}");
            assert!((b - a).norm() < 2.0 + 1e-9);
        }
    }
    assert!((imported.edges.left.length() - (200.0 + 2.0 * PI * 45.0)).abs() < 0.05);
    for (edge, line) in
        [(&surface(&imported).left, &imported.edges.left), (&surface(&imported).right, &imported.edges.right)]
    {
        assert_eq!(edge.iter().map(|point| point.position).collect::<Vec<_>>(), line.points);
        assert!(edge.iter().all(|point| point.height_m == 0.0 && point.grip == 1.2));
    }
}

#[test]
fn a_bend_to_the_right_turns_about_its_inner_edge() {
    let imported = open(&track("", &[straight(20.0, ""), bend("rgt", 30.0, 90.0, ""), straight(10.0, "")]));
    // The centre is 25 m to the right of the right edge; it ends heading down.
    let (left, right) = (imported.edges.left.points.last().unwrap(), imported.edges.right.points.last().unwrap());
    let start = imported.start.unwrap();
    assert!((left - start - nalgebra::Vector2::new(20.0 + 35.0, -5.0 - 25.0 - 10.0)).norm() < 1e-9);
    assert!((right - start - nalgebra::Vector2::new(20.0 + 25.0, -5.0 - 25.0 - 10.0)).norm() < 1e-9);
    assert!(!imported.edges.is_closed());
}

#[test]
fn a_bend_with_two_radii_turns_by_its_arc_in_steps_of_one_length() {
    let steps = format!("{}{}", metres("end radius", 90.0), number("profil steps", 7.0, ""));
    let imported = open(&track("", &[bend("lft", 30.0, 120.0, &steps)]));
    let (left, right) = (&imported.edges.left, &imported.edges.right);
    let across = left.points.last().unwrap() - right.points.last().unwrap();
    // Across the road is a right angle ahead of along it.
    let heading = across.y.atan2(across.x).rem_euclid(2.0 * PI) - PI / 2.0;
    assert!((heading - 120f64.to_radians()).abs() < 1e-9, "{}", heading.to_degrees());
    // Radii 30, 40, … 90 m; lengths add up to arc / Σ 1/r, seven times.
    let radii: Vec<f64> = (0..7).map(|k| 30.0 + 10.0 * f64::from(k)).collect();
    let length = 120f64.to_radians() / radii.iter().map(|r| 1.0 / r).sum::<f64>();
    // The edges run at half a width beside the middle.
    let expected: f64 = radii.iter().map(|r| length * (r - WIDTH / 2.0) / r).sum();
    assert!((left.length() - expected).abs() < 0.02, "{} {expected}", left.length());
    let expected: f64 = radii.iter().map(|r| length * (r + WIDTH / 2.0) / r).sum();
    assert!((right.length() - expected).abs() < 0.02, "{} {expected}", right.length());
}

#[test]
fn the_inside_of_the_tightest_bend_is_a_point() {
    let tight =
        track("", &[straight(60.0, ""), bend("lft", 5.0, 180.0, ""), straight(60.0, ""), bend("lft", 5.0, 180.0, "")]);
    let imported = imported(&tight);
    let left = &surface(&imported).left;
    assert_eq!(left.iter().map(|point| point.position).collect::<Vec<_>>(), imported.edges.left.points);
    assert!(left.windows(2).all(|pair| (pair[1].position - pair[0].position).norm() > 0.5));
    assert!((imported.edges.left.length() - 120.0).abs() < 1e-6);
}

#[test]
fn units_are_converted_and_of_two_values_the_first_counts() {
    let feet = format!(
        "{}{}{}",
        text("type", "str"),
        number("lg", 100.0, "ft"),
        "<attnum name=\"lg\" val=\"999\"></attnum>\n<attstr name=\"type\" val=\"lft\"/>"
    );
    let imported = open(&track(&metres("width", 99.0), &[feet]));
    assert!((imported.edges.left.length() - 30.48).abs() < 1e-9);
    assert!((imported.edges.mean_width() - WIDTH).abs() < 1e-9);
}

#[test]
fn a_track_of_speed_dreams_begins_where_it_specifies() {
    let speed_dreams = |version: &str, place: &str| {
        // What TORCS does not have: a number that is text, a unit of time, marks of other kinds.
        let more = format!("<attnum name=\"profil\" in=\"linear,spline\" val=\"linear\"/>{place}");
        let segments = [straight(40.0, &number("DoVfactor", 1.0, "")), bend("lft", 30.0, 90.0, "")];
        let header = section("Header", &number("version", 0.0, "").replace("\"0\"", &format!("\"{version}\"")));
        let local = section("Local Info", &number("time of day", 14.0, "hour"));
        let text =
            track(&more, &segments).replace("<section name=\"Main", &format!("{header}{local}<section name=\"Main"));
        let imported = open(&text);
        let [left, right] = [&imported.edges.left, &imported.edges.right].map(|edge| edge.points[0]);
        (nalgebra::center(&left, &right), left - right, surface(&imported).left[0].height_m)
    };
    let place = [
        metres("start X", 300.0),
        metres("start Y", -20.0),
        metres("start Z", 7.0),
        number("original bearing", 90.0, "deg"),
    ]
    .concat();
    let near = |a: Point, x: f64, y: f64| assert!((a - Point::new(x, y)).norm() < 1e-9, "{a}");
    // It heads up, and then to the left: the left edge's last point is 40 m + 25 m above.
    let (middle, across, height) = speed_dreams("5", &place);
    near(middle, 30.0, 0.0);
    near(across.into(), -WIDTH, 0.0);
    assert_eq!(height, 0.0);
    let min = [metres("minimum X", 100.0), metres("minimum Y", -30.0), metres("minimum Z", 2.0)].concat();
    let (middle, _, height) = speed_dreams("5", &format!("{place}{min}"));
    near(middle, 200.0, 10.0);
    assert!((height - 5.0).abs() < 1e-9);
    // Version 4 has no such places.
    let (middle, across, _) = speed_dreams("4", &format!("{place}{min}"));
    near(middle, 0.0, WIDTH / 2.0);
    near(across.into(), 0.0, WIDTH);
    assert_eq!(speed_dreams("5", ""), speed_dreams("4", ""));
}

// ---- Heights

#[test]
fn heights_follow_a_spline_between_steps() {
    // 100 m in steps of at most 10 m: eleven, since one is added.
    let profile = [
        number("profil steps length", 10.0, "m"),
        metres("z start", 2.0),
        metres("z end", 6.0),
        number("profil start tangent", 3.0, "%"),
        number("profil end tangent", -2.0, "%"),
    ]
    .concat();
    let back = metres("z end", 2.0);
    let imported = imported(&stadium("", [&profile, "", &back, ""]));
    let surface = surface(&imported);
    let expected = |t: f64| {
        let (t2, t3) = (t * t, t * t * t);
        2.0 * (2.0 * t3 - 3.0 * t2 + 1.0) + 6.0 * (3.0 * t2 - 2.0 * t3) + 3.0 * (t3 - 2.0 * t2 + t) - 2.0 * (t3 - t2)
    };
    for edge in [&surface.left, &surface.right] {
        let found = heights_along_x(edge, 55.0, 100.0 / 11.0, 11);
        for (k, height) in found.iter().enumerate() {
            let expected = expected(k as f64 / 11.0);
            assert!((height - expected).abs() < 1e-9, "{k}: {height} isn't {expected}");
        }
        // Linear within a step.
        let (from, to) = (found[4], found[5]);
        for point in edge.iter().filter(|p| p.position.y < 11.0) {
            let fraction = (point.position.x - 55.0) * 11.0 / 100.0 - 4.0;
            if (0.0..1.0).contains(&fraction) {
                assert!((point.height_m - (from + fraction * (to - from))).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn without_a_grade_heights_are_those_of_the_edges_and_of_the_last_end() {
    let segments = [
        straight(50.0, &[metres("z end left", 4.0), metres("z end right", 5.0)].concat()),
        // A start of its own, and the end of the last segment.
        straight(50.0, &metres("z start", 1.0)),
        // Both edges at once count before each.
        straight(50.0, &[metres("z end left", 7.0), metres("z end", 2.0)].concat()),
        // The edges differ as before, the middle follows the grade.
        straight(50.0, &[metres("z start left", 6.0), number("grade", 2.0, "%")].concat()),
    ];
    let imported = open(&track(&metres("profil steps length", 60.0), &segments));
    let surface = surface(&imported);
    let at = |edge: &[EdgePoint], x: f64| heights_along_x(edge, x, 0.0, 0)[0];
    for (x, left, right) in [(0.0, 0.0, 0.0), (50.0, 1.0, 1.0), (100.0, 4.0, 5.0), (150.0, 6.0, 2.0), (200.0, 5.0, 5.0)]
    {
        let found = [at(&surface.left, x), at(&surface.right, x)];
        assert!((found[0] - left).abs() < 1e-9 && (found[1] - right).abs() < 1e-9, "{x}: {found:?}, {left}, {right}");
    }
}

#[test]
fn jumps_of_the_heights_are_reported() {
    let jump = |by: f64| {
        let back = [metres("z end", 0.0), metres("profil start tangent", 0.0)].concat();
        let third = [metres("z start", by), metres("z end", 0.0)].concat();
        let imported = imported(&stadium("", ["", &back, &third, &back]));
        let reported: Vec<String> = imported.notes.iter().map(ToString::to_string).collect();
        reported.into_iter().find(|note| note.contains("jump"))
    };
    let reported = jump(0.25).unwrap();
    assert!(reported.starts_with("heights jump in one place between segments, by at most 0.250 m"), "{reported}");
    assert!(reported.contains("section \"segment 2\" (line "), "{reported}");
    assert_eq!(jump(0.01), None);
}

#[test]
fn grade_and_tangents_hold_on_and_z_end_levels_the_road() {
    let segments = [
        straight(100.0, &[number("grade", 5.0, "%"), number("profil end tangent", 5.0, "%")].concat()),
        // The grade and both tangents of the last: a plane.
        straight(50.0, &number("profil steps", 4.0, "")),
        straight(50.0, &number("banking end", 10.0, "deg")),
        straight(50.0, ""),
        straight(50.0, &metres("z end", 3.0)),
        straight(50.0, &[text("profil", "linear"), metres("z end left", 4.0), metres("z end right", 5.0)].concat()),
    ];
    let imported = open(&track(&metres("profil steps length", 5.0), &segments));
    let surface = surface(&imported);
    let at = |edge: &[EdgePoint], x: f64| heights_along_x(edge, x, 0.0, 0)[0];
    let half = WIDTH / 2.0 * 10f64.to_radians().tan();
    for (x, left, right) in [
        (0.0, 0.0, 0.0),
        (100.0, 5.0, 5.0),
        (112.5, 5.625, 5.625),
        (125.0, 6.25, 6.25),
        (150.0, 7.5, 7.5),
        (200.0, 10.0 + half, 10.0 - half),
        // A grade keeps the banking.
        (250.0, 12.5 + half, 12.5 - half),
        (300.0, 3.0, 3.0),
        // The height of the middle is that of the grade.
        (350.0, 5.0, 6.0),
    ] {
        let found = [at(&surface.left, x), at(&surface.right, x)];
        assert!((found[0] - left).abs() < 1e-9 && (found[1] - right).abs() < 1e-9, "{x}: {found:?}, {left}, {right}");
    }
    // A linear profile has one step.
    let last = surface.left.iter().filter(|point| point.position.x > 300.0 + 1e-6);
    assert!(last.clone().count() > 20);
    for point in last {
        assert!((point.height_m - (3.0 + 2.0 * (point.position.x - 300.0) / 50.0)).abs() < 1e-9);
    }
}

#[test]
fn no_height_is_below_zero() {
    let imported = imported(&stadium("", [&metres("z end", -7.0), "", &metres("z end", 0.0), ""]));
    let all = surface(&imported).left.iter().map(|point| point.height_m);
    assert!(all.clone().fold(f64::MAX, f64::min).abs() < 1e-9);
    assert!((all.fold(f64::MIN, f64::max) - 7.0).abs() < 1e-9);
}

#[test]
fn sides_move_the_track_as_the_simulator_does() {
    // 3 m of border and up to 8 m of side on the right, outside of the bends.
    let right = section("Right Border", &metres("width", 3.0));
    let wide = section("Right Side", &[metres("start width", 2.0), metres("end width", 8.0)].concat());
    let imported = imported(&stadium(&right, ["", "", "", &wide]));
    let start = imported.start.unwrap();
    assert!((start.x - (55.0 + 11.0)).abs() < 0.02, "{start}");
    // The last side ends 8 m wide below the start.
    assert!((start.y - (5.0 + 11.0)).abs() < 1e-9, "{start}");
}

// ---- What lies beside the road

/// The kinds of the left and right edge along a straight with these sections, and how many notes
/// about surfaces.
fn kinds(sides: &str) -> [EdgeKind; 2] {
    let far = [("Left Side", 5.0), ("Right Side", 5.0)].map(|(name, width)| section(name, &metres("width", width)));
    let main = format!("{}{sides}{}", text("surface", "tar"), far.concat());
    let imported = open(&track(&main, &[straight(50.0, "")]));
    let surface = surface(&imported);
    assert!(surface.left.iter().all(|point| point.kind == surface.left[0].kind && point.grip == 1.1));
    [surface.left[0].kind, surface.right[0].kind]
}

#[test]
fn an_edge_is_what_its_border_is() {
    use EdgeKind::{Kerb, Line, Wall};
    let border = |side: &str, width: f64, height: f64, style: &str, surface: &str| {
        let content =
            [metres("width", width), metres("height", height), text("style", style), text("surface", surface)].concat();
        section(&format!("{side} Border"), &content)
    };
    assert_eq!(kinds(""), [Line, Line]);
    assert_eq!(kinds(&border("Left", 0.5, 1.0, "wall", "tar")), [Wall, Line]);
    assert_eq!(kinds(&border("Right", 0.5, 0.05, "curb", "curb-l")), [Line, Kerb]);
    assert_eq!(kinds(&border("Right", 2.0, 0.0, "plan", "tar")), [Line, Kerb]);
    // Too narrow, too high, too slippery, one that does not exist.
    assert_eq!(kinds(&border("Left", 0.4, 0.05, "curb", "tar")), [Line, Line]);
    assert_eq!(kinds(&border("Left", 0.5, 0.15, "curb", "tar")), [Line, Line]);
    assert_eq!(kinds(&border("Left", 0.5, 0.05, "plan", "grass")), [Line, Line]);
    assert_eq!(kinds(&border("Left", 0.0, 1.0, "wall", "tar")), [Line, Line]);
    // A barrier at the edge, and one just behind a kerb. The first section of a name counts.
    let narrow = |width: f64| section("Left Side", &metres("width", width));
    assert_eq!(kinds(&narrow(0.2)), [Wall, Line]);
    assert_eq!(kinds(&(narrow(0.2) + &border("Left", 0.5, 0.05, "curb", "tar"))), [Line, Line]);
}

#[test]
fn a_kind_begins_and_ends_with_its_segments() {
    let wall = section("Left Border", &[metres("width", 0.5), text("style", "wall"), metres("height", 1.0)].concat());
    let none = section("Left Border", &metres("width", 0.0));
    let side = section("Left Side", &[metres("start width", 5.0), metres("end width", 5.0)].concat());
    let segments =
        [straight(50.0, &side), straight(50.0, &wall), straight(50.0, &text("surface", "tar")), straight(50.0, &none)];
    let imported = open(&track("", &segments));
    let surface = surface(&imported);
    for point in &surface.left[..surface.left.len() - 1] {
        let is_wall = (50.0 - 1e-6..150.0 - 1e-6).contains(&point.position.x);
        assert_eq!(point.kind == EdgeKind::Wall, is_wall, "{}", point.position.x);
        // A surface holds on, and between two the less grippy one holds.
        let expected = if point.position.x < 100.0 - 1e-6 { 1.2 } else { 1.1 };
        assert!((point.grip - expected).abs() < 1e-12);
    }
}

// ---- Surfaces

fn with_entity(path: &str) -> String {
    let surfaces = section("Surfaces", "&default-surfaces;");
    let text = stadium(&text("surface", "asphalt"), [""; 4]);
    let doctype = format!(
        "<!DOCTYPE params SYSTEM \"params.dtd\" [\n<!-- the \"standard\" -->\n\
         <!ENTITY default-surfaces SYSTEM \"{path}\">\n]>\n<params"
    );
    text.replacen("<params", &doctype, 1)
        .replacen("<section name=\"Main", &(surfaces + "<section name=\"Main"), 1)
        .replacen(&section("Surfaces", &section("tar", &number("friction", 1.1, ""))), "", 1)
}

#[test]
fn surfaces_are_those_of_the_file_then_of_the_entity_then_of_torcs() {
    let xml = with_entity("../surfaces.xml");
    assert_eq!(torcs_surfaces_file(xml.as_bytes()).as_deref(), Some("../surfaces.xml"));
    let grip = |standard: Option<&str>| {
        let imported = torcs_xml(xml.as_bytes(), standard.map(str::as_bytes), None, &ImportOptions::default()).unwrap();
        let notes: Vec<String> = imported.notes.iter().map(ToString::to_string).collect();
        (surface(&imported).left[7].grip, notes.join("; "))
    };
    let fragment = format!("<!-- only sections -->\n{}", section("asphalt", &number("friction", 0.9, "")));
    assert_eq!(grip(Some(&fragment)), (0.9, String::new()));
    let (assumed, note) = grip(None);
    assert_eq!(assumed, 1.2);
    assert!(note.contains("../surfaces.xml was not found") && note.contains("asphalt 1.2"), "{note}");
    // What is no file of surfaces counts as missing.
    assert_eq!(grip(Some("<params>")).0, 1.2);
    assert_eq!(grip(Some("\u{0}\u{1}")).0, 1.2);
    let unknown = imported(&stadium(&text("surface", "ice of mars"), [""; 4]));
    assert_eq!(surface(&unknown).left[7].grip, 0.8);
    assert!(unknown.notes[0].to_string().contains("ice of mars"), "{:?}", unknown.notes);
}

#[test]
fn the_file_of_surfaces_is_found_beside_the_track_and_nowhere_else() {
    let folder = TempDir::new().unwrap();
    let tracks = folder.path().join("tracks");
    fs::create_dir(&tracks).unwrap();
    let surfaces = section("asphalt", &number("friction", 0.7, ""));
    fs::write(folder.path().join("surfaces.xml"), &surfaces).unwrap();
    fs::write(folder.path().join("surfaces.txt"), &surfaces).unwrap();
    let file = tracks.join("ring.xml");
    let absolute = folder.path().join("surfaces.xml").display().to_string();
    for (path, is_read) in
        [("../surfaces.xml", true), ("none.xml", false), ("../surfaces.txt", false), (absolute.as_str(), false)]
    {
        fs::write(&file, with_entity(path)).unwrap();
        let Input::TorcsXml { surfaces: found, .. } = input::read(&file).unwrap() else { panic!("not XML of TORCS") };
        assert_eq!(found.is_some(), is_read, "{path}");
        assert_eq!(input::files_of(&file).len() > 1, !matches!(path, "../surfaces.txt") && path != absolute, "{path}");
    }
    fs::write(&file, with_entity("../surfaces.xml")).unwrap();
    let before = input::read(&file).unwrap().digests();
    fs::write(folder.path().join("surfaces.xml"), surfaces + " ").unwrap();
    assert_ne!(input::read(&file).unwrap().digests(), before);
}

#[test]
fn latin_1_is_read() {
    let text = stadium(&text("author", "Bj?rn"), [""; 4]);
    let bytes: Vec<u8> = text.bytes().map(|byte| if byte == b'?' { 0xf6 } else { byte }).collect();
    assert!(std::str::from_utf8(&bytes).is_err());
    // The question marks of the declaration are needed.
    let bytes = [
        b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n",
        &bytes[bytes.iter().position(|&b| b == b'\n').unwrap()..],
    ]
    .concat();
    assert_eq!(InputKind::of(Path::new("road.png"), &bytes), InputKind::TorcsXml);
    assert!(torcs_xml(&bytes, None, None, &ImportOptions::default()).is_ok());
}

#[test]
fn tracks_of_version_3_name_their_sides_otherwise() {
    let main = [metres("lside width", 4.0), text("lside surface", "grass"), metres("rside width", 0.1)].concat();
    let old = stadium(&main, [""; 4]).replace("Track Segments", "segments");
    let imported = imported(&old);
    assert!((imported.start.unwrap() - Point::new(55.1, 5.1)).norm() < 1e-2, "{:?}", imported.start);
    assert_eq!(surface(&imported).left[0].kind, EdgeKind::Line);
    assert_eq!(surface(&imported).right[0].kind, EdgeKind::Wall);
}

// ---- Start, end and the pipeline

#[test]
fn a_gap_at_the_end_is_spread_and_reported() {
    let segments = [
        straight(100.0, ""),
        bend("lft", 50.0, 180.0, ""),
        straight(99.8, ""),
        bend("lft", 50.0, 180.0, &metres("z end", 0.05)),
    ];
    let imported = imported(&track("", &segments));
    let note = imported.notes.last().unwrap().to_string();
    assert!(note.contains("0.200 m and 0.050 m in height"), "{note}");
    // No jump, no kink, and nothing moved far from the end.
    let left = &imported.edges.left;
    let pieces: Vec<_> = left.pieces().map(|(a, b)| b - a).collect();
    for (index, piece) in pieces.iter().enumerate() {
        let next = pieces[(index + 1) % pieces.len()];
        assert!(piece.norm() > 0.5 && piece.norm() < 2.1);
        assert!(piece.angle(&next) < 0.04, "{index}: {}", piece.angle(&next));
    }
    let distance = |p: Point| (p - Point::new(p.x.clamp(54.8, 154.8), 55.0)).norm() - 45.0;
    let first = left.points.iter().take(left.points.len() / 2);
    assert!(first.clone().all(|&p| distance(p).abs() < 1e-9));
    let heights: Vec<f64> = surface(&imported).left.iter().map(|point| point.height_m).collect();
    assert!((heights[0] - heights.last().unwrap()).abs() < 0.002);
}

#[test]
fn the_lap_starts_at_the_first_segment_unless_a_start_is_given() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("ring.xml");
    fs::write(&file, stadium("", [""; 4])).unwrap();
    let mut options = Options::default();
    let first = |options: &Options| pipeline::extract(&file, options, &Silent).unwrap().track.sections[0].middle();
    assert!((first(&options) - Point::new(55.0, 5.0)).norm() < 0.01);
    options.track.start = Some(Spot::Metres([100.0, 105.0]));
    assert!((first(&options) - Point::new(100.0, 105.0)).norm() < 0.01);
    options.scale.metres_per_pixel = Some(1.0);
    assert!(pipeline::extract(&file, &options, &Silent).is_err());
}

#[test]
fn xml_is_recognised_by_its_content() {
    let ring = stadium("", [""; 4]);
    for name in ["ring.png", "ring.json", "ring"] {
        assert_eq!(InputKind::of(Path::new(name), ring.as_bytes()), InputKind::TorcsXml);
        assert_eq!(InputKind::of(Path::new(name), with_entity("a.xml").as_bytes()), InputKind::TorcsXml);
    }
    for other in ["<params><section name=\"Car\"/></params>", "<other/>", "<params"] {
        assert_ne!(InputKind::of(Path::new("other.png"), other.as_bytes()), InputKind::TorcsXml);
        assert_eq!(InputKind::of(Path::new("other.xml"), other.as_bytes()), InputKind::TorcsXml);
    }
}

// ---- Errors

fn fails(text: &str, words: &[&str]) {
    let error = torcs_xml(text.as_bytes(), None, None, &ImportOptions::default()).unwrap_err();
    let message = error.to_string();
    for word in words {
        assert!(message.contains(word), "{word:?} is missing in: {message}");
    }
}

#[test]
fn bad_tracks_are_reported_with_line_segment_and_remedy() {
    fails("", &["the file", "no section \"Main Track\"", "TORCS"]);
    fails("<params>\n<section name=\"a\">\n</params>", &["line 3", "well-formed"]);
    fails("<params>\n<section name=\"a\">\n", &["line 2", "section \"a\" begins here and does not end"]);
    fails("<params>\n<section name=\"Main Track\"/>\n</params>", &["line 2, section \"Main Track\"", "Track Segments"]);
    fails(&track("", &[]), &["section \"Track Segments\"", "no segment"]);
    let one = |segment: String| track("", &[straight(10.0, ""), segment]);
    fails(&one(String::new()), &["line 12, section \"segment 1\"", "no type", "str, lft or rgt"]);
    fails(&one(text("type", "hairpin")), &["segment 1", "its type is \"hairpin\""]);
    fails(&one(text("type", "str")), &["segment 1", "it has no lg", "metres"]);
    fails(&one(straight(-3.0, "")), &["segment 1", "lg is -3, below 0"]);
    fails(&one(bend("rgt", 3.0, 90.0, "")), &["radius is 3 m, less than half the road's width of 10 m"]);
    fails(&one(bend("rgt", 30.0, 90.0, &metres("end radius", 1.0))), &["end radius is 1 m"]);
    fails(&one(bend("rgt", 30.0, 900.0, "")), &["arc is 900 degrees", "at most 720"]);
    fails(&one(text("type", "lft") + &metres("radius", 30.0)), &["it has no arc"]);
    fails(&one(straight(f64::NAN, "")), &["segment 1", "lg = \"NaN\" is not a finite number"]);
    fails(&one(straight(1e300, "")), &["too large for a track"]);
    fails(
        &one(straight(5.0, &number("grade", 3.0, "furlong"))),
        &["grade has the unknown unit \"furlong\"", "deg or %"],
    );
    fails(&one(straight(5.0, &number("banking end", 90.0, "deg"))), &["banking end is 90 degrees"]);
    fails(&one(straight(5.0, &number("profil steps", 1e6, ""))), &["steps", "profil steps length"]);
    fails(&one(straight(5.0, &number("profil steps length", 1e-6, ""))), &["steps", "profil steps length"]);
    fails(&one(straight(5.0, &number("profil steps", -4.0, ""))), &["-4 steps"]);
    fails(&track("", &vec![straight(1e5, ""); 3]), &["300 km long"]);
    fails(&track("", &[straight(100.0, "")]), &["ends 100.0 m from the start", "the option shape"]);
    fails(&stadium("", ["", "", "", &metres("z end", 20.0)]), &["20.0 m above or below"]);
    let half = track("", &[straight(1.0, ""), bend("lft", 50.0, 360.0, ""), bend("lft", 6.0, 90.0, "")]);
    fails(&half, &["90 degrees off"]);
    let narrow = stadium("", [""; 4]).replacen("val=\"10\"", "val=\"0\"", 1);
    fails(&narrow, &["section \"Main Track\"", "width of the road is 0 m"]);
    let wide = stadium("", [""; 4]).replacen("unit=\"m\" val=\"10\"", "unit=\"m\" val=\"0.01\"", 1);
    fails(&wide, &["wide"]);
    let deep = "<a>".repeat(100_000);
    fails(&deep, &["nested too deep"]);
}

#[test]
fn damaged_files_and_absurd_numbers_give_a_road_or_an_error_and_never_a_panic() {
    let ring = stadium(
        &section("Left Side", &metres("width", 4.0)),
        [
            &metres("z end", 3.0),
            &number("banking end", 5.0, "deg"),
            &number("profil steps length", 7.0, "m"),
            &[metres("end radius", 50.0), metres("z end", 0.0)].concat(),
        ],
    );
    let mut random = ChaCha8Rng::seed_from_u64(17);
    let values = [
        "0", "-1", "1e-300", "1e6", "999999", "-1e6", "1e300", "NaN", "inf", "", "0.001", "5", "360", "12,5", "1e5",
        "x",
    ];
    let quotes: Vec<usize> = ring.match_indices("val=\"").map(|(at, mark)| at + mark.len()).collect();
    let mut roads = 0;
    for round in 0..3000 {
        let text = match round % 3 {
            // Cut short.
            0 => ring[..random.random_range(0..ring.len())].to_owned(),
            // Another value.
            1 => {
                let from = quotes[random.random_range(0..quotes.len())];
                let until = from + ring[from..].find('"').unwrap();
                format!("{}{}{}", &ring[..from], values[random.random_range(0..values.len())], &ring[until..])
            }
            // Other bytes.
            _ => {
                let mut bytes = ring.clone().into_bytes();
                for _ in 0..random.random_range(1..4) {
                    let at = random.random_range(0..bytes.len());
                    bytes[at] = random.random();
                }
                bytes.iter().map(|&byte| char::from(byte)).collect()
            }
        };
        let closed = [None, Some(false), Some(true)][round / 3 % 3];
        let smoothing_m = (round % 11 == 0).then_some(2.0);
        let read = torcs_xml(
            text.as_bytes(),
            Some(text.as_bytes()),
            closed,
            &ImportOptions { smoothing_m, ..ImportOptions::default() },
        );
        if let Ok(imported) = read {
            let surface = surface(&imported);
            for point in surface.left.iter().chain(&surface.right) {
                assert!(point.position.coords.iter().all(|value| value.is_finite()));
                assert!(point.height_m.is_finite() && point.grip > 0.0);
            }
            if round % 20 == 0 && imported.edges.is_closed() && imported.edges.centre_length() < 2000.0 {
                let _ = cut(&imported.edges, &TrackOptions::default());
            }
            roads += 1;
        }
        let _ = torcs_surfaces_file(text.as_bytes());
        let _ = InputKind::of(Path::new("a"), text.as_bytes());
    }
    assert!(roads > 300, "only {roads} of 3000 files were readable");
}

#[test]
fn many_steps_are_refused_in_no_time() {
    let segments = vec![straight(0.2, &number("profil steps", 900_000.0, "")); 5];
    fails(&track("", &segments), &["segment 1", "more than 1000000 steps"]);
    let mut elements = String::from("<params>");
    for _ in 0..1_100_000 {
        write!(elements, "<a/>").unwrap();
    }
    assert!(matches!(
        torcs_xml(elements.as_bytes(), None, None, &ImportOptions::default()),
        Err(ImportError::Xml { .. })
    ));
}

// ---- The tracks of an installation

/// The tracks of TORCS, where Debian's package installs them.
fn installed_tracks() -> Vec<PathBuf> {
    let root = Path::new("/usr/share/games/torcs/tracks");
    let folders = |path: &Path| -> Vec<PathBuf> {
        fs::read_dir(path)
            .map(|entries| entries.filter_map(Result::ok).map(|entry| entry.path()).collect())
            .unwrap_or_default()
    };
    let mut files: Vec<PathBuf> = folders(root)
        .iter()
        .flat_map(|kind| folders(kind))
        .filter_map(|track| Some(track.join(track.file_name()?).with_extension("xml")))
        .filter(|file| file.is_file())
        .collect();
    files.sort();
    files
}

#[test]
fn every_installed_track_is_read() {
    let files = installed_tracks();
    if files.is_empty() {
        println!("skipped: TORCS is not installed");
        return;
    }
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        // Their folder's name may hold a point, which is no ending.
        let Input::TorcsXml { xml, surfaces } = input::read(&file).unwrap() else { panic!("{name}") };
        let imported = torcs_xml(&xml, surfaces.as_deref(), None, &ImportOptions::default())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let edges = &imported.edges;
        assert!(edges.is_closed() && edges.area() > 0.0, "{name}");
        let min =
            |of: &dyn Fn(Point) -> f64, line: &Polyline| line.points.iter().map(|&p| of(p)).fold(f64::MAX, f64::min);
        for line in [&edges.left, &edges.right] {
            assert!(min(&|p| p.x, line) > -0.3 && min(&|p| p.y, line) > -0.3, "{name}");
        }
        // Lengths as the simulator reports them.
        let known = [("forza", 5784.10), ("aalborg", 2587.54), ("alpine-2", 3773.57), ("spring", 22129.77)];
        if let Some((_, length)) = known.iter().find(|(known, _)| *known == name) {
            assert!((edges.centre_length() - length).abs() < 1.0, "{name}: {}", edges.centre_length());
        }
    }
}
