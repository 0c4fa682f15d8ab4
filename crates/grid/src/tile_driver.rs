//! A race over road tiles with checkpoints: in each tick the route is chosen anew among all up to a depth.
//!
//! A candidate is a route of `depth` tiles, or a shorter one to the last checkpoint, that drives no tile twice
//! between two checkpoints. Its score is the cost of its tiles and turns, and an estimate from its last tile: the
//! distance to the next checkpoint and from there to the others, as if all tiles were joined. Unknown tiles count as
//! passable. A partial route whose bound is not below the best score is given up; the choice stays that among all.
//!
//! By the distance alone the driver would run up and down before a dead end that is deeper than the depth.
//! So the score of each choice is kept as the estimate of the tile and heading at which it was made, until the
//! checkpoint is passed: R. E. Korf, "Real-time heuristic search" (Artificial Intelligence 42, 1990), LRTA* with
//! minimin search. What closes can only raise the cost, so that an estimate stays a lower bound, and every
//! checkpoint that can be reached is.

use std::collections::BTreeMap;

use super::error::GridError;
use super::moves::SIDE_COST;
use super::tile_map::TileMap;

/// Range of the depth.
const DEPTH: [f64; 2] = [1.0, 24.0];
/// Range of the cost of a turn, tiles.
const TURN_TILES: [f64; 2] = [0.0, 1000.0];
/// Number of partial routes of a choice, at most.
const MAX_ROUTES: usize = 3_000_000;

/// How far a [`TileDriver`] looks ahead, and what its routes cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAhead {
    /// Number of tiles of a candidate, 1 to 24. Default: 11.
    pub depth: u32,
    /// Cost of a turn by a quarter, in tiles, 0 to 1000; turning back costs two. Default: 0.
    pub turn_tiles: f64,
}

impl Default for LookAhead {
    fn default() -> Self {
        Self { depth: 11, turn_tiles: 0.0 }
    }
}

/// A route that was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileRoute {
    /// The tiles from the present one on.
    pub tiles: Vec<u32>,
    /// Bound on the cost to the last checkpoint, thousandths of a tile.
    pub score: u64,
    /// Number of partial routes that were extended for the choice.
    pub expanded: usize,
}

/// Drives over road tiles through checkpoints in their order, and chooses its route anew in each tick.
///
/// Prefer it to [`GridPlanner`](crate::GridPlanner) where the cost depends on more than the place, as with turns, or
/// where the work of a tick must not grow with the map. Where tiles alone count, the planner's drives are shorter.
///
/// ```
/// use raceline_grid::{LookAhead, TileDriver, TileMap};
///
/// // ╔═╦═  two roads to the right that meet
/// // ╚═╝
/// let seen = [9, 5, 13, 4, 3, 5, 6, 0];
/// let mut driver = TileDriver::new(TileMap::unknown(4, 2)?, 4, vec![3], LookAhead::default())?;
/// while !driver.is_finished() {
///     for tile in (0..8).filter(|&tile| driver.tiles().apart(tile, driver.at()) <= 1).collect::<Vec<u32>>() {
///         driver.see(tile, seen[tile as usize])?;
///     }
///     driver.advance()?.ok_or("the checkpoint can't be reached")?;
/// }
/// assert_eq!(driver.at(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TileDriver {
    tiles: TileMap,
    look_ahead: LookAhead,
    turn_cost: u64,
    at: u32,
    /// The side over which the present tile was entered, seen in the direction of travel.
    heading: Option<usize>,
    checkpoints: Vec<u32>,
    /// From each checkpoint through those after it, as if all tiles were joined.
    beyond: Vec<u64>,
    next: usize,
    /// Costs to the next checkpoint by earlier choices, for places and headings.
    learned: BTreeMap<(u32, Option<usize>), u64>,
    expanded: usize,
}

impl TileDriver {
    /// A driver at `start` who knows `tiles`, for example [`TileMap::unknown`].
    ///
    /// # Errors
    /// [`GridError::Outside`] for a tile that is not on the map, [`GridError::OutOfRange`] for a number.
    pub fn new(tiles: TileMap, start: u32, checkpoints: Vec<u32>, look_ahead: LookAhead) -> Result<Self, GridError> {
        tiles.check("start", start)?;
        for &checkpoint in &checkpoints {
            tiles.check("a checkpoint", checkpoint)?;
        }
        GridError::check_range("depth", f64::from(look_ahead.depth), DEPTH)?;
        GridError::check_range("turn_tiles", look_ahead.turn_tiles, TURN_TILES)?;
        let mut beyond = vec![0; checkpoints.len()];
        for number in (1..checkpoints.len()).rev() {
            let leg = u64::from(tiles.apart(checkpoints[number - 1], checkpoints[number]));
            beyond[number - 1] = beyond[number] + SIDE_COST * leg;
        }
        let mut driver = Self {
            tiles,
            look_ahead,
            turn_cost: (look_ahead.turn_tiles * SIDE_COST as f64).round() as u64,
            at: start,
            heading: None,
            checkpoints,
            beyond,
            next: 0,
            learned: BTreeMap::new(),
            expanded: 0,
        };
        driver.pass_checkpoints();
        Ok(driver)
    }

