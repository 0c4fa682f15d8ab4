//! Selects the closed or open route that covers the most of the road.

use super::junctions::{Leg, Passage, RoadGraph};
use raceline_road::geometry::Point;

/// Limit on the steps of the search; drawn roads with a dozen junctions take a few thousand.
const MAX_STEPS: usize = 400_000;

/// Another route with at least this fraction of the best weight is reported.
const RIVAL_FRACTION: f64 = 0.9;

/// A route along the road.
#[derive(Clone, Debug)]
pub(super) struct Route {
    /// Triangles in order.
    pub triangles: Vec<u32>,
    /// Arms in order.
    pub arms: Vec<usize>,
    /// Whether it leads back to its start.
    pub closed: bool,
    /// Whether another route covers nearly as much.
    pub has_rival: bool,
}

/// The requirements on the route.
pub(super) struct Wanted {
    /// Whether it leads back to its start.
    pub closed: bool,
    /// Arms that it must contain.
    pub arms: Vec<usize>,
}

/// No route was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum NoRoute {
    /// No route meets the requirements.
    None,
    /// Too many junctions.
    TooManyBranches,
}

/// Finds the route that covers the most of the road; wide arms have more weight than narrow ones.
pub(super) fn find(graph: &RoadGraph, is_ring: bool, wanted: &Wanted) -> Result<Route, NoRoute> {
    if let [only] = graph.arms.as_slice()
        && only.ends == [None; 2]
    {
        let route = Route { triangles: only.chain.clone(), arms: vec![0], closed: is_ring, has_rival: false };
        return if wanted.closed == is_ring { Ok(route) } else { Err(NoRoute::None) };
    }
    let mut search =
        Search { graph, wanted, steps: 0, legs: Vec::new(), passages: Vec::new(), weight: 0.0, best: None };
    for arm in (0..graph.arms.len()).filter(|arm| !graph.joints.contains(arm)) {
        for forward in [true, false] {
            let start = Leg { arm, forward };
            let is_dead_end = graph.end(start, false).is_none();
            // A closed route is found from its lowest arm, forwards; an open one from either dead
            // end, of which one is sufficient.
            if if wanted.closed { forward && !is_dead_end } else { is_dead_end } {
                search.legs.push(start);
                search.extend()?;
                search.legs.pop();
            }
        }
    }
    search.best.ok_or(NoRoute::None)
}

struct Search<'a> {
    graph: &'a RoadGraph,
    wanted: &'a Wanted,
    steps: usize,
    legs: Vec<Leg>,
    passages: Vec<Passage>,
    /// Weight of the best route.
    weight: f64,
    best: Option<Route>,
}

impl Search<'_> {
    /// Tries every passage from the last leg.
    fn extend(&mut self) -> Result<(), NoRoute> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return Err(NoRoute::TooManyBranches);
        }
        let (Some(&first), Some(&last)) = (self.legs.first(), self.legs.last()) else { return Ok(()) };
        let closed = self.wanted.closed;
        if self.graph.end(last, true).is_none() {
            // The same road is also found from its other end.
            if !closed && first.arm <= last.arm {
                self.offer();
            }
            return Ok(());
        }
        let graph = self.graph;
        for passage in graph.onwards(last) {
            let fork_again = !passage.crosses && self.passages.iter().any(|passed| passed.junction == passage.junction);
            if fork_again {
                continue;
            }
            if closed && passage.next == first {
                self.passages.push(passage.clone());
                self.offer();
                self.passages.pop();
            }
            let taken = self.legs.iter().any(|leg| leg.arm == passage.next.arm);
            if taken || (closed && passage.next.arm < first.arm) {
                continue;
            }
            self.legs.push(passage.next);
            self.passages.push(passage.clone());
            self.extend()?;
            self.legs.pop();
            self.passages.pop();
        }
        Ok(())
    }

    /// Compares the current route with the best one.
    fn offer(&mut self) {
        let arms: Vec<usize> = self.legs.iter().map(|leg| leg.arm).collect();
        if self.wanted.arms.iter().any(|wanted| !arms.contains(wanted)) {
            return;
        }
        let weight = arms.iter().map(|&arm| self.graph.arms[arm].weight()).sum();
        if weight <= self.weight {
            if let Some(best) = self.best.as_mut() {
                best.has_rival |= weight >= RIVAL_FRACTION * self.weight;
            }
            return;
        }
        let has_rival = self.weight >= RIVAL_FRACTION * weight;
        let mut triangles = Vec::new();
        for (index, leg) in self.legs.iter().enumerate() {
            let chain = &self.graph.arms[leg.arm].chain;
            if leg.forward {
                triangles.extend(chain);
            } else {
                triangles.extend(chain.iter().rev());
            }
            if let Some(passage) = self.passages.get(index) {
                triangles.extend(&passage.triangles);
            }
        }
        self.weight = weight;
        self.best = Some(Route { triangles, arms, closed: self.wanted.closed, has_rival });
    }
}

/// The arm nearest to a point, and its distance.
pub(super) fn nearest_arm(graph: &RoadGraph, point: Point) -> Option<(usize, f64)> {
    let distance =
        |arm: usize| graph.arms[arm].middles.iter().map(|middle| (middle - point).norm()).fold(f64::INFINITY, f64::min);
    let arms = (0..graph.arms.len()).filter(|arm| !graph.joints.contains(arm));
    arms.map(|arm| (arm, distance(arm))).min_by(|a, b| a.1.total_cmp(&b.1))
}
