//! A probabilistic roadmap that is kept and asked many times.
//!
//! L. Kavraki, P. Švestka, J.-C. Latombe and M. Overmars, "Probabilistic roadmaps for path planning in
//! high-dimensional configuration spaces" (1996), section II: the learning phase makes the roadmap, the query
//! phase joins the two ends to it.

use pathfinding::directed::astar::astar;
use raceline_road::geometry::Point;
use serde::{Deserialize, Serialize};

use super::error::RoadmapError;
use super::prm::{Sampling, joined_to_nearest, nearest_seen};
use super::sampler::Sampler;
use super::search::{Planner, Query, Search, Status};
use super::{FreeSpace, PlannerKind};

/// What the file states that it is.
const FORMAT: &str = "raceline-roadmap";
/// Version of the file; a change of meaning raises it.
const VERSION: u32 = 1;
/// Number of samples. More find shorter paths and pass narrower places, at a cost in proportion that is paid
/// once, and larger files.
const SAMPLES: usize = 1600;
/// A file with more points or edges is damaged.
const MAX_SAMPLES: usize = 100_000;
const MAX_EDGES: usize = 24 * MAX_SAMPLES;

/// Random places on a map, joined where the straight line between two is free.
///
/// Prefer it to the planners `prm` and `gaussian-prm` where many paths are planned on one map: they sample
/// the map again for each. It gives up where an end sees no place that is joined to the other end, even where
/// there is a path; the planners go on to sample.
///
/// ```
/// use image::{GrayImage, Luma};
/// use raceline_plan::{FreeSpace, PlannerKind, Roadmap};
/// use raceline_road::{frame::PictureFrame, geometry::Point};
///
/// let free = GrayImage::from_pixel(80, 40, Luma([255]));
/// let frame = PictureFrame { metres_per_pixel: 0.25, origin_m: Point::origin(), width_px: 80, height_px: 40 };
/// let space = FreeSpace::new(&free, frame, 0.5);
/// let roadmap = Roadmap::new(PlannerKind::Prm, &space, 1)?;
/// assert_eq!(Roadmap::from_json(roadmap.to_json().as_bytes(), &space)?, roadmap);
/// # Ok::<(), raceline_plan::RoadmapError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Roadmap {
    kind: PlannerKind,
    seed: u64,
    map: String,
    samples: Vec<Point>,
    joined: Vec<Vec<usize>>,
}

/// The file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    version: u32,
    planner: PlannerKind,
    seed: u64,
    /// Fingerprint of the free space.
    map: String,
    points_m: Vec<[f64; 2]>,
    /// Pairs of points, the smaller number first.
    edges: Vec<[usize; 2]>,
}

impl Roadmap {
    /// The most bytes that its file has.
    pub const MAX_BYTES: u64 = 100_000_000;

    /// Samples the map as `kind` does, `prm` or `gaussian-prm`.
    ///
    /// # Errors
    /// [`RoadmapError::Planner`] for another planner.
    pub fn new(kind: PlannerKind, space: &FreeSpace, seed: u64) -> Result<Self, RoadmapError> {
        let sampling = sampling_of(kind)?;
        let mut sampler = Sampler::new(space, seed);
        let count = if sampler.has_room() { SAMPLES } else { 0 };
        let samples: Vec<Point> = (0..count).map(|_| sampling.sample(&mut sampler)).collect();
        let joined = joined_to_nearest(space, &samples);
        Ok(Self { kind, seed, map: fingerprint(space), samples, joined })
    }

    /// The planner as which it samples.
    #[must_use]
    pub fn kind(&self) -> PlannerKind {
        self.kind
    }

    /// The seed of its samples.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Checks that it is that of a planner.
    ///
    /// # Errors
    /// [`RoadmapError::OtherPlanner`].
    pub fn check_is_of(&self, planner: PlannerKind) -> Result<(), RoadmapError> {
        if planner == self.kind { Ok(()) } else { Err(RoadmapError::OtherPlanner { planner: self.kind.name() }) }
    }

    /// The file: one object, with a point or an edge on each line.
    #[must_use]
    pub fn to_json(&self) -> String {
        let Self { kind, seed, map, .. } = self;
        let points = lines(self.samples.iter().map(|point| format!("[{:?}, {:?}]", point.x, point.y)));
        let edges = self.joined.iter().enumerate().flat_map(|(from, list)| {
            list.iter().filter(move |&&to| from < to).map(move |to| format!("[{from}, {to}]"))
        });
        let (planner, edges) = (kind.name(), lines(edges));
        format!(
            "{{\n\"format\": \"{FORMAT}\",\n\"version\": {VERSION},\n\"planner\": \"{planner}\",\n\"seed\": {seed},\n\
             \"map\": \"{map}\",\n\"points_m\": [{points}],\n\"edges\": [{edges}]\n}}\n"
        )
    }

