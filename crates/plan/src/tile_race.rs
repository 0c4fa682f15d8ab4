//! A race over the road tiles of a map, with checkpoints, by a driver who sees the tiles within a radius.
//!
//! Two neighbouring tiles are joined where the vehicle's centre may move straight from the middle of one to that of
//! the other. The driver, a
//! [`TileDriver`](raceline_grid::TileDriver), knows the size of the map and the checkpoints, sees at each tile the
//! openings of those within the radius, whatever stands between, and chooses the route anew. D* Lite can drive the
//! same race beside it.

use super::FreeSpace;
use super::error::{PlanError, RaceError};
use super::tiles_raced::{TilesDriven, race_over};
use raceline_grid::{GridError, LookAhead, TileMap};
use raceline_road::geometry::Point;

/// How a race over tiles is driven.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileRaceOptions {
    /// Side of a tile, metres. Tiles begin at the map's upper left corner.
    pub tile_m: f64,
    /// Tiles whose middle is so near are seen, metres; at least the side of a tile.
    pub radius_m: f64,
    /// Number of tiles of a candidate, and the cost of turns.
    pub look_ahead: LookAhead,
    /// Whether D* Lite drives the same race.
    pub compares: bool,
}

/// A race that was driven over the tiles of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct TileRace {
    /// The path that was driven, through the middles of tiles, metres.
    pub path: Vec<Point>,
    /// Length of the path, metres.
    pub length_m: f64,
    /// What the drive cost.
    pub driven: TilesDriven,
    /// The shortest routes between the stops with the map known, by A*.
    pub known: TilesDriven,
    /// What D* Lite drove in the same race, where that was asked for.
    pub d_star_lite: Option<TilesDriven>,
    /// Places of the free cells of the tiles that were seen, metres.
    pub seen: Vec<Point>,
}

impl TileRace {
    /// Name of the search in results.
    pub const PLANNER: &str = "look-ahead";
}

/// Drives over the tiles of a map from the first of the `stops` through the others in their order, which are the
/// checkpoints, and back to the first if `closed`.
///
/// ```
/// use image::{GrayImage, Luma};
/// use raceline_plan::{FreeSpace, LookAhead, TileRaceOptions, tile_race};
/// use raceline_road::{frame::PictureFrame, geometry::Point};
///
/// // Three by two tiles of 10 m; the road is a U that is open to the right.
/// let road = |column: u32, row: u32| (3..7).contains(&(row % 10)) && column > 2 || (3..7).contains(&column) && row > 2;
/// let free = GrayImage::from_fn(30, 20, |column, row| Luma([if road(column, row) { 255 } else { 0 }]));
/// let frame = PictureFrame { metres_per_pixel: 1.0, origin_m: Point::origin(), width_px: 30, height_px: 20 };
/// let space = FreeSpace::new(&free, frame, 1.0);
/// let options = TileRaceOptions { tile_m: 10.0, radius_m: 10.0, look_ahead: LookAhead::default(), compares: true };
/// let race = tile_race(&space, &[Point::new(25.0, 15.0), Point::new(25.0, 5.0)], false, &options)?;
/// assert_eq!((race.driven.tiles, race.driven.turns, race.known.tiles), (5, 2, 5));
/// # Ok::<(), raceline_plan::PlanError>(())
/// ```
///
/// # Errors
/// [`PlanError::SmallTile`] and [`PlanError::UnseenTiles`] for the options, [`PlanError::NoEnd`] for fewer than two
/// stops, [`PlanError::OutsideMap`] and [`PlanError::NoTile`] for a stop, [`PlanError::NoPath`] if one can't be
/// reached, [`PlanError::Grid`] for the look-ahead.
pub fn tile_race(
    space: &FreeSpace,
    stops: &[Point],
    closed: bool,
    options: &TileRaceOptions,
) -> Result<TileRace, PlanError> {
    let TileRaceOptions { tile_m, radius_m, look_ahead, compares } = *options;
    let cell_m = space.frame.metres_per_pixel;
    if !tile_m.is_finite() || tile_m < cell_m {
        return Err(PlanError::SmallTile { tile_m, cell_m });
    }
    if radius_m.is_nan() || radius_m < tile_m {
        return Err(PlanError::UnseenTiles { radius_m, tile_m });
    }
    let mut stops = stops.to_vec();
    stops.extend(stops.first().copied().filter(|_| closed));
    if stops.len() < 2 {
        return Err(PlanError::NoEnd { missing: "to" });
    }
    let tiling = Tiling::new(space, tile_m);
    let known = tiling.known()?;
    let places = tiling.places_of(&stops)?;
    let raced = race_over(&known, &places, radius_m / tile_m, look_ahead, compares).map_err(|error| match error {
        RaceError::Grid(error) => error.into(),
        RaceError::NoRoute { leg } => {
            let (from, to) = (stops[leg], stops[leg + 1]);
            PlanError::NoPath { from_m: [from.x, from.y], to_m: [to.x, to.y], needed_m: space.needed_m }
        }
    })?;
    let path: Vec<Point> = raced.route.iter().map(|&tile| tiling.middle(tile)).collect();
    let seen = (0..space.cell_count() as u32)
        .filter(|&cell| !space.is_obstacle(cell) && raced.is_seen[tiling.tile_of(space.centre(cell)) as usize])
        .map(|cell| space.centre(cell))
        .collect();
    Ok(TileRace {
        length_m: raced.driven.tiles as f64 * tile_m,
        path,
        driven: raced.driven,
        known: raced.known,
        d_star_lite: raced.d_star_lite,
        seen,
    })
}

