//! Files that are certainly no track, so that the message can name their kind.

use std::path::Path;

use super::InputKind;
use super::kind::root_element;
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

/// First bytes of formats that hold no track.
const SIGNATURES: [(&[u8], Foreign); 4] = [
    (b"%PDF-", Foreign { found: "a PDF document", fix: "save its page as PNG or SVG" }),
    (b"PK\x03\x04", Foreign { found: "a ZIP archive", fix: UNPACK }),
    (b"\x1f\x8b", Foreign { found: "a gzip archive", fix: UNPACK }),
    (b"AutoCAD Binary DXF", Foreign { found: "a DXF drawing", fix: "save it as SVG" }),
];

impl Foreign {
    /// What the file at `path` with the content `bytes` is, if it is certainly no track. For files
    /// whose content and whose name are inconclusive.
    #[must_use]
    pub fn of(path: &Path, bytes: &[u8]) -> Option<Self> {
        if bytes.is_empty() {
            return Some(Self { found: "an empty file", fix: NAME_ONE });
        }
        if let Some(&(_, foreign)) = SIGNATURES.iter().find(|(signature, _)| bytes.starts_with(signature)) {
            return Some(foreign);
        }
        let text = std::str::from_utf8(bytes).ok()?.trim_start_matches('\u{feff}').trim_start();
        if root_element(text).is_some_and(|root| root.eq_ignore_ascii_case("html")) {
            return Some(Self { found: "a web page", fix: "download the picture or the track itself" });
        }
        is_toml(path, text).then_some(Self {
            found: "a TOML file",
            fix: "name the picture or the track; the TOML beside it with the same name is its sidecar and is read \
                  with it, and a vehicle's TOML goes to --vehicle",
        })
    }
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
        assert_eq!(found("a", b"\x1f\x8b\x08"), Some("a gzip archive"));
        assert_eq!(found("a.png", b"<!DOCTYPE html>\n<HTML lang=\"en\">"), Some("a web page"));
        // Unknown, so that the other messages remain.
        assert_eq!(found("a.png", b"This is no picture.\n"), None);
        assert_eq!(found("a.png", b"# only a remark\n"), None);
        assert_eq!(found("a.png", b"\x89PN\xff"), None);
    }
}
