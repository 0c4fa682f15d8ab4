//! Maps of Lanelet2 (<https://github.com/fzi-forschungszentrum-informatik/Lanelet2>): lanelets, each between a
//! left and a right line, that follow one another.

use std::collections::{BTreeMap, BTreeSet};

use super::data::{MapData, Relation};
use crate::importers::geographic::{Geographic, Line, Place, Side};
use raceline_file::shortened;
use raceline_road::construction::{
    EdgeLevel, EdgePair, ImportError, ImportNote, ImportOptions, Imported, Sides, SpecifiedClosed,
};
use raceline_road::geometry::{Point, Vector, cross};

/// Subtypes of lanelets for others than vehicles.
const OTHER_SUBTYPES: [&str; 6] = ["crosswalk", "walkway", "shared_walkway", "bicycle_lane", "stairs", "exit"];
/// Steps of the search for open roads, at most.
const MAX_STEPS: usize = 1_000_000;
/// Roads in a message, at most.
const MAX_LISTED: usize = 12;

/// A lanelet, or several beside one another.
#[derive(Clone, Debug)]
struct Strip {
    /// Numbers of its lanelets.
    ids: Vec<i64>,
    /// Nodes of the left and of the right line, in the direction of travel.
    bounds: [Vec<usize>; 2],
}

/// Whether the map has lanelets.
pub(super) fn has_lanelets(map: &MapData) -> bool {
    map.relations.iter().any(is_lanelet)
}

fn is_lanelet(relation: &Relation) -> bool {
    relation.tags.is("type", &["lanelet"])
}

/// The road of the lanelets.
///
/// # Errors
/// See [`ImportError`].
pub(super) fn imported(
    map: &MapData,
    closed: SpecifiedClosed,
    options: &ImportOptions,
) -> Result<Imported, ImportError> {
    let nodes = Nodes::of(map)?;
    let strips = beside_one_another(&nodes.strips(map)?);
    let routes = routes(&strips, &nodes);
    let is_meant = |route: &&Route| {
        options.part.as_deref().is_none_or(|part| {
            let number = part.trim().trim_start_matches("lanelet").trim_start_matches(['/', ' ']);
            number.parse::<i64>().is_ok_and(|id| route.strips.iter().any(|&index| strips[index].ids.contains(&id)))
        })
    };
    let any_closed = routes.iter().any(|route| route.closed);
    let meant: Vec<&Route> = routes.iter().filter(is_meant).filter(|route| route.closed || !any_closed).collect();
    let list = |routes: &[&Route]| {
        let label = |route: &&Route| {
            let first = route.strips.first().and_then(|&index| strips[index].ids.first());
            let open = if route.closed { "" } else { ", open" };
            format!("lanelet {} ({:.2} km{open})", first.copied().unwrap_or_default(), route.length_m / 1e3)
        };
        routes.iter().take(MAX_LISTED).map(label).collect::<Vec<_>>().join(", ")
    };
    let route = match (meant.as_slice(), &options.part) {
        ([route], _) => *route,
        ([], Some(part)) => {
            let known = list(&routes.iter().collect::<Vec<_>>());
            return Err(ImportError::NoSuchPart { part: shortened(part), known });
        }
        ([], None) => {
            return Err(ImportError::Geometry {
                place: "the map".to_owned(),
                problem: "it has no lanelets for vehicles".to_owned(),
                fix: "give a map whose lanelets follow one another along the road",
            });
        }
        (several, _) => return Err(ImportError::SeveralRoads { count: several.len(), list: list(several) }),
    };
    let bound = |side: usize| {
        let mut line: Vec<usize> =
            route.strips.iter().flat_map(|&index| strips[index].bounds[side].iter().copied()).collect();
        line.dedup();
        line
    };
    let bounds = [bound(0), bound(1)];
    let count = route.strips.iter().map(|&index| strips[index].ids.len()).sum();
    let closed = closed.or(Some(route.closed));
    let mut imported = nodes.road(&bounds, closed, options)?;
    let all = map.relations.iter().filter(|relation| is_lanelet(relation)).count();
    imported.notes.push(ImportNote::Lanelets { count, beside: all - count });
    if options.width_m.is_some() {
        imported.notes.push(ImportNote::WidthNotUsed);
    }
    Ok(imported)
}

/// The nodes of the lanelets, all on one plane.
struct Nodes<'a> {
    map: &'a MapData,
    /// Each node, metres.
    points: Vec<Point>,
    /// Whether they are in metres in the file.
    is_local: bool,
}