/// The tiles of a map.
struct Tiling<'a> {
    space: &'a FreeSpace,
    tile_m: f64,
    /// Side of a tile, cells.
    side: f64,
    columns: u32,
    rows: u32,
}

impl<'a> Tiling<'a> {
    fn new(space: &'a FreeSpace, tile_m: f64) -> Self {
        let side = tile_m / space.frame.metres_per_pixel;
        let count = |cells: u32| (f64::from(cells) / side).ceil().max(1.0) as u32;
        Self { space, tile_m, side, columns: count(space.frame.width_px), rows: count(space.frame.height_px) }
    }

    fn middle(&self, tile: u32) -> Point {
        let middle = |number: u32| (f64::from(number) + 0.5) * self.side;
        self.space.frame.to_world(middle(tile % self.columns), middle(tile / self.columns))
    }

    /// The tile of a place on the map.
    fn tile_of(&self, place: Point) -> u32 {
        let (column, row) = self.space.frame.to_pixel(place);
        let number = |cells: f64, count: u32| ((cells / self.side) as u32).min(count - 1);
        number(row, self.rows) * self.columns + number(column, self.columns)
    }

    fn known(&self) -> Result<TileMap, GridError> {
        let mut tiles = TileMap::unknown(self.columns, self.rows)?;
        for tile in 0..tiles.len() {
            let is_open = |&(_, next): &(usize, u32)| self.space.is_clear(self.middle(tile), self.middle(next));
            let openings = tiles.joined(tile).filter(is_open).fold(0, |openings, (side, _)| openings | 1 << side);
            tiles.see(tile, openings)?;
        }
        Ok(tiles)
    }

