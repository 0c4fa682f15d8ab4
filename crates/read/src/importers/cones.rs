//! A map of cones: CSV as EUFS and the simulator of Formula Student Driverless write it, and JSON.

use serde::Deserialize;

use crate::cones::{Boundaries, Cone, ConeColour, Pose, boundaries};
use raceline_file::table::{Row, Table, TableError, plain_name, text};
use raceline_road::construction::{EdgePair, Sides};
use raceline_road::construction::{ImportError, ImportNote, ImportOptions, Imported, SpecifiedClosed};
use raceline_road::geometry::Point;

/// The columns and their spellings, without unit.
const COLUMNS: [(&str, &[&str]); 4] = [
    ("tag", &["tag", "colour", "color", "type", "side"]),
    ("x_m", &["x"]),
    ("y_m", &["y"]),
    ("direction", &["direction", "heading"]),
];
/// Columns of a file without a header: those of both simulators.
const WITHOUT_HEADER: [Option<usize>; 4] = [Some(0), Some(1), Some(2), Some(3)];
const EXAMPLE: &str = "tag,x,y";
const KNOWN: &str = "a map of cones has tag, x and y; tag is blue, yellow, orange, big_orange or unknown";
/// The tag of the row with the place where the vehicle starts, as EUFS writes it.
const START: &str = "car_start";

/// Whether these bytes are a map of cones: a row of a colour and two numbers among the first lines, or JSON
/// with a list of places with colours.
#[must_use]
pub(crate) fn is_cones(bytes: &[u8]) -> bool {
    let text = text(bytes).unwrap_or_default().trim_start();
    if text.starts_with(['[', '{']) {
        return list_of(text).is_some_and(|cones| !cones.is_empty());
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.take(2).any(|line| {
        let mut fields = line.split([',', ';', '\t', ' ']).map(str::trim);
        let tag = fields.next().unwrap_or_default();
        let is_tag = !tag.is_empty() && tag.len() > 1 && (ConeColour::of_name(tag).is_some() || tag == START);
        is_tag && fields.take(2).filter(|field| field.parse::<f64>().is_ok()).count() == 2
    })
}

/// A cone in JSON.
#[derive(Deserialize)]
struct Listed {
    x: f64,
    y: f64,
    #[serde(alias = "color", alias = "tag", alias = "type", default)]
    colour: String,
}

fn list_of(text: &str) -> Option<Vec<Listed>> {
    #[derive(Deserialize)]
    struct Named {
        cones: Vec<Listed>,
    }
    // A list of pairs of numbers would be read as cones too.
    if !text.contains("\"x\"") {
        return None;
    }
    let bare = || serde_json::from_str::<Vec<Listed>>(text).ok();
    serde_json::from_str::<Named>(text).map(|named| named.cones).ok().or_else(bare)
}

/// Reads a map of cones in any order and finds the road between them ([`boundaries`]). The left edge has
/// the blue cones, and the road is driven in the direction that has them on the left. The width of the
/// options is the road's, where the cones do not show it.
///
/// # Errors
/// See [`ImportError`].
pub fn cones(bytes: &[u8], closed: SpecifiedClosed, options: &ImportOptions) -> Result<Imported, ImportError> {
    let (cones, start) = read(bytes)?;
    let found = boundaries(&cones, start, options.width_m);
    let Boundaries { left, right, closed: is_closed, cones, used, recoloured } =
        found.map_err(|error| ImportError::Cones { message: error.to_string() })?;
    let pair = EdgePair { first: left, second: right, sides: Sides::Named, in_travel_order: true, levels: None };
    let mut imported = pair.imported(closed.or(Some(is_closed)), options)?;
    if used < cones || recoloured > 0 {
        imported.notes.push(ImportNote::Cones { count: cones, unused: cones - used, recoloured });
    }
    Ok(Imported { start: start.map(|pose| pose.position), ..imported })
}

/// The cones of a file, and where the vehicle starts.
fn read(bytes: &[u8]) -> Result<(Vec<Cone>, Option<Pose>), ImportError> {
    let text = text(bytes)?.trim_start();
    if text.starts_with(['[', '{']) {
        let wrong = |message: String| ImportError::Cones { message };
        let listed = list_of(text)
            .ok_or_else(|| wrong("the JSON is no list of cones, each with x, y and colour: give one".to_owned()))?;
        let cone = |(number, cone): (usize, Listed)| {
            let colour = ConeColour::of_name(&cone.colour).ok_or_else(|| {
                let found = raceline_file::shortened(&cone.colour);
                wrong(format!("cone {number}: {found:?} is no colour: give blue, yellow, orange or unknown"))
            })?;
            Ok(Cone { position: Point::new(cone.x, cone.y), colour })
        };
        return Ok(((1..).zip(listed).map(cone).collect::<Result<_, ImportError>>()?, None));
    }
    let is_name = |field: &str| COLUMNS.iter().any(|(_, names)| names.contains(&plain_name(field).as_str()));
    let table = Table::read(bytes, is_name, EXAMPLE)?;
    let [tag, x, y, direction] = match &table.header {
        Some(header) => header.columns(&COLUMNS)?,
        None => WITHOUT_HEADER,
    };
    let place = table.header.as_ref().or(table.rows.first());
    let missing = |name| place.map_or(TableError::Empty { example: EXAMPLE }, |row| row.missing(name, KNOWN));
    let x = x.ok_or_else(|| missing("x_m"))?;
    let y = y.ok_or_else(|| missing("y_m"))?;
    let (mut cones, mut start) = (Vec::new(), None);
    for row in &table.rows {
        let position = Point::new(coordinate(row, x, "x_m")?, coordinate(row, y, "y_m")?);
        let name = tag.map_or("", |tag| row.field(tag));
        if name == START {
            let heading = direction.filter(|&index| !row.field(index).is_empty());
            let heading_rad = heading.map_or(Ok(0.0), |index| row.number(index, "direction"))?;
            start = Some(Pose { position, heading_rad });
            continue;
        }
        let colour = ConeColour::of_name(name).ok_or_else(|| ImportError::Cones {
            message: format!(
                "line {}: {:?} is no colour of a cone: write blue, yellow, orange, big_orange or unknown",
                row.line,
                raceline_file::shortened(name)
            ),
        })?;
        cones.push(Cone { position, colour });
    }
    Ok((cones, start))
}

fn coordinate(row: &Row, index: usize, name: &'static str) -> Result<f64, TableError> {
    super::centre_line_csv::coordinate(row, index, name)
}
