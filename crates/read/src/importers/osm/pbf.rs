//! OpenStreetMap as PBF (<https://wiki.openstreetmap.org/wiki/PBF_Format>): blocks of protocol buffers,
//! compressed with zlib.
//!
//! Two passes keep the memory to what is needed: the first reads ways and relations, the second the nodes of
//! these ways.

use std::io::Read as _;

use flate2::read::ZlibDecoder;

use super::data::{MapData, Member, Relation, Tags, Way, are_degrees};
use super::protobuf::{Fields, Value, packed, packed_signed, unzigzag};
use super::tags::is_wanted;
use raceline_road::construction::ImportError;

/// Bytes of the header of a block, at most, as the format has it.
const MAX_HEADER: usize = 64 << 10;
/// Bytes of a block's content, at most, as the format has it.
const MAX_BLOCK: usize = 32 << 20;
/// Bytes of all blocks are at most this many times those of the file: usual maps have 1.5 to 4 times as many.
const LARGEST_RATIO: usize = 50;
/// What the beginning of a file has after the length of its first header.
const START: &[u8] = b"\x0a\x09OSMHeader";

/// Features of files that are read.
const FEATURES: [&[u8]; 3] = [b"OsmSchema-V0.6", b"DenseNodes", b"LocationsOnWays"];

/// Whether these are the first bytes of a PBF.
pub(super) fn is_pbf(bytes: &[u8]) -> bool {
    bytes.get(4..).is_some_and(|rest| rest.starts_with(START))
}

/// Reads a PBF.
///
/// # Errors
/// [`ImportError::Osm`] with the number of the block.
pub(super) fn read(bytes: &[u8]) -> Result<MapData, ImportError> {
    let mut map = MapData::default();
    for_each_block(bytes, |block| block.add_ways(&mut map))?;
    for_each_block(bytes, |block| block.add_nodes(&mut map))?;
    Ok(map.without_unknown())
}

fn wrong(message: &str) -> ImportError {
    ImportError::Osm { message: message.to_owned() }
}

/// A block of the map.
struct Block<'a> {
    strings: Vec<&'a [u8]>,
    groups: Vec<&'a [u8]>,
    /// Nanodegrees of a unit.
    granularity: i64,
    /// Of longitude and latitude, nanodegrees.
    offsets: [i64; 2],
}

/// Calls `each` for every block with ways or nodes.
fn for_each_block(
    bytes: &[u8],
    mut each: impl FnMut(&Block<'_>) -> Option<Result<(), ImportError>>,
) -> Result<(), ImportError> {
    let mut rest = bytes;
    let mut budget = bytes.len().saturating_mul(LARGEST_RATIO).saturating_add(MAX_BLOCK);
    let mut number = 0;
    while !rest.is_empty() {
        number += 1;
        let damaged = || wrong(&format!("block {number} of the PBF is damaged or cut off"));
        let (kind, blob, next) = split_block(rest).ok_or_else(damaged)?;
        rest = next;
        let content = content(blob, budget).ok_or_else(damaged)?;
        let content = content.map_err(|problem| wrong(&format!("block {number} of the PBF {problem}")))?;
        budget = budget.saturating_sub(content.len());
        match kind {
            b"OSMHeader" => check_features(&content)?,
            b"OSMData" => {
                let block = Block::of(&content).ok_or_else(damaged)?;
                each(&block).ok_or_else(damaged)??;
            }
            // The format lets readers skip blocks of other kinds.
            _ => {}
        }
    }
    Ok(())
}

/// The kind of the first block, its bytes, and what follows.
fn split_block(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_be_bytes(*length)).ok().filter(|&length| length <= MAX_HEADER)?;
    let (header, rest) = rest.split_at_checked(length)?;
    let (mut kind, mut size) = (None, None);
    for field in Fields(header) {
        match field? {
            (1, Value::Bytes(bytes)) => kind = Some(bytes),
            (3, Value::Number(number)) => size = usize::try_from(number).ok(),
            _ => {}
        }
    }
    let (blob, rest) = rest.split_at_checked(size?)?;
    Some((kind?, blob, rest))
}

