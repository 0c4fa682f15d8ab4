//! The map of the soak test: hills, and roads between junctions on an irregular grid, some of them
//! between walls.

use raceline_follower::Path;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::ground::hills;
use crate::route::{RoutePoint, offset, waypoints};
use crate::scene::{Block, Scene, SceneError, open_path};
use crate::terrain::Terrain;

/// Junctions along each side.
const SIDE: usize = 7;
/// Mean distance between junctions, metres.
const GRID_M: f64 = 45.0;
/// Largest offset of a junction from its grid position along either axis, metres.
const CROOKED_M: f64 = 9.0;
/// Seeds of the soak's map, which does not depend on the soak's seed, and of the map of the
/// training walks.
const SOAK_MAP: u64 = 1;
const TRAINING_MAP: u64 = 2;
/// Roads in a training walk.
const TRAINING_LEGS: usize = 6;
/// Half the width of the roads, metres.
const HALF_WIDTH_M: f64 = 4.0;
/// Distance between waypoints, metres.
const SPACING_M: f64 = 4.0;
/// Roads are straight from junction to junction; this length of both is replaced by a bend, metres.
const BEND_M: f64 = 9.0;

/// Junctions, blocks and ground.
#[derive(Clone)]
pub struct Map {
    /// The ground.
    pub terrain: Terrain,
    /// Walls along some roads and pillars beside other roads.
    pub blocks: Vec<Block>,
    junctions: Vec<[f64; 2]>,
}

/// The map of the soak.
#[must_use]
pub fn soak_map() -> Map {
    map(SOAK_MAP)
}

/// Walks over a different map of the same kind as the soak's.
///
/// # Errors
/// Waypoints that do not form a path.
pub(super) fn training_walks(count: usize) -> Result<Vec<Scene>, SceneError> {
    let map = map(TRAINING_MAP);
    let mut random = ChaCha8Rng::seed_from_u64(TRAINING_MAP);
    (1..=count)
        .map(|number| {
            let (path, _) = map.walk(&mut random, None, TRAINING_LEGS)?;
            let (terrain, blocks) = (map.terrain.clone(), map.blocks.clone());
            Ok(Scene { name: format!("walk-{number}"), terrain, blocks, path, changes: Vec::new() })
        })
        .collect()
}

fn map(seed: u64) -> Map {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut junctions = Vec::new();
    for row in 0..SIDE {
        for column in 0..SIDE {
            let mut shift = || random.random_range(-CROOKED_M..CROOKED_M);
            junctions.push([column as f64 * GRID_M + shift(), row as f64 * GRID_M + shift()]);
        }
    }
    let end = (SIDE - 1) as f64 * GRID_M;
    let terrain = Terrain::new([-40.0; 2], [end + 40.0; 2], |x, y| hills(x, 4.0, 83.0) + hills(y, 5.0, 71.0));
    let mut blocks = Vec::new();
    for from in 0..junctions.len() {
        for to in [from + 1, from + SIDE] {
            if !neighbours(from).any(|n| n == to) {
                continue;
            }
            let (a, b) = (junctions[from], junctions[to]);
            let (length, heading) = ((b[0] - a[0]).hypot(b[1] - a[1]), (b[1] - a[1]).atan2(b[0] - a[0]));
            let middle = offset(a, heading, length / 2.0, 0.0);
            match random.random_range(0..3) {
                // Walls on both sides of the middle part of the road.
                0 => {
                    for side in [-1.0, 1.0] {
                        let at_m = offset(middle, heading, 0.0, side * (HALF_WIDTH_M - 0.5));
                        blocks.push(Block { at_m, heading_rad: heading, half_m: [length / 2.0 - 14.0, 0.3] });
                    }
                }
                // A pillar on either side.
                1 => {
                    for side in [-1.0, 1.0] {
                        let along = random.random_range(-6.0..6.0);
                        blocks.push(Block::pillar(
                            offset(middle, heading, along, side * (HALF_WIDTH_M + 0.5)),
                            0.7,
                            heading,
                        ));
                    }
                }
                _ => {}
            }
        }
    }
    // Boulders in the blocks between roads, as obstacles for vehicles that leave the road.
    for row in 0..SIDE - 1 {
        for column in 0..SIDE - 1 {
            let at = |fraction: f64, index: usize| (index as f64 + fraction) * GRID_M;
            let mut fraction = || random.random_range(0.35..0.65);
            let at_m = [at(fraction(), column), at(fraction(), row)];
            blocks.push(Block::pillar(at_m, 2.0, fraction()));
        }
    }
    Map { terrain, blocks, junctions }
}