    /// The map as it is known.
    #[must_use]
    pub fn tiles(&self) -> &TileMap {
        &self.tiles
    }

    /// The present tile.
    #[must_use]
    pub fn at(&self) -> u32 {
        self.at
    }

    /// Number of checkpoints that were passed.
    #[must_use]
    pub fn passed(&self) -> usize {
        self.next
    }

    /// Whether all checkpoints were passed.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.next == self.checkpoints.len()
    }

    /// Number of partial routes that were extended since the driver was made.
    #[must_use]
    pub fn expanded(&self) -> usize {
        self.expanded
    }

    /// Takes notice of the openings of a tile. Where the openings of neighbours may differ, those of the present
    /// tile's neighbours must be known before the next call of [`advance`](Self::advance).
    ///
    /// # Errors
    /// [`GridError::Outside`] if the tile is not on the map.
    pub fn see(&mut self, tile: u32, openings: u8) -> Result<(), GridError> {
        self.tiles.see(tile, openings).map(drop)
    }

    /// The route of minimum score; `None` if the next checkpoint can't be reached on the map as it is known.
    ///
    /// # Errors
    /// [`GridError::TooManyRoutes`] if the depth is too large for a map with so many crossings.
    pub fn route(&mut self) -> Result<Option<TileRoute>, GridError> {
        // Routes of a few tiles don't show that a checkpoint is behind no opening; who comes by again may be looking for it.
        if self.learned.contains_key(&(self.at, self.heading)) && !self.is_reachable() {
            return Ok(None);
        }
        let mut choice = Choice { driver: self, route: vec![self.at], best: None, expanded: 0 };
        choice.extend(0, 0, self.heading, self.next, 0);
        let (best, expanded) = (choice.best, choice.expanded);
        if expanded > MAX_ROUTES {
            return Err(GridError::TooManyRoutes { depth: self.look_ahead.depth, max: MAX_ROUTES });
        }
        self.expanded += expanded;
        Ok(best.map(|(score, tiles)| {
            if let Some(&beyond) = self.beyond.get(self.next) {
                self.learned.insert((self.at, self.heading), score - beyond);
            }
            TileRoute { tiles, score, expanded }
        }))
    }

    /// Chooses the route anew and drives to its first tile, which is returned; `None` if the race is finished or the
    /// next checkpoint can't be reached.
    ///
    /// # Errors
    /// As for [`route`](Self::route).
    pub fn advance(&mut self) -> Result<Option<u32>, GridError> {
        let Some(tile) = self.route()?.and_then(|route| route.tiles.get(1).copied()) else { return Ok(None) };
        self.heading = self.tiles.joined(self.at).find(|&(_, next)| next == tile).map(|(side, _)| side);
        self.at = tile;
        self.pass_checkpoints();
        Ok(Some(tile))
    }

    /// Whether the next checkpoint can be reached on the map as it is known.
    fn is_reachable(&self) -> bool {
        let Some(&checkpoint) = self.checkpoints.get(self.next) else { return true };
        let mut is_reached = vec![false; self.tiles.len() as usize];
        let mut open = vec![self.at];
        while let Some(tile) = open.pop() {
            if tile == checkpoint {
                return true;
            }
            if !std::mem::replace(&mut is_reached[tile as usize], true) {
                open.extend(self.tiles.joined(tile).map(|(_, next)| next));
            }
        }
        false
    }

    fn pass_checkpoints(&mut self) {
        while self.checkpoints.get(self.next) == Some(&self.at) {
            self.next += 1;
            self.learned.clear();
        }
    }

    /// The cost from a tile through the checkpoints from `next` on, by what is known of it.
    fn estimate(&self, tile: u32, heading: Option<usize>, next: usize) -> u64 {
        let Some(&checkpoint) = self.checkpoints.get(next) else { return 0 };
        let apart = SIDE_COST * u64::from(self.tiles.apart(tile, checkpoint));
        let learned = self.learned.get(&(tile, heading)).copied().filter(|_| next == self.next);
        learned.unwrap_or(0).max(apart) + self.beyond[next]
    }

    /// The cost of leaving a tile over a side.
    fn turn(&self, heading: Option<usize>, side: usize) -> u64 {
        let quarters = heading.map_or(0, |heading| (side + 4 - heading) % 4);
        self.turn_cost * [0, 1, 2, 1][quarters]
    }
}

