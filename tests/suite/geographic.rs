//! Tracks in degrees of longitude and latitude: KML, KMZ, GPX, and roads with one edge in each of two
//! files.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

use std::f64::consts::TAU;
use std::fs;
use std::io::Write as _;

use raceline::Options;
use raceline::construction::{ImportError, ImportNote, ImportOptions, Imported};
use raceline::files::LARGEST_TRACK_FILE;
use raceline::importers::{EdgeFile, geojson, gpx, kml, two_files};
use raceline::pipeline::{self, Silent};

use crate::messages::with_sources;

const RADIUS_M: f64 = 200.0;
const WIDTH_M: f64 = 10.0;
/// Length of a degree on the equator of WGS 84: of longitude, and of latitude.
const DEGREE_M: [f64; 2] = [111_319.490_793, 110_574.275_8];

/// A circle about (12°, 0°), closed by its first point, as longitude and latitude.
fn circle(radius_m: f64) -> Vec<[f64; 2]> {
    (0..=120)
        .map(|i| (TAU * f64::from(i % 120) / 120.0).sin_cos())
        .map(|(sin, cos)| [12.0 + radius_m * cos / DEGREE_M[0], radius_m * sin / DEGREE_M[1]])
        .collect()
}

fn joined(points: &[[f64; 2]], point: impl Fn(&[f64; 2]) -> String, between: &str) -> String {
    points.iter().map(point).collect::<Vec<_>>().join(between)
}

fn kml_of(placemarks: &[(&str, String)]) -> String {
    let placemark = |(name, coordinates): &(&str, String)| {
        format!(
            "<Placemark><name>{name}</name><LineString><tessellate>1</tessellate><coordinates>{coordinates}\
             </coordinates></LineString></Placemark>"
        )
    };
    let placemarks: String = placemarks.iter().map(placemark).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document>\
         <name>a document</name><Style id=\"s\"><LineStyle><width>2</width></LineStyle></Style><Folder>{placemarks}\
         </Folder></Document></kml>"
    )
}

fn standard(points: &[[f64; 2]]) -> String {
    joined(points, |[longitude, latitude]| format!("{longitude},{latitude},0"), " ")
}

fn gpx_of(points: &[[f64; 2]]) -> String {
    let half = points.len() / 2;
    let segment = |points: &[[f64; 2]]| {
        let point = |[longitude, latitude]: &[f64; 2]| {
            format!(
                "<trkpt lon=\"{longitude}\" lat=\"{latitude}\"><ele>7.5</ele><time>2026-01-01T00:00:00Z</time></trkpt>"
            )
        };
        format!("<trkseg>{}</trkseg>", joined(points, point, "\n"))
    };
    format!(
        "<gpx version=\"1.1\" creator=\"a test\" xmlns=\"http://www.topografix.com/GPX/1/1\"><metadata/>\
         <wpt lat=\"0\" lon=\"12\"><name>start</name></wpt><trk><name>Ring</name>{}{}</trk></gpx>",
        segment(&points[..half]),
        segment(&points[half..])
    )
}

fn wide() -> ImportOptions {
    ImportOptions { width_m: Some(WIDTH_M), ..ImportOptions::default() }
}

fn assert_is_the_ring(imported: &Imported) {
    let expected = TAU * RADIUS_M * WIDTH_M;
    let area = imported.edges.area();
    assert!((area / expected - 1.0).abs() < 0.005, "{area} isn't {expected}");
    assert!(imported.edges.is_closed());
}

#[test]
fn a_line_of_kml_takes_the_width_of_the_options() {
    let points = circle(RADIUS_M);
    let with_blanks = joined(&points, |[longitude, latitude]| format!("{longitude}, {latitude}, 0"), "\n\t");
    let in_one_row = joined(&points, |[longitude, latitude]| format!("{longitude}, {latitude}, 120.5"), ", ");
    for coordinates in [standard(&points), with_blanks, in_one_row] {
        let text = kml_of(&[("Ring", coordinates)]);
        let imported = kml(text.as_bytes(), None, &wide()).unwrap();
        assert_is_the_ring(&imported);
        assert_eq!(imported.name.as_deref(), Some("Ring"));
        let refused = kml(text.as_bytes(), None, &ImportOptions::default()).unwrap_err().to_string();
        assert!(refused.contains("line 1 (Ring): the line has no width: specify track_width_m"), "{refused}");
    }
}

