//! Logs of a drive, by their content.

use crate::content::{is_archive, is_picture};
use crate::importers::kml_bytes;

/// What wrote a log of a drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogKind {
    /// VBO text of Racelogic's loggers, and of others that write it.
    Racelogic,
    /// CSV of RaceChrono, version 2 or 3.
    RaceChrono,
    /// CSV of AiM's Race Studio.
    Aim,
    /// CSV of MoTeC's i2.
    MotecCsv,
    /// MoTeC's binary log.
    MotecLd,
    /// FIT, as sports watches write it.
    Fit,
    /// GPX whose points have times. It is also read as a road.
    Gpx,
    /// KML whose tracks have times. It is also read as a road.
    Kml,
    /// Any other CSV with a time and a position or a speed.
    Csv,
}

/// Bytes in which the beginning of a text decides.
const HEAD_BYTES: usize = 16 * 1024;
/// First bytes of MoTeC's binary logs: the marker, and four bytes that are zero.
const MOTEC: [u8; 8] = [0x40, 0, 0, 0, 0, 0, 0, 0];
/// Lines in which the header of a CSV is looked for.
const HEADER_LINES: usize = 60;

impl LogKind {
    /// What wrote a file with this content, if it is a log. Reads the beginning only, except of GPX and of KML, which
    /// may be in a KMZ.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(&MOTEC) {
            return Some(Self::MotecLd);
        }
        if bytes.get(8..12) == Some(b".FIT") {
            return Some(Self::Fit);
        }
        if is_archive(bytes) {
            return kml_bytes(bytes).is_ok_and(|kml| is_timed_kml(&kml)).then_some(Self::Kml);
        }
        // A picture takes long to read as text.
        if is_picture(bytes) {
            return None;
        }
        let head = bytes.get(..HEAD_BYTES).unwrap_or(bytes);
        let text = String::from_utf8_lossy(head);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text).trim_start();
        if text.starts_with('<') {
            return match crate::content::root_element(text)? {
                "gpx" => has_behind(bytes, &[b"<trkpt", b"<time>"]).then_some(Self::Gpx),
                "kml" => is_timed_kml(bytes).then_some(Self::Kml),
                _ => None,
            };
        }
        let lower = text.to_lowercase();
        let has_section = |name: &str| lower.lines().any(|line| line.trim() == name);
        if has_section("[column names]") && (has_section("[data]") || has_section("[header]")) {
            return Some(Self::Racelogic);
        }
        let first = lower.lines().next().unwrap_or_default();
        let is_format = |name: &str| first.contains("format") && first.contains(name);
        if first.contains("racechrono") {
            return Some(Self::RaceChrono);
        }
        if is_format("aim csv file") {
            return Some(Self::Aim);
        }
        if is_format("motec csv file") {
            return Some(Self::MotecCsv);
        }
        let is_json = text.starts_with('{')
            || text.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with(['{', '[']));
        (!is_json && lower.lines().take(HEADER_LINES).any(is_header)).then_some(Self::Csv)
    }

    /// Whether its positions are read as a road too.
    #[must_use]
    pub fn is_road_too(self) -> bool {
        matches!(self, Self::Gpx | Self::Kml)
    }

    /// What it is, as "a log of a Racelogic logger".
    #[must_use]
    pub fn described(self) -> &'static str {
        match self {
            Self::Racelogic => "a log of a Racelogic logger",
            Self::RaceChrono => "a log of RaceChrono",
            Self::Aim => "a log of an AiM logger",
            Self::MotecCsv => "a log that MoTeC i2 has exported",
            Self::MotecLd => "a log of a MoTeC logger",
            Self::Fit => "a FIT log",
            Self::Gpx => "a GPX log",
            Self::Kml => "a KML log",
            Self::Csv => "a log of a drive",
        }
    }
}

