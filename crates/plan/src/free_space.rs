//! Free space: the cells of a map with their distances to the nearest obstacle.

use std::sync::Arc;

use image::{GrayImage, Luma};
use imageproc::distance_transform::euclidean_squared_distance_transform;

use super::navigation_mesh::NavigationMesh;
use super::{MeshError, PlanError};
use raceline_grid::moves;
use raceline_road::frame::PictureFrame;
use raceline_road::geometry::Point;

/// Steps of a test along a straight line, in cells.
const STEP_CELLS: f64 = 0.5;
/// Side of a cell of a floor, as a fraction of the needed radius. A smaller one keeps narrower passages, at a
/// cost in proportion to its square.
const CELL_RADII: f64 = 0.25;
/// Cells of a floor, at most.
const MAX_CELLS: f64 = 16e6;

/// The part of a map in which a vehicle's centre may be.
///
/// The clearance of a cell is the distance from its centre to the nearest obstacle cell less half a
/// cell; beyond the map everything is an obstacle. The exact distance transform is that of
/// P. Felzenszwalb and D. Huttenlocher, "Distance transforms of sampled functions" (2012).
///
/// ```
/// use image::{GrayImage, Luma};
/// use raceline_plan::FreeSpace;
/// use raceline_road::frame::PictureFrame;
/// use raceline_road::geometry::Point;
///
/// let free = GrayImage::from_pixel(40, 20, Luma([255]));
/// let frame = PictureFrame { metres_per_pixel: 0.5, origin_m: Point::origin(), width_px: 40, height_px: 20 };
/// let space = FreeSpace::new(&free, frame, 1.0);
/// let middle = space.cell_at(Point::new(10.2, 5.2)).ok_or("beyond the map")?;
/// assert!((space.clearance_m(middle) - 4.75).abs() < 0.3);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug)]
pub struct FreeSpace {
    /// Position of the cells in the world.
    pub frame: PictureFrame,
    /// Clearance that the vehicle's centre needs, metres.
    pub needed_m: f64,
    /// Clearance of each cell, metres, row by row from the top.
    clearance_m: Vec<f32>,
    /// The mesh whose cells these are.
    floor: Option<Arc<NavigationMesh>>,
}

/// Two places that a path may connect.
pub(super) struct Connected {
    /// The cells of the places.
    pub start: u32,
    pub goal: u32,
    /// Which cells can be reached from them.
    pub reachable: Vec<bool>,
}

impl FreeSpace {
    /// The free space where `free` is above 127, for a vehicle whose centre needs `needed_m` of
    /// clearance.
    #[must_use]
    pub fn new(free: &GrayImage, frame: PictureFrame, needed_m: f64) -> Self {
        let (width, height) = free.dimensions();
        // One more cell all round stands for what is beyond the map.
        let obstacles = GrayImage::from_fn(width + 2, height + 2, |column, row| {
            let inside = (1..=width).contains(&column) && (1..=height).contains(&row);
            let is_free = inside && free.get_pixel(column - 1, row - 1).0[0] > 127;
            Luma([if is_free { 0 } else { 255 }])
        });
        let squared = euclidean_squared_distance_transform(&obstacles);
        let clearance =
            |column: u32, row: u32| clearance_of(squared.get_pixel(column + 1, row + 1).0[0].sqrt(), &frame);
        let clearance_m = (0..height).flat_map(|row| (0..width).map(move |column| clearance(column, row))).collect();
        Self { frame, needed_m, clearance_m, floor: None }
    }

    /// The free space on the floor of a level: triangles or other convex polygons, metres, for a vehicle whose
    /// centre needs `radius_m` of clearance and a cell. Cells have a quarter of the radius, or more on a floor
    /// that would have more than 16 million of them. The planner `navigation-mesh` has the polygons themselves.
    ///
    /// Where a game has made the polygons for a vehicle of another radius, obstacles are larger by that radius.
    ///
    /// ```
    /// use raceline_plan::FreeSpace;
    /// use raceline_road::geometry::Point;
    ///
    /// let floor = [[[0.0, 0.0], [20.0, 0.0], [20.0, 10.0]], [[0.0, 0.0], [20.0, 10.0], [0.0, 10.0]]];
    /// let floor = floor.map(|triangle| triangle.map(Point::from).to_vec());
    /// let space = FreeSpace::of_floor(&floor, 0.4)?;
    /// assert!((space.clearance_at_m(Point::new(10.0, 5.0)) - 5.0).abs() < 0.2);
    /// # Ok::<(), raceline_plan::MeshError>(())
    /// ```
    ///
    /// # Errors
    /// [`MeshError`].
    pub fn of_floor(polygons: &[Vec<Point>], radius_m: f64) -> Result<Self, MeshError> {
        let mesh = NavigationMesh::of_polygons(polygons)?;
        let bound = |axis: usize, join: fn(f64, f64) -> f64| {
            polygons.iter().flatten().map(|point| point[axis]).reduce(join).unwrap_or_default()
        };
        let low = [bound(0, f64::min), bound(1, f64::min)];
        let size = [bound(0, f64::max) - low[0], bound(1, f64::max) - low[1]];
        let cell_m = (CELL_RADII * radius_m).max((size[0] * size[1] / MAX_CELLS).sqrt());
        let cells = size.map(|length| (length / cell_m).ceil());
        // A floor without an extent has no number of cells, or none; rounding up adds less than as many again.
        if !(1.0..=2.0 * MAX_CELLS).contains(&(cells[0] * cells[1])) {
            return Err(MeshError::Empty { cell_m });
        }
        let [width_px, height_px] = cells.map(|count| count as u32);
        let frame = PictureFrame { metres_per_pixel: cell_m, origin_m: Point::from(low), width_px, height_px };
        let mut free = GrayImage::new(width_px, height_px);
        for polygon in polygons {
            fill(&mut free, &frame, polygon);
        }
        let space = Self::new(&free, frame, radius_m + cell_m);
        Ok(Self { floor: Some(Arc::new(mesh)), ..space })
    }

