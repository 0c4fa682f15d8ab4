//! The drive of a race over tiles, and the same race with the map known and by D* Lite.

use super::error::RaceError;
use super::grid_a_star::shortest_with_expanded;
use raceline_grid::{GridError, GridPlanner, LookAhead, TileDriver, TileMap};

/// What a drive over tiles cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TilesDriven {
    /// Number of tiles after the first.
    pub tiles: usize,
    /// Number of turns by a quarter; turning back counts as two.
    pub turns: usize,
    /// Number of nodes that were expanded: partial routes of the exhaustive search, cells of the grid of D* Lite and
    /// of A*, of which each tile has one and each side between two.
    pub nodes_expanded: usize,
}

/// A race over tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TilesRaced {
    /// The tiles that were driven over, in their order.
    pub route: Vec<u32>,
    /// What the drive cost.
    pub driven: TilesDriven,
    /// The shortest routes between the places with the map known, by A*.
    pub known: TilesDriven,
    /// What D* Lite drove in the same race, where that was asked for.
    pub d_star_lite: Option<TilesDriven>,
    /// Whether each tile was seen.
    pub is_seen: Vec<bool>,
}

/// Drives over the tiles of a map, which the driver does not know, from the first of the `places` through the others in
/// their order. The openings of tiles within `radius_tiles` are seen. ///
/// ```
/// use raceline_plan::{LookAhead, TileMap, race_over};
///
/// // ╔═╗  both ends of the lower row are joined only over the upper one
/// // ║ ║
/// let known = TileMap::new(3, 2, &[9, 5, 12, 2, 0, 2])?;
/// let raced = race_over(&known, &[3, 5], 1.0, LookAhead::default(), true)?;
/// assert_eq!(raced.route, [3, 0, 1, 2, 5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`RaceError::NoRoute`] where a place can't be reached, [`RaceError::Grid`] for places that are not on the map, and
/// for the look-ahead.
pub fn race_over(
    known: &TileMap,
    places: &[u32],
    radius_tiles: f64,
    look_ahead: LookAhead,
    compares: bool,
) -> Result<TilesRaced, RaceError> {
    let Some((&start, checkpoints)) = places.split_first() else { return Err(RaceError::NoRoute { leg: 0 }) };
    let unknown = TileMap::unknown(known.width(), known.height())?;
    let mut driver = TileDriver::new(unknown.clone(), start, checkpoints.to_vec(), look_ahead)?;
    let mut known_routes = Drive::from(start);
    for (leg, pair) in places.windows(2).enumerate() {
        let (path, expanded) = shortest_with_expanded(known.grid(), known.cell(pair[0]), known.cell(pair[1]));
        let path = path.ok_or(RaceError::NoRoute { leg })?;
        known_routes.driven.nodes_expanded += expanded;
        path.cells[1..].iter().filter_map(|&cell| known.tile_at(cell)).for_each(|tile| known_routes.to(tile));
    }
    let mut sight = Sight::new(known, radius_tiles);
    let mut drive = Drive::from(start);
    while !driver.is_finished() {
        for (tile, openings) in sight.look(driver.at()) {
            driver.see(tile, openings)?;
        }
        let Some(tile) = driver.advance()? else {
            return Err(RaceError::NoRoute { leg: driver.passed() });
        };
        drive.to(tile);
    }
    drive.driven.nodes_expanded = driver.expanded();
    let d_star_lite = if compares { Some(by_d_star_lite(known, unknown, places, radius_tiles)?) } else { None };
    Ok(TilesRaced {
        route: drive.route,
        driven: drive.driven,
        known: known_routes.driven,
        d_star_lite,
        is_seen: sight.is_seen,
    })
}

/// The race by D* Lite, which replans where a side was seen to be closed.
fn by_d_star_lite(
    known: &TileMap,
    mut tiles: TileMap,
    places: &[u32],
    radius_tiles: f64,
) -> Result<TilesDriven, GridError> {
    let mut sight = Sight::new(known, radius_tiles);
    let mut drive = Drive::from(places[0]);
    for pair in places.windows(2) {
        let mut planner = GridPlanner::new(tiles.grid().clone(), tiles.cell(pair[0]), tiles.cell(pair[1]))?;
        let (mut path, mut at) = (Vec::new(), pair[0]);
        while at != pair[1] {
            let mut blocked = Vec::new();
            for (tile, openings) in sight.look(at) {
                blocked.extend(tiles.see(tile, openings)?);
            }
            if !blocked.is_empty() || path.is_empty() {
                planner.update(&blocked)?;
                // There is a path: A* has found it.
                path = planner.path().map(|path| path.cells).unwrap_or_default();
                path.reverse();
                path.pop();
            }
            let Some(cell) = path.pop() else { break };
            planner.move_to(cell)?;
            if let Some(tile) = tiles.tile_at(cell) {
                at = tile;
                drive.to(tile);
            }
        }
        drive.driven.nodes_expanded += planner.expanded();
    }
    Ok(drive.driven)
}

