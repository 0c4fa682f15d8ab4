//! OpenStreetMap as XML: of the main database, of Overpass with `out geom`, of JOSM, and of Lanelet2.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::data::{MapData, Member, Relation, Way, are_degrees};
use raceline_file::table::text;
use raceline_road::construction::ImportError;

/// An element that is open.
enum Open {
    Node { index: usize },
    Way(Way),
    Relation(Relation),
}

/// Reads the XML.
///
/// # Errors
/// [`ImportError::Osm`] with the line.
pub(super) fn read(bytes: &[u8]) -> Result<MapData, ImportError> {
    let text = text(bytes)?;
    let mut reader = Reader::from_str(text);
    let mut map = MapData::default();
    let mut open: Option<Open> = None;
    // The way that a member of a relation is, with the line in it that `out geom` writes.
    let mut member: Option<Way> = None;
    loop {
        let position = reader.buffer_position();
        let wrong =
            |message: String| ImportError::Osm { message: format!("line {}: {message}", line_at(text, position)) };
        let event = reader.read_event().map_err(|error| wrong(error.to_string()))?;
        let (element, is_empty) = match &event {
            Event::Start(element) => (element, false),
            Event::Empty(element) => (element, true),
            Event::End(element) => {
                close(element.name().as_ref(), &mut map, &mut open, &mut member)?;
                continue;
            }
            Event::Eof => break,
            _ => continue,
        };
        let value = |key: &str| attribute(element, key).map_err(&wrong);
        let number = |key: &str| -> Result<Option<i64>, ImportError> {
            let Some(text) = value(key)? else { return Ok(None) };
            text.trim()
                .parse()
                .map(Some)
                .map_err(|_| wrong(format!("{key} = {:?} is not a whole number", raceline_file::shortened(&text))))
        };
        let degrees = || -> Result<Option<[f64; 2]>, ImportError> {
            let (longitude, latitude) = (value("lon")?, value("lat")?);
            let (Some(longitude), Some(latitude)) = (longitude, latitude) else { return Ok(None) };
            // Maps of Lanelet2 with positions in metres may leave them empty.
            if longitude.trim().is_empty() || latitude.trim().is_empty() {
                return Ok(None);
            }
            let found = [&longitude, &latitude].map(|text| text.trim().parse().unwrap_or(f64::NAN));
            if are_degrees(found) {
                return Ok(Some(found));
            }
            let [longitude, latitude] = found;
            Err(ImportError::NotDegrees { place: format!("line {}", line_at(text, position)), longitude, latitude })
        };
        let is_deleted = || -> Result<bool, ImportError> {
            Ok(value("action")?.as_deref() == Some("delete") || value("visible")?.as_deref() == Some("false"))
        };
        let name = element.name();
        match (name.as_ref(), &mut open) {
            (b"node", None) => {
                let id = number("id")?.ok_or_else(|| wrong("the node has no id".to_owned()))?;
                let index = map.node(id)?;
                if let Some(degrees) = degrees()?
                    && let Some(node) = map.nodes.get_mut(index)
                {
                    node.degrees = Some(degrees);
                }
                if !is_empty {
                    open = Some(Open::Node { index });
                }
            }
            (b"way", None) if !is_empty && !is_deleted()? => {
                let id = number("id")?.unwrap_or_default();
                open = Some(Open::Way(Way { id, ..Way::default() }));
            }
            (b"relation", None) if !is_empty && !is_deleted()? => {
                let id = number("id")?.unwrap_or_default();
                open = Some(Open::Relation(Relation { id, ..Relation::default() }));
            }
            (b"nd", Some(Open::Way(way))) => way.nodes.extend(node(&mut map, number("ref")?, degrees()?)?),
            (b"nd", Some(Open::Relation(_))) => {
                if let Some(way) = &mut member {
                    way.nodes.extend(node(&mut map, number("ref")?, degrees()?)?);
                }
            }
            (b"member", Some(Open::Relation(relation))) => {
                if value("type")?.as_deref() == Some("way")
                    && let Some(way) = number("ref")?
                {
                    relation.members.push(Member { way, role: value("role")?.unwrap_or_default() });
                    member = (!is_empty).then(|| Way { id: way, ..Way::default() });
                }
            }
            (b"tag", Some(open)) => {
                let (Some(key), Some(value)) = (value("k")?, value("v")?) else { continue };
                match open {
                    Open::Node { index } => tag_node(&mut map, *index, &key, &value),
                    Open::Way(way) => way.tags.0.push((key, value)),
                    Open::Relation(relation) => relation.tags.0.push((key, value)),
                }
            }
            _ => {}
        }
    }
    Ok(map.without_unknown())
}

/// The node of a place in a line; none if the file does not state its position.
fn node(map: &mut MapData, id: Option<i64>, degrees: Option<[f64; 2]>) -> Result<Option<usize>, ImportError> {
    let index = match (id, degrees) {
        (Some(id), _) => map.node(id)?,
        (None, Some(degrees)) => map.node_at(degrees)?,
        (None, None) => return Ok(None),
    };
    if let Some(node) = map.nodes.get_mut(index) {
        node.degrees = node.degrees.or(degrees);
    }
    Ok(Some(index))
}

fn tag_node(map: &mut MapData, index: usize, key: &str, value: &str) {
    let Some(node) = map.nodes.get_mut(index) else { return };
    let number = value.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let [x, y] = node.local_m.unwrap_or([0.0; 2]);
    match (key, number) {
        ("local_x", Some(x)) => node.local_m = Some([x, y]),
        ("local_y", Some(y)) => node.local_m = Some([x, y]),
        ("ele", Some(height)) => node.height_m = Some(height),
        _ => {}
    }
}

fn close(name: &[u8], map: &mut MapData, open: &mut Option<Open>, member: &mut Option<Way>) -> Result<(), ImportError> {
    match (name, open.take()) {
        (b"way", Some(Open::Way(way))) => map.add_way(way),
        (b"relation", Some(Open::Relation(relation))) => {
            map.relations.push(relation);
            Ok(())
        }
        (b"node", Some(Open::Node { .. })) => Ok(()),
        (b"member", other) => {
            *open = other;
            // Overpass writes the lines of members alone where only relations are asked for.
            let Some(way) = member.take() else { return Ok(()) };
            if way.nodes.is_empty() { Ok(()) } else { map.add_way(way) }
        }
        (_, other) => {
            *open = other;
            Ok(())
        }
    }
}

/// The value of an attribute.
fn attribute(element: &BytesStart<'_>, key: &str) -> Result<Option<String>, String> {
    let found = element.try_get_attribute(key).map_err(|error| error.to_string())?;
    let Some(found) = found else { return Ok(None) };
    let raw = String::from_utf8_lossy(&found.value);
    quick_xml::escape::unescape(&raw).map(|text| Some(text.into_owned())).map_err(|error| error.to_string())
}

/// The line of a place in a text, from 1.
fn line_at(text: &str, position: u64) -> usize {
    let position = usize::try_from(position).unwrap_or(usize::MAX).min(text.len());
    text.as_bytes()[..position].iter().filter(|&&byte| byte == b'\n').count() + 1
}
