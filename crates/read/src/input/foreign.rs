//! Files that are certainly no track, so that the message can name their kind.

use std::path::Path;

use super::InputKind;
use crate::content::{is_archive, is_racing_line, root_element};
use crate::importers::is_kmz;
use raceline_file::files::LARGEST_OPTIONS_FILE;

/// What a file is that is none of the kinds that a track is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// What it is, as "a TOML file".
    pub found: &'static str,
    /// What was probably meant.
    pub fix: &'static str,
}

const NAME_ONE: &str = "name a picture, a map YAML, or a track as CSV, GeoJSON, SVG, XML or JSON";
const UNPACK: &str = "unpack it and name the track in it";

const A_LOG: &str = "`raceline laps` splits it into laps";

/// First bytes of formats that hold no track, with the place where they stand.
const SIGNATURES: [(usize, &[u8], Foreign); 18] = [
    (0, b"%PDF-", Foreign { found: "a PDF document", fix: "save its page as PNG or SVG" }),
    (0, b"\x1f\x8b", Foreign { found: "a gzip archive", fix: UNPACK }),
    (0, b"7z\xbc\xaf\x27\x1c", Foreign { found: "a 7z archive", fix: UNPACK }),
    (0, b"Rar!", Foreign { found: "a RAR archive", fix: UNPACK }),
    (257, b"ustar", Foreign { found: "a tar archive", fix: UNPACK }),
    (0, b"AutoCAD Binary DXF", Foreign { found: "a binary DXF drawing", fix: "save it as ASCII DXF or as SVG" }),
    (0, b"AC10", Foreign { found: "a DWG drawing", fix: "save it as ASCII DXF or as SVG" }),
    (0, b"8BPS", Foreign { found: "a Photoshop document", fix: "save it as PNG" }),
    (0, b"gimp xcf", Foreign { found: "a GIMP document", fix: "export it as PNG" }),
    (4, b"ftypavi", Foreign { found: "an AVIF picture, which is not decoded", fix: "save it as PNG" }),
    (4, b"ftyp", Foreign { found: "a film or an HEIC picture", fix: "save a picture of the track as PNG or JPEG" }),
    (0, b"Kaydara FBX", Foreign { found: "an FBX scene", fix: "export the road as OBJ or GLB" }),
    (0, b"BLENDER", Foreign { found: "a scene of Blender", fix: "export the road as OBJ or GLB, or its edges as CSV" }),
    (0, b"\x93NUMPY", Foreign { found: "an array of NumPy", fix: "save it as CSV with numpy.savetxt" }),
    (
        0,
        b"SQLite format 3",
        Foreign { found: "an SQLite database, as a bag of ROS 2 is", fix: "export its path as CSV" },
    ),
    (0, b"\x89MCAP", Foreign { found: "a bag of ROS 2", fix: "export its path as CSV" }),
    (0, b"#ROSBAG", Foreign { found: "a bag of ROS", fix: "export its path as CSV" }),
    (8, b".FIT", Foreign { found: "a log of a FIT device", fix: A_LOG }),
];

/// Names in a ZIP archive, and what the archive is then.
const ARCHIVES: [(&str, Foreign); 4] = [
    ("xl/workbook.xml", Foreign { found: "a spreadsheet of Excel", fix: "save its table as CSV" }),
    (
        "content.xml",
        Foreign { found: "a document of LibreOffice", fix: "save its table as CSV, or its drawing as SVG" },
    ),
    ("word/document.xml", Foreign { found: "a document of Word", fix: "save its picture as PNG" }),
    ("", Foreign { found: "a ZIP archive", fix: UNPACK }),
];

const RACING_LINE: Foreign = Foreign {
    found: "a racing line",
    fix: "name its track, and the line after --start to start a search from it; `raceline inspect`, compare, drive, \
          render and export take the line",
};

