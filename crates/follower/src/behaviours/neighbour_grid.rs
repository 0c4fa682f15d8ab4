//! The neighbours of each of many agents, found by a grid.

use std::ops::Range;

use super::vector::{Vector, dot, subtract};
use crate::bodies::Body;

/// Multiplier of a cell's row, whose upper half is where the row begins in the table: 2⁶⁴ by the
/// golden ratio (Knuth, *The Art of Computer Programming*, volume 3, section 6.4).
const ROW: u64 = 0x9E37_79B9_7F4A_7C15;

/// Columns and rows in the usual radius: with more of them fewer agents are looked at in vain, and more
/// cells. Agents of a row are neighbours in memory, so that many columns cost less than many rows.
const CELLS: [f64; 2] = [8.0, 1.0];

/// Agents in the cells of a grid, so that those near a place are found among a few.
///
/// With n agents, a behaviour that looks at all of them for each takes n² steps a frame. Rebuilt once
/// a frame, a grid gives each agent those within a radius, in steps that do not depend on n. The plane
/// has no borders: a cell's place in the table follows from a hash (Teschner et al., *Optimized Spatial
/// Hashing for Collision Detection of Deformable Objects*, VMV 2003, section 4), here of the row
/// alone, so that the cells of a row are neighbours in memory.
///
/// ```
/// use raceline_follower::behaviours::{Agent, Body, NeighbourGrid, Neighbourhood, separation};
///
/// let bodies = [[0.0, 0.0], [1.5, 0.0], [900.0, 0.0]]
///     .map(|position_m| Body { position_m, radius_m: 0.5, ..Body::default() });
/// let mut grid = NeighbourGrid::new(bodies.len(), 10.0);
/// grid.rebuild(&bodies);
/// let mut found = [Body::default(); 32];
/// let others = grid.others(0, 10.0, &mut found);
/// assert_eq!(others, &bodies[1..2]);
/// let agent = Agent { body: bodies[0], ..Agent::default() };
/// assert!(separation(&agent, others, &Neighbourhood::default())[0] < 0.0);
/// ```
#[derive(Clone, Debug)]
pub struct NeighbourGrid {
    /// Columns and rows of cells in a metre.
    cells_per_m: [f64; 2],
    /// For each place of the table, the slot of its first agent; and the number of all.
    starts: Vec<u32>,
    /// The number of places, a power of two; it follows from the number of agents, and with it the order of
    /// what is found.
    places: usize,
    /// Each agent in its slot: they are sorted by place.
    bodies: Vec<Body>,
    /// The number of each slot's agent.
    numbers: Vec<u32>,
    /// Each slot's position, m, velocity, m/s, and row, a whole number: a list for each of the five, so that
    /// wide instructions of the processor take several agents at once.
    lanes: [Vec<f64>; 5],
    /// The slot of each number's agent.
    slots: Vec<u32>,
    /// What a flock wants of each number, m/s².
    pub(super) wanted_mps2: Vec<Vector>,
}

/// Agents whose others are looked at at once: two of the processor's registers for each quantity, or one.
pub(super) const LANES: usize = 4;

/// Slots in which agents of one row may be.
pub(super) struct Window {
    pub(super) slots: Range<usize>,
    /// First and last row whose agents count here, since others may have the same places.
    pub(super) rows: [f64; 2],
}

impl NeighbourGrid {
    /// A grid for `capacity` agents, with cells that suit `reach_m`, metres, above 0: the usual radius.
    /// More agents allocate once more; other radii take longer.
    #[must_use]
    pub fn new(capacity: usize, reach_m: f64) -> Self {
        Self {
            cells_per_m: if reach_m > 0.0 { CELLS.map(|cells| cells / reach_m) } else { [1.0; 2] },
            starts: vec![0; (2 * capacity).next_power_of_two() + 1],
            places: 1,
            bodies: Vec::with_capacity(capacity),
            numbers: Vec::with_capacity(capacity),
            lanes: std::array::from_fn(|_| Vec::with_capacity(capacity)),
            slots: Vec::with_capacity(capacity),
            wanted_mps2: Vec::new(),
        }
    }