/// The content of a block; `Err` has what is wrong with it, `None` is damage.
fn content(blob: &[u8], budget: usize) -> Option<Result<Vec<u8>, &'static str>> {
    for field in Fields(blob) {
        match field? {
            (1, Value::Bytes(raw)) => {
                return Some(if raw.len() <= MAX_BLOCK { Ok(raw.to_vec()) } else { Err("is larger than 32 MB") });
            }
            (3, Value::Bytes(compressed)) => {
                let limit = MAX_BLOCK.min(budget);
                let mut content = Vec::new();
                ZlibDecoder::new(compressed).take(limit as u64 + 1).read_to_end(&mut content).ok()?;
                return Some(if content.len() <= limit { Ok(content) } else { Err("unpacks to more than a map has") });
            }
            (4..=7, Value::Bytes(_)) => {
                return Some(Err("is not compressed with zlib: write it with zlib, as osmium does"));
            }
            _ => {}
        }
    }
    Some(Ok(Vec::new()))
}

/// Refuses files with features that change their meaning.
fn check_features(header: &[u8]) -> Result<(), ImportError> {
    for field in Fields(header) {
        if let Some((4, Value::Bytes(feature))) = field
            && !FEATURES.contains(&feature)
        {
            let name = String::from_utf8_lossy(feature);
            return Err(wrong(&format!(
                "the PBF has the feature {:?}, which is not read",
                raceline_file::shortened(&name)
            )));
        }
    }
    Ok(())
}

impl<'a> Block<'a> {
    fn of(bytes: &'a [u8]) -> Option<Self> {
        let mut block = Self { strings: Vec::new(), groups: Vec::new(), granularity: 100, offsets: [0; 2] };
        for field in Fields(bytes) {
            match field? {
                (1, Value::Bytes(table)) => {
                    for field in Fields(table) {
                        if let (1, Value::Bytes(text)) = field? {
                            block.strings.push(text);
                        }
                    }
                }
                (2, Value::Bytes(group)) => block.groups.push(group),
                (17, Value::Number(number)) => block.granularity = number.cast_signed(),
                (19, Value::Number(number)) => block.offsets[1] = number.cast_signed(),
                (20, Value::Number(number)) => block.offsets[0] = number.cast_signed(),
                _ => {}
            }
        }
        Some(block)
    }

    fn text(&self, index: u64) -> Option<String> {
        let text = self.strings.get(usize::try_from(index).ok()?)?;
        Some(String::from_utf8_lossy(text).into_owned())
    }

    fn tags(&self, keys: &[u64], values: &[u64]) -> Option<Tags> {
        let pairs = keys.iter().zip(values).map(|(&key, &value)| Some((self.text(key)?, self.text(value)?)));
        pairs.collect::<Option<_>>().map(Tags)
    }

    fn degrees(&self, longitude: i64, latitude: i64) -> [f64; 2] {
        [(self.offsets[0], longitude), (self.offsets[1], latitude)]
            .map(|(offset, units)| 1e-9 * (offset as f64 + self.granularity as f64 * units as f64))
    }

    /// Adds the ways that a road may be of, and the relations. `None` for damage.
    fn add_ways(&self, map: &mut MapData) -> Option<Result<(), ImportError>> {
        for group in &self.groups {
            for field in Fields(group) {
                let added = match field? {
                    (3, Value::Bytes(way)) => self.add_way(way, map)?,
                    (4, Value::Bytes(relation)) => {
                        map.relations.extend(self.relation(relation)?);
                        Ok(())
                    }
                    _ => continue,
                };
                if added.is_err() {
                    return Some(added);
                }
            }
        }
        Some(Ok(()))
    }