/// What a driver sees of the tiles.
struct Sight<'a> {
    known: &'a TileMap,
    /// Columns and rows to the tiles within the radius.
    near: Vec<[i64; 2]>,
    is_seen: Vec<bool>,
}

impl<'a> Sight<'a> {
    fn new(known: &'a TileMap, radius_tiles: f64) -> Self {
        // Beyond the sides of the map there is nothing to see.
        let size = f64::from(known.width().max(known.height()));
        let near = super::discovery::discs(radius_tiles.clamp(0.0, 2.0 * size));
        Self { known, near, is_seen: vec![false; known.len() as usize] }
    }

    /// The tiles that are seen for the first time, with their openings.
    fn look(&mut self, at: u32) -> Vec<(u32, u8)> {
        let size = (self.known.width(), self.known.height());
        let near = self.near.iter().filter_map(|&offset| raceline_grid::beside(at, size, offset));
        let is_seen = &mut self.is_seen;
        let new = near.filter(|&tile| !std::mem::replace(&mut is_seen[tile as usize], true));
        new.map(|tile| (tile, self.known.openings(tile))).collect()
    }
}

/// A drive as far as it has come.
struct Drive {
    route: Vec<u32>,
    driven: TilesDriven,
}

impl Drive {
    fn from(start: u32) -> Self {
        Self { route: vec![start], driven: TilesDriven::default() }
    }

    fn to(&mut self, tile: u32) {
        if let [.., before, at] = self.route[..] {
            self.driven.turns += if tile == before {
                2
            } else {
                // Of a row of tiles numbers differ by 1, of a column by the width.
                usize::from(i64::from(tile) - i64::from(at) != i64::from(at) - i64::from(before))
            };
        }
        self.driven.tiles += 1;
        self.route.push(tile);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn who_sees_the_whole_map_drives_the_shortest_routes_and_who_sees_less_no_shorter_ones() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let (mut raced, mut longer) = (0, [0, 0]);
        for _ in 0..60 {
            let size = random.random_range(3..8_u32);
            let openings: Vec<u8> =
                (0..size * size).map(|_| random.random_range(0..16_u8) | random.random_range(0..16_u8)).collect();
            let known = TileMap::new(size, size, &openings).unwrap();
            let places: Vec<u32> = (0..3).map(|_| random.random_range(0..size * size)).collect();
            let race = |radius| race_over(&known, &places, radius, LookAhead::default(), true);
            let (Ok(all), Ok(near)) = (race(99.0), race(1.0)) else {
                assert!(matches!(race(99.0), Err(RaceError::NoRoute { .. })) && race(1.0).is_err());
                continue;
            };
            assert_eq!(all.d_star_lite.unwrap().tiles, all.known.tiles);
            assert!(all.is_seen.iter().all(|&is_seen| is_seen) && near.known == all.known);
            for (number, driven) in [near.driven, near.d_star_lite.unwrap()].into_iter().enumerate() {
                assert!(driven.tiles >= near.known.tiles);
                longer[number] += usize::from(driven.tiles > near.known.tiles);
            }
            assert_eq!(near.route.len(), near.driven.tiles + 1);
            assert_eq!(
                race_over(&known, &places, 1.0, LookAhead::default(), false).unwrap(),
                TilesRaced { d_star_lite: None, ..near }
            );
            raced += 1;
        }
        assert!(raced > 20 && longer[0] > 3 && longer[1] > 3, "{raced} {longer:?}");
    }

    #[test]
    fn turning_back_counts_as_two_turns() {
        // A street with a checkpoint at its end, and back.
        let known = TileMap::new(3, 1, &[1, 5, 4]).unwrap();
        let raced = race_over(&known, &[0, 2, 0], 1.0, LookAhead::default(), false).unwrap();
        assert_eq!((raced.driven.tiles, raced.driven.turns, raced.known.turns), (4, 2, 2));
        assert_eq!(race_over(&known, &[], 1.0, LookAhead::default(), false), Err(RaceError::NoRoute { leg: 0 }));
        let far = race_over(&known, &[0, 3], 1.0, LookAhead::default(), false);
        assert!(matches!(far, Err(RaceError::Grid(GridError::Outside { cell: 3, .. }))));
    }
}
