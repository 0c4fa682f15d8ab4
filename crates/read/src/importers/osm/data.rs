//! Nodes, ways and relations of OpenStreetMap, as XML and PBF both give them.

use std::collections::BTreeMap;

use raceline_road::construction::ImportError;
use raceline_road::geometry::{Point, Projection};

/// Nodes of a map, at most.
pub(super) const MAX_NODES: usize = 4_000_000;
/// Places of nodes in ways, at most.
pub(super) const MAX_PLACES: usize = 8_000_000;

/// The tags of an element.
#[derive(Clone, Debug, Default)]
pub(super) struct Tags(pub Vec<(String, String)>);

impl Tags {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// Whether the key has one of these values.
    pub fn is(&self, key: &str, values: &[&str]) -> bool {
        self.get(key).is_some_and(|value| values.contains(&value))
    }

    /// The name, if it has any.
    pub fn name(&self) -> Option<&str> {
        ["name", "name:en", "int_name", "ref"]
            .iter()
            .find_map(|key| self.get(key))
            .map(str::trim)
            .filter(|n| !n.is_empty())
    }
}

/// A node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    /// Longitude and latitude, degrees.
    pub degrees: Option<[f64; 2]>,
    /// Position on the plane of a map of Lanelet2, metres.
    pub local_m: Option<[f64; 2]>,
    /// Height, metres.
    pub height_m: Option<f64>,
}

/// A way: a line of nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Way {
    /// Number in the map.
    pub id: i64,
    /// Nodes, by their place in [`MapData::nodes`].
    pub nodes: Vec<usize>,
    /// Tags.
    pub tags: Tags,
}

impl Way {
    /// The way in messages.
    pub fn label(&self) -> String {
        match self.tags.name() {
            Some(name) => raceline_file::shortened(name),
            None => format!("way {}", self.id),
        }
    }
}

/// A member of a relation that is a way.
#[derive(Clone, Debug)]
pub(super) struct Member {
    /// Number of the way.
    pub way: i64,
    /// Role.
    pub role: String,
}

/// A relation: several ways with roles.
#[derive(Clone, Debug, Default)]
pub(super) struct Relation {
    /// Number in the map.
    pub id: i64,
    /// The members that are ways, in order.
    pub members: Vec<Member>,
    /// Tags.
    pub tags: Tags,
}

/// The contents of a map.
#[derive(Clone, Debug, Default)]
pub(super) struct MapData {
    /// Nodes.
    pub nodes: Vec<Node>,
    /// Ways, in the file's order.
    pub ways: Vec<Way>,
    /// Relations, in the file's order.
    pub relations: Vec<Relation>,
    numbers: BTreeMap<i64, usize>,
    places: BTreeMap<[u64; 2], usize>,
    ways_by_number: BTreeMap<i64, usize>,
    used: usize,
}

impl MapData {
    /// The nodes on a plane about the middle of the ways, metres; those without a place are at the origin.
    pub fn projected(&self) -> Vec<Point> {
        let used = self.ways.iter().flat_map(|way| &way.nodes).filter_map(|&index| self.nodes.get(index)?.degrees);
        let projection = Projection::about(&used.collect::<Vec<_>>());
        let project = |degrees| projection.project(degrees);
        self.nodes.iter().map(|node| node.degrees.map_or(Point::origin(), project)).collect()
    }

    /// The place of the node with this number, which is added if it is new.
    ///
    /// # Errors
    /// More nodes than a map may have.
    pub fn node(&mut self, id: i64) -> Result<usize, ImportError> {
        if let Some(&index) = self.numbers.get(&id) {
            return Ok(index);
        }
        let index = self.add(Node::default())?;
        self.numbers.insert(id, index);
        Ok(index)
    }

    /// The place of the node at `degrees`, for nodes without a number.
    ///
    /// # Errors
    /// More nodes than a map may have.
    pub fn node_at(&mut self, degrees: [f64; 2]) -> Result<usize, ImportError> {
        let key = degrees.map(|value| (value + 0.0).to_bits());
        if let Some(&index) = self.places.get(&key) {
            return Ok(index);
        }
        let index = self.add(Node { degrees: Some(degrees), ..Node::default() })?;
        self.places.insert(key, index);
        Ok(index)
    }

    /// The place of the node with this number, if there is one.
    pub fn known_node(&self, id: i64) -> Option<usize> {
        self.numbers.get(&id).copied()
    }

    /// Adds a way; of several with one number the first one stays.
    ///
    /// # Errors
    /// More places in ways than a map may have.
    pub fn add_way(&mut self, way: Way) -> Result<(), ImportError> {
        if self.ways_by_number.contains_key(&way.id) {
            return Ok(());
        }
        self.used += way.nodes.len();
        if self.used > MAX_PLACES {
            return Err(too_large());
        }
        self.ways_by_number.insert(way.id, self.ways.len());
        self.ways.push(way);
        Ok(())
    }

    /// The way with this number.
    pub fn way(&self, id: i64) -> Option<usize> {
        self.ways_by_number.get(&id).copied()
    }

    /// Forgets nodes without a place in the lines of ways, as those beyond the edge of an extract are, and ways
    /// that have no line left.
    pub fn without_unknown(mut self) -> Self {
        let nodes = &self.nodes;
        let is_known = |&index: &usize| nodes.get(index).is_some_and(|n| n.degrees.is_some() || n.local_m.is_some());
        for way in &mut self.ways {
            way.nodes.retain(is_known);
            way.nodes.dedup();
        }
        self.ways.retain(|way| way.nodes.len() > 1);
        self.ways_by_number = self.ways.iter().enumerate().map(|(index, way)| (way.id, index)).collect();
        self
    }

    fn add(&mut self, node: Node) -> Result<usize, ImportError> {
        if self.nodes.len() >= MAX_NODES {
            return Err(too_large());
        }
        self.nodes.push(node);
        Ok(self.nodes.len() - 1)
    }
}

fn too_large() -> ImportError {
    ImportError::Osm { message: format!("the map has more than {MAX_NODES} nodes: cut out the part that is needed") }
}

/// Whether these are a longitude and a latitude.
pub(super) fn are_degrees([longitude, latitude]: [f64; 2]) -> bool {
    longitude.abs() <= 180.0 && latitude.abs() <= 90.0
}
