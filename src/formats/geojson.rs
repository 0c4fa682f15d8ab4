//! GeoJSON (RFC 7946): three LineStrings, the racing line and both edges, distinguished by the
//! property `kind`. The other values of the line's points are lists among its properties, with one
//! value per position.

use std::fmt::Write;

use serde_json::Value;

use super::geographic::Degrees;
use super::heights::{HEIGHT_DECIMALS, Place, edges_in_space};
use super::lap_points::lap_points;
use super::number::{Fixed, fixed};
use super::{FormatError, FormatOptions};
use crate::RacingLine;

/// Decimals of degrees: 1e-9 is a tenth of a millimetre, from which a reader computes the line's
/// curvature.
pub(super) const DEGREE_DECIMALS: u8 = 9;

pub(super) fn write(line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    let degrees = Degrees::new(line, options, "geojson")?;
    let points = lap_points(line, options);
    let list = |value: fn(&crate::file::LinePoint) -> Fixed| {
        points.iter().map(|point| value(point).to_string()).collect::<Vec<_>>().join(", ")
    };
    let properties = format!(
        "\"kind\": \"racing-line\", \"name\": {}, \"closed\": {}, \"method\": \"{}\", \"vehicle\": {}, \"lap_time_s\": {}, \"length_m\": {},\n \
         \"s_m\": [{}],\n \"speed_mps\": [{}],\n \"accel_mps2\": [{}],\n \"time_s\": [{}]",
        Value::from(line.name.as_str()),
        line.closed,
        line.method.name(),
        Value::from(line.vehicle.name.as_str()),
        fixed(line.lap_time_s, 4),
        fixed(line.length_m, 3),
        list(|point| fixed(point.s_m, 3)),
        list(|point| fixed(point.speed_mps, 3)),
        list(|point| fixed(point.accel_mps2, 3)),
        list(|point| fixed(point.time_s, 4)),
    );
    let positions: Vec<Place> = points.iter().map(|point| ([point.x_m, point.y_m], point.z_m)).collect();
    let mut text = "{\"type\": \"FeatureCollection\", \"features\": [\n".to_owned();
    push_feature(&mut text, &properties, &positions, &degrees, "points")?;
    for ((kind, key), vertices) in
        [("left-edge", "edges.left"), ("right-edge", "edges.right")].into_iter().zip(edges_in_space(line))
    {
        text.push_str(",\n");
        push_feature(&mut text, &format!("\"kind\": \"{kind}\""), &vertices, &degrees, key)?;
    }
    text.push_str("\n]}\n");
    Ok(text.into_bytes())
}

fn push_feature(
    text: &mut String,
    properties: &str,
    positions: &[Place],
    degrees: &Degrees,
    key: &str,
) -> Result<(), FormatError> {
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "{{\"type\": \"Feature\", \"properties\": {{{properties}}},\n \"geometry\": {{\"type\": \"LineString\", \"coordinates\": ["
    );
    for (index, &(position, z_m)) in positions.iter().enumerate() {
        let [longitude, latitude] = degrees.of(position, || format!("{key}[{index}]"))?;
        let separator = if index > 0 { "," } else { "" };
        let _ = write!(
            text,
            "{separator}\n  [{}, {}{}]",
            fixed(longitude, DEGREE_DECIMALS),
            fixed(latitude, DEGREE_DECIMALS),
            z_m.map_or(String::new(), |z| format!(", {}", fixed(z, HEIGHT_DECIMALS)))
        );
    }
    text.push_str("\n ]}}");
    Ok(())
}