#[test]
fn a_height_of_zero_everywhere_is_none() {
    let flat = kml(kml_of(&[("a", standard(&circle(RADIUS_M)))]).as_bytes(), None, &wide()).unwrap();
    assert!(flat.edges.surface.is_none());
    let hilly = standard(&circle(RADIUS_M)).replacen(",0 ", ",3 ", 1);
    let hilly = kml(kml_of(&[("a", hilly)]).as_bytes(), None, &wide()).unwrap();
    assert!(hilly.edges.surface.is_some());
}

#[test]
fn two_lines_of_kml_are_edges_by_their_names() {
    let (inner, outer) = (circle(RADIUS_M - WIDTH_M / 2.0), circle(RADIUS_M + WIDTH_M / 2.0));
    for order in [[("ring_left", &inner), ("ring_right", &outer)], [("ring_right", &outer), ("ring_left", &inner)]] {
        let text = kml_of(&order.map(|(name, points)| (name, standard(points))));
        let imported = kml(text.as_bytes(), None, &ImportOptions::default()).unwrap();
        assert_is_the_ring(&imported);
        assert!(!imported.notes.contains(&ImportNote::EdgesSwapped));
        assert_eq!(imported.name, None);
    }
}

/// catalunya.kml with heights from an elevation model was banked by up to 12 degrees.
#[test]
fn noisy_heights_of_two_edges_give_no_banking() {
    let banked = |noise_m: f64, smoothing_m: Option<f64>| {
        let edge = |radius_m: f64, height_m: f64, irrational: f64| {
            let coordinates = circle(radius_m).into_iter().enumerate().map(|(i, [longitude, latitude])| {
                let noise = noise_m * (((i % 120) as f64 * irrational).fract() - 0.5);
                format!("{longitude},{latitude},{}", 50.0 + height_m + noise)
            });
            coordinates.collect::<Vec<_>>().join(" ")
        };
        let left = edge(RADIUS_M - WIDTH_M / 2.0, 0.0, 0.618_034);
        let right = edge(RADIUS_M + WIDTH_M / 2.0, 0.5, 0.755);
        let text = kml_of(&[("ring_left", left), ("ring_right", right)]);
        let imported = kml(text.as_bytes(), None, &ImportOptions { smoothing_m, ..ImportOptions::default() }).unwrap();
        let surface = imported.edges.surface.unwrap();
        let rises: Vec<f64> = surface.left.iter().zip(&surface.right).map(|(l, r)| r.height_m - l.height_m).collect();
        let left_out = imported.notes.iter().any(|note| matches!(note, ImportNote::BankingLeftOut { .. }));
        (rises, left_out)
    };
    let (rises, left_out) = banked(0.0, None);
    assert!(!left_out && rises.iter().all(|rise| (rise - 0.5).abs() < 1e-9));
    let (rises, left_out) = banked(3.0, None);
    assert!(left_out && rises.iter().all(|rise| rise.abs() < 0.01), "{rises:?}");
    let (rises, left_out) = banked(3.0, Some(0.0));
    assert!(!left_out && rises.iter().any(|rise| (rise - 0.5).abs() > 1.0));
}

/// A surveyor's file has more lines than the edges: the option names those that are meant.
#[test]
fn one_or_two_of_several_lines_are_chosen_by_name_or_number() {
    let (inner, outer) = (circle(RADIUS_M - WIDTH_M / 2.0), circle(RADIUS_M + WIDTH_M / 2.0));
    let lines = [("Center", circle(RADIUS_M)), ("Inner", inner), ("Pit", circle(50.0)), ("Outer", outer)];
    let text = kml_of(&lines.map(|(name, points)| (name, standard(&points))));
    let part = |part: &str, options: ImportOptions| {
        kml(text.as_bytes(), None, &ImportOptions { part: Some(part.to_owned()), ..options })
    };
    for name in ["center", "1"] {
        let imported = part(name, wide()).unwrap();
        assert_is_the_ring(&imported);
        assert_eq!(imported.name.as_deref(), Some("Center"));
    }
    for names in ["Inner + Outer", "outer + inner", "4 + 2"] {
        assert_is_the_ring(&part(names, ImportOptions::default()).unwrap());
    }
    let several = kml(text.as_bytes(), None, &ImportOptions::default()).unwrap_err().to_string();
    assert!(several.contains("4 lines and 0 polygons: Center (1.26 km), Inner (1.23 km), Pit (0.31 km)"), "{several}");
    match part("Inner + Middle", ImportOptions::default()) {
        Err(ImportError::NoSuchPart { part, known }) => assert!(part == "Middle" && known.contains("Pit (0.31 km)")),
        other => panic!("{other:?}"),
    }
    let twice = kml_of(&[("a", standard(&circle(RADIUS_M))), ("A", standard(&circle(50.0)))]);
    let part = ImportOptions { part: Some("a".to_owned()), ..wide() };
    let message = kml(twice.as_bytes(), None, &part).unwrap_err().to_string();
    assert!(message.contains("2 lines are called \"a\"") && message.contains("by its number"), "{message}");
}