impl<'a> Nodes<'a> {
    fn of(map: &'a MapData) -> Result<Self, ImportError> {
        let used = || map.ways.iter().flat_map(|way| &way.nodes).filter_map(|&index| map.nodes.get(index));
        let is_local = used().all(|node| node.local_m.is_some());
        if !is_local && !used().all(|node| node.degrees.is_some()) {
            return Err(ImportError::Geometry {
                place: "the map".to_owned(),
                problem: "some of its nodes have neither local_x and local_y nor lat and lon".to_owned(),
                fix: "give all nodes the one or the other",
            });
        }
        let points = if is_local {
            let point = |node: &super::data::Node| node.local_m.map_or(Point::origin(), |[x, y]| Point::new(x, y));
            map.nodes.iter().map(point).collect()
        } else {
            map.projected()
        };
        Ok(Self { map, points, is_local })
    }

    /// The lanelets for vehicles.
    fn strips(&self, map: &MapData) -> Result<Vec<Strip>, ImportError> {
        let lanelets = map.relations.iter().filter(|relation| is_lanelet(relation));
        let lanelets = lanelets.filter(|relation| !relation.tags.is("subtype", &OTHER_SUBTYPES));
        lanelets.map(|relation| self.strip(relation)).collect()
    }

    fn strip(&self, relation: &Relation) -> Result<Strip, ImportError> {
        let line = |role: &str| {
            let member = relation.members.iter().find(|member| member.role == role);
            let way = member.and_then(|member| self.map.way(member.way)).and_then(|index| self.map.ways.get(index));
            way.map(|way| way.nodes.clone()).ok_or_else(|| ImportError::Geometry {
                place: format!("lanelet {}", relation.id),
                problem: format!("it has no {role} line"),
                fix: "give each lanelet two members that are ways of the map, with the roles left and right",
            })
        };
        let (mut left, mut right) = (line("left")?, line("right")?);
        let at = |line: &[usize], is_last: bool| {
            let index = if is_last { line.last() } else { line.first() };
            index.and_then(|&index| self.points.get(index)).copied().unwrap_or_default()
        };
        let apart = |a_last: bool, b_last: bool| (at(&left, a_last) - at(&right, b_last)).norm();
        if apart(false, true) + apart(true, false) < apart(false, false) + apart(true, true) {
            right.reverse();
        }
        // Lines may be drawn against the direction of travel.
        let outline: Vec<Point> =
            right.iter().chain(left.iter().rev()).filter_map(|&index| self.points.get(index).copied()).collect();
        let area: f64 = (0..outline.len())
            .map(|i| cross(outline[i].coords, outline[(i + 1) % outline.len()].coords - outline[i].coords))
            .sum();
        if area < 0.0 {
            left.reverse();
            right.reverse();
        }
        Ok(Strip { ids: vec![relation.id], bounds: [left, right] })
    }

    /// Direction at the start or the end of a strip.
    fn heading(&self, strip: &Strip, is_end: bool) -> Vector {
        let of = |line: &[usize]| -> Option<Vector> {
            let (a, b) = match (is_end, line) {
                (true, [.., a, b]) | (false, [a, b, ..]) => (*a, *b),
                _ => return None,
            };
            (self.points.get(b)? - self.points.get(a)?).try_normalize(0.0)
        };
        strip.bounds.iter().filter_map(|line| of(line)).sum()
    }

    fn length_m(&self, strip: &Strip) -> f64 {
        let of = |line: &[usize]| -> f64 {
            line.windows(2).map(|pair| (self.points[pair[1]] - self.points[pair[0]]).norm()).sum()
        };
        f64::midpoint(of(&strip.bounds[0]), of(&strip.bounds[1]))
    }

    fn road(
        &self,
        bounds: &[Vec<usize>; 2],
        closed: SpecifiedClosed,
        options: &ImportOptions,
    ) -> Result<Imported, ImportError> {
        let nodes =
            |line: &[usize]| line.iter().filter_map(|&index| self.map.nodes.get(index)).copied().collect::<Vec<_>>();
        let [left, right] = [nodes(&bounds[0]), nodes(&bounds[1])];
        if self.is_local {
            let points = |nodes: &[super::data::Node]| {
                nodes.iter().filter_map(|node| node.local_m).map(|[x, y]| Point::new(x, y)).collect::<Vec<_>>()
            };
            let levels = |nodes: &[super::data::Node]| -> Option<Vec<EdgeLevel>> {
                nodes.iter().map(|node| Some(EdgeLevel { height_m: node.height_m?, ..EdgeLevel::default() })).collect()
            };
            let both = levels(&left).zip(levels(&right)).map(|(left, right)| [left, right]);
            let (first, second) = (points(&left), points(&right));
            return EdgePair { first, second, sides: Sides::Named, in_travel_order: true, levels: both }
                .imported(closed, options);
        }
        let line = |nodes: &[super::data::Node], side: Side, place: &str| Line {
            place: place.to_owned(),
            positions: nodes
                .iter()
                .filter_map(|node| Some(Place { degrees: node.degrees?, height_m: node.height_m }))
                .collect(),
            width_m: None,
            widths_m: None,
            side: Some(side),
            name: None,
            length_m: None,
        };
        let lines = vec![line(&left, Side::Left, "the left line"), line(&right, Side::Right, "the right line")];
        // The width of the options was reported as not used.
        let options = ImportOptions { width_m: None, ..options.clone() };
        Geographic { lines, ..Geographic::default() }.imported(closed, &options)
    }
}

