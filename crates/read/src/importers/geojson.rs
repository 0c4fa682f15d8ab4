//! GeoJSON (RFC 7946): a centre line with a width, two edges, or a polygon with one hole, in
//! degrees.

use ::geojson::{Feature, GeoJson, Geometry, GeometryValue, JsonObject, JsonValue, Position};
use serde::Deserialize;

use super::centre_line_csv::HIGHEST_M;
use raceline_file::table::text;
use raceline_road::construction::Level;
use raceline_road::construction::counted;
use raceline_road::construction::{CentreLine, Station};
use raceline_road::construction::{EdgeLevel, EdgePair, Sides};
use raceline_road::construction::{ImportError, ImportNote, ImportOptions, Imported, SpecifiedClosed};
use raceline_road::geometry::{Point, Projection};

/// Positions farther from the middle do not belong to one track, and the projection becomes
/// inaccurate.
const FARTHEST_M: f64 = 1e5;
/// Properties that give the full width of the road, metres.
const WIDTH_KEYS: [&str; 2] = ["width_m", "width"];
/// Properties that name an edge `left` or `right`.
const SIDE_KEYS: [&str; 3] = ["edge", "side", "name"];

const FIX: &str =
    "give one LineString with a property width_m, two LineStrings along the edges, or one Polygon with one hole";

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
    let text = text(bytes)?;
    let parsed = text.parse().map_err(|error: ::geojson::Error| ImportError::GeoJson { message: error.to_string() })?;
    let mut found = Contents::default();
    match parsed {
        GeoJson::Geometry(geometry) => found.add(&geometry, None, "the geometry")?,
        GeoJson::Feature(feature) => found.add_feature(&feature, "the feature")?,
        GeoJson::FeatureCollection(collection) => {
            for (index, feature) in collection.features.iter().enumerate() {
                found.add_feature(feature, &format!("feature {}", index + 1))?;
            }
        }
    }
    found.imported(closed, options)
}

/// A line in degrees with the properties of its feature.
struct Line {
    place: String,
    positions: Vec<Place>,
    width_m: Option<f64>,
    side: Option<Side>,
}