/// A KMZ with these files.
pub fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in files {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn kml_that_is_cut_off_is_refused_and_does_not_hang() {
    let text = kml_of(&[("Ring", standard(&circle(RADIUS_M)))]);
    for last in ["<Document>", "<Placemark>", "<name>Ring", "<LineString>", "</LineString>", "</Folder>"] {
        let end = text.find(last).unwrap() + last.len();
        let error = kml(&text.as_bytes()[..end], None, &ImportOptions::default()).unwrap_err();
        let message = with_sources(&error);
        assert!(message.contains("ends inside an element"), "after {last}: {message}");
    }
    // What fuzzing found: a second start of the file in a tag that is not closed.
    let found = b"<kml><Placemark><name>ring</name><Line<kml><Placemark><LineString><coordinates>11Stri.";
    assert!(kml(found, None, &ImportOptions::default()).is_err());
}

#[test]
fn a_kmz_is_the_kml_in_it() {
    let text = kml_of(&[("Ring", standard(&circle(RADIUS_M)))]);
    let kmz = archive(&[("files/pin.png", b"\x89PNG"), ("doc.kml", text.as_bytes())]);
    let folder = tempfile::tempdir().unwrap();
    // The content decides, whatever the name.
    let path = folder.path().join("ring.zip");
    fs::write(&path, kmz).unwrap();
    let mut options = Options::default();
    options.scale.track_width_m = Some(WIDTH_M);
    let extraction = pipeline::extract(&path, &options, &Silent).unwrap();
    assert_eq!(extraction.name, "Ring");
    assert!((extraction.track.centre_line().length() / (TAU * RADIUS_M) - 1.0).abs() < 0.005);

    fs::write(&path, archive(&[("a.txt", b"words")])).unwrap();
    let message = with_sources(&pipeline::extract(&path, &options, &Silent).unwrap_err());
    assert!(message.contains("a ZIP archive"), "{message}");
}

#[test]
fn an_archive_that_unpacks_to_more_than_a_track_is_refused() {
    let bomb = vec![b' '; LARGEST_TRACK_FILE as usize + 1];
    let error = kml(&archive(&[("doc.kml", &bomb)]), None, &wide()).unwrap_err();
    assert!(matches!(&error, ImportError::Kml { message } if message.contains("is larger than")), "{error}");
    let deep = "<kml>".to_owned() + &"<Folder>".repeat(100_000);
    let error = kml(deep.as_bytes(), None, &wide()).unwrap_err();
    assert!(matches!(&error, ImportError::Kml { message } if message.contains("nested")), "{error}");
}

#[test]
fn the_segments_of_a_gpx_track_follow_one_another() {
    let imported = gpx(gpx_of(&circle(RADIUS_M)).as_bytes(), None, &wide()).unwrap();
    assert_is_the_ring(&imported);
    assert_eq!(imported.name.as_deref(), Some("Ring"));
    assert!(imported.notes.contains(&ImportNote::PointsBeside { count: 1 }));
    let heights = &imported.edges.surface.unwrap().left;
    assert!(heights.iter().all(|point| (point.height_m - 7.5).abs() < 1e-9));
    let error = gpx(b"<gpx><trk><trkseg><trkpt lat=\"91\" lon=\"0\"/></trkseg></trk></gpx>", None, &wide());
    assert!(error.unwrap_err().to_string().starts_with("track 1, point 1: (0, 91) is not a longitude"));
}

#[test]
fn each_edge_has_a_file_of_its_own() {
    let (inner, outer) = (circle(RADIUS_M - WIDTH_M / 2.0), circle(RADIUS_M + WIDTH_M / 2.0));
    let line = |points: &[[f64; 2]]| {
        let points = joined(points, |[longitude, latitude]| format!("[{longitude},{latitude}]"), ",");
        format!("{{\"type\":\"LineString\",\"coordinates\":[{points}]}}").into_bytes()
    };
    let metres = |points: &[[f64; 2]]| {
        let point = |[longitude, latitude]: &[f64; 2]| {
            format!("{},{}", (longitude - 12.0) * DEGREE_M[0], latitude * DEGREE_M[1])
        };
        joined(points, point, "\n").into_bytes()
    };
    let default = ImportOptions::default();
    let files = |of: &dyn Fn(&[[f64; 2]]) -> Vec<u8>| [of(&inner), of(&outer)];
    let [kml_left, kml_right] = files(&|points| kml_of(&[("a", standard(points))]).into_bytes());
    let [gpx_left, gpx_right] = files(&|points| gpx_of(points).into_bytes());
    let [geojson_left, geojson_right] = files(&line);
    let [csv_left, csv_right] = files(&metres);
    let pairs = [
        (EdgeFile::Kml(&kml_left), EdgeFile::Kml(&kml_right)),
        (EdgeFile::Gpx(&gpx_left), EdgeFile::Gpx(&gpx_right)),
        (EdgeFile::GeoJson(&geojson_left), EdgeFile::GeoJson(&geojson_right)),
        (EdgeFile::Csv(&csv_left), EdgeFile::Csv(&csv_right)),
        // Any two kinds with degrees.
        (EdgeFile::Kml(&kml_left), EdgeFile::GeoJson(&geojson_right)),
    ];
    for (left, right) in pairs {
        let imported = two_files(left, right, None, &default).unwrap();
        assert_is_the_ring(&imported);
        assert!(!imported.notes.contains(&ImportNote::EdgesSwapped));
        let swapped = two_files(right, left, None, &default).unwrap();
        assert_is_the_ring(&swapped);
        assert!(swapped.notes.contains(&ImportNote::EdgesSwapped));
    }
    let mixed = two_files(EdgeFile::Csv(&csv_left), EdgeFile::Kml(&kml_right), None, &default).unwrap_err();
    assert_eq!(mixed, ImportError::DifferentUnits { kind: "metres" });
}

#[test]
fn right_is_an_option_of_program_and_sidecar() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (name, radius_m) in [("ring_left.kml", RADIUS_M - WIDTH_M / 2.0), ("ring_right.kml", RADIUS_M + WIDTH_M / 2.0)]
    {
        fs::write(path(name), kml_of(&[(name, standard(&circle(radius_m)))])).unwrap();
    }
    let mut options = Options::default();
    options.import.right = Some(path("ring_right.kml").to_string_lossy().into_owned());
    let extraction = pipeline::extract(&path("ring_left.kml"), &options, &Silent).unwrap();
    assert_eq!(extraction.name, "ring_left");
    assert!((extraction.track.centre_line().length() / (TAU * RADIUS_M) - 1.0).abs() < 0.005);
    // The digest is of both files.
    let alone = raceline::input::read(&path("ring_left.kml")).unwrap().digests();
    assert_ne!(alone.sha256, Some(extraction.source.sha256));

    fs::write(path("ring_left.toml"), "right = \"ring_right.kml\"\n").unwrap();
    let layer = raceline::options::Layer::read(&path("ring_left.toml")).unwrap();
    assert_eq!(raceline::Options::from_layers(&[layer]).unwrap().import.right, options.import.right);

    options.import.right = Some(path("ring_left.toml").to_string_lossy().into_owned());
    assert!(pipeline::extract(&path("ring_left.kml"), &options, &Silent).is_err());
}

