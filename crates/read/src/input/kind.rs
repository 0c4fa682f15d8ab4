//! The kind of a file, by its content and by the extension of its name.

use std::path::Path;

use serde::Deserialize;

use crate::content::{has_rows_of_numbers, is_archive, is_picture, root_element};
use crate::importers::{is_cones, is_game_line, is_geojson, is_kmz, is_mesh, is_osm_pbf, is_overpass_json};
use crate::lines::LineKind;

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// A picture in a raster format.
    Picture,
    /// The YAML of a ROS map.
    Map,
    /// A CSV of a centre line or of two edges.
    Csv,
    /// GeoJSON.
    GeoJson,
    /// KML, or a KMZ with one.
    Kml,
    /// GPX.
    Gpx,
    /// A map of OpenStreetMap or Lanelet2.
    Osm,
    /// Roads of OpenDRIVE.
    OpenDrive,
    /// A line of Assetto Corsa or rFactor.
    GameLine,
    /// A mesh.
    Mesh,
    /// A map of cones.
    Cones,
    /// A drawing.
    Svg,
    /// A track of TORCS or Speed Dreams.
    TorcsXml,
    /// An extracted track.
    Track,
    /// A line of another program.
    Line(LineKind),
}

/// Extensions and their kinds; any other extension means a picture.
const ENDINGS: [(&str, InputKind); 17] = [
    ("csv", InputKind::Csv),
    ("geojson", InputKind::GeoJson),
    ("kml", InputKind::Kml),
    ("kmz", InputKind::Kml),
    ("gpx", InputKind::Gpx),
    ("osm", InputKind::Osm),
    ("pbf", InputKind::Osm),
    ("xodr", InputKind::OpenDrive),
    ("ai", InputKind::GameLine),
    ("aiw", InputKind::GameLine),
    ("obj", InputKind::Mesh),
    ("glb", InputKind::Mesh),
    ("svg", InputKind::Svg),
    ("xml", InputKind::TorcsXml),
    ("json", InputKind::Track),
    ("yaml", InputKind::Map),
    ("yml", InputKind::Map),
];

impl InputKind {
    /// The kind of the file at `path` with the content `bytes`: by its content, or by its extension
    /// if the content is not conclusive. Linear in the bytes.
    #[must_use]
    pub fn of(path: &Path, bytes: &[u8]) -> Self {
        Self::by_content(bytes).unwrap_or_else(|| Self::by_ending(path))
    }

    /// The kind by the content; `None` if it is not conclusive.
    #[must_use]
    pub fn by_content(bytes: &[u8]) -> Option<Self> {
        if is_picture(bytes) {
            return Some(Self::Picture);
        }
        if let Some(line) = LineKind::of_line_alone(bytes).filter(|_| !is_cones(bytes)) {
            return Some(Self::Line(line));
        }
        if is_archive(bytes) {
            return is_kmz(bytes).then_some(Self::Kml);
        }
        if is_osm_pbf(bytes) {
            return Some(Self::Osm);
        }
        if is_game_line(bytes) {
            return Some(Self::GameLine);
        }
        if is_mesh(bytes) {
            return Some(Self::Mesh);
        }
        let Ok(text) = std::str::from_utf8(bytes) else {
            // Old XML is in Latin-1.
            return bytes.starts_with(b"<").then(|| Self::by_root(&String::from_utf8_lossy(bytes)))?;
        };
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim_start();
        if text.starts_with('<') {
            return Self::by_root(text);
        }
        if text.starts_with('{') {
            let is_geojson = is_geojson(bytes).then_some(Self::GeoJson);
            let kind = is_geojson.or_else(|| has_format(text).then_some(Self::Track));
            let kind = kind.or_else(|| is_overpass_json(bytes).then_some(Self::Osm));
            return kind.or_else(|| is_cones(bytes).then_some(Self::Cones));
        }
        if is_cones(bytes) {
            return Some(Self::Cones);
        }
        if is_map(text) {
            return Some(Self::Map);
        }
        has_rows_of_numbers(text).then_some(Self::Csv)
    }

    /// The kind by the root element of this XML.
    fn by_root(text: &str) -> Option<Self> {
        match root_element(text)? {
            "svg" => Some(Self::Svg),
            "kml" => Some(Self::Kml),
            "gpx" => Some(Self::Gpx),
            "osm" => Some(Self::Osm),
            "OpenDRIVE" => Some(Self::OpenDrive),
            "params" => text.contains("\"Main Track\"").then_some(Self::TorcsXml),
            _ => None,
        }
    }

    /// The kind by the extension.
    pub(super) fn by_ending(path: &Path) -> Self {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let known = ENDINGS.iter().find(|(known, _)| known.eq_ignore_ascii_case(ending));
        known.map_or(Self::Picture, |&(_, kind)| kind)
    }
}

/// Whether this JSON object has the key `format`, as this program's files do. The track reader
/// reports other formats.
fn has_format(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Tagged {
        #[serde(rename = "format")]
        _format: String,
    }
    serde_json::from_str::<Tagged>(text).is_ok()
}