    /// Reads a file and checks it against the map: its fingerprint, that each point has room, and that the
    /// vehicle's centre may move straight along each edge.
    ///
    /// # Errors
    /// [`RoadmapError::Damaged`], [`RoadmapError::OtherMap`], and [`RoadmapError::Planner`].
    pub fn from_json(bytes: &[u8], space: &FreeSpace) -> Result<Self, RoadmapError> {
        let damaged = |reason: String| RoadmapError::Damaged { reason };
        let file: File = serde_json::from_slice(bytes).map_err(|error| damaged(format!("({error})")))?;
        if file.format != FORMAT || file.version != VERSION {
            let found = format!("(format {:?}, version {})", file.format, file.version);
            return Err(damaged(found));
        }
        sampling_of(file.planner)?;
        if file.map != fingerprint(space) {
            return Err(RoadmapError::OtherMap);
        }
        if file.points_m.len() > MAX_SAMPLES || file.edges.len() > MAX_EDGES {
            return Err(damaged(format!("(more than {MAX_SAMPLES} points or {MAX_EDGES} edges)")));
        }
        let samples: Vec<Point> = file.points_m.iter().map(|&[x, y]| Point::new(x, y)).collect();
        if let Some(index) = samples.iter().position(|&point| !space.has_room(point)) {
            return Err(damaged(format!("(points_m[{index}] has no room)")));
        }
        let mut joined = vec![Vec::new(); samples.len()];
        for (index, &[from, to]) in file.edges.iter().enumerate() {
            let ends = samples.get(from).zip(samples.get(to)).filter(|_| from < to);
            // The test's places depend on its direction, and either is enough for an edge.
            if !ends.is_some_and(|(&from, &to)| space.is_clear(from, to) || space.is_clear(to, from)) {
                return Err(damaged(format!("(edges[{index}] is no free line between two points)")));
            }
            joined[from].push(to);
            joined[to].push(from);
        }
        for list in &mut joined {
            list.sort_unstable();
            list.dedup();
        }
        Ok(Self { kind: file.planner, seed: file.seed, map: file.map, samples, joined })
    }
}

impl Planner for Roadmap {
    fn search(&self, query: &Query) -> Search {
        let Query { space, from, to, .. } = *query;
        if space.is_clear(from, to) {
            return Search::found(vec![from, to], (to - from).norm(), vec![from, to]);
        }
        // The ends are two nodes more, which only this query knows.
        let (start, goal) = (self.samples.len(), self.samples.len() + 1);
        let at = |node: usize| match node {
            _ if node == start => from,
            _ if node == goal => to,
            _ => self.samples[node],
        };
        let first = nearest_seen(space, &self.samples, from, None);
        let last = nearest_seen(space, &self.samples, to, None);
        let cost = |a: usize, b: usize| ((at(b) - at(a)).norm() * 1e6) as u64;
        let mut expanded = Vec::new();
        let successors = |&node: &usize| {
            expanded.push(at(node));
            let beside = if node == start { &first } else { &self.joined[node] };
            let end = last.contains(&node).then_some(goal);
            beside.iter().copied().chain(end).map(|next| (next, cost(node, next))).collect::<Vec<_>>()
        };
        match astar(&start, successors, |&node| cost(node, goal), |&node| node == goal) {
            Some((nodes, cost)) => Search::found(nodes.into_iter().map(at).collect(), cost as f64 * 1e-6, expanded),
            None => Search::without_path(Status::GaveUp, expanded),
        }
    }
}

/// How a planner samples.
fn sampling_of(kind: PlannerKind) -> Result<Sampling, RoadmapError> {
    match kind {
        PlannerKind::Prm => Ok(Sampling::Uniform),
        PlannerKind::GaussianPrm => Ok(Sampling::Gaussian),
        _ => Err(RoadmapError::Planner { planner: kind.name() }),
    }
}

fn lines(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    if items.is_empty() { String::new() } else { format!("\n{}\n", items.join(",\n")) }
}

