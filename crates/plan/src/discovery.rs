//! A drive through a map that is discovered during the drive.
//!
//! The robot knows the size of the map and nothing else; unknown cells count as free. After each move
//! it sees what a lidar sees, blocks the cells that have no room beside what it saw, and drives on
//! along the path of minimum cost on the map as it is known then: the free-space assumption of
//! S. Koenig and M. Likhachev, "D* Lite" (AAAI 2002). The path is repaired by [`GridPlanner`]; A* from
//! scratch can be counted beside it.

use super::error::PlanError;
use super::grid_a_star::shortest_with_expanded;
use super::grid_search::{cells_between, octile_to};
use super::lidar::scan;
use super::{FreeSpace, length_of};
use raceline_grid::{Grid, GridError, GridPlanner, beside};
use raceline_road::geometry::Point;

/// A driven path with what its planning cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Discovery {
    /// The path that was driven, metres.
    pub path: Vec<Point>,
    /// Length of the driven path, metres.
    pub length_m: f64,
    /// Sum of the lengths of the shortest paths on the cells between the stops with the map known, metres.
    pub known_length_m: f64,
    /// Number of paths that were planned: one at each stop but the last, and one wherever cells became
    /// blocked.
    pub replans: usize,
    /// Number of cells that D* Lite expanded in all.
    pub nodes_expanded: usize,
    /// Cost of the same drive with A* from scratch, where that was counted.
    pub a_star: Option<FromScratch>,
    /// Places of the cells that were seen and are no obstacles, metres.
    pub seen: Vec<Point>,
}

/// What A* from scratch expands for a drive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FromScratch {
    /// Number of cells expanded where D* Lite replanned.
    pub expanded: usize,
    /// Number of cells expanded at the stops and where cells on the path became blocked: less often is not
    /// enough to drive the shortest known path.
    pub if_blocked_expanded: usize,
}

impl Discovery {
    /// Name of the search in results.
    pub const PLANNER: &str = "d-star-lite";
}

/// Drives from the first of the `stops` through the others in their order, and back to it if `closed`, with a lidar that sees
/// obstacles within `radius_m` unless others hide them. Whatever it would touch with its next move, the
/// robot senses too. With `compares`, what A* from scratch would expand is counted, which takes longer
/// than the drive.
///
/// ```
/// use image::{GrayImage, Luma};
/// use raceline_plan::{FreeSpace, discover};
/// use raceline_road::{frame::PictureFrame, geometry::Point};
///
/// // A hall of 20 m by 10 m with a wall across that is open at its lower end.
/// let free = GrayImage::from_fn(80, 40, |column, row| Luma([if column / 2 == 20 && row < 30 { 0 } else { 255 }]));
/// let frame = PictureFrame { metres_per_pixel: 0.25, origin_m: Point::origin(), width_px: 80, height_px: 40 };
/// let space = FreeSpace::new(&free, frame, 0.5);
/// let driven = discover(&space, &[Point::new(2.1, 6.1), Point::new(18.1, 6.1)], false, 3.0, true)?;
/// assert!(driven.length_m > driven.known_length_m);
/// assert!(driven.a_star.is_some_and(|a_star| driven.nodes_expanded < a_star.expanded));
/// # Ok::<(), raceline_plan::PlanError>(())
/// ```
///
/// # Errors
/// [`PlanError::ShortSight`] if `radius_m` is no number, or less than the needed clearance and two
/// cells; [`PlanError::NoEnd`] for fewer than two stops; [`PlanError::OutsideMap`] and
/// [`PlanError::NoRoom`] for a stop; [`PlanError::NoPath`] if one can't be reached.
pub fn discover(
    space: &FreeSpace,
    stops: &[Point],
    closed: bool,
    radius_m: f64,
    compares: bool,
) -> Result<Discovery, PlanError> {
    let mut stops = stops.to_vec();
    stops.extend(stops.first().copied().filter(|_| closed));
    let cell_m = space.frame.metres_per_pixel;
    // Less a cell's half, a move over a corner and rounding: what a cell beside the present one may touch.
    let touch_m = space.needed_m + 2.0 * cell_m;
    if radius_m.is_nan() || radius_m < touch_m {
        return Err(PlanError::ShortSight { radius_m, min_m: touch_m });
    }
    let cells = space.cells_of_stops(&stops, false)?;
    let (&[first, second, ..], Some(&start)) = (&cells[..], stops.first()) else {
        return Err(PlanError::NoEnd { missing: "to" });
    };
    let mut drive = Drive {
        space,
        radius_m,
        touch: discs(touch_m / cell_m),
        blocks: blocked_about(space),
        is_seen: vec![false; space.cell_count()],
        planner: GridPlanner::new(borders(space)?, first, second)?,
        driven: vec![first],
        found: Discovery {
            path: vec![start],
            length_m: 0.0,
            known_length_m: 0.0,
            replans: 0,
            nodes_expanded: 0,
            a_star: compares.then(FromScratch::default),
            seen: Vec::new(),
        },
    };
    for (leg, pair) in cells.windows(2).enumerate() {
        let no_path = || {
            let (from, to) = (stops[leg], stops[leg + 1]);
            PlanError::NoPath { from_m: [from.x, from.y], to_m: [to.x, to.y], needed_m: space.needed_m }
        };
        if leg > 0 {
            // The map stays known, but costs to another goal are others.
            drive.planner = GridPlanner::new(drive.planner.grid().clone(), pair[0], pair[1])?;
        }
        drive.to(pair[1]).ok_or_else(no_path)?;
        let known = cells_between(space, pair[0], |cell| cell == pair[1], octile_to(space, pair[1]), &mut Vec::new());
        drive.found.known_length_m += known.ok_or_else(no_path)?.1;
        drive.found.nodes_expanded += drive.planner.expanded();
    }
    let Drive { mut found, driven, is_seen, .. } = drive;
    let inner = driven.get(1..driven.len() - 1).unwrap_or_default();
    found.path.extend(inner.iter().map(|&cell| space.centre(cell)).chain(stops.last().copied()));
    found.length_m = length_of(&found.path);
    let seen = (0..space.cell_count() as u32).filter(|&cell| is_seen[cell as usize] && !space.is_obstacle(cell));
    found.seen = seen.map(|cell| space.centre(cell)).collect();
    Ok(found)
}