impl Foreign {
    /// What the file at `path` with the content `bytes` is, if it is certainly no track. For files
    /// whose content and whose name are inconclusive.
    #[must_use]
    pub fn of(path: &Path, bytes: &[u8]) -> Option<Self> {
        if bytes.is_empty() {
            return Some(Self { found: "an empty file", fix: NAME_ONE });
        }
        if let Some(foreign) = Self::of_content(bytes) {
            return Some(foreign);
        }
        let text = std::str::from_utf8(bytes).ok()?.trim_start_matches('\u{feff}').trim_start();
        if root_element(text).is_some_and(|root| root.eq_ignore_ascii_case("html")) {
            return Some(Self { found: "a web page", fix: "download the picture or the track itself" });
        }
        if is_vehicle(text) {
            return Some(Self { found: "a vehicle", fix: "pass it to --vehicle, and name the track" });
        }
        is_toml(path, text).then_some(Self {
            found: "a TOML file",
            fix: "name the picture or the track; the TOML beside it with the same name is its sidecar and is read \
                  with it, and a vehicle's TOML goes to --vehicle",
        })
    }

    /// What a file with this content is, if the content alone shows that it is no track. For files
    /// whose first bytes are not those of a picture.
    #[must_use]
    pub(crate) fn of_content(bytes: &[u8]) -> Option<Self> {
        let begins = |at: usize, signature: &[u8]| bytes.get(at..).is_some_and(|rest| rest.starts_with(signature));
        let found = SIGNATURES.iter().find(|(at, signature, _)| begins(*at, signature));
        if let Some(&(_, _, foreign)) = found {
            return Some(foreign);
        }
        if is_archive(bytes) {
            let Ok(archive) = zip::ZipArchive::new(std::io::Cursor::new(bytes)) else { return Some(ARCHIVES[3].1) };
            let names: Vec<&str> = archive.file_names().collect();
            let kind = ARCHIVES.iter().find(|(name, _)| name.is_empty() || names.contains(name));
            return kind.map(|&(_, foreign)| foreign).filter(|_| !is_kmz(bytes));
        }
        let text = std::str::from_utf8(bytes).ok()?.trim_start_matches('\u{feff}').trim_start();
        if text.starts_with('{') && is_racing_line(text) {
            return Some(RACING_LINE);
        }
        if is_vbo(text) {
            return Some(Self { found: "a log of a Racelogic logger", fix: A_LOG });
        }
        is_telemetry(text).then_some(Self { found: "a log of a drive", fix: A_LOG })
    }
}

/// Whether the text has the sections of a log of Racelogic.
fn is_vbo(text: &str) -> bool {
    let sections = |name: &str| text.lines().take(HEADER_LINES).any(|line| line.trim().eq_ignore_ascii_case(name));
    sections("[column names]") || sections("[header]")
}

/// Lines in which the sections of a log begin.
const HEADER_LINES: usize = 400;
/// Columns of a log's clock, and of what a driver does, which no track and no line has.
const CLOCKS: [&str; 5] = ["time", "time_s", "timestamp", "time(s)", "time[s]"];
const CONTROLS: [&str; 12] = [
    "throttle",
    "brake",
    "brakes",
    "rpm",
    "gear",
    "steering",
    "steering_rad",
    "steer",
    "lap",
    "lap_number",
    "gas",
    "pedal",
];

/// Whether the first line names a clock and a control of a vehicle.
fn is_telemetry(text: &str) -> bool {
    let Some(header) = text.lines().find(|line| !line.trim().is_empty()) else { return false };
    let names: Vec<String> = header
        .trim_start_matches('#')
        .split([',', ';', '\t'])
        .map(|field| field.trim().trim_matches('"').to_lowercase().replace(' ', "_"))
        .collect();
    let has = |known: &[&str]| names.iter().any(|name| known.contains(&name.as_str()));
    has(&CLOCKS) && has(&CONTROLS)
}

/// Whether the text has the keys of a vehicle.
fn is_vehicle(text: &str) -> bool {
    let small = text.len() as u64 <= LARGEST_OPTIONS_FILE;
    let keys = ["mass_kg", "wheelbase_m"];
    small && toml::from_str::<toml::Table>(text).is_ok_and(|table| keys.iter().all(|key| table.contains_key(*key)))
}

