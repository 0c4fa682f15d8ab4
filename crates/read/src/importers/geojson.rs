//! GeoJSON (RFC 7946): a centre line with a width, two edges, or a polygon with one hole, in
//! degrees.

use ::geojson::{Feature, GeoJson, Geometry, GeometryValue, JsonObject, JsonValue, Position};
use serde::Deserialize;

use super::geographic::{Geographic, Line, Place, Side};
use raceline_file::table::text;
use raceline_road::construction::{ImportError, ImportOptions, Imported, SpecifiedClosed};

/// Properties that give the full width of the road, metres.
const WIDTH_KEYS: [&str; 2] = ["width_m", "width"];
/// Properties that name the track.
const NAME_KEYS: [&str; 2] = ["name", "Name"];
/// Properties that state the length of the lap, metres.
const LENGTH_KEYS: [&str; 2] = ["length_m", "length"];
/// No lap is shorter, so that a smaller number is in another unit.
const SHORTEST_LAP_M: f64 = 100.0;
/// Properties that name an edge `left` or `right`.
const SIDE_KEYS: [&str; 4] = ["edge", "side", "name", "kind"];

/// Whether `bytes` are JSON whose `type` is one of GeoJSON's.
#[must_use]
pub fn is_geojson(bytes: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Typed {
        r#type: String,
    }
    const TYPES: [&str; 9] = [
        "Feature",
        "FeatureCollection",
        "GeometryCollection",
        "LineString",
        "MultiLineString",
        "Polygon",
        "MultiPolygon",
        "Point",
        "MultiPoint",
    ];
    let text = text(bytes).unwrap_or_default();
    serde_json::from_str::<Typed>(text).is_ok_and(|typed| TYPES.contains(&typed.r#type.as_str()))
}

/// Reads GeoJSON. Positions are projected to metres about their middle, which is reported in the
/// notes.
///
/// # Errors
/// See [`ImportError`]; each names the feature and the position.
pub fn geojson(bytes: &[u8], closed: SpecifiedClosed, options: &ImportOptions) -> Result<Imported, ImportError> {
    read(bytes)?.chosen(options.part.as_deref())?.imported(closed, options)
}

/// The lines and polygons of GeoJSON.
pub(super) fn read(bytes: &[u8]) -> Result<Geographic, ImportError> {
    let text = text(bytes)?;
    let parsed = text.parse().map_err(|error: ::geojson::Error| ImportError::GeoJson { message: error.to_string() })?;
    let mut contents = Contents::default();
    match parsed {
        GeoJson::Geometry(geometry) => contents.add(&geometry, None, "the geometry")?,
        GeoJson::Feature(feature) => contents.add_feature(&feature, "the feature")?,
        GeoJson::FeatureCollection(collection) => {
            for (index, feature) in collection.features.iter().enumerate() {
                contents.add_feature(feature, &format!("feature {}", index + 1))?;
            }
        }
    }
    Ok(contents.found)
}

/// What is found while a file is walked through.
#[derive(Default)]
struct Contents {
    found: Geographic,
}

impl Contents {
    fn add_feature(&mut self, feature: &Feature, place: &str) -> Result<(), ImportError> {
        match &feature.geometry {
            Some(geometry) => self.add(geometry, feature.properties.as_ref(), place),
            None => Ok(()),
        }
    }

    fn add(&mut self, geometry: &Geometry, properties: Option<&JsonObject>, place: &str) -> Result<(), ImportError> {
        match &geometry.value {
            GeometryValue::LineString { coordinates } => self.add_line(coordinates, properties, place)?,
            GeometryValue::MultiLineString { coordinates } => {
                for (index, line) in coordinates.iter().enumerate() {
                    self.add_line(line, properties, &format!("{place}, line {}", index + 1))?;
                }
            }
            GeometryValue::Polygon { coordinates } => self.add_polygon(coordinates, place)?,
            GeometryValue::MultiPolygon { coordinates } => {
                for (index, polygon) in coordinates.iter().enumerate() {
                    self.add_polygon(polygon, &format!("{place}, polygon {}", index + 1))?;
                }
            }
            GeometryValue::GeometryCollection { geometries } => {
                for (index, geometry) in geometries.iter().enumerate() {
                    self.add(geometry, properties, &format!("{place}, geometry {}", index + 1))?;
                }
            }
            GeometryValue::Point { .. } | GeometryValue::MultiPoint { .. } => self.found.points += 1,
        }
        Ok(())
    }

    fn add_line(&mut self, line: &[Position], properties: Option<&JsonObject>, place: &str) -> Result<(), ImportError> {
        let line = Line {
            place: place.to_owned(),
            positions: places(line, place)?,
            width_m: properties.map_or(Ok(None), |properties| width(properties, place))?,
            widths_m: None,
            side: properties.and_then(side),
            name: properties.and_then(name),
            length_m: properties.and_then(length_m),
        };
        self.found.lines.push(line);
        Ok(())
    }

    fn add_polygon(&mut self, rings: &[Vec<Position>], place: &str) -> Result<(), ImportError> {
        let rings = rings.iter().enumerate();
        let rings = rings.map(|(index, ring)| places(ring, &format!("{place}, ring {}", index + 1)));
        self.found.polygons.push((place.to_owned(), rings.collect::<Result<_, _>>()?));
        Ok(())
    }
}

/// Positions in degrees, checked.
fn places(positions: &[Position], place: &str) -> Result<Vec<Place>, ImportError> {
    let checked = positions.iter().enumerate().map(|(index, position)| {
        let place = || format!("{place}, position {}", index + 1);
        match *position.as_slice() {
            [longitude, latitude, ref more @ ..] => Place::new([longitude, latitude], more.first().copied(), place),
            _ => Err(ImportError::Geometry {
                place: place(),
                problem: "it has fewer than two numbers".to_owned(),
                fix: "give longitude and latitude",
            }),
        }
    });
    checked.collect()
}

/// The full width of the road in a feature's properties: a number, or text that begins with one, as
/// in `"12 m"`.
fn width(properties: &JsonObject, place: &str) -> Result<Option<f64>, ImportError> {
    let Some((key, value)) = WIDTH_KEYS.iter().find_map(|&key| Some((key, properties.get(key)?))) else {
        return Ok(None);
    };
    let number = match value {
        JsonValue::Null => return Ok(None),
        JsonValue::String(text) => text.trim().trim_end_matches('m').trim_end().parse().ok(),
        value => value.as_f64(),
    };
    match number {
        Some(width) if width > 0.0 && width <= 1e4 => Ok(Some(width)),
        _ => Err(ImportError::Geometry {
            place: place.to_owned(),
            problem: format!("its {key} is {value}"),
            fix: "give the full width of the road in metres, a number above 0",
        }),
    }
}

/// The side in a feature's properties.
fn side(properties: &JsonObject) -> Option<Side> {
    SIDE_KEYS.iter().find_map(|&key| Side::of_name(properties.get(key)?.as_str()?))
}

/// What a feature's properties call the track.
fn name(properties: &JsonObject) -> Option<String> {
    let value = NAME_KEYS.iter().find_map(|&key| properties.get(key))?.as_str()?.trim();
    (!value.is_empty()).then(|| value.to_owned())
}

/// Length of the lap in a feature's properties, metres. A number too small for a lap in metres is no
/// length in metres, and is left out.
fn length_m(properties: &JsonObject) -> Option<f64> {
    LENGTH_KEYS.iter().find_map(|&key| properties.get(key)?.as_f64()).filter(|&length| length >= SHORTEST_LAP_M)
}