/// A drive as far as it has come.
struct Drive<'a> {
    space: &'a FreeSpace,
    radius_m: f64,
    /// Columns and rows to the cells that are sensed whatever hides them.
    touch: Vec<[i64; 2]>,
    /// Columns and rows to the cells that an obstacle blocks.
    blocks: Vec<[i64; 2]>,
    is_seen: Vec<bool>,
    planner: GridPlanner,
    driven: Vec<u32>,
    found: Discovery,
}

impl Drive<'_> {
    /// Drives to the goal of the planner; `None` if what was seen leaves no path to it.
    fn to(&mut self, goal: u32) -> Option<()> {
        let mut path: Vec<u32> = Vec::new();
        let mut next = 0;
        loop {
            let at = self.planner.start();
            let blocked = self.look(at);
            if !blocked.is_empty() || path.is_empty() {
                let changes: Vec<(u32, bool)> = blocked.iter().map(|&cell| (cell, true)).collect();
                self.planner.update(&changes).ok()?;
                if let Some(a_star) = &mut self.found.a_star {
                    let (_, expanded) = shortest_with_expanded(self.planner.grid(), at, goal);
                    let ahead = path.get(next..).unwrap_or_default();
                    let is_on_path = ahead
                        .windows(2)
                        .any(|pair| !self.planner.grid().neighbours(pair[0]).any(|(cell, _)| cell == pair[1]));
                    a_star.expanded += expanded;
                    if path.is_empty() || is_on_path {
                        a_star.if_blocked_expanded += expanded;
                    }
                }
                self.found.replans += 1;
                path = self.planner.path()?.cells;
                next = 0;
            }
            if at == goal {
                return Some(());
            }
            next += 1;
            let cell = *path.get(next)?;
            self.planner.move_to(cell).ok()?;
            self.driven.push(cell);
        }
    }

    /// Looks about from a cell; the cells that turn out to be blocked.
    fn look(&mut self, at: u32) -> Vec<u32> {
        let mut obstacles = Vec::new();
        let (space, is_seen) = (self.space, &mut self.is_seen);
        let size = (space.frame.width_px, space.frame.height_px);
        let mut see = |cell: u32| {
            if !std::mem::replace(&mut is_seen[cell as usize], true) && space.is_obstacle(cell) {
                obstacles.push(cell);
            }
        };
        scan(space, at, self.radius_m, &mut see);
        self.touch.iter().filter_map(|&offset| beside(at, size, offset)).for_each(&mut see);
        let beside_obstacles =
            obstacles.iter().flat_map(|&cell| self.blocks.iter().filter_map(move |&offset| beside(cell, size, offset)));
        let mut blocked: Vec<u32> = beside_obstacles.filter(|&cell| !self.planner.grid().is_blocked(cell)).collect();
        blocked.sort_unstable();
        blocked.dedup();
        blocked
    }
}

/// The map as it is known at first: cells too near its border are blocked.
fn borders(space: &FreeSpace) -> Result<Grid, GridError> {
    let (width, height) = (space.frame.width_px, space.frame.height_px);
    let is_blocked = |cell: u32| {
        let (column, row) = space.place(cell);
        let cells = column.min(width - 1 - column).min(row).min(height - 1 - row) + 1;
        !space.has_room_at(f64::from(cells))
    };
    Grid::new(width, height, (0..space.cell_count() as u32).map(is_blocked).collect())
}

/// Columns and rows to the cells that have no room beside an obstacle cell.
fn blocked_about(space: &FreeSpace) -> Vec<[i64; 2]> {
    let reach = space.needed_m / space.frame.metres_per_pixel + 2.0;
    let mut offsets = discs(reach);
    offsets.retain(|[x, y]| !space.has_room_at(((x * x + y * y) as f64).sqrt()));
    offsets
}