/// Whether the words stand in the file, each behind the one before: times of a track stand behind its beginning,
/// those of metadata before.
fn has_behind(mut bytes: &[u8], words: &[&[u8]]) -> bool {
    words.iter().all(|word| {
        let found = bytes.windows(word.len()).position(|window| window == *word);
        bytes = found.and_then(|start| bytes.get(start..)).unwrap_or_default();
        found.is_some()
    })
}

/// Whether KML has a track with times.
fn is_timed_kml(bytes: &[u8]) -> bool {
    [&b"<gx:Track"[..], b"<Track"].iter().any(|track| has_behind(bytes, &[track, b"<when>"]))
}

/// Words that begin the name of a column of times.
const TIMES: [&str; 4] = ["time", "timestamp", "elapsed", "utc"];
/// Words that begin the name of a column of positions or speeds.
const PLACES: [&str; 9] = ["lat", "gps lat", "speed", "gps speed", "velocity", "forward_mps", "x_m", "pos_x", "x ["];

/// Whether a line in lower case names a column of times, and one of positions or speeds.
fn is_header(line: &str) -> bool {
    let fields = || line.split([',', ';', '\t']).map(|field| field.trim().trim_matches(['"', '#', ' ']));
    let begins = |words: &[&str]| fields().any(|field| words.iter().any(|word| field.starts_with(word)));
    let is_time = fields().any(|field| field == "t" || field == "t_s") || begins(&TIMES);
    is_time && (begins(&PLACES) || fields().any(|field| field == "x" || field == "v"))
}

#[cfg(test)]
mod tests {
    use super::LogKind;

    #[test]
    fn what_wrote_a_log_is_known_by_its_content() {
        let cases: [(&[u8], Option<LogKind>); 18] = [
            (b"{\"format\": \"raceline\", \"time_s\": 1, \"speed_mps\": [1, 2],\"time_s\", \"x\": 1}", None),
            (b"File created on 1/1/2026\r\n\r\n[header]\r\ntime\r\n[column names]\r\nsats time\r\n", Some(LogKind::Racelogic)),
            (b"This file is created using RaceChrono v9 ( http://racechrono.com/ ).\nFormat,3\n", Some(LogKind::RaceChrono)),
            (b"\"Format\",\"AIM CSV File\"\n", Some(LogKind::Aim)),
            (b"\xef\xbb\xbfFormat,MoTeC CSV File\n", Some(LogKind::MotecCsv)),
            (b"\x40\0\0\0\0\0\0\0\x08\x34\0\0", Some(LogKind::MotecLd)),
            (b"\x0e\x10\x43\x08\x78\x06\x09\0.FIT\0\0", Some(LogKind::Fit)),
            (b"<?xml version=\"1.0\"?><gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"><time>2026-01-01T00:00:00Z</time>", Some(LogKind::Gpx)),
            (b"<gpx><metadata><time>2026-01-01T00:00:00Z</time></metadata><trkpt lat=\"1\" lon=\"2\"/>", None),
            (b"<kml><Placemark><gx:Track><when>2026-01-01T00:00:00Z</when><gx:coord>1 2 3</gx:coord>", Some(LogKind::Kml)),
            (b"<kml><Document><Track><when>2026-01-01</when><coord>1 2</coord></Track></Document></kml>", Some(LogKind::Kml)),
            (b"<kml><TimeStamp><when>2026-01-01</when></TimeStamp><gx:Track><gx:coord>1 2</gx:coord></gx:Track></kml>", None),
            (b"time_s,lap,x_m,y_m,forward_mps\n0,0,1,2,3\n", Some(LogKind::Csv)),
            (b"a note\n\nTime;Latitude;Longitude;Speed (km/h)\n", Some(LogKind::Csv)),
            (b"# x_m,y_m,w_tr_right_m,w_tr_left_m\n1,2,3,4\n", None),
            (b"x_m,y_m\n1,2\n", None),
            (b"tag,x,y\nblue,1,2\n", None),
            (b"", None),
        ];
        for (bytes, kind) in cases {
            assert_eq!(LogKind::of(bytes), kind, "{}", String::from_utf8_lossy(bytes));
        }
    }
}
