//! Which ways of a map are the road.

use std::collections::{BTreeMap, BTreeSet};

use super::data::{MapData, Relation, Tags};
use super::graph::{Graph, Roads};
use super::joined_road::Road;
use super::tags::{circuit_rank, is_circuit_relation, is_pit_lane};
use raceline_file::shortened;
use raceline_road::construction::ImportError;
use raceline_road::geometry::Point;

/// Shorter pieces of road are no candidates where there is a longer one, metres.
const SHORTEST_M: f64 = 100.0;
/// Names in a message, at most.
const MAX_LISTED: usize = 12;
/// Names of the ways of one road in a message, at most.
const MAX_NAMES: usize = 3;

/// A road that a map has.
struct Candidate {
    road: Road,
    /// 0 is the likeliest kind of road, as [`circuit_rank`] has it.
    rank: u8,
    length_m: f64,
    /// The net of connected ways that it is of.
    net: usize,
    /// The relation that it is of.
    relation: Option<String>,
    /// Whether its ways have more circuits than are searched for.
    is_cut_off: bool,
}

/// The road of a map.
pub(super) struct Chosen {
    /// The road.
    pub road: Road,
    /// What the map calls it.
    pub name: Option<String>,
    /// Roads beside it, each with its length.
    pub beside: Vec<String>,
}

/// The road that a map has, or the part of it that `part` names.
///
/// # Errors
/// [`ImportError::NoSuchPart`], [`ImportError::SeveralRoads`], and [`ImportError::Geometry`] for a map without
/// circuits.
pub(super) fn chosen(map: &MapData, points: &[Point], part: Option<&str>) -> Result<Chosen, ImportError> {
    let choice = Choice { map, points };
    match part {
        Some(part) => choice.named(part),
        None => choice.likeliest(),
    }
}

struct Choice<'a> {
    map: &'a MapData,
    points: &'a [Point],
}

