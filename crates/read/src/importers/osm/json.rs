//! OpenStreetMap as JSON of Overpass (`[out:json]`, also with `out geom`).

use std::collections::BTreeMap;

use serde::Deserialize;

use super::data::{MapData, Member, Relation, Tags, Way, are_degrees};
use raceline_file::table::text;
use raceline_road::construction::ImportError;

/// Text that only JSON of Overpass has.
#[derive(Deserialize)]
struct Head {
    generator: String,
    #[serde(rename = "elements")]
    _elements: Vec<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
struct Answer {
    elements: Vec<Element>,
}

#[derive(Deserialize)]
struct Element {
    r#type: String,
    id: i64,
    lat: Option<f64>,
    lon: Option<f64>,
    #[serde(default)]
    nodes: Vec<i64>,
    #[serde(default)]
    geometry: Vec<Option<Position>>,
    #[serde(default)]
    members: Vec<MemberOf>,
    #[serde(default)]
    tags: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct MemberOf {
    r#type: String,
    r#ref: i64,
    #[serde(default)]
    role: String,
    #[serde(default)]
    geometry: Vec<Option<Position>>,
}

#[derive(Clone, Copy, Deserialize)]
struct Position {
    lat: f64,
    lon: f64,
}

/// Whether these bytes are an answer of Overpass.
pub(super) fn is_overpass(bytes: &[u8]) -> bool {
    let text = text(bytes).unwrap_or_default();
    serde_json::from_str::<Head>(text).is_ok_and(|head| head.generator.contains("Overpass"))
}

/// Reads an answer.
///
/// # Errors
/// [`ImportError::Osm`] with line and column, [`ImportError::NotDegrees`].
pub(super) fn read(bytes: &[u8]) -> Result<MapData, ImportError> {
    let answer: Answer =
        serde_json::from_str(text(bytes)?).map_err(|error| ImportError::Osm { message: error.to_string() })?;
    let mut map = MapData::default();
    for element in answer.elements {
        let place = || format!("{} {}", element.r#type, element.id);
        let tags = Tags(element.tags.into_iter().collect());
        match element.r#type.as_str() {
            "node" => {
                let index = map.node(element.id)?;
                let (Some(longitude), Some(latitude)) = (element.lon, element.lat) else { continue };
                set(&mut map, index, [longitude, latitude], place)?;
            }
            "way" => {
                let nodes = nodes(&mut map, &element.nodes, &element.geometry, place)?;
                map.add_way(Way { id: element.id, nodes, tags })?;
            }
            "relation" => {
                let mut relation = Relation { id: element.id, tags, members: Vec::new() };
                for member in element.members.into_iter().filter(|member| member.r#type == "way") {
                    if !member.geometry.is_empty() {
                        let nodes = nodes(&mut map, &[], &member.geometry, place)?;
                        map.add_way(Way { id: member.r#ref, nodes, tags: Tags::default() })?;
                    }
                    relation.members.push(Member { way: member.r#ref, role: member.role });
                }
                map.relations.push(relation);
            }
            _ => {}
        }
    }
    Ok(map.without_unknown())
}

/// The nodes of a way: by number, and where `geometry` has them, by place.
fn nodes(
    map: &mut MapData,
    numbers: &[i64],
    geometry: &[Option<Position>],
    place: impl Fn() -> String,
) -> Result<Vec<usize>, ImportError> {
    if numbers.is_empty() {
        let known = geometry.iter().flatten().map(|position| {
            let degrees = [position.lon, position.lat];
            check(degrees, &place)?;
            map.node_at(degrees)
        });
        return known.collect();
    }
    let mut found = Vec::with_capacity(numbers.len());
    for (index, &number) in numbers.iter().enumerate() {
        let node = map.node(number)?;
        if let Some(position) = geometry.get(index).copied().flatten() {
            set(map, node, [position.lon, position.lat], &place)?;
        }
        found.push(node);
    }
    Ok(found)
}

fn set(map: &mut MapData, index: usize, degrees: [f64; 2], place: impl Fn() -> String) -> Result<(), ImportError> {
    check(degrees, &place)?;
    if let Some(node) = map.nodes.get_mut(index) {
        node.degrees = Some(degrees);
    }
    Ok(())
}

fn check([longitude, latitude]: [f64; 2], place: &impl Fn() -> String) -> Result<(), ImportError> {
    if are_degrees([longitude, latitude]) {
        Ok(())
    } else {
        Err(ImportError::NotDegrees { place: place(), longitude, latitude })
    }
}