    fn places_of(&self, stops: &[Point]) -> Result<Vec<u32>, PlanError> {
        let mut places = Vec::with_capacity(stops.len());
        for (number, &stop) in stops.iter().enumerate() {
            let name = FreeSpace::name_of_stop(number, stops.len(), false);
            if self.space.cell_at(stop).is_none() {
                self.space.check_stop(&name, stop)?;
            }
            let tile = self.tile_of(stop);
            let middle = self.middle(tile);
            if !self.space.has_room(middle) {
                let (tile_m, middle_m) = (self.tile_m, [middle.x, middle.y]);
                return Err(PlanError::NoTile { stop: name, x_m: stop.x, y_m: stop.y, tile_m, middle_m });
            }
            places.push(tile);
        }
        Ok(places)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use crate::test_maps::space;

    use super::*;

    /// Openings of four by three tiles of 2 m: a ring with a crossing street, and a tile without a road.
    const TOWN: [u8; 12] = [9, 5, 13, 12, 11, 5, 15, 6, 2, 0, 3, 4];

    fn town() -> FreeSpace {
        space(80, 60, 0.3, |column, row| {
            let openings = TOWN[(row / 20 * 4 + column / 20) as usize];
            let (x, y) = (i64::from(column % 20) - 10, i64::from(row % 20) - 10);
            let is_on = |side: u8| openings & side != 0;
            let along = |across: i64, ahead: bool| (-5..5).contains(&across) && ahead;
            !(along(y, x >= -5 && is_on(1))
                || along(x, y < 5 && is_on(2))
                || along(y, x < 5 && is_on(4))
                || along(x, y >= -5 && is_on(8)))
        })
    }

    fn options(radius_m: f64) -> TileRaceOptions {
        TileRaceOptions { tile_m: 2.0, radius_m, look_ahead: LookAhead::default(), compares: true }
    }

    #[test]
    fn the_tiles_of_a_picture_have_the_openings_that_were_drawn() {
        let space = town();
        let known = Tiling::new(&space, 2.0).known().unwrap();
        assert_eq!(known, TileMap::new(4, 3, &TOWN).unwrap());
        // From the upper left corner round to the end of the street on the lower left.
        let stops = [Point::new(1.0, 5.0), Point::new(7.3, 0.8), Point::new(0.8, 1.2)];
        let race = tile_race(&space, &stops, false, &options(3.0)).unwrap();
        assert!(race.path.iter().all(|&middle| space.has_room(middle)));
        assert!(race.path.windows(2).all(|pair| space.is_clear(pair[0], pair[1])));
        assert_eq!((race.path[0], race.path[race.path.len() - 1]), (Point::new(1.0, 5.0), Point::new(1.0, 1.0)));
        assert_eq!(race.length_m, 2.0 * race.driven.tiles as f64);
        assert_eq!(race.known.tiles, 5 + 5);
        let back = tile_race(&space, &stops[..2], true, &options(3.0)).unwrap();
        assert_eq!(back.path[0], back.path[back.path.len() - 1]);
        assert!(race.seen.len() > back.seen.len().min(100));
    }

    #[test]
    fn what_cannot_be_raced_is_refused() {
        let (space, from, to) = (town(), Point::new(1.0, 5.0), Point::new(7.0, 1.0));
        let refused =
            |stops: &[Point], options: TileRaceOptions| tile_race(&space, stops, false, &options).unwrap_err();
        let of = |tile_m: f64, radius_m: f64| TileRaceOptions { tile_m, ..options(radius_m) };
        for tile_m in [0.05, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(refused(&[from, to], of(tile_m, 3.0)), PlanError::SmallTile { .. }));
        }
        for radius_m in [1.9, f64::NAN] {
            assert!(matches!(refused(&[from, to], of(2.0, radius_m)), PlanError::UnseenTiles { .. }));
        }
        assert!(matches!(refused(&[from], options(3.0)), PlanError::NoEnd { .. }));
        assert!(matches!(refused(&[from, Point::new(9.0, 1.0)], options(3.0)), PlanError::OutsideMap { .. }));
        let wrong = refused(&[from, Point::new(3.0, 1.0), to], options(3.0));
        assert!(matches!(wrong, PlanError::NoTile { ref stop, .. } if stop == "via 1"), "{wrong}");
        let deep = TileRaceOptions { look_ahead: LookAhead { depth: 25, turn_tiles: 0.0 }, ..options(3.0) };
        assert!(matches!(refused(&[from, to], deep), PlanError::Grid(GridError::OutOfRange { name: "depth", .. })));
        let apart = space_of_two_streets();
        let stops = [Point::new(1.0, 3.0), Point::new(1.0, 1.0)];
        let refused = tile_race(&apart, &stops, false, &options(3.0));
        assert!(matches!(refused, Err(PlanError::NoPath { from_m: [1.0, 3.0], .. })), "{refused:?}");
    }

    fn space_of_two_streets() -> FreeSpace {
        space(60, 40, 0.3, |_, row| !(5..15).contains(&(row % 20)))
    }
}