/// A choice among all routes.
struct Choice<'a> {
    driver: &'a TileDriver,
    route: Vec<u32>,
    best: Option<(u64, Vec<u32>)>,
    expanded: usize,
}

impl Choice<'_> {
    /// Extends the partial route of a cost and a bound. Its tiles from the number `leg` on are those since a
    /// checkpoint.
    fn extend(&mut self, cost: u64, bound: u64, heading: Option<usize>, next: usize, leg: usize) {
        let driver = self.driver;
        let Some(&at) = self.route.last() else { return };
        let Some(&checkpoint) = driver.checkpoints.get(next) else { return self.compare(bound) };
        if self.route.len() > driver.look_ahead.depth as usize {
            return self.compare(bound);
        }
        self.expanded += 1;
        if self.expanded > MAX_ROUTES {
            return;
        }
        let mut onward = Vec::with_capacity(4);
        for (side, tile) in driver.tiles.joined(at) {
            if self.route[leg..].contains(&tile) {
                continue;
            }
            let next = if tile == checkpoint { driver.after(next) } else { next };
            let cost = cost + SIDE_COST + driver.turn(heading, side);
            let bound = bound.max(cost + driver.estimate(tile, Some(side), next));
            onward.push((bound, side, tile, cost, next));
        }
        onward.sort_unstable();
        for (bound, side, tile, cost, after) in onward {
            if self.best.as_ref().is_some_and(|best| best.0 <= bound) {
                break;
            }
            self.route.push(tile);
            let leg = if after > next { self.route.len() - 1 } else { leg };
            self.extend(cost, bound, Some(side), after, leg);
            self.route.pop();
        }
    }

    fn compare(&mut self, score: u64) {
        if self.best.as_ref().is_none_or(|best| score < best.0) {
            self.best = Some((score, self.route.clone()));
        }
    }
}