fn neighbours(junction: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (junction / SIDE, junction % SIDE);
    let sides = [
        (row, column.wrapping_add(1)),
        (row.wrapping_add(1), column),
        (row, column.wrapping_sub(1)),
        (row.wrapping_sub(1), column),
    ];
    sides.into_iter().filter(|&(r, c)| r < SIDE && c < SIDE).map(|(r, c)| r * SIDE + c)
}

impl Map {
    /// The middles of the roads between junctions, metres, and half their width.
    #[must_use]
    pub fn roads(&self) -> (Vec<[[f64; 2]; 2]>, f64) {
        let pairs = (0..self.junctions.len()).flat_map(|from| neighbours(from).map(move |to| (from, to)));
        let once = pairs.filter(|(from, to)| from < to);
        (once.map(|(from, to)| [self.junctions[from], self.junctions[to]]).collect(), HALF_WIDTH_M)
    }

    /// A random road of one of two teams, from junction to junction: the first of them is in the west of the map for
    /// team 0, in the east for team 1.
    pub fn road_of_team(&self, random: &mut ChaCha8Rng, team: usize) -> (usize, usize) {
        let column = team * (SIDE / 2) + random.random_range(0..SIDE.div_ceil(2));
        let from = random.random_range(0..SIDE) * SIDE + column;
        let onward: Vec<usize> = neighbours(from).collect();
        (from, onward[random.random_range(0..onward.len())])
    }

    /// A random walk over `legs` roads without immediate reversal, as a path; the first leg starts
    /// at `from` if specified, coming from `before`. Returns the path and the last two junctions.
    ///
    /// # Errors
    /// Waypoints that do not form a path.
    pub fn walk(
        &self,
        random: &mut ChaCha8Rng,
        from: Option<(usize, usize)>,
        legs: usize,
    ) -> Result<(Path, (usize, usize)), SceneError> {
        let (mut before, mut at) = from.unwrap_or_else(|| {
            let at = random.random_range(0..self.junctions.len());
            (at, at)
        });
        let mut nodes = Vec::with_capacity(legs + 2);
        if before != at {
            nodes.push(before);
        }
        nodes.push(at);
        for _ in 0..legs {
            let choices: Vec<usize> = neighbours(at).filter(|&n| n != before).collect();
            let next = choices[random.random_range(0..choices.len())];
            nodes.push(next);
            (before, at) = (at, next);
        }
        let corners: Vec<[f64; 2]> = nodes.iter().map(|&n| self.junctions[n]).collect();
        let path = open_path("soak", waypoints(&rounded(&corners, from.is_some()), &self.terrain))?;
        Ok((path, (before, at)))
    }
}

/// The line through `corners` with each corner cut by a parabola; `resumed` starts in the middle of
/// the first leg.
fn rounded(corners: &[[f64; 2]], resumed: bool) -> Vec<RoutePoint> {
    let mix = |a: [f64; 2], b: [f64; 2], t: f64| [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
    let mut line: Vec<[f64; 2]> = Vec::new();
    let mut from = if resumed { mix(corners[0], corners[1], 0.5) } else { corners[0] };
    let straight = |line: &mut Vec<[f64; 2]>, a: [f64; 2], b: [f64; 2]| {
        let steps = ((b[0] - a[0]).hypot(b[1] - a[1]) / SPACING_M).round().max(1.0);
        line.extend((0..steps as usize).map(|i| mix(a, b, i as f64 / steps)));
    };
    for trio in corners.windows(3) {
        let cut = |end: [f64; 2]| {
            let length = (end[0] - trio[1][0]).hypot(end[1] - trio[1][1]);
            mix(trio[1], end, (BEND_M / length).min(0.45))
        };
        let (enter, leave) = (cut(trio[0]), cut(trio[2]));
        straight(&mut line, from, enter);
        line.extend((0..4).map(|i| {
            let t = f64::from(i) / 4.0;
            mix(mix(enter, trio[1], t), mix(trio[1], leave, t), t)
        }));
        from = leave;
    }
    let last = corners[corners.len() - 1];
    straight(&mut line, from, last);
    line.push(last);
    line.into_iter()
        .map(|at_m| RoutePoint { at_m, left_m: HALF_WIDTH_M - 0.8, right_m: HALF_WIDTH_M - 0.8, walled: false })
        .collect()
}
