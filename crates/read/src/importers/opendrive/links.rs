//! Roads that follow one another.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use super::xml::{End, Road};
use raceline_road::geometry::wrap_angle;

/// Steps of the search for open roads, at most.
const MAX_STEPS: usize = 1_000_000;

/// Roads one after another, each with whether it is passed from its end to its start.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Route {
    pub roads: Vec<(usize, bool)>,
    pub closed: bool,
}

impl Route {
    /// The route in messages.
    pub fn label(&self, roads: &[Road]) -> String {
        let length_m: f64 = self.roads.iter().map(|&(index, _)| roads[index].length_m()).sum();
        let first = self.roads.iter().map(|&(index, _)| index).find(|&index| !roads[index].is_in_junction);
        let label = first.map_or_else(|| "a junction".to_owned(), |index| roads[index].label());
        let open = if self.closed { "" } else { ", open" };
        format!("{label} ({:.2} km{open})", length_m / 1e3)
    }

    /// Whether its roads have lanes of one direction only, most of them against it.
    pub fn runs_against_traffic(&self, roads: &[Road]) -> bool {
        let along = |&(index, is_reversed): &(usize, bool)| {
            let road = &roads[index];
            let sign = match road.directions() {
                [true, false] => 1.0,
                [false, true] => -1.0,
                _ => 0.0,
            };
            if is_reversed { -sign * road.length_m() } else { sign * road.length_m() }
        };
        self.roads.iter().map(along).sum::<f64>() < 0.0
    }
}

/// The circuits of the roads, each followed straight on, and the open roads that are part of none.
pub(super) fn routes(roads: &[Road]) -> Vec<Route> {
    let links = links(roads);
    let next = |(index, is_reversed): (usize, bool)| -> Option<(usize, bool)> {
        let end = End { road: index, is_last: !is_reversed };
        let leaving = heading(&roads[index], end.is_last) + if is_reversed { std::f64::consts::PI } else { 0.0 };
        let turn = |&to: &End| {
            let entering = heading(&roads[to.road], to.is_last) + if to.is_last { std::f64::consts::PI } else { 0.0 };
            wrap_angle(entering - leaving).abs()
        };
        let ends = links.get(&end)?.iter();
        let chosen = ends.min_by(|a, b| turn(a).total_cmp(&turn(b)).then(a.cmp(b)))?;
        Some((chosen.road, chosen.is_last))
    };
    let driving: Vec<bool> = roads.iter().map(Road::has_driving_lane).collect();
    let mut found: Vec<Route> = Vec::new();
    let mut used: BTreeSet<usize> = BTreeSet::new();
    let candidates = || (0..roads.len()).filter(|&index| driving[index] && !roads[index].is_in_junction);
    // The walk in which each road was passed in each direction, from 1.
    let mut walked = vec![[0_usize; 2]; roads.len()];
    let starts = candidates().flat_map(|index| [(index, false), (index, true)]);
    for (walk, start) in (1..).zip(starts) {
        let mut path: Vec<(usize, bool)> = Vec::new();
        let mut here = Some(start).filter(|&(index, _)| !used.contains(&index));
        while let Some((index, is_reversed)) =
            here.filter(|&(index, reversed)| driving[index] && walked[index][usize::from(reversed)] == 0)
        {
            walked[index][usize::from(is_reversed)] = walk;
            path.push((index, is_reversed));
            here = next((index, is_reversed));
        }
        let Some(begin) = here.filter(|&(index, reversed)| walked[index][usize::from(reversed)] == walk) else {
            continue;
        };
        let Some(place) = path.iter().position(|&step| step == begin) else { continue };
        let circuit = path.split_off(place);
        let passed: BTreeSet<usize> = circuit.iter().map(|&(index, _)| index).collect();
        // A road that is passed in both directions makes no circuit, and one that is known is not listed again.
        if passed.len() == circuit.len() && passed.is_disjoint(&used) {
            let first = circuit.iter().position(|&(index, _)| Some(&index) == passed.first()).unwrap_or_default();
            let mut roads = circuit;
            roads.rotate_left(first);
            used.extend(passed);
            found.push(Route { roads, closed: true });
        }
    }
    let steps = Cell::new(0_usize);
    // Open roads: backwards to their beginning, then forwards.
    for start in candidates() {
        if used.contains(&start) {
            continue;
        }
        let follow = |from: (usize, bool)| {
            let mut path = vec![from];
            let mut passed = BTreeSet::from([from.0]);
            while let Some(after) = path.last().and_then(|&here| next(here)) {
                if steps.get() > MAX_STEPS {
                    break;
                }
                steps.set(steps.get() + 1);
                if !driving[after.0] || used.contains(&after.0) || !passed.insert(after.0) {
                    break;
                }
                path.push(after);
            }
            path
        };
        let back = follow((start, true));
        let begin = back.last().map_or((start, false), |&(index, is_reversed)| (index, !is_reversed));
        let path = follow(begin);
        used.extend(path.iter().map(|&(index, _)| index));
        used.insert(start);
        found.push(Route { roads: path, closed: false });
    }
    found
}

/// For each end the ends of other roads that it is linked to, in either of the two roads.
pub(super) fn links(roads: &[Road]) -> BTreeMap<End, Vec<End>> {
    let numbers: BTreeMap<&str, usize> =
        roads.iter().enumerate().rev().map(|(index, road)| (road.id.as_str(), index)).collect();
    let mut links: BTreeMap<End, Vec<End>> = BTreeMap::new();
    for (index, road) in roads.iter().enumerate() {
        for (link, is_last) in [(&road.predecessor, false), (&road.successor, true)] {
            let Some(link) = link else { continue };
            let Some(&other) = numbers.get(link.road.as_str()) else { continue };
            let (here, there) = (End { road: index, is_last }, End { road: other, is_last: link.is_last });
            for (from, to) in [(here, there), (there, here)] {
                let ends = links.entry(from).or_default();
                if !ends.contains(&to) {
                    ends.push(to);
                }
            }
        }
    }
    links
}

/// Direction of a road at its start or its end, radians.
fn heading(road: &Road, is_last: bool) -> f64 {
    let piece = if is_last { road.pieces.last() } else { road.pieces.first() };
    let pose = piece.and_then(|piece| piece.at([if is_last { piece.length_m } else { 0.0 }]).pop());
    pose.map_or(0.0, |pose| pose.heading_rad)
}