impl TileDriver {
    /// The number of the checkpoint after the one with this number and those on the same tile.
    fn after(&self, number: usize) -> usize {
        let tile = self.checkpoints[number];
        number + self.checkpoints[number..].iter().take_while(|&&checkpoint| checkpoint == tile).count()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use pathfinding::directed::dijkstra::dijkstra;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::test_costs::known_cost;

    fn random_openings(random: &mut ChaCha8Rng, count: u32) -> Vec<u8> {
        let density = random.random_range(0.5..1.0);
        (0..count).map(|_| (0..4).map(|side| u8::from(random.random::<f64>() < density) << side).sum()).collect()
    }

    /// The minimum cost through the checkpoints with turns, by Dijkstra's algorithm.
    fn known_with_turns(tiles: &TileMap, start: u32, checkpoints: &[u32], turn: u64) -> Option<u64> {
        let passed = |tile: u32, next: usize| next + usize::from(checkpoints.get(next) == Some(&tile));
        let onward = |&(tile, heading, next): &(u32, Option<usize>, usize)| {
            let on = |(side, tile): (usize, u32)| {
                let quarters = heading.map_or(0, |heading: usize| (side + 4 - heading) % 4);
                ((tile, Some(side), passed(tile, next)), 1000 + turn * [0, 1, 2, 1][quarters])
            };
            tiles.joined(tile).map(on).collect::<Vec<_>>()
        };
        dijkstra(&(start, None, 0), onward, |node| node.2 == checkpoints.len()).map(|found| found.1)
    }

    #[test]
    fn a_route_that_is_seen_as_a_whole_is_of_minimum_cost() {
        let mut random = ChaCha8Rng::seed_from_u64(11);
        let mut found = 0;
        for _ in 0..200 {
            let (width, height) = (random.random_range(1..5_u32), random.random_range(1..4_u32));
            let count = width * height;
            let tiles = TileMap::new(width, height, &random_openings(&mut random, count)).unwrap();
            let mut places: Vec<u32> = (0..3).map(|_| random.random_range(0..count)).collect();
            places.dedup();
            let turn_tiles = f64::from(random.random_range(0..3_u32)) / 2.0;
            let look_ahead = LookAhead { depth: 24, turn_tiles };
            let mut driver = TileDriver::new(tiles.clone(), places[0], places[1..].to_vec(), look_ahead).unwrap();
            let route = driver.route().unwrap();
            let known = known_with_turns(&tiles, places[0], &places[1..], (turn_tiles * 1000.0) as u64);
            assert_eq!(route.map(|route| route.score), known);
            found += usize::from(known.is_some_and(|known| known > 0));
        }
        assert!(found > 60, "{found}");
    }

    #[test]
    fn every_checkpoint_that_can_be_reached_is_passed_in_its_order_however_little_is_seen() {
        let mut random = ChaCha8Rng::seed_from_u64(12);
        let (mut finished, mut unreachable, mut longer) = (0, 0, 0);
        for _ in 0..300 {
            let (width, height) = (random.random_range(1..10_u32), random.random_range(1..10_u32));
            let count = width * height;
            let openings = random_openings(&mut random, count);
            let known = TileMap::new(width, height, &openings).unwrap();
            let mut places: Vec<u32> = (0..4).map(|_| random.random_range(0..count)).collect();
            places.dedup();
            let cost = |pair: &[u32]| known_cost(known.grid(), known.cell(pair[0]), known.cell(pair[1]));
            let known_tiles: Option<u64> = places.windows(2).map(|pair| cost(pair).map(|cost| cost / 2000)).sum();
            let look_ahead = LookAhead {
                depth: random.random_range(1..9),
                turn_tiles: f64::from(random.random_range(0..2_u32)) * 0.7,
            };
            let unknown = TileMap::unknown(width, height).unwrap();
            let mut driver = TileDriver::new(unknown, places[0], places[1..].to_vec(), look_ahead).unwrap();
            let (mut driven, mut passed) = (vec![driver.at()], vec![]);
            while !driver.is_finished() {
                for tile in (0..count).filter(|&tile| known.apart(tile, driver.at()) <= 1).collect::<Vec<_>>() {
                    driver.see(tile, openings[tile as usize]).unwrap();
                }
                let Some(tile) = driver.advance().unwrap() else { break };
                assert!(known.joined(driven[driven.len() - 1]).any(|(_, next)| next == tile));
                driven.push(tile);
                if driver.passed() > passed.len() {
                    passed.push(tile);
                }
                assert!(driven.len() < 20 * (count as usize).pow(2), "{known:?} {places:?} {look_ahead:?}");
            }
            assert_eq!(driver.is_finished(), known_tiles.is_some(), "{known:?} {places:?}");
            let Some(known_tiles) = known_tiles else {
                unreachable += 1;
                continue;
            };
            assert_eq!(passed, places[1..]);
            assert!(driven.len() as u64 > known_tiles);
            finished += 1;
            longer += usize::from(driven.len() as u64 > known_tiles + 1);
        }
        assert!(finished > 60 && unreachable > 60 && longer > 30, "{finished} {unreachable} {longer}");
    }

    #[test]
    fn turns_that_cost_are_avoided() {
        // All joined: by the rows of three tiles, any staircase is as short as the corner of one turn.
        let turns = |turn_tiles: f64| {
            let map = TileMap::unknown(5, 5).unwrap();
            let look_ahead = LookAhead { turn_tiles, ..LookAhead::default() };
            let mut driver = TileDriver::new(map, 0, vec![24], look_ahead).unwrap();
            let route = driver.route().unwrap().unwrap();
            assert_eq!(route.tiles.len(), 9);
            (route.score, route.tiles.windows(3).filter(|tiles| tiles[2] - tiles[1] != tiles[1] - tiles[0]).count())
        };
        assert_eq!(turns(1.0), (9000, 1));
        assert_eq!(turns(0.0).0, 8000);
    }

    #[test]
    fn wrong_tiles_and_numbers_are_refused() {
        let map = || TileMap::unknown(3, 3).unwrap();
        let refused = |start, checkpoints, depth, turn_tiles| {
            TileDriver::new(map(), start, checkpoints, LookAhead { depth, turn_tiles }).unwrap_err().to_string()
        };
        assert!(refused(9, vec![1], 11, 0.0).contains("start is cell 9"));
        assert!(refused(0, vec![1, 9], 11, 0.0).contains("a checkpoint is cell 9"));
        assert!(refused(0, vec![1], 0, 0.0).contains("depth = 0 must be from 1 to 24"));
        assert!(refused(0, vec![1], 11, f64::NAN).contains("turn_tiles = NaN"));
        // A wall at which every row looks alike hides the goal from all routes of 24 tiles.
        let mut wide = TileMap::unknown(40, 40).unwrap();
        for row in 0..39 {
            wide.see(row * 40 + 30, 15 - 1).unwrap();
        }
        let look_ahead = LookAhead { depth: 24, turn_tiles: 0.0 };
        let mut driver = TileDriver::new(wide, 10 * 40 + 29, vec![10 * 40 + 39], look_ahead).unwrap();
        match driver.route() {
            Ok(route) => assert!(route.is_some_and(|route| route.expanded <= MAX_ROUTES)),
            Err(error) => assert!(error.to_string().contains("smaller depth"), "{error}"),
        }
    }
}
