//! A GPX 1.1 track. GPX contains no speeds. Tools compute them from the times, which begin with the
//! year 1970 at the start line.

use std::fmt::Write;

use super::geographic::Degrees;
use super::geojson::DEGREE_DECIMALS;
use super::heights::HEIGHT_DECIMALS;
use super::lap_points::lap_points;
use super::number::fixed;
use super::xml_text::Escaped;
use super::{FormatError, FormatOptions};
use crate::RacingLine;

pub(super) fn write(line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    let degrees = Degrees::new(line, options, "gpx")?;
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <gpx version=\"1.1\" creator=\"{}\" xmlns=\"http://www.topografix.com/GPX/1/1\">\n\
         <trk>\n<name>{}</name>\n<type>racing line</type>\n<trkseg>\n",
        Escaped(&line.generator),
        Escaped(&line.name)
    );
    for (index, point) in lap_points(line, options).iter().enumerate() {
        let [longitude, latitude] = degrees.of([point.x_m, point.y_m], || format!("points[{index}]"))?;
        let elevation = point.z_m.map_or(String::new(), |z| format!("<ele>{}</ele>", fixed(z, HEIGHT_DECIMALS)));
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "<trkpt lat=\"{}\" lon=\"{}\">{elevation}<time>{}</time></trkpt>",
            fixed(latitude, DEGREE_DECIMALS),
            fixed(longitude, DEGREE_DECIMALS),
            time(point.time_s)
        );
    }
    text.push_str("</trkseg>\n</trk>\n</gpx>\n");
    Ok(text.into_bytes())
}

/// The instant `seconds` after the beginning of 1970 (ISO 8601), to the millisecond. A lap of more
/// than a day continues on the second of January; no lap exceeds the month.
fn time(seconds: f64) -> String {
    let milliseconds = (seconds * 1e3).round().clamp(0.0, 31.0 * 86_400_000.0 - 1.0) as u64;
    let (whole, rest) = (milliseconds / 1000, milliseconds % 1000);
    let (day, hour, minute, second) = (whole / 86_400 + 1, whole / 3600 % 24, whole / 60 % 60, whole % 60);
    format!("1970-01-{day:02}T{hour:02}:{minute:02}:{second:02}.{rest:03}Z")
}

#[cfg(test)]
mod tests {
    use super::time;

    #[test]
    fn seconds_become_an_instant() {
        assert_eq!(time(0.0), "1970-01-01T00:00:00.000Z");
        assert_eq!(time(72.970_4), "1970-01-01T00:01:12.970Z");
        assert_eq!(time(90_061.5), "1970-01-02T01:01:01.500Z");
    }
}
