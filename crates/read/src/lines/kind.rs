//! The kind of a file that holds a line.

use std::path::Path;

use super::json::is_line;
use crate::content::{has_rows_of_numbers, is_picture, is_racing_line, root_element};
use crate::fast_lane::FastLane;
use crate::importers::{is_geojson, is_kmz};

/// The kind of a file with a line that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// A table.
    Csv,
    /// A racing-line file.
    RacingLine,
    /// JSON of another program with a list of points.
    Json,
    /// GeoJSON.
    GeoJson,
    /// KML or KMZ.
    Kml,
    /// GPX.
    Gpx,
    /// A drawing.
    Svg,
    /// A drawing of CAD.
    Dxf,
    /// A curve of Godot.
    Godot,
    /// A path of ROS as YAML.
    Poses,
    /// The ideal line of Assetto Corsa.
    FastLane,
}

/// Extensions and their kinds.
const ENDINGS: [(&str, LineKind); 12] = [
    ("csv", LineKind::Csv),
    ("txt", LineKind::Csv),
    ("json", LineKind::Json),
    ("geojson", LineKind::GeoJson),
    ("kml", LineKind::Kml),
    ("kmz", LineKind::Kml),
    ("gpx", LineKind::Gpx),
    ("svg", LineKind::Svg),
    ("dxf", LineKind::Dxf),
    ("tres", LineKind::Godot),
    ("yaml", LineKind::Poses),
    ("ai", LineKind::FastLane),
];

impl LineKind {
    /// The kind of the file at `path` with the content `bytes`: by its content, or by its extension
    /// if the content is not conclusive; `None` for a file that holds no line.
    #[must_use]
    pub fn of(path: &Path, bytes: &[u8]) -> Option<Self> {
        Self::by_content(bytes).or_else(|| {
            // A picture of that name is no line.
            let is_other = is_picture(bytes);
            let ending = path.extension().and_then(|ending| ending.to_str()).filter(|_| !is_other)?;
            let known = ENDINGS.iter().find(|(known, _)| known.eq_ignore_ascii_case(ending));
            known.map(|&(_, kind)| kind)
        })
    }

    /// The kind by the content; `None` if it is not conclusive.
    #[must_use]
    pub fn by_content(bytes: &[u8]) -> Option<Self> {
        if FastLane::of(bytes).is_some() {
            return Some(Self::FastLane);
        }
        if bytes.starts_with(b"PK") {
            return is_kmz(bytes).then_some(Self::Kml);
        }
        let text = std::str::from_utf8(bytes).ok()?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim_start();
        match text.chars().next()? {
            '<' => match root_element(text)? {
                "svg" => Some(Self::Svg),
                "kml" => Some(Self::Kml),
                "gpx" => Some(Self::Gpx),
                _ => None,
            },
            '{' if is_racing_line(text) => Some(Self::RacingLine),
            '{' if is_geojson(bytes) => Some(Self::GeoJson),
            '{' => is_line(text).then_some(Self::Json),
            '[' if text.starts_with("[gd_") => Some(Self::Godot),
            '[' => is_line(text).then_some(Self::Json),
            _ if is_dxf(text) => Some(Self::Dxf),
            _ if text.lines().any(|line| line.trim_end() == "poses:") => Some(Self::Poses),
            _ => has_rows_of_numbers(text).then_some(Self::Csv),
        }
    }

    /// The kind of a file that holds a line and is none of the kinds that a track is read from, by
    /// its content.
    #[must_use]
    pub(crate) fn of_line_alone(bytes: &[u8]) -> Option<Self> {
        let kind = Self::by_content(bytes)?;
        matches!(kind, Self::Json | Self::Dxf | Self::Godot | Self::Poses).then_some(kind)
    }
}

/// Whether the text begins with a section of a DXF, after comments.
fn is_dxf(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    loop {
        match (lines.next(), lines.next()) {
            (Some("999"), Some(_)) => {}
            (Some("0"), Some("SECTION")) => return true,
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::LineKind;

    #[test]
    fn lines_are_recognised_by_their_content() {
        let cases: [(&[u8], LineKind); 12] = [
            (b"x_m,y_m\n1,2\n", LineKind::Csv),
            (b"{\"format\": \"raceline\", \"version\": 1}", LineKind::RacingLine),
            (b"{\"type\": \"LineString\", \"coordinates\": []}", LineKind::GeoJson),
            (b"[[1, 2], [3, 4], [5, 6]]", LineKind::Json),
            (b"{\"points\": [{\"x\": 1, \"y\": 2}, {\"x\": 1, \"y\": 2}, {\"x\": 1, \"y\": 2}]}", LineKind::Json),
            (b"<?xml version=\"1.0\"?><gpx/>", LineKind::Gpx),
            (b"<kml/>", LineKind::Kml),
            (b"<svg/>", LineKind::Svg),
            (b"999\nmade by hand\n  0\nSECTION\n", LineKind::Dxf),
            (b"[gd_resource type=\"Curve3D\" format=3]\n", LineKind::Godot),
            (b"header:\n  frame_id: map\nposes:\n- pose: 1\n", LineKind::Poses),
            (&[7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], LineKind::Csv),
        ];
        for (bytes, kind) in &cases[..11] {
            assert_eq!(LineKind::of(Path::new("a.png"), bytes), Some(*kind), "{}", String::from_utf8_lossy(bytes));
        }
        // No points follow.
        assert_eq!(LineKind::by_content(cases[11].0), None);
        assert_eq!(LineKind::of(Path::new("a.csv"), b"\x89PNG\r\n\x1a\n"), None);
        assert_eq!(LineKind::of(Path::new("a.csv"), b"words"), Some(LineKind::Csv));
        assert_eq!(LineKind::of(Path::new("a.png"), b"words"), None);
    }
}