/// Columns and rows to the cells within a radius, in cells.
pub(super) fn discs(radius: f64) -> Vec<[i64; 2]> {
    let reach = radius as i64;
    let offsets = (-reach..=reach).flat_map(|y| (-reach..=reach).map(move |x| [x, y]));
    offsets.filter(|[x, y]| ((x * x + y * y) as f64) <= radius * radius).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use image::{GrayImage, Luma};
    use raceline_road::frame::PictureFrame;

    use super::*;
    use crate::tasks;

    /// A hall of 24 m by 16 m with obstacles where `is_wall` holds, in cells of 0.2 m.
    fn hall(is_wall: impl Fn(u32, u32) -> bool) -> FreeSpace {
        let frame = PictureFrame { metres_per_pixel: 0.2, origin_m: Point::origin(), width_px: 120, height_px: 80 };
        let free = GrayImage::from_fn(120, 80, |column, row| Luma([if is_wall(column, row) { 0 } else { 255 }]));
        FreeSpace::new(&free, frame, 0.5)
    }

    /// Walls from above and from below in turn, each with a door of 2 m at its end.
    fn zigzag(column: u32, row: u32) -> bool {
        let wall = column / 15;
        column % 15 == 14 && wall < 7 && (if wall.is_multiple_of(2) { row < 70 } else { row >= 10 })
    }

    #[test]
    fn the_driven_path_has_room_and_is_no_shorter_than_the_one_with_the_map_known() {
        let space = hall(zigzag);
        for stops in tasks(&space, 12, 4) {
            let found = discover(&space, &stops, false, 3.0, true).unwrap();
            assert!(found.path[1..].iter().all(|&point| space.has_room(point)), "{stops:?}");
            assert!(found.length_m >= found.known_length_m - 0.5, "{} {}", found.length_m, found.known_length_m);
            let a_star = found.a_star.unwrap();
            assert!(a_star.if_blocked_expanded <= a_star.expanded);
            let alone = discover(&space, &stops, false, 3.0, false).unwrap();
            assert_eq!(Discovery { a_star: None, ..found }, alone);
        }
    }

    #[test]
    fn far_from_the_goal_d_star_lite_expands_less_than_a_star() {
        let space = hall(zigzag);
        let found = discover(&space, &[Point::new(1.1, 8.1), Point::new(23.1, 8.1)], false, 3.0, true).unwrap();
        assert!(found.replans > 20 && found.length_m > found.known_length_m + 1.0, "{found:?}");
        let a_star = found.a_star.unwrap();
        assert!(2 * found.nodes_expanded < a_star.expanded, "{} {}", found.nodes_expanded, a_star.expanded);
    }

    #[test]
    fn what_is_seen_never_blocks_a_cell_with_room_and_walls_hide_what_is_behind() {
        let space = hall(zigzag);
        let found = discover(&space, &[Point::new(1.1, 8.1), Point::new(1.1, 4.1)], false, 100.0, false).unwrap();
        // The first wall is 2.8 m away and reaches to 2 m from the lower border.
        assert!(found.seen.iter().all(|point| point.x < 3.0 || point.y < 8.0));
        assert!(found.seen.iter().any(|point| point.x > 3.0));
        let empty = hall(|_, _| false);
        let found = discover(&empty, &[Point::new(1.1, 8.1), Point::new(23.1, 8.1)], false, 3.0, true).unwrap();
        assert_eq!((found.replans, found.length_m), (1, found.known_length_m));
    }

    #[test]
    fn each_leg_goes_on_with_the_map_that_is_known() {
        let space = hall(zigzag);
        let (a, b) = (Point::new(1.1, 8.1), Point::new(23.1, 8.1));
        let there = discover(&space, &[a, b], false, 3.0, true).unwrap();
        let back = discover(&space, &[a, b, a], false, 3.0, true).unwrap();
        assert_eq!(back, discover(&space, &[a, b], true, 3.0, true).unwrap());
        assert!(back.length_m - there.length_m < there.length_m, "{} {}", back.length_m, there.length_m);
    }

    #[test]
    fn what_cannot_be_driven_is_refused() {
        let (a, b) = (Point::new(1.1, 8.1), Point::new(23.1, 8.1));
        let closed = hall(|column, _| column == 60);
        assert!(matches!(discover(&closed, &[a, b], false, 3.0, true), Err(PlanError::NoPath { .. })));
        let space = hall(zigzag);
        for radius_m in [0.5, -1.0, f64::NAN] {
            assert!(matches!(discover(&space, &[a, b], false, radius_m, false), Err(PlanError::ShortSight { .. })));
        }
        assert!(matches!(discover(&space, &[a], false, 3.0, true), Err(PlanError::NoEnd { .. })));
        assert!(matches!(
            discover(&space, &[a, Point::new(-1.0, 0.0)], false, 3.0, true),
            Err(PlanError::OutsideMap { .. })
        ));
    }
}