    /// The mesh whose cells these are, for a floor.
    pub(super) fn floor(&self) -> Option<&NavigationMesh> {
        self.floor.as_deref()
    }

    /// Number of cells.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.clearance_m.len()
    }

    /// The cell that contains a point; `None` beyond the map.
    #[must_use]
    pub fn cell_at(&self, point: Point) -> Option<u32> {
        let (column, row) = self.frame.to_pixel(point);
        let inside = |value: f64, size: u32| (value >= 0.0 && value < f64::from(size)).then_some(value as u32);
        let (column, row) = inside(column, self.frame.width_px).zip(inside(row, self.frame.height_px))?;
        Some(row * self.frame.width_px + column)
    }

    /// The centre of a cell, metres.
    #[must_use]
    pub fn centre(&self, cell: u32) -> Point {
        let (column, row) = self.place(cell);
        self.frame.to_world(f64::from(column) + 0.5, f64::from(row) + 0.5)
    }

    /// Column and row of a cell.
    pub(super) fn place(&self, cell: u32) -> (u32, u32) {
        (cell % self.frame.width_px, cell / self.frame.width_px)
    }

    /// Clearance of a cell, metres.
    #[must_use]
    pub fn clearance_m(&self, cell: u32) -> f64 {
        self.clearance_m.get(cell as usize).map_or(0.0, |&clearance| f64::from(clearance))
    }

    /// Whether a cell is an obstacle itself.
    pub(super) fn is_obstacle(&self, cell: u32) -> bool {
        self.clearance_m(cell) <= 0.0
    }

    /// Whether the vehicle's centre may be in a cell.
    #[must_use]
    pub fn is_free(&self, cell: u32) -> bool {
        self.clearance_m(cell) >= self.needed_m
    }

    /// Whether the vehicle's centre may be at a point.
    #[must_use]
    pub fn has_room(&self, point: Point) -> bool {
        self.cell_at(point).is_some_and(|cell| self.is_free(cell))
    }

    /// Clearance at a point, metres; zero beyond the map.
    #[must_use]
    pub fn clearance_at_m(&self, point: Point) -> f64 {
        self.cell_at(point).map_or(0.0, |cell| self.clearance_m(cell))
    }

    /// Whether the vehicle's centre may move straight from `a` to `b`. Steps are as long as the
    /// clearance allows, and half a cell near obstacles.
    #[must_use]
    pub fn is_clear(&self, a: Point, b: Point) -> bool {
        let length = (b - a).norm();
        let cell = self.frame.metres_per_pixel;
        let mut at = 0.0;
        loop {
            let clearance = self.clearance_at_m(if at >= length { b } else { a + (b - a) * (at / length) });
            if clearance < self.needed_m {
                return false;
            }
            if at >= length {
                return true;
            }
            // The clearance falls by at most the distance; the cell's centre is less than one away.
            at = (at + (clearance - self.needed_m - cell).max(STEP_CELLS * cell)).min(length);
        }
    }

    /// The free neighbours of a cell with the cost of the move, as on a [`Grid`](super::Grid).
    pub(super) fn neighbours(&self, cell: u32) -> impl Iterator<Item = (u32, u64)> + '_ {
        moves(cell, (self.frame.width_px, self.frame.height_px), |cell| self.is_free(cell))
    }

    /// Which cells can be reached from a cell, itself included.
    #[must_use]
    pub fn reachable(&self, from: u32) -> Vec<bool> {
        let mut reached = vec![false; self.cell_count()];
        let mut open = vec![from];
        reached[from as usize] = true;
        while let Some(cell) = open.pop() {
            for (next, _) in self.neighbours(cell) {
                if !std::mem::replace(&mut reached[next as usize], true) {
                    open.push(next);
                }
            }
        }
        reached
    }

    /// The cells of two places and those that can be reached from them; `None` if one place is off the
    /// map or no path leads to the other.
    pub(super) fn connected(&self, from: Point, to: Point) -> Option<Connected> {
        let (start, goal) = (self.cell_at(from)?, self.cell_at(to)?);
        let reachable = self.reachable(start);
        reachable[goal as usize].then_some(Connected { start, goal, reachable })
    }

    /// Whether the vehicle's centre has room so many cells from an obstacle cell, between centres.
    pub(super) fn has_room_at(&self, cells: f64) -> bool {
        f64::from(clearance_of(cells, &self.frame)) >= self.needed_m
    }

    /// The cells of stops in their order; where `closed`, the last one is no end.
    ///
    /// # Errors
    /// Those of [`check_stop`](Self::check_stop).
    pub(super) fn cells_of_stops(&self, stops: &[Point], closed: bool) -> Result<Vec<u32>, PlanError> {
        let mut cells = Vec::with_capacity(stops.len());
        for (number, &stop) in stops.iter().enumerate() {
            let name = Self::name_of_stop(number, stops.len(), closed);
            self.check_stop(&name, stop)?;
            cells.extend(self.cell_at(stop));
        }
        Ok(cells)
    }

    /// The name in messages of a stop with this number, of so many; where `closed`, the last one is no end.
    pub(super) fn name_of_stop(number: usize, count: usize, closed: bool) -> String {
        match number {
            0 => "from".to_owned(),
            _ if !closed && number + 1 == count => "to".to_owned(),
            _ => format!("via {number}"),
        }
    }

    /// Checks that a stop has room; `stop` is its name in messages.
    ///
    /// # Errors
    /// [`PlanError::OutsideMap`], [`PlanError::NoRoom`] with the nearest place that has room.
    pub fn check_stop(&self, stop: &str, point: Point) -> Result<(), PlanError> {
        let Some(cell) = self.cell_at(point) else {
            let corner = self.frame.to_world(f64::from(self.frame.width_px), 0.0);
            let low = self.frame.origin_m;
            return Err(PlanError::OutsideMap {
                stop: stop.to_owned(),
                x_m: point.x,
                y_m: point.y,
                left_m: low.x,
                bottom_m: low.y,
                right_m: corner.x,
                top_m: corner.y,
            });
        };
        if self.is_free(cell) {
            return Ok(());
        }
        let free = (0..self.cell_count() as u32).filter(|&cell| self.is_free(cell));
        let nearest = free
            .map(|cell| self.centre(cell))
            .min_by(|a, b| (a - point).norm_squared().total_cmp(&(b - point).norm_squared()));
        Err(PlanError::NoRoom {
            stop: stop.to_owned(),
            x_m: point.x,
            y_m: point.y,
            clearance_m: self.clearance_m(cell),
            needed_m: self.needed_m,
            nearest_m: nearest.map(|p| [p.x, p.y]),
        })
    }
}