/// A position: longitude and latitude, degrees, and height, if it has one, metres.
#[derive(Clone, Copy)]
struct Place {
    degrees: [f64; 2],
    height_m: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// The contents of a file.
#[derive(Default)]
struct Contents {
    lines: Vec<Line>,
    /// Rings of polygons, the outer one first.
    polygons: Vec<(String, Vec<Vec<Place>>)>,
    /// Points, which are ignored.
    others: usize,
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
            GeometryValue::Point { .. } | GeometryValue::MultiPoint { .. } => self.others += 1,
        }
        Ok(())
    }

    fn add_line(&mut self, line: &[Position], properties: Option<&JsonObject>, place: &str) -> Result<(), ImportError> {
        let line = Line {
            place: place.to_owned(),
            positions: places(line, place)?,
            width_m: properties.map_or(Ok(None), |properties| width(properties, place))?,
            side: properties.and_then(side),
        };
        self.lines.push(line);
        Ok(())
    }

    fn add_polygon(&mut self, rings: &[Vec<Position>], place: &str) -> Result<(), ImportError> {
        let rings = rings.iter().enumerate();
        let rings = rings.map(|(index, ring)| places(ring, &format!("{place}, ring {}", index + 1)));
        self.polygons.push((place.to_owned(), rings.collect::<Result<_, _>>()?));
        Ok(())
    }

    fn imported(self, closed: SpecifiedClosed, options: &ImportOptions) -> Result<Imported, ImportError> {
        let rings = self.polygons.iter().flat_map(|(_, rings)| rings.iter());
        let all: Vec<Place> = self.lines.iter().map(|line| &line.positions).chain(rings).flatten().copied().collect();
        let projection = Projection::about(&all.iter().map(|place| place.degrees).collect::<Vec<_>>());
        let metres =
            |places: &[Place]| -> Vec<Point> { places.iter().map(|place| projection.project(place.degrees)).collect() };
        let without = all.iter().filter(|place| place.height_m.is_none()).count();
        let heights = |places: &[Place]| -> Option<Vec<f64>> {
            if without == 0 { places.iter().map(|place| place.height_m).collect() } else { None }
        };
        let levels = |first: &[Place], second: &[Place]| {
            let level = |height_m| EdgeLevel { height_m, ..EdgeLevel::default() };
            let edge = |places: &[Place]| Some(heights(places)?.into_iter().map(level).collect());
            Some([edge(first)?, edge(second)?])
        };
        let extent = metres(&all).iter().map(|point| point.coords.norm()).fold(0.0, f64::max);
        if extent > FARTHEST_M {
            return Err(ImportError::TooLarge { extent_km: extent / 1e3, limit_km: FARTHEST_M / 1e3 });
        }
        let mut imported = match (self.lines.as_slice(), self.polygons.as_slice()) {
            ([line], []) => {
                along_line(line, &metres(&line.positions), heights(&line.positions).as_deref(), closed, options)?
            }
            ([first, second], []) => {
                let swapped = first.side == Some(Side::Right) || second.side == Some(Side::Left);
                let (left, right) = if swapped { (second, first) } else { (first, second) };
                let named = left.side == Some(Side::Left) || right.side == Some(Side::Right);
                let contradiction = left.side == Some(Side::Right) || right.side == Some(Side::Left);
                let pair = EdgePair {
                    first: metres(&left.positions),
                    second: metres(&right.positions),
                    sides: if named && !contradiction { Sides::Named } else { Sides::Unknown },
                    in_travel_order: true,
                    levels: levels(&left.positions, &right.positions),
                };
                pair.imported(closed, options)?
            }
            ([], [(place, rings)]) => match rings.as_slice() {
                [outer, hole] => {
                    let pair = EdgePair {
                        first: metres(hole),
                        second: metres(outer),
                        sides: Sides::Unknown,
                        in_travel_order: false,
                        levels: levels(hole, outer),
                    };
                    pair.imported(Some(true), options)?
                }
                rings => {
                    let problem = format!("the polygon has {}", counted(rings.len().saturating_sub(1), "hole"));
                    return Err(ImportError::Geometry { place: place.clone(), problem, fix: FIX });
                }
            },
            (lines, polygons) => {
                let problem =
                    format!("it contains {} and {}", counted(lines.len(), "line"), counted(polygons.len(), "polygon"));
                return Err(ImportError::Geometry { place: "the file".to_owned(), problem, fix: FIX });
            }
        };
        imported.geographic_origin_deg = Some(projection.middle);
        let [longitude_deg, latitude_deg] = projection.middle;
        imported.notes.push(ImportNote::Projected { longitude_deg, latitude_deg });
        if without > 0 && without < all.len() {
            imported.notes.push(ImportNote::HeightsIncomplete { without, count: all.len() });
        }
        if self.others > 0 {
            imported.notes.push(ImportNote::PointsBeside { count: self.others });
        }
        Ok(imported)
    }
}

fn along_line(
    line: &Line,
    points: &[Point],
    heights: Option<&[f64]>,
    closed: SpecifiedClosed,
    options: &ImportOptions,
) -> Result<Imported, ImportError> {
    let half = line.width_m.map(|width| width / 2.0).ok_or_else(|| ImportError::Geometry {
        place: line.place.clone(),
        problem: "the line has no width".to_owned(),
        fix: "add a property width_m, the full width of the road in metres, or give two lines along its edges",
    })?;
    let station = |(index, &position): (usize, &Point)| {
        let height_m = heights.and_then(|heights| heights.get(index));
        let level = height_m.map(|&height_m| Level { height_m, banking_rad: 0.0, grip: 1.0 });
        Station { position, right_m: half, left_m: half, line: None, level }
    };
    CentreLine::new(points.iter().enumerate().map(station).collect()).imported(closed, options)
}

/// Positions in degrees, checked. A third coordinate that is no height of a road counts as none.
fn places(positions: &[Position], place: &str) -> Result<Vec<Place>, ImportError> {
    let checked = positions.iter().enumerate().map(|(index, position)| {
        let place = || format!("{place}, position {}", index + 1);
        match *position.as_slice() {
            [longitude, latitude, ref more @ ..] if longitude.abs() <= 180.0 && latitude.abs() <= 90.0 => {
                let height_m = more.first().copied().filter(|height| height.abs() <= HIGHEST_M);
                Ok(Place { degrees: [longitude, latitude], height_m })
            }
            [longitude, latitude, ..] => Err(ImportError::NotDegrees { place: place(), longitude, latitude }),
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
    SIDE_KEYS.iter().find_map(|&key| {
        let specified = properties.get(key)?.as_str()?.to_lowercase();
        match (specified.contains("left"), specified.contains("right")) {
            (true, false) => Some(Side::Left),
            (false, true) => Some(Side::Right),
            _ => None,
        }
    })
}