/// Whether this YAML has the keys of a map that other files are unlikely to have.
fn is_map(text: &str) -> bool {
    ["image:", "resolution:"].iter().all(|key| text.lines().any(|line| line.starts_with(key)))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::InputKind;

    #[test]
    fn decisive_contents() {
        let cases: [(&[u8], InputKind); 33] = [
            (b"\x89PNG\r\n\x1a\n", InputKind::Picture),
            (b"\xff\xd8\xff\xe0", InputKind::Picture),
            (b"RIFF\x10\0\0\0WEBPVP8 ", InputKind::Picture),
            (b"BM\x46\0\0\0", InputKind::Picture),
            (b"P5 2 2 255\n....", InputKind::Picture),
            (b"P2\n# made by hand\n2 2\n", InputKind::Picture),
            (b"P7\nWIDTH 2\n", InputKind::Picture),
            (b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>", InputKind::Svg),
            (b"\xef\xbb\xbf<?xml version=\"1.0\"?>\n<!-- a > b -->\n<svg:svg>", InputKind::Svg),
            (b"<!DOCTYPE svg [<!ENTITY a \"b\"> ]>\n<svg\nwidth=\"1\">", InputKind::Svg),
            (b"<?xml version=\"1.0\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\"/>", InputKind::Kml),
            (b"tag,x,y\nblue,1,2\n", InputKind::Cones),
            (b"big_orange,-1.5,2,0,0.01,0.01,0\n", InputKind::Cones),
            (b"[{\"x\": 1, \"y\": 2, \"color\": \"blue\"}]", InputKind::Cones),
            (b"{\"cones\": [{\"x\": 1, \"y\": 2}]}", InputKind::Cones),
            (b"<gpx version=\"1.1\">", InputKind::Gpx),
            (b"<?xml version='1.0' encoding='UTF-8'?>\n<osm version='0.6' generator='JOSM'>", InputKind::Osm),
            (b"{\"version\": 0.6, \"generator\": \"Overpass API 0.7\", \"elements\": []}", InputKind::Osm),
            (b"<?xml version='1.0'?>\n<OpenDRIVE>", InputKind::OpenDrive),
            (b"[Waypoint]\r\nnumber_waypoints=2\r\n[Waypoint]\r\nwp_pos=(1,2,3)\r\n", InputKind::GameLine),
            (b"# Blender\nmtllib a.mtl\no Road\nv 1 2 3\n", InputKind::Mesh),
            (b"glTF\x02\0\0\0", InputKind::Mesh),
            (b"\0\0\0\x0d\x0a\x09OSMHeader\x18\x7c", InputKind::Osm),
            (b"{\"type\": \"FeatureCollection\", \"features\": []}", InputKind::GeoJson),
            (b"{\"format\": \"raceline-track\", \"version\": 9}", InputKind::Track),
            (b"{\"format\": \"raceline\", \"type\": 1}", InputKind::Track),
            (b"image: a.png\nresolution: 0.05\norigin: [0, 0, 0]\n", InputKind::Map),
            (b"# x_m,y_m,w_tr_right_m,w_tr_left_m\n1,2,3,4\n", InputKind::Csv),
            (b"x_m;y_m\n\n1.5;-2e3;\n", InputKind::Csv),
            (b"1 2\n", InputKind::Csv),
            (b"P1,P2\n0.5,1.5\n", InputKind::Csv),
            (b"BM x,BM y\n0.5,1.5\n", InputKind::Csv),
            (b"GIF89a", InputKind::Picture),
        ];
        for (bytes, kind) in cases {
            let found = InputKind::of(Path::new("file.of-no-kind"), bytes);
            assert_eq!(found, kind, "{}", String::from_utf8_lossy(bytes));
            // No extension overrides it.
            for ending in ["png", "csv", "geojson", "json", "svg", "yaml"] {
                assert_eq!(InputKind::of(&Path::new("file").with_extension(ending), bytes), kind, "{ending}");
            }
        }
    }

    #[test]
    fn the_ending_decides_where_the_content_does_not() {
        let contents: [&[u8]; 10] = [
            b"",
            b"This is no picture.\n",
            b"<html><svg/></html>",
            b"<!-- no end",
            b"{\"type\": \"club\"}",
            b"{\"format\": \"raceline-track\", \"vers",
            b"[[1, 2]]",
            b"image: a.png\n",
            b"x_m,y_m\nno,numbers\n1,2\n",
            b"\x1f\x8b\x08\0",
        ];
        let endings = [
            ("png", InputKind::Picture),
            ("", InputKind::Picture),
            ("csv", InputKind::Csv),
            ("GeoJSON", InputKind::GeoJson),
            ("SVG", InputKind::Svg),
            ("json", InputKind::Track),
            ("yml", InputKind::Map),
        ];
        for bytes in contents {
            for (ending, kind) in endings {
                let found = InputKind::of(&Path::new("file").with_extension(ending), bytes);
                assert_eq!(found, kind, "{ending}: {}", String::from_utf8_lossy(bytes));
            }
        }
    }
}