/// Frees the cells whose centres are in a convex polygon.
fn fill(free: &mut GrayImage, frame: &PictureFrame, polygon: &[Point]) {
    let corners: Vec<(f64, f64)> = polygon.iter().map(|&corner| frame.to_pixel(corner)).collect();
    let rows = |join: fn(f64, f64) -> f64| corners.iter().map(|corner| corner.1).reduce(join).unwrap_or_default();
    let last = (rows(f64::max) - 0.5).floor().min(f64::from(frame.height_px) - 1.0);
    let mut row = (rows(f64::min) - 0.5).ceil().max(0.0);
    while row <= last {
        let middle = row + 0.5;
        let ends = (0..corners.len()).filter_map(|k| {
            let ((x, y), (next_x, next_y)) = (corners[k], corners[(k + 1) % corners.len()]);
            let is_crossed = y.min(next_y) <= middle && middle <= y.max(next_y) && y != next_y;
            is_crossed.then(|| x + (next_x - x) * (middle - y) / (next_y - y))
        });
        let (left, right) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, r), x| (l.min(x), r.max(x)));
        let first = (left - 0.5).ceil().max(0.0);
        let end = (right - 0.5).floor().min(f64::from(frame.width_px) - 1.0);
        for column in first as u32..(end + 1.0).max(first) as u32 {
            free.put_pixel(column, row as u32, Luma([255]));
        }
        row += 1.0;
    }
}

/// Clearance of a cell so many cells from the nearest obstacle, between centres, metres.
fn clearance_of(cells: f64, frame: &PictureFrame) -> f32 {
    ((cells - 0.5).max(0.0) * frame.metres_per_pixel) as f32
}