#[test]
fn a_name_and_a_length_among_the_properties() {
    let line = |properties: &str| {
        let points = joined(&circle(RADIUS_M), |[longitude, latitude]| format!("[{longitude},{latitude}]"), ",");
        let text = format!(
            "{{\"type\":\"Feature\",\"properties\":{{{properties}}},\"geometry\":{{\"type\":\"LineString\",\
             \"coordinates\":[{points}]}}}}"
        );
        geojson(text.as_bytes(), None, &wide()).unwrap()
    };
    let differs = |imported: &Imported| {
        imported.notes.iter().find_map(|note| match note {
            ImportNote::LengthDiffers { stated_m, measured_m } => Some((*stated_m, *measured_m)),
            _ => None,
        })
    };
    let lap = TAU * RADIUS_M;
    let fits = line(&format!("\"Name\":\"Ring of a test\",\"length\":{}", lap * 1.005));
    assert_eq!((fits.name.as_deref(), differs(&fits)), (Some("Ring of a test"), None));
    let longer = line(&format!("\"length\":{}", lap * 1.2));
    let (stated_m, measured_m) = differs(&longer).unwrap();
    assert!((stated_m / lap - 1.2).abs() < 1e-9 && (measured_m / lap - 1.0).abs() < 0.005, "{measured_m}");
    // In kilometres, it is no length in metres.
    assert_eq!(differs(&line("\"length\":5.8")), None);
}