/// What a file is, in words.
pub(super) fn name_of(path: &Path, bytes: &[u8]) -> &'static str {
    match InputKind::by_content(bytes) {
        Some(InputKind::Picture) => "a picture",
        Some(InputKind::Map) => "the YAML of a map",
        Some(InputKind::Csv) => "a table of numbers",
        Some(InputKind::GeoJson) => "GeoJSON",
        Some(InputKind::Kml) => "KML",
        Some(InputKind::Gpx) => "GPX",
        Some(InputKind::Osm) => "a map of OpenStreetMap",
        Some(InputKind::OpenDrive) => "a road of OpenDRIVE",
        Some(InputKind::GameLine) => "the line of a game",
        Some(InputKind::Mesh) => "a mesh",
        Some(InputKind::Cones) => "a map of cones",
        Some(InputKind::Svg) => "an SVG drawing",
        Some(InputKind::TorcsXml) => "a track of TORCS",
        Some(InputKind::Track) => "an extracted track",
        Some(InputKind::Line(_)) => "a line",
        None => Foreign::of(path, bytes).map_or("a file of an unknown kind", |foreign| foreign.found),
    }
}

/// Whether the file is TOML by its name, or has keys as TOML does.
fn is_toml(path: &Path, text: &str) -> bool {
    let is_named_so = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
    let is_small = text.len() as u64 <= LARGEST_OPTIONS_FILE;
    is_named_so || is_small && toml::from_str::<toml::Table>(text).is_ok_and(|table| !table.is_empty())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Foreign;

    #[test]
    fn what_is_no_track_is_named() {
        let found = |name: &str, bytes: &[u8]| Foreign::of(Path::new(name), bytes).map(|foreign| foreign.found);
        assert_eq!(found("Cargo.toml", b"[package]\nname = \"a\"\n"), Some("a TOML file"));
        assert_eq!(found("a.toml", b"no = = toml"), Some("a TOML file"));
        assert_eq!(found("a", b"# scale\nmetres_per_pixel = 0.5\n"), Some("a TOML file"));
        assert_eq!(found("a.png", b""), Some("an empty file"));
        assert_eq!(found("a.png", b"%PDF-1.7\n"), Some("a PDF document"));
        assert_eq!(found("a", b"PK\x03\x04rest"), Some("a ZIP archive"));
        assert_eq!(found("a.csv", b"7z\xbc\xaf\x27\x1c"), Some("a 7z archive"));
        assert_eq!(found("a.csv", b"{\"format\": \"raceline\", \"version\": 1}"), Some("a racing line"));
        assert_eq!(found("a", b"File created on\n\n[header]\nsatellites\n"), Some("a log of a Racelogic logger"));
        assert_eq!(found("a.csv", b"Time,Lap,Speed\n0,1,2\n"), Some("a log of a drive"));
        assert_eq!(found("a.csv", b"time_s;x_m;y_m;throttle\n0;1;2;1\n"), Some("a log of a drive"));
        assert_eq!(found("a.png", b"mass_kg = 1\nwheelbase_m = 2\n"), Some("a vehicle"));
        // A line with its times is none.
        assert_eq!(found("a.csv", b"s_m,x_m,y_m,speed_mps,time_s\n0,0,0,1,0\n"), None);
        assert_eq!(found("a", b"\x1f\x8b\x08"), Some("a gzip archive"));
        assert_eq!(found("a.png", b"<!DOCTYPE html>\n<HTML lang=\"en\">"), Some("a web page"));
        // A box of 28 bytes with the brand of a picture, of a sequence of pictures, and of what is neither.
        for (brand, kind) in [
            (b"avif", "an AVIF picture, which is not decoded"),
            (b"avis", "an AVIF picture, which is not decoded"),
            (b"heic", "a film or an HEIC picture"),
            (b"isom", "a film or an HEIC picture"),
        ] {
            let header = [&[0, 0, 0, 28][..], b"ftyp", brand, &[0; 4], b"mif1miaf"].concat();
            assert_eq!(found("a.avif", &header), Some(kind));
            assert_eq!(found("a.png", &header), Some(kind));
        }
        // Unknown, so that the other messages remain.
        assert_eq!(found("a.png", b"This is no picture.\n"), None);
        assert_eq!(found("a.png", b"# only a remark\n"), None);
        assert_eq!(found("a.png", b"\x89PN\xff"), None);
    }
}