/// Joins lanelets beside one another that have the same direction: the right line of one is the left line of
/// the next.
fn beside_one_another(strips: &[Strip]) -> Vec<Strip> {
    let by_left: BTreeMap<&[usize], usize> =
        strips.iter().enumerate().map(|(index, strip)| (strip.bounds[0].as_slice(), index)).collect();
    let to_the_right = |index: usize| by_left.get(strips[index].bounds[1].as_slice()).copied();
    let has_left: BTreeSet<usize> = (0..strips.len()).filter_map(to_the_right).collect();
    let mut joined = Vec::new();
    for start in (0..strips.len()).filter(|index| !has_left.contains(index)) {
        let mut strip = strips[start].clone();
        let mut here = start;
        while let Some(next) = to_the_right(here).filter(|&next| strip.ids.len() < strips.len() && next != start) {
            strip.ids.extend(&strips[next].ids);
            strip.bounds[1].clone_from(&strips[next].bounds[1]);
            here = next;
        }
        joined.push(strip);
    }
    joined
}

/// Strips one after another.
struct Route {
    strips: Vec<usize>,
    closed: bool,
    length_m: f64,
}

/// The circuits of the strips, each followed straight on, and the open roads that begin at none.
fn routes(strips: &[Strip], nodes: &Nodes<'_>) -> Vec<Route> {
    let start = |strip: &Strip| [strip.bounds[0].first().copied(), strip.bounds[1].first().copied()];
    let end = |strip: &Strip| [strip.bounds[0].last().copied(), strip.bounds[1].last().copied()];
    let mut from: BTreeMap<[Option<usize>; 2], Vec<usize>> = BTreeMap::new();
    for (index, strip) in strips.iter().enumerate() {
        from.entry(start(strip)).or_default().push(index);
    }
    let next = |index: usize| -> Option<usize> {
        let heading = nodes.heading(&strips[index], true);
        let along = |&next: &usize| heading.dot(&nodes.heading(&strips[next], false));
        from.get(&end(&strips[index]))?.iter().copied().max_by(|a, b| along(a).total_cmp(&along(b)))
    };
    let followed: BTreeSet<usize> = (0..strips.len()).filter_map(next).collect();
    let mut routes: Vec<Route> = Vec::new();
    let mut in_circuits: BTreeSet<usize> = BTreeSet::new();
    // 0 for a strip that was not walked through, else the walk, from 1.
    let mut walked = vec![0_usize; strips.len()];
    for first in 0..strips.len() {
        let mut path = Vec::new();
        let mut here = Some(first);
        while let Some(index) = here.filter(|&index| walked[index] == 0) {
            walked[index] = first + 1;
            path.push(index);
            here = next(index);
        }
        if let Some(begin) = here.filter(|&index| walked[index] == first + 1)
            && let Some(place) = path.iter().position(|&index| index == begin)
        {
            let circuit = path.split_off(place);
            in_circuits.extend(&circuit);
            routes.push(route(strips, nodes, circuit, true));
        }
    }
    let mut steps = 0;
    for first in (0..strips.len()).filter(|index| !followed.contains(index)) {
        let mut path = Vec::new();
        let mut here = Some(first);
        while let Some(index) = here.filter(|index| !in_circuits.contains(index) && path.len() < strips.len()) {
            steps += 1;
            if steps > MAX_STEPS {
                break;
            }
            path.push(index);
            here = next(index);
        }
        if !path.is_empty() {
            routes.push(route(strips, nodes, path, false));
        }
    }
    routes
}

fn route(strips: &[Strip], nodes: &Nodes<'_>, path: Vec<usize>, closed: bool) -> Route {
    let length_m = path.iter().map(|&index| nodes.length_m(&strips[index])).sum();
    Route { strips: path, closed, length_m }
}