/// A number that changes with the room of any cell, the place of the map, and the needed clearance: FNV-1a
/// with 64 bits.
fn fingerprint(space: &FreeSpace) -> String {
    let frame = &space.frame;
    let places = [frame.metres_per_pixel, frame.origin_m.x, frame.origin_m.y, space.needed_m].map(f64::to_bits);
    let sizes = [frame.width_px, frame.height_px].map(u64::from);
    let head = places.into_iter().chain(sizes).flat_map(u64::to_le_bytes);
    let cells = (0..space.cell_count() as u32).map(|cell| u8::from(space.is_free(cell)));
    let hash = head
        .chain(cells)
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use image::{GrayImage, Luma};
    use pathfinding::directed::dijkstra::dijkstra;
    use raceline_road::frame::PictureFrame;

    use super::*;
    use crate::tasks;

    fn pillars(needed_m: f64) -> FreeSpace {
        let frame = PictureFrame { metres_per_pixel: 0.1, origin_m: Point::origin(), width_px: 160, height_px: 120 };
        let picture = GrayImage::from_fn(160, 120, |column, row| {
            Luma([if (12..26).contains(&(column % 40)) && (14..24).contains(&(row % 40)) { 0 } else { 255 }])
        });
        FreeSpace::new(&picture, frame, needed_m)
    }

    #[test]
    fn a_path_is_free_and_costs_what_dijkstra_finds_on_the_roadmap_with_both_ends() {
        let space = pillars(0.4);
        let vehicle = raceline_car::preset("robot-car").unwrap();
        let mut compared = 0;
        for kind in [PlannerKind::Prm, PlannerKind::GaussianPrm] {
            let roadmap = Roadmap::new(kind, &space, 3).unwrap();
            for [from, to] in tasks(&space, 20, 7) {
                let query = Query { space: &space, from, to, headings_rad: [None; 2], seed: 1, vehicle: &vehicle };
                let found = roadmap.search(&query);
                assert_eq!(found.status, Status::Found, "{from} {to}");
                let is_free = |pair: &[Point]| space.is_clear(pair[0], pair[1]) || space.is_clear(pair[1], pair[0]);
                assert!(found.path.windows(2).all(is_free));
                assert!(found.cost >= (to - from).norm() - 1e-4);
                if found.path.len() == 2 {
                    continue;
                }
                let first = nearest_seen(&space, &roadmap.samples, from, None);
                let last = nearest_seen(&space, &roadmap.samples, to, None);
                let micrometres = |a: Point, b: Point| ((b - a).norm() * 1e6) as u64;
                let known = first.iter().flat_map(|&a| last.iter().map(move |&b| (a, b))).filter_map(|(a, b)| {
                    let at = |node: usize| roadmap.samples[node];
                    let beside = |&node: &usize| {
                        roadmap.joined[node]
                            .iter()
                            .map(|&next| (next, micrometres(at(node), at(next))))
                            .collect::<Vec<_>>()
                    };
                    let between = dijkstra(&a, beside, |&node| node == b)?.1;
                    Some(micrometres(from, at(a)) + between + micrometres(at(b), to))
                });
                assert!((found.cost - known.min().unwrap() as f64 * 1e-6).abs() < 1e-9);
                compared += 1;
            }
        }
        assert!(compared > 10, "{compared}");
    }

    #[test]
    fn a_file_of_another_map_or_a_damaged_one_is_refused() {
        let space = pillars(0.4);
        let text = Roadmap::new(PlannerKind::Prm, &space, 3).unwrap().to_json();
        let read = |text: &str, space: &FreeSpace| Roadmap::from_json(text.as_bytes(), space).unwrap_err();
        assert_eq!(read(&text, &pillars(0.41)), RoadmapError::OtherMap);
        let mut moved = space.clone();
        moved.frame.origin_m.x += 0.1;
        assert_eq!(read(&text, &moved), RoadmapError::OtherMap);
        let first = text.lines().nth(7).unwrap();
        let edge = text.lines().rev().nth(2).unwrap();
        for (old, new, place) in [
            (first, "[-1.0, 2.0],", "points_m[0]"),
            (edge, "[0, 1600]", "edges["),
            (edge, "[7, 7]", "edges["),
            ("\"version\": 1", "\"version\": 2", "version 2"),
            ("\"seed\"", "\"seeds\"", "seeds"),
            ("]\n}\n", "", "EOF"),
        ] {
            assert!(text.contains(old), "{old}");
            match read(&text.replacen(old, new, 1), &space) {
                RoadmapError::Damaged { reason } => assert!(reason.contains(place), "{reason}"),
                other => unreachable!("{other}"),
            }
        }
        let rrt = RoadmapError::Planner { planner: "rrt" };
        assert_eq!(read(&text.replacen("\"prm\"", "\"rrt\"", 1), &space), rrt);
        assert_eq!(Roadmap::new(PlannerKind::Rrt, &space, 3).unwrap_err(), rrt);
    }

    #[test]
    fn a_map_without_room_has_an_empty_roadmap() {
        let roadmap = Roadmap::new(PlannerKind::GaussianPrm, &pillars(100.0), 3).unwrap();
        assert!(roadmap.samples.is_empty());
        assert_eq!(Roadmap::from_json(roadmap.to_json().as_bytes(), &pillars(100.0)), Ok(roadmap.clone()));
        assert_eq!(roadmap.check_is_of(PlannerKind::GaussianPrm), Ok(()));
        let other = RoadmapError::OtherPlanner { planner: "gaussian-prm" };
        assert_eq!(roadmap.check_is_of(PlannerKind::Prm), Err(other));
    }
}