impl Choice<'_> {
    /// The road without a name in the options.
    fn likeliest(&self) -> Result<Chosen, ImportError> {
        let relations = self.map.relations.iter().filter(|relation| is_circuit_relation(&relation.tags));
        let of_relations: Vec<Candidate> = relations.flat_map(|relation| self.of_relation(relation)).collect();
        if let Some(best) = single(&of_relations, |candidate| candidate.road.closed) {
            return Ok(self.answer(best, &of_relations));
        }
        let candidates = match of_relations.iter().any(|candidate| candidate.road.closed) {
            true => of_relations,
            false => self.of_ways(|tags, _| circuit_rank(tags)),
        };
        self.best(&candidates)
    }

    /// The road with this name or number.
    fn named(&self, part: &str) -> Result<Chosen, ImportError> {
        let part = part.trim();
        let relations: Vec<&Relation> =
            self.map.relations.iter().filter(|one| is_meant(part, "relation", one.id, &one.tags)).collect();
        let of_relations: Vec<Candidate> = relations.iter().flat_map(|relation| self.of_relation(relation)).collect();
        if !of_relations.is_empty() {
            return self.best(&of_relations);
        }
        let ways = self.map.ways.iter().enumerate();
        let mut named: BTreeSet<usize> =
            ways.filter(|(_, way)| is_meant(part, "way", way.id, &way.tags)).map(|(index, _)| index).collect();
        if named.is_empty() {
            // A part of a name is enough where nothing has the whole.
            let part = part.to_lowercase();
            let contains = |tags: &Tags| tags.name().is_some_and(|name| name.to_lowercase().contains(&part));
            let relations = self.map.relations.iter().filter(|relation| contains(&relation.tags));
            let of_relations: Vec<Candidate> = relations.flat_map(|relation| self.of_relation(relation)).collect();
            if !of_relations.is_empty() {
                return self.best(&of_relations);
            }
            let ways = self.map.ways.iter().enumerate();
            named = ways.filter(|(_, way)| contains(&way.tags)).map(|(index, _)| index).collect();
        }
        if named.is_empty() {
            return Err(ImportError::NoSuchPart {
                part: shortened(part),
                known: self.list(&self.of_ways(|tags, _| circuit_rank(tags))),
            });
        }
        let alone = self.of_ways(|_, index| named.contains(&index).then_some(0));
        if let Some(best) = single(&alone, |candidate| candidate.road.closed) {
            return Ok(self.answer(best, &alone));
        }
        // Ways with other names close the circuit.
        let with_others = self.of_ways(|tags, index| if named.contains(&index) { Some(0) } else { circuit_rank(tags) });
        let through: Vec<Candidate> = with_others
            .into_iter()
            .filter(|candidate| candidate.road.closed && candidate.road.ways.iter().any(|way| named.contains(way)))
            .collect();
        self.best(if through.is_empty() { &alone } else { &through })
    }

    /// The likeliest of several roads, if it is alone.
    fn best(&self, candidates: &[Candidate]) -> Result<Chosen, ImportError> {
        let closed = candidates.iter().any(|candidate| candidate.road.closed);
        let is_long = |candidate: &Candidate| candidate.length_m >= SHORTEST_M;
        let any_long = candidates.iter().any(|candidate| candidate.road.closed == closed && is_long(candidate));
        let fitting = |candidate: &&Candidate| candidate.road.closed == closed && (is_long(candidate) || !any_long);
        let rank = candidates.iter().filter(fitting).map(|candidate| candidate.rank).min();
        let best: Vec<&Candidate> = candidates.iter().filter(fitting).filter(|one| Some(one.rank) == rank).collect();
        match best.as_slice() {
            [] => Err(ImportError::NoRaceTrack {
                problem: "it has no race track: no way has highway=raceway or leisure=track",
                fix: "name the way or relation that is the road by the option part, or give from and to for a route \
                      through its streets",
            }),
            [one] if one.is_cut_off => Err(ImportError::Geometry {
                place: self.label(one, &best),
                problem: "its ways form more circuits than are searched for".to_owned(),
                fix: "name a relation with the ways of one circuit by the option part, or cut out the part that is needed",
            }),
            [one] => Ok(self.answer(one, candidates)),
            several => {
                let labels = several.iter().take(MAX_LISTED).map(|one| self.label(one, several));
                Err(ImportError::SeveralRoads { count: several.len(), list: joined(labels.collect(), several.len()) })
            }
        }
    }

    fn answer(&self, chosen: &Candidate, candidates: &[Candidate]) -> Chosen {
        let all: Vec<&Candidate> = candidates.iter().collect();
        let others = candidates.iter().filter(|other| !std::ptr::eq(*other, chosen) && other.length_m >= SHORTEST_M);
        let beside = others.take(MAX_LISTED).map(|other| self.label(other, &all)).collect();
        let name = chosen.relation.clone().or_else(|| self.names(&chosen.road).into_iter().next());
        Chosen { road: chosen.road.clone(), name, beside }
    }

    /// The roads of the ways to which `rank` gives a rank.
    fn of_ways(&self, rank: impl Fn(&Tags, usize) -> Option<u8>) -> Vec<Candidate> {
        let ranks: Vec<Option<u8>> =
            self.map.ways.iter().enumerate().map(|(index, way)| rank(&way.tags, index)).collect();
        let mut candidates = Vec::new();
        // Roads of different kinds are not mixed: a loop for karts may touch the circuit.
        let kinds: BTreeSet<u8> = ranks.iter().flatten().copied().collect();
        for kind in kinds {
            let ways: Vec<usize> = (0..ranks.len()).filter(|&index| ranks[index] == Some(kind)).collect();
            candidates.extend(self.of_chosen(&ways, kind, None));
        }
        candidates
    }

    /// The roads of the ways of a relation.
    fn of_relation(&self, relation: &Relation) -> Vec<Candidate> {
        let is_road = |role: &str| !role.to_lowercase().contains("pit");
        let members = relation.members.iter().filter(|member| is_road(&member.role));
        let ways: BTreeSet<usize> = members.filter_map(|member| self.map.way(member.way)).collect();
        let is_pit = |index: &usize| self.map.ways.get(*index).is_none_or(|way| is_pit_lane(&way.tags));
        let ways: Vec<usize> = ways.into_iter().filter(|index| !is_pit(index)).collect();
        let name = relation.tags.name().map_or_else(|| format!("relation {}", relation.id), shortened);
        self.of_chosen(&ways, 0, Some(&name))
    }

    fn of_chosen(&self, ways: &[usize], rank: u8, relation: Option<&str>) -> Vec<Candidate> {
        let nets = Graph::new(self.map, self.points, ways).roads();
        let nets = nets.into_iter().enumerate();
        nets.flat_map(|(net, Roads { roads, is_cut_off })| roads.into_iter().map(move |road| (net, road, is_cut_off)))
            .map(|(net, road, is_cut_off)| {
                let length_m = road.length_m(self.points);
                Candidate { road, rank, length_m, net, relation: relation.map(str::to_owned), is_cut_off }
            })
            .collect()
    }

    /// Names of the ways of a road, that of the longest stretch first.
    fn names(&self, road: &Road) -> Vec<String> {
        let mut by_name: BTreeMap<&str, f64> = BTreeMap::new();
        let count = road.nodes.len();
        for (step, &way) in road.ways.iter().enumerate() {
            let Some(name) = self.map.ways.get(way).and_then(|way| way.tags.name()) else { continue };
            let length = (self.points[road.nodes[(step + 1) % count]] - self.points[road.nodes[step]]).norm();
            *by_name.entry(name).or_default() += length;
        }
        let mut lengths: Vec<(&str, f64)> = by_name.into_iter().collect();
        lengths.sort_by(|a, b| b.1.total_cmp(&a.1));
        lengths.into_iter().map(|(name, _)| shortened(name)).collect()
    }

    /// Name of a road in messages, which no other road of its net has, and its length.
    fn label(&self, candidate: &Candidate, others: &[&Candidate]) -> String {
        let mut labels: Vec<String> = match &candidate.relation {
            Some(name) => vec![name.clone()],
            None => self.names(&candidate.road),
        };
        let is_sibling = |other: &&&Candidate| {
            let same = (other.net, other.rank, &other.relation) == (candidate.net, candidate.rank, &candidate.relation);
            same && other.road != candidate.road
        };
        let ways_of = |one: &Candidate| one.road.ways.iter().copied().collect::<BTreeSet<usize>>();
        let siblings: Vec<BTreeSet<usize>> =
            others.iter().filter(is_sibling).take(MAX_LISTED).map(|other| ways_of(other)).collect();
        if !siblings.is_empty() {
            let own = ways_of(candidate);
            let is_only = |way: &&usize| siblings.iter().any(|other| !other.contains(way));
            let only: Vec<usize> = own.iter().filter(is_only).copied().collect();
            let ways = if only.is_empty() { own.into_iter().collect() } else { only };
            labels = ways.iter().filter_map(|&way| self.map.ways.get(way)).map(super::data::Way::label).collect();
            labels.dedup();
        }
        if labels.is_empty() {
            let first = candidate.road.ways.first().and_then(|&way| self.map.ways.get(way));
            labels.extend(first.map(super::data::Way::label));
        }
        labels.truncate(MAX_NAMES);
        let open = if candidate.road.closed { "" } else { ", open" };
        format!("{} ({:.2} km{open})", labels.join(" + "), candidate.length_m / 1e3)
    }

    fn list(&self, candidates: &[Candidate]) -> String {
        let all: Vec<&Candidate> = candidates.iter().filter(|candidate| candidate.length_m >= SHORTEST_M).collect();
        joined(all.iter().take(MAX_LISTED).map(|one| self.label(one, &all)).collect(), all.len())
    }
}

/// The only one of several for which `is_meant` holds.
fn single<T>(all: &[T], is_meant: impl Fn(&T) -> bool) -> Option<&T> {
    let mut meant = all.iter().filter(|one| is_meant(one));
    let first = meant.next()?;
    meant.next().is_none().then_some(first)
}

/// The names in a message, of `count` in all.
fn joined(list: Vec<String>, count: usize) -> String {
    let more = if count > list.len() { format!(" and {} more", count - list.len()) } else { String::new() };
    if list.is_empty() { "none".to_owned() } else { list.join(", ") + &more }
}

/// Whether `part` is the name or the number of an element, as `Spa`, `1234` or `way 1234`.
fn is_meant(part: &str, kind: &str, id: i64, tags: &Tags) -> bool {
    let number = part.strip_prefix(kind).map_or(part, |rest| rest.trim_start_matches(['/', ' ']));
    let names = ["name", "name:en", "int_name", "alt_name", "official_name", "short_name", "ref"];
    number.parse() == Ok(id)
        || names.iter().any(|key| tags.get(key).is_some_and(|name| name.trim().to_lowercase() == part.to_lowercase()))
}
