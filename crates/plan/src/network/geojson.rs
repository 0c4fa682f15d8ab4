//! Streets from GeoJSON (RFC 7946): a line along each, in degrees.

use ::geojson::{Feature, GeoJson, Geometry, GeometryValue, JsonObject, JsonValue, Position};

use super::streets::{Directions, Street};
use super::{NetworkError, NetworkOptions};
use raceline_file::table::text;
use raceline_road::construction::ImportError;
use raceline_road::geometry::Projection;

/// Properties with the whole width of the street, metres.
const WIDTH_KEYS: [&str; 2] = ["width_m", "width"];
/// The widest street that is believed, metres.
const WIDEST_M: f64 = 1000.0;

/// The streets of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct GeoStreets {
    /// The streets, in metres to the east and north of the middle.
    pub streets: Vec<Street>,
    /// Longitude and latitude of the middle, degrees: the point (0, 0).
    pub origin_deg: [f64; 2],
}

/// The streets in GeoJSON: its LineStrings and MultiLineStrings. Everything else is ignored. The
/// properties `width_m` or `width` give a street's whole width in metres, else
/// [`NetworkOptions::street_width_m`]; `oneway` is that of OpenStreetMap: `yes`, `true` or 1 along
/// the line, `-1` or `reverse` against it, anything else both.
///
/// # Errors
/// [`NetworkError::Import`] with the feature and position; [`NetworkError::NoStreets`].
pub fn geojson_streets(bytes: &[u8], options: &NetworkOptions) -> Result<GeoStreets, NetworkError> {
    let parsed: Result<GeoJson, ::geojson::Error> = text(bytes).map_err(ImportError::from)?.parse();
    let parsed = parsed.map_err(|error| ImportError::GeoJson { message: error.to_string() })?;
    let mut lines = Vec::new();
    let mut add = |feature: &Feature, place: &str| match &feature.geometry {
        Some(geometry) => add_lines(geometry, feature.properties.as_ref(), place, options, &mut lines),
        None => Ok(()),
    };
    match &parsed {
        GeoJson::Geometry(geometry) => add_lines(geometry, None, "the geometry", options, &mut lines)?,
        GeoJson::Feature(feature) => add(feature, "the feature")?,
        GeoJson::FeatureCollection(collection) => {
            for (index, feature) in collection.features.iter().enumerate() {
                add(feature, &format!("feature {}", index + 1))?;
            }
        }
    }
    if lines.is_empty() {
        return Err(NetworkError::NoStreets);
    }
    let all: Vec<[f64; 2]> = lines.iter().flat_map(|line: &Line| line.degrees.iter().copied()).collect();
    let projection = Projection::about(&all);
    let street = |line: &Line| Street {
        line: line.degrees.iter().map(|&degrees| projection.project(degrees)).collect(),
        half_width_m: line.half_width_m,
        directions: line.directions,
    };
    Ok(GeoStreets { streets: lines.iter().map(street).collect(), origin_deg: projection.middle })
}

/// A street in degrees.
struct Line {
    degrees: Vec<[f64; 2]>,
    half_width_m: f64,
    directions: Directions,
}

fn add_lines(
    geometry: &Geometry,
    properties: Option<&JsonObject>,
    place: &str,
    options: &NetworkOptions,
    lines: &mut Vec<Line>,
) -> Result<(), ImportError> {
    let mut add = |positions: &[Position]| -> Result<(), ImportError> {
        lines.push(Line {
            degrees: degrees(positions, place)?,
            half_width_m: width_m(properties, place)?.unwrap_or(options.street_width_m()) / 2.0,
            directions: properties.and_then(|it| it.get("oneway")).map_or(Directions::Both, directions),
        });
        Ok(())
    };
    match &geometry.value {
        GeometryValue::LineString { coordinates } => add(coordinates),
        GeometryValue::MultiLineString { coordinates } => coordinates.iter().try_for_each(|line| add(line)),
        GeometryValue::GeometryCollection { geometries } => {
            geometries.iter().try_for_each(|geometry| add_lines(geometry, properties, place, options, lines))
        }
        _ => Ok(()),
    }
}

fn degrees(positions: &[Position], place: &str) -> Result<Vec<[f64; 2]>, ImportError> {
    let checked = positions.iter().enumerate().map(|(index, position)| {
        let place = format!("{place}, position {}", index + 1);
        match *position.as_slice() {
            [longitude, latitude, ..] if longitude.abs() <= 180.0 && latitude.abs() <= 90.0 => {
                Ok([longitude, latitude])
            }
            [longitude, latitude, ..] => Err(ImportError::NotDegrees { place, longitude, latitude }),
            _ => Err(ImportError::Geometry {
                place,
                problem: "it has fewer than two numbers".to_owned(),
                fix: "give longitude and latitude",
            }),
        }
    });
    checked.collect()
}

fn width_m(properties: Option<&JsonObject>, place: &str) -> Result<Option<f64>, ImportError> {
    let found = WIDTH_KEYS.iter().find_map(|&key| Some((key, properties?.get(key)?)));
    let Some((key, value)) = found else { return Ok(None) };
    let number = match value {
        JsonValue::Null => return Ok(None),
        JsonValue::String(text) => text.trim().trim_end_matches('m').trim_end().parse().ok(),
        value => value.as_f64(),
    };
    match number {
        Some(width) if width > 0.0 && width <= WIDEST_M => Ok(Some(width)),
        _ => Err(ImportError::Geometry {
            place: place.to_owned(),
            problem: format!("its {key} is {value}"),
            fix: "give the whole width of the street in metres, a number above 0 and at most 1000",
        }),
    }
}

fn directions(value: &JsonValue) -> Directions {
    let text = match value {
        JsonValue::String(text) => text.trim().to_lowercase(),
        value => value.to_string(),
    };
    match text.as_str() {
        "yes" | "true" | "1" => Directions::Forward,
        "-1" | "reverse" => Directions::Backward,
        _ => Directions::Both,
    }
}