    fn add_way(&self, bytes: &[u8], map: &mut MapData) -> Option<Result<(), ImportError>> {
        let (mut id, mut keys, mut values, mut references) = (0, Vec::new(), Vec::new(), Vec::new());
        for field in Fields(bytes) {
            match field? {
                (1, Value::Number(number)) => id = number.cast_signed(),
                (2, value) => packed(value, &mut keys)?,
                (3, value) => packed(value, &mut values)?,
                (8, value) => packed_signed(value, &mut references)?,
                _ => {}
            }
        }
        let tags = self.tags(&keys, &values)?;
        if !is_wanted(&tags) {
            return Some(Ok(()));
        }
        let mut way = Way { id, tags, nodes: Vec::with_capacity(references.len()) };
        let mut number = 0_i64;
        for step in references {
            number = number.checked_add(step)?;
            match map.node(number) {
                Ok(index) => way.nodes.push(index),
                Err(error) => return Some(Err(error)),
            }
        }
        Some(map.add_way(way))
    }

    /// A relation with members that are ways.
    fn relation(&self, bytes: &[u8]) -> Option<Option<Relation>> {
        let (mut id, mut keys, mut values) = (0, Vec::new(), Vec::new());
        let (mut roles, mut members, mut kinds) = (Vec::new(), Vec::new(), Vec::new());
        for field in Fields(bytes) {
            match field? {
                (1, Value::Number(number)) => id = number.cast_signed(),
                (2, value) => packed(value, &mut keys)?,
                (3, value) => packed(value, &mut values)?,
                (8, value) => packed(value, &mut roles)?,
                (9, value) => packed_signed(value, &mut members)?,
                (10, value) => packed(value, &mut kinds)?,
                _ => {}
            }
        }
        let tags = self.tags(&keys, &values)?;
        if !super::tags::is_circuit_relation(&tags) && tags.name().is_none() {
            return Some(None);
        }
        const WAY: u64 = 1;
        let mut relation = Relation { id, tags, members: Vec::new() };
        let mut number = 0_i64;
        for ((step, kind), role) in members.into_iter().zip(kinds).zip(roles) {
            number = number.checked_add(step)?;
            if kind == WAY {
                relation.members.push(Member { way: number, role: self.text(role)? });
            }
        }
        Some(Some(relation))
    }

    /// Adds the places of known nodes. `None` for damage.
    fn add_nodes(&self, map: &mut MapData) -> Option<Result<(), ImportError>> {
        let mut set = |id: i64, longitude: i64, latitude: i64| {
            let found = self.degrees(longitude, latitude);
            if let Some(node) = map.known_node(id).and_then(|index| map.nodes.get_mut(index)) {
                node.degrees = Some(found).filter(|&found| are_degrees(found));
            }
        };
        for group in &self.groups {
            for field in Fields(group) {
                match field? {
                    (1, Value::Bytes(node)) => {
                        let (mut id, mut longitude, mut latitude) = (0, 0, 0);
                        for field in Fields(node) {
                            match field? {
                                (1, Value::Number(number)) => id = unzigzag(number),
                                (8, Value::Number(number)) => latitude = unzigzag(number),
                                (9, Value::Number(number)) => longitude = unzigzag(number),
                                _ => {}
                            }
                        }
                        set(id, longitude, latitude);
                    }
                    (2, Value::Bytes(dense)) => {
                        let (mut ids, mut longitudes, mut latitudes) = (Vec::new(), Vec::new(), Vec::new());
                        for field in Fields(dense) {
                            match field? {
                                (1, value) => packed_signed(value, &mut ids)?,
                                (8, value) => packed_signed(value, &mut latitudes)?,
                                (9, value) => packed_signed(value, &mut longitudes)?,
                                _ => {}
                            }
                        }
                        let mut at = [0_i64; 3];
                        for ((id, longitude), latitude) in ids.into_iter().zip(longitudes).zip(latitudes) {
                            for (sum, step) in at.iter_mut().zip([id, longitude, latitude]) {
                                *sum = sum.checked_add(step)?;
                            }
                            set(at[0], at[1], at[2]);
                        }
                    }
                    _ => {}
                }
            }
        }
        Some(Ok(()))
    }
}