    /// Forgets all agents and takes these, whose numbers are their places in the slice. Positions that
    /// are not finite numbers are near nobody.
    pub fn rebuild(&mut self, bodies: &[Body]) {
        self.rebuild_of(bodies.iter().copied());
    }

    /// [`Self::rebuild`] of what need not be a slice.
    pub(super) fn rebuild_of(&mut self, bodies: impl DoubleEndedIterator<Item = Body> + ExactSizeIterator + Clone) {
        let count = bodies.len();
        // Counting sort: how many agents a place has, where they begin, each to its own.
        self.places = (2 * count).next_power_of_two();
        self.starts.clear();
        self.starts.resize(self.places + 1, 0);
        self.slots.clear();
        for body in bodies.clone() {
            let place = self.place(self.cell(body.position_m));
            self.slots.push(place as u32);
            if let Some(count) = self.starts.get_mut(place) {
                *count += 1;
            }
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        self.bodies.resize(count, Body::default());
        self.numbers.resize(count, 0);
        // From behind, so that those of a place have the order of their numbers.
        for ((number, body), slot) in bodies.enumerate().zip(&mut self.slots).rev() {
            let Some(start) = self.starts.get_mut(*slot as usize) else { continue };
            *start -= 1;
            *slot = *start;
            let slot = *start as usize;
            if let (Some(to), Some(its)) = (self.bodies.get_mut(slot), self.numbers.get_mut(slot)) {
                (*to, *its) = (body, number as u32);
            }
        }
        let [_, rows_per_m] = self.cells_per_m;
        let values: [&dyn Fn(&Body) -> f64; 5] = [
            &|body| body.position_m[0],
            &|body| body.position_m[1],
            &|body| body.velocity_mps[0],
            &|body| body.velocity_mps[1],
            &|body| cell(body.position_m[1] * rows_per_m) as f64,
        ];
        for (lane, value) in self.lanes.iter_mut().zip(values) {
            lane.clear();
            lane.extend(self.bodies.iter().map(value));
        }
    }

    /// The numbers of all agents, cell by cell. Agents that are stepped in this order find their
    /// neighbours in the processor's cache.
    pub fn numbers(&self) -> impl Iterator<Item = usize> {
        self.numbers.iter().map(|number| *number as usize)
    }

    /// The agents within `radius_m`, metres, of a place, with their numbers; in an order that follows
    /// from the agents alone.
    pub fn near(&self, place_m: [f64; 2], radius_m: f64) -> impl Iterator<Item = (usize, &Body)> {
        let squared = radius_m * radius_m;
        self.windows(place_m, radius_m).flat_map(move |Window { slots, rows: [first, last] }| {
            let [x, y, .., row] = self.lanes(slots.clone());
            let agents = self.numbers.get(slots.clone()).unwrap_or_default().iter();
            let agents = agents.zip(self.bodies.get(slots).unwrap_or_default());
            x.iter().zip(y).zip(row).zip(agents).filter_map(move |(((x, y), row), (number, body))| {
                let to = subtract([*x, *y], place_m);
                (dot(to, to) < squared && first <= *row && *row <= last).then_some((*number as usize, body))
            })
        })
    }

    /// The agents within `radius_m`, metres, of the agent `number`, without that one, copied into
    /// `found`: what the behaviours take as `others`. Where more are near than `found` has room for,
    /// the rest is left out. Empty for a number that no agent has.
    pub fn others<'a>(&self, number: usize, radius_m: f64, found: &'a mut [Body]) -> &'a [Body] {
        let body = self.slots.get(number).and_then(|slot| self.bodies.get(*slot as usize));
        let Some(Body { position_m, .. }) = body else { return &[] };
        let others = self.near(*position_m, radius_m).filter(|(other, _)| *other != number);
        let count = found.iter_mut().zip(others).map(|(place, (_, other))| *place = *other).count();
        found.get(..count).unwrap_or_default()
    }

    /// The numbers of all agents, up to [`LANES`] at a time: those of a row that are within `along_m`, metres, of the
    /// first of them along it.
    pub(super) fn batches(&self, along_m: f64) -> impl Iterator<Item = &[u32]> {
        let [x, _, _, _, row] = self.lanes(0..self.bodies.len());
        let mut begin = 0;
        std::iter::from_fn(move || {
            let (first_x, first_row) = (x.get(begin)?, row.get(begin)?);
            let others = x.iter().zip(row).skip(begin + 1).take(LANES - 1);
            let count = 1 + others.take_while(|(x, row)| *row == first_row && (*x - first_x).abs() <= along_m).count();
            begin += count;
            self.numbers.get(begin - count..begin)
        })
    }

    /// Where those within `radius_m` of a place are, and others.
    fn windows(&self, place_m: Vector, radius_m: f64) -> impl Iterator<Item = Window> {
        self.windows_about(place_m, place_m, radius_m)
    }

    /// Where those within `radius_m` of the places between two corners are, and others.
    pub(super) fn windows_about(&self, low_m: Vector, high_m: Vector, radius_m: f64) -> impl Iterator<Item = Window> {
        let [low, high] = [(low_m, -radius_m), (high_m, radius_m)].map(|(m, r)| self.cell(m.map(|x| x + r)));
        let [columns, rows] = [0, 1].map(|k| (high[k] - low[k] + 1).max(0));
        // With more cells than places, all agents are looked at, once.
        let by_cell = columns.saturating_mul(rows) < self.places as i64;
        let (mut row, end) = if by_cell { (low[1], high[1]) } else { (0, 0) };
        let mut parts = [0..0, 0..0];
        std::iter::from_fn(move || {
            loop {
                for slots in &mut parts {
                    if slots.start < slots.end {
                        let rows = if by_cell { [(row - 1) as f64; 2] } else { [f64::NEG_INFINITY, f64::INFINITY] };
                        return Some(Window { slots: std::mem::take(slots), rows });
                    }
                }
                if row > end {
                    return None;
                }
                parts = if by_cell { self.of_row(row, low[0], columns) } else { [0..self.bodies.len(), 0..0] };
                row += 1;
            }
        })
    }

    /// Positions, x and y, velocities and rows of some slots.
    pub(super) fn lanes<'a>(&'a self, slots: Range<usize>) -> [&'a [f64]; 5] {
        let [x, y, vx, vy, row] = &self.lanes;
        let of = |lane: &'a [f64]| lane.get(slots.clone()).unwrap_or_default();
        [of(x), of(y), of(vx), of(vy), of(row)]
    }

    /// The slots of so many cells of a row: two parts, since the table's end goes on at its beginning.
    fn of_row(&self, row: i64, column: i64, count: i64) -> [Range<usize>; 2] {
        let start = self.place([column, row]);
        let end = start + count as usize;
        let begin = |place: usize| self.starts.get(place).map_or(0, |&begin| begin as usize);
        let [first, second] = [start..end.min(self.places), 0..end.saturating_sub(self.places)];
        [begin(first.start)..begin(first.end), begin(second.start)..begin(second.end)]
    }

    /// The place of a cell in the table.
    fn place(&self, [column, row]: [i64; 2]) -> usize {
        let begin = (row as u64).wrapping_mul(ROW) >> 32;
        (begin.wrapping_add(column as u64) as usize) & (self.places - 1)
    }

    /// Column and row.
    fn cell(&self, position_m: Vector) -> [i64; 2] {
        [0, 1].map(|k| cell(position_m[k] * self.cells_per_m[k]))
    }
}

/// The largest whole number up to `x`; the last one where it is beyond, and 0 where it is not a number.
fn cell(x: f64) -> i64 {
    /// Beyond it, cells are one; differences of two do not overflow.
    const LAST: f64 = 1e15;
    // As `floor`, which is a call where the processor is not known to have an instruction for it.
    let x = x.clamp(-LAST, LAST);
    let towards_zero = x as i64;
    towards_zero - i64::from(towards_zero as f64 > x)
}