/// The ring, more often than once, in the order of travel; each round somewhat outside of the one before.
fn rounds(count: f64) -> Vec<[f64; 2]> {
    let points = (count * 120.0).round() as u32;
    let at = |i: u32| {
        let radius_m = RADIUS_M - 1.0 + f64::from(i) / 120.0;
        let (sin, cos) = (TAU * f64::from(i) / 120.0).sin_cos();
        [12.0 + radius_m * cos / DEGREE_M[0], radius_m * sin / DEGREE_M[1]]
    };
    (0..=points).map(at).collect()
}

#[test]
fn a_line_of_several_laps_is_one_road() {
    for count in [1.3, 2.0, 3.0] {
        let points = rounds(count);
        let without_times = gpx_of(&points).replace("<time>2026-01-01T00:00:00Z</time>", "");
        let track =
            joined(&points, |[longitude, latitude]| format!("<gx:coord>{longitude} {latitude} 5</gx:coord>"), "");
        let track = format!("<kml><Placemark><name>Ring</name><gx:Track>{track}</gx:Track></Placemark></kml>");
        let collection = joined(&points, |[longitude, latitude]| format!("[{longitude}, {latitude}]"), ", ");
        let collection = format!("{{\"type\": \"LineString\", \"coordinates\": [{collection}]}}");
        let roads = [
            gpx(without_times.as_bytes(), None, &wide()),
            gpx(gpx_of(&points).as_bytes(), None, &wide()),
            kml(kml_of(&[("Ring", standard(&points))]).as_bytes(), None, &wide()),
            kml(track.as_bytes(), None, &wide()),
            geojson(collection.as_bytes(), None, &wide()),
        ];
        for road in roads {
            let road = road.unwrap();
            assert!(road.edges.is_closed());
            let area = road.edges.area() / (TAU * RADIUS_M * WIDTH_M);
            assert!((area - 1.0).abs() < 0.01, "{area}");
            let Some(ImportNote::LapsAveraged { rounds, .. }) = road.notes.first() else { panic!("{:?}", road.notes) };
            assert!((rounds / count - 1.0).abs() < 0.02, "{rounds}");
        }
        // A width remains necessary, and an open road is what it was.
        let refused = gpx(without_times.as_bytes(), None, &ImportOptions::default()).unwrap_err();
        assert!(matches!(refused, ImportError::NoWidth { .. }), "{refused}");
        if let Ok(open) = gpx(without_times.as_bytes(), Some(false), &wide()) {
            assert!(!open.notes.iter().any(|note| matches!(note, ImportNote::LapsAveraged { .. })));
        }
    }
}

#[test]
fn a_damaged_position_of_a_track_in_kml_has_its_place() {
    let track = |second: &str| {
        let text = format!("<kml><gx:Track><gx:coord>12 0 5</gx:coord><gx:coord>{second}</gx:coord></gx:Track></kml>");
        kml(text.as_bytes(), None, &wide()).unwrap_err().to_string()
    };
    assert!(track("12").starts_with("track 1, position 2: \"12\" is no position"), "{}", track("12"));
    assert!(track("12,0,5").contains("is no position"), "{}", track("12,0,5"));
    assert!(track("200 0 5").contains("track 1, position 2"), "{}", track("200 0 5"));
}
