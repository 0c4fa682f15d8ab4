//! KML 2.2: three placemarks with a line each, the racing line and both edges, on the ground. KML
//! has no speeds; the name of the racing line has the time of the lap.

use std::fmt::Write;

use super::geographic::Degrees;
use super::geojson::DEGREE_DECIMALS;
use super::heights::{HEIGHT_DECIMALS, Place, edges_in_space};
use super::lap_points::lap_points;
use super::number::fixed;
use super::xml_text::Escaped;
use super::{FormatError, FormatOptions};
use crate::RacingLine;

/// Names of the placemarks, by which a reader finds the edges.
const LINE: &str = "racing line";
const EDGES: [&str; 2] = ["left edge", "right edge"];

pub(super) fn write(line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    let degrees = Degrees::new(line, options, "kml")?;
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <kml xmlns=\"http://www.opengis.net/kml/2.2\">\n<Document>\n<name>{}</name>\n<description>{}, {}: {} s</description>\n",
        Escaped(&line.name),
        line.method.name(),
        Escaped(&line.vehicle.name),
        fixed(line.lap_time_s, 3)
    );
    // Colours are alpha, blue, green, red.
    for (id, colour, width) in [("line", "ff2e10c8", 3), ("edge", "ff808080", 2)] {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "<Style id=\"{id}\"><LineStyle><color>{colour}</color><width>{width}</width></LineStyle></Style>"
        );
    }
    let points = lap_points(line, options);
    let positions: Vec<Place> = points.iter().map(|point| ([point.x_m, point.y_m], point.z_m)).collect();
    push_placemark(&mut text, LINE, "line", &positions, &degrees, "points")?;
    for ((name, key), vertices) in EDGES.into_iter().zip(["edges.left", "edges.right"]).zip(edges_in_space(line)) {
        push_placemark(&mut text, name, "edge", &vertices, &degrees, key)?;
    }
    text.push_str("</Document>\n</kml>\n");
    Ok(text.into_bytes())
}

fn push_placemark(
    text: &mut String,
    name: &str,
    style: &str,
    positions: &[Place],
    degrees: &Degrees,
    key: &str,
) -> Result<(), FormatError> {
    let _ = writeln!(
        text,
        "<Placemark><name>{name}</name><styleUrl>#{style}</styleUrl><LineString><tessellate>1</tessellate><coordinates>"
    );
    for (index, &(position, z_m)) in positions.iter().enumerate() {
        let [longitude, latitude] = degrees.of(position, || format!("{key}[{index}]"))?;
        let altitude = z_m.map_or(String::new(), |z| format!(",{}", fixed(z, HEIGHT_DECIMALS)));
        let _ = writeln!(text, "{},{}{altitude}", fixed(longitude, DEGREE_DECIMALS), fixed(latitude, DEGREE_DECIMALS));
    }
    text.push_str("</coordinates></LineString></Placemark>\n");
    Ok(())
}
